// SPDX-License-Identifier: Apache-2.0
// Batches of the copy engine, and what of video engines' batches is carried out.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/platform/host/drm/copy_engine_bench.h"

namespace gen9::drm {
namespace {

// Headers without masks and tilings; in the second word: 8, 32 bits a pixel, copy or fill.
constexpr std::uint32_t kCopy = 0x54C0'0008, kFastCopy = 0x5080'0008, kFill = 0x5400'0005;
constexpr std::uint32_t kAllBytes = 3u << 20, kColour32 = 3u << 24, kRopCopy = 0xCCu << 16,
                        kRopFill = 0xF0u << 16;

struct DrmCopyEngine : testing::Test, CopyEngineBench {
    DrmCopyEngine() : CopyEngineBench(64 << 10) {
        std::fill(to.begin(), to.end(), 0xEE);
        for (std::size_t i = 0; i < from.size(); ++i)
            from[i] = static_cast<std::uint8_t>(i * 7 + i / 256);
    }
    template <class T>
    T value(const std::vector<std::uint8_t>& bytes, std::size_t offset) const {
        T found;
        std::memcpy(&found, &bytes[offset], sizeof found);
        return found;
    }
};

// Tiles as bit fields of the offset: X 8 rows of 512 bytes; Y 8 columns of 32 times 16 bytes.
std::size_t in_tile_x(std::size_t x, std::size_t y, std::size_t pitch) {
    return (y / 8 * (pitch / 512) + x / 512) * 4096 + y % 8 * 512 + x % 512;
}
std::size_t in_tile_y(std::size_t x, std::size_t y, std::size_t pitch) {
    return (y / 32 * (pitch / 128) + x / 128) * 4096 + x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
}

TEST_F(DrmCopyEngine, ACopyMovesTheRectangleAndNothingElse) {
    ASSERT_TRUE(run({kCopy | kAllBytes, kColour32 | kRopCopy | 256, point(2, 1), point(5, 4), kTo,
                     0, point(7, 3), 512, kFrom, 0}));
    for (unsigned y = 0; y < 8; ++y)
        for (unsigned x = 0; x < 64; ++x) {
            const bool inside = x >= 2 && x < 5 && y >= 1 && y < 4;
            const auto expected =
                inside ? value<std::uint32_t>(from, (y + 2) * 512 + (x + 5) * 4) : 0xEEEE'EEEE;
            ASSERT_EQ(value<std::uint32_t>(to, y * 256 + x * 4), expected) << x << " " << y;
        }
    EXPECT_TRUE(said.empty());
}

TEST_F(DrmCopyEngine, TilesAreXUnlessTheControlRegisterSaysY) {
    constexpr std::uint32_t kSourceTiled = 1u << 15, kTargetTiled = 1u << 11;
    const std::vector<std::uint32_t> detile{kCopy | kAllBytes | kSourceTiled,
                                            kColour32 | kRopCopy | 1024,
                                            0,
                                            point(256, 40),
                                            kTo,
                                            0,
                                            0,
                                            1024 / 4,
                                            kFrom,
                                            0};
    ASSERT_TRUE(run(detile));
    for (std::size_t y = 0; y < 40; ++y)
        for (std::size_t x = 0; x < 1024; x += 4)
            ASSERT_EQ(value<std::uint32_t>(to, y * 1024 + x),
                      value<std::uint32_t>(from, in_tile_x(x, y, 1024)));
    std::vector<std::uint32_t> commands{0x1100'0001, 0x22200, 0x0003'0003};
    commands.insert(commands.end(),
                    {kCopy | kAllBytes | kTargetTiled, kColour32 | kRopCopy | 1024 / 4, 0,
                     point(256, 40), kTo, 0, 0, 1024, kFrom, 0});
    ASSERT_TRUE(run(commands));
    for (std::size_t y = 0; y < 40; ++y)
        for (std::size_t x = 0; x < 1024; x += 4)
            ASSERT_EQ(value<std::uint32_t>(to, in_tile_y(x, y, 1024)),
                      value<std::uint32_t>(from, y * 1024 + x));
}

TEST_F(DrmCopyEngine, AFastCopyNamesItsTilings) {
    constexpr std::uint32_t kFromY = 2u << 20, kToX = 1u << 13, kBytes16 = 5u << 24;
    ASSERT_TRUE(run({kFastCopy | kFromY | kToX, kBytes16 | 512 / 4, 0, point(32, 32), kTo, 0, 0,
                     512 / 4, kFrom, 0}));
    for (std::size_t y = 0; y < 32; ++y)
        for (std::size_t x = 0; x < 512; x += 8)
            ASSERT_EQ(value<std::uint64_t>(to, in_tile_x(x, y, 512)),
                      value<std::uint64_t>(from, in_tile_y(x, y, 512)));
}

TEST_F(DrmCopyEngine, WhatOverlapsIsReadBeforeItIsWritten) {
    const auto before = from;
    // A row down and a pixel to the right, in one plane; then back up.
    ASSERT_TRUE(run({kCopy, kRopCopy | 64, point(1, 1), point(33, 9), kFrom, 0, 0, 64, kFrom, 0}));
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 32; ++x)
            ASSERT_EQ(from[(y + 1) * 64 + x + 1], before[y * 64 + x]) << x << " " << y;
    ASSERT_TRUE(run({kCopy, kRopCopy | 64, 0, point(32, 8), kFrom, 0, point(1, 1), 64, kFrom, 0}));
    for (std::size_t y = 0; y < 8; ++y)
        for (std::size_t x = 0; x < 32; ++x)
            ASSERT_EQ(from[y * 64 + x], before[y * 64 + x]);
}

TEST_F(DrmCopyEngine, AFillWritesTheBytesThatItsMaskNames) {
    ASSERT_TRUE(run({kFill | 1u << 21, kColour32 | kRopFill | 128, point(1, 2), point(3, 4), kTo, 0,
                     0x1234'5678}));
    EXPECT_EQ(value<std::uint32_t>(to, 2 * 128 + 4), 0x12EE'EEEEu);
    ASSERT_TRUE(run({kFill | kAllBytes, kColour32 | kRopFill | 128, point(1, 2), point(3, 4), kTo,
                     0, 0x1234'5678}));
    EXPECT_EQ(value<std::uint32_t>(to, 3 * 128 + 8), 0x1234'5678u);
    EXPECT_EQ(value<std::uint32_t>(to, 3 * 128 + 12), 0xEEEE'EEEEu);
    EXPECT_EQ(value<std::uint32_t>(to, 4 * 128 + 4), 0xEEEE'EEEEu);
}

TEST_F(DrmCopyEngine, ValuesAndTimesAreWrittenWhereABatchWantsThem) {
    ASSERT_TRUE(run({0x1000'0002, kTo, 0, 77, 0x1300'4083, kTo + 8, 0, 78, 79, 0x1300'C003,
                     kTo + 16, 0, 0, 0}));
    EXPECT_EQ(value<std::uint32_t>(to, 0), 77u);
    EXPECT_EQ(value<std::uint32_t>(to, 4), 0xEEEE'EEEEu);
    EXPECT_EQ(value<std::uint64_t>(to, 8), std::uint64_t{79} << 32 | 78);
    EXPECT_EQ(value<std::uint64_t>(to, 16), 4711u);
}

TEST_F(DrmCopyEngine, AFlushOfFourWordsWritesOneWord) {
    ASSERT_TRUE(run({0x1300'4082, kTo, 0, 78, 0, 0x1300'0082, kTo + 8, 0, 79}));
    EXPECT_EQ(value<std::uint32_t>(to, 0), 78u);
    EXPECT_EQ(value<std::uint32_t>(to, 4), 0xEEEE'EEEEu);
    EXPECT_EQ(value<std::uint32_t>(to, 8), 0xEEEE'EEEEu);  // no operation is asked for
}

TEST_F(DrmCopyEngine, RegistersOfVideoEnginesAreZero) {
    ASSERT_TRUE(run({0x1480'0002, 0x12868, kTo, 0, 0x0D00'0000, 0x1000'0000, 0x1200'0002, 0x12868,
                     kTo + 4, 0, 0x1000'0002, kTo, 0, 5}));
    EXPECT_EQ(value<std::uint64_t>(to, 0), 5u);
    EXPECT_EQ(value<std::uint32_t>(to, 8), 0xEEEE'EEEEu);
    EXPECT_EQ(said.size(), 1u);
}

TEST_F(DrmCopyEngine, VideoIsPassedOverWithOneNoteAndWhatFollowsIsCarriedOut) {
    // Two commands of a coder, of five words and of one, and a write.
    ASSERT_TRUE(run({0x7000'0003, kEnd, kEnd, kEnd, kEnd, 0x6800'0000, 0x7000'0003, 1, 2, 3, 4,
                     0x1000'0002, kTo, 0, 5}));
    EXPECT_EQ(value<std::uint32_t>(to, 0), 5u);
    // Of another client, with the opcode that ends a batch of the memory interface.
    ASSERT_TRUE(run({0x2500'0000, 0, 0x1000'0002, kTo, 0, 6}));
    EXPECT_EQ(value<std::uint32_t>(to, 0), 6u);
    EXPECT_EQ(said.size(), 1u);
}

// Each twice, in an engine of its own.
TEST_F(DrmCopyEngine, WhatIsNotModelledIsPassedOverWithANote) {
    constexpr std::uint32_t kClips = 1u << 30, kRopInvert = 0x55u << 16;
    constexpr std::uint32_t kLengthOfCopy = 8;
    const std::uint32_t corner = point(4, 4);
    for (const std::vector<std::uint32_t>& command :
         {std::vector<std::uint32_t>{kFill, kRopInvert | 64, 0, corner, kTo, 0, 1},
          {kFill, kClips | kRopFill | 64, 0, corner, kTo, 0, 1},
          {kCopy, kRopInvert | 64, 0, corner, kTo, 0, 0, 64, kFrom, 0},
          {kCopy, kClips | kRopCopy | 64, 0, corner, kTo, 0, 0, 64, kFrom, 0},
          {kFastCopy, 7u << 24 | 64, 0, corner, kTo, 0, 0, 64, kFrom, 0},
          // XY_SETUP_BLT's opcode, and a copy of another length.
          {0x4040'0000 | kLengthOfCopy, 0, 0, 0, 0, 0, 0, 0, 0, 0},
          {kCopy + 1, kRopCopy | 64, 0, corner, kTo, 0, 0, 64, kFrom, 0, 0}}) {
        CopyEngineBench bench(4096);
        ASSERT_TRUE(bench.run(command)) << std::hex << command[0];
        ASSERT_TRUE(bench.run(command));
        EXPECT_EQ(bench.said.size(), 1u) << std::hex << command[0] << " " << command[1];
        EXPECT_EQ(std::count(bench.to.begin(), bench.to.end(), 0), 4096);
    }
}

TEST_F(DrmCopyEngine, ABatchThatLeadsNowhereOrHasNoEndIsRefused) {
    EXPECT_EQ(engine.run(0x7777'0000), CopyEngine::End::Nowhere);
    EXPECT_EQ(end_of({0x1880'0001, 0x7777'0000, 0}), CopyEngine::End::Nowhere);
    // Itself as a second level, over and over; a command of 18 DWords; a start without an address.
    EXPECT_EQ(end_of({0x18C0'0001, kBatch, 0}), CopyEngine::End::Nowhere);
    EXPECT_EQ(end_of({0x1000'0010}), CopyEngine::End::Nowhere);
    EXPECT_EQ(end_of({0x1880'0000, kBatch}), CopyEngine::End::Nowhere);
    // A rectangle of which a part is nowhere.
    EXPECT_TRUE(
        run({kFill | kAllBytes, kColour32 | kRopFill | 4096, 0, point(1024, 1024), kTo, 0, 1}));
    EXPECT_EQ(said.size(), 1u);
}

// Fills of 2^24 bytes over each other in 36 KB: two in a row are too many steps.
TEST_F(DrmCopyEngine, PixelsAreCountedAndABatchWithoutAnEndEnds) {
    constexpr std::uint32_t kRows = 512, kWidth = 32767, kPitch = 1;
    constexpr std::uint64_t kSteps = std::uint64_t{kRows} * (kWidth + CopyEngine::kStepsOfRow);
    const std::vector<std::uint32_t> fill{kFill, kRopFill | kPitch, 0, point(kWidth, kRows), kTo, 0,
                                          0x5A};
    ASSERT_TRUE(run(fill));
    EXPECT_LE(told, kSteps + 2 * CopyEngine::kStepsOfCommand);
    EXPECT_GT(told, kSteps - CopyEngine::kStepsBetweenLooks);
    EXPECT_EQ(to[kWidth + kRows - 2], 0x5A);
    EXPECT_EQ(to[kWidth + kRows - 1], 0xEE);
    std::vector<std::uint32_t> loop = fill;
    loop.insert(loop.end(), {0x1880'0001, kBatch, 0});
    told = 0;
    EXPECT_EQ(end_of(loop), CopyEngine::End::Endless);
    EXPECT_LE(told, kMaxSteps + 2 * CopyEngine::kStepsBetweenLooks);
    EXPECT_GT(told, kMaxSteps - CopyEngine::kStepsBetweenLooks);
    EXPECT_TRUE(said.empty());
    EXPECT_TRUE(run(fill)) << "each batch is counted by itself";
}

TEST_F(DrmCopyEngine, ABatchStopsSoonWhenItIsNotToGoOn) {
    stop_after = 2 * CopyEngine::kStepsBetweenLooks;
    EXPECT_EQ(end_of({0x1880'0001, kBatch, 0}), CopyEngine::End::Stopped);
    EXPECT_EQ(told, stop_after);
    told = 0;
    EXPECT_EQ(end_of({kFill, kRopFill | 1, 0, point(32767, 32767), kTo, 0, 1}),
              CopyEngine::End::Stopped);
    EXPECT_LT(told, stop_after + 2 * 32767);
    told = 0;
    EXPECT_EQ(end_of({kCopy, kRopCopy | 1, 0, point(32767, 32767), kTo, 0, 0, 1, kFrom, 0}),
              CopyEngine::End::Stopped);
    EXPECT_LT(told, stop_after + 4 * 32767);
}

// A pixel that is copied is two steps: it is read and written.
TEST_F(DrmCopyEngine, ACopyHasTwoStepsAPixel) {
    constexpr std::uint64_t kBatches = 2 * CopyEngine::kStepsOfCommand;
    constexpr std::uint64_t kRow = 2 * 256 + CopyEngine::kStepsOfRow;
    const auto copy = [&](std::uint64_t rows) {
        return run({kCopy, kRopCopy | 256, 0, point(256, static_cast<unsigned>(rows)), kTo, 0, 0,
                    256, kFrom, 0});
    };
    for (std::uint64_t steps = 0; steps + kBatches + 100 * kRow < CopyEngine::kStepsBetweenLooks;
         steps += kBatches + 100 * kRow) {
        ASSERT_EQ(told, 0u);
        ASSERT_TRUE(copy(100));
    }
    EXPECT_EQ(told, 0u);
    ASSERT_TRUE(copy(100));
    EXPECT_GE(told, CopyEngine::kStepsBetweenLooks);
    EXPECT_LT(told, CopyEngine::kStepsBetweenLooks + kRow);
}

// Steps of many short batches add up.
TEST_F(DrmCopyEngine, ShortBatchesCountAsWell) {
    stop_after = CopyEngine::kStepsBetweenLooks;
    unsigned batches = 0;
    while (batches < 1000 && run({kFill, kRopFill | 256, 0, point(256, 16), kTo, 0, 1}))
        ++batches;
    EXPECT_EQ(batches, CopyEngine::kStepsBetweenLooks / (16 * (256 + CopyEngine::kStepsOfRow) +
                                                         2 * CopyEngine::kStepsOfCommand));
}

TEST_F(DrmCopyEngine, ARowThatReachesPastItsBufferIsWrittenUpToThere) {
    // Two rows of 512 bytes that begin 768 bytes before the end of the buffer.
    const auto at = static_cast<std::uint32_t>(kTo + to.size() - 768);
    ASSERT_TRUE(run({kFill, kRopFill | 512, 0, point(512, 2), at, 0, 7}));
    EXPECT_EQ(std::count(to.begin(), to.end(), 7), 768);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("0x2010000,"), std::string::npos) << said[0];
}

// Each comparison, where it passes and where it does not, of 5 in memory.
TEST_F(DrmCopyEngine, ASemaphoreWaitsUntilTheHostHasWritten) {
    constexpr std::uint32_t kWait = 0x0E00'8002;
    constexpr std::uint32_t kPasses[] = {4, 5, 6, 5, 5, 4}, kFails[] = {5, 6, 5, 4, 4, 5};
    for (std::uint32_t compare = 0; compare < 6; ++compare) {
        const std::uint32_t five = 5;
        std::memcpy(from.data(), &five, sizeof five);
        EXPECT_TRUE(run({kWait | compare << 12, kPasses[compare], kFrom, 0})) << compare;
        EXPECT_EQ(end_of({kWait | compare << 12, kFails[compare], kFrom, 0}),
                  CopyEngine::End::Stopped)
            << compare;
    }
    unsigned asked = 0;
    wait_for_host = [&](const std::string& what) {
        EXPECT_NE(what.find("0x1000000"), std::string::npos) << what;
        if (++asked == 3) from[0] = 9;
        return true;
    };
    waited = 0;
    ASSERT_TRUE(run({kWait | 4 << 12, 9, kFrom, 0, 0x1000'0002, kTo, 0, 6}));
    EXPECT_EQ(asked, 3u);
    EXPECT_EQ(waited, 1u);
    EXPECT_EQ(value<std::uint32_t>(to, 0), 6u);
    EXPECT_TRUE(said.empty());
}

// What a semaphore in a register would wait for, video engines would have computed.
TEST_F(DrmCopyEngine, ASemaphoreInARegisterIsPassedOverWithANote) {
    constexpr std::uint32_t kPollsRegister = 1 << 16;
    ASSERT_TRUE(run({0x0E00'8002 | kPollsRegister, 9, kFrom, 0, 0x1000'0002, kTo, 0, 6}));
    EXPECT_EQ(value<std::uint32_t>(to, 0), 6u);
    EXPECT_EQ(said.size(), 1u);
}

// A pitch has sixteen bits; of tiles it counts DWords, and a tile of X has eight rows.
TEST(DrmCopyEnginePitch, ReachesToItsLastBit) {
    constexpr std::uint32_t kTiledX = 1 << 11, kPitch = 0x8000;
    CopyEngineBench bench(8 * 4 * kPitch + 4096);
    EXPECT_TRUE(
        bench.run({kFill | kTiledX, kRopFill | kPitch, point(1, 8), point(2, 9), kTo, 0, 0x5A}));
    EXPECT_EQ(bench.to[8 * 4 * kPitch + 1], 0x5A);
    EXPECT_TRUE(bench.said.empty());
}

// By the PRM: an MI command of an opcode below 0x10 is one DWord; all others, and those of 2D, have
// their length in bits 7:0, MI_FLUSH_DW in bits 5:0; those of video in bits 11:0, but for a DWord
// that stands alone. What would end a batch is none where it is an operand.
TEST_F(DrmCopyEngine, EveryCommandIsPassedByItsLength) {
    const auto passes = [](std::uint32_t header, unsigned dwords) {
        CopyEngineBench bench(4096);
        std::vector<std::uint32_t> commands(dwords, kEnd);
        commands[0] = header;
        commands.insert(commands.end(), {0x1000'0002, kTo, 0, 5});
        return bench.run(commands) && bench.to[0] == 5;
    };
    for (std::uint32_t opcode = 0; opcode < 0x40; ++opcode) {
        const std::uint32_t header = opcode << 23;
        if (opcode == 0x0A || opcode == 0x31) continue;  // they end a batch, and begin one
        if (opcode < 0x10) {
            EXPECT_TRUE(passes(header, 1) && passes(header | 0xFF, 1)) << opcode;
            continue;
        }
        const unsigned most = opcode == 0x26 ? 0x3F : 0xFF;
        for (const unsigned length : {0u, 1u, 2u, 3u, 4u, 8u, 31u, 32u, most})
            EXPECT_TRUE(passes(header | length, length + 2)) << opcode << " " << length;
    }
    for (std::uint32_t opcode = 0; opcode < 0x80; ++opcode)
        for (const unsigned length : {0u, 4u, 5u, 6u, 7u, 8u, 9u, 0xFFu})
            EXPECT_TRUE(passes(2u << 29 | opcode << 22 | length, length + 2)) << opcode;
    for (const std::uint32_t kind : {0u, 2u, 3u})
        for (const unsigned length : {0u, 1u, 0x7FFu, 0x800u, 0xFFFu})
            EXPECT_TRUE(passes(3u << 29 | kind << 27 | length, length + 2)) << kind;
    EXPECT_TRUE(passes(3u << 29 | 1u << 27 | 0xFFF, 1));
}

// Each write of a single value, of each length: which bytes it takes, and that it leaves the next.
TEST_F(DrmCopyEngine, WritesHaveTheirBytesAndNoMore) {
    const std::uint32_t words[] = {0x1111'1111, 0x2222'2222};
    const auto after = [&](const std::vector<std::uint32_t>& command) {
        std::fill(to.begin(), to.end(), 0xEE);
        EXPECT_TRUE(run(command));
        std::vector<std::uint32_t> found;
        for (unsigned i = 0; i < 5; ++i)
            found.push_back(value<std::uint32_t>(to, 4 * i));
        return found;
    };
    using Found = std::vector<std::uint32_t>;
    constexpr std::uint32_t kNone = 0xEEEE'EEEE;
    // MI_STORE_DATA_IMM: bit 21 asks for a QWord, if there is one; bits 1:0 are no address.
    EXPECT_EQ(after({0x1000'0002, kTo + 4 + 3, 0, words[0]}),
              (Found{kNone, words[0], kNone, kNone, kNone}));
    EXPECT_EQ(after({0x1000'0003, kTo + 4, 0, words[0], words[1]}),
              (Found{kNone, words[0], kNone, kNone, kNone}));
    EXPECT_EQ(after({0x1020'0003, kTo + 4, 0, words[0], words[1]}),
              (Found{kNone, words[0], words[1], kNone, kNone}));
    EXPECT_EQ(after({0x1020'0002, kTo + 4, 0, words[0]}),
              (Found{kNone, words[0], kNone, kNone, kNone}));
    EXPECT_EQ(after({0x1000'0001, kTo + 4, 0}), (Found(5, kNone))) << "it has no value";
    // MI_FLUSH_DW: bits 15:14 0 nothing, 1 a value, 3 the time; bit 2 of the address is another
    // address space's. Bits 7, 8, 9 and 18 flush and notify; the rest have no name.
    constexpr std::uint32_t kRest = 0x005F'3F80;
    for (const std::uint32_t operation : {0u, 1u, 2u, 3u})
        for (const unsigned length : {1u, 2u, 3u})
            for (const std::uint32_t global : {0u, 4u}) {
                const std::uint32_t rest = kRest * ((operation + length) % 2);
                std::vector<std::uint32_t> command{0x1300'0000 | rest | operation << 14 | length,
                                                   std::uint32_t{kTo + 8} | global, 0, words[0],
                                                   words[1]};
                command.resize(length + 2);
                Found expected(5, kNone);
                if (length >= 2 && !global && operation == 1) expected[2] = words[0];
                if (length == 3 && !global && operation == 1) expected[3] = words[1];
                if (length >= 2 && !global && operation == 3) expected[2] = 4711, expected[3] = 0;
                EXPECT_EQ(after(command), expected) << operation << " " << length << " " << global;
            }
    // A register that is stored is zero, and only by the command of that length.
    EXPECT_EQ(after({0x1200'0002, 0x12868, kTo + 4 + 2, 0}),
              (Found{kNone, 0, kNone, kNone, kNone}));
    EXPECT_EQ(after({0x1200'0003, 0x12868, kTo + 4, 0, 0}), Found(5, kNone));
    EXPECT_EQ(after({0x1200'0001, 0x12868, kTo + 4}), Found(5, kNone));
}

// Addresses have 48 bits, and both halves count.
TEST_F(DrmCopyEngine, AddressesHaveFortyEightBits) {
    EXPECT_TRUE(run({0x1000'0002, kTo, 0xABCD'0000, 5, 0x1000'0002, kTo + 4, 1, 6}));
    EXPECT_EQ(value<std::uint32_t>(to, 0), 5u);
    EXPECT_EQ(value<std::uint32_t>(to, 4), 0xEEEE'EEEEu);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("0x102000004,"), std::string::npos) << said[0];
    EXPECT_TRUE(run({kFill, kRopFill | 64, 0, point(1, 1), kTo + 8, 0x1234'0000, 7}));
    EXPECT_EQ(to[8], 7);
    EXPECT_EQ(engine.run(0xABCD'0000'0000'0000 | kBatch), CopyEngine::End::Whole);
}

// The control register has a mask: what it does not name stays.
TEST_F(DrmCopyEngine, TheControlRegisterKeepsWhatIsNotNamed) {
    constexpr std::uint32_t kTiled = 1u << 11;
    const auto is_y = [&](const std::vector<std::uint32_t>& writes) {
        std::fill(to.begin(), to.end(), 0xEE);
        std::vector<std::uint32_t> commands{0x1100'0000 |
                                            static_cast<std::uint32_t>(writes.size() - 1)};
        commands.insert(commands.end(), writes.begin(), writes.end());
        commands.insert(commands.end(),
                        {kFill | kTiled, kRopFill | 512 / 4, point(0, 9), point(1, 10), kTo, 0, 7});
        EXPECT_TRUE(run(commands));
        EXPECT_EQ(to[in_tile_y(0, 9, 512)] == 7, to[in_tile_x(0, 9, 512)] != 7);
        return to[in_tile_y(0, 9, 512)] == 7;
    };
    EXPECT_FALSE(is_y({0x22200, 0x0002})) << "without the mask";
    EXPECT_TRUE(is_y({0x22200, 0x0002'0002}));
    EXPECT_TRUE(is_y({0x22200, 0x0001'0000})) << "the source's";
    EXPECT_TRUE(is_y({0x22204, 0x0002'0000})) << "another register";
    EXPECT_FALSE(is_y({0x22204, 0, 0x22200, 0x0002'0000})) << "the second of two";
    EXPECT_TRUE(is_y({0x22200, 0x0003'0003}));
}

TEST_F(DrmCopyEngine, ASecondLevelReturns) {
    batch.resize(4096);
    const std::uint32_t inner[] = {0x1000'0002, kTo, 0, 6, kEnd};
    std::memcpy(from.data(), inner, sizeof inner);
    // Bit 8, of the program's address space, is no part of the length.
    ASSERT_TRUE(run({0x18C0'0101, kFrom, 0, 0x1000'0002, kTo + 4, 0, 7}));
    EXPECT_EQ(value<std::uint64_t>(to, 0), std::uint64_t{7} << 32 | 6);
}

}  // namespace
}  // namespace gen9::drm
