// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth.h"

#include <bit>

#include "common/host.h"
#include "packets/draw/pixels.h"

namespace gen9::pixel {

namespace {

/// A number whose order as an integer is that of floats; zeros are equal.
std::int32_t ordered(std::uint32_t bits) {
    if (bits == 0x80000000u) return 0;
    return static_cast<std::int32_t>(bits ^ (bits >> 31 ? 0x7FFFFFFFu : 0u));
}

bool is_float(const formats::Format& format) {
    return format.kind() == formats::Kind::Float;
}

std::uint32_t depth_mask(const formats::Format& format) {
    const unsigned width = format.channel[0].width;
    return width >= 32 ? ~0u : (1u << width) - 1;
}

std::uint8_t operate(StencilOp op, std::uint8_t stored, std::uint8_t reference) {
    switch (op) {
        case StencilOp::Keep:
            break;
        case StencilOp::Zero:
            return 0;
        case StencilOp::Replace:
            return reference;
        case StencilOp::IncrementClamp:
            return static_cast<std::uint8_t>(stored == 0xFF ? 0xFF : stored + 1);
        case StencilOp::DecrementClamp:
            return static_cast<std::uint8_t>(stored == 0 ? 0 : stored - 1);
        case StencilOp::Increment:
            return static_cast<std::uint8_t>(stored + 1);
        case StencilOp::Decrement:
            return static_cast<std::uint8_t>(stored - 1);
        case StencilOp::Invert:
            return static_cast<std::uint8_t>(~stored);
    }
    return stored;
}

}  // namespace

DepthState read_depth_state(std::span<const std::uint32_t> depth_stencil,
                            std::span<const std::uint32_t> depth_buffer,
                            std::span<const std::uint32_t> stencil_buffer) {
    namespace ds = packets::STATE_WM_DEPTH_STENCIL;
    namespace db = packets::STATE_DEPTH_BUFFER;
    namespace sb = packets::STATE_STENCIL_BUFFER;
    constexpr unsigned kNullSurface = 7;
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint8_t>(field.get(depth_stencil));
    };
    DepthState s;
    if (db::SurfaceType.get(depth_buffer) != kNullSurface && !depth_buffer.empty())
        s.format =
            formats::find_depth_format(static_cast<unsigned>(db::SurfaceFormat.get(depth_buffer)));
    const bool stencil = sb::StencilBufferEnable.get(stencil_buffer) != 0;
    s.depth_test = s.format && value(ds::DepthTestEnable);
    s.depth_write =
        s.format && db::DepthWriteEnable.get(depth_buffer) && value(ds::DepthBufferWriteEnable);
    s.stencil_test = stencil && value(ds::StencilTestEnable);
    s.stencil_write = s.stencil_test && db::StencilWriteEnable.get(depth_buffer) &&
                      value(ds::StencilBufferWriteEnable);
    s.depth_function = static_cast<Compare>(value(ds::DepthTestFunction));
    s.double_sided = value(ds::DoubleSidedStencilEnable) != 0;
    s.front = {static_cast<Compare>(value(ds::StencilTestFunction)),
               static_cast<StencilOp>(value(ds::StencilFailOp)),
               static_cast<StencilOp>(value(ds::StencilPassDepthFailOp)),
               static_cast<StencilOp>(value(ds::StencilPassDepthPassOp)),
               value(ds::StencilTestMask),
               value(ds::StencilWriteMask),
               value(ds::StencilReferenceValue)};
    s.back = {static_cast<Compare>(value(ds::BackfaceStencilTestFunction)),
              static_cast<StencilOp>(value(ds::BackfaceStencilFailOp)),
              static_cast<StencilOp>(value(ds::BackfaceStencilPassDepthFailOp)),
              static_cast<StencilOp>(value(ds::BackfaceStencilPassDepthPassOp)),
              value(ds::BackfaceStencilTestMask),
              value(ds::BackfaceStencilWriteMask),
              value(ds::BackfaceStencilReferenceValue)};
    return s;
}

GEN9_FOR_EACH_HOST
void to_buffer(const formats::Format& format, float least, float most, const DepthRow& z,
               DepthRow& bits) {
    std::array<float, formats::kLanes> clamped;
    for (unsigned n = 0; n < formats::kLanes; ++n) {
        const auto value = std::bit_cast<float>(z[n]);
        const float raised = value > least ? value : least;  // the least for a NaN
        clamped[n] = raised < most ? raised : most;
    }
    if (is_float(format)) {
        bits = std::bit_cast<DepthRow>(clamped);
        return;
    }
    const double codes = depth_mask(format);
    for (unsigned n = 0; n < formats::kLanes; ++n) {
        const float positive = clamped[n] > 0 ? clamped[n] : 0;
        const float unit = positive < 1 ? positive : 1;
        bits[n] = static_cast<std::uint32_t>(static_cast<std::int32_t>(unit * codes + 0.5));
    }
}

namespace {

/// Lanes of a row whose depth passes. What a buffer holds beside depth is not compared.
GEN9_FOR_EACH_HOST
std::uint32_t compare_depth(Compare function, const DepthRow& source, const DepthRow& stored,
                            std::uint32_t mask, bool floats) {
    // Integers have 24 bits at most.
    std::array<std::int32_t, formats::kLanes> from, to;
    for (unsigned n = 0; n < formats::kLanes; ++n) {
        from[n] = static_cast<std::int32_t>(source[n]);
        to[n] = static_cast<std::int32_t>(stored[n] & mask);
    }
    if (floats)
        for (unsigned n = 0; n < formats::kLanes; ++n) {
            from[n] = ordered(source[n]);
            to[n] = ordered(stored[n]);
        }
    std::uint32_t less = 0, more = 0;
    for (unsigned n = 0; n < formats::kLanes; ++n) {
        less |= from[n] < to[n] ? 1u << n : 0;
        more |= from[n] > to[n] ? 1u << n : 0;
    }
    const std::uint32_t equal = formats::kAllLanes & ~(less | more);
    return (compare(function, 0, 1) ? less : 0) | (compare(function, 1, 0) ? more : 0) |
           (compare(function, 0, 0) ? equal : 0);
}

}  // namespace

TestResult test(const DepthState& state, bool back, std::uint32_t lanes, TestRow& row,
                const StencilRow* exported) {
    const StencilFace& face = state.double_sided && back ? state.back : state.front;
    const std::uint32_t mask = state.format ? depth_mask(*state.format) : 0;
    const bool floats = state.format && is_float(*state.format);
    const std::uint32_t deep =
        state.depth_test ? compare_depth(state.depth_function, row.source, row.depth, mask, floats)
                         : formats::kAllLanes;
    TestResult result;
    if (!state.stencil_test && !state.stencil_write) {
        result.passed = deep & lanes;
        if (!state.depth_write) return result;
        result.depth_changed = result.passed;
        for (unsigned n = 0; n < formats::kLanes; ++n)
            if (result.passed >> n & 1) row.depth[n] = row.source[n];
        return result;
    }
    for (unsigned n = 0; n < formats::kLanes; ++n) {
        if (!(lanes >> n & 1)) continue;
        const std::uint32_t lane = 1u << n;
        const std::uint8_t reference = exported ? (*exported)[n] : face.reference;
        const bool stencil =
            !state.stencil_test || compare<std::uint8_t>(face.function, reference & face.test_mask,
                                                         row.stencil[n] & face.test_mask);
        const bool depth = (deep & lane) != 0;
        if (state.stencil_write) {
            const StencilOp op = !stencil ? face.fail : !depth ? face.depth_fail : face.pass;
            const std::uint8_t made = operate(op, row.stencil[n], reference);
            row.stencil[n] = static_cast<std::uint8_t>((row.stencil[n] & ~face.write_mask) |
                                                       (made & face.write_mask));
            if (op != StencilOp::Keep && face.write_mask) result.stencil_changed |= lane;
        }
        if (!stencil || !depth) continue;
        result.passed |= lane;
        if (!state.depth_write) continue;
        row.depth[n] = row.source[n];
        result.depth_changed |= lane;
    }
    return result;
}

TestTime test_time(const TestTimeFacts& f) {
    constexpr std::uint8_t kAfterShader = 1, kBeforeShader = 2;
    if (f.control == kBeforeShader) return {true, true, true};
    if (f.control == kAfterShader) return {};
    const bool decided = !f.computed_depth && !f.computed_stencil;
    const bool certain =
        decided && !f.kills && !f.shader_mask && !f.alpha_test && !f.alpha_to_coverage;
    // A sample that the shader kills must not leave its mark even if it fails.
    return {decided && (certain || !f.stencil_write), certain, false};
}

}  // namespace gen9::pixel
