// SPDX-License-Identifier: Apache-2.0
/// Clip: what becomes of an object at the view volume, the guard band and user planes (core half).
/// Role     classifies an object by its vertices' outcodes, cuts it where it must be cut
/// Order    planes are cut in the order w, near, far, guard band (left, right, bottom, top), user
///          0..7; a new vertex is computed from the vertex inside to the one outside, so that two
///          triangles get the same vertex on their common edge
/// Not here facing, culling, viewport (setup); attributes: those of a cut object stay those of its
///          own vertices, and each new corner has its weights in them
/// Spec     CL-09..18, CL-21..26; 003:13893-14303. Where the seeds leave the arithmetic open it is
///          double, an assumption that no program can tell from another
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace gen9::clip {

/// The test reads a vertex's position in clip space, x y z w, and its distances (CL-08).
struct Vertex {
    std::array<float, 4> position{};
    std::array<float, 8> distance{};
};

/// ClipMode of 3DSTATE_CLIP (CL-26).
enum class Mode : std::uint8_t { Normal = 0, RejectAll = 3, AcceptAll = 4 };

/// A rectangle in normalised device coordinates.
struct Limits {
    float x_min = -1, x_max = 1, y_min = -1, y_max = 1;
};

struct State {
    Mode mode = Mode::Normal;
    bool divides = true;       ///< positions are divided by w; else they are on the screen already
    bool viewport_xy = false;  ///< test against -1..1
    bool guard_band = false;   ///< test against `guard`
    bool near = true, far = true;
    bool depth_from_zero = false;  ///< the near plane is z = 0 (D3D), else z = -w
    std::uint8_t clip_mask = 0;    ///< distances that clip (CL-06)
    std::uint8_t cull_mask = 0;    ///< distances that only reject (CL-05)
    Limits guard;
};

enum class Fate : std::uint8_t {
    Accept,  ///< goes on as it is
    Reject,
    Bad,  ///< a vertex is no number (CL-11); it is dropped
    Cut,  ///< partly outside of what set-up can draw
};

/// Says what becomes of a point, line or triangle, which has 1, 2 or 3 vertices (CL-21..25).
Fate classify(const State& state, std::span<const Vertex> vertices);

/// A corner of what is left of an object.
struct Corner {
    std::array<float, 4> position{};  ///< in clip space
    /// Weights of the object's vertices 1 and 2 here; that of vertex 0 is the rest. `b` is linear in
    /// clip space (for perspective interpolation), `l` on the screen.
    double b1 = 0, b2 = 0, l1 = 0, l2 = 0;
    std::int8_t original = -1;  ///< the object's vertex that it is, or -1
};

/// Corners of a triangle that is cut by all planes.
inline constexpr unsigned kMaxCorners = 3 + 1 + 2 + 4 + 8;

struct Piece {
    unsigned count = 0;  ///< 0: nothing is left
    std::array<Corner, kMaxCorners> corners{};
};

/// Cuts a line or triangle; the corners go round as the object's vertices do.
Piece cut(const State& state, std::span<const Vertex> vertices);

}  // namespace gen9::clip
