// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "common/units.h"

namespace gen9::memory {

class PhysicalMemory;

/// The level at which a translation stopped. The order of the codes below Canonical is that of the
/// fault register's type field (Public: Linux i915, RING_FAULT_REG: PTE, PDE, PDPE, PML4E).
enum class WalkLevel : std::uint8_t { Pt, Pd, Pdp, Pml4, Canonical, Ggtt };
const char* to_text(WalkLevel level);

/// Why a translation failed.
enum class WalkFault : std::uint8_t { None, NotPresent, NotWritable, NotCanonical, BeyondMemory };
const char* to_text(WalkFault fault);

/// Table entries a walk reads at most.
inline constexpr unsigned kWalkReads = 4;
/// Marks the place of an entry of the global table, which lies outside of physical memory.
inline constexpr std::uint64_t kGlobalTableEntry = std::uint64_t{1} << 63;

/// The result of a walk: the physical address of the byte asked for and the page it lies in, or the
/// level and the entry that stopped it.
struct Translation {
    WalkFault fault = WalkFault::None;
    WalkLevel level = WalkLevel::Pt;  ///< of the leaf, or of the entry at fault
    std::uint8_t page_shift = 12;     ///< 12, 16 or 21
    bool writable = true;
    std::uint8_t attribute = 0;  ///< PAT, PCD, PWT bits of the leaf: an index into the private PAT
    std::uint8_t levels = 0;     ///< tables read on the way
    std::array<std::uint64_t, kWalkReads> entries{};  ///< where: physical, or kGlobalTableEntry
    PhysAddr address;
    std::uint64_t entry = 0;  ///< the leaf, or the entry at fault
    bool ok() const { return fault == WalkFault::None; }
};

/// The GGTT: one array of 8-byte entries, bit 0 present, 46:12 page (host-interface guide 3).
class GlobalTable {
  public:
    static constexpr std::uint32_t kEntries =
        1u << 20;  ///< 8 MB of entries: 4 GB (Public: Linux i915)
    GlobalTable();
    /// False if the index is beyond the table.
    bool write(std::uint32_t index, std::uint64_t entry);
    std::uint64_t read(std::uint32_t index) const;
    Translation translate(GpuAddr address) const;

  private:
    struct Free {
        void operator()(std::uint64_t* table) const { std::free(table); }
    };
    std::unique_ptr<std::uint64_t[], Free> entries_;
};

/// The per-process tables' roots, as a context gives them.
struct PageDirectories {
    /// Four levels from PDP0 (48-bit), or one page directory per GB in PDP0..3 (32-bit).
    bool four_level = true;
    std::array<std::uint64_t, 4> pdp{};
    bool operator==(const PageDirectories&) const = default;
};

/// Walks the PPGTT: PML4, PDP, PD, PT of 512 entries, index bits 47:39, 38:30, 29:21, 20:12; 2 MB
/// pages by PDE bit 7, 64 KB pages by PDE bit 11 (host-interface guide 3). At most four reads.
/// An address is canonical when bits 63:48 repeat bit 47; bits 63:48 all zero are accepted as well,
/// because state base addresses are held in 48 bits.
Translation walk(const PhysicalMemory& memory, const PageDirectories& roots, GpuAddr address);

}  // namespace gen9::memory
