// SPDX-License-Identifier: Apache-2.0
/// Interpolation at places of the screen: what the payload's barycentrics, depths and W are.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "interpolation/multisample.h"

namespace gen9::interpolation {

inline constexpr unsigned kMaxPlaces = 32;

/// Up to a block's places, in steps of the screen's grid.
struct Places {
    unsigned count = 0;  ///< a multiple of 4
    alignas(16) std::array<std::int32_t, kMaxPlaces> x, y;
};
/// Pixels 8 * row + column of a block, each at the same place in it: pixel sets, or those of a sample.
Places block_places(std::int32_t x, std::int32_t y, SamplePlace place);
/// Slots of 2x2 pixels: four for each, in the order of WM-23.
struct Subspan {
    std::int32_t x = 0, y = 0;  ///< the upper left pixel
    SamplePlace place;
};
Places slot_places(std::span<const Subspan> subspans);
/// Where the centroid sets of a block are evaluated: the first covered sample of a pixel that is
/// not covered whole, else its centre.
Places centroid_places(const PixelBlock& block, const Samples& samples);

/// The screen-linear weights at places.
struct Weights {
    unsigned count = 0;
    alignas(16) std::array<double, kMaxPlaces> l1, l2;
};
Weights weights_at(const Interpolation& interpolation, const Places& places);

struct Barycentrics {
    alignas(16) std::array<float, kMaxPlaces> b1, b2;
};
void linear(const Interpolation& interpolation, const Weights& weights, Barycentrics& out);
void perspective(const Interpolation& interpolation, const Weights& weights, Barycentrics& out);

using PlaceValues = std::array<float, kMaxPlaces>;
/// z with the bias, not clamped.
void source_depth(const Interpolation& interpolation, const Weights& weights, PlaceValues& out);
void source_w(const Interpolation& interpolation, const Weights& weights, PlaceValues& out);

}  // namespace gen9::interpolation
