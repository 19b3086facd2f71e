// SPDX-License-Identifier: Apache-2.0
/// Depth and stencil of a draw, or of a clear of its buffers, as values.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "pixel/depth_surface.h"
#include "pixel/draw_state.h"

namespace gen9::pixel {

struct DepthDraw {
    std::uint64_t draw = 0;  ///< its order
    DepthState state;
    TestTime time;
    bool clears = false;  ///< its rectangle is cleared, and no pixel goes on
    /// The draw clears depth as a side effect (3DSTATE_WM): all it stores is `clear_depth`.
    bool legacy_clear = false;
    bool has_shader = false;  ///< threads are made of its pixels
    bool per_sample = false;
    bool merges_once = false;  ///< as of the shader; the buffers have one sample
    bool statistics = false;
    interpolation::Samples samples;
    std::uint32_t clear_depth = 0;  ///< float bits
    // The buffers, if they are used.
    std::uint32_t width = 0, height = 0;  ///< of their level
    std::uint32_t layers = 1;
    SamplePlaces depth, stencil;
    std::uint8_t depth_mocs = 0, stencil_mocs = 0;
    /// Least and most depth, by viewport.
    std::array<std::pair<float, float>, 16> range{};

    bool has_clear_depth() const { return clears || legacy_clear; }
    bool uses_depth() const { return state.depth_test || state.depth_write; }
    bool uses_stencil() const { return state.stencil_test; }
    bool tests() const { return uses_depth() || uses_stencil(); }
    bool inside(std::uint32_t x, std::uint32_t y) const { return x < width && y < height; }
};
/// All but the viewports' ranges of a draw.
DepthDraw read_depth_draw(const Draw& draw);
/// `dwords`: the CC_VIEWPORTs.
void read_ranges(std::span<const std::uint32_t> dwords, DepthDraw& draw);

}  // namespace gen9::pixel
