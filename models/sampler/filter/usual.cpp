// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/usual.h"

#include <cstring>

#include "sampler/address/coordinate.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/lod.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;
using surface::Tiling;

constexpr unsigned kSamples = Request::kSamples;

/// In these tiles a texel's address is the sum of a part of its column and a part of its row.
template <Tiling tiling>
std::uint32_t column_part(std::uint32_t x_bytes) {
    if constexpr (tiling == Tiling::Y)
        return x_bytes >> 7 << 12 | (x_bytes >> 4 & 7) << 9 | (x_bytes & 15);
    if constexpr (tiling == Tiling::X) return x_bytes >> 9 << 12 | (x_bytes & 511);
    return x_bytes;
}
template <Tiling tiling>
std::uint32_t row_part(std::uint32_t y, std::uint32_t pitch) {
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

/// Applies the address mode; samples within the surface need nothing.
void wrap_all(const Axis& axis, std::array<std::int32_t, kSamples>& index, std::uint32_t& outside) {
    outside = 0;
    std::uint32_t beyond = 0;
    for (const std::int32_t i : index)
        beyond |= static_cast<std::uint32_t>(static_cast<std::uint32_t>(i) >= axis.size);
    if (!beyond) [[likely]]
        return;
    for (unsigned n = 0; n < kSamples; ++n) {
        const Wrapped wrapped = wrap(axis.mode, index[n], axis.size);
        index[n] = wrapped.index;
        outside |= std::uint32_t{wrapped.outside} << n;
    }
}

/// False: a coordinate that only the general way takes. `share`: of the second texel.
bool find_axis(const Axis& axis, const std::uint32_t* coordinates, std::uint32_t active,
               bool linear, Indices& indices, std::array<float, kSamples>& share) {
    // Near: in 1/256 texel below 2^28.
    const auto limit = std::bit_cast<std::uint32_t>(static_cast<float>((1 << 27) / axis.scale));
    // Samples that are not executed take the place of the coordinate 0.
    alignas(64) std::uint32_t near[kSamples];
    std::memcpy(near, coordinates, sizeof near);
    if (active != 0xFFFF)
        for (unsigned n = 0; n < kSamples; ++n)
            near[n] &= 0u - (active >> n & 1);
    std::uint32_t far = 0;
    for (const std::uint32_t bits : near)
        far |= static_cast<std::uint32_t>((bits & 0x7FFFFFFF) > limit);
    if (far) return false;
    alignas(64) double fixed[kSamples], whole[kSamples];
    alignas(64) std::int32_t floors[kSamples];
    const double half = axis.round ? 0.5 : 0.0;
    for (unsigned n = 0; n < kSamples; ++n)
        fixed[n] = double{std::bit_cast<float>(near[n])} * axis.scale + half;
    for (unsigned n = 0; n < kSamples; ++n)
        floors[n] = static_cast<std::int32_t>(fixed[n]);
    for (unsigned n = 0; n < kSamples; ++n)
        whole[n] = static_cast<double>(floors[n]);
    for (unsigned n = 0; n < kSamples; ++n)
        floors[n] = static_cast<std::int32_t>(whole[n] - (whole[n] > fixed[n] ? 1.0 : 0.0));
    const std::int32_t shift = axis.offset - (linear ? static_cast<std::int32_t>(kTexel) / 2 : 0);
    constexpr float kStep = 1.0f / static_cast<float>(kTexel);
    for (unsigned n = 0; n < kSamples; ++n) {
        const std::int32_t place = floors[n] + shift;
        indices.at[0][n] = place >> kFractionBits;
        indices.at[1][n] = indices.at[0][n] + 1;
        share[n] = static_cast<float>(place & static_cast<std::int32_t>(kTexel - 1)) * kStep;
    }
    wrap_all(axis, indices.at[0], indices.outside[0]);
    if (linear) wrap_all(axis, indices.at[1], indices.outside[1]);
    return true;
}

template <Tiling tiling>
void place(const Request& q, const Level& level, const Indices& i, const Indices& j,
           UsualPlaces& places) {
    const std::uint32_t bytes = q.surface->format->bytes, pitch = q.surface->raw.pitch_bytes;
    const auto x = static_cast<std::uint32_t>(level.place.x_bytes);
    const auto y = static_cast<std::uint32_t>(level.place.y);
    for (unsigned k = 0; k < (places.linear ? 2u : 1u); ++k)
        for (unsigned n = 0; n < kSamples; ++n) {
            places.column[k][n] =
                column_part<tiling>(x + static_cast<std::uint32_t>(i.at[k][n]) * bytes);
            places.row[k][n] = row_part<tiling>(y + static_cast<std::uint32_t>(j.at[k][n]), pitch);
        }
}

bool plain_mode(AddressMode mode) {
    return mode != AddressMode::MirrorOnce && mode != AddressMode::HalfBorder;
}

/// Texels that are read for a sample: those whose share is 0 are not.
constexpr unsigned kTaps = 4;
std::uint32_t with_share(const std::array<float, kSamples>& share) {
    std::uint32_t samples = 0;
    for (unsigned n = 0; n < kSamples; ++n)
        samples |= static_cast<std::uint32_t>(share[n] > 0) << n;
    return samples;
}

/// Finds the bytes of texel `k` of each sample.
bool locate(const Request& q, const UsualPlaces& places, unsigned k, Pages& pages,
            TexelMemory& memory, std::array<const std::uint8_t*, kSamples>& where) {
    alignas(16) static constexpr std::uint8_t kNoBytes[16]{};
    const std::uint64_t base = q.surface->raw.base;
    const auto& column = places.column[k & 1];
    const auto& row = places.row[k >> 1];
    const std::uint64_t last_place = Pages::kBytes - q.surface->format->bytes;
    std::uint64_t kept = ~0ull;
    const std::uint8_t* host = nullptr;
    for (unsigned n = 0; n < kSamples; ++n) {
        where[n] = kNoBytes;
        if (!(q.active >> n & 1)) continue;
        const std::uint64_t address = (base + column[n] + row[n]) & ((1ull << 48) - 1);
        const std::uint64_t page = address / Pages::kBytes, in_page = address % Pages::kBytes;
        if (page != kept) {
            host = pages.find(page, memory);
            kept = page;
        }
        if (!host || in_page > last_place) return false;
        where[n] = host + in_page;
    }
    return true;
}

/// Adds a texel's share to the sum. Floats may be infinite, and shares of 0 must not touch them.
template <bool finite>
void add_share(const TexelLanes& texels, const std::array<float, kSamples>& weight,
               TexelLanes& sum) {
    for (unsigned c = 0; c < 4; ++c) {
        alignas(64) float now[kSamples];
        std::memcpy(now, sum.channel[c].data(), sizeof now);
        for (unsigned n = 0; n < kSamples; ++n) {
            const float value = now[n] + weight[n] * std::bit_cast<float>(texels.channel[c][n]);
            now[n] = finite || weight[n] > 0 ? value : now[n];
        }
        std::memcpy(sum.channel[c].data(), now, sizeof now);
    }
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

bool find_usual_places(const Request& q, UsualPlaces& places) {
    const SampledSurface& s = *q.surface;
    const MessageRow& row = *q.decoded->row;
    const surface::Surface& raw = s.raw;
    if (row.kind != Kind::Sample || row.lod != LodSource::Zero || q.parameters.wide) return false;
    if (raw.type != state::SURFTYPE_2D || raw.array || s.format->blocks() || s.format->planar() ||
        raw.line_stride || raw.line_offset || raw.tiling > Tiling::Y || raw.tiling == Tiling::W)
        return false;
    const SamplerState& m = *q.sampler;
    if (!plain_mode(m.address[0]) || !plain_mode(m.address[1])) return false;
    const LodChoice lod = choose_lod(s, m, m.bias, 0);
    if (lod.out_of_bounds || lod.beta) return false;
    const Level& level = s.levels[lod.level];
    // Levels that are not the first have coordinates of their own scale, if those are in texels.
    if (!m.normalized && (level.width != raw.width || level.height != raw.height)) return false;
    if (raw.min_array_element && raw.qpitch_rows) return false;  // a single slice of an array
    // Offsets have 32 bits.
    if ((std::uint64_t{level.place.y} + level.height + 32) * raw.pitch_bytes >> 32) return false;
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
    places.outside_column = i.outside;
    places.outside_row = j.outside;
    if (raw.tiling == Tiling::Y)
        place<Tiling::Y>(q, level, i, j, places);
    else if (raw.tiling == Tiling::X)
        place<Tiling::X>(q, level, i, j, places);
    else
        place<Tiling::Linear>(q, level, i, j, places);
    return true;
}

void add_usual_taps(Request& q, const UsualPlaces& places) {
    const unsigned samples = q.decoded->samples();
    for (unsigned n = 0; n < samples; ++n) {
        q.first_tap[n] = q.tap_count;
        if (!(q.active >> n & 1)) continue;
        ++q.places;
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
                                ((1ull << 48) - 1),
                  weight, n, 0, 0, outside ? From::Border : From::Surface);
        }
    }
    q.first_tap[samples] = q.tap_count;
}

bool filter_usual(Request& q, const UsualPlaces& places, Pages& pages, TexelMemory& memory,
                  TexelLanes& results) {
    const Format& format = *q.surface->format;
    if (!format.decode.lanes || q.key || compares(q) || q.decoded->row->extremum ||
        q.sampler->reduction != Reduction::Standard)
        return false;
    std::uint32_t outside = places.outside_column[0] | places.outside_row[0];
    if (places.linear) outside |= places.outside_column[1] | places.outside_row[1];
    if (outside & q.active) return false;
    const auto samples = static_cast<unsigned>(std::popcount(q.active));
    q.places = static_cast<std::uint16_t>(samples);
    std::array<std::array<const std::uint8_t*, kSamples>, kTaps> where;
    for (unsigned k = 0; k < (places.linear ? kTaps : 1u); ++k)
        if (!locate(q, places, k, pages, memory, where[k])) return false;
    if (!places.linear) {
        q.texels = samples;
        format.decode.lanes(where[0].data(), results);
        select_lanes(*q.surface, results);
        return true;
    }
    const bool finite = format.values != Values::Float;
    TexelLanes texels;
    const std::uint32_t x = with_share(places.x) & q.active, y = with_share(places.y) & q.active;
    q.texels =
        samples + static_cast<unsigned>(std::popcount(x) + std::popcount(y) + std::popcount(x & y));
    TexelLanes sum{};
    for (unsigned k = 0; k < kTaps; ++k) {
        alignas(64) std::array<float, kSamples> weight;
        for (unsigned n = 0; n < kSamples; ++n)
            weight[n] =
                (k >> 1 ? places.y[n] : 1 - places.y[n]) * (k & 1 ? places.x[n] : 1 - places.x[n]);
        format.decode.lanes(where[k].data(), texels);
        if (k == 0) results = texels;
        finite ? add_share<true>(texels, weight, sum) : add_share<false>(texels, weight, sum);
    }
    // One texel is the result itself.
    alignas(64) std::uint32_t filtered[kSamples];
    for (unsigned n = 0; n < kSamples; ++n)
        filtered[n] = 0u - ((x | y) >> n & 1);
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned n = 0; n < kSamples; ++n)
            results.channel[c][n] =
                (results.channel[c][n] & ~filtered[n]) | (sum.channel[c][n] & filtered[n]);
    select_lanes(*q.surface, results);
    return true;
}

}  // namespace gen9::sampler
