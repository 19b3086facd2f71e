// SPDX-License-Identifier: Apache-2.0
#include "media/walk/front_end.h"

#include <random>

#include "media/walk/pools.h"
#include "tests/support/covers.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {
namespace {

struct Bench {
    PipelineStatePtr state = make_state();
    Memory memory;
    FrontEnd front_end{ThreadTopology{}, 4096};
    Walk walk;

    bool vfe(const VfeFields& fields = {}) {
        return !front_end.execute(vfe_command(state, fields), memory);
    }
    bool descriptors(unsigned count = 1, unsigned offset = 0) {
        return !front_end.execute(idd_load(state, count * 32, offset), memory);
    }
    std::optional<Refusal> prepare(const WalkerFields& fields) {
        return front_end.prepare(walker_command(state, fields), memory, walk);
    }
};

TEST(FrontEnd, DecodesTheDriversPreamble) {
    GEN9_COVERS("TD-28");
    PipelineCommand c = vfe_command(make_state());
    EXPECT_EQ(c.dwords[3], 0x00A70100u);
    EXPECT_EQ(c.dwords[5], 0x07820000u);
    const VfeState s = decode_vfe_state({c.dwords.data(), c.length_dwords});
    EXPECT_EQ(s.max_threads, 168);
    EXPECT_EQ(s.urb_entries, 1);
    EXPECT_EQ(s.urb_entry_rows, 1922);
    EXPECT_EQ(s.rows_used(), 1986u);
    c.dwords[3] = 0xFFFF0100;  // 65,536: more than any machine has
    EXPECT_EQ(decode_vfe_state({c.dwords.data(), c.length_dwords}).max_threads, 65535);
}

TEST(FrontEnd, UrbPartitionPutsEntriesAfterDescriptorsAndCurbe) {
    GEN9_COVERS("TD-28 URB-06");
    VfeState s;
    s.curbe_rows = 16;
    s.urb_entry_rows = 10;
    // Rows 0-63 descriptors, 64-79 CURBE; handles count 64 bytes.
    EXPECT_EQ(s.handle(0), 40);
    EXPECT_EQ(s.handle(1), 45);
}

TEST(FrontEnd, UrbOverflowIsRefused) {
    GEN9_COVERS("TD-29");
    Bench bench;
    EXPECT_TRUE(bench.vfe({.entries = 2, .entry_rows = 2000, .curbe_rows = 32}));
    EXPECT_FALSE(bench.vfe({.entries = 2, .entry_rows = 2000, .curbe_rows = 33}));
    EXPECT_TRUE(bench.vfe({.entries = 128, .entry_rows = 1}));
    EXPECT_FALSE(bench.vfe({.entries = 129, .entry_rows = 1}));
}

// MED-12: a new partition has nothing of the last one.
TEST(FrontEnd, ACurbeIsZeroUntilItIsLoaded) {
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 1});
    bench.memory.put_rows(kDynamicBase + 0x1000, 4, 77);
    ASSERT_TRUE(bench.vfe({.curbe_rows = 4}) && bench.descriptors());
    ASSERT_FALSE(bench.front_end.execute(curbe_load(bench.state, 128, 0x1000), bench.memory));
    ASSERT_FALSE(bench.prepare({}));
    EXPECT_EQ(bench.walk.data, std::vector<std::uint8_t>([] {
                  std::vector<std::uint8_t> rows(32, 77);
                  rows.insert(rows.end(), 32, 78);
                  return rows;
              }()));
    ASSERT_TRUE(bench.vfe({.curbe_rows = 4}));
    ASSERT_FALSE(bench.prepare({}));
    EXPECT_EQ(bench.walk.data, std::vector<std::uint8_t>(64));
}

TEST(FrontEnd, DescriptorsMustLieInTheDynamicStateBuffer) {
    Bench bench;
    EXPECT_TRUE(bench.descriptors(1, 0xFFE0));
    EXPECT_FALSE(bench.descriptors(2, 0xFFE0));
    EXPECT_FALSE(bench.descriptors(1, 0xFFFFFFE0));
    EXPECT_FALSE(bench.descriptors(65));
}

TEST(FrontEnd, IndirectPayloadIsReadOnceForAWalker) {
    GEN9_COVERS("TD-30 TD-33");
    Bench bench;
    // The CURBE read offset is ignored in this mode.
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 2, .read_offset = 500});
    bench.memory.put_rows(kIndirectBase + 0x100, 6, 10);
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
    bench.memory.reads = 0;
    ASSERT_FALSE(bench.prepare({.threads = {4, 1, 1},
                                .groups = {100, 1, 1},
                                .indirect_bytes = 192,
                                .indirect_offset = 0x100}));
    EXPECT_EQ(bench.memory.reads, 1u);
    EXPECT_TRUE(bench.walk.indirect);
    EXPECT_EQ(bench.walk.data[0], 10);
    EXPECT_EQ(bench.walk.data[5 * 32], 15);
    EXPECT_EQ(bench.walk.urb_handle, 32);
}

TEST(FrontEnd, PayloadIsReadWithTheDynamicStatesCacheControl) {
    GEN9_COVERS("TD-15");
    Bench bench;
    auto state = std::make_shared<PipelineState>(*make_state());
    state->dynamic_mocs = 0x12;
    state->indirect_mocs = 0x34;
    bench.state = state;
    bench.memory.put(0, {.per_thread_rows = 1});
    ASSERT_TRUE(bench.vfe({.curbe_rows = 4}) && bench.descriptors());
    EXPECT_EQ(bench.memory.last_mocs, 0x12);
    bench.memory.last_mocs = 0;
    ASSERT_FALSE(bench.front_end.execute(curbe_load(bench.state, 64, 0x400), bench.memory));
    EXPECT_EQ(bench.memory.last_mocs, 0x12);
    bench.memory.last_mocs = 0;
    ASSERT_FALSE(bench.prepare({.indirect_bytes = 64}));
    EXPECT_EQ(bench.memory.last_mocs, 0x12);
}

// 003:1554-1558; for compute the descriptors stand for the pointers named there.
TEST(FrontEnd, LoadedDescriptorsKeepTheBaseTheyWereLoadedWith) {
    GEN9_COVERS("CS-50");
    Bench bench;
    bench.memory.put(0, {.kernel_start = 0x1000, .per_thread_rows = 1});
    ASSERT_TRUE(bench.vfe({.entries = 2, .entry_rows = 4}) && bench.descriptors());
    auto moved = std::make_shared<PipelineState>(*bench.state);
    moved->dynamic_state_base = GpuAddr(kDynamicBase + 0x1000);
    bench.memory.put(0x1000 / 32, {.kernel_start = 0x2000, .per_thread_rows = 1});
    bench.state = moved;
    ASSERT_FALSE(bench.prepare({.indirect_bytes = 64}));
    EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x1000u);
    ASSERT_TRUE(bench.descriptors());
    ASSERT_FALSE(bench.prepare({.indirect_bytes = 64}));
    EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x2000u);
}

TEST(FrontEnd, IndirectDataMustFitAnEntry) {
    GEN9_COVERS("TD-31");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1});
    ASSERT_TRUE(bench.vfe({.entries = 1, .entry_rows = 4}) && bench.descriptors());
    EXPECT_FALSE(bench.prepare({.indirect_bytes = 128}));
    EXPECT_TRUE(bench.prepare({.indirect_bytes = 129}));
    ASSERT_TRUE(bench.vfe({.entries = 0, .entry_rows = 4}));
    EXPECT_TRUE(bench.prepare({.indirect_bytes = 128}));
}

TEST(FrontEnd, AWalkerWaitsForAnEntryAndMediaVfeStateBuildsNewOnes) {
    GEN9_COVERS("TD-28 MED-12");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1});
    ASSERT_TRUE(bench.vfe({.entries = 2, .entry_rows = 4}) && bench.descriptors());
    const auto walker = walker_command(bench.state, {.indirect_bytes = 64});
    const auto next_handle = [&](unsigned cycle) -> unsigned {
        if (bench.front_end.waits_for_entry(walker, Cycles(cycle))) return 0;
        EXPECT_FALSE(bench.front_end.prepare(walker, bench.memory, bench.walk));
        return bench.walk.urb_handle;
    };
    // 64 descriptor rows, then entries of 4 rows; handles count 64 bytes.
    EXPECT_EQ(next_handle(0), 32u);
    EXPECT_EQ(next_handle(0), 34u);
    EXPECT_EQ(next_handle(0), 0u);
    bench.front_end.urb_handles().release(FrontEnd::kUrbOwner, 1, Cycles(10));
    EXPECT_EQ(next_handle(9), 0u);
    EXPECT_EQ(next_handle(10), 34u);
    ASSERT_TRUE(bench.vfe({.entries = 1, .entry_rows = 4}));
    EXPECT_EQ(next_handle(11), 32u);
    EXPECT_EQ(next_handle(11), 0u);
}

TEST(FrontEnd, OnlyAWalkerWithIndirectDataNeedsAnEntry) {
    Bench bench;
    const auto plain = walker_command(bench.state, {});
    const auto indirect = walker_command(bench.state, {.indirect_bytes = 64});
    ASSERT_TRUE(bench.vfe({.entries = 1, .entry_rows = 4}) && bench.descriptors());
    EXPECT_FALSE(bench.prepare({.indirect_bytes = 64}));
    EXPECT_FALSE(bench.front_end.waits_for_entry(plain, Cycles(0)));
    EXPECT_TRUE(bench.front_end.waits_for_entry(indirect, Cycles(0)));
    // What can never be given is not waited for but refused.
    ASSERT_TRUE(bench.vfe({.entries = 0, .entry_rows = 4}));
    EXPECT_FALSE(bench.front_end.waits_for_entry(indirect, Cycles(0)));
}

TEST(FrontEnd, AWalkerThatIsRefusedTakesNoEntry) {
    Bench bench;
    ASSERT_TRUE(bench.vfe({.entries = 1, .entry_rows = 64}) && bench.descriptors());
    EXPECT_TRUE(bench.prepare({.indirect_bytes = 64, .indirect_offset = 0x20000}));
    EXPECT_EQ(bench.front_end.urb_handles().free(FrontEnd::kUrbOwner), 1u);
}

TEST(FrontEnd, ReadingMoreThanIsLoadedIsRefused) {
    GEN9_COVERS("TD-30");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 2});
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
    EXPECT_FALSE(bench.prepare({.threads = {2, 1, 1}, .indirect_bytes = 128}));
    EXPECT_TRUE(bench.prepare({.threads = {3, 1, 1}, .indirect_bytes = 128}));
}

TEST(FrontEnd, DescriptorsAndCurbeComeFromTheDynamicStateAndIndirectDataFromItsOwnBuffer) {
    GEN9_COVERS("MED-11");
    Bench bench;
    auto state = std::make_shared<PipelineState>(*bench.state);
    state->dynamic_state_size = 0x1000;
    state->indirect_object_size = 0x2000;
    bench.state = state;
    bench.memory.put_rows(kDynamicBase + 0xFC0, 2, 7);
    bench.memory.put_rows(kIndirectBase + 0x1FC0, 2, 70);
    ASSERT_TRUE(bench.vfe({.entries = 1, .entry_rows = 4, .curbe_rows = 4}));
    const auto curbe = [&](unsigned bytes, unsigned offset) {
        return !bench.front_end.execute(curbe_load(state, bytes, offset), bench.memory);
    };
    // To the last byte of its buffer and not one further.
    EXPECT_TRUE(curbe(64, 0xFC0));
    EXPECT_EQ(bench.front_end.curbe_of(curbe_load(state, 64, 0xFC0))[63], 8);
    EXPECT_FALSE(curbe(96, 0xFC0));
    EXPECT_FALSE(curbe(32, 0x1000));
    bench.memory.put(0, {.per_thread_rows = 2});
    std::memcpy(&bench.memory.bytes[kDynamicBase - Memory::kBase + 0xFE0],
                make_descriptor({.kernel_start = 0x5000, .per_thread_rows = 2}).data(), 32);
    EXPECT_FALSE(bench.descriptors(2, 0xFE0));
    EXPECT_TRUE(bench.descriptors(1, 0xFE0));
    EXPECT_TRUE(bench.prepare({.indirect_bytes = 96, .indirect_offset = 0x1FC0}));
    ASSERT_FALSE(bench.prepare({.indirect_bytes = 64, .indirect_offset = 0x1FC0}));
    EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x5000u);
    EXPECT_EQ(bench.walk.data.at(63), 71);
}

TEST(FrontEnd, DescriptorsAreAContiguousArraySelectedByIndex) {
    GEN9_COVERS("MED-39");
    Bench bench;
    for (unsigned i = 0; i < 64; ++i)
        bench.memory.put(i, {.kernel_start = 0x40 * (i + 1)});
    ASSERT_TRUE(bench.vfe() && bench.descriptors(64));
    for (unsigned i = 0; i < 64; ++i) {
        ASSERT_FALSE(bench.prepare({.descriptor = i}));
        EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x40 * (i + 1));
    }
    // The array may begin anywhere; only its own elements can be selected, and it has whole ones.
    ASSERT_TRUE(bench.descriptors(2, 5 * 32));
    ASSERT_FALSE(bench.prepare({.descriptor = 1}));
    EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x40u * 7);
    EXPECT_TRUE(bench.prepare({.descriptor = 2}));
    EXPECT_TRUE(bench.front_end.execute(idd_load(bench.state, 48), bench.memory));
}

TEST(FrontEnd, MediaStateCommandsAreToldByPipelineOpcodeAndSubOpcode) {
    GEN9_COVERS("MED-40");
    const auto kind = [](unsigned pipeline, unsigned opcode, unsigned sub_opcode) {
        return FrontEnd::kind_of(
            make_command(3u << 29 | pipeline << 27 | opcode << 24 | sub_opcode << 16, 9, {}));
    };
    for (unsigned pipeline = 0; pipeline < 4; ++pipeline)
        for (unsigned opcode = 0; opcode < 8; ++opcode) {
            const bool media = pipeline == 2 && opcode == 0;
            EXPECT_EQ(kind(pipeline, opcode, 0) == FrontEnd::Kind::State, media);
            EXPECT_EQ(kind(pipeline, opcode, 1) == FrontEnd::Kind::Load, media);
            EXPECT_EQ(kind(pipeline, opcode, 2) == FrontEnd::Kind::Load, media);
        }
    // Which of the two loads is which shows in what they fill.
    Bench bench;
    bench.memory.put(0, {.kernel_start = 0x40});
    ASSERT_TRUE(bench.vfe({.curbe_rows = 1}));
    auto load = make_command(0x70010002, 4, bench.state);
    load.dwords[2] = 32;
    EXPECT_FALSE(bench.front_end.execute(load, bench.memory));
    EXPECT_EQ(bench.front_end.curbe_of(load)[0], 0x40);
    EXPECT_TRUE(bench.prepare({})) << "no descriptor is loaded";
    load.row = packets::find_command(0x70020002);
    EXPECT_FALSE(bench.front_end.execute(load, bench.memory));
    EXPECT_FALSE(bench.prepare({}));
}

TEST(FrontEnd, DescriptorLoadsMayFollowOneAnother) {
    GEN9_COVERS("MED-41");
    Bench bench;
    for (unsigned i = 0; i < 3; ++i)
        bench.memory.put(i, {.kernel_start = 0x40 * (i + 1)});
    ASSERT_TRUE(bench.vfe());
    for (unsigned i = 0; i < 3; ++i) {
        EXPECT_TRUE(bench.descriptors(1, i * 32)) << "no MEDIA_VFE_STATE between";
        ASSERT_FALSE(bench.prepare({}));
        EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x40 * (i + 1));
    }
}

TEST(FrontEnd, DescriptorsAreLoadedByCommandAndNotFollowedInMemory) {
    GEN9_COVERS("MED-13");
    Bench bench;
    bench.memory.put(0, {.kernel_start = 0x1000, .per_thread_rows = 1});
    bench.memory.put_rows(kDynamicBase + 0x400, 1, 7);
    ASSERT_TRUE(bench.vfe({.curbe_rows = 1}) && bench.descriptors());
    const auto curbe = curbe_load(bench.state, 32, 0x400);
    ASSERT_FALSE(bench.front_end.execute(curbe, bench.memory));
    bench.memory.put(0, {.kernel_start = 0x2000, .per_thread_rows = 1});
    bench.memory.put_rows(kDynamicBase + 0x400, 1, 9);
    const unsigned reads = bench.memory.reads;
    ASSERT_FALSE(bench.prepare({}));
    EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x1000u);
    EXPECT_EQ(bench.walk.data.at(0), 7);
    EXPECT_EQ(bench.memory.reads, reads);
    ASSERT_TRUE(bench.descriptors());
    ASSERT_FALSE(bench.front_end.execute(curbe, bench.memory));
    ASSERT_FALSE(bench.prepare({}));
    EXPECT_EQ(bench.walk.descriptor.kernel_start, 0x2000u);
    EXPECT_EQ(bench.walk.data.at(0), 9);
    // The same sub-opcode of the 3D pipe is no CURBE load.
    EXPECT_EQ(FrontEnd::kind_of(make_command(curbe.dwords[0] | 1u << 27, 4, bench.state)),
              FrontEnd::Kind::Refused);
}

TEST(FrontEnd, IndirectDataMustLieInTheIndirectObjectBuffer) {
    GEN9_COVERS("TD-30");
    Bench bench;
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
    EXPECT_FALSE(bench.prepare({.indirect_bytes = 64, .indirect_offset = 0x1FFC0}));
    EXPECT_TRUE(bench.prepare({.indirect_bytes = 65, .indirect_offset = 0x1FFC0}));
    EXPECT_TRUE(bench.prepare({.indirect_bytes = 64, .indirect_offset = 0xFFFFFFC0}));
}

TEST(FrontEnd, CurbePayloadComesFromTheReadOffset) {
    GEN9_COVERS("TD-14 TD-34");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 1, .read_offset = 2});
    bench.memory.put_rows(kDynamicBase + 0x400, 8, 50);
    ASSERT_TRUE(bench.vfe({.entries = 0, .entry_rows = 0, .curbe_rows = 8}) && bench.descriptors());
    ASSERT_FALSE(bench.front_end.execute(curbe_load(bench.state, 256, 0x400), bench.memory));
    ASSERT_FALSE(bench.prepare({.threads = {2, 1, 1}}));
    EXPECT_FALSE(bench.walk.indirect);
    ASSERT_EQ(bench.walk.data.size(), 3u * 32);
    EXPECT_EQ(bench.walk.data[0], 52);
    EXPECT_EQ(bench.walk.data[2 * 32], 54);
    EXPECT_EQ(bench.walk.urb_handle, 0);
}

// There is nothing to read at it.
TEST(FrontEnd, AWalkerWithoutRowsMayHaveAnyReadOffset) {
    GEN9_COVERS("TD-14");
    Bench bench;
    bench.memory.put(0, {.read_offset = 500});
    ASSERT_TRUE(bench.vfe({.curbe_rows = 4}) && bench.descriptors());
    EXPECT_FALSE(bench.prepare({}));
    EXPECT_TRUE(bench.walk.data.empty());
    ASSERT_TRUE(bench.vfe());
    EXPECT_FALSE(bench.prepare({})) << "nor is there a CURBE";
}

TEST(FrontEnd, PayloadWithoutASourceIsRefused) {
    GEN9_COVERS("TD-14");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1});
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
    EXPECT_TRUE(bench.prepare({}));
    ASSERT_TRUE(bench.vfe({.curbe_rows = 1}));
    EXPECT_FALSE(bench.prepare({}));
    EXPECT_TRUE(bench.prepare({.threads = {2, 1, 1}})) << "one row for two threads";
}

TEST(FrontEnd, CurbeLoadMustFitItsArea) {
    GEN9_COVERS("TD-28");
    Bench bench;
    ASSERT_TRUE(bench.vfe({.curbe_rows = 2}));
    EXPECT_FALSE(bench.front_end.execute(curbe_load(bench.state, 64, 0), bench.memory));
    EXPECT_TRUE(bench.front_end.execute(curbe_load(bench.state, 96, 0), bench.memory));
}

TEST(FrontEnd, PayloadIsAtMost128Registers) {
    GEN9_COVERS("TD-20");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 60, .cross_thread_rows = 67});
    bench.memory.put(1, {.per_thread_rows = 60, .cross_thread_rows = 68});
    ASSERT_TRUE(bench.vfe() && bench.descriptors(2));
    EXPECT_FALSE(bench.prepare({.descriptor = 0, .indirect_bytes = 8192}));
    EXPECT_TRUE(bench.prepare({.descriptor = 1, .indirect_bytes = 8192}));
}

TEST(FrontEnd, ABoundGroupMustFitASubslice) {
    GEN9_COVERS("TD-07 GW-39");
    Bench bench;
    bench.memory.put(0, {.group_threads = 56, .barrier = true});
    bench.memory.put(1, {.group_threads = 57, .slm_code = 1});
    bench.memory.put(2, {.group_threads = 64});
    ASSERT_TRUE(bench.vfe() && bench.descriptors(3));
    EXPECT_FALSE(bench.prepare({.descriptor = 0, .threads = {56, 1, 1}}));
    EXPECT_TRUE(bench.prepare({.descriptor = 0, .threads = {57, 1, 1}}));
    EXPECT_TRUE(bench.prepare({.descriptor = 1, .threads = {57, 1, 1}}));
    EXPECT_FALSE(bench.prepare({.descriptor = 2, .threads = {64, 1, 1}})) << "may span subslices";
    FrontEnd broxton(ThreadTopology{1, 3, 6, 6}, 4096);
    ASSERT_FALSE(broxton.execute(vfe_command(bench.state, {.threads = 108}), bench.memory));
    ASSERT_FALSE(broxton.execute(idd_load(bench.state), bench.memory));
    EXPECT_FALSE(broxton.prepare(walker_command(bench.state, {.threads = {36, 1, 1}}), bench.memory,
                                 bench.walk));
    EXPECT_TRUE(broxton.prepare(walker_command(bench.state, {.threads = {37, 1, 1}}), bench.memory,
                                bench.walk));
}

TEST(FrontEnd, SlmSizeCodesAboveSevenAreReserved) {
    GEN9_COVERS("SLM-02");
    Bench bench;
    bench.memory.put(0, {.slm_code = 7});
    bench.memory.put(1, {.slm_code = 8});
    ASSERT_TRUE(bench.vfe() && bench.descriptors(2));
    EXPECT_FALSE(bench.prepare({.descriptor = 0}));
    EXPECT_TRUE(bench.prepare({.descriptor = 1}));
    const unsigned expected[] = {0, 1, 2, 4, 8, 16, 32, 64};
    for (unsigned code = 0; code <= 7; ++code)
        EXPECT_EQ(slm_kilobytes(code), expected[code]);
}

TEST(FrontEnd, AWalkerNeedsStateAndALoadedDescriptor) {
    GEN9_COVERS("TD-01 MED-10");
    Bench bench;
    EXPECT_TRUE(bench.prepare({})) << "no MEDIA_VFE_STATE";
    ASSERT_TRUE(bench.vfe());
    EXPECT_TRUE(bench.prepare({})) << "no descriptors";
    ASSERT_TRUE(bench.descriptors(2));
    EXPECT_FALSE(bench.prepare({.descriptor = 1}));
    EXPECT_TRUE(bench.prepare({.descriptor = 2}));
}

TEST(FrontEnd, CommandsOutsideTheGen9SetAreUnknown) {
    GEN9_COVERS("TD-03 TD-09");
    const auto state = make_state();
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x71040000, 8, state)), FrontEnd::Kind::Refused);
    for (const std::uint32_t header : {0x71000004u, 0x7102000Eu, 0x7103000Fu, 0x71060005u})
        EXPECT_EQ(FrontEnd::kind_of(make_command(header, 6, state)), FrontEnd::Kind::Media);
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x70050004, 6, state)), FrontEnd::Kind::State);
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x70000007, 9, state)), FrontEnd::Kind::State);
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x70010002, 4, state)), FrontEnd::Kind::Load);
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x70020002, 4, state)), FrontEnd::Kind::Load);
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x70040000, 2, state)), FrontEnd::Kind::Flush);
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x7105000D, 15, state)), FrontEnd::Kind::Walker);
}

TEST(FrontEnd, ShortCommandsReadAsZeroBeyondTheirEnd) {
    GEN9_COVERS("TD-09");
    Bench bench;
    auto c = walker_command(bench.state, {.groups = {5, 5, 5}});
    c.length_dwords = 2;
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
    EXPECT_FALSE(bench.front_end.prepare(c, bench.memory, bench.walk));
    EXPECT_TRUE(bench.walk.walker.empty());
}

TEST(FrontEnd, SliceDisableNarrowsTheSubslices) {
    GEN9_COVERS("TD-09");
    const ThreadTopology gt4{3, 3, 8, 7};
    VfeState s;
    EXPECT_EQ(s.subslice_mask(gt4), 0x1FFu);
    s.slice_disable = 1;
    EXPECT_EQ(s.subslice_mask(gt4), 0x7u);
    s.slice_disable = 3;
    EXPECT_EQ(s.subslice_mask(gt4), 0x1u);
}

// Linux: enable, two slices, two subslices of each.
TEST(VfeState, APowerRequestLeavesOutSlicesAndSubslices) {
    const ThreadTopology gt4{3, 3, 8, 7};
    VfeState s;
    s.power_request = 1u << 31 | 1u << 18 | 2u << 15 | 1u << 11 | 2u << 8 | 0x88;
    EXPECT_EQ(s.subslice_mask(gt4), 0b011'011u);
    s.slice_disable = 1;
    EXPECT_EQ(s.subslice_mask(gt4), 0b011u);
    s.slice_disable = 0;
    s.power_request &= ~(1u << 11);
    EXPECT_EQ(s.subslice_mask(gt4), 0b111'111u) << "no request for subslices";
    s.power_request = 1u << 31 | 1u << 18 | 7u << 15 | 1u << 11 | 7u << 8;
    EXPECT_EQ(s.subslice_mask(gt4), 0x1FFu) << "more than there are";
    s.power_request = 1u << 18 | 1u << 15 | 1u << 11 | 1u << 8;
    EXPECT_EQ(s.subslice_mask(gt4), 0x1FFu) << "not enabled";
}
TEST(VfeState, APowerRequestLeavesOutEus) {
    const ThreadTopology gt4{3, 3, 8, 7};
    VfeState s;
    EXPECT_EQ(s.eus(gt4), 8u);
    s.power_request = 1u << 31 | 4u << 4 | 2;
    EXPECT_EQ(s.eus(gt4), 4u) << "the maximum, not the minimum";
    EXPECT_EQ(s.room(gt4), 9 * 4 * 7u);
    s.power_request = 1u << 31 | 10u << 4;
    EXPECT_EQ(s.eus(gt4), 8u) << "more than there are";
    s.power_request = 1u << 31;
    EXPECT_EQ(s.eus(gt4), 8u) << "no request for EUs";
    s.power_request = 4u << 4;
    EXPECT_EQ(s.eus(gt4), 8u) << "not enabled";
}
// 21 threads fit a subslice of which three EUs are in use, and no more.
TEST(FrontEnd, AGroupThatNeverFitsTheEusInUseIsRefused) {
    for (const unsigned eus : {3u, 2u}) {
        Bench bench;
        PipelineCommand state = vfe_command(bench.state);
        state.power_request = 1u << 31 | eus << 4;
        ASSERT_FALSE(bench.front_end.execute(state, bench.memory));
        bench.memory.put(0, {.group_threads = 21, .barrier = true});
        ASSERT_TRUE(bench.descriptors());
        EXPECT_EQ(bench.prepare({.threads = {21, 1, 1}}).has_value(), eus == 2);
    }
}

// Every EU in use is of one pool or of the other.
TEST(Pools, TheLargerOneSaysHowManyThreadsAGroupMayHave) {
    std::mt19937 random(904);
    for (unsigned round = 0; round < 2000; ++round) {
        const ThreadTopology topology{1, 3, 6, 1 + unsigned(random() % 7), 2};
        EuPools pools{true, {}};
        for (std::uint8_t& second : pools.second)
            second = std::uint8_t(random() % 64);
        const unsigned subslices = random() % 8, eus = random() % 7;
        std::array<unsigned, 2> threads{};
        for (unsigned eu = 0; eu < 18; ++eu)
            if (subslices >> eu / 6 & 1 && eu % 6 < eus)
                threads[pools.second[eu / 6] >> eu % 6 & 1] += topology.threads;
        EXPECT_EQ(most_threads(pools, topology, subslices, eus), std::max(threads[0], threads[1]))
            << subslices << ", " << eus;
    }
}

}  // namespace
}  // namespace gen9::media::test
