// SPDX-License-Identifier: Apache-2.0
#include "memory/dram_kinds.h"

#include <algorithm>
#include <bit>

namespace gen9::memory {

// Public: JESD79-4 (DDR4; speed bins P, R, V and AA, pages of 1 KB, devices of 8 Gb) and JESD209-3
// (LPDDR3, devices of 8 Gb, write latency set A).
const std::vector<DramKind>& DramKind::all() {
    static const std::vector<DramKind> kinds = {
        {"ddr4-2133", 938, 4, 2, 15, 14, 15, 15, 36, 4, 6, 23, 4, 6, 8, 16, 3, 8, 8320, 374},
        {"ddr4-2400", 833, 4, 2, 16, 16, 16, 16, 39, 4, 6, 26, 4, 6, 9, 18, 3, 9, 9360, 420},
        {"ddr4-2666", 750, 4, 2, 19, 18, 19, 19, 43, 4, 7, 28, 4, 7, 10, 20, 4, 10, 10400, 467},
        {"ddr4-3200", 625, 4, 2, 22, 20, 22, 22, 52, 4, 8, 34, 4, 8, 12, 24, 4, 12, 12480, 560},
        {"lpddr3-1867", 1071, 3, 0, 14, 8, 17, 17, 40, 10, 10, 47, 4, 4, 7, 14, 7, 7, 3642, 196},
        {"lpddr3-2133", 938, 3, 0, 16, 8, 20, 20, 45, 11, 11, 54, 4, 4, 8, 16, 8, 8, 4160, 224},
    };
    return kinds;
}

const DramKind* DramKind::named(const std::string& name) {
    const auto found =
        std::find_if(all().begin(), all().end(), [&](const DramKind& k) { return name == k.name; });
    return found == all().end() ? nullptr : &*found;
}

namespace {

constexpr std::uint64_t mask(std::initializer_list<unsigned> positions) {
    std::uint64_t bits = 0;
    for (const unsigned position : positions)
        bits |= std::uint64_t{1} << position;
    return bits;
}
unsigned parity(std::uint64_t value) {
    return static_cast<unsigned>(std::popcount(value)) & 1;
}

}  // namespace

DramPlace place_of(std::uint64_t address, const DramKind& kind) {
    constexpr std::uint64_t kChannel = mask({8, 9, 12, 13, 18, 19});
    constexpr std::uint64_t kBank[] = {mask({7, 14}), mask({15, 19}), mask({17, 21}),
                                       mask({18, 22})};
    unsigned bank = 0;
    for (unsigned bit = 0; bit < kind.bank_bits; ++bit)
        bank |= parity(address & kBank[bit]) << bit;
    // With the bank, the bits from 15 up name the row: 9 to 14 and 6 are the column's.
    return {parity(address & kChannel), bank, bank & ((1u << kind.group_bits) - 1), address >> 15};
}

}  // namespace gen9::memory
