// SPDX-License-Identifier: Apache-2.0
// What the spawner tells of its walkers, and what its reads and its loading take.
#include <gtest/gtest.h>

#include "media/module.h"
#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace {

struct Records : WorkObserver {
    std::vector<WorkRecord> began, ended;
    void work_began(const WorkRecord& record) override { began.push_back(record); }
    void work_ended(const WorkRecord& record) override { ended.push_back(record); }
};

TEST(Spawner, AWalkersRecordNamesItAndWhatItsThreadsDid) {
    ModuleBench bench;
    Records records;
    bench.spawner.observer = &records;
    bench.memory.put(0, {.kernel_start = 0x80});
    bench.preamble();
    for (unsigned walker = 0; walker < 2; ++walker)
        bench.add(walker_command(bench.state, {.simd = 8, .groups = {5, 2, 3 + walker}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(records.began.size(), 2u);
    ASSERT_EQ(records.ended.size(), 2u);
    std::size_t first = 0;
    for (unsigned walker = 0; walker < 2; ++walker) {
        const auto& began = records.began[walker];
        EXPECT_EQ(began.number, walker);
        EXPECT_EQ(began.kernel_start, GpuAddr(0x100080));
        EXPECT_EQ(began.simd_width, 8u);
        EXPECT_EQ(began.groups, (std::array<std::uint32_t, 3>{5, 2, 3 + walker}));
        EXPECT_EQ(began.threads, 0u);
        EXPECT_EQ(began.begin, bench.threads[first].sent) << "nothing keeps the first one back";
        const auto& ended = records.ended[walker];
        EXPECT_EQ(ended.number, walker);
        EXPECT_EQ(ended.groups, began.groups);
        EXPECT_EQ(ended.begin, began.begin);
        EXPECT_EQ(ended.threads, 10u * (3 + walker));
        // The test's threads report 10 instructions and 2 messages each.
        EXPECT_EQ(ended.instructions, 10 * ended.threads);
        EXPECT_EQ(ended.messages, 2 * ended.threads);
        first += ended.threads;
        EXPECT_GE(ended.end, bench.threads[first - 1].end);
    }
}

/// Walkers run timed; their groups from the third on functionally.
struct FirstGroupsTimed : TimingChoice {
    std::vector<std::uint64_t> asked, running, opened;
    unsigned works = 0;
    Timing of_work(const WorkRecord&) override {
        ++works;
        return Timing::Timed;
    }
    Timing of_group(std::uint64_t group, std::uint64_t run) override {
        asked.push_back(group);
        running.push_back(run);
        return group < 2 ? Timing::Timed : Timing::Functional;
    }
    void group_opened(std::uint64_t group, Cycles) override { opened.push_back(group); }
};

// The front end holds a group back until nothing runs that is of the other mode, and says which
// mode it waits for.
TEST(Spawner, GroupsOfAnotherModeWaitUntilTheMachineHasChanged) {
    ModuleBench bench;
    FirstGroupsTimed choice;
    bench.spawner.media.timing_choice = &choice;
    bench.lifetime = [](const auto&) { return 500u; };
    bench.memory.put(0, {.group_threads = 2, .barrier = true});
    bench.preamble();
    for (unsigned walker = 0; walker < 2; ++walker)
        bench.add(walker_command(bench.state, {.threads = {2, 1, 1}, .groups = {4, 1, 1}}));
    for (unsigned change = 0; change < 3; ++change) {
        std::optional<Timing> wanted;
        for (unsigned i = 0; i < 200 && !wanted; ++i) {
            bench.run(50);
            wanted = bench.spawner.media.wanted_timing();
            EXPECT_TRUE(!wanted || bench.live == 0);
        }
        ASSERT_TRUE(wanted) << change;
        EXPECT_EQ(*wanted, change % 2 ? Timing::Timed : Timing::Functional);
        EXPECT_EQ(bench.threads.size(), (std::array<unsigned, 3>{4, 8, 12})[change]);
        bench.env.environment.timing = *wanted;
        bench.spawner.media.change_timing();
    }
    bench.run(10'000);
    EXPECT_TRUE(bench.all_finished());
    EXPECT_FALSE(bench.spawner.media.wanted_timing());
    EXPECT_EQ(choice.works, 2u);
    EXPECT_EQ(choice.asked, (std::vector<std::uint64_t>{0, 1, 2, 3, 0, 1, 2, 3}));
    EXPECT_EQ(choice.opened, choice.asked);
    EXPECT_EQ(choice.running[0], 0u);
    EXPECT_EQ(choice.running[1], 1u);
}

TEST(Spawner, AWalkersRecordHasTheGroupsItStartsAndNotItsDimensions) {
    ModuleBench bench;
    Records records;
    bench.spawner.observer = &records;
    bench.preamble();
    bench.add(walker_command(bench.state, {.start = {2, 0, 1}, .groups = {5, 2, 3}}));
    bench.add(walker_command(bench.state, {.start = {2, 1, 1}, .groups = {5, 0, 3}}));
    bench.run();
    ASSERT_EQ(records.ended.size(), 2u);
    // The one without threads ends first.
    EXPECT_EQ(records.ended[0].groups, (std::array<std::uint32_t, 3>{}));
    EXPECT_EQ(records.ended[1].groups, (std::array<std::uint32_t, 3>{3, 2, 2}));
    EXPECT_EQ(records.ended[1].threads, 12u);
}

TEST(Spawner, ASubslicesDispatcherHoldsSoManyThreads) {
    // A payload of 8 registers at one a clock: a thread takes 8 clocks to load. Threads are taken
    // while less than two threads' loading lies ahead.
    ModuleBench bench(
        {.slices = 1, .subslices = 1}, Timing::Timed,
        {"spawner.load_queue=2", "spawner.load_rows_per_clock=1", "spawner.threads_per_clock=1"});
    bench.memory.put(0, {.per_thread_rows = 7});
    bench.memory.put_rows(kIndirectBase, 7);
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {6, 1, 1}, .indirect_bytes = 7 * 32}));
    bench.run();
    ASSERT_EQ(bench.threads.size(), 6u);
    std::vector<std::uint64_t> after;
    for (const auto& thread : bench.threads)
        after.push_back((thread.sent - bench.threads[0].sent).value);
    EXPECT_EQ(after, (std::vector<std::uint64_t>{0, 1, 2, 9, 17, 25}));
    for (unsigned i = 1; i < 6; ++i)
        EXPECT_EQ(bench.threads[i].start - bench.threads[i - 1].start, Cycles(8));
}

TEST(Spawner, AReadTakesTheMemorysTime) {
    ModuleBench bench({}, Timing::Timed, {"spawner.walker_cycles=32"});
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, {.indirect_bytes = 32}));
    bench.run(10'000);
    ASSERT_EQ(bench.threads.size(), 1u);
    // Behind the descriptor's read come the payload's, and what a walker takes.
    EXPECT_GE(bench.accepted[walker - 1], Cycles(200));
    EXPECT_GE(bench.threads[0].sent, bench.accepted[walker - 1] + Cycles(200 + 32));
}

TEST(Spawner, PayloadIsPutInTheUrbByTheUrbsOwnClient) {
    ModuleBench bench;
    std::vector<Requester> in_urb, in_memory;
    const auto serve = bench.mem_in.on_blocking;
    bench.mem_in.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        (attributes_of(p).space == AddressSpace::Urb ? in_urb : in_memory)
            .push_back(attributes_of(p).requester);
        serve(p, delay);
    };
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.preamble();
    bench.add(walker_command(bench.state, {.indirect_bytes = 32}));
    bench.run();
    EXPECT_EQ(in_urb, std::vector{Requester::Urb});
    EXPECT_EQ(in_memory, (std::vector{Requester::StateCache, Requester::StateCache}));
}

TEST(Spawner, WalkersOneAfterTheOtherHaveRecordsOfTheirOwn) {
    // One slot: each thread ends before the next is sent.
    ModuleBench bench({1, 1, 1, 1});
    Records records;
    bench.spawner.observer = &records;
    bench.preamble();
    for (unsigned walker = 0; walker < 2; ++walker) {
        bench.add(walker_command(bench.state, {.groups = {3, 1, 1}}));
        bench.add(flush_command(bench.state, 0, false, true));
    }
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 6u);
    ASSERT_EQ(records.ended.size(), 2u);
    for (unsigned walker = 0; walker < 2; ++walker) {
        EXPECT_EQ(records.ended[walker].threads, 3u);
        EXPECT_EQ(records.ended[walker].instructions, 30u);
        EXPECT_GE(records.ended[walker].end, bench.threads[3 * walker + 2].end);
        EXPECT_EQ(records.ended[walker].all_sent, bench.threads[3 * walker + 2].sent);
    }
}

TEST(Spawner, UnfinishedWalkersAreListedInTheirOrder) {
    ModuleBench bench;
    bench.lifetime = [](const auto& t) { return t.walker == 0 ? 1000u : 50'000u; };
    bench.preamble(1, {.threads = 4});
    for (unsigned walker = 0; walker < 2; ++walker)
        bench.add(walker_command(bench.state, {.groups = {2, 1, 1}}));
    // The third begins when the first has ended, and the engine keeps it where that was kept.
    bench.add(flush_command(bench.state, 0, true));
    bench.add(walker_command(bench.state, {.groups = {2, 1, 1}}));
    bench.run(4000);
    const auto records = bench.spawner.unfinished();
    ASSERT_EQ(records.size(), 2u);
    for (unsigned i = 0; i < 2; ++i) {
        EXPECT_EQ(records[i].number, 1 + i);
        EXPECT_EQ(records[i].threads, 2u);
        EXPECT_EQ(records[i].instructions, 0u);
        EXPECT_EQ(records[i].end, bench.clock.now());
    }
    bench.run();
    EXPECT_TRUE(bench.spawner.unfinished().empty());
}

// Of a walker whose threads have not all been sent, and of one whose have.
TEST(Spawner, AnUnfinishedWalkersRecordIsThatOfTheCyclesSoFar) {
    ModuleBench bench(kOneSubslice);
    bench.lifetime = [](const auto&) { return 50'000u; };
    bench.preamble();
    for (unsigned walker = 0; walker < 2; ++walker)
        bench.add(walker_command(bench.state, {.groups = {40, 1, 1}}));
    bench.run(4000);
    const Cycles now = bench.clock.now();
    const auto records = bench.spawner.unfinished();
    ASSERT_EQ(records.size(), 2u);
    ASSERT_EQ(bench.threads.size(), 56u);
    for (unsigned walker = 0; walker < 2; ++walker) {
        const WorkRecord& record = records[walker];
        std::uint64_t running = 0, sending = 0;
        for (const auto& t : bench.threads)
            if (t.walker == walker) running += (now - t.sent).value;
        for (const std::uint64_t in_state : record.sending)
            sending += in_state;
        EXPECT_EQ(record.threads, walker == 0 ? 40u : 16u);
        EXPECT_EQ(record.thread_cycles, running);
        EXPECT_EQ(record.end, now);
        EXPECT_EQ(record.all_sent, walker == 0 ? bench.threads[39].sent : now);
        EXPECT_LE(sending, (record.all_sent - record.begin).value);
        if (walker == 1) {
            EXPECT_GT(sending, 0u);
        }
    }
    bench.spawner.settle();
    const auto settled = bench.spawner.unfinished();
    std::uint64_t sending = 0;
    for (const std::uint64_t in_state : settled[1].sending)
        sending += in_state;
    EXPECT_EQ(sending, (now - settled[1].begin).value);
    EXPECT_GT(settled[1].sending[unsigned(SendState::WaitSlot)], 3000u);
}

TEST(Spawner, AWatermarkFlushPassesWhereThreadsOfTheDescriptorFit) {
    ModuleBench bench;
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.preamble();
    const auto walker = bench.add(walker_command(bench.state, {.groups = {4, 1, 1}}));
    const auto flush = bench.add(flush_command(bench.state, 0, true));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_LT(bench.finished[flush], bench.threads[0].end);
    EXPECT_GT(bench.finished[walker], bench.threads[0].end);
}

TEST(Spawner, EachReadIsATransactionByTheRules) {
    ModuleBench bench;
    unsigned reads = 0;
    const auto serve = bench.mem_in.on_blocking;
    bench.mem_in.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        EXPECT_EQ(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_EQ(p.get_streaming_width(), p.get_data_length());
        EXPECT_EQ(p.get_byte_enable_ptr(), nullptr);
        ++reads;
        serve(p, delay);
    };
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.preamble();
    bench.add(walker_command(bench.state, {.indirect_bytes = 32}));
    bench.run();
    EXPECT_EQ(reads, 3u) << "descriptor, payload, and the payload's place in the URB";
}

TEST(Spawner, WhatHasNoBytesIsNotAskedFor) {
    ModuleBench bench;
    unsigned accesses = 0;
    bench.mem_in.on_blocking = [&](tlm::tlm_generic_payload&, sc_core::sc_time&) { ++accesses; };
    // MED-12: a new partition of the URB writes nothing there.
    bench.add(vfe_command(bench.state, {.curbe_rows = 4}));
    bench.add(vfe_command(bench.state));
    bench.add(idd_load(bench.state, 0));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(accesses, 0u);
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST(Spawner, AMessageIsAnsweredAfterItsCycles) {
    ModuleBench bench({}, Timing::Timed, {"spawner.message_cycles=20"});
    std::vector<Cycles> answers;
    bench.msg_out[3]->on_backward = [&](Message&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        answers.push_back(bench.clock.now() + bench.clock.cycles(delay));
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    auto end = std::make_unique<Message>();
    end->sfid = Sfid::ThreadSpawner;
    end->descriptor = 0x02000010;
    end->length = 1;
    end->end_of_thread = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = bench.clock.time(Cycles(7));
    (*bench.msg_out[3])->nb_transport_fw(*end, phase, delay);
    bench.run(100);
    // It is worked on in the cycle after its own, when all of that cycle are known.
    EXPECT_EQ(answers, (std::vector{Cycles(7 + 1 + 20), Cycles(7 + 1 + 20)}));
    EXPECT_EQ(bench.spawner.stats().messages.value(), 1u);
}

TEST(Spawner, DeclaresItsParametersAndCounters) {
    ModuleBench bench;
    ASSERT_EQ(bench.env.environment.params.size(), 2u) << "front end and dispatcher, as one unit";
    for (const ParamSet* params : bench.env.environment.params)
        EXPECT_EQ(params->path(), "bench.spawner");
    ASSERT_EQ(bench.env.stats.sets().size(), 1u);
    EXPECT_EQ(bench.env.stats.sets()[0]->path(), "bench.spawner");
}

}  // namespace
}  // namespace gen9::media::test
