// SPDX-License-Identifier: Apache-2.0
/// The set-up back end: what becomes of the vertices' attributes.
#pragma once
#include <span>

#include "setup/state.h"

namespace gen9::setup {

using AttributeValue = std::array<std::uint32_t, 4>;  ///< X, Y, Z, W as bits
/// A vertex' URB entry from its start.
using VertexEntry = std::span<const std::uint32_t>;

/// What of an object its attributes depend on.
struct AttributeFacts {
    bool back_facing = false;
    std::uint32_t primitive_id = 0;
};

/// Attribute `index` at a vertex: source, swizzle, constants, primitive id (SF-48 to SF-52, SF-58).
AttributeValue attribute_at(const AttributeState& state, unsigned index, VertexEntry vertex,
                            const AttributeFacts& facts);
/// Its deltas over a line or a triangle (2 or 3 vertices), or the value of a point (SF-53, SF-54).
AttributeDeltas attribute_deltas(const AttributeState& state, unsigned index,
                                 std::span<const VertexEntry> vertices, unsigned provoking,
                                 const AttributeFacts& facts);
/// Those of a point sprite: its own coordinates (SF-56).
AttributeDeltas sprite_deltas(bool lower_left);
/// The value that an object's attribute has at a corner, for a point drawn there.
AttributeDeltas deltas_at(const AttributeDeltas& deltas, float b1, float b2);

}  // namespace gen9::setup
