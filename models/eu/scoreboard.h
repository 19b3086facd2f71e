// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "common/units.h"
#include "eu/decoded.h"
#include "eu/stats.h"
#include "eu/timing.h"

namespace gen9::eu {

/// No time: the event that ends the wait has not been announced.
inline constexpr Cycles kNever{~std::uint64_t{0}};

/// When, and if not now for which reason later, an instruction may be issued.
struct Readiness {
    Cycles at;
    CycleUse reason = CycleUse::Scoreboard;
    /// Takes the later of two conditions.
    void require(Cycles when, CycleUse why) {
        if (when > at) {
            at = when;
            reason = why;
        }
    }
};

/// What an instruction asks of the scoreboard, as sets of registers: made once per instruction.
struct RegisterUses {
    /// Bit r % 64 of word r / 64 is register r.
    using Set = std::array<std::uint64_t, kGrfCount / 64>;

    RegisterUses() = default;
    explicit RegisterUses(const DecodedInstruction& instruction);

    Set checked{};  ///< must be free: sources, and the destination unless NoDDChk (EU-174)
    Set written{};  ///< destination; no payload may be there that is still being read
    // Sets of ArfBit; those written by the time it takes.
    std::uint16_t arf_checked = 0, accumulators_written = 0, flags_written = 0, others_written = 0;
    bool indirect = false;              ///< touches registers not known before execution
    bool indirect_destination = false;  ///< so does its result
    bool holds = false;                 ///< NoDDClr
    bool overrides = false;             ///< NoDDChk
};

/// The dependency bits of one thread (EU-173..EU-181): when each register may be used again.
class Scoreboard {
  public:
    /// A new thread: nothing is pending.
    void reset(Cycles now);

    /// When the operands of an instruction allow its issue; kNever while a message is out for them.
    /// `from`: the instruction is not issued earlier anyway, and none is from now on; what is free
    /// by then is not looked at again, and a result up to `from` only says "not later".
    Readiness ready(const RegisterUses& uses, Cycles from) const;
    Readiness ready(const DecodedInstruction& instruction) const {
        return ready(RegisterUses(instruction), Cycles(0));
    }

    /// Another instruction than a send is issued at `now`: marks its destinations.
    void issue(const RegisterUses& uses, const IssueTiming& timing, Cycles now);
    void issue(const DecodedInstruction& instruction, const IssueTiming& timing, Cycles now) {
        issue(RegisterUses(instruction), timing, now);
    }

    /// A send is issued at `now`: its response registers are in flight, and its payload is not to
    /// be overwritten for a while. Both are the message's own, which the columns of an instruction
    /// with a descriptor in a0 do not know.
    void send(RegisterRange response, std::span<const RegisterRange> payload,
              std::uint32_t payload_cycles, Cycles now);

    /// A response for `count` registers from `first` is written: register i may be read at
    /// `now + i * spacing`.
    void write_back(unsigned first, unsigned count, Cycles now, Cycles spacing);

    /// Response registers that messages are out for.
    unsigned in_flight() const {
        return static_cast<unsigned>(std::popcount(in_flight_[0]) + std::popcount(in_flight_[1]));
    }
    /// First register a message is out for, or kGrfCount: for reports.
    unsigned first_in_flight() const;

  private:
    using Set = RegisterUses::Set;
    /// The results of one instruction.
    struct Result {
        Set registers{};
        std::uint16_t arf = 0;  ///< set of ArfBit
        std::uint64_t at = 0;   ///< they may be used from here on
    };

    static unsigned lowest(std::uint64_t bits) {
        return static_cast<unsigned>(std::countr_zero(bits));
    }
    static bool meet(const Set& a, const Set& b) { return ((a[0] & b[0]) | (a[1] & b[1])) != 0; }
    static void remove(Set& from, const Set& what) {
        for (unsigned word = 0; word < from.size(); ++word)
            from[word] &= ~what[word];
    }
    void push(const Set& registers, std::uint32_t arf, std::uint64_t at);
    /// More results are pending than there is room for: they are kept by register.
    void give_own_times(const Result& result);
    /// What was said of these registers before holds no more.
    void forget(const Set& registers, std::uint32_t arf);
    /// The rest of `ready`: what is not the result of an ordinary instruction.
    Readiness after_messages(const RegisterUses& uses, std::uint64_t at, Cycles from) const;

    // What every instruction asks for stands together, the large tables behind it.
    static constexpr unsigned kResults = 16;
    mutable unsigned first_ = 0;  ///< of results_, modulo its size
    unsigned end_ = 0;
    /// Of everything but results_: until then it must be looked at. Without end when some is held.
    std::uint64_t others_until_ = 0;
    std::uint64_t result_latest_ = 0;       ///< of all results with a known time
    std::uint64_t fence_ = 0;               ///< an indirect write lands: nothing issues before
    Set in_flight_{};                       ///< a message will write it
    std::array<Result, kResults> results_;  ///< ring: those that may be pending
    Set held_{};           ///< NoDDClr left its dependency set, for one with NoDDChk to clear
    mutable Set timed_{};  ///< others that have a time each
    mutable Set read_{};   ///< a send's payload that is being read
    mutable std::uint32_t timed_arf_ = 0;
    std::uint64_t timed_latest_ = 0;                  ///< of timed_ and timed_arf_
    std::uint64_t read_latest_ = 0;                   ///< of read_
    std::array<std::uint64_t, kGrfCount> time_;       ///< of timed_
    std::array<std::uint64_t, 16> arf_time_;          ///< of timed_arf_
    std::array<std::uint64_t, kGrfCount> read_time_;  ///< of read_: until then
};

// What runs for every instruction.

inline Readiness Scoreboard::ready(const RegisterUses& uses, Cycles from) const {
    if (meet(in_flight_, uses.checked)) return {kNever, CycleUse::Message};
    std::uint64_t at = fence_;
    // Most results end in the order they were begun.
    while (first_ != end_ && results_[first_ % kResults].at <= from.value)
        ++first_;
    for (unsigned i = first_; i != end_; ++i) {
        const Result& result = results_[i % kResults];
        const std::uint64_t common = (result.registers[0] & uses.checked[0]) |
                                     (result.registers[1] & uses.checked[1]) |
                                     (result.arf & uses.arf_checked);
        if (common != 0) at = std::max(at, result.at);
    }
    if (others_until_ > from.value || uses.indirect) [[unlikely]]
        return after_messages(uses, at, from);
    return {Cycles(at), CycleUse::Scoreboard};
}

inline void Scoreboard::push(const Set& registers, std::uint32_t arf, std::uint64_t at) {
    if (end_ - first_ == kResults) [[unlikely]]
        give_own_times(results_[first_++ % kResults]);
    Result& result = results_[end_++ % kResults];
    result.registers = registers;
    result.arf = static_cast<std::uint16_t>(arf);
    result.at = at;
}

inline void Scoreboard::issue(const RegisterUses& uses, const IssueTiming& timing, Cycles now) {
    const std::uint64_t result = now.value + timing.result;
    if (uses.overrides) [[unlikely]]
        forget(uses.written, uses.accumulators_written | uses.flags_written | uses.others_written);
    result_latest_ = std::max(result_latest_, result);
    if (uses.holds) [[unlikely]] {
        for (unsigned word = 0; word < held_.size(); ++word)
            held_[word] |= uses.written[word];
        others_until_ = kNever.value;
        if (uses.others_written != 0) push({}, uses.others_written, result);
    } else if ((uses.written[0] | uses.written[1] | uses.others_written) != 0) {
        push(uses.written, uses.others_written, result);
    }
    if (uses.flags_written != 0) {
        push({}, uses.flags_written, now.value + timing.flag);
        result_latest_ = std::max(result_latest_, now.value + timing.flag);
    }
    if (uses.accumulators_written != 0) {
        push({}, uses.accumulators_written, now.value + timing.accumulator);
        result_latest_ = std::max(result_latest_, now.value + timing.accumulator);
    }
    if (uses.indirect_destination) [[unlikely]]
        fence_ = std::max(fence_, result);
}

}  // namespace gen9::eu
