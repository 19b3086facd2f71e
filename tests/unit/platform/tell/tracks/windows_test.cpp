// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/tracks/windows.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

using Pieces = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

Pieces shown(const Windows& windows, std::uint64_t from, std::uint64_t to) {
    Pieces pieces;
    windows.clip(from, to, [&](auto begin, auto end) { pieces.emplace_back(begin, end); });
    return pieces;
}

WorkRecord walker_of(std::uint32_t number, std::uint64_t start) {
    WorkRecord work;
    work.number = number;
    work.kernel_start = GpuAddr(start);
    return work;
}

TEST(Windows, CyclesFromTheFirstToBeforeTheLastAreShown) {
    const TrackOptions options{.path = "", .from = 10, .to = 20, .kernels = {}};
    const Windows windows(options);
    EXPECT_FALSE(windows.shows(9));
    EXPECT_TRUE(windows.shows(10));
    EXPECT_TRUE(windows.shows(19));
    EXPECT_FALSE(windows.shows(20));
    EXPECT_EQ(shown(windows, 5, 12), (Pieces{{10, 12}}));
    EXPECT_EQ(shown(windows, 12, 12), Pieces{});
}

TEST(Windows, ChosenLaunchesAreShownThoughTheyAreAskedOfAfterwards) {
    const TrackOptions options{.path = "", .from = 0, .to = 1000, .kernels = {"1", "0xc0"}};
    Windows windows(options);
    EXPECT_EQ(shown(windows, 0, 1000), Pieces{});
    windows.began(walker_of(0, 0x80), 10);
    windows.ended(walker_of(0, 0x80), 20);
    windows.began(walker_of(1, 0x80), 30);
    windows.began(walker_of(2, 0xc0), 35);  // both run: one window
    windows.ended(walker_of(1, 0x80), 40);
    windows.ended(walker_of(2, 0xc0), 50);
    windows.began(walker_of(3, 0xc0), 60);
    EXPECT_EQ(shown(windows, 0, 100), (Pieces{{30, 50}, {60, 100}}));
    EXPECT_EQ(shown(windows, 45, 48), (Pieces{{45, 48}}));
    EXPECT_EQ(shown(windows, 50, 60), Pieces{});
}

TEST(Windows, ALaunchAfterTheLastCycleIsNotShown) {
    const TrackOptions options{.path = "", .from = 0, .to = 50, .kernels = {"1"}};
    Windows windows(options);
    windows.began(walker_of(1, 0), 60);
    windows.ended(walker_of(1, 0), 70);
    EXPECT_EQ(shown(windows, 0, 100), Pieces{});
}

}  // namespace
}  // namespace gen9::platform
