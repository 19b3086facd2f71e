// SPDX-License-Identifier: Apache-2.0
// Walkers that another context stops between two groups.
#include <utility>

#include "packets/stopped_walker.h"
#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint32_t kKept = 0x1420;  ///< DWord of the image
constexpr std::array<std::uint32_t, 3> kNext = {2, 5, 7};
const Words kStall = pipe_control(0x00100000);

bool resumes(const PipelineCommand& command) {
    return command.resumes.has_value();
}

/// The pipe stops walkers at kNext.
struct Stopping : Interrupted {
    /// What the front end says of a walker that is to go on at kNext.
    static WalkerRest rest_of_it() {
        WalkerRest rest;
        rest.dimensions = {4, 6, 8};
        rest.group = kNext;
        rest.thread = 3;
        rest.saved_threads[0] = 0x80000001;
        rest.saved_threads[15] = 5;
        return rest;
    }
    /// The same as a command, with what is reserved in GPGPU_WALKER.
    static Words kept() {
        Words kept = walker();
        kept[0] |= 1u << 9;
        kept[1] |= 3u << 8;
        kept[6] = kNext[0];
        kept[7] = 4;
        kept[9] = kNext[1];
        kept[10] = 6;
        kept[11] = kNext[2];
        kept[12] = 8;
        kept.resize(31);
        kept[15] = 0x80000001;
        kept[30] = 5;
        return kept;
    }
    explicit Stopping(const cs::InterpreterSettings& settings = {}) : Interrupted(settings) {}
    unsigned in_flight() const override { return engine.in_flight; }
    PipelineCommand stopped() const override {
        PipelineCommand stopped = engine.sent.back();
        stopped.remaining = rest_of_it();
        return stopped;
    }
};

/// A further machine within a test.
struct Fresh : Stopping {
    void TestBody() override {}
};

// 003:17089-17095. Threads of a walker that was stopped there would have two bases.
TEST_F(Stopping, AnImplicitFlushOfAStateCommandStopsNoWalker) {
    GEN9_COVERS("PRE-15");
    const Words check = {0x02800000}, csr = {0x61040001, 0x00800000, 0}, select = {0x69040301};
    for (const Words& command : {kStall, state_base_address(), csr, select}) {
        SCOPED_TRACE(command[0]);
        Fresh f;
        Engine& e = f.engine;
        const bool stops = command == kStall;
        bool in_flight = false;  // when the command behind was executed
        e.on_write = [&](GpuAddr address) {
            in_flight |= address.value == kData && e.in_flight != 0;
        };
        // The submission comes while the walker is waited for, in whichever way.
        e.on_drain = [&] {
            if (e.in_flight != 0 && e.on_wait) e.on_wait();
        };
        f.run(kSelectGpgpu + walker() + command + count() + check + count(kData + 8) + kEnd);
        EXPECT_EQ(f.stops, stops ? 1u : 0u);
        EXPECT_EQ(f.data(0), stops ? 0u : 1u);
        EXPECT_FALSE(in_flight);
        EXPECT_EQ(f.data(1), 1u) << "the other context";
        EXPECT_EQ(f.data(2), 0u) << "the switch is at the check";
        f.return_to_it();
        EXPECT_EQ(e.sent.size(), stops ? 2u : 1u) << "what was left of the walker";
        EXPECT_EQ(f.data(0), 1u);
        EXPECT_EQ(f.data(2), 1u);
    }
}

// No MEDIA_STATE_FLUSH and no MI_ARB_CHECK is needed for it (PRE-07).
TEST_F(Stopping, AWalkerGoesOnWithItsContextBeforeTheCommandsBehindIt) {
    GEN9_COVERS("PRE-05 PRE-07");
    run(kSelectGpgpu + walker() + kStall + count() + kEnd);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 1u);  // context 2 ran
    EXPECT_EQ(entry(1), 0x2u);
    ASSERT_EQ(engine.sent.size(), 1u);
    EXPECT_FALSE(resumes(engine.sent[0]));
    // 003:17013: a modified GPGPU_WALKER is saved.
    for (std::uint32_t i = 0; i < kept().size(); ++i)
        EXPECT_EQ(engine.image(kKept + i), kept()[i]) << i;
    const std::size_t states = engine.states.size();
    engine.on_control = [&] {
        EXPECT_EQ(engine.sent.size(), 1u) << "caches are emptied first";
        engine.on_control = nullptr;
    };
    return_to_it();
    ASSERT_EQ(engine.sent.size(), 2u);
    EXPECT_EQ(engine.states.size(), states + 2) << "its media state comes back first";
    EXPECT_EQ(engine.sent[1].resumes, rest_of_it());
    EXPECT_EQ(engine.sent[1].length_dwords, 15u);
    EXPECT_EQ(data(0), 1u);
    EXPECT_TRUE(engine.core.idle());
    EXPECT_EQ(engine.image(kKept), 0u);
}

TEST_F(Stopping, AWalkerIsResumedOnce) {
    run(kSelectGpgpu + walker() + kStall + kEnd);
    return_to_it();
    engine.submit(submission(kContext2, 9));
    engine.core.run();
    return_to_it();
    EXPECT_EQ(engine.sent.size(), 2u);
}

// PRE-18: the workaround's stall keeps the loads apart, and does not wait for the walk.
TEST_F(Stopping, AWalkerGoesOnBehindTheWorkaroundBatch) {
    run(kSelectGpgpu + walker() + kStall + kEnd);
    engine.ppgtt.map(kBatch + 0x1000, 0x1000);
    engine.ggtt.map(0x7000'0000, 0x1000);
    engine.ggtt.put(0x7000'0000, Words{0x04000000} + kStall + Words{0x04000001} + kEnd);
    engine.ggtt.put<std::uint32_t>(kContext + 0x1000 + 4 * 0x19, 0x7000'0001);
    unsigned stalls = 0;
    engine.on_drain = [&] {
        if (stalls++ == 0) {
            EXPECT_EQ(engine.sent.size(), 1u);
        }
    };
    return_to_it();
    EXPECT_GT(stalls, 0u);
    EXPECT_EQ(engine.sent.size(), 2u);
}

/// A machine that loses the loads of a restore, and a context with a workaround batch.
struct Hazard : Stopping {
    Hazard() : Stopping(settings()) {}
    static cs::InterpreterSettings settings() {
        cs::InterpreterSettings settings;
        settings.restore_hazard = true;
        return settings;
    }
    /// Media state that came back, by the high halves of its headers.
    std::vector<std::uint32_t> come_back(const Words& workaround) {
        run(kSelectGpgpu + walker() + kStall + kEnd);
        engine.ggtt.map(0x7000'0000, 0x1000);
        engine.ggtt.put(0x7000'0000, workaround + kEnd);
        engine.ggtt.put<std::uint32_t>(kContext + 0x1000 + 4 * 0x19, 0x7000'0001);
        const std::size_t before = engine.states.size();
        return_to_it();
        std::vector<std::uint32_t> ids;
        for (std::size_t i = before; i < engine.states.size(); ++i)
            ids.push_back(engine.states[i].dwords[0] >> 16);
        EXPECT_EQ(engine.sent.size(), 2u) << "the walker goes on in any case";
        return ids;
    }
};

TEST_F(Hazard, WithoutTheWorkaroundsStallALoadOfTheRestoreIsLostAndReported) {
    GEN9_COVERS("PRE-18");
    EXPECT_EQ(come_back({0x04000000, 0x04000001}), std::vector<std::uint32_t>{0x7000});
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: restore"});
}

TEST_F(Hazard, BehindTheWorkaroundsStallTheLoadsArrive) {
    GEN9_COVERS("PRE-18");
    EXPECT_EQ(come_back(Words{0x04000000} + kStall + Words{0x04000001}),
              (std::vector<std::uint32_t>{0x7000, 0x7002}));
    EXPECT_FALSE(engine.environment.reporter.failed());
}

// The model orders its loads: without the fault the workaround is not needed.
TEST_F(Stopping, WithoutTheHazardTheLoadsArriveInAnyCase) {
    GEN9_COVERS("PRE-18");
    run(kSelectGpgpu + walker() + kStall + kEnd);
    const std::size_t before = engine.states.size();
    return_to_it();
    EXPECT_EQ(engine.states.size(), before + 2);
    EXPECT_FALSE(engine.environment.reporter.failed());
}

TEST_F(Stopping, AWalkerGivesWayWhereverTheStreamWaitsForIt) {
    // At the ring's end; before the next walker, which then comes second; before a flush or state,
    // though neither is a point by itself.
    for (const Words& behind :
         {Words{}, walker(), Words{0x70040000, 0}, Words{0x70020002, 0, 0x20, 0x1280}}) {
        SCOPED_TRACE(behind.size());
        Fresh fresh;
        fresh.run(kSelectGpgpu + walker() + behind + kEnd);
        EXPECT_EQ(fresh.stops, 1u);
        EXPECT_EQ(fresh.data(1), 1u);
        EXPECT_EQ(fresh.entry(1), 0x2u) << "not complete";
        fresh.return_to_it();
        const bool sends = !behind.empty() && behind[0] >> 16 != 0x7002;
        ASSERT_EQ(fresh.engine.sent.size(), sends ? 3u : 2u);
        EXPECT_TRUE(resumes(fresh.engine.sent[1]));
        if (sends) {
            EXPECT_EQ(fresh.engine.sent[2].dwords[0], behind[0]);
        }
    }
}

TEST_F(Stopping, IsNotAskedWhereTheContextAsksForCommandBorders) {
    GEN9_COVERS("PRE-01");
    run(lri(0x2580, 0x00060004) + kSelectGpgpu + walker() + kStall + count() + Words{0x02800000} +
        count(kData + 8) + kEnd);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(data(2), 0u) << "the next point";
    // Thread groups, and threads.
    for (const std::uint32_t level : {0x00060002u, 0x00060000u}) {
        Fresh fresh;
        fresh.run(lri(0x2580, level) + kSelectGpgpu + walker() + kStall + count() + kEnd);
        EXPECT_EQ(fresh.stops, 1u);
        EXPECT_EQ(fresh.engine.asked_for_threads, level == 0x00060000);
        EXPECT_EQ(fresh.data(0), 0u);
    }
}

TEST_F(Stopping, IsNotAskedWhileArbitrationIsOff) {
    run(kSelectGpgpu + Words{0x04000000} + walker() + kStall + count() + Words{0x04000001} +
        Words{0x02800000} + count(kData + 8) + kEnd);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(2), 0u);
}

TEST_F(Stopping, ABatchCannotSetTheBitThatResumes) {
    Words odd = walker();
    odd[0] |= 1u << 9;
    engine.run_ring(kSelectGpgpu + odd + kStall);
    ASSERT_EQ(engine.sent.size(), 1u);
    EXPECT_FALSE(resumes(engine.sent[0]));
}

// PRE-16's switch: the command is a preemption point.
TEST(MediaStateFlush, IsAPointWhereItIsAskedToBe) {
    GEN9_COVERS("PRE-16");
    for (const bool point : {false, true}) {
        cs::InterpreterSettings settings;
        settings.flush_preempts = point;
        Engine engine(settings);
        engine.ppgtt.map(kData, 0x1000);
        engine.ggtt.map(kRing2, 0x4000);
        write_context(engine.ggtt, kContext2, kRing2);
        engine.ggtt.put(kRing2, Words{0, 0});
        engine.set_tail(8, kContext2);
        bool done = false;
        engine.on_parsed = [&] {
            if (!std::exchange(done, true)) engine.submit(submission(kContext2, 9));
        };
        engine.run_ring(kSelectGpgpu + Words{0x70040000, 0} + count());
        EXPECT_EQ(engine.ppgtt.get<std::uint32_t>(kData), point ? 0u : 1u);
    }
}

}  // namespace
}  // namespace gen9
