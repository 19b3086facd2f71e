// SPDX-License-Identifier: Apache-2.0
#include "geometry/output_streams.h"

#include <gtest/gtest.h>

#include <cstring>

#include "tests/support/covers.h"

namespace gen9::geometry {
namespace {

using packets::Topology;
using Dwords = std::vector<std::uint32_t>;

/// State as commands set it.
struct State : PipelineState {
    State& take(const char* name, const Dwords& dwords) {
        const packets::CommandRow& row = packets::command_named(name);
        const auto unit = static_cast<unsigned>(row.latch.unit);
        auto block = stages[unit] ? std::make_shared<StageState>(*stages[unit])
                                  : std::make_shared<StageState>(row.latch.unit);
        EXPECT_TRUE(block->take(row, dwords)) << name;
        stages[unit] = block;
        return *this;
    }
};

PrimitiveObject object(Topology topology, std::vector<std::uint32_t> vertices, bool odd = false) {
    PrimitiveObject made;
    made.topology = topology;
    made.odd = odd;
    made.count = static_cast<std::uint8_t>(vertices.size());
    std::ranges::copy(vertices, made.vertices.begin());
    return made;
}
Dwords written(const PrimitiveObject& from, ReorderMode mode) {
    std::array<std::uint32_t, kMaxObjectVertices> vertices;
    const unsigned count = written_order(from, mode, vertices);
    return {vertices.begin(), vertices.begin() + count};
}

TEST(OutputStreams, VerticesAreWrittenInTheTablesOrder) {
    GEN9_COVERS("SOL-07 SOL-08 SOL-09 SOL-10");
    const auto leading = ReorderMode::Leading, trailing = ReorderMode::Trailing;
    EXPECT_EQ(written(object(Topology::PointList, {7}), leading), (Dwords{7}));
    EXPECT_EQ(written(object(Topology::LineStrip, {3, 4}), leading), (Dwords{3, 4}));
    EXPECT_EQ(written(object(Topology::LineListAdj, {4, 5, 6, 7}), leading), (Dwords{5, 6}));
    EXPECT_EQ(written(object(Topology::LineStripAdj, {1, 2, 3, 4}), trailing), (Dwords{2, 3}));
    EXPECT_EQ(written(object(Topology::TriList, {3, 4, 5}), trailing), (Dwords{3, 4, 5}));
    EXPECT_EQ(written(object(Topology::TriListAdj, {6, 7, 8, 9, 10, 11}), leading),
              (Dwords{6, 8, 10}));
    EXPECT_EQ(written(object(Topology::TriFan, {0, 5, 6}), leading), (Dwords{0, 5, 6}));
    EXPECT_EQ(written(object(static_cast<Topology>(0x24), {5, 6, 7, 8, 9}), leading),
              (Dwords{5, 6, 7, 8, 9}));
    // The strip's odd triangle k = 1.
    EXPECT_EQ(written(object(Topology::TriStrip, {1, 2, 3}, true), leading), (Dwords{1, 3, 2}));
    EXPECT_EQ(written(object(Topology::TriStrip, {1, 2, 3}, true), trailing), (Dwords{2, 1, 3}));
    EXPECT_EQ(written(object(Topology::TriStripAdj, {2, 0, 4, 7, 6, 5}, true), leading),
              (Dwords{2, 6, 4}));
    EXPECT_EQ(written(object(Topology::TriStripAdj, {2, 0, 4, 7, 6, 5}, true), trailing),
              (Dwords{4, 2, 6}));
}

/// One stream into buffer 0 from address 0x1000 on, and whatever is said besides.
StreamOutputState one_buffer(std::uint32_t pitch, std::uint64_t bytes,
                             std::vector<StreamDeclaration> declarations) {
    StreamOutputState state;
    state.enabled = true;
    state.streams[0].declarations = std::move(declarations);
    state.streams[0].buffers = 1;
    state.streams[0].read_rows = 1;
    state.buffers[0].enabled = true;
    state.buffers[0].pitch = pitch;
    state.buffers[0].bytes = bytes;
    state.buffers[0].base = GpuAddr(0x1000);
    return state;
}
/// What lies in memory, of 0xEE before.
Dwords memory_after(const StreamWriter& writer, std::uint64_t at, unsigned dwords) {
    std::vector<std::uint8_t> memory(0x4000, 0xEE);
    for (const StreamLine& line : writer.lines())
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (line.enabled >> i & 1) memory[line.address + i] = line.bytes[i];
    Dwords out(dwords);
    std::memcpy(out.data(), &memory[at], 4 * dwords);
    return out;
}
constexpr std::uint32_t kOld = 0xEEEE'EEEE;

TEST(OutputStreams, DeclarationsCopyComponentsAndLeaveHoles) {
    GEN9_COVERS("SOL-12 SOL-15 SOL-21");
    // x and z of slot 1, a hole of two, y of slot 0; the pitch leaves one more DWord.
    const StreamOutputState state =
        one_buffer(24, 4096, {{0b101, 1, 0, false}, {0b0011, 0, 0, true}, {0b010, 0, 0, false}});
    StreamWriter writer;
    WriteOffsets offsets{8, 0, 0, 0};
    const Dwords first{10, 11, 12, 13, 14, 15, 16, 17}, second{20, 21, 22, 23, 24, 25, 26, 27};
    writer.append(state, state.streams[0], offsets, first);
    writer.append(state, state.streams[0], offsets, second);
    EXPECT_EQ(offsets[0], 8u + 2 * 24);
    EXPECT_EQ(memory_after(writer, 0x1000, 15), (Dwords{kOld, kOld, 14, 16, kOld, kOld, 11, kOld,
                                                        24, 26, kOld, kOld, 21, kOld, kOld}));
    EXPECT_EQ(writer.lines().size(), 1u);
    // A vertex that lies in two lines, and a slot that is not read.
    writer.clear();
    offsets[0] = 56;
    writer.append(state, state.streams[0], offsets, std::span(first).first(6));
    EXPECT_EQ(writer.lines().size(), 2u);
    EXPECT_EQ(memory_after(writer, 0x1000 + 56, 5), (Dwords{14, 0, kOld, kOld, 11}));
}

TEST(OutputStreams, BuffersOfAStreamAreFilledSideBySide) {
    GEN9_COVERS("SOL-12");
    StreamOutputState state = one_buffer(4, 64, {{1, 0, 2, false}, {2, 0, 0, false}});
    state.streams[0].buffers = 0b101;
    state.buffers[2] = state.buffers[0];
    state.buffers[2].base = GpuAddr(0x2000);
    state.buffers[2].pitch = 8;
    StreamWriter writer;
    WriteOffsets offsets{};
    for (std::uint32_t i = 0; i < 3; ++i)
        writer.append(state, state.streams[0], offsets, Dwords{10 + i, 20 + i, 0, 0, 0, 0, 0, 0});
    EXPECT_EQ(offsets, (WriteOffsets{12, 0, 24, 0}));
    EXPECT_EQ(memory_after(writer, 0x1000, 4), (Dwords{20, 21, 22, kOld}));
    EXPECT_EQ(memory_after(writer, 0x2000, 6), (Dwords{10, kOld, 11, kOld, 12, kOld}));
}

TEST(OutputStreams, NothingIsWrittenBehindABuffersEnd) {
    // The declarations are longer than the pitch.
    const StreamOutputState state = one_buffer(4, 8, {{0xF, 0, 0, false}});
    StreamWriter writer;
    WriteOffsets offsets{4, 0, 0, 0};
    writer.append(state, state.streams[0], offsets, Dwords{1, 2, 3, 4, 0, 0, 0, 0});
    EXPECT_EQ(memory_after(writer, 0x1000, 4), (Dwords{kOld, 1, kOld, kOld}));
}

TEST(OutputStreams, AnObjectFitsAllOfItsBuffersOrNone) {
    GEN9_COVERS("SOL-14 SOL-16");
    StreamOutputState state = one_buffer(12, 36, {{7, 0, 0, false}});
    EXPECT_TRUE(fits(state, state.streams[0], {0, 0, 0, 0}, 3));
    EXPECT_FALSE(fits(state, state.streams[0], {4, 0, 0, 0}, 3));
    EXPECT_FALSE(fits(state, state.streams[0], {0xFFFF'FFF0, 0, 0, 0}, 3));
    state.streams[0].buffers = 0b1001;
    EXPECT_FALSE(fits(state, state.streams[0], {0, 0, 0, 0}, 3)) << "a buffer that is disabled";
    state.buffers[3] = state.buffers[0];
    EXPECT_TRUE(fits(state, state.streams[0], {0, 0, 0, 0}, 3));
    EXPECT_FALSE(fits(state, state.streams[0], {0, 0, 0, 1}, 3)) << "one of two is full";
    EXPECT_TRUE(fits(state, state.streams[0], {0, 900, 900, 0}, 3)) << "buffers of no concern";
}

TEST(OutputStreams, StateIsReadFromItsCommands) {
    GEN9_COVERS("SOL-11 SOL-12 SOL-16 SOL-18");
    State state;
    // Enabled, render stream 2, trailing, statistics; stream 0: two rows from row 1 on, stream 3:
    // 32 rows; pitches 16, 20, 24, 2048.
    state.take("3DSTATE_STREAMOUT", {0x781E0003, 1u << 31 | 2u << 27 | 1u << 26 | 1u << 25,
                                     31u << 24 | 1u << 5 | 1, 20u << 16 | 16, 2048u << 16 | 24});
    // Stream 0 into buffers 0 and 1, stream 3 into buffer 3: two declarations and one.
    state.take("3DSTATE_SO_DECL_LIST", {0x79170005, 8u << 12 | 3, 1u << 24 | 2, 5u << 4 | 0xF,
                                        (3u << 12 | 0x21) << 16, 1u << 12 | 1u << 11 | 7, 0});
    state.take("3DSTATE_SO_BUFFER", {0x79180006, 1u << 31 | 2u << 29 | 5u << 22 | 3u << 20,
                                     0x12345678, 0x9A, 99, 0x11110000, 0x22, 0xFFFFFFFF});
    const StreamOutputState read = decode_stream_output(state);
    EXPECT_TRUE(read.enabled);
    EXPECT_TRUE(read.counts);
    EXPECT_EQ(read.render_stream, 2u);
    EXPECT_EQ(read.reorder, ReorderMode::Trailing);
    EXPECT_EQ(read.streams[0].read_offset, 1u);
    EXPECT_EQ(read.streams[0].read_rows, 2u);
    EXPECT_EQ(read.streams[3].read_rows, 32u);
    EXPECT_EQ(read.streams[0].buffers, 3u);
    EXPECT_EQ(read.streams[3].buffers, 8u);
    ASSERT_EQ(read.streams[0].declarations.size(), 2u);
    ASSERT_EQ(read.streams[3].declarations.size(), 1u);
    EXPECT_TRUE(read.streams[1].declarations.empty());
    EXPECT_EQ(read.streams[0].declarations[0].slot, 5u);
    EXPECT_EQ(read.streams[0].declarations[0].mask, 0xFu);
    EXPECT_TRUE(read.streams[0].declarations[1].hole);
    EXPECT_EQ(read.streams[0].declarations[1].buffer, 1u);
    EXPECT_EQ(read.streams[3].declarations[0].slot, 2u);
    EXPECT_EQ(read.streams[3].declarations[0].buffer, 3u);
    EXPECT_FALSE(read.buffers[0].enabled);
    const StreamBuffer& buffer = read.buffers[2];
    EXPECT_TRUE(buffer.enabled);
    EXPECT_TRUE(buffer.loads);
    EXPECT_TRUE(buffer.stores);
    EXPECT_EQ(buffer.mocs, 5u);
    EXPECT_EQ(buffer.pitch, 24u);
    EXPECT_EQ(buffer.bytes, 400u);
    EXPECT_EQ(buffer.base.value, 0x9A'1234'5678u);
    EXPECT_EQ(buffer.offset_address.value, 0x22'1111'0000u);
    EXPECT_EQ(buffer.offset, kOffsetFromMemory);
}

TEST(OutputStreams, RenderingIsEnabledByTheFormula) {
    GEN9_COVERS("SOL-02 SOL-26");
    const auto renders = [](std::uint32_t streamout, std::uint32_t depth, std::uint32_t pixel,
                            std::uint32_t wm = 0, Dwords gs = {}) {
        State state;
        state.take("3DSTATE_STREAMOUT", {0x781E0003, streamout, 0, 0, 0});
        state.take("3DSTATE_WM_DEPTH_STENCIL", {0x784E0002, depth, 0, 0});
        state.take("3DSTATE_PS_EXTRA", {0x784F0000, pixel});
        state.take("3DSTATE_WM", {0x78140000, wm});
        if (!gs.empty()) state.take("3DSTATE_GS", gs);
        return decode_stream_output(state).renders;
    };
    constexpr std::uint32_t kShader = 1u << 31, kForceOn = 3u << 23, kForceOff = 2u << 23,
                            kDisable = 1u << 30;
    EXPECT_FALSE(renders(0, 0, 0));
    EXPECT_TRUE(renders(0, 0, kShader));
    EXPECT_TRUE(renders(0, 1, 0)) << "depth writes";
    EXPECT_TRUE(renders(0, 2, 0)) << "depth test";
    EXPECT_TRUE(renders(0, 8, 0)) << "stencil test";
    EXPECT_FALSE(renders(0, 4, 0)) << "stencil writes without a test";
    for (const unsigned legacy : {27u, 28u, 30u})
        EXPECT_TRUE(renders(0, 0, 0, 1u << legacy)) << legacy;
    EXPECT_FALSE(renders(kDisable, 3, kShader));
    EXPECT_TRUE(renders(kDisable | kForceOn, 0, 0));
    EXPECT_FALSE(renders(kForceOff, 3, kShader));
    EXPECT_FALSE(renders(0, 3, kShader, 0, {0x78110008, 0, 0, 0, 0, 0, 0, 1, 0, 0}))
        << "vertices of a geometry shader without a header";
    EXPECT_TRUE(renders(0, 3, kShader, 0, {0x78110008, 0, 0, 0, 0, 0, 1u << 23, 1, 0, 0}));
}

TEST(OutputStreams, ObjectsOfTheRenderStreamGoOn) {
    GEN9_COVERS("SOL-04");
    StreamOutputState state;
    state.render_stream = 1;
    PrimitiveObject made = object(Topology::PointList, {0});
    EXPECT_TRUE(state.passes(made)) << "without stream output every object does";
    state.enabled = true;
    EXPECT_FALSE(state.passes(made));
    made.stream = 1;
    EXPECT_TRUE(state.passes(made));
    made.topology = Topology::PatchList1;
    EXPECT_FALSE(state.passes(made));
    state.renders = false;
    EXPECT_FALSE(state.passes(object(Topology::PointList, {0})));
}

}  // namespace
}  // namespace gen9::geometry
