// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "formats/format.h"

namespace gen9::formats {

/// Reads a channel of a row: bits from `shift` on of the DWords become register values. Channels of
/// 64 bits go on in the row's next DWords, 16 values further.
using DecodeChannel = void (*)(const std::uint32_t* words, unsigned shift, std::uint32_t* values);
/// Adds a channel's bits to a row's DWords, which have zeros there.
using EncodeChannel = void (*)(const std::uint32_t* values, unsigned shift, std::uint32_t* words);

/// The conversions of one kind and width of channel, of rows of sixteen and of eight.
struct Conversion {
    Kind kind;
    std::uint8_t width;
    DecodeChannel decode, decode_8;
    EncodeChannel encode, encode_8;                   ///< null: Gen9 never writes such a channel
    std::uint32_t (*decode_one)(std::uint32_t bits);  ///< null for those of 64 bits
    std::uint32_t (*encode_one)(std::uint32_t value);
};

/// Null when no format has such a channel.
const Conversion* find_conversion(Kind kind, unsigned width);

}  // namespace gen9::formats
