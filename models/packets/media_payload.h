// SPDX-License-Identifier: Apache-2.0
// R0 of the media pipe's threads and the thread spawner's messages, as rows.
#pragma once
#include "packets/fields.h"

namespace gen9::packets {

/// R0 of a media root thread (003:18012-18040); of threads of a group also (003:18095-18131).
namespace MEDIA_PAYLOAD_HEADER {
inline constexpr Field UrbHandle{"UrbHandle", 0, 15, 0, Kind::Uint, "003:18040"};
/// Bit n of the field is dependency n (guide 3.12: "bit 24" and "bit 23 maps to n = 0" contradict).
inline constexpr Field ScoreboardMask{"ScoreboardMask", 0, 23, 16, Kind::Uint, "003:18037-18039"};
inline constexpr Field SlmIndex{"SlmIndex", 0, 29, 24, Kind::Uint, "003:18127"};
inline constexpr Field ScoreboardX{"ScoreboardX", 1, 10, 0, Kind::Uint, "003:18033"};
inline constexpr Field ScoreboardY{"ScoreboardY", 1, 26, 16, Kind::Uint, "003:18031"};
inline constexpr Field ScoreboardColor{"ScoreboardColor", 2, 3, 0, Kind::Uint, "003:18029"};
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 2, 9, 4, Kind::Uint, "003:18028"};
inline constexpr Field GroupIdHigh{"GroupIdHigh", 2, 23, 11, Kind::Uint, "003:18119"};
inline constexpr Field BarrierIdLow{"BarrierIdLow", 2, 27, 24, Kind::Uint, "003:18118"};
inline constexpr Field SlmEnable{"SlmEnable", 2, 28, 28, Kind::Bool, "003:18117"};
inline constexpr Field BarrierEnable{"BarrierEnable", 2, 29, 29, Kind::Bool, "003:18116"};
inline constexpr Field MediaGroupId{"MediaGroupId", 2, 30, 30, Kind::Bool, "003:18115"};
inline constexpr Field BarrierIdHigh{"BarrierIdHigh", 2, 31, 31, Kind::Uint, "003:18114"};
inline constexpr Field PerThreadScratchSpace{
    "PerThreadScratchSpace", 3, 3, 0, Kind::Uint, "003:18024"};
inline constexpr Field SamplerStatePointer{"SamplerStatePointer", 3,          31, 5,
                                           Kind::Offset,          "003:18022"};
inline constexpr Field BindingTablePointer{"BindingTablePointer", 4,          31, 5,
                                           Kind::Offset,          "003:18020"};
inline constexpr Field Fftid{"Fftid", 5, 8, 0, Kind::Uint, "003:18019"};
inline constexpr Field ScratchSpacePointer{"ScratchSpacePointer", 5,          31, 10,
                                           Kind::Offset,          "003:18017"};
inline constexpr Field GroupIdLow{"GroupIdLow", 7, 31, 0, Kind::Uint, "003:18097"};
}  // namespace MEDIA_PAYLOAD_HEADER

/// R0 of a persistent root thread where it differs (003:18055-18076).
namespace PRT_PAYLOAD_HEADER {
inline constexpr Field ThreadRestartEnable{"ThreadRestartEnable", 2, 0, 0, Kind::Bool, "003:18071"};
/// In units of 16 bytes, from the start of the descriptors.
inline constexpr Field InterfaceDescriptorPointer{
    "InterfaceDescriptorPointer", 2, 31, 4, Kind::Offset, "003:18069"};
inline constexpr Field Fftid{"Fftid", 5, 7, 0, Kind::Uint, "003:18062"};
}  // namespace PRT_PAYLOAD_HEADER

/// The descriptor of a message to the thread spawner. Public: mesa brw_eu_defines.h.
namespace THREAD_SPAWNER_DESCRIPTOR {
/// 0 dereference resource, 1 spawn thread.
inline constexpr Field Opcode{"Opcode", 0, 0, 0, Kind::Enum, "Public: mesa brw_eu_defines.h"};
/// 0 root thread, 1 child thread.
inline constexpr Field RequesterType{
    "RequesterType", 0, 1, 1, Kind::Enum, "Public: mesa brw_eu_defines.h"};
/// Spawn: 0 a child, 1 a root thread. Dereference: 0 the URB handle, 1 not the URB handle.
inline constexpr Field ResourceSelect{
    "ResourceSelect", 0, 4, 4, Kind::Enum, "Public: mesa brw_eu_defines.h"};
}  // namespace THREAD_SPAWNER_DESCRIPTOR

/// The payload of a message to the thread spawner (003:18167-18190). What it has of barrier and SLM
/// stands where R0 has it.
namespace THREAD_SPAWNER_MESSAGE {
inline constexpr Field UrbHandle{"UrbHandle", 0, 15, 0, Kind::Uint, "003:18186"};
inline constexpr Field ScoreboardColor{"ScoreboardColor", 2, 3, 0, Kind::Uint, "003:18182"};
/// The printed table leaves these bits out between "15:10 Ignored" and "3:0"; R0.2 has the
/// descriptor there, and a child must be told its kernel somewhere (Assumed).
inline constexpr Field InterfaceDescriptorOffset{
    "InterfaceDescriptorOffset", 2, 9, 4, Kind::Uint, "Assumed: 003:18181 leaves the row out"};
inline constexpr Field UrbHandleOffset{"UrbHandleOffset", 4, 9, 0, Kind::Uint, "003:18173"};
inline constexpr Field DispatchUrbLength{"DispatchUrbLength", 4, 15, 10, Kind::Uint, "003:18170"};
inline constexpr Field Fftid{"Fftid", 5, 9, 0, Kind::Uint, "003:18167"};
}  // namespace THREAD_SPAWNER_MESSAGE

}  // namespace gen9::packets
