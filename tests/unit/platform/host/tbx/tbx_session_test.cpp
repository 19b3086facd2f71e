// SPDX-License-Identifier: Apache-2.0
#include "platform/host/tbx/tbx_session.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/fake_engine.h"
#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using namespace test;

struct TbxSessionTest : testing::Test {
    FakeEngine engine;
    Bytes answers;
    std::vector<std::string> said;
    TbxSession session{engine,
                       [this](std::span<const std::uint8_t> bytes) { append(answers, bytes); },
                       [this](const std::string& line) { said.push_back(line); }};

    void give(const Bytes& bytes) { EXPECT_EQ(session.take(bytes), bytes.size()); }
};

TEST_F(TbxSessionTest, ARegisterWriteIsNotAnswered) {
    give(mmio_write(0x20D8, 0x20000));
    EXPECT_EQ(engine.registers[0x20D8], 0x20000u);
    EXPECT_TRUE(answers.empty());
}

TEST_F(TbxSessionTest, ARegisterReadIsAnsweredWithItsTransaction) {
    engine.registers[0x2234] = 0x100;
    give(mmio_read(42, 0x2234));
    EXPECT_EQ(answers, dwords({1, 42, 4, 0x100}));
}

TEST_F(TbxSessionTest, AGttEntryIsGivenByIndex) {
    give(gtt_write(3, 0x12'3456'7001));
    EXPECT_EQ(engine.gtt[3], 0x12'3456'7001u);
    give(dwords({2, 9, 16, 0, 3, 0, 0}));
    EXPECT_EQ(answers, dwords({3, 9, 8, 0x3456'7001, 0x12}));
}

// The data is not counted in the size of the body.
TEST_F(TbxSessionTest, AMemoryWriteIsFollowedByItsData) {
    const Bytes data{1, 2, 3, 4, 5};
    auto bytes = memory_write(0xAB'0000'0FFE, data);
    append(bytes, mmio_write(0x2080, 0x1000));
    give(bytes);
    EXPECT_EQ(engine.memory[0xAB'0000'0FFE], 1);
    EXPECT_EQ(engine.memory[0xAB'0000'1002], 5);
    EXPECT_EQ(engine.registers[0x2080], 0x1000u);
}

TEST_F(TbxSessionTest, AMemoryReadIsAnsweredWithAddressSizeAndData) {
    engine.put<std::uint32_t>(0x12'0000'1000, 0xDEADBEEF);
    give(memory_read(7, 0x12'0000'1000, 4));
    EXPECT_EQ(answers, dwords({6, 7, 12, 0x12u << 24, 0x1000, 4, 0xDEADBEEF}));
}

TEST_F(TbxSessionTest, OnlyTheFourthWriteOfTheSubmitPortRunsTheEngine) {
    for (unsigned n = 1; n <= 8; ++n) {
        give(mmio_write(0x2230, n));
        EXPECT_EQ(engine.count("run"), n / 4) << n;
    }
}

// The driver's poll loop must end at its first read.
TEST_F(TbxSessionTest, ALaunchIsToldWithItsProcess) {
    std::vector<std::uint32_t> told;
    session.on_launch = [&](std::uint32_t process, std::uint32_t launch) {
        told.insert(told.end(), {process, launch});
    };
    give(dwords({0x67656E39, 0, 8, 1234, 5}));
    EXPECT_TRUE(told.empty()) << "nothing is submitted yet";
    give(submission(0x6119));
    give(submission(0x6119));
    EXPECT_EQ(told, (std::vector<std::uint32_t>{1234, 5, 1234, 5}));
    EXPECT_TRUE(said.empty());
}

TEST_F(TbxSessionTest, WorkIsFinishedBeforeTheNextRead) {
    engine.work = [](FakeEngine& e) { e.memory[0x5000] = 1; };
    auto bytes = submission(0x6119);
    append(bytes, memory_read(1, 0x5000, 1));
    give(bytes);
    EXPECT_EQ(answers.back(), 1);
}

// Host writes may be what the engine waits for (a semaphore).
TEST_F(TbxSessionTest, AReadAfterAWriteRunsTheEngineAndAReadAfterAReadDoesNot) {
    give(memory_write(0x1000, Bytes{1}));
    give(memory_read(1, 0x1000, 1));
    EXPECT_EQ(engine.count("run"), 1u);
    give(memory_read(2, 0x1000, 1));
    EXPECT_EQ(engine.count("run"), 1u);
}

TEST_F(TbxSessionTest, TheFirstMessageOfADriverIsAccepted) {
    give(dwords({11, 0, 4, 0x00320002}));
    EXPECT_FALSE(session.ended());
    EXPECT_TRUE(said.empty());
}

TEST_F(TbxSessionTest, QuitEndsTheSession) {
    give(dwords({11, 0, 4, 0x00400040}));
    EXPECT_TRUE(session.ended());
    EXPECT_TRUE(session.quit());
}

TEST_F(TbxSessionTest, RenderEndIsAnsweredAfterTheWork) {
    give(mmio_write(0x2080, 1));
    give(dwords({9, 5, 4, 1000}));
    EXPECT_EQ(engine.count("run"), 1u);
    EXPECT_EQ(answers, dwords({10, 5, 4, 0}));
}

TEST_F(TbxSessionTest, AStoppedEngineEndsTheSession) {
    engine.work = [](FakeEngine& e) { e.has_stopped = true; };
    auto bytes = submission(1);
    append(bytes, memory_read(1, 0, 1));
    give(bytes);
    EXPECT_TRUE(session.ended());
    EXPECT_FALSE(session.quit());
    EXPECT_TRUE(answers.empty());
}

TEST_F(TbxSessionTest, BytesMayComeInAnyPortions) {
    auto stream = mmio_write(0x20D8, 5);
    append(stream, memory_write(0x1000, Bytes(300, 0x5A)));
    append(stream, gtt_write(1, 0x1001));
    append(stream, memory_read(3, 0x10FF, 2));
    append(stream, mmio_read(4, 0x20D8));
    for (const std::size_t portion : {1u, 2u, 7u, 13u, 64u, 1000u}) {
        FakeEngine e;
        Bytes got;
        TbxSession s(
            e, [&](std::span<const std::uint8_t> bytes) { append(got, bytes); },
            [](const std::string&) {});
        Bytes held;
        for (std::size_t at = 0; at < stream.size(); at += portion) {
            append(held, std::span(stream).subspan(at, std::min(portion, stream.size() - at)));
            held.erase(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(s.take(held)));
            EXPECT_LT(held.size(), TbxSession::kLongestHead);
        }
        auto expected = dwords({6, 3, 12, 0, 0x10FF, 2});
        append(expected, Bytes{0x5A, 0x5A});
        append(expected, dwords({1, 4, 4, 5}));
        EXPECT_EQ(got, expected) << "portions of " << portion;
        EXPECT_EQ(e.gtt[1], 0x1001u);
    }
}

// What a peer does wrong.

TEST_F(TbxSessionTest, AnUnknownTypeIsPassedOverByItsSizeAndReportedOnce) {
    auto bytes = dwords({17, 0, 8, 1, 2});
    append(bytes, dwords({17, 0, 8, 3, 4}));
    append(bytes, mmio_write(0x20D8, 6));
    give(bytes);
    EXPECT_EQ(engine.registers[0x20D8], 6u);
    EXPECT_EQ(said.size(), 1u);
    EXPECT_FALSE(session.ended());
}

TEST_F(TbxSessionTest, ARequestForAnUnknownAnswerEndsTheSessionInsteadOfSilence) {
    give(dwords({14, 0, 12, 0, 0, 0}));
    EXPECT_TRUE(session.ended());
    ASSERT_EQ(said.size(), 1u);
}

TEST_F(TbxSessionTest, AnAbsurdSizeEndsTheSession) {
    give(dwords({0x5043'5f54, 1, 0xFFFF'FFFF}));
    EXPECT_TRUE(session.ended());
}

TEST_F(TbxSessionTest, ABodyTooShortForItsTypeEndsTheSession) {
    give(dwords({0, 0, 8, 9, 0x2230}));
    EXPECT_TRUE(session.ended());
}

TEST_F(TbxSessionTest, ABodyLongerThanKnownKeepsItsPlace) {
    auto bytes = dwords({0, 0, 16, 9, 0x20D8, 5, 0xAAAA});
    append(bytes, mmio_write(0x2080, 6));
    give(bytes);
    EXPECT_EQ(engine.registers[0x20D8], 5u);
    EXPECT_EQ(engine.registers[0x2080], 6u);
}

TEST_F(TbxSessionTest, MemoryBeyondFortyBitsEndsTheSession) {
    give(dwords({4, 0, 12, 0xFFu << 24, 0xFFFF'FFFE, 4}));
    EXPECT_TRUE(session.ended());
    EXPECT_TRUE(engine.memory.empty());
}

TEST_F(TbxSessionTest, TheLastByteOfMemoryCanBeWritten) {
    give(memory_write(0xFF'FFFF'FFFF, Bytes{9}));
    EXPECT_FALSE(session.ended());
    EXPECT_EQ(engine.memory[0xFF'FFFF'FFFF], 9);
}

TEST_F(TbxSessionTest, AReadOfAbsurdLengthEndsTheSession) {
    give(memory_read(1, 0, 0xFFFF'FFFF));
    EXPECT_TRUE(session.ended());
    EXPECT_TRUE(answers.empty());
}

TEST_F(TbxSessionTest, ARegisterThatCannotBeReadsZeroAndDropsWrites) {
    give(mmio_write(0x2231, 1));
    give(mmio_write(0x4000'0000, 1));
    give(mmio_read(1, 0x4000'0000));
    EXPECT_TRUE(engine.registers.empty());
    EXPECT_EQ(answers, dwords({1, 1, 4, 0}));
    EXPECT_EQ(said.size(), 1u);
}

TEST_F(TbxSessionTest, AGttEntryBeyondTheTableReadsZeroAndDropsWrites) {
    give(gtt_write(1u << 20, 1));
    give(dwords({2, 1, 16, 0, 1u << 20, 0, 0}));
    EXPECT_EQ(engine.count("gtt"), 0u);
    EXPECT_EQ(answers, dwords({3, 1, 8, 0, 0}));
}

TEST_F(TbxSessionTest, DataOverTheDriversTopPageTableIsReported) {
    // 512 MB, where the top table is; other entries, and data of other lengths, are none of it.
    give(memory_write(0x3000, dwords({0x1FFF'F003, 0})));
    give(memory_write(0x3000, dwords({0x2000'1003, 0})));
    give(memory_write(0x3000, dwords({0x2000'0002, 0})));
    give(memory_write(0x3000, dwords({0x2000'0003, 1})));
    give(memory_write(0x3000, dwords({0x2000'0003, 0, 0})));
    EXPECT_EQ(session.complaints(), 0u);
    give(memory_write(0x3000, dwords({0x2000'0003, 0})));
    EXPECT_EQ(session.complaints(), 1u);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("512 MB"), std::string::npos);
    EXPECT_FALSE(session.ended());
}

TEST_F(TbxSessionTest, AnEngineThatWaitsForTheHostIsRunAgainWhenTheHostHasWritten) {
    engine.waits = true;
    give(submission(0x1009));
    engine.put<std::uint32_t>(0x1000, 5);
    give(memory_read(7, 0x1000, 4));  // what is asked meanwhile is answered
    EXPECT_EQ(answers, dwords({6, 7, 12, 0, 0x1000, 4, 5}));
    engine.work = [](FakeEngine& e) { e.waits = e.get<std::uint32_t>(0x2000) != 7; };
    give(memory_write(0x2000, dwords({7})));
    give(mmio_read(8, 0x2234));
    EXPECT_FALSE(engine.waits);
    EXPECT_FALSE(session.ended());
    EXPECT_TRUE(engine.given_up.empty());
}

TEST_F(TbxSessionTest, AHostThatOnlyAsksWhileTheEngineWaitsForItIsGivenUp) {
    session.patience = std::chrono::seconds(0);
    engine.waits = true;
    give(submission(0x1009));
    give(mmio_read(8, 0x2234));
    EXPECT_TRUE(session.ended());
    ASSERT_EQ(engine.given_up.size(), 1u);
    EXPECT_NE(engine.given_up[0].find("register or entry 0x2234"), std::string::npos);
}

TEST_F(TbxSessionTest, AskingAnIdleEngineForEverEndsTheSession) {
    const auto question = memory_read(1, 0x78000, 4);
    for (std::uint32_t n = 0; n < TbxSession::kMaxEqualPolls; ++n)
        give(question);
    EXPECT_FALSE(session.ended());
    give(question);
    EXPECT_TRUE(session.ended());
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("0x78000"), std::string::npos);
}

}  // namespace
}  // namespace gen9::platform
