// SPDX-License-Identifier: Apache-2.0
#include "sampler/address/cube.h"

#include <algorithm>
#include <cmath>

namespace gen9::sampler {

namespace {

/// How the coordinates in a face lie in space: the signs and axes of s, t and the outward normal
/// (Public: OpenGL 4.6 specification, table 8.19).
struct FaceAxes {
    std::int8_t s_axis, s_sign, t_axis, t_sign, axis, sign;
};
constexpr FaceAxes kFaces[6] = {
    {2, -1, 1, -1, 0, 1}, {2, 1, 1, -1, 0, -1}, {0, 1, 2, 1, 1, 1},
    {0, 1, 2, -1, 1, -1}, {0, 1, 1, -1, 2, 1},  {0, -1, 1, -1, 2, -1},
};

}  // namespace

CubePlace place_on_face(unsigned face, double x, double y, double z) {
    const double at[] = {x, y, z};
    const FaceAxes& f = kFaces[face];
    const double major = std::fabs(at[f.axis]);
    const double scale = major > 0 ? 1 / major : 1;
    return {static_cast<std::uint8_t>(face), (f.s_sign * at[f.s_axis] * scale + 1) / 2,
            (f.t_sign * at[f.t_axis] * scale + 1) / 2};
}

CubePlace cube_place(double x, double y, double z) {
    const double ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
    const unsigned axis = ax >= ay && ax >= az ? 0u : ay >= az ? 1u : 2u;
    const double major = axis == 0 ? x : axis == 1 ? y : z;
    return place_on_face(axis * 2 + (major < 0), x, y, z);
}

CubeTexel across_edge(unsigned face, std::int32_t i, std::int32_t j, std::int32_t size) {
    // The texel's middle in space, on the plane of this face, meets the face next to it.
    const FaceAxes& f = kFaces[face];
    double at[3];
    at[f.axis] = f.sign;
    at[f.s_axis] = f.s_sign * ((2.0 * i + 1) / size - 1);
    at[f.t_axis] = f.t_sign * ((2.0 * j + 1) / size - 1);
    const CubePlace place = cube_place(at[0], at[1], at[2]);
    const auto texel = [&](double where) {
        return std::clamp(static_cast<std::int32_t>(std::floor(where * size)), 0, size - 1);
    };
    return {place.face, texel(place.s), texel(place.t)};
}

}  // namespace gen9::sampler
