// SPDX-License-Identifier: Apache-2.0
#include "eu/scoreboard.h"

#include <algorithm>

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
    : arf_checked(instruction.arf_reads),
      arf_written(instruction.arf_writes),
      indirect(instruction.indirect_registers),
      indirect_destination(instruction.instruction.dst.indirect),
      holds(instruction.instruction.no_dd_clear) {
    for (const RegisterRange& range : instruction.reads)
        insert(checked, range);
    insert(written, instruction.writes);
    // NoDDChk: the destination is not checked (EU-174); an earlier instruction of the block may
    // have left its dependency set.
    if (instruction.instruction.no_dd_check) return;
    insert(checked, instruction.writes);
    arf_checked |= instruction.arf_writes;
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

void Scoreboard::issue_arf(std::uint32_t registers, const IssueTiming& timing, Cycles now) {
    pending_arf_ |= static_cast<std::uint16_t>(registers);
    for (std::uint32_t bits = registers; bits != 0; bits &= bits - 1) {
        const std::uint32_t bit = bits & (~bits + 1);
        const bool accumulator = (bit & (kArfAcc0 | kArfAcc1 | kArfSpecialAcc)) != 0;
        const bool flag = (bit & (kArfFlag0 | kArfFlag1)) != 0;
        const std::uint64_t at = now.value + (accumulator ? timing.accumulator
                                              : flag      ? timing.flag
                                                          : timing.result);
        arf_[lowest(bit)] = at;
        result_latest_ = std::max(result_latest_, at);
    }
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
