// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/usual.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "sampler/address/coordinate.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/lod.h"

/// Compiled a second time for hosts with AVX2; the loader chooses. Sanitizers do not see through
/// the choice, and Clang wants it in the header too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(__clang__)
#define GEN9_FOR_EACH_HOST
#else
#define GEN9_FOR_EACH_HOST __attribute__((target_clones("avx2", "default")))
#endif
#define GEN9_INLINE [[gnu::always_inline]] inline

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

/// Applies the address mode; samples within the surface need nothing.
GEN9_INLINE void wrap_all(const Axis& axis, std::array<std::int32_t, kSamples>& index,
                          std::uint32_t& outside) {
    outside = 0;
    std::uint32_t beyond = 0;
    for (const std::int32_t i : index)
        beyond |= static_cast<std::uint32_t>(static_cast<std::uint32_t>(i) >= axis.size);
    for (unsigned n = 0; beyond && n < kSamples; ++n) {
        const Wrapped wrapped = wrap(axis.mode, index[n], axis.size);
        index[n] = wrapped.index;
        outside |= std::uint32_t{wrapped.outside} << n;
    }
}

/// False: a coordinate that only the general way takes. `share`: of the second texel.
GEN9_INLINE bool find_axis(const Axis& axis, const std::uint32_t* coordinates, std::uint32_t active,
                           bool linear, Indices& indices, std::array<float, kSamples>& share) {
    // Near: in 1/256 texel below 2^28.
    const auto limit = std::bit_cast<std::uint32_t>(static_cast<float>((1 << 27) / axis.scale));
    // Samples that are not executed take the place of one that is.
    alignas(64) std::uint32_t near[kSamples];
    std::memcpy(near, coordinates, sizeof near);
    if (active != 0xFFFF) {
        const std::uint32_t another =
            coordinates[static_cast<unsigned>(std::countr_zero(active)) % kSamples];
        for (unsigned n = 0; n < kSamples; ++n)
            near[n] = active >> n & 1 ? near[n] : another;
    }
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
GEN9_INLINE void place(const Request& q, const Level& level, const Indices& i, const Indices& j,
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

constexpr unsigned kTaps = 4;

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

/// Finds the bytes of texel `k` of each sample, wherever they lie.
bool locate(const Request& q, const UsualPlaces& places, unsigned k, Pages& pages,
            TexelMemory& memory, UsualPlaces::PerSample<const std::uint8_t*>& where) {
    const std::uint32_t last_place = kPage - q.surface->format->bytes;
    for (unsigned n = 0; n < kSamples; ++n) {
        const std::uint64_t address =
            (q.surface->raw.base + places.column[k & 1][n] + places.row[k >> 1][n]) & kAddressMask;
        const std::uint8_t* const host = pages.find(address / kPage, memory);
        if (!host || address % kPage > last_place) return false;
        where[n] = host + address % kPage;
    }
    return true;
}

using Shares = std::array<UsualPlaces::PerSample<float>, kTaps>;

/// Sums up the texels' shares; where one texel has the whole share, it is the result itself. Floats
/// may be infinite, and shares of 0 must not touch them.
template <bool finite>
GEN9_INLINE void mix(const std::array<TexelLanes, kTaps>& texels, const UsualPlaces& places,
                     const Shares& shares, TexelLanes& __restrict results) {
    alignas(64) std::uint32_t filtered[kSamples];
    for (unsigned n = 0; n < kSamples; ++n)
        filtered[n] = 0u - static_cast<std::uint32_t>((places.x[n] > 0) | (places.y[n] > 0));
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned n = 0; n < kSamples; ++n) {
            const auto add = [&](float sum, unsigned k) {
                const float value =
                    sum + shares[k][n] * std::bit_cast<float>(texels[k].channel[c][n]);
                if constexpr (finite) return value;
                const std::uint32_t used = 0u - static_cast<std::uint32_t>(shares[k][n] > 0);
                return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) & used) |
                                            (std::bit_cast<std::uint32_t>(sum) & ~used));
            };
            const auto sum = std::bit_cast<std::uint32_t>(add(add(add(add(0, 0), 1), 2), 3));
            results.channel[c][n] = (texels[0].channel[c][n] & ~filtered[n]) | (sum & filtered[n]);
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

GEN9_FOR_EACH_HOST
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
    // Offsets have 32 bits, from the page's begin on.
    if (((std::uint64_t{level.place.y} + level.height + 32) * raw.pitch_bytes + Pages::kBytes) >>
        32)
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
    q.texels = places.linear ? texels : samples;
    return true;
}

GEN9_FOR_EACH_HOST
bool find_usual_texels(const Request& q, const UsualPlaces& places, Pages& pages,
                       TexelMemory& memory, UsualTexels& where) {
    constexpr std::uint32_t kFew = 4;
    const unsigned taps = places.linear ? kTaps : 1;
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    const auto begin = static_cast<std::uint32_t>(base % kPage);
    const Range column = range_of(places.column, places.linear);
    const Range row = range_of(places.row, places.linear);
    const std::uint32_t low = (begin + column.low + row.low) / kPage;
    const std::uint32_t high = (begin + column.high + row.high) / kPage;
    bool few = aligned(q, column, row) && high - low < kFew;
    const std::uint8_t* hosts[kFew];
    for (std::uint32_t page = low; few && page <= high; ++page) {
        hosts[page - low] = pages.find((base / kPage + page) & (kAddressMask / kPage), memory);
        few = hosts[page - low] != nullptr;
    }
    for (unsigned k = 0; k < taps; ++k) {
        if (!few) {
            if (!locate(q, places, k, pages, memory, where[k])) return false;
            continue;
        }
        for (unsigned n = 0; n < kSamples; ++n) {
            const std::uint32_t at = begin + places.column[k & 1][n] + places.row[k >> 1][n];
            where[k][n] = hosts[at / kPage - low] + at % kPage;
        }
    }
    return true;
}

GEN9_FOR_EACH_HOST
bool list_usual_lines(Request& q) {
    const UsualPlaces& places = q.usual_places;
    if (!aligned(q, range_of(places.column, places.linear), range_of(places.row, places.linear)))
        return false;
    const std::uint64_t base = q.surface->raw.base & kAddressMask;
    const auto begin = static_cast<std::uint32_t>(base % Request::kLine);
    const unsigned taps = places.linear ? kTaps : 1;
    // Bytes from the begin of the base's line on; texels with a share of 0 are not read.
    alignas(64) std::uint32_t at[kTaps][kSamples];
    for (unsigned k = 0; k < taps; ++k)
        for (unsigned n = 0; n < kSamples; ++n)
            at[k][n] = begin + places.column[k & 1][n] + places.row[k >> 1][n];
    std::uint32_t read[kTaps] = {q.active};
    for (unsigned n = 0; places.linear && n < kSamples; ++n) {
        read[1] |= std::uint32_t{places.x[n] > 0} << n;
        read[2] |= std::uint32_t{places.y[n] > 0} << n;
    }
    read[3] = read[1] & read[2];
    for (auto& tap : q.usual_texels)
        tap.fill(q.line_bytes[0].data());
    // A group's lines, each once; most texels lie in the line of the one before.
    std::uint32_t lines[kTaps * kSamples];
    unsigned count = 0, group = 0;
    for (unsigned n = 0; n < kSamples; ++n) {
        if (n % Request::kGroup == 0) group = count;
        if (!(q.active >> n & 1)) continue;
        for (unsigned k = 0; k < taps; ++k) {
            if (!(read[k] >> n & 1)) continue;
            const std::uint32_t line = at[k][n] / Request::kLine;
            unsigned i = count;
            while (i > group && lines[i - 1] != line)
                --i;
            if (i == group) {
                lines[count] = line;
                i = ++count;
            }
            q.usual_texels[k][n] = q.line_bytes[i - 1].data() + at[k][n] % Request::kLine;
        }
    }
    for (unsigned i = 0; i < count; ++i)
        q.lines[i] = (base / Request::kLine + lines[i]) & (kAddressMask / Request::kLine);
    q.line_count = static_cast<std::uint16_t>(count);
    return true;
}

GEN9_FOR_EACH_HOST
void filter_usual(const Request& q, const UsualPlaces& places, const UsualTexels& where,
                  TexelLanes& results) {
    const Format& format = *q.surface->format;
    if (places.linear) {
        std::array<TexelLanes, kTaps> texels;
        alignas(64) Shares shares;
        for (unsigned k = 0; k < kTaps; ++k) {
            format.decode.lanes(where[k].data(), texels[k]);
            for (unsigned n = 0; n < kSamples; ++n)
                shares[k][n] = (k >> 1 ? places.y[n] : 1 - places.y[n]) *
                               (k & 1 ? places.x[n] : 1 - places.x[n]);
        }
        format.values == Values::Float ? mix<false>(texels, places, shares, results)
                                       : mix<true>(texels, places, shares, results);
    } else {
        format.decode.lanes(where[0].data(), results);
    }
    select_lanes(*q.surface, results);
}

}  // namespace gen9::sampler
