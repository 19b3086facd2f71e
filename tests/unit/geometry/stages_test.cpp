// SPDX-License-Identifier: Apache-2.0
#include "packets/draw/pixels.h"
#include "tests/unit/geometry/stage_bench.h"

namespace gen9::geometry::test {
namespace {

using packets::Topology;

class Stages : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Stages, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

/// The vertex fetch's state of a textured triangle as iris sends it (tools' recorded submission):
/// position and texture coordinates of 16 bytes a vertex.
DrawState iris_triangle() {
    DrawState state;
    state.urb(64)
        .topology(Topology::TriList)
        .statistics()
        .buffer(0, kMemory, 48, 16)
        .take("3DSTATE_VERTEX_ELEMENTS",
              {0x78090003, 0x02850000, 0x11230000, 0x02850008, 0x11230000})
        .take("3DSTATE_VF_SGVS", {0x784A0000, 0})
        .take("3DSTATE_CONSTANT_VS", Dwords{0x78150409, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
        .take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0})
        .take("3DSTATE_SAMPLER_STATE_POINTERS_VS", {0x782B0000, 0})
        .take("3DSTATE_VS", {0x78100007, 0xFFFFB000, 0, 0, 0, 0, 0x00200800, 0xA7800405, 0});
    return state;
}
const std::vector<float> kTriangle{-0.9f, -0.9f, 0, 0, 0.9f, -0.9f, 1, 0, 0, 0.9f, 0.5f, 1};

TEST_P(Stages, AnIrisTriangleIsShadedByOneThreadAndHandedOn) {
    GEN9_COVERS("VF-01 VS-05 VS-06 VS-07");
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    b.draw({}, iris_triangle());
    b.run = [&](const ThreadDispatch& thread) {
        std::uint32_t handle;
        std::memcpy(&handle, thread.payload[1].bytes + 4, 4);
        b.memory.bytes[handle * 64 + 16] = 0x77;  // the second vertex's slot 1
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();

    ASSERT_EQ(b.threads.size(), 1u);
    const ThreadDispatch& thread = b.threads[0];
    const auto reg = [&](unsigned r) {
        std::array<std::uint32_t, 8> dwords;
        std::memcpy(dwords.data(), thread.payload[r].bytes, 32);
        return dwords;
    };
    using Row = std::array<std::uint32_t, 8>;
    EXPECT_EQ(thread.payload_registers, 10u);
    EXPECT_EQ(reg(0), (Row{0, 0, 0, 0, 0, thread.sideband.fftid, 0, 0}));
    EXPECT_EQ(reg(1), (Row{512, 513, 514}));  // the URB's chunk 4
    EXPECT_EQ(reg(2), (Row{f(-0.9f), f(0.9f), 0}));
    EXPECT_EQ(reg(3), (Row{f(-0.9f), f(-0.9f), f(0.9f)}));
    EXPECT_EQ(reg(4), (Row{}));
    EXPECT_EQ(reg(5), (Row{f(1), f(1), f(1)}));
    EXPECT_EQ(reg(6), (Row{0, f(1), f(0.5f)}));
    EXPECT_EQ(reg(7), (Row{0, 0, f(1)}));
    EXPECT_EQ(reg(8), (Row{}));
    EXPECT_EQ(reg(9), (Row{f(1), f(1), f(1)}));
    EXPECT_EQ(thread.dispatch_mask, 7u);
    EXPECT_EQ(thread.instruction_pointer, 0xFFFFB000u);
    EXPECT_EQ(thread.sideband.kernel_start.value, 0x4'FFFF'B000u);

    ASSERT_EQ(b.next.seen.size(), 1u);
    const auto& batch = b.next.seen[0];
    EXPECT_EQ(batch.kind, WorkKind::Draw);
    ASSERT_EQ(batch.objects.size(), 1u);
    EXPECT_EQ(batch.objects[0].topology, Topology::TriList);
    EXPECT_EQ(batch.objects[0].count, 3u);
    ASSERT_EQ(batch.entries.size(), 3u);
    EXPECT_EQ(batch.entries[1][4], (f(1) & ~0xFFu) | 0x77u);
    EXPECT_EQ(batch.entries[2][0], 0u);
    EXPECT_EQ(batch.entries[2][1], f(0.9f));
    EXPECT_EQ(b.vf.stats().ia_vertices.value(), 3u);
    EXPECT_EQ(b.vf.stats().ia_primitives.value(), 1u);
    EXPECT_EQ(b.vs.stats().invocations.value(), 3u);
}

TEST_P(Stages, ARectangleOfBlorpPassesWithoutThreads) {
    GEN9_COVERS("VS-01 VF-15");
    StageBench b("bench", GetParam());
    DrawState state;
    state.urb(1856)
        .topology(Topology::RectList)
        .take("3DSTATE_VERTEX_BUFFERS",
              {0x78080007, 0x0004400C, kMemory, 0, 0x24, 0x04044000, kMemory + 0x40, 0, 0x20})
        .take("3DSTATE_VERTEX_ELEMENTS",
              {0x78090005, 0x06000000, 0x12220000, 0x02400000, 0x11130000, 0x06000010, 0x11110000})
        .take("3DSTATE_VF_SGVS", {0x784A0000, 0xA0000000})
        .take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 0, 0});
    b.put<float>(kMemory, {64, 64, 0, 0, 64, 0, 0, 0, 0});
    b.put<std::uint32_t>(kMemory + 0x40, {11, 12, 13, 14, 21, 22, 23, 24});
    b.draw({}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_TRUE(b.threads.empty());
    ASSERT_EQ(b.next.seen.size(), 1u);
    const auto& batch = b.next.seen[0];
    ASSERT_EQ(batch.entries.size(), 3u);
    EXPECT_EQ(batch.objects[0].topology, Topology::RectList);
    EXPECT_EQ(Dwords(batch.entries[1].begin() + 4, batch.entries[1].begin() + 12),
              (Dwords{0, f(64), 0, f(1), 21, 22, 23, 24}));
}

}  // namespace
}  // namespace gen9::geometry::test
