// SPDX-License-Identifier: Apache-2.0
/// SF and SBE: from an object's vertices to what the rasteriser scans.
#pragma once
#include <memory>
#include <optional>
#include <span>

#include "setup/attributes.h"
#include "setup/orientation.h"
#include "setup/viewport.h"

namespace gen9::setup {

struct Vertex {
    Position position;      ///< divided: w is 1/w
    float point_width = 1;  ///< pixels, clamped by the clipper
};

/// What a piece of a clipped object keeps of the whole.
struct ClippedFrom {
    CornerWeights perspective, linear;  ///< of the piece's corners in the whole
    std::optional<bool> back_facing;    ///< as the whole faces, if all of it is in front of the eye
    std::optional<float> depth_slope;   ///< of the whole
};

/// An object as the clipper hands it over.
struct Object {
    packets::Topology topology = packets::Topology::TriList;
    std::array<Vertex, 3> vertices;
    /// URB entries of the object's vertices; of a clipped object, those of the whole.
    std::array<VertexEntry, 3> entries;
    std::uint32_t primitive_id = 0;
    std::uint8_t viewport = 0;
    std::uint16_t render_target_index = 0;
    bool inverted = false;        ///< traversal order is the wrong way round (SF-12)
    bool last_of_strip = true;    ///< a line that no other follows in its strip
    bool far_end = true;          ///< its second corner is the whole line's
    bool restart_stipple = true;  ///< a line that does not go on with the pattern
    /// The edges (0,1), (1,2), (2,0), or their first vertices, that are drawn when it is not filled.
    std::array<bool, 3> edges{true, true, true};
    std::optional<ClippedFrom> clipped;
};

/// What all objects of a draw have in common.
struct Draw {
    State state;
    AttributeState attributes;
    DrawingRectangle drawing;
    std::array<Viewport, 16> viewports;
    std::array<Scissor, 16> scissors;
};

/// Why an object is not drawn.
enum class Discard : std::uint8_t { None, NotANumber, Degenerate, Culled, OutsideClip };

/// What an object becomes: itself, or the edges or corners of a triangle that is not filled.
struct Result {
    std::uint8_t count = 0;
    Discard discard = Discard::None;  ///< why there are none
};
/// Room for what one object may become; it is used again and again.
inline constexpr unsigned kMostObjects = 3;
using Objects = std::array<SetUpObject, kMostObjects>;

Result set_up(const Draw& draw, const Object& object, std::span<SetUpObject, kMostObjects> out);

/// How a whole triangle faces and slopes, for the pieces that clipping makes of it. All of it is in
/// front of the eye.
ClippedFrom facts_of_whole(const Draw& draw, const Object& whole);

/// Lines have one of four styles (WM-18).
LineStyle line_style(const State& state);

}  // namespace gen9::setup
