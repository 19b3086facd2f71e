// SPDX-License-Identifier: Apache-2.0
// Page tables made of anything: a walk ends, stays within 40 bits, and agrees with a second,
// plainer reading of the same tables; the translation buffer gives what the walk gave.
#include "memory/mmu/mmu.h"
#include "memory/mmu/page_table.h"
#include "memory/physical_memory.h"
#include "tests/fuzz/support/fuzz.h"

namespace {

using namespace gen9;
using namespace gen9::memory;
using fuzz::Random;

constexpr std::uint64_t kPages = 24, kFirstPage = 0x1000;

/// An entry that often points to another table of the case, sometimes at itself or anywhere.
std::uint64_t entry(Random& random) {
    std::uint64_t page = kFirstPage + random.below(kPages);
    if (random.one_in(4)) page = random.bits() >> (12 + random.below(40));
    std::uint64_t value = page << 12;
    if (!random.one_in(8)) value |= 1;                     // present
    if (!random.one_in(4)) value |= 2;                     // writable
    if (random.one_in(6)) value |= 1u << 7;                // a large page
    if (random.one_in(6)) value |= 1u << 11;               // a table of 64 KB pages
    if (random.one_in(8)) value ^= random.bits() & 0x87C;  // the other flags
    if (random.one_in(30)) value = random.bits();
    return value;
}

void put(PhysicalMemory& memory, std::uint64_t address, std::uint64_t value) {
    std::uint8_t bytes[8];
    for (unsigned i = 0; i < 8; ++i)
        bytes[i] = static_cast<std::uint8_t>(value >> 8 * i);
    (void)memory.write(PhysAddr(address), bytes);
}

std::uint64_t get(const PhysicalMemory& memory, std::uint64_t address) {
    std::uint8_t bytes[8]{};
    std::uint64_t value = 0;
    if (!memory.read(PhysAddr(address), bytes)) return 0;
    for (unsigned i = 0; i < 8; ++i)
        value |= std::uint64_t{bytes[i]} << 8 * i;
    return value;
}

/// The walk once more, level by level in a loop; the physical address, or ~0 for any fault.
std::uint64_t plain_walk(const PhysicalMemory& memory, const PageDirectories& roots,
                         std::uint64_t va) {
    constexpr std::uint64_t kFault = ~0ull, kPageMask = 0x7FFFFFFFF000;
    const std::uint64_t top = va >> 47;
    if (roots.four_level ? (top != 0 && top != 0x1FFFF && va >> 48 != 0) : va >> 32 != 0)
        return kFault;
    std::uint64_t table = roots.pdp[roots.four_level ? 0 : va >> 30] & kPageMask;
    for (unsigned shift = roots.four_level ? 39 : 21; shift >= 12; shift -= 9) {
        std::uint64_t index = va >> shift & 511, e = 0;
        e = get(memory, table + index * 8);
        if (!(e & 1)) return kFault;
        unsigned leaf = shift == 12 ? 12 : 0;
        if (shift == 21 && (e & 0x80)) leaf = 21;
        if (shift == 21 && !leaf && (e & 0x800)) {
            // 64 KB pages: every 16th entry of the last table counts.
            e = get(memory, (e & kPageMask) + (va >> 12 & 0x1F0) * 8);
            if (!(e & 1)) return kFault;
            leaf = 16;
        }
        if (leaf) {
            const std::uint64_t offset = (1ull << leaf) - 1;
            const std::uint64_t address = (e & kPageMask & ~offset) | (va & offset);
            return address < PhysicalMemory::kBytes ? address : kFault;
        }
        table = e & kPageMask;
    }
    return kFault;
}

std::uint64_t some_address(Random& random) {
    switch (random.below(5)) {
        case 0:
            return random.bits();
        case 1:
            return random.bits() >> 16;
        case 2:
            return random.bits() | 0xFFFF800000000000;
        default:
            return random.bits() & 0xFFFFFFFFF;  // near one another: the same tables
    }
}

/// The indices that addresses of a case use, so that walks reach the last level.
void fill_path(PhysicalMemory& memory, const PageDirectories& roots, std::uint64_t va,
               Random& random) {
    std::uint64_t table = roots.pdp[roots.four_level ? 0 : va >> 30 & 3] & 0x7FFFFFFFF000;
    for (unsigned shift = roots.four_level ? 39 : 21; shift >= 12; shift -= 9) {
        const std::uint64_t at = table + (va >> shift & 511) * 8;
        if (random.one_in(3)) put(memory, at, entry(random));
        const std::uint64_t next = get(memory, at);
        if (!(next & 1)) put(memory, at, entry(random) | 1);
        table = get(memory, at) & 0x7FFFFFFFF000;
    }
}

void one_case(std::uint64_t seed) {
    Random random(seed);
    PhysicalMemory memory;
    Mmu mmu(memory, 4, 2);
    PageDirectories roots;
    roots.four_level = !random.one_in(3);
    for (auto& root : roots.pdp)
        root = entry(random);
    mmu.set_roots(roots);
    for (unsigned n = 0; n < 200; ++n) {
        const std::uint64_t va = some_address(random);
        fill_path(memory, roots, va, random);
        const Translation found = walk(memory, roots, GpuAddr(va));
        const std::uint64_t plain = plain_walk(memory, roots, va);
        if (found.ok() != (plain != ~0ull)) fuzz::broken(seed, "the two walks end differently");
        if (found.ok() && found.address.value != plain)
            fuzz::broken(seed, "the two walks find different addresses");
        if (found.levels > 4) fuzz::broken(seed, "more than four levels");
        // The tables of this case change under the buffer: only what was dropped is asked anew.
        mmu.drop_all();
        const bool write = random.one_in(2);
        for (unsigned again = 0; again < 2; ++again) {
            const auto answer = mmu.translate(AddressSpace::Ppgtt, GpuAddr(va), write);
            if (answer.ok != (found.ok() && (found.writable || !write)))
                fuzz::broken(seed, "the translation buffer allows other accesses than the walk");
            if (answer.ok && answer.address.value != plain)
                fuzz::broken(seed, "the translation buffer gives another address than the walk");
        }
        const std::uint64_t global = random.below(1u << 21);
        (void)mmu.global_table().write(random.below(1u << 21), entry(random));
        const auto ggtt = mmu.translate(AddressSpace::Ggtt, GpuAddr(global << 12 | 0x123), write);
        if (ggtt.ok && ggtt.address.value >= PhysicalMemory::kBytes)
            fuzz::broken(seed, "the GGTT leads beyond physical memory");
        if (!ggtt.ok) (void)mmu.record(AddressSpace::Ggtt, GpuAddr(global << 12), ggtt.fault);
    }
}

}  // namespace

int main(int argc, char** argv) {
    return fuzz::run("page tables", fuzz::options(argc, argv, 200), one_case);
}
