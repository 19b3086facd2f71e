// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "hdc/plan/plan.h"
#include "hdc/plan/usual.h"

namespace gen9::hdc {

/// Host memory behind the page of an address, when it may be touched directly.
struct DirectPage {
    std::uint8_t* host = nullptr;  ///< of the page's first byte; null: no direct access
    bool writable = false;
};

/// The memory below the data port, as functional execution uses it.
class FunctionalMemory {
  public:
    virtual ~FunctionalMemory() = default;
    virtual DirectPage direct(std::uint64_t page_address) = 0;
    /// Access through the bus, within a page; what fails reads as zeros, or is dropped.
    virtual void read(std::uint64_t address, std::uint8_t* bytes, unsigned size,
                      const Plan& plan) = 0;
    virtual void write(std::uint64_t address, const std::uint8_t* bytes, unsigned size,
                       const Plan& plan) = 0;
    /// An atomic on a place without direct access, within one line; what it returns, the low eight
    /// bytes first.
    using Returned = std::array<std::uint64_t, 2>;
    virtual Returned atomic(std::uint64_t address, const AtomicLane& lane, const Plan& plan) = 0;
    /// The 64 KB of shared local memory, or null when only the bus reaches them.
    virtual std::uint8_t* slm() = 0;
    virtual void slm_access(Plan& plan, Message& message) = 0;
};

/// Host pointers of the pages used last.
class PageCache {
  public:
    const DirectPage& find(std::uint64_t address, FunctionalMemory& memory) {
        const std::uint64_t page = address / kPageBytes;
        Entry& entry = entries_[page % kEntries];
        if (entry.page != page) [[unlikely]]
            fill(entry, page, memory);
        return entry.direct;
    }
    void invalidate();

  private:
    static constexpr unsigned kEntries = 2048;
    struct Entry {
        std::uint64_t page = ~0ull;
        DirectPage direct;
    };
    void fill(Entry& entry, std::uint64_t page, FunctionalMemory& memory);
    std::vector<Entry> entries_ = std::vector<Entry>(kEntries);
};

/// Carries out a plan at once, in memory that other parts of the machine do not touch meanwhile.
class FunctionalDriver {
  public:
    explicit FunctionalDriver(FunctionalMemory& memory) : memory_(memory) {}
    void run(Plan& plan, Message& message);
    /// False: the memory cannot be touched directly, and nothing has been done.
    bool run_usual(const UsualAccess& access, Message& message);
    void invalidate() { pages_.invalidate(); }

  private:
    void move(Plan& plan, std::uint8_t* data);
    void move_piece(const Plan& plan, const Piece& piece, std::uint8_t* data);
    void run_atomics(Plan& plan, std::uint8_t* response, std::uint8_t* slm);
    FunctionalMemory& memory_;
    PageCache pages_;
};

}  // namespace gen9::hdc
