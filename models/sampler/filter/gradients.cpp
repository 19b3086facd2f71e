// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/gradients.h"

#include "sampler/address/cube.h"

namespace gen9::sampler {

namespace {

/// Texels of the base level that a unit of each coordinate spans. What a message has in place of a
/// coordinate that the surface lacks may be anything, NaN too: drivers leave such registers as they
/// are when a parameter behind them is wanted.
void to_texels(const Request& q, Gradients& g) {
    const SampledSurface& s = *q.surface;
    const Level& base = s.base();
    const double sizes[] = {static_cast<double>(base.width), static_cast<double>(base.height),
                            static_cast<double>(base.depth)};
    for (unsigned axis = 0; axis < 3; ++axis) {
        if (axis >= s.dimensions()) {
            g.dx[axis] = g.dy[axis] = 0;
            continue;
        }
        const double scale = q.sampler->normalized ? sizes[axis] : 1;
        g.dx[axis] *= scale;
        g.dy[axis] *= scale;
    }
}

}  // namespace

Gradients neighbour_gradients(const Request& q, unsigned sample) {
    const unsigned upper_left = sample & ~3u;
    const auto pixel = [&](unsigned n, double at[3]) {
        for (unsigned axis = 0; axis < 3; ++axis)
            at[axis] = q.parameters.place(static_cast<Parameter>(axis), upper_left + n);
    };
    double at[3][3];
    for (unsigned n = 0; n < 3; ++n)
        pixel(n, at[n]);
    if (q.surface->cube()) {
        // All three on the sample's own face: where a pixel of a triangle's corner is alone in its
        // subspan, the upper left one may point far beyond an edge.
        double own[3];
        pixel(sample & 3u, own);
        const unsigned face = cube_place(own[0], own[1], own[2]).face;
        for (auto& p : at) {
            const CubePlace place = place_on_face(face, p[0], p[1], p[2]);
            p[0] = place.s;
            p[1] = place.t;
        }
    }
    Gradients g;
    for (unsigned axis = 0; axis < 3; ++axis) {
        g.dx[axis] = at[1][axis] - at[0][axis];
        g.dy[axis] = at[2][axis] - at[0][axis];
    }
    to_texels(q, g);
    return g;
}

Gradients given_gradients(const Request& q, unsigned sample) {
    const auto number = [&](Parameter which) { return double{q.parameters.number(which, sample)}; };
    Gradients g;
    const double face = q.surface->cube() ? 0.5 : 1;  // a face spans from -1 to 1
    g.dx[0] = number(Parameter::DuDx) * face;
    g.dy[0] = number(Parameter::DuDy) * face;
    g.dx[1] = number(Parameter::DvDx) * face;
    g.dy[1] = number(Parameter::DvDy) * face;
    g.dx[2] = number(Parameter::DrDx);
    g.dy[2] = number(Parameter::DrDy);
    to_texels(q, g);
    return g;
}

}  // namespace gen9::sampler
