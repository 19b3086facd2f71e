// SPDX-License-Identifier: Apache-2.0
/// Expansion of 64-bit instructions (EU-301..EU-303, eu-isa guide 3.3).
#pragma once
#include <cstdint>
#include <optional>

#include "isa/format/fields.h"
#include "isa/opcodes.h"

namespace gen9::isa {

/// Bit 29 of any instruction: it is 8 bytes long.
constexpr bool is_compacted(std::uint64_t first_qword) {
    return field::CmptCtrl.get({first_qword, 0}) != 0;
}

/// The native form of a compact instruction, CmptCtrl cleared. `info` is the row of its opcode
/// (bits 6:0) and must have a compact form (kCompactable).
NativeWord expand(std::uint64_t compact, const OpcodeInfo& info);

/// The compact form an assembler gives a native instruction: the first row of each table that has
/// its bits. None when a table has no such row, or a bit has no place.
std::optional<std::uint64_t> compacted(const NativeWord& word, const OpcodeInfo& info);

}  // namespace gen9::isa
