// SPDX-License-Identifier: Apache-2.0
#include "media/walk/pools.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "tests/support/covers.h"
#include "tests/unit/dispatcher/walk_placer.h"
#include "tests/unit/media/commands.h"

namespace gen9::dispatcher::test {
namespace {

constexpr ThreadTopology kBroxton{1, 3, 6, 6, 2};

constexpr std::uint32_t kNineEach = 0x00777000, kSubslice0Apart = 0x00777700;

Walk barrier_walk(unsigned group_threads, std::uint32_t groups, unsigned slm_code = 0,
                  std::uint32_t map = kNineEach, bool barrier = true) {
    const PipelineCommand command = pool_command(make_state(), map);
    Walk walk;
    walk.descriptor = decode_descriptor(make_descriptor(
        {.group_threads = group_threads, .slm_code = slm_code, .barrier = barrier}));
    walk.walker.thread_max = {static_cast<std::uint8_t>(group_threads - 1), 0, 0};
    walk.walker.dimensions = {groups, 1, 1};
    walk.vfe.max_threads = 108;
    walk.state = command.state;
    walk.pools = decode_pools({command.dwords.data(), 6});
    return walk;
}

struct PooledSent {
    ThreadPlace place;
    unsigned group, barrier;
    unsigned slm;  ///< the subslice whose SLM it reaches
    std::uint32_t slm_base;
};
std::vector<PooledSent> send_pooled(WalkPlacer& d, SendState& why) {
    std::vector<PooledSent> sent;
    auto thread = std::make_unique<ThreadDispatch>();
    for (why = SendState::Sending; d.walking();) {
        if (!d.group_open()) why = d.open_group();
        ThreadPlace place;
        if (why == SendState::Sending) why = d.take_slot(~0u, place);
        if (why != SendState::Sending) break;
        d.make_next(place, *thread);
        const ThreadSideband& side = thread->sideband;
        sent.push_back({place, thread->gpgpu.group_id[0], d.barrier(),
                        (place.subslice + side.slm_base / 0x10000) % 3u, side.slm_base % 0x10000});
    }
    return sent;
}

/// In the map of three subslices: 0 has six EUs of the first pool, 1 has three of each, 2 has six
/// of the second.
unsigned pool_of(const ThreadPlace& place) {
    return place.subslice * 6u + place.eu < 9 ? 0 : 1;
}

TEST(Pools, TheMapHasAByteForEachSubslice) {
    GEN9_COVERS("POOL-03");
    const PipelineCommand command = pool_command(make_state(), 0x00777000);
    const EuPools pools = decode_pools({command.dwords.data(), 6});
    EXPECT_TRUE(pools.enabled);
    EXPECT_EQ(pools.eus(0, 0), 0b111111u);
    EXPECT_EQ(pools.eus(1, 0), 0u);
    EXPECT_EQ(pools.eus(0, 1), 0b000111u);
    EXPECT_EQ(pools.eus(1, 1), 0b111000u);
    EXPECT_EQ(pools.eus(0, 2), 0u);
    EXPECT_EQ(pools.eus(1, 2), 0b111111u);
    EXPECT_EQ(most_threads(pools, kBroxton, 7, 6), 54u);
    EXPECT_FALSE(decode_pools(make_command(0x70050004, 6, {}).dwords).enabled);
}

TEST(Pools, ExistWhereSubslicesHaveSixEus) {
    GEN9_COVERS("POOL-03");
    FrontEnd broxton(kBroxton, 4096), skylake({}, 4096);
    Memory memory;
    const auto on = pool_command(make_state()), off = make_command(0x70050004, 6, make_state());
    EXPECT_FALSE(broxton.execute(on, memory));
    EXPECT_TRUE(broxton.pools().enabled);
    EXPECT_FALSE(broxton.execute(off, memory));
    EXPECT_FALSE(broxton.pools().enabled);
    EXPECT_TRUE(skylake.execute(on, memory));
    EXPECT_FALSE(skylake.pools().enabled);
    EXPECT_FALSE(skylake.execute(off, memory));
    // Where each subslice has an SLM of its own, a pool's groups could share none.
    FrontEnd apart({1, 3, 6, 6}, 4096);
    ASSERT_TRUE(apart.execute(on, memory));
    EXPECT_FALSE(apart.pools().enabled);
}

TEST(Pools, AGroupRunsInOnePoolOfNineEus) {
    GEN9_COVERS("POOL-01 POOL-02");
    WalkPlacer d(kBroxton, {});
    const Walk walk = barrier_walk(54, 3);
    d.begin(walk);
    SendState why;
    const auto sent = send_pooled(d, why);
    ASSERT_EQ(sent.size(), 108u) << "both pools are full";
    EXPECT_EQ(why, SendState::WaitSlot);
    std::set<unsigned> pools;
    for (unsigned first : {0u, 54u}) {
        std::set<unsigned> subslices;
        for (unsigned i = first; i < first + 54; ++i) {
            EXPECT_EQ(sent[i].group, first / 54);
            EXPECT_EQ(pool_of(sent[i].place), pool_of(sent[first].place));
            EXPECT_EQ(sent[i].barrier, sent[first].barrier);
            subslices.insert(sent[i].place.subslice);
        }
        EXPECT_EQ(subslices.size(), 2u);
        pools.insert(pool_of(sent[first].place));
    }
    EXPECT_EQ(pools.size(), 2u);
    // The third waits for a whole pool.
    for (unsigned i = 0; i < 53; ++i)
        EXPECT_FALSE(d.retire(sent[i].place.fftid(kBroxton)).barrier_freed);
    EXPECT_TRUE(send_pooled(d, why).empty());
    const auto freed = d.retire(sent[53].place.fftid(kBroxton));
    EXPECT_TRUE(freed.barrier_freed);
    EXPECT_EQ(std::popcount(freed.subslices), 2);
    EXPECT_EQ(send_pooled(d, why).size(), 54u);
}

TEST(Pools, ABarriersIdIsFreeInAllSubslicesOfTheGroup) {
    GEN9_COVERS("POOL-08");
    WalkPlacer d(kBroxton, {.groups_per_subslice = 32});
    const Walk walk = barrier_walk(20, 5);
    d.begin(walk);
    SendState why;
    const auto sent = send_pooled(d, why);
    ASSERT_EQ(sent.size(), 80u) << "two groups of 20 fit in 54 slots";
    std::map<std::pair<unsigned, unsigned>, unsigned> group_at;  // subslice, barrier
    for (const PooledSent& s : sent) {
        const auto [at, first] =
            group_at.emplace(std::pair(unsigned{s.place.subslice}, s.barrier), s.group);
        EXPECT_EQ(at->second, s.group) << "one barrier of a gateway has one group";
    }
}

TEST(Pools, AllThreadsOfAPoolAreALimit) {
    GEN9_COVERS("POOL-02 POOL-07 TD-07");
    const auto refused = [](unsigned threads, bool pooled, unsigned slm) {
        FrontEnd front_end(kBroxton, 4096);
        Memory memory;
        const auto state = make_state();
        memory.put(0, {.group_threads = threads, .slm_code = slm, .barrier = true});
        EXPECT_FALSE(front_end.execute(vfe_command(state, {.threads = 108}), memory));
        if (pooled) {
            EXPECT_FALSE(front_end.execute(pool_command(state), memory));
        }
        EXPECT_FALSE(front_end.execute(idd_load(state), memory));
        Walk walk;
        return front_end.prepare(walker_command(state, {.threads = {threads, 1, 1}}), memory, walk);
    };
    EXPECT_FALSE(refused(54, true, 0));
    ASSERT_TRUE(refused(55, true, 0));
    EXPECT_TRUE(refused(55, true, 0)->id.empty());
    EXPECT_TRUE(refused(37, false, 0));
    EXPECT_FALSE(refused(54, true, 1));
    ASSERT_TRUE(refused(55, true, 1));
    EXPECT_TRUE(refused(55, true, 1)->id.empty());
    EXPECT_TRUE(refused(37, false, 1));
}

TEST(Pools, AllThreadsOfAGroupReachThePoolsSlm) {
    GEN9_COVERS("POOL-10 POOL-01");
    WalkPlacer d(kBroxton, {});
    const Walk walk = barrier_walk(54, 3, 7);  // 64 KB
    d.begin(walk);
    SendState why;
    const auto sent = send_pooled(d, why);
    ASSERT_EQ(sent.size(), 108u);
    for (const PooledSent& s : sent) {
        EXPECT_EQ(s.slm, pool_of(s.place)) << "each pool has one of the two";
        EXPECT_EQ(s.slm_base, 0u);
    }
    EXPECT_EQ(d.slm(0).used_kilobytes(), 64u);
    EXPECT_EQ(d.slm(1).used_kilobytes(), 64u);
    EXPECT_EQ(d.slm(2).used_kilobytes(), 0u);
    EXPECT_EQ(d.slm_subslices(), 0b011u);
    EXPECT_FALSE(d.can_save(0b111)) << "groups over several subslices are not saved (D-15)";
    for (unsigned i = 0; i < 54; ++i)
        d.retire(sent[i].place.fftid(kBroxton));
    EXPECT_EQ(d.slm(pool_of(sent[0].place)).used_kilobytes(), 0u);
    EXPECT_EQ(send_pooled(d, why).size(), 54u);
}

TEST(Pools, AGroupWaitsForAPieceOfItsPoolsSlm) {
    GEN9_COVERS("POOL-10");
    for (const auto& [code, groups] : {std::pair{7u, 2u}, {6u, 4u}}) {
        WalkPlacer d(kBroxton, {});
        const Walk walk = barrier_walk(10, 12, code);
        d.begin(walk);
        SendState why;
        const auto sent = send_pooled(d, why);
        EXPECT_EQ(sent.size(), groups * 10) << "pieces of 64 KB or 32 KB, in two of 64 KB";
        EXPECT_EQ(why, SendState::WaitSlm);
        EXPECT_EQ(d.room_for(walk.descriptor, 10, walk.vfe, walk.pools), SendState::WaitSlm);
        std::map<std::pair<unsigned, std::uint32_t>, unsigned> owner;
        for (const PooledSent& s : sent)
            EXPECT_EQ(owner.emplace(std::pair(s.slm, s.slm_base), s.group).first->second, s.group);
    }
}

TEST(Pools, AGroupWithSlmAndNoBarrierStaysInAPool) {
    GEN9_COVERS("POOL-01 POOL-10");
    WalkPlacer d(kBroxton, {});
    const Walk walk = barrier_walk(50, 2, 1, kNineEach, false);
    d.begin(walk);
    SendState why;
    const auto sent = send_pooled(d, why);
    ASSERT_EQ(sent.size(), 100u);
    for (const PooledSent& s : sent) {
        EXPECT_EQ(pool_of(s.place), pool_of(sent[s.group * 50].place));
        EXPECT_EQ(s.slm, pool_of(s.place));
    }
    for (unsigned i = 0; i < 100; ++i)
        EXPECT_FALSE(d.retire(sent[i].place.fftid(kBroxton)).barrier_freed);
    EXPECT_EQ(d.slm_subslices(), 0u);
}

TEST(Pools, APoolThatIsASubsliceIsAsWithoutPools) {
    GEN9_COVERS("POOL-06 POOL-01");
    // Subslice 0 is the first pool.
    const auto places = [](bool pools) {
        WalkPlacer d(kBroxton, {});
        Walk walk = barrier_walk(36, 1, 3, kSubslice0Apart);
        walk.vfe.slice_disable = 3;  // subslice 0 of slice 0 only
        walk.pools.enabled = pools;
        d.begin(walk);
        SendState why;
        std::vector<std::array<unsigned, 6>> all;
        for (const PooledSent& s : send_pooled(d, why))
            all.push_back(
                {s.place.subslice, s.place.eu, s.place.slot, s.barrier, s.slm, s.slm_base});
        return all;
    };
    EXPECT_EQ(places(true).size(), 36u);
    EXPECT_EQ(places(true), places(false));
}

TEST(Pools, WithoutThemASubsliceIsBoundToOneSlmAndTwoMayHaveTheSame) {
    GEN9_COVERS("POOL-06 POOL-07");
    WalkPlacer d(kBroxton, {});
    Walk walk = barrier_walk(36, 3, 7);
    walk.pools.enabled = false;
    d.begin(walk);
    SendState why;
    const auto sent = send_pooled(d, why);
    // Three subslices have room for a group, and two SLMs of 64 KB are there.
    ASSERT_EQ(sent.size(), 72u);
    EXPECT_EQ(why, SendState::WaitSlm);
    for (const PooledSent& s : sent) {
        EXPECT_EQ(s.place.subslice, sent[s.group * 36].place.subslice);
        EXPECT_EQ(s.slm, s.place.subslice % 2u);
    }
    EXPECT_NE(sent[0].slm, sent[36].slm);
}

TEST(Pools, AGroupThatComesBackTakesThePieceItsSubsliceIsBoundTo) {
    GEN9_COVERS("POOL-06");
    WalkPlacer d(kBroxton, {});
    SavedThread saved;
    saved.group_threads = 4;
    saved.slm_kilobytes = 64;
    const GroupIndex group = d.begin_restored(2, saved, 1);
    ASSERT_NE(group, kNoGroup);
    EXPECT_EQ(d.slm_subslices(), 0b001u);
    EXPECT_EQ(d.slm(0).used_kilobytes(), 64u);
    EXPECT_EQ(d.begin_restored(0, saved, 1), kNoGroup);
    EXPECT_NE(d.begin_restored(1, saved, 1), kNoGroup);
}

}  // namespace
}  // namespace gen9::dispatcher::test
