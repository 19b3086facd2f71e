// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/urb_handles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace gen9 {
namespace {

TEST(UrbHandles, TheOneFreeForLongestIsGivenNext) {
    UrbHandles handles;
    handles.partition(0, {0, 1, 3});
    EXPECT_EQ(handles.allocate(0), 0u);
    EXPECT_EQ(handles.allocate(0), 1u);
    handles.release(0, 0, Cycles(50));
    handles.release(0, 1, Cycles(40));
    EXPECT_EQ(handles.next_return(0), Cycles(40));
    handles.collect(0, Cycles(39));
    EXPECT_EQ(handles.free(0), 1u);
    handles.collect(0, Cycles(50));
    EXPECT_FALSE(handles.returning(0));
    EXPECT_EQ(handles.allocate(0), 2u);
    EXPECT_EQ(handles.allocate(0), 1u);
    EXPECT_EQ(handles.allocate(0), 0u);
    EXPECT_THROW(handles.allocate(0), InternalError);
    handles.release(0, 2, Cycles(60));
    handles.release(0, 1, Cycles(60));
    handles.release(0, 0, Cycles(60));
    EXPECT_THROW(handles.release(0, 0, Cycles(60)), InternalError);
}

// The earliest first, of one cycle the least entry; many come back in one cycle, or few in several.
TEST(UrbHandles, EntriesAreFreeInTheOrderInWhichTheyCameBack) {
    std::mt19937 random(5);
    for (const unsigned entries : {1u, 64u, 65u, 300u}) {
        UrbHandles handles;
        handles.partition(0, {0, 1, entries});
        std::deque<unsigned> free(entries);
        std::iota(free.begin(), free.end(), 0u);
        std::set<std::pair<std::uint64_t, unsigned>> returning;
        std::vector<unsigned> out;
        std::uint64_t now = 0;
        for (unsigned n = 0; n < 4000; ++n) {
            for (unsigned given = random() % 50; given != 0 && !free.empty(); --given) {
                ASSERT_EQ(handles.allocate(0), free.front());
                out.push_back(free.front());
                free.pop_front();
            }
            std::ranges::shuffle(out, random);
            const unsigned spread = random() % 2 ? 1 : 4;
            for (unsigned back = random() % 50; back != 0 && !out.empty(); --back) {
                const std::uint64_t at = now + random() % spread;
                handles.release(0, out.back(), Cycles(at));
                returning.emplace(at, out.back());
                out.pop_back();
            }
            if (!returning.empty()) {
                ASSERT_EQ(handles.next_return(0), Cycles(returning.begin()->first));
            }
            now += random() % 3;
            handles.collect(0, Cycles(now));
            while (!returning.empty() && returning.begin()->first <= now) {
                free.push_back(returning.begin()->second);
                returning.erase(returning.begin());
            }
            ASSERT_EQ(handles.free(0), free.size());
            ASSERT_EQ(handles.returning(0), !returning.empty());
        }
    }
}

TEST(UrbHandles, EachOwnerHasItsOwn) {
    UrbHandles handles(2);
    handles.partition(0, {64, 2, 1});
    handles.partition(1, {66, 4, 2});
    EXPECT_EQ(handles.allocate(0), 0u);
    EXPECT_EQ(handles.free(0), 0u);
    EXPECT_EQ(handles.free(1), 2u);
    handles.allocate(1);
    EXPECT_EQ(handles.row(1, handles.allocate(1)), 70u);
}

// What the old handles name may still be read.
TEST(UrbHandles, ANewPartitionWaitsForAllHandlesOfTheOldOne) {
    UrbHandles handles(2);
    handles.partition(0, {0, 1, 4});
    handles.partition(1, {4, 1, 1});
    handles.allocate(0);
    handles.allocate(0);
    handles.partition(0, {0, 2, 2});
    EXPECT_TRUE(handles.fenced(0));
    EXPECT_EQ(handles.free(0), 0u) << "two entries of the old one are free, and not given";
    EXPECT_THROW(handles.allocate(0), InternalError);
    EXPECT_EQ(handles.free(1), 1u) << "the fence is the owner's";
    handles.release(0, 0, Cycles(10));
    handles.release(0, 1, Cycles(20));
    handles.collect(0, Cycles(19));
    EXPECT_TRUE(handles.fenced(0));
    handles.collect(0, Cycles(20));
    EXPECT_FALSE(handles.fenced(0));
    EXPECT_EQ(handles.free(0), 2u);
    EXPECT_EQ(handles.row(0, 1), 2u);
}

// MED-12: 003:17939.
TEST(UrbHandles, OfAResetOwnerAreAllFree) {
    UrbHandles handles;
    handles.partition(0, {0, 1, 2});
    handles.allocate(0);
    handles.release(0, 0, Cycles(10));
    handles.reset(0);
    EXPECT_EQ(handles.free(0), 2u);
    handles.collect(0, Cycles(10));
    EXPECT_EQ(handles.free(0), 2u);
    EXPECT_EQ(handles.allocate(0), 0u);
}

}  // namespace
}  // namespace gen9
