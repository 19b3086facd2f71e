// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "packets/fields.h"

/// MEDIA_SURFACE_STATE of Gen9, as rows: the surfaces of motion estimation and of the media
/// sampler. The seeds name the structure (003:10047-10053); its places are Public: Skylake PRM,
/// volume 2d.
namespace gen9::packets::media_surface_state {

inline constexpr const char* kSource = "Public: Skylake PRM, volume 2d, MEDIA_SURFACE_STATE";
inline constexpr unsigned kDwords = 8;

inline constexpr Field Rotation{"Rotation", 0, 31, 30, Kind::Enum, kSource};
inline constexpr Field YOffset{"YOffset", 0, 19, 16, Kind::Uint, kSource};
inline constexpr Field XOffset{"XOffset", 0, 26, 20, Kind::Uint, kSource};
inline constexpr Field CrCbPixelOffsetVDirection{
    "CrCbPixelOffsetVDirection", 1, 1, 0, Kind::Uint, kSource};
inline constexpr Field PictureStructure{"PictureStructure", 1, 3, 2, Kind::Enum, kSource};
inline constexpr Field Width{"Width", 1, 17, 4, Kind::Uint, kSource};     ///< less one
inline constexpr Field Height{"Height", 1, 31, 18, Kind::Uint, kSource};  ///< less one
inline constexpr Field TileMode{"TileMode", 2, 1, 0, Kind::Enum, kSource};
inline constexpr Field HalfPitchForChroma{"HalfPitchForChroma", 2, 2, 2, Kind::Bool, kSource};
inline constexpr Field SurfacePitch{"SurfacePitch", 2, 20, 3, Kind::Uint, kSource};  ///< less one
inline constexpr Field AddressControl{"AddressControl", 2, 21, 21, Kind::Enum, kSource};
inline constexpr Field MemoryCompressionEnable{
    "MemoryCompressionEnable", 2, 22, 22, Kind::Bool, kSource};
inline constexpr Field CrCbPixelOffsetVDirectionMSB{
    "CrCbPixelOffsetVDirectionMSB", 2, 24, 24, Kind::Uint, kSource};
inline constexpr Field CrCbPixelOffsetUDirection{
    "CrCbPixelOffsetUDirection", 2, 25, 25, Kind::Uint, kSource};
inline constexpr Field InterleaveChroma{"InterleaveChroma", 2, 26, 26, Kind::Bool, kSource};
inline constexpr Field SurfaceFormat{"SurfaceFormat", 2, 31, 27, Kind::Enum, kSource};
inline constexpr Field YOffsetForUCb{"YOffsetForUCb", 3, 13, 0, Kind::Uint, kSource};
inline constexpr Field XOffsetForUCb{"XOffsetForUCb", 3, 29, 16, Kind::Uint, kSource};
inline constexpr Field YOffsetForVCr{"YOffsetForVCr", 4, 14, 0, Kind::Uint, kSource};
inline constexpr Field XOffsetForVCr{"XOffsetForVCr", 4, 29, 16, Kind::Uint, kSource};
inline constexpr Field MemoryObjectControlState{
    "MemoryObjectControlState", 5, 6, 0, Kind::Uint, kSource};
inline constexpr Field TiledResourceMode{"TiledResourceMode", 5, 19, 18, Kind::Enum, kSource};
inline constexpr Field VerticalLineStrideOffset{
    "VerticalLineStrideOffset", 5, 30, 30, Kind::Uint, kSource};
inline constexpr Field VerticalLineStride{"VerticalLineStride", 5, 31, 31, Kind::Uint, kSource};
inline constexpr Field SurfaceBaseAddress{"SurfaceBaseAddress", 6, 47, 0, Kind::Address, kSource};

inline constexpr std::array kFields{&Rotation,
                                    &YOffset,
                                    &XOffset,
                                    &CrCbPixelOffsetVDirection,
                                    &PictureStructure,
                                    &Width,
                                    &Height,
                                    &TileMode,
                                    &HalfPitchForChroma,
                                    &SurfacePitch,
                                    &AddressControl,
                                    &MemoryCompressionEnable,
                                    &CrCbPixelOffsetVDirectionMSB,
                                    &CrCbPixelOffsetUDirection,
                                    &InterleaveChroma,
                                    &SurfaceFormat,
                                    &YOffsetForUCb,
                                    &XOffsetForUCb,
                                    &YOffsetForVCr,
                                    &XOffsetForVCr,
                                    &MemoryObjectControlState,
                                    &TiledResourceMode,
                                    &VerticalLineStrideOffset,
                                    &VerticalLineStride,
                                    &SurfaceBaseAddress};
inline constexpr Structure kStructure{"MEDIA_SURFACE_STATE", kDwords, kFields};

enum Tile : std::uint32_t { TILEMODE_LINEAR = 0, TILEMODE_XMAJOR = 2, TILEMODE_YMAJOR = 3 };
enum Picture : std::uint32_t { FRAME_PICTURE = 0, TOP_FIELD = 1, BOTTOM_FIELD = 2 };
enum Format : std::uint32_t {
    YCRCB_NORMAL = 0,
    YCRCB_SWAPUVY = 1,
    YCRCB_SWAPUV = 2,
    YCRCB_SWAPY = 3,
    PLANAR_420_8 = 4,
    Y8_UNORM_VA = 5,
    Y16_SNORM = 6,
    Y16_UNORM_VA = 7,
    R10G10B10A2_UNORM = 8,
    R8G8B8A8_UNORM = 9,
    R8B8_UNORM_CRCB = 10,
    R8_UNORM_CRCB = 11,
    Y8_UNORM = 12,
    A8Y8U8V8_UNORM = 13,
    B8G8R8A8_UNORM = 14,
    R16G16B16A16 = 15,
    Y1_UNORM = 16,
    Y32_UNORM = 17,
    PLANAR_422_8 = 18,
};

}  // namespace gen9::packets::media_surface_state
