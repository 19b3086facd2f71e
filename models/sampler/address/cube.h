// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9::sampler {

/// Faces in the order of their slices: +X, -X, +Y, -Y, +Z, -Z.
struct CubePlace {
    std::uint8_t face = 0;
    double s = 0, t = 0;  ///< in the face, 0 to 1
};

/// The face that a direction points to, and where it meets it (SMP-07). Of equal magnitudes the
/// first of X, Y and Z is taken (Assumed).
CubePlace cube_place(double x, double y, double z);
/// Finds where a direction meets a given face's plane.
CubePlace place_on_face(unsigned face, double x, double y, double z);

/// A texel of a face.
struct CubeTexel {
    std::uint8_t face = 0;
    std::int32_t i = 0, j = 0;
};
/// The texel that lies next to a face's edge: `i` or `j`, not both, may be one texel outside.
CubeTexel across_edge(unsigned face, std::int32_t i, std::int32_t j, std::int32_t size);

}  // namespace gen9::sampler
