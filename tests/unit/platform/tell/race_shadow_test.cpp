// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/races/race_shadow.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

using Kind = RaceShadow::Kind;

/// Threads 0 and 1 are of one group, 2 of another, each in a slot of its own; 3 follows 0 in its
/// slot, 4 is of another launch.
struct Shadow : RaceShadow {
    explicit Shadow(std::size_t most_bytes = kMostBytes) : RaceShadow(most_bytes) {
        begin_thread({.work = 1, .group = {0, 0, 0}, .number = 0, .slot = 0});
        begin_thread({.work = 1, .group = {0, 0, 0}, .number = 1, .slot = 1});
        begin_thread({.work = 1, .group = {1, 0, 0}, .number = 0, .slot = 2});
        begin_thread({.work = 1, .group = {2, 0, 0}, .number = 0, .slot = 0});
        begin_thread({.work = 2, .group = {0, 0, 0}, .number = 0, .slot = 3});
    }
    /// Races of an access with those before.
    std::size_t access(std::uint32_t thread, Kind kind, std::uint64_t address, unsigned bytes = 4,
                       bool slm = false) {
        return note({thread, thread, kind, slm, address, bytes}).size();
    }
};

constexpr std::uint64_t kPlace = 0x5000;

TEST(RaceShadow, TwoAccessesRaceIfOneIsAPlainWrite) {
    const Kind kinds[] = {Kind::Read, Kind::Write, Kind::Atomic};
    for (const Kind first : kinds)
        for (const Kind second : kinds) {
            Shadow shadow;
            EXPECT_EQ(shadow.access(0, first, kPlace), 0u);
            EXPECT_EQ(shadow.access(2, second, kPlace),
                      first == Kind::Write || second == Kind::Write ? 1u : 0u);
        }
}

TEST(RaceShadow, ABarrierOrdersThreadsOfAGroupAndNoOthers) {
    Shadow shadow;
    shadow.access(0, Kind::Write, kPlace);
    EXPECT_EQ(shadow.access(1, Kind::Read, kPlace), 1u);
    shadow.barrier(0);
    shadow.barrier(1);
    EXPECT_EQ(shadow.access(1, Kind::Read, kPlace), 0u);
    shadow.barrier(2);
    EXPECT_EQ(shadow.access(2, Kind::Read, kPlace), 1u);
}

TEST(RaceShadow, NothingRacesWithItselfItsSuccessorOrAnotherLaunch) {
    Shadow shadow;
    shadow.access(0, Kind::Write, kPlace);
    EXPECT_EQ(shadow.access(0, Kind::Write, kPlace), 0u);
    EXPECT_EQ(shadow.access(3, Kind::Write, kPlace), 0u) << "the next thread of the slot";
    EXPECT_EQ(shadow.access(4, Kind::Write, kPlace), 0u) << "another launch";
}

TEST(RaceShadow, LocalMemoryIsTheGroupsOwn) {
    Shadow shadow;
    shadow.access(0, Kind::Write, kPlace, 4, true);
    EXPECT_EQ(shadow.access(1, Kind::Write, kPlace), 0u) << "global memory";
    EXPECT_EQ(shadow.access(1, Kind::Read, kPlace, 4, true), 1u);
    EXPECT_EQ(shadow.access(2, Kind::Write, kPlace, 4, true), 0u) << "the next group's";
}

TEST(RaceShadow, BytesOfADwordArePlacesOfTheirOwn) {
    Shadow shadow;
    shadow.access(0, Kind::Write, kPlace, 4);
    EXPECT_EQ(shadow.access(2, Kind::Write, kPlace + 4, 2), 0u);
    EXPECT_EQ(shadow.access(1, Kind::Write, kPlace + 6, 2), 0u);
    EXPECT_EQ(shadow.access(1, Kind::Read, kPlace + 5, 1), 1u);
    EXPECT_EQ(shadow.access(2, Kind::Read, kPlace + 3, 1), 1u) << "known before bytes were";
}

TEST(RaceShadow, TwoReadersAreKeptOfDifferentGroups) {
    Shadow shadow;
    for (const std::uint32_t reader : {0u, 2u, 1u})
        shadow.access(reader, Kind::Read, kPlace);
    EXPECT_EQ(shadow.access(2, Kind::Write, kPlace), 1u);
    Shadow other;
    for (const std::uint32_t reader : {0u, 1u, 2u})
        other.access(reader, Kind::Read, kPlace);
    EXPECT_EQ(other.access(2, Kind::Write, kPlace), 1u);
}

TEST(RaceShadow, AnAccessMayCrossPages) {
    Shadow shadow;
    shadow.access(0, Kind::Write, kPlace - 8, 16);
    EXPECT_EQ(shadow.access(2, Kind::Read, kPlace - 4), 1u);
    EXPECT_EQ(shadow.access(2, Kind::Read, kPlace + 4), 1u);
    EXPECT_EQ(shadow.access(2, Kind::Read, kPlace + 8), 0u);
}

TEST(RaceShadow, WhatIsBeyondItsMemoryIsCounted) {
    Shadow shadow(100'000);
    shadow.access(0, Kind::Write, kPlace);
    EXPECT_EQ(shadow.unwatched(), 0u);
    for (std::uint64_t page = 1; page < 10; ++page)
        shadow.access(0, Kind::Write, kPlace + page * kPageBytes);
    EXPECT_GT(shadow.unwatched(), 0u);
    EXPECT_LE(shadow.bytes(), 100'000u);
    EXPECT_EQ(shadow.access(2, Kind::Read, kPlace), 1u);
    shadow.clear();
    EXPECT_EQ(shadow.bytes(), 0u);
}

}  // namespace
}  // namespace gen9::platform
