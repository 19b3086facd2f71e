// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "packets/fields.h"
#include "packets/overlap.h"

/// The universal input phases M0 to M3 of motion estimation messages, as rows: DWord n of phase p is
/// DWord 8p + n here.
namespace gen9::packets::vme_input {

inline constexpr unsigned kDwords = 4 * 8;

// M0
inline constexpr Field Ref0X{"Ref0X", 0, 15, 0, Kind::Int, "VME-09"};
inline constexpr Field Ref0Y{"Ref0Y", 0, 31, 16, Kind::Int, "VME-09"};
inline constexpr Field Ref1X{"Ref1X", 1, 15, 0, Kind::Int, "VME-09"};
inline constexpr Field Ref1Y{"Ref1Y", 1, 31, 16, Kind::Int, "VME-09"};
inline constexpr Field SrcX{"SrcX", 2, 15, 0, Kind::Uint, "VME-10"};
inline constexpr Field SrcY{"SrcY", 2, 31, 16, Kind::Uint, "VME-10"};
inline constexpr Field SrcSize{"SrcSize", 3, 1, 0, Kind::Enum, "VME-11"};
inline constexpr Field MbTypeRemap{"MbTypeRemap", 3, 5, 4, Kind::Enum, "VME-13"};
inline constexpr Field SrcAccess{"SrcAccess", 3, 6, 6, Kind::Bool, "VME-11"};
inline constexpr Field RefAccess{"RefAccess", 3, 7, 7, Kind::Bool, "VME-11"};
inline constexpr Field SearchCtrl{"SearchCtrl", 3, 10, 8, Kind::Enum, "VME-14"};
inline constexpr Field DualSearchPath{"DualSearchPath", 3, 11, 11, Kind::Bool, "VME-15"};
inline constexpr Field SubPelMode{"SubPelMode", 3, 13, 12, Kind::Enum, "VME-16"};
inline constexpr Field SkipModeType{"SkipModeType", 3, 14, 14, Kind::Bool, "VME-17"};
inline constexpr Field ChromaSkip{"ChromaSkip", 3, 16, 16, Kind::Bool, "VME-35"};
inline constexpr Field FTEnable{"FTEnable", 3, 17, 17, Kind::Bool, "VME-17"};
inline constexpr Field BMEDisableFBR{"BMEDisableFBR", 3, 18, 18, Kind::Bool, "VME-17"};
inline constexpr Field BlockBasedSkip{"BlockBasedSkip", 3, 19, 19, Kind::Bool, "VME-17"};
inline constexpr Field InterSAD{"InterSAD", 3, 21, 20, Kind::Enum, "VME-18"};
inline constexpr Field IntraSAD{"IntraSAD", 3, 23, 22, Kind::Enum, "VME-18"};
inline constexpr Field SubMbPartMask{"SubMbPartMask", 3, 30, 24, Kind::Uint, "VME-19"};
inline constexpr Field Mesh7x7{"Mesh7x7", 3, 31, 31, Kind::Bool, "VME-68"};
inline constexpr Field RefWidth{"RefWidth", 5, 23, 16, Kind::Uint, "VME-20"};
inline constexpr Field RefHeight{"RefHeight", 5, 31, 24, Kind::Uint, "VME-20"};

// M1
inline constexpr Field SkipModeEn{"SkipModeEn", 8, 0, 0, Kind::Bool, "VME-21"};
inline constexpr Field AdaptiveEn{"AdaptiveEn", 8, 1, 1, Kind::Bool, "VME-21"};
inline constexpr Field BiMixDis{"BiMixDis", 8, 2, 2, Kind::Bool, "VME-21"};
inline constexpr Field EarlyImeSuccessEn{"EarlyImeSuccessEn", 8, 5, 5, Kind::Bool, "VME-21"};
inline constexpr Field XOnlySearch{"XOnlySearch", 8, 6, 6, Kind::Bool, "VME-21"};
inline constexpr Field T8x8FlagForInterEn{"T8x8FlagForInterEn", 8, 7, 7, Kind::Bool, "VME-21"};
inline constexpr Field EarlyImeStop{"EarlyImeStop", 8, 31, 24, Kind::Uint, "VME-21"};
inline constexpr Field MaxNumMVs{"MaxNumMVs", 9, 5, 0, Kind::Uint, "VME-23"};
inline constexpr Field ExtendedMVCostRange{"ExtendedMVCostRange", 9, 6, 6, Kind::Bool, "VME-23"};
inline constexpr Field RefIdPolarity{"RefIdPolarity", 9, 15, 8, Kind::Uint, "VME-23"};
inline constexpr Field BiWeight{"BiWeight", 9, 21, 16, Kind::Uint, "VME-23"};
inline constexpr Field UniMixDisable{"UniMixDisable", 9, 28, 28, Kind::Bool, "VME-23"};
inline constexpr Field Mesh5x5{"Mesh5x5", 9, 31, 30, Kind::Uint, "VME-68"};
inline constexpr Field LenSP{"LenSP", 10, 7, 0, Kind::Uint, "VME-24"};
inline constexpr Field MaxNumSU{"MaxNumSU", 10, 15, 8, Kind::Uint, "VME-24"};
inline constexpr Field Start0X{"Start0X", 10, 19, 16, Kind::Uint, "VME-24"};
inline constexpr Field Start0Y{"Start0Y", 10, 23, 20, Kind::Uint, "VME-24"};
inline constexpr Field Start1X{"Start1X", 10, 27, 24, Kind::Uint, "VME-24"};
inline constexpr Field Start1Y{"Start1Y", 10, 31, 28, Kind::Uint, "VME-24"};
inline constexpr Field WeightedSADControl{"WeightedSADControl", 11, 31, 0, Kind::Uint, "VME-25"};
/// Of a block forward, then backward.
inline constexpr FieldArray RefID{{"RefID", 14, 3, 0, Kind::Uint, "VME-26"}, 8, 4};
inline constexpr Field IntraPartMask{"IntraPartMask", 15, 2, 0, Kind::Uint, "VME-27"};
inline constexpr Field NonSkipZMvAdded{"NonSkipZMvAdded", 15, 5, 5, Kind::Bool, "VME-27"};
inline constexpr Field NonSkipModeAdded{"NonSkipModeAdded", 15, 6, 6, Kind::Bool, "VME-27"};
inline constexpr Field IntraCornerSwap{"IntraCornerSwap", 15, 7, 7, Kind::Bool, "VME-27"};
inline constexpr Field MbIntraStruct{"MbIntraStruct", 15, 15, 8, Kind::Uint, "VME-28"};
inline constexpr Field MVCostScaleFactor{"MVCostScaleFactor", 15, 17, 16, Kind::Enum, "VME-29"};
inline constexpr Field BilinearEnable{"BilinearEnable", 15, 18, 18, Kind::Bool, "VME-29"};
inline constexpr Field SrcFieldPolarity{"SrcFieldPolarity", 15, 19, 19, Kind::Bool, "VME-12"};
inline constexpr Field WeightedSADHAAR{"WeightedSADHAAR", 15, 20, 20, Kind::Bool, "VME-25"};
inline constexpr Field AConlyHAAR{"AConlyHAAR", 15, 21, 21, Kind::Bool, "VME-29"};
inline constexpr Field RefIDCostMode{"RefIDCostMode", 15, 22, 22, Kind::Enum, "VME-29"};
/// Public: headers of parts of the same family name it; reserved in the seeds.
inline constexpr Field Mesh8x8{"Mesh8x8", 15, 23, 23, Kind::Bool, "VME-73"};
inline constexpr Field SkipCenterMask{"SkipCenterMask", 15, 31, 24, Kind::Uint, "VME-30"};

// M2. Costs are a nibble shifted by another one (VME-45).
inline constexpr FieldArray ModeCost{{"ModeCost", 16, 7, 0, Kind::Uint, "VME-31"}, 9, 8};
/// Of mode 9; a sign stands in place of the shift's highest bit (VME-47).
inline constexpr Field BiasCost{"BiasCost", 18, 14, 8, Kind::Uint, "VME-47"};
inline constexpr Field BiasForward{"BiasForward", 18, 15, 15, Kind::Bool, "VME-47"};
inline constexpr Field RefIDCost{"RefIDCost", 18, 23, 16, Kind::Uint, "VME-31"};
inline constexpr Field ChromaIntraModeCost{"ChromaIntraModeCost", 18, 31, 24, Kind::Uint, "VME-31"};
inline constexpr FieldArray MVCost{{"MVCost", 19, 7, 0, Kind::Uint, "VME-31"}, 8, 8};
inline constexpr Field MbMode{"MbMode", 21, 1, 0, Kind::Enum, "VME-32"};
inline constexpr FieldArray SubMbShape{{"SubMbShape", 21, 9, 8, Kind::Enum, "VME-32"}, 4, 2};
/// The lower one of two bits for each block; the other one is output only.
inline constexpr FieldArray SubMbPredMode{
    {"SubMbPredMode", 21, 16, 16, Kind::Enum, "VME-32"}, 4, 2};
inline constexpr Field Threshold0{"Threshold0", 22, 15, 0, Kind::Uint, "VME-33"};
/// From the second one on.
inline constexpr FieldArray Threshold{{"Threshold", 22, 23, 16, Kind::Uint, "VME-33"}, 6, 8};

// M3
/// Of a block forward, then backward.
inline constexpr FieldArray CostCenter{{"CostCenter", 24, 31, 0, Kind::Uint, "VME-34"}, 8, 32};

inline constexpr std::array kFields{&Ref0X,
                                    &Ref0Y,
                                    &Ref1X,
                                    &Ref1Y,
                                    &SrcX,
                                    &SrcY,
                                    &SrcSize,
                                    &MbTypeRemap,
                                    &SrcAccess,
                                    &RefAccess,
                                    &SearchCtrl,
                                    &DualSearchPath,
                                    &SubPelMode,
                                    &SkipModeType,
                                    &ChromaSkip,
                                    &FTEnable,
                                    &BMEDisableFBR,
                                    &BlockBasedSkip,
                                    &InterSAD,
                                    &IntraSAD,
                                    &SubMbPartMask,
                                    &Mesh7x7,
                                    &RefWidth,
                                    &RefHeight,
                                    &SkipModeEn,
                                    &AdaptiveEn,
                                    &BiMixDis,
                                    &EarlyImeSuccessEn,
                                    &XOnlySearch,
                                    &T8x8FlagForInterEn,
                                    &EarlyImeStop,
                                    &MaxNumMVs,
                                    &ExtendedMVCostRange,
                                    &RefIdPolarity,
                                    &BiWeight,
                                    &UniMixDisable,
                                    &Mesh5x5,
                                    &LenSP,
                                    &MaxNumSU,
                                    &Start0X,
                                    &Start0Y,
                                    &Start1X,
                                    &Start1Y,
                                    &WeightedSADControl,
                                    &RefID.first,
                                    &IntraPartMask,
                                    &NonSkipZMvAdded,
                                    &NonSkipModeAdded,
                                    &IntraCornerSwap,
                                    &MbIntraStruct,
                                    &MVCostScaleFactor,
                                    &BilinearEnable,
                                    &SrcFieldPolarity,
                                    &WeightedSADHAAR,
                                    &AConlyHAAR,
                                    &RefIDCostMode,
                                    &Mesh8x8,
                                    &SkipCenterMask,
                                    &ModeCost.first,
                                    &BiasCost,
                                    &BiasForward,
                                    &RefIDCost,
                                    &ChromaIntraModeCost,
                                    &MVCost.first,
                                    &MbMode,
                                    &SubMbShape.first,
                                    &SubMbPredMode.first,
                                    &Threshold0,
                                    &Threshold.first,
                                    &CostCenter.first};
inline constexpr Structure kStructure{"universal input phases", kDwords, kFields};
static_assert(well_formed(kStructure));

}  // namespace gen9::packets::vme_input
