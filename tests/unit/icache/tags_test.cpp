// SPDX-License-Identifier: Apache-2.0
#include "icache/tags.h"

#include <gtest/gtest.h>

namespace gen9::icache {
namespace {

std::array<std::uint8_t, kLineBytes> line_of(std::uint8_t value) {
    std::array<std::uint8_t, kLineBytes> bytes;
    bytes.fill(value);
    return bytes;
}

TEST(InstructionCacheTags, ALineThatWasFilledIsFoundWithItsBytes) {
    Tags tags(16, 4);
    EXPECT_EQ(tags.find(GpuAddr(0x1000)), nullptr);
    tags.fill(GpuAddr(0x1000), line_of(7).data());
    ASSERT_NE(tags.find(GpuAddr(0x1000)), nullptr);
    EXPECT_EQ(tags.find(GpuAddr(0x1000))[63], 7);
    EXPECT_EQ(tags.find(GpuAddr(0x1040)), nullptr);
}

TEST(InstructionCacheTags, TheLineLeastRecentlyUsedOfItsSetIsReplaced) {
    Tags tags(8, 2);  // 4 sets: lines 0x100 apart share one
    tags.fill(GpuAddr(0x000), line_of(0).data());
    tags.fill(GpuAddr(0x100), line_of(1).data());
    tags.fill(GpuAddr(0x040), line_of(9).data());
    EXPECT_NE(tags.find(GpuAddr(0x000)), nullptr);
    tags.fill(GpuAddr(0x200), line_of(2).data());
    EXPECT_NE(tags.find(GpuAddr(0x000)), nullptr);
    EXPECT_EQ(tags.find(GpuAddr(0x100)), nullptr);
    EXPECT_NE(tags.find(GpuAddr(0x200)), nullptr);
    EXPECT_NE(tags.find(GpuAddr(0x040)), nullptr);
}

TEST(InstructionCacheTags, AnInvalidationDropsAll) {
    Tags tags(8, 2);
    for (const unsigned lines : {1u, 3u, 20u}) {  // the last: more than there is room for
        for (unsigned n = 0; n < lines; ++n)
            tags.fill(GpuAddr(n * kLineBytes), line_of(0).data());
        EXPECT_NE(tags.find(GpuAddr((lines - 1) * kLineBytes)), nullptr);
        tags.invalidate();
        for (unsigned n = 0; n < lines; ++n)
            EXPECT_EQ(tags.find(GpuAddr(n * kLineBytes)), nullptr) << n;
    }
}

}  // namespace
}  // namespace gen9::icache
