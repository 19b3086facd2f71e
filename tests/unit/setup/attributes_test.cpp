// SPDX-License-Identifier: Apache-2.0
#include "setup/attributes.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/setup/scene.h"

namespace gen9::setup {
namespace {
using test::bits_of;

/// An entry of 16 slots; component c of slot s is base + 10 s + c.
std::vector<std::uint32_t> vertex(float base) {
    std::vector<std::uint32_t> entry;
    for (unsigned dword = 0; dword < 64; ++dword)
        entry.push_back(bits_of(base + static_cast<float>(dword / 4 * 10 + dword % 4)));
    return entry;
}

class Attributes : public ::testing::Test {
  protected:
    Attributes() {
        state.count = 2;
        state.read_offset = 1;
        state.read_length = 7;
        state.swizzle = true;
    }
    std::array<float, 4> value(unsigned index, AttributeFacts facts = {}) {
        std::array<float, 4> result;
        const AttributeValue raw = attribute_at(state, index, entries[0], facts);
        for (unsigned c = 0; c < 4; ++c)
            result[c] = std::bit_cast<float>(raw[c]);
        return result;
    }
    AttributeDeltas deltas(unsigned index, unsigned vertices = 3, unsigned provoking = 0) {
        return attribute_deltas(state, index, std::span(spans).first(vertices), provoking, {});
    }
    AttributeState state;
    std::array<std::vector<std::uint32_t>, 3> entries{vertex(1000), vertex(2000), vertex(4000)};
    std::array<VertexEntry, 3> spans{entries[0], entries[1], entries[2]};
};
using Four = std::array<float, 4>;

TEST_F(Attributes, SourcesCountFromTheReadOffset) {
    GEN9_COVERS("SF-51");
    state.sources[0].source = 3;
    EXPECT_EQ(value(0), (Four{1050, 1051, 1052, 1053}));
    state.read_offset = 0;  // header and position are sources, too
    EXPECT_EQ(value(0), (Four{1030, 1031, 1032, 1033}));
    state.sources[0].source = 1;
    EXPECT_EQ(value(0), (Four{1010, 1011, 1012, 1013}));
}

TEST_F(Attributes, BeyondWhatIsReadAreZeros) {
    GEN9_COVERS("FF-27");
    state.sources[0].source = 13;
    EXPECT_EQ(value(0), (Four{1150, 1151, 1152, 1153}));
    state.read_length = 6;
    EXPECT_EQ(value(0), (Four{0, 0, 0, 0}));
    // Nor is anything read behind an entry's end.
    state.read_length = 31;
    state.sources[0].source = 31;
    EXPECT_EQ(value(0), (Four{0, 0, 0, 0}));
}

TEST_F(Attributes, WithoutSwizzleTheyAreTheSlotsInOrder) {
    state.swizzle = false;
    state.sources[2] = {.source = 9, .override_mask = 15};
    EXPECT_EQ(value(2), (Four{1040, 1041, 1042, 1043}));
}

TEST_F(Attributes, TheEntriesAreThoseOfOneHalf) {
    state.sources[1].source = 5;
    EXPECT_EQ(value(1)[0], 1070);
    state.read_length = 12;
    for (auto& entry : entries)
        entry.resize(120, bits_of(7));
    spans = {entries[0], entries[1], entries[2]};
    EXPECT_EQ(value(17)[0], 7);
    state.swizzle_upper = true;
    EXPECT_EQ(value(17)[0], 1070);
    EXPECT_EQ(value(1)[0], 1030);
}

TEST_F(Attributes, SwizzlesAndTheSideThatFacesTheEye) {
    GEN9_COVERS("SF-50");
    const AttributeFacts front{false, 0}, back{true, 0};
    state.sources[0] = {.source = 4, .select = 0};
    EXPECT_EQ(value(0, back), (Four{1060, 1061, 1062, 1063}));
    state.sources[0].select = 1;
    EXPECT_EQ(value(0, front), (Four{1060, 1061, 1062, 1063}));
    EXPECT_EQ(value(0, back), (Four{1070, 1071, 1072, 1073}));
    state.sources[0].select = 2;
    EXPECT_EQ(value(0, back), (Four{1063, 1061, 1062, 1063}));
    state.sources[0].select = 3;
    EXPECT_EQ(value(0, front), (Four{1063, 1061, 1062, 1063}));
    EXPECT_EQ(value(0, back), (Four{1073, 1071, 1072, 1073}));
}

TEST_F(Attributes, ConstantsReplaceComponents) {
    GEN9_COVERS("SF-52");
    const AttributeFacts facts{false, 0x12345678};
    state.sources[0] = {.source = 1, .constant = 0, .override_mask = 0b1001};
    EXPECT_EQ(value(0), (Four{0, 1031, 1032, 0}));
    state.sources[0].override_mask = 15;
    EXPECT_EQ(value(0), (Four{0, 0, 0, 0}));
    state.sources[0].constant = 1;
    EXPECT_EQ(value(0), (Four{0, 0, 0, 1}));
    state.sources[0].constant = 2;
    EXPECT_EQ(value(0), (Four{1, 1, 1, 1}));
    state.sources[0].constant = 3;
    EXPECT_EQ(attribute_at(state, 0, spans[0], facts),
              (AttributeValue{0x12345678, 0x12345678, 0x12345678, 0x12345678}));
}

TEST_F(Attributes, ThePrimitiveIdComesAfterTheSwizzle) {
    GEN9_COVERS("SF-58");
    const AttributeFacts facts{false, 77};
    state.sources[1] = {.constant = 2, .override_mask = 15};
    state.primitive_id_attribute = 1;
    state.primitive_id_mask = 0b0100;
    const std::uint32_t one = bits_of(1);
    EXPECT_EQ(attribute_at(state, 1, spans[0], facts), (AttributeValue{one, one, 77, one}));
    EXPECT_NE(attribute_at(state, 0, spans[0], facts)[2], 77u);
    state.geometry_shader = true;
    EXPECT_EQ(attribute_at(state, 1, spans[0], facts), (AttributeValue{one, one, one, one}));
}

TEST_F(Attributes, MissingComponentsAreZeroAndOne) {
    state.active_components[0] = 1;
    EXPECT_EQ(value(0), (Four{1020, 1021, 0, 1}));
    state.active_components[0] = 2;
    EXPECT_EQ(value(0), (Four{1020, 1021, 1022, 1}));
    state.active_components[0] = 0;
    EXPECT_EQ(value(0), (Four{0, 0, 0, 1}));
}

TEST_F(Attributes, DeltasLieAsThePlaneInstructionReadsThem) {
    GEN9_COVERS("SF-54 SF-60");
    const AttributeDeltas got = deltas(0);
    for (unsigned c = 0; c < 4; ++c) {
        EXPECT_EQ(got[4 * c + 0], bits_of(1000));  // a1
        EXPECT_EQ(got[4 * c + 1], bits_of(3000));  // a2
        EXPECT_EQ(got[4 * c + 2], 0u);
        EXPECT_EQ(got[4 * c + 3], bits_of(1020 + static_cast<float>(c)));  // a0
    }
    const AttributeDeltas line = deltas(0, 2);
    EXPECT_EQ(line[0], bits_of(1000));
    EXPECT_EQ(line[1], 0u);
    const AttributeDeltas point = deltas(0, 1);
    EXPECT_EQ(point[0], 0u);
    EXPECT_EQ(point[3], bits_of(1020));
}

TEST_F(Attributes, FlatOnesAreTheProvokingVertexsBits) {
    GEN9_COVERS("SF-53");
    state.constant_interpolation = 1u << 0 | 1u << 31;
    entries[2][8] = 0x7FA00001;  // a signalling NaN
    entries[2][9] = 0x00000003;  // an integer, a denormal as a float
    const AttributeDeltas got = deltas(0, 3, 2);
    EXPECT_EQ(got[3], 0x7FA00001u);
    EXPECT_EQ(got[7], 3u);
    for (unsigned c = 0; c < 4; ++c)
        EXPECT_EQ(got[4 * c] | got[4 * c + 1], 0u);
    EXPECT_EQ(deltas(0, 3, 1)[3], bits_of(2020));
    EXPECT_EQ(deltas(1)[0], bits_of(1000));  // the other attribute is not flat
    state.read_length = 31;
    EXPECT_EQ(deltas(31)[0], 0u);
}

TEST_F(Attributes, WrapShortest) {
    GEN9_COVERS("SF-55");
    state.sources[0].wrap_shortest = 0b0111;
    const auto set = [&](unsigned c, float a0, float a1, float a2) {
        entries[0][8 + c] = bits_of(a0), entries[1][8 + c] = bits_of(a1);
        entries[2][8 + c] = bits_of(a2);
    };
    set(0, 0, 0.5f, -0.5f);
    set(1, 0.25f, 0.625f, 0.875f);
    set(2, 0, 0.25f, 1);
    set(3, 0, 0.75f, 0.75f);
    const AttributeDeltas got = deltas(0);
    EXPECT_EQ(got[0], bits_of(-0.5f));
    EXPECT_EQ(got[1], bits_of(0.5f));
    EXPECT_EQ(got[4], bits_of(0.375f));
    EXPECT_EQ(got[5], bits_of(-0.375f));
    EXPECT_EQ(got[8], bits_of(0.25f));
    EXPECT_EQ(got[9], bits_of(0));
    EXPECT_EQ(got[12], bits_of(0.75f));  // its bit is not set
}

TEST_F(Attributes, SpritesHaveCoordinatesOfTheirOwn) {
    GEN9_COVERS("SF-56");
    // S: a1 = 1. T: downwards a2 = 1; upwards a0 = 1, a2 = -1. R: 0. Q: 1.
    const std::uint32_t one = bits_of(1), minus = bits_of(-1);
    EXPECT_EQ(sprite_deltas(false),
              (AttributeDeltas{one, 0, 0, 0, 0, one, 0, 0, 0, 0, 0, 0, 0, 0, 0, one}));
    EXPECT_EQ(sprite_deltas(true),
              (AttributeDeltas{one, 0, 0, 0, 0, minus, 0, one, 0, 0, 0, 0, 0, 0, 0, one}));
}

TEST_F(Attributes, AtACornerTheyAreConstant) {
    const AttributeDeltas all = deltas(0);
    EXPECT_EQ(deltas_at(all, 1, 0)[3], bits_of(2020));
    EXPECT_EQ(deltas_at(all, 0, 1)[7], bits_of(4021));
    EXPECT_EQ(deltas_at(all, 0, 0)[3], bits_of(1020));
    EXPECT_EQ(deltas_at(all, 0.5f, 0.25f)[3], bits_of(2270));
    EXPECT_EQ(deltas_at(all, 1, 0)[0] | deltas_at(all, 1, 0)[1], 0u);
    state.constant_interpolation = 1;
    entries[0][8] = 0x7FA00001;
    EXPECT_EQ(deltas_at(deltas(0), 1, 0)[3], 0x7FA00001u);
}

}  // namespace
}  // namespace gen9::setup
