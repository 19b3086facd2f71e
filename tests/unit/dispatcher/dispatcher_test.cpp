// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/dispatcher/walk_placer.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/support/covers.h"
#include "tests/unit/media/commands.h"

namespace gen9::dispatcher::test::place {
namespace {

constexpr ThreadTopology kGt2{};

Walk make_walk(const DescriptorFields& descriptor, unsigned threads, unsigned groups) {
    Walk walk;
    walk.descriptor = decode_descriptor(make_descriptor(descriptor));
    walk.walker.thread_max = {static_cast<std::uint8_t>(threads - 1), 0, 0};
    walk.walker.dimensions = {groups, 1, 1};
    walk.vfe.max_threads = 504;
    walk.state = make_state();
    return walk;
}

struct Sent {
    ThreadPlace place;
    std::uint32_t group, slm_index;
    unsigned barrier;
};

/// Sends what can be sent; returns why it stopped (Sending: all done).
SendState send_all(WalkPlacer& d, std::vector<Sent>& sent, const ThreadTopology& topology,
                   unsigned most = ~0u) {
    ThreadDispatch thread;
    while (d.walking() && most--) {
        SendState why = SendState::Sending;
        if (!d.group_open()) why = d.open_group();
        if (why != SendState::Sending) return why;
        ThreadPlace place;
        why = d.take_slot(~0u, place);
        if (why != SendState::Sending) return why;
        d.make_next(place, thread);
        EXPECT_EQ(thread.sideband.fftid, place.fftid(topology));
        const auto r00 = load<std::uint32_t>(thread.payload[0].bytes);
        const auto r02 = load<std::uint32_t>(thread.payload[0].bytes + 8);
        sent.push_back({place, thread.gpgpu.group_id[0], bits(r00, 29u, 24u),
                        bits(r02, 31u, 31u) << 4 | bits(r02, 27u, 24u)});
    }
    return SendState::Sending;
}

TEST(SlmAllocator, GivesAlignedPowersOfTwoFirstFit) {
    GEN9_COVERS("SLM-02");
    SlmAllocator slm;
    for (unsigned expected : {0u, 16u, 32u, 48u})
        EXPECT_EQ(slm.allocate(16).value(), expected);
    EXPECT_FALSE(slm.allocate(16));
    EXPECT_FALSE(slm.allocate(1));
    slm.free(32, 16);
    EXPECT_EQ(slm.allocate(1).value(), 32);
    EXPECT_FALSE(slm.allocate(16));
    EXPECT_EQ(slm.allocate(8).value(), 40);
    EXPECT_EQ(slm.allocate(2).value(), 34);
    EXPECT_EQ(slm.used_kilobytes(), 48u + 11u);
    SlmAllocator whole;
    EXPECT_EQ(whole.allocate(64).value(), 0);
    EXPECT_FALSE(whole.can_allocate(1));
    whole.free(0, 64);
    EXPECT_TRUE(whole.can_allocate(64));
    SlmAllocator less(24);
    EXPECT_FALSE(less.can_allocate(32));
    EXPECT_EQ(less.allocate(16).value(), 0);
    EXPECT_EQ(less.allocate(8).value(), 16);
    EXPECT_FALSE(less.can_allocate(1));
    EXPECT_EQ(less.used_kilobytes(), 24u);
}

TEST(SlmAllocator, GivesAllOfALargerMemory) {
    SlmAllocator slm(256);
    EXPECT_EQ(slm.allocate(64).value(), 0);
    EXPECT_EQ(slm.allocate(128).value(), 128);
    EXPECT_EQ(slm.allocate(64).value(), 64);
    EXPECT_FALSE(slm.can_allocate(1));
    EXPECT_EQ(slm.used_kilobytes(), 256u);
    slm.free(128, 128);
    EXPECT_EQ(slm.allocate(1).value(), 128);
    EXPECT_EQ(slm.allocate(64).value(), 192);
    EXPECT_FALSE(slm.take(64, 64));
    slm.free(64, 64);
    EXPECT_TRUE(slm.take(64, 64));
    EXPECT_FALSE(SlmAllocator(64).take(64, 64)) << "beyond its end";
    SlmAllocator whole(256);
    EXPECT_EQ(whole.allocate(256).value(), 0);
    EXPECT_FALSE(whole.can_allocate(1));
    EXPECT_FALSE(SlmAllocator(200).can_allocate(256));
}

TEST(BarrierAllocator, Has32AndReusesTheLowest) {
    GEN9_COVERS("TD-46 TD-47 GW-14");
    BarrierAllocator barriers;
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_EQ(barriers.allocate().value(), i);
    EXPECT_FALSE(barriers.allocate());
    barriers.free(7);
    EXPECT_EQ(barriers.allocate().value(), 7);
}

TEST(GroupTracker, AGroupEndsOnlyWhenAllItsThreadsWereSent) {
    GEN9_COVERS("TD-43 TD-45");
    GroupTracker tracker(1, 16);
    const GroupIndex g = tracker.begin({});
    tracker.sent(g, false);
    EXPECT_FALSE(tracker.retired(g)) << "the counter is zero, but threads are still to come";
    tracker.sent(g, false);
    tracker.sent(g, true);
    EXPECT_FALSE(tracker.retired(g));
    EXPECT_TRUE(tracker.retired(g));
    tracker.end(g);
    EXPECT_EQ(tracker.active(0), 0u);
}

TEST(Dispatcher, BoundGroupsStayOnOneSubslice) {
    GEN9_COVERS("TD-07 TD-25 TD-46");
    for (const DescriptorFields f : {DescriptorFields{.group_threads = 8, .barrier = true},
                                     DescriptorFields{.group_threads = 8, .slm_code = 1}}) {
        WalkPlacer d(kGt2, {});
        const Walk walk = make_walk(f, 8, 21);
        d.begin(walk);
        std::vector<Sent> sent;
        EXPECT_EQ(send_all(d, sent, kGt2), SendState::Sending);
        ASSERT_EQ(sent.size(), 168u);
        std::map<std::uint32_t, std::set<unsigned>> subslices;
        for (const Sent& s : sent)
            subslices[s.group].insert(s.place.subslice);
        for (const auto& [group, where] : subslices)
            EXPECT_EQ(where.size(), 1u) << "group " << group;
    }
}

TEST(Dispatcher, UnboundGroupsSpreadOverSubslices) {
    GEN9_COVERS("TD-08");
    WalkPlacer d(kGt2, {});
    const Walk walk = make_walk({}, 3, 1);
    d.begin(walk);
    std::vector<Sent> sent;
    send_all(d, sent, kGt2);
    std::set<unsigned> where;
    for (const Sent& s : sent)
        where.insert(s.place.subslice);
    EXPECT_EQ(where.size(), 3u);
}

// Also when it is stopped before the group that it goes on with has sent another thread.
TEST(Dispatcher, AWalkThatWasStoppedInsideAGroupGoesOnWithItsNextThread) {
    GEN9_COVERS("PRE-05");
    constexpr unsigned kThreads = 8;
    Walk walk = make_walk({}, kThreads, 2);
    std::vector<Sent> sent;
    unsigned all = 0;
    for (const unsigned most : {4u, 0u, 2u, 0u, 3u, ~0u}) {
        WalkPlacer d(kGt2, {});
        d.begin(walk);
        EXPECT_EQ(d.next_group()[0], all / kThreads);
        EXPECT_EQ(d.next_thread(), all % kThreads);
        sent.clear();
        send_all(d, sent, kGt2, most);
        all += static_cast<unsigned>(sent.size());
        if (!d.walking()) break;
        walk.walker.resume = d.next_group();
        walk.walker.resume_thread = static_cast<std::uint16_t>(d.next_thread());
        d.stop();
    }
    EXPECT_EQ(all, 2 * kThreads);
}

TEST(Dispatcher, UnboundGroupsTakeNoCounterBarrierOrSlm) {
    GEN9_COVERS("TD-08 GW-16");
    WalkPlacer d(kGt2, {.groups_per_subslice = 1});
    const Walk walk = make_walk({}, 1, 168);
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kGt2), SendState::Sending);
    EXPECT_EQ(sent.size(), 168u);
    EXPECT_EQ(d.tracker().active(0) + d.barriers(0).used() + d.slm(0).used_kilobytes(), 0u);
}

TEST(Dispatcher, FourGroupsOf16KbShareASubslice) {
    GEN9_COVERS("SLM-02 SLM-04 TD-42 TD-48");
    WalkPlacer d(kOneSubslice, {});
    const Walk walk = make_walk({.slm_code = 5}, 1, 8);
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::WaitSlm);
    ASSERT_EQ(sent.size(), 4u);
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(sent[i].slm_index, 16 * i);
    d.retire(sent[2].place.fftid(kOneSubslice));
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::WaitSlm);
    ASSERT_EQ(sent.size(), 5u);
    EXPECT_EQ(sent[4].slm_index, 32u) << "the first freed";
    EXPECT_EQ(sent[4].group, 4u);
}

TEST(Dispatcher, AGroupTakes1To64KbOfSlmInPowersOfTwo) {
    GEN9_COVERS("DP-046");
    constexpr ThreadTopology kManySlots{1, 1, 10, 7};
    const struct {
        unsigned code, kilobytes;
    } sizes[] = {{1, 1}, {2, 2}, {3, 4}, {4, 8}, {5, 16}, {6, 32}, {7, 64}};
    for (const auto [code, kilobytes] : sizes) {
        SCOPED_TRACE(kilobytes);
        WalkPlacer d(kManySlots, {.groups_per_subslice = 70});
        const Walk walk = make_walk({.slm_code = code}, 1, 70);
        d.begin(walk);
        std::vector<Sent> sent;
        EXPECT_EQ(send_all(d, sent, kManySlots), SendState::WaitSlm);
        ASSERT_EQ(sent.size(), 64u / kilobytes) << "as many groups as pieces of 64 KB";
        for (unsigned i = 0; i < sent.size(); ++i)
            EXPECT_EQ(sent[i].slm_index, i * kilobytes);
    }
}

TEST(Dispatcher, AThreadsEndCountsForTheGroupOfItsSubsliceAndBarrier) {
    GEN9_COVERS("TD-44");
    WalkPlacer d(kGt2, {});
    const Walk walk = make_walk({.group_threads = 2, .barrier = true}, 2, 6);
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kGt2), SendState::Sending);
    ASSERT_EQ(sent.size(), 12u);
    std::set<std::pair<unsigned, unsigned>> tags;
    for (const Sent& s : sent)
        tags.emplace(s.place.subslice, s.barrier);
    EXPECT_EQ(tags.size(), 6u) << "subslice and barrier id name the group";
    // The same barrier id on two subslices: the end of the one's threads leaves the other alone.
    const auto end_one_of = [&](unsigned subslice) {
        const auto s = std::find_if(sent.begin(), sent.end(), [&](const Sent& other) {
            return other.place.subslice == subslice && other.barrier == 0;
        });
        EXPECT_NE(s, sent.end());
        const auto retirement = d.retire(s->place.fftid(kGt2));
        sent.erase(s);
        return retirement;
    };
    EXPECT_FALSE(end_one_of(0).barrier_freed);
    EXPECT_FALSE(end_one_of(1).barrier_freed);
    const auto freed = end_one_of(1);
    EXPECT_TRUE(freed.barrier_freed);
    EXPECT_EQ(freed.subslices, 2u) << "bit 1";
    EXPECT_EQ(freed.barrier, 0);
    EXPECT_TRUE(end_one_of(0).barrier_freed);
    for (unsigned s = 0; s < 2; ++s)
        EXPECT_EQ(d.barriers(s).used(), 1u);
}

TEST(Dispatcher, AllThreadsOfAGroupShareItsSlm) {
    GEN9_COVERS("SLM-03");
    WalkPlacer d(kOneSubslice, {});
    const Walk walk = make_walk({.slm_code = 3}, 4, 3);
    d.begin(walk);
    std::vector<Sent> sent;
    send_all(d, sent, kOneSubslice);
    for (const Sent& s : sent)
        EXPECT_EQ(s.slm_index, s.group * 4);
}

TEST(Dispatcher, EarlyRetirementDoesNotReleaseSlm) {
    GEN9_COVERS("TD-45 SLM-04");
    WalkPlacer d(kOneSubslice, {});
    const Walk walk = make_walk({.slm_code = 7}, 4, 2);
    d.begin(walk);
    std::vector<Sent> sent;
    send_all(d, sent, kOneSubslice, 2);
    d.retire(sent[0].place.fftid(kOneSubslice));
    d.retire(sent[1].place.fftid(kOneSubslice));
    EXPECT_EQ(d.slm(0).used_kilobytes(), 64u);
    const auto first = sent;
    send_all(d, sent, kOneSubslice);
    ASSERT_EQ(sent.size(), 4u);
    d.retire(sent[2].place.fftid(kOneSubslice));
    EXPECT_EQ(d.slm(0).used_kilobytes(), 64u);
    d.retire(sent[3].place.fftid(kOneSubslice));
    EXPECT_EQ(d.slm(0).used_kilobytes(), 0u);
}

TEST(Dispatcher, BarrierIsFreeWhenItsGroupHasRetired) {
    GEN9_COVERS("TD-47 GW-15");
    WalkPlacer d(kOneSubslice, {.groups_per_subslice = 32});
    const Walk walk = make_walk({.group_threads = 1, .barrier = true}, 1, 33);
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::WaitBarrier);
    ASSERT_EQ(sent.size(), 32u) << "the 33rd group is held";
    const auto freed = d.retire(sent[9].place.fftid(kOneSubslice));
    EXPECT_TRUE(freed.barrier_freed);
    EXPECT_EQ(freed.barrier, 9);
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::Sending);
    EXPECT_EQ(sent.back().barrier, 9u);
}

TEST(Dispatcher, GroupCountersLimitBoundGroups) {
    GEN9_COVERS("TD-43");
    WalkPlacer d(kOneSubslice, {.groups_per_subslice = 16});
    const Walk walk = make_walk({.slm_code = 1}, 1, 20);
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::WaitBarrier);
    EXPECT_EQ(sent.size(), 16u);
}

TEST(Dispatcher, GroupsWaitInWalkerOrder) {
    GEN9_COVERS("TD-48");
    WalkPlacer d(kOneSubslice, {});
    const Walk walk = make_walk({.group_threads = 40, .barrier = true}, 40, 2);
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::WaitSlot);
    ASSERT_EQ(sent.size(), 40u);
    for (unsigned i = 0; i < 23; ++i)
        d.retire(sent[i].place.fftid(kOneSubslice));
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::WaitSlot) << "39 free slots";
    d.retire(sent[23].place.fftid(kOneSubslice));
    EXPECT_EQ(send_all(d, sent, kOneSubslice), SendState::Sending) << "40 free slots";
}

TEST(Dispatcher, ThreadLimitOfVfeStateHolds) {
    GEN9_COVERS("TD-01");
    WalkPlacer d(kGt2, {});
    Walk walk = make_walk({}, 1, 100);
    walk.vfe.max_threads = 24;
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kGt2), SendState::WaitSlot);
    EXPECT_EQ(sent.size(), 24u);
}

TEST(Dispatcher, DisabledSlicesGetNoThreads) {
    GEN9_COVERS("TD-09");
    WalkPlacer d(kGt2, {});
    Walk walk = make_walk({}, 1, 100);
    walk.vfe.slice_disable = 3;
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kGt2), SendState::WaitSlot);
    EXPECT_EQ(sent.size(), 56u);
    for (const Sent& s : sent)
        EXPECT_EQ(s.place.subslice, 0);
}

TEST(Dispatcher, AnotherDescriptorDrains) {
    GEN9_COVERS("TD-62 SLM-05");
    const Walk plain = make_walk({}, 1, 1), other = make_walk({.kernel_start = 0x80}, 1, 1);
    const Walk slm = make_walk({.slm_code = 1}, 1, 1);
    std::vector<Sent> sent;
    WalkPlacer always(kGt2, {});
    EXPECT_FALSE(always.must_drain(plain)) << "nothing runs";
    always.begin(plain);
    send_all(always, sent, kGt2);
    EXPECT_FALSE(always.must_drain(plain));
    EXPECT_TRUE(always.must_drain(other));
    always.retire(sent[0].place.fftid(kGt2));
    EXPECT_FALSE(always.must_drain(other));
    WalkPlacer for_slm(kGt2, {}, media::DescriptorChange::DrainForSlm);
    for_slm.begin(plain);
    send_all(for_slm, sent, kGt2);
    EXPECT_FALSE(for_slm.must_drain(other));
    EXPECT_TRUE(for_slm.must_drain(slm));
    WalkPlacer never(kGt2, {}, media::DescriptorChange::Overlap);
    never.begin(plain);
    send_all(never, sent, kGt2);
    EXPECT_FALSE(never.must_drain(slm));
}

/// What the slots say of units with free slots is what their counts say.
void expect_sets_of_free(const Slots& slots, const ThreadTopology& topology) {
    for (unsigned s = 0; s < topology.total_subslices(); ++s) {
        const auto free = slots.per_eu(s);
        ASSERT_EQ(slots.free_subslices() >> s & 1, slots.per_subslice()[s] != 0 ? 1u : 0u);
        for (const std::uint32_t eus : {0xFFu, 0x5Au, 0x80u}) {
            std::uint32_t some = 0, most_of = 0;
            unsigned most = 1;
            for (unsigned e = 0; e < topology.eus; ++e) {
                if (free[e] == 0) continue;
                some |= 1u << e;
                if (!(eus >> e & 1) || free[e] < most) continue;
                most_of = free[e] > most ? 1u << e : most_of | 1u << e;
                most = free[e];
            }
            ASSERT_EQ(slots.free_eus(s), some);
            ASSERT_EQ(slots.most_free(s, eus & some), most_of);
        }
    }
}

TEST(Dispatcher, RandomLifetimesNeverOverlapSlmOrShareSlots) {
    GEN9_COVERS("SLM-02 TD-38 TD-43 FF-62");
    std::mt19937 random(1);
    for (unsigned round = 0; round < 20; ++round) {
        WalkPlacer d(kGt2, {});
        const unsigned code = random() % 8, threads = 1 + random() % 8;
        const unsigned kb = slm_kilobytes(code);
        const bool barrier = random() % 2;
        const Walk walk = make_walk(
            {.group_threads = threads, .slm_code = code, .barrier = barrier}, threads, 200);
        d.begin(walk);
        std::vector<Sent> live;
        std::size_t total = 0;
        while (d.walking() || !live.empty()) {
            const std::size_t before = live.size();
            send_all(d, live, kGt2);
            total += live.size() - before;
            expect_sets_of_free(d.slots(), kGt2);
            std::set<unsigned> ids;
            std::map<std::pair<unsigned, unsigned>, std::uint32_t>
                owner;  // (subslice, KB) -> group
            for (const Sent& s : live) {
                EXPECT_TRUE(ids.insert(s.place.fftid(kGt2)).second);
                for (unsigned k = 0; k < kb; ++k) {
                    const auto [at, fresh] =
                        owner.try_emplace({s.place.subslice, s.slm_index + k}, s.group);
                    ASSERT_EQ(at->second, s.group);
                }
            }
            for (unsigned n = random() % 20 + 1; n && !live.empty(); --n) {
                const std::size_t i = random() % live.size();
                d.retire(live[i].place.fftid(kGt2));
                live.erase(live.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        EXPECT_EQ(total, 200u * threads);
        EXPECT_EQ(d.slots().live(), 0u);
        for (unsigned s = 0; s < 3; ++s)
            EXPECT_EQ(d.tracker().active(s) + d.barriers(s).used() + d.slm(s).used_kilobytes(), 0u);
    }
}

TEST(SlotPolicy, LeastLoadedTakesTheMostFreeThenGoesRound) {
    GEN9_COVERS("TD-48");
    EXPECT_EQ(SlotPolicy::names().front(), "least_loaded");
    SlotPolicy policy("least_loaded", 3);
    const std::vector<std::uint16_t> even{7, 7, 7}, uneven{3, 5, 6};
    EXPECT_EQ(policy.pick(even, 7), 0u);
    EXPECT_EQ(policy.pick(even, 7), 1u);
    EXPECT_EQ(policy.pick(even, 7), 2u);
    EXPECT_EQ(policy.pick(even, 7), 0u);
    EXPECT_EQ(policy.pick(uneven, 7), 2u) << "1 would be next";
    EXPECT_EQ(policy.pick(uneven, 7), 2u);
    EXPECT_EQ(policy.pick(uneven, 3), 1u) << "only candidates";
}

TEST(SlotPolicy, TheOthersGoByTurnAndNotByLoad) {
    const std::vector<std::uint16_t> free{1, 2, 3, 4};
    const auto picks = [&](const char* name) {
        SlotPolicy policy(name, 4);
        std::vector<unsigned> units;
        // Unit 1 is full for the first two choices.
        for (const std::uint32_t candidates : {0b1101u, 0b1101u, 0b1111u, 0b1111u, 0b1111u})
            units.push_back(policy.pick(free, candidates));
        return units;
    };
    EXPECT_EQ(picks("round_robin"), (std::vector<unsigned>{0, 2, 3, 0, 1}));
    EXPECT_EQ(picks("least_recently_served"), (std::vector<unsigned>{0, 2, 1, 3, 0}));
    EXPECT_EQ(picks("fixed_priority"), (std::vector<unsigned>{0, 0, 0, 0, 0}));
}

constexpr std::uint32_t kThreeEus = 1u << 31 | 3u << 4;

TEST(Dispatcher, SendsToTheEusInUseOnly) {
    WalkPlacer d(kGt2, {});
    Walk walk = make_walk({}, 1, 168);
    walk.vfe.power_request = kThreeEus;
    d.begin(walk);
    std::vector<Sent> sent;
    EXPECT_EQ(send_all(d, sent, kGt2), SendState::WaitSlot);
    EXPECT_EQ(sent.size(), 3 * 3 * 7u);
    EXPECT_EQ(d.slots().live(), 63u);
    EXPECT_EQ(d.slots().live(1), 21u);
    for (const Sent& s : sent)
        EXPECT_LT(s.place.eu, 3u);
}
// A group of 21 threads fits three EUs of a subslice; one of 22 would wait for ever.
TEST(Dispatcher, GroupsNeedRoomInTheEusInUse) {
    for (const unsigned threads : {21u, 22u}) {
        WalkPlacer d(kGt2, {});
        Walk walk = make_walk({.barrier = true}, threads, 3);
        walk.vfe.power_request = kThreeEus;
        d.begin(walk);
        std::vector<Sent> sent;
        EXPECT_EQ(send_all(d, sent, kGt2),
                  threads == 21 ? SendState::Sending : SendState::WaitSlot);
        EXPECT_EQ(sent.size(), threads == 21 ? 63u : 0u);
    }
}
// Threads of an EU that has gone out of use run on, and give no room when they end.
TEST(Dispatcher, AnEuOutOfUseKeepsItsThreadsAndTakesNoMore) {
    WalkPlacer d(kGt2, {});
    const Walk all = make_walk({}, 1, 168);
    d.begin(all);
    std::vector<Sent> sent;
    ASSERT_EQ(send_all(d, sent, kGt2), SendState::Sending);
    Walk few = make_walk({}, 1, 168);
    few.vfe.power_request = kThreeEus;
    d.begin(few);
    for (const Sent& s : sent)
        if (s.place.eu >= 3) d.retire(s.place.fftid(kGt2));
    EXPECT_EQ(d.slots().free(), 0u);
    EXPECT_EQ(d.slots().live(), 63u);
    std::vector<Sent> more;
    EXPECT_EQ(send_all(d, more, kGt2), SendState::WaitSlot);
    EXPECT_TRUE(more.empty());
    for (const Sent& s : sent)
        if (s.place.eu < 3) d.retire(s.place.fftid(kGt2));
    EXPECT_EQ(send_all(d, more, kGt2), SendState::WaitSlot);
    EXPECT_EQ(more.size(), 63u);
}
TEST(Dispatcher, FillsAllSlotsUnderEachPolicy) {
    for (const std::string& name : SlotPolicy::names()) {
        WalkPlacer d(kGt2, {.slot_policy = name});
        const Walk walk = make_walk({}, 1, 168);
        d.begin(walk);
        std::vector<Sent> sent;
        EXPECT_EQ(send_all(d, sent, kGt2), SendState::Sending) << name;
        EXPECT_EQ(d.slots().free(), 0u) << name;
    }
}

}  // namespace
}  // namespace gen9::dispatcher::test::place
