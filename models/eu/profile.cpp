// SPDX-License-Identifier: Apache-2.0
#include "eu/profile.h"

#include <algorithm>
#include <bit>

#include "common/check.h"

namespace gen9::eu {

void WorkUse::answered(const Message& message, MessagePort port, Cycles latency) {
    ports[static_cast<std::size_t>(port)].in_flight += latency.value;
    const std::uint16_t type = MessageLatency::type_of(message);
    auto row = std::ranges::find(latencies, type, &MessageLatency::type);
    if (row == latencies.end()) {
        latencies.emplace_back().type = type;
        row = latencies.end() - 1;
    }
    ++row->count;
    row->cycles += latency.value;
    const auto bin = static_cast<std::size_t>(std::bit_width(latency.value | 1) - 1);
    ++row->bins[std::min(bin, row->bins.size() - 1)];
}

InstructionUse& Profile::at(GpuAddr address, std::uint32_t work) {
    InstructionUse*& use = by_address_[address.value];
    if (use == nullptr) {
        use = &instructions_.emplace_back();
        use->address = address;
        use->work = work;
    }
    return *use;
}

InstructionUse& Profile::executed(GpuAddr address, const DecodedInstruction& instruction,
                                  std::uint32_t work) {
    InstructionUse* use = &at(address, work);
    if (use->known && use->instruction != instruction.instruction) {
        by_address_.erase(address.value);
        use = &at(address, work);
    }
    use->known = true;
    use->instruction = instruction.instruction;
    use->ip = instruction.ip;
    return *use;
}

void Profile::give(std::uint32_t work_number, std::uint64_t idle_cycles) {
    WorkUse& to = work_number == kNoWork ? outside_ : work(work_number);
    to.cycles[static_cast<std::size_t>(CycleUse::NoThread)] += idle_cycles;
}

void Profile::idle(Cycles from, Cycles to) {
    // The latest owner from before the end backwards; what is not settled waits.
    if (to > settled_) {
        pending_.emplace_back(std::max(from, settled_), to);
        to = settled_;
    }
    for (auto owner = owners_.rbegin(); to > from; ++owner) {
        const Cycles begin = std::max(from, owner->from);
        if (begin >= to) continue;
        give(owner->work, (to - begin).value);
        to = begin;
    }
}

void Profile::idle_belongs_to(std::uint32_t work_number, Cycles from) {
    GEN9_CHECK(from >= settled_, "owners of idle cycles are told in order");
    const std::uint32_t owner = owners_.back().work;
    for (auto& [begin, end] : pending_) {
        const Cycles until = std::min(end, from);
        if (until <= begin) continue;
        give(owner, (until - begin).value);
        begin = until;
    }
    std::erase_if(pending_, [](const auto& interval) { return interval.first >= interval.second; });
    settled_ = from;
    if (owner == work_number) return;
    if (owners_.back().from == from) owners_.pop_back();
    owners_.push_back({from, work_number});
}

}  // namespace gen9::eu
