// SPDX-License-Identifier: Apache-2.0
/// What the colour calculator knows of a draw's state, as values.
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace gen9::pixel {

/// Codes of BLEND_STATE (CC-22); 00, 0B to 10 and 16 are reserved.
enum class Factor : std::uint8_t {
    One = 0x01,
    SourceColor = 0x02,
    SourceAlpha = 0x03,
    DestinationAlpha = 0x04,
    DestinationColor = 0x05,
    SourceAlphaSaturate = 0x06,
    ConstantColor = 0x07,
    ConstantAlpha = 0x08,
    Source1Color = 0x09,
    Source1Alpha = 0x0A,
    Zero = 0x11,
    InverseSourceColor = 0x12,
    InverseSourceAlpha = 0x13,
    InverseDestinationAlpha = 0x14,
    InverseDestinationColor = 0x15,
    InverseConstantColor = 0x17,
    InverseConstantAlpha = 0x18,
    InverseSource1Color = 0x19,
    InverseSource1Alpha = 0x1A,
};

/// Codes of BLEND_STATE (CC-23); 5 to 7 are reserved.
enum class Function : std::uint8_t { Add, Subtract, ReverseSubtract, Min, Max };

/// Codes of all comparisons: a value with a reference, or with what is stored (DZ-36).
enum class Compare : std::uint8_t {
    Always,
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual
};

/// The codes' bits: the results for source and destination 1 1, 1 0, 0 1, 0 0 from bit 3 on (CC-26).
enum class LogicOp : std::uint8_t {
    Clear,
    Nor,
    AndInverted,
    CopyInverted,
    AndReverse,
    Invert,
    Xor,
    Nand,
    And,
    Equivalent,
    Noop,
    OrInverted,
    Copy,
    OrReverse,
    Or,
    Set
};

/// Codes of the clamps (CC-12).
enum class ClampRange : std::uint8_t { Unorm, Snorm, Target };

struct BlendTerms {
    Factor source = Factor::One, destination = Factor::Zero;
    Function function = Function::Add;
    bool operator==(const BlendTerms&) const = default;
};

/// BLEND_STATE_ENTRY: one target.
struct TargetState {
    bool blend = false;
    BlendTerms color, alpha;  ///< `alpha` only with independent alpha
    bool logic = false;
    LogicOp logic_op = LogicOp::Copy;
    ClampRange range = ClampRange::Target;
    bool clamp_before = false, clamp_source_only = false, clamp_after = false;
    std::uint8_t writes = 0xF;  ///< channels, bit 0 = R
};

inline constexpr unsigned kTargets = 8;

/// BLEND_STATE with its entries, and COLOR_CALC_STATE.
struct ColorState {
    bool alpha_to_coverage = false;
    bool alpha_to_one = false;
    bool independent_alpha = false;
    bool alpha_test = false;
    Compare alpha_function = Compare::Always;
    bool alpha_unorm8 = false;
    std::uint32_t alpha_reference = 0;  ///< a byte, or float bits
    bool dither = false;
    std::uint8_t dither_x = 0, dither_y = 0;
    std::array<float, 4> constant{};
    std::array<TargetState, kTargets> target{};
};

/// `blend`: the DWords of BLEND_STATE, the header and two for each entry; entries that are missing
/// have their bits 0. `color_calc`: those of COLOR_CALC_STATE. Reserved factors read as ZERO,
/// reserved functions as ADD (Assumed).
ColorState read_color_state(std::span<const std::uint32_t> blend,
                            std::span<const std::uint32_t> color_calc);

/// Is `left` in that relation to `right`? A NaN is only NotEqual.
template <typename T>
constexpr bool compare(Compare function, T left, T right) {
    switch (function) {
        case Compare::Always:
            return true;
        case Compare::Never:
            return false;
        case Compare::Less:
            return left < right;
        case Compare::Equal:
            return left == right;
        case Compare::LessEqual:
            return left <= right;
        case Compare::Greater:
            return left > right;
        case Compare::NotEqual:
            return left != right;
        case Compare::GreaterEqual:
            return left >= right;
    }
    return true;
}

}  // namespace gen9::pixel
