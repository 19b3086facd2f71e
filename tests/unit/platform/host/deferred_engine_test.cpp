// SPDX-License-Identifier: Apache-2.0
#include "platform/host/deferred_engine.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/fake_engine.h"

namespace gen9::platform {
namespace {

struct DeferredEngineTest : testing::Test {
    test::FakeEngine* built = nullptr;
    DeferredEngine engine{[this] {
        auto made = std::make_unique<test::FakeEngine>();
        built = made.get();
        return made;
    }};
    void write(std::uint64_t address, std::vector<std::uint8_t> bytes) {
        engine.write_memory(PhysAddr(address), bytes);
    }
    std::vector<std::uint8_t> read(std::uint64_t address, std::size_t size) {
        std::vector<std::uint8_t> bytes(size, 0xEE);
        engine.read_memory(PhysAddr(address), bytes);
        return bytes;
    }
};

TEST_F(DeferredEngineTest, SettingUpMemoryAndTablesBuildsNothing) {
    write(0x1FFE, {1, 2, 3, 4});
    engine.write_gtt(5, 0x1001);
    engine.write_register(0x20D8, 1);
    engine.run();
    EXPECT_EQ(read(0x1FFD, 6), (std::vector<std::uint8_t>{0, 1, 2, 3, 4, 0}));
    EXPECT_EQ(engine.read_gtt(5), 0x1001u);
    EXPECT_EQ(engine.read_gtt(6), 0u);
    EXPECT_EQ(engine.built(), nullptr);
    EXPECT_FALSE(engine.stopped());
}

TEST_F(DeferredEngineTest, TheFirstWriteOfTheSubmitPortHandsEverythingOver) {
    write(0x1FFE, {1, 2, 3, 4});
    engine.write_gtt(5, 0x1001);
    engine.write_register(0x20D8, 1);
    engine.write_register(0x20D8, 2);
    engine.write_register(0x2230, 7);
    ASSERT_NE(built, nullptr);
    EXPECT_EQ(built->get<std::uint32_t>(0x1FFE), 0x04030201u);
    EXPECT_EQ(built->gtt[5], 0x1001u);
    EXPECT_EQ(built->registers[0x20D8], 2u);
    EXPECT_EQ(built->registers[0x2230], 7u);
}

TEST_F(DeferredEngineTest, ARegisterReadNeedsTheEngine) {
    engine.read_register(0x2234);
    EXPECT_NE(built, nullptr);
}

TEST_F(DeferredEngineTest, OnceBuiltTheEngineIsAskedDirectly) {
    engine.write_register(0x2230, 7);
    write(0x10, {9});
    engine.write_gtt(1, 2);
    engine.run();
    EXPECT_EQ(built->memory[0x10], 9);
    EXPECT_EQ(read(0x10, 1)[0], 9);
    EXPECT_EQ(engine.read_gtt(1), 2u);
    EXPECT_EQ(built->count("run"), 1u);
    built->has_stopped = true;
    EXPECT_TRUE(engine.stopped());
}

}  // namespace
}  // namespace gen9::platform
