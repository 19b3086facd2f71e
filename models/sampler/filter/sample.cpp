// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/sample.h"

#include <algorithm>

#include "sampler/address/coordinate.h"
#include "sampler/address/cube.h"
#include "sampler/filter/gradients.h"

namespace gen9::sampler {

SamplePlace place_of_sample(const Request& q, unsigned n) {
    const Parameters& p = q.parameters;
    const SampledSurface& s = *q.surface;
    SamplePlace place;
    for (unsigned axis = 0; axis < 3; ++axis)
        place.at[axis] = p.place(static_cast<Parameter>(axis), n);
    if (s.cube()) {
        if (q.decoded->row->lod == LodSource::Gradients) {
            // Already in the face, from -1 to 1 (SMP-145).
            place.face = std::min(array_index(static_cast<float>(place.at[2]), 6), 5u);
            place.at[0] = (place.at[0] + 1) / 2;
            place.at[1] = (place.at[1] + 1) / 2;
        } else {
            const CubePlace on_face = cube_place(place.at[0], place.at[1], place.at[2]);
            place.face = on_face.face;
            place.at[0] = on_face.s;
            place.at[1] = on_face.t;
        }
    }
    if (!s.raw.array) return place;
    const Parameter index = s.cube()              ? Parameter::Ai
                            : s.dimensions() == 1 ? Parameter::V
                                                  : Parameter::R;
    place.slice = array_index(static_cast<float>(p.place(index, n)), s.slices);
    return place;
}

Axes SampleLevels::find_axes(unsigned n) const {
    Axes axes;
    if (row_.lod != LodSource::Neighbours && row_.lod != LodSource::Gradients) return axes;
    const Gradients g =
        row_.lod == LodSource::Neighbours ? neighbour_gradients(q_, n) : given_gradients(q_, n);
    if (m_.min == Filter::Anisotropic && s_.dimensions() == 2)
        return anisotropic_axes(g, m_.max_ratio, m_.ewa);
    return isotropic_axes(g);
}

/// The pixels of a subspan have one length.
std::int32_t SampleLevels::of_length(double length) {
    if (length != length_) {
        length_ = length;
        lod_of_length_ = lod_of_length(length);
    }
    return lod_of_length_;
}

const LodChoice& SampleLevels::choose(unsigned n, double length) {
    const Parameters& p = q_.parameters;
    std::int32_t lod = m_.bias;
    if (row_.lod == LodSource::Parameter)
        lod += lod_of_float(p.number(Parameter::Lod, n));
    else if (row_.lod != LodSource::Zero)
        lod += of_length(length);
    // SMP-23: the bias of the message reaches from -16 to 16.
    clamped_bias_ = false;
    if (row_.bias) {
        const std::int32_t given = lod_of_float(p.number(Parameter::Bias, n));
        const std::int32_t bias = std::clamp(given, -16 * kLodOne, 16 * kLodOne - 1);
        clamped_bias_ = bias != given;
        lod += bias;
    }
    const float own_least = p.number(Parameter::MinLod, n);
    const std::int32_t least = own_least == 0 ? 0 : lod_of_float(own_least);
    if (!chosen_ || lod != chosen_lod_ || least != chosen_least_) {
        choice_ = choose_lod(s_, m_, lod, least);
        chosen_ = true;
        chosen_lod_ = lod;
        chosen_least_ = least;
    }
    return choice_;
}

}  // namespace gen9::sampler
