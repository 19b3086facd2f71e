// SPDX-License-Identifier: Apache-2.0
/// What passes from set-up to pixel dispatch: objects to be scanned, and the blocks of pixels that
/// they cover.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "interconnect/payload/draw.h"
#include "interconnect/payload/set_up_object.h"

namespace gen9 {

/// Objects of a draw, in order. All slices get the same one, and nobody changes it.
struct ObjectBatch {
    static constexpr unsigned kObjects = 32;
    const Draw* draw = nullptr;
    std::uint64_t first = 0;  ///< number of the first among all objects of the machine
    unsigned count = 0;       ///< of `objects` that are set
    std::vector<SetUpObject> objects;
    TraceId trace_id = 0;
};

inline constexpr int kBlockWidth = 8, kBlockHeight = 4;
inline constexpr unsigned kMaxSamples = 16;
inline constexpr std::uint32_t kAllPixels = 0xFFFFFFFF;

/// A block of 8x4 pixels of one object. Pixel (column, row) is bit 8 * row + column of a mask.
struct PixelBlock {
    std::int32_t x = 0, y = 0;  ///< its upper left pixel
    std::uint16_t object = 0;   ///< number in its batch
    std::uint8_t samples = 1;
    bool full = false;        ///< every sample of every pixel is covered
    std::uint32_t lit = 0;    ///< pixels with a covered sample
    std::uint32_t inner = 0;  ///< pixels wholly within the triangle, if the state asks for them
    std::array<std::uint32_t, kMaxSamples> covered;  ///< of `samples` samples
    /// The block as the object covers it, if early tests have taken samples away.
    const PixelBlock* before_tests = nullptr;

    const PixelBlock& rasterised() const { return before_tests ? *before_tests : *this; }
};
/// The samples of a pixel.
inline std::uint16_t samples_of(const PixelBlock& block, unsigned pixel) {
    std::uint32_t covered = 0;
    for (unsigned s = 0; s < block.samples; ++s)
        covered |= (block.covered[s] >> pixel & 1) << s;
    return static_cast<std::uint16_t>(covered);
}

/// The 2x2 pixels of a block: bit 0 upper left, 1 upper right, 2 lower left, 3 lower right (WM-23).
/// `index`: four in the upper rows, four in the lower ones.
constexpr unsigned subspan(std::uint32_t mask, unsigned index) {
    const std::uint32_t rows = mask >> (index / 4 * 16 + index % 4 * 2);
    return (rows & 3) | (rows >> 6 & 12);
}

/// Blocks of the objects of one batch, in their order.
struct PixelBatch {
    static constexpr unsigned kBlocks = 64;
    const ObjectBatch* objects = nullptr;
    std::vector<PixelBlock> blocks;
};

}  // namespace gen9
