// SPDX-License-Identifier: Apache-2.0
// What of a draw's commands tells a driver's rectangle from a program's draw.
#pragma once
#include "packets/state.h"

namespace gen9::packets {

namespace PRIMITIVE_3D {
inline constexpr Field PrimitiveTopologyType{
    "PrimitiveTopologyType", 1, 5, 0, Kind::Enum, kGen9Xml};
}  // namespace PRIMITIVE_3D

/// Of 3DSTATE_VS.
namespace STATE_VS {
inline constexpr std::size_t kDwords = 9;
inline constexpr Field Enable{"Enable", 7, 0, 0, Kind::Bool, kGen9Xml};
}  // namespace STATE_VS

/// Of 3DSTATE_PS.
namespace STATE_PS {
inline constexpr std::size_t kDwords = 12;
inline constexpr Field BindingTableEntryCount{
    "BindingTableEntryCount", 3, 25, 18, Kind::Uint, kGen9Xml};
inline constexpr Field SamplerCount{"SamplerCount", 3, 29, 27, Kind::Uint, kGen9Xml};
inline constexpr Field RenderTargetResolveType{
    "RenderTargetResolveType", 6, 7, 6, Kind::Enum, kGen9Xml};
inline constexpr Field RenderTargetFastClearEnable{
    "RenderTargetFastClearEnable", 6, 8, 8, Kind::Bool, kGen9Xml};
}  // namespace STATE_PS

}  // namespace gen9::packets
