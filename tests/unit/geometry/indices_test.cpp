// SPDX-License-Identifier: Apache-2.0
#include "geometry/indices.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::geometry::test {
namespace {

/// A state whose index buffer lies at 0x1000 and has those bytes.
struct IndexBench {
    StageState state{packets::Unit::Vf};
    std::vector<std::uint8_t> buffer;

    IndexBench(unsigned format, std::vector<std::uint8_t> bytes) : buffer(std::move(bytes)) {
        take("3DSTATE_INDEX_BUFFER", {0x780A'0003, format << 8 | 0x12, 0x1000, 0,
                                      static_cast<std::uint32_t>(buffer.size())});
    }
    void take(const char* name, const std::vector<std::uint32_t>& dwords) {
        EXPECT_TRUE(state.take(packets::command_named(name), dwords));
    }
    void cut(std::uint32_t header_bit, std::uint32_t index) {
        take("3DSTATE_VF", {0x780C'0000 | 1u << header_bit, index});
    }
    /// All indices, read a few at a time.
    std::vector<DrawIndex> all(const DrawParameters& draw, std::uint32_t at_a_time = 3) {
        IndexStream stream(draw, state);
        std::vector<DrawIndex> found;
        while (stream.left() != 0) {
            const IndexStream::Stretch stretch = stream.stretch(at_a_time);
            std::vector<std::uint8_t> bytes;
            for (std::uint32_t i = 0; i < stretch.bytes; ++i)
                bytes.push_back(buffer.at(stretch.address.value - 0x1000 + i));
            std::vector<DrawIndex> some(stretch.count);
            EXPECT_EQ(stream.next(bytes, some), stretch.count);
            found.insert(found.end(), some.begin(), some.end());
        }
        return found;
    }
};
std::vector<std::uint32_t> vertices(const std::vector<DrawIndex>& indices) {
    std::vector<std::uint32_t> out;
    for (const DrawIndex& i : indices)
        out.push_back(i.vertex_index);
    return out;
}
using Numbers = std::vector<std::uint32_t>;

TEST(Indices, SequentialOnesStartAtTheFirstVertexButNumbersAtZero) {
    GEN9_COVERS("VF-03 VF-16");
    IndexBench b(0, {});
    const auto found = b.all({.vertex_count = 4, .start_vertex = 10, .base_vertex = 5});
    EXPECT_EQ(vertices(found), Numbers({10, 11, 12, 13}));
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(found[i].vertex_id, i);
}

TEST(Indices, AreOfOneTwoOrFourBytes) {
    GEN9_COVERS("VF-04");
    const DrawParameters draw{.indexed = true, .vertex_count = 3};
    EXPECT_EQ(vertices(IndexBench(0, {1, 0xFF, 3}).all(draw)), Numbers({1, 0xFF, 3}));
    EXPECT_EQ(vertices(IndexBench(1, {1, 0x80, 0xFF, 0xFF, 3, 0}).all(draw)),
              Numbers({0x8001, 0xFFFF, 3}));
    EXPECT_EQ(vertices(IndexBench(2, {1, 0, 0, 0x80, 2, 0, 0, 0, 3, 0, 0, 0}).all(draw)),
              Numbers({0x8000'0001, 2, 3}));
}

TEST(Indices, TheBaseIsAddedBehindTheBuffersNumber) {
    GEN9_COVERS("VF-16");
    IndexBench b(0, {9, 1, 2});
    const auto found =
        b.all({.indexed = true, .vertex_count = 2, .start_vertex = 1, .base_vertex = -1});
    EXPECT_EQ(vertices(found), Numbers({0, 1}));
    EXPECT_EQ(found[0].vertex_id, 1u);
}

TEST(Indices, BehindTheEndAreZero) {
    IndexBench b(1, {7, 0, 8, 0, 9});
    EXPECT_EQ(vertices(b.all({.indexed = true, .vertex_count = 5}, 2)), Numbers({7, 8, 0, 0, 0}));
    EXPECT_EQ(vertices(b.all({.indexed = true, .vertex_count = 1, .start_vertex = 0xFFFF'FFFF})),
              Numbers({0}));
}

// The whole index of 32 bits is compared, before the base is added.
TEST(Indices, ACutIsTheIndexOfTheStateWhereItIsEnabled) {
    GEN9_COVERS("VF-05");
    const auto cuts = [](IndexBench& b, bool indexed) {
        std::vector<bool> out;
        for (const DrawIndex& i : b.all({.indexed = indexed, .vertex_count = 3, .base_vertex = 4}))
            out.push_back(i.cut);
        return out;
    };
    using Flags = std::vector<bool>;
    IndexBench b(0, {1, 0xFF, 2});
    EXPECT_EQ(cuts(b, true), Flags({false, false, false}));
    b.cut(8, 0xFF);
    EXPECT_EQ(cuts(b, true), Flags({false, true, false}));
    EXPECT_EQ(cuts(b, false), Flags({false, false, false}));
    b.cut(8, 0xFFFF'FFFF);
    EXPECT_EQ(cuts(b, true), Flags({false, false, false})) << "an index of a byte is not that";
    b.cut(10, 1);
    EXPECT_EQ(cuts(b, true), Flags({false, false, false}));
    EXPECT_EQ(cuts(b, false), Flags({false, true, false}));
}

TEST(Indices, EachInstanceBeginsAnew) {
    IndexBench b(0, {4, 5});
    IndexStream stream({.indexed = true, .vertex_count = 2, .instance_count = 2}, b.state);
    std::vector<DrawIndex> some(2);
    for (unsigned instance = 0; instance < 2; ++instance) {
        EXPECT_EQ(stream.next(b.buffer, some), 2u);
        EXPECT_EQ(vertices(some), Numbers({4, 5}));
        EXPECT_EQ(stream.next({}, some), 0u);
        stream.rewind();
    }
    EXPECT_EQ(stream.mocs(), 0x12);
}

}  // namespace
}  // namespace gen9::geometry::test
