// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// What no document settles of the media sampler, and what the model takes.
namespace gen9::sampler::media {

/// Tap 3 of eight lies at the pixel of the position's integer part, tap 4 at the next. Public: the
/// tables of Intel's drivers (iHD's copy, the CM runtime's two taps).
inline constexpr int kIntegerTap = 3;
/// Phase n is n/32 of a pixel. Public: the same tables.
inline constexpr int kPhaseBits = 5;
/// Positions are exact sums and products of the message's floats, rounded to this many bits of
/// fraction and then cut to a phase. A float of 0 to 1 is wrong by 2^-25 at most and a picture has
/// 2^14 pixels at most, so that a position at a pixel stays there: drivers copy by U0 = x / Width.
inline constexpr int kPositionBits = 10;

/// Sums of products are exact; results are rounded half up and clamped. Full scale of a 16-bit
/// result is FF00h (003:10324), of an 8-bit one FFh.
inline constexpr std::int64_t kFullScale16 = 0xFF00, kFullScale8 = 0xFF;

/// Between all smooth (0) and all sharp, the level weighs the results of both. The smooth filter has
/// the taps 3 and 4, weighed by the fraction.
inline constexpr std::int64_t kAllSharp = 255;

/// Rows of a vertical block, by Message_Seq: of the two readings of 003:10122-10150 the table's;
/// 8x4, which it leaves out, as 4x4.
inline constexpr unsigned kVerticalBlockRows[] = {4, 4, 8, 4};

/// Quarter turns of a surface's Rotation are clockwise: the message samples the turned picture.
inline constexpr bool kClockwise = true;

/// sample_unorm: the least width and height. 003:4378-4397 gives 4 and, further down, 16.
inline constexpr std::uint32_t kLeastUnormSize = 4;

}  // namespace gen9::sampler::media
