// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "sampler/state/sampler_state.h"

namespace gen9::sampler {

/// Texel coordinates are fixed point with 8 bits of fraction.
inline constexpr int kFractionBits = 8;
inline constexpr std::int64_t kTexel = 1 << kFractionBits;

/// The floor of a number that fits.
inline std::int64_t floor_of(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return whole - (static_cast<double>(whole) > value);
}

/// A coordinate in texels: cut to 1/256, or with address rounding rounded to it (sampler
/// guide 3.9). NaN is 0; what is far away keeps its side.
inline std::int64_t fix(double texels, bool round) {
    constexpr double kFar = 1ll << 40;
    if (!(texels > -kFar)) return texels < 0 ? static_cast<std::int64_t>(-kFar) * kTexel : 0;
    if (!(texels < kFar)) return static_cast<std::int64_t>(kFar) * kTexel;
    return floor_of(texels * double{kTexel} + (round ? 0.5 : 0.0));
}

/// A texel index after the address mode.
struct Wrapped {
    std::int32_t index = 0;
    bool outside = false;  ///< the border takes part
};
/// Applies an address mode to a texel index (SMP-36..41). CUBE is CLAMP here: taps across edges
/// are found before (cube.h).
inline Wrapped wrap(AddressMode mode, std::int64_t index, std::int64_t size) {
    if (static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(size)) [[likely]]
        return {static_cast<std::int32_t>(index), false};
    const std::int64_t clamped = index < 0 ? 0 : size - 1;
    const auto floor_mod = [](std::int64_t value, std::int64_t by) {
        const std::int64_t rest = value % by;
        return rest < 0 ? rest + by : rest;
    };
    switch (mode) {
        case AddressMode::Wrap:
            return {static_cast<std::int32_t>(floor_mod(index, size)), false};
        case AddressMode::Mirror: {
            const std::int64_t place = floor_mod(index, 2 * size);
            return {static_cast<std::int32_t>(place < size ? place : 2 * size - 1 - place), false};
        }
        case AddressMode::ClampBorder:
        case AddressMode::HalfBorder:
            return {static_cast<std::int32_t>(clamped), true};
        default:
            return {static_cast<std::int32_t>(clamped), false};
    }
}

/// Reduces a coordinate to what the mode keeps before it is counted in texels: WRAP and MIRROR
/// repeat, so that numbers far away keep their fraction; MIRROR_ONCE takes the magnitude (SMP-38).
double reduce(AddressMode mode, double normalized);
/// Reduces a coordinate that is counted in texels already, on an axis of `size` of them.
double reduce_texels(AddressMode mode, double texels, std::int64_t size);

/// An array index: the nearest integer, of two the even one, within the array (SMP-48).
std::uint32_t array_index(float index, std::uint32_t slices);

}  // namespace gen9::sampler
