// SPDX-License-Identifier: Apache-2.0
// The resource streamer's part of a context image.
#include <random>

#include "packets/commands.h"
#include "tests/support/covers.h"
#include "tests/unit/rs/fixture.h"

namespace gen9::test {
namespace {

struct RsImage : RsCoreTest {
    /// Walked command by command, only so many and NOOPs are met.
    static std::size_t commands_of(const Words& image) {
        std::size_t met = 0;
        for (std::size_t i = 0; i < image.size();) {
            const packets::CommandRow* row = packets::find_command(image[i]);
            if (row == nullptr) return 0;
            met += image[i] != 0;
            i += row->dwords(image[i]);
        }
        return met;
    }
    /// Executes an image up to its MI_BATCH_BUFFER_END; false: something in it does not belong.
    static bool restore(rs::RsCore& core, const Words& image) {
        for (std::size_t i = 0; i < image.size();) {
            if (image[i] == 0x05000000) return true;
            const packets::CommandRow* row = packets::find_command(image[i]);
            if (row == nullptr) return false;
            const std::size_t count = row->dwords(image[i]);
            if (!core.restore(*row, std::span(image).subspan(i, count))) return false;
            i += count;
        }
        return false;
    }
};

// 003:2320-2346, by DWord of the context image.
TEST_F(RsImage, ItsCommandsStandAtTheirDwords) {
    GEN9_COVERS("RS-18");
    const Words image = core.image();
    EXPECT_EQ(rs::RsCore::kImageDword, 0x1690u);
    const std::pair<std::uint32_t, std::uint32_t> places[] = {
        {0x1699, 0x791A0002}, {0x169D, 0x78340081}, {0x172D, 0x78350081}, {0x17BD, 0x78360081},
        {0x184D, 0x78370081}, {0x18DD, 0x78380081}, {0x1962, 0x79190002}, {0x1966, 0x78430100},
        {0x1A6E, 0x78440100}, {0x1B76, 0x78450100}, {0x1C7E, 0x78460100}, {0x1D86, 0x78470100},
        {0x1E8C, 0x05000000}};
    for (const auto& [dword, header] : places)
        EXPECT_EQ(image.at(dword - 0x1690), header) << std::hex << dword;
    EXPECT_EQ(image.size(), 0x1E92u - 0x1690u);
    EXPECT_EQ(commands_of(image), std::size(places));
}

TEST_F(RsImage, TablesPoolsAndGatherTablesComeBack) {
    GEN9_COVERS("RS-15 RS-16");
    std::mt19937 random(3);
    Words tables = table_pool(kPool, 7), gathers = gather_pool(kGathers, 9);
    tables[1] |= 0x15, gathers[1] |= 0x6A;  // how they are cached
    run_all({tables, gathers});
    for (std::uint32_t stage = 0; stage < 5; ++stage) {
        Words entries, elements;
        for (std::uint32_t i = 0; i < 256; ++i) {
            entries.push_back(i << 16 | (random() & 0xFFFF));
            elements.push_back(random() & 0xFFFF);
        }
        run_all({edit(stage, entries), gather(stage, 0, 0, elements, 2)});
    }
    const Words image = core.image();
    rs::RsCore other(reporter, stats);
    EXPECT_EQ(commands_of(image), 13u);
    for (unsigned dword = 0; dword < 4; ++dword) {
        EXPECT_EQ(image[0x1962 - 0x1690 + dword], tables[dword]);
        EXPECT_EQ(image[0x1699 - 0x1690 + dword], gathers[dword]);
    }
    ASSERT_TRUE(restore(other, image));
    EXPECT_EQ(other.image(), image);
    for (unsigned stage = 0; stage < 5; ++stage)
        for (unsigned i = 0; i < 256; ++i)
            EXPECT_EQ(other.table_entry(static_cast<packets::ResourceStage>(stage), i),
                      core.table_entry(static_cast<packets::ResourceStage>(stage), i));
    EXPECT_EQ(other.state().tables.base.value, kPool);
    EXPECT_EQ(other.state().tables.size_bytes, 7u * 4096);
    EXPECT_TRUE(other.state().tables.enabled);
    EXPECT_EQ(other.state().gathers.base.value, kGathers);
    EXPECT_EQ(other.state().gathers.size_bytes, 9u * 4096);
    // The image itself, entry by entry: VS entry 5 and its gather entries 4 and 5.
    EXPECT_EQ(image[0x1966 - 0x1690 + 2 + 5],
              5u << 16 | core.table_entry(packets::ResourceStage::VS, 5));
    EXPECT_EQ(image[0x169D - 0x1690 + 1], 2u) << "the table only, nothing is gathered";
    run(gather(kHs, 0, 0, {0x1234, 0x5678, 0x9ABC}, 2));
    const Words again = core.image();
    for (unsigned pair = 0; pair < 128; ++pair)
        EXPECT_EQ(again[0x17BD - 0x1690 + 3 + pair], pair == 0   ? 0x56781234u
                                                     : pair == 1 ? 0x9ABCu
                                                                 : 0u)
            << "all of the table is new";
}

TEST_F(RsImage, WhatDoesNotBelongThereIsRefused) {
    const auto restores = [&](const Words& words) {
        return core.restore(*packets::find_command(words[0]), words);
    };
    for (const Words& words : {Words{0x78260000, 0}, Words{0x15800002, 0, 0, 0}, surface_base(0),
                               Words{0x7B000005, 0, 0, 0, 0, 0, 0}})
        EXPECT_FALSE(restores(words)) << std::hex << words[0];
    EXPECT_FALSE(restores({0x11000001, 0x2244, 0}));
    EXPECT_TRUE(restores({0}));
}

}  // namespace
}  // namespace gen9::test
