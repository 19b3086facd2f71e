// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/lane_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "common/host.h"
#include "sampler/address/coordinate.h"
#include "sampler/filter/lod.h"
#include "surface/tile_parts.h"

namespace gen9::sampler::lanes {

using surface::column_part;
using surface::row_part;
using surface::Tiling;

namespace {

constexpr unsigned kSamples = Request::kSamples, kEight = 8;

/// Numbers of eight samples, and truths: 0 or -1.
using Eight = std::int32_t __attribute__((vector_size(4 * kEight)));

GEN9_INLINE Eight load(const Lanes<std::int32_t>& from, unsigned first) {
    Eight numbers;
    std::memcpy(&numbers, &from[first], sizeof numbers);
    return numbers;
}
GEN9_INLINE void store(const Eight& numbers, Lanes<std::int32_t>& to, unsigned first) {
    std::memcpy(&to[first], &numbers, sizeof numbers);
}
GEN9_INLINE bool any(const Eight& truths) {
    std::array<std::uint64_t, kEight / 2> pairs;
    std::memcpy(pairs.data(), &truths, sizeof truths);
    return (pairs[0] | pairs[1] | pairs[2] | pairs[3]) != 0;
}

}  // namespace

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

/// WRAP or MIRROR. Divisions are left to sizes that are no powers of two, and texels far from them.
template <bool mirror>
GEN9_INLINE void repeat(const Lanes<std::int32_t>& sizes, Lanes<std::int32_t>& __restrict indices) {
    for (unsigned first = 0; first < kSamples; first += kEight) {
        const Eight index = load(indices, first), size = load(sizes, first), last = size - 1;
        if (!any(size & last)) {
            const Eight in_two = index & (size + last), back = size + last - in_two;
            store(!mirror ? index & last : in_two < back ? in_two : back, indices, first);
            continue;
        }
        const Eight before = index<0, behind = index> last;
        if (!any((index < -size) | (index > size + last))) {
            store(!mirror  ? index + (before & size) - (behind & size)
                  : before ? ~index
                  : behind ? size + last - index
                           : index,
                  indices, first);
            continue;
        }
        for (unsigned n = first; n < first + kEight; ++n)
            indices[n] =
                wrap(mirror ? AddressMode::Mirror : AddressMode::Wrap, indices[n], sizes[n]).index;
    }
}

GEN9_INLINE bool all_inside(const LaneAxis& axis) {
    Eight outside{};
    for (unsigned first = 0; first < kSamples; first += kEight) {
        const Eight size = load(axis.size, first);
        for (const Lanes<std::int32_t>& indices : axis.index) {
            const Eight index = load(indices, first);
            outside |= (index < 0) | (index >= size);
        }
    }
    return !any(outside);
}

}  // namespace

GEN9_FOR_EACH_HOST
void apply(AddressMode mode, bool seams, LaneAxis& __restrict axis) {
    if (all_inside(axis)) return;
    const bool repeats = mode == AddressMode::Wrap || mode == AddressMode::Mirror;
    const std::int32_t border = mode == AddressMode::ClampBorder ? -1 : 0;
    for (unsigned first = 0; first < kSamples; first += kEight) {
        const Eight last = load(axis.size, first) - 1;
        const Eight leaves = border | (seams ? load(axis.fractions, first) : Eight{});
        Eight beyond;
        std::memcpy(&beyond, &axis.beyond[first], sizeof beyond);
        for (Lanes<std::int32_t>& indices : axis.index) {
            const Eight index = load(indices, first);
            const Eight above = index > 0 ? index : Eight{}, inside = above < last ? above : last;
            beyond |= (inside != index) & leaves;
            if (!repeats) store(inside, indices, first);
        }
        std::memcpy(&axis.beyond[first], &beyond, sizeof beyond);
    }
    for (Lanes<std::int32_t>& indices : axis.index)
        if (mode == AddressMode::Wrap)
            repeat<false>(axis.size, indices);
        else if (mode == AddressMode::Mirror)
            repeat<true>(axis.size, indices);
}

GEN9_FOR_EACH_HOST
void find_first_rows(const Lanes<std::uint32_t>& level_y, const Lanes<std::uint32_t>& slice,
                     std::uint32_t slice_rows, Lanes<std::uint32_t>& __restrict first) {
    for (unsigned n = 0; n < kSamples; ++n)
        first[n] = level_y[n] + slice[n] * slice_rows;
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
bool are_one(const Lanes<std::uint8_t>& level, const Lanes<std::uint32_t>& slice) {
    std::uint32_t others = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        others |= slice[n] ^ slice[0];
    std::uint8_t other_levels = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        other_levels |= level[n] ^ level[0];
    return (others | other_levels) == 0;
}

GEN9_FOR_EACH_HOST
void count_places(const Lanes<float>& share, Lanes<unsigned>& __restrict places) {
    for (unsigned n = 0; n < kSamples; ++n)
        places[n] += share[n] > 0 ? 1 : 0;
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
