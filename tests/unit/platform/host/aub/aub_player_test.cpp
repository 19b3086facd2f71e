// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/aub_player.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/aub/aub_builder.h"
#include "tests/unit/platform/host/fake_engine.h"

namespace gen9::platform {
namespace {

using namespace test;

struct AubPlayerTest : testing::Test {
    FakeEngine engine;
    std::vector<std::string> said;
    AubPlayer player{engine, [this](const std::string& line) { said.push_back(line); }};

    void play(const AubBuilder& capture) {
        AubFile file(bytes_of(capture.bytes), "x.aub");
        player.play(file);
    }
};

TEST_F(AubPlayerTest, RegistersAreWrittenWithTheirMask) {
    engine.registers[0x2080] = 0x1111'1111;
    play(AubBuilder()
             .register_write(0x20D8, 0x20000)
             .register_write(0x2080, 0xFFFF'FFFF, 0x0000'FF00));
    EXPECT_EQ(engine.registers[0x20D8], 0x20000u);
    EXPECT_EQ(engine.registers[0x2080], 0x1111'FF11u);
}

TEST_F(AubPlayerTest, ARegisterOfAnotherWidthIsMadeOfDwords) {
    engine.registers[0x2084] = 0xAAAA'AAAA;
    play(AubBuilder()
             .packet(0x3, {0x2358, 3u << 16, ~0u, ~0u, 1, 2})
             .packet(0x3, {0x2086, 1u << 16, 0xFFFF, 0, 0x1234}));
    EXPECT_EQ(engine.registers[0x2358], 1u);
    EXPECT_EQ(engine.registers[0x235C], 2u);
    EXPECT_EQ(engine.registers[0x2084], 0x1234'AAAAu);
}

TEST_F(AubPlayerTest, TheFourthSubmitWriteRunsTheEngine) {
    play(
        AubBuilder().register_write(0x2230, 0).register_write(0x2230, 0).register_write(0x2230, 0));
    EXPECT_EQ(player.submissions(), 0u);
    play(AubBuilder().register_write(0x2230, 1));
    EXPECT_EQ(player.submissions(), 1u);
}

TEST_F(AubPlayerTest, MemoryIsWrittenAtPhysicalAddressesAndThroughTheGgtt) {
    Bytes entry(8);
    store(entry.data(), std::uint64_t{0x7001});
    play(AubBuilder()
             .memory_write(kPhysical, 0x1'0000'0000, {1, 2, 3})
             .memory_write(kPml4, 0x2000'0000, {4})
             .memory_write(kGgttEntries_, 8 * 2, entry)
             .memory_write(kGgttAddress, 0x2010, {5, 6}));
    EXPECT_EQ(engine.memory[0x1'0000'0002], 3);
    EXPECT_EQ(engine.memory[0x2000'0000], 4);
    EXPECT_EQ(engine.gtt[2], 0x7001u);
    EXPECT_EQ(engine.memory[0x7011], 6);
}

TEST_F(AubPlayerTest, APatternIsRepeatedToTheSizeOfTheRange) {
    play(AubBuilder().memory_write(kPhysical, 0x1000, {1, 2, 3, 4}, 2, 10));
    EXPECT_EQ(engine.memory.size(), 10u);
    EXPECT_EQ(engine.memory[0x1009], 2);
}

TEST_F(AubPlayerTest, ADiscontiguousWriteTakesItsDataInOrder) {
    AubBuilder capture;
    Bytes table(4 * 189);
    const auto pair = [&](std::size_t i, std::uint64_t address, std::uint32_t size) {
        store(table.data() + 12 * i, address);
        store(table.data() + 12 * i + 8, size);
    };
    pair(0, 0x1000, 4);
    pair(1, 0x3'0000'0000, 2);
    append(table, Bytes{1, 2, 3, 4, 5, 6});
    capture.packet(0xB, {2u << 28 | 2u << 4}, table);
    play(capture);
    EXPECT_EQ(engine.memory[0x1003], 4);
    EXPECT_EQ(engine.memory[0x3'0000'0001], 6);
    EXPECT_EQ(engine.memory.size(), 6u);
}

TEST_F(AubPlayerTest, ADiscontiguousWriteCannotReachBeyondItsData) {
    Bytes table(4 * 189);
    store(table.data() + 8, std::uint32_t{100});
    AubBuilder capture;
    capture.packet(0xB, {2u << 28 | 1u << 4}, table);
    EXPECT_THROW(play(capture), AubError);
}

TEST_F(AubPlayerTest, ComparesThatHoldSayNothing) {
    engine.registers[0x2080] = 0x1234;
    engine.put<std::uint32_t>(0x5000, 0xCAFE);
    play(AubBuilder()
             .register_compare(0x2080, 0xFF, 0x34)
             .memory_compare(kPhysical, 0x5000, dwords({0xCAFE}))
             .memory_compare(kPhysical, 0x5000, dwords({0xCAFF}), 1u << 7)
             .memory_compare(kPhysical, 0x5000, dwords({0}), 1));
    EXPECT_EQ(player.mismatches(), 0u);
    EXPECT_EQ(player.checks(), 3u);
    EXPECT_TRUE(said.empty());
}

TEST_F(AubPlayerTest, AMemoryMismatchSaysPacketAddressExpectedAndFound) {
    engine.put<std::uint32_t>(0x5004, 0x0000'CAFE);
    play(AubBuilder().memory_compare(kPhysical, 0x5000, dwords({0, 0xBEEF'CAFE})));
    EXPECT_EQ(player.mismatches(), 1u);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0],
              "mismatch: packet 1 (memory compare): physical address 0x5006: expected ef be, found "
              "00 00");
}

TEST_F(AubPlayerTest, ARegisterMismatchSaysWhatWasExpected) {
    engine.registers[0x2080] = 0x1234;
    play(AubBuilder().register_compare(0x2080, 0xFFFF, 0x1235));
    ASSERT_EQ(said.size(), 1u);
    EXPECT_EQ(said[0],
              "mismatch: packet 1 (register compare): register 0x2080, mask 0xffff: expected "
              "0x1235, found 0x1234");
}

TEST_F(AubPlayerTest, APollWaitsForTheEngineAndThenHolds) {
    engine.work = [](FakeEngine& e) { e.registers[0x2234] = 0x100; };
    play(AubBuilder().submission(0x6119).register_poll(0x2234, 0x100, 0x100));
    EXPECT_EQ(player.mismatches(), 0u);
}

TEST_F(AubPlayerTest, APollThatNeverHoldsEndsTheReplay) {
    play(AubBuilder().register_poll(0x2234, 0x100, 0x100).register_write(0x20D8, 1));
    EXPECT_EQ(player.mismatches(), 1u);
    EXPECT_FALSE(engine.registers.contains(0x20D8));
}

TEST_F(AubPlayerTest, APollThatMayTimeOutIsNoMismatch) {
    play(AubBuilder().register_poll(0x2234, 0x100, 0x100, 2).register_write(0x20D8, 1));
    EXPECT_EQ(player.mismatches(), 0u);
    EXPECT_EQ(engine.registers[0x20D8], 1u);
}

TEST_F(AubPlayerTest, MemoryPollsAreExecuted) {
    engine.put<std::uint32_t>(0x5000, 0x12);
    play(AubBuilder()
             .memory_poll(kPhysical, 0x5000, 0xF, 2)
             .memory_poll(kPhysical, 0x5000, 0xF, 3, 1));
    EXPECT_EQ(player.mismatches(), 0u);
    play(AubBuilder().memory_poll(kPhysical, 0x5000, 0xF, 3));
    EXPECT_EQ(player.mismatches(), 1u);
}

TEST_F(AubPlayerTest, WhatOnlyOtherSimulatorsNeedIsPassedOver) {
    play(AubBuilder()
             .packet(0x7, {1})
             .packet(0x8, {0, 0x41414141})
             .packet(0x9, {1000})
             .packet(0xC, {0})
             .packet(0xD, {0, 0, 0, 0})
             .register_write(0x20D8, 1));
    EXPECT_EQ(engine.registers[0x20D8], 1u);
    EXPECT_EQ(player.unsupported(), 0u);
}

TEST_F(AubPlayerTest, WhatCannotBeCarriedOutIsCountedAndSaidOnce) {
    play(AubBuilder()
             .packet(0x55, {0})
             .packet(0x55, {0})
             .memory_write(kPpgttAddress, 0x1000, {1})
             .memory_write(kPhysical, std::uint64_t{1} << 40, {1})
             .packet(0x3, {0x40, 2u << 16 | 2u << 28, ~0u, 0, 1}));
    EXPECT_EQ(player.unsupported(), 5u);
    EXPECT_EQ(said.size(), 4u);
    EXPECT_TRUE(engine.memory.empty());
    EXPECT_TRUE(engine.registers.empty());
}

TEST_F(AubPlayerTest, AStoppedEngineEndsTheReplay) {
    engine.work = [](FakeEngine& e) { e.has_stopped = true; };
    play(AubBuilder().submission(1).register_write(0x20D8, 1));
    EXPECT_FALSE(engine.registers.contains(0x20D8));
}

TEST_F(AubPlayerTest, WithoutChecksPollsAndComparesHold) {
    AubPlayer reader(
        engine, [](const std::string&) {}, AubPlayer::Checks::Skip);
    AubFile file(
        bytes_of(AubBuilder().register_poll(0x2234, 0x100, 0x100).register_write(0x20D8, 1).bytes),
        "x.aub");
    reader.play(file);
    EXPECT_EQ(reader.mismatches(), 0u);
    EXPECT_EQ(engine.registers[0x20D8], 1u);
}

}  // namespace
}  // namespace gen9::platform
