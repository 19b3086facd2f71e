// SPDX-License-Identifier: Apache-2.0
#include "pixel/color_state.h"

#include <bit>

#include "packets/draw/pixels.h"

namespace gen9::pixel {

namespace {

Factor factor(std::uint64_t code) {
    const bool inverse = code & 0x10;
    const std::uint64_t kind = code & 0xF;
    const bool reserved = kind == 0 || kind > 0xA || (inverse && kind == 6);
    return reserved ? Factor::Zero : static_cast<Factor>(code);
}

Function function(std::uint64_t code) {
    return code > 4 ? Function::Add : static_cast<Function>(code);
}

TargetState read_entry(std::span<const std::uint32_t> dwords) {
    namespace entry = packets::BLEND_STATE_ENTRY;
    const auto on = [&](const packets::Field& field) { return field.get(dwords) != 0; };
    TargetState t;
    t.blend = on(entry::ColorBufferBlendEnable);
    t.color = {factor(entry::SourceBlendFactor.get(dwords)),
               factor(entry::DestinationBlendFactor.get(dwords)),
               function(entry::ColorBlendFunction.get(dwords))};
    t.alpha = {factor(entry::SourceAlphaBlendFactor.get(dwords)),
               factor(entry::DestinationAlphaBlendFactor.get(dwords)),
               function(entry::AlphaBlendFunction.get(dwords))};
    t.logic = on(entry::LogicOpEnable);
    t.logic_op = static_cast<LogicOp>(entry::LogicOpFunction.get(dwords));
    const std::uint64_t range = entry::ColorClampRange.get(dwords);
    t.range = range > 2 ? ClampRange::Target : static_cast<ClampRange>(range);
    t.clamp_before = on(entry::PreBlendColorClampEnable);
    t.clamp_source_only = on(entry::PreBlendSourceOnlyClampEnable);
    t.clamp_after = on(entry::PostBlendColorClampEnable);
    t.writes = static_cast<std::uint8_t>(
        (on(entry::WriteDisableRed) ? 0 : 1) | (on(entry::WriteDisableGreen) ? 0 : 2) |
        (on(entry::WriteDisableBlue) ? 0 : 4) | (on(entry::WriteDisableAlpha) ? 0 : 8));
    return t;
}

}  // namespace

ColorState read_color_state(std::span<const std::uint32_t> blend,
                            std::span<const std::uint32_t> color_calc) {
    namespace header = packets::BLEND_STATE;
    namespace calc = packets::COLOR_CALC_STATE;
    const auto on = [&](const packets::Field& field) { return field.get(blend) != 0; };
    ColorState s;
    s.alpha_to_coverage = on(header::AlphaToCoverageEnable);
    s.alpha_to_one = on(header::AlphaToOneEnable);
    s.independent_alpha = on(header::IndependentAlphaBlendEnable);
    s.alpha_test = on(header::AlphaTestEnable);
    s.alpha_function = static_cast<Compare>(header::AlphaTestFunction.get(blend));
    s.dither = on(header::ColorDitherEnable);
    s.dither_x = static_cast<std::uint8_t>(header::XDitherOffset.get(blend));
    s.dither_y = static_cast<std::uint8_t>(header::YDitherOffset.get(blend));
    for (unsigned t = 0; t < kTargets; ++t)
        s.target[t] = read_entry(blend.size() >= 3 + 2 * t ? blend.subspan(1 + 2 * t, 2)
                                                           : std::span<const std::uint32_t>{});

    s.alpha_unorm8 = calc::AlphaTestFormat.get(color_calc) == 0;
    s.alpha_reference =
        static_cast<std::uint32_t>(calc::AlphaReferenceValueAsFLOAT32.get(color_calc));
    if (s.alpha_unorm8) s.alpha_reference &= 0xFF;
    const packets::Field* const constants[] = {
        &calc::BlendConstantColorRed, &calc::BlendConstantColorGreen, &calc::BlendConstantColorBlue,
        &calc::BlendConstantColorAlpha};
    for (unsigned c = 0; c < 4; ++c)
        s.constant[c] =
            std::bit_cast<float>(static_cast<std::uint32_t>(constants[c]->get(color_calc)));
    return s;
}

}  // namespace gen9::pixel
