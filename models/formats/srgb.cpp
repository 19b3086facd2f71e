// SPDX-License-Identifier: Apache-2.0
#include "formats/srgb.h"

#include <bit>
#include <cmath>

#include "common/check.h"

namespace gen9::formats {

namespace {

constexpr std::uint32_t kOne = 0x3F800000;

double linear_of(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}
/// The first float that is not below a number.
std::uint32_t first_at(double number) {
    const auto near = static_cast<float>(number);
    return std::bit_cast<std::uint32_t>(near) + (static_cast<double>(near) < number);
}

}  // namespace

const SrgbCurve& SrgbCurve::of(unsigned width) {
    static const SrgbCurve four(4), five(5), six(6), eight(8);
    switch (width) {
        case 4:
            return four;
        case 5:
            return five;
        case 6:
            return six;
        case 8:
            return eight;
    }
    GEN9_CHECK(width == 10, "the sRGB curve has codes of 4, 5, 6, 8 or 10 bits");
    static const SrgbCurve ten(10);
    return ten;
}

SrgbCurve::SrgbCurve(unsigned width) {
    const double top = (1u << width) - 1;
    for (unsigned code = 0; code <= top; ++code)
        linear_.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(linear_of(code / top))));
    // A code begins half a step below its value. No float lies exactly there.
    std::vector<std::uint32_t> begin{0};
    for (unsigned code = 1; code <= top; ++code)
        begin.push_back(first_at(linear_of((code - 0.5) / top)));
    begin.push_back(~0u);
    lowest_ = begin[1] & 0x7F800000;
    // The steps are short enough once two codes never begin in one.
    for (shift_ = 22;; --shift_) {
        bool apart = true;
        for (unsigned code = 2; code <= top; ++code)
            apart &= (begin[code] - lowest_) >> shift_ != (begin[code - 1] - lowest_) >> shift_;
        if (apart) break;
    }
    for (std::uint32_t number = lowest_, code = 0; number <= kOne; number += 1u << shift_) {
        while (number >= begin[code + 1])
            ++code;
        steps_.push_back({code, begin[code + 1]});
    }
}

}  // namespace gen9::formats
