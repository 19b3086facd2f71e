// SPDX-License-Identifier: Apache-2.0
/// Steps of the filter that are done for all samples of a message at once (filter/by_lane.h).
#pragma once
#include <array>
#include <cstdint>

#include "sampler/filter/request.h"

namespace gen9::sampler {

/// A number of each sample.
template <class T>
using Lanes = UsualPlaces::PerSample<T>;

/// An axis of the levels that the samples take, and the texels found on it.
struct alignas(64) LaneAxis {
    Lanes<double> at;           ///< normalized coordinates
    Lanes<double> rounding;     ///< added before 1/256 texels are cut: 1/2 with address rounding
    Lanes<std::int32_t> size;   ///< texels
    Lanes<std::int32_t> moved;  ///< 1/256 texel
    Lanes<std::int32_t> fractions;  ///< all ones: the filter is linear
    std::array<Lanes<std::int32_t>, 2> index;
    Lanes<float> second;          ///< share of the second texel
    Lanes<std::uint32_t> beyond;  ///< all ones: only the general way finds the sample's texels
};

/// The columns and rows of elements, in bytes and rows from the surface's base.
struct alignas(64) LaneElements {
    std::array<Lanes<std::uint32_t>, 2> x_bytes, y;
    std::array<Lanes<std::uint8_t>, 2> in_x, in_y;  ///< texels in their blocks
};

/// The least and the greatest texel of an axis.
struct Bounds {
    std::int32_t least, greatest;
};

namespace lanes {

/// Gives coordinates. Samples that are not executed take the place of one that is.
void read_coordinates(const std::uint32_t* values, std::uint32_t lanes, Lanes<double>& to);

/// Gives one of two values to each sample.
void select(std::uint32_t samples, std::int32_t with, std::int32_t without,
            Lanes<std::int32_t>& to);
void select(std::uint32_t samples, double with, double without, Lanes<double>& to);

/// Finds the shares of the first or the second of two levels. False: no sample has any.
bool find_level_shares(std::uint32_t lanes, const Lanes<std::uint16_t>& beta, bool second,
                       Lanes<float>& share);

/// Finds the one or two texels around each coordinate, before the address mode.
void find_texels(LaneAxis& axis);

/// Applies an address mode to the texels found. Those that need the border, or with `seams` lie on
/// another face, go the general way.
void apply(AddressMode mode, bool seams, LaneAxis& axis);

/// Finds the rows at which slices of levels begin.
void find_first_rows(const Lanes<std::uint32_t>& level_y, const Lanes<std::uint32_t>& slice,
                     std::uint32_t slice_rows, Lanes<std::uint32_t>& first);

/// Places texels of a level that begins at `first_x` bytes and row `first_y`.
void place_elements(const Lanes<std::int32_t>& column, const Lanes<std::int32_t>& row,
                    const Lanes<std::uint32_t>& first_x, const Lanes<std::uint32_t>& first_y,
                    std::uint32_t bytes, Lanes<std::uint32_t>& x_bytes, Lanes<std::uint32_t>& y);

/// Finds the elements' offsets; none is greater than what it returns.
std::uint32_t place(surface::Tiling tiling, const LaneElements& elements, std::uint32_t pitch,
                    UsualPlaces& places);

/// Finds the shares of a tap: `first` and `second` of its columns or its rows, in the order in which they
/// are multiplied. Counts the taps of samples. False: no sample has any of it.
bool find_shares(const Lanes<float>& share, const Lanes<float>& first, bool first_is_second,
                 const Lanes<float>& then, bool then_is_second, Lanes<float>& own,
                 Lanes<unsigned>& taps);

/// Adds a share of each sample's texel. A share of 0 does not touch an infinity.
void add(const TexelLanes& texels, const Lanes<float>& share, TexelLanes& sum);

/// Gives the results: the sums, but where a sample has one tap that texel itself.
void choose(const Lanes<unsigned>& taps, const TexelLanes& alone, const TexelLanes& sum,
            TexelLanes& results);

/// Have all samples one level and one slice?
bool are_one(const Lanes<std::uint8_t>& level, const Lanes<std::uint32_t>& slice);

/// One more for each sample with a share.
void count_places(const Lanes<float>& share, Lanes<unsigned>& places);

/// Over both texels of all samples.
Bounds bounds_of(const LaneAxis& axis);

}  // namespace lanes

}  // namespace gen9::sampler
