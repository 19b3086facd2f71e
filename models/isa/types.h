// SPDX-License-Identifier: Apache-2.0
/// Encodings shared by decoder and encoder: types (EU-113..EU-115), sizes and strides
/// (EU-027..EU-029, EU-158).
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

#include "isa/instruction.h"

namespace gen9::isa {

/// Register operand types by code 0..10.
inline constexpr std::array kRegisterTypes{Type::UD, Type::D, Type::UW, Type::W, Type::UB, Type::B,
                                           Type::DF, Type::F, Type::UQ, Type::Q, Type::HF};
/// Immediate types by code 0..11.
inline constexpr std::array kImmediateTypes{Type::UD, Type::D,  Type::UW, Type::W,
                                            Type::UV, Type::VF, Type::V,  Type::F,
                                            Type::UQ, Type::Q,  Type::DF, Type::HF};
/// Three-source types by code 0..4.
inline constexpr std::array kThreeSourceTypes{Type::F, Type::D, Type::UD, Type::DF, Type::HF};

constexpr std::optional<Type> type_of(std::span<const Type> codes, std::uint64_t code) {
    if (code >= codes.size()) return std::nullopt;
    return codes[code];
}
constexpr std::optional<std::uint8_t> code_of(std::span<const Type> codes, Type type) {
    for (std::size_t code = 0; code < codes.size(); ++code) {
        if (codes[code] == type) return static_cast<std::uint8_t>(code);
    }
    return std::nullopt;
}

constexpr unsigned kMultiIndirectStride = 0xF;  ///< VertStride code of Vx1 and VxH

/// Elements of a HorzStride or VertStride code: 0, 1, 2, 4, ...
constexpr std::uint8_t stride_of(std::uint64_t code) {
    return static_cast<std::uint8_t>(code == 0 ? 0 : 1u << (code - 1));
}
constexpr std::uint8_t stride_code(unsigned elements) {
    return static_cast<std::uint8_t>(elements == 0 ? 0 : std::countr_zero(elements) + 1);
}
/// Width and ExecSize codes are logarithms.
constexpr std::uint8_t log_of(unsigned elements) {
    return static_cast<std::uint8_t>(std::countr_zero(elements));
}

/// Sub-register of an operand, in the unit its field counts.
inline constexpr unsigned kAlign16SubRegBytes = 16;
inline constexpr unsigned kThreeSourceDstSubRegBytes = 4;
inline constexpr unsigned kThreeSourceSrcSubRegBytes = 2;

/// Extended descriptor: EOT bit and place of the second payload's length (EU-185).
inline constexpr std::uint32_t kExtendedEot = 1u << 5;
inline constexpr unsigned kExtendedLengthShift = 6;

}  // namespace gen9::isa
