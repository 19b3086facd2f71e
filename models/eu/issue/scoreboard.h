// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "common/units.h"
#include "eu/execute/decoded.h"
#include "eu/issue/timing.h"
#include "eu/stats.h"

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

/// The registers the scoreboard follows, by number: the GRF, then one for each ArfBit.
inline constexpr unsigned kScoreboardRegisters =
    kGrfCount + std::bit_width(unsigned{kArfSpecialAcc});
/// The number of none of them, which none asks about.
inline constexpr unsigned kNoRegister = kScoreboardRegisters;

/// An instruction asks this of the scoreboard and leaves this there: made once per instruction.
struct RegisterUses {
    RegisterUses() = default;
    explicit RegisterUses(const DecodedInstruction& instruction);

    std::uint8_t checks = 0;  ///< registers in `checked`, some twice: a multiple of kStep
    static constexpr unsigned kStep = 4;
    /// Destination; no payload may be there that is still being read.
    RegisterRange written{};
    std::uint8_t first = kNoRegister, last = kNoRegister;  ///< of `written`, if any
    bool plain = true;                  ///< leaves nothing but the times of `written`
    bool indirect = false;              ///< touches registers not known before execution
    bool indirect_destination = false;  ///< so does its result
    bool holds = false;                 ///< NoDDClr
    bool overrides = false;             ///< NoDDChk
    std::uint16_t arf_written = 0;      ///< set of ArfBit
    /// Must be free: sources, and the destination unless NoDDChk (EU-174).
    std::array<std::uint8_t, kScoreboardRegisters> checked{};
};

/// The dependency bits of one thread (EU-173..EU-181): when each register may be used again.
class Scoreboard {
  public:
    /// A new thread: nothing is pending.
    void reset(Cycles now);

    /// When the operands of an instruction allow its issue; kNever while a message is out for them.
    /// `from`: the instruction is not issued earlier anyway; a result up to `from` only says "not
    /// later".
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

    /// The register that can be used latest, among those an instruction asks about; kNoRegister if
    /// all can be used at `now`. For waveforms.
    unsigned waited_for(const RegisterUses& uses, Cycles now) const;

    /// Response registers that messages are out for.
    unsigned in_flight() const { return in_flight_; }
    /// First register a message is out for, or kGrfCount: for reports.
    unsigned first_in_flight() const;

  private:
    // Times of registers that nothing announced ends: later than any other, the latest last.
    static constexpr std::uint64_t kHeld = kNever.value - 1;  ///< until one with NoDDChk clears it
    static constexpr std::uint64_t kInFlight = kNever.value;  ///< a message will write it

    void set_times(const RegisterUses& uses, const IssueTiming& timing, Cycles now);
    /// The rest of `ready`, where `at` is the latest time of what is checked.
    Readiness after_messages(const RegisterUses& uses, std::uint64_t at, Cycles from) const;

    std::uint64_t result_latest_ = 0;  ///< of all results with a known time
    std::uint64_t fence_ = 0;          ///< an indirect write lands: nothing issues before
    std::uint64_t read_latest_ = 0;    ///< of read_time_
    unsigned in_flight_ = 0;           ///< registers
    /// It may be used from here on.
    std::array<std::uint64_t, kScoreboardRegisters + 1> time_;
    std::array<std::uint64_t, kGrfCount> read_time_;  ///< a send's payload: read until then
};

// These run for every instruction.

inline Readiness Scoreboard::ready(const RegisterUses& uses, Cycles from) const {
    std::uint64_t at = fence_;
    // By steps, so that the usual instructions take equally many.
    for (unsigned i = 0; i < uses.checks; i += RegisterUses::kStep)
        for (unsigned k = i; k < i + RegisterUses::kStep; ++k)
            at = std::max(at, time_[uses.checked[k]]);
    if (read_latest_ > from.value || at >= kHeld || uses.indirect)
        return after_messages(uses, at, from);
    return {Cycles(at), CycleUse::Scoreboard};
}

inline void Scoreboard::issue(const RegisterUses& uses, const IssueTiming& timing, Cycles now) {
    if (!uses.plain) return set_times(uses, timing, now);
    const std::uint64_t result = now.value + timing.result;
    result_latest_ = std::max(result_latest_, result);
    time_[uses.first] = time_[uses.last] = result;
    for (unsigned r = uses.first + 1u; r < uses.last; ++r)
        time_[r] = result;
}

}  // namespace gen9::eu
