// SPDX-License-Identifier: Apache-2.0
#include "eu/scoreboard.h"

#include <algorithm>
#include <bit>

namespace gen9::eu {
namespace {

unsigned end_of(RegisterRange range) {
    return std::min<unsigned>(unsigned{range.first} + range.count, kGrfCount);
}

}  // namespace

void Scoreboard::reset(Cycles now) {
    grf_.fill(now.value);
    payload_.fill(now.value);
    arf_.fill(now.value);
    payload_latest_ = result_latest_ = fence_ = now.value;
    in_flight_ = 0;
}

void Scoreboard::require_registers(Readiness& readiness, RegisterRange range) const {
    for (unsigned r = range.first; r < end_of(range); ++r) {
        const std::uint64_t at = grf_[r];
        if (at >= kHeld) [[unlikely]]
            readiness.require(kNever, at == kInFlight ? CycleUse::Message : CycleUse::Scoreboard);
        else
            readiness.require(Cycles(at), CycleUse::Scoreboard);
    }
}

Readiness Scoreboard::ready(const DecodedInstruction& instruction) const {
    Readiness readiness{Cycles(fence_)};
    for (const RegisterRange& range : instruction.reads)
        require_registers(readiness, range);
    std::uint16_t arf = instruction.arf_reads;
    // NoDDChk: the destination is not checked (EU-174); an earlier instruction of the block may
    // have left its dependency set.
    if (!instruction.instruction.no_dd_check) {
        require_registers(readiness, instruction.writes);
        arf |= instruction.arf_writes;
    }
    for (unsigned bits = arf; bits != 0; bits &= bits - 1)
        readiness.require(Cycles(arf_[std::countr_zero(bits)]), CycleUse::Scoreboard);
    if (readiness.at.value < payload_latest_)
        for (unsigned r = instruction.writes.first; r < end_of(instruction.writes); ++r)
            readiness.require(Cycles(payload_[r]), CycleUse::Message);
    // Registers that are not known before execution: wait until nothing of the thread is pending.
    if (instruction.indirect_registers) [[unlikely]] {
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
        grf_[r] = left;
    }
    result_latest_ = std::max(result_latest_, result);
    for (unsigned bits = instruction.arf_writes; bits != 0; bits &= bits - 1) {
        const unsigned bit = bits & (~bits + 1);
        const bool accumulator = (bit & (kArfAcc0 | kArfAcc1 | kArfSpecialAcc)) != 0;
        const bool flag = (bit & (kArfFlag0 | kArfFlag1)) != 0;
        const std::uint64_t at = now.value + (accumulator ? timing.accumulator
                                              : flag      ? timing.flag
                                                          : timing.result);
        arf_[std::countr_zero(bit)] = at;
        result_latest_ = std::max(result_latest_, at);
    }
    if (instruction.instruction.dst.indirect) fence_ = std::max(fence_, result);
}

void Scoreboard::send(RegisterRange response, std::span<const RegisterRange> payload,
                      std::uint32_t payload_cycles, Cycles now) {
    for (unsigned r = response.first; r < end_of(response); ++r) {
        in_flight_ += grf_[r] != kInFlight;
        grf_[r] = kInFlight;
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
