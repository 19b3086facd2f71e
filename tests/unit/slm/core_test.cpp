// SPDX-License-Identifier: Apache-2.0
#include "slm/core.h"

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::slm {
namespace {

LaneAccess lanes(LaneAccess::Kind kind, unsigned count, unsigned stride, unsigned width = 4) {
    LaneAccess access;
    access.kind = kind;
    access.count = static_cast<std::uint8_t>(count);
    access.width_bytes = static_cast<std::uint8_t>(width);
    for (unsigned i = 0; i < count; ++i)
        access.offset[i] = i * stride;
    return access;
}
using Kind = LaneAccess::Kind;

TEST(SlmBanks, SixteenLanesConflictByTheirStride) {
    GEN9_COVERS("SLM-09 SLM-10");
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 4), 0), 1u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 8), 0), 2u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 64), 0), 16u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Write, 16, 64), 0), 16u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 68), 0), 1u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 8, 64), 0), 8u);
}

TEST(SlmBanks, LanesThatReadOneWordShareIt) {
    GEN9_COVERS("SLM-10");
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 0), 12), 1u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 1, 1), 0), 1u);
}

TEST(SlmBanks, AtomicsOfOneWordFollowEachOther) {
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Atomic, 16, 0), 0), 16u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Atomic, 16, 4), 0), 1u);
}

TEST(SlmBanks, WideAndUnalignedLanesTouchSeveralWords) {
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 8, 8), 0), 2u);  // 32 words
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 8, 8, 8), 0), 1u);   // 16 words
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 16, 4, 4), 2), 2u);  // 17 words in a row
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 1, 0, 4), 0xFFFE),
              1u);  // words 16383 and 0
    EXPECT_EQ(SlmCore::conflict_cycles(0, 64), 1u);
    EXPECT_EQ(SlmCore::conflict_cycles(4, 64), 1u);
    EXPECT_EQ(SlmCore::conflict_cycles(0, 128), 2u);
}

TEST(SlmBanks, WordsAreThoseOfTheWholeMemory) {
    // Words 0 and 16384 are one in 64 KB, and two of one bank in 128 KB.
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 2, 0x10000), 0), 1u);
    EXPECT_EQ(SlmCore::conflict_cycles(lanes(Kind::Read, 2, 0x10000), 0, 16, 0x20000), 2u);
}

TEST(SlmMemory, AddressesWrapAroundAtItsSize) {
    for (const std::uint32_t size : {0x10000u, 0x40000u}) {
        SlmCore core(size);
        const std::uint8_t ones[]{1, 2};
        core.write(size - 1, ones, {});
        std::uint8_t read[2]{};
        core.read(0, {read, 1});
        EXPECT_EQ(read[0], 2);
        core.read(2 * size - 1, {read, 2});
        EXPECT_EQ(read[0], 1);
        EXPECT_EQ(core.bytes()[size - 1], 1);
        core.read(0xFFFF, {read, 1});
        EXPECT_EQ(read[0], size == 0x10000 ? 1 : 0);
    }
}

TEST(SlmBanks, ConflictsAreThoseOfTheWordsCountedBankByBank) {
    std::mt19937 random(1);
    const unsigned widths[] = {1, 2, 4, 8};
    for (unsigned n = 0; n < 20000; ++n) {
        const Kind kind = std::array{Kind::Read, Kind::Write, Kind::Atomic}[random() % 3];
        LaneAccess access = lanes(kind, random() % 17, 0, widths[random() % 4]);
        const std::uint32_t base = random() % 4 ? random() % 256 : 0xFFC0 + random() % 64;
        const std::uint32_t span = 1u << random() % 9;
        const unsigned banks = n % 2 ? SlmCore::kBanks : 1u << random() % 7;
        // Words, by whoever cannot share them: atomics of different lanes.
        std::set<std::pair<unsigned, std::uint32_t>> words[SlmCore::kMaxBanks];
        std::size_t most = 1;
        for (unsigned lane = 0; lane < access.count; ++lane) {
            access.offset[lane] = random() % span;
            const std::uint32_t first = base + access.offset[lane];
            for (std::uint32_t byte = first; byte < first + access.width_bytes; ++byte) {
                auto& of_bank = words[byte / 4 % banks];
                of_bank.emplace(kind == Kind::Atomic ? lane : 0, byte % SlmCore::kBytes / 4);
                most = std::max(most, of_bank.size());
            }
        }
        ASSERT_EQ(SlmCore::conflict_cycles(access, base, banks), most)
            << n << ", " << banks << " banks";
    }
}

TEST(SlmBanks, ARunTakesACycleForEachRowOfItsWords) {
    for (const unsigned banks : {1u, 2u, 16u, 64u})
        for (std::uint32_t address = 0; address < 8; ++address)
            for (std::uint32_t length = 1; length <= 600; ++length) {
                const unsigned words = (address + length - 1) / 4 - address / 4 + 1;
                unsigned rows = words / banks;
                if (words % banks != 0) ++rows;
                ASSERT_EQ(SlmCore::conflict_cycles(address, length, banks), rows)
                    << length << " bytes from " << address << ", " << banks << " banks";
            }
    EXPECT_EQ(SlmCore::conflict_cycles(0, 0), 1u) << "of no bytes";
}

TEST(SlmCore, AddressesWrapAt64K) {
    GEN9_COVERS("SLM-01");
    SlmCore core;
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4};
    core.write(0xFFFE, bytes, {});
    std::vector<std::uint8_t> back(2);
    core.read(0x30000, back);
    EXPECT_EQ(back, (std::vector<std::uint8_t>{3, 4}));
    auto access = lanes(Kind::Read, 1, 0, 4);
    core.perform(access, 0xFFFFFFFE);
    EXPECT_EQ(access.result[0], 0x04030201u);
}

TEST(SlmCore, LanesOfEveryWidthMoveTheirBytesAlsoAroundTheEnd) {
    std::mt19937 random(2);
    SlmCore core;
    std::vector<std::uint8_t> bytes(SlmCore::kBytes);
    for (unsigned n = 0; n < 4000; ++n) {
        const unsigned width = 1u << random() % 4;
        const bool writes = random() % 2;
        const std::uint32_t base = random() % 2 ? SlmCore::kBytes - 32 : random();
        auto access = lanes(writes ? Kind::Write : Kind::Read, 1 + random() % 16, 0, width);
        for (unsigned i = 0; i < access.count; ++i) {
            access.offset[i] = random() % 64;
            access.source0[i] = random() * 0x100000001ull;
        }
        const auto at = [&](unsigned i, unsigned byte) -> std::uint8_t& {
            return bytes[(base + access.offset[i] + byte) % SlmCore::kBytes];
        };
        core.perform(access, base);
        for (unsigned i = 0; i < access.count; ++i) {
            std::uint64_t value = 0;
            for (unsigned byte = 0; byte < width; ++byte) {
                if (writes) at(i, byte) = static_cast<std::uint8_t>(access.source0[i] >> 8 * byte);
                value |= std::uint64_t{at(i, byte)} << 8 * byte;
            }
            if (!writes) {
                ASSERT_EQ(access.result[i], value) << n;
            }
        }
    }
    std::vector<std::uint8_t> back(SlmCore::kBytes);
    core.read(0, back);
    EXPECT_EQ(back, bytes);
}

TEST(SlmCore, BytesBehindARunStayAsTheyAre) {
    SlmCore core;
    std::vector<std::uint8_t> bytes{1, 2, 3, 4};
    core.write(8, std::span(bytes).first(2), {});
    EXPECT_EQ(core.bytes()[10], 0);
    core.read(8, std::span(bytes).subspan(1, 2));
    EXPECT_EQ(bytes, (std::vector<std::uint8_t>{1, 1, 2, 4}));
}

TEST(SlmCore, OnlyEnabledBytesAreWritten) {
    SlmCore core;
    const std::vector<std::uint8_t> bytes{1, 2, 3, 4}, enables{0xFF, 0};
    core.write(0, bytes, enables);
    std::vector<std::uint8_t> back(4);
    core.read(0, back);
    EXPECT_EQ(back, (std::vector<std::uint8_t>{1, 0, 3, 0}));
}

TEST(SlmCore, AtomicsReturnTheOldValueAndAddUp) {
    GEN9_COVERS("SLM-11 L3-47");
    SlmCore core;
    auto access = lanes(Kind::Atomic, 16, 0);
    access.op = AtomicOp::Inc;
    core.perform(access, 100);
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(access.result[i], i);
    std::vector<std::uint8_t> back(1);
    core.read(100, back);
    EXPECT_EQ(back[0], 16);
}

}  // namespace
}  // namespace gen9::slm
