// SPDX-License-Identifier: Apache-2.0
// The state commands of the sampler (003:3877-3880), as rows.
#pragma once
#include "packets/overlap.h"

namespace gen9::packets {

namespace CHROMA_KEY {
inline constexpr std::uint32_t kHeader = 0x79040002;
inline constexpr Field ChromaKeyTableIndex{"ChromaKeyTableIndex", 1, 31, 30, Kind::Uint, kGen9Xml};
inline constexpr Field ChromaKeyLowValue{"ChromaKeyLowValue", 2, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr Field ChromaKeyHighValue{"ChromaKeyHighValue", 3, 31, 0, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&ChromaKeyTableIndex, &ChromaKeyLowValue,
                                           &ChromaKeyHighValue};
inline constexpr Structure kStructure{"3DSTATE_CHROMA_KEY", 4, kFields};
static_assert(well_formed(kStructure));
}  // namespace CHROMA_KEY

namespace MONOFILTER_SIZE {
inline constexpr std::uint32_t kHeader = 0x79110000;
inline constexpr Field MonochromeFilterHeight{
    "MonochromeFilterHeight", 1, 2, 0, Kind::Uint, kGen9Xml};
inline constexpr Field MonochromeFilterWidth{
    "MonochromeFilterWidth", 1, 5, 3, Kind::Uint, kGen9Xml};
inline constexpr const Field* kFields[] = {&MonochromeFilterHeight, &MonochromeFilterWidth};
inline constexpr Structure kStructure{"3DSTATE_MONOFILTER_SIZE", 2, kFields};
static_assert(well_formed(kStructure));
}  // namespace MONOFILTER_SIZE

/// The header is followed by up to 256 entries of a DWord, A8R8G8B8.
namespace SAMPLER_PALETTE_LOAD {
inline constexpr std::uint32_t kHeaders[] = {0x79020000, 0x790C0000};
}  // namespace SAMPLER_PALETTE_LOAD

}  // namespace gen9::packets
