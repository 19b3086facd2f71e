// SPDX-License-Identifier: Apache-2.0
// What a context keeps while another runs, and where its image has it.
#include "cs/context/context_image.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

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
    GEN9_COVERS("CS-20 CS-52 CS-97 CS-100 CS-101 CS-102 CS-103 CS-110 CS-118");
    std::uint32_t tail = 0, tail2 = 0;
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    const Words vfe = {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    const Words load = {0x70020002, 0, 0x20, 0x1240}, state_flush = {0x70040000, 0};
    add(tail, allow_restore + Words{0x11000003, 0x2600, 11, 0x2418, 1} +
                  Words{0x11000001, 0xE404, 0x100} + kPipeOnly + vfe + state_base_address() + load +
                  Words{0x61020001, 0x500, 0} + Words{0x61040001, 0x00800000, 0});
    engine.submit();
    engine.core.run();
    const std::uint32_t ran = engine.image(0x23);
    EXPECT_GT(ran, 0u);

    engine.time += 1000;
    add(tail2,
        allow_restore + Words{0x12000002, 0x2600, low(kData), 0} +
            Words{0x12000002, 0x2418, low(kData + 4), 0} +
            Words{0x12000002, 0x23A8, low(kData + 8), 0} + kPipeOnly + state_flush + walker(),
        kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    ASSERT_EQ(engine.sent.size(), 1u) << "the walker finds no state of the first context";
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 0u);
    EXPECT_LT(data(2), 100u);
    EXPECT_EQ(engine.sent.back().state->dynamic_state_base.value, 0u);
    EXPECT_EQ(engine.core.read_register(0xE404), 0u);
    EXPECT_EQ(engine.external.at(0x2270), low(kPml4Of2));
    EXPECT_EQ(engine.core.read_register(0xC804), 0x38u);  // what the host set stays

    engine.time += 1000;
    engine.sent.clear();
    engine.states.clear();
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
    ASSERT_EQ(engine.states.size(), 2u);
    EXPECT_EQ(Words(engine.states[0].dwords.begin(), engine.states[0].dwords.begin() + 9), vfe);
    EXPECT_EQ(Words(engine.states[1].dwords.begin(), engine.states[1].dwords.begin() + 4), load);
    ASSERT_EQ(engine.sent.size(), 1u);
    const PipelineCommand& walk = engine.sent[0];
    EXPECT_EQ(walk.state->dynamic_state_base.value, 0x2'0002'2000u);
    EXPECT_EQ(walk.state->instruction_size, 0xFFFFF000u);
    EXPECT_EQ(walk.state->stateless_mocs, 2);
    // Its own clock goes on where it stopped (GW-30): what it ran lies before its return.
    const std::int64_t spent = 1000 * static_cast<std::int64_t>(engine.time) - walk.context_start;
    EXPECT_GE(spent, 1000 * static_cast<std::int64_t>(ran));
    EXPECT_LT(spent, 1000 * static_cast<std::int64_t>(ran + 200));
    EXPECT_EQ(walk.state->dynamic_mocs, 0x04);
    EXPECT_EQ(walk.state->system_instruction_pointer.value, 0x500u);
    EXPECT_EQ(walk.state->context_save_base.value, 0x800000u);
}

// 003:1936-1950. Each command differs from the others; the image is that of the table.
TEST_F(Contexts, TheStateCommandsOfTheEngineComeBackAsTheyWereGiven) {
    GEN9_COVERS("CS-105");
    const Words topology = {0x06800004}, select = {0x69040302}, atomics = {0x04803012};
    const Words allocs = {0x79120000, 0x11,       0x79130000, 0x22,       0x79140000,
                          0x33,       0x79150000, 0x44,       0x79160000, 0x55};
    const auto pool = [](std::uint32_t header, std::uint32_t base) {
        return Words{header, base << 12 | 1u << 11 | 5, base + 1, 3 << 12};
    };
    const Words tables = pool(0x79190002, 0x1000), gathers = pool(0x791A0002, 0x2000),
                constants = pool(0x791B0002, 0x3000), on = {0x03000001};
    const auto expect_image = [&](const char* when) {
        const auto at = [&](std::uint32_t dword, const Words& words) {
            for (std::uint32_t i = 0; i < words.size(); ++i)
                EXPECT_EQ(engine.image(dword + i), words[i]) << when << std::hex << dword + i;
        };
        at(0x140, topology);
        at(0x141, {0, 0});
        EXPECT_EQ(engine.image(0x143) & 3, 2u);
        at(0x144, {0x61010011});
        at(0x157, allocs);
        at(0x161, tables);
        at(0x165, gathers);
        at(0x169, constants);
        at(0x16D, on);
        at(0x16E, atomics);
        at(0x16F, {0, 0, 0});
    };
    std::uint32_t tail = 0, tail2 = 0;
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    add(tail, allow_restore + topology + select + state_base_address() + allocs + tables + gathers +
                  constants + on + atomics);
    engine.submit();
    engine.core.run();
    expect_image("saved: ");
    const Words bases = [&] {
        Words words;
        for (std::uint32_t i = 0; i < 19; ++i)
            words.push_back(engine.image(0x144 + i));
        return words;
    }();
    add(tail2, allow_restore + Words{0x06800002} + Words{0x79120000, 0x99}, kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    EXPECT_EQ(engine.image(0x140, kContext2), 0x06800002u);
    EXPECT_EQ(engine.image(0x15F, kContext2), 0u) << "another context's";
    EXPECT_EQ(engine.image(0x16E, kContext2), 0u);
    // The image is loaded and saved again.
    add(tail, Words{0});
    engine.submit();
    engine.core.run();
    expect_image("again: ");
    for (std::uint32_t i = 0; i < 19; ++i)
        EXPECT_EQ(engine.image(0x144 + i), bases[i]);
}

TEST_F(Contexts, CountersAreTheContextsOwnAndWhatIsGlobalIsNot) {
    GEN9_COVERS("CS-14 CS-120 CS-121");
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    const std::uint32_t counters[] = {0x2310, 0x22C8, 0x2448, 0x2290, 0x5200, 0x5258, 0x5280},
                        nonprivileged = 0x24D0;
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
        EXPECT_EQ(data(2 * (std::size(counters) + n)), counters[n] + 1);
        EXPECT_EQ(data(2 * (std::size(counters) + n) + 1), 5u);
    }
    EXPECT_EQ(entry(1), 0x18u) << "kept through the loads of two contexts";
}

// The granularities are chosen by each context (PRE-01; gpgpu-media-l3 guide 3.8).
TEST_F(Contexts, EachKeepsItsPreemptionLevel) {
    GEN9_COVERS("PRE-01");
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    std::uint32_t tail = 0, tail2 = 0;
    add(tail, allow_restore + Words{0x11000001, 0x2580, 0x00060004});
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.core.read_register(0x2580), 4u);
    add(tail2,
        allow_restore + Words{0x12000002, 0x2580, low(kData), 0} +
            Words{0x11000001, 0x2580, 0x00060002},
        kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    EXPECT_EQ(data(0), 0u) << "of a new context";
    add(tail, Words{0x12000002, 0x2580, low(kData + 4), 0});
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(1), 4u);
    add(tail2, Words{0x12000002, 0x2580, low(kData + 8), 0}, kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    EXPECT_EQ(data(2), 2u);
}

TEST_F(Contexts, InvalidatedStateIsNotRestoredUntilItIsGivenAgain) {
    GEN9_COVERS("CS-71");
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    const Words vfe = {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0};
    const Words curbe = {0x70010002, 0, 0x40, 0x80}, load = {0x70020002, 0, 0x20, 0x1240};
    const std::uint32_t stall = 1u << 20, pointers = 1u << 9, all_media = 1u << 16;
    const struct {
        std::uint32_t flags;
        Words again;
        std::vector<std::uint32_t> restored;  ///< headers
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
            allow_restore + kPipeOnly + vfe + state_base_address() + curbe + load +
                Words{0x7A000004, row.flags, 0, 0, 0, 0} + row.again);
        run(kRing2, kContext2, tail2, allow_restore);
        e.states.clear();
        run(kRing, kContext, tail, walker());
        std::vector<std::uint32_t> headers;
        for (const PipelineCommand& command : e.states)
            headers.push_back(command.dwords[0]);
        EXPECT_EQ(headers, row.restored);
        // What is not valid is not used either (CS-127).
        const bool whole =
            !headers.empty() && headers.front() == vfe[0] && headers.back() == load[0];
        EXPECT_EQ(e.sent.size(), whole ? 1u : 0u);
        EXPECT_EQ(e.environment.reporter.guest_errors(), whole ? 0u : 1u);
    }
}

TEST_F(Contexts, ThreadPoolsAreThoseOfTheContext) {
    GEN9_COVERS("POOL-03");
    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    const Words pools = {0x70050004, 0x80000000, 0x00777000, 0, 0, 0};
    std::uint32_t tail = 0, tail2 = 0;
    add(tail, allow_restore + kPipeOnly + pools);
    engine.submit();
    engine.core.run();
    ASSERT_EQ(engine.states.size(), 1u);

    add(tail2, allow_restore, kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    ASSERT_EQ(engine.states.size(), 2u);
    EXPECT_EQ(engine.states[1].dwords[0], pools[0]);
    EXPECT_EQ(engine.states[1].dwords[1], 0u) << "this one has none";
    EXPECT_EQ(engine.states[1].address.value, kRing2) << "where the context goes on";

    add(tail, Words{0, 0});
    engine.submit();
    engine.core.run();
    ASSERT_EQ(engine.states.size(), 3u);
    EXPECT_EQ(engine.states[2].dwords[1], pools[1]);
    EXPECT_EQ(engine.states[2].dwords[2], pools[2]);
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
    GEN9_COVERS("CS-99 CS-107 CS-117");
    std::uint32_t tail = 0;
    add(tail, Words{0x11000001, 0x2244, 0x00010000} + state_base_address());
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

// Both sections as the seed's tables list them (003:1889-1935, 003:1951-2026): every pair's place
// and register, whatever is in between, and values that survive another context.
TEST_F(Contexts, EveryNamedRegisterStandsWhereTheSeedHasItAndIsRestored) {
    GEN9_COVERS("CS-104 CS-106 FF-33");
    struct Named {
        std::uint32_t dword, offset;
    };
    std::vector<Named> engine2;
    const auto pair = [&](std::uint32_t dword, std::uint32_t offset) {
        engine2.push_back({dword, offset});
    };
    const auto wide = [&](std::uint32_t dword, std::uint32_t offset) {
        pair(dword, offset);
        pair(dword + 2, offset + 4);
    };
    pair(0xB4, 0x2184);
    wide(0xB6, 0x2310), wide(0xBA, 0x2318), wide(0xBE, 0x2320), wide(0xC2, 0x2300);
    wide(0xC6, 0x2308), wide(0xCA, 0x2328), wide(0xCE, 0x2330), wide(0xD2, 0x2338);
    wide(0xD6, 0x2340), wide(0xDA, 0x22C8), wide(0xDE, 0x22D8);
    pair(0xE4, 0x2500), pair(0xE6, 0x2504), pair(0xE8, 0x2508);
    pair(0xEA, 0x2400), pair(0xEC, 0x2404), pair(0xEE, 0x2408), pair(0xF0, 0x240C);
    pair(0xF2, 0x2410), pair(0xF4, 0x2414), pair(0xF6, 0x2418), pair(0xF8, 0x2420);
    pair(0xFA, 0x2430), pair(0xFC, 0x2434), pair(0xFE, 0x2438), pair(0x100, 0x243C);
    pair(0x102, 0x2440), wide(0x104, 0x2290), wide(0x108, 0x22F0), wide(0x10C, 0x22F8);
    pair(0x110, 0x215C), wide(0x112, 0x24B4), pair(0x116, 0x2480), pair(0x118, 0x2484);
    pair(0x11A, 0x248C), pair(0x11C, 0x2490), pair(0x11E, 0x2494), pair(0x128, 0x2360);
    pair(0x12A, 0x2364), wide(0x12C, 0x2448), wide(0x130, 0x2450), pair(0x134, 0x2174);
    std::vector<Named> gamt;
    for (std::uint32_t n = 0; n < 64; ++n)
        gamt.push_back({0x182 + 2 * n, 0xC800 + 4 * n});
    for (std::uint32_t n = 0; n < 6; ++n)
        gamt.push_back({0x202 + 2 * n, 0x4DE0 + 4 * n});
    EXPECT_EQ(engine2.size() + 7, 67u) << "seven pairs have no name";
    std::vector<Named> sol;
    for (std::uint32_t n = 0; n < 8; ++n) {
        sol.push_back({0x662 + 2 * n, 0x5200 + 4 * n});
        sol.push_back({0x672 + 2 * n, 0x5240 + 4 * n});
    }
    for (std::uint32_t n = 0; n < 4; ++n)
        sol.push_back({0x682 + 2 * n, 0x5280 + 4 * n});

    const Words allow_restore = {0x11000001, 0x2244, 0x00010000};
    std::uint32_t tail = 0, tail2 = 0;
    Words fill = allow_restore, other = allow_restore;
    for (const auto* section : {&engine2, &gamt, &sol})
        for (const Named& named : *section) {
            fill = fill + lri(named.offset, 0x100 + named.dword);
            other = other + lri(named.offset, 0x8000);
        }
    add(tail, fill);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.image(0xB1), 0x11001085u);
    EXPECT_EQ(engine.image(0x181), 0x1100108Bu);
    EXPECT_EQ(engine.image(0x661), 0x11001027u);
    const auto check = [&] {
        for (const auto* section : {&engine2, &gamt, &sol})
            for (const Named& named : *section) {
                EXPECT_EQ(engine.image(named.dword), named.offset) << std::hex << named.dword;
                EXPECT_EQ(engine.image(named.dword + 1), 0x100 + named.dword);
            }
    };
    check();
    add(tail2, other, kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    add(tail, {0, 0});
    engine.submit();
    engine.core.run();
    check();
}

}  // namespace
}  // namespace gen9
