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
    std::uint16_t arf_checked = 0, arf_written = 0;  ///< sets of ArfBit
    bool indirect = false;              ///< touches registers not known before execution
    bool indirect_destination = false;  ///< so does its result
    bool holds = false;                 ///< NoDDClr
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
    unsigned in_flight() const { return in_flight_; }
    /// First register a message is out for, or kGrfCount: for reports.
    unsigned first_in_flight() const;

  private:
    /// When a register may be used again. In flight: a message will write it. Held: NoDDClr left
    /// its dependency set, for a later instruction of the block with NoDDChk to clear.
    static constexpr std::uint64_t kInFlight = ~std::uint64_t{0};
    static constexpr std::uint64_t kHeld = ~std::uint64_t{0} - 1;

    static unsigned lowest(std::uint64_t bits) {
        return static_cast<unsigned>(std::countr_zero(bits));
    }
    void issue_arf(std::uint32_t registers, const IssueTiming& timing, Cycles now);
    void mark(unsigned reg, std::uint64_t until) {
        grf_[reg] = until;
        pending_[reg / 64] |= std::uint64_t{1} << reg % 64;
    }

    std::array<std::uint64_t, kGrfCount> grf_{};
    std::array<std::uint64_t, kGrfCount> payload_{};  ///< a send's payload is read until
    std::array<std::uint64_t, 16> arf_{};             ///< by bit of ArfBit
    mutable RegisterUses::Set pending_{};             ///< of grf_: others are free
    mutable std::uint16_t pending_arf_ = 0;           ///< of arf_: others are free
    std::uint64_t payload_latest_ = 0;                ///< of payload_
    std::uint64_t result_latest_ = 0;                 ///< of all results with a known time
    std::uint64_t fence_ = 0;  ///< an indirect write lands: nothing issues before
    unsigned in_flight_ = 0;
};

// What runs for every instruction.

inline Readiness Scoreboard::ready(const RegisterUses& uses, Cycles from) const {
    std::uint64_t at = fence_;
    for (unsigned word = 0; word < pending_.size(); ++word)
        for (std::uint64_t bits = pending_[word] & uses.checked[word]; bits != 0;
             bits &= bits - 1) {
            const std::uint64_t free = grf_[word * 64 + lowest(bits)];
            if (free <= from.value) pending_[word] &= ~(bits & (~bits + 1));
            at = std::max(at, free);
        }
    for (unsigned bits = pending_arf_ & uses.arf_checked; bits != 0; bits &= bits - 1) {
        const std::uint64_t free = arf_[lowest(bits)];
        if (free <= from.value) pending_arf_ &= static_cast<std::uint16_t>(~(bits & (~bits + 1)));
        at = std::max(at, free);
    }
    if (at >= kHeld) return {kNever, at == kInFlight ? CycleUse::Message : CycleUse::Scoreboard};
    Readiness readiness{Cycles(at)};
    if (payload_latest_ > std::max(at, from.value))
        for (unsigned word = 0; word < uses.written.size(); ++word)
            for (std::uint64_t bits = uses.written[word]; bits != 0; bits &= bits - 1)
                readiness.require(Cycles(payload_[word * 64 + lowest(bits)]), CycleUse::Message);
    // Registers that are not known before execution: wait until nothing of the thread is pending.
    if (uses.indirect) [[unlikely]] {
        readiness.require(Cycles(result_latest_), CycleUse::Scoreboard);
        readiness.require(Cycles(payload_latest_), CycleUse::Message);
        if (in_flight_ != 0) readiness.require(kNever, CycleUse::Message);
    }
    return readiness;
}

inline void Scoreboard::issue(const RegisterUses& uses, const IssueTiming& timing, Cycles now) {
    const std::uint64_t result = now.value + timing.result;
    const std::uint64_t left = uses.holds ? kHeld : result;
    for (unsigned word = 0; word < pending_.size(); ++word) {
        const std::uint64_t written = uses.written[word];
        pending_[word] |= written;
        for (std::uint64_t bits = written; bits != 0; bits &= bits - 1) {
            std::uint64_t& free = grf_[word * 64 + lowest(bits)];
            // Only with NoDDChk: the program's own affair (EU-179).
            if (free == kInFlight) [[unlikely]]
                --in_flight_;
            free = left;
        }
    }
    result_latest_ = std::max(result_latest_, result);
    if (uses.arf_written != 0) issue_arf(uses.arf_written, timing, now);
    if (uses.indirect_destination) [[unlikely]]
        fence_ = std::max(fence_, result);
}

}  // namespace gen9::eu
