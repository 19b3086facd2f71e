// SPDX-License-Identifier: Apache-2.0
// What media objects may ask for, and what their threads are given.
#include <gtest/gtest.h>

#include "media/walk/front_end.h"
#include "media/walk/payload.h"
#include "media/walk/walk_cursor.h"
#include "tests/support/covers.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test::media {
namespace {

constexpr ThreadTopology kGt2{};

struct Bench {
    PipelineStatePtr state = make_state();
    Memory memory;
    FrontEnd front_end{kGt2, 4096};
    Walk walk;

    /// CURBE rows hold their number plus 100, indirect rows their number.
    explicit Bench(const VfeFields& vfe = {.entries = 8, .entry_rows = 16, .curbe_rows = 32},
                   const ScoreboardFields& scoreboard = {}) {
        auto c = vfe_command(state, vfe);
        set_scoreboard(c, scoreboard);
        EXPECT_FALSE(front_end.execute(c, memory));
        memory.put_rows(kDynamicBase + 0x1000, vfe.curbe_rows, 100);
        EXPECT_FALSE(front_end.execute(curbe_load(state, vfe.curbe_rows * 32, 0x1000), memory));
        memory.put_rows(kIndirectBase, 64, 0);
    }
    void descriptor(unsigned index, const DescriptorFields& fields) {
        memory.put(index, fields);
        EXPECT_FALSE(front_end.execute(idd_load(state, 64 * 32), memory));
    }
    std::string prepare(const PipelineCommand& c, unsigned in_group = 0) {
        const auto refusal = front_end.prepare_media(c, memory, in_group, walk);
        return refusal ? refusal->text : "";
    }
    /// The first byte of each register that the walk's first thread is given, R0 left out.
    std::vector<unsigned> payload(std::uint16_t in_group = 0,
                                  std::span<const std::uint8_t> spawned = {}) {
        ThreadFacts facts;
        WalkCursor(walk, 1, in_group).describe(facts);
        facts.spawned = spawned;
        auto dispatch = std::make_unique<ThreadDispatch>();
        make_thread(walk, kGt2, facts, *dispatch);
        std::vector<unsigned> first;
        for (unsigned i = 1; i < dispatch->payload_registers; ++i)
            first.push_back(dispatch->payload[i].bytes[0]);
        return first;
    }
};

std::array<std::uint32_t, 8> dwords(const Grf& grf) {
    std::array<std::uint32_t, 8> d;
    std::memcpy(d.data(), grf.bytes, 32);
    return d;
}

/// `rows` rows of inline data whose first bytes are 200, 201, ...
std::vector<std::uint32_t> inline_rows(unsigned rows) {
    std::vector<std::uint32_t> data;
    for (unsigned r = 0; r < rows; ++r)
        for (unsigned i = 0; i < 8; ++i)
            data.push_back(i ? 0 : 200 + r);
    return data;
}

TEST(MediaPayload, AllSevenCombinationsOfAnObjectInTheirOrder) {
    GEN9_COVERS("TD-14 MED-08 MED-42 MED-49");
    for (unsigned sources = 0; sources < 8; ++sources) {
        Bench bench;
        const bool curbe = sources & 1, by_inline = sources & 2, indirect = sources & 4;
        bench.descriptor(0, {.per_thread_rows = curbe ? 2u : 0u, .read_offset = 3});
        const std::string refused = bench.prepare(
            object_command(bench.state, {.indirect_bytes = indirect ? 96u : 0u,
                                         .indirect_offset = 0x20,
                                         .inline_data = inline_rows(by_inline ? 2 : 0)}));
        if (sources == 0) {
            EXPECT_EQ(refused, "neither CURBE nor inline nor indirect data");
            continue;
        }
        ASSERT_EQ(refused, "") << sources;
        std::vector<unsigned> expected;
        if (curbe) expected.insert(expected.end(), {103, 104});
        if (by_inline) expected.insert(expected.end(), {200, 201});
        if (indirect) expected.insert(expected.end(), {1, 2, 3});
        EXPECT_EQ(bench.payload(), expected) << sources;
        EXPECT_EQ(bench.walk.holds_entry, by_inline || indirect);
    }
}

// The objects' indirect data; descriptors, CURBE and the data of a GPGPU_WALKER are in
// front_end_test.
TEST(MediaPayload, IndirectDataOfObjectsLiesInTheIndirectObjectBuffer) {
    GEN9_COVERS("MED-11");
    Bench bench;
    bench.descriptor(0, {});
    bench.memory.put_rows(kDynamicBase, 64, 90);
    const auto prepare = [&](unsigned bytes, unsigned offset) {
        return bench.prepare(
            object_command(bench.state, {.indirect_bytes = bytes, .indirect_offset = offset}));
    };
    for (const unsigned dynamic_size : {0x100u, 0x400u, 0x1000u}) {
        auto state = std::make_shared<PipelineState>(*bench.state);
        state->indirect_object_size = 0x400;
        state->dynamic_state_size = dynamic_size;
        bench.state = state;
        ASSERT_EQ(prepare(64, 0x3C0), "") << "to its last byte";
        EXPECT_EQ(bench.payload(), (std::vector<unsigned>{30, 31}));
        EXPECT_NE(prepare(64, 0x3E0), "") << "and not one row further";
        EXPECT_NE(prepare(32, 0x400), "");
    }
}

TEST(MediaPayload, TheSpawnersRowsStandBetweenCurbeAndUrbData) {
    GEN9_COVERS("MED-49");
    Bench bench;
    bench.descriptor(0, {.per_thread_rows = 1});
    ASSERT_EQ(bench.prepare(object_command(bench.state,
                                           {.synchronized = true, .inline_data = inline_rows(1)})),
              "");
    const std::vector<std::uint8_t> spawned(64, 77);
    EXPECT_EQ(bench.payload(0, spawned), (std::vector<unsigned>{100, 77, 77, 200}));
}

TEST(MediaPayload, APartOfARowIsFilledWithZeroes) {
    GEN9_COVERS("MED-52");
    Bench bench;
    bench.descriptor(0, {});
    auto f = raster(2, 1);
    f.inline_data = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    auto dispatch = std::make_unique<ThreadDispatch>();
    for (Grf& g : dispatch->payload)
        std::memset(g.bytes, 0xEE, 32);
    ThreadFacts facts;
    WalkCursor(bench.walk, 1, 0).describe(facts);
    make_thread(bench.walk, kGt2, facts, *dispatch);
    EXPECT_EQ(dispatch->payload_registers, 3);
    EXPECT_EQ(dwords(dispatch->payload[1]), (std::array<std::uint32_t, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
    EXPECT_EQ(dwords(dispatch->payload[2]), (std::array<std::uint32_t, 8>{9, 10}));
    // The same of indirect data that ends within a row.
    ASSERT_EQ(bench.prepare(object_command(bench.state, {.indirect_bytes = 36})), "");
    make_thread(bench.walk, kGt2, {}, *dispatch);
    EXPECT_EQ(dwords(dispatch->payload[2]), (std::array<std::uint32_t, 8>{0x01010101}));
}

TEST(MediaPayload, WalkersTakeCurbeInlineOrBothAndNeverIndirectData) {
    GEN9_COVERS("TD-14 MED-43");
    for (unsigned sources = 0; sources < 4; ++sources) {
        Bench bench;
        bench.descriptor(0, {.per_thread_rows = sources & 1 ? 1u : 0u});
        auto f = raster(2, 2);
        f.inline_data = inline_rows(sources & 2 ? 1 : 0);
        auto c = media_walker_command(bench.state, f);
        EXPECT_EQ(bench.prepare(c) == "", sources != 0);
        packets::MEDIA_OBJECT_WALKER::IndirectDataLength.set(c.dwords, 64);
        EXPECT_EQ(bench.prepare(c), "indirect data; a walker has none");
    }
}

TEST(MediaPayload, GroupsTakeExactlyOneSource) {
    GEN9_COVERS("TD-14");
    for (unsigned sources = 0; sources < 8; ++sources) {
        Bench bench;
        const bool curbe = sources & 1, by_inline = sources & 2, indirect = sources & 4;
        // Beside indirect data the descriptor's lengths speak of that.
        bench.descriptor(0, {.per_thread_rows = curbe ? 1u : 0u});
        const ObjectFields f{.indirect_bytes = indirect ? 96u : 0u,
                             .inline_data = inline_rows(by_inline ? 1 : 0)};
        const bool one = by_inline + (indirect || curbe) == 1;
        EXPECT_EQ(bench.prepare(grpid_command(bench.state, f, 1, true)) == "", one) << sources;
    }
    Bench bench;
    bench.descriptor(0, {.per_thread_rows = 1});
    auto f = raster(2, 2);
    f.loop_select = 2;
    EXPECT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    f.inline_data = inline_rows(1);
    EXPECT_NE(bench.prepare(media_walker_command(bench.state, f)), "");
    f.loop_select = 0;
    EXPECT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
}

TEST(MediaPayload, AGroupsDataIsSplitBetweenItsThreads) {
    GEN9_COVERS("MED-47");
    Bench bench;
    bench.descriptor(0, {.per_thread_rows = 2, .cross_thread_rows = 1, .read_offset = 4});
    const auto object = grpid_command(bench.state, {}, 5, false);
    for (unsigned thread = 0; thread < 3; ++thread) {
        ASSERT_EQ(bench.prepare(object, thread), "");
        EXPECT_EQ(bench.payload(std::uint16_t(thread)),
                  (std::vector<unsigned>{104, 105 + 2 * thread, 106 + 2 * thread}));
    }
    EXPECT_NE(bench.prepare(object, 14), "") << "row 4 + 1 + 2 * 15 ends at 35 of 32";
    const auto indirect = grpid_command(bench.state, {.indirect_bytes = 160}, 5, false);
    for (unsigned thread = 0; thread < 2; ++thread) {
        ASSERT_EQ(bench.prepare(indirect, thread), "");
        EXPECT_EQ(bench.payload(std::uint16_t(thread)),
                  (std::vector<unsigned>{1 + 2 * thread, 2 + 2 * thread, 0}))
            << "own rows first, as for a GPGPU_WALKER";
    }
    EXPECT_NE(bench.prepare(indirect, 2), "");
    // A walker's groups begin anew each.
    auto f = raster(3, 2);
    f.loop_select = 2;
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    WalkCursor at(bench.walk, 1, 0);
    auto dispatch = std::make_unique<ThreadDispatch>();
    for (unsigned i = 0; i < 6; ++i, at.next()) {
        ThreadFacts facts;
        at.describe(facts);
        EXPECT_EQ(facts.local_thread, i % 3);
        make_thread(bench.walk, kGt2, facts, *dispatch);
        EXPECT_EQ(dispatch->payload[1].bytes[0], 104);
        EXPECT_EQ(dispatch->payload[2].bytes[0], 105 + i % 3 * 2);
    }
}

TEST(MediaPayload, PersistentRootThreadsHaveTwelveDwordsInline) {
    GEN9_COVERS("MED-51");
    Bench bench;
    bench.descriptor(3, {.per_thread_rows = 1, .sampler_offset = 0x40, .binding_table = 0x80});
    PrtFields f{.descriptor = 3};
    for (unsigned i = 0; i < 12; ++i)
        f.inline_data[i] = 50 + i;
    ASSERT_EQ(bench.prepare(prt_command(bench.state, f)), "");
    auto dispatch = std::make_unique<ThreadDispatch>();
    ThreadFacts facts;
    facts.place = {1, 2, 3};
    facts.at = {7, 7};
    make_thread(bench.walk, kGt2, facts, *dispatch);
    EXPECT_EQ(dispatch->payload_registers, 4);
    EXPECT_EQ(dispatch->payload[1].bytes[0], 100);
    EXPECT_EQ(dwords(dispatch->payload[2])[0], 50u);
    EXPECT_EQ(dwords(dispatch->payload[3]), (std::array<std::uint32_t, 8>{58, 59, 60, 61}));
    const auto r0 = dwords(dispatch->payload[0]);
    EXPECT_EQ(r0[0], bench.walk.urb_handle);
    EXPECT_EQ(r0[1], 0u);
    EXPECT_EQ(r0[2], 3u * 32) << "the descriptor's place; no restart";
    EXPECT_EQ(r0[3], 0x40u);
    EXPECT_EQ(r0[4], 0x80u);
    EXPECT_EQ(r0[5] & 0x3FF, facts.place.fftid(kGt2));
    EXPECT_EQ(r0[6] | r0[7], 0u);
}

TEST(MediaPayload, InlineDataMayFillTheRegisters) {
    GEN9_COVERS("MED-49");
    Bench bench({.entries = 2, .entry_rows = 200, .curbe_rows = 0});
    bench.descriptor(0, {});
    ObjectFields f;
    for (unsigned i = 0; i < 127 * 8; ++i)
        f.inline_data.push_back(i);
    ASSERT_EQ(bench.prepare(object_command(bench.state, f)), "");
    auto dispatch = std::make_unique<ThreadDispatch>();
    make_thread(bench.walk, kGt2, {}, *dispatch);
    EXPECT_EQ(dispatch->payload_registers, 128);
    for (unsigned i = 0; i < 127 * 8; ++i)
        ASSERT_EQ(dwords(dispatch->payload[1 + i / 8])[i % 8], i);
    EXPECT_EQ(bench.prepare(grpid_command(bench.state, f, 1, true)), "");
    f.inline_data.push_back(0);
    EXPECT_NE(bench.prepare(object_command(bench.state, f)).find("129 registers"),
              std::string::npos);
}

TEST(MediaPayload, R0OfAGenericRootThread) {
    GEN9_COVERS("MED-50");
    Bench bench({.threads = 168,
                 .entries = 8,
                 .entry_rows = 16,
                 .curbe_rows = 32,
                 .scratch_code = 5,
                 .stack_code = 7,
                 .scratch_base = 0x10000});
    bench.descriptor(63, {.barrier = true, .sampler_offset = 0xFFE0, .binding_table = 0xFFE0});
    ASSERT_EQ(bench.prepare(object_command(bench.state, {.descriptor = 63,
                                                         .scoreboard = true,
                                                         .x = 0x1FF,
                                                         .y = 0x155,
                                                         .mask = 0xA5,
                                                         .color = 0xC,
                                                         .inline_data = {1}})),
              "");
    ThreadFacts facts;
    WalkCursor(bench.walk, 1, 0).describe(facts);
    facts.place = {2, 7, 6};
    facts.barrier = 31;
    const auto r0 = dwords(make_media_header(bench.walk, kGt2, facts));
    EXPECT_EQ(r0[0], 0xA5u << 16 | bench.walk.urb_handle);
    EXPECT_EQ(r0[1], 0x155u << 16 | 0x1FF);
    EXPECT_EQ(r0[2], 63u << 4 | 0xC) << "no barrier: it is not a thread of a group";
    EXPECT_EQ(r0[3], 0xFFE0u | 5);
    EXPECT_EQ(r0[4], 0xFFE0u) << "no stack size";
    EXPECT_EQ(r0[5], (0x10000u + 167 * 32 * 1024) | 167) << "bit 9 is clear";
    EXPECT_EQ(r0[6] | r0[7], 0u);
    // 11 bits of X and Y from a walker.
    auto f = raster(2047, 2047);
    f.local_start = {2046, 1029};
    f.inline_data = {1};
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    WalkCursor(bench.walk, 1, 0).describe(facts);
    EXPECT_EQ(dwords(make_media_header(bench.walk, kGt2, facts))[1], 1029u << 16 | 2046);
}

TEST(MediaPayload, R0OfAGroupsThread) {
    GEN9_COVERS("MED-53 MED-54");
    Bench bench;
    bench.descriptor(9, {.group_threads = 4, .slm_code = 3, .barrier = true});
    ASSERT_EQ(bench.prepare(grpid_command(
                  bench.state,
                  {.descriptor = 9, .x = 3, .y = 4, .mask = 1, .color = 2, .inline_data = {1}},
                  0xDEADBEEF, false)),
              "");
    ThreadFacts facts;
    WalkCursor(bench.walk, 1, 0).describe(facts);
    facts.barrier = 0x15;
    facts.slm_granule = 52;
    auto r0 = dwords(make_media_header(bench.walk, kGt2, facts));
    EXPECT_EQ(r0[0], 52u << 24 | 1u << 16 | bench.walk.urb_handle);
    EXPECT_EQ(r0[1], 4u << 16 | 3);
    EXPECT_EQ(r0[2], 1u << 31 | 7u << 28 | 5u << 24 | 9u << 4 | 2);
    EXPECT_EQ(r0[7], 0xDEADBEEFu);
    // A walker's id comes from its loops, the upper bits in R0.2.
    auto f = raster(2, 2);
    f.descriptor = 9;
    f.loop_select = 1;
    f.inline_data = {1};
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    facts.group_id = {0x12345678, 0x1ABC, 0};
    r0 = dwords(make_media_header(bench.walk, kGt2, facts));
    EXPECT_EQ(r0[7], 0x12345678u);
    EXPECT_EQ(r0[2] >> 11 & 0x1FFF, 0x1ABCu);
    EXPECT_EQ(r0[2] >> 30 & 1, 1u);
    // Without barrier and SLM neither is named.
    bench.descriptor(9, {});
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    r0 = dwords(make_media_header(bench.walk, kGt2, facts));
    EXPECT_EQ(r0[0] >> 24, 0u);
    EXPECT_EQ(r0[2] >> 24, 0x40u);
}

TEST(MediaPayload, AChildsR0AndRestAreItsParentsWithTheCurbeBetween) {
    GEN9_COVERS("MED-06");
    Bench bench;
    bench.descriptor(2, {.kernel_start = 0x540, .per_thread_rows = 2});
    Walk walk;
    walk.state = bench.state;
    walk.descriptor = bench.front_end.descriptor(2);
    std::vector<std::uint8_t> rows(96);
    for (unsigned i = 0; i < 96; ++i)
        rows[i] = std::uint8_t(i);
    auto dispatch = std::make_unique<ThreadDispatch>();
    make_child(walk, kGt2, {{0, 1, 2}, rows, *bench.front_end.constants_of(walk.descriptor)},
               *dispatch);
    ASSERT_EQ(dispatch->payload_registers, 5);
    const unsigned first[] = {0, 100, 101, 32, 64};
    for (unsigned i = 0; i < 5; ++i)
        EXPECT_EQ(dispatch->payload[i].bytes[0], first[i]);
    EXPECT_EQ(std::memcmp(dispatch->payload[0].bytes, rows.data(), 32), 0) << "R0 is not changed";
    EXPECT_EQ(dispatch->instruction_pointer, 0x540u);
}

TEST(MediaFrontEnd, ObjectsTakeAndWaitForUrbEntriesAsWalkersDo) {
    GEN9_COVERS("TD-28 TD-59");
    Bench bench({.entries = 2, .entry_rows = 2, .curbe_rows = 4});
    bench.descriptor(0, {.per_thread_rows = 1});
    const auto with_data = object_command(bench.state, {.inline_data = inline_rows(1)});
    const auto without = object_command(bench.state, {});
    const auto parent = object_command(bench.state, {.children = true});
    ASSERT_EQ(bench.prepare(with_data), "");
    EXPECT_EQ(bench.walk.urb_handle, 34) << "64 descriptor rows, 4 of the CURBE, in halves";
    ASSERT_EQ(bench.prepare(parent), "");
    EXPECT_EQ(bench.walk.urb_handle, 35);
    ASSERT_EQ(bench.prepare(without), "");
    EXPECT_EQ(bench.walk.urb_handle, 0);
    EXPECT_TRUE(bench.front_end.waits_for_entry(with_data, Cycles(0)));
    EXPECT_TRUE(bench.front_end.waits_for_entry(parent, Cycles(0)));
    EXPECT_FALSE(bench.front_end.waits_for_entry(without, Cycles(0)));
    EXPECT_TRUE(bench.front_end.waits_for_entry(prt_command(bench.state, {}), Cycles(0)));
    EXPECT_EQ(bench.prepare(object_command(bench.state, {.inline_data = inline_rows(3)})),
              "3 rows of data; there are 2 URB entries of 2");
    EXPECT_EQ(bench.front_end.vfe().entry_of(35), 1u);
    EXPECT_EQ(bench.front_end.vfe().entry_of(36), std::nullopt);
}

TEST(MediaFrontEnd, WhatIsRefused) {
    GEN9_COVERS("MED-34");
    Bench bench({.threads = 168, .entries = 4, .entry_rows = 200, .curbe_rows = 140});
    bench.descriptor(0, {.per_thread_rows = 1});
    bench.descriptor(1, {.group_threads = 57, .slm_code = 8, .barrier = true});
    bench.descriptor(2, {.per_thread_rows = 128});
    bench.descriptor(3, {.per_thread_rows = 4, .read_offset = 137});
    const auto text = [&](const ObjectFields& f) {
        return bench.prepare(object_command(bench.state, f));
    };
    EXPECT_EQ(text({}), "");
    EXPECT_EQ(text({.indirect_bytes = 32, .indirect_offset = 0x20000}),
              "indirect data lies outside the indirect object buffer");
    EXPECT_EQ(text({.scoreboard = true, .synchronized = true}),
              "a synchronized root thread with a scoreboard");
    EXPECT_EQ(text({.descriptor = 2}), "payload of 129 registers; a thread has 128");
    EXPECT_EQ(text({.descriptor = 3}), "constant data lies outside the CURBE");
    for (unsigned slice = 0; slice < 16; ++slice)
        for (unsigned subslice = 0; subslice < 4; ++subslice)
            EXPECT_EQ(text({.force = true, .slice = slice, .subslice = subslice}) == "",
                      slice == 0 && subslice < 3);
    for (const std::uint8_t slice : {0, 1, 6, 13})
        EXPECT_EQ(
            decode_media_object(MediaCommand::Object,
                                object_command(bench.state, {.force = true, .slice = slice}).dwords)
                .slice,
            slice);
    // Barrier and SLM concern groups only.
    EXPECT_EQ(text({.descriptor = 1, .inline_data = {1}}), "");
    EXPECT_EQ(
        bench.prepare(grpid_command(bench.state, {.descriptor = 1, .inline_data = {1}}, 1, true)),
        "reserved shared local memory size 8");
    bench.descriptor(1, {.group_threads = 57, .barrier = true});
    EXPECT_EQ(
        bench.prepare(grpid_command(bench.state, {.descriptor = 1, .inline_data = {1}}, 1, true)),
        "a barrier of 57 threads; there is room for 56");
    bench.descriptor(1, {.group_threads = 168, .barrier = true, .global_barrier = true});
    EXPECT_EQ(
        bench.prepare(grpid_command(bench.state, {.descriptor = 1, .inline_data = {1}}, 1, true)),
        "");
    bench.descriptor(1, {.group_threads = 169, .barrier = true, .global_barrier = true});
    EXPECT_NE(
        bench.prepare(grpid_command(bench.state, {.descriptor = 1, .inline_data = {1}}, 1, true)),
        "");
    bench.descriptor(1, {.group_threads = 2, .slm_code = 1});
    auto f = raster(56, 2);
    f.descriptor = 1;
    f.loop_select = 2;
    f.inline_data = {1};
    EXPECT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    f.block.x = f.global.x = 57;
    EXPECT_EQ(bench.prepare(media_walker_command(bench.state, f)),
              "groups of more threads than there is room for: 56");
    FrontEnd fresh{kGt2, 4096};
    EXPECT_TRUE(fresh.prepare_media(object_command(bench.state, {}), bench.memory, 0, bench.walk));
    EXPECT_TRUE(fresh.prepare_media(object_command(nullptr, {}), bench.memory, 0, bench.walk));
}

// Only objects and the persistent root thread say that they have children.
TEST(MediaFrontEnd, AWalkersThreadsHaveNoChildren) {
    MediaWalkerFields f = raster(4, 2);
    const auto command = media_walker_command(make_state(), f);
    const MediaObject walker =
        decode_media_object(MediaCommand::ObjectWalker, {command.dwords.data(), 17});
    EXPECT_FALSE(walker.children_present);
    EXPECT_FALSE(needs_entry(walker)) << "without data either";
}

TEST(MediaFrontEnd, AGroupOfObjectsRunsInAPool) {
    GEN9_COVERS("POOL-01 POOL-02");
    constexpr ThreadTopology kBroxton{1, 3, 6, 6, 2};
    const PipelineStatePtr state = make_state();
    for (const bool pools : {false, true}) {
        Memory memory;
        FrontEnd front_end{kBroxton, 4096};
        ASSERT_FALSE(
            front_end.execute(vfe_command(state, {.entries = 8, .entry_rows = 4}), memory));
        if (pools) {
            ASSERT_FALSE(front_end.execute(pool_command(state), memory));
        }
        memory.put(0, {.group_threads = 54, .barrier = true});
        ASSERT_FALSE(front_end.execute(idd_load(state), memory));
        Walk walk;
        const auto refusal = front_end.prepare_media(
            grpid_command(state, {.inline_data = {1}}, 1, true), memory, 0, walk);
        EXPECT_EQ(refusal ? refusal->text : "",
                  pools ? "" : "a barrier of 54 threads; there is room for 36");
        EXPECT_EQ(walk.pooled(), pools);
    }
}

TEST(MediaFrontEnd, CommandsAreCalledAsThePrmCallsThem) {
    EXPECT_STREQ(to_text(MediaCommand::Object), "MEDIA_OBJECT");
    EXPECT_STREQ(to_text(MediaCommand::ObjectGrpid), "MEDIA_OBJECT_GRPID");
    EXPECT_STREQ(to_text(MediaCommand::ObjectPrt), "MEDIA_OBJECT_PRT");
    EXPECT_STREQ(to_text(MediaCommand::ObjectWalker), "MEDIA_OBJECT_WALKER");
}

TEST(MediaFrontEnd, AMaskTakesTheCurbeAwayFromThePayload) {
    GEN9_COVERS("MED-28");
    Bench bench({.entries = 4, .entry_rows = 4, .curbe_rows = 2});
    bench.descriptor(0, {.per_thread_rows = 2});
    auto f = raster(128, 4);
    f.masked = 1;
    EXPECT_EQ(bench.prepare(media_walker_command(bench.state, f)),
              "neither CURBE nor inline nor indirect data");
    f.inline_data = inline_rows(1);
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    EXPECT_EQ(bench.payload(), std::vector<unsigned>{200});
    EXPECT_EQ(bench.walk.dispatch_mask.size(), 64u);
    EXPECT_EQ(bench.walk.dispatch_mask[0], 100);
    // Nor do the threads of a group have rows of it.
    f.loop_select = 2;
    ASSERT_EQ(bench.prepare(media_walker_command(bench.state, f)), "");
    EXPECT_TRUE(bench.walk.grouped());
    EXPECT_EQ(bench.payload(), std::vector<unsigned>{200});
    f.global.y = 5;
    EXPECT_EQ(bench.prepare(media_walker_command(bench.state, f)),
              "a dispatch mask of 80 bytes; the CURBE has 64");
}

}  // namespace
}  // namespace gen9::media::test::media
