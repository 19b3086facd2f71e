// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram_kinds.h"

#include <algorithm>
#include <bit>

namespace gen9::memory {

// Public: JESD79-4 (DDR4; speed bins P, R, V and AA, pages of 1 KB, devices of 8 Gb) and JESD209-3
// (LPDDR3, devices of 8 Gb, write latency set A).
// LPDDR4 (devices of 8 Gb, each two channels of 16 bits): JESD209-4, quoted by public sources.
//   RL 24 and 28                  mode register 2, DBI off, to 1333 and 1600 MHz; with RCD and RP
//                                 the names LPDDR4_2400_24_22_22 and _3200_28_29_29 of coreboot
//   WL 12 and 14                  mode register 2, set A: Trusted Firmware-A, rk3399
//   RCD 18, RP 18, RAS 42 ns      Trusted Firmware-A, rk3399; RP of a bank
//   RRD 10, FAW 40, WTR 10 ns     the same
//   CCD 8 clocks, RFC 180 ns      the same; bursts of 16, refresh of all banks
//   REFI 3.904 us                 DRAMSys, JEDEC_8Gb_LPDDR4-3200_16bit: 6246 clocks
//   RTP 7.5, WR 18 ns             the same: 12 and 29 clocks
const std::vector<DramKind>& DramKind::all() {
    static const std::vector<DramKind> kinds = {
        // clang-format off
        {"ddr4-2133", 938, 1, 1, 4, 2, 15, 14, 15, 15, 36, 4, 6, 23, 4, 6, 8, 16, 3, 8, 8320, 374},
        {"ddr4-2400", 833, 1, 1, 4, 2, 16, 16, 16, 16, 39, 4, 6, 26, 4, 6, 9, 18, 3, 9, 9360, 420},
        {"ddr4-2666", 750, 1, 1, 4, 2, 19, 18, 19, 19, 43, 4, 7, 28, 4, 7, 10, 20, 4, 10, 10400, 467},
        {"ddr4-3200", 625, 1, 1, 4, 2, 22, 20, 22, 22, 52, 4, 8, 34, 4, 8, 12, 24, 4, 12, 12480, 560},
        {"lpddr3-1867", 1071, 1, 0, 3, 0, 14, 8, 17, 17, 40, 10, 10, 47, 4, 4, 7, 14, 7, 7, 3642, 196},
        {"lpddr3-2133", 938, 1, 0, 3, 0, 16, 8, 20, 20, 45, 11, 11, 54, 4, 4, 8, 16, 8, 8, 4160, 224},
        {"lpddr4-2400", 833, 2, 0, 3, 0, 24, 12, 22, 22, 51, 12, 12, 48, 8, 8, 9, 22, 12, 12, 4684, 216},
        {"lpddr4-3200", 625, 2, 0, 3, 0, 28, 14, 29, 29, 68, 16, 16, 64, 8, 8, 12, 29, 16, 16, 6246, 288},
        // clang-format on
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
    constexpr std::uint64_t kChannel[] = {mask({8, 9, 12, 13, 18, 19}), mask({6, 10, 16, 20})};
    constexpr std::uint64_t kBank[] = {mask({7, 14}), mask({15, 19}), mask({17, 21}),
                                       mask({18, 22})};
    constexpr std::uint64_t kRank = mask({16, 20});
    unsigned channel = 0;
    for (unsigned bit = 0; bit < kind.channel_bits; ++bit)
        channel |= parity(address & kChannel[bit]) << bit;
    unsigned bank = 0;
    for (unsigned bit = 0; bit < kind.bank_bits; ++bit)
        bank |= parity(address & kBank[bit]) << bit;
    const unsigned rank = kind.rank_bits ? parity(address & kRank) : 0;
    // With channel, rank and bank, the bits from 15 up name the row.
    return {channel, bank, bank & ((1u << kind.group_bits) - 1), address >> 15, rank};
}

}  // namespace gen9::memory
