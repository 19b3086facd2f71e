// SPDX-License-Identifier: Apache-2.0
// Commands the streamer executes itself (MI), as rows. Commands without fields have none here.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

namespace MI_NOOP {
inline constexpr Field IdentificationNumber{"IdentificationNumber", 0, 21, 0, Kind::Uint, kGen9Xml};
inline constexpr Field IdentificationNumberRegisterWriteEnable{
    "IdentificationNumberRegisterWriteEnable", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&IdentificationNumber,
                                           &IdentificationNumberRegisterWriteEnable};
inline constexpr Structure kStructure{"MI_NOOP", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_NOOP

/// 003:1126-1149; modes in CS-07.
namespace MI_SET_PREDICATE {
inline constexpr Field PredicateEnable{"PredicateEnable", 0, 3, 0, Kind::Enum, kGen9Xml};
inline constexpr const Field* kFields[] = {&PredicateEnable};
inline constexpr Structure kStructure{"MI_SET_PREDICATE", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_SET_PREDICATE

namespace MI_RS_CONTROL {
inline constexpr Field ResourceStreamerControl{
    "ResourceStreamerControl", 0, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&ResourceStreamerControl};
inline constexpr Structure kStructure{"MI_RS_CONTROL", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_RS_CONTROL

namespace MI_TOPOLOGY_FILTER {
inline constexpr Field TopologyFilterValue{"TopologyFilterValue", 0, 5, 0, Kind::Enum, kGen9Xml};
inline constexpr const Field* kFields[] = {&TopologyFilterValue};
inline constexpr Structure kStructure{"MI_TOPOLOGY_FILTER", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_TOPOLOGY_FILTER

namespace MI_ARB_ON_OFF {
inline constexpr Field ArbitrationEnable{"ArbitrationEnable", 0, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr const Field* kFields[] = {&ArbitrationEnable};
inline constexpr Structure kStructure{"MI_ARB_ON_OFF", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_ARB_ON_OFF

/// 003:1151-1169; values in CS-02.
namespace MI_PREDICATE {
inline constexpr Field CompareOperation{"CompareOperation", 0, 1, 0, Kind::Enum, kGen9Xml};
inline constexpr Field CombineOperation{"CombineOperation", 0, 4, 3, Kind::Enum, kGen9Xml};
inline constexpr Field LoadOperation{"LoadOperation", 0, 7, 6, Kind::Enum, kGen9Xml};
inline constexpr const Field* kFields[] = {&CompareOperation, &CombineOperation, &LoadOperation};
inline constexpr Structure kStructure{"MI_PREDICATE", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_PREDICATE

/// One ALU instruction of MI_MATH (003:1345-1350); `dword` is that of the instruction.
namespace MI_MATH_ALU_INSTRUCTION {
inline constexpr Field ALUOpcode{"ALUOpcode", 0, 31, 20, Kind::Enum, "003:1345-1350"};
inline constexpr Field Operand1{"Operand1", 0, 19, 10, Kind::Enum, "003:1345-1350"};
inline constexpr Field Operand2{"Operand2", 0, 9, 0, Kind::Enum, "003:1345-1350"};
inline constexpr const Field* kFields[] = {&Operand2, &Operand1, &ALUOpcode};
inline constexpr Structure kStructure{"MI_MATH_ALU_INSTRUCTION", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_MATH_ALU_INSTRUCTION

namespace MI_SET_CONTEXT {
inline constexpr Field RestoreInhibit{"RestoreInhibit", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field ForceRestore{"ForceRestore", 1, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field ResourceStreamerStateRestoreEnable{
    "ResourceStreamerStateRestoreEnable", 1, 2, 2, Kind::Bool, kGen9Xml};
inline constexpr Field ResourceStreamerStateSaveEnable{
    "ResourceStreamerStateSaveEnable", 1, 3, 3, Kind::Bool, kGen9Xml};
inline constexpr Field CoreModeEnable{"CoreModeEnable", 1, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field LogicalContextAddress{"LogicalContextAddress", 1,       31, 12,
                                             Kind::Address,           kGen9Xml};
inline constexpr const Field* kFields[] = {&RestoreInhibit,
                                           &ForceRestore,
                                           &ResourceStreamerStateRestoreEnable,
                                           &ResourceStreamerStateSaveEnable,
                                           &CoreModeEnable,
                                           &LogicalContextAddress};
inline constexpr Structure kStructure{"MI_SET_CONTEXT", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_SET_CONTEXT

namespace MI_SEMAPHORE_SIGNAL {
inline constexpr Field TargetEngineSelect{"TargetEngineSelect", 0, 17, 15, Kind::Enum, kGen9Xml};
inline constexpr Field PostSyncOperation{"PostSyncOperation", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field TargetContextID{"TargetContextID", 1, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&TargetEngineSelect, &PostSyncOperation,
                                           &TargetContextID};
inline constexpr Structure kStructure{"MI_SEMAPHORE_SIGNAL", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_SEMAPHORE_SIGNAL

namespace MI_SEMAPHORE_WAIT {
inline constexpr Field CompareOperation{"CompareOperation", 0, 14, 12, Kind::Enum, kGen9Xml};
/// 0 waits for a signal, 1 polls.
inline constexpr Field WaitMode{"WaitMode", 0, 15, 15, Kind::Enum, kGen9Xml};
/// The address is a register offset.
inline constexpr Field RegisterPollMode{"RegisterPollMode", 0, 16, 16, Kind::Bool,
                                        "cs-rs guide 3.2"};
inline constexpr Field MemoryType{"MemoryType", 0, 22, 22, Kind::Enum, kGen9Xml};
inline constexpr Field SemaphoreDataDword{"SemaphoreDataDword", 1, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field SemaphoreAddress{"SemaphoreAddress", 2, 63, 2, Kind::Address, kGen9Xml};
inline constexpr const Field* kFields[] = {&CompareOperation,   &WaitMode,
                                           &RegisterPollMode,   &MemoryType,
                                           &SemaphoreDataDword, &SemaphoreAddress};
inline constexpr Structure kStructure{"MI_SEMAPHORE_WAIT", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_SEMAPHORE_WAIT

namespace MI_STORE_DATA_IMM {
inline constexpr Field StoreQword{"StoreQword", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field UseGlobalGTT{"UseGlobalGTT", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field CoreModeEnable{"CoreModeEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field Address{"Address", 1, 47, 2, Kind::Address, kGen9Xml};
/// Data starts here and fills the rest of the command.
inline constexpr unsigned kDataDword = 3;
inline constexpr const Field* kFields[] = {&StoreQword, &UseGlobalGTT, &CoreModeEnable, &Address};
inline constexpr Structure kStructure{"MI_STORE_DATA_IMM", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_STORE_DATA_IMM

namespace MI_STORE_DATA_INDEX {
inline constexpr Field UsePerProcessHardwareStatusPage{
    "UsePerProcessHardwareStatusPage", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field Offset{"Offset", 1, 11, 2, Kind::Offset, kGen9Xml};
inline constexpr unsigned kDataDword = 2;
inline constexpr const Field* kFields[] = {&UsePerProcessHardwareStatusPage, &Offset};
inline constexpr Structure kStructure{"MI_STORE_DATA_INDEX", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_STORE_DATA_INDEX

namespace MI_LOAD_REGISTER_IMM {
inline constexpr Field ByteWriteDisables{"ByteWriteDisables", 0, 11, 8, Kind::Uint, kGen9Xml};
inline constexpr Field ForcePosted{"ForcePosted", 0, 12, 12, Kind::Bool, "003:1831-2383"};
/// The offset's place in its DWord, in every pair that follows.
inline constexpr Field RegisterOffset{"RegisterOffset", 1, 22, 2, Kind::Offset, kGen9Xml};
inline constexpr Field DataDword{"DataDWord", 2, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&ByteWriteDisables, &ForcePosted, &RegisterOffset,
                                           &DataDword};
inline constexpr Structure kStructure{"MI_LOAD_REGISTER_IMM", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_LOAD_REGISTER_IMM

namespace MI_STORE_REGISTER_MEM {
inline constexpr Field PredicateEnable{"PredicateEnable", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field UseGlobalGTT{"UseGlobalGTT", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field RegisterAddress{"RegisterAddress", 1, 22, 2, Kind::Offset, kGen9Xml};
inline constexpr Field MemoryAddress{"MemoryAddress", 2, 63, 2, Kind::Address, kGen9Xml};
inline constexpr const Field* kFields[] = {&PredicateEnable, &UseGlobalGTT, &RegisterAddress,
                                           &MemoryAddress};
inline constexpr Structure kStructure{"MI_STORE_REGISTER_MEM", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_STORE_REGISTER_MEM

namespace MI_REPORT_PERF_COUNT {
inline constexpr Field UseGlobalGTT{"UseGlobalGTT", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field CoreModeEnable{"CoreModeEnable", 1, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field MemoryAddress{"MemoryAddress", 1, 63, 6, Kind::Address, kGen9Xml};
inline constexpr Field ReportID{"ReportID", 3, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&UseGlobalGTT, &CoreModeEnable, &MemoryAddress,
                                           &ReportID};
inline constexpr Structure kStructure{"MI_REPORT_PERF_COUNT", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_REPORT_PERF_COUNT

namespace MI_LOAD_REGISTER_MEM {
inline constexpr Field AsyncModeEnable{"AsyncModeEnable", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field UseGlobalGTT{"UseGlobalGTT", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field RegisterAddress{"RegisterAddress", 1, 22, 2, Kind::Offset, kGen9Xml};
inline constexpr Field MemoryAddress{"MemoryAddress", 2, 63, 2, Kind::Address, kGen9Xml};
inline constexpr const Field* kFields[] = {&AsyncModeEnable, &UseGlobalGTT, &RegisterAddress,
                                           &MemoryAddress};
inline constexpr Structure kStructure{"MI_LOAD_REGISTER_MEM", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_LOAD_REGISTER_MEM

namespace MI_LOAD_REGISTER_REG {
inline constexpr Field SourceRegisterAddress{
    "SourceRegisterAddress", 1, 22, 2, Kind::Offset, kGen9Xml};
inline constexpr Field DestinationRegisterAddress{
    "DestinationRegisterAddress", 2, 22, 2, Kind::Offset, kGen9Xml};
inline constexpr const Field* kFields[] = {&SourceRegisterAddress, &DestinationRegisterAddress};
inline constexpr Structure kStructure{"MI_LOAD_REGISTER_REG", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_LOAD_REGISTER_REG

namespace MI_FLUSH_DW {
inline constexpr Field NotifyEnable{"NotifyEnable", 0, 8, 8, Kind::Bool, kGen9Xml};
inline constexpr Field FlushLLC{"FlushLLC", 0, 9, 9, Kind::Bool, kGen9Xml};
/// 0 none, 1 immediate, 3 timestamp.
inline constexpr Field PostSyncOperation{"PostSyncOperation", 0, 15, 14, Kind::Enum, kGen9Xml};
inline constexpr Field TLBInvalidate{"TLBInvalidate", 0, 18, 18, Kind::Bool, kGen9Xml};
inline constexpr Field StoreDataIndex{"StoreDataIndex", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field DestinationAddressType{
    "DestinationAddressType", 1, 2, 2, Kind::Enum, kGen9Xml};
inline constexpr Field Address{"Address", 1, 47, 3, Kind::Address, kGen9Xml};
inline constexpr Field ImmediateData{"ImmediateData", 3, 63, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&NotifyEnable,  &FlushLLC,       &PostSyncOperation,
                                           &TLBInvalidate, &StoreDataIndex, &DestinationAddressType,
                                           &Address,       &ImmediateData};
inline constexpr Structure kStructure{"MI_FLUSH_DW", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_FLUSH_DW

namespace MI_COPY_MEM_MEM {
inline constexpr Field UseGlobalGTTDestination{
    "UseGlobalGTTDestination", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field UseGlobalGTTSource{"UseGlobalGTTSource", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field DestinationMemoryAddress{
    "DestinationMemoryAddress", 1, 63, 2, Kind::Address, kGen9Xml};
inline constexpr Field SourceMemoryAddress{"SourceMemoryAddress", 3,       63, 2,
                                           Kind::Address,         kGen9Xml};
inline constexpr const Field* kFields[] = {&UseGlobalGTTDestination, &UseGlobalGTTSource,
                                           &DestinationMemoryAddress, &SourceMemoryAddress};
inline constexpr Structure kStructure{"MI_COPY_MEM_MEM", 5, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_COPY_MEM_MEM

namespace MI_ATOMIC {
inline constexpr Field ATOMICOPCODE{"ATOMICOPCODE", 0, 15, 8, Kind::Enum, kGen9Xml};
inline constexpr Field ReturnDataControl{"ReturnDataControl", 0, 16, 16, Kind::Bool, kGen9Xml};
inline constexpr Field CSSTALL{"CSSTALL", 0, 17, 17, Kind::Bool, kGen9Xml};
inline constexpr Field InlineData{"InlineData", 0, 18, 18, Kind::Bool, kGen9Xml};
/// 0 4 bytes, 1 8 bytes, 2 16 bytes.
inline constexpr Field DataSize{"DataSize", 0, 20, 19, Kind::Enum, kGen9Xml};
inline constexpr Field PostSyncOperation{"PostSyncOperation", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field MemoryType{"MemoryType", 0, 22, 22, Kind::Enum, kGen9Xml};
inline constexpr Field MemoryAddress{"MemoryAddress", 1, 47, 2, Kind::Address, kGen9Xml};
/// DWord i of operand 1 stands at kOperandDword + 2 * i, that of operand 2 right behind it.
inline constexpr unsigned kOperandDword = 3;
inline constexpr const Field* kFields[] = {&ATOMICOPCODE, &ReturnDataControl, &CSSTALL,
                                           &InlineData,   &DataSize,          &PostSyncOperation,
                                           &MemoryType,   &MemoryAddress};
inline constexpr Structure kStructure{"MI_ATOMIC", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_ATOMIC

namespace MI_BATCH_BUFFER_START {
/// 0 GGTT, 1 PPGTT.
inline constexpr Field AddressSpaceIndicator{
    "AddressSpaceIndicator", 0, 8, 8, Kind::Enum, kGen9Xml};
inline constexpr Field ResourceStreamerEnable{
    "ResourceStreamerEnable", 0, 10, 10, Kind::Bool, kGen9Xml};
inline constexpr Field PredicationEnable{"PredicationEnable", 0, 15, 15, Kind::Bool, kGen9Xml};
inline constexpr Field AddOffsetEnable{"AddOffsetEnable", 0, 16, 16, Kind::Bool, kGen9Xml};
inline constexpr Field SecondLevelBatchBuffer{
    "SecondLevelBatchBuffer", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field BatchBufferStartAddress{
    "BatchBufferStartAddress", 1, 63, 2, Kind::Address, kGen9Xml};
inline constexpr const Field* kFields[] = {&AddressSpaceIndicator,  &ResourceStreamerEnable,
                                           &PredicationEnable,      &AddOffsetEnable,
                                           &SecondLevelBatchBuffer, &BatchBufferStartAddress};
inline constexpr Structure kStructure{"MI_BATCH_BUFFER_START", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_BATCH_BUFFER_START

namespace MI_CONDITIONAL_BATCH_BUFFER_END {
inline constexpr Field CompareMaskMode{"CompareMaskMode", 0, 19, 19, Kind::Bool, kGen9Xml};
inline constexpr Field CompareSemaphore{"CompareSemaphore", 0, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field UseGlobalGTT{"UseGlobalGTT", 0, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field CompareDataDword{"CompareDataDword", 1, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field CompareAddress{"CompareAddress", 2, 63, 3, Kind::Address, kGen9Xml};
inline constexpr const Field* kFields[] = {&CompareMaskMode, &CompareSemaphore, &UseGlobalGTT,
                                           &CompareDataDword, &CompareAddress};
inline constexpr Structure kStructure{"MI_CONDITIONAL_BATCH_BUFFER_END", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_CONDITIONAL_BATCH_BUFFER_END

}  // namespace gen9::packets
