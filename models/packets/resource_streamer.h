// SPDX-License-Identifier: Apache-2.0
// Commands that the resource streamer executes, as rows, and what it does with any command.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/latch.h"
#include "packets/overlap.h"

namespace gen9::packets {

struct CommandRow;

/// Fixed functions with a binding table and a gather table of their own, in the order of the edit
/// and gather commands' sub-opcodes and of the context image (RS-10, RS-15).
enum class ResourceStage : std::uint8_t { VS, GS, HS, DS, PS };
inline constexpr unsigned kResourceStages = 5;

/// Fields of the three 3DSTATE_*_POOL_ALLOC commands (RS-15, RS-16).
namespace RESOURCE_POOL_ALLOC {
inline constexpr Field SurfaceObjectControlState{
    "SurfaceObjectControlState", 1, 6, 0, Kind::Uint, kGen9Xml};
inline constexpr Field PoolEnable{"PoolEnable", 1, 11, 11, Kind::Bool, kGen9Xml};
inline constexpr Field PoolBaseAddress{"PoolBaseAddress", 1, 63, 12, Kind::Address, kGen9Xml};
/// In pages.
inline constexpr Field PoolBufferSize{"PoolBufferSize", 3, 31, 12, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&SurfaceObjectControlState, &PoolEnable,
                                           &PoolBaseAddress, &PoolBufferSize};
inline constexpr Structure kStructure{"3DSTATE_BINDING_TABLE_POOL_ALLOC", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace RESOURCE_POOL_ALLOC

namespace BINDING_TABLE_EDIT {
/// Bit 0: this core (the other bit is of a second one, which Gen9 does not have).
inline constexpr Field BindingTableEditTarget{
    "BindingTableEditTarget", 1, 1, 0, Kind::Uint, kGen9Xml};
/// A bit for each 16 entries, cleared before the edits.
inline constexpr Field BindingTableBlockClear{
    "BindingTableBlockClear", 1, 31, 16, Kind::Uint, kGen9Xml};
/// Fields of every entry that follows, which is one DWord.
inline constexpr Field SurfaceStatePointer{"SurfaceStatePointer", 0, 15, 0, Kind::Uint, kGen9Xml};
inline constexpr Field BindingTableIndex{"BindingTableIndex", 0, 23, 16, Kind::Uint, kGen9Xml};
inline constexpr unsigned kEntryDword = 2;
inline constexpr const Field* kFields[] = {&BindingTableEditTarget, &BindingTableBlockClear};
inline constexpr Structure kStructure{"3DSTATE_BINDING_TABLE_EDIT", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace BINDING_TABLE_EDIT

namespace BINDING_TABLE_POINTERS {
/// With hardware binding tables: bits 16:6 of the offset in the pool (cs-rs guide 3.2).
inline constexpr Field PointerToBindingTable{
    "PointerToBindingTable", 1, 15, 5, Kind::Uint, kGen9Xml};
inline constexpr unsigned kPoolOffsetShift = 6;
inline constexpr const Field* kFields[] = {&PointerToBindingTable};
inline constexpr Structure kStructure{"3DSTATE_BINDING_TABLE_POINTERS", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace BINDING_TABLE_POINTERS

namespace GATHER_CONSTANT {
/// VS and PS only, like ConstantBufferDx9Enable.
inline constexpr Field DX9OnDieRegisterReadEnable{
    "DX9OnDieRegisterReadEnable", 1, 0, 0, Kind::Bool, kGen9Xml};
inline constexpr Field UpdateGatherTableOnly{
    "UpdateGatherTableOnly", 1, 1, 1, Kind::Bool, kGen9Xml};
inline constexpr Field ConstantBufferBindingTableBlock{
    "ConstantBufferBindingTableBlock", 1, 15, 12, Kind::Uint, kGen9Xml};
inline constexpr Field ConstantBufferValid{"ConstantBufferValid", 1, 31, 16, Kind::Uint, kGen9Xml};
/// 0 loads the table from the command, 1 reads the one there is.
inline constexpr Field OnDieTable{"OnDieTable", 2, 3, 3, Kind::Enum, kGen9Xml};
inline constexpr Field ConstantBufferDx9Enable{
    "ConstantBufferDx9Enable", 2, 4, 4, Kind::Bool, kGen9Xml};
inline constexpr Field ConstantBufferDx9GenerateStall{
    "ConstantBufferDx9GenerateStall", 2, 5, 5, Kind::Bool, kGen9Xml};
inline constexpr Field GatherBufferOffset{"GatherBufferOffset", 2, 22, 6, Kind::Offset, kGen9Xml};
inline constexpr unsigned kEntryDword = 3;
inline constexpr const Field* kFields[] = {&DX9OnDieRegisterReadEnable,
                                           &UpdateGatherTableOnly,
                                           &ConstantBufferBindingTableBlock,
                                           &ConstantBufferValid,
                                           &OnDieTable,
                                           &ConstantBufferDx9Enable,
                                           &ConstantBufferDx9GenerateStall,
                                           &GatherBufferOffset};
inline constexpr Structure kStructure{"3DSTATE_GATHER_CONSTANT", 3, kFields};
static_assert(well_formed(kStructure));
}  // namespace GATHER_CONSTANT

/// One entry of a gather table: 16 bits, two of them in a DWord.
namespace GATHER_CONSTANT_ENTRY {
inline constexpr Field BindingTableIndexOffset{
    "BindingTableIndexOffset", 0, 3, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ChannelMask{"ChannelMask", 0, 7, 4, Kind::Uint, kGen9Xml};
/// In units of 16 bytes: inferred from 003:2843, push constant data is 128-bit aligned.
inline constexpr Field ConstantBufferOffset{"ConstantBufferOffset", 0, 15, 8, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&BindingTableIndexOffset, &ChannelMask,
                                           &ConstantBufferOffset};
inline constexpr Structure kStructure{"GATHER_CONSTANT_ENTRY", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace GATHER_CONSTANT_ENTRY

namespace MI_RS_CONTEXT {
/// 0 restore, 1 save.
inline constexpr Field ResourceStreamerSave{"ResourceStreamerSave", 0, 0, 0, Kind::Enum, kGen9Xml};
inline constexpr const Field* kFields[] = {&ResourceStreamerSave};
inline constexpr Structure kStructure{"MI_RS_CONTEXT", 1, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_RS_CONTEXT

namespace MI_RS_STORE_DATA_IMM {
inline constexpr Field CoreModeEnable{"CoreModeEnable", 1, 0, 0, Kind::Uint, kGen9Xml};
inline constexpr Field DestinationAddress{"DestinationAddress", 1, 63, 2, Kind::Address, kGen9Xml};
inline constexpr Field DataDWord0{"DataDWord0", 3, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&CoreModeEnable, &DestinationAddress, &DataDWord0};
inline constexpr Structure kStructure{"MI_RS_STORE_DATA_IMM", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace MI_RS_STORE_DATA_IMM

/// The resource streamer's action for a command; it is never Select.
ResourceAction resource_action(const CommandRow& command, std::uint32_t header);
/// Must the command streamer wait here until the resource streamer has stopped (RS-05)?
constexpr bool stops_resource_streamer(ResourceAction action) {
    return action == ResourceAction::Stop || action == ResourceAction::Block;
}
/// Does the resource streamer write a table or a buffer for a command with this action? It and the
/// command streamer, which waits for it, must agree. DX9 constants are not modelled (RS-38).
bool makes_resource(ResourceAction action, std::span<const std::uint32_t> dwords,
                    bool tables_enabled, bool gathers_enabled);
/// The stage of a BINDING_TABLE_POINTERS, BINDING_TABLE_EDIT or GATHER_CONSTANT command.
ResourceStage resource_stage(const CommandRow& command);

}  // namespace gen9::packets
