// SPDX-License-Identifier: Apache-2.0
// Commands in a stream: PIPE_CONTROL, state, and what is given to the media/GPGPU pipe.
#include "cs/command/interpreter.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

TEST_F(Interpreter, PostSyncWritesEightBytes) {
    GEN9_COVERS("CS-61 CS-91");
    engine.ppgtt.put<std::uint64_t>(kData, 0xCCCCCCCCCCCCCCCC);
    engine.ppgtt.put<std::uint64_t>(kData + 8, 0xCCCCCCCCCCCCCCCC);
    run(Stream() << pipe_control(0x00100000)
                 << pipe_control(0x00104000, kData, 0x1122334455667788));
    EXPECT_EQ(data64(0), 0x1122334455667788u);
    EXPECT_EQ(data64(1), 0xCCCCCCCCCCCCCCCCu);
}

TEST_F(Interpreter, EffectsOfOnePipeControlComeInOrder) {
    GEN9_COVERS("CS-59 CS-60 CS-89");
    Stream s;
    s << kSelectGpgpu << walker()
      << pipe_control(0x00104C2C, kData, 1);  // invalidations, DC flush, stall, write
    engine.journal.clear();
    run(s);
    const auto at = [&](const std::string& what, std::size_t from) {
        for (std::size_t i = from; i < engine.journal.size(); ++i)
            if (engine.journal[i] == what) return i;
        return std::size_t{9999};
    };
    const std::size_t sent = at("send", 0);
    const std::size_t invalidated = at("invalidate", sent), drained = at("drain", sent),
                      flushed = at("flush", sent);
    const std::size_t written = at("write " + std::to_string(kData) + " 8", sent);
    EXPECT_LT(sent, invalidated);
    EXPECT_LT(invalidated, drained);
    EXPECT_LT(drained, flushed);
    EXPECT_LT(flushed, written);
    EXPECT_LT(written, 9999u);
}

TEST_F(Interpreter, TexturesAreInvalidatedOnceWithTheFlushWhenTheWorkHasEnded) {
    GEN9_COVERS("SMP-272");
    engine.journal.clear();
    engine.controls.clear();
    run(Stream() << kSelectGpgpu << walker() << pipe_control(0x00100420));
    const auto sent = std::find(engine.journal.begin(), engine.journal.end(), "send");
    ASSERT_GE(engine.journal.end() - sent, 3);
    EXPECT_EQ(sent[1], "drain");
    EXPECT_EQ(sent[2], "flush");
    const auto together = std::ranges::count_if(engine.controls, [](const CacheControl& control) {
        return control.flush_data && control.invalidate_texture && !control.invalidate_tlb;
    });
    EXPECT_EQ(together, 1);
}

TEST_F(Interpreter, InvalidationWithoutStallLetsTheNextCommandGoOn) {
    GEN9_COVERS("CS-55 CS-67");
    unsigned in_flight_at_store = 0;
    engine.on_parsed = [&] { in_flight_at_store = engine.in_flight; };
    run(Stream() << kSelectGpgpu << walker() << pipe_control(0x00000004) << sdi(kData, 1));
    EXPECT_EQ(in_flight_at_store, 1u);
}

TEST_F(Interpreter, TimestampPostSyncHas36Bits) {
    GEN9_COVERS("CS-19 CS-61 CS-62");
    engine.time = (1ull << 40) + (1ull << 36) - 3;
    run(Stream() << pipe_control(0x0010C000, kData) << Words{0, 0, 0, 0, 0}
                 << pipe_control(0x0010C000, kData + 8));
    EXPECT_EQ(data64(0) >> 36, 0u);
    EXPECT_EQ((data64(1) - data64(0)) & 0xF'FFFF'FFFF, 6u);
}

TEST_F(Interpreter, LriPostSyncWritesARegister) {
    GEN9_COVERS("CS-76");
    run(Stream() << pipe_control(0x00100000) << pipe_control(0x00800000, 0x2610, 0x77));
    EXPECT_EQ(engine.gpr(2), 0x77u);
}

TEST_F(Interpreter, StoreDataIndexOfPipeControlGoesToTheStatusPage) {
    GEN9_COVERS("CS-80");
    run(Stream() << pipe_control(0x01304000, 0x208, 0x42) << pipe_control(0x00304000, 0x210, 0x43));
    EXPECT_EQ(engine.ggtt.get<std::uint64_t>(kStatusPage + 0x208), 0x42u);
    EXPECT_EQ(engine.ggtt.get<std::uint64_t>(kContext + 0x210), 0x43u);
}

TEST_F(Interpreter, StrictModeReportsBrokenRestrictionsAndCarriesOn) {
    GEN9_COVERS("CS-75 CS-92");
    const Words words =
        (Stream() << pipe_control(0) << pipe_control(0x00040000) << sdi(kData, 1)).words;
    run(Stream() << words);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 0u);
    Engine strict({.fetch_bytes = 256, .slices = 1, .strict = true});
    strict.ppgtt.map(kData, 0x1000);
    strict.run_ring(words);
    EXPECT_EQ(strict.environment.reporter.guest_errors(), 2u);
    EXPECT_EQ(strict.ppgtt.get<std::uint32_t>(kData), 1u);
}

TEST_F(Interpreter, AFlushAloneDrainsTheCachesAndWritesNothing) {
    GEN9_COVERS("CS-58");
    engine.journal.clear();
    run(Stream() << kSelectGpgpu << walker() << pipe_control(1u << 5, kData, 1));
    const auto sent = std::find(engine.journal.begin(), engine.journal.end(), "send");
    ASSERT_GE(engine.journal.end() - sent, 4);
    EXPECT_EQ(sent[1], "drain");
    EXPECT_EQ(sent[2], "flush");
    EXPECT_EQ(data64(0), 0u) << "nothing tells that the data can be seen";
    EXPECT_EQ(engine.stats.interrupts.value(), 0u);
}

TEST_F(Interpreter, PipeControlsRetireInOrderEachWithItsOwnWrite) {
    GEN9_COVERS("CS-70");
    std::vector<unsigned> in_flight;
    std::vector<std::uint64_t> written;
    engine.on_drain = [&] {
        in_flight.push_back(engine.in_flight);
        written.push_back(data64(0));
    };
    Stream s;
    s << kSelectGpgpu << walker() << walker();
    for (std::uint64_t n = 1; n <= 40; ++n)
        s << pipe_control(0x00104000, kData, n << 32 | n) << pipe_control(0x00004000, kData + 8, n);
    in_flight.clear();
    written.clear();
    run(s);
    ASSERT_GE(written.size(), 82u);
    // The pipe's selection and the bases have waited before.
    EXPECT_EQ(in_flight[2], 2u) << "the first waits for what was before it";
    for (std::uint64_t n = 0; n < 40; ++n)
        EXPECT_EQ(written[2 + 2 * n], n << 32 | n) << "all earlier writes, none later";
    EXPECT_EQ(data64(1), 40u);
}

TEST_F(Interpreter, CountersAreReadAtAnyTimeAndAreWholeAfterAFlush) {
    GEN9_COVERS("CS-16");
    engine.on_drain = [&] {
        if (engine.in_flight) engine.core.count_channels(48);
    };
    unsigned in_flight = 0;
    engine.on_parsed = [&] { in_flight = engine.in_flight; };
    run(Stream() << kSelectGpgpu << walker() << srm(0x2290, kData) << pipe_control(1u << 20)
                 << srm(0x2290, kData + 4) << walker() << srm(0x2290, kData + 8));
    EXPECT_EQ(data(0), 0u) << "read while the work runs, without waiting for it";
    EXPECT_EQ(data(1), 48u) << "with a flush before";
    EXPECT_EQ(data(2), 48u);
    EXPECT_EQ(in_flight, 1u);
    EXPECT_EQ(engine.core.read_register(0x2290), 96u);
}

TEST_F(Interpreter, GpgpuAndMediaObjectCommandsAreSeparatedByAFlush) {
    GEN9_COVERS("TD-61");
    Words object(6, 0);
    object[0] = 0x71000004;
    const auto errors = [](const Words& first, const Words& between, const Words& second) {
        Engine strict({.fetch_bytes = 256, .slices = 1, .strict = true});
        strict.run_ring((Stream() << kSelectGpgpu << first << between << second).words);
        EXPECT_EQ(strict.sent.size(), 2u) << "both are carried out";
        return strict.environment.reporter.guest_errors();
    };
    const Words flush = pipe_control(1u << 20), invalidation = pipe_control(1u << 3);
    EXPECT_EQ(errors(walker(), {0}, object), 1u);
    EXPECT_EQ(errors(object, {0}, walker()), 1u);
    EXPECT_EQ(errors(walker(), invalidation, object), 1u) << "waits for nothing";
    EXPECT_EQ(errors(walker(), flush, object), 0u);
    EXPECT_EQ(errors(object, flush, walker()), 0u);
    EXPECT_EQ(errors(walker(), {0}, walker()), 0u);
    EXPECT_EQ(errors(object, {0}, object), 0u);
}

TEST_F(Interpreter, L3IsDividedAnewAfterTwoFlushesOnly) {
    GEN9_COVERS("CS-132");
    const auto errors = [](std::initializer_list<std::uint32_t> flags) {
        Engine strict({.fetch_bytes = 256, .slices = 1, .strict = true});
        Stream s;
        s << kSelectGpgpu << walker();
        for (const std::uint32_t f : flags)
            s << pipe_control(f);
        strict.run_ring((s << lri(0x7034, 0x60000321)).words);
        EXPECT_EQ(strict.external.at(0x7034), 0x60000321u) << "it is written all the same";
        return strict.environment.reporter.guest_errors();
    };
    const std::uint32_t stall = 1u << 20, flush = 1u << 5 | stall, invalidate = flush | 1u << 3;
    EXPECT_EQ(errors({}), 1u);
    EXPECT_EQ(errors({stall, stall}), 1u);
    EXPECT_EQ(errors({invalidate}), 1u) << "the invalidation may still be under way";
    EXPECT_EQ(errors({invalidate, stall}), 1u);
    EXPECT_EQ(errors({invalidate, flush}), 0u);
    EXPECT_EQ(errors({invalidate, flush, stall}), 0u);
    // By whichever command.
    Engine copied({.fetch_bytes = 256, .slices = 1, .strict = true});
    Stream s;
    s << kSelectGpgpu << walker() << lri(0x2600, 0x60000321) << lrr(0x2600, 0x7034);
    copied.run_ring(s.words);
    EXPECT_EQ(copied.environment.reporter.guest_errors(), 1u);
    Engine fresh({.fetch_bytes = 256, .slices = 1, .strict = true});
    fresh.run_ring(lri(0x7034, 0x60000321));
    EXPECT_EQ(fresh.environment.reporter.guest_errors(), 0u) << "nothing has run";
}

// State commands.

TEST_F(Interpreter, PipelineSelectNeedsBothMaskBits) {
    GEN9_COVERS("CS-52 CS-122");
    const Words state(kSelectGpgpu.begin() + 1, kSelectGpgpu.end());
    const auto run_with = [&](std::uint32_t select, std::size_t sent, std::uint64_t errors) {
        Engine e;
        e.run_ring((Stream() << state << Words{select} << walker()).words);
        EXPECT_EQ(e.sent.size(), sent) << std::hex << select;
        EXPECT_EQ(e.environment.reporter.guest_errors(), errors) << std::hex << select;
    };
    run_with(0x69040002, 0, 1);  // no mask: 3D stays selected
    run_with(0x69040102, 0, 2);
    run_with(0x69040202, 0, 2);
    run_with(0x69040302, 1, 0);
}

TEST_F(Interpreter, OnePipeRunsAtATimeAndPipelineSelectChanges) {
    GEN9_COVERS("MED-02");
    const Words select_3d = {0x69040300};
    run(Stream() << kSelectGpgpu << walker() << select_3d << walker() << kSelectGpgpu << walker());
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u) << "the walker while 3D is selected";
    std::vector<std::string> order;
    for (const auto& entry : engine.journal)
        if (entry == "send" || entry == "drain") order.push_back(entry);
    ASSERT_EQ(engine.sent.size(), 2u);
    // What one pipe runs has ended before the other is selected.
    ASSERT_GE(order.size(), 3u);
    EXPECT_EQ(order[0], "send");
    EXPECT_EQ(order[1], "drain");
}

TEST_F(Interpreter, BaseAddressesWaitForRunningWorkAndLeaveItsSnapshotAlone) {
    GEN9_COVERS("CS-51");
    run(Stream() << kSelectGpgpu << state_base_address() << walker() << state_base_address()
                 << walker());
    ASSERT_EQ(engine.sent.size(), 2u);
    EXPECT_NE(engine.sent[0].state, engine.sent[1].state);
    std::vector<std::string> order;
    for (const auto& entry : engine.journal)
        if (entry == "send" || entry == "drain") order.push_back(entry);
    EXPECT_EQ(order, (std::vector<std::string>{"send", "drain", "send", "drain"}));
}

TEST_F(Interpreter, StateSipIsPartOfTheState) {
    GEN9_COVERS("CS-47");
    run(Stream() << kSelectGpgpu << Words{0x61020001, 0x12345670, 1} << walker());
    EXPECT_EQ(engine.sent.at(0).state->system_instruction_pointer.value, 0x1'1234'5670u);
}

TEST_F(Interpreter, MediaCommandsGoToThePipeWhole) {
    GEN9_COVERS("CS-125");
    Words object = {0x71000008};
    for (std::uint32_t i = 1; i < 10; ++i)
        object.push_back(i);
    run(Stream() << kSelectGpgpu << Words{0x69040301} << Words{0x70010002, 0, 0x40, 0x80}
                 << object);
    ASSERT_EQ(engine.states.size(), 3u);
    EXPECT_EQ(engine.states[2].dwords[3], 0x80u);
    ASSERT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.sent[0].length_dwords, 10u);
    EXPECT_EQ(engine.sent[0].dwords[9], 9u);
}

TEST_F(Interpreter, WorkBeforeItsStateIsReportedAndNotDispatched) {
    GEN9_COVERS("CS-127");
    const Words vfe = {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    const Words load = {0x70020002, 0, 0x20, 0x1240}, bases = state_base_address();
    const Words object = {0x71000004, 0, 0, 0, 0, 0}, nothing;
    Words object_walker(17, 0);
    object_walker[0] = 0x7103000F;
    for (const Words& work : {walker(), object, object_walker})
        for (const char* missing :
             {"", "MEDIA_VFE_STATE", "STATE_BASE_ADDRESS", "MEDIA_INTERFACE_DESCRIPTOR_LOAD"}) {
            const auto unless = [&](const char* name, const Words& words) {
                return std::string(name) == missing ? nothing : words;
            };
            Engine e;
            e.ppgtt.map(kData, 0x1000);
            e.run_ring((Stream() << kPipeOnly << unless("MEDIA_VFE_STATE", vfe)
                                 << unless("STATE_BASE_ADDRESS", bases)
                                 << unless("MEDIA_INTERFACE_DESCRIPTOR_LOAD", load) << work
                                 << sdi(kData, 1))
                           .words);
            const bool whole = !*missing;
            EXPECT_EQ(e.sent.size(), whole ? 1u : 0u) << missing;
            EXPECT_EQ(e.environment.reporter.guest_errors(), whole ? 0u : 1u) << missing;
            EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u) << "the stream goes on";
            if (!whole) {
                EXPECT_NE(e.environment.reporter.entries().at(0).text.find(missing),
                          std::string::npos);
            }
        }
}

TEST_F(Interpreter, CommandTooLongForThePipeIsNamed) {
    const auto object = [](unsigned dwords) {
        Words words(dwords, 0);
        words[0] = 0x71000000 | (dwords - 2);
        words.back() = dwords;
        return words;
    };
    // The longest has data for all registers but R0.
    run(Stream() << kSelectGpgpu << Words{0x69040301} << object(6 + 127 * 8) << object(1100)
                 << sdi(kData, 2));
    ASSERT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.sent[0].dwords[5 + 127 * 8], 6 + 127 * 8u);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
    EXPECT_EQ(data(0), 2u);
}

TEST_F(Interpreter, TimestampRegistersReadTheCount) {
    GEN9_COVERS("CS-19 CS-20");
    engine.time = 0x5'0000'0000;
    run(Stream() << srm(0x2358, kData) << srm(0x235C, kData + 4) << srm(0x23A8, kData + 8)
                 << Words(50, 0) << srm(0x23A8, kData + 12));
    EXPECT_EQ(data(1), 5u);
    EXPECT_LT(data(2), 30u);
    EXPECT_EQ(data(3) - data(2), 51u);
    EXPECT_EQ(engine.image(0x23), engine.core.read_register(0x23A8));
}

// Order against work that is under way.

TEST_F(Interpreter, InvalidationActsOnParseAndAFlushAtTheEndOfThePipe) {
    GEN9_COVERS("CS-53");
    std::vector<unsigned> in_flight;
    engine.on_control = [&] { in_flight.push_back(engine.in_flight); };
    engine.journal.clear();
    run(Stream() << kSelectGpgpu << walker() << pipe_control(1u << 3) << pipe_control(1u << 5));
    ASSERT_EQ(in_flight.size(), 4u);  // the first is the load of the context, the last its save
    EXPECT_EQ(in_flight[1], 1u);
    EXPECT_EQ(in_flight[2], 0u);
}

TEST_F(Interpreter, APrefetchOfStateIsAHintOfTwoDwords) {
    GEN9_COVERS("CS-46");
    engine.journal.clear();
    run(Stream() << kSelectGpgpu << walker() << Words{0x60030000, 0x12345047} << sdi(kData, 1));
    EXPECT_EQ(data(0), 1u) << "the command behind it was found";
    const auto sent = std::find(engine.journal.begin(), engine.journal.end(), "send");
    ASSERT_NE(sent, engine.journal.end());
    EXPECT_EQ(sent[1], "write " + std::to_string(kData) + " 4") << "nothing in between";
    EXPECT_TRUE(engine.kinds().empty());
}

TEST_F(Interpreter, BitSeventeenOfAPipeControlIsIgnored) {
    GEN9_COVERS("CS-81");
    Engine strict({.fetch_bytes = 256, .slices = 1, .strict = true});
    unsigned in_flight = 0;
    strict.on_parsed = [&] { in_flight = strict.in_flight; };
    strict.run_ring(
        (Stream() << kSelectGpgpu << walker() << pipe_control(1u << 17 | 1u << 3) << Words{0})
            .words);
    EXPECT_EQ(in_flight, 1u) << "it waits for nothing";
    EXPECT_TRUE(strict.kinds().empty());
}

TEST_F(Interpreter, ClockGatingIsARegisterWithoutEffect) {
    GEN9_COVERS("TD-06");
    constexpr std::uint32_t kMiscClockGate = 0x9424;  // Public: Linux i915, GEN7_MISCCPCTL
    run(Stream() << kSelectGpgpu << lri(kMiscClockGate, 2) << walker() << srm(kMiscClockGate, kData)
                 << pipe_control(1u << 20) << lri(kMiscClockGate, 0) << walker()
                 << srm(kMiscClockGate, kData + 4));
    EXPECT_EQ(engine.sent.size(), 2u);
    EXPECT_EQ(data(0), 2u);
    EXPECT_EQ(data(1), 0u);
    EXPECT_TRUE(engine.kinds().empty());
}

TEST_F(Interpreter, PipeControlNeedsNoStateAndIsLegalInBothPipes) {
    GEN9_COVERS("CS-88");
    for (const std::uint32_t pipe : {0u, 1u, 2u}) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.run_ring((Stream() << Words{0x69040300 | pipe} << pipe_control(0x00100000)
                             << pipe_control(0x00104C2C, kData, 7))
                       .words);
        EXPECT_EQ(e.ppgtt.get<std::uint64_t>(kData), 7u) << pipe;
        EXPECT_TRUE(e.kinds().empty()) << pipe;
    }
}

// 003:1169: with the flush-enable bit the load that follows must see the post-sync value.
TEST_F(Interpreter, LoadAfterAFlushedPostSyncWriteSeesIt) {
    GEN9_COVERS("CS-05");
    run(Stream() << kSelectGpgpu << walker()
                 << pipe_control(0x00104080, kData, 0x0000'0009'0000'0008) << lrm(0x2400, kData)
                 << lrm(0x2404, kData + 4) << srm(0x2400, kData + 16) << srm(0x2404, kData + 20));
    EXPECT_EQ(data64(2), 0x9'0000'0008u);
}

TEST_F(Interpreter, WorkUsesTheCommonStateThatWasSetBeforeIt) {
    GEN9_COVERS("CS-123");
    Words other = state_base_address();
    other[10] = 0x00066001;
    run(Stream() << kSelectGpgpu << other << walker() << state_base_address()
                 << Words{0x61020001, 0x12345670, 0} << walker());
    ASSERT_EQ(engine.sent.size(), 2u);
    EXPECT_EQ(engine.sent[0].state->instruction_base.value, 0x4'0006'6000u);
    EXPECT_EQ(engine.sent[0].state->system_instruction_pointer.value, 0u);
    EXPECT_EQ(engine.sent[1].state->instruction_base.value, 0x4'0004'4000u);
    EXPECT_EQ(engine.sent[1].state->system_instruction_pointer.value, 0x12345670u);
}

TEST_F(Interpreter, MediaStateFlushGoesToTheFrontEndAndTheStreamGoesOn) {
    GEN9_COVERS("CS-128");
    unsigned in_flight_at_store = 0;
    engine.on_parsed = [&] { in_flight_at_store = std::max(in_flight_at_store, engine.in_flight); };
    run(Stream() << kSelectGpgpu << walker() << Words{0x70040000, 0} << sdi(kData, 1));
    EXPECT_EQ(engine.sent.size(), 2u);
    EXPECT_EQ(in_flight_at_store, 2u);
}

TEST_F(Interpreter, FlushesAndStallsOf3DCompleteAtOnceWhenNothingRuns) {
    GEN9_COVERS("WM-36");
    // Render target flush, depth flush, depth stall, stall at scoreboard, each with the write.
    for (const unsigned bit : {12u, 0u, 13u, 1u}) {
        for (const std::uint32_t pipe : {0u, 2u}) {
            Engine e;
            e.ppgtt.map(kData, 0x1000);
            e.on_poll = [] { ADD_FAILURE() << "waits for nothing"; };
            e.run_ring((Stream() << Words{0x69040300 | pipe}
                                 << pipe_control(1u << bit | 1u << 14 | 1u << 20, kData, bit + 1)
                                 << sdi(kData + 8, 1))
                           .words);
            EXPECT_EQ(e.ppgtt.get<std::uint64_t>(kData), bit + 1);
            EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + 8), 1u);
            EXPECT_TRUE(e.core.idle());
            EXPECT_TRUE(e.kinds().empty());
            EXPECT_EQ(std::count(e.journal.begin(), e.journal.end(), "drain"), 0);
        }
    }
}

TEST_F(Interpreter, WhatACommandCausesCarriesItsId) {
    std::vector<TraceId> written;
    engine.on_write = [&](GpuAddr address) {
        if (address.value == kData || address.value == kData + 4)
            written.push_back(engine.trace_id());
    };
    run(Stream() << kSelectGpgpu << walker() << walker() << sdi(kData, 1) << sdi(kData + 4, 1));
    ASSERT_EQ(engine.sent.size(), 2u);
    ASSERT_EQ(written.size(), 2u);
    const TraceId first = engine.sent[0].trace_id;
    EXPECT_EQ(first >> 32, static_cast<TraceId>(TraceSource::CommandStreamer));
    EXPECT_EQ(engine.sent[1].trace_id, first + 1);
    EXPECT_EQ(written[0], first + 2);
    EXPECT_EQ(written[1], first + 3);
}

}  // namespace
}  // namespace gen9
