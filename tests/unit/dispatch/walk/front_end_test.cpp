// SPDX-License-Identifier: Apache-2.0
#include "dispatch/walk/front_end.h"

#include "tests/support/covers.h"
#include "tests/unit/dispatch/commands.h"

namespace gen9::dispatch::test {
namespace {

struct Bench {
    PipelineStatePtr state = make_state();
    Memory memory;
    FrontEnd front_end{Topology{}, 4096};
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
    EXPECT_FALSE(bench.vfe({.entries = 129, .entry_rows = 1}));
}

TEST(FrontEnd, DescriptorsMustLieInTheDynamicStateBuffer) {
    GEN9_COVERS("MED-11");
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
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
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

TEST(FrontEnd, EntriesAreUsedInTurn) {
    GEN9_COVERS("TD-28 MED-12");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1});
    ASSERT_TRUE(bench.vfe({.entries = 2, .entry_rows = 4}) && bench.descriptors());
    std::vector<unsigned> handles;
    for (int i = 0; i < 3; ++i) {
        ASSERT_FALSE(bench.prepare({.indirect_bytes = 64}));
        handles.push_back(bench.walk.urb_handle);
    }
    EXPECT_EQ(handles, (std::vector<unsigned>{32, 34, 32}));
    ASSERT_TRUE(bench.vfe({.entries = 2, .entry_rows = 4}));
    ASSERT_FALSE(bench.prepare({.indirect_bytes = 64}));
    EXPECT_EQ(bench.walk.urb_handle, 32) << "MEDIA_VFE_STATE builds a new set of handles";
}

TEST(FrontEnd, ReadingMoreThanIsLoadedIsRefused) {
    GEN9_COVERS("TD-30");
    Bench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 2});
    ASSERT_TRUE(bench.vfe() && bench.descriptors());
    EXPECT_FALSE(bench.prepare({.threads = {2, 1, 1}, .indirect_bytes = 128}));
    EXPECT_TRUE(bench.prepare({.threads = {3, 1, 1}, .indirect_bytes = 128}));
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
    FrontEnd broxton(Topology{1, 3, 6, 6}, 4096);
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

TEST(FrontEnd, CommandsOutsideTheGen9SetAreUnknownAndMediaObjectsNotModelled) {
    GEN9_COVERS("TD-03 TD-09");
    const auto state = make_state();
    EXPECT_EQ(FrontEnd::kind_of(make_command(0x71040000, 8, state)), FrontEnd::Kind::Refused);
    EXPECT_TRUE(FrontEnd::refuse(make_command(0x71040000, 8, state)).id.empty());
    EXPECT_EQ(FrontEnd::refuse(make_command(0x71000004, 6, state)).id, "MED-08");
    EXPECT_EQ(FrontEnd::refuse(make_command(0x7103000F, 17, state)).id, "MED-43");
    EXPECT_EQ(FrontEnd::refuse(make_command(0x70050004, 6, state)).id, "POOL-03");
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
    const Topology gt4{3, 3, 8, 7};
    VfeState s;
    EXPECT_EQ(s.subslice_mask(gt4), 0x1FFu);
    s.slice_disable = 1;
    EXPECT_EQ(s.subslice_mask(gt4), 0x7u);
    s.slice_disable = 3;
    EXPECT_EQ(s.subslice_mask(gt4), 0x1u);
}

}  // namespace
}  // namespace gen9::dispatch::test
