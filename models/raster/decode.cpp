// SPDX-License-Identifier: Apache-2.0
#include "raster/decode.h"

#include <algorithm>

#include "interpolation/sample_state.h"
#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"

namespace gen9::raster {
namespace {

using Dwords = StageState::Dwords;
using packets::command_named;
using packets::CommandRow;

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
    static_cast<interpolation::Samples&>(out) = interpolation::read_samples(state, hz_op);
    out.sample_mask = interpolation::read_sample_mask(state, out.samples, hz_op);
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
