// SPDX-License-Identifier: Apache-2.0
// PIPE_CONTROL and the state commands common to both pipes, as rows.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

/// 003:1568-1706.
namespace PIPE_CONTROL {
inline constexpr std::uint32_t kHeader = 0x7A000004;
enum PostSync : std::uint32_t {
    NoWrite = 0,
    WriteImmediateData = 1,
    WritePSDepthCount = 2,
    WriteTimestamp = 3
};
inline constexpr Field DepthCacheFlushEnable{
    "DepthCacheFlushEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field StallAtPixelScoreboard{
    "StallAtPixelScoreboard", 1, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field StateCacheInvalidationEnable{
    "StateCacheInvalidationEnable", 1, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field ConstantCacheInvalidationEnable{
    "ConstantCacheInvalidationEnable", 1, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field VFCacheInvalidationEnable{
    "VFCacheInvalidationEnable", 1, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field DCFlushEnable{"DCFlushEnable", 1, 5, 5, Kind::Bool, kGen9Xml};
inline constexpr Field ProtectedMemoryApplicationID{
    "ProtectedMemoryApplicationID", 1, 6, 6, Kind::Uint, kGen9Xml};
inline constexpr Field PipeControlFlushEnable{
    "PipeControlFlushEnable", 1, 7, 7, Kind::Bool, kGen9Xml};
inline constexpr Field NotifyEnable{"NotifyEnable", 1, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field IndirectStatePointersDisable{
    "IndirectStatePointersDisable", 1, 9, 9, Kind::Bool, kGen9Xml};
inline constexpr Field TextureCacheInvalidationEnable{
    "TextureCacheInvalidationEnable", 1, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field InstructionCacheInvalidateEnable{
    "InstructionCacheInvalidateEnable", 1, 11, 11, Kind::Bool, kGen9Xml};
inline constexpr Field RenderTargetCacheFlushEnable{
    "RenderTargetCacheFlushEnable", 1, 12, 12, Kind::Bool, kGen9Xml};
inline constexpr Field DepthStallEnable{"DepthStallEnable", 1, 13, 13, Kind::Bool, kGen9Xml};
inline constexpr Field PostSyncOperation{"PostSyncOperation", 1, 15, 14, Kind::Enum, kGen9Xml};
inline constexpr Field GenericMediaStateClear{
    "GenericMediaStateClear", 1, 16, 16, Kind::Bool, kGen9Xml};
inline constexpr Field SynchronizeGFDTSurface{
    "SynchronizeGFDTSurface", 1, 17, 17, Kind::Bool, "003:1683"};
inline constexpr Field TLBInvalidate{"TLBInvalidate", 1, 18, 18, Kind::Bool, kGen9Xml};
inline constexpr Field GlobalSnapshotCountReset{
    "GlobalSnapshotCountReset", 1, 19, 19, Kind::Bool, kGen9Xml};
inline constexpr Field CommandStreamerStallEnable{
    "CommandStreamerStallEnable", 1, 20, 20, Kind::Bool, kGen9Xml};
inline constexpr Field StoreDataIndex{"StoreDataIndex", 1, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field LRIPostSyncOperation{
    "LRIPostSyncOperation", 1, 23, 23, Kind::Bool, kGen9Xml};
/// 0 PPGTT, 1 GGTT.
inline constexpr Field DestinationAddressType{
    "DestinationAddressType", 1, 24, 24, Kind::Enum, kGen9Xml};
inline constexpr Field FlushLLC{"FlushLLC", 1, 26, 26, Kind::Bool, kGen9Xml};
inline constexpr Field ProtectedMemoryDisable{
    "ProtectedMemoryDisable", 1, 27, 27, Kind::Bool, kGen9Xml};
inline constexpr Field Address{"Address", 2, 47, 2, Kind::Address, kGen9Xml};
inline constexpr Field ImmediateData{"ImmediateData", 4, 63, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&DepthCacheFlushEnable,
                                           &StallAtPixelScoreboard,
                                           &StateCacheInvalidationEnable,
                                           &ConstantCacheInvalidationEnable,
                                           &VFCacheInvalidationEnable,
                                           &DCFlushEnable,
                                           &ProtectedMemoryApplicationID,
                                           &PipeControlFlushEnable,
                                           &NotifyEnable,
                                           &IndirectStatePointersDisable,
                                           &TextureCacheInvalidationEnable,
                                           &InstructionCacheInvalidateEnable,
                                           &RenderTargetCacheFlushEnable,
                                           &DepthStallEnable,
                                           &PostSyncOperation,
                                           &GenericMediaStateClear,
                                           &SynchronizeGFDTSurface,
                                           &TLBInvalidate,
                                           &GlobalSnapshotCountReset,
                                           &CommandStreamerStallEnable,
                                           &StoreDataIndex,
                                           &LRIPostSyncOperation,
                                           &DestinationAddressType,
                                           &FlushLLC,
                                           &ProtectedMemoryDisable,
                                           &Address,
                                           &ImmediateData};
inline constexpr Structure kStructure{"PIPE_CONTROL", 6, kFields};
static_assert(well_formed(kStructure));
}  // namespace PIPE_CONTROL

/// 003:1562-1566. Each field takes effect only where its mask bits are set.
namespace PIPELINE_SELECT {
enum Pipeline : std::uint32_t { Pipe3D = 0, Media = 1, GPGPU = 2 };
inline constexpr Field PipelineSelection{"PipelineSelection", 0, 1, 0, Kind::Enum, kGen9Xml};
inline constexpr Field SliceCommonPowerGateEnable{
    "SliceCommonPowerGateEnable", 0, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field SamplerPowerGateEnable{
    "SamplerPowerGateEnable", 0, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field MediaSamplerDOPClockGateEnable{
    "MediaSamplerDOPClockGateEnable", 0, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field ForceMediaAwake{"ForceMediaAwake", 0, 5, 5, Kind::Bool, kGen9Xml};
inline constexpr Field MaskBits{"MaskBits", 0, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&PipelineSelection,      &SliceCommonPowerGateEnable,
                                           &SamplerPowerGateEnable, &MediaSamplerDOPClockGateEnable,
                                           &ForceMediaAwake,        &MaskBits};
inline constexpr Structure kStructure{"PIPELINE_SELECT", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace PIPELINE_SELECT

/// 003:1550-1560. A size DWord's field counts pages of 4 KB; kept shifted, so its value is bytes.
namespace STATE_BASE_ADDRESS {
inline constexpr std::uint32_t kHeader = 0x61010011;
inline constexpr Field GeneralStateBaseAddressModifyEnable{
    "GeneralStateBaseAddressModifyEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field GeneralStateMemoryObjectControlState{
    "GeneralStateMemoryObjectControlState", 1, 10, 4, Kind::Uint, kGen9Xml};
inline constexpr Field GeneralStateBaseAddress{
    "GeneralStateBaseAddress", 1, 63, 12, Kind::Address, kGen9Xml};
/// No modify bit: always taken.
inline constexpr Field StatelessDataPortAccessMemoryObjectControlState{
    "StatelessDataPortAccessMemoryObjectControlState", 3, 22, 16, Kind::Uint, kGen9Xml};
inline constexpr Field SurfaceStateBaseAddressModifyEnable{
    "SurfaceStateBaseAddressModifyEnable", 4, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field SurfaceStateMemoryObjectControlState{
    "SurfaceStateMemoryObjectControlState", 4, 10, 4, Kind::Uint, kGen9Xml};
inline constexpr Field SurfaceStateBaseAddress{
    "SurfaceStateBaseAddress", 4, 63, 12, Kind::Address, kGen9Xml};
inline constexpr Field DynamicStateBaseAddressModifyEnable{
    "DynamicStateBaseAddressModifyEnable", 6, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field DynamicStateMemoryObjectControlState{
    "DynamicStateMemoryObjectControlState", 6, 10, 4, Kind::Uint, kGen9Xml};
inline constexpr Field DynamicStateBaseAddress{
    "DynamicStateBaseAddress", 6, 63, 12, Kind::Address, kGen9Xml};
inline constexpr Field IndirectObjectBaseAddressModifyEnable{
    "IndirectObjectBaseAddressModifyEnable", 8, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field IndirectObjectMemoryObjectControlState{
    "IndirectObjectMemoryObjectControlState", 8, 10, 4, Kind::Uint, kGen9Xml};
inline constexpr Field IndirectObjectBaseAddress{
    "IndirectObjectBaseAddress", 8, 63, 12, Kind::Address, kGen9Xml};
inline constexpr Field InstructionBaseAddressModifyEnable{
    "InstructionBaseAddressModifyEnable", 10, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field InstructionMemoryObjectControlState{
    "InstructionMemoryObjectControlState", 10, 10, 4, Kind::Uint, kGen9Xml};
inline constexpr Field InstructionBaseAddress{
    "InstructionBaseAddress", 10, 63, 12, Kind::Address, kGen9Xml};
inline constexpr Field GeneralStateBufferSizeModifyEnable{
    "GeneralStateBufferSizeModifyEnable", 12, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field GeneralStateBufferSize{
    "GeneralStateBufferSize", 12, 31, 12, Kind::Offset, kGen9Xml};
inline constexpr Field DynamicStateBufferSizeModifyEnable{
    "DynamicStateBufferSizeModifyEnable", 13, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field DynamicStateBufferSize{
    "DynamicStateBufferSize", 13, 31, 12, Kind::Offset, kGen9Xml};
inline constexpr Field IndirectObjectBufferSizeModifyEnable{
    "IndirectObjectBufferSizeModifyEnable", 14, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field IndirectObjectBufferSize{
    "IndirectObjectBufferSize", 14, 31, 12, Kind::Offset, kGen9Xml};
inline constexpr Field InstructionBuffersizeModifyEnable{
    "InstructionBuffersizeModifyEnable", 15, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field InstructionBufferSize{
    "InstructionBufferSize", 15, 31, 12, Kind::Offset, kGen9Xml};
inline constexpr Field BindlessSurfaceStateBaseAddressModifyEnable{
    "BindlessSurfaceStateBaseAddressModifyEnable", 16, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field BindlessSurfaceStateMemoryObjectControlState{
    "BindlessSurfaceStateMemoryObjectControlState", 16, 10, 4, Kind::Uint, kGen9Xml};
inline constexpr Field BindlessSurfaceStateBaseAddress{
    "BindlessSurfaceStateBaseAddress", 16, 63, 12, Kind::Address, kGen9Xml};
/// No modify bit of its own; taken with that of the base.
inline constexpr Field BindlessSurfaceStateSize{
    "BindlessSurfaceStateSize", 18, 31, 12, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&GeneralStateBaseAddressModifyEnable,
                                           &GeneralStateMemoryObjectControlState,
                                           &GeneralStateBaseAddress,
                                           &StatelessDataPortAccessMemoryObjectControlState,
                                           &SurfaceStateBaseAddressModifyEnable,
                                           &SurfaceStateMemoryObjectControlState,
                                           &SurfaceStateBaseAddress,
                                           &DynamicStateBaseAddressModifyEnable,
                                           &DynamicStateMemoryObjectControlState,
                                           &DynamicStateBaseAddress,
                                           &IndirectObjectBaseAddressModifyEnable,
                                           &IndirectObjectMemoryObjectControlState,
                                           &IndirectObjectBaseAddress,
                                           &InstructionBaseAddressModifyEnable,
                                           &InstructionMemoryObjectControlState,
                                           &InstructionBaseAddress,
                                           &GeneralStateBufferSizeModifyEnable,
                                           &GeneralStateBufferSize,
                                           &DynamicStateBufferSizeModifyEnable,
                                           &DynamicStateBufferSize,
                                           &IndirectObjectBufferSizeModifyEnable,
                                           &IndirectObjectBufferSize,
                                           &InstructionBuffersizeModifyEnable,
                                           &InstructionBufferSize,
                                           &BindlessSurfaceStateBaseAddressModifyEnable,
                                           &BindlessSurfaceStateMemoryObjectControlState,
                                           &BindlessSurfaceStateBaseAddress,
                                           &BindlessSurfaceStateSize};
inline constexpr Structure kStructure{"STATE_BASE_ADDRESS", 19, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_BASE_ADDRESS

/// 003:1543-1547.
namespace STATE_SIP {
inline constexpr std::uint32_t kHeader = 0x61020001;
inline constexpr Field SystemInstructionPointer{
    "SystemInstructionPointer", 1, 63, 4, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&SystemInstructionPointer};
inline constexpr Structure kStructure{"STATE_SIP", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace STATE_SIP

namespace GPGPU_CSR_BASE_ADDRESS {
inline constexpr std::uint32_t kHeader = 0x61040001;
inline constexpr Field GPGPUCSRBaseAddress{"GPGPUCSRBaseAddress", 1,       63, 12,
                                           Kind::Address,         kGen9Xml};
inline constexpr const Field* kFields[] = {&GPGPUCSRBaseAddress};
inline constexpr Structure kStructure{"GPGPU_CSR_BASE_ADDRESS", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace GPGPU_CSR_BASE_ADDRESS

}  // namespace gen9::packets
