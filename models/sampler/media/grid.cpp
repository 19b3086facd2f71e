// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/grid.h"

#include <algorithm>
#include <cmath>

#include "sampler/address/coordinate.h"
#include "sampler/filter/combine.h"
#include "sampler/media/choices.h"

namespace gen9::sampler::media {

namespace {

namespace state = packets::render_surface_state;

/// UNORM formats of up to eight bits a channel (SMP-233).
constexpr std::uint16_t kFormats[] = {
    0x0C0, 0x0C7, 0x0E9, 0x0EB,                       // 8888, 888X
    0x100, 0x102, 0x104, 0x11A, 0x124, 0x125,         // 565, 5551, 4444
    0x106, 0x114, 0x140, 0x144, 0x145, 0x146, 0x193,  // 88, 8, 888
    0x182, 0x183, 0x18F, 0x190,                       // YCRCB
};

bool nearest_or_linear(Filter filter) {
    return filter == Filter::Nearest || filter == Filter::Linear;
}

using Bytes = std::array<std::uint8_t, 4>;

/// A texel's channels with eight bits each.
Bytes bytes_of(const Texel& texel) {
    Bytes bytes;
    for (unsigned c = 0; c < 4; ++c)
        bytes[c] = static_cast<std::uint8_t>(std::lround(texel.number(c) * 255.0f));
    return bytes;
}

bool matches(const SamplerTables::ChromaKey& key, const Bytes& texel) {
    constexpr unsigned kLow[] = {16, 8, 0, 24};  // of an A8R8G8B8 colour
    for (unsigned c = 0; c < 4; ++c)
        if (texel[c] < (key.low >> kLow[c] & 0xFF) || texel[c] > (key.high >> kLow[c] & 0xFF))
            return false;
    return true;
}

}  // namespace

Verdict Grid::refuse(const Inputs& in, const SampledSurface& s, const SamplerState& m) {
    if (s.type() != state::SURFTYPE_2D)
        return {"sample_unorm of a surface that is not 2D (SMP-233)"};
    if (!s.format || std::ranges::find(kFormats, s.format->code) == std::end(kFormats))
        return {"sample_unorm of a format that is not UNORM of up to eight bits (SMP-233)"};
    if (s.raw.array || s.raw.depth != 1 || s.last_level != 0 || s.raw.min_lod != 0 ||
        s.resource_min_lod != 0 || s.raw.min_array_element != 0 || s.raw.multisampled())
        return {"sample_unorm of levels, slices or several samples (SMP-233)"};
    if (s.raw.width < kLeastUnormSize || s.raw.height < kLeastUnormSize)
        return {"sample_unorm of a surface of less than 4 by 4 (SMP-233)"};
    if (!nearest_or_linear(m.min) || !nearest_or_linear(m.mag) || m.mip != MipFilter::None)
        return {"sample_unorm with another filter than nearest or linear (SMP-233)"};
    if (m.address[0] != AddressMode::Clamp || m.address[1] != AddressMode::Clamp)
        return {"sample_unorm with another address mode than CLAMP (SMP-233)"};
    constexpr double kMost = 3;
    if (!(double{in.du} * s.raw.width <= kMost) || !(double{in.dv} * s.raw.height <= kMost))
        return {"sample_unorm with a step of more than 3 texels (SMP-233)"};
    return {nullptr, s.rotated ? "SMP-231" : s.not_modelled};
}

void Grid::add_positions(unsigned axis, std::int64_t size, bool round, Axis& texels,
                         Shares& shares) {
    const double first = axis == 0 ? in.u : in.v, step = axis == 0 ? in.du : in.dv;
    for (unsigned n = 0; n < (axis == 0 ? kColumns : kRows); ++n) {
        const double at = (first + step * n) * static_cast<double>(size) - (linear_ ? 0.5 : 0.0);
        const std::int64_t place = fix(at, round);
        shares[n] = static_cast<std::uint32_t>(place & (kTexel - 1));
        for (unsigned tap = 0; tap < (linear_ ? 2 : 1); ++tap)
            texels.add((place >> kFractionBits) + tap, size, false);
    }
    texels.sort();
}

void Grid::plan(const SampledSurface& s, const SamplerState& m) {
    // The filter of a level: the greater of the steps tells which (Assumed: as other messages' LOD).
    const bool reduces = double{in.du} * s.raw.width > 1 || double{in.dv} * s.raw.height > 1;
    linear_ = (reduces ? m.min : m.mag) == Filter::Linear;
    const auto& round = reduces ? m.round_min : m.round_mag;
    x_.clear();
    y_.clear();
    add_positions(0, s.raw.width, round[0], x_, x_share_);
    add_positions(1, s.raw.height, round[1], y_, y_share_);
    const unsigned bytes = s.format->bytes, block = s.format->block_width;
    for (const std::int32_t x : x_.places())
        elements.x.add(x / static_cast<std::int32_t>(block), s.raw.width, false);
    for (const std::int32_t y : y_.places())
        elements.y.add(y, s.raw.height, false);
    elements.place(bytes, [&](std::uint32_t x, std::uint32_t y) {
        constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;
        return surface::element_address(s.raw, s.levels[0].place, bytes, std::uint64_t{x} * bytes,
                                        y, 0) &
               kAddressMask;
    });
}

std::uint32_t Grid::filter(const SampledSurface& s, const SamplerState& m,
                           const SamplerTables::ChromaKey* key, Results& results) const {
    const Format& format = *s.format;
    const auto columns = static_cast<unsigned>(x_.places().size()),
               rows = static_cast<unsigned>(y_.places().size());
    // 16-bit formats without alpha have 0 there, a fault that the PRM owns to (003:4397).
    const bool no_alpha = format.bytes == 2 && !(format.present >> kAlpha & 1);
    std::array<std::array<Bytes, 2 * kColumns>, 2 * kRows> texels;
    std::array<std::array<bool, 2 * kColumns>, 2 * kRows> matched{};
    for (unsigned y = 0; y < rows; ++y)
        for (unsigned x = 0; x < columns; ++x) {
            const Source source{elements.at(elements.x.at(x), elements.y.at(y)),
                                static_cast<std::uint8_t>(x_.places()[x] % format.block_width), 0};
            Texel texel;
            format.decode(&source, 1, &texel);
            if (no_alpha) texel.set(kAlpha, 0);
            if (key && matches(*key, bytes_of(texel))) {
                matched[y][x] = true;
                if (m.key_replaces) texel = black_texel(format);
            }
            texels[y][x] = bytes_of(select_channels(s, texel));
        }
    const unsigned taps = linear_ ? 2 : 1;
    const bool wide = in.form == packets::MEDIA_SAMPLER_HEADER::FULL_16 ||
                      in.form == packets::MEDIA_SAMPLER_HEADER::CHROMINANCE_DOWNSAMPLED_16;
    std::uint32_t killed = 0;
    for (unsigned p = 0; p < kColumns * kRows; ++p) {
        const unsigned px = p % kColumns, py = p / kColumns;
        std::array<std::uint32_t, 4> sum{};
        for (unsigned tap = 0; tap < taps * taps; ++tap) {
            const unsigned x = x_.at(px * taps + tap % taps), y = y_.at(py * taps + tap / taps);
            constexpr std::uint32_t kWhole = kTexel;
            const auto weight = [&](std::uint32_t share, bool second) {
                return !linear_ ? kWhole : second ? share : kWhole - share;
            };
            const std::uint32_t both =
                weight(x_share_[px], tap % taps != 0) * weight(y_share_[py], tap / taps != 0);
            for (unsigned c = 0; c < 4; ++c)
                sum[c] += both * texels[y][x][c];
            if (matched[y][x] && !m.key_replaces) killed |= 1u << p;
        }
        for (unsigned c = 0; c < 4; ++c) {
            constexpr std::uint32_t kWhole = kTexel * kTexel;
            const std::uint32_t value = (sum[c] + kWhole / 2) / kWhole;
            results.channel[c][p] = static_cast<std::uint16_t>(wide ? value << 8 : value);
        }
    }
    return killed;
}

}  // namespace gen9::sampler::media
