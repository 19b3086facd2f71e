// SPDX-License-Identifier: Apache-2.0
#include "dispatch/walk/pools.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <set>

#include "dispatch/place/dispatcher.h"
#include "tests/support/covers.h"
#include "tests/unit/dispatch/commands.h"

namespace gen9::dispatch::test {
namespace {

constexpr Topology kBroxton{1, 3, 6, 6};

Walk barrier_walk(unsigned group_threads, std::uint32_t groups) {
    const PipelineCommand command = pool_command(make_state());
    Walk walk;
    walk.descriptor =
        decode_descriptor(make_descriptor({.group_threads = group_threads, .barrier = true}));
    walk.walker.thread_max = {static_cast<std::uint8_t>(group_threads - 1), 0, 0};
    walk.walker.dimensions = {groups, 1, 1};
    walk.vfe.max_threads = 108;
    walk.state = command.state;
    walk.pools = decode_pools({command.dwords.data(), 6});
    return walk;
}

struct PooledSent {
    Place place;
    unsigned group, barrier;
};
std::vector<PooledSent> send_pooled(Dispatcher& d, Activity& why) {
    std::vector<PooledSent> sent;
    auto thread = std::make_unique<ThreadDispatch>();
    for (why = Activity::Sending; d.walking();) {
        if (!d.group_open()) why = d.open_group();
        Place place;
        if (why == Activity::Sending) why = d.take_slot(~0u, place);
        if (why != Activity::Sending) break;
        d.make_next(place, *thread);
        sent.push_back({place, thread->group_id[0], d.group().barrier});
    }
    return sent;
}

/// In the map of three subslices: 0 has six EUs of the first pool, 1 has three of each, 2 has six
/// of the second.
unsigned pool_of(const Place& place) {
    return place.subslice * 6u + place.eu < 9 ? 0 : 1;
}

TEST(Pools, TheMapHasAByteForEachSubslice) {
    GEN9_COVERS("POOL-03");
    const PipelineCommand command = pool_command(make_state(), 0x00777000);
    const Pools pools = decode_pools({command.dwords.data(), 6});
    EXPECT_TRUE(pools.enabled);
    EXPECT_EQ(pools.eus(0, 0), 0b111111u);
    EXPECT_EQ(pools.eus(1, 0), 0u);
    EXPECT_EQ(pools.eus(0, 1), 0b000111u);
    EXPECT_EQ(pools.eus(1, 1), 0b111000u);
    EXPECT_EQ(pools.eus(0, 2), 0u);
    EXPECT_EQ(pools.eus(1, 2), 0b111111u);
    EXPECT_EQ(pools.most_threads(kBroxton, 7, 6), 54u);
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
}

TEST(Pools, AGroupRunsInOnePoolOfNineEus) {
    GEN9_COVERS("POOL-01 POOL-02");
    Dispatcher d(kBroxton, {});
    const Walk walk = barrier_walk(54, 3);
    d.begin(walk);
    Activity why;
    const auto sent = send_pooled(d, why);
    ASSERT_EQ(sent.size(), 108u) << "both pools are full";
    EXPECT_EQ(why, Activity::WaitSlot);
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
    Dispatcher d(kBroxton, {.groups_per_subslice = 32});
    const Walk walk = barrier_walk(20, 5);
    d.begin(walk);
    Activity why;
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
    GEN9_COVERS("POOL-02 TD-07");
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
    EXPECT_FALSE(refused(36, true, 1));
    ASSERT_TRUE(refused(37, true, 1));
    EXPECT_EQ(refused(37, true, 1)->id, "POOL-10");
}

}  // namespace
}  // namespace gen9::dispatch::test
