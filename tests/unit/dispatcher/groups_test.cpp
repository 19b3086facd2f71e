// SPDX-License-Identifier: Apache-2.0
// What a group is while it runs: its facts, its limits, its end, and how its threads are saved and
// come back.
#include <gtest/gtest.h>

#include <vector>

#include "dispatcher/core.h"
#include "tests/support/covers.h"

namespace gen9::dispatcher {
namespace {

constexpr ThreadTopology kGt2{};

/// A group of three threads in subslice 0, with a barrier and 4 KB.
ThreadRequest group_request() {
    ThreadRequest request;
    request.group = ThreadRequest::Group::Subslice;
    request.subslices = 1;
    request.barrier = true;
    request.slm_kilobytes = 4;
    request.group_threads = 3;
    request.group_id = {5, 6, 7};
    request.work = 9;
    return request;
}
/// Sends a thread of the group; its FFTID.
unsigned send(DispatcherCore& core, const ThreadRequest& request, OpenGroup& group, bool last,
              unsigned client = 0) {
    ThreadPlace place;
    EXPECT_EQ(core.take_slot(request, client, group, ~0u, place), SendState::Sending);
    core.sent(place.fftid(kGt2), group, last);
    return place.fftid(kGt2);
}

TEST(Groups, AGroupIsWhatItsRequestSays) {
    DispatcherCore core(kGt2, {});
    const ThreadRequest request = group_request();
    OpenGroup first, second;
    ASSERT_EQ(core.open(request, 0, first), SendState::Sending);
    ASSERT_EQ(core.open(request, 0, second), SendState::Sending);
    const Group& group = core.tracker()[second.index];
    EXPECT_EQ(group.threads, 3u);
    EXPECT_EQ(group.id, request.group_id);
    EXPECT_EQ(group.work, 9u);
    EXPECT_TRUE(group.has_barrier);
    EXPECT_EQ(group.barrier, 1);
    EXPECT_EQ(group.slm_kilobytes, 4u);
    EXPECT_EQ(group.slm_granule, 4);
    EXPECT_EQ(group.subslice, 0);
    // What a thread of it must bring back.
    SavedThread saved;
    core.describe(send(core, request, second, false), saved);
    EXPECT_EQ(saved.group, second.index);
    EXPECT_TRUE(saved.has_barrier);
    EXPECT_EQ(saved.barrier, 1);
    EXPECT_EQ(saved.slm_granule, 4);
    EXPECT_EQ(saved.slm_kilobytes, 4);
    EXPECT_EQ(saved.group_threads, 3u);
    // The same place for what comes next has nothing of it.
    ThreadRequest single;
    ASSERT_EQ(core.open(single, 0, second), SendState::Sending);
    EXPECT_EQ(second.index, kNoGroup);
    EXPECT_FALSE(second.bound || second.global || second.pooled);
    SavedThread alone;
    core.describe(send(core, single, second, true), alone);
    EXPECT_EQ(alone.group, kNoGroup);
    EXPECT_FALSE(alone.has_barrier);
}

TEST(Groups, OneThatGetsNoMoreEndsWithItsThreads) {
    GEN9_COVERS("TD-45");
    DispatcherCore core(kGt2, {});
    const ThreadRequest request = group_request();
    for (const bool ends_first : {false, true}) {
        OpenGroup group;
        ASSERT_EQ(core.open(request, 0, group), SendState::Sending);
        const unsigned thread = send(core, request, group, false);
        if (ends_first) {
            EXPECT_FALSE(core.end(0, group).barrier_freed) << "its thread runs";
            EXPECT_TRUE(core.retire(thread).barrier_freed);
        } else {
            EXPECT_FALSE(core.retire(thread).barrier_freed) << "others may come";
            const auto freed = core.end(0, group);
            EXPECT_TRUE(freed.barrier_freed);
            EXPECT_EQ(freed.subslices, 1u);
            EXPECT_EQ(freed.barrier, 0);
        }
        EXPECT_EQ(core.barriers(0).used() + core.slm(0).used_kilobytes(), 0u);
        EXPECT_EQ(core.tracker().active(0), 0u);
    }
    OpenGroup none;
    EXPECT_FALSE(core.end(0, none).barrier_freed);
}

TEST(Groups, ThoseWithSlmAreSavedWhereTheirsCanBe) {
    DispatcherCore core(kGt2, {});
    EXPECT_TRUE(core.can_save(0)) << "there is none";
    ThreadRequest request = group_request();
    OpenGroup group;
    ASSERT_EQ(core.open(request, 0, group), SendState::Sending);
    EXPECT_EQ(core.slm_subslices(), 1u);
    EXPECT_TRUE(core.can_save(0b001));
    EXPECT_FALSE(core.can_save(0b110));
    request.subslices = 4;
    ASSERT_EQ(core.open(request, 0, group), SendState::Sending);
    EXPECT_EQ(core.slm_subslices(), 0b101u);
    EXPECT_FALSE(core.can_save(0b001));
    EXPECT_TRUE(core.can_save(0b101));
}

TEST(Groups, OneThatComesBackHasWhatItHad) {
    SavedThread saved;
    saved.has_barrier = true;
    saved.barrier = 3;
    saved.slm_kilobytes = 8;
    saved.slm_granule = 16;
    saved.group_threads = 2;
    saved.group_id = {1, 2, 3};
    DispatcherCore core(kGt2, {.clients = 2});
    const GroupIndex index = core.begin_restored(1, saved, 11);
    ASSERT_NE(index, kNoGroup);
    const Group& group = core.tracker()[index];
    EXPECT_EQ(group.threads, 2u);
    EXPECT_EQ(group.id, saved.group_id);
    EXPECT_EQ(group.work, 11u);
    EXPECT_EQ(group.subslice, 1);
    EXPECT_EQ(group.barrier, 3);
    EXPECT_EQ(group.slm_granule, 16);
    EXPECT_EQ(core.barriers(1).used_ids(), 1u << 3);
    EXPECT_EQ(core.slm(1).used_kilobytes(), 8u);
    // Its barrier, or its part of SLM, is another's now.
    EXPECT_EQ(core.begin_restored(1, saved, 11), kNoGroup);
    SavedThread other = saved;
    other.barrier = 4;
    EXPECT_EQ(core.begin_restored(1, other, 11), kNoGroup);
    other.barrier = 3, other.slm_granule = 24;
    EXPECT_EQ(core.begin_restored(1, other, 11), kNoGroup);
    EXPECT_EQ(core.slm(1).used_kilobytes(), 8u) << "nothing is taken of what cannot be";
    EXPECT_NE(core.begin_restored(2, saved, 11), kNoGroup);
    // Its threads count for their client, and the group ends with them.
    ThreadRequest request;
    core.take_restored(request, 1, {1, 0, 0}, index, 0);
    core.take_restored(request, 1, {1, 0, 1}, index, 0);
    EXPECT_EQ(core.live(1), 2u);
    EXPECT_EQ(core.live(0), 0u);
    EXPECT_FALSE(core.retire(ThreadPlace{1, 0, 0}.fftid(kGt2)).barrier_freed);
    EXPECT_TRUE(core.retire(ThreadPlace{1, 0, 1}.fftid(kGt2)).barrier_freed);
    EXPECT_EQ(core.live(1), 0u);
    DispatcherCore full(kGt2, {.groups_per_subslice = 1});
    EXPECT_NE(full.begin_restored(1, saved, 11), kNoGroup);
    other.slm_granule = 32, other.barrier = 9;
    EXPECT_EQ(full.begin_restored(1, other, 11), kNoGroup) << "no counter is left";
}

// A client's own limit, of every kind of group, though there is room.
TEST(Groups, NoneBeginsAboveItsClientsLimit) {
    using Kind = ThreadRequest::Group;
    for (const Kind kind : {Kind::Subslice, Kind::Machine, Kind::Pool}) {
        SCOPED_TRACE(static_cast<unsigned>(kind));
        DispatcherCore core({1, 3, 6, 6, 2}, {});
        ThreadRequest request = group_request();
        request.group = kind;
        request.subslices = 7;
        request.slm_kilobytes = 0;
        request.pools = {true, {0, 0b111000, 0b111111}};
        OpenGroup group;
        request.max_threads = 2;
        if (kind != Kind::Machine) {
            EXPECT_EQ(core.room_for(request, 0), SendState::WaitSlot);
        }
        EXPECT_EQ(core.open(request, 0, group), SendState::WaitSlot);
        request.max_threads = 3;
        EXPECT_EQ(core.room_for(request, 0), SendState::Sending);
        EXPECT_EQ(core.open(request, 0, group), SendState::Sending);
    }
}

TEST(Groups, WithoutAnyFreeSlotAGroupWaitsForOne) {
    DispatcherCore core({1, 1, 1, 2}, {});
    ThreadRequest single, group = group_request();
    group.group_threads = 1;
    OpenGroup none;
    ThreadPlace place;
    for (unsigned n = 0; n < 2; ++n) {
        EXPECT_EQ(core.room_for(group, 0), SendState::Sending);
        ASSERT_EQ(core.take_slot(single, 0, none, ~0u, place), SendState::Sending);
    }
    EXPECT_EQ(core.room_for(group, 0), SendState::WaitSlot);
    EXPECT_EQ(core.room_for(single, 0), SendState::WaitSlot);
}

// Seven of eight slots have an EU's registers: the last waits for those.
TEST(Groups, AThreadWaitsForRegistersWhereASlotIsFree) {
    DispatcherCore core({1, 1, 1, 8}, {.registers = 7 * 128});
    ThreadRequest request;
    request.registers = 128;
    OpenGroup none;
    ThreadPlace place;
    for (unsigned n = 0; n < 7; ++n)
        ASSERT_EQ(core.take_slot(request, 0, none, ~0u, place), SendState::Sending);
    EXPECT_EQ(core.room_for(request, 0), SendState::WaitRegisters);
    EXPECT_EQ(core.take_slot(request, 0, none, ~0u, place), SendState::WaitRegisters);
}

TEST(Groups, AThreadWithoutOneGoesToAnySubslice) {
    DispatcherCore core(kGt2, {});
    const ThreadRequest request;
    std::uint32_t subslices = 0;
    for (unsigned n = 0; n < 3; ++n) {
        OpenGroup none;
        ThreadPlace place;
        ASSERT_EQ(core.take_slot(request, 0, none, ~0u, place), SendState::Sending);
        subslices |= 1u << place.subslice;
    }
    EXPECT_EQ(subslices, 7u);
}

// The EU with the most free slots, and of those in turn.
TEST(Groups, AThreadGoesToTheEuWithTheFewestThreads) {
    constexpr ThreadTopology kTwoEus{1, 1, 2, 7};
    DispatcherCore core(kTwoEus, {});
    ThreadRequest request;
    OpenGroup none;
    std::vector<ThreadPlace> places(4);
    for (ThreadPlace& place : places)
        ASSERT_EQ(core.take_slot(request, 0, none, ~0u, place), SendState::Sending);
    for (const ThreadPlace& place : places)
        if (place.eu == places[0].eu) core.retire(place.fftid(kTwoEus));
    ThreadPlace place;
    for (unsigned n = 0; n < 2; ++n) {
        ASSERT_EQ(core.take_slot(request, 0, none, ~0u, place), SendState::Sending);
        EXPECT_EQ(place.eu, places[0].eu) << "the other has two";
    }
}

}  // namespace
}  // namespace gen9::dispatcher
