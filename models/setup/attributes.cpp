// SPDX-License-Identifier: Apache-2.0
#include "setup/attributes.h"

#include <bit>

#include "common/bits.h"

namespace gen9::setup {
namespace {

constexpr std::uint32_t kOne = std::bit_cast<std::uint32_t>(1.0f);

/// A slot of 16 bytes, counted from the first that is read. Zeros beyond what is read (Assumed).
AttributeValue slot(const AttributeState& state, unsigned index, VertexEntry vertex) {
    AttributeValue value{};
    const std::size_t first = (state.read_offset * 2u + index) * 4u;
    if (index < state.read_length * 2u && first + 4 <= vertex.size())
        for (unsigned c = 0; c < 4; ++c)
            value[c] = vertex[first + c];
    return value;
}

std::uint32_t constant(unsigned source, unsigned component, std::uint32_t primitive_id) {
    switch (source) {
        case 1:
            return component == 3 ? kOne : 0;
        case 2:
            return kOne;
        case 3:
            return primitive_id;
        default:
            return 0;
    }
}

/// The entry that an attribute takes, if it takes one.
const AttributeSource* entry(const AttributeState& state, unsigned index) {
    const unsigned first = state.swizzle_upper ? 16 : 0;
    const bool has = state.swizzle && index >= first && index < first + 16;
    return has ? &state.sources[index - first] : nullptr;
}

float as_float(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

std::uint32_t difference(std::uint32_t a, std::uint32_t b, bool wrap_shortest) {
    float delta = as_float(a) - as_float(b);
    if (wrap_shortest) delta += delta <= -0.5f ? 1.0f : delta >= 0.5f ? -1.0f : 0.0f;
    return std::bit_cast<std::uint32_t>(delta);
}

/// Place of a component's a1 in the two registers; a2 is next, a0 three further (SF-60).
unsigned place(unsigned component) {
    return component * 4;
}

}  // namespace

AttributeValue attribute_at(const AttributeState& state, unsigned index, VertexEntry vertex,
                            const AttributeFacts& facts) {
    AttributeValue value;
    if (const AttributeSource* from = entry(state, index)) {
        const bool next = (from->select & 1) && facts.back_facing;
        value = slot(state, from->source + (next ? 1u : 0u), vertex);
        if (from->select & 2) value = {value[3], value[1], value[2], value[3]};
        for (unsigned c = 0; c < 4; ++c)
            if (from->override_mask >> c & 1)
                value[c] = constant(from->constant, c, facts.primitive_id);
    } else {
        value = slot(state, index, vertex);
    }
    if (!state.geometry_shader && index == state.primitive_id_attribute)
        for (unsigned c = 0; c < 4; ++c)
            if (state.primitive_id_mask >> c & 1) value[c] = facts.primitive_id;
    // Components that are not active are 0, W is 1 (Assumed).
    static constexpr std::array<std::uint8_t, 4> kActive{0, 2, 3, 4};
    for (unsigned c = kActive[state.active_components[index] & 3]; c < 4; ++c)
        value[c] = c == 3 ? kOne : 0;
    return value;
}

AttributeDeltas attribute_deltas(const AttributeState& state, unsigned index,
                                 std::span<const VertexEntry> vertices, unsigned provoking,
                                 const AttributeFacts& facts) {
    AttributeDeltas deltas{};
    if (state.constant_interpolation >> index & 1 || vertices.size() == 1) {
        const unsigned of = vertices.size() == 1 ? 0 : provoking;
        const AttributeValue value = attribute_at(state, index, vertices[of], facts);
        for (unsigned c = 0; c < 4; ++c)
            deltas[place(c) + 3] = value[c];
        return deltas;
    }
    const AttributeSource* from = index < 16 ? &state.sources[index] : nullptr;
    const unsigned wrap = from ? from->wrap_shortest : 0u;
    const AttributeValue value = attribute_at(state, index, vertices[0], facts);
    for (unsigned c = 0; c < 4; ++c)
        deltas[place(c) + 3] = value[c];
    for (unsigned v = 1; v < vertices.size(); ++v) {
        const AttributeValue other = attribute_at(state, index, vertices[v], facts);
        for (unsigned c = 0; c < 4; ++c)
            deltas[place(c) + v - 1] = difference(other[c], value[c], wrap >> c & 1);
    }
    return deltas;
}

AttributeDeltas sprite_deltas(bool lower_left) {
    AttributeDeltas deltas{};
    deltas[place(0)] = kOne;
    deltas[place(1) + 1] = lower_left ? std::bit_cast<std::uint32_t>(-1.0f) : kOne;
    deltas[place(1) + 3] = lower_left ? kOne : 0;
    deltas[place(3) + 3] = kOne;
    return deltas;
}

AttributeDeltas deltas_at(const AttributeDeltas& deltas, float b1, float b2) {
    AttributeDeltas result{};
    for (unsigned c = 0; c < 4; ++c) {
        const std::uint32_t a1 = deltas[place(c)], a2 = deltas[place(c) + 1];
        std::uint32_t& value = result[place(c) + 3];
        value = deltas[place(c) + 3];
        // The bits of what is flat, or lies at vertex 0, go through no arithmetic.
        if (const float change = as_float(a1) * b1 + as_float(a2) * b2; change != 0)
            value = std::bit_cast<std::uint32_t>(as_float(value) + change);
    }
    return result;
}

}  // namespace gen9::setup
