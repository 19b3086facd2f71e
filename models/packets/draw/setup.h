// SPDX-License-Identifier: Apache-2.0
/// Clip and set-up: fields of the commands and of the states in memory.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

namespace STATE_CLIP {
inline constexpr Field UserClipDistanceCullTestEnableBitmask{
    "UserClipDistanceCullTestEnableBitmask", 1, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 1, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field ForceClipMode{"ForceClipMode", 1, 16, 16, Kind::Bool, kGen9Xml};
inline constexpr Field ForceUserClipDistanceClipTestEnableBitmask{
    "ForceUserClipDistanceClipTestEnableBitmask", 1, 17, 17, Kind::Bool, kGen9Xml};
inline constexpr Field EarlyCullEnable{"EarlyCullEnable", 1, 18, 18, Kind::Bool, kGen9Xml};
/// 8 Bit=0, 4 Bit=1
inline constexpr Field VertexSubPixelPrecisionSelect{
    "VertexSubPixelPrecisionSelect", 1, 19, 19, Kind::Enum, kGen9Xml};
inline constexpr Field ForceUserClipDistanceCullTestEnableBitmask{
    "ForceUserClipDistanceCullTestEnableBitmask", 1, 20, 20, Kind::Bool, kGen9Xml};
inline constexpr Field TriangleFanProvokingVertexSelect{
    "TriangleFanProvokingVertexSelect", 2, 1, 0, Kind::Uint, kGen9Xml};
inline constexpr Field LineStripListProvokingVertexSelect{
    "LineStripListProvokingVertexSelect", 2, 3, 2, Kind::Uint, kGen9Xml};
inline constexpr Field TriangleStripListProvokingVertexSelect{
    "TriangleStripListProvokingVertexSelect", 2, 5, 4, Kind::Uint, kGen9Xml};
inline constexpr Field NonPerspectiveBarycentricEnable{
    "NonPerspectiveBarycentricEnable", 2, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field PerspectiveDivideDisable{
    "PerspectiveDivideDisable", 2, 9, 9, Kind::Bool, kGen9Xml};
/// CLIPMODE_NORMAL=0, CLIPMODE_REJECT_ALL=3, CLIPMODE_ACCEPT_ALL=4
inline constexpr Field ClipMode{"ClipMode", 2, 15, 13, Kind::Enum, kGen9Xml};
inline constexpr Field UserClipDistanceClipTestEnableBitmask{
    "UserClipDistanceClipTestEnableBitmask", 2, 23, 16, Kind::Uint, kGen9Xml};
inline constexpr Field GuardbandClipTestEnable{
    "GuardbandClipTestEnable", 2, 26, 26, Kind::Bool, kGen9Xml};
inline constexpr Field ViewportXYClipTestEnable{
    "ViewportXYClipTestEnable", 2, 28, 28, Kind::Bool, kGen9Xml};
/// APIMODE_OGL=0, APIMODE_D3D=1
inline constexpr Field APIMode{"APIMode", 2, 30, 30, Kind::Enum, kGen9Xml};
inline constexpr Field ClipEnable{"ClipEnable", 2, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field MaximumVPIndex{"MaximumVPIndex", 3, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ForceZeroRTAIndexEnable{
    "ForceZeroRTAIndexEnable", 3, 5, 5, Kind::Bool, kGen9Xml};
/// fixed point, 3 fraction bits
inline constexpr Field MaximumPointWidth{"MaximumPointWidth", 3, 16, 6, Kind::Uint, kGen9Xml};
/// fixed point, 3 fraction bits
inline constexpr Field MinimumPointWidth{"MinimumPointWidth", 3, 27, 17, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&UserClipDistanceCullTestEnableBitmask,
                                           &StatisticsEnable,
                                           &ForceClipMode,
                                           &ForceUserClipDistanceClipTestEnableBitmask,
                                           &EarlyCullEnable,
                                           &VertexSubPixelPrecisionSelect,
                                           &ForceUserClipDistanceCullTestEnableBitmask,
                                           &TriangleFanProvokingVertexSelect,
                                           &LineStripListProvokingVertexSelect,
                                           &TriangleStripListProvokingVertexSelect,
                                           &NonPerspectiveBarycentricEnable,
                                           &PerspectiveDivideDisable,
                                           &ClipMode,
                                           &UserClipDistanceClipTestEnableBitmask,
                                           &GuardbandClipTestEnable,
                                           &ViewportXYClipTestEnable,
                                           &APIMode,
                                           &ClipEnable,
                                           &MaximumVPIndex,
                                           &ForceZeroRTAIndexEnable,
                                           &MaximumPointWidth,
                                           &MinimumPointWidth};
inline constexpr Structure kStructure{"3DSTATE_CLIP", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_CLIP

namespace STATE_SF {
inline constexpr Field ViewportTransformEnable{
    "ViewportTransformEnable", 1, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 1, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field LegacyGlobalDepthBiasEnable{
    "LegacyGlobalDepthBiasEnable", 1, 11, 11, Kind::Bool, kGen9Xml};
/// fixed point, 7 fraction bits
inline constexpr Field LineWidth{"LineWidth", 1, 29, 12, Kind::Uint, kGen9Xml};
/// 0.5 pixels=0, 1.0 pixels=1, 2.0 pixels=2, 4.0 pixels=3
inline constexpr Field LineEndCapAntialiasingRegionWidth{
    "LineEndCapAntialiasingRegionWidth", 2, 17, 16, Kind::Enum, kGen9Xml};
/// fixed point, 3 fraction bits
inline constexpr Field PointWidth{"PointWidth", 3, 10, 0, Kind::Uint, kGen9Xml};
/// Vertex=0, State=1
inline constexpr Field PointWidthSource{"PointWidthSource", 3, 11, 11, Kind::Enum, kGen9Xml};
/// 8 Bit=0, 4 Bit=1
inline constexpr Field VertexSubPixelPrecisionSelect{
    "VertexSubPixelPrecisionSelect", 3, 12, 12, Kind::Enum, kGen9Xml};
inline constexpr Field SmoothPointEnable{"SmoothPointEnable", 3, 13, 13, Kind::Bool, kGen9Xml};
/// AALINEDISTANCE_TRUE=1
inline constexpr Field AALineDistanceMode{"AALineDistanceMode", 3, 14, 14, Kind::Enum, kGen9Xml};
inline constexpr Field TriangleFanProvokingVertexSelect{
    "TriangleFanProvokingVertexSelect", 3, 26, 25, Kind::Uint, kGen9Xml};
inline constexpr Field LineStripListProvokingVertexSelect{
    "LineStripListProvokingVertexSelect", 3, 28, 27, Kind::Uint, kGen9Xml};
inline constexpr Field TriangleStripListProvokingVertexSelect{
    "TriangleStripListProvokingVertexSelect", 3, 30, 29, Kind::Uint, kGen9Xml};
inline constexpr Field LastPixelEnable{"LastPixelEnable", 3, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&ViewportTransformEnable,
                                           &StatisticsEnable,
                                           &LegacyGlobalDepthBiasEnable,
                                           &LineWidth,
                                           &LineEndCapAntialiasingRegionWidth,
                                           &PointWidth,
                                           &PointWidthSource,
                                           &VertexSubPixelPrecisionSelect,
                                           &SmoothPointEnable,
                                           &AALineDistanceMode,
                                           &TriangleFanProvokingVertexSelect,
                                           &LineStripListProvokingVertexSelect,
                                           &TriangleStripListProvokingVertexSelect,
                                           &LastPixelEnable};
inline constexpr Structure kStructure{"3DSTATE_SF", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SF

namespace STATE_RASTER {
inline constexpr Field ViewportZNearClipTestEnable{
    "ViewportZNearClipTestEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field ScissorRectangleEnable{
    "ScissorRectangleEnable", 1, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field AntialiasingEnable{"AntialiasingEnable", 1, 2, 2, Kind::Bool, kGen9Xml};
/// SOLID=0, WIREFRAME=1, POINT=2
inline constexpr Field BackFaceFillMode{"BackFaceFillMode", 1, 4, 3, Kind::Enum, kGen9Xml};
/// SOLID=0, WIREFRAME=1, POINT=2
inline constexpr Field FrontFaceFillMode{"FrontFaceFillMode", 1, 6, 5, Kind::Enum, kGen9Xml};
inline constexpr Field GlobalDepthOffsetEnablePoint{
    "GlobalDepthOffsetEnablePoint", 1, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field GlobalDepthOffsetEnableWireframe{
    "GlobalDepthOffsetEnableWireframe", 1, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field GlobalDepthOffsetEnableSolid{
    "GlobalDepthOffsetEnableSolid", 1, 9, 9, Kind::Bool, kGen9Xml};
/// MSRASTMODE_ OFF_PIXEL=0, MSRASTMODE_ OFF_PATTERN=1, MSRASTMODE_ ON_PIXEL=2, MSRASTMODE_ ON_PATTERN=3
inline constexpr Field DXMultisampleRasterizationMode{
    "DXMultisampleRasterizationMode", 1, 11, 10, Kind::Enum, kGen9Xml};
inline constexpr Field DXMultisampleRasterizationEnable{
    "DXMultisampleRasterizationEnable", 1, 12, 12, Kind::Bool, kGen9Xml};
inline constexpr Field SmoothPointEnable{"SmoothPointEnable", 1, 13, 13, Kind::Bool, kGen9Xml};
inline constexpr Field ForceMultisampling{"ForceMultisampling", 1, 14, 14, Kind::Uint, kGen9Xml};
/// BOTH=0, NONE=1, FRONT=2, BACK=3
inline constexpr Field CullMode{"CullMode", 1, 17, 16, Kind::Enum, kGen9Xml};
/// NUMRASTSAMPLES_0=0, NUMRASTSAMPLES_1=1, NUMRASTSAMPLES_2=2, NUMRASTSAMPLES_4=3, NUMRASTSAMPLES_8=4, NUMRASTSAMPLES_16=5
inline constexpr Field ForcedSampleCount{"ForcedSampleCount", 1, 20, 18, Kind::Enum, kGen9Xml};
/// Clockwise=0, Counter Clockwise=1
inline constexpr Field FrontWinding{"FrontWinding", 1, 21, 21, Kind::Enum, kGen9Xml};
/// DX9/OGL=0, DX10.0=1, DX10.1+=2
inline constexpr Field APIMode{"APIMode", 1, 23, 22, Kind::Enum, kGen9Xml};
inline constexpr Field ConservativeRasterizationEnable{
    "ConservativeRasterizationEnable", 1, 24, 24, Kind::Bool, kGen9Xml};
inline constexpr Field ViewportZFarClipTestEnable{
    "ViewportZFarClipTestEnable", 1, 26, 26, Kind::Bool, kGen9Xml};
inline constexpr Field GlobalDepthOffsetConstant{
    "GlobalDepthOffsetConstant", 2, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field GlobalDepthOffsetScale{
    "GlobalDepthOffsetScale", 3, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field GlobalDepthOffsetClamp{
    "GlobalDepthOffsetClamp", 4, 31, 0, Kind::Float, kGen9Xml};
inline constexpr const Field* kFields[] = {&ViewportZNearClipTestEnable,
                                           &ScissorRectangleEnable,
                                           &AntialiasingEnable,
                                           &BackFaceFillMode,
                                           &FrontFaceFillMode,
                                           &GlobalDepthOffsetEnablePoint,
                                           &GlobalDepthOffsetEnableWireframe,
                                           &GlobalDepthOffsetEnableSolid,
                                           &DXMultisampleRasterizationMode,
                                           &DXMultisampleRasterizationEnable,
                                           &SmoothPointEnable,
                                           &ForceMultisampling,
                                           &CullMode,
                                           &ForcedSampleCount,
                                           &FrontWinding,
                                           &APIMode,
                                           &ConservativeRasterizationEnable,
                                           &ViewportZFarClipTestEnable,
                                           &GlobalDepthOffsetConstant,
                                           &GlobalDepthOffsetScale,
                                           &GlobalDepthOffsetClamp};
inline constexpr Structure kStructure{"3DSTATE_RASTER", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_RASTER

namespace STATE_SBE {
inline constexpr Field PrimitiveIDOverrideAttributeSelect{
    "PrimitiveIDOverrideAttributeSelect", 1, 4, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryReadOffset{
    "VertexURBEntryReadOffset", 1, 10, 5, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryReadLength{
    "VertexURBEntryReadLength", 1, 15, 11, Kind::Uint, kGen9Xml};
inline constexpr Field PrimitiveIDOverrideComponentX{
    "PrimitiveIDOverrideComponentX", 1, 16, 16, Kind::Bool, kGen9Xml};
inline constexpr Field PrimitiveIDOverrideComponentY{
    "PrimitiveIDOverrideComponentY", 1, 17, 17, Kind::Bool, kGen9Xml};
inline constexpr Field PrimitiveIDOverrideComponentZ{
    "PrimitiveIDOverrideComponentZ", 1, 18, 18, Kind::Bool, kGen9Xml};
inline constexpr Field PrimitiveIDOverrideComponentW{
    "PrimitiveIDOverrideComponentW", 1, 19, 19, Kind::Bool, kGen9Xml};
/// UPPERLEFT=0, LOWERLEFT=1
inline constexpr Field PointSpriteTextureCoordinateOrigin{
    "PointSpriteTextureCoordinateOrigin", 1, 20, 20, Kind::Enum, kGen9Xml};
inline constexpr Field AttributeSwizzleEnable{
    "AttributeSwizzleEnable", 1, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field NumberOfSFOutputAttributes{
    "NumberOfSFOutputAttributes", 1, 27, 22, Kind::Uint, kGen9Xml};
inline constexpr Field ForceVertexURBEntryReadOffset{
    "ForceVertexURBEntryReadOffset", 1, 28, 28, Kind::Bool, kGen9Xml};
inline constexpr Field ForceVertexURBEntryReadLength{
    "ForceVertexURBEntryReadLength", 1, 29, 29, Kind::Bool, kGen9Xml};
inline constexpr Field PointSpriteTextureCoordinateEnable{
    "PointSpriteTextureCoordinateEnable", 2, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ConstantInterpolationEnable{
    "ConstantInterpolationEnable", 3, 31, 0, Kind::Uint, kGen9Xml};
/// DISABLED=0, XY=1, XYZ=2, XYZW=3
inline constexpr FieldArray AttributeActiveComponentFormat{
    {"AttributeActiveComponentFormat", 4, 1, 0, Kind::Enum, kGen9Xml}, 32, 2};
inline constexpr const Field* kFields[] = {&PrimitiveIDOverrideAttributeSelect,
                                           &VertexURBEntryReadOffset,
                                           &VertexURBEntryReadLength,
                                           &PrimitiveIDOverrideComponentX,
                                           &PrimitiveIDOverrideComponentY,
                                           &PrimitiveIDOverrideComponentZ,
                                           &PrimitiveIDOverrideComponentW,
                                           &PointSpriteTextureCoordinateOrigin,
                                           &AttributeSwizzleEnable,
                                           &NumberOfSFOutputAttributes,
                                           &ForceVertexURBEntryReadOffset,
                                           &ForceVertexURBEntryReadLength,
                                           &PointSpriteTextureCoordinateEnable,
                                           &ConstantInterpolationEnable,
                                           &AttributeActiveComponentFormat.first};
inline constexpr Structure kStructure{"3DSTATE_SBE", 6, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SBE

namespace STATE_SBE_SWIZ {
inline constexpr FieldArray Attribute{{"Attribute", 1, 15, 0, Kind::Enum, kGen9Xml}, 16, 16};
inline constexpr FieldArray AttributeWrapShortestEnables{
    {"AttributeWrapShortestEnables", 9, 3, 0, Kind::Uint, kGen9Xml}, 16, 4};
inline constexpr const Field* kFields[] = {&Attribute.first, &AttributeWrapShortestEnables.first};
inline constexpr Structure kStructure{"3DSTATE_SBE_SWIZ", 11, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SBE_SWIZ

namespace SF_OUTPUT_ATTRIBUTE_DETAIL {
inline constexpr Field SourceAttribute{"SourceAttribute", 0, 4, 0, Kind::Uint, kGen9Xml};
/// INPUTATTR=0, INPUTATTR_FACING=1, INPUTATTR_W=2, INPUTATTR_FACING_W=3
inline constexpr Field SwizzleSelect{"SwizzleSelect", 0, 7, 6, Kind::Enum, kGen9Xml};
/// CONST_0000=0, CONST_0001_FLOAT=1, CONST_1111_FLOAT=2, PRIM_ID=3
inline constexpr Field ConstantSource{"ConstantSource", 0, 10, 9, Kind::Enum, kGen9Xml};
inline constexpr Field SwizzleControlMode{"SwizzleControlMode", 0, 11, 11, Kind::Uint, kGen9Xml};
inline constexpr Field ComponentOverrideX{"ComponentOverrideX", 0, 12, 12, Kind::Bool, kGen9Xml};
inline constexpr Field ComponentOverrideY{"ComponentOverrideY", 0, 13, 13, Kind::Bool, kGen9Xml};
inline constexpr Field ComponentOverrideZ{"ComponentOverrideZ", 0, 14, 14, Kind::Bool, kGen9Xml};
inline constexpr Field ComponentOverrideW{"ComponentOverrideW", 0, 15, 15, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &SourceAttribute,    &SwizzleSelect,      &ConstantSource,     &SwizzleControlMode,
    &ComponentOverrideX, &ComponentOverrideY, &ComponentOverrideZ, &ComponentOverrideW};
inline constexpr Structure kStructure{"SF_OUTPUT_ATTRIBUTE_DETAIL", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace SF_OUTPUT_ATTRIBUTE_DETAIL

namespace SF_CLIP_VIEWPORT {
inline constexpr Field ViewportMatrixElementM00{
    "ViewportMatrixElementM00", 0, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field ViewportMatrixElementM11{
    "ViewportMatrixElementM11", 1, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field ViewportMatrixElementM22{
    "ViewportMatrixElementM22", 2, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field ViewportMatrixElementM30{
    "ViewportMatrixElementM30", 3, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field ViewportMatrixElementM31{
    "ViewportMatrixElementM31", 4, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field ViewportMatrixElementM32{
    "ViewportMatrixElementM32", 5, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field XMinClipGuardband{"XMinClipGuardband", 8, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field XMaxClipGuardband{"XMaxClipGuardband", 9, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field YMinClipGuardband{"YMinClipGuardband", 10, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field YMaxClipGuardband{"YMaxClipGuardband", 11, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field XMinViewPort{"XMinViewPort", 12, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field XMaxViewPort{"XMaxViewPort", 13, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field YMinViewPort{"YMinViewPort", 14, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field YMaxViewPort{"YMaxViewPort", 15, 31, 0, Kind::Float, kGen9Xml};
inline constexpr const Field* kFields[] = {&ViewportMatrixElementM00,
                                           &ViewportMatrixElementM11,
                                           &ViewportMatrixElementM22,
                                           &ViewportMatrixElementM30,
                                           &ViewportMatrixElementM31,
                                           &ViewportMatrixElementM32,
                                           &XMinClipGuardband,
                                           &XMaxClipGuardband,
                                           &YMinClipGuardband,
                                           &YMaxClipGuardband,
                                           &XMinViewPort,
                                           &XMaxViewPort,
                                           &YMinViewPort,
                                           &YMaxViewPort};
inline constexpr Structure kStructure{"SF_CLIP_VIEWPORT", 16, kFields};
static_assert(well_formed(kStructure));
}  // namespace SF_CLIP_VIEWPORT

namespace SCISSOR_RECT {
inline constexpr Field ScissorRectangleXMin{"ScissorRectangleXMin", 0, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScissorRectangleYMin{
    "ScissorRectangleYMin", 0, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field ScissorRectangleXMax{"ScissorRectangleXMax", 1, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScissorRectangleYMax{
    "ScissorRectangleYMax", 1, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&ScissorRectangleXMin, &ScissorRectangleYMin,
                                           &ScissorRectangleXMax, &ScissorRectangleYMax};
inline constexpr Structure kStructure{"SCISSOR_RECT", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace SCISSOR_RECT

/// 3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP
namespace STATE_VIEWPORT_STATE_POINTERS_SF_CLIP {
inline constexpr Field SFClipViewportPointer{
    "SFClipViewportPointer", 1, 31, 6, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&SFClipViewportPointer};
inline constexpr Structure kStructure{"3DSTATE_VIEWPORT_STATE_POINTERS_SF_CLIP", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VIEWPORT_STATE_POINTERS_SF_CLIP

/// 3DSTATE_SCISSOR_STATE_POINTERS
namespace STATE_SCISSOR_STATE_POINTERS {
inline constexpr Field ScissorRectPointer{"ScissorRectPointer", 1, 31, 5, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&ScissorRectPointer};
inline constexpr Structure kStructure{"3DSTATE_SCISSOR_STATE_POINTERS", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SCISSOR_STATE_POINTERS

namespace STATE_DRAWING_RECTANGLE {
/// Legacy=0, Core 0 Enabled=1, Core 1 Enabled=2
inline constexpr Field CoreModeSelect{"CoreModeSelect", 0, 15, 14, Kind::Enum, kGen9Xml};
inline constexpr Field ClippedDrawingRectangleXMin{
    "ClippedDrawingRectangleXMin", 1, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ClippedDrawingRectangleYMin{
    "ClippedDrawingRectangleYMin", 1, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field ClippedDrawingRectangleXMax{
    "ClippedDrawingRectangleXMax", 2, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ClippedDrawingRectangleYMax{
    "ClippedDrawingRectangleYMax", 2, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field DrawingRectangleOriginX{
    "DrawingRectangleOriginX", 3, 15, 0, Kind::Int, kGen9Xml};
inline constexpr Field DrawingRectangleOriginY{
    "DrawingRectangleOriginY", 3, 31, 16, Kind::Int, kGen9Xml};
inline constexpr const Field* kFields[] = {&CoreModeSelect,
                                           &ClippedDrawingRectangleXMin,
                                           &ClippedDrawingRectangleYMin,
                                           &ClippedDrawingRectangleXMax,
                                           &ClippedDrawingRectangleYMax,
                                           &DrawingRectangleOriginX,
                                           &DrawingRectangleOriginY};
inline constexpr Structure kStructure{"3DSTATE_DRAWING_RECTANGLE", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_DRAWING_RECTANGLE

namespace STATE_LINE_STIPPLE {
inline constexpr Field LineStipplePattern{"LineStipplePattern", 1, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field CurrentStippleIndex{"CurrentStippleIndex", 1, 19, 16, Kind::Uint, kGen9Xml};
inline constexpr Field CurrentRepeatCounter{
    "CurrentRepeatCounter", 1, 29, 21, Kind::Uint, kGen9Xml};
inline constexpr Field ModifyEnableCurrentRepeatCounterCurrentStippleIndex{
    "ModifyEnableCurrentRepeatCounterCurrentStippleIndex", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field LineStippleRepeatCount{
    "LineStippleRepeatCount", 2, 8, 0, Kind::Uint, kGen9Xml};
/// fixed point, 16 fraction bits
inline constexpr Field LineStippleInverseRepeatCount{
    "LineStippleInverseRepeatCount", 2, 31, 15, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &LineStipplePattern,     &CurrentStippleIndex,
    &CurrentRepeatCounter,   &ModifyEnableCurrentRepeatCounterCurrentStippleIndex,
    &LineStippleRepeatCount, &LineStippleInverseRepeatCount};
inline constexpr Structure kStructure{"3DSTATE_LINE_STIPPLE", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_LINE_STIPPLE

namespace STATE_AA_LINE_PARAMETERS {
/// fixed point, 8 fraction bits
inline constexpr Field AACoverageSlope{"AACoverageSlope", 1, 7, 0, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AAPointCoverageSlope{"AAPointCoverageSlope", 1, 15, 8, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AACoverageBias{"AACoverageBias", 1, 23, 16, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AAPointCoverageBias{"AAPointCoverageBias", 1, 31, 24, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AACoverageEndCapSlope{
    "AACoverageEndCapSlope", 2, 7, 0, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AAPointCoverageEndCapSlope{
    "AAPointCoverageEndCapSlope", 2, 15, 8, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AACoverageEndCapBias{
    "AACoverageEndCapBias", 2, 23, 16, Kind::Uint, kGen9Xml};
/// fixed point, 8 fraction bits
inline constexpr Field AAPointCoverageEndCapBias{
    "AAPointCoverageEndCapBias", 2, 31, 24, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&AACoverageSlope,       &AAPointCoverageSlope,
                                           &AACoverageBias,        &AAPointCoverageBias,
                                           &AACoverageEndCapSlope, &AAPointCoverageEndCapSlope,
                                           &AACoverageEndCapBias,  &AAPointCoverageEndCapBias};
inline constexpr Structure kStructure{"3DSTATE_AA_LINE_PARAMETERS", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_AA_LINE_PARAMETERS

namespace STATE_POLY_STIPPLE_OFFSET {
inline constexpr Field PolygonStippleYOffset{
    "PolygonStippleYOffset", 1, 4, 0, Kind::Uint, kGen9Xml};
inline constexpr Field PolygonStippleXOffset{
    "PolygonStippleXOffset", 1, 12, 8, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&PolygonStippleYOffset, &PolygonStippleXOffset};
inline constexpr Structure kStructure{"3DSTATE_POLY_STIPPLE_OFFSET", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_POLY_STIPPLE_OFFSET

namespace STATE_POLY_STIPPLE_PATTERN {
inline constexpr FieldArray PatternRow{{"PatternRow", 1, 31, 0, Kind::Uint, kGen9Xml}, 32, 32};
inline constexpr const Field* kFields[] = {&PatternRow.first};
inline constexpr Structure kStructure{"3DSTATE_POLY_STIPPLE_PATTERN", 33, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_POLY_STIPPLE_PATTERN

}  // namespace gen9::packets
