// SPDX-License-Identifier: Apache-2.0
// Submissions and contexts, as the driver makes them.
#include "cs/core.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

TEST(CsCore, RunsTheDriversFirstSubmission) {
    GEN9_COVERS("CS-133 CS-135 CS-136 CS-137 CS-138 CS-140");
    Engine engine;
    engine.ppgtt.put(kPreamble, preamble_batch());
    engine.ppgtt.put(kTask, task_batch());
    engine.run_ring(first_ring_commands());

    EXPECT_TRUE(engine.core.idle());
    EXPECT_FALSE(engine.core.stopped());
    EXPECT_EQ(engine.environment.reporter.failed(), false) << engine.environment.log.at(0);
    EXPECT_EQ(engine.ppgtt.get<std::uint64_t>(kTag), 1u);
    // MEDIA_VFE_STATE and the descriptor load; MEDIA_STATE_FLUSH, walker, MEDIA_STATE_FLUSH.
    ASSERT_EQ(engine.states.size(), 2u);
    ASSERT_EQ(engine.sent.size(), 3u);
    const PipelineCommand& walk = engine.sent[1];
    EXPECT_EQ(Words(walk.dwords.begin(), walk.dwords.begin() + walk.length_dwords), walker());
    EXPECT_EQ(walk.address.value, kTask + 6 * 4);
    EXPECT_EQ(walk.state->surface_state_base.value, 0x1'0001'1000u);
    EXPECT_EQ(walk.state->dynamic_state_base.value, 0x2'0002'2000u);
    EXPECT_EQ(walk.state->indirect_object_base.value, 0x3'0000'0000u);
    EXPECT_EQ(walk.state->instruction_base.value, 0x4'0004'4000u);
    EXPECT_EQ(walk.state->bindless_surface_base.value, 0x5'0005'5000u);
    EXPECT_EQ(walk.state->instruction_size, 0xFFFFF000u);
    EXPECT_EQ(walk.state->stateless_mocs, 2);
    EXPECT_EQ(walk.state->system_instruction_pointer.value, 0x500u);
    EXPECT_EQ(engine.external.at(0x7034), 0x80000340u);
    EXPECT_EQ(engine.external.at(0x2270), low(kPml4));
    EXPECT_EQ(engine.external.at(0x2274), high(kPml4));
    // The driver polls bit 8 until it is set; the head is where the tail was.
    EXPECT_EQ(engine.core.read_register(0x2234) & 0x100, 0x100u);
    EXPECT_EQ(engine.image(5), 0x1Cu);
}

TEST_F(Contexts, AContextSwitchInterruptsAfterItsStatusIsInMemory) {
    engine.core.write_register(0x20A8, ~(1u << 8));
    std::vector<std::uint32_t> last_entries;  // as the status page says at each interrupt
    engine.on_interrupt = [&] {
        last_entries.push_back(engine.ggtt.get<std::uint32_t>(kStatusPage + 4 * 0x1F));
    };
    std::uint32_t tail = 0;
    add(tail, count());
    engine.ggtt.put<std::uint32_t>(kStatusPage + 4 * 0x1F, 0xFFFFFFFF);  // whatever was there
    engine.submit();
    engine.core.run();
    // Idle to active, and active to idle with the context complete.
    EXPECT_EQ(engine.interrupts, (std::vector<unsigned>{8, 8}));
    EXPECT_EQ(last_entries, (std::vector<std::uint32_t>{0, 1}));
    engine.interrupts.clear();
    engine.core.write_register(0x20A8, ~0u);
    add(tail, count());
    engine.submit();
    engine.core.run();
    EXPECT_TRUE(engine.interrupts.empty());
}

TEST_F(Contexts, ThreeWritesOfThePortDoNothingTheFourthSubmits) {
    GEN9_COVERS("CS-133");
    std::uint32_t tail = 0;
    add(tail, count());
    for (const std::uint32_t value : {0u, 0u, 0u})
        EXPECT_FALSE(engine.core.write_register(0x2230, value));
    EXPECT_TRUE(engine.core.idle());
    EXPECT_TRUE(engine.core.write_register(0x2230, kContext | 0x119));
    EXPECT_FALSE(engine.core.idle());
    EXPECT_EQ(engine.core.read_register(0x2234) & 0x100, 0u);
    engine.core.run();
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.core.read_register(0x2234) & 0x100, 0x100u);
}

TEST_F(Contexts, AContextIsAnImageInMemoryAtThePageOfItsDescriptor) {
    GEN9_COVERS("CS-93");
    std::uint32_t tail = 0;
    add(tail, count());
    const std::uint32_t untouched = engine.image(0x1688);
    // Flags in the descriptor's low bits are no part of the address.
    for (const std::uint32_t flags : {0x119u, 0x019u}) {
        engine.submit({0, 0, 7, kContext | flags});
        engine.core.run();
        EXPECT_EQ(engine.image(5), tail) << "read and written at " << kContext;
        add(tail, count());
    }
    EXPECT_EQ(data(0), 2u);
    EXPECT_EQ(engine.image(0x1688), untouched);
    EXPECT_EQ(engine.unmapped, 0u);
    EXPECT_TRUE(engine.kinds().empty());
}

TEST_F(Contexts, LaterSubmissionsResumeAtTheSavedHead) {
    GEN9_COVERS("CS-136 CS-138");
    std::uint32_t tail = 0;
    add(tail, Words{0x11000001, 0x2244, 0x00010000} + count() + Words{0});
    engine.submit();
    engine.core.run();
    add(tail, count());
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 2u);
    EXPECT_EQ(engine.image(5), tail);
    EXPECT_EQ(engine.image(7), tail);
}

TEST_F(Contexts, SubmissionOfTheRunningContextOnlyMovesTheTail) {
    GEN9_COVERS("CS-139");
    std::uint32_t tail = 0;
    add(tail, count() + count());
    bool done = false;
    engine.on_parsed = [&] {
        if (done) return;
        done = true;
        add(tail, count(kData + 4));
        engine.submit();
    };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 2u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(engine.stats.contexts.value(), 1u);
    EXPECT_EQ(engine.stats.lite_restores.value(), 1u);
    EXPECT_EQ(entry(0), 0x1u);
    EXPECT_EQ(entry(1), 0x8002u);
    EXPECT_EQ(entry(2), 0x18u);
    EXPECT_TRUE(engine.core.idle());
}

TEST_F(Contexts, AMovedTailIsWhereItsImageSays) {
    std::uint32_t tail = 0;
    add(tail, count());
    engine.ggtt.put(kRing + tail, count(kData + 4) + count(kData + 8));
    bool done = false;
    engine.on_parsed = [&] {
        if (std::exchange(done, true)) return;
        // Of the two commands behind it the first.
        engine.set_tail(tail + 4 * static_cast<std::uint32_t>(count().size()));
        engine.submit();
    };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.stats.lite_restores.value(), 1u);
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(data(2), 0u);
}

TEST_F(Contexts, TailMayMoveWhileTheLastWorkEnds) {
    GEN9_COVERS("CS-139");
    std::uint32_t tail = 0;
    add(tail, kSelectGpgpu + walker());
    bool done = false;
    engine.on_drain = [&] {
        if (done || engine.in_flight == 0) return;
        done = true;
        add(tail, count());
        engine.submit();
    };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.stats.contexts.value(), 1u);
}

// The driver's own ring arithmetic: 28 bytes first, then 16; before the end the rest is
// zero-filled.
TEST_F(Contexts, AThousandSubmissionsCrossTheRingsEnd) {
    GEN9_COVERS("CS-141 CS-142");
    engine.ppgtt.map(kBatch, 0x1000);
    engine.ppgtt.put(kBatch, count() + kEnd);
    std::uint32_t tail = 0;
    for (unsigned n = 0; n < 1100; ++n) {
        if (tail + 28 >= 0x4000) {
            for (; tail < 0x4000; tail += 4)
                engine.ggtt.put<std::uint32_t>(kRing + tail, 0);
            tail = 0;
        }
        add(tail,
            (n == 0 ? Words{0x11000001, 0x2244, 0x00010000} : Words{}) + start(kBatch) + Words{0});
        engine.submit();
        engine.core.run();
        ASSERT_EQ(data(0), n + 1);
        ASSERT_EQ(engine.image(5) & 0x1FFFFF, tail);
    }
    EXPECT_EQ(tail, 0x10u + 16 * (1100 - 1023));
    EXPECT_EQ(engine.image(5) >> 21, 1u);
}

TEST_F(Contexts, SecondElementRunsAfterTheFirst) {
    GEN9_COVERS("CS-133 CS-140");
    std::uint32_t tail = 0, tail2 = 0;
    add(tail, sdi(kData, 1) + Words{0x12000002, 0x2358, low(kData + 8), 0});
    add(tail2, sdi(kData + 4, 1) + Words{0x12000002, 0x2358, low(kData + 12), 0}, kRing2,
        kContext2);
    engine.submit({7, kContext2 | 0x119, 3, kContext | 0x119});
    engine.core.run();
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_LT(data(2), data(3));
    EXPECT_EQ(entry(0), 0x1u);
    EXPECT_EQ(entry_id(0), 3u);
    EXPECT_EQ(entry(1), 0x14u);  // element switch, complete
    EXPECT_EQ(entry_id(1), 3u);
    EXPECT_EQ(entry(2), 0x18u);  // active to idle, complete
    EXPECT_EQ(entry_id(2), 7u);
    EXPECT_EQ(engine.core.read_register(0x23A0) & 7, 2u);
}

TEST_F(Contexts, StatusEntriesGoToTheStatusPageAndWrapAfterSix) {
    GEN9_COVERS("CS-140");
    std::uint32_t tail = 0;
    for (unsigned n = 0; n < 4; ++n) {
        add(tail, Words{0, 0});
        engine.submit(submission(kContext, 100 + n));
        engine.core.run();
    }
    // Eight events: the last two are in entries 0 and 1 again.
    EXPECT_EQ(engine.core.read_register(0x23A0) & 7, 1u);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0x7C), 1u);
    for (unsigned n = 0; n < 6; ++n) {
        EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0x40 + 8 * n), entry(n));
        EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0x44 + 8 * n),
                  n < 2 ? 103u : 101u + (n - 2) / 2);
    }
}

TEST_F(Contexts, AfterAClearOfMediaStateWorkNeedsAVfeStateAgain) {
    GEN9_COVERS("PRE-17");
    const Words vfe = {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    const Words load = {0x70020002, 0, 0x20, 0x1240}, clear = pipe_control(1u << 20 | 1u << 16);
    std::uint32_t tail = 0;
    add(tail, kSelectGpgpu + clear + kPipeOnly + load + walker());
    engine.submit();
    engine.core.run();
    EXPECT_TRUE(engine.sent.empty());
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
    add(tail, kPipeOnly + vfe + load + walker());
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
    // The other half of the rule: the command that brings the state of another context in.
    add(tail, Words{0x0C000000, 0});
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 2u) << "is one of rings without lists";
}

TEST_F(Contexts, WorkaroundBatchesRunBeforeTheRing) {
    std::uint32_t tail = 0;
    add(tail, Words{0x12000002, 0x2600, low(kData), 0});
    engine.ggtt.put(0x200000, Words{0x11000001, 0x2600, 5, 0x05000000});
    Words indirect(32, 0);
    indirect[0] = 0x11000001, indirect[1] = 0x2608, indirect[2] = 6;
    engine.ggtt.put(0x201000, indirect);
    engine.ggtt.put(kContext + 0x1000 + 4 * 0x18, Words{0x21C0, 0x200001, 0x21C4, 0x201002});
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 5u);
    EXPECT_EQ(engine.gpr(1), 6u);
    EXPECT_TRUE(engine.core.idle());
    EXPECT_FALSE(engine.environment.reporter.failed());
}

TEST_F(Contexts, AWorkaroundBatchThatCannotBeParsedStopsTheEngine) {
    std::uint32_t tail = 0;
    add(tail, count());
    engine.ggtt.put(0x200000, Words{0x0F800000, 0x05000000});
    engine.ggtt.put(kContext + 0x1000 + 4 * 0x18, Words{0x21C0, 0x200001});
    engine.submit();
    engine.core.run();
    EXPECT_TRUE(engine.core.stopped());
    EXPECT_EQ(data(0), 0u) << "the ring behind it";
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
}

TEST_F(Contexts, LoadInvalidatesAndSaveFlushes) {
    GEN9_COVERS("SMP-275");
    std::uint32_t tail = 0;
    add(tail, Words{0, 0});
    engine.submit();
    engine.core.run();
    ASSERT_EQ(engine.controls.size(), 2u);
    const CacheControl load = engine.controls[0];
    EXPECT_TRUE(load.invalidate_tlb && load.invalidate_instruction && load.invalidate_state &&
                load.invalidate_constant && load.invalidate_texture);
    EXPECT_TRUE(engine.controls[1].flush_data);
}

TEST_F(Contexts, DescriptorSaysHowManyLevelsTheTablesHave) {
    GEN9_COVERS("CS-134");
    std::uint32_t tail = 0;
    add(tail, Words{0, 0});
    engine.register_writes.clear();  // of the driver's start
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.register_writes[0],
              (std::pair<std::uint32_t, std::uint32_t>{0x229C, 0x00800080}));
    engine.register_writes.clear();
    engine.submit({0, 0, 0, kContext | 0x109});  // legacy, 32 bits
    engine.core.run();
    EXPECT_EQ(engine.register_writes[0],
              (std::pair<std::uint32_t, std::uint32_t>{0x229C, 0x00800000}));
}

TEST_F(Contexts, BrokenImageIsReportedAndDoesNotHang) {
    GEN9_COVERS("CS-99");
    engine.ggtt.put<std::uint32_t>(kContext + 0x1000,
                                   0x7A000004);  // a PIPE_CONTROL is no part of an image
    engine.submit();
    engine.core.run();
    EXPECT_TRUE(engine.core.idle());
    ASSERT_GE(engine.kinds().size(), 1u);
    EXPECT_EQ(engine.kinds()[0], "cs: context image");
}

TEST_F(Contexts, UnmappedContextIsReportedAndDoesNotHang) {
    engine.submit(submission(0x900000));
    engine.core.run();
    EXPECT_TRUE(engine.core.idle());
    EXPECT_GT(engine.unmapped, 0u);
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: ring"});
}

TEST_F(Contexts, ThirdListWhileTwoAreThereIsReported) {
    std::uint32_t tail = 0;
    add(tail, Words{0, 0});
    engine.submit();
    engine.submit();
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: submission"});
    engine.core.run();
    EXPECT_TRUE(engine.core.idle());
}

TEST_F(Contexts, EmptySubmissionIsIdleAtOnce) {
    engine.submit({0, 0, 0, 0});
    EXPECT_TRUE(engine.core.idle());
    engine.core.run();
    EXPECT_TRUE(engine.core.idle());
}

TEST_F(Contexts, StoppedEngineTakesNothingMore) {
    GEN9_COVERS("CS-149");
    std::uint32_t tail = 0;
    add(tail, Words{0x0F800000, 0});
    engine.submit();
    engine.core.run();
    EXPECT_TRUE(engine.core.stopped());
    engine.submit();
    engine.core.run();
    EXPECT_FALSE(engine.core.idle());
    EXPECT_NE(engine.core.describe().find("stopped"), std::string::npos);
    EXPECT_NE(engine.core.describe().find("a further submission waits"), std::string::npos);
}

TEST_F(Contexts, UnknownRegistersKeepWhatIsWrittenAndAreNamedOnce) {
    GEN9_COVERS("CS-153");
    EXPECT_EQ(engine.core.read_register(0x9400), 0u);
    ASSERT_EQ(engine.environment.log.size(), 1u) << "a read is named too";
    EXPECT_NE(engine.environment.log[0].find("0x9400"), std::string::npos);
    std::uint32_t tail = 0;
    add(tail, lri(0x9400, 0xDEADBEEF) + srm(0x9400, kData) + lri(0x9404, 3) + lri(0x9404, 4));
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 0xDEADBEEFu);
    EXPECT_EQ(engine.core.read_register(0x9404), 4u);
    EXPECT_EQ(engine.environment.log.size(), 2u) << "each once";
    EXPECT_FALSE(engine.environment.reporter.failed());
}

TEST_F(Contexts, AStoppedRingWaitsBetweenCommandsUntilItIsLetGo) {
    std::uint32_t tail = 0;
    add(tail, count() + count());
    EXPECT_EQ(engine.core.read_register(0x209C) & 0x300, 0x200u) << "idle";
    engine.core.write_register(0x209C, 0x01000100);
    unsigned polls = 0;
    engine.on_poll = [&] {
        EXPECT_EQ(data(0), 0u);
        EXPECT_EQ(engine.core.read_register(0x209C) & 0x300, 0x300u) << "stopped, so idle";
        EXPECT_NE(engine.core.describe().find("MI_MODE"), std::string::npos);
        if (++polls == 3) engine.core.write_register(0x209C, 0x01000000);
        ASSERT_LT(polls, 10u);
    };
    engine.on_parsed = [&] { EXPECT_EQ(engine.core.read_register(0x209C) & 0x200, 0u); };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(polls, 3u);
    EXPECT_EQ(data(0), 2u);
}

TEST_F(Contexts, ASubmissionWithExeclistsOffIsReported) {
    std::uint32_t tail = 0;
    add(tail, count());
    engine.core.write_register(0x229C, 0x80000000);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: submission"});
    EXPECT_EQ(data(0), 1u);
}

}  // namespace
}  // namespace gen9
