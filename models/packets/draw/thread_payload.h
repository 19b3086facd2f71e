// SPDX-License-Identifier: Apache-2.0
// Fields of the registers that threads of geometry begin with, where they share a DWord.
#pragma once
#include "packets/fields.h"

namespace gen9::packets {

/// R0 of a hull thread (HS-09 to HS-11).
namespace HULL_PAYLOAD_HEADER {
inline constexpr Field BarrierIndex{"BarrierIndex", 2, 16, 13, Kind::Uint, "003:12448-12564"};
inline constexpr Field InstanceNumber{"InstanceNumber", 2, 23, 17, Kind::Uint, "003:12448-12564"};
inline constexpr Field DereferenceThread{"DereferenceThread", 6, 31, 31, Kind::Bool,
                                         "003:12459, 12576"};
}  // namespace HULL_PAYLOAD_HEADER

/// R0 of a geometry thread (GS-21, GS-26).
namespace GEOMETRY_PAYLOAD_HEADER {
inline constexpr Field Topology{"Topology", 2, 21, 16, Kind::Uint, "003:13569-13617"};
inline constexpr Field Hint{"Hint", 2, 22, 22, Kind::Bool, "003:13569-13617"};
}  // namespace GEOMETRY_PAYLOAD_HEADER

/// R1 of a geometry thread, of each channel (GS-26); R0 of one of SIMD4x2, of two (GS-21).
namespace GEOMETRY_PAYLOAD_OUTPUT {
inline constexpr FieldArray ReturnHandle{
    {"ReturnHandle", 0, 15, 0, Kind::Uint, "003:13569-13617"}, 8, 32};
inline constexpr FieldArray InstanceId{
    {"InstanceId", 0, 31, 27, Kind::Uint, "003:13569-13617"}, 8, 32};
}  // namespace GEOMETRY_PAYLOAD_OUTPUT

}  // namespace gen9::packets
