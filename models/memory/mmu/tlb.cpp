// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/tlb.h"

namespace gen9::memory {

Tlb::Tlb(unsigned sets, unsigned ways)
    : entries_(std::size_t{sets} * ways), filled_(entries_.size()), sets_(sets), ways_(ways) {}

Tlb::Entry* Tlb::set_of(std::uint64_t address, unsigned shift) {
    return entries_.data() + (address >> shift) % sets_ * ways_;
}

const Tlb::Entry* Tlb::find(AddressSpace space, std::uint64_t address) {
    for (unsigned size = 0; size < 3; ++size) {
        if (!in_use_[size]) continue;
        const unsigned shift = kShifts[size];
        const std::uint64_t page = address >> shift << shift;
        Entry* set = set_of(address, shift);
        for (unsigned way = 0; way < ways_; ++way) {
            Entry& entry = set[way];
            if (entry.shift != shift || entry.page != page || entry.space != space) continue;
            entry.last_use = ++use_;
            return &entry;
        }
    }
    return nullptr;
}

const Tlb::Entry& Tlb::insert(AddressSpace space, std::uint64_t address, std::uint64_t physical,
                              unsigned shift, bool writable, std::uint8_t attribute) {
    Entry* set = set_of(address, shift);
    Entry* victim = set;
    for (unsigned way = 0; way < ways_; ++way) {
        if (set[way].shift == 0) {
            victim = &set[way];
            break;
        }
        if (set[way].last_use < victim->last_use) victim = &set[way];
    }
    *victim = {address >> shift << shift,
               physical >> shift << shift,
               ++use_,
               static_cast<std::uint8_t>(shift),
               space,
               writable,
               attribute};
    filled_.add(static_cast<std::size_t>(victim - entries_.data()));
    for (unsigned size = 0; size < 3; ++size)
        in_use_[size] |= kShifts[size] == shift;
    return *victim;
}

void Tlb::drop_all() {
    filled_.empty([this](std::size_t place) { entries_[place] = {}; });
    for (bool& used : in_use_)
        used = false;
}

void Tlb::drop(AddressSpace space) {
    for (auto& entry : entries_)
        if (entry.space == space) entry = {};
}

void Tlb::drop(AddressSpace space, std::uint64_t address) {
    for (auto& entry : entries_)
        if (entry.shift && entry.space == space &&
            entry.page == address >> entry.shift << entry.shift)
            entry = {};
}

}  // namespace gen9::memory
