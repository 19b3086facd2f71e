// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "packets/fields.h"

/// RENDER_SURFACE_STATE and BINDING_TABLE_STATE of Gen9, as rows.
/// The seeds give the fields' meaning (003:5040-5210) but not their places; those are Public: mesa
/// genxml/gen9.xml, struct RENDER_SURFACE_STATE.
namespace gen9::packets {

namespace binding_table_state {
inline constexpr const char* kSource = "Public: mesa gen9.xml";
inline constexpr Field SurfaceStatePointer{"SurfaceStatePointer", 0, 31, 6, Kind::Offset, kSource};
inline constexpr std::array kFields{&SurfaceStatePointer};
}  // namespace binding_table_state
inline constexpr Structure BINDING_TABLE_STATE{"BINDING_TABLE_STATE", 1,
                                               binding_table_state::kFields};

/// An entry of a table that the resource streamer has made: a word, 003:11196.
namespace hardware_binding_table_state {
inline constexpr unsigned kUnit = 64;  ///< bytes
inline constexpr Field SurfaceStatePointer{
    "SurfaceStatePointer", 0, 15, 0, Kind::Uint, "003:11196"};
}  // namespace hardware_binding_table_state

namespace render_surface_state {
inline constexpr const char* kSource = "Public: mesa gen9.xml";
inline constexpr unsigned kDwords = 16;

inline constexpr Field CubeFaceEnables{"CubeFaceEnables", 0, 5, 0, Kind::Uint, kSource};
inline constexpr Field MediaBoundaryPixelMode{
    "MediaBoundaryPixelMode", 0, 7, 6, Kind::Enum, kSource};
inline constexpr Field RenderCacheReadWriteMode{
    "RenderCacheReadWriteMode", 0, 8, 8, Kind::Enum, kSource};
inline constexpr Field SamplerL2BypassModeDisable{
    "SamplerL2BypassModeDisable", 0, 9, 9, Kind::Bool, kSource};
inline constexpr Field VerticalLineStrideOffset{
    "VerticalLineStrideOffset", 0, 10, 10, Kind::Uint, kSource};
inline constexpr Field VerticalLineStride{"VerticalLineStride", 0, 11, 11, Kind::Uint, kSource};
inline constexpr Field TileMode{"TileMode", 0, 13, 12, Kind::Enum, kSource};
inline constexpr Field SurfaceHorizontalAlignment{
    "SurfaceHorizontalAlignment", 0, 15, 14, Kind::Enum, kSource};
inline constexpr Field SurfaceVerticalAlignment{
    "SurfaceVerticalAlignment", 0, 17, 16, Kind::Enum, kSource};
inline constexpr Field SurfaceFormat{"SurfaceFormat", 0, 26, 18, Kind::Enum, kSource};
inline constexpr Field ASTCEnable{"ASTC_Enable", 0, 27, 27, Kind::Bool, kSource};
inline constexpr Field SurfaceArray{"SurfaceArray", 0, 28, 28, Kind::Bool, kSource};
inline constexpr Field SurfaceType{"SurfaceType", 0, 31, 29, Kind::Enum, kSource};

inline constexpr Field SurfaceQPitch{"SurfaceQPitch", 1, 14, 0, Kind::Uint, kSource};
inline constexpr Field BaseMipLevel{"BaseMipLevel", 1, 23, 19, Kind::Uint, kSource};
inline constexpr Field MemoryObjectControlState{
    "MemoryObjectControlState", 1, 30, 24, Kind::Uint, kSource};

inline constexpr Field Width{"Width", 2, 13, 0, Kind::Uint, kSource};
inline constexpr Field Height{"Height", 2, 29, 16, Kind::Uint, kSource};

inline constexpr Field SurfacePitch{"SurfacePitch", 3, 17, 0, Kind::Uint, kSource};
inline constexpr Field Depth{"Depth", 3, 31, 21, Kind::Uint, kSource};

inline constexpr Field MultisamplePositionPaletteIndex{
    "MultisamplePositionPaletteIndex", 4, 2, 0, Kind::Uint, kSource};
inline constexpr Field NumberOfMultisamples{"NumberOfMultisamples", 4, 5, 3, Kind::Enum, kSource};
inline constexpr Field MultisampledSurfaceStorageFormat{
    "MultisampledSurfaceStorageFormat", 4, 6, 6, Kind::Enum, kSource};
inline constexpr Field RenderTargetViewExtent{
    "RenderTargetViewExtent", 4, 17, 7, Kind::Uint, kSource};
inline constexpr Field MinimumArrayElement{"MinimumArrayElement", 4, 28, 18, Kind::Uint, kSource};
inline constexpr Field RenderTargetAndSampleRotation{
    "RenderTargetAndSampleRotation", 4, 30, 29, Kind::Enum, kSource};

inline constexpr Field MIPCountLOD{"MIPCountLOD", 5, 3, 0, Kind::Uint, kSource};
inline constexpr Field SurfaceMinLOD{"SurfaceMinLOD", 5, 7, 4, Kind::Uint, kSource};
inline constexpr Field MipTailStartLOD{"MipTailStartLOD", 5, 11, 8, Kind::Uint, kSource};
inline constexpr Field CoherencyType{"CoherencyType", 5, 14, 14, Kind::Enum, kSource};
inline constexpr Field TiledResourceMode{"TiledResourceMode", 5, 19, 18, Kind::Enum, kSource};
inline constexpr Field EWADisableForCube{"EWADisableForCube", 5, 20, 20, Kind::Bool, kSource};
inline constexpr Field YOffset{"YOffset", 5, 23, 21, Kind::Uint, kSource};
inline constexpr Field XOffset{"XOffset", 5, 31, 25, Kind::Uint, kSource};

inline constexpr Field AuxiliarySurfaceMode{"AuxiliarySurfaceMode", 6, 2, 0, Kind::Enum, kSource};
inline constexpr Field AuxiliarySurfacePitch{
    "AuxiliarySurfacePitch", 6, 11, 3, Kind::Uint, kSource};
inline constexpr Field AuxiliarySurfaceQPitch{
    "AuxiliarySurfaceQPitch", 6, 30, 16, Kind::Uint, kSource};

/// Planar formats have this in place of the auxiliary surface.
inline constexpr Field YOffsetForUOrUVPlane{"YOffsetForUOrUVPlane", 6, 13, 0, Kind::Uint, kSource};
inline constexpr Field XOffsetForUOrUVPlane{"XOffsetForUOrUVPlane", 6, 29, 16, Kind::Uint, kSource};
inline constexpr Field SeparateUVPlaneEnable{
    "SeparateUVPlaneEnable", 6, 31, 31, Kind::Bool, kSource};
inline constexpr Field YOffsetForVPlane{"YOffsetForVPlane", 11, 13, 0, Kind::Uint, kSource};
inline constexpr Field XOffsetForVPlane{"XOffsetForVPlane", 11, 29, 16, Kind::Uint, kSource};

inline constexpr Field ResourceMinLOD{"ResourceMinLOD", 7, 11, 0, Kind::Uint, kSource};
inline constexpr Field ShaderChannelSelectAlpha{
    "ShaderChannelSelectAlpha", 7, 18, 16, Kind::Enum, kSource};
inline constexpr Field ShaderChannelSelectBlue{
    "ShaderChannelSelectBlue", 7, 21, 19, Kind::Enum, kSource};
inline constexpr Field ShaderChannelSelectGreen{
    "ShaderChannelSelectGreen", 7, 24, 22, Kind::Enum, kSource};
inline constexpr Field ShaderChannelSelectRed{
    "ShaderChannelSelectRed", 7, 27, 25, Kind::Enum, kSource};
inline constexpr Field MemoryCompressionEnable{
    "MemoryCompressionEnable", 7, 30, 30, Kind::Bool, kSource};
inline constexpr Field MemoryCompressionMode{
    "MemoryCompressionMode", 7, 31, 31, Kind::Enum, kSource};

inline constexpr Field SurfaceBaseAddress{"SurfaceBaseAddress", 8, 63, 0, Kind::Address, kSource};
inline constexpr Field QuiltWidth{"QuiltWidth", 10, 4, 0, Kind::Uint, kSource};
inline constexpr Field QuiltHeight{"QuiltHeight", 10, 9, 5, Kind::Uint, kSource};
inline constexpr Field AuxiliarySurfaceBaseAddress{
    "AuxiliarySurfaceBaseAddress", 10, 63, 12, Kind::Address, kSource};
inline constexpr Field RedClearColor{"RedClearColor", 12, 31, 0, Kind::Uint, kSource};
inline constexpr Field GreenClearColor{"GreenClearColor", 13, 31, 0, Kind::Uint, kSource};
inline constexpr Field BlueClearColor{"BlueClearColor", 14, 31, 0, Kind::Uint, kSource};
inline constexpr Field AlphaClearColor{"AlphaClearColor", 15, 31, 0, Kind::Uint, kSource};

inline constexpr std::array kFields{
    &CubeFaceEnables,
    &MediaBoundaryPixelMode,
    &RenderCacheReadWriteMode,
    &SamplerL2BypassModeDisable,
    &VerticalLineStrideOffset,
    &VerticalLineStride,
    &TileMode,
    &SurfaceHorizontalAlignment,
    &SurfaceVerticalAlignment,
    &SurfaceFormat,
    &ASTCEnable,
    &SurfaceArray,
    &SurfaceType,
    &SurfaceQPitch,
    &BaseMipLevel,
    &MemoryObjectControlState,
    &Width,
    &Height,
    &SurfacePitch,
    &Depth,
    &MultisamplePositionPaletteIndex,
    &NumberOfMultisamples,
    &MultisampledSurfaceStorageFormat,
    &RenderTargetViewExtent,
    &MinimumArrayElement,
    &RenderTargetAndSampleRotation,
    &MIPCountLOD,
    &SurfaceMinLOD,
    &MipTailStartLOD,
    &CoherencyType,
    &TiledResourceMode,
    &EWADisableForCube,
    &YOffset,
    &XOffset,
    &AuxiliarySurfaceMode,
    &AuxiliarySurfacePitch,
    &AuxiliarySurfaceQPitch,
    &ResourceMinLOD,
    &ShaderChannelSelectAlpha,
    &ShaderChannelSelectBlue,
    &ShaderChannelSelectGreen,
    &ShaderChannelSelectRed,
    &MemoryCompressionEnable,
    &MemoryCompressionMode,
    &SurfaceBaseAddress,
    &QuiltWidth,
    &QuiltHeight,
    &AuxiliarySurfaceBaseAddress,
    &RedClearColor,
    &GreenClearColor,
    &BlueClearColor,
    &AlphaClearColor,
};

/// Values of SurfaceType (003:5042-5052).
enum Type : std::uint8_t {
    SURFTYPE_1D = 0,
    SURFTYPE_2D = 1,
    SURFTYPE_3D = 2,
    SURFTYPE_CUBE = 3,
    SURFTYPE_BUFFER = 4,
    SURFTYPE_STRBUF = 5,
    SURFTYPE_NULL = 7,
};
/// Values of TileMode (003:5056-5073).
enum Tile : std::uint8_t { LINEAR = 0, WMAJOR = 1, XMAJOR = 2, YMAJOR = 3 };
/// Values of TiledResourceMode (003:5332-5342; Public: mesa gen9.xml).
enum TiledResource : std::uint8_t { TRM_NONE = 0, TRM_TILEYF = 1, TRM_TILEYS = 2 };
/// Values of AuxiliarySurfaceMode (003:6619-6653; Public: mesa gen9.xml).
enum AuxiliaryMode : std::uint8_t {
    AUX_NONE = 0,
    AUX_CCS_D = 1,
    AUX_APPEND = 2,
    AUX_HIZ = 3,
    AUX_CCS_E = 5
};
/// Values of MediaBoundaryPixelMode (003:5291).
enum BoundaryMode : std::uint8_t { NORMAL_MODE = 0, PROGRESSIVE_FRAME = 2, INTERLACED_FRAME = 3 };
/// Values of the shader channel selects.
enum ChannelSelect : std::uint8_t {
    SCS_ZERO = 0,
    SCS_ONE = 1,
    SCS_RED = 4,
    SCS_GREEN = 5,
    SCS_BLUE = 6,
    SCS_ALPHA = 7,
};
inline constexpr unsigned RAW = 0x1FF;  ///< the format of untyped buffers
}  // namespace render_surface_state

inline constexpr Structure RENDER_SURFACE_STATE{
    "RENDER_SURFACE_STATE", render_surface_state::kDwords, render_surface_state::kFields};

}  // namespace gen9::packets
