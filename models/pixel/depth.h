// SPDX-License-Identifier: Apache-2.0
/// Depth and stencil tests of rows of samples, and when they happen.
///
/// Spec  DZ-06 to DZ-16, DZ-31 to DZ-39; 003:16488-16711
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "formats/elements.h"
#include "formats/format.h"
#include "pixel/color_state.h"

namespace gen9::pixel {

using DepthRow = std::array<std::uint32_t, formats::kLanes>;
using StencilRow = std::array<std::uint8_t, formats::kLanes>;

/// Codes of 3DSTATE_WM_DEPTH_STENCIL (DZ-37).
enum class StencilOp : std::uint8_t {
    Keep,
    Zero,
    Replace,
    IncrementClamp,
    DecrementClamp,
    Increment,
    Decrement,
    Invert
};

struct StencilFace {
    Compare function = Compare::Always;
    StencilOp fail = StencilOp::Keep, depth_fail = StencilOp::Keep, pass = StencilOp::Keep;
    std::uint8_t test_mask = 0xFF, write_mask = 0xFF, reference = 0;
};

struct DepthState {
    const formats::Format* format = nullptr;  ///< null: no depth buffer
    bool depth_test = false, depth_write = false;
    bool stencil_test = false, stencil_write = false;
    Compare depth_function = Compare::Always;
    bool double_sided = false;
    StencilFace front, back;
};
/// The tests and writes that the packets together enable (DZ-10 to DZ-13).
DepthState read_depth_state(std::span<const std::uint32_t> depth_stencil,
                            std::span<const std::uint32_t> depth_buffer,
                            std::span<const std::uint32_t> stencil_buffer);

/// Depth values, clamped to the viewport's range, in the buffer's own format. A NaN becomes the
/// least.
void to_buffer(const formats::Format& format, float least, float most, const DepthRow& z,
               DepthRow& bits);

/// A row of samples that are tested and the buffers' contents, which change.
struct TestRow {
    DepthRow source{};  ///< in the buffer's format
    DepthRow depth{};
    StencilRow stencil{};
};
struct TestResult {
    std::uint32_t passed = 0;         ///< of the tested lanes
    std::uint32_t depth_changed = 0;  ///< lanes to be stored
    std::uint32_t stencil_changed = 0;
};
/// `back`: the object is back-facing. `exported`: the references of a shader that makes them.
TestResult test(const DepthState& state, bool back, std::uint32_t lanes, TestRow& row,
                const StencilRow* exported = nullptr);

/// What decides when samples are tested.
struct TestTimeFacts {
    std::uint8_t control = 0;  ///< EDSC: 0 normal, 1 after the shader, 2 before it
    bool computed_depth = false, computed_stencil = false;
    bool kills = false, shader_mask = false, alpha_test = false, alpha_to_coverage = false;
    bool stencil_write = false;  ///< a sample that fails may change the stencil buffer
};
struct TestTime {
    bool test_early = false;      ///< a sample that fails needs no shader
    bool write_early = false;     ///< what passes is stored then, and counted
    bool ignores_shader = false;  ///< its depth, kills and mask change nothing in the buffers
};
TestTime test_time(const TestTimeFacts& facts);

}  // namespace gen9::pixel
