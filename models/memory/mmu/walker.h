// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/trace_id.h"
#include "memory/mmu/page_table.h"

namespace gen9::memory {

/// Walker: the page walks under way and the lines of page tables they read (core of the GTI).
/// Role     says when a walk is done and which line of which table it needs next. Several walks run
///          at once; two that need one line read it once. A line on its way takes no other's place;
///          once it is there it is kept for later walks, in the place of the one used longest ago.
/// Params   lines kept, at least one; cycles of a read of the global table, which is not in the
///          model's memory
/// Not here what a translation is (mmu.h); who waits for it (gti.h)
/// Spec     Public: a table read is a line of the ring (C-3), so a walk finds the entries of eight
///          pages; translations that wait are many (ERROR_2 of the main arbiter counts them in six
///          bits), and a cache of table entries serves them (the GTT cache of Linux i915, register
///          4024h). Assumed: no document gives its size
class Walker {
  public:
    using WalkId = std::uint64_t;
    static constexpr WalkId kNone = 0;
    /// Asks memory for a line. False if that is not possible now.
    using Fetch = std::function<bool(std::uint64_t line, TraceId cause)>;

    Walker(unsigned lines, Cycles global_read) : kept_(lines, kEmpty), global_read_(global_read) {}

    /// The walk that is to map an address, or kNone.
    WalkId find(AddressSpace space, GpuAddr address) const;
    WalkId start(AddressSpace space, GpuAddr address, const Translation& found, TraceId cause);
    bool done(WalkId id) const;
    bool idle() const { return walks_.empty(); }
    /// All walks as far as they come in this cycle, the oldest first. Returns when to call again
    /// besides after an arrival, or 0. True in `refused` if a fetch was.
    Cycles step(Cycles now, const Fetch& fetch, bool& refused);
    /// A line that was asked for is there at a cycle. False if it was not asked for.
    bool arrived(std::uint64_t line, Cycles at);
    /// Lines that are held are forgotten.
    void forget();
    /// A walk that took no time has read this line: it is kept. True if it was already.
    bool keep(std::uint64_t line);

  private:
    struct Walk {
        WalkId id;
        AddressSpace space;
        std::uint64_t page;
        std::uint8_t shift, reads, next = 0;
        std::array<std::uint64_t, kWalkReads> entries;
        TraceId cause;
    };
    struct Coming {
        std::uint64_t address;
        bool fetching;
        Cycles ready;  ///< once it is not fetching
        bool there(Cycles now) const { return !fetching && ready <= now; }
    };
    static constexpr std::uint64_t kEmpty = ~std::uint64_t{0};
    bool advance(Walk& walk, Cycles now, const Fetch& fetch, bool& refused, Cycles& wake);
    bool is_there(std::uint64_t line, Cycles now);
    bool find_kept(std::uint64_t line);
    void keep_new(std::uint64_t line);
    Coming* coming(std::uint64_t line);
    void keep_arrived(Cycles now);

    std::vector<Walk> walks_;          ///< in order of their start
    std::vector<std::uint64_t> kept_;  ///< lines, the one used last in front
    std::vector<Coming> coming_;       ///< in the order they were asked for
    Cycles global_read_;
    WalkId last_id_ = kNone;
};

}  // namespace gen9::memory
