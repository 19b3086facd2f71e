// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/pages.h"
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Where the texels of a usual message lie, for all samples at once: one texel, or with `linear`
/// two columns and two rows. A usual message is a sample_lz of a single 2D surface in linear, X or
/// Y tiles, nearest or linear from one level.
struct UsualPlaces {
    template <class T>
    using PerSample = std::array<T, Request::kSamples>;
    bool linear = false;
    /// Offsets in bytes from the surface's base; a texel lies at the sum of two.
    alignas(64) std::array<PerSample<std::uint32_t>, 2> column, row;
    alignas(64) PerSample<float> x, y;  ///< shares of the second column and row
    std::array<std::uint32_t, 2> outside_column, outside_row;  ///< samples that have the border
};

/// False: it is no usual message, and goes the general way.
bool find_usual_places(const Request& request, UsualPlaces& places);

/// Makes taps of the places; they are those that find_taps would find.
void add_usual_taps(Request& request, const UsualPlaces& places);

/// Reads, converts and filters the texels of a usual message without taps: all samples of a channel
/// at once. False: a texel cannot be read directly, is the border, or is to be compared; nothing
/// has been done.
bool filter_usual(Request& request, const UsualPlaces& places, Pages& pages, TexelMemory& memory,
                  TexelLanes& results);

}  // namespace gen9::sampler
