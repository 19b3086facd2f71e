// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/usual.h"

#include <cmath>

#include "sampler/address/coordinate.h"
#include "sampler/filter/lod.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;
using surface::Tiling;

/// In these tiles a texel's address is the sum of a part of its column and a part of its row.
template <Tiling tiling>
std::uint64_t column_part(std::uint64_t x_bytes) {
    if constexpr (tiling == Tiling::Y)
        return x_bytes >> 7 << 12 | (x_bytes >> 4 & 7) << 9 | (x_bytes & 15);
    if constexpr (tiling == Tiling::X) return x_bytes >> 9 << 12 | (x_bytes & 511);
    return x_bytes;
}
template <Tiling tiling>
std::uint64_t row_part(std::uint64_t y, std::uint64_t pitch) {
    if constexpr (tiling == Tiling::Y) return (y >> 5) * (pitch >> 7 << 12) | (y & 31) << 4;
    if constexpr (tiling == Tiling::X) return (y >> 3) * (pitch >> 9 << 12) | (y & 7) << 9;
    return y * pitch;
}

/// What the samples of a message have in common.
struct Common {
    const Level& level;
    AddressMode mode_x, mode_y;
    bool normalized, round_x, round_y;
    std::int64_t offset_x, offset_y;
    std::uint64_t base, pitch;
    unsigned bytes;
};

/// A coordinate in 1/256 texel; false: only the general way takes it.
inline bool to_texels(float coordinate, bool normalized, std::uint32_t size, bool round,
                      std::int64_t offset, std::int64_t& fixed) {
    constexpr float kNear = 1 << 20;
    if (!(std::fabs(coordinate) < kNear)) return false;
    const double texels = normalized ? double{coordinate} * size : double{coordinate};
    fixed = floor_of(texels * double{kTexel} + (round ? 0.5 : 0.0)) + offset;
    return true;
}

template <Tiling tiling, bool linear>
bool run(Request& q, const Common& c) {
    const unsigned samples = q.decoded->samples();
    for (unsigned n = 0; n < samples; ++n) {
        q.first_tap[n] = q.tap_count;
        if (!(q.active >> n & 1)) continue;
        std::int64_t u, v;
        if (!to_texels(q.parameters.number(Parameter::U, n), c.normalized, c.level.width, c.round_x,
                       c.offset_x, u) ||
            !to_texels(q.parameters.number(Parameter::V, n), c.normalized, c.level.height,
                       c.round_y, c.offset_y, v)) {
            q.tap_count = 0;
            return false;
        }
        const auto add = [&](const Wrapped& x, const Wrapped& y, float weight) {
            const auto i = static_cast<std::uint64_t>(x.index);
            const auto j = static_cast<std::uint64_t>(y.index);
            if (x.outside || y.outside) return q.add(0, weight, n, 0, 0, From::Border);
            q.add((c.base + column_part<tiling>(c.level.place.x_bytes + i * c.bytes) +
                   row_part<tiling>(c.level.place.y + j, c.pitch)) &
                      ((1ull << 48) - 1),
                  weight, n, 0, 0, From::Surface);
        };
        if constexpr (!linear) {
            add(wrap(c.mode_x, u >> kFractionBits, c.level.width),
                wrap(c.mode_y, v >> kFractionBits, c.level.height), 1);
        } else {
            u -= kTexel / 2;
            v -= kTexel / 2;
            const std::int64_t i = u >> kFractionBits, j = v >> kFractionBits;
            constexpr float kStep = 1.0f / static_cast<float>(kTexel);
            const float x = static_cast<float>(u & (kTexel - 1)) * kStep;
            const float y = static_cast<float>(v & (kTexel - 1)) * kStep;
            const Wrapped columns[] = {wrap(c.mode_x, i, c.level.width),
                                       wrap(c.mode_x, i + 1, c.level.width)};
            const Wrapped rows[] = {wrap(c.mode_y, j, c.level.height),
                                    wrap(c.mode_y, j + 1, c.level.height)};
            for (unsigned row = 0; row < 2; ++row) {
                const float wy = row ? y : 1 - y;
                if (wy == 0) continue;
                add(columns[0], rows[row], wy * (1 - x));
                if (x > 0) add(columns[1], rows[row], wy * x);
            }
        }
        ++q.places;
    }
    q.first_tap[samples] = q.tap_count;
    return true;
}

template <Tiling tiling>
bool run(Request& q, const Common& c, bool linear) {
    return linear ? run<tiling, true>(q, c) : run<tiling, false>(q, c);
}

bool plain_mode(AddressMode mode) {
    return mode != AddressMode::MirrorOnce && mode != AddressMode::HalfBorder;
}

}  // namespace

bool find_usual_taps(Request& q) {
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
    const Filter filter = lod.magnified ? m.mag : m.min;
    const auto& round = lod.magnified ? m.round_mag : m.round_min;
    const std::uint64_t first_row =
        std::uint64_t{raw.min_array_element} * raw.qpitch_rows;  // of a single slice of an array
    if (first_row) return false;
    const Common common{level,
                        m.address[0],
                        m.address[1],
                        m.normalized,
                        round[0],
                        round[1],
                        q.header.offset[0] * kTexel,
                        q.header.offset[1] * kTexel,
                        raw.base,
                        raw.pitch_bytes,
                        s.format->bytes};
    const bool linear = filter != Filter::Nearest && !s.format->integer();
    switch (raw.tiling) {
        case Tiling::Y:
            return run<Tiling::Y>(q, common, linear);
        case Tiling::X:
            return run<Tiling::X>(q, common, linear);
        default:
            return run<Tiling::Linear>(q, common, linear);
    }
}

}  // namespace gen9::sampler
