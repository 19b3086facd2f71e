// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "vme/message/shapes.h"

/// What no document and no result of a part settles of motion estimation, and what the model takes.
/// No test against outside answers depends on one.
namespace gen9::vme::assumed {

// --- Distortions and costs

/// Haar coefficients are summed and shifted by this, so that the DC of a flat difference d counts
/// 4d: the sums are then near those of an orthonormal transform.
inline constexpr unsigned kHaarShift = 2;
/// Reference costs in linear mode are the base times the id: the natural reading of the name.
inline constexpr std::uint32_t kLinearRefCost = 1;
/// Rounding of the weighted mean of two predictions: the extension's text prints it. Its filters'
/// rounding terms, which parts do not have, are printed in the same place.
inline constexpr unsigned kBidirectionalRounding = 32;
/// Rounding of bilinear half samples: none, as the samples of four taps have none.
inline constexpr int kBilinearRounding = 0;
/// The bias of a direction is not added to both directions together: 003:9312 names the first two.
inline constexpr std::uint32_t kBiasOfBoth = 0;

// --- Search

/// Positions of a search unit of 16x16, 16x8 and 8x8 sources. The documents say that smaller sources
/// have larger units; here a unit is as much work for each.
struct UnitSize {
    unsigned width, height;
};
inline constexpr UnitSize kUnit16x16{4, 4}, kUnit16x8{4, 8}, kUnit8x8{8, 8};
/// Rows of a unit that a search along x looks at: its first.
inline constexpr unsigned kRowsAlongX = 1;
/// An adaptive search goes on beside the best unit, at the side that its best position is nearest
/// to; of sides at equal distance in this order. The text says that it follows a gradient.
struct Side {
    int x, y;
};
inline constexpr std::array<Side, 4> kSides{{{-1, 0}, {1, 0}, {0, -1}, {0, 1}}};
/// The early stop is looked at after each unit; a distortion as large as the threshold goes on.
inline constexpr bool kEqualStopsEarly = false;
/// Of equal ways to divide, the first one stays. That 16x16 comes first, 8x8 last, and 8x8 before
/// 4x4, are results of parts; that 16x8 comes before 8x16, and 8x4 before 4x8, is not.
inline constexpr std::array kMajorOrder{MajorMode::M16x16, MajorMode::M16x8, MajorMode::M8x16,
                                        MajorMode::M8x8};
inline constexpr std::array kMinorOrder{MinorMode::M8x8, MinorMode::M8x4, MinorMode::M4x8,
                                        MinorMode::M4x4};
/// A search of two references returns both vectors of a shape: a refinement of both wants them.
inline constexpr bool kBothVectors = true;
/// MaxNumMVs of a refinement that limits nothing: the field is one of searches (003:9495), and
/// compilers leave 0.
inline constexpr unsigned kNoLimit = 0;

// --- Check

/// A coefficient of the forward transform as large as its threshold does not count.
inline constexpr bool kEqualCoefficientCounts = false;
/// IntraMbType of 16x16 is this and the mode: AVC's numbers without coefficients. NxN is 0.
inline constexpr unsigned kFirstWholeIntraType = 1;

}  // namespace gen9::vme::assumed
