// SPDX-License-Identifier: Apache-2.0
#include "eu/scoreboard.h"

#include <algorithm>

namespace gen9::eu {
namespace {

unsigned end_of(RegisterRange range) {
    return std::min<unsigned>(unsigned{range.first} + range.count, kGrfCount);
}

/// The registers from 0 to before `end`.
RegisterUses::Set below(unsigned end) {
    const std::uint64_t bits = (std::uint64_t{1} << end % 64) - 1;
    if (end < 64) return {bits, 0};
    return {~std::uint64_t{0}, end < kGrfCount ? bits : ~std::uint64_t{0}};
}

void insert(RegisterUses::Set& set, RegisterRange range) {
    if (range.count == 0) return;
    const RegisterUses::Set end = below(end_of(range)), first = below(range.first);
    for (unsigned word = 0; word < set.size(); ++word)
        set[word] |= end[word] & ~first[word];
}

constexpr std::uint16_t kAccumulators = kArfAcc0 | kArfAcc1 | kArfSpecialAcc;
constexpr std::uint16_t kFlags = kArfFlag0 | kArfFlag1;

}  // namespace

RegisterUses::RegisterUses(const DecodedInstruction& instruction)
    : arf_checked(instruction.arf_reads),
      accumulators_written(instruction.arf_writes & kAccumulators),
      flags_written(instruction.arf_writes & kFlags),
      others_written(instruction.arf_writes & ~(kAccumulators | kFlags)),
      indirect(instruction.indirect_registers),
      indirect_destination(instruction.instruction.dst.indirect),
      holds(instruction.instruction.no_dd_clear),
      overrides(instruction.instruction.no_dd_check) {
    for (const RegisterRange& range : instruction.reads)
        insert(checked, range);
    insert(written, instruction.writes);
    // NoDDChk: the destination is not checked (EU-174); an earlier instruction of the block may
    // have left its dependency set.
    if (overrides) return;
    insert(checked, instruction.writes);
    arf_checked |= instruction.arf_writes;
}

void Scoreboard::reset(Cycles now) {
    first_ = end_ = 0;
    in_flight_ = held_ = timed_ = read_ = {};
    timed_arf_ = 0;
    timed_latest_ = read_latest_ = others_until_ = result_latest_ = fence_ = now.value;
}

Readiness Scoreboard::after_messages(const RegisterUses& uses, std::uint64_t at,
                                     Cycles from) const {
    if (meet(held_, uses.checked)) return {kNever, CycleUse::Scoreboard};
    if (timed_latest_ <= from.value) {
        timed_ = {};
        timed_arf_ = 0;
    }
    for (unsigned word = 0; word < timed_.size(); ++word)
        for (std::uint64_t bits = timed_[word] & uses.checked[word]; bits != 0; bits &= bits - 1)
            at = std::max(at, time_[word * 64 + lowest(bits)]);
    for (std::uint32_t bits = timed_arf_ & uses.arf_checked; bits != 0; bits &= bits - 1)
        at = std::max(at, arf_time_[lowest(bits)]);
    Readiness readiness{Cycles(at)};
    if (read_latest_ <= from.value) read_ = {};
    for (unsigned word = 0; word < read_.size(); ++word)
        for (std::uint64_t bits = read_[word] & uses.written[word]; bits != 0; bits &= bits - 1)
            readiness.require(Cycles(read_time_[word * 64 + lowest(bits)]), CycleUse::Message);
    // Registers that are not known before execution: wait until nothing of the thread is pending.
    if (uses.indirect) {
        readiness.require(Cycles(result_latest_), CycleUse::Scoreboard);
        readiness.require(Cycles(read_latest_), CycleUse::Message);
        if (in_flight() != 0) readiness.require(kNever, CycleUse::Message);
    }
    return readiness;
}

void Scoreboard::forget(const Set& registers, std::uint32_t arf) {
    for (Set* const set : {&in_flight_, &held_, &timed_})
        remove(*set, registers);
    timed_arf_ &= ~arf;
    for (unsigned i = first_; i != end_; ++i) {
        Result& result = results_[i % kResults];
        remove(result.registers, registers);
        result.arf &= static_cast<std::uint16_t>(~arf);
    }
    if (held_[0] == 0 && held_[1] == 0) others_until_ = std::max(timed_latest_, read_latest_);
}

void Scoreboard::give_own_times(const Result& result) {
    for (unsigned word = 0; word < timed_.size(); ++word) {
        timed_[word] |= result.registers[word];
        for (std::uint64_t bits = result.registers[word]; bits != 0; bits &= bits - 1)
            time_[word * 64 + lowest(bits)] = result.at;
    }
    timed_arf_ |= result.arf;
    for (std::uint32_t bits = result.arf; bits != 0; bits &= bits - 1)
        arf_time_[lowest(bits)] = result.at;
    timed_latest_ = std::max(timed_latest_, result.at);
    others_until_ = std::max(others_until_, result.at);
}

void Scoreboard::send(RegisterRange response, std::span<const RegisterRange> payload,
                      std::uint32_t payload_cycles, Cycles now) {
    if (response.count != 0) {
        Set registers{};
        insert(registers, response);
        forget(registers, 0);
        for (unsigned word = 0; word < in_flight_.size(); ++word)
            in_flight_[word] |= registers[word];
    }
    const std::uint64_t until = now.value + payload_cycles;
    for (const RegisterRange& range : payload)
        for (unsigned r = range.first; r < end_of(range); ++r) {
            std::uint64_t& word = read_[r / 64];
            const std::uint64_t bit = std::uint64_t{1} << r % 64;
            read_time_[r] = word & bit ? std::max(read_time_[r], until) : until;
            word |= bit;
        }
    if (payload.empty()) return;
    read_latest_ = std::max(read_latest_, until);
    others_until_ = std::max(others_until_, until);
}

void Scoreboard::write_back(unsigned first, unsigned count, Cycles now, Cycles spacing) {
    for (unsigned i = 0; i < count && first + i < kGrfCount; ++i) {
        const unsigned r = first + i;
        const std::uint64_t bit = std::uint64_t{1} << r % 64;
        if ((in_flight_[r / 64] & bit) == 0) continue;
        in_flight_[r / 64] &= ~bit;
        timed_[r / 64] |= bit;
        time_[r] = now.value + i * spacing.value;
        timed_latest_ = std::max(timed_latest_, time_[r]);
        others_until_ = std::max(others_until_, time_[r]);
        result_latest_ = std::max(result_latest_, time_[r]);
    }
}

unsigned Scoreboard::first_in_flight() const {
    if (in_flight_[0] != 0) return lowest(in_flight_[0]);
    return in_flight_[1] != 0 ? 64 + lowest(in_flight_[1]) : kGrfCount;
}

}  // namespace gen9::eu
