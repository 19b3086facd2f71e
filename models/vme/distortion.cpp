// SPDX-License-Identifier: Apache-2.0
#include "vme/distortion.h"

#include <cstdlib>

#include "vme/choices.h"

namespace gen9::vme {
namespace {

/// Both levels of the transform of four numbers, `step` apart: sums and differences, unscaled.
void haar_4(std::int32_t* v, unsigned step) {
    const std::int32_t s0 = v[0] + v[step], s1 = v[2 * step] + v[3 * step];
    const std::int32_t d0 = v[0] - v[step], d1 = v[2 * step] - v[3 * step];
    v[0] = s0 + s1;
    v[step] = s0 - s1;
    v[2 * step] = d0;
    v[3 * step] = d1;
}

}  // namespace

std::uint32_t haar_4x4(const std::int32_t (&difference)[16], bool without_dc) {
    std::int32_t v[16];
    for (unsigned i = 0; i < 16; ++i)
        v[i] = difference[i];
    for (unsigned row = 0; row < 4; ++row)
        haar_4(v + 4 * row, 1);
    for (unsigned column = 0; column < 4; ++column)
        haar_4(v + column, 4);
    std::uint32_t sum = 0;
    for (unsigned i = without_dc ? 1 : 0; i < 16; ++i)
        sum += static_cast<std::uint32_t>(std::abs(v[i]));
    return sum >> assumed::kHaarShift;
}

std::uint32_t distortion_4x4(const std::uint8_t* a, std::size_t a_stride, const std::uint8_t* b,
                             std::size_t b_stride, Measure measure) {
    if (measure == Measure::Sad) {
        std::uint32_t sum = 0;
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 4; ++x)
                sum +=
                    static_cast<std::uint32_t>(std::abs(a[y * a_stride + x] - b[y * b_stride + x]));
        return sum;
    }
    std::int32_t difference[16];
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 4; ++x)
            difference[4 * y + x] = a[y * a_stride + x] - b[y * b_stride + x];
    return haar_4x4(difference, measure == Measure::HaarWithoutDc);
}

std::uint32_t distortion(const std::uint8_t* a, std::size_t a_stride, const std::uint8_t* b,
                         std::size_t b_stride, unsigned width, unsigned height, Measure measure) {
    std::uint32_t sum = 0;
    for (unsigned y = 0; y < height; y += 4)
        for (unsigned x = 0; x < width; x += 4)
            sum += distortion_4x4(a + y * a_stride + x, a_stride, b + y * b_stride + x, b_stride,
                                  measure);
    return sum;
}

}  // namespace gen9::vme
