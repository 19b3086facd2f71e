// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace gen9::formats {

/// The sRGB curve of codes of 4, 5, 6, 8 or 10 bits, whole and exact (SMP-53): a code is read as the
/// float next to its value; a number is written as the code next to it on the curve.
class SrgbCurve {
  public:
    static const SrgbCurve& of(unsigned width);

    /// Float bits, by code.
    const std::uint32_t* linear() const { return linear_.data(); }

    /// Codes by a number's leading bits. In a step of the table at most one code begins.
    struct Step {
        std::uint32_t code;  ///< at the step's first number
        std::uint32_t next;  ///< the first number of the following code
    };
    const Step* steps() const { return steps_.data(); }
    std::uint32_t lowest() const { return lowest_; }  ///< the first step's first number
    unsigned shift() const { return shift_; }         ///< of a number, to its step

  private:
    explicit SrgbCurve(unsigned width);
    std::vector<std::uint32_t> linear_;
    std::vector<Step> steps_;
    std::uint32_t lowest_ = 0;
    unsigned shift_ = 0;
};

}  // namespace gen9::formats
