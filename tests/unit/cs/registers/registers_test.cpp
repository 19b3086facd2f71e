// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/registers.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::cs {
namespace {

TEST(Registers, MaskedOnesTakeOnlyTheBitsTheirHighHalfNames) {
    GEN9_COVERS("CS-151");
    RegisterFile file;
    file.write(0x229C, 0xFFFF8280, 0, Writer::Host);
    EXPECT_EQ(file.read(0x229C), 0x8280u);
    file.write(0x229C, 0x00800000, 0, Writer::Host);
    EXPECT_EQ(file.read(0x229C), 0x8200u);
    file.write(0x229C, 0x0000FFFF, 0, Writer::Host);
    EXPECT_EQ(file.read(0x229C), 0x8200u);
    EXPECT_EQ(file.saved(0x229C), 0xFFFF8200u);
}

TEST(Registers, DisabledBytesStay) {
    RegisterFile file;
    file.write(0x2600, 0x11223344, 0, Writer::Stream);
    file.write(0x2600, 0xAABBCCDD, 0b0010, Writer::Stream);
    EXPECT_EQ(file.read(0x2600), 0xAABB33DDu);
    file.write(0x2580, 0x00060006, 0, Writer::Stream);
    file.write(0x2580, 0x00060000, 0b0100, Writer::Stream);  // the mask's byte does not arrive
    EXPECT_EQ(file.read(0x2580), 6u);
}

TEST(Registers, CountersAreWrittenByTheStreamOnly) {
    GEN9_COVERS("CS-15 CS-17");
    RegisterFile file;
    for (const std::uint32_t offset :
         {0x2310u, 0x2318u, 0x2320u, 0x2300u, 0x2308u, 0x2328u, 0x2330u, 0x2338u, 0x2340u, 0x22C8u,
          0x22F0u, 0x2448u, 0x22D8u, 0x22F8u, 0x2450u}) {
        for (const std::uint32_t at : {offset, offset + 4}) {
            file.write(at, 7, 0, Writer::Host);
            EXPECT_EQ(file.read(at), 0u) << std::hex << at;
            file.write(at, 9, 0, Writer::Stream);
            EXPECT_EQ(file.read(at), 9u) << std::hex << at;
        }
    }
}

TEST(Registers, StreamOutputHasFourOfEach) {
    GEN9_COVERS("CS-21");
    RegisterFile file;
    for (std::uint32_t n = 0; n < 4; ++n) {
        for (const auto& [offset, dwords] :
             {std::pair{0x5200 + 8 * n, 2u}, {0x5240 + 8 * n, 2u}, {0x5280 + 4 * n, 1u}})
            for (std::uint32_t i = 0; i < dwords; ++i) {
                const std::uint32_t at = offset + 4 * i;
                ASSERT_NE(file.row(at), nullptr) << std::hex << at;
                file.write(at, at, 0, Writer::Stream);
                EXPECT_EQ(file.read(at), at);
            }
    }
    EXPECT_EQ(file.name(0x5218), "SO_NUM_PRIMS_WRITTEN+0x18");
    EXPECT_EQ(file.name(0x5258), "SO_PRIM_STORAGE_NEEDED+0x18");
    EXPECT_EQ(file.name(0x528C), "SO_WRITE_OFFSET+0xc");
}

TEST(Registers, UnknownOnesKeepWhatWasWritten) {
    RegisterFile file;
    EXPECT_EQ(file.row(0x9400), nullptr);
    EXPECT_EQ(file.read(0x9400), 0u);
    file.write(0x9400, 0xDEADBEEF, 0, Writer::Stream);
    EXPECT_EQ(file.read(0x9400), 0xDEADBEEFu);
    EXPECT_EQ(file.name(0x9400), "register 0x9400");
    EXPECT_EQ(file.name(0x2604), "CS_GPR+0x4");
}

TEST(Registers, ResetValuesOfTheSeed) {
    GEN9_COVERS("CS-11 CS-12");
    RegisterFile file;
    EXPECT_EQ(file.read(0x7034), 0x60000060u);
    for (std::uint32_t offset = 0x8300; offset <= 0x8384; offset += 4) {
        ASSERT_NE(file.row(offset), nullptr);
        file.write(offset, 1, 0, Writer::Stream);
        EXPECT_EQ(file.read(offset), 0u);
    }
    EXPECT_EQ(file.row(0x8388), nullptr);
}

TEST(Registers, ModeRegistersReadBack) {
    GEN9_COVERS("CS-13");
    RegisterFile file;
    for (const std::uint32_t offset :
         {0x209Cu, 0x229Cu, 0x7008u, 0x7028u, 0x7000u, 0x7004u, 0x212Cu}) {
        file.write(offset, 0x00040004, 0, Writer::Stream);
        EXPECT_EQ(file.read(offset) & 4, 4u) << std::hex << offset;
    }
    for (const std::uint32_t offset : {0x20A0u, 0x7020u, 0x7024u}) {
        file.write(offset, 0x12345000, 0, Writer::Stream);
        EXPECT_EQ(file.read(offset), 0x12345000u) << std::hex << offset;
    }
}

TEST(Registers, NewContextsStartFromWhatTheHostSet) {
    RegisterFile file;
    file.write(0x2028, 0x38, 0, Writer::Host);
    file.write(0x2028, 0x77, 0, Writer::Stream);
    file.write(0x2600, 5, 0, Writer::Stream);
    file.write(0x2580, 0x00060006, 0, Writer::Stream);  // not of a context
    file.reset_context();
    EXPECT_EQ(file.read(0x2028), 0x38u);
    EXPECT_EQ(file.read(0x2600), 0u);
    EXPECT_EQ(file.read(0x2580), 6u);
}

TEST(Registers, OffsetsBeyondTheSpaceFallIntoIt) {
    RegisterFile file;
    file.write(0xFFFFFFFC, 1, 0, Writer::Stream);
    EXPECT_EQ(file.read(0xFFFFFFFC), 1u);
    EXPECT_EQ(file.read(0x7FFFFC), 1u);
}

}  // namespace
}  // namespace gen9::cs
