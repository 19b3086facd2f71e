// SPDX-License-Identifier: Apache-2.0
// Commands in a stream: what each does to registers and memory.
#include "cs/command/interpreter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

TEST_F(Interpreter, GprsAreReachedByLriSrmLrmLrrAndTheHost) {
    GEN9_COVERS("CS-24 CS-44");
    Stream s;
    for (std::uint32_t i = 0; i < 32; ++i)
        s << lri(0x2600 + 4 * i, 0xA0000000 + i);
    for (std::uint32_t i = 0; i < 32; ++i)
        s << srm(0x2600 + 4 * i, kData + 4 * i);
    s << sdi(kData + 0x100, 0x5555AAAA) << lrm(0x2608, kData + 0x100) << lrr(0x2608, 0x2600);
    run(s);
    for (std::uint32_t i = 0; i < 32; ++i)
        EXPECT_EQ(data(i), 0xA0000000 + i);
    EXPECT_EQ(engine.core.read_register(0x2600), 0x5555AAAAu);
    EXPECT_EQ(engine.core.read_register(0x267C), 0xA000001Fu);
}

TEST_F(Interpreter, PairsOfALoadApplyInOrder) {
    GEN9_COVERS("CS-152");
    run(Stream() << Words{0x11000003, 0x2600, 1, 0x2600, 2} << srm(0x2600, kData));
    EXPECT_EQ(data(0), 2u);
}

TEST_F(Interpreter, MoveBetweenMaskedRegistersChangesNothing) {
    GEN9_COVERS("CS-151");
    const std::uint32_t before = engine.core.read_register(0x209C);
    run(Stream() << lri(0x229C, 0xFFFF8280) << srm(0x229C, kData) << lrr(0x229C, 0x209C));
    EXPECT_EQ(data(0), 0x8280u);
    EXPECT_EQ(engine.core.read_register(0x209C), before);
}

TEST_F(Interpreter, ByteWriteDisablesKeepBytes) {
    run(Stream() << lri(0x2600, 0x11223344) << Words{0x11000201, 0x2600, 0xAABBCCDD});
    EXPECT_EQ(engine.core.read_register(0x2600), 0xAABB33DDu);
}

TEST_F(Interpreter, MathOfFullLengthLeavesTheNextCommandInPlace) {
    GEN9_COVERS("CS-33 CS-42 CS-43 CS-148");
    Words math(257, 0);
    math[0] = 0x0D0000FF;
    run(Stream() << math << sdi(kData, 0x1234));
    EXPECT_EQ(data(0), 0x1234u);
    EXPECT_EQ(engine.stats.alu_instructions.value(), 256u);
    EXPECT_TRUE(engine.kinds().empty());
}

TEST_F(Interpreter, BadAluInstructionIsReportedAndDoesNothing) {
    GEN9_COVERS("CS-40");
    run(Stream() << gpr(0, 5) << Words{0x0D000001, 0x08000020, 0x12300000} << sdi(kData, 1));
    EXPECT_EQ(engine.gpr(0), 5u);
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 2u);
}

// NEO's sequence around a kernel with fences of read-write images.
TEST_F(Interpreter, ReadModifyWriteOfAnotherBlocksRegister) {
    GEN9_COVERS("CS-24 CS-34 CS-44");
    engine.external[0xB118] = 1;
    const auto modify = [](std::uint32_t mask, std::uint32_t operation) {
        Stream s;
        s << lrr(0xB118, 0x2600) << lri(0x2608, mask)
          << Words{0x0D000003, 0x08008000, 0x08008401, operation, 0x18000031}
          << lrr(0x2600, 0xB118);
        return s;
    };
    run(modify(0x08000000, 0x10300000));
    EXPECT_EQ(engine.external[0xB118], 0x08000001u);
    Engine second;
    second.external[0xB118] = 0x08000001;
    second.run_ring(modify(~0x08000000u, 0x10200000).words);
    EXPECT_EQ(second.external[0xB118], 1u);
}

TEST_F(Interpreter, PredicateComparesAllSixtyFourBits) {
    GEN9_COVERS("CS-01 CS-02");
    Stream s;
    s << lri(0x2400, 7) << lri(0x2404, 1) << lri(0x2408, 7) << lri(0x240C, 2);
    s << Words{0x06000082} << srm(0x2418, kData);  // SRCS_EQUAL, SET, LOAD
    s << lri(0x240C, 1) << Words{0x06000082} << srm(0x2418, kData + 4);
    run(s);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 1u);
}

TEST_F(Interpreter, IndirectPredicateOfThreeDimensions) {
    GEN9_COVERS("CS-02 CS-22");
    const std::uint32_t dimensions[3][3] = {{4, 1, 1}, {4, 0, 1}, {0, 0, 0}};
    const std::uint32_t expected[3] = {1, 0, 0};
    for (unsigned n = 0; n < 3; ++n) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        Stream s;
        for (unsigned i = 0; i < 3; ++i) {
            e.ppgtt.put(kData + 4 * i, dimensions[n][i]);
            s << lrm(0x2500 + 4 * i, kData + 4 * i);
        }
        s << lri(0x2404, 0) << lri(0x2408, 0) << lri(0x240C, 0);
        // P = (x == 0); P |= (y == 0); P |= (z == 0); P = !P.
        s << lrm(0x2400, kData) << Words{0x06000082};
        s << lrm(0x2400, kData + 4) << Words{0x06000092};
        s << lrm(0x2400, kData + 8) << Words{0x06000092};
        s << Words{0x060000D1};  // LOADINV, OR, FALSE
        s << kSelectGpgpu;
        Words walk = walker();
        walk[0] |= 1u << 8 | 1u << 10;
        s << walk << sdi(kData + 0x20, 99);
        e.run_ring(s.words);
        EXPECT_EQ(e.core.read_register(0x2418), expected[n]);
        EXPECT_EQ(e.sent.size(), expected[n]);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + 0x20), 99u);
        if (!e.sent.empty()) {
            EXPECT_EQ(e.sent[0].indirect_dimensions, (std::array<std::uint32_t, 3>{4, 1, 1}));
        }
    }
}

TEST_F(Interpreter, PredicatedWalkerIsSkippedWhole) {
    GEN9_COVERS("CS-04");
    Words walk = walker();
    walk[0] |= 1u << 8;
    run(Stream() << kSelectGpgpu << walk << lri(0x2418, 1) << walk << sdi(kData, 1));
    EXPECT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(data(0), 1u);
}

TEST_F(Interpreter, BatchStartIsPredicatedByResult1) {
    GEN9_COVERS("CS-09");
    engine.ppgtt.put(kBatch, (Stream() << sdi(kData, 1) << kEnd).words);
    engine.ppgtt.put(kBatch + 0x100, (Stream() << sdi(kData + 4, 1) << kEnd).words);
    run(Stream() << start(kBatch, 0x8100) << lri(0x241C, 1) << start(kBatch + 0x100, 0x8100)
                 << sdi(kData + 8, 1));
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(data(2), 1u);
}

TEST_F(Interpreter, BatchStartAddsTheOffsetRegister) {
    engine.ppgtt.put(kBatch + 0x80, (Stream() << sdi(kData, 1) << kEnd).words);
    run(Stream() << lri(0x2158, 0x80) << start(kBatch, 0x10100));
    EXPECT_EQ(data(0), 1u);
}

TEST_F(Interpreter, StorePredicationFollowsTheResult) {
    GEN9_COVERS("CS-10");
    Words store = srm(0x2600, kData);
    store[0] |= 1u << 21;
    Words second = srm(0x2600, kData + 4);
    second[0] |= 1u << 21;
    run(Stream() << lri(0x2600, 7) << store << lri(0x2418, 1) << second);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 7u);
}

TEST_F(Interpreter, SetPredicateSkipsWhatMayBeSkipped) {
    GEN9_COVERS("CS-06");
    run(Stream() << Words{0x0080000F} << lri(0x2600, 1) << Words{0x00800000} << lri(0x2608, 2));
    EXPECT_EQ(engine.gpr(0), 0u);
    EXPECT_EQ(engine.gpr(1), 2u);
    EXPECT_TRUE(engine.kinds().empty());
}

TEST_F(Interpreter, SetPredicateReportsAndExecutesTheRest) {
    GEN9_COVERS("CS-06");
    run(Stream() << Words{0x0080000F} << sdi(kData, 5) << Words{0x00800000});
    EXPECT_EQ(data(0), 5u);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
}

// 003:1133-1149, against all commands that neither wait nor leave the stream.
TEST_F(Interpreter, SetPredicateLetsTheSeedsListStand) {
    GEN9_COVERS("CS-06");
    const std::set<std::string> allowed = {"MI_NOOP",
                                           "MI_SET_PREDICATE",
                                           "3DSTATE_URB_VS",
                                           "3DSTATE_URB_HS",
                                           "3DSTATE_URB_DS",
                                           "3DSTATE_URB_GS",
                                           "3DSTATE_PUSH_CONSTANT_ALLOC_VS",
                                           "3DSTATE_PUSH_CONSTANT_ALLOC_HS",
                                           "3DSTATE_PUSH_CONSTANT_ALLOC_DS",
                                           "3DSTATE_PUSH_CONSTANT_ALLOC_GS",
                                           "3DSTATE_PUSH_CONSTANT_ALLOC_PS",
                                           "MI_LOAD_REGISTER_IMM",
                                           "3DSTATE_WM_HZ_OP",
                                           "MEDIA_VFE_STATE",
                                           "MEDIA_OBJECT",
                                           "MEDIA_OBJECT_WALKER",
                                           "MEDIA_INTERFACE_DESCRIPTOR_LOAD"};
    for (const packets::CommandRow& row : packets::command_rows()) {
        if (row.value >> 29 == 0 && !allowed.contains(row.name)) continue;
        Words command(row.minimum_dwords, 0);
        command[0] = row.header();
        Engine e;
        e.run_ring((Stream() << Words{0x0080000F} << command << Words{0x00800000}).words);
        const auto kinds = e.kinds();
        EXPECT_EQ(std::ranges::count(kinds, "cs: predicated command"), !allowed.contains(row.name))
            << row.name;
    }
}

TEST_F(Interpreter, AScopeOfSetPredicateHasNoArbitrationPointAndEndsInItsBatch) {
    GEN9_COVERS("CS-08");
    const Words begin = {0x0080000F}, end = {0x00800000}, arbitration = {0x02800000};
    const auto errors = [](const Stream& batch, const Stream& ring) {
        Engine e;
        e.ppgtt.put(kBatch, batch.words);
        e.run_ring((Stream() << start(kBatch) << ring.words).words);
        return e.environment.reporter.guest_errors();
    };
    EXPECT_EQ(errors(Stream() << begin << lri(0x2600, 1) << end << kEnd, Stream() << Words{0}), 0u);
    EXPECT_EQ(errors(Stream() << begin << arbitration << end << kEnd, Stream() << Words{0}), 1u);
    EXPECT_EQ(errors(Stream() << begin << kEnd, Stream() << end), 1u);
}

TEST_F(Interpreter, ChainCallAndEnd) {
    GEN9_COVERS("CS-142");
    // Each batch appends its mark to a list by storing at the next place.
    engine.ppgtt.put(kBatch, (Stream() << sdi(kData, 'A') << start(kBatch + 0x400)).words);
    engine.ppgtt.put(kBatch + 0x400,
                     (Stream() << sdi(kData + 4, 'B') << start(kBatch + 0x800, 0x400100)
                               << srm(0x2600, kData + 12) << kEnd)
                         .words);
    engine.ppgtt.put(kBatch + 0x800,
                     (Stream() << lri(0x2600, 'b') << sdi(kData + 8, 'C') << kEnd).words);
    run(Stream() << start(kBatch) << sdi(kData + 16, 'R'));
    EXPECT_EQ(data(0), static_cast<unsigned>('A'));
    EXPECT_EQ(data(1), static_cast<unsigned>('B'));
    EXPECT_EQ(data(2), static_cast<unsigned>('C'));
    EXPECT_EQ(data(3), static_cast<unsigned>('b'));
    EXPECT_EQ(data(4), static_cast<unsigned>('R'));
}

TEST_F(Interpreter, ConditionalEndFromTheSecondLevelReturnsToTheRing) {
    GEN9_COVERS("CS-142");
    for (const std::uint32_t memory : {4u, 5u, 6u}) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.ppgtt.map(kBatch, 0x1000);
        e.ppgtt.put(kData + 0x40, memory);
        e.ppgtt.put(kBatch,
                    (Stream() << start(kBatch + 0x400, 0x400100) << sdi(kData, 1) << kEnd).words);
        e.ppgtt.put(kBatch + 0x400,
                    (Stream() << Words{0x1B200002, 5, low(kData + 0x40), 0} << kEnd).words);
        e.run_ring((Stream() << start(kBatch) << sdi(kData + 4, 1)).words);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), memory > 5 ? 1u : 0u);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + 4), 1u);
    }
}

TEST_F(Interpreter, ConditionalEndWithoutCompareGoesOnAndMaskModeAndsTwoDwords) {
    engine.ppgtt.put<std::uint64_t>(kData + 0x40, 0x0000'00F0'0000'0FF3);  // 0xFF3 & 0xF0 = 0xF0
    engine.ppgtt.put(
        kBatch,
        (Stream() << Words{0x1B000002, 0xFFFFFFFF, low(kData + 0x40), 0} << sdi(kData, 1)
                  << Words{0x1B280002, 0xEF, low(kData + 0x40), 0} << sdi(kData + 4, 1)
                  << Words{0x1B280002, 0xF0, low(kData + 0x40), 0} << sdi(kData + 8, 1) << kEnd)
            .words);
    run(Stream() << start(kBatch));
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(data(2), 0u);
}

TEST_F(Interpreter, PpgttBatchFetchesAGgttChildThroughThePpgtt) {
    GEN9_COVERS("CS-143");
    engine.ppgtt.put(kBatch, start(kBatch + 0x400, 0));
    engine.ppgtt.put(kBatch + 0x400, (Stream() << sdi(kData, 1) << kEnd).words);
    run(Stream() << start(kBatch));
    EXPECT_EQ(data(0), 1u);
}

TEST_F(Interpreter, BatchEndingAtTheEndOfAMappedPageDoesNotFault) {
    GEN9_COVERS("CS-145 CS-147");
    const std::uint64_t last = kBatch + 0x4000;
    const Words body = (Stream() << sdi(kData, 1) << kEnd).words;
    engine.ppgtt.put(last - 4 * body.size(), body);
    run(Stream() << start(last - 4 * body.size()));
    EXPECT_EQ(data(0), 1u);
    EXPECT_FALSE(engine.core.stopped());
}

TEST_F(Interpreter, UnknownCommandStopsTheEngineWithItsHeader) {
    GEN9_COVERS("CS-149 CS-150");
    for (const std::uint32_t header : {0x0F800000u, 0x7A010000u, 0x40000000u, 0xFFFFFFFFu}) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.run_ring(
            (Stream() << sdi(kData, 1) << Words{header, 0, 0, 0} << sdi(kData + 4, 1)).words);
        EXPECT_TRUE(e.core.stopped());
        EXPECT_FALSE(e.core.idle());
        EXPECT_EQ(e.core.read_register(0x2068), header);
        EXPECT_EQ(e.core.read_register(0x2034), 16u);  // the head stays at the command
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + 4), 0u);
        ASSERT_EQ(e.kinds().size(), 1u);
        EXPECT_EQ(e.kinds()[0], "cs: unknown command");
        EXPECT_EQ(e.core.read_register(0x2234) & 0x100, 0u);
    }
}

TEST_F(Interpreter, FetchFromAnUnmappedAddressStopsTheEngine) {
    run(Stream() << start(0x7777'0000));
    EXPECT_TRUE(engine.core.stopped());
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: command fetch"});
    EXPECT_NE(engine.core.describe().find("0x77770000"), std::string::npos);
}

TEST_F(Interpreter, CommandBeyondTheTailStopsTheEngine) {
    run(Stream() << Words{0x10000002, 0});
    EXPECT_TRUE(engine.core.stopped());
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: command length"});
}

TEST_F(Interpreter, StoreDataImmWritesAllItsDwordsOrQwords) {
    run(Stream() << Words{0x10000006, low(kData), 0, 1, 2, 3, 4, 5}
                 << Words{0x10200003, low(kData + 0x40), 0, 6, 7});
    for (unsigned i = 0; i < 5; ++i)
        EXPECT_EQ(data(i), i + 1);
    EXPECT_EQ(data(5), 0u);
    EXPECT_EQ(data64(8), 0x7'0000'0006u);
}

TEST_F(Interpreter, StoreDataIndexWritesTheStatusPages) {
    run(Stream() << Words{0x10800001, 0x100, 11} << Words{0x10A00001, 0x104, 12});
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0x100), 11u);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kContext + 0x104), 12u);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0x104), 0u) << "one DWord was given";
}

TEST_F(Interpreter, CopyMemMemNamesTheDestinationFirst) {
    engine.ppgtt.put<std::uint32_t>(kData + 0x10, 77);
    run(Stream() << Words{0x17000003, low(kData + 0x20), 0, low(kData + 0x10), 0});
    EXPECT_EQ(data(8), 77u);
    EXPECT_EQ(data(4), 77u);
}

TEST_F(Interpreter, GlobalGttBitCountsInTheRingOnly) {
    const std::uint64_t address = 0x70000;
    engine.ggtt.map(address, 0x1000);
    engine.ppgtt.map(address, 0x1000);
    Words from_ring = sdi(address, 1), from_batch = sdi(address + 4, 2);
    from_ring[0] |= 1u << 22;
    from_batch[0] |= 1u << 22;
    engine.ppgtt.put(kBatch, (Stream() << from_batch << kEnd).words);
    run(Stream() << from_ring << start(kBatch));
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(address), 1u);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(address + 4), 0u);
    EXPECT_EQ(engine.ppgtt.get<std::uint32_t>(address + 4), 2u);
}

TEST_F(Interpreter, NoopWritesItsIdWhenAsked) {
    run(Stream() << Words{0x00400123, 0x00000001} << srm(0x2094, kData));
    EXPECT_EQ(data(0), 0x123u);
}

TEST_F(Interpreter, ReportHeadWritesTheStatusPage) {
    run(Stream() << Words{0, 0, 0x03800000});
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 4), 12u);
}

TEST_F(Interpreter, UserInterruptAndNotifyAreCounted) {
    GEN9_COVERS("CS-65");
    run(Stream() << Words{0x01000000} << pipe_control(0x00100100));
    EXPECT_EQ(engine.stats.interrupts.value(), 2u);
}

TEST_F(Interpreter, AnInterruptPassesIfItsBitOfTheMaskIsZero) {
    GEN9_COVERS("CS-65");
    const Stream both = Stream() << Words{0x01000000} << pipe_control(0x00100100);
    const auto passed = [&](std::optional<std::uint32_t> mask) {
        Engine another;
        if (mask) another.core.write_register(0x20A8, *mask);
        another.run_ring(both.words);
        return another.interrupts;
    };
    EXPECT_EQ(passed({}), std::vector<unsigned>{}) << "after reset everything is masked";
    EXPECT_EQ(passed(~(1u << 0)), std::vector<unsigned>{0});
    EXPECT_EQ(passed(~(1u << 4)), std::vector<unsigned>{4});
    EXPECT_EQ(passed(~(1u << 4 | 1u << 0)), (std::vector<unsigned>{0, 4}));
}

TEST_F(Interpreter, TheInterruptOfAPipeControlComesAfterItsDrainAndItsWrite) {
    GEN9_COVERS("CS-65 CS-59");
    engine.core.write_register(0x20A8, ~(1u << 4));
    std::size_t at_write = 1;
    engine.on_write = [&](GpuAddr address) {
        if (address.value == kData) at_write = engine.interrupts.size();
    };
    run(Stream() << pipe_control(0x00104100, kData, 5));
    EXPECT_EQ(at_write, 0u);
    EXPECT_EQ(engine.interrupts, std::vector<unsigned>{4});
    EXPECT_EQ(data64(0), 5u);
}

// Semaphores.

TEST_F(Interpreter, SemaphoreWaitPollsUntilAnotherMasterWrites) {
    unsigned polls = 0;
    engine.on_poll = [&] {
        if (++polls == 5) engine.ppgtt.put<std::uint32_t>(kData, 10);
        EXPECT_NE(engine.core.describe().find("semaphore"), std::string::npos);
    };
    run(Stream() << lri(0x2244, 0x00080008) << Words{0x0E009002, 10, low(kData), 0}
                 << sdi(kData + 4, 1));  // >=
    EXPECT_EQ(polls, 5u);
    EXPECT_EQ(data(1), 1u);
}

// Whoever ends the wait may have written what stands behind it.
TEST_F(Interpreter, CommandsBehindAWaitAreFetchedAfterIt) {
    engine.on_poll = [&] {
        engine.ggtt.put<std::uint32_t>(kRing + 4 * 7, 2);
        engine.ppgtt.put<std::uint32_t>(kData, 10);
    };
    run(Stream() << Words{0x0E00C002, 10, low(kData), 0} << sdi(kData + 4, 1));
    EXPECT_EQ(data(1), 2u);
}

TEST_F(Interpreter, SemaphoreMayPollARegister) {
    unsigned polls = 0;
    engine.on_poll = [&] {
        if (++polls == 3) engine.core.write_register(0x2600, 4);
    };
    run(Stream() << Words{0x0E01C002, 4, 0x2600, 0});  // register, polling, equal
    EXPECT_EQ(polls, 3u);
    EXPECT_TRUE(engine.core.idle());
}

}  // namespace
}  // namespace gen9
