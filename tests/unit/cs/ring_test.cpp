// SPDX-License-Identifier: Apache-2.0
// Rings without execlists: submission by the tail, contexts by command, preemption by UHPTR.
#include <algorithm>

#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint32_t kHead = 0x2034, kTail = 0x2030, kStart = 0x2038, kControl = 0x203C,
                        kPendingHead = 0x2134, kImr = 0x20A8;
constexpr std::uint32_t kPreemptedBatch = 0x2148, kPreemptedRing = 0x214C;
const Words kArbCheck = {0x02800000}, kStateFlush = {0x70040000, 0};

Words set_context(std::uint32_t address, std::uint32_t flags = 0) {
    return {0x0C000000, address | 1u << 8 | flags};
}

struct Ring : Contexts {
    std::uint32_t tail = 0;
    Ring() {
        engine.ppgtt.map(kBatch, 0x4000);
        engine.core.write_register(0x229C, 0x80000000);  // no execlists
        engine.core.write_register(kStart, kRing);
        engine.core.write_register(kHead, 0);
        engine.core.write_register(kTail, 0);
        engine.core.write_register(kControl, 0x3001);
    }
    void put(const Words& words) {
        engine.ggtt.put(kRing + tail, words);
        tail += static_cast<std::uint32_t>(4 * words.size());
    }
    void ask() { engine.core.write_register(kTail, tail); }
    void run(const Words& words) {
        put(words);
        ask();
        engine.core.run();
    }
    std::uint32_t reg(std::uint32_t offset) { return engine.core.read_register(offset); }
};

TEST_F(Ring, RunsFromItsHeadToItsTailEachTimeTheTailMoves) {
    run(count());
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(reg(kHead), tail);
    EXPECT_TRUE(engine.core.idle());
    run(count() + gpr(3, 77));
    EXPECT_EQ(data(0), 2u) << "the first command has not run again";
    run(srm(0x2618, kData + 4));
    EXPECT_EQ(data(1), 77u) << "state stays";
    EXPECT_EQ(engine.environment.reporter.entries().size(), 0u);
    EXPECT_EQ(engine.stats.contexts.value(), 0u);
}
TEST_F(Ring, ATailThatMovesWhileItRunsIsSeen) {
    put(count());
    ask();
    put(count());
    bool more = true;
    engine.on_parsed = [&] {
        if (std::exchange(more, false)) ask();
    };
    engine.core.run();
    EXPECT_EQ(data(0), 2u);
    EXPECT_TRUE(engine.core.idle());
}
TEST_F(Ring, ThatIsNotEnabledDoesNotRun) {
    engine.core.write_register(kControl, 0x3000);
    run(count());
    EXPECT_EQ(data(0), 0u);
    EXPECT_TRUE(engine.core.idle());
}
// What it has given is done when it stops.
TEST_F(Ring, ThatCannotGoOnWaitsForItsWork) {
    put(kSelectGpgpu + walker() + Words{0x0F800000});
    ask();
    engine.core.run();
    EXPECT_TRUE(engine.core.stopped());
    EXPECT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.in_flight, 0u);
}
// The host's writes that have the streamer look.
TEST_F(Ring, ItsTailAndItsPendingHeadAreSubmissions) {
    EXPECT_TRUE(engine.core.write_register(kTail, 0));
    EXPECT_TRUE(engine.core.write_register(kPendingHead, 0));
    EXPECT_FALSE(engine.core.write_register(kHead, 0));
    EXPECT_FALSE(engine.core.write_register(0x2600, 1));
    engine.core.write_register(0x229C, 0x80008000);
    EXPECT_FALSE(engine.core.write_register(kPendingHead, 0));
}
// With execlists the tail is the context's.
TEST_F(Ring, WithExeclistsTheTailRegisterIsReported) {
    engine.core.write_register(0x229C, 0x80008000);
    run(count());
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: submission"});
}

TEST_F(Ring, AContextIsSavedAndTheNextOneLoaded) {
    run(set_context(kContext, 1) + gpr(2, 5) + set_context(kContext2, 1) + srm(0x2610, kData) +
        gpr(2, 6) + set_context(kContext) + srm(0x2610, kData + 4) + set_context(kContext2) +
        srm(0x2610, kData + 8));
    EXPECT_EQ(data(0), 0u) << "nothing of the first one";
    EXPECT_EQ(data(1), 5u);
    EXPECT_EQ(data(2), 6u);
    EXPECT_EQ(reg(0x2180), kContext2 | 1);
    EXPECT_EQ(engine.unmapped, 0u) << "before the first there was none to be saved";
    EXPECT_EQ(engine.environment.reporter.entries().size(), 0u);
}
// 003:16986: the head moves where the register is valid, and only there.
// The engine has what the ring left, and not what the context had when it was saved.
TEST_F(Ring, AnExeclistsContextIsLoadedThoughARingHadTheSameOne) {
    run(set_context(kContext2, 1) + gpr(2, 5) + srm(0x2610, kData));
    EXPECT_EQ(data(0), 5u);
    engine.core.write_register(0x229C, 0x80008000);
    std::uint32_t tail_of_2 = 0;
    add(tail_of_2, srm(0x2610, kData), kRing2, kContext2);
    engine.submit(submission(kContext2, 0));
    engine.core.run();
    EXPECT_EQ(data(0), 0u);
}
TEST_F(Ring, AnArbitrationCheckMovesTheHeadToAValidPendingOne) {
    GEN9_COVERS("PRE-02");
    for (const bool valid : {false, true}) {
        data(0);
        const std::uint32_t before = data(0), begin = tail;
        put(kArbCheck + count() + count(kData + 4));
        const std::uint32_t target = begin + 4 * 4;  // behind the check and the first count
        engine.core.write_register(kPendingHead, target | (valid ? 1 : 0));
        ask();
        engine.core.run();
        EXPECT_EQ(data(0), before + !valid);
        EXPECT_EQ(reg(kHead), tail);
        engine.core.write_register(kPendingHead, 0);
    }
    EXPECT_EQ(data(1), 2u);
    // In a batch too, unless arbitration is off.
    engine.ppgtt.put(kBatch, Words{0x04000000} + kArbCheck + count(kData + 8) + Words{0x04000001} +
                                 kArbCheck + count(kData + 12) + kEnd);
    const Words ring = start(kBatch) + count(kData + 16);
    engine.core.write_register(kPendingHead,
                               (tail + 4 * static_cast<std::uint32_t>(ring.size())) | 1);
    run(ring + Words{0x11000001, kPendingHead, 0} + srm(kPreemptedBatch, kData + 32) +
        srm(kPreemptedRing, kData + 36) + count(kData + 20));
    EXPECT_EQ(data(2), 1u) << "arbitration was off";
    EXPECT_EQ(data(3), 0u) << "behind the check";
    EXPECT_EQ(data(4), 0u) << "the rest of the ring before the new head";
    EXPECT_EQ(data(5), 1u);
    // Where it was: the second check, and the ring behind the start.
    EXPECT_EQ(data(8), low(kBatch) + 4 * (1 + 1 + 3 + 1) + 1);
    EXPECT_EQ(data(9), tail - 4 * static_cast<std::uint32_t>(count().size() * 2 + 3 + 4 + 4));
}

/// A walker whose rest the pipe gives back when it is stopped.
struct RingWalker : Ring {
    unsigned stops = 0;
    RingWalker() {
        engine.on_stop = [this] {
            ++stops;
            PipelineCommand stopped = engine.sent.back();
            stopped.remaining.emplace().group = {2, 0, 0};
            engine.core.keep_walker(stopped);
        };
    }
};

// 003:16988-16990.
TEST_F(RingWalker, AMediaStateFlushWaitsForTheWalkerOrForAPendingHead) {
    GEN9_COVERS("PRE-03");
    run(kSelectGpgpu + walker() + kStateFlush + count());
    EXPECT_EQ(stops, 0u);
    std::vector<std::string> order;
    for (const std::string& entry : engine.journal)
        if (entry == "send" || entry == "drain") order.push_back(entry);
    EXPECT_EQ(order, (std::vector<std::string>{"send", "drain", "send", "drain"}))
        << "walker, its end, flush, the ring's end";
    EXPECT_EQ(data(0), 1u);
    bool parsed_more = false;
    engine.on_wait = [&] {
        if (engine.in_flight == 0) return;
        engine.on_wait = nullptr;
        EXPECT_EQ(data(0), 1u) << "nothing is fetched behind the flush";
        engine.core.write_register(kPendingHead, tail | 1);
        parsed_more = true;
    };
    run(walker() + kStateFlush + kArbCheck + count() + count());
    EXPECT_TRUE(parsed_more);
    EXPECT_EQ(stops, 1u);
    EXPECT_FALSE(engine.asked_for_threads) << "between groups";
    EXPECT_EQ(data(0), 1u) << "the head went to the tail";
}

// 003:17015-17029, step by step: the driver's program, and the way back.
TEST_F(RingWalker, TheDriversPreemptionAndItsReturn) {
    GEN9_COVERS("PRE-06");
    const Words work = kSelectGpgpu + walker() + kStateFlush + kArbCheck + count() + kEnd;
    engine.ppgtt.put(kBatch, work);
    put(set_context(kContext, 1) + start(kBatch));
    ask();
    engine.on_wait = [&] {
        if (engine.in_flight == 0) return;
        engine.on_wait = nullptr;
        // 1. UHPTR names the tail. 2. The new commands, and 3. those of the new context.
        const std::uint32_t at = tail;
        put(Words{0x11000001, kPendingHead, 0} + srm(kPreemptedBatch, kData + 32) +
            srm(kPreemptedRing, kData + 36) + Words{0x7A000004, 0x00100100, 0, 0, 0, 0} +
            set_context(kContext2, 1) + gpr(2, 9) + count(kData + 4));
        // The tail may be seen before: 003:17027.
        ask();
        engine.core.write_register(kPendingHead, at | 1);
    };
    engine.core.write_register(kImr, ~(1u << 4));
    engine.core.run();
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(engine.interrupts, std::vector<unsigned>{4}) << "the driver is notified";
    EXPECT_TRUE(engine.core.idle());
    EXPECT_EQ(engine.image(0x1420) >> 16, 0x7105u) << "the rest of the walker is in the image";
    // The way back: the context, then the batch from the command that was preempted on.
    const std::uint32_t there = data(8) & ~3u;
    EXPECT_EQ(data(8) & 1, 1u);
    const std::size_t sent = engine.sent.size();
    run(set_context(kContext) + start(there));
    EXPECT_EQ(data(0), 1u);
    ASSERT_EQ(engine.sent.size(), sent + 1);
    ASSERT_TRUE(engine.sent.back().resumes);
    EXPECT_EQ(engine.sent.back().resumes->group[0], 2u);
    EXPECT_EQ(engine.stats.preemptions.value(), 1u);
    EXPECT_EQ(engine.environment.reporter.entries().size(), 0u);
}

/// A further machine within a test.
struct FreshRing : RingWalker {
    void TestBody() override {}
};

// 003:16992-17011. Gen9's MI_BATCH_BUFFER_START has no GPGPU bit, and there is no GPGPU_OBJECT:
// the object is MEDIA_OBJECT.
TEST_F(RingWalker, TheSampleLayoutIsLeftAtEachOfItsChecksAndEnteredThereAgain) {
    GEN9_COVERS("PRE-04");
    const Words behind = kStateFlush + kArbCheck + count();
    const Words object = Words{0x69040301} + Words{0x71000004, 0, 0, 0, 0, 0};
    const Words batch =
        kSelectGpgpu + walker() + behind + walker() + behind + object + behind + kEnd;
    const std::size_t lead = kSelectGpgpu.size() + walker().size() + kStateFlush.size(),
                      unit = walker().size() + behind.size();
    const std::size_t checks[] = {lead, lead + unit,
                                  lead + 2 * unit + object.size() - walker().size()};
    for (unsigned n = 0; n <= 3; ++n) {  // 3: not at all
        SCOPED_TRACE(n);
        FreshRing ring;
        Engine& e = ring.engine;
        e.ppgtt.put(kBatch, batch);
        if (n == 2) e.on_stop = nullptr;  // objects are not stopped
        const auto works = [&] {
            return std::ranges::count_if(
                e.sent, [](const PipelineCommand& c) { return c.dwords[0] >> 24 == 0x71; });
        };
        bool asked = n == 3;
        e.on_wait = [&] {
            if (asked || works() <= std::ptrdiff_t{n}) return;
            asked = true;
            const std::uint32_t at = ring.tail;
            ring.put(Words{0x11000001, kPendingHead, 0} + srm(kPreemptedBatch, kData + 32) +
                     set_context(kContext2, 1) + count(kData + 4));
            ring.ask();
            e.core.write_register(kPendingHead, at | 1);
        };
        ring.run(set_context(kContext, 1) + start(kBatch));
        e.on_wait = nullptr;
        EXPECT_EQ(ring.data(0), n) << "units before it";
        EXPECT_EQ(ring.data(1), n < 3 ? 1u : 0u);
        EXPECT_EQ(ring.stops, n < 2 ? 1u : 0u);
        if (n < 3) {
            const std::uint32_t there = ring.data(8);
            EXPECT_EQ(there, low(kBatch) + 4 * checks[n] + 1);
            ring.run(set_context(kContext) + start(there & ~3u));
        }
        EXPECT_EQ(ring.data(0), 3u) << "each unit once";
        EXPECT_EQ(e.sent.size(), n < 2 ? 7u : 6u) << "what was stopped goes on";
        EXPECT_EQ(e.environment.reporter.entries().size(), 0u);
    }
}

// Nobody wants the head any more: the walker goes on at the next check.
TEST_F(RingWalker, AWalkerThatWasStoppedForNothingGoesOn) {
    engine.on_wait = [&] {
        if (engine.in_flight == 0) return;
        engine.on_wait = nullptr;
        engine.core.write_register(kPendingHead, tail | 1);
    };
    run(kSelectGpgpu + walker() + kStateFlush + Words{0x11000001, kPendingHead, 0} + kArbCheck +
        count());
    EXPECT_EQ(stops, 1u);
    ASSERT_EQ(engine.sent.size(), 3u) << "walker, flush, walker";
    EXPECT_TRUE(engine.sent.back().resumes);
    EXPECT_EQ(data(0), 1u);
}

}  // namespace
}  // namespace gen9
