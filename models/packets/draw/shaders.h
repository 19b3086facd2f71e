// SPDX-License-Identifier: Apache-2.0
/// Stages that start threads, what they are given, and their parts of the URB: fields of the commands and of the states in memory.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

namespace STATE_VS {
inline constexpr Field KernelStartPointer{"KernelStartPointer", 1, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr Field SoftwareExceptionEnable{
    "SoftwareExceptionEnable", 3, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field AccessesUAV{"AccessesUAV", 3, 12, 12, Kind::Bool, kGen9Xml};
inline constexpr Field IllegalOpcodeExceptionEnable{
    "IllegalOpcodeExceptionEnable", 3, 13, 13, Kind::Bool, kGen9Xml};
/// IEEE-754=0, Alternate=1
inline constexpr Field FloatingPointMode{"FloatingPointMode", 3, 16, 16, Kind::Enum, kGen9Xml};
/// High=1
inline constexpr Field ThreadDispatchPriority{
    "ThreadDispatchPriority", 3, 17, 17, Kind::Enum, kGen9Xml};
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 3, 25, 18, Kind::Uint, kGen9Xml};
/// No Samplers=0, 1-4 Samplers=1, 5-8 Samplers=2, 9-12 Samplers=3, 13-16 Samplers=4
inline constexpr Field SamplerCount{"SamplerCount", 3, 29, 27, Kind::Enum, kGen9Xml};
inline constexpr Field VectorMaskEnable{"VectorMaskEnable", 3, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field SingleVertexDispatch{
    "SingleVertexDispatch", 3, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 4, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScratchSpaceBasePointer{
    "ScratchSpaceBasePointer", 4, 63, 10, Kind::Address, kGen9Xml};
inline constexpr Field VertexURBEntryReadOffset{
    "VertexURBEntryReadOffset", 6, 9, 4, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryReadLength{
    "VertexURBEntryReadLength", 6, 16, 11, Kind::Uint, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForURBData{
    "DispatchGRFStartRegisterForURBData", 6, 24, 20, Kind::Uint, kGen9Xml};
inline constexpr Field Enable{"Enable", 7, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field VertexCacheDisable{"VertexCacheDisable", 7, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field SIMD8DispatchEnable{"SIMD8DispatchEnable", 7, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 7, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field MaximumNumberOfThreads{
    "MaximumNumberOfThreads", 7, 31, 23, Kind::Uint, kGen9Xml};
inline constexpr Field UserClipDistanceCullTestEnableBitmask{
    "UserClipDistanceCullTestEnableBitmask", 8, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field UserClipDistanceClipTestEnableBitmask{
    "UserClipDistanceClipTestEnableBitmask", 8, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryOutputLength{
    "VertexURBEntryOutputLength", 8, 20, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryOutputReadOffset{
    "VertexURBEntryOutputReadOffset", 8, 26, 21, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&KernelStartPointer,
                                           &SoftwareExceptionEnable,
                                           &AccessesUAV,
                                           &IllegalOpcodeExceptionEnable,
                                           &FloatingPointMode,
                                           &ThreadDispatchPriority,
                                           &BindingTableEntryCount,
                                           &SamplerCount,
                                           &VectorMaskEnable,
                                           &SingleVertexDispatch,
                                           &PerThreadScratchSpace,
                                           &ScratchSpaceBasePointer,
                                           &VertexURBEntryReadOffset,
                                           &VertexURBEntryReadLength,
                                           &DispatchGRFStartRegisterForURBData,
                                           &Enable,
                                           &VertexCacheDisable,
                                           &SIMD8DispatchEnable,
                                           &StatisticsEnable,
                                           &MaximumNumberOfThreads,
                                           &UserClipDistanceCullTestEnableBitmask,
                                           &UserClipDistanceClipTestEnableBitmask,
                                           &VertexURBEntryOutputLength,
                                           &VertexURBEntryOutputReadOffset};
inline constexpr Structure kStructure{"3DSTATE_VS", 9, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_VS

namespace STATE_HS {
inline constexpr Field SoftwareExceptionEnable{
    "SoftwareExceptionEnable", 1, 12, 12, Kind::Bool, kGen9Xml};
inline constexpr Field IllegalOpcodeExceptionEnable{
    "IllegalOpcodeExceptionEnable", 1, 13, 13, Kind::Bool, kGen9Xml};
/// IEEE-754=0, alternate=1
inline constexpr Field FloatingPointMode{"FloatingPointMode", 1, 16, 16, Kind::Enum, kGen9Xml};
/// High=1
inline constexpr Field ThreadDispatchPriority{
    "ThreadDispatchPriority", 1, 17, 17, Kind::Enum, kGen9Xml};
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 1, 25, 18, Kind::Uint, kGen9Xml};
/// No Samplers=0, 1-4 Samplers=1, 5-8 Samplers=2, 9-12 Samplers=3, 13-16 Samplers=4
inline constexpr Field SamplerCount{"SamplerCount", 1, 29, 27, Kind::Enum, kGen9Xml};
inline constexpr Field InstanceCount{"InstanceCount", 2, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field MaximumNumberOfThreads{
    "MaximumNumberOfThreads", 2, 16, 8, Kind::Uint, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 2, 29, 29, Kind::Bool, kGen9Xml};
inline constexpr Field Enable{"Enable", 2, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field KernelStartPointer{"KernelStartPointer", 3, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 5, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScratchSpaceBasePointer{
    "ScratchSpaceBasePointer", 5, 63, 10, Kind::Address, kGen9Xml};
inline constexpr Field IncludePrimitiveID{"IncludePrimitiveID", 7, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field VertexURBEntryReadOffset{
    "VertexURBEntryReadOffset", 7, 9, 4, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryReadLength{
    "VertexURBEntryReadLength", 7, 16, 11, Kind::Uint, kGen9Xml};
/// SINGLE_PATCH=0, DUAL_PATCH=1, 8_PATCH=2
inline constexpr Field DispatchMode{"DispatchMode", 7, 18, 17, Kind::Enum, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForURBData{
    "DispatchGRFStartRegisterForURBData", 7, 23, 19, Kind::Uint, kGen9Xml};
inline constexpr Field IncludeVertexHandles{
    "IncludeVertexHandles", 7, 24, 24, Kind::Bool, kGen9Xml};
inline constexpr Field AccessesUAV{"AccessesUAV", 7, 25, 25, Kind::Bool, kGen9Xml};
inline constexpr Field VectorMaskEnable{"VectorMaskEnable", 7, 26, 26, Kind::Bool, kGen9Xml};
inline constexpr Field SingleProgramFlow{"SingleProgramFlow", 7, 27, 27, Kind::Bool, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForURBData5{
    "DispatchGRFStartRegisterForURBData5", 7, 28, 28, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&SoftwareExceptionEnable,
                                           &IllegalOpcodeExceptionEnable,
                                           &FloatingPointMode,
                                           &ThreadDispatchPriority,
                                           &BindingTableEntryCount,
                                           &SamplerCount,
                                           &InstanceCount,
                                           &MaximumNumberOfThreads,
                                           &StatisticsEnable,
                                           &Enable,
                                           &KernelStartPointer,
                                           &PerThreadScratchSpace,
                                           &ScratchSpaceBasePointer,
                                           &IncludePrimitiveID,
                                           &VertexURBEntryReadOffset,
                                           &VertexURBEntryReadLength,
                                           &DispatchMode,
                                           &DispatchGRFStartRegisterForURBData,
                                           &IncludeVertexHandles,
                                           &AccessesUAV,
                                           &VectorMaskEnable,
                                           &SingleProgramFlow,
                                           &DispatchGRFStartRegisterForURBData5};
inline constexpr Structure kStructure{"3DSTATE_HS", 9, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_HS

namespace STATE_TE {
inline constexpr Field TEEnable{"TEEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
/// HW_TESS=0
inline constexpr Field TEMode{"TEMode", 1, 2, 1, Kind::Enum, kGen9Xml};
/// QUAD=0, TRI=1, ISOLINE=2
inline constexpr Field TEDomain{"TEDomain", 1, 5, 4, Kind::Enum, kGen9Xml};
/// POINT=0, LINE=1, TRI_CW=2, TRI_CCW=3
inline constexpr Field OutputTopology{"OutputTopology", 1, 9, 8, Kind::Enum, kGen9Xml};
/// INTEGER=0, ODD_FRACTIONAL=1, EVEN_FRACTIONAL=2
inline constexpr Field Partitioning{"Partitioning", 1, 13, 12, Kind::Enum, kGen9Xml};
inline constexpr Field MaximumTessellationFactorOdd{
    "MaximumTessellationFactorOdd", 2, 31, 0, Kind::Float, kGen9Xml};
inline constexpr Field MaximumTessellationFactorNotOdd{
    "MaximumTessellationFactorNotOdd", 3, 31, 0, Kind::Float, kGen9Xml};
inline constexpr const Field* kFields[] = {&TEEnable,
                                           &TEMode,
                                           &TEDomain,
                                           &OutputTopology,
                                           &Partitioning,
                                           &MaximumTessellationFactorOdd,
                                           &MaximumTessellationFactorNotOdd};
inline constexpr Structure kStructure{"3DSTATE_TE", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_TE

namespace STATE_DS {
inline constexpr Field KernelStartPointer{"KernelStartPointer", 1, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr Field SoftwareExceptionEnable{
    "SoftwareExceptionEnable", 3, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field IllegalOpcodeExceptionEnable{
    "IllegalOpcodeExceptionEnable", 3, 13, 13, Kind::Bool, kGen9Xml};
inline constexpr Field AccessesUAV{"AccessesUAV", 3, 14, 14, Kind::Bool, kGen9Xml};
/// IEEE-754=0, Alternate=1
inline constexpr Field FloatingPointMode{"FloatingPointMode", 3, 16, 16, Kind::Enum, kGen9Xml};
/// High=1
inline constexpr Field ThreadDispatchPriority{
    "ThreadDispatchPriority", 3, 17, 17, Kind::Enum, kGen9Xml};
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 3, 25, 18, Kind::Uint, kGen9Xml};
/// No Samplers=0, 1-4 Samplers=1, 5-8 Samplers=2, 9-12 Samplers=3, 13-16 Samplers=4
inline constexpr Field SamplerCount{"SamplerCount", 3, 29, 27, Kind::Enum, kGen9Xml};
inline constexpr Field VectorMaskEnable{"VectorMaskEnable", 3, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 4, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScratchSpaceBasePointer{
    "ScratchSpaceBasePointer", 4, 63, 10, Kind::Address, kGen9Xml};
inline constexpr Field PatchURBEntryReadOffset{
    "PatchURBEntryReadOffset", 6, 9, 4, Kind::Uint, kGen9Xml};
inline constexpr Field PatchURBEntryReadLength{
    "PatchURBEntryReadLength", 6, 17, 11, Kind::Uint, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForURBData{
    "DispatchGRFStartRegisterForURBData", 6, 24, 20, Kind::Uint, kGen9Xml};
inline constexpr Field Enable{"Enable", 7, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field CacheDisable{"CacheDisable", 7, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field ComputeWCoordinateEnable{
    "ComputeWCoordinateEnable", 7, 2, 2, Kind::Bool, kGen9Xml};
/// SIMD4X2=0, SIMD8_SINGLE_PATCH=1, SIMD8_SINGLE_OR_DUAL_PATCH=2
inline constexpr Field DispatchMode{"DispatchMode", 7, 4, 3, Kind::Enum, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 7, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field MaximumNumberOfThreads{
    "MaximumNumberOfThreads", 7, 29, 21, Kind::Uint, kGen9Xml};
inline constexpr Field UserClipDistanceCullTestEnableBitmask{
    "UserClipDistanceCullTestEnableBitmask", 8, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field UserClipDistanceClipTestEnableBitmask{
    "UserClipDistanceClipTestEnableBitmask", 8, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryOutputLength{
    "VertexURBEntryOutputLength", 8, 20, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryOutputReadOffset{
    "VertexURBEntryOutputReadOffset", 8, 26, 21, Kind::Uint, kGen9Xml};
inline constexpr Field DUALPATCHKernelStartPointer{
    "DUALPATCHKernelStartPointer", 9, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&KernelStartPointer,
                                           &SoftwareExceptionEnable,
                                           &IllegalOpcodeExceptionEnable,
                                           &AccessesUAV,
                                           &FloatingPointMode,
                                           &ThreadDispatchPriority,
                                           &BindingTableEntryCount,
                                           &SamplerCount,
                                           &VectorMaskEnable,
                                           &PerThreadScratchSpace,
                                           &ScratchSpaceBasePointer,
                                           &PatchURBEntryReadOffset,
                                           &PatchURBEntryReadLength,
                                           &DispatchGRFStartRegisterForURBData,
                                           &Enable,
                                           &CacheDisable,
                                           &ComputeWCoordinateEnable,
                                           &DispatchMode,
                                           &StatisticsEnable,
                                           &MaximumNumberOfThreads,
                                           &UserClipDistanceCullTestEnableBitmask,
                                           &UserClipDistanceClipTestEnableBitmask,
                                           &VertexURBEntryOutputLength,
                                           &VertexURBEntryOutputReadOffset,
                                           &DUALPATCHKernelStartPointer};
inline constexpr Structure kStructure{"3DSTATE_DS", 11, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_DS

namespace STATE_GS {
inline constexpr Field KernelStartPointer{"KernelStartPointer", 1, 63, 6, Kind::Offset, kGen9Xml};
inline constexpr Field ExpectedVertexCount{"ExpectedVertexCount", 3, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field SoftwareExceptionEnable{
    "SoftwareExceptionEnable", 3, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field MaskStackExceptionEnable{
    "MaskStackExceptionEnable", 3, 11, 11, Kind::Bool, kGen9Xml};
inline constexpr Field AccessesUAV{"AccessesUAV", 3, 12, 12, Kind::Bool, kGen9Xml};
inline constexpr Field IllegalOpcodeExceptionEnable{
    "IllegalOpcodeExceptionEnable", 3, 13, 13, Kind::Bool, kGen9Xml};
/// IEEE-754=0, Alternate=1
inline constexpr Field FloatingPointMode{"FloatingPointMode", 3, 16, 16, Kind::Enum, kGen9Xml};
/// High=1
inline constexpr Field ThreadDispatchPriority{
    "ThreadDispatchPriority", 3, 17, 17, Kind::Enum, kGen9Xml};
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 3, 25, 18, Kind::Uint, kGen9Xml};
/// No Samplers=0, 1-4 Samplers=1, 5-8 Samplers=2, 9-12 Samplers=3, 13-16 Samplers=4
inline constexpr Field SamplerCount{"SamplerCount", 3, 29, 27, Kind::Enum, kGen9Xml};
inline constexpr Field VectorMaskEnable{"VectorMaskEnable", 3, 30, 30, Kind::Bool, kGen9Xml};
inline constexpr Field SingleProgramFlow{"SingleProgramFlow", 3, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 4, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScratchSpaceBasePointer{
    "ScratchSpaceBasePointer", 4, 63, 10, Kind::Address, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForURBData{
    "DispatchGRFStartRegisterForURBData", 6, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryReadOffset{
    "VertexURBEntryReadOffset", 6, 9, 4, Kind::Uint, kGen9Xml};
inline constexpr Field IncludeVertexHandles{
    "IncludeVertexHandles", 6, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field VertexURBEntryReadLength{
    "VertexURBEntryReadLength", 6, 16, 11, Kind::Uint, kGen9Xml};
inline constexpr Field OutputTopology{"OutputTopology", 6, 22, 17, Kind::Enum, kGen9Xml};
inline constexpr Field OutputVertexSize{"OutputVertexSize", 6, 28, 23, Kind::Uint, kGen9Xml};
inline constexpr Field DispatchGRFStartRegisterForURBData54{
    "DispatchGRFStartRegisterForURBData54", 6, 30, 29, Kind::Uint, kGen9Xml};
inline constexpr Field Enable{"Enable", 7, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field DiscardAdjacency{"DiscardAdjacency", 7, 1, 1, Kind::Bool, kGen9Xml};
/// LEADING=0, TRAILING=1
inline constexpr Field ReorderMode{"ReorderMode", 7, 2, 2, Kind::Enum, kGen9Xml};
inline constexpr Field Hint{"Hint", 7, 3, 3, Kind::Uint, kGen9Xml};
inline constexpr Field IncludePrimitiveID{"IncludePrimitiveID", 7, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field InvocationsIncrementValue{
    "InvocationsIncrementValue", 7, 9, 5, Kind::Uint, kGen9Xml};
inline constexpr Field StatisticsEnable{"StatisticsEnable", 7, 10, 10, Kind::Bool, kGen9Xml};
/// Dual Instance=1, Dual Object=2, SIMD8=3
inline constexpr Field DispatchMode{"DispatchMode", 7, 12, 11, Kind::Enum, kGen9Xml};
inline constexpr Field DefaultStreamId{"DefaultStreamId", 7, 14, 13, Kind::Uint, kGen9Xml};
inline constexpr Field InstanceControl{"InstanceControl", 7, 19, 15, Kind::Uint, kGen9Xml};
inline constexpr Field ControlDataHeaderSize{
    "ControlDataHeaderSize", 7, 23, 20, Kind::Uint, kGen9Xml};
inline constexpr Field MaximumNumberOfThreads{
    "MaximumNumberOfThreads", 8, 8, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StaticOutputVertexCount{
    "StaticOutputVertexCount", 8, 26, 16, Kind::Uint, kGen9Xml};
inline constexpr Field StaticOutput{"StaticOutput", 8, 30, 30, Kind::Bool, kGen9Xml};
/// CUT=0, SID=1
inline constexpr Field ControlDataFormat{"ControlDataFormat", 8, 31, 31, Kind::Enum, kGen9Xml};
inline constexpr Field UserClipDistanceCullTestEnableBitmask{
    "UserClipDistanceCullTestEnableBitmask", 9, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field UserClipDistanceClipTestEnableBitmask{
    "UserClipDistanceClipTestEnableBitmask", 9, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryOutputLength{
    "VertexURBEntryOutputLength", 9, 20, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VertexURBEntryOutputReadOffset{
    "VertexURBEntryOutputReadOffset", 9, 26, 21, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&KernelStartPointer,
                                           &ExpectedVertexCount,
                                           &SoftwareExceptionEnable,
                                           &MaskStackExceptionEnable,
                                           &AccessesUAV,
                                           &IllegalOpcodeExceptionEnable,
                                           &FloatingPointMode,
                                           &ThreadDispatchPriority,
                                           &BindingTableEntryCount,
                                           &SamplerCount,
                                           &VectorMaskEnable,
                                           &SingleProgramFlow,
                                           &PerThreadScratchSpace,
                                           &ScratchSpaceBasePointer,
                                           &DispatchGRFStartRegisterForURBData,
                                           &VertexURBEntryReadOffset,
                                           &IncludeVertexHandles,
                                           &VertexURBEntryReadLength,
                                           &OutputTopology,
                                           &OutputVertexSize,
                                           &DispatchGRFStartRegisterForURBData54,
                                           &Enable,
                                           &DiscardAdjacency,
                                           &ReorderMode,
                                           &Hint,
                                           &IncludePrimitiveID,
                                           &InvocationsIncrementValue,
                                           &StatisticsEnable,
                                           &DispatchMode,
                                           &DefaultStreamId,
                                           &InstanceControl,
                                           &ControlDataHeaderSize,
                                           &MaximumNumberOfThreads,
                                           &StaticOutputVertexCount,
                                           &StaticOutput,
                                           &ControlDataFormat,
                                           &UserClipDistanceCullTestEnableBitmask,
                                           &UserClipDistanceClipTestEnableBitmask,
                                           &VertexURBEntryOutputLength,
                                           &VertexURBEntryOutputReadOffset};
inline constexpr Structure kStructure{"3DSTATE_GS", 10, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_GS

namespace STATE_CONSTANT_BODY {
inline constexpr FieldArray ReadLength{{"ReadLength", 0, 15, 0, Kind::Uint, kGen9Xml}, 4, 16};
inline constexpr FieldArray Buffer{{"Buffer", 2, 63, 5, Kind::Address, kGen9Xml}, 4, 64};
inline constexpr const Field* kFields[] = {&ReadLength.first, &Buffer.first};
inline constexpr Structure kStructure{"3DSTATE_CONSTANT_BODY", 10, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_CONSTANT_BODY

/// 3DSTATE_CONSTANT_*
namespace STATE_CONSTANT {
inline constexpr Field MOCS{"MOCS", 0, 14, 8, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&MOCS};
inline constexpr Structure kStructure{"3DSTATE_CONSTANT_*", 11, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_CONSTANT

/// 3DSTATE_BINDING_TABLE_POINTERS_*
namespace STATE_BINDING_TABLE_POINTERS {
inline constexpr Field PointerToVSBindingTable{
    "PointerToVSBindingTable", 1, 15, 5, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&PointerToVSBindingTable};
inline constexpr Structure kStructure{"3DSTATE_BINDING_TABLE_POINTERS_*", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_BINDING_TABLE_POINTERS

/// 3DSTATE_SAMPLER_STATE_POINTERS_*
namespace STATE_SAMPLER_STATE_POINTERS {
inline constexpr Field PointerToVSSamplerState{
    "PointerToVSSamplerState", 1, 31, 5, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&PointerToVSSamplerState};
inline constexpr Structure kStructure{"3DSTATE_SAMPLER_STATE_POINTERS_*", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SAMPLER_STATE_POINTERS

/// 3DSTATE_PUSH_CONSTANT_ALLOC_*
namespace STATE_PUSH_CONSTANT_ALLOC {
inline constexpr Field ConstantBufferSize{"ConstantBufferSize", 1, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ConstantBufferOffset{
    "ConstantBufferOffset", 1, 20, 16, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&ConstantBufferSize, &ConstantBufferOffset};
inline constexpr Structure kStructure{"3DSTATE_PUSH_CONSTANT_ALLOC_*", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_PUSH_CONSTANT_ALLOC

/// 3DSTATE_URB_*
namespace STATE_URB {
inline constexpr Field VSNumberOfURBEntries{"VSNumberOfURBEntries", 1, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field VSURBEntryAllocationSize{
    "VSURBEntryAllocationSize", 1, 24, 16, Kind::Uint, kGen9Xml};
inline constexpr Field VSURBStartingAddress{
    "VSURBStartingAddress", 1, 31, 25, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&VSNumberOfURBEntries, &VSURBEntryAllocationSize,
                                           &VSURBStartingAddress};
inline constexpr Structure kStructure{"3DSTATE_URB_*", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_URB

}  // namespace gen9::packets
