// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
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

    Set checked{};          ///< must be free: sources, and the destination unless NoDDChk (EU-174)
    Set written{};          ///< no payload may be there that is still being read
    std::uint16_t arf = 0;  ///< must be free: set of ArfBit
    bool indirect = false;  ///< touches registers not known before execution
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
    void issue(const DecodedInstruction& instruction, const IssueTiming& timing, Cycles now);

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

}  // namespace gen9::eu
