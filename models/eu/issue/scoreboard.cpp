// SPDX-License-Identifier: Apache-2.0
#include "eu/issue/scoreboard.h"

#include <algorithm>
#include <bit>
#include <bitset>

namespace gen9::eu {
namespace {

unsigned end_of(RegisterRange range) {
    return std::min<unsigned>(unsigned{range.first} + range.count, kGrfCount);
}

/// The scoreboard's numbers of a set of ArfBit, one after the other.
template <class Action>
void each(std::uint32_t arf, Action action) {
    for (; arf != 0; arf &= arf - 1)
        action(kGrfCount + static_cast<unsigned>(std::countr_zero(arf)), arf & ~(arf - 1));
}

constexpr std::uint32_t kAccumulators = kArfAcc0 | kArfAcc1 | kArfSpecialAcc;
constexpr std::uint32_t kFlags = kArfFlag0 | kArfFlag1;

}  // namespace

RegisterUses::RegisterUses(const DecodedInstruction& instruction)
    : indirect(instruction.indirect_registers),
      indirect_destination(instruction.instruction.dst.indirect),
      holds(instruction.instruction.no_dd_clear),
      overrides(instruction.instruction.no_dd_check),
      arf_written(instruction.arf_writes) {
    std::bitset<kScoreboardRegisters> set;
    const auto check = [&set](RegisterRange range) {
        for (unsigned r = range.first; r < end_of(range); ++r)
            set.set(r);
    };
    const auto check_arf = [&set](std::uint32_t arf) {
        each(arf, [&set](unsigned r, std::uint32_t) { set.set(r); });
    };
    for (const RegisterRange& range : instruction.reads)
        check(range);
    check_arf(instruction.arf_reads);
    // NoDDChk: the destination is not checked (EU-174); an earlier instruction of the block may
    // have left its dependency set.
    if (!overrides) {
        check(instruction.writes);
        check_arf(instruction.arf_writes);
    }
    for (unsigned r = 0; r < set.size(); ++r)
        if (set.test(r)) checked[checks++] = static_cast<std::uint8_t>(r);
    for (; checks % kStep != 0; ++checks)
        checked[checks] = checked[checks - 1];
    const RegisterRange& writes = instruction.writes;
    if (writes.count != 0) {
        written = {writes.first, static_cast<std::uint8_t>(end_of(writes) - writes.first)};
        first = writes.first;
        last = static_cast<std::uint8_t>(end_of(writes) - 1);
    }
    plain = arf_written == 0 && !indirect_destination && !holds && !overrides;
}

void Scoreboard::reset(Cycles now) {
    time_.fill(0);
    read_time_.fill(0);
    in_flight_ = 0;
    read_latest_ = result_latest_ = fence_ = now.value;
}

Readiness Scoreboard::after_messages(const RegisterUses& uses, std::uint64_t at,
                                     Cycles from) const {
    if (at >= kHeld) return {kNever, at == kInFlight ? CycleUse::Message : CycleUse::Scoreboard};
    Readiness readiness{Cycles(at)};
    if (read_latest_ > from.value)
        for (unsigned i = 0; i < uses.written.count; ++i)
            readiness.require(Cycles(read_time_[uses.written.first + i]), CycleUse::Message);
    // Registers that are not known before execution: wait until nothing of the thread is pending.
    if (uses.indirect) {
        readiness.require(Cycles(result_latest_), CycleUse::Scoreboard);
        readiness.require(Cycles(read_latest_), CycleUse::Message);
        if (in_flight_ != 0) readiness.require(kNever, CycleUse::Message);
    }
    return readiness;
}

void Scoreboard::set_times(const RegisterUses& uses, const IssueTiming& timing, Cycles now) {
    const std::uint64_t result = now.value + timing.result;
    result_latest_ = std::max(result_latest_, result);
    for (unsigned i = 0; i < uses.written.count; ++i) {
        std::uint64_t& time = time_[uses.written.first + i];
        if (time == kInFlight) --in_flight_;
        time = uses.holds ? kHeld : result;
    }
    each(uses.arf_written, [&](unsigned r, std::uint32_t arf) {
        time_[r] = result;
        if (arf & kAccumulators) time_[r] = now.value + timing.accumulator;
        if (arf & kFlags) time_[r] = now.value + timing.flag;
        result_latest_ = std::max(result_latest_, time_[r]);
    });
    if (uses.indirect_destination) fence_ = std::max(fence_, result);
}

void Scoreboard::send(RegisterRange response, std::span<const RegisterRange> payload,
                      std::uint32_t payload_cycles, Cycles now) {
    for (unsigned r = response.first; r < end_of(response); ++r) {
        if (time_[r] != kInFlight) ++in_flight_;
        time_[r] = kInFlight;
    }
    if (payload.empty()) return;
    const std::uint64_t until = now.value + payload_cycles;
    for (const RegisterRange& range : payload)
        for (unsigned r = range.first; r < end_of(range); ++r)
            read_time_[r] = std::max(read_time_[r], until);
    read_latest_ = std::max(read_latest_, until);
}

void Scoreboard::write_back(unsigned first, unsigned count, Cycles now, Cycles spacing) {
    std::uint64_t at = now.value;
    const unsigned end = std::min(first + count, unsigned{kGrfCount});
    for (unsigned r = first; r < end; ++r, at += spacing.value) {
        if (time_[r] != kInFlight) continue;
        time_[r] = at;
        --in_flight_;
        result_latest_ = std::max(result_latest_, at);
    }
}

unsigned Scoreboard::waited_for(const RegisterUses& uses, Cycles now) const {
    unsigned found = kNoRegister;
    std::uint64_t latest = now.value;
    const auto look = [&](unsigned r, std::uint64_t until) {
        if (until <= latest) return;
        latest = until;
        found = r;
    };
    for (unsigned i = 0; i < uses.checks; ++i)
        look(uses.checked[i], time_[uses.checked[i]]);
    for (unsigned i = 0; i < uses.written.count; ++i)
        look(uses.written.first + i, read_time_[uses.written.first + i]);
    if (uses.indirect && found == kNoRegister && in_flight_ != 0) return first_in_flight();
    return found;
}

unsigned Scoreboard::first_in_flight() const {
    const auto grf_end = time_.begin() + kGrfCount;
    return static_cast<unsigned>(std::find(time_.begin(), grf_end, kInFlight) - time_.begin());
}

}  // namespace gen9::eu
