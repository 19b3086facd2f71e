// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth_surface.h"

#include "surface/layout.h"

namespace gen9::pixel {

namespace {

constexpr std::uint64_t kAddressSpace = std::uint64_t{1} << 48;

}  // namespace

SamplePlace interleaved(unsigned samples, std::uint32_t x, std::uint32_t y, unsigned sample) {
    const std::uint32_t s = sample;
    if (samples >= 8)
        x = (x & ~1u) << 2 | (s & 4) | (s & 1) << 1 | (x & 1);
    else if (samples >= 2)
        x = (x & ~1u) << 1 | (s & 1) << 1 | (x & 1);
    if (samples == 16)
        y = (y & ~1u) << 2 | (s & 8) >> 1 | (s & 2) | (y & 1);
    else if (samples >= 4)
        y = (y & ~1u) << 1 | (s & 2) | (y & 1);
    return {x, y};
}

SamplePlaces::SamplePlaces(const DepthSurface& d)
    : first_slice_(d.first_slice), bytes_(d.bytes), samples_(d.samples) {
    // The size of level 0 in samples, whole groups of pixels.
    const std::uint32_t across = d.samples >= 8 ? 4 : d.samples >= 2 ? 2 : 1;
    const std::uint32_t down = d.samples == 16 ? 4 : d.samples >= 4 ? 2 : 1;
    surface::Surface& s = surface_;
    s.type = packets::render_surface_state::SURFTYPE_2D;
    s.tiling = d.bytes == 1 ? surface::Tiling::W : surface::Tiling::Y;
    s.width = across > 1 ? (d.width + 1) / 2 * 2 * across : d.width;
    s.height = down > 1 ? (d.height + 1) / 2 * 2 * down : d.height;
    s.base = d.base;
    s.pitch_bytes = d.pitch_bytes;
    s.qpitch_rows = d.qpitch_rows;
    s.align_width = d.bytes == 4 ? 4 : 8;
    s.align_height = d.bytes == 1 ? 8 : 4;
    level_ = surface::level_place(s, d.level, {d.bytes, 1, 1});
    if (!blocks_are_alike(across, down)) return;
    blocks_.resize(d.samples);
    const std::uint64_t first = address(0, 0, 0, 0);
    for (unsigned sample = 0; sample < d.samples; ++sample)
        for (std::uint32_t pixel = 0; pixel < blocks_[sample].size(); ++pixel)
            blocks_[sample][pixel] =
                static_cast<std::uint16_t>(address(0, pixel % 8, pixel / 8, sample) - first);
}

/// Tiles are pages, and the samples of a block, `across` and `down` for a pixel, lie in one of them.
bool SamplePlaces::blocks_are_alike(std::uint32_t across, std::uint32_t down) const {
    constexpr std::uint64_t kTileBytes = 4096;
    const std::uint64_t rows = std::uint64_t{4} * down;
    return level_.known && surface_.base % kTileBytes == 0 &&
           level_.x_bytes % (std::uint64_t{8} * across * bytes_) == 0 && level_.y % rows == 0 &&
           surface_.qpitch_rows % rows == 0;
}

std::uint64_t SamplePlaces::address(std::uint32_t slice, std::uint32_t x, std::uint32_t y,
                                    unsigned sample) const {
    const SamplePlace place = interleaved(samples_, x, y, sample);
    return surface::element_address(surface_, level_, bytes_, std::uint64_t{place.x} * bytes_,
                                    place.y, std::uint64_t{first_slice_} + slice) %
           kAddressSpace;
}

std::uint64_t sample_address(const DepthSurface& surface, std::uint32_t slice, std::uint32_t x,
                             std::uint32_t y, unsigned sample) {
    return SamplePlaces(surface).address(slice, x, y, sample);
}

}  // namespace gen9::pixel
