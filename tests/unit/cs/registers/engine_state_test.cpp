// SPDX-License-Identifier: Apache-2.0
// Registers by which a host follows the engine: errors, where it stands, which units work, the
// watchdog.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9::engine_state {
namespace {

using namespace test;

constexpr std::uint32_t kEir = 0x20B0, kEmr = 0x20B4, kEsr = 0x20B8, kImr = 0x20A8;
constexpr std::uint32_t kInstdone = 0x206C;
/// The batch is in the PPGTT, and so not privileged.
const Words kForbidden = {0x11000001, 0x2244, 0x00010000};

// Linux unmasks bit 0 of EMR and bit 3 of IMR, and reads and clears EIR in its handler.
TEST(EngineState, AnUnknownCommandIsAnInstructionErrorAndInterrupts) {
    for (const bool unmasked : {false, true}) {
        Engine engine;
        engine.core.write_register(kImr, ~(1u << 3));
        if (unmasked) engine.core.write_register(kEmr, ~1u);
        engine.run_ring({0, 0x0F800000});
        EXPECT_TRUE(engine.core.stopped());
        EXPECT_EQ(engine.core.read_register(0x2034), 4u) << "the ring's head stays at it";
        EXPECT_EQ(engine.core.read_register(kEsr), 1u);
        EXPECT_EQ(engine.core.read_register(kEir), unmasked ? 1u : 0u);
        EXPECT_EQ(engine.interrupts, unmasked ? std::vector<unsigned>{3} : std::vector<unsigned>{});
        engine.core.write_register(kEir, 0);
        EXPECT_EQ(engine.core.read_register(kEir), unmasked ? 1u : 0u) << "a 0 clears nothing";
        engine.core.write_register(kEir, ~0u);
        EXPECT_EQ(engine.core.read_register(kEir), 0u);
    }
}

TEST(EngineState, ACommandThatIsTooShortIsAnInstructionError) {
    Engine engine;
    engine.core.write_register(kEmr, 0);
    engine.run_ring({0x7A000000, 0, 0, 0, 0, 0});
    EXPECT_EQ(engine.core.read_register(kEir), 1u);
}

TEST_F(Interpreter, ADroppedWriteIsAPrivilegeErrorAndTheStreamGoesOn) {
    engine.core.write_register(kEmr, ~4u);
    engine.core.write_register(kImr, ~(1u << 3));
    engine.ppgtt.put(kBatch, (Stream() << kForbidden << sdi(kData, 7) << kEnd).words);
    run(Stream() << start(kBatch));
    EXPECT_EQ(engine.core.read_register(kEir), 4u);
    EXPECT_EQ(engine.core.read_register(kEsr), 0u) << "nothing is wrong any more";
    EXPECT_EQ(engine.interrupts, std::vector<unsigned>{3});
    EXPECT_EQ(data(0), 7u);
}

TEST_F(Interpreter, ARegisterPolledFromABatchIsAPrivilegeError) {
    engine.core.write_register(kEmr, 0);
    engine.ppgtt.put(kBatch, (Stream() << Words{0x0E01C002, 1, 0x2600, 0} << kEnd).words);
    run(Stream() << start(kBatch));
    EXPECT_EQ(engine.core.read_register(kEir), 4u);
}

/// Polls memory until it is 1.
const Words kPoll = {0x0E00C002, 1, low(kData), high(kData)};

TEST_F(Interpreter, AnUnsatisfiedSemaphoreInterruptsOnce) {
    engine.core.write_register(kImr, ~(1u << 11));
    unsigned polls = 0;
    engine.on_poll = [&] {
        if (++polls == 3) engine.ppgtt.put<std::uint32_t>(kData, 1);
    };
    run(Stream() << kPoll << kPoll);
    EXPECT_EQ(polls, 3u);
    EXPECT_EQ(engine.interrupts, std::vector<unsigned>{11});
}

TEST_F(Interpreter, ASemaphoreThatWaitsForASignalIsReportedWithStrict) {
    const auto errors = [](std::uint32_t header, std::uint32_t memory) {
        Engine strict({.strict = true});
        strict.ppgtt.put<std::uint32_t>(kData, memory);
        strict.on_poll = [&] {
            strict.ppgtt.put<std::uint32_t>(kData, 1);
            strict.submit(submission(0x80000, 9));  // whoever waits for a signal gives way
        };
        strict.run_ring({header, 1, low(kData), high(kData)});
        const auto kinds = strict.kinds();
        return std::ranges::count(kinds, "cs: semaphore");
    };
    EXPECT_EQ(errors(0x0E004002, 0), 1);
    EXPECT_EQ(errors(0x0E004002, 1), 0) << "it need not wait";
    EXPECT_EQ(errors(0x0E00C002, 0), 0) << "it polls";
}

// What Linux writes into its error state.
TEST_F(Interpreter, ADebuggerSeesWhereTheEngineWaits) {
    const Words lead(16, 0);
    engine.ppgtt.put(kBatch, (Stream() << lead << start(kBatch + 0x1000, 0x400100) << kEnd).words);
    engine.ppgtt.put(kBatch + 0x1000, (Stream() << Words{0} << kPoll << kEnd).words);
    std::map<std::uint32_t, std::uint32_t> seen;
    engine.on_poll = [&] {
        for (const std::uint32_t offset :
             {0x2034u, 0x2068u, 0x2074u, 0x205Cu, 0x2140u, 0x2110u, 0x2114u, 0x2118u, kInstdone})
            seen[offset] = engine.core.read_register(offset);
        engine.ppgtt.put<std::uint32_t>(kData, 1);
    };
    run(Stream() << Words{0, 0} << start(kBatch));
    EXPECT_EQ(seen[0x2034], 20u) << "RING_HEAD: behind the batch start";
    EXPECT_EQ(seen[0x2068], kPoll[0]) << "IPEHR";
    EXPECT_EQ(seen[0x2074], kBatch + 0x1004) << "ACTHD: the command in execution";
    EXPECT_EQ(seen[0x205C], 0u);
    EXPECT_EQ(seen[0x2140], (kBatch + 76) | 1) << "BB_ADDR: in use, behind the call";
    EXPECT_EQ(seen[0x2110], 0x20u) << "BB_STATE: PPGTT";
    EXPECT_EQ(seen[0x2114], (kBatch + 0x1014) | 1) << "SBB_ADDR";
    EXPECT_EQ(seen[0x2118], 0x20u);
    EXPECT_EQ(seen[kInstdone], ~(1u << 21)) << "only the streamer works";
    EXPECT_EQ(engine.core.read_register(kInstdone), ~0u);
    EXPECT_EQ(engine.core.read_register(0x2074), kRing + 20) << "idle: the ring's head";
}

TEST_F(Interpreter, InstdoneNamesTheUnitsThatWork) {
    std::uint32_t seen = 0;
    engine.on_drain = [&] {
        if (engine.in_flight) seen = engine.core.read_register(kInstdone);
    };
    run(Stream() << kSelectGpgpu << walker() << pipe_control(1u << 20));
    EXPECT_EQ(~seen, 1u << 12 | 1u << 13 | 1u << 16 | 1u << 17 | 1u << 21)
        << "dispatcher, URB manager, front end, spawner, streamer";
    EXPECT_EQ(engine.core.read_register(kInstdone), ~0u);
}

// SC_INSTDONE, SAMPLER_INSTDONE, ROW_INSTDONE.
TEST_F(Interpreter, TheInstdonesBehindTheFrontEndAreDoneWithoutWork) {
    constexpr std::array<std::uint32_t, 3> kOffsets = {0x7100, 0xE160, 0xE164};
    std::array<std::uint32_t, 3> seen{};
    engine.on_drain = [&] {
        if (!engine.in_flight) return;
        for (unsigned i = 0; i < 3; ++i)
            seen[i] = engine.core.read_register(kOffsets[i]);
    };
    run(Stream() << kSelectGpgpu << walker() << pipe_control(1u << 20));
    EXPECT_EQ(~seen[0], 0x1FFu << 16) << "DC0 to DC3, GW0 to GW3, TDC";
    EXPECT_EQ(~seen[1], 0xFFFFFu);
    EXPECT_EQ(~seen[2], 1u << 6 | 1u << 12 | 1u << 15 | 0xFu << 16 | 0xFu << 21 | 1u << 26)
        << "TDL, instruction cache, EUs, MA0 and MA1";
    for (const std::uint32_t offset : kOffsets)
        EXPECT_EQ(engine.core.read_register(offset), ~0u);
}

TEST_F(Interpreter, TheWatchdogCountsTicksFromItsStartToItsThreshold) {
    std::optional<std::uint64_t> asked;
    std::uint64_t began = 0, count = 0;
    engine.on_parsed = [&] {
        if (engine.core.read_register(0x217C) == 500 && !began) began = engine.time;
    };
    engine.on_poll = [&] {
        asked = engine.alarm_at;
        count = engine.core.read_register(0x2190);
        engine.ppgtt.put<std::uint32_t>(kData, 1);
    };
    run(Stream() << lri(0x217C, 500) << lri(0x2178, 0) << Words(20, 0) << kPoll << lri(0x2178, 1));
    ASSERT_TRUE(asked.has_value());
    EXPECT_EQ(*asked, began + 500);
    EXPECT_EQ(count, 20u + 1 + 100) << "NOOPs, the semaphore, and the poll it waits for";
    EXPECT_FALSE(engine.alarm_at.has_value()) << "stopped";
    EXPECT_EQ(engine.core.read_register(0x2190), 0u);
}

TEST_F(Interpreter, TheWatchdogIsOffAtResetWithoutAThresholdAndBetweenContexts) {
    std::vector<bool> on;
    engine.on_poll = [&] {
        on.push_back(engine.alarm_at.has_value());
        engine.ppgtt.put<std::uint32_t>(kData, 1);
    };
    const Words again = sdi(kData, 0);
    run(Stream() << lri(0x217C, 500) << kPoll << lri(0x217C, 0) << lri(0x2178, 0) << again << kPoll
                 << lri(0x217C, 500) << again << kPoll);
    EXPECT_EQ(on, (std::vector<bool>{false, false, true}));
    EXPECT_FALSE(engine.alarm_at.has_value()) << "idle";

    // The same context goes on: its watchdog begins anew.
    const std::uint64_t begins = engine.time + 10;
    engine.ppgtt.put<std::uint32_t>(kData, 0);
    engine.on_poll = [&] {
        EXPECT_EQ(engine.alarm_at, begins + 500);
        engine.ppgtt.put<std::uint32_t>(kData, 1);
    };
    run(Stream() << kPoll);
}

TEST_F(Interpreter, TheWatchdogsTimeRaisesItsInterrupt) {
    engine.core.write_register(kImr, ~(1u << 6));
    engine.core.watchdog_expired();
    EXPECT_EQ(engine.interrupts, std::vector<unsigned>{6});
}

// Two of three slices.
TEST(EngineState, APowerRequestTravelsWithMediaStateAndCountsForPredicates) {
    constexpr std::uint32_t kRequest = 1u << 31 | 1u << 18 | 2u << 15;
    Engine engine({.slices = 3});
    const auto only_with = [](std::uint32_t slices, std::uint32_t gpr) {
        return (Stream() << Words{0x00800004 + slices} << lri(gpr, 1) << Words{0x00800000}).words;
    };
    engine.run_ring((Stream() << only_with(3, 0x2600) << lri(0x20C8, kRequest) << kSelectGpgpu
                              << only_with(2, 0x2608) << only_with(3, 0x2610))
                        .words);
    ASSERT_FALSE(engine.states.empty());
    EXPECT_EQ(engine.states[0].power_request, kRequest);
    EXPECT_EQ(engine.gpr(0), 1u) << "all three before the request";
    EXPECT_EQ(engine.gpr(1), 1u);
    EXPECT_EQ(engine.gpr(2), 0u);
}

// Pipeline statistics (003: IA_VERTICES_COUNT and those behind it): a draw adds to each counter what
// its stage has done.
TEST(EngineState, ADrawCountsInThePipelineStatistics) {
    GEN9_COVERS("FF-33");
    const std::pair<std::uint32_t, std::uint64_t DrawCounts::*> counters[] = {
        {0x2310, &DrawCounts::ia_vertices},    {0x2318, &DrawCounts::ia_primitives},
        {0x2320, &DrawCounts::vs_invocations}, {0x2300, &DrawCounts::hs_invocations},
        {0x2308, &DrawCounts::ds_invocations}, {0x2328, &DrawCounts::gs_invocations},
        {0x2330, &DrawCounts::gs_primitives},  {0x2338, &DrawCounts::cl_invocations},
        {0x2340, &DrawCounts::cl_primitives},  {0x2348, &DrawCounts::ps_invocations},
        {0x2350, &DrawCounts::ps_depth}};
    Engine engine;
    DrawCounts counts;
    for (std::uint64_t n = 0; n < std::size(counters); ++n)
        counts.*counters[n].second = (n + 1) << 31;  // two of them carry into the high half
    engine.core.count_draw(counts);
    engine.core.count_draw(counts);
    for (std::uint64_t n = 0; n < std::size(counters); ++n) {
        const std::uint32_t offset = counters[n].first;
        EXPECT_EQ(engine.core.read_register(offset + 4), n + 1) << std::hex << offset;
        EXPECT_EQ(engine.core.read_register(offset), 0u) << std::hex << offset;
    }
}

}  // namespace
}  // namespace gen9::engine_state
