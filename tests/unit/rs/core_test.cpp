// SPDX-License-Identifier: Apache-2.0
// What the commands of the resource streamer do. Expected bytes are worked out by hand from the
// layouts in the guide.
#include "rs/core.h"

#include <random>

#include "packets/commands.h"
#include "tests/support/covers.h"
#include "tests/unit/rs/fixture.h"

namespace gen9::test {
namespace {

using packets::resource_action;
using packets::ResourceAction;

TEST_F(RsCoreTest, PointersWriteTheEditedTableToThePool) {
    run_all({table_pool(kPool, 4), edit(kVs, {3u << 16 | 0x1240 >> 6})});
    EXPECT_TRUE(run(pointers(kVs, 0x1C0)));
    EXPECT_EQ(memory.u16(kPool + 0x1C0 + 6), 0x0049u);
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_EQ(memory.u16(kPool + 0x1C0 + 2 * i), i == 3 ? 0x49u : 0u) << i;
    EXPECT_EQ(memory.writes, std::vector<std::uint64_t>{kPool + 0x1C0});
    EXPECT_FALSE(reporter.failed());
}

TEST_F(RsCoreTest, ATableIsWrittenUpToTheLineOfItsLastEntry) {
    run(table_pool(kPool, 4));
    for (const std::uint32_t last : {0u, 31u, 32u, 63u, 64u, 255u}) {
        memory.writes.clear();
        run_all({edit(kVs, {last << 16 | 1}, 0xFFFF), pointers(kVs, 0)});
        EXPECT_EQ(memory.writes.size(), last / 32 + 1) << last;
    }
}

TEST_F(RsCoreTest, EachStageHasATableOfItsOwn) {
    GEN9_COVERS("RS-24");
    run(table_pool(kPool, 4));
    for (std::uint32_t stage = 0; stage < 5; ++stage)
        run(edit(stage, {0u << 16 | (0x10 + stage), 255u << 16 | (0x20 + stage)}));
    for (std::uint32_t stage = 0; stage < 5; ++stage)
        EXPECT_TRUE(run(pointers(stage, stage * 512)));
    for (std::uint32_t stage = 0; stage < 5; ++stage) {
        EXPECT_EQ(memory.u16(kPool + stage * 512), 0x10 + stage);
        EXPECT_EQ(memory.u16(kPool + stage * 512 + 510), 0x20 + stage);
    }
    EXPECT_EQ(stats.edits.value(), 10u);
    EXPECT_EQ(stats.tables.value(), 5u);
}

TEST_F(RsCoreTest, ATableKeepsWhatIsNotEditedAndClearsBlocksFirst) {
    run_all({table_pool(kPool, 4), edit(kPs, {0u << 16 | 1, 16u << 16 | 2, 17u << 16 | 3}),
             edit(kPs, {16u << 16 | 9}, 1u << 1), pointers(kPs, 0)});
    EXPECT_EQ(memory.u16(kPool), 1u);
    EXPECT_EQ(memory.u16(kPool + 32), 9u) << "edited after the clear";
    EXPECT_EQ(memory.u16(kPool + 34), 0u) << "cleared with its block";
}

// Block n is entries 16 n to 16 n + 15.
TEST_F(RsCoreTest, EachBlockIsClearedByItsBit) {
    Words all;
    for (std::uint32_t i = 0; i < 256; ++i)
        all.push_back(i << 16 | 1);
    for (unsigned block = 0; block < 16; ++block) {
        run_all({edit(kHs, all), edit(kHs, {}, 1u << block)});
        for (unsigned i = 0; i < 256; ++i)
            EXPECT_EQ(core.table_entry(packets::ResourceStage::HS, i), i / 16 == block ? 0u : 1u)
                << block << " " << i;
    }
}

TEST_F(RsCoreTest, AnEditForAnotherCoreOnlyChangesNothing) {
    run_all({table_pool(kPool, 4), edit(kVs, {1u << 16 | 5}, 0, 2), edit(kVs, {2u << 16 | 6}, 0, 1),
             pointers(kVs, 0)});
    EXPECT_EQ(memory.u16(kPool + 2), 0u);
    EXPECT_EQ(memory.u16(kPool + 4), 6u);
}

TEST_F(RsCoreTest, AWrittenTableStaysAsItWasWhenItIsEditedLater) {
    run_all({table_pool(kPool, 4), edit(kVs, {0u << 16 | 7}), pointers(kVs, 0),
             edit(kVs, {0u << 16 | 8}), pointers(kVs, 64)});
    EXPECT_EQ(memory.u16(kPool), 7u);
    EXPECT_EQ(memory.u16(kPool + 64), 8u);
}

TEST_F(RsCoreTest, WithoutAPoolNoTableIsMade) {
    run(edit(kVs, {0u << 16 | 7}));
    EXPECT_FALSE(run(pointers(kVs, 0)));
    run(table_pool(kPool, 4));
    run(table_pool(kPool, 4, false));
    EXPECT_FALSE(run(pointers(kVs, 0)));
    EXPECT_TRUE(memory.writes.empty());
}

TEST_F(RsCoreTest, WhatLiesBeyondThePoolIsReportedAndNotWritten) {
    run_all({table_pool(kPool, 1), edit(kVs, {63u << 16 | 7})});
    EXPECT_TRUE(run(pointers(kVs, 4096 - 64)));
    EXPECT_EQ(reporter.guest_errors(), 1u);
    EXPECT_EQ(memory.writes, std::vector<std::uint64_t>{kPool + 4096 - 64});
    EXPECT_TRUE(run(pointers(kVs, 4096)));
    EXPECT_EQ(memory.writes.size(), 1u);
    EXPECT_TRUE(run(pointers(kVs, 4096 - 128)));
    EXPECT_EQ(memory.writes.size(), 3u) << "the whole table fits";
    EXPECT_EQ(reporter.guest_errors(), 2u);
}

TEST_F(RsCoreTest, Table16384OfABatchIsReportedAndAnotherBatchBeginsAnew) {
    GEN9_COVERS("RS-21");
    // The first one goes on in the midst of a batch, before it has made anything.
    rs::RsCore fresh(reporter, stats);
    const Words pool = table_pool(kPool, 64), table = pointers(kVs, 0);
    const rs::StreamCommand command(*packets::find_command(table[0]), table, GpuAddr(0x1000));
    fresh.execute({*packets::find_command(pool[0]), pool, GpuAddr(0x1000)}, memory);
    for (unsigned batch = 0; batch < 2; ++batch) {
        fresh.take_over(fresh.state(), batch != 0);
        for (unsigned i = 0; i < 16383; ++i)
            fresh.execute(command, memory);
        EXPECT_FALSE(reporter.failed());
    }
    fresh.take_over(fresh.state(), false);
    fresh.execute(command, memory);
    EXPECT_EQ(reporter.guest_errors(), 1u);
    fresh.take_over(fresh.state(), true);
    fresh.execute(command, memory);
    EXPECT_EQ(reporter.guest_errors(), 1u);
}

TEST_F(RsCoreTest, GatherPacksTheChannelsOfItsElementsInOrder) {
    constants();
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4),
             edit(kPs, {18u << 16 | 1})});
    Words command =
        gather(kPs, 1u << 2, 0x80, {element(2, 0xF, 1), element(2, 0x5, 0), element(2, 0x8, 3)});
    command[1] |= 1u << 12;  // block 1: entries 16 to 31
    EXPECT_TRUE(run(command));
    const Words expected = {0x104, 0x105, 0x106, 0x107, 0x100, 0x102, 0x10F};
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(memory.u32(kGathers + 0x80 + 4 * i), expected[i]) << i;
    EXPECT_EQ(memory.u32(kGathers + 0x80 + 28), 0u);
    EXPECT_EQ(stats.gathered_dwords.value(), 7u);
    // The surface state, then the one line that holds all of it.
    EXPECT_EQ(memory.reads, (std::vector<std::uint64_t>{kSurfaces + 0x40, kConstants}));
    EXPECT_FALSE(reporter.failed());
}

// 34h VS, 35h GS, 36h HS, 37h DS, 38h PS: each by the table of its own stage.
TEST_F(RsCoreTest, EachGatherCommandReadsTheTableOfItsStage) {
    GEN9_COVERS("RS-10");
    constexpr std::pair<std::uint32_t, std::uint32_t> kCommands[] = {
        {0x7834, kVs}, {0x7835, kGs}, {0x7836, kHs}, {0x7837, kDs}, {0x7838, kPs}};
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4)});
    for (const auto& [opcode, stage] : kCommands) {
        memory.put(kConstants + stage * 0x1000, {0xA00 + stage});
        memory.put(kSurfaces + 0x100 + 0x40 * stage,
                   buffer_surface(kConstants + stage * 0x1000, 1, 16));
        run(edit(stage, {4 + stage}));
    }
    for (const auto& [opcode, stage] : kCommands) {
        const std::uint32_t at = 64 * stage;
        EXPECT_TRUE(run({opcode << 16 | 2, 1u << 16, at, element(0, 1, 0), 0}));
        EXPECT_EQ(memory.u32(kGathers + at), 0xA00 + stage) << std::hex << opcode;
    }
}

TEST_F(RsCoreTest, GatherReadsUpToSixteenBuffers) {
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4)});
    Words entries, elements;
    for (std::uint32_t i = 0; i < 16; ++i) {
        memory.put(kConstants + i * 0x1000, {0xA00 + i});
        memory.put(kSurfaces + 0x100 + 0x40 * i, buffer_surface(kConstants + i * 0x1000, 1, 16));
        entries.push_back(i << 16 | (4 + i));
        elements.push_back(element(15 - i, 1, 0));
    }
    run(edit(kVs, entries));
    EXPECT_TRUE(run(gather(kVs, 0xFFFF, 0, elements)));
    for (std::uint32_t i = 0; i < 16; ++i)
        EXPECT_EQ(memory.u32(kGathers + 4 * i), 0xA00 + 15 - i);
}

TEST_F(RsCoreTest, AConstantBufferThatIsNotValidIsReportedAndReadsZero) {
    GEN9_COVERS("RS-26");
    constants();
    memory.put(kSurfaces + 0x80, buffer_surface(kConstants, 16, 16));
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4),
             edit(kVs, {0u << 16 | 1, 1u << 16 | 2}),
             gather(kVs, 3, 0, {element(0, 1, 0), element(1, 2, 0)})});
    EXPECT_FALSE(reporter.failed());
    EXPECT_EQ(memory.u32(kGathers + 4), 0x101u);
    run(gather(kVs, 1, 0, {element(0, 1, 0), element(1, 2, 0)}));
    EXPECT_EQ(reporter.guest_errors(), 1u);
    EXPECT_EQ(memory.u32(kGathers), 0x100u);
    EXPECT_EQ(memory.u32(kGathers + 4), 0u);
}

TEST_F(RsCoreTest, ConstantsBeyondTheBufferReadZero) {
    constants();
    memory.put(kSurfaces + 0x40, buffer_surface(kConstants, 20, 1));
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4),
             edit(kVs, {0u << 16 | 1}), gather(kVs, 1, 0, {element(0, 0xF, 1)})});
    EXPECT_EQ(memory.u32(kGathers), 0x104u);
    EXPECT_EQ(memory.u32(kGathers + 4), 0u);
    // A line in which nothing of the buffer lies is not read.
    memory.put(kSurfaces + 0x40, buffer_surface(kConstants, 64, 1));
    memory.reads.clear();
    EXPECT_TRUE(run(gather(kVs, 1, 0, {element(0, 1, 4)})));
    EXPECT_EQ(memory.u32(kGathers), 0u);
    EXPECT_EQ(memory.reads, std::vector<std::uint64_t>{kSurfaces + 0x40});
}

// 003:2843: constants are aligned; bits 1:0 of a buffer's address do not count.
TEST_F(RsCoreTest, ABufferBeginsAtADword) {
    constants();
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4),
             edit(kVs, {0u << 16 | 1})});
    for (const std::uint64_t low_bits : {1u, 2u, 3u}) {
        memory.put(kSurfaces + 0x40, buffer_surface(kConstants | low_bits, 16, 16));
        run(gather(kVs, 1, 0, {element(0, 0x9, 0)}));
        EXPECT_EQ(memory.u32(kGathers), 0x100u) << low_bits;
        EXPECT_EQ(memory.u32(kGathers + 4), 0x103u) << low_bits;
    }
}

// The count of a buffer's elements lies in three fields: 7 bits, 14 bits, the rest.
TEST_F(RsCoreTest, ABuffersEndFollowsFromItsCountAndPitch) {
    Words values;
    for (std::uint32_t i = 0; i < 0x800; ++i)
        values.push_back(0x1000 + i);
    memory.put(kConstants, values);
    run_all(
        {surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4), edit(kVs, {1})});
    for (const auto& [count, pitch] : {std::pair{16u, 4u},
                                       {127u, 1u},
                                       {128u, 1u},
                                       {129u, 1u},
                                       {300u, 1u},
                                       {1000u, 4u},
                                       {77u, 12u},
                                       {255u, 16u},
                                       {1u << 21, 1u},
                                       {(1u << 21) + 5, 3u}}) {
        memory.put(kSurfaces + 0x40, buffer_surface(kConstants, count, pitch));
        for (std::uint32_t offset = 0; offset < 256; ++offset) {
            run(gather(kVs, 1, 0, {element(0, 0xF, offset)}));
            for (std::uint32_t dword = 0; dword < 4; ++dword) {
                const std::uint32_t at = 16 * offset + 4 * dword;
                ASSERT_EQ(memory.u32(kGathers + 4 * dword),
                          at + 4 <= std::uint64_t{count} * pitch ? 0x1000 + at / 4 : 0u)
                    << count << " of " << pitch << " at " << at;
            }
        }
    }
}

TEST_F(RsCoreTest, AnImageAsConstantBufferIsReportedAndANullSurfaceIsNot) {
    constants();
    run_all(
        {surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4), edit(kVs, {1})});
    for (const auto& [type, errors] : {std::pair{7u, 0u}, {1u, 1u}}) {
        Words surface = buffer_surface(kConstants, 16, 16);
        surface[0] = type << 29 | 0x1FFu << 18;
        memory.put(kSurfaces + 0x40, surface);
        memory.put(kGathers, {9});
        run(gather(kVs, 1, 0, {element(0, 1, 0)}));
        EXPECT_EQ(memory.u32(kGathers), 0u);
        EXPECT_EQ(reporter.guest_errors(), errors);
    }
    EXPECT_EQ(log.at(0),
              "gen9sim: guest error: rs: gather at 0x1000 3DSTATE_GATHER_CONSTANT_VS: constant "
              "buffer 0 is no buffer surface; it reads zero");
}

TEST_F(RsCoreTest, TheGatherTableIsKeptAndReadAgain) {
    constants();
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4),
             edit(kVs, {0u << 16 | 1})});
    EXPECT_FALSE(run(gather(kVs, 1, 0, {element(0, 2, 2)}, 2))) << "the table only";
    EXPECT_TRUE(memory.writes.empty());
    EXPECT_TRUE(run(gather(kVs, 1, 0x40, {element(0, 1, 0)}, 0, 8))) << "the table there is";
    EXPECT_EQ(memory.u32(kGathers + 0x40), 0x109u);
}

TEST_F(RsCoreTest, GatherNeedsHardwareBindingTables) {
    constants();
    run_all({surface_base(kSurfaces), gather_pool(kGathers, 4), edit(kVs, {0u << 16 | 1})});
    EXPECT_FALSE(run(gather(kVs, 1, 0, {element(0, 1, 0)})));
    run_all({table_pool(kPool, 4), gather_pool(kGathers, 4, false)});
    EXPECT_FALSE(run(gather(kVs, 1, 0, {element(0, 1, 0)})));
    EXPECT_TRUE(memory.writes.empty());
    run(gather_pool(kGathers, 4));
    EXPECT_TRUE(run(gather(kVs, 1, 0, {element(0, 1, 0)})));
}

TEST_F(RsCoreTest, AChangeOfTheSurfaceBaseWithinABatchThatUsedItIsReported) {
    GEN9_COVERS("RS-34");
    run_all({surface_base(kSurfaces), surface_base(kSurfaces + 0x1000), table_pool(kPool, 4)});
    EXPECT_EQ(core.state().surface_state_base.value, kSurfaces + 0x1000);
    run_all({pointers(kVs, 0), surface_base(kSurfaces + 0x1000)});
    EXPECT_FALSE(reporter.failed());
    run(surface_base(kSurfaces));
    EXPECT_EQ(reporter.guest_errors(), 1u);
    EXPECT_EQ(core.state().surface_state_base.value, kSurfaces);
    core.take_over(core.state(), true);
    run(surface_base(kSurfaces + 0x2000));
    EXPECT_EQ(reporter.guest_errors(), 1u);
    // A gather buffer is work as well.
    constants();
    run_all({gather_pool(kGathers, 4), gather(kVs, 0, 0, {0})});
    run(surface_base(kSurfaces + 0x2000));
    EXPECT_EQ(reporter.guest_errors(), 1u) << "the same";
    run_all({surface_base(kSurfaces), surface_base(kSurfaces + 0x2000)});
    EXPECT_EQ(reporter.guest_errors(), 3u);
    Words unmodified = surface_base(0x5000);
    unmodified[4] &= ~1u;
    run(unmodified);
    EXPECT_EQ(core.state().surface_state_base.value, kSurfaces + 0x2000);
}

// It goes on in the midst of a batch, with a context's state, before it has made anything.
TEST_F(RsCoreTest, OneThatHasMadeNothingTakesAnySurfaceBase) {
    GEN9_COVERS("RS-34");
    rs::RsCore fresh(reporter, stats);
    const Words base = surface_base(kSurfaces);
    fresh.execute({*packets::find_command(base[0]), base, GpuAddr(0x1000)}, memory);
    EXPECT_FALSE(reporter.failed());
    EXPECT_EQ(fresh.state().surface_state_base.value, kSurfaces);
}

TEST_F(RsCoreTest, StoreDataImmWritesItsDword) {
    run({0x15800002, low(kPool + 0x14), high(kPool), 0xCAFE});
    EXPECT_EQ(memory.u32(kPool + 0x14), 0xCAFEu);
    EXPECT_EQ(memory.writes.size(), 1u);
}

// 003:2647-2658 and 2660-2804, with the corrections of the guide.
TEST(ResourceAction, EveryCommandIsHandledAsTheTablesSay) {
    GEN9_COVERS("RS-07 RS-09");
    std::map<std::string, ResourceAction> expected = {
        {"MI_WAIT_FOR_EVENT", ResourceAction::Block},
        {"MI_SEMAPHORE_WAIT", ResourceAction::Block},
        {"MI_ARB_CHECK", ResourceAction::Stop},
        {"MI_RS_CONTROL", ResourceAction::Stop},
        {"MI_BATCH_BUFFER_END", ResourceAction::Stop},
        {"MI_SET_CONTEXT", ResourceAction::Stop},
        {"MI_RS_CONTEXT", ResourceAction::Stop},
        {"MI_BATCH_BUFFER_START", ResourceAction::Stop},
        {"MI_CONDITIONAL_BATCH_BUFFER_END", ResourceAction::Stop},
        {"MI_RS_STORE_DATA_IMM", ResourceAction::StoreData},
        {"STATE_BASE_ADDRESS", ResourceAction::LatchBase},
        {"3DPRIMITIVE", ResourceAction::Fence},
        {"3DSTATE_BINDING_TABLE_POOL_ALLOC", ResourceAction::TablePool},
        {"3DSTATE_GATHER_POOL_ALLOC", ResourceAction::GatherPool},
        {"3DSTATE_RS_CONSTANT_POINTER", ResourceAction::Constants}};
    for (const char* stage : {"VS", "HS", "DS", "GS", "PS"}) {
        expected[std::string("3DSTATE_BINDING_TABLE_POINTERS_") + stage] =
            ResourceAction::BindingTable;
        expected[std::string("3DSTATE_BINDING_TABLE_EDIT_") + stage] = ResourceAction::EditTable;
        expected[std::string("3DSTATE_GATHER_CONSTANT_") + stage] = ResourceAction::Gather;
    }
    std::size_t found = 0;
    for (const packets::CommandRow& row : packets::command_rows()) {
        const std::string name = row.name;
        ResourceAction action = ResourceAction::Ignore;
        if (expected.count(name)) action = expected[name], ++found;
        if (name.starts_with("3DSTATE_DX9_")) action = ResourceAction::Constants;
        EXPECT_EQ(resource_action(row, row.value), action) << name;
    }
    EXPECT_EQ(found, expected.size());
    // PIPELINE_SELECT: only if 3D is not selected.
    const packets::CommandRow& select = packets::command_named("PIPELINE_SELECT");
    EXPECT_EQ(resource_action(select, 0x69040300), ResourceAction::Ignore);
    EXPECT_EQ(resource_action(select, 0x69040301), ResourceAction::Stop);
    EXPECT_EQ(resource_action(select, 0x69040302), ResourceAction::Stop);
    EXPECT_EQ(resource_action(select, 0x69040002), ResourceAction::Ignore) << "nothing is selected";
}

TEST_F(RsCoreTest, AnyCommandOfAnyLengthIsTaken) {
    std::mt19937 random(7);
    constants();
    run_all({surface_base(kSurfaces), table_pool(kPool, 4), gather_pool(kGathers, 4)});
    for (unsigned i = 0; i < 20'000; ++i) {
        const auto rows = packets::command_rows();
        const packets::CommandRow& row = rows[random() % rows.size()];
        std::uint32_t header = row.value | (random() & ~row.mask);
        if (random() % 4) header &= ~0x70u;
        const std::uint32_t count = row.dwords(header);
        if (count < row.minimum_dwords || count > 600) continue;
        Words words(count, 0);
        words[0] = header;
        for (std::uint32_t n = 1; n < count; ++n)
            words[n] = random() % 3 ? random() : 0;
        if (packets::stops_resource_streamer(resource_action(row, header))) continue;
        run(words);
    }
}

}  // namespace
}  // namespace gen9::test
