// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "packets/fields.h"

/// SAMPLER_STATE of Gen9, as rows. The seeds give what the fields do (003:3084-3417), not their
/// places; those are Public: mesa genxml/gen9.xml, struct SAMPLER_STATE.
namespace gen9::packets {

namespace sampler_state {
inline constexpr const char* kSource = "Public: mesa gen9.xml";
inline constexpr unsigned kDwords = 4;

inline constexpr Field LODAlgorithm{"LODAlgorithm", 0, 0, 0, Kind::Enum, kSource};
inline constexpr Field TextureLODBias{"TextureLODBias", 0, 13, 1, Kind::Int, kSource};
inline constexpr Field MinModeFilter{"MinModeFilter", 0, 16, 14, Kind::Enum, kSource};
inline constexpr Field MagModeFilter{"MagModeFilter", 0, 19, 17, Kind::Enum, kSource};
inline constexpr Field MipModeFilter{"MipModeFilter", 0, 21, 20, Kind::Enum, kSource};
inline constexpr Field CoarseLODQualityMode{"CoarseLODQualityMode", 0, 26, 22, Kind::Uint, kSource};
inline constexpr Field LODPreClampMode{"LODPreClampMode", 0, 28, 27, Kind::Enum, kSource};
inline constexpr Field TextureBorderColorMode{
    "TextureBorderColorMode", 0, 29, 29, Kind::Enum, kSource};
inline constexpr Field SamplerDisable{"SamplerDisable", 0, 31, 31, Kind::Bool, kSource};

inline constexpr Field CubeSurfaceControlMode{
    "CubeSurfaceControlMode", 1, 0, 0, Kind::Enum, kSource};
inline constexpr Field ShadowFunction{"ShadowFunction", 1, 3, 1, Kind::Enum, kSource};
inline constexpr Field ChromaKeyMode{"ChromaKeyMode", 1, 4, 4, Kind::Enum, kSource};
inline constexpr Field ChromaKeyIndex{"ChromaKeyIndex", 1, 6, 5, Kind::Uint, kSource};
inline constexpr Field ChromaKeyEnable{"ChromaKeyEnable", 1, 7, 7, Kind::Bool, kSource};
inline constexpr Field MaxLOD{"MaxLOD", 1, 19, 8, Kind::Uint, kSource};
inline constexpr Field MinLOD{"MinLOD", 1, 31, 20, Kind::Uint, kSource};

inline constexpr Field LODClampMagnificationMode{
    "LODClampMagnificationMode", 2, 0, 0, Kind::Enum, kSource};
inline constexpr Field BorderColorPointer{"BorderColorPointer", 2, 23, 6, Kind::Offset, kSource};

inline constexpr Field TCZAddressControlMode{"TCZAddressControlMode", 3, 2, 0, Kind::Enum, kSource};
inline constexpr Field TCYAddressControlMode{"TCYAddressControlMode", 3, 5, 3, Kind::Enum, kSource};
inline constexpr Field TCXAddressControlMode{"TCXAddressControlMode", 3, 8, 6, Kind::Enum, kSource};
inline constexpr Field ReductionTypeEnable{"ReductionTypeEnable", 3, 9, 9, Kind::Bool, kSource};
inline constexpr Field NonnormalizedCoordinateEnable{
    "NonnormalizedCoordinateEnable", 3, 10, 10, Kind::Bool, kSource};
inline constexpr Field TrilinearFilterQuality{
    "TrilinearFilterQuality", 3, 12, 11, Kind::Enum, kSource};
inline constexpr Field RAddressMinFilterRoundingEnable{
    "RAddressMinFilterRoundingEnable", 3, 13, 13, Kind::Bool, kSource};
inline constexpr Field RAddressMagFilterRoundingEnable{
    "RAddressMagFilterRoundingEnable", 3, 14, 14, Kind::Bool, kSource};
inline constexpr Field VAddressMinFilterRoundingEnable{
    "VAddressMinFilterRoundingEnable", 3, 15, 15, Kind::Bool, kSource};
inline constexpr Field VAddressMagFilterRoundingEnable{
    "VAddressMagFilterRoundingEnable", 3, 16, 16, Kind::Bool, kSource};
inline constexpr Field UAddressMinFilterRoundingEnable{
    "UAddressMinFilterRoundingEnable", 3, 17, 17, Kind::Bool, kSource};
inline constexpr Field UAddressMagFilterRoundingEnable{
    "UAddressMagFilterRoundingEnable", 3, 18, 18, Kind::Bool, kSource};
inline constexpr Field MaximumAnisotropy{"MaximumAnisotropy", 3, 21, 19, Kind::Uint, kSource};
inline constexpr Field ReductionType{"ReductionType", 3, 23, 22, Kind::Enum, kSource};

inline constexpr std::array kFields{&LODAlgorithm,
                                    &TextureLODBias,
                                    &MinModeFilter,
                                    &MagModeFilter,
                                    &MipModeFilter,
                                    &CoarseLODQualityMode,
                                    &LODPreClampMode,
                                    &TextureBorderColorMode,
                                    &SamplerDisable,
                                    &CubeSurfaceControlMode,
                                    &ShadowFunction,
                                    &ChromaKeyMode,
                                    &ChromaKeyIndex,
                                    &ChromaKeyEnable,
                                    &MaxLOD,
                                    &MinLOD,
                                    &LODClampMagnificationMode,
                                    &BorderColorPointer,
                                    &TCZAddressControlMode,
                                    &TCYAddressControlMode,
                                    &TCXAddressControlMode,
                                    &ReductionTypeEnable,
                                    &NonnormalizedCoordinateEnable,
                                    &TrilinearFilterQuality,
                                    &RAddressMinFilterRoundingEnable,
                                    &RAddressMagFilterRoundingEnable,
                                    &VAddressMinFilterRoundingEnable,
                                    &VAddressMagFilterRoundingEnable,
                                    &UAddressMinFilterRoundingEnable,
                                    &UAddressMagFilterRoundingEnable,
                                    &MaximumAnisotropy,
                                    &ReductionType};
}  // namespace sampler_state
inline constexpr Structure SAMPLER_STATE{"SAMPLER_STATE", sampler_state::kDwords,
                                         sampler_state::kFields};

}  // namespace gen9::packets
