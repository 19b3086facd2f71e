// SPDX-License-Identifier: Apache-2.0
#include "raster/decode.h"

#include <algorithm>

#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"

namespace gen9::raster {
namespace {

using Dwords = StageState::Dwords;
using packets::command_named;
using packets::CommandRow;

std::uint8_t samples_of(std::uint64_t log2) {
    return static_cast<std::uint8_t>(1u << std::min<std::uint64_t>(log2, 4));
}

/// How many samples there are, and where coverage is tested (SF-44, WM-14 to WM-17).
void decode_samples(const PipelineState& state, bool hz_op, State& out) {
    static const CommandRow& multisample_row = command_named("3DSTATE_MULTISAMPLE");
    static const CommandRow& mask_row = command_named("3DSTATE_SAMPLE_MASK");
    static const CommandRow& pattern_row = command_named("3DSTATE_SAMPLE_PATTERN");
    static const CommandRow& raster_row = command_named("3DSTATE_RASTER");
    static const CommandRow& op_row = command_named("3DSTATE_WM_HZ_OP");
    namespace M = packets::STATE_MULTISAMPLE;
    namespace OP = packets::STATE_WM_HZ_OP;
    namespace R = packets::STATE_RASTER;
    const Dwords multisample = latched(state, multisample_row), mask = latched(state, mask_row),
                 pattern = latched(state, pattern_row), raster = latched(state, raster_row),
                 op = latched(state, op_row);

    interpolation::MultisampleFields fields;
    fields.samples = samples_of(hz_op ? OP::NumberOfMultisamples.get(op)
                                      : M::NumberOfMultisamples.get(multisample));
    fields.hz_op = hz_op;
    fields.api = static_cast<std::uint8_t>(R::APIMode.get(raster));
    const auto forced = R::ForcedSampleCount.get(raster);
    if (forced != 0 && !hz_op) fields.forced_samples = samples_of(forced - 1);
    fields.dx_enable = R::DXMultisampleRasterizationEnable.get(raster);
    fields.forced = R::ForceMultisampling.get(raster);
    fields.field = static_cast<MultisampleMode>(R::DXMultisampleRasterizationMode.get(raster));
    const MultisampleMode mode = interpolation::multisample_mode(fields);

    out.samples = fields.forced_samples ? fields.forced_samples : fields.samples;
    out.at_each_sample = out.samples > 1 && (mode == MultisampleMode::OffPattern ||
                                             mode == MultisampleMode::OnPattern);
    const bool offset = hz_op ? OP::PixelPositionOffsetEnable.get(op)
                              : M::PixelPositionOffsetEnable.get(multisample);
    out.pixel = interpolation::pixel_place(M::PixelLocation.get(multisample), offset, out.samples);
    std::array<std::uint32_t, 8> places{};
    for (std::size_t i = 0; i < places.size() && i + 1 < pattern.size(); ++i)
        places[i] = pattern[i + 1];
    out.places = interpolation::sample_places(places, out.samples);
    out.sample_mask = interpolation::sample_mask(
        out.samples,
        static_cast<std::uint16_t>(hz_op ? OP::SampleMask.get(op)
                                         : packets::STATE_SAMPLE_MASK::SampleMask.get(mask)));
}

void decode_stipple(const PipelineState& state, State& out) {
    static const CommandRow& line_row = command_named("3DSTATE_LINE_STIPPLE");
    static const CommandRow& pattern_row = command_named("3DSTATE_POLY_STIPPLE_PATTERN");
    static const CommandRow& offset_row = command_named("3DSTATE_POLY_STIPPLE_OFFSET");
    namespace L = packets::STATE_LINE_STIPPLE;
    namespace O = packets::STATE_POLY_STIPPLE_OFFSET;
    const Dwords line = latched(state, line_row), pattern = latched(state, pattern_row),
                 offset = latched(state, offset_row);
    out.line_pattern = static_cast<std::uint16_t>(L::LineStipplePattern.get(line));
    out.line_repeat = static_cast<std::uint16_t>(
        std::clamp<std::uint64_t>(L::LineStippleRepeatCount.get(line), 1, 256));
    for (unsigned row = 0; row < out.polygon_pattern.size(); ++row)
        out.polygon_pattern[row] = static_cast<std::uint32_t>(
            packets::STATE_POLY_STIPPLE_PATTERN::PatternRow.at(row).get(pattern));
    out.polygon_x = static_cast<std::uint8_t>(O::PolygonStippleXOffset.get(offset));
    out.polygon_y = static_cast<std::uint8_t>(O::PolygonStippleYOffset.get(offset));
}

}  // namespace

State decode(const Draw& draw) {
    static const CommandRow& raster_row = command_named("3DSTATE_RASTER");
    static const CommandRow& wm_row = command_named("3DSTATE_WM");
    static const CommandRow& extra_row = command_named("3DSTATE_PS_EXTRA");
    const PipelineState& state = *draw.state;
    const bool hz_op = draw.work.kind == WorkKind::Clear;
    State out;
    decode_samples(state, hz_op, out);
    decode_stipple(state, out);
    out.conservative = !hz_op && packets::STATE_RASTER::ConservativeRasterizationEnable.get(
                                     latched(state, raster_row));
    constexpr std::uint64_t kInner = 2;
    out.inner =
        packets::STATE_PS_EXTRA::InputCoverageMaskState.get(latched(state, extra_row)) == kInner;
    out.legacy_diamonds =
        packets::STATE_WM::LegacyDiamondLineRasterization.get(latched(state, wm_row));
    return out;
}

}  // namespace gen9::raster
