// SPDX-License-Identifier: Apache-2.0
// Waits for the host and for other contexts, and what becomes of the work that is under way.
#include <gtest/gtest.h>

#include <tuple>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/cs/module_bench.h"

namespace gen9 {
namespace {

using namespace test;

TEST(CommandStreamer, SemaphoreIsReleasedByTheHostAndPollsAtItsPeriod) {
    Bench bench("bench");
    bench.ppgtt.map(kData, 0x1000);
    bench.run_ring(Words{0x0E00C002, 7, low(kData), 0} + Words{0x10000002, low(kData + 4), 0, 1},
                   cycles(100'000));
    EXPECT_FALSE(bench.cs.idle());
    EXPECT_NE(bench.cs.describe_waiting().find("semaphore"), std::string::npos);
    const std::uint64_t progress = bench.cs.progress();
    sc_core::sc_start(cycles(100'000));
    EXPECT_EQ(bench.cs.progress(), progress);
    bench.ppgtt.put<std::uint32_t>(kData, 7);
    sc_core::sc_start(cycles(20'000));
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kData + 4), 1u);
}

// The stream takes the same time whether the host writes before the streamer looks or later.
TEST(CommandStreamer, AWaitForTheHostTakesNoTimeWhereNothingElseCanChangeMemory) {
    const Words ring =
        Words{0x0E00C002, 7, low(kData), 0} + Words{0x10000002, low(kData + 4), 0, 1};
    Bench bench("bench");
    bench.cs.host_writes = true;
    bench.ppgtt.map(kData, 0x1000);
    const auto start = [&] {
        sc_core::sc_start(cycles(1'000'000), sc_core::SC_EXIT_ON_STARVATION);
    };
    std::uint64_t took[3]{};
    for (unsigned round = 0; round < 3; ++round) {
        const bool late = round == 2;
        bench.ppgtt.put<std::uint32_t>(kData, late ? 0 : 7);
        const std::uint64_t begin = bench.clock.now().value;
        bench.ggtt.put<std::uint32_t>(kContext + 0x1014, 0);  // the ring from its beginning
        bench.submit(ring);
        start();
        for (unsigned look = 0; late && look < 3; ++look) {
            EXPECT_TRUE(bench.cs.awaits_host());
            EXPECT_FALSE(bench.cs.look_at_host());
            EXPECT_FALSE(sc_core::sc_pending_activity());
        }
        if (late) {
            bench.ppgtt.put<std::uint32_t>(kData, 7);
            EXPECT_TRUE(bench.cs.look_at_host());
            start();
        }
        EXPECT_TRUE(bench.cs.idle());
        EXPECT_FALSE(bench.cs.awaits_host());
        took[round] = bench.clock.now().value - begin;
    }
    EXPECT_EQ(took[2], took[1]);
    EXPECT_EQ(bench.cs.stats.poll_cycles.value(), 0u);
}

TEST(CommandStreamer, WhileWorkIsUnderWayASemaphoreIsPolledInTime) {
    Bench bench("bench");
    bench.cs.host_writes = true;
    bench.work_delay = cycles(20'000);
    bench.ppgtt.map(kData, 0x1000);
    bench.run_ring(kSelect + walker() + Words{0x0E00C002, 7, low(kData), 0}, cycles(10'000));
    EXPECT_FALSE(bench.cs.awaits_host());
    EXPECT_GT(bench.cs.stats.poll_cycles.value(), 3000u);
    sc_core::sc_start(cycles(1'000'000), sc_core::SC_EXIT_ON_STARVATION);
    EXPECT_TRUE(bench.cs.awaits_host());
    EXPECT_LT(bench.clock.now().value, 25'000u);
}

TEST(CommandStreamer, ASubmissionEndsAWaitForTheHost) {
    Bench bench("bench");
    bench.cs.host_writes = true;
    bench.ppgtt.map(kData, 0x1000);
    const Words first = {0x0E00C002, 7, low(kData), 0};
    bench.submit(first);
    sc_core::sc_start(cycles(100'000), sc_core::SC_EXIT_ON_STARVATION);
    ASSERT_TRUE(bench.cs.awaits_host());
    for (const std::uint32_t value : submission())
        bench.write(0x2230, value);
    sc_core::sc_start(cycles(500));
    EXPECT_FALSE(bench.cs.awaits_host());
}

// Also where nothing but that work is left to come.
TEST(CommandStreamer, BehindWorkThatIsUnderWayAWaitIsNoneForTheHost) {
    Bench bench("bench");
    bench.cs.host_writes = true;
    PipelineCommand* running = nullptr;
    bench.pipe.on_forward = [&](PipelineCommand& command, tlm::tlm_phase& phase, sc_time& delay) {
        if (command.row->command != packets::Command::GPGPU_WALKER)
            return bench.take(bench.pipe, command, phase, delay);
        running = &command;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    };
    bench.ppgtt.map(kData, 0x1000);
    bench.submit(kSelect + walker() + Words{0x0E00C002, 7, low(kData), 0});
    sc_core::sc_start(cycles(100'000), sc_core::SC_EXIT_ON_STARVATION);
    ASSERT_NE(running, nullptr);
    EXPECT_FALSE(bench.cs.awaits_host());
    EXPECT_GT(bench.cs.stats.poll_cycles.value(), 90'000u);
    tlm::tlm_phase end = tlm::BEGIN_RESP;
    sc_time zero;
    bench.pipe->nb_transport_bw(*running, end, zero);
    sc_core::sc_start(cycles(100'000), sc_core::SC_EXIT_ON_STARVATION);
    EXPECT_TRUE(bench.cs.awaits_host());
}

TEST(CommandStreamer, WaitingForAWalkerItStopsItForAnotherContextAtOnce) {
    StoppingBench bench("bench");
    SignalLog log(bench.environment.environment.signals);
    bench.serve();
    bench.ppgtt.put(kTask, task_batch());
    bench.ppgtt.put(kPreamble, preamble_batch());
    bench.submit(first_ring_commands());
    sc_core::sc_start(cycles(100'000));
    EXPECT_TRUE(bench.stops.empty());
    EXPECT_EQ(log.value("bench.cs.context", 100'000), 0u);
    const sc_time asked = sc_core::sc_time_stamp();
    bench.submit_other();
    sc_core::sc_start(cycles(100'000));
    ASSERT_EQ(bench.stops.size(), 1u);
    EXPECT_EQ(log.value("bench.cs.context", 200'000), 9u);
    EXPECT_EQ(bench.stops[0], asked);
    EXPECT_EQ(bench.cs.stats.walkers_stopped.value(), 1u);
    EXPECT_EQ(bench.cs.stats.preemptions.value(), 1u);
    // The work's end, and the save: the histogram has one entry, in the bucket of the sum.
    const std::uint64_t took = bench.cs.stats.preemption_cycles.value();
    EXPECT_GE(took, 1000u);
    EXPECT_LT(took, 10'000u);
    EXPECT_EQ(bench.cs.stats.preemptions_10k.value(), 1u);
    EXPECT_EQ(bench.cs.stats.preemptions_1k.value() + bench.cs.stats.preemptions_100k.value(), 0u);
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_TRUE(bench.tag_writes.empty());
    for (const std::uint32_t word : submission())
        bench.write(0x2230, word);
    sc_core::sc_start(cycles(100'000));
    EXPECT_EQ(bench.tag_writes.size(), 1u) << "the resumed walker has ended";
    EXPECT_TRUE(bench.cs.idle());
}

// Bounds of the histogram: a thousand cycles, and ten times as many each.
TEST(CommandStreamer, PreemptionsAreCountedByTheirLength) {
    StoppingBench bench("bench", Timing::Timed, {"cs.context_switch_cycles=0"});
    bench.serve();
    Words ring = Words{0x11000001, 0x2244, 0x00010000} + kSelect;
    for (unsigned n = 0; n < 9; ++n)
        ring = ring + walker() + kStall;
    bench.submit(ring);
    const cs::CsStats& s = bench.cs.stats;
    const Counter* const counters[] = {&s.preemptions_1k, &s.preemptions_10k, &s.preemptions_100k,
                                       &s.preemptions_1m, &s.preemptions_more};
    std::uint64_t before = 0, rest = 0;  // what is not the work's end
    for (const std::uint64_t wanted :
         {500, 1'000, 1'001, 10'000, 10'001, 100'000, 100'001, 1'000'000, 1'000'001}) {
        sc_core::sc_start(cycles(20'000'000), sc_core::SC_EXIT_ON_STARVATION);
        bench.work_delay = cycles(wanted - rest);
        bench.submit_other();
        sc_core::sc_start(cycles(20'000'000), sc_core::SC_EXIT_ON_STARVATION);
        const std::uint64_t took = s.preemption_cycles.value() - before;
        before += took;
        if (wanted == 500) {
            rest = took - 500;
            EXPECT_LT(rest, 500u) << "the context's save";
        } else {
            EXPECT_EQ(took, wanted);
        }
        for (const std::uint32_t word : submission())
            bench.write(0x2230, word);
    }
    for (unsigned i = 0; i < 5; ++i)
        EXPECT_EQ(counters[i]->value(), i < 4 ? 2u : 1u) << i;
    EXPECT_EQ(s.preemptions.value(), 9u);
    EXPECT_EQ(s.walkers_stopped.value(), 9u);
}

// Each access has the id of the command that it is for, and a target that says nothing has not done
// it.
TEST(CommandStreamer, AccessesSayWhoseTheyAre) {
    Bench bench("bench");
    SignalLog log(bench.environment.environment.signals);
    bench.ppgtt.map(kData, 0x1000);
    bench.run_ring(Words{0x10000002, low(kData), 0, 1} + kStall +
                   Words{0x10000002, low(kData + 8), 0, 1});
    const auto of = [&](std::uint64_t address) { return bench.written_by.at(address); };
    EXPECT_NE(of(kData), 0u);
    EXPECT_EQ(of(kData + 8), of(kData) + 2);
    EXPECT_EQ(log.value("bench.cs.command_id", bench.clock.now().value - 1), of(kData + 8));
}
// What the ALU or the stream has changed is read anew.
TEST(CommandStreamer, GeneralRegistersAreReadAsTheyAre) {
    Bench bench("bench");
    bench.ppgtt.map(kData, 0x1000);
    const auto set = [](std::uint32_t value) { return Words{0x11000001, 0x2600, value}; };
    const auto store = [](unsigned n) { return Words{0x12000002, 0x2600, low(kData + 4 * n), 0}; };
    const Words twice = {0x0D000003, 0x08008000, 0x08008400, 0x10000000, 0x18000031};
    bench.run_ring(set(5) + store(0) + store(1) + twice + store(2) + set(7) + store(3));
    for (const auto& [n, value] : {std::pair{0u, 5u}, {1u, 5u}, {2u, 10u}, {3u, 7u}})
        EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kData + 4 * n), value) << n;
}
// Who observes the ALU's socket sees each read, though nothing has changed in between.
TEST(CommandStreamer, AnObserverSeesEachReadOfAGeneralRegister) {
    struct Counting : SocketObserver<MemoryProtocol> {
        unsigned passes = 0;
        void passed(const tlm::tlm_generic_payload&, const tlm::tlm_phase&,
                    const sc_time&) override {
            ++passes;
        }
    } counting;
    Bench bench("bench");
    bench.write(0x2600, 5);
    EXPECT_EQ(bench.read(0x2600), 5u);
    bench.cs.alu_out.observe(counting);
    EXPECT_EQ(bench.read(0x2600), 5u);
    const unsigned of_one = counting.passes;
    EXPECT_GT(of_one, 0u);
    EXPECT_EQ(bench.read(0x2600), 5u);
    EXPECT_EQ(counting.passes, 2 * of_one);
}

// How far the streamer runs ahead of the others is no difference to when it asks a walker to stop.
TEST(CommandStreamer, AWalkerIsAskedToStopInTheStreamersOwnTime) {
    StoppingBench near("near", Timing::Timed, {"near.cs.ahead_cycles=1"}), far("far");
    const Words ring = Words{0x11000001, 0x2244, 0x00010000} + kSelect + walker() + Words(3000, 0) +
                       Words{0x02800000} + Words(20, 0);
    for (StoppingBench* bench : {&near, &far}) {
        bench->serve();
        bench->submit(ring);
    }
    sc_core::sc_start(cycles(2'500));
    for (StoppingBench* bench : {&near, &far})
        bench->submit_other();
    sc_core::sc_start(cycles(100'000));
    ASSERT_EQ(near.stops.size(), 1u);
    ASSERT_EQ(far.stops.size(), 1u);
    EXPECT_GT(near.stops[0], cycles(3'000));
    EXPECT_EQ(far.stops[0], near.stops[0]);
}

TEST(CommandStreamer, AMemoryThatSaysNothingHasNotAnswered) {
    Bench bench("bench");
    bench.ppgtt.put(kPreamble, Words{0x05000000});
    bench.silent = kPreamble;
    bench.run_ring(Words{0x18800101, low(kPreamble), high(kPreamble)});
    EXPECT_TRUE(bench.cs.stopped());
    EXPECT_NE(bench.environment.log.at(0).find("does not translate"), std::string::npos)
        << bench.environment.log.at(0);
}

/// Preemption at this level (CS_CHICKEN1) of a walker whose groups have all been sent, or of a wait:
/// how often the front end is asked to save threads, and to stop between groups.
std::pair<unsigned, unsigned> asked_at(std::uint32_t level, const Words& what) {
    StoppingBench bench("bench");
    bench.serve();
    std::pair<unsigned, unsigned> asked;
    PipelineCommand* running = nullptr;
    bench.pipe.on_forward = [&](PipelineCommand& command, tlm::tlm_phase& phase, sc_time& delay) {
        if (phase == kSaveWalk || phase == kStopWalk) {
            ++(phase == kSaveWalk ? asked.first : asked.second);
            running->remaining.emplace();
            tlm::tlm_phase end = tlm::BEGIN_RESP;
            sc_time zero;
            bench.pipe->nb_transport_bw(*running, end, zero);
            return tlm::TLM_ACCEPTED;
        }
        if (command.row->command != packets::Command::GPGPU_WALKER)
            return bench.take(bench.pipe, command, phase, delay);
        running = &command;
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    };
    bench.ppgtt.map(kData, 0x1000);
    bench.run_ring(Words{0x11000001, 0x2580, 0x00060000 | level << 1} + kSelect + what,
                   cycles(20'000));
    bench.submit_other();
    sc_core::sc_start(cycles(20'000));
    return asked;
}
using Asked = std::pair<unsigned, unsigned>;
TEST(CommandStreamer, ThreadsOfAWalkerThatHasBeenSentAreSaved) {
    GEN9_COVERS("PRE-10");
    EXPECT_EQ(asked_at(0, walker() + kStall), Asked(1, 0));
}
TEST(CommandStreamer, BetweenGroupsAWalkerThatHasBeenSentCannotBeStopped) {
    EXPECT_EQ(asked_at(1, walker() + kStall), Asked(0, 0));
}
TEST(CommandStreamer, WithoutWorkNothingIsStopped) {
    EXPECT_EQ(asked_at(0, Words{0x0E00C002, 7, low(kData), 0}), Asked(0, 0));
}

// Each parameter, and what it is called in the interpreter.
TEST(CommandStreamer, SettingsAreThoseOfItsParameters) {
    const auto settings = [](const std::string& setting) {
        const TestEnvironment environment(Timing::Timed, {setting});
        const cs::CsParams params(environment.config, "cs");
        const cs::InterpreterSettings s = cs::settings_of(params);
        return std::tuple(s.fetch_bytes, s.slices, s.strict, s.privilege, s.flush_preempts,
                          s.restore_hazard, s.any_barrier_stalls);
    };
    EXPECT_EQ(settings("cs.slices=1"), std::tuple(256u, 1u, false, true, false, false, false));
    EXPECT_EQ(settings("cs.slices=3"), std::tuple(256u, 3u, false, true, false, false, false));
    EXPECT_EQ(settings("cs.fetch_bytes=100"), std::tuple(64u, 1u, false, true, false, false, false))
        << "a power of two";
    EXPECT_EQ(settings("cs.strict=on"), std::tuple(256u, 1u, true, true, false, false, false));
    EXPECT_EQ(settings("cs.privilege=all"),
              std::tuple(256u, 1u, false, false, false, false, false));
    EXPECT_EQ(settings("cs.media_state_flush=point"),
              std::tuple(256u, 1u, false, true, true, false, false));
    EXPECT_EQ(settings("cs.restore_hazard=on"),
              std::tuple(256u, 1u, false, true, false, true, false));
    EXPECT_EQ(settings("cs.stall_after_barrier=any"),
              std::tuple(256u, 1u, false, true, false, false, true));
}

}  // namespace
}  // namespace gen9
