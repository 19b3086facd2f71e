// SPDX-License-Identifier: Apache-2.0
#include "dispatcher/global_barriers.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/dispatcher/walk_placer.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::dispatcher::test {
namespace {

TEST(GlobalBarriers, ARoundIsCompleteWhenEachGatewayHasReported) {
    GEN9_COVERS("TD-52");
    GlobalBarriers barriers;
    barriers.begin(7, {10, 0, 20, 1});
    for (unsigned round = 0; round < 3; ++round) {
        EXPECT_EQ(barriers.report(7, 2), nullptr);
        EXPECT_EQ(barriers.report(7, 0), nullptr);
        EXPECT_EQ(barriers.report(7, 2), nullptr) << "it counts once";
        const auto* complete = barriers.report(7, 3);
        ASSERT_NE(complete, nullptr);
        EXPECT_EQ(complete->subslices, 0b1101u);
        EXPECT_EQ(complete->shares[2], 20);
    }
    EXPECT_EQ(barriers.report(7, 1), nullptr) << "it has no share";
    EXPECT_EQ(barriers.report(6, 0), nullptr);
}

// A gateway may report it when its group has ended.
// There was a third share, of a machine with more subslices.
TEST(GlobalBarriers, TheSharesEndWithTheirSubslices) {
    std::vector<std::uint16_t> shares{4, 0, 7};
    shares.resize(2);
    GlobalBarriers barriers;
    barriers.begin(3, shares);
    EXPECT_FALSE(barriers.known(3, 1));
    EXPECT_FALSE(barriers.known(3, 2));
    EXPECT_NE(barriers.report(3, 0), nullptr) << "the only one that takes part";
}

TEST(GlobalBarriers, OneThatWasGivenUpHasNoRound) {
    GlobalBarriers barriers;
    barriers.begin(3, {1});
    EXPECT_TRUE(barriers.end(3, 0));
    EXPECT_EQ(barriers.report(3, 0), nullptr);
}

TEST(GlobalBarriers, OneIdServesTwoGroupsInDifferentSubslices) {
    GEN9_COVERS("TD-50 TD-52");
    GlobalBarriers barriers;
    barriers.begin(0, {1, 1, 0, 0});
    barriers.begin(0, {0, 0, 1, 1});
    EXPECT_EQ(barriers.report(0, 0), nullptr);
    EXPECT_EQ(barriers.report(0, 2), nullptr);
    ASSERT_NE(barriers.report(0, 1), nullptr);
    EXPECT_TRUE(barriers.known(0, 1));
    EXPECT_TRUE(barriers.end(0, 1));
    EXPECT_FALSE(barriers.known(0, 1));
    EXPECT_FALSE(barriers.end(0, 1));
    ASSERT_NE(barriers.report(0, 3), nullptr);
}

struct SharedSent {
    ThreadPlace place;
    unsigned barrier;
};
std::vector<SharedSent> send_all(WalkPlacer& d, const ThreadTopology& topology, SendState& why) {
    std::vector<SharedSent> sent;
    auto thread = std::make_unique<ThreadDispatch>();
    for (why = SendState::Sending; d.walking() && why == SendState::Sending;) {
        if (!d.group_open()) why = d.open_group();
        ThreadPlace place;
        if (why == SendState::Sending) why = d.take_slot(~0u, place);
        if (why != SendState::Sending) break;
        d.make_next(place, *thread);
        EXPECT_EQ(thread->sideband.fftid, place.fftid(topology));
        sent.push_back({place, d.barrier()});
    }
    return sent;
}

Walk media_walk(const DescriptorFields& descriptor, int threads) {
    Walk walk;
    walk.descriptor = decode_descriptor(make_descriptor(descriptor));
    walk.vfe.max_threads = 504;
    walk.state = make_state();
    const auto c = [&] {
        MediaWalkerFields f = raster(threads, 1);
        f.loop_select = 2;
        return media_walker_command(walk.state, f);
    }();
    walk.media = decode_media_object(MediaCommand::ObjectWalker, {c.dwords.data(), 17});
    walk.media_walker = decode_media_walker({c.dwords.data(), 17});
    return walk;
}

TEST(GlobalBarriers, AnIdMustBeFreeInAllSubslicesThatTakePart) {
    GEN9_COVERS("TD-50");
    constexpr ThreadTopology kTwo{1, 2, 8, 7};
    WalkPlacer d(kTwo, {.groups_per_subslice = 32});
    Walk local;
    local.descriptor = decode_descriptor(make_descriptor({.group_threads = 1, .barrier = true}));
    local.walker.dimensions = {64, 1, 1};
    local.vfe.max_threads = 504;
    local.state = make_state();
    d.begin(local);
    SendState why;
    const auto locals = send_all(d, kTwo, why);
    ASSERT_EQ(locals.size(), 64u) << "all 32 ids of both subslices";
    const auto retire = [&](unsigned subslice, unsigned barrier) {
        for (const SharedSent& s : locals)
            if (s.place.subslice == subslice && s.barrier == barrier) d.retire(s.place.fftid(kTwo));
    };
    const Walk walk =
        media_walk({.group_threads = 40, .barrier = true, .global_barrier = true}, 40);
    d.begin(walk);
    retire(0, 5);
    retire(1, 9);
    EXPECT_TRUE(send_all(d, kTwo, why).empty());
    EXPECT_EQ(why, SendState::WaitBarrier) << "5 is free in one, 9 in the other";
    retire(1, 5);
    const auto sent = send_all(d, kTwo, why);
    ASSERT_EQ(sent.size(), 40u);
    std::array<unsigned, 2> threads{};
    for (const SharedSent& s : sent) {
        EXPECT_EQ(s.barrier, 5u);
        ++threads[s.place.subslice];
    }
    EXPECT_EQ(threads[1], 26u) << "the one with more room is filled first: 56 - 30";
    EXPECT_EQ(threads[0], 14u);
}

TEST(GlobalBarriers, WithSharedLocalMemoryAGroupStaysInItsSubslice) {
    GEN9_COVERS("TD-49");
    constexpr ThreadTopology kThree{};
    WalkPlacer d(kThree, {});
    const Walk walk = media_walk(
        {.group_threads = 57, .slm_code = 1, .barrier = true, .global_barrier = true}, 57);
    EXPECT_FALSE(walk.global_barrier());
    EXPECT_TRUE(walk.bound_to_subslice());
    d.begin(walk);
    SendState why;
    EXPECT_TRUE(send_all(d, kThree, why).empty());
    EXPECT_EQ(why, SendState::WaitSlot) << "57 threads do not fit";
}

}  // namespace
}  // namespace gen9::dispatcher::test
