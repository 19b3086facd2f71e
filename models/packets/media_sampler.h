// SPDX-License-Identifier: Apache-2.0
// Messages of the media sampler, as rows; DWords count from the register they stand in.
#pragma once
#include "packets/fields.h"

namespace gen9::packets {

/// What only they have in the header (003:3930-3960, 003:10267-10306).
namespace MEDIA_SAMPLER_HEADER {
inline constexpr Field OutputFormatControl{
    "OutputFormatControl", 2, 19, 18, Kind::Enum, "003:3960"};
inline constexpr Field DestinationBindingTableIndex{
    "DestinationBindingTableIndex", 2, 31, 24, Kind::Uint, "003:10297-10300"};
inline constexpr Field DestinationXAddress{"DestinationXAddress", 4, 15, 0, Kind::Uint, "003:3948"};
inline constexpr Field DestinationYAddress{
    "DestinationYAddress", 4, 31, 16, Kind::Uint, "003:3940"};
inline constexpr Field OutputFormat{"OutputFormat", 5, 4, 0, Kind::Enum, "003:10273"};

enum OutputFormatControlMode : std::uint32_t {
    FULL_16 = 0,
    CHROMINANCE_DOWNSAMPLED_16 = 1,
    FULL_8 = 2,
    CHROMINANCE_DOWNSAMPLED_8 = 3,
};
}  // namespace MEDIA_SAMPLER_HEADER

/// The payload of sample_unorm (003:10079-10091) and, with the rows behind, of sample_8x8
/// (003:10093-10126).
namespace MEDIA_SAMPLER_PAYLOAD {
inline constexpr Field Pixel0UAddress{"Pixel0UAddress", 2, 31, 0, Kind::Float, "003:10089"};
inline constexpr Field Pixel0VAddress{"Pixel0VAddress", 3, 31, 0, Kind::Float, "003:10088"};
inline constexpr Field DeltaU{"DeltaU", 4, 31, 0, Kind::Float, "003:10087"};
inline constexpr Field DeltaV{"DeltaV", 5, 31, 0, Kind::Float, "003:10084"};

inline constexpr Field V2ndDerivative{"V2ndDerivative", 0, 31, 0, Kind::Float, "003:10126"};
inline constexpr Field VerticalBlockNumber{"VerticalBlockNumber", 1, 8, 0, Kind::Uint,
                                           "003:10122-10125"};
inline constexpr Field U2ndDerivative{"U2ndDerivative", 6, 31, 0, Kind::Float, "003:10105"};
inline constexpr Field GroupIDNumber{"GroupIDNumber", 7, 21, 0, Kind::Uint, "003:10104"};
inline constexpr Field Reserved22{"Reserved22", 7, 22, 22, Kind::Mbz, "003:10103"};
inline constexpr Field MessageSeq{"MessageSeq", 7, 26, 25, Kind::Enum, "003:10102"};
inline constexpr Field IEFBypass{"IEFBypass", 7, 27, 27, Kind::Bool, "003:10099"};
inline constexpr Field Functionality{"Functionality", 7, 31, 28, Kind::Enum, "003:10096"};

enum Sequence : std::uint32_t { SEQ_16x4 = 0, SEQ_8x4 = 1, SEQ_16x8 = 2, SEQ_4x4 = 3 };
enum Function : std::uint32_t { AVS_SCALING = 0 };
}  // namespace MEDIA_SAMPLER_PAYLOAD

}  // namespace gen9::packets
