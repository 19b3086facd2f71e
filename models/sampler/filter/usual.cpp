// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/usual.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/host.h"
#include "sampler/address/coordinate.h"
#include "sampler/filter/combine.h"
#include "sampler/filter/gradients.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/lod.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;
using surface::Tiling;

constexpr unsigned kSamples = Request::kSamples;
constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;

/// In these tiles a texel's address is the sum of a part of its column and a part of its row.
template <Tiling tiling>
GEN9_INLINE std::uint32_t column_part(std::uint32_t x_bytes) {
    if constexpr (tiling == Tiling::Y)
        return x_bytes >> 7 << 12 | (x_bytes >> 4 & 7) << 9 | (x_bytes & 15);
    if constexpr (tiling == Tiling::X) return x_bytes >> 9 << 12 | (x_bytes & 511);
    return x_bytes;
}
template <Tiling tiling>
GEN9_INLINE std::uint32_t row_part(std::uint32_t y, std::uint32_t pitch) {
    if constexpr (tiling == Tiling::Y) return (y >> 5) * (pitch >> 7 << 12) | (y & 31) << 4;
    if constexpr (tiling == Tiling::X) return (y >> 3) * (pitch >> 9 << 12) | (y & 7) << 9;
    return y * pitch;
}

/// What the samples of a message have in common along an axis.
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

constexpr unsigned kTaps = UsualTexels::kTaps;

/// Where a part of all addresses lies.
struct Range {
    std::uint32_t low, high;
    std::uint32_t bits;  ///< set in any of them
};
GEN9_INLINE Range range_of(const UsualPlaces::PerSample<std::uint32_t>& parts) {
    std::uint32_t low = ~0u, high = 0, bits = 0;
    for (const std::uint32_t part : parts) {
        low = std::min(low, part);
        high = std::max(high, part);
        bits |= part;
    }
    return {low, high, bits};
}
GEN9_INLINE Range range_of(const std::array<UsualPlaces::PerSample<std::uint32_t>, 2>& parts,
                           bool both) {
    const Range a = range_of(parts[0]), b = range_of(parts[both ? 1 : 0]);
    return {std::min(a.low, b.low), std::max(a.high, b.high), a.bits | b.bits};
}

/// True: no texel crosses the end of a line.
GEN9_INLINE bool aligned(const Request& q, const Range& column, const Range& row) {
    const std::uint32_t bytes = q.surface->format->bytes;
    const auto begin = static_cast<std::uint32_t>(q.surface->raw.base % Request::kLine);
    return std::has_single_bit(bytes) && !((begin | column.bits | row.bits) & (bytes - 1));
}

constexpr auto kPage = static_cast<std::uint32_t>(Pages::kBytes);

/// Copies the texels of each sample, wherever they lie.
bool copy_texels(const Request& q, const UsualPlaces& places, Pages& pages, TexelMemory& memory,
                 UsualTexels& texels) {
    const std::uint32_t bytes = q.surface->format->bytes;
    texels.base = texels.copies[0].data();
    for (unsigned k = 0; k < (places.linear ? kTaps : 1u); ++k)
        for (unsigned n = 0; n < kSamples; ++n) {
            const std::uint64_t address =
                (q.surface->raw.base + places.column[k & 1][n] + places.row[k >> 1][n]) &
                kAddressMask;
            const std::uint8_t* const host = pages.find(address / kPage, memory);
            if (!host || address % kPage > kPage - bytes) return false;
            auto& copy = texels.copies[k * kSamples + n];
            std::memcpy(copy.data(), host + address % kPage, bytes);
            texels.at[k][n] = static_cast<std::uint32_t>((k * kSamples + n) * copy.size());
        }
    return true;
}

/// Calls `action` for each place of the filter, written out: loops over samples are then the
/// innermost and the only ones, as the compiler wants them.
template <class Action>
GEN9_INLINE void each_place(bool linear, Action action) {
    action(0u);
    if (!linear) return;
    action(1u);
    action(2u);
    action(3u);
}

/// Where the texels lie, in bytes from an address `begin` bytes before the surface.
GEN9_INLINE void add_parts(const UsualPlaces& places, std::uint32_t begin,
                           UsualTexels& __restrict texels) {
    each_place(
        places.linear, [&](unsigned k) __attribute__((always_inline)) {
            const std::uint32_t* const column = places.column[k & 1].data();
            const std::uint32_t* const row = places.row[k >> 1].data();
            std::uint32_t* const at = texels.at[k].data();
#pragma GCC ivdep
            for (unsigned n = 0; n < kSamples; ++n)
                at[n] = begin + column[n] + row[n];
        });
}

using Shares = std::array<UsualPlaces::PerSample<float>, kTaps>;
using Texels = std::array<TexelLanes, kTaps>;

/// Sums up the texels' shares of a channel; where one texel has the whole share, it is the result
/// itself. Floats may be infinite, and shares of 0 must not touch them.
template <bool finite>
GEN9_INLINE void mix(const Texels& texels, const Shares& shares, unsigned c,
                     TexelLanes& __restrict results) {
    for (unsigned n = 0; n < kSamples; ++n) {
        const auto add = [&](float sum, unsigned k) __attribute__((always_inline)) {
            const float value = sum + shares[k][n] * std::bit_cast<float>(texels[k].channel[c][n]);
            if constexpr (finite) return value;
            const std::uint32_t used = 0u - static_cast<std::uint32_t>(shares[k][n] > 0);
            return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) & used) |
                                        (std::bit_cast<std::uint32_t>(sum) & ~used));
        };
        const auto sum = std::bit_cast<std::uint32_t>(add(add(add(add(0, 0), 1), 2), 3));
        const std::uint32_t whole = 0u - static_cast<std::uint32_t>(shares[0][n] == 1);
        results.channel[c][n] = (texels[0].channel[c][n] & whole) | (sum & ~whole);
    }
}
template <bool finite>
GEN9_INLINE void mix(const Texels& texels, const Shares& shares, TexelLanes& __restrict results) {
    mix<finite>(texels, shares, 0, results);
    mix<finite>(texels, shares, 1, results);
    mix<finite>(texels, shares, 2, results);
    mix<finite>(texels, shares, 3, results);
}

GEN9_INLINE void mix(const Format& format, const UsualPlaces& places, const Texels& texels,
                     TexelLanes& __restrict results) {
    alignas(64) Shares shares;
    for (unsigned n = 0; n < kSamples; ++n) {
        const float x = places.x[n], y = places.y[n];
        shares[0][n] = (1 - y) * (1 - x);
        shares[1][n] = (1 - y) * x;
        shares[2][n] = y * (1 - x);
        shares[3][n] = y * x;
    }
    format.values == Values::Float ? mix<false>(texels, shares, results)
                                   : mix<true>(texels, shares, results);
}

void select_lanes(const SampledSurface& surface, TexelLanes& texels) {
    if (surface.identity) [[likely]]
        return;
    const TexelLanes from = texels;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned select = surface.select[c];
        if (select >= state::SCS_RED)
            texels.channel[c] = from.channel[select - state::SCS_RED];
        else
            texels.channel[c].fill(select != state::SCS_ONE    ? 0
                                   : surface.format->integer() ? 1
                                                               : kOne);
    }
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

GEN9_FOR_EACH_HOST
bool find_usual_texels(const Request& q, const UsualPlaces& places, Pages& pages,
                       TexelMemory& memory, UsualTexels& texels) {
    constexpr std::uint32_t kFew = 4;
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    const auto begin = static_cast<std::uint32_t>(base % kPage);
    const Range column = range_of(places.column, places.linear);
    const Range row = range_of(places.row, places.linear);
    const std::uint32_t low = (begin + column.low + row.low) / kPage;
    const std::uint32_t high = (begin + column.high + row.high) / kPage;
    bool few = aligned(q, column, row) && high - low < kFew;
    std::uintptr_t hosts[kFew], lowest = ~std::uintptr_t{0}, highest = 0;
    for (std::uint32_t page = low; few && page <= high; ++page) {
        hosts[page - low] = reinterpret_cast<std::uintptr_t>(
            pages.find((base / kPage + page) & (kAddressMask / kPage), memory));
        lowest = std::min(lowest, hosts[page - low]);
        highest = std::max(highest, hosts[page - low]);
        few = hosts[page - low] != 0;
    }
    if (!few || (highest - lowest + kPage) >> 32)
        return copy_texels(q, places, pages, memory, texels);
    texels.base = reinterpret_cast<const std::uint8_t*>(lowest);
    // Pages that do not follow their predecessor in the host's memory move what lies behind.
    std::array<std::uint32_t, kFew> moves{static_cast<std::uint32_t>(hosts[0] - lowest)};
    std::uint32_t moved = 0;
    for (std::uint32_t n = 1; n <= high - low; ++n)
        moved |= moves[n] = static_cast<std::uint32_t>(hosts[n] - hosts[n - 1]) - kPage;
    add_parts(places, begin - low * kPage, texels);
    if (!(moved | moves[0])) return true;
    each_place(
        places.linear, [&](unsigned k) __attribute__((always_inline)) {
            std::uint32_t* const at = texels.at[k].data();
            for (unsigned n = 0; n < kSamples; ++n)
                at[n] += moves[0] + (at[n] >= kPage ? moves[1] : 0) +
                         (at[n] >= 2 * kPage ? moves[2] : 0) + (at[n] >= 3 * kPage ? moves[3] : 0);
        });
    return true;
}

/// A number of each texel of a group of four samples: of its first place, all samples', and so on.
constexpr unsigned kGroup = Request::kGroup, kGroupTexels = kTaps * kGroup;
using OfGroup = std::array<std::uint32_t, kGroupTexels>;

/// The first of a set of texels: sample by sample and, of a sample, place by place.
GEN9_INLINE unsigned first_of(std::uint32_t texels) {
    static_assert(kTaps == 4 && kGroup == 4);
    const std::uint32_t samples = texels | texels >> 4 | texels >> 8 | texels >> 12;
    const auto sample = static_cast<unsigned>(std::countr_zero(samples)) % kGroup;
    const std::uint32_t places = texels >> sample & 0x1111;
    return static_cast<unsigned>(std::countr_zero(places)) % kGroupTexels + sample;
}
/// Gives `number` to the texels on a line; the set of them.
GEN9_INLINE std::uint32_t number_line(const OfGroup& lines, std::uint32_t line,
                                      std::uint32_t number, OfGroup& __restrict numbers) {
    alignas(64) static constexpr OfGroup kBits = [] {
        OfGroup bits{};
        for (unsigned i = 0; i < kGroupTexels; ++i)
            bits[i] = 1u << i;
        return bits;
    }();
    std::uint32_t found = 0;
#pragma GCC unroll 1
    for (unsigned i = 0; i < kGroupTexels; ++i) {
        found |= lines[i] == line ? kBits[i] : 0;
        numbers[i] = lines[i] == line ? number : numbers[i];
    }
    return found;
}

GEN9_FOR_EACH_HOST
bool list_usual_lines(Request& q) {
    const UsualPlaces& places = q.usual_places;
    if (!aligned(q, range_of(places.column, places.linear), range_of(places.row, places.linear)))
        return false;
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    const auto begin = static_cast<std::uint32_t>(base % Request::kLine);
    // Texels with a share of 0 are not read: the place before them stands for them.
    alignas(64) std::array<UsualPlaces::PerSample<std::uint32_t>, 2> column, row;
    column[0] = places.column[0];
    row[0] = places.row[0];
    const auto& right = places.column[places.linear];
    const auto& below = places.row[places.linear];
    for (unsigned n = 0; n < kSamples; ++n)
        column[1][n] = places.linear && places.x[n] > 0 ? right[n] : column[0][n];
    for (unsigned n = 0; n < kSamples; ++n)
        row[1][n] = places.linear && places.y[n] > 0 ? below[n] : row[0][n];
    // Bytes from the begin of the base's line on; their lines, and the lines' places in the list.
    using PerTexel = std::array<UsualPlaces::PerSample<std::uint32_t>, kTaps>;
    alignas(64) PerTexel at, lines, numbers;
    each_place(
        true, [&](unsigned k) __attribute__((always_inline)) {
            for (unsigned n = 0; n < kSamples; ++n) {
                at[k][n] = begin + column[k & 1][n] + row[k >> 1][n];
                lines[k][n] = at[k][n] / Request::kLine;
            }
        });
    // A group's lines, each once, in the order of the samples.
    unsigned count = 0;
    q.lines.fit(kTaps * kSamples);
    for (unsigned first = 0; first < kSamples; first += kGroup) {
        alignas(64) OfGroup group, of_group{};
        each_place(
            true, [&](unsigned k) __attribute__((always_inline)) {
                std::memcpy(&group[k * kGroup], &lines[k][first], sizeof group / kTaps);
            });
        std::uint32_t left = (q.active >> first & 0xF) * 0x1111;
        while (left) {
            const std::uint32_t line = group[first_of(left)];
            left &= ~number_line(group, line, count, of_group);
            q.lines[count++] = (base / Request::kLine + line) & (kAddressMask / Request::kLine);
        }
        each_place(
            true, [&](unsigned k) __attribute__((always_inline)) {
                std::memcpy(&numbers[k][first], &of_group[k * kGroup], sizeof group / kTaps);
            });
    }
    q.line_count = static_cast<std::uint16_t>(count);
    q.line_bytes.fit(count);
    q.usual_texels.base = q.line_bytes[0].data();
    each_place(
        true, [&](unsigned k) __attribute__((always_inline)) {
            for (unsigned n = 0; n < kSamples; ++n)
                q.usual_texels.at[k][n] =
                    at[k][n] % Request::kLine + numbers[k][n] * Request::kLine;
        });
    return true;
}

GEN9_FOR_EACH_HOST
void filter_usual(const Request& q, const UsualPlaces& places, const UsualTexels& source,
                  TexelLanes& results) {
    const Format& format = *q.surface->format;
    if (places.linear) {
        Texels texels;
        each_place(
            true, [&](unsigned k) __attribute__((always_inline)) {
                format.decode.lanes(source.base, source.at[k].data(), texels[k]);
            });
        mix(format, places, texels, results);
    } else {
        format.decode.lanes(source.base, source.at[0].data(), results);
    }
    select_lanes(*q.surface, results);
}

GEN9_FOR_EACH_HOST
void filter_clear(const Request& q, const UsualPlaces& places, TexelLanes& results) {
    const Texel clear = clear_texel(*q.surface);
    Texels texels;
    for (unsigned c = 0; c < 4; ++c)
        texels[0].channel[c].fill(clear.channel[c]);
    if (places.linear) {
        texels[1] = texels[2] = texels[3] = texels[0];
        mix(*q.surface->format, places, texels, results);
    } else {
        results = texels[0];
    }
    select_lanes(*q.surface, results);
}

}  // namespace gen9::sampler
