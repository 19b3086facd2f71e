// SPDX-License-Identifier: Apache-2.0
// R0 of a GPGPU thread as rows; a thread names what its end gives back in the same places
// (TD-37 to TD-42, GW-32).
#pragma once
#include "packets/fields.h"

namespace gen9::packets::GPGPU_PAYLOAD_HEADER {

inline constexpr Field UrbHandle{"UrbHandle", 0, 15, 0, Kind::Uint, "003:17331-17334"};
inline constexpr Field SlmIndex{"SlmIndex", 0, 29, 24, Kind::Uint, "003:17331-17334"};
inline constexpr Field ThreadGroupIdX{"ThreadGroupIdX", 1, 31, 0, Kind::Uint, "003:17309-17310"};
inline constexpr Field BarrierIdLow{"BarrierIdLow", 2, 27, 24, Kind::Uint, "003:17321-17329"};
inline constexpr Field SlmEnable{"SlmEnable", 2, 28, 28, Kind::Bool, "003:17321-17329"};
inline constexpr Field BarrierEnable{"BarrierEnable", 2, 29, 29, Kind::Bool, "003:17321-17329"};
inline constexpr Field BarrierIdHigh{"BarrierIdHigh", 2, 31, 31, Kind::Uint, "003:17321-17329"};
inline constexpr Field PerThreadScratchSpace{"PerThreadScratchSpace", 3, 3, 0, Kind::Uint,
                                             "003:17317-17319"};
inline constexpr Field SamplerStatePointer{"SamplerStatePointer", 3, 31, 5, Kind::Offset,
                                           "003:17317-17319"};
inline constexpr Field StackSize{"StackSize", 4, 3, 0, Kind::Uint, "003:17314-17316"};
inline constexpr Field BindingTablePointer{"BindingTablePointer", 4, 31, 5, Kind::Offset,
                                           "003:17314-17316"};
inline constexpr Field Fftid{"Fftid", 5, 8, 0, Kind::Uint, "003:17311-17313"};
inline constexpr Field GpgpuDispatch{"GpgpuDispatch", 5, 9, 9, Kind::Bool, "003:17311-17313"};
inline constexpr Field ScratchSpacePointer{"ScratchSpacePointer", 5, 31, 10, Kind::Offset,
                                           "003:17311-17313"};
inline constexpr Field ThreadGroupIdY{"ThreadGroupIdY", 6, 31, 0, Kind::Uint, "003:17309-17310"};
inline constexpr Field ThreadGroupIdZ{"ThreadGroupIdZ", 7, 31, 0, Kind::Uint, "003:17309-17310"};

}  // namespace gen9::packets::GPGPU_PAYLOAD_HEADER
