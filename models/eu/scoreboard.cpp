// SPDX-License-Identifier: Apache-2.0
#include "eu/scoreboard.h"

#include <algorithm>
#include <bit>

namespace gen9::eu {
namespace {

unsigned end_of(RegisterRange range) {
    return std::min<unsigned>(unsigned{range.first} + range.count, kGrfCount);
}

void insert(RegisterUses::Set& set, RegisterRange range) {
    for (unsigned r = range.first; r < end_of(range); ++r)
        set[r / 64] |= std::uint64_t{1} << r % 64;
}

}  // namespace

RegisterUses::RegisterUses(const DecodedInstruction& instruction)
    : arf(instruction.arf_reads), indirect(instruction.indirect_registers) {
    for (const RegisterRange& range : instruction.reads)
        insert(checked, range);
    insert(written, instruction.writes);
    // NoDDChk: the destination is not checked (EU-174); an earlier instruction of the block may
    // have left its dependency set.
    if (instruction.instruction.no_dd_check) return;
    insert(checked, instruction.writes);
    arf |= instruction.arf_writes;
}

void Scoreboard::reset(Cycles now) {
    pending_.fill(0);
    pending_arf_ = 0;
    grf_.fill(now.value);
    payload_.fill(now.value);
    arf_.fill(now.value);
    payload_latest_ = result_latest_ = fence_ = now.value;
    in_flight_ = 0;
}

Readiness Scoreboard::ready(const RegisterUses& uses, Cycles from) const {
    std::uint64_t at = fence_;
    for (unsigned word = 0; word < pending_.size(); ++word)
        for (std::uint64_t bits = pending_[word] & uses.checked[word]; bits != 0;
             bits &= bits - 1) {
            const std::uint64_t free =
                grf_[word * 64 + static_cast<unsigned>(std::countr_zero(bits))];
            if (free <= from.value) pending_[word] &= ~(bits & (~bits + 1));
            at = std::max(at, free);
        }
    for (unsigned bits = pending_arf_ & uses.arf; bits != 0; bits &= bits - 1) {
        const std::uint64_t free = arf_[static_cast<unsigned>(std::countr_zero(bits))];
        if (free <= from.value) pending_arf_ &= static_cast<std::uint16_t>(~(bits & (~bits + 1)));
        at = std::max(at, free);
    }
    if (at >= kHeld) return {kNever, at == kInFlight ? CycleUse::Message : CycleUse::Scoreboard};
    Readiness readiness{Cycles(at)};
    if (payload_latest_ > std::max(at, from.value))
        for (unsigned word = 0; word < uses.written.size(); ++word)
            for (std::uint64_t bits = uses.written[word]; bits != 0; bits &= bits - 1)
                readiness.require(
                    Cycles(payload_[word * 64 + static_cast<unsigned>(std::countr_zero(bits))]),
                    CycleUse::Message);
    // Registers that are not known before execution: wait until nothing of the thread is pending.
    if (uses.indirect) [[unlikely]] {
        readiness.require(Cycles(result_latest_), CycleUse::Scoreboard);
        readiness.require(Cycles(payload_latest_), CycleUse::Message);
        if (in_flight_ != 0) readiness.require(kNever, CycleUse::Message);
    }
    return readiness;
}

void Scoreboard::issue(const DecodedInstruction& instruction, const IssueTiming& timing,
                       Cycles now) {
    const std::uint64_t result = now.value + timing.result;
    const std::uint64_t left = instruction.instruction.no_dd_clear ? kHeld : result;
    for (unsigned r = instruction.writes.first; r < end_of(instruction.writes); ++r) {
        in_flight_ -= grf_[r] == kInFlight;  // only with NoDDChk: the program's own affair (EU-179)
        mark(r, left);
    }
    result_latest_ = std::max(result_latest_, result);
    for (unsigned bits = instruction.arf_writes; bits != 0; bits &= bits - 1) {
        const unsigned bit = bits & (~bits + 1);
        const bool accumulator = (bit & (kArfAcc0 | kArfAcc1 | kArfSpecialAcc)) != 0;
        const bool flag = (bit & (kArfFlag0 | kArfFlag1)) != 0;
        const std::uint64_t at = now.value + (accumulator ? timing.accumulator
                                              : flag      ? timing.flag
                                                          : timing.result);
        arf_[static_cast<unsigned>(std::countr_zero(bit))] = at;
        pending_arf_ |= static_cast<std::uint16_t>(bit);
        result_latest_ = std::max(result_latest_, at);
    }
    if (instruction.instruction.dst.indirect) fence_ = std::max(fence_, result);
}

void Scoreboard::send(RegisterRange response, std::span<const RegisterRange> payload,
                      std::uint32_t payload_cycles, Cycles now) {
    for (unsigned r = response.first; r < end_of(response); ++r) {
        in_flight_ += grf_[r] != kInFlight;
        mark(r, kInFlight);
    }
    const std::uint64_t until = now.value + payload_cycles;
    for (const RegisterRange& range : payload)
        for (unsigned r = range.first; r < end_of(range); ++r)
            payload_[r] = std::max(payload_[r], until);
    if (!payload.empty()) payload_latest_ = std::max(payload_latest_, until);
}

void Scoreboard::write_back(unsigned first, unsigned count, Cycles now, Cycles spacing) {
    for (unsigned i = 0; i < count && first + i < kGrfCount; ++i) {
        std::uint64_t& at = grf_[first + i];
        if (at != kInFlight) continue;
        at = now.value + i * spacing.value;
        result_latest_ = std::max(result_latest_, at);
        --in_flight_;
    }
}

unsigned Scoreboard::first_in_flight() const {
    return static_cast<unsigned>(std::find(grf_.begin(), grf_.end(), kInFlight) - grf_.begin());
}

}  // namespace gen9::eu
