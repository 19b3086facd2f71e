// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/capture_recorder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "common/bits.h"
#include "platform/host/address_space.h"
#include "platform/host/aub/aub_player.h"
#include "platform/host/graphics_memory.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::platform {
namespace {

using drm::test::SharedMemoryEngine;

constexpr std::uint64_t kPlace = 0x10'0000;  // physical

/// What the engines of a recording and of its replay compute: they add 1 to the second DWord of a
/// page for each submission.
void increment(test::FakeEngine& engine) {
    engine.put(kPlace + 4, engine.get<std::uint32_t>(kPlace + 4) + 1);
}

struct CaptureRecorderTest : testing::Test {
    std::string path = testing::TempDir() + "/" +
                       testing::UnitTest::GetInstance()->current_test_info()->name() + ".aub";
    std::vector<std::string> said;
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(4 * kPageBytes);
    std::uint32_t descriptor = 0;
    SharedMemoryEngine* engine = nullptr;
    std::unique_ptr<CaptureRecorder> recorder = record_to(path);

    ~CaptureRecorderTest() override { std::filesystem::remove(path); }

    std::unique_ptr<CaptureRecorder> record_to(const std::string& file) {
        auto made = std::make_unique<SharedMemoryEngine>();
        made->work = increment;
        engine = made.get();
        return std::make_unique<CaptureRecorder>(
            std::move(made), file, "a program",
            [this](const std::string& line) { said.push_back(line); });
    }
    void submit(CaptureRecorder& to) {
        for (unsigned i = 0; i < kWritesPerSubmission; ++i)
            to.write_register(kExeclistSubmitPort, descriptor);
        to.run();
    }
    void submit() { submit(*recorder); }
    void put(std::uint64_t offset, std::uint32_t value) { store(memory.data() + offset, value); }
    std::uint32_t get(std::uint64_t offset) { return load<std::uint32_t>(memory.data() + offset); }

    struct Replay {
        SharedMemoryEngine engine;
        std::uint64_t submissions = 0, checks = 0, mismatches = 0;
        std::uint32_t at(std::uint64_t address) { return engine.get<std::uint32_t>(address); }
    };
    std::unique_ptr<Replay> replay(const std::function<void(test::FakeEngine&)>& work) {
        auto result = std::make_unique<Replay>();
        result->engine.work = work;
        AubPlayer player(result->engine, [](const std::string&) {});
        AubFile file(path);
        player.play(file);
        EXPECT_EQ(player.unsupported(), 0u);
        result->submissions = player.submissions();
        result->checks = player.checks();
        result->mismatches = player.mismatches();
        return result;
    }
};

TEST_F(CaptureRecorderTest, SharedMemoryIsRecordedAsItIsAtEachSubmission) {
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    put(0, 10);
    submit();
    EXPECT_EQ(get(4), 1u);
    // What the program does next depends on what was computed.
    put(0, 10 + get(4));
    put(2 * kPageBytes, 99);
    submit();
    EXPECT_TRUE(recorder->finish());
    std::vector<std::uint32_t> seen;
    const auto played = replay([&](test::FakeEngine& on) {
        if (on.registers.contains(kExeclistSubmitPort))
            seen.push_back(on.get<std::uint32_t>(kPlace));
        increment(on);
        on.registers.clear();
    });
    ASSERT_GE(seen.size(), 2u);
    EXPECT_EQ(seen[0], 10u);
    EXPECT_EQ(played->submissions, 2u);
    EXPECT_EQ(played->at(kPlace), 11u);
    EXPECT_EQ(played->at(kPlace + 2 * kPageBytes), 99u);
}

TEST_F(CaptureRecorderTest, ResultsAreComparedAndWrongOnesFound) {
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    submit();
    submit();
    EXPECT_TRUE(recorder->finish());
    const auto right = replay([](test::FakeEngine& on) {
        if (on.registers.erase(kExeclistSubmitPort)) increment(on);
    });
    EXPECT_EQ(right->checks, 2u);
    EXPECT_EQ(right->mismatches, 0u);
    EXPECT_EQ(replay([](test::FakeEngine&) {})->mismatches, 2u);
}

TEST_F(CaptureRecorderTest, PagesThatOnlyTheProgramChangesAreNotCompared) {
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    engine->work = nullptr;
    put(0, 5);
    submit();
    EXPECT_TRUE(recorder->finish());
    EXPECT_EQ(replay({})->checks, 0u);
}

TEST_F(CaptureRecorderTest, MemoryOfTheGgttIsNotCompared) {
    recorder->write_gtt(3, kPlace | 1);
    recorder->write_memory(PhysAddr(kPlace), memory);
    put(0, 1);
    recorder->write_memory(PhysAddr(kPlace), memory);
    submit();
    EXPECT_TRUE(recorder->finish());
    const auto played = replay({});
    EXPECT_EQ(played->checks, 0u);
    EXPECT_EQ(played->engine.gtt[3], kPlace | 1);
    EXPECT_EQ(played->at(kPlace), 1u);
}

TEST_F(CaptureRecorderTest, WrittenMemoryIsComparedAfterASubmission) {
    put(0, 1);
    recorder->write_memory(PhysAddr(kPlace), memory);
    submit();
    EXPECT_TRUE(recorder->finish());
    EXPECT_EQ(replay({})->mismatches, 1u);
}

TEST_F(CaptureRecorderTest, TimesAreNotCompared) {
    // A context whose tables map PPGTT address 0x7000 to the program's memory.
    constexpr std::uint64_t kTables = 0x1000, kImage = 0x8000;
    for (unsigned level = 0; level < 3; ++level)
        engine->put(kTables + level * kPageBytes, (kTables + (level + 1) * kPageBytes) | 1);
    engine->put(kTables + 3 * kPageBytes + 7 * 8, kPlace | 1);
    for (unsigned page = 0; page < 2; ++page)
        recorder->write_gtt(16 + page, (kImage + page * kPageBytes) | 1);
    engine->put(kImage + ContextImage::kPdp0Low, static_cast<std::uint32_t>(kTables));
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    bool replaying = false;
    const auto work = [&](std::uint32_t time, std::uint32_t result) {
        return [=, this, &replaying](test::FakeEngine& on) {
            on.put(kPlace + 8, time);
            on.put(kPlace + 12, time);
            on.put(kPlace + 16, result);
            if (!replaying) recorder->wrote_time(false, GpuAddr(0x7008), 8);
        };
    };
    engine->work = work(1234, 5);
    descriptor = 16 * kPageBytes | 3 << 3 | 1;
    submit();
    EXPECT_TRUE(recorder->finish());
    replaying = true;
    EXPECT_EQ(replay(work(999, 5))->mismatches, 0u);
    EXPECT_EQ(replay(work(1234, 6))->mismatches, 1u);
    EXPECT_EQ(replay(work(1234, 5))->checks, 2u);
}

TEST_F(CaptureRecorderTest, MemoryThatOthersWriteIsRecordedButNotCompared) {
    constexpr std::uint64_t kOther = 2 * kPageBytes;
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    recorder->others_write(PhysAddr(kPlace + kOther), kPageBytes);
    bool replaying = false;
    std::vector<std::uint32_t> seen;
    // What the engine computes of it is compared.
    const auto work = [&](test::FakeEngine& on) {
        if (!on.registers.erase(kExeclistSubmitPort)) return;
        seen.push_back(on.get<std::uint32_t>(kPlace + kOther));
        on.put(kPlace, seen.back() + 1);
        if (!replaying) put(kOther, 30);  // meanwhile
    };
    engine->work = work;
    put(kOther, 20);
    submit();
    submit();
    EXPECT_TRUE(recorder->finish());
    const auto recorded = std::exchange(seen, {});
    EXPECT_EQ(recorded, (std::vector<std::uint32_t>{20, 30}));
    replaying = true;
    const auto played = replay(work);
    EXPECT_EQ(seen, recorded);
    EXPECT_EQ(played->checks, 2u);
    EXPECT_EQ(played->mismatches, 0u);
}

// The next memory there is the program's own.
TEST_F(CaptureRecorderTest, MemoryThatComesBackIsComparedAgain) {
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    recorder->others_write(PhysAddr(kPlace), memory.size());
    submit();
    recorder->detach_memory(PhysAddr(kPlace), memory.size());
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    submit();
    EXPECT_TRUE(recorder->finish());
    EXPECT_EQ(replay({})->checks, 1u);
}

TEST_F(CaptureRecorderTest, MemoryThatComesBackIsZero) {
    ASSERT_TRUE(recorder->attach_memory(PhysAddr(kPlace), memory));
    put(kPageBytes, 77);
    submit();
    recorder->detach_memory(PhysAddr(kPlace), memory.size());
    submit();
    EXPECT_TRUE(recorder->finish());
    EXPECT_EQ(replay({})->at(kPlace + kPageBytes), 0u);
}

TEST_F(CaptureRecorderTest, WithoutASubmissionThereIsNoFile) {
    recorder->write_memory(PhysAddr(kPlace), memory);
    EXPECT_TRUE(recorder->finish());
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(CaptureRecorderTest, AFullDiskEndsTheRecordingAndNotTheRun) {
    auto full = record_to("/dev/full");
    std::ranges::fill(memory, std::uint8_t{1});
    for (unsigned i = 0; i < 20; ++i) {
        ++memory[0];
        full->write_memory(PhysAddr(kPlace), memory);
        submit(*full);
    }
    EXPECT_FALSE(full->finish());
    EXPECT_EQ(engine->count("run"), 20u);
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("No space left"), std::string::npos) << said[0];
}

}  // namespace
}  // namespace gen9::platform
