// SPDX-License-Identifier: Apache-2.0
/// What the pixel stages know of a draw, decoded once for it.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "interconnect/payload/draw_state.h"
#include "interpolation/multisample.h"
#include "pixel/depth.h"

namespace gen9::pixel {

using Dwords = std::span<const std::uint32_t>;

/// The commands that the pixel stages read.
struct PixelCommands {
    const packets::CommandRow &ps, &ps_extra, &constants, &binding_table, &sampler_state, &ps_blend,
        &color_calc, &blend_state, &depth_viewport, &wm, &hz_op, &depth_stencil, &depth_buffer,
        &stencil_buffer, &clear_params;
    static const PixelCommands& rows();
};
/// Widths of a pixel thread.
enum class Width : std::uint8_t { Simd8, Simd16, Simd32 };
inline constexpr unsigned kWidths = 3;
constexpr unsigned slots_of(Width width) {
    return 8u << static_cast<unsigned>(width);
}
constexpr unsigned subspans_of(Width width) {
    return slots_of(width) / 4;
}

/// A shader's kernel of one width.
struct PixelKernel {
    bool enabled = false;
    std::uint8_t first_register = 0;  ///< of constants and set-up data
    std::uint64_t start = 0;          ///< from the instruction base
};

/// Where 3DSTATE_PS and 3DSTATE_WM say that something is evaluated.
enum class PlaceKind : std::uint8_t { Pixel = 0, Centroid = 2, Sample = 3 };

/// Codes of 3DSTATE_PS_EXTRA.
enum class InputCoverage : std::uint8_t { None, Normal, Inner, Depth };

/// A range of push constants.
struct ConstantRange {
    std::uint64_t address = 0;
    std::uint32_t registers = 0;
};

struct ShaderState {
    bool dispatches = false;  ///< the shader has an effect (WM-05)
    bool per_sample = false;  ///< a slot is a sample, if there are several
    /// A pixel is merged once, whatever samples of it are rasterised (WM-20).
    bool merges_once = false;
    std::array<PixelKernel, kWidths> kernels;
    unsigned max_threads = 1;  ///< of a dispatcher of pixel threads
    // The payload.
    std::uint8_t barycentrics = 0;  ///< sets, in the order of PS-29
    bool source_depth = false, source_w = false;
    PlaceKind depth_place = PlaceKind::Pixel;
    PlaceKind offsets = PlaceKind::Pixel;  ///< Pixel: no position offsets
    InputCoverage coverage = InputCoverage::None;
    bool attributes = false;  ///< set-up data is delivered
    bool mask_to_target = false, depth_to_target = false;
    std::uint32_t binding_table = 0, sampler_state = 0, color_calc = 0;
    std::uint8_t scratch_code = 0;
    std::uint64_t scratch_base = 0;
    std::array<ConstantRange, 4> constants;
    std::uint8_t constants_mocs = 0;
    // The thread.
    bool vector_mask = false, single_program_flow = false, alternate_float = false;
    bool software_exception = false, stack_exception = false, illegal_opcode_exception = false;
    std::uint8_t rounding = 0, priority = 0;

    interpolation::Samples samples;
    bool statistics = false;
    /// Messages need not test depth and stencil.
    bool depth_done = true;
};
ShaderState read_shader_state(const PipelineState& state);

/// When depth and stencil are tested.
TestTimeFacts test_facts(const PipelineState& state, const DepthState& depth);
/// Depth and stencil as 3DSTATE_WM_DEPTH_STENCIL and the buffers' packets have them.
DepthState depth_state_of(const PipelineState& state);

/// The width of the next thread, of `waiting` groups of four slots of one object (PS-10).
Width choose_width(const ShaderState& state, unsigned waiting);

}  // namespace gen9::pixel
