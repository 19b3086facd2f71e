// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/texel_place.h"

namespace gen9::sampler {

void TexelPlacer::add_chroma(const At& at, std::uint32_t i, std::uint32_t j, float weight,
                             From from) {
    const auto add = [&](unsigned plane, unsigned channels, Plane kind) {
        request_.add(address(at, (std::uint64_t{surface_.chroma_x[plane]} + i * channels) * bytes_,
                             std::uint64_t{surface_.chroma_y[plane]} + j),
                     weight, at.sample, 0, 0, from, kind);
    };
    if (!surface_.separate_chroma) return add(0, 2, Plane::Chroma);
    add(0, 1, Plane::U);
    add(1, 1, Plane::V);
}

}  // namespace gen9::sampler
