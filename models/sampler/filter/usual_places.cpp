// SPDX-License-Identifier: Apache-2.0
// Which messages are usual ones, and where their samples' texels lie.
#include <algorithm>
#include <bit>
#include <cmath>

#include "common/eight.h"
#include "common/host.h"
#include "sampler/address/coordinate.h"
#include "sampler/filter/gradients.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/near_places.h"
#include "sampler/filter/usual.h"
#include "surface/tile_parts.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;
using surface::column_part;
using surface::row_part;
using surface::Tiling;

constexpr unsigned kSamples = Request::kSamples, kTaps = UsualTexels::kTaps;

using Lanes = UsualPlaces::PerSample<std::int32_t>;

/// The texels of all samples along an axis.
struct Indices {
    alignas(64) std::array<Lanes, 2> at;
    std::array<std::uint32_t, 2> outside{};
    std::uint32_t farthest = 0;  ///< no texel is farther
};

/// The greatest of numbers without a sign: beyond `size` where one is below 0 or too large.
GEN9_INLINE std::uint32_t farthest_of(const Lanes& index) {
    std::uint32_t most = 0;
    for (const std::int32_t i : index)
        most = std::max(most, static_cast<std::uint32_t>(i));
    return most;
}

/// Applies the address mode to texels of which some lie beyond the surface: where that is by less than
/// its size, to all at once.
GEN9_INLINE void wrap_each(const UsualAxis& axis, Lanes& __restrict index, std::uint32_t& outside) {
    if (farthest_of(index) < axis.size) return;
    const auto size = static_cast<std::int32_t>(axis.size);
    if (axis.mode == AddressMode::Clamp) {
        for (std::int32_t& i : index)
            i = std::min(std::max(i, 0), size - 1);
        return;
    }
    if (axis.mode == AddressMode::Wrap) {
        for (std::int32_t& i : index) {
            const std::int32_t up = i + (i < 0 ? size : 0);
            i = up - (up >= size ? size : 0);
        }
    } else if (axis.mode == AddressMode::Mirror) {
        for (std::int32_t& i : index) {
            const std::int32_t up = i < 0 ? -1 - i : i;
            i = up >= size ? 2 * size - 1 - up : up;
        }
    }
    if (farthest_of(index) < axis.size) return;
    for (unsigned n = 0; n < kSamples; ++n) {
        const Wrapped wrapped = wrap(axis.mode, index[n], axis.size);
        index[n] = wrapped.index;
        outside |= std::uint32_t{wrapped.outside} << n;
    }
}

/// False: a coordinate that only the general way takes. `share`: of the second texel.
GEN9_INLINE bool find_axis(const UsualAxis& axis, const UsualCoordinate& at, std::uint32_t active,
                           bool linear, Indices& __restrict indices,
                           std::array<float, kSamples>& __restrict share) {
    alignas(64) std::uint32_t coordinates[kSamples];
    copy_eight(at.low, coordinates);
    copy_eight(at.high, coordinates + kSamples / 2);
    if (active != 0xFFFF) {
        // Samples that are not executed take the place of one that is.
        const std::uint32_t another =
            coordinates[static_cast<unsigned>(std::countr_zero(active)) % kSamples];
        for (unsigned n = 0; n < kSamples; ++n)
            coordinates[n] = active >> n & 1 ? coordinates[n] : another;
    }
    std::uint32_t farthest = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        farthest = std::max(farthest, coordinates[n] & 0x7FFFFFFF);
    if (farthest > axis.limit) return false;
    constexpr float kStep = 1.0f / static_cast<float>(kTexel);
    for (unsigned n = 0; n < kSamples; ++n) {
        const double fixed =
            double{std::bit_cast<float>(coordinates[n])} * axis.scale + axis.rounding;
        const std::int32_t place = static_cast<std::int32_t>(std::floor(fixed)) + axis.shift;
        indices.at[0][n] = place >> kFractionBits;
        share[n] = static_cast<float>(place & static_cast<std::int32_t>(kTexel - 1)) * kStep;
    }
    const std::uint32_t most = farthest_of(indices.at[0]);
    if (linear)
        for (unsigned n = 0; n < kSamples; ++n)
            indices.at[1][n] = indices.at[0][n] + 1;
    indices.farthest = most + (linear ? 1 : 0);
    if (most < axis.size && indices.farthest < axis.size) return true;
    wrap_each(axis, indices.at[0], indices.outside[0]);
    if (linear) wrap_each(axis, indices.at[1], indices.outside[1]);
    indices.farthest = axis.size - 1;
    return true;
}

template <Tiling tiling, bool linear>
GEN9_INLINE void place(const Request& q, const UsualForm& form, std::uint32_t slice_row,
                       const Indices& i, const Indices& j, UsualPlaces& __restrict places) {
    const std::uint32_t bytes = q.surface->format->bytes, pitch = q.surface->raw.pitch_bytes;
    const std::uint32_t x = form.x_bytes, y = form.y + slice_row;
    const auto place_columns = [&](unsigned k) __attribute__((always_inline)) {
        for (unsigned n = 0; n < kSamples; ++n)
            places.column[k][n] =
                column_part<tiling>(x + static_cast<std::uint32_t>(i.at[k][n]) * bytes);
    };
    const auto place_rows = [&](unsigned k) __attribute__((always_inline)) {
        for (unsigned n = 0; n < kSamples; ++n)
            places.row[k][n] = row_part<tiling>(y + static_cast<std::uint32_t>(j.at[k][n]), pitch);
    };
    place_columns(0);
    place_rows(0);
    if constexpr (linear) {
        place_columns(1);
        place_rows(1);
    }
}
template <Tiling tiling>
GEN9_INLINE void place(const Request& q, const UsualForm& form, std::uint32_t slice_row,
                       const Indices& i, const Indices& j, UsualPlaces& places) {
    form.linear ? place<tiling, true>(q, form, slice_row, i, j, places)
                : place<tiling, false>(q, form, slice_row, i, j, places);
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

bool filters_alike(const SamplerState& m) {
    return m.min == m.mag && m.round_min == m.round_mag;
}

/// Finds the level of all messages of a form, if they have one. False: no message of it is seen to
/// have samples of one level.
bool find_one_level(const Request& q, UsualForm& form) {
    const SampledSurface& s = *q.surface;
    const SamplerState& m = *q.sampler;
    const MessageRow& row = *q.decoded->row;
    if (row.lod == LodSource::Zero) {
        form.choice = choose_lod(s, m, m.bias, 0);
        form.one_level = true;
        return true;
    }
    if (row.bias || row.kill || (row.lod != LodSource::Parameter && m.min == Filter::Anisotropic))
        return false;
    // A level that the least and the greatest LOD take is every sample's.
    const LodChoice highest = choose_lod(s, m, m.bias + kFarthestLod, 0);
    form.choice = choose_lod(s, m, m.bias - kFarthestLod, 0);
    form.one_level = filters_alike(m) && form.choice.clamped == highest.clamped &&
                     (m.mip == MipFilter::None || !m.mag_clamp_none);
    return form.one_level || row.lod != LodSource::Gradients;
}

/// The level that all samples of a message take, and filter alike. False: they take several, or it is
/// not seen here that they take one.
bool choose_level(const Request& q, LodChoice& level) {
    const SampledSurface& s = *q.surface;
    const SamplerState& m = *q.sampler;
    const bool derives = q.decoded->row->lod != LodSource::Parameter;
    const bool alike = filters_alike(m);
    bool chosen = false;
    const unsigned step = derives ? 4 : 1;
    for (unsigned n = 0; n < kSamples; n += step) {
        if (!(q.active >> n & ((1u << step) - 1))) continue;
        const std::int32_t lod =
            derives ? lod_of_length(isotropic_axes(neighbour_gradients(q, n)).lod_length)
                    : lod_of_float(q.parameters.number(Parameter::Lod, n));
        const LodChoice own = choose_lod(s, m, m.bias + lod, 0);
        if (own.beta != 0) return false;  // between two levels
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

/// Finds how the rows of a level lie.
void find_rows(const SampledSurface& s, const Level& level, UsualForm& form) {
    const std::uint32_t tile_bytes = s.raw.tiling == Tiling::Y   ? 128
                                     : s.raw.tiling == Tiling::X ? 512
                                                                 : 1;
    form.row_bytes = s.raw.pitch_bytes / tile_bytes * tile_bytes;
    const std::uint64_t used = level.place.x_bytes + std::uint64_t{level.width} * s.format->bytes;
    form.tile_rows = used > form.row_bytes       ? 0
                     : s.raw.tiling == Tiling::Y ? 32
                     : s.raw.tiling == Tiling::X ? 8
                                                 : 1;
    if (form.tile_rows == 0) return;
    const std::uint32_t first = form.y + s.raw.min_array_element * s.raw.qpitch_rows;
    form.begin = first / form.tile_rows * form.tile_rows * form.row_bytes;
}

/// Takes the form's choice of a level. False: samples of it go the general way.
bool enter_level(const Request& q, UsualForm& form) {
    const SampledSurface& s = *q.surface;
    const SamplerState& m = *q.sampler;
    const LodChoice& lod = form.choice;
    form.has_level = false;
    if (lod.out_of_bounds || lod.beta) return false;
    const Level& level = s.levels[lod.level];
    // Levels that are not the view's first have coordinates of their own scale, if those are in texels.
    if (!m.normalized && (level.width != s.base().width || level.height != s.base().height))
        return false;
    // Offsets have 32 bits, from the page's begin on.
    const std::uint64_t slices = s.raw.array ? std::uint64_t{s.slices} : 1;
    const std::uint64_t slice_rows = (slices + s.raw.min_array_element) * s.raw.qpitch_rows;
    if (((level.place.y + slice_rows + level.height + 32) * s.raw.pitch_bytes + Pages::kBytes) >>
        32)
        return false;
    const Filter filter = lod.magnified ? m.mag : m.min;
    const auto& round = lod.magnified ? m.round_mag : m.round_min;
    if (filter == Filter::Mono) return false;
    form.linear = filter != Filter::Nearest && !s.format->integer();
    const std::uint32_t sizes[] = {level.width, level.height};
    for (unsigned n = 0; n < 2; ++n) {
        UsualAxis& axis = form.axes[n];
        axis.mode = m.address[n];
        axis.size = sizes[n];
        axis.scale = static_cast<double>(kTexel) * (m.normalized ? sizes[n] : 1);
        axis.rounding = round[n] ? 0.5 : 0.0;
        // Near: in 1/256 texel below 2^28.
        axis.limit = std::bit_cast<std::uint32_t>(static_cast<float>((1 << 27) / axis.scale));
        axis.shift = q.header.offset[n] * static_cast<std::int32_t>(kTexel) -
                     (form.linear ? static_cast<std::int32_t>(kTexel) / 2 : 0);
    }
    const std::uint32_t bytes = s.format->bytes;
    form.x_bytes = static_cast<std::uint32_t>(level.place.x_bytes);
    form.y = static_cast<std::uint32_t>(level.place.y);
    form.aligned = std::has_single_bit(bytes) &&
                   !((s.raw.base | form.x_bytes | s.raw.pitch_bytes) & (bytes - 1));
    find_rows(s, level, form);
    return form.has_level = true;
}

}  // namespace

bool make_usual_form(const Request& q, UsualForm& form) {
    const SampledSurface& s = *q.surface;
    const MessageRow& row = *q.decoded->row;
    const surface::Surface& raw = s.raw;
    if (row.kind != Kind::Sample || q.decoded->simd == Simd::Double) return false;
    if (raw.type != state::SURFTYPE_2D || s.format->blocks() || s.format->planar() ||
        raw.line_stride || raw.line_offset || raw.tiling > Tiling::Y || raw.tiling == Tiling::W)
        return false;
    const SamplerState& m = *q.sampler;
    if (!plain_mode(m.address[0]) || !plain_mode(m.address[1])) return false;
    form.no_taps = s.format->decode.lanes && !q.key && !compares(q) && !row.extremum &&
                   m.reduction == Reduction::Standard;
    if (row.lod != LodSource::Zero)
        for (unsigned n = 0; n < q.decoded->params; ++n)
            form.has_least = form.has_least || row.params[n] == Parameter::MinLod;
    return find_one_level(q, form) && (!form.one_level || enter_level(q, form));
}

namespace {

/// Texels with a share of 0 are not read.
GEN9_INLINE unsigned count_texels(std::uint32_t active, const UsualPlaces& places) {
    std::uint32_t texels = 0;
    if (active == 0xFFFF) {
        for (unsigned n = 0; n < kSamples; ++n)
            texels += (places.x[n] > 0 ? 2u : 1u) << (places.y[n] > 0 ? 1 : 0);
        return texels;
    }
    for (unsigned n = 0; n < kSamples; ++n)
        texels += (active >> n & 1) * (places.x[n] > 0 ? 2u : 1u) * (places.y[n] > 0 ? 2u : 1u);
    return texels;
}

}  // namespace

UsualCoordinates usual_coordinates(const Request& q) {
    const auto coordinate = [&](Parameter which) {
        const auto* const low = reinterpret_cast<const std::uint8_t*>(q.parameters[which]);
        return UsualCoordinate{low, q.decoded->simd == Simd::Eight ? low : low + kGrfBytes};
    };
    return {coordinate(Parameter::U), coordinate(Parameter::V)};
}

namespace {

/// Takes the level of a message that has one of its own. False: its samples take several, or it is
/// not seen here which they take.
GEN9_FOR_EACH_HOST
bool find_own_level(const Request& q, UsualForm& form) {
    if (form.has_least) {
        std::uint32_t least = 0;
        for (unsigned n = 0; n < kSamples; ++n)
            least |= q.parameters[Parameter::MinLod][n];
        if (least != 0) return false;
    }
    if (form.one_level) return true;
    // The form keeps the level that it has entered until there is another.
    LodChoice own;
    if (!choose_level(q, own)) return false;
    const LodChoice& entered = form.choice;
    if (form.has_level && entered.level == own.level && entered.beta == own.beta &&
        entered.magnified == own.magnified)
        return true;
    form.choice = own;
    return enter_level(q, form);
}

/// `active`: of 16 samples.
GEN9_FOR_EACH_HOST
bool find_any_places(const Request& q, const UsualForm& form, const UsualCoordinates& at,
                     std::uint32_t active, std::uint32_t slice_row, UsualPlaces& places) {
    const SampledSurface& s = *q.surface;
    Indices i, j;
    if (!find_axis(form.axes[0], at.u, active, form.linear, i, places.x) ||
        !find_axis(form.axes[1], at.v, active, form.linear, j, places.y))
        return false;
    if (s.has_clear_blocks) {
        places.across = i.at;
        places.down = j.at;
    }
    places.outside_column = i.outside;
    places.outside_row = j.outside;
    const std::uint32_t outside = i.outside[0] | i.outside[1] | j.outside[0] | j.outside[1];
    places.border = (outside & q.active) != 0;
    places.end = form.end_of_row(form.y + slice_row + j.farthest);
    places.texels = form.linear ? count_texels(q.active, places)
                                : static_cast<unsigned>(std::popcount(q.active));
    if (s.raw.tiling == Tiling::Y)
        place<Tiling::Y>(q, form, slice_row, i, j, places);
    else if (s.raw.tiling == Tiling::X)
        place<Tiling::X>(q, form, slice_row, i, j, places);
    else
        place<Tiling::Linear>(q, form, slice_row, i, j, places);
    return true;
}

}  // namespace

bool find_usual_places(const Request& q, UsualForm& form, const UsualCoordinates& at,
                       UsualPlaces& places) {
    const SampledSurface& s = *q.surface;
    if ((!form.one_level || form.has_least) && !find_own_level(q, form)) return false;
    std::uint32_t slice = s.raw.min_array_element;
    if (s.raw.array && !find_slice(q, slice)) return false;
    const std::uint32_t slice_row = slice * s.raw.qpitch_rows;
    places.linear = form.linear;
    if (s.has_clear_blocks) {
        places.level = form.choice.level;
        places.slice = slice;
    }
    // In SIMD8 the samples come twice.
    const std::uint32_t active =
        q.decoded->simd == Simd::Eight ? q.active | q.active << 8 : q.active;
    if (active == 0xFFFF && find_near_places != nullptr && !s.has_clear_blocks &&
        find_near_places(q, form, at, slice_row, places)) [[likely]]
        return true;
    return find_any_places(q, form, at, active, slice_row, places);
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

bool needs_no_taps(Request& q, const UsualForm& form, const UsualPlaces& places) {
    if (!form.no_taps || places.border) return false;
    q.places = static_cast<std::uint16_t>(std::popcount(q.active));
    q.points = places.linear ? std::uint16_t{0} : q.places;
    q.texels = places.texels;
    return true;
}

}  // namespace gen9::sampler
