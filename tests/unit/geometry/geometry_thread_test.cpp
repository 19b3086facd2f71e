// SPDX-License-Identifier: Apache-2.0
#include "geometry/geometry_thread.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "tests/support/covers.h"
#include "tests/unit/geometry/geometry_state.h"

namespace gen9::geometry::test::threads {
namespace {

using Row = std::array<std::uint32_t, 8>;

struct Case {
    GeometryShaderState shader;
    std::vector<std::string> problems;

    explicit Case(const GeometryCommand& command, unsigned constant_rows = 0) {
        PipelineState state;
        const auto take = [&](const char* name, const std::vector<std::uint32_t>& dwords) {
            const packets::CommandRow& row = packets::command_named(name);
            const auto unit = static_cast<unsigned>(row.latch.unit);
            auto block = state.stages[unit] ? std::make_shared<StageState>(*state.stages[unit])
                                            : std::make_shared<StageState>(row.latch.unit);
            EXPECT_TRUE(block->take(row, dwords)) << name;
            state.stages[unit] = block;
        };
        take("3DSTATE_GS", command.dwords());
        take("3DSTATE_CONSTANT_GS",
             {0x78160009, 0, constant_rows << 16, 0, 0, 0, 0, 0, 0, 0x4000, 0});
        take("3DSTATE_BINDING_TABLE_POINTERS_GS", {0x78290000, 0x1240});
        shader = decode_geometry_shader(state, true, problems);
    }
    /// Vertex v of object n has its entry at row 2 * (10n + v), and DWords 1000n + 100v + i.
    ThreadDispatch make(unsigned objects, unsigned channels, unsigned first_instance = 0) {
        const ThreadTopology topology{1, 2, 4, 7};
        std::vector<GeometryInput> inputs(objects);
        std::vector<std::uint32_t> outputs(channels), data;
        for (unsigned n = 0; n < objects; ++n) {
            inputs[n].topology = Topology::TriStripReverse;
            inputs[n].primitive_id = 70 + n;
            inputs[n].count = shader.expected_vertices;
            for (unsigned v = 0; v < inputs[n].count; ++v)
                inputs[n].urb_rows[v] = 2 * (10 * n + v);
        }
        for (unsigned v = 0; v < shader.expected_vertices; ++v)
            for (unsigned n = 0; n < objects; ++n)
                for (unsigned i = 0; i < 8 * shader.read_rows; ++i)
                    data.push_back(1000 * n + 100 * v + i);
        for (unsigned n = 0; n < channels; ++n)
            outputs[n] = 0x400 + 4 * n;
        std::vector<std::uint32_t> constants(8 * shader.constant_rows);
        std::iota(constants.begin(), constants.end(), 0xC000u);
        const auto bytes = [](const std::vector<std::uint32_t>& words) {
            return std::span(reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size());
        };
        ThreadDispatch thread;
        for (Grf& reg : thread.payload)  // what an earlier thread left
            std::memset(reg.bytes, 0xEE, sizeof reg.bytes);
        make_geometry_thread(shader, {.constants = bytes(constants), .number = 5},
                             {inputs, first_instance, outputs, bytes(data)}, topology, {0, 1, 2},
                             thread);
        return thread;
    }
};
Row row_of(const ThreadDispatch& thread, unsigned reg) {
    Row row;
    std::memcpy(row.data(), thread.payload[reg].bytes, sizeof row);
    return row;
}

TEST(GeometryThread, OfObjectsHasAChannelForEach) {
    GEN9_COVERS("GS-26 GS-27 FF-69 FF-70 FF-21 FF-25 FF-63 FF-68");
    Case c({.vertices = 3, .start = 6, .include_handles = true, .include_ids = true, .hint = true});
    EXPECT_TRUE(c.problems.empty());
    const ThreadDispatch thread = c.make(5, 5);
    EXPECT_EQ(thread.dispatch_mask, 0x1Fu);
    EXPECT_EQ(thread.payload_registers, 6u);
    EXPECT_EQ(row_of(thread, 0),
              (Row{0, 0, 1u << 22 | 0xDu << 16, 0, 0x1240, thread.sideband.fftid, 5, 0}));
    EXPECT_EQ(row_of(thread, 1), (Row{0x200, 0x202, 0x204, 0x206, 0x208}));
    EXPECT_EQ(row_of(thread, 2), (Row{70, 71, 72, 73, 74}));
    EXPECT_EQ(row_of(thread, 3), (Row{0, 10, 20, 30, 40}));
    EXPECT_EQ(row_of(thread, 5), (Row{2, 12, 22, 32, 42}));
    EXPECT_TRUE(thread.sideband.of_geometry);
}

TEST(GeometryThread, OfInstancesHasAChannelForEach) {
    GEN9_COVERS("GS-26 GS-27");
    Case c({.vertices = 10,
            .instances = 32,
            .start = 5,
            .include_handles = true,
            .include_ids = true});
    const ThreadDispatch thread = c.make(1, 3, 16);
    EXPECT_EQ(thread.dispatch_mask, 7u);
    EXPECT_EQ(row_of(thread, 1), (Row{16u << 27 | 0x200, 17u << 27 | 0x202, 18u << 27 | 0x204}));
    EXPECT_EQ(row_of(thread, 2), (Row{70, 70, 70}));
    EXPECT_EQ(row_of(thread, 3), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(row_of(thread, 4), (Row{8, 9}));
}

TEST(GeometryThread, VerticesOfObjectsLieBesideEachOther) {
    GEN9_COVERS("GS-28 FF-67 FF-82 FF-21 FF-24");
    Case c({.vertices = 2, .start = 2, .read_rows = 1}, 1);
    const ThreadDispatch thread = c.make(3, 3);
    EXPECT_EQ(thread.payload_registers, 2u + 1 + 16);
    EXPECT_EQ(row_of(thread, 2)[7], 0xC007u);
    EXPECT_EQ(row_of(thread, 3), (Row{0, 1000, 2000}));
    EXPECT_EQ(row_of(thread, 10), (Row{7, 1007, 2007}));
    EXPECT_EQ(row_of(thread, 11), (Row{100, 1100, 2100}));
    EXPECT_EQ(row_of(thread, 18), (Row{107, 1107, 2107}));
}

TEST(GeometryThread, VerticesOfInstancesFollowEachOther) {
    GEN9_COVERS("GS-28 FF-65");
    Case c({.vertices = 2, .instances = 4, .start = 2, .read_rows = 2}, 1);
    const ThreadDispatch thread = c.make(1, 4);
    EXPECT_EQ(thread.payload_registers, 2u + 1 + 4);
    EXPECT_EQ(row_of(thread, 3), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(row_of(thread, 4)[0], 8u);
    EXPECT_EQ(row_of(thread, 5)[0], 100u);
    EXPECT_EQ(row_of(thread, 6)[7], 115u);
}

constexpr unsigned kSingle = 0, kDualInstance = 1, kDualObject = 2;

TEST(GeometryThread, OfTwoObjectsHasThemInHalves) {
    GEN9_COVERS("GS-22 GS-24 GS-25");
    Case c({.vertices = 6,
            .start = 4,
            .read_rows = 1,
            .include_handles = true,
            .include_ids = true,
            .hint = true,
            .dispatch = kDualObject},
           1);
    EXPECT_TRUE(c.problems.empty());
    const ThreadDispatch both = c.make(2, 2), one = c.make(1, 1);
    EXPECT_EQ(both.dispatch_mask, 0xFFu);
    EXPECT_EQ(one.dispatch_mask, 0xFu);
    EXPECT_EQ(both.payload_registers, 4u + 1 + 2 * 6);
    EXPECT_EQ(row_of(both, 0),
              (Row{0x200, 0x202, 1u << 22 | 0xDu << 16, 0, 0x1240, both.sideband.fftid, 5, 0}));
    EXPECT_EQ(row_of(both, 1), (Row{70, 0, 0, 0, 71}));
    EXPECT_EQ(row_of(both, 2), (Row{0, 1, 2, 3, 10, 11, 12, 13}));
    EXPECT_EQ(row_of(both, 3), (Row{4, 5, 0, 0, 14, 15}));
    EXPECT_EQ(row_of(both, 4)[7], 0xC007u);
    EXPECT_EQ(row_of(both, 5), (Row{0, 1, 2, 3, 1000, 1001, 1002, 1003}));
    EXPECT_EQ(row_of(both, 6), (Row{4, 5, 6, 7, 1004, 1005, 1006, 1007}));
    EXPECT_EQ(row_of(both, 16), (Row{504, 505, 506, 507, 1504, 1505, 1506, 1507}));
    EXPECT_EQ(row_of(one, 0)[1], 0u);
    EXPECT_EQ(row_of(one, 1), Row{70});
    EXPECT_EQ(row_of(one, 3), (Row{4, 5}));
    EXPECT_EQ(row_of(one, 16), (Row{504, 505, 506, 507}));
}

TEST(GeometryThread, OfTwoInstancesHasItsObjectOnce) {
    GEN9_COVERS("GS-22 GS-23 GS-25");
    Case c({.vertices = 10,
            .instances = 7,
            .start = 4,
            .read_rows = 1,
            .include_handles = true,
            .include_ids = true,
            .dispatch = kDualInstance},
           1);
    EXPECT_TRUE(c.problems.empty());
    const ThreadDispatch both = c.make(1, 2, 4), one = c.make(1, 1, 6);
    EXPECT_EQ(both.dispatch_mask, 0xFFu);
    EXPECT_EQ(one.dispatch_mask, 0xFu);
    EXPECT_EQ(both.payload_registers, 4u + 1 + 10);
    EXPECT_EQ(row_of(both, 0)[0], 4u << 27 | 0x200);
    EXPECT_EQ(row_of(both, 0)[1], 5u << 27 | 0x202);
    EXPECT_EQ(row_of(one, 0)[0], 6u << 27 | 0x200);
    EXPECT_EQ(row_of(one, 0)[1], 0u);
    EXPECT_EQ(row_of(both, 1), Row{70});
    EXPECT_EQ(row_of(both, 2), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(row_of(both, 3), (Row{8, 9}));
    EXPECT_EQ(row_of(both, 5), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(row_of(both, 14), (Row{900, 901, 902, 903, 904, 905, 906, 907}));
}

TEST(GeometryThread, OfOneInstanceHasFourChannels) {
    GEN9_COVERS("GS-23 GS-25");
    Case c({.vertices = 2, .start = 1, .read_rows = 1, .dispatch = kSingle});
    const ThreadDispatch thread = c.make(1, 1);
    EXPECT_EQ(thread.dispatch_mask, 0xFu);
    EXPECT_EQ(thread.payload_registers, 3u);
    EXPECT_EQ(row_of(thread, 0)[0], 0x200u);
    EXPECT_EQ(row_of(thread, 1), (Row{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(row_of(thread, 2)[0], 100u);
}

TEST(GeometryThread, ItsFieldsAreThoseOfTheCommand) {
    Case c({.vertices = 6,
            .output = Topology::TriStrip,
            .start = 33,
            .vertex_units = 6,
            .control_rows = 3,
            .stream_bits = true,
            .trailing = true,
            .discards = true,
            .increment = 2,
            .stream = 2,
            .static_count = 300});
    EXPECT_EQ(c.shader.start, 33u);  // of two fields (FF-22)
    EXPECT_EQ(c.shader.output, Topology::TriStrip);
    EXPECT_EQ(c.shader.vertex_bytes, 96u);
    EXPECT_EQ(c.shader.control_rows, 3u);
    EXPECT_EQ(c.shader.reorder, ReorderMode::Trailing);
    EXPECT_TRUE(c.shader.stream_bits && c.shader.discard_adjacency && c.shader.static_count);
    EXPECT_EQ(c.shader.counted, 3u);
    EXPECT_EQ(c.shader.stream, 2u);
    EXPECT_EQ(c.shader.vertex_count, 300u);
    EXPECT_EQ(c.shader.max_threads, 100u);
}

TEST(GeometryThread, MoreThanAllRegistersAreReportedAndNotLoaded) {
    GEN9_COVERS("FF-64");
    Case c({.vertices = 6, .start = 2, .read_rows = 8});
    ASSERT_EQ(c.problems.size(), 1u);
    EXPECT_EQ(c.make(8, 8).payload_registers, 128u);
    Case narrow({.vertices = 6, .start = 2, .read_rows = 1, .include_handles = true});
    ASSERT_EQ(narrow.problems.size(), 1u);
    EXPECT_EQ(row_of(narrow.make(2, 2), 8), (Row{0, 1000}));
}

}  // namespace
}  // namespace gen9::geometry::test::threads
