// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "common/filled_places.h"
#include "hdc/access/access.h"
#include "interconnect/payload/stretch.h"

namespace gen9::hdc {

/// The memory below the data port, as functional execution uses it.
class FunctionalMemory {
  public:
    virtual ~FunctionalMemory() = default;
    /// `facts`: of the accesses to come.
    virtual DirectPage direct(std::uint64_t page_address, const MemoryFacts& facts) = 0;
    /// The shared local memory that ThreadSideband::slm_base names, from its first byte on, or null
    /// when only requests reach it.
    virtual std::uint8_t* slm(std::uint32_t slm_base) = 0;
    /// The same if it is the own subslice's and known; or null.
    virtual std::uint8_t* own_slm(std::uint32_t) { return nullptr; }
    /// Carries out all requests of an access over the sockets, one after the other; what fails reads as
    /// zeros, or is dropped.
    virtual void by_requests(const Access& access, Message& message) = 0;
};

/// Host pointers of the pages used last.
class PageCache {
  public:
    /// The page of an address, if it is here and its accesses need not be marked; or null.
    const DirectPage* at_hand(std::uint64_t address) const {
        const std::uint64_t page = address / kPageBytes;
        const Entry& entry = entries_[place_of(page)];
        return entry.page == page ? &entry.direct : nullptr;
    }
    /// How the access is cached decides where a page's lines are marked.
    const DirectPage& find(std::uint64_t address, FunctionalMemory& memory,
                           const MemoryFacts& facts = {}) {
        const std::uint64_t page = address / kPageBytes;
        Entry& entry = entries_[place_of(page)];
        const bool marked = entry.page == (page | kMarked) && entry.mocs == facts.mocs &&
                            entry.requester == facts.requester;
        if (entry.page != page && !marked) fill(entry, page, memory, facts);
        return entry.direct;
    }
    void invalidate();

  private:
    static constexpr unsigned kEntries = 2048;
    /// The number of a page whose accesses are marked has this bit, so at_hand() does not find it.
    static constexpr std::uint64_t kMarked = std::uint64_t{1} << 63;
    /// A stretch of pages has places that follow each other. Buffers that are a multiple of the
    /// cache's reach apart, as drivers align them, do not share theirs.
    static constexpr std::size_t place_of(std::uint64_t page) {
        constexpr std::uint64_t kShift = 641;
        return (page + page / kEntries * kShift) % kEntries;
    }
    struct Entry {
        std::uint64_t page = ~0ull;
        DirectPage direct;
        Requester requester = Requester::DataPort;  ///< of whom it was asked for
        std::uint8_t mocs = 0;
    };
    /// A grant of more than a page, by the page that was asked for.
    struct Grant {
        std::uint64_t address = 0;
        DirectPage direct;
    };
    void fill(Entry& entry, std::uint64_t page, FunctionalMemory& memory, const MemoryFacts& facts);
    /// The page by a grant that is here, or without host memory.
    DirectPage granted(std::uint64_t address) const;
    std::array<Grant, 8> grants_;
    unsigned next_grant_ = 0;
    std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
    FilledPlaces filled_{kEntries};
};

/// Carries out accesses at once, in memory that other parts of the machine do not touch meanwhile:
/// by host pointers, or request by request where the memory grants none.
class FunctionalDriver {
  public:
    explicit FunctionalDriver(FunctionalMemory& memory) : memory_(memory) {}
    /// Returns false if the memory cannot be touched directly: nothing has been done, and the access
    /// needs a plan.
    bool run(const Access& access, Message& message);
    void invalidate() {
        ++changes_;
        pages_.invalidate();
        stretches_.fill({});
    }

    // For direct messages (direct.h).
    /// Grows whenever host pointers are not good any more.
    std::uint64_t findings() const { return changes_; }
    /// Host memory of bytes that a stretch does not hold, which may then hold more; or null.
    std::uint8_t* reach(Stretch& stretch, std::uint64_t address, unsigned bytes, bool reads,
                        const MemoryFacts& facts);
    std::uint8_t* slm(std::uint32_t slm_base) {
        return inside_ ? memory_.own_slm(slm_base) : memory_.slm(slm_base);
    }
    /// From now on direct messages get only what is at hand and the subslice's own.
    void stay_inside(bool on) { inside_ = on; }
    bool inside() const { return inside_; }

  private:
    void run_planned(const Access& access, Message& message);
    bool run_usual(const UsualAccess& access, Message& message);
    bool run_scattered(const ScatteredAccess& access, Message& message);
    bool find_places(const ScatteredAccess& access, Stretch& stretch,
                     ScatteredAccess::Places& places);
    std::uint8_t* find_at_hand(Stretch& stretch, std::uint64_t address, unsigned bytes, bool reads);
    std::uint8_t* find_by_page(Stretch& stretch, std::uint64_t address, unsigned bytes, bool reads,
                               const MemoryFacts& facts);
    /// The stretch that an instruction accessed last: mostly it stays in one buffer.
    Stretch& stretch_of(const Message& message) {
        return stretches_[message.ip / 16 % stretches_.size()];
    }
    // Returns false if somewhere there is no direct access. Some reads and writes may then have been
    // done, and can be done again; no atomic has.
    bool run_direct(Plan& plan, Message& message);
    template <bool reads>
    bool move(const Plan& plan, std::uint8_t* data);
    bool move_piece(const Plan& plan, const Piece& piece, std::uint8_t* data);
    bool run_atomics(Plan& plan, std::uint8_t* response, std::uint8_t* slm);
    std::uint8_t* find(std::uint64_t address, unsigned bytes, bool reads,
                       const MemoryFacts& facts) {
        const DirectPage* const page = pages_.at_hand(address);
        if (page == nullptr) [[unlikely]]
            return find_elsewhere(address, bytes, reads, facts);
        return granted(*page, address, bytes, reads) ? page->host + address % kPageBytes : nullptr;
    }
    static bool granted(const DirectPage& page, std::uint64_t address, unsigned bytes, bool reads) {
        return page.host && (reads || page.writable) && address % kPageBytes + bytes <= kPageBytes;
    }
    /// A page that is asked for, or whose accesses are marked.
    std::uint8_t* find_elsewhere(std::uint64_t address, unsigned bytes, bool reads,
                                 const MemoryFacts& facts);
    FunctionalMemory& memory_;
    PageCache pages_;
    std::array<Stretch, 16> stretches_;
    std::uint64_t changes_ = 0;
    std::uint32_t reached_ = 0;
    bool inside_ = false;
};

}  // namespace gen9::hdc
