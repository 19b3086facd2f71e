// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace gen9::cs {

/// What the state in front of a 3DPRIMITIVE tells of what it was for. Drivers clear, fill, copy and
/// resolve by drawing a rectangle without a vertex shader (Mesa's blorp), and the counts of
/// 3DSTATE_PS tell whether its pixel shader has something to read from. They are hints for
/// prefetching: where they are 0, nothing is known. A context begins without state.
class DrawState {
  public:
    /// A state command of the 3D pipeline.
    void take(std::span<const std::uint32_t> dwords);
    /// "a draw", "a copy or blit by a rectangle"; empty: nobody knows.
    std::string purpose(std::span<const std::uint32_t> primitive) const;

  private:
    std::optional<bool> vertex_shader_;
    struct PixelShader {
        bool fast_clear = false, resolve = false, reads = false, writes_only = false;
    };
    std::optional<PixelShader> pixel_shader_;
};

}  // namespace gen9::cs
