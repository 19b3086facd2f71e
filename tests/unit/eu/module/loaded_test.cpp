// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

class EuLoaded : public testing::TestWithParam<Timing> {
  protected:
    TestEnvironment test{GetParam()};
    EuBench bench{test};
};

INSTANTIATE_TEST_SUITE_P(Modes, EuLoaded, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& info) {
                             return info.param == Timing::Timed ? "Timed" : "Functional";
                         });

TEST_P(EuLoaded, AnEndlessLoopReturnsToTheKernelAndItsInstructionsGrow) {
    bench.eu.observe(nullptr);  // in functional mode regions run only unobserved
    bench.code(0, {jump_if_less(0, 1, 0)});
    bench.payload = {0, 1};
    bench.dispatch(0, 0);
    std::uint64_t before = 0;
    for (unsigned look = 0; look < 5; ++look) {
        bench.run(10'000);
        const std::uint64_t now = bench.eu.instructions();
        EXPECT_GT(now, before + 100) << "look " << look;
        // Not further ahead of the time asked for than one quantum.
        EXPECT_LE(now, bench.now() + bench.eu.params().quantum_instructions);
        before = now;
    }
    ASSERT_EQ(bench.eu.loaded_threads().size(), 1u);
    EXPECT_EQ(bench.eu.loaded_threads()[0].instructions, before);
}

TEST_P(EuLoaded, AThreadThatWaitsExecutesNothing) {
    bench.keep_gateway = true;
    bench.code(0, {load(Sfid::Gateway, 0xFF, 0, 0), wait_n0(), end_of_thread()});
    bench.dispatch(0, 0);
    bench.run(1000);
    EXPECT_EQ(bench.eu.instructions(), 1u);
    bench.run(100'000);
    EXPECT_EQ(bench.eu.instructions(), 1u);
}

TEST_P(EuLoaded, EachThreadsPlaceGroupAndReasonAreGiven) {
    bench.keep_gateway = true;
    // A barrier that does not open, and in the other thread a loop.
    bench.code(0, {add(1, 1), load(Sfid::Gateway, 0xFF, 0, 0), wait_n0(), end_of_thread()});
    bench.code(0x100, {jump_if_less(0, 1, 0x100)});
    bench.payload = {0, 1};
    bench.adjust = [](ThreadDispatch& d) {
        d.work = 9;
        d.gpgpu.group_id = {3, 4, 5};
        d.gpgpu.local_thread = 6;
    };
    bench.dispatch(2, 0);
    bench.adjust = [](ThreadDispatch&) {};
    bench.dispatch(5, 0x100);
    bench.run(5000);
    const std::vector<eu::LoadedThread> threads = bench.eu.loaded_threads();
    ASSERT_EQ(threads.size(), 2u);
    const eu::LoadedThread& waits = threads[0];
    EXPECT_EQ(waits.place.slice, SliceId(0));
    EXPECT_EQ(waits.place.subslice, SubsliceId(1));
    EXPECT_EQ(waits.place.eu, EuId(2));
    EXPECT_EQ(waits.place.slot, ThreadSlot(2));
    EXPECT_EQ(waits.work, 9u);
    EXPECT_EQ(waits.group_id, (std::array<std::uint32_t, 3>{3, 4, 5}));
    EXPECT_EQ(waits.local_thread, 6u);
    EXPECT_EQ(waits.ip, 0x20u);
    EXPECT_FALSE(waits.instruction.empty());
    EXPECT_EQ(waits.waits_for, "a notification");
    EXPECT_EQ(waits.instructions, 2u);
    EXPECT_EQ(waits.messages, 1u);
    EXPECT_EQ(waits.messages_out, 1u);
    EXPECT_EQ(to_text(waits), "slice0.subslice1.eu2.thread2 ip 00000020 [" + waits.instruction +
                                  "] waits for a notification; walker 9 group (3, 4, 5) thread 6: "
                                  "2 instructions executed, 1 of 1 messages out");
    const eu::LoadedThread& loops = threads[1];
    EXPECT_EQ(loops.place.slot, ThreadSlot(5));
    EXPECT_EQ(loops.ip, 0x100u);
    EXPECT_GT(loops.instructions, 100u);
    EXPECT_EQ(loops.waits_for, GetParam() == Timing::Timed ? "branch" : "its turn");
    EXPECT_EQ(bench.eu.describe_waiting(), to_text(waits) + "\n" + to_text(loops) + "\n");
}

TEST_P(EuLoaded, EachMessageAndFetchHasAnIdOfItsOwnFromThisEuForItsWalker) {
    bench.adjust = [](ThreadDispatch& dispatch) { dispatch.work = 7; };
    bench.code(0, {load(Sfid::DataPort1, 20, 1, 0), load(Sfid::Sampler, 21, 1, 20),
                   load(Sfid::Gateway, 0xFF, 0, 0), end_of_thread()});
    bench.code(0x1000, {end_of_thread()});
    bench.dispatch(0, 0);
    bench.dispatch(1, 0x1000);
    bench.run();
    ASSERT_EQ(bench.sent.size(), 5u);
    ASSERT_GE(bench.fetch_ids.size(), 2u);
    std::set<TraceId> ids(bench.fetch_ids.begin(), bench.fetch_ids.end());
    for (const EuBench::Sent& sent : bench.sent)
        ids.insert(sent.trace_id);
    EXPECT_EQ(ids.size(), bench.sent.size() + bench.fetch_ids.size()) << "none twice";
    for (const TraceId id : ids) {
        EXPECT_EQ(id >> 32 & 0xFFFF, 0x100 + kEuNumber);
        EXPECT_EQ(work_of(id, 8), 7u);
        EXPECT_NE(id & 0xFFFFFFFF, 0u);
    }
}

}  // namespace
}  // namespace gen9::test
