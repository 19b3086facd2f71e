// SPDX-License-Identifier: Apache-2.0
// The generic media pipe's work commands, as rows.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

/// 003:17614-17903 (meaning), MED rows of the ledger. Inline data from DWord 6.
namespace MEDIA_OBJECT {
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 1, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field IndirectDataLength{"IndirectDataLength", 2, 16, 0, Kind::Uint, kGen9Xml};
inline constexpr Field SubSliceDestinationSelect{
    "SubSliceDestinationSelect", 2, 18, 17, Kind::Uint, kGen9Xml};
inline constexpr Field SliceDestinationSelect{
    "SliceDestinationSelect", 2, 20, 19, Kind::Uint, kGen9Xml};
inline constexpr Field UseScoreboard{"UseScoreboard", 2, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field ForceDestination{"ForceDestination", 2, 22, 22, Kind::Bool, kGen9Xml};
inline constexpr Field ThreadSynchronization{
    "ThreadSynchronization", 2, 24, 24, Kind::Bool, kGen9Xml};
inline constexpr Field SliceDestinationSelectMSBs{
    "SliceDestinationSelectMSBs", 2, 26, 25, Kind::Uint, kGen9Xml};
inline constexpr Field ChildrenPresent{"ChildrenPresent", 2, 31, 31, Kind::Bool, kGen9Xml};
/// From the indirect object base.
inline constexpr Field IndirectDataStartAddress{
    "IndirectDataStartAddress", 3, 31, 0, Kind::Offset, kGen9Xml};
inline constexpr Field ScoreBoardX{"ScoreBoardX", 4, 8, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScoredBoardY{"ScoredBoardY", 4, 24, 16, Kind::Uint, kGen9Xml};
inline constexpr Field ScoreboardMask{"ScoreboardMask", 5, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ScoreboardColor{"ScoreboardColor", 5, 19, 16, Kind::Uint, kGen9Xml};
inline constexpr unsigned kInlineDword = 6;
inline constexpr const Field* kFields[] = {&InterfaceDescriptorOffset,
                                           &IndirectDataLength,
                                           &SubSliceDestinationSelect,
                                           &SliceDestinationSelect,
                                           &UseScoreboard,
                                           &ForceDestination,
                                           &ThreadSynchronization,
                                           &SliceDestinationSelectMSBs,
                                           &ChildrenPresent,
                                           &IndirectDataStartAddress,
                                           &ScoreBoardX,
                                           &ScoredBoardY,
                                           &ScoreboardMask,
                                           &ScoreboardColor};
inline constexpr Structure kStructure{"MEDIA_OBJECT", 6, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_OBJECT

/// The command is like MEDIA_OBJECT up to DWord 5, has a group, and inline data from DWord 7.
namespace MEDIA_OBJECT_GRPID {
inline constexpr Field EndofThreadGroup{"EndofThreadGroup", 2, 23, 23, Kind::Bool, kGen9Xml};
inline constexpr Field GroupID{"GroupID", 6, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr unsigned kInlineDword = 7;
inline constexpr const Field* kFields[] = {&EndofThreadGroup, &GroupID};
inline constexpr Structure kStructure{"MEDIA_OBJECT_GRPID", 7, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_OBJECT_GRPID

/// Persistent root thread; inline data in DWords 4 to 15.
namespace MEDIA_OBJECT_PRT {
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 1, 5, 0, Kind::Uint, kGen9Xml};
/// 0 root thread queue, 1 VFE state flush.
inline constexpr Field PRTFenceType{"PRT_FenceType", 2, 22, 22, Kind::Enum, kGen9Xml};
inline constexpr Field PRTFenceNeeded{"PRT_FenceNeeded", 2, 23, 23, Kind::Bool, kGen9Xml};
inline constexpr Field ChildrenPresent{"ChildrenPresent", 2, 31, 31, Kind::Bool, kGen9Xml};
inline constexpr unsigned kInlineDword = 4;
inline constexpr const Field* kFields[] = {&InterfaceDescriptorOffset, &PRTFenceType,
                                           &PRTFenceNeeded, &ChildrenPresent};
inline constexpr Structure kStructure{"MEDIA_OBJECT_PRT", 16, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_OBJECT_PRT

/// Pairs of X and Y are 12-bit, signed where they are strides. Inline data from DWord 17.
namespace MEDIA_OBJECT_WALKER {
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 1, 5, 0, Kind::Uint, kGen9Xml};
inline constexpr Field IndirectDataLength{"IndirectDataLength", 2, 16, 0, Kind::Uint, kGen9Xml};
inline constexpr Field UseScoreboard{"UseScoreboard", 2, 21, 21, Kind::Bool, kGen9Xml};
inline constexpr Field MaskedDispatch{"MaskedDispatch", 2, 23, 22, Kind::Enum, kGen9Xml};
inline constexpr Field ThreadSynchronization{
    "ThreadSynchronization", 2, 24, 24, Kind::Bool, kGen9Xml};
inline constexpr Field IndirectDataStartAddress{
    "IndirectDataStartAddress", 3, 31, 0, Kind::Offset, kGen9Xml};
inline constexpr Field ScoreboardMask{"ScoreboardMask", 5, 7, 0, Kind::Uint, kGen9Xml};
inline constexpr Field GroupIDLoopSelect{"GroupIDLoopSelect", 5, 31, 8, Kind::Enum, kGen9Xml};
inline constexpr Field MidLoopUnitX{"MidLoopUnitX", 6, 9, 8, Kind::Int, kGen9Xml};
inline constexpr Field LocalMidLoopUnitY{"LocalMidLoopUnitY", 6, 13, 12, Kind::Int, kGen9Xml};
inline constexpr Field MiddleLoopExtraSteps{
    "MiddleLoopExtraSteps", 6, 20, 16, Kind::Uint, kGen9Xml};
/// Holds the count minus one.
inline constexpr Field ColorCountMinusOne{"ColorCountMinusOne", 6, 27, 24, Kind::Uint, kGen9Xml};
inline constexpr Field LocalLoopExecCount{"LocalLoopExecCount", 7, 11, 0, Kind::Uint, kGen9Xml};
inline constexpr Field GlobalLoopExecCount{"GlobalLoopExecCount", 7, 27, 16, Kind::Uint, kGen9Xml};
inline constexpr Field BlockResolutionX{"BlockResolutionX", 8, 10, 0, Kind::Uint, kGen9Xml};
inline constexpr Field BlockResolutionY{"BlockResolutionY", 8, 26, 16, Kind::Uint, kGen9Xml};
inline constexpr Field LocalStartX{"LocalStartX", 9, 10, 0, Kind::Uint, kGen9Xml};
inline constexpr Field LocalStartY{"LocalStartY", 9, 26, 16, Kind::Uint, kGen9Xml};
inline constexpr Field LocalOuterLoopStrideX{
    "LocalOuterLoopStrideX", 11, 11, 0, Kind::Int, kGen9Xml};
inline constexpr Field LocalOuterLoopStrideY{
    "LocalOuterLoopStrideY", 11, 27, 16, Kind::Int, kGen9Xml};
inline constexpr Field LocalInnerLoopUnitX{"LocalInnerLoopUnitX", 12, 11, 0, Kind::Int, kGen9Xml};
inline constexpr Field LocalInnerLoopUnitY{"LocalInnerLoopUnitY", 12, 27, 16, Kind::Int, kGen9Xml};
inline constexpr Field GlobalResolutionX{"GlobalResolutionX", 13, 10, 0, Kind::Uint, kGen9Xml};
inline constexpr Field GlobalResolutionY{"GlobalResolutionY", 13, 26, 16, Kind::Uint, kGen9Xml};
inline constexpr Field GlobalStartX{"GlobalStartX", 14, 11, 0, Kind::Int, kGen9Xml};
inline constexpr Field GlobalStartY{"GlobalStartY", 14, 27, 16, Kind::Int, kGen9Xml};
inline constexpr Field GlobalOuterLoopStrideX{
    "GlobalOuterLoopStrideX", 15, 11, 0, Kind::Int, kGen9Xml};
inline constexpr Field GlobalOuterLoopStrideY{
    "GlobalOuterLoopStrideY", 15, 27, 16, Kind::Int, kGen9Xml};
inline constexpr Field GlobalInnerLoopUnitX{"GlobalInnerLoopUnitX", 16, 11, 0, Kind::Int, kGen9Xml};
inline constexpr Field GlobalInnerLoopUnitY{
    "GlobalInnerLoopUnitY", 16, 27, 16, Kind::Int, kGen9Xml};
inline constexpr unsigned kInlineDword = 17;
inline constexpr const Field* kFields[] = {&InterfaceDescriptorOffset,
                                           &IndirectDataLength,
                                           &UseScoreboard,
                                           &MaskedDispatch,
                                           &ThreadSynchronization,
                                           &IndirectDataStartAddress,
                                           &ScoreboardMask,
                                           &GroupIDLoopSelect,
                                           &MidLoopUnitX,
                                           &LocalMidLoopUnitY,
                                           &MiddleLoopExtraSteps,
                                           &ColorCountMinusOne,
                                           &LocalLoopExecCount,
                                           &GlobalLoopExecCount,
                                           &BlockResolutionX,
                                           &BlockResolutionY,
                                           &LocalStartX,
                                           &LocalStartY,
                                           &LocalOuterLoopStrideX,
                                           &LocalOuterLoopStrideY,
                                           &LocalInnerLoopUnitX,
                                           &LocalInnerLoopUnitY,
                                           &GlobalResolutionX,
                                           &GlobalResolutionY,
                                           &GlobalStartX,
                                           &GlobalStartY,
                                           &GlobalOuterLoopStrideX,
                                           &GlobalOuterLoopStrideY,
                                           &GlobalInnerLoopUnitX,
                                           &GlobalInnerLoopUnitY};
inline constexpr Structure kStructure{"MEDIA_OBJECT_WALKER", 17, kFields};
static_assert(well_formed(kStructure));
}  // namespace MEDIA_OBJECT_WALKER

}  // namespace gen9::packets
