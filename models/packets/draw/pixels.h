// SPDX-License-Identifier: Apache-2.0
/// Rasteriser, pixel shader and what becomes of pixels: fields of the commands and of the states in memory.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

namespace STATE_WM {
/// ForceOff=1, ForceON=2
inline constexpr Field ForceKillPixelEnable{"ForceKillPixelEnable", 1, 1, 0, Kind::Enum, kGen9Xml};
/// RASTRULE_UPPER_LEFT=0, RASTRULE_UPPER_RIGHT=1
inline constexpr Field PointRasterizationRule{
    "PointRasterizationRule", 1, 2, 2, Kind::Enum, kGen9Xml};
inline constexpr Field LineStippleEnable{"LineStippleEnable", 1, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field PolygonStippleEnable{"PolygonStippleEnable", 1, 4, 4, Kind::Bool, kGen9Xml};
/// 0.5 pixels=0, 1.0 pixels=1, 2.0 pixels=2, 4.0 pixels=3
inline constexpr Field LineAntialiasingRegionWidth{
    "LineAntialiasingRegionWidth", 1, 7, 6, Kind::Enum, kGen9Xml};
/// 0.5 pixels=0, 1.0 pixels=1, 2.0 pixels=2, 4.0 pixels=3
inline constexpr Field LineEndCapAntialiasingRegionWidth{
    "LineEndCapAntialiasingRegionWidth", 1, 9, 8, Kind::Enum, kGen9Xml};
/// BIM_PERSPECTIVE_PIXEL=1, BIM_PERSPECTIVE_CENTROID=2, BIM_PERSPECTIVE_SAMPLE=4, BIM_LINEAR_PIXEL=8, BIM_LINEAR_CENTROID=16, BIM_LINEAR_SAMPLE=32
inline constexpr Field BarycentricInterpolationMode{
    "BarycentricInterpolationMode", 1, 16, 11, Kind::Enum, kGen9Xml};
/// INTERP_PIXEL=0, INTERP_CENTROID=2, INTERP_SAMPLE=3
inline constexpr Field PositionZWInterpolationMode{
    "PositionZWInterpolationMode", 1, 18, 17, Kind::Enum, kGen9Xml};
/// ForceOff=1, ForceON=2
inline constexpr Field ForceThreadDispatchEnable{
    "ForceThreadDispatchEnable", 1, 20, 19, Kind::Enum, kGen9Xml};
/// EDSC_NORMAL=0, EDSC_PSEXEC=1, EDSC_PREPS=2
inline constexpr Field EarlyDepthStencilControl{
    "EarlyDepthStencilControl", 1, 22, 21, Kind::Enum, kGen9Xml};
inline constexpr Field LegacyDiamondLineRasterization{
    "LegacyDiamondLineRasterization", 1, 26, 26, Kind::Bool, kGen9Xml};
inline constexpr Field LegacyHierarchicalDepthBufferResolveEnable{
    "LegacyHierarchicalDepthBufferResolveEnable", 1, 27, 27, Kind::Bool, kGen9Xml};
inline constexpr Field LegacyDepthBufferResolveEnable{
    "LegacyDepthBufferResolveEnable", 1, 28, 28, Kind::Bool, kGen9Xml};
inline constexpr Field LegacyDepthBufferClearEnable{
    "LegacyDepthBufferClearEnable", 1, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&ForceKillPixelEnable,
                                           &PointRasterizationRule,
                                           &LineStippleEnable,
                                           &PolygonStippleEnable,
                                           &LineAntialiasingRegionWidth,
                                           &LineEndCapAntialiasingRegionWidth,
                                           &BarycentricInterpolationMode,
                                           &PositionZWInterpolationMode,
                                           &ForceThreadDispatchEnable,
                                           &EarlyDepthStencilControl,
                                           &LegacyDiamondLineRasterization,
                                           &LegacyHierarchicalDepthBufferResolveEnable,
                                           &LegacyDepthBufferResolveEnable,
                                           &LegacyDepthBufferClearEnable,
                                           &StatisticsEnable};
inline constexpr Structure kStructure{"3DSTATE_WM", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_WM

namespace STATE_WM_DEPTH_STENCIL {
inline constexpr Field DepthBufferWriteEnable{
    "DepthBufferWriteEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field DepthTestEnable{"DepthTestEnable", 1, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field StencilBufferWriteEnable{
    "StencilBufferWriteEnable", 1, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field StencilTestEnable{"StencilTestEnable", 1, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field DoubleSidedStencilEnable{
    "DoubleSidedStencilEnable", 1, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field DepthTestFunction{"DepthTestFunction", 1, 7, 5, Kind::Enum, kGen9Xml};
inline constexpr Field StencilTestFunction{"StencilTestFunction", 1, 10, 8, Kind::Enum, kGen9Xml};
inline constexpr Field BackfaceStencilPassDepthPassOp{
    "BackfaceStencilPassDepthPassOp", 1, 13, 11, Kind::Enum, kGen9Xml};
inline constexpr Field BackfaceStencilPassDepthFailOp{
    "BackfaceStencilPassDepthFailOp", 1, 16, 14, Kind::Enum, kGen9Xml};
inline constexpr Field BackfaceStencilFailOp{
    "BackfaceStencilFailOp", 1, 19, 17, Kind::Enum, kGen9Xml};
inline constexpr Field BackfaceStencilTestFunction{
    "BackfaceStencilTestFunction", 1, 22, 20, Kind::Enum, kGen9Xml};
inline constexpr Field StencilPassDepthPassOp{
    "StencilPassDepthPassOp", 1, 25, 23, Kind::Enum, kGen9Xml};
inline constexpr Field StencilPassDepthFailOp{
    "StencilPassDepthFailOp", 1, 28, 26, Kind::Enum, kGen9Xml};
inline constexpr Field StencilFailOp{"StencilFailOp", 1, 31, 29, Kind::Enum, kGen9Xml};
inline constexpr Field BackfaceStencilWriteMask{
    "BackfaceStencilWriteMask", 2, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field BackfaceStencilTestMask{
    "BackfaceStencilTestMask", 2, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr Field StencilWriteMask{"StencilWriteMask", 2, 23, 16, Kind::Uint, kGen9Xml};
inline constexpr Field StencilTestMask{"StencilTestMask", 2, 31, 24, Kind::Uint, kGen9Xml};
inline constexpr Field BackfaceStencilReferenceValue{
    "BackfaceStencilReferenceValue", 3, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StencilReferenceValue{
    "StencilReferenceValue", 3, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&DepthBufferWriteEnable,
                                           &DepthTestEnable,
                                           &StencilBufferWriteEnable,
                                           &StencilTestEnable,
                                           &DoubleSidedStencilEnable,
                                           &DepthTestFunction,
                                           &StencilTestFunction,
                                           &BackfaceStencilPassDepthPassOp,
                                           &BackfaceStencilPassDepthFailOp,
                                           &BackfaceStencilFailOp,
                                           &BackfaceStencilTestFunction,
                                           &StencilPassDepthPassOp,
                                           &StencilPassDepthFailOp,
                                           &StencilFailOp,
                                           &BackfaceStencilWriteMask,
                                           &BackfaceStencilTestMask,
                                           &StencilWriteMask,
                                           &StencilTestMask,
                                           &BackfaceStencilReferenceValue,
                                           &StencilReferenceValue};
inline constexpr Structure kStructure{"3DSTATE_WM_DEPTH_STENCIL", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_WM_DEPTH_STENCIL

namespace STATE_WM_CHROMAKEY {
inline constexpr Field ChromaKeyKillEnable{"ChromaKeyKillEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&ChromaKeyKillEnable};
inline constexpr Structure kStructure{"3DSTATE_WM_CHROMAKEY", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_WM_CHROMAKEY

namespace STATE_WM_HZ_OP {
inline constexpr Field NumberOfMultisamples{
    "NumberOfMultisamples", 1, 15, 13, Kind::Uint, kGen9Xml};
inline constexpr Field StencilClearValue{"StencilClearValue", 1, 23, 16, Kind::Uint, kGen9Xml};
inline constexpr Field FullSurfaceDepthAndStencilClear{
    "FullSurfaceDepthAndStencilClear", 1, 25, 25, Kind::Bool, kGen9Xml};
inline constexpr Field PixelPositionOffsetEnable{
    "PixelPositionOffsetEnable", 1, 26, 26, Kind::Bool, kGen9Xml};
inline constexpr Field HierarchicalDepthBufferResolveEnable{
    "HierarchicalDepthBufferResolveEnable", 1, 27, 27, Kind::Bool, kGen9Xml};
inline constexpr Field DepthBufferResolveEnable{
    "DepthBufferResolveEnable", 1, 28, 28, Kind::Bool, kGen9Xml};
inline constexpr Field ScissorRectangleEnable{
    "ScissorRectangleEnable", 1, 29, 29, Kind::Bool, kGen9Xml};
inline constexpr Field DepthBufferClearEnable{
    "DepthBufferClearEnable", 1, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field StencilBufferClearEnable{
    "StencilBufferClearEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field ClearRectangleXMin{"ClearRectangleXMin", 2, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ClearRectangleYMin{"ClearRectangleYMin", 2, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field ClearRectangleXMax{"ClearRectangleXMax", 3, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ClearRectangleYMax{"ClearRectangleYMax", 3, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field SampleMask{"SampleMask", 4, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&NumberOfMultisamples,
                                           &StencilClearValue,
                                           &FullSurfaceDepthAndStencilClear,
                                           &PixelPositionOffsetEnable,
                                           &HierarchicalDepthBufferResolveEnable,
                                           &DepthBufferResolveEnable,
                                           &ScissorRectangleEnable,
                                           &DepthBufferClearEnable,
                                           &StencilBufferClearEnable,
                                           &ClearRectangleXMin,
                                           &ClearRectangleYMin,
                                           &ClearRectangleXMax,
                                           &ClearRectangleYMax,
                                           &SampleMask};
inline constexpr Structure kStructure{"3DSTATE_WM_HZ_OP", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_WM_HZ_OP

namespace STATE_MULTISAMPLE {
inline constexpr Field NumberOfMultisamples{"NumberOfMultisamples", 1, 3, 1, Kind::Uint, kGen9Xml};
/// CENTER=0, UL_CORNER=1
inline constexpr Field PixelLocation{"PixelLocation", 1, 4, 4, Kind::Enum, kGen9Xml};
inline constexpr Field PixelPositionOffsetEnable{
    "PixelPositionOffsetEnable", 1, 5, 5, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&NumberOfMultisamples, &PixelLocation,
                                           &PixelPositionOffsetEnable};
inline constexpr Structure kStructure{"3DSTATE_MULTISAMPLE", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_MULTISAMPLE

namespace STATE_SAMPLE_MASK {
inline constexpr Field SampleMask{"SampleMask", 1, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&SampleMask};
inline constexpr Structure kStructure{"3DSTATE_SAMPLE_MASK", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SAMPLE_MASK

namespace STATE_PS {
inline constexpr Field KernelStartPointer0{"KernelStartPointer0", 1, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr Field SoftwareExceptionEnable{
    "SoftwareExceptionEnable", 3, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field MaskStackExceptionEnable{
    "MaskStackExceptionEnable", 3, 11, 11, Kind::Bool, kGen9Xml};
inline constexpr Field IllegalOpcodeExceptionEnable{
    "IllegalOpcodeExceptionEnable", 3, 13, 13, Kind::Bool, kGen9Xml};
/// RTNE=0, RU=1, RD=2, RTZ=3
inline constexpr Field RoundingMode{"RoundingMode", 3, 15, 14, Kind::Enum, kGen9Xml};
/// IEEE-754=0, Alternate=1
inline constexpr Field FloatingPointMode{"FloatingPointMode", 3, 16, 16, Kind::Enum, kGen9Xml};
/// High=1
inline constexpr Field ThreadDispatchPriority{
    "ThreadDispatchPriority", 3, 17, 17, Kind::Enum, kGen9Xml};
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 3, 25, 18, Kind::Uint, kGen9Xml};
/// Flushed to Zero=0, Retained=1
inline constexpr Field SinglePrecisionDenormalMode{
    "SinglePrecisionDenormalMode", 3, 26, 26, Kind::Enum, kGen9Xml};
/// No Samplers=0, 1-4 Samplers=1, 5-8 Samplers=2, 9-12 Samplers=3, 13-16 Samplers=4
inline constexpr Field SamplerCount{"SamplerCount", 3, 29, 27, Kind::Enum, kGen9Xml};
inline constexpr Field VectorMaskEnable{"VectorMaskEnable", 3, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field SingleProgramFlow{"SingleProgramFlow", 3, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 4, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScratchSpaceBasePointer{
    "ScratchSpaceBasePointer", 4, 63, 10, Kind::Address, kGen9Xml};
inline constexpr Field PixelDispatchEnable8{"PixelDispatchEnable8", 6, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field PixelDispatchEnable16{
    "PixelDispatchEnable16", 6, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field PixelDispatchEnable32{
    "PixelDispatchEnable32", 6, 2, 2, Kind::Bool, kGen9Xml};
/// POSOFFSET_NONE=0, POSOFFSET_CENTROID=2, POSOFFSET_SAMPLE=3
inline constexpr Field PositionXYOffsetSelect{
    "PositionXYOffsetSelect", 6, 4, 3, Kind::Enum, kGen9Xml};
/// RESOLVE_DISABLED=0, RESOLVE_PARTIAL=1, RESOLVE_FULL=3
inline constexpr Field RenderTargetResolveType{
    "RenderTargetResolveType", 6, 7, 6, Kind::Enum, kGen9Xml};
inline constexpr Field RenderTargetFastClearEnable{
    "RenderTargetFastClearEnable", 6, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field PushConstantEnable{"PushConstantEnable", 6, 11, 11, Kind::Bool, kGen9Xml};
inline constexpr Field MaximumNumberOfThreadsPerPSD{
    "MaximumNumberOfThreadsPerPSD", 6, 31, 23, Kind::Uint, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForConstantSetupData2{
    "DispatchGRFStartRegisterForConstantSetupData2", 7, 6, 0, Kind::Uint, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForConstantSetupData1{
    "DispatchGRFStartRegisterForConstantSetupData1", 7, 14, 8, Kind::Uint, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForConstantSetupData0{
    "DispatchGRFStartRegisterForConstantSetupData0", 7, 22, 16, Kind::Uint, kGen9Xml};
inline constexpr Field KernelStartPointer1{"KernelStartPointer1", 8, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr Field KernelStartPointer2{"KernelStartPointer2", 10,      63, 6,
                                           Kind::Offset,          kGen9Xml};
inline constexpr const Field* kFields[] = {&KernelStartPointer0,
                                           &SoftwareExceptionEnable,
                                           &MaskStackExceptionEnable,
                                           &IllegalOpcodeExceptionEnable,
                                           &RoundingMode,
                                           &FloatingPointMode,
                                           &ThreadDispatchPriority,
                                           &BindingTableEntryCount,
                                           &SinglePrecisionDenormalMode,
                                           &SamplerCount,
                                           &VectorMaskEnable,
                                           &SingleProgramFlow,
                                           &PerThreadScratchSpace,
                                           &ScratchSpaceBasePointer,
                                           &PixelDispatchEnable8,
                                           &PixelDispatchEnable16,
                                           &PixelDispatchEnable32,
                                           &PositionXYOffsetSelect,
                                           &RenderTargetResolveType,
                                           &RenderTargetFastClearEnable,
                                           &PushConstantEnable,
                                           &MaximumNumberOfThreadsPerPSD,
                                           &DispatchGRFStartRegisterForConstantSetupData2,
                                           &DispatchGRFStartRegisterForConstantSetupData1,
                                           &DispatchGRFStartRegisterForConstantSetupData0,
                                           &KernelStartPointer1,
                                           &KernelStartPointer2};
inline constexpr Structure kStructure{"3DSTATE_PS", 12, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_PS

namespace STATE_PS_EXTRA {
/// NONE=0, NORMAL=1, INNER_CONSERVATIVE=2, DEPTH_COVERAGE=3
inline constexpr Field InputCoverageMaskState{
    "InputCoverageMaskState", 1, 1, 0, Kind::Enum, kGen9Xml};
inline constexpr Field PixelShaderHasUAV{"PixelShaderHasUAV", 1, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderPullsBary{"PixelShaderPullsBary", 1, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderComputesStencil{
    "PixelShaderComputesStencil", 1, 5, 5, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderIsPerSample{
    "PixelShaderIsPerSample", 1, 6, 6, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderDisablesAlphaToCoverage{
    "PixelShaderDisablesAlphaToCoverage", 1, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field AttributeEnable{"AttributeEnable", 1, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderUsesSourceW{
    "PixelShaderUsesSourceW", 1, 23, 23, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderUsesSourceDepth{
    "PixelShaderUsesSourceDepth", 1, 24, 24, Kind::Bool, kGen9Xml};
inline constexpr Field ForceComputedDepth{"ForceComputedDepth", 1, 25, 25, Kind::Bool, kGen9Xml};
/// PSCDEPTH_OFF=0, PSCDEPTH_ON=1, PSCDEPTH_ON_GE=2, PSCDEPTH_ON_LE=3
inline constexpr Field PixelShaderComputedDepthMode{
    "PixelShaderComputedDepthMode", 1, 27, 26, Kind::Enum, kGen9Xml};
inline constexpr Field PixelShaderKillsPixel{
    "PixelShaderKillsPixel", 1, 28, 28, Kind::Bool, kGen9Xml};
inline constexpr Field OMaskPresentToRenderTarget{
    "OMaskPresentToRenderTarget", 1, 29, 29, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderDoesNotWriteToRT{
    "PixelShaderDoesNotWriteToRT", 1, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field PixelShaderValid{"PixelShaderValid", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&InputCoverageMaskState,
                                           &PixelShaderHasUAV,
                                           &PixelShaderPullsBary,
                                           &PixelShaderComputesStencil,
                                           &PixelShaderIsPerSample,
                                           &PixelShaderDisablesAlphaToCoverage,
                                           &AttributeEnable,
                                           &PixelShaderUsesSourceW,
                                           &PixelShaderUsesSourceDepth,
                                           &ForceComputedDepth,
                                           &PixelShaderComputedDepthMode,
                                           &PixelShaderKillsPixel,
                                           &OMaskPresentToRenderTarget,
                                           &PixelShaderDoesNotWriteToRT,
                                           &PixelShaderValid};
inline constexpr Structure kStructure{"3DSTATE_PS_EXTRA", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_PS_EXTRA

namespace STATE_PS_BLEND {
inline constexpr Field IndependentAlphaBlendEnable{
    "IndependentAlphaBlendEnable", 1, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaTestEnable{"AlphaTestEnable", 1, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field DestinationBlendFactor{
    "DestinationBlendFactor", 1, 13, 9, Kind::Enum, kGen9Xml};
inline constexpr Field SourceBlendFactor{"SourceBlendFactor", 1, 18, 14, Kind::Enum, kGen9Xml};
inline constexpr Field DestinationAlphaBlendFactor{
    "DestinationAlphaBlendFactor", 1, 23, 19, Kind::Enum, kGen9Xml};
inline constexpr Field SourceAlphaBlendFactor{
    "SourceAlphaBlendFactor", 1, 28, 24, Kind::Enum, kGen9Xml};
inline constexpr Field ColorBufferBlendEnable{
    "ColorBufferBlendEnable", 1, 29, 29, Kind::Bool, kGen9Xml};
inline constexpr Field HasWriteableRT{"HasWriteableRT", 1, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaToCoverageEnable{
    "AlphaToCoverageEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&IndependentAlphaBlendEnable, &AlphaTestEnable,
                                           &DestinationBlendFactor,      &SourceBlendFactor,
                                           &DestinationAlphaBlendFactor, &SourceAlphaBlendFactor,
                                           &ColorBufferBlendEnable,      &HasWriteableRT,
                                           &AlphaToCoverageEnable};
inline constexpr Structure kStructure{"3DSTATE_PS_BLEND", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_PS_BLEND

namespace STATE_DEPTH_BUFFER {
inline constexpr Field SurfacePitch{"SurfacePitch", 1, 17, 0, Kind::Uint, kGen9Xml};
/// D32_FLOAT=1, D24_UNORM_X8_UINT=3, D16_UNORM=5
inline constexpr Field SurfaceFormat{"SurfaceFormat", 1, 20, 18, Kind::Enum, kGen9Xml};
inline constexpr Field HierarchicalDepthBufferEnable{
    "HierarchicalDepthBufferEnable", 1, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field StencilWriteEnable{"StencilWriteEnable", 1, 27, 27, Kind::Bool, kGen9Xml};
inline constexpr Field DepthWriteEnable{"DepthWriteEnable", 1, 28, 28, Kind::Bool, kGen9Xml};
/// SURFTYPE_2D=1, SURFTYPE_CUBE=3, SURFTYPE_NULL=7
inline constexpr Field SurfaceType{"SurfaceType", 1, 31, 29, Kind::Enum, kGen9Xml};
inline constexpr Field SurfaceBaseAddress{"SurfaceBaseAddress", 2, 63, 0, Kind::Address, kGen9Xml};
inline constexpr Field LOD{"LOD", 4, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field Width{"Width", 4, 17, 4, Kind::Uint, kGen9Xml};
inline constexpr Field Height{"Height", 4, 31, 18, Kind::Uint, kGen9Xml};
inline constexpr Field MOCS{"MOCS", 5, 6, 0, Kind::Uint, kGen9Xml};
inline constexpr Field MinimumArrayElement{"MinimumArrayElement", 5, 20, 10, Kind::Uint, kGen9Xml};
inline constexpr Field Depth{"Depth", 5, 31, 21, Kind::Uint, kGen9Xml};
inline constexpr Field MipTailStartLOD{"MipTailStartLOD", 6, 29, 26, Kind::Uint, kGen9Xml};
/// NONE=0, TILEYF=1, TILEYS=2
inline constexpr Field TiledResourceMode{"TiledResourceMode", 6, 31, 30, Kind::Enum, kGen9Xml};
inline constexpr Field SurfaceQPitch{"SurfaceQPitch", 7, 14, 0, Kind::Uint, kGen9Xml};
inline constexpr Field RenderTargetViewExtent{
    "RenderTargetViewExtent", 7, 31, 21, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&SurfacePitch,
                                           &SurfaceFormat,
                                           &HierarchicalDepthBufferEnable,
                                           &StencilWriteEnable,
                                           &DepthWriteEnable,
                                           &SurfaceType,
                                           &SurfaceBaseAddress,
                                           &LOD,
                                           &Width,
                                           &Height,
                                           &MOCS,
                                           &MinimumArrayElement,
                                           &Depth,
                                           &MipTailStartLOD,
                                           &TiledResourceMode,
                                           &SurfaceQPitch,
                                           &RenderTargetViewExtent};
inline constexpr Structure kStructure{"3DSTATE_DEPTH_BUFFER", 8, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_DEPTH_BUFFER

namespace STATE_STENCIL_BUFFER {
inline constexpr Field SurfacePitch{"SurfacePitch", 1, 16, 0, Kind::Uint, kGen9Xml};
inline constexpr Field MOCS{"MOCS", 1, 28, 22, Kind::Uint, kGen9Xml};
inline constexpr Field StencilBufferEnable{"StencilBufferEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field SurfaceBaseAddress{"SurfaceBaseAddress", 2, 63, 0, Kind::Address, kGen9Xml};
inline constexpr Field SurfaceQPitch{"SurfaceQPitch", 4, 14, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&SurfacePitch, &MOCS, &StencilBufferEnable,
                                           &SurfaceBaseAddress, &SurfaceQPitch};
inline constexpr Structure kStructure{"3DSTATE_STENCIL_BUFFER", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_STENCIL_BUFFER

namespace STATE_HIER_DEPTH_BUFFER {
inline constexpr Field SurfacePitch{"SurfacePitch", 1, 16, 0, Kind::Uint, kGen9Xml};
inline constexpr Field MOCS{"MOCS", 1, 31, 25, Kind::Uint, kGen9Xml};
inline constexpr Field SurfaceBaseAddress{"SurfaceBaseAddress", 2, 63, 0, Kind::Address, kGen9Xml};
inline constexpr Field SurfaceQPitch{"SurfaceQPitch", 4, 14, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&SurfacePitch, &MOCS, &SurfaceBaseAddress,
                                           &SurfaceQPitch};
inline constexpr Structure kStructure{"3DSTATE_HIER_DEPTH_BUFFER", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_HIER_DEPTH_BUFFER

namespace STATE_CLEAR_PARAMS {
inline constexpr Field DepthClearValue{"DepthClearValue", 1, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field DepthClearValueValid{"DepthClearValueValid", 2, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&DepthClearValue, &DepthClearValueValid};
inline constexpr Structure kStructure{"3DSTATE_CLEAR_PARAMS", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_CLEAR_PARAMS

/// 3DSTATE_VIEWPORT_STATE_POINTERS_CC
namespace STATE_VIEWPORT_STATE_POINTERS_CC {
inline constexpr Field CCViewportPointer{"CCViewportPointer", 1, 31, 5, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&CCViewportPointer};
inline constexpr Structure kStructure{"3DSTATE_VIEWPORT_STATE_POINTERS_CC", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VIEWPORT_STATE_POINTERS_CC

namespace CC_VIEWPORT {
inline constexpr Field MinimumDepth{"MinimumDepth", 0, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field MaximumDepth{"MaximumDepth", 1, 31, 0, Kind::Float, kGen9Xml};
inline constexpr const Field* kFields[] = {&MinimumDepth, &MaximumDepth};
inline constexpr Structure kStructure{"CC_VIEWPORT", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace CC_VIEWPORT

/// 3DSTATE_CC_STATE_POINTERS
namespace STATE_CC_STATE_POINTERS {
inline constexpr Field ColorCalcStatePointerValid{
    "ColorCalcStatePointerValid", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field ColorCalcStatePointer{
    "ColorCalcStatePointer", 1, 31, 6, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&ColorCalcStatePointerValid, &ColorCalcStatePointer};
inline constexpr Structure kStructure{"3DSTATE_CC_STATE_POINTERS", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_CC_STATE_POINTERS

namespace COLOR_CALC_STATE {
/// ALPHATEST_UNORM8=0, ALPHATEST_FLOAT32=1
inline constexpr Field AlphaTestFormat{"AlphaTestFormat", 0, 0, 0, Kind::Enum, kGen9Xml};
inline constexpr Field RoundDisableFunctionDisable{
    "RoundDisableFunctionDisable", 0, 15, 15, Kind::Bool, kGen9Xml};
/// The same place as AlphaReferenceValueAsFLOAT32; AlphaTestFormat says which it is.
inline constexpr Field AlphaReferenceValueAsUNORM8{
    "AlphaReferenceValueAsUNORM8", 1, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field AlphaReferenceValueAsFLOAT32{
    "AlphaReferenceValueAsFLOAT32", 1, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field BlendConstantColorRed{
    "BlendConstantColorRed", 2, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field BlendConstantColorGreen{
    "BlendConstantColorGreen", 3, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field BlendConstantColorBlue{
    "BlendConstantColorBlue", 4, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field BlendConstantColorAlpha{
    "BlendConstantColorAlpha", 5, 31, 0, Kind::Float, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &AlphaTestFormat,        &RoundDisableFunctionDisable, &AlphaReferenceValueAsFLOAT32,
    &BlendConstantColorRed,  &BlendConstantColorGreen,     &BlendConstantColorBlue,
    &BlendConstantColorAlpha};
inline constexpr Structure kStructure{"COLOR_CALC_STATE", 6, kFields};
static_assert(well_formed(kStructure));
}  // namespace COLOR_CALC_STATE

/// 3DSTATE_BLEND_STATE_POINTERS
namespace STATE_BLEND_STATE_POINTERS {
inline constexpr Field BlendStatePointerValid{
    "BlendStatePointerValid", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field BlendStatePointer{"BlendStatePointer", 1, 31, 6, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&BlendStatePointerValid, &BlendStatePointer};
inline constexpr Structure kStructure{"3DSTATE_BLEND_STATE_POINTERS", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_BLEND_STATE_POINTERS

namespace BLEND_STATE {
inline constexpr Field YDitherOffset{"YDitherOffset", 0, 20, 19, Kind::Uint, kGen9Xml};
inline constexpr Field XDitherOffset{"XDitherOffset", 0, 22, 21, Kind::Uint, kGen9Xml};
inline constexpr Field ColorDitherEnable{"ColorDitherEnable", 0, 23, 23, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaTestFunction{"AlphaTestFunction", 0, 26, 24, Kind::Enum, kGen9Xml};
inline constexpr Field AlphaTestEnable{"AlphaTestEnable", 0, 27, 27, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaToCoverageDitherEnable{
    "AlphaToCoverageDitherEnable", 0, 28, 28, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaToOneEnable{"AlphaToOneEnable", 0, 29, 29, Kind::Bool, kGen9Xml};
inline constexpr Field IndependentAlphaBlendEnable{
    "IndependentAlphaBlendEnable", 0, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaToCoverageEnable{
    "AlphaToCoverageEnable", 0, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&YDitherOffset,        &XDitherOffset,
                                           &ColorDitherEnable,    &AlphaTestFunction,
                                           &AlphaTestEnable,      &AlphaToCoverageDitherEnable,
                                           &AlphaToOneEnable,     &IndependentAlphaBlendEnable,
                                           &AlphaToCoverageEnable};
inline constexpr Structure kStructure{"BLEND_STATE", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace BLEND_STATE

/// BLEND_STATE_ENTRY
namespace BLEND_STATE_ENTRY {
inline constexpr Field WriteDisableBlue{"WriteDisableBlue", 0, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field WriteDisableGreen{"WriteDisableGreen", 0, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field WriteDisableRed{"WriteDisableRed", 0, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field WriteDisableAlpha{"WriteDisableAlpha", 0, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field AlphaBlendFunction{"AlphaBlendFunction", 0, 7, 5, Kind::Enum, kGen9Xml};
inline constexpr Field DestinationAlphaBlendFactor{
    "DestinationAlphaBlendFactor", 0, 12, 8, Kind::Enum, kGen9Xml};
inline constexpr Field SourceAlphaBlendFactor{
    "SourceAlphaBlendFactor", 0, 17, 13, Kind::Enum, kGen9Xml};
inline constexpr Field ColorBlendFunction{"ColorBlendFunction", 0, 20, 18, Kind::Enum, kGen9Xml};
inline constexpr Field DestinationBlendFactor{
    "DestinationBlendFactor", 0, 25, 21, Kind::Enum, kGen9Xml};
inline constexpr Field SourceBlendFactor{"SourceBlendFactor", 0, 30, 26, Kind::Enum, kGen9Xml};
inline constexpr Field ColorBufferBlendEnable{
    "ColorBufferBlendEnable", 0, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field PostBlendColorClampEnable{
    "PostBlendColorClampEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field PreBlendColorClampEnable{
    "PreBlendColorClampEnable", 1, 1, 1, Kind::Bool, kGen9Xml};
/// COLORCLAMP_UNORM=0, COLORCLAMP_SNORM=1, COLORCLAMP_RTFORMAT=2
inline constexpr Field ColorClampRange{"ColorClampRange", 1, 3, 2, Kind::Enum, kGen9Xml};
inline constexpr Field PreBlendSourceOnlyClampEnable{
    "PreBlendSourceOnlyClampEnable", 1, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field LogicOpFunction{"LogicOpFunction", 1, 30, 27, Kind::Enum, kGen9Xml};
inline constexpr Field LogicOpEnable{"LogicOpEnable", 1, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &WriteDisableBlue,         &WriteDisableGreen,      &WriteDisableRed,
    &WriteDisableAlpha,        &AlphaBlendFunction,     &DestinationAlphaBlendFactor,
    &SourceAlphaBlendFactor,   &ColorBlendFunction,     &DestinationBlendFactor,
    &SourceBlendFactor,        &ColorBufferBlendEnable, &PostBlendColorClampEnable,
    &PreBlendColorClampEnable, &ColorClampRange,        &PreBlendSourceOnlyClampEnable,
    &LogicOpFunction,          &LogicOpEnable};
inline constexpr Structure kStructure{"BLEND_STATE_ENTRY", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace BLEND_STATE_ENTRY

}  // namespace gen9::packets
