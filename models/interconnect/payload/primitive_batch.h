// SPDX-License-Identifier: Apache-2.0
/// What the stages of geometry hand on: vertices by their URB entries, and the objects that they
/// make.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "interconnect/payload/draw.h"

namespace gen9 {

inline constexpr unsigned kMaxObjectVertices = 32;

/// A vertex of a batch.
struct BatchVertex {
    std::uint32_t urb_row = 0;  ///< of its entry: 32-byte rows from the URB's start
    bool is_new = false;        ///< not yet shaded: it came with this batch
};

/// Its vertices are in the order in which the draw has them; `odd` says that its orientation is the
/// other one.
struct PrimitiveObject {
    packets::Topology topology = packets::Topology::PointList;  ///< as stages behind VF see it
    std::uint8_t count = 0;
    bool odd = false;         ///< orientation is that of the reverse order
    bool starts = false;      ///< first of its strip, fan, loop or polygon; always, in a list
    bool continues = false;   ///< it is a further part of the primitive before it
    std::uint8_t edges = 7;   ///< of a triangle: bit i: the edge from vertex i is shown
    std::uint8_t stream = 0;  ///< output stream, of a geometry shader's (SOL-11)
    std::uint32_t primitive_id = 0;
    std::array<std::uint32_t, kMaxObjectVertices> vertices{};  ///< numbers in the batch
};

/// Up to `kObjects` objects of a draw, in order. An entry of the URB that several batches use stays
/// until the last of them has been read (kVerticesRead).
struct PrimitiveBatch {
    static constexpr unsigned kObjects = 64;
    const Draw* draw = nullptr;
    std::uint32_t entry_rows = 0;  ///< of a URB entry, 32 bytes each
    std::uint32_t instance = 0;
    std::vector<BatchVertex> vertices;
    std::vector<PrimitiveObject> objects;
    TraceId trace_id = 0;
};

/// A corner of an object that has passed the clipper, on its way to set-up.
struct ClippedVertex {
    /// Divided, before the viewport transform: x, y, z and 1/w; or as the shader wrote it, where
    /// nothing is divided.
    std::array<float, 4> position{};
    float point_width = 1;  ///< pixels, clamped
};

/// What a piece of a cut object needs of the whole (clip guide 12.5, 12.6). Weights are those of
/// the whole's vertices 1 and 2 at the piece's corners: b linear in clip space, l on the screen.
struct PieceOfObject {
    std::array<float, 3> b1{}, b2{}, l1{}, l2{};
    /// The whole's vertices as ClippedVertex has them, if all of it is in front of the eye: how it
    /// faces and slopes holds for all its pieces.
    bool in_front = false;
    std::array<std::array<float, 4>, 3> whole{};
};

struct ClippedObject {
    std::uint32_t object = 0;  ///< number in the batch
    packets::Topology topology =
        packets::Topology::TriList;  ///< of the object, without vertices that only lie beside it
    std::uint8_t count = 0;          ///< corners: 1 to 3
    std::uint8_t viewport = 0;
    std::uint16_t render_target_index = 0;
    bool last_of_strip = true;  ///< a line that no other follows in its strip
    bool far_end = true;        ///< a line's second corner is the line's own
    std::uint8_t edges = 7;     ///< of a triangle: as PrimitiveObject::edges, of its corners
    std::array<ClippedVertex, 3> corners;
    /// The object's own vertices, whose attributes it has: numbers in the batch.
    std::array<std::uint32_t, 3> vertices{};
    std::optional<PieceOfObject> piece;  ///< of an object that was cut
};

/// What is left of a batch behind the clipper. The batch itself lives at least as long.
struct ClippedBatch {
    const PrimitiveBatch* batch = nullptr;
    std::vector<ClippedObject> objects;
};

}  // namespace gen9
