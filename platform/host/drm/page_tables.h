// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "platform/host/drm/frames.h"
#include "platform/host/drm/ranges.h"
#include "platform/host/engine.h"

namespace gen9::drm {

/// Makes tables in the machine's memory, and has the scratch page: what is read there is zero, and
/// what is written there is lost.
class TablePages {
  public:
    TablePages(platform::Engine& engine, Ranges& physical);
    /// A table in which nothing is mapped.
    PhysAddr make();
    /// A page for a table, with any contents.
    PhysAddr take();
    void clear(PhysAddr page);
    void give_back(PhysAddr page) { spare_.push_back(page); }
    /// The entry of a page table that leads to the scratch page.
    std::uint64_t scratch_entry() const;
    /// Was anything but zero written to the scratch page? Makes it zero again.
    bool take_scratch_writes();

  private:
    platform::Engine& engine_;
    Ranges& physical_;
    std::vector<PhysAddr> spare_;
    PhysAddr scratch_;
};

/// The page tables of an address space: four levels in the machine's memory, as the kernel driver
/// builds them, which the machine's own walker reads.
/// Role     pages of 4 KB, and of 2 MB where both addresses and the length allow it; where they
///          allow 64 KB only, a table all of whose pages are of that size. The page behind all that
///          is mapped is the scratch page: units that read ahead of a batch's or a kernel's end
///          meet no fault. The kernel driver has it everywhere; here what is far from all buffers
///          is a fault, which is reported. A table all of whose pages are of one buffer is written
///          when somebody first looks at it: a large buffer at a place that allows no large pages
///          costs what is used of it.
/// Spec     host-interface guide section 3; Public: Linux i915 (gen8 PTEs; since 4.14 large pages)
class PageTables final : private PageSource {
  public:
    PageTables(platform::Engine& engine, TablePages& pages, const Frames& frames);
    ~PageTables();
    PageTables(const PageTables&) = delete;
    PageTables& operator=(const PageTables&) = delete;

    PhysAddr root() const { return root_; }
    /// Maps memory from a place on. Addresses and length in whole pages, within 48 bits.
    void map(std::uint64_t address, PhysAddr place, std::uint64_t size);
    void unmap(std::uint64_t address, std::uint64_t size);

  private:
    /// A table that is written when it is used: its first page is `mapped`, the next ones follow.
    struct LateTable {
        std::uint64_t place = 0;
        bool mapped = false;
        std::unique_ptr<std::array<std::uint64_t, 512>> entries;  ///< null: not used yet
    };
    std::uint8_t* bytes_of(PhysAddr page) override;
    /// Maps all of a page table around an address, or nothing there, without writing it. False: it
    /// has to be written.
    bool map_late(std::uint64_t address, std::uint64_t place, bool mapped);
    /// The table of a level (1: page table, ... 4: PML4) around an address, made if need be.
    PhysAddr table(unsigned level, std::uint64_t address);
    void write(unsigned level, std::uint64_t address, const std::vector<std::uint64_t>& entries);
    /// All pages of the table around an address have this size: 4 or 64 KB.
    void set_page_size(std::uint64_t address, PageSize size);
    /// The entry that maps an address; 0: nothing does.
    std::uint64_t leaf(std::uint64_t address) const;
    bool maps_memory(std::uint64_t address) const;
    /// The scratch page is at this page, or is not any more, as the page before it wants.
    void guard(std::uint64_t address);
    template <class Entry>
    void fill(std::uint64_t address, std::uint64_t size, bool large, Entry&& entry);

    platform::Engine& engine_;
    TablePages& pages_;
    const Frames frames_;
    PhysAddr root_;
    std::unordered_map<std::uint64_t, PhysAddr> tables_[4];  ///< levels 1 to 3, by address
    std::unordered_map<std::uint64_t, LateTable> late_;      ///< by the table's own place
    std::unordered_set<std::uint64_t> large_;                ///< directory entries that map 2 MB
    std::unordered_set<std::uint64_t> medium_;               ///< those to tables of 64 KB pages
};

}  // namespace gen9::drm
