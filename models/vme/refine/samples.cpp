// SPDX-License-Identifier: Apache-2.0
#include "vme/refine/samples.h"

#include <algorithm>

#include "vme/choices.h"

namespace gen9::vme {

std::uint8_t half_sample(int a, int b, int c, int d) {
    return static_cast<std::uint8_t>(std::clamp((5 * (b + c) - a - d) >> 3, 0, 255));
}

static int bilinear(int a, int b) {
    return (a + b + assumed::kBilinearRounding) >> 1;
}

// Both-half samples are the horizontal filter over vertical ones, which are bytes already.
Samples::Samples(const Patch& patch, bool bilinear)
    : patch_(patch), width_(patch.width), height_(patch.height), bilinear_(bilinear) {
    const std::size_t size = std::size_t{width_} * height_;
    bytes_.resize(3 * size);
    std::uint8_t *const in_x = bytes_.data(), *const in_y = in_x + size,
                        *const in_both = in_y + size;
    filter_rows(patch.bytes.data(), in_x);
    filter_columns(patch.bytes.data(), in_y);
    filter_rows(in_y, in_both);
    planes_ = {patch.bytes.data(), in_x, in_y, in_both};
}

void Samples::filter_rows(const std::uint8_t* from, std::uint8_t* to) const {
    for (std::uint32_t y = 0; y < height_; ++y, from += width_, to += width_)
        for (std::uint32_t x = 1; x + 2 < width_; ++x)
            to[x] = bilinear_ ? static_cast<std::uint8_t>(bilinear(from[x], from[x + 1]))
                              : half_sample(from[x - 1], from[x], from[x + 1], from[x + 2]);
}

void Samples::filter_columns(const std::uint8_t* from, std::uint8_t* to) const {
    const std::size_t w = width_;
    for (std::uint32_t y = 1; y + 2 < height_; ++y) {
        const std::uint8_t *const row = from + y * w, *const above = row - w;
        for (std::uint32_t x = 0; x < width_; ++x)
            to[y * w + x] = bilinear_ ? static_cast<std::uint8_t>(bilinear(row[x], row[x + w]))
                                      : half_sample(above[x], row[x], row[x + w], row[x + 2 * w]);
    }
}

void Samples::predict(std::int32_t x, std::int32_t y, unsigned width, unsigned height,
                      std::uint8_t* out) const {
    x -= 4 * patch_.x;
    y -= 4 * patch_.y;
    // A quarter sample is the mean of the two nearest half-grid points: on an axis its neighbours, on
    // a diagonal those two of the four around it that are half in exactly one direction.
    const std::int32_t left = x >> 1, top = y >> 1;
    const std::uint8_t *a = half(left, top), *b = a;
    if (x & 1 && y & 1) {
        const bool even = ((left ^ top) & 1) == 0;
        a = half(left + even, top);
        b = half(left + !even, top + 1);
    } else if (x & 1) {
        b = half(left + 1, top);
    } else if (y & 1) {
        b = half(left, top + 1);
    }
    for (unsigned row = 0; row < height; ++row, a += width_, b += width_, out += 16)
        for (unsigned i = 0; i < width; ++i)
            out[i] = static_cast<std::uint8_t>((a[i] + b[i]) >> 1);
}

void mix(const std::uint8_t* forward, const std::uint8_t* backward, unsigned weight, unsigned width,
         unsigned height, std::uint8_t* out) {
    for (unsigned y = 0; y < height; ++y, forward += 16, backward += 16, out += 16)
        for (unsigned x = 0; x < width; ++x)
            out[x] = static_cast<std::uint8_t>(((64 - weight) * forward[x] + weight * backward[x] +
                                                assumed::kBidirectionalRounding) >>
                                               6);
}

}  // namespace gen9::vme
