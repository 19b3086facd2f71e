// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "common/page_source.h"
#include "common/units.h"

namespace gen9::memory {

/// Bytes, in whole pages.
struct HostRun {
    std::uint64_t before = 0, behind = 0;
};

/// PhysicalMemory: the bytes of system memory, sparse, to 40-bit addresses.
/// Role     two-level table of 4 KB pages; a page is made when it is first written or pointed to,
///          or is the host's where its memory is attached.
///          Where a memory of another kind stands in the place of DRAM, the bytes are there.
/// Not here time (dram.h), translation (page_table.h)
/// Spec     host-interface guide section 2: physical addresses have 40 bits
class PhysicalMemory {
  public:
    static constexpr unsigned kAddressBits = 40;
    static constexpr std::uint64_t kBytes = std::uint64_t{1} << kAddressBits;

    PhysicalMemory();
    PhysicalMemory(const PhysicalMemory&) = delete;
    PhysicalMemory& operator=(const PhysicalMemory&) = delete;

    /// Is the whole range below the 40-bit limit?
    static constexpr bool covers(PhysAddr address, std::uint64_t bytes) {
        return address.value <= kBytes && bytes <= kBytes - address.value;
    }
    /// Writes the bytes. False, and nothing written, if the range leaves the address space.
    [[nodiscard]] bool write(PhysAddr address, std::span<const std::uint8_t> bytes);
    /// Reads the bytes; what was never written reads 0 and stays unallocated. False, and zeros, if
    /// the range leaves the address space.
    [[nodiscard]] bool read(PhysAddr address, std::span<std::uint8_t> bytes) const;
    /// The 4 KB page around an address, made if need be; null beyond 40 bits. Never moves.
    std::uint8_t* page(PhysAddr address);
    /// The page if it exists, else null.
    const std::uint8_t* find_page(PhysAddr address) const;
    /// A little-endian 8-byte entry of a table at an aligned address; 0 where nothing was written.
    std::uint64_t read_entry(PhysAddr address) const;
    /// Reads or writes bytes that are elsewhere; false if it cannot.
    using Elsewhere = std::function<bool(bool write, PhysAddr, std::span<std::uint8_t>)>;
    /// Moves the bytes to a memory that stands in the place of this one, unless what is there is
    /// this memory after all. From then on no page can be pointed to.
    void move_to(Elsewhere elsewhere);
    bool moved() const { return elsewhere_ != nullptr; }
    /// Makes memory of the host the pages from an address on, without a copy; both stay its
    /// owner's. Whole pages, where none has been made or attached. False: not here, for the bytes
    /// are elsewhere, or not such a place.
    [[nodiscard]] bool attach(PhysAddr address, std::span<std::uint8_t> host);
    /// Attaches a page that costs nothing until it is used. False: as attach().
    [[nodiscard]] bool attach_when_used(PhysAddr page, PageSource& source);
    /// Takes such a page away: it reads 0 again.
    void detach_when_used(PhysAddr page);
    /// Takes attached pages away, a whole attached range at a time: they read 0 again.
    void detach(PhysAddr address, std::uint64_t bytes);
    /// How far the host's memory of an attached page goes on before it and behind it, with that of
    /// the pages there. Of other pages: not at all.
    HostRun run_around(PhysAddr address) const;
    /// Pages made so far.
    std::size_t pages() const { return pages_; }

  private:
    static constexpr unsigned kLeafBits = 14;
    static constexpr unsigned kRootBits = kAddressBits - 12 - kLeafBits;
    static constexpr std::size_t kSlabPages = 256;
    struct Leaf {
        std::uint8_t* page[std::size_t{1} << kLeafBits];
    };
    struct Free {
        void operator()(void* memory) const { std::free(memory); }
    };
    /// A leaf is zeros from calloc: pages of the host that are not touched cost nothing.
    using LeafPtr = std::unique_ptr<Leaf, Free>;
    static LeafPtr make_leaf();

    struct Attached {
        std::uint64_t end;  ///< the page behind the last
        std::uint8_t* host;
    };

    std::uint8_t* make_page();
    template <class Visit>
    void for_each_page(std::uint64_t first, std::uint64_t end, Visit&& visit);
    /// The host's memory of a page, or null.
    std::uint8_t* attached(std::uint64_t number) const;

    mutable std::vector<LeafPtr> root_;
    std::map<std::uint64_t, Attached> attached_;    ///< by first page
    std::map<std::uint64_t, PageSource*> sources_;  ///< by page
    std::vector<std::unique_ptr<std::uint8_t, Free>> slabs_;
    std::size_t slab_used_ = kSlabPages;
    std::size_t pages_ = 0;
    Elsewhere elsewhere_;
    mutable bool asked_ = false;  ///< bytes have been read here
};

}  // namespace gen9::memory
