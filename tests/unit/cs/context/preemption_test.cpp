// SPDX-License-Identifier: Apache-2.0
// A context that gives way to another one, and comes back.
#include <gtest/gtest.h>

#include <utility>

#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

struct Preemption : Contexts {
    std::uint32_t tail = 0, tail2 = 0;
    /// Context 1 runs `batch`; context 2 is submitted when its first command is parsed.
    void race(const Words& batch) {
        engine.ppgtt.map(kBatch, 0x1000);
        engine.ppgtt.put(kBatch, batch);
        add(tail, Words{0x11000001, 0x2244, 0x00010000} + start(kBatch));
        add(tail2,
            Words{0x11000001, 0x2244, 0x00010000} + Words{0x12000002, 0x2600, low(kData + 12), 0} +
                count(kData + 4),
            kRing2, kContext2);
        bool done = false;
        engine.on_parsed = [this, done]() mutable {
            if (done) return;
            done = true;
            engine.submit(submission(kContext2, 9));
        };
        engine.submit();
        engine.core.run();
        engine.on_parsed = nullptr;
    }
};

TEST_F(Preemption, HappensAtAnArbitrationCheckAndResumesThere) {
    GEN9_COVERS("CS-130 CS-138");
    race(Words{0x11000001, 0x2600, 55} + count() + Words{0x02800000} + count(kData + 8) +
         Words{0x12000002, 0x2600, low(kData + 16), 0} + kEnd);
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(1), 1u);  // context 2 ran
    EXPECT_EQ(data(2), 0u);  // context 1 did not go on
    EXPECT_EQ(data(3), 0u);
    EXPECT_EQ(entry(1), 0x2u);
    EXPECT_EQ(engine.image(0x0F) & 1, 1u);  // its batch head is in the image
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(2), 1u);
    EXPECT_EQ(data(4), 55u);
    EXPECT_TRUE(engine.core.idle());
}

TEST_F(Preemption, DoesNotHappenWhileArbitrationIsOff) {
    GEN9_COVERS("CS-130");
    race(Words{0x04000000} + count() + Words{0x02800000} + count(kData + 8) + kEnd);
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(2), 1u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(engine.stats.preemptions.value(), 0u);
}

TEST_F(Preemption, PointsAreTheOnesOfTheList) {
    GEN9_COVERS("CS-130 PRE-08 PRE-16");
    const struct {
        Words command;
        bool preempts;
    } cases[] = {
        {{0x02800000}, true},
        {{0x01800000}, true},
        {{0x7A000004, 0x00100000, 0, 0, 0, 0}, true},
        {walker(), true},
        {{0x0E00C002, 1, low(kData + 0x40), 0}, true},  // waits for a word that is not there
        {{0x70040000, 0}, false},
        {{0x00000000}, false},
        {state_base_address(), false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.command[0]);
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.ppgtt.map(kBatch, 0x1000);
        e.ggtt.map(kRing2, 0x4000);
        write_context(e.ggtt, kContext2, kRing2);
        e.ppgtt.put(kBatch, kSelectGpgpu + c.command + count() + kEnd);
        e.ggtt.put(kRing, start(kBatch));
        e.set_tail(12);
        e.ggtt.put(kRing2, Words{0, 0});
        e.set_tail(8, kContext2);
        bool done = false;
        e.on_parsed = [&] {
            if (done) return;
            done = true;
            e.submit(submission(kContext2, 9));
        };
        e.submit();
        e.core.run();
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), c.preempts ? 0u : 1u);
    }
}

TEST_F(Preemption, ImplicitFlushOfAStateCommandIsNoPointOfItsOwn) {
    GEN9_COVERS("CS-131 PRE-15");
    for (const Words& command :
         {state_base_address(), Words{0x61040001, 0x00800000, 0}, Words{0x69040301}}) {
        SCOPED_TRACE(command[0]);
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.ppgtt.map(kBatch, 0x1000);
        e.ggtt.map(kRing2, 0x4000);
        write_context(e.ggtt, kContext2, kRing2);
        e.ppgtt.put(kBatch, kSelectGpgpu + walker() + command + count() + Words{0x02800000} +
                                count(kData + 8) + kEnd);
        e.ggtt.put(kRing, start(kBatch));
        e.set_tail(12);
        e.ggtt.put(kRing2, Words{0, 0});
        e.set_tail(8, kContext2);
        bool during_flush = false;
        e.on_drain = [&] {
            if (e.in_flight == 0 || during_flush) return;
            during_flush = true;
            e.submit(submission(kContext2, 9));
        };
        e.submit();
        e.core.run();
        EXPECT_TRUE(during_flush);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u) << "no switch at the flush itself";
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + 8), 0u) << "but at the next point";
    }
}

TEST_F(Preemption, WorkInFlightEndsBeforeTheSwitch) {
    GEN9_COVERS("PRE-10");
    // MEDIA_OBJECT is no preemption point itself.
    race(kSelectGpgpu + Words{0x69040301} + Words{0x71000004, 0, 0, 0, 0, 0} + Words{0x02800000} +
         kEnd);
    EXPECT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.in_flight, 0u);
    EXPECT_EQ(data(1), 1u);
}

TEST_F(Contexts, UnsatisfiedSemaphoreLetsTheSecondElementRun) {
    GEN9_COVERS("CS-137");
    std::uint32_t tail = 0, tail2 = 0;
    add(tail, Words{0x0E00C002, 1, low(kData + 0x40), 0} + count());
    add(tail2, sdi(kData + 0x40, 1), kRing2, kContext2);
    engine.submit({7, kContext2 | 0x119, 3, kContext | 0x119});
    engine.core.run();
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(entry(1), 0x84u);  // semaphore wait, element switch
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 1u);
}

// The same wait ended by a submission is a preemption, which the status tells from a switch.
TEST_F(Contexts, AnUnsatisfiedSemaphoreGivesWayToASubmission) {
    GEN9_COVERS("CS-130 CS-138");
    std::uint32_t tail = 0, tail2 = 0;
    add(tail, Words{0x0E00C002, 1, low(kData + 0x40), 0} + count());
    add(tail2, sdi(kData + 0x40, 1), kRing2, kContext2);
    engine.on_poll = [&, submitted = false]() mutable {
        if (!std::exchange(submitted, true)) engine.submit(submission(kContext2, 7));
    };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(entry(1), 0x2u) << "preempted, and not because it waits";
    EXPECT_EQ(engine.stats.preemptions.value(), 1u);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 1u);
}

// Memory alone does not wake it: what it waits for is a signal, or to come back.
TEST_F(Contexts, AWaitForASignalReadsItsSemaphoreAgainWhenItsContextComesBack) {
    std::uint32_t tail = 0, tail2 = 0;
    unsigned polls = 0;
    add(tail, Words{0x0E004002, 1, low(kData + 0x40), 0} + count());
    // Names the other engine's context: nobody is there who would hear it.
    add(tail2, Words{0x0D800000, 0} + count(kData + 4), kRing2, kContext2);
    engine.on_poll = [&] {
        if (++polls == 2) engine.ppgtt.put<std::uint32_t>(kData + 0x40, 1);
        if (polls == 10) engine.submit(submission(kContext2, 7));
        EXPECT_NE(engine.core.describe().find("in signal mode, and nobody signalled"),
                  std::string::npos);
    };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(polls, 10u);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 1u);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(polls, 10u);
    EXPECT_EQ(data(0), 1u);
}

// Software gives a dummy MEDIA_VFE_STATE before it goes on with work.

}  // namespace
}  // namespace gen9
