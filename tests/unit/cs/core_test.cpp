// SPDX-License-Identifier: Apache-2.0
// Submissions and contexts, as the driver makes them.
#include "cs/core.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/cs/engine.h"

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
    // MEDIA_VFE_STATE, MEDIA_STATE_FLUSH, descriptor load, walker, MEDIA_STATE_FLUSH.
    ASSERT_EQ(engine.sent.size(), 5u);
    const PipelineCommand& walk = engine.sent[3];
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

constexpr std::uint64_t kData = 0x5000'0000, kBatch = 0x6000'0000;
constexpr std::uint32_t kRing2 = 0x30000, kContext2 = 0x80000;
constexpr std::uint64_t kPml4Of2 = 0x2'2222'2000;
Words sdi(std::uint64_t address, std::uint32_t value) {
    return {0x10000002, low(address), high(address), value};
}
/// Adds one to memory: shows how often a stream ran.
Words count(std::uint64_t address = kData) {
    return {0x17800501, low(address), high(address)};
}
Words start(std::uint64_t address) {
    return {0x18800101, low(address), high(address)};
}
const Words kEnd = {0x05000000};
Words operator+(Words a, const Words& b) {
    append(a, b);
    return a;
}

struct Contexts : ::testing::Test {
    Engine engine;
    Contexts() {
        engine.ppgtt.map(kData, 0x1000);
        engine.ggtt.map(kRing2, 0x4000);
        write_context(engine.ggtt, kContext2, kRing2, kPml4Of2);
    }
    std::uint32_t data(unsigned dword) {
        return engine.ppgtt.get<std::uint32_t>(kData + 4 * dword);
    }
    /// Appends to a ring and moves the tail in the image, as the driver does.
    void add(std::uint32_t& tail, const Words& words, std::uint32_t ring = kRing,
             std::uint32_t context = kContext) {
        engine.ggtt.put(ring + tail, words);
        tail += static_cast<std::uint32_t>(4 * words.size());
        engine.set_tail(tail, context);
    }
    std::uint32_t entry(unsigned n) { return engine.core.read_register(0x2370 + 8 * n); }
    std::uint32_t entry_id(unsigned n) { return engine.core.read_register(0x2374 + 8 * n); }
};

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

TEST_F(Contexts, TailMayMoveWhileTheLastWorkEnds) {
    GEN9_COVERS("CS-139");
    std::uint32_t tail = 0;
    add(tail, Words{0x69040302} + walker());
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

TEST_F(Contexts, NothingIsWrittenBeyondTheDriversImage) {
    GEN9_COVERS("CS-116");
    const std::size_t pages = engine.ggtt.page_count();
    std::uint32_t tail = 0;
    add(tail, Words{0x11000001, 0x2244, 0x00010000});
    const std::uint32_t last = engine.ggtt.get<std::uint32_t>(kContext + 0x11000 - 4);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.unmapped, 0u);
    EXPECT_EQ(engine.ggtt.page_count(), pages);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kContext + 0x11000 - 4), last);
}

TEST_F(Contexts, StateOfOneDoesNotReachAnother) {
    GEN9_COVERS("CS-20 CS-52 CS-97 CS-100 CS-101 CS-102 CS-103 CS-104 CS-105 CS-110 CS-113 CS-118");
    std::uint32_t tail = 0, tail2 = 0;
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    const Words vfe = {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    add(tail, allow_restore + Words{0x11000003, 0x2600, 11, 0x2418, 1} +
                  Words{0x11000001, 0xE404, 0x100} + Words{0x69040302} + vfe +
                  state_base_address() + Words{0x61020001, 0x500, 0} +
                  Words{0x61040001, 0x00800000, 0});
    engine.submit();
    engine.core.run();
    const std::uint32_t ran = engine.image(0x23);
    EXPECT_GT(ran, 0u);

    engine.time += 1000;
    add(tail2,
        allow_restore + Words{0x12000002, 0x2600, low(kData), 0} +
            Words{0x12000002, 0x2418, low(kData + 4), 0} +
            Words{0x12000002, 0x23A8, low(kData + 8), 0} + Words{0x69040302} + walker(),
        kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 0u);
    EXPECT_LT(data(2), 100u);
    EXPECT_EQ(engine.sent.back().state->dynamic_state_base.value, 0u);
    EXPECT_EQ(engine.core.read_register(0xE404), 0u);
    EXPECT_EQ(engine.external.at(0x2270), low(kPml4Of2));
    EXPECT_EQ(engine.core.read_register(0xC804), 0x38u);  // what the host set stays

    engine.time += 1000;
    engine.sent.clear();
    add(tail, Words{0x12000002, 0x2600, low(kData + 16), 0} +
                  Words{0x12000002, 0x2418, low(kData + 20), 0} +
                  Words{0x12000002, 0x23A8, low(kData + 24), 0} + walker());
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(4), 11u);
    EXPECT_EQ(data(5), 1u);
    EXPECT_GE(data(6), ran);
    EXPECT_LT(data(6), ran + 100);
    EXPECT_EQ(engine.core.read_register(0xE404), 0x100u);
    EXPECT_EQ(engine.external.at(0x2270), low(kPml4));
    // The pipe is given the media state again before the walker (CS-113), with the bases.
    ASSERT_EQ(engine.sent.size(), 2u);
    EXPECT_EQ(Words(engine.sent[0].dwords.begin(), engine.sent[0].dwords.begin() + 9), vfe);
    EXPECT_EQ(engine.sent[1].state->dynamic_state_base.value, 0x2'0002'2000u);
    EXPECT_EQ(engine.sent[1].state->instruction_size, 0xFFFFF000u);
    EXPECT_EQ(engine.sent[1].state->stateless_mocs, 2);
    // Its own clock goes on where it stopped (GW-30): what it ran lies before its return.
    const std::int64_t spent =
        1000 * static_cast<std::int64_t>(engine.time) - engine.sent[1].context_start;
    EXPECT_GE(spent, 1000 * static_cast<std::int64_t>(ran));
    EXPECT_LT(spent, 1000 * static_cast<std::int64_t>(ran + 200));
    EXPECT_EQ(engine.sent[1].state->dynamic_mocs, 0x04);
    EXPECT_EQ(engine.sent[1].state->system_instruction_pointer.value, 0x500u);
    EXPECT_EQ(engine.core.interpreter().commands.csr_base.value, 0x800000u);
}

TEST_F(Contexts, CountersAreTheContextsOwnAndWhatIsGlobalIsNot) {
    GEN9_COVERS("CS-14 CS-120 CS-121");
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    const std::uint32_t counters[] = {0x2310, 0x22C8, 0x2448, 0x2290}, nonprivileged = 0x24D0;
    std::uint32_t tail = 0, tail2 = 0;
    Words first = allow_restore, second = allow_restore, third;
    for (const std::uint32_t offset : counters)
        first = first + Words{0x11000003, offset, offset + 1, offset + 4, 5};
    for (std::uint32_t i = 0; i < 12; ++i)
        first = first + Words{0x11000001, nonprivileged + 4 * i, 0x7000 + 4 * i};
    std::uint32_t at = low(kData);
    for (Words* words : {&second, &third})
        for (const std::uint32_t offset : counters) {
            *words = *words + Words{0x12000002, offset, at, 0} +
                     Words{0x12000002, offset + 4, at + 4, 0};
            at += 8;
        }
    add(tail, first);
    engine.submit();
    engine.core.run();
    add(tail2, second, kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    // Entries of the status buffer and the list belong to the engine, not to who runs.
    EXPECT_EQ(entry(3), 0x18u);
    EXPECT_EQ(entry_id(3), 7u);
    for (std::uint32_t i = 0; i < 12; ++i)
        EXPECT_EQ(engine.core.read_register(nonprivileged + 4 * i), 0x7000 + 4 * i);
    add(tail, third);
    engine.submit();
    engine.core.run();
    for (unsigned n = 0; n < std::size(counters); ++n) {
        SCOPED_TRACE(counters[n]);
        EXPECT_EQ(data(2 * n), 0u);
        EXPECT_EQ(data(2 * n + 1), 0u);
        EXPECT_EQ(data(8 + 2 * n), counters[n] + 1);
        EXPECT_EQ(data(8 + 2 * n + 1), 5u);
    }
    EXPECT_EQ(entry(1), 0x18u) << "kept through the loads of two contexts";
}

TEST_F(Contexts, InvalidatedStateIsNotRestoredUntilItIsGivenAgain) {
    GEN9_COVERS("CS-71");
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000}, gpgpu = {0x69040302};
    const Words vfe = {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    const Words curbe = {0x70010002, 0, 0x40, 0x80}, load = {0x70020002, 0, 0x20, 0x1240};
    const std::uint32_t stall = 1u << 20, pointers = 1u << 9, all_media = 1u << 16;
    const struct {
        std::uint32_t flags;
        Words again;
        std::vector<std::uint32_t> restored;  ///< headers, in front of the walker's
    } rows[] = {{stall, {}, {0x70000007, 0x70010002, 0x70020002}},
                {stall | pointers, {}, {0x70000007}},
                {stall | pointers, load, {0x70000007, 0x70020002}},
                {stall | all_media, {}, {}}};
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << std::hex << row.flags);
        Engine e;
        e.ggtt.map(kRing2, 0x4000);
        write_context(e.ggtt, kContext2, kRing2, kPml4Of2);
        const auto run = [&](std::uint32_t ring, std::uint32_t context, std::uint32_t& tail,
                             const Words& words) {
            e.ggtt.put(ring + tail, words);
            tail += static_cast<std::uint32_t>(4 * words.size());
            e.set_tail(tail, context);
            e.submit(submission(context, context));
            e.core.run();
        };
        std::uint32_t tail = 0, tail2 = 0;
        run(kRing, kContext, tail,
            allow_restore + gpgpu + vfe + curbe + load + Words{0x7A000004, row.flags, 0, 0, 0, 0} +
                row.again);
        run(kRing2, kContext2, tail2, allow_restore);
        e.sent.clear();
        run(kRing, kContext, tail, walker());
        std::vector<std::uint32_t> headers;
        for (const PipelineCommand& command : e.sent)
            headers.push_back(command.dwords[0]);
        std::vector<std::uint32_t> expected = row.restored;
        expected.push_back(walker()[0]);
        EXPECT_EQ(headers, expected);
    }
}

TEST_F(Contexts, ModesOfAContextThatAreNotModelledAreNamed) {
    for (const auto& [flags, row] :
         {std::pair{0x1u << 6, "DP-026"}, {0x2u << 6, "DP-026"}, {1u << 5, "L3-57"}}) {
        Engine e;
        e.submit({0, 0, 0, kContext | 0x119 | flags});
        e.core.run();
        ASSERT_EQ(e.kinds().size(), 1u) << row;
        EXPECT_EQ(e.kinds()[0], row);
    }
}

TEST_F(Contexts, InhibitedRestoreLeavesTheEngineSectionsUnread) {
    GEN9_COVERS("CS-118 CS-137");
    // A value in the engine section: loaded only without the inhibit bit.
    const Words section = {0x11000001, 0x2610, 0x99};
    for (const bool inhibit : {true, false}) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.ggtt.put(kContext + 0x1000 + 4 * 0x51, section);
        if (!inhibit) e.ggtt.put(kContext + 0x1000 + 4, Words{0x1100101B, 0x2244, 0x00010000});
        if (!inhibit)
            for (unsigned i = 12; i < 30; i += 2)
                e.ggtt.put(kContext + 0x1000 + 4 * i, Words{0x2244, 0x00010000});
        e.run_ring({0x12000002, 0x2610, low(kData), 0});
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), inhibit ? 0u : 0x99u);
    }
}

TEST_F(Contexts, SectionsOfTheImageFollowTheirHeaders) {
    GEN9_COVERS("CS-99 CS-106 CS-107 CS-117");
    std::uint32_t tail = 0;
    add(tail, Words{0x11000001, 0x2244, 0x00010000});
    engine.submit();
    engine.core.run();
    // Header places and values as the seed's tables give them; every pair's offset is inside MMIO.
    const std::pair<std::uint32_t, std::uint32_t> headers[] = {
        {0x01, 0x1100101B},  {0x21, 0x11001011},  {0x41, 0x11000001},
        {0x51, 0x11001057},  {0xB1, 0x11001085},  {0x181, 0x1100108B},
        {0x211, 0x11001001}, {0x215, 0x1100103F}, {0x3B1, 0x1100103B}};
    for (const auto& [dword, header] : headers) {
        EXPECT_EQ(engine.image(dword), header) << std::hex << dword;
        for (std::uint32_t i = 0; i < ((header & 0xFF) + 1) / 2; ++i)
            EXPECT_LT(engine.image(dword + 1 + 2 * i), 0x10000u);
    }
    EXPECT_EQ(engine.image(0x02), 0x2244u);
    EXPECT_EQ(engine.image(0x22), 0x23A8u);
    EXPECT_EQ(engine.image(0x32), 0x2270u);
    EXPECT_EQ(engine.image(0x33), low(kPml4));
    EXPECT_EQ(engine.image(0x68), 0x2600u);
    EXPECT_EQ(engine.image(0xA6), 0x267Cu);
    EXPECT_EQ(engine.image(0xE4), 0x2500u);
    EXPECT_EQ(engine.image(0xEA), 0x2400u);
    EXPECT_EQ(engine.image(0xF6), 0x2418u);
    EXPECT_EQ(engine.image(0x134), 0x2174u);
    EXPECT_EQ(engine.image(0x182), 0xC800u);
    EXPECT_EQ(engine.image(0x185), 0x38u);
    EXPECT_EQ(engine.image(0x254), 0xB09Cu);
    EXPECT_EQ(engine.image(0x143) & 0xFFFF0000u, 0x69040000u);
    EXPECT_EQ(engine.image(0x144), 0x61010011u);
    EXPECT_EQ(engine.image(0x381), 0x61020001u);
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
        e.ppgtt.put(kBatch, Words{0x69040302} + c.command + count() + kEnd);
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
        e.ppgtt.put(kBatch, Words{0x69040302} + walker() + command + count() + Words{0x02800000} +
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
    race(Words{0x69040301} + Words{0x71000004, 0, 0, 0, 0, 0} + Words{0x02800000} + kEnd);
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

TEST_F(Contexts, LoadInvalidatesAndSaveFlushes) {
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

}  // namespace
}  // namespace gen9
