// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/lane_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/host.h"
#include "sampler/address/coordinate.h"
#include "sampler/filter/lod.h"
#include "surface/tile_parts.h"

namespace gen9::sampler::lanes {

using surface::column_part;
using surface::row_part;
using surface::Tiling;

namespace {
constexpr unsigned kSamples = Request::kSamples;
}

GEN9_FOR_EACH_HOST
void read_coordinates(const std::uint32_t* values, std::uint32_t lanes,
                      Lanes<double>& __restrict to) {
    const std::uint32_t another = values[static_cast<unsigned>(std::countr_zero(lanes)) % kSamples];
    for (unsigned n = 0; n < kSamples; ++n)
        to[n] = double{std::bit_cast<float>(lanes >> n & 1 ? values[n] : another)};
}

GEN9_FOR_EACH_HOST
void select(std::uint32_t samples, std::int32_t with, std::int32_t without,
            Lanes<std::int32_t>& __restrict to) {
    for (unsigned n = 0; n < kSamples; ++n)
        to[n] = samples >> n & 1 ? with : without;
}
GEN9_FOR_EACH_HOST
void select(std::uint32_t samples, double with, double without, Lanes<double>& __restrict to) {
    for (unsigned n = 0; n < kSamples; ++n)
        to[n] = samples >> n & 1 ? with : without;
}

GEN9_FOR_EACH_HOST
bool find_level_shares(std::uint32_t lanes, const Lanes<std::uint16_t>& beta, bool second,
                       Lanes<float>& __restrict share) {
    constexpr float kShare = 1.0f / kLodOne;
    std::uint32_t any = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        const float of_next = static_cast<float>(beta[n]) * kShare;
        const float own = second ? of_next : 1 - of_next;
        share[n] = lanes >> n & 1 ? own : 0;
        any |= share[n] > 0 ? 1 : 0;
    }
    return any != 0;
}

namespace {

/// Coordinates farther than this, in 1/256 texel, go the general way.
constexpr double kFar = 1 << 27;

}  // namespace

GEN9_FOR_EACH_HOST
void find_texels(LaneAxis& __restrict axis) {
    constexpr float kStep = 1.0f / static_cast<float>(kTexel);
    for (unsigned n = 0; n < kSamples; ++n) {
        const double fixed =
            axis.at[n] * (static_cast<double>(kTexel) * axis.size[n]) + axis.rounding[n];
        const bool near = std::fabs(fixed) < kFar;
        axis.beyond[n] = near ? 0 : ~0u;
        const std::int32_t place =
            static_cast<std::int32_t>(std::floor(near ? fixed : 0.0)) + axis.moved[n];
        axis.index[0][n] = place >> kFractionBits;
        const std::int32_t fraction =
            place & static_cast<std::int32_t>(kTexel - 1) & axis.fractions[n];
        axis.second[n] = static_cast<float>(fraction) * kStep;
        axis.index[1][n] = axis.index[0][n] + (fraction != 0 ? 1 : 0);
    }
}

namespace {

/// WRAP or MIRROR. Sizes of powers of two do without a division.
template <bool mirror>
GEN9_INLINE void repeat(const Lanes<std::int32_t>& size, Lanes<std::int32_t>& __restrict index) {
    std::int32_t odd = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        odd |= size[n] & (size[n] - 1);
    if (odd != 0) {
        for (unsigned n = 0; n < kSamples; ++n)
            index[n] =
                wrap(mirror ? AddressMode::Mirror : AddressMode::Wrap, index[n], size[n]).index;
        return;
    }
    for (unsigned n = 0; n < kSamples; ++n) {
        const std::int32_t all = size[n], i = index[n];
        const std::int32_t in_two = i & (2 * all - 1), back = 2 * all - 1 - in_two;
        index[n] = mirror ? std::min(in_two, back) : i & (all - 1);
    }
}

}  // namespace

GEN9_FOR_EACH_HOST
void apply(AddressMode mode, bool seams, LaneAxis& __restrict axis) {
    std::uint32_t outside = 0;
    for (unsigned k = 0; k < 2; ++k)
        for (unsigned n = 0; n < kSamples; ++n)
            outside |= static_cast<std::uint32_t>(axis.index[k][n]) >=
                               static_cast<std::uint32_t>(axis.size[n])
                           ? ~0u
                           : 0u;
    if (outside == 0) return;
    const bool repeats = mode == AddressMode::Wrap || mode == AddressMode::Mirror;
    const std::uint32_t border = mode == AddressMode::ClampBorder ? ~0u : 0u;
    const std::uint32_t linear = seams ? ~0u : 0u;
    for (unsigned k = 0; k < 2; ++k) {
        Lanes<std::int32_t>& index = axis.index[k];
        for (unsigned n = 0; n < kSamples; ++n) {
            const std::int32_t inside = std::min(std::max(index[n], 0), axis.size[n] - 1);
            const std::uint32_t away = inside != index[n] ? ~0u : 0u;
            axis.beyond[n] |=
                away & (border | (linear & static_cast<std::uint32_t>(axis.fractions[n])));
            index[n] = repeats ? index[n] : inside;
        }
        if (mode == AddressMode::Wrap)
            repeat<false>(axis.size, index);
        else if (mode == AddressMode::Mirror)
            repeat<true>(axis.size, index);
    }
}

GEN9_FOR_EACH_HOST
void place_elements(const Lanes<std::int32_t>& column, const Lanes<std::int32_t>& row,
                    const Lanes<std::uint32_t>& first_x, const Lanes<std::uint32_t>& first_y,
                    std::uint32_t bytes, Lanes<std::uint32_t>& __restrict x_bytes,
                    Lanes<std::uint32_t>& __restrict y) {
    for (unsigned n = 0; n < kSamples; ++n)
        x_bytes[n] = first_x[n] + static_cast<std::uint32_t>(column[n]) * bytes;
    for (unsigned n = 0; n < kSamples; ++n)
        y[n] = first_y[n] + static_cast<std::uint32_t>(row[n]);
}

namespace {

template <Tiling tiling>
GEN9_INLINE std::uint32_t place(const LaneElements& elements, std::uint32_t pitch,
                                UsualPlaces& __restrict places) {
    for (unsigned k = 0; k < 2; ++k) {
        for (unsigned n = 0; n < kSamples; ++n)
            places.column[k][n] = column_part<tiling>(elements.x_bytes[k][n]);
        for (unsigned n = 0; n < kSamples; ++n)
            places.row[k][n] = row_part<tiling>(elements.y[k][n], pitch);
    }
    std::uint32_t column = 0, row = 0;
    for (unsigned k = 0; k < 2; ++k)
        for (unsigned n = 0; n < kSamples; ++n) {
            column = std::max(column, places.column[k][n]);
            row = std::max(row, places.row[k][n]);
        }
    return column + row;
}

}  // namespace

GEN9_FOR_EACH_HOST
std::uint32_t place(Tiling tiling, const LaneElements& elements, std::uint32_t pitch,
                    UsualPlaces& places) {
    return tiling == Tiling::Y   ? place<Tiling::Y>(elements, pitch, places)
           : tiling == Tiling::X ? place<Tiling::X>(elements, pitch, places)
                                 : place<Tiling::Linear>(elements, pitch, places);
}

GEN9_FOR_EACH_HOST
bool find_shares(const Lanes<float>& share, const Lanes<float>& first, bool first_is_second,
                 const Lanes<float>& then, bool then_is_second, Lanes<float>& __restrict own,
                 Lanes<unsigned>& __restrict taps) {
    std::uint32_t any = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        own[n] = share[n] * (first_is_second ? first[n] : 1 - first[n]) *
                 (then_is_second ? then[n] : 1 - then[n]);
        const std::uint32_t counts = own[n] > 0 ? 1 : 0;
        taps[n] += counts;
        any |= counts;
    }
    return any != 0;
}

GEN9_FOR_EACH_HOST
void add(const TexelLanes& texels, const Lanes<float>& share, TexelLanes& __restrict sum) {
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned n = 0; n < kSamples; ++n) {
            const auto before = std::bit_cast<float>(sum.channel[c][n]);
            const float more = before + share[n] * std::bit_cast<float>(texels.channel[c][n]);
            sum.channel[c][n] = std::bit_cast<std::uint32_t>(share[n] > 0 ? more : before);
        }
}

GEN9_FOR_EACH_HOST
void choose(const Lanes<unsigned>& taps, const TexelLanes& alone, const TexelLanes& sum,
            TexelLanes& __restrict results) {
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned n = 0; n < kSamples; ++n) {
            const std::uint32_t one = alone.channel[c][n], all = sum.channel[c][n];
            results.channel[c][n] = taps[n] == 1 ? one : all;
        }
}

GEN9_FOR_EACH_HOST
Bounds bounds_of(const LaneAxis& axis) {
    std::int32_t least = axis.index[0][0], greatest = least;
    for (unsigned k = 0; k < 2; ++k)
        for (unsigned n = 0; n < kSamples; ++n) {
            least = std::min(least, axis.index[k][n]);
            greatest = std::max(greatest, axis.index[k][n]);
        }
    return {least, greatest};
}

}  // namespace gen9::sampler::lanes
