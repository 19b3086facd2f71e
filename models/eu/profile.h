// SPDX-License-Identifier: Apache-2.0
/// The profile counts what each walker and each instruction did in the EUs: one object for all EUs.
/// Nothing in it depends on the order in which the EUs run: cycles of threads go to the walkers of
/// these threads, and cycles without a thread to whichever walker has begun first of those under
/// way in these cycles (`idle_belongs_to`).
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "common/units.h"
#include "eu/execute/decoded.h"
#include "eu/stats.h"
#include "interconnect/payload/message.h"

namespace gen9::eu {

/// The unit an instruction was issued to.
enum class IssueUnit : std::uint8_t { Fpu, Em, Branch, Send, None };
inline constexpr const char* kIssueUnitWords[] = {"fpu", "em", "branch", "send", "none"};
inline constexpr std::size_t kIssueUnits = std::size(kIssueUnitWords);
inline constexpr const char* kLatencyClassWords[] = {
    "simple", "wide",     "multiply",    "mad",    "mad_wide", "dot",    "interpolate",
    "math",   "math_pow", "math_divide", "branch", "send",     "control"};
inline constexpr std::size_t kLatencyClasses = std::size(kLatencyClassWords);
static_assert(kLatencyClasses == static_cast<std::size_t>(LatencyClass::Control) + 1);

using CyclesByUse = std::array<std::uint64_t, kCycleUses>;

/// Latencies of one type of message, from issue to answer.
struct MessageLatency {
    /// The value that `type_of` gives.
    std::uint16_t type = 0;
    std::uint64_t count = 0, cycles = 0;
    std::array<std::uint64_t, 32> bins{};  ///< bin i: from 2^i to 2^(i+1) - 1 cycles

    static constexpr unsigned kSlmSurface = 254;
    /// Bits 10:7: function id, bits 5:1: the code of the function's message as its descriptor has
    /// it, bit 0: of a data port, to SLM.
    static std::uint16_t type_of(const Message& message) {
        const std::uint32_t descriptor = message.descriptor;
        unsigned code = descriptor >> 14 & 31;
        bool slm = (descriptor & 0xFF) == kSlmSurface;
        switch (port_of(static_cast<std::uint8_t>(message.sfid))) {
            case MessagePort::DataPort:
                break;
            case MessagePort::Sampler:
                code = descriptor >> 12 & 31;
                slm = false;
                break;
            case MessagePort::Gateway:
                code = descriptor & 7;
                slm = false;
                break;
            case MessagePort::Urb:
                code = descriptor & 15;
                slm = false;
                break;
            default:
                code = 0;
                slm = false;
        }
        return static_cast<std::uint16_t>(static_cast<unsigned>(message.sfid) << 7 | code << 1 |
                                          unsigned{slm});
    }
};

/// The work of a walker's threads.
struct WorkUse {
    CyclesByUse cycles{};
    std::array<std::uint64_t, kIssueUnits> issues{}, unit_cycles{};
    std::array<std::uint64_t, kLatencyClasses> classes{};
    std::uint64_t lanes_active = 0, lanes_possible = 0;
    /// Message-cycles: in the queue of the target, and on the way in all.
    struct Port {
        std::uint64_t waiting = 0, in_flight = 0;
    };
    std::array<Port, kMessagePorts> ports{};
    std::vector<MessageLatency> latencies;  ///< in the order of their first answers

    void answered(const Message& message, MessagePort port, Cycles latency);
};

/// The uses of the instruction at an address.
struct InstructionUse {
    GpuAddr address;         ///< absolute
    std::uint32_t work = 0;  ///< that came there first
    std::uint32_t ip = 0;    ///< from the instruction base
    bool known = false;      ///< it has been executed, not only waited for
    isa::Instruction instruction;
    std::uint64_t executions = 0, lanes_active = 0, lanes_possible = 0;
    CyclesByUse cycles{};
};

class Profile {
  public:
    static constexpr std::uint32_t kNoWork = ~std::uint32_t{0};

    WorkUse& work(std::uint32_t number) {
        while (all_work_.size() <= number)
            all_work_.emplace_back();
        return all_work_[number];
    }
    const std::deque<WorkUse>& all_work() const { return all_work_; }
    /// The work done while no walker was under way.
    const WorkUse& outside() const { return outside_; }
    const std::deque<InstructionUse>& instructions() const { return instructions_; }

    /// The instruction at an address, as far as it is known.
    InstructionUse& at(GpuAddr address, std::uint32_t work);
    /// The instruction executed there: a new one, if another had been there before.
    InstructionUse& executed(GpuAddr address, const DecodedInstruction& instruction,
                             std::uint32_t work);

    /// An EU had no thread in the cycles from `from` to before `to`, which may be to come.
    void idle(Cycles from, Cycles to);
    /// Gives cycles without a thread to a walker, from a cycle on that is no earlier than the last.
    void idle_belongs_to(std::uint32_t work, Cycles from);
    /// Nothing more is told of the cycles before; what has been told of later ones still waits.
    void settle(Cycles now) { idle_belongs_to(owners_.back().work, now); }

  private:
    struct Owner {
        Cycles from;
        std::uint32_t work;
    };
    void give(std::uint32_t work, std::uint64_t idle_cycles);

    std::deque<WorkUse> all_work_;
    WorkUse outside_;
    std::deque<InstructionUse> instructions_;
    std::unordered_map<std::uint64_t, InstructionUse*> by_address_;
    std::vector<Owner> owners_{{Cycles(), kNoWork}};
    Cycles settled_;                                  ///< before it the owners do not change
    std::vector<std::pair<Cycles, Cycles>> pending_;  ///< told, and not all settled
};

}  // namespace gen9::eu
