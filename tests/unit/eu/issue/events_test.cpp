// SPDX-License-Identifier: Apache-2.0
#include "eu/events.h"

#include <gtest/gtest.h>

namespace gen9::eu {
namespace {

using enum ThreadStage;

struct EventsTest : ::testing::Test {
    StatRegistry registry;
    EuEvents events{registry, "gpu.eu_events", {Media, Vs}};
    StageActivity activity;

    void issued(ThreadStage stage, StageActivity::Unit unit, std::uint64_t now,
                std::uint64_t cycles) {
        activity.issued(events, stage, unit, Cycles(now), Cycles(now + cycles));
    }
    void passed(unsigned vs, unsigned ps, std::uint64_t from, std::uint64_t to) {
        std::array<unsigned, kThreadStages> loaded{};
        loaded[static_cast<unsigned>(Vs)] = vs;
        loaded[static_cast<unsigned>(Ps)] = ps;
        activity.passed(events, loaded, Cycles(from), Cycles(to));
    }
};

// By hand: FPU0 of VS at 10 to 14, FPU1 of PS at 11 to 13, FPU1 of VS at 13 to 17.
TEST_F(EventsTest, AUnitBelongsToTheStageOfItsInstruction) {
    issued(Vs, StageActivity::kFpu0, 10, 4);
    issued(Ps, StageActivity::kFpu1, 11, 2);
    issued(Vs, StageActivity::kFpu1, 13, 4);
    issued(Ps, StageActivity::kSend, 15, 2);
    const StageEvents &vs = events.of(Vs), &ps = events.of(Ps), &all = events.of_all();
    EXPECT_EQ(vs.fpu0_cycles.value(), 4u);
    EXPECT_EQ(vs.fpu1_cycles.value(), 4u);
    EXPECT_EQ(vs.active_cycles.value(), 7u) << "10 to 17";
    EXPECT_EQ(vs.fpus_cycles.value(), 1u) << "13";
    EXPECT_EQ(ps.fpu0_cycles.value(), 0u);
    EXPECT_EQ(ps.fpu1_cycles.value(), 2u);
    EXPECT_EQ(ps.send_cycles.value(), 2u);
    EXPECT_EQ(ps.active_cycles.value(), 4u);
    EXPECT_EQ(ps.fpus_cycles.value(), 0u) << "one of them is another stage's";
    EXPECT_EQ(all.fpu0_cycles.value(), 4u);
    EXPECT_EQ(all.fpu1_cycles.value(), 6u);
    EXPECT_EQ(all.send_cycles.value(), 2u);
    EXPECT_EQ(all.active_cycles.value(), 7u);
    EXPECT_EQ(all.fpus_cycles.value(), 3u) << "11 to 14";
    EXPECT_EQ(events.of(Media).active_cycles.value(), 0u);
}

// An EU may have several units of a kind, which count once a cycle.
TEST_F(EventsTest, UnitsOfOneKindCountOnce) {
    issued(Vs, StageActivity::kFpu0, 0, 4);
    issued(Vs, StageActivity::kFpu1, 0, 8);
    issued(Vs, StageActivity::kFpu0, 2, 4);
    EXPECT_EQ(events.of(Vs).fpu0_cycles.value(), 6u);
    EXPECT_EQ(events.of(Vs).fpus_cycles.value(), 6u);
    EXPECT_EQ(events.of(Vs).active_cycles.value(), 8u);
}

TEST_F(EventsTest, AStageIsStalledWhileItsThreadsOccupyNothing) {
    passed(1, 0, 0, 10);
    issued(Vs, StageActivity::kBranch, 10, 4);
    issued(Ps, StageActivity::kNone, 10, 2);
    passed(1, 2, 10, 13);
    passed(1, 2, 13, 20);
    passed(0, 0, 20, 30);
    const StageEvents &vs = events.of(Vs), &ps = events.of(Ps), &all = events.of_all();
    EXPECT_EQ(vs.thread_cycles.value(), 20u);
    EXPECT_EQ(vs.stalled_cycles.value(), 10u + 6);
    EXPECT_EQ(vs.active_cycles.value(), 4u);
    EXPECT_EQ(ps.thread_cycles.value(), 2u * 10);
    EXPECT_EQ(ps.stalled_cycles.value(), 8u);
    EXPECT_EQ(ps.active_cycles.value(), 2u);
    EXPECT_EQ(all.thread_cycles.value(), 40u);
    EXPECT_EQ(all.stalled_cycles.value(), 16u);
    EXPECT_EQ(all.active_cycles.value(), 4u);
}

TEST_F(EventsTest, ClientsOfTheDispatcherHaveStagesAndTheirCountersNames) {
    EXPECT_EQ(events.stage_of_client[1], Vs);
    ++events.of(Gs).active_cycles;
    EXPECT_EQ(registry.sum("eu_events.gs.active_cycles"), 1u);
    ++events.of(Media).active_cycles;
    EXPECT_EQ(registry.sum("eu_events.media.active_cycles"), 1u);
    EXPECT_EQ(registry.sets().size(), EuEvents::kSets);
}

}  // namespace
}  // namespace gen9::eu
