// SPDX-License-Identifier: Apache-2.0
#include "platform/host/graphics_memory.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/fake_engine.h"

namespace gen9::platform {
namespace {

struct GraphicsMemoryTest : testing::Test {
    test::FakeEngine engine;
    GraphicsMemory memory{engine};

    /// A context image at GGTT page 6, whose PML4 is at 0x10000: 0x7F'8040'3000 -> page 0x99000.
    GraphicsMemoryTest() {
        for (std::uint32_t page = 6; page < 16; ++page)
            engine.gtt[page] = 0x60000 + (page << 12) + 1;
        engine.put<std::uint32_t>(0x66000 + 0x10CC, 0x10000);
        engine.put<std::uint64_t>(0x10000 + 8 * 0, 0x11007);
        engine.put<std::uint64_t>(0x11000 + 8 * 0x1FE, 0x12007);
        engine.put<std::uint64_t>(0x12000 + 8 * 2, 0x13007);
        engine.put<std::uint64_t>(0x13000 + 8 * 3, 0x99007);
        engine.put<std::uint64_t>(0x12000 + 8 * 4, 0x8000'0087);    // a 2 MB page
        engine.put<std::uint64_t>(0x11000 + 8 * 7, 0x1'4000'0087);  // a 1 GB page
    }
};

TEST_F(GraphicsMemoryTest, GgttAddressesGoThroughTheTable) {
    EXPECT_EQ(memory.ggtt(0x7123), PhysAddr(0x67123));
    EXPECT_FALSE(memory.ggtt(0x1000));
    EXPECT_FALSE(memory.ggtt(std::uint64_t{1} << 32));
}

TEST_F(GraphicsMemoryTest, PpgttAddressesNeedAContext) {
    EXPECT_FALSE(memory.ppgtt(0x7F'8040'3010));
    memory.use_context(0x6119);
    EXPECT_EQ(memory.ppgtt(0x7F'8040'3010), PhysAddr(0x99010));
    EXPECT_FALSE(memory.ppgtt(0x7F'8040'4010));
    memory.use_context(0x6118);  // not valid
    EXPECT_FALSE(memory.ppgtt(0x7F'8040'3010));
}

TEST_F(GraphicsMemoryTest, LargePagesEndTheWalkEarly) {
    memory.use_context(0x6119);
    EXPECT_EQ(memory.ppgtt(0x7F'8081'2345), PhysAddr(0x8001'2345));
    EXPECT_EQ(memory.ppgtt(0x1'C123'4567), PhysAddr(0x1'4123'4567));
}

TEST_F(GraphicsMemoryTest, ATableThatLeavesMemoryIsAFault) {
    memory.use_context(0x6119);
    engine.put<std::uint64_t>(0x13000 + 8 * 3, 0x7FFF'FFFF'F007);
    EXPECT_FALSE(memory.ppgtt(0x7F'8040'3010));
    engine.put<std::uint64_t>(0x11000 + 8 * 0x1FE, 0x7FFF'FFFF'F007);
    EXPECT_FALSE(memory.ppgtt(0x7F'8040'3010));
}

}  // namespace
}  // namespace gen9::platform
