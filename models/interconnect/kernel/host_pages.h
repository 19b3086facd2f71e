// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "common/filled_places.h"
#include "interconnect/kernel/blocking_access.h"

namespace gen9 {

/// Host pointers of the pages that were accessed last, for functional mode.
class HostPages {
  public:
    /// `requester`: of the accesses, which are marked as such where somebody wants to know.
    HostPages(InitiatorSocket<MemoryProtocol>& memory, MemoryPool& pool,
              Requester requester = Requester::DataPort)
        : memory_(memory), pool_(pool), requester_(requester) {}

    /// The bytes of an element, which does not go beyond its page; null: memory grants none.
    std::uint8_t* find(std::uint64_t address, unsigned bytes, bool writes, std::uint8_t mocs) {
        const DirectMemory* const direct = page_of(address, writes, mocs);
        if (direct == nullptr) return nullptr;
        const std::uint64_t in_page = address % kPageBytes;
        if (direct->lines != nullptr) [[unlikely]]
            direct->lines->mark(in_page, bytes, !writes);
        return direct->host + in_page;
    }
    /// The byte at an address, for any of its page; null: memory grants none, or wants to know the
    /// lines.
    std::uint8_t* find_any(std::uint64_t address, bool writes, std::uint8_t mocs) {
        const DirectMemory* const direct = page_of(address, writes, mocs);
        if (direct == nullptr || direct->lines != nullptr) return nullptr;
        return direct->host + address % kPageBytes;
    }
    void forget() {
        filled_.empty([this](std::size_t place) { entries_[place] = {}; });
    }

  private:
    static constexpr unsigned kEntries = 1024;
    struct Entry {
        std::uint64_t page = ~std::uint64_t{0};
        DirectMemory direct;
        std::uint8_t mocs = 0;
    };
    const DirectMemory* page_of(std::uint64_t address, bool writes, std::uint8_t mocs) {
        const std::uint64_t page = address / kPageBytes;
        Entry& entry = entries_[page % kEntries];
        if (entry.page != page || entry.mocs != mocs) [[unlikely]]
            fill(entry, page, mocs);
        if (entry.direct.host == nullptr || (writes && !entry.direct.writable)) return nullptr;
        return &entry.direct;
    }
    void fill(Entry& entry, std::uint64_t page, std::uint8_t mocs) {
        entry.direct =
            direct_memory(memory_, pool_, page * kPageBytes, kPageBytes, requester_, mocs);
        filled_.add(static_cast<std::size_t>(&entry - entries_.data()));
        // Only what was granted is kept: a page that is not mapped now may be later.
        entry.page = entry.direct.host ? page : ~std::uint64_t{0};
        entry.mocs = mocs;
    }

    InitiatorSocket<MemoryProtocol>& memory_;
    MemoryPool& pool_;
    Requester requester_;
    std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
    FilledPlaces filled_{kEntries};
};

}  // namespace gen9
