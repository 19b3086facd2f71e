// SPDX-License-Identifier: Apache-2.0
// Commands in a stream: what each does to registers, memory and the pipe.
#include "cs/interpreter.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/cs/engine.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint64_t kData = 0x5000'0000, kBatch = 0x6000'0000;

Words lri(std::uint32_t offset, std::uint32_t value) {
    return {0x11000001, offset, value};
}
Words srm(std::uint32_t offset, std::uint64_t address) {
    return {0x12000002, offset, low(address), high(address)};
}
Words lrm(std::uint32_t offset, std::uint64_t address) {
    return {0x14800002, offset, low(address), high(address)};
}
Words lrr(std::uint32_t from, std::uint32_t to) {
    return {0x15000001, from, to};
}
Words sdi(std::uint64_t address, std::uint32_t value) {
    return {0x10000002, low(address), high(address), value};
}
Words start(std::uint64_t address, std::uint32_t flags = 0x100) {
    return {0x18800001 | flags, low(address), high(address)};
}
Words pipe_control(std::uint32_t flags, std::uint64_t address = 0, std::uint64_t data = 0) {
    return {0x7A000004, flags, low(address), high(address), low(data), high(data)};
}
Words gpr(unsigned n, std::uint64_t value) {
    return {0x11000003, 0x2600 + 8 * n, low(value), 0x2604 + 8 * n, high(value)};
}
const Words kEnd = {0x05000000};
const Words kSelectGpgpu = {0x69040302};

/// A stream in the ring, pieced together.
struct Stream {
    Words words;
    Stream& operator<<(const Words& more) {
        append(words, more);
        return *this;
    }
};

struct Interpreter : ::testing::Test {
    Engine engine;
    Interpreter() {
        engine.ppgtt.map(kData, 0x2000);
        engine.ppgtt.map(kBatch, 0x4000);
    }
    void run(const Stream& stream) { engine.run_ring(stream.words); }
    std::uint32_t data(unsigned dword) {
        return engine.ppgtt.get<std::uint32_t>(kData + 4 * dword);
    }
    std::uint64_t data64(unsigned qword) {
        return engine.ppgtt.get<std::uint64_t>(kData + 8 * qword);
    }
};

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
    GEN9_COVERS("CS-42 CS-43 CS-148");
    Words math(257, 0);
    math[0] = 0x0D0000FF;
    run(Stream() << math << sdi(kData, 0x1234));
    EXPECT_EQ(data(0), 0x1234u);
    EXPECT_EQ(engine.alu_instructions, 256u);
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
    GEN9_COVERS("CS-06 CS-07");
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

TEST_F(Interpreter, ThreeDCommandsAreNamedAndSkippedByLength) {
    GEN9_COVERS("CS-148 WM-37");
    run(Stream() << Words{0x78200000 | 10} << Words(11, 0xFFFFFFFF) << Words{0x7B000005}
                 << Words(6, 0xFFFFFFFF) << Words{0x780B0000} << sdi(kData, 1));
    EXPECT_EQ(data(0), 1u);
    ASSERT_EQ(engine.environment.reporter.entries().size(), 3u);
    EXPECT_EQ(engine.environment.reporter.not_modelled_uses(), 3u);
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
}

TEST_F(Interpreter, CopyMemMemNamesTheDestinationFirst) {
    engine.ppgtt.put<std::uint32_t>(kData + 0x10, 77);
    run(Stream() << Words{0x17000003, low(kData + 0x20), 0, low(kData + 0x10), 0});
    EXPECT_EQ(data(8), 77u);
    EXPECT_EQ(data(4), 77u);
}

TEST_F(Interpreter, GlobalGttBitCountsInTheRingOnly) {
    GEN9_COVERS("CS-144");
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

TEST_F(Interpreter, CommandsWithoutEffectHerePassByLength) {
    run(Stream() << Words{0x01800000 | 0x3FFFFF, 0x04000001, 0x05800000, 0x0D000000 | 0} << Words{0}
                 << Words{0x13800001, 0, 0} << Words{0x60030000, 0x40} << Words{0x06800000}
                 << Words{0x03000000} << Words{0x0E800000, 0} << sdi(kData, 1));
    EXPECT_EQ(data(0), 1u);
    EXPECT_TRUE(engine.kinds().empty());
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

TEST_F(Interpreter, SemaphoreMayPollARegister) {
    unsigned polls = 0;
    engine.on_poll = [&] {
        if (++polls == 3) engine.core.write_register(0x2600, 4);
    };
    run(Stream() << Words{0x0E01C002, 4, 0x2600, 0});  // register, polling, equal
    EXPECT_EQ(polls, 3u);
    EXPECT_TRUE(engine.core.idle());
}

// PIPE_CONTROL.

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

// State commands.

TEST_F(Interpreter, PipelineSelectNeedsBothMaskBits) {
    GEN9_COVERS("CS-52 CS-122");
    run(Stream() << Words{0x69040002} << walker());  // no mask: 3D stays selected
    EXPECT_EQ(engine.sent.size(), 0u);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
    for (const std::uint32_t mask : {0x100u, 0x200u}) {
        Engine e;
        e.run_ring((Stream() << Words{0x69040002 | mask} << walker()).words);
        EXPECT_EQ(e.sent.size(), 0u);
        EXPECT_EQ(e.environment.reporter.guest_errors(), 2u);
    }
    Engine e;
    e.run_ring((Stream() << Words{0x69040302} << walker()).words);
    EXPECT_EQ(e.sent.size(), 1u);
    EXPECT_EQ(e.environment.reporter.guest_errors(), 0u);
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
    GEN9_COVERS("CS-125 CS-127");
    Words object = {0x71000008};
    for (std::uint32_t i = 1; i < 10; ++i)
        object.push_back(i);
    run(Stream() << Words{0x69040301} << Words{0x70010002, 0, 0x40, 0x80} << object);
    ASSERT_EQ(engine.sent.size(), 2u);
    EXPECT_EQ(engine.sent[1].length_dwords, 10u);
    EXPECT_EQ(engine.sent[1].dwords[9], 9u);
}

TEST_F(Interpreter, CommandTooLongForThePipeIsNamed) {
    Words object(100, 0);
    object[0] = 0x71000000 | 98;
    run(Stream() << Words{0x69040301} << object << sdi(kData, 1));
    EXPECT_TRUE(engine.sent.empty());
    EXPECT_EQ(engine.environment.reporter.not_modelled_uses(), 1u);
    EXPECT_EQ(data(0), 1u);
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

}  // namespace
}  // namespace gen9
