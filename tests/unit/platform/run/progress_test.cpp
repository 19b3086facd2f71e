// SPDX-License-Identifier: Apache-2.0
#include "platform/run/progress.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

struct SpawnerCounts : StatSet {
    SpawnerCounts() : StatSet("gpu.spawner") {}
    Counter groups{*this, "groups", "groups", ""};
    Counter threads{*this, "threads", "threads", ""};
    Counter threads_retired{*this, "threads_retired", "threads", ""};
};

WorkRecord walker_of(std::uint32_t number) {
    WorkRecord work;
    work.number = number;
    work.kernel_start = GpuAddr(0x12c0);
    work.simd_width = 16;
    work.groups = {64, 8, 2};
    return work;
}

TEST(Progress, LineNamesLaunchGroupsCyclesSpeedAndWhatIsLeft) {
    Progress progress{.cycles = 3'000'000, .seconds = 10, .launch = {}};
    progress.launch = {walker_of(3), "", 256, 128, 4};
    // The last 128 of the 256 groups took 4 s: the other 768 take 24.
    const std::string rest = ", 256 of 1024 groups, 3.00 Mcycles, 300 kcycles/s, 24 s left";
    EXPECT_EQ(to_text(progress), "launch 3, 0x12c0" + rest);
    progress.launch->kernel = "mm";
    EXPECT_EQ(to_text(progress), "launch 3, mm" + rest);
}

TEST(Progress, LineFitsTheTerminalAndLosesTheEndOfTheNameFirst) {
    Progress progress{.cycles = 3'000'000, .seconds = 10, .launch = {}};
    progress.launch = {walker_of(3), "a_kernel_of_a_long_name", 256, 128, 4};
    const std::string rest = ", 256 of 1024 groups, 3.00 Mcycles, 300 kcycles/s, 24 s left";
    const std::string whole = to_text(progress);
    EXPECT_EQ(whole, "launch 3, a_kernel_of_a_long_name" + rest);
    EXPECT_EQ(to_text(progress, whole.size()), whole);
    EXPECT_EQ(to_text(progress, whole.size() - 1), "launch 3, a_kernel_of_a_long_n.." + rest);
    EXPECT_EQ(to_text(progress, 40), "launch 3, a_kern.., 256 of 1024 groups..");
    EXPECT_LE(to_text(progress, 1).size(), 2u);
}

TEST(Progress, TimeLeftIsInSecondsMinutesOrHours) {
    Progress progress{.cycles = 1, .seconds = 1, .launch = {}};
    const auto left = [&](double seconds) {
        progress.launch = {walker_of(0), "k", 512, 512, seconds};
        const std::string text = to_text(progress);
        return text.substr(text.rfind(", ") + 2);
    };
    EXPECT_EQ(left(179), "179 s left");
    EXPECT_EQ(left(180), "3 min left");
    EXPECT_EQ(left(10'799), "180 min left");
    EXPECT_EQ(left(10'800), "3 h left");
}

TEST(Progress, NumbersHaveThreeDigits) {
    EXPECT_EQ(with_unit(999, "x"), "999 x");
    EXPECT_EQ(with_unit(1234, "x"), "1.23 kx");
    EXPECT_EQ(with_unit(12345, "x"), "12.3 kx");
    EXPECT_EQ(with_unit(123456, "x"), "123 kx");
}

TEST(Progress, NothingIsSaidOfTheEndBeforeAGroupIsDone) {
    Progress progress{.cycles = 500, .seconds = 1, .launch = {}};
    progress.launch = {walker_of(0), "", 0, 0, 1};
    EXPECT_EQ(to_text(progress), "launch 0, 0x12c0, 0 of 1024 groups, 500 cycles, 500 cycles/s");
}

TEST(Progress, FunctionalModeSpeaksOfInstructions) {
    EXPECT_EQ(
        to_text(
            {.timed = false, .cycles = 7, .instructions = 2'000'000, .seconds = 4, .launch = {}}),
        "2.00 MEU instructions, 500 kEU instructions/s");
}

TEST(LaunchProgress, GroupsOfTheLaunchThatBeganLastAreCountedFromItsBeginning) {
    SpawnerCounts spawner;
    StatRegistry stats;
    stats.add(spawner);
    LaunchProgress progress(stats);
    EXPECT_FALSE(progress.at(1));
    // An earlier launch had 10 groups of 4 threads.
    spawner.groups += 10;
    spawner.threads += 40;
    spawner.threads_retired += 40;
    progress.work_began(walker_of(1));
    spawner.groups += 6;
    spawner.threads += 24;
    spawner.threads_retired += 11;
    const auto launch = progress.at(5);
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->work.number, 1u);
    EXPECT_EQ(launch->groups_done, 2u);
    EXPECT_EQ(launch->seconds, 0);
    spawner.threads_retired += 8;
    EXPECT_EQ(progress.at(9)->seconds, 4);
    EXPECT_EQ(progress.at(9)->groups_timed, 2u);
    progress.work_ended(walker_of(0));
    EXPECT_TRUE(progress.at(9));
    progress.work_ended(walker_of(1));
    EXPECT_FALSE(progress.at(9));
}

}  // namespace
}  // namespace gen9::platform
