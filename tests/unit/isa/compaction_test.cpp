// SPDX-License-Identifier: Apache-2.0
#include "isa/compaction.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::isa {
namespace {

struct Golden {
    const char* text;
    std::uint64_t compact;
    std::array<std::uint32_t, 4> native;
};

// eu-isa guide 3.3: assembled by iga64 in both forms.
constexpr Golden kGolden[] = {
    {"add (16) r34:d r124<8;8,1>:d r7<0;1,0>:d", 0x077C220720019640, {0x00800040, 0x24400A28, 0x0A8D0F80, 0x000000E0}},
    {"mov (8) r26:f r3:f", 0x00031A0720010B01, {0x00600001, 0x23403AE8, 0x008D0060, 0x00000000}},
    {"(W) and (1) r5:ud r0.5:ud 0x1FF:ud", 0xFF00050820296005, {0x00000005, 0x20A0020C, 0x06000014, 0x000001FF}},
    {"add (8) r27:d r2:d -1:d", 0xFF021BFF2001CB40, {0x00600040, 0x23600A28, 0x0E8D0040, 0xFFFFFFFF}},
    {"math.inv (16) r79:f r59:f", 0x003B4F0721011638, {0x01800038, 0x29E03AE8, 0x008D0760, 0x00000000}},
    {"mad (8) r10 r11 r12 r13:f", 0x1A3058002000A15B, {0x0060015B, 0x0A1E0000, 0x3900B1C8, 0x03472018}},
};

TEST(Compaction, ExpandsTheGoldenWords) {
    GEN9_COVERS("EU-301 EU-302");
    for (const Golden& golden : kGolden) {
        ASSERT_TRUE(is_compacted(golden.compact)) << golden.text;
        const OpcodeInfo* row = find(golden.compact & 0x7F);
        ASSERT_NE(row, nullptr) << golden.text;
        const NativeWord word = expand(golden.compact, *row);
        for (unsigned i = 0; i < 4; ++i) {
            EXPECT_EQ(word.dword(i), golden.native[i]) << golden.text << " DW" << i << std::hex << " " << word.dword(i)
                                                       << " for " << golden.native[i];
        }
    }
}

}  // namespace
}  // namespace gen9::isa
