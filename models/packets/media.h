// SPDX-License-Identifier: Apache-2.0
// Commands and structures of the media/GPGPU pipe's front end, as rows. Media objects and the media
// walker are in media_object.h.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

/// 003:17543-17600 (meaning), TD and MED rows of the ledger.
namespace MEDIA_VFE_STATE {
inline constexpr std::uint32_t kHeader = 0x70000007;
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 1, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field StackSize{"StackSize", 1, 7, 4, Kind::Uint, kGen9Xml};
inline constexpr Field ScratchSpaceBasePointer{
    "ScratchSpaceBasePointer", 1, 47, 10, Kind::Address, kGen9Xml};
inline constexpr Field ResetGatewayTimer{"ResetGatewayTimer", 3, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field NumberofURBEntries{"NumberofURBEntries", 3, 15, 8, Kind::Uint, kGen9Xml};
/// Holds the number minus one.
inline constexpr Field MaximumNumberofThreads{
    "MaximumNumberofThreads", 3, 31, 16, Kind::Uint, kGen9Xml};
/// 0 all, 1 slice 0 only, 3 slice 0 subslice 0 only.
inline constexpr Field SliceDisable{"SliceDisable", 4, 1, 0, Kind::Enum, kGen9Xml};
/// In rows of 32 bytes.
inline constexpr Field CURBEAllocationSize{"CURBEAllocationSize", 5, 15, 0, Kind::Uint, kGen9Xml};
/// In rows of 32 bytes.
inline constexpr Field URBEntryAllocationSize{
    "URBEntryAllocationSize", 5, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field ScoreboardMask{"ScoreboardMask", 6, 7, 0, Kind::Uint, kGen9Xml};
/// 0 stalling, 1 non-stalling.
inline constexpr Field ScoreboardType{"ScoreboardType", 6, 30, 30, Kind::Enum, kGen9Xml};
inline constexpr Field ScoreboardEnable{"ScoreboardEnable", 6, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr Field Scoreboard0DeltaX{"Scoreboard0DeltaX", 7, 3, 0, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard0DeltaY{"Scoreboard0DeltaY", 7, 7, 4, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard1DeltaX{"Scoreboard1DeltaX", 7, 11, 8, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard1DeltaY{"Scoreboard1DeltaY", 7, 15, 12, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard2DeltaX{"Scoreboard2DeltaX", 7, 19, 16, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard2DeltaY{"Scoreboard2DeltaY", 7, 23, 20, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard3DeltaX{"Scoreboard3DeltaX", 7, 27, 24, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard3DeltaY{"Scoreboard3DeltaY", 7, 31, 28, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard4DeltaX{"Scoreboard4DeltaX", 8, 3, 0, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard4DeltaY{"Scoreboard4DeltaY", 8, 7, 4, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard5DeltaX{"Scoreboard5DeltaX", 8, 11, 8, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard5DeltaY{"Scoreboard5DeltaY", 8, 15, 12, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard6DeltaX{"Scoreboard6DeltaX", 8, 19, 16, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard6DeltaY{"Scoreboard6DeltaY", 8, 23, 20, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard7DeltaX{"Scoreboard7DeltaX", 8, 27, 24, Kind::Int, kGen9Xml};
inline constexpr Field Scoreboard7DeltaY{"Scoreboard7DeltaY", 8, 31, 28, Kind::Int, kGen9Xml};
inline constexpr const Field* kFields[] = {
    &PerThreadScratchSpace, &StackSize,           &ScratchSpaceBasePointer,
    &ResetGatewayTimer,     &NumberofURBEntries,  &MaximumNumberofThreads,
    &SliceDisable,          &CURBEAllocationSize, &URBEntryAllocationSize,
    &ScoreboardMask,        &ScoreboardType,      &ScoreboardEnable,
    &Scoreboard0DeltaX,     &Scoreboard0DeltaY,   &Scoreboard1DeltaX,
    &Scoreboard1DeltaY,     &Scoreboard2DeltaX,   &Scoreboard2DeltaY,
    &Scoreboard3DeltaX,     &Scoreboard3DeltaY,   &Scoreboard4DeltaX,
    &Scoreboard4DeltaY,     &Scoreboard5DeltaX,   &Scoreboard5DeltaY,
    &Scoreboard6DeltaX,     &Scoreboard6DeltaY,   &Scoreboard7DeltaX,
    &Scoreboard7DeltaY};
inline constexpr Structure kStructure{"MEDIA_VFE_STATE", 9, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_VFE_STATE

namespace MEDIA_CURBE_LOAD {
inline constexpr std::uint32_t kHeader = 0x70010002;
/// Bytes.
inline constexpr Field CURBETotalDataLength{"CURBETotalDataLength", 2, 16, 0, Kind::Uint, kGen9Xml};
/// From the dynamic state base.
inline constexpr Field CURBEDataStartAddress{
    "CURBEDataStartAddress", 3, 31, 0, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&CURBETotalDataLength, &CURBEDataStartAddress};
inline constexpr Structure kStructure{"MEDIA_CURBE_LOAD", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_CURBE_LOAD

namespace MEDIA_INTERFACE_DESCRIPTOR_LOAD {
inline constexpr std::uint32_t kHeader = 0x70020002;
/// Bytes; 32 for each descriptor.
inline constexpr Field InterfaceDescriptorTotalLength{
    "InterfaceDescriptorTotalLength", 2, 16, 0, Kind::Uint, kGen9Xml};
/// From the dynamic state base.
inline constexpr Field InterfaceDescriptorDataStartAddress{
    "InterfaceDescriptorDataStartAddress", 3, 31, 0, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&InterfaceDescriptorTotalLength,
                                           &InterfaceDescriptorDataStartAddress};
inline constexpr Structure kStructure{"MEDIA_INTERFACE_DESCRIPTOR_LOAD", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_INTERFACE_DESCRIPTOR_LOAD

/// 000:442-470 (meaning). Of each subslice's EUs, in two groups of three: a set bit is an EU of the
/// second pool.
namespace MEDIA_POOL_STATE {
inline constexpr const char* kI915 =
    "Public: Linux i915, null state of Broxton with three subslices";
inline constexpr std::uint32_t kHeader = 0x70050004;
inline constexpr Field PooledEUEnable{"PooledEUEnable", 1, 31, 31, Kind::Bool, kI915};
inline constexpr Field Subslice0EUs0to2{"Subslice0EUs0to2", 2, 2, 0, Kind::Uint, kI915};
inline constexpr Field Subslice0EUs3to5{"Subslice0EUs3to5", 2, 6, 4, Kind::Uint, kI915};
inline constexpr Field Subslice1EUs0to2{"Subslice1EUs0to2", 2, 10, 8, Kind::Uint, kI915};
inline constexpr Field Subslice1EUs3to5{"Subslice1EUs3to5", 2, 14, 12, Kind::Uint, kI915};
inline constexpr Field Subslice2EUs0to2{"Subslice2EUs0to2", 2, 18, 16, Kind::Uint, kI915};
inline constexpr Field Subslice2EUs3to5{"Subslice2EUs3to5", 2, 22, 20, Kind::Uint, kI915};
inline constexpr const Field* kFields[] = {&PooledEUEnable,   &Subslice0EUs0to2, &Subslice0EUs3to5,
                                           &Subslice1EUs0to2, &Subslice1EUs3to5, &Subslice2EUs0to2,
                                           &Subslice2EUs3to5};
inline constexpr Structure kStructure{"MEDIA_POOL_STATE", 6, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_POOL_STATE

/// 003:16943-16945, 003:17526-17530.
namespace MEDIA_STATE_FLUSH {
inline constexpr std::uint32_t kHeader = 0x70040000;
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 1, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field WatermarkRequired{"WatermarkRequired", 1, 6, 6, Kind::Bool, kGen9Xml};
inline constexpr Field FlushtoGO{"FlushtoGO", 1, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&InterfaceDescriptorOffset, &WatermarkRequired,
                                           &FlushtoGO};
inline constexpr Structure kStructure{"MEDIA_STATE_FLUSH", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_STATE_FLUSH

/// 003:16917-16980.
namespace GPGPU_WALKER {
inline constexpr std::uint32_t kHeader = 0x7105000D;
inline constexpr Field PredicateEnable{"PredicateEnable", 0, 8, 8, Kind::Bool, kGen9Xml};
/// Dimensions come from 0x2500, 0x2504, 0x2508 (003:16961-16980).
inline constexpr Field IndirectParameterEnable{
    "IndirectParameterEnable", 0, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 1, 5, 0, Kind::Uint, kGen9Xml};
/// Bytes.
inline constexpr Field IndirectDataLength{"IndirectDataLength", 2, 16, 0, Kind::Uint, kGen9Xml};
/// From the indirect object base.
inline constexpr Field IndirectDataStartAddress{
    "IndirectDataStartAddress", 3, 31, 6, Kind::Offset, kGen9Xml};
/// The three counter maxima hold the value minus one.
inline constexpr Field ThreadWidthCounterMaximum{
    "ThreadWidthCounterMaximum", 4, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadHeightCounterMaximum{
    "ThreadHeightCounterMaximum", 4, 13, 8, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadDepthCounterMaximum{
    "ThreadDepthCounterMaximum", 4, 21, 16, Kind::Uint, kGen9Xml};
/// 0 SIMD8, 1 SIMD16, 2 SIMD32.
inline constexpr Field SIMDSize{"SIMDSize", 4, 31, 30, Kind::Enum, kGen9Xml};
/// Dimensions are exclusive ends: ids run from start to dimension - 1.
inline constexpr Field ThreadGroupIDStartingX{
    "ThreadGroupIDStartingX", 5, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadGroupIDXDimension{
    "ThreadGroupIDXDimension", 7, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadGroupIDStartingY{
    "ThreadGroupIDStartingY", 8, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadGroupIDYDimension{
    "ThreadGroupIDYDimension", 10, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadGroupIDStartingResumeZ{
    "ThreadGroupIDStartingResumeZ", 11, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ThreadGroupIDZDimension{
    "ThreadGroupIDZDimension", 12, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field RightExecutionMask{"RightExecutionMask", 13, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field BottomExecutionMask{"BottomExecutionMask", 14, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&PredicateEnable,
                                           &IndirectParameterEnable,
                                           &InterfaceDescriptorOffset,
                                           &IndirectDataLength,
                                           &IndirectDataStartAddress,
                                           &ThreadWidthCounterMaximum,
                                           &ThreadHeightCounterMaximum,
                                           &ThreadDepthCounterMaximum,
                                           &SIMDSize,
                                           &ThreadGroupIDStartingX,
                                           &ThreadGroupIDXDimension,
                                           &ThreadGroupIDStartingY,
                                           &ThreadGroupIDYDimension,
                                           &ThreadGroupIDStartingResumeZ,
                                           &ThreadGroupIDZDimension,
                                           &RightExecutionMask,
                                           &BottomExecutionMask};
inline constexpr Structure kStructure{"GPGPU_WALKER", 15, kFields};
static_assert(well_formed(kStructure));
}  // namespace GPGPU_WALKER

/// In memory, 32 bytes each; no header.
namespace INTERFACE_DESCRIPTOR_DATA {
/// From the instruction base.
inline constexpr Field KernelStartPointer{"KernelStartPointer", 0, 47, 6, Kind::Offset, kGen9Xml};
inline constexpr Field SoftwareExceptionEnable{
    "SoftwareExceptionEnable", 2, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field MaskStackExceptionEnable{
    "MaskStackExceptionEnable", 2, 11, 11, Kind::Bool, kGen9Xml};
inline constexpr Field IllegalOpcodeExceptionEnable{
    "IllegalOpcodeExceptionEnable", 2, 13, 13, Kind::Bool, kGen9Xml};
/// 0 IEEE-754, 1 alternate.
inline constexpr Field FloatingPointMode{"FloatingPointMode", 2, 16, 16, Kind::Enum, kGen9Xml};
/// 0 normal, 1 high.
inline constexpr Field ThreadPriority{"ThreadPriority", 2, 17, 17, Kind::Enum, kGen9Xml};
inline constexpr Field SingleProgramFlow{"SingleProgramFlow", 2, 18, 18, Kind::Bool, kGen9Xml};
/// 0 flushed to zero, 1 set by the kernel.
inline constexpr Field DenormMode{"DenormMode", 2, 19, 19, Kind::Enum, kGen9Xml};
/// In units of four samplers, rounded up.
inline constexpr Field SamplerCount{"SamplerCount", 3, 4, 2, Kind::Uint, kGen9Xml};
/// From the dynamic state base.
inline constexpr Field SamplerStatePointer{"SamplerStatePointer", 3, 31, 5, Kind::Offset, kGen9Xml};
/// A hint for prefetching.
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 4, 4, 0, Kind::Uint, kGen9Xml};
/// From the surface state base.
inline constexpr Field BindingTablePointer{"BindingTablePointer", 4, 15, 5, Kind::Offset, kGen9Xml};
/// Both in registers of 32 bytes.
inline constexpr Field ConstantURBEntryReadOffset{
    "ConstantURBEntryReadOffset", 5, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ConstantURBEntryReadLength{
    "ConstantURBEntryReadLength", 5, 31, 16, Kind::Uint, kGen9Xml};
inline constexpr Field NumberofThreadsinGPGPUThreadGroup{
    "NumberofThreadsinGPGPUThreadGroup", 6, 9, 0, Kind::Uint, kGen9Xml};
inline constexpr Field GlobalBarrierEnable{"GlobalBarrierEnable", 6, 15, 15, Kind::Bool, kGen9Xml};
/// 0 none, 1 1 KB, 2 2 KB, 3 4 KB, 4 8 KB, 5 16 KB, 6 32 KB, 7 64 KB.
inline constexpr Field SharedLocalMemorySize{
    "SharedLocalMemorySize", 6, 20, 16, Kind::Enum, kGen9Xml};
inline constexpr Field BarrierEnable{"BarrierEnable", 6, 21, 21, Kind::Bool, kGen9Xml};
/// 0 to nearest even, 1 up, 2 down, 3 towards zero.
inline constexpr Field RoundingMode{"RoundingMode", 6, 23, 22, Kind::Enum, kGen9Xml};
/// In registers of 32 bytes.
inline constexpr Field CrossThreadConstantDataReadLength{
    "CrossThreadConstantDataReadLength", 7, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&KernelStartPointer,
                                           &SoftwareExceptionEnable,
                                           &MaskStackExceptionEnable,
                                           &IllegalOpcodeExceptionEnable,
                                           &FloatingPointMode,
                                           &ThreadPriority,
                                           &SingleProgramFlow,
                                           &DenormMode,
                                           &SamplerCount,
                                           &SamplerStatePointer,
                                           &BindingTableEntryCount,
                                           &BindingTablePointer,
                                           &ConstantURBEntryReadOffset,
                                           &ConstantURBEntryReadLength,
                                           &NumberofThreadsinGPGPUThreadGroup,
                                           &GlobalBarrierEnable,
                                           &SharedLocalMemorySize,
                                           &BarrierEnable,
                                           &RoundingMode,
                                           &CrossThreadConstantDataReadLength};
inline constexpr Structure kStructure{"INTERFACE_DESCRIPTOR_DATA", 8, kFields};
static_assert(well_formed(kStructure));
}  // namespace INTERFACE_DESCRIPTOR_DATA

}  // namespace gen9::packets
