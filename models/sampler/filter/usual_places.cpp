// SPDX-License-Identifier: Apache-2.0
// Which messages are usual ones, and where their samples' texels lie.
#include <algorithm>
#include <bit>

#include "common/host.h"
#include "sampler/address/coordinate.h"
#include "sampler/filter/gradients.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/lod.h"
#include "sampler/filter/usual.h"
#include "surface/tile_parts.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;
using surface::column_part;
using surface::row_part;
using surface::Tiling;

constexpr unsigned kSamples = Request::kSamples, kTaps = UsualTexels::kTaps;

/// The samples of a message have this in common along an axis.
struct Axis {
    AddressMode mode;
    double scale;  ///< from a coordinate to 1/256 texel
    bool round;
    std::int32_t offset;  ///< 1/256 texel
    std::uint32_t size;
};

/// The texels of all samples along an axis.
struct Indices {
    alignas(64) std::array<std::array<std::int32_t, kSamples>, 2> at;
    std::array<std::uint32_t, 2> outside{};
};

/// Applies the address mode to texels of which some lie beyond the surface.
GEN9_INLINE void wrap_each(const Axis& axis, std::array<std::int32_t, kSamples>& index,
                           std::uint32_t& outside) {
    if (axis.mode == AddressMode::Clamp) {
        for (std::int32_t& i : index)
            i = std::min(std::max(i, 0), static_cast<std::int32_t>(axis.size) - 1);
    } else {
        for (unsigned n = 0; n < kSamples; ++n) {
            const Wrapped wrapped = wrap(axis.mode, index[n], axis.size);
            index[n] = wrapped.index;
            outside |= std::uint32_t{wrapped.outside} << n;
        }
    }
}

/// False: a coordinate that only the general way takes. `share`: of the second texel.
GEN9_INLINE bool find_axis(const Axis& axis, const std::uint32_t* __restrict coordinates,
                           std::uint32_t active, bool linear, Indices& __restrict indices,
                           std::array<float, kSamples>& __restrict share) {
    // Near: in 1/256 texel below 2^28.
    const auto limit = std::bit_cast<std::uint32_t>(static_cast<float>((1 << 27) / axis.scale));
    // Samples that are not executed take the place of one that is.
    alignas(64) std::uint32_t near[kSamples];
    if (active != 0xFFFF) {
        const std::uint32_t another =
            coordinates[static_cast<unsigned>(std::countr_zero(active)) % kSamples];
        for (unsigned n = 0; n < kSamples; ++n)
            near[n] = active >> n & 1 ? coordinates[n] : another;
        coordinates = near;
    }
    std::uint32_t farthest = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        farthest = std::max(farthest, coordinates[n] & 0x7FFFFFFF);
    if (farthest > limit) return false;
    alignas(64) double fixed[kSamples];
    alignas(64) std::int32_t floors[kSamples];
    const double half = axis.round ? 0.5 : 0.0;
    for (unsigned n = 0; n < kSamples; ++n)
        fixed[n] = double{std::bit_cast<float>(coordinates[n])} * axis.scale + half;
    for (unsigned n = 0; n < kSamples; ++n) {
        const auto whole = static_cast<double>(static_cast<std::int32_t>(fixed[n]));
        floors[n] = static_cast<std::int32_t>(whole - (whole > fixed[n] ? 1.0 : 0.0));
    }
    const std::int32_t shift = axis.offset - (linear ? static_cast<std::int32_t>(kTexel) / 2 : 0);
    constexpr float kStep = 1.0f / static_cast<float>(kTexel);
    std::uint32_t most = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        const std::int32_t place = floors[n] + shift;
        const std::int32_t index = place >> kFractionBits;
        indices.at[0][n] = index;
        indices.at[1][n] = index + 1;
        share[n] = static_cast<float>(place & static_cast<std::int32_t>(kTexel - 1)) * kStep;
        most = std::max(most, static_cast<std::uint32_t>(index));
    }
    if (most >= axis.size) wrap_each(axis, indices.at[0], indices.outside[0]);
    if (linear && most >= axis.size - 1) wrap_each(axis, indices.at[1], indices.outside[1]);
    return true;
}

template <Tiling tiling>
GEN9_INLINE void place(const Request& q, const Level& level, std::uint32_t slice_row,
                       const Indices& i, const Indices& j, UsualPlaces& places) {
    const std::uint32_t bytes = q.surface->format->bytes, pitch = q.surface->raw.pitch_bytes;
    const auto x = static_cast<std::uint32_t>(level.place.x_bytes);
    const std::uint32_t y = static_cast<std::uint32_t>(level.place.y) + slice_row;
    for (unsigned k = 0; k < (places.linear ? 2u : 1u); ++k)
        for (unsigned n = 0; n < kSamples; ++n) {
            places.column[k][n] =
                column_part<tiling>(x + static_cast<std::uint32_t>(i.at[k][n]) * bytes);
            places.row[k][n] = row_part<tiling>(y + static_cast<std::uint32_t>(j.at[k][n]), pitch);
        }
}

/// Adds the number of the slice of an array that all samples take. False: they take several.
bool find_slice(const Request& q, std::uint32_t& slice) {
    const std::uint32_t* const index = q.parameters[Parameter::R];
    const std::uint32_t first = index[static_cast<unsigned>(std::countr_zero(q.active)) % kSamples];
    for (unsigned n = 0; n < kSamples; ++n)
        if ((q.active >> n & 1) && index[n] != first) return false;
    slice += array_index(std::bit_cast<float>(first), q.surface->slices);
    return true;
}

/// The level that all samples of a message take, and filter alike. False: they take several, or it is
/// not seen here that they take one.
bool find_level(const Request& q, LodChoice& level) {
    const SampledSurface& s = *q.surface;
    const SamplerState& m = *q.sampler;
    const MessageRow& row = *q.decoded->row;
    if (row.lod == LodSource::Zero) {
        level = choose_lod(s, m, m.bias, 0);
        return true;
    }
    std::uint32_t least = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        least |= q.parameters[Parameter::MinLod][n];
    const bool derives = row.lod != LodSource::Parameter;
    if (row.bias || row.kill || least != 0 || (derives && m.min == Filter::Anisotropic))
        return false;
    // A level that the least and the greatest LOD take is every sample's.
    const LodChoice highest = choose_lod(s, m, m.bias + kFarthestLod, 0);
    level = choose_lod(s, m, m.bias - kFarthestLod, 0);
    const bool alike = m.min == m.mag && m.round_min == m.round_mag;
    if (alike && level.clamped == highest.clamped &&
        (m.mip == MipFilter::None || !m.mag_clamp_none))
        return true;
    if (row.lod == LodSource::Gradients) return false;
    bool chosen = false;
    const unsigned step = derives ? 4 : 1;
    for (unsigned n = 0; n < kSamples; n += step) {
        if (!(q.active >> n & ((1u << step) - 1))) continue;
        const std::int32_t lod =
            derives ? lod_of_length(isotropic_axes(neighbour_gradients(q, n)).lod_length)
                    : lod_of_float(q.parameters.number(Parameter::Lod, n));
        const LodChoice own = choose_lod(s, m, m.bias + lod, 0);
        if (!chosen)
            level = own;
        else if (own.level != level.level || own.beta != level.beta ||
                 (!alike && own.magnified != level.magnified))
            return false;
        chosen = true;
    }
    return chosen;
}

bool plain_mode(AddressMode mode) {
    return mode != AddressMode::MirrorOnce && mode != AddressMode::HalfBorder;
}

}  // namespace

GEN9_FOR_EACH_HOST
bool find_usual_places(const Request& q, UsualPlaces& places) {
    const SampledSurface& s = *q.surface;
    const MessageRow& row = *q.decoded->row;
    const surface::Surface& raw = s.raw;
    if (row.kind != Kind::Sample || q.parameters.wide) return false;
    if (raw.type != state::SURFTYPE_2D || s.format->blocks() || s.format->planar() ||
        raw.line_stride || raw.line_offset || raw.tiling > Tiling::Y || raw.tiling == Tiling::W)
        return false;
    const SamplerState& m = *q.sampler;
    if (!plain_mode(m.address[0]) || !plain_mode(m.address[1])) return false;
    LodChoice lod;
    if (!find_level(q, lod) || lod.out_of_bounds || lod.beta) return false;
    const Level& level = s.levels[lod.level];
    // Levels that are not the view's first have coordinates of their own scale, if those are in texels.
    if (!m.normalized && (level.width != s.base().width || level.height != s.base().height))
        return false;
    std::uint32_t slice = raw.min_array_element;
    if (raw.array && !find_slice(q, slice)) return false;
    const std::uint64_t slice_row = std::uint64_t{slice} * raw.qpitch_rows;
    // Offsets have 32 bits, from the page's begin on.
    if (((level.place.y + slice_row + level.height + 32) * raw.pitch_bytes + Pages::kBytes) >> 32)
        return false;
    const Filter filter = lod.magnified ? m.mag : m.min;
    const auto& round = lod.magnified ? m.round_mag : m.round_min;
    if (filter == Filter::Mono) return false;
    places.linear = filter != Filter::Nearest && !s.format->integer();
    const auto axis = [&](unsigned n, std::uint32_t size) {
        return Axis{m.address[n], static_cast<double>(kTexel) * (m.normalized ? size : 1), round[n],
                    q.header.offset[n] * static_cast<std::int32_t>(kTexel), size};
    };
    Indices i, j;
    if (!find_axis(axis(0, level.width), q.parameters[Parameter::U], q.active, places.linear, i,
                   places.x) ||
        !find_axis(axis(1, level.height), q.parameters[Parameter::V], q.active, places.linear, j,
                   places.y))
        return false;
    if (s.has_clear_blocks) {
        places.level = lod.level;
        places.slice = slice;
        places.across = i.at;
        places.down = j.at;
    }
    places.outside_column = i.outside;
    places.outside_row = j.outside;
    if (raw.tiling == Tiling::Y)
        place<Tiling::Y>(q, level, static_cast<std::uint32_t>(slice_row), i, j, places);
    else if (raw.tiling == Tiling::X)
        place<Tiling::X>(q, level, static_cast<std::uint32_t>(slice_row), i, j, places);
    else
        place<Tiling::Linear>(q, level, static_cast<std::uint32_t>(slice_row), i, j, places);
    return true;
}

void add_usual_taps(Request& q, const UsualPlaces& places) {
    const unsigned samples = q.decoded->samples();
    for (unsigned n = 0; n < samples; ++n) {
        q.first_tap[n] = q.tap_count;
        if (!(q.active >> n & 1)) continue;
        ++q.places;
        q.points = static_cast<std::uint16_t>(q.points + !places.linear);
        for (unsigned k = 0; k < (places.linear ? kTaps : 1u); ++k) {
            const unsigned column = k & 1, row = k >> 1;
            float weight = 1;
            if (places.linear)
                weight = (row ? places.y[n] : 1 - places.y[n]) *
                         (column ? places.x[n] : 1 - places.x[n]);
            if (weight == 0) continue;
            const bool outside = (places.outside_column[column] | places.outside_row[row]) >> n & 1;
            q.add(outside ? 0
                          : (q.surface->raw.base + places.column[column][n] + places.row[row][n]) &
                                kAddressMask,
                  weight, n, 0, 0, outside ? From::Border : From::Surface);
        }
    }
    q.first_tap[samples] = q.tap_count;
}

GEN9_FOR_EACH_HOST
bool needs_no_taps(Request& q, const UsualPlaces& places) {
    if (!q.surface->format->decode.lanes || q.key || compares(q) || q.decoded->row->extremum ||
        q.sampler->reduction != Reduction::Standard)
        return false;
    std::uint32_t outside = places.outside_column[0] | places.outside_row[0];
    if (places.linear) outside |= places.outside_column[1] | places.outside_row[1];
    if (outside & q.active) return false;
    unsigned texels = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        const unsigned x = places.x[n] > 0, y = places.y[n] > 0;
        texels += (1 + x) * (1 + y) * (q.active >> n & 1);
    }
    const auto samples = static_cast<unsigned>(std::popcount(q.active));
    q.places = static_cast<std::uint16_t>(samples);
    q.points = places.linear ? std::uint16_t{0} : q.places;
    q.texels = places.linear ? texels : samples;
    return true;
}

}  // namespace gen9::sampler
