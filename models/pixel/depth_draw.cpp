// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth_draw.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "interpolation/sample_state.h"
#include "packets/draw/pixels.h"
#include "surface/layout.h"

namespace gen9::pixel {

namespace {

void take_clear_depth(const PipelineState& state, DepthDraw& d) {
    d.clear_depth = static_cast<std::uint32_t>(packets::STATE_CLEAR_PARAMS::DepthClearValue.get(
        latched(state, PixelCommands::rows().clear_params)));
    constexpr float kAny = std::numeric_limits<float>::infinity();
    d.range.fill({-kAny, kAny});
}

/// The state that a clear has in place of the draws' (WM-34).
void make_clear(const PipelineState& state, DepthDraw& d) {
    namespace hz = packets::STATE_WM_HZ_OP;
    namespace db = packets::STATE_DEPTH_BUFFER;
    const PixelCommands& rows = PixelCommands::rows();
    const Dwords op = latched(state, rows.hz_op);
    const Dwords buffer = latched(state, rows.depth_buffer);
    const Dwords stencil = latched(state, rows.stencil_buffer);
    d.clears = true;
    d.statistics = d.has_shader = false;
    d.time = {true, true, true};
    DepthState& s = d.state;
    s.depth_test = false;
    s.depth_write = s.format != nullptr && hz::DepthBufferClearEnable.get(op) != 0 &&
                    db::DepthWriteEnable.get(buffer) != 0;
    s.stencil_test = s.stencil_write =
        hz::StencilBufferClearEnable.get(op) != 0 &&
        packets::STATE_STENCIL_BUFFER::StencilBufferEnable.get(stencil) != 0 &&
        db::StencilWriteEnable.get(buffer) != 0;
    s.double_sided = false;
    s.front = {};
    s.front.pass = StencilOp::Replace;
    s.front.reference = static_cast<std::uint8_t>(hz::StencilClearValue.get(op));
    take_clear_depth(state, d);
}

}  // namespace

DepthDraw read_depth_draw(const Draw& draw) {
    namespace db = packets::STATE_DEPTH_BUFFER;
    namespace sb = packets::STATE_STENCIL_BUFFER;
    const PipelineState& state = *draw.state;
    const PixelCommands& rows = PixelCommands::rows();
    const Dwords buffer = latched(state, rows.depth_buffer);
    const Dwords stencil = latched(state, rows.stencil_buffer);
    DepthDraw d;
    d.draw = draw.order;
    d.state = depth_state_of(state);
    const bool clear = draw.work.kind == WorkKind::Clear;
    d.samples = interpolation::read_samples(state, clear);
    if (clear) {
        make_clear(state, d);
    } else {
        const ShaderState shader = read_shader_state(state);
        d.has_shader = shader.dispatches;
        d.legacy_clear =
            packets::STATE_WM::LegacyDepthBufferClearEnable.get(latched(state, rows.wm)) != 0;
        if (d.legacy_clear) take_clear_depth(state, d);
        d.per_sample = shader.per_sample;
        d.merges_once = shader.merges_once;
        // Depth is that of the pixel's place (WM-20).
        if (d.merges_once) d.samples.at_each_sample = false;
        d.statistics = shader.statistics;
        // Without a thread nothing comes that could be waited for.
        d.time =
            shader.dispatches ? test_time(test_facts(state, d.state)) : TestTime{true, true, true};
    }
    if (!d.tests()) return d;

    const auto value = [&](const packets::Field& field, Dwords dwords) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    DepthSurface surface;
    surface.base = db::SurfaceBaseAddress.get(buffer);
    surface.pitch_bytes = value(db::SurfacePitch, buffer) + 1;
    surface.qpitch_rows = value(db::SurfaceQPitch, buffer) * 4;
    surface.width = value(db::Width, buffer) + 1;
    surface.height = value(db::Height, buffer) + 1;
    surface.level = static_cast<std::uint8_t>(value(db::LOD, buffer));
    surface.bytes = d.state.format ? static_cast<std::uint8_t>(d.state.format->bytes()) : 4;
    surface.samples = d.merges_once ? std::uint8_t{1} : d.samples.samples;
    surface.first_slice = value(db::MinimumArrayElement, buffer);
    d.width = surface::minify(surface.width, surface.level);
    d.height = surface::minify(surface.height, surface.level);
    d.layers = value(db::RenderTargetViewExtent, buffer) + 1;
    d.depth_mocs = static_cast<std::uint8_t>(value(db::MOCS, buffer));
    d.depth = SamplePlaces(surface);
    surface.base = sb::SurfaceBaseAddress.get(stencil);
    surface.pitch_bytes = value(sb::SurfacePitch, stencil) + 1;
    surface.qpitch_rows = value(sb::SurfaceQPitch, stencil) * 4;
    surface.bytes = 1;
    d.stencil_mocs = static_cast<std::uint8_t>(value(sb::MOCS, stencil));
    d.stencil = SamplePlaces(surface);
    return d;
}

void read_ranges(std::span<const std::uint32_t> dwords, DepthDraw& draw) {
    for (std::size_t i = 0; i < draw.range.size() && 2 * i + 1 < dwords.size(); ++i)
        draw.range[i] = {std::bit_cast<float>(dwords[2 * i]),
                         std::bit_cast<float>(dwords[2 * i + 1])};
}

}  // namespace gen9::pixel
