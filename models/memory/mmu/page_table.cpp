// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/page_table.h"

#include <new>

#include "common/bits.h"
#include "memory/physical_memory.h"

namespace gen9::memory {
namespace {

constexpr std::uint64_t kPresent = 1, kWritable = 2;
constexpr unsigned kPageSizeBit = 7;       // PDE: maps 2 MB itself
constexpr unsigned kIntermediateBit = 11;  // PDE: its table holds 64 KB pages

// PWT (3), PCD (4) and PAT (7, of a 2 MB page 12) of a leaf (Public: Linux i915, gen8 PTEs).
std::uint8_t attribute_of(std::uint64_t entry, WalkLevel level) {
    if (level == WalkLevel::Ggtt) return 0;
    const unsigned pat = level == WalkLevel::Pd ? 12 : 7;
    return static_cast<std::uint8_t>(bits<std::uint64_t>(entry, 4, 3) |
                                     bits<std::uint64_t>(entry, pat, pat) << 2);
}

constexpr std::uint64_t page_of(std::uint64_t entry) {
    return bits<std::uint64_t>(entry, 46, 12) << 12;
}

Translation stop(Translation found, WalkFault fault, WalkLevel level, std::uint64_t entry) {
    found.fault = fault;
    found.level = level;
    found.entry = entry;
    return found;
}

Translation finish(Translation found, WalkLevel level, std::uint64_t entry, unsigned shift,
                   GpuAddr address) {
    const std::uint64_t offset_mask = (std::uint64_t{1} << shift) - 1;
    found.address = PhysAddr((page_of(entry) & ~offset_mask) | (address.value & offset_mask));
    if (found.address.value >= PhysicalMemory::kBytes)
        return stop(found, WalkFault::BeyondMemory, level, entry);
    found.level = level;
    found.entry = entry;
    found.page_shift = static_cast<std::uint8_t>(shift);
    found.attribute = attribute_of(entry, level);
    found.writable = level == WalkLevel::Ggtt || (entry & kWritable);
    return found;
}

bool is_canonical(std::uint64_t address) {
    return address >> 48 == 0 || static_cast<std::uint64_t>(sign_extend(address, 48)) == address;
}

}  // namespace

const char* to_text(WalkLevel level) {
    switch (level) {
        case WalkLevel::Pt:
            return "page table entry";
        case WalkLevel::Pd:
            return "page directory entry";
        case WalkLevel::Pdp:
            return "page directory pointer";
        case WalkLevel::Pml4:
            return "PML4 entry";
        case WalkLevel::Canonical:
            return "address";
        case WalkLevel::Ggtt:
            return "GGTT entry";
    }
    return "?";
}

const char* to_text(WalkFault fault) {
    switch (fault) {
        case WalkFault::None:
            return "none";
        case WalkFault::NotPresent:
            return "not present";
        case WalkFault::NotWritable:
            return "not writable";
        case WalkFault::NotCanonical:
            return "beyond the address space";
        case WalkFault::BeyondMemory:
            return "points beyond 40 bits of physical memory";
    }
    return "?";
}

GlobalTable::GlobalTable()
    : entries_(static_cast<std::uint64_t*>(std::calloc(kEntries, sizeof(std::uint64_t)))) {
    if (!entries_) throw std::bad_alloc();
}

bool GlobalTable::write(std::uint32_t index, std::uint64_t entry) {
    if (index >= kEntries) return false;
    entries_[index] = entry;
    return true;
}

std::uint64_t GlobalTable::read(std::uint32_t index) const {
    return index < kEntries ? entries_[index] : 0;
}

Translation GlobalTable::translate(GpuAddr address) const {
    Translation found;
    found.levels = 1;
    const std::uint64_t index = address.value / kPageBytes;
    found.entries[0] = kGlobalTableEntry | index * 8;
    if (index >= kEntries) return stop(found, WalkFault::NotCanonical, WalkLevel::Ggtt, 0);
    const std::uint64_t entry = entries_[index];
    if (!(entry & kPresent)) return stop(found, WalkFault::NotPresent, WalkLevel::Ggtt, entry);
    return finish(found, WalkLevel::Ggtt, entry, 12, address);
}

Translation walk(const PhysicalMemory& memory, const PageDirectories& roots, GpuAddr address) {
    Translation found;
    const std::uint64_t va = address.value;
    std::uint64_t table;
    const auto read = [&](std::uint64_t index) {
        const std::uint64_t entry = table + 8 * index;
        found.entries[found.levels++] = entry;
        return memory.read_entry(PhysAddr(entry));
    };
    const auto next = [&](unsigned high, unsigned low) { return read(bits(va, high, low)); };

    if (roots.four_level) {
        if (!is_canonical(va)) return stop(found, WalkFault::NotCanonical, WalkLevel::Canonical, 0);
        table = page_of(roots.pdp[0]);
        const std::uint64_t pml4e = next(47, 39);
        if (!(pml4e & kPresent)) return stop(found, WalkFault::NotPresent, WalkLevel::Pml4, pml4e);
        table = page_of(pml4e);
        const std::uint64_t pdpe = next(38, 30);
        if (!(pdpe & kPresent)) return stop(found, WalkFault::NotPresent, WalkLevel::Pdp, pdpe);
        table = page_of(pdpe);
    } else {
        if (va >> 32) return stop(found, WalkFault::NotCanonical, WalkLevel::Canonical, 0);
        table = page_of(roots.pdp[va >> 30]);
    }

    const std::uint64_t pde = next(29, 21);
    if (!(pde & kPresent)) return stop(found, WalkFault::NotPresent, WalkLevel::Pd, pde);
    if (bits(pde, kPageSizeBit, kPageSizeBit))
        return finish(found, WalkLevel::Pd, pde, 21, address);

    // A directory entry for 64 KB pages points to a table of which every 16th entry counts.
    const bool large = bits(pde, kIntermediateBit, kIntermediateBit);
    table = page_of(pde);
    const std::uint64_t index =
        bits<std::uint64_t>(va, 20, 12) & (large ? ~std::uint64_t{15} : ~std::uint64_t{0});
    const std::uint64_t pte = read(index);
    if (!(pte & kPresent)) return stop(found, WalkFault::NotPresent, WalkLevel::Pt, pte);
    return finish(found, WalkLevel::Pt, pte, large ? 16 : 12, address);
}

}  // namespace gen9::memory
