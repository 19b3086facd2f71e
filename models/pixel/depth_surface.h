// SPDX-License-Identifier: Apache-2.0
/// Where the samples of depth and stencil buffers lie.
///
/// Spec  DZ-15 to DZ-17; Public: mesa isl (alignments, TileW), blorp (places of samples)
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "surface/layout.h"
#include "surface/surface.h"

namespace gen9::pixel {

/// A place in samples.
struct SamplePlace {
    std::uint32_t x = 0, y = 0;
};
/// The samples of 2x2 pixels lie side by side.
SamplePlace interleaved(unsigned samples, std::uint32_t x, std::uint32_t y, unsigned sample);

/// What the packets tell of a depth buffer, or of a stencil buffer with it.
struct DepthSurface {
    std::uint64_t base = 0;
    std::uint32_t pitch_bytes = 0, qpitch_rows = 0;
    std::uint32_t width = 1, height = 1;  ///< level 0, in pixels
    std::uint8_t level = 0;
    std::uint8_t bytes = 4;  ///< of a sample: 4, 2, or 1 for stencil
    std::uint8_t samples = 1;
    std::uint32_t first_slice = 0;
};
/// A sample of each pixel of a block of 8x4, in bytes from the first sample of the first pixel.
using BlockOffsets = std::array<std::uint16_t, 32>;

/// The places of a surface's samples, prepared for many of them.
class SamplePlaces {
  public:
    SamplePlaces() = default;
    explicit SamplePlaces(const DepthSurface& surface);
    std::uint64_t address(std::uint32_t slice, std::uint32_t x, std::uint32_t y,
                          unsigned sample) const;
    /// Of all blocks whose corner is a multiple of 8 and 4, each of which lies within a page; null:
    /// they do not, or differ.
    const BlockOffsets* block_offsets(unsigned sample) const {
        return blocks_.empty() ? nullptr : &blocks_[sample];
    }

    /// Four of a row of such a block lie side by side, and have 16 bytes.
    bool in_quads() const { return bytes_ == 4 && samples_ == 1; }

  private:
    bool blocks_are_alike(std::uint32_t across, std::uint32_t down) const;

    std::vector<BlockOffsets> blocks_;  ///< by sample
    surface::Surface surface_;
    surface::LevelPlace level_;
    std::uint32_t first_slice_ = 0;
    std::uint8_t bytes_ = 4, samples_ = 1;
};
std::uint64_t sample_address(const DepthSurface& surface, std::uint32_t slice, std::uint32_t x,
                             std::uint32_t y, unsigned sample);

}  // namespace gen9::pixel
