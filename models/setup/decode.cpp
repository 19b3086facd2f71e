// SPDX-License-Identifier: Apache-2.0
#include "setup/decode.h"

#include <algorithm>
#include <bit>

#include "interpolation/sample_state.h"
#include "packets/draw/pixels.h"
#include "packets/draw/setup.h"
#include "packets/draw/shaders.h"

namespace gen9::setup {
namespace {

using Dwords = StageState::Dwords;
using packets::command_named;
using packets::CommandRow;

template <class Value>
constexpr std::uint8_t byte(Value value) {
    return static_cast<std::uint8_t>(value);
}
template <class Value>
constexpr std::uint16_t word(Value value) {
    return static_cast<std::uint16_t>(value);
}
float as_float(std::uint64_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

FillMode fill_mode(std::uint64_t code) {
    return code == 1 ? FillMode::Wireframe : code == 2 ? FillMode::Point : FillMode::Solid;
}

DepthKind depth_kind(Dwords depth_buffer) {
    namespace D = packets::STATE_DEPTH_BUFFER;
    constexpr std::uint64_t kNull = 7;
    if (depth_buffer.empty() || D::SurfaceType.get(depth_buffer) == kNull) return DepthKind::None;
    switch (D::SurfaceFormat.get(depth_buffer)) {
        case 1:
            return DepthKind::Float32;
        case 3:
            return DepthKind::Unorm24;
        case 5:
            return DepthKind::Unorm16;
        default:
            return DepthKind::None;
    }
}

State decode_state(const PipelineState& state) {
    static const CommandRow& sf_row = command_named("3DSTATE_SF");
    static const CommandRow& raster_row = command_named("3DSTATE_RASTER");
    static const CommandRow& wm_row = command_named("3DSTATE_WM");
    static const CommandRow& depth_row = command_named("3DSTATE_DEPTH_BUFFER");
    const Dwords sf = latched(state, sf_row), raster = latched(state, raster_row),
                 wm = latched(state, wm_row);
    namespace SF = packets::STATE_SF;
    namespace R = packets::STATE_RASTER;
    namespace WM = packets::STATE_WM;
    State out;
    out.viewport_transform = SF::ViewportTransformEnable.get(sf);
    out.scissor = R::ScissorRectangleEnable.get(raster);
    out.coarse_grid = SF::VertexSubPixelPrecisionSelect.get(sf);
    out.line_width = static_cast<std::uint32_t>(SF::LineWidth.get(sf));
    out.point_width = word(SF::PointWidth.get(sf));
    out.point_width_from_state = SF::PointWidthSource.get(sf);
    out.round_points = R::SmoothPointEnable.get(raster);
    out.points_upper_right = WM::PointRasterizationRule.get(wm);
    out.last_pixel = SF::LastPixelEnable.get(sf);
    out.smooth_lines = R::AntialiasingEnable.get(raster);
    out.line_region = byte(WM::LineAntialiasingRegionWidth.get(wm));
    out.cap_region = byte(WM::LineEndCapAntialiasingRegionWidth.get(wm));
    out.line_stipple = WM::LineStippleEnable.get(wm);
    out.polygon_stipple = WM::PolygonStippleEnable.get(wm);
    out.provoking = {byte(SF::TriangleStripListProvokingVertexSelect.get(sf)),
                     byte(SF::LineStripListProvokingVertexSelect.get(sf)),
                     byte(SF::TriangleFanProvokingVertexSelect.get(sf))};
    out.front_counter_clockwise = R::FrontWinding.get(raster);
    out.cull = static_cast<CullMode>(R::CullMode.get(raster));
    out.front_fill = fill_mode(R::FrontFaceFillMode.get(raster));
    out.back_fill = fill_mode(R::BackFaceFillMode.get(raster));
    out.multisample = interpolation::multisample_mode(interpolation::read_fields(state));
    out.conservative = R::ConservativeRasterizationEnable.get(raster);
    DepthBias& bias = out.bias;
    bias.solid = R::GlobalDepthOffsetEnableSolid.get(raster);
    bias.wireframe = R::GlobalDepthOffsetEnableWireframe.get(raster);
    bias.point = R::GlobalDepthOffsetEnablePoint.get(raster);
    bias.constant = as_float(R::GlobalDepthOffsetConstant.get(raster));
    bias.scale = as_float(R::GlobalDepthOffsetScale.get(raster));
    bias.clamp = as_float(R::GlobalDepthOffsetClamp.get(raster));
    bias.legacy = SF::LegacyGlobalDepthBiasEnable.get(sf);
    bias.depth = depth_kind(latched(state, depth_row));
    return out;
}

struct UrbRead {
    std::uint8_t offset = 0, length = 0;
    bool geometry_shader = false;
};
/// What the last enabled stage says (SF-57).
UrbRead read_of_last_stage(const PipelineState& state) {
    static const CommandRow& gs = command_named("3DSTATE_GS");
    static const CommandRow& ds = command_named("3DSTATE_DS");
    static const CommandRow& vs = command_named("3DSTATE_VS");
    namespace GS = packets::STATE_GS;
    if (const Dwords words = latched(state, gs); GS::Enable.get(words))
        return {byte(GS::VertexURBEntryOutputReadOffset.get(words)),
                byte(GS::VertexURBEntryOutputLength.get(words)), true};
    namespace DS = packets::STATE_DS;
    if (const Dwords words = latched(state, ds); DS::Enable.get(words))
        return {byte(DS::VertexURBEntryOutputReadOffset.get(words)),
                byte(DS::VertexURBEntryOutputLength.get(words))};
    namespace VS = packets::STATE_VS;
    const Dwords words = latched(state, vs);
    return {byte(VS::VertexURBEntryOutputReadOffset.get(words)),
            byte(VS::VertexURBEntryOutputLength.get(words))};
}

AttributeSource decode_source(std::uint32_t detail, std::uint64_t wrap) {
    namespace D = packets::SF_OUTPUT_ATTRIBUTE_DETAIL;
    const std::span<const std::uint32_t> dword(&detail, 1);
    AttributeSource out;
    out.source = byte(D::SourceAttribute.get(dword));
    out.select = byte(D::SwizzleSelect.get(dword));
    out.constant = byte(D::ConstantSource.get(dword));
    out.override_mask =
        byte(D::ComponentOverrideX.get(dword) | D::ComponentOverrideY.get(dword) << 1 |
             D::ComponentOverrideZ.get(dword) << 2 | D::ComponentOverrideW.get(dword) << 3);
    out.wrap_shortest = byte(wrap);
    return out;
}

AttributeState decode_attributes(const PipelineState& state) {
    static const CommandRow& sbe_row = command_named("3DSTATE_SBE");
    static const CommandRow& swiz_row = command_named("3DSTATE_SBE_SWIZ");
    namespace SBE = packets::STATE_SBE;
    namespace SWIZ = packets::STATE_SBE_SWIZ;
    const Dwords sbe = latched(state, sbe_row), swiz = latched(state, swiz_row);
    const UrbRead last = read_of_last_stage(state);
    AttributeState out;
    out.count =
        byte(std::min<std::uint64_t>(SBE::NumberOfSFOutputAttributes.get(sbe), kMaxAttributes));
    out.read_offset = SBE::ForceVertexURBEntryReadOffset.get(sbe)
                          ? byte(SBE::VertexURBEntryReadOffset.get(sbe))
                          : last.offset;
    out.read_length = SBE::ForceVertexURBEntryReadLength.get(sbe)
                          ? byte(SBE::VertexURBEntryReadLength.get(sbe))
                          : last.length;
    out.swizzle = SBE::AttributeSwizzleEnable.get(sbe);
    for (unsigned i = 0; i < 16; ++i)
        out.sources[i] = decode_source(static_cast<std::uint32_t>(SWIZ::Attribute.at(i).get(swiz)),
                                       SWIZ::AttributeWrapShortestEnables.at(i).get(swiz));
    const auto first = static_cast<std::uint32_t>(SWIZ::Attribute.at(0).get(swiz));
    out.swizzle_upper =
        packets::SF_OUTPUT_ATTRIBUTE_DETAIL::SwizzleControlMode.get(std::span(&first, 1)) != 0;
    out.primitive_id_attribute = byte(SBE::PrimitiveIDOverrideAttributeSelect.get(sbe));
    out.primitive_id_mask = byte(SBE::PrimitiveIDOverrideComponentX.get(sbe) |
                                 SBE::PrimitiveIDOverrideComponentY.get(sbe) << 1 |
                                 SBE::PrimitiveIDOverrideComponentZ.get(sbe) << 2 |
                                 SBE::PrimitiveIDOverrideComponentW.get(sbe) << 3);
    out.geometry_shader = last.geometry_shader;
    out.point_sprites =
        static_cast<std::uint32_t>(SBE::PointSpriteTextureCoordinateEnable.get(sbe));
    out.sprite_lower_left = SBE::PointSpriteTextureCoordinateOrigin.get(sbe);
    out.constant_interpolation =
        static_cast<std::uint32_t>(SBE::ConstantInterpolationEnable.get(sbe));
    // The form of Gen8 ends before the active components: all are.
    if (sbe.size() >= SBE::kStructure.dwords)
        for (unsigned i = 0; i < kMaxAttributes; ++i)
            out.active_components[i] = byte(SBE::AttributeActiveComponentFormat.at(i).get(sbe));
    return out;
}

DrawingRectangle decode_drawing(const PipelineState& state) {
    static const CommandRow& row = command_named("3DSTATE_DRAWING_RECTANGLE");
    namespace D = packets::STATE_DRAWING_RECTANGLE;
    const Dwords words = latched(state, row);
    return {word(D::ClippedDrawingRectangleXMin.get(words)),
            word(D::ClippedDrawingRectangleYMin.get(words)),
            word(D::ClippedDrawingRectangleXMax.get(words)),
            word(D::ClippedDrawingRectangleYMax.get(words)),
            static_cast<std::int16_t>(D::DrawingRectangleOriginX.get(words)),
            static_cast<std::int16_t>(D::DrawingRectangleOriginY.get(words))};
}

}  // namespace

Draw decode(const PipelineState& state) {
    Draw draw;
    draw.state = decode_state(state);
    draw.attributes = decode_attributes(state);
    draw.drawing = decode_drawing(state);
    return draw;
}

InMemory in_memory(const PipelineState& state) {
    static const CommandRow& clip = command_named("3DSTATE_CLIP");
    static const CommandRow& viewports = command_named("3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP");
    static const CommandRow& scissors = command_named("3DSTATE_SCISSOR_STATE_POINTERS");
    InMemory out;
    out.last = static_cast<unsigned>(packets::STATE_CLIP::MaximumVPIndex.get(latched(state, clip)));
    out.viewports = state.dynamic_state_base +
                    packets::STATE_VIEWPORT_STATE_POINTERS_SF_CLIP::SFClipViewportPointer.get(
                        latched(state, viewports));
    out.scissors =
        state.dynamic_state_base +
        packets::STATE_SCISSOR_STATE_POINTERS::ScissorRectPointer.get(latched(state, scissors));
    return out;
}

Viewport viewport_of(std::span<const std::uint32_t> dwords) {
    namespace V = packets::SF_CLIP_VIEWPORT;
    const auto value = [&](const packets::Field& field) { return as_float(field.get(dwords)); };
    Viewport out;
    out.m00 = value(V::ViewportMatrixElementM00);
    out.m11 = value(V::ViewportMatrixElementM11);
    out.m22 = value(V::ViewportMatrixElementM22);
    out.m30 = value(V::ViewportMatrixElementM30);
    out.m31 = value(V::ViewportMatrixElementM31);
    out.m32 = value(V::ViewportMatrixElementM32);
    out.min_x = value(V::XMinViewPort);
    out.max_x = value(V::XMaxViewPort);
    out.min_y = value(V::YMinViewPort);
    out.max_y = value(V::YMaxViewPort);
    return out;
}

Scissor scissor_of(std::span<const std::uint32_t> dwords) {
    namespace S = packets::SCISSOR_RECT;
    return {word(S::ScissorRectangleXMin.get(dwords)), word(S::ScissorRectangleYMin.get(dwords)),
            word(S::ScissorRectangleXMax.get(dwords)), word(S::ScissorRectangleYMax.get(dwords))};
}

PixelRectangle clear_rectangle(const PipelineState& state) {
    static const CommandRow& op_row = command_named("3DSTATE_WM_HZ_OP");
    static const CommandRow& depth_row = command_named("3DSTATE_DEPTH_BUFFER");
    namespace OP = packets::STATE_WM_HZ_OP;
    namespace D = packets::STATE_DEPTH_BUFFER;
    const Dwords op = latched(state, op_row), depth = latched(state, depth_row);
    const auto pixel = [&](const packets::Field& field) {
        return static_cast<std::int32_t>(field.get(op));
    };
    // The largest values are not inside (public HiZ code).
    PixelRectangle out{pixel(OP::ClearRectangleXMin), pixel(OP::ClearRectangleYMin),
                       pixel(OP::ClearRectangleXMax) - 1, pixel(OP::ClearRectangleYMax) - 1};
    const bool clears = OP::DepthBufferClearEnable.get(op) || OP::StencilBufferClearEnable.get(op);
    if (OP::FullSurfaceDepthAndStencilClear.get(op) && clears &&
        depth_kind(depth) != DepthKind::None) {
        const auto size = [&](const packets::Field& field) {
            const auto whole = static_cast<std::int32_t>(field.get(depth)) + 1;
            return std::max(whole >> D::LOD.get(depth), 1);
        };
        out = {0, 0, size(D::Width) - 1, size(D::Height) - 1};
    }
    return out;
}

}  // namespace gen9::setup
