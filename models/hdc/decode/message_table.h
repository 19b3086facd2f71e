// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "interconnect/payload/message.h"

namespace gen9::hdc {

/// The memory sees this of a message.
enum class Operation : std::uint8_t { Read, Write, Atomic, Fence };

/// The shape says how the descriptor's control bits are read and where addresses come from.
enum class Shape : std::uint8_t {
    ByteScattered,   ///< DC0, DC2: 32-bit offsets, 1, 2 or 4 bytes in a DWord lane
    DwordScattered,  ///< DC0, constant cache: 32-bit DWord indices
    A64Scattered,    ///< 64-bit addresses, several elements of 1, 4 or 8 bytes
    Untyped,         ///< 32- or 64-bit byte offsets, up to four channels
    OwordBlock,      ///< one block of 1 to 8 OWords, address in the header
    DualBlock,       ///< two blocks of 1 or 4 OWords, each in its half of the registers
    ScratchBlock,    ///< one block of 1 to 8 registers, address in header and descriptor
    AtomicInt,       ///< 32-bit addresses
    AtomicFloat,
    A64AtomicInt,
    A64AtomicFloat,
    A64Block,       ///< blocks of OWords or registers, one or two 64-bit addresses in the header
    Typed,          ///< elements of a surface, converted to and from its format
    TypedAtomic,    ///< DWords of a typed surface
    AtomicCounter,  ///< the append counter of a surface, no address at all
    MediaBlock,
    Transpose,
    SurfaceInfo,
    Fence,
};

/// Header policies (DP-007, DP-210).
enum class Header : std::uint8_t { Optional, Required, Forbidden };

/// A set of these says where a message may point (DP-040..045).
enum ModelBit : std::uint8_t { kSurface = 1, kA32 = 2, kA64 = 4, kSlm = 8 };

/// One message the data ports know: the key is (function id, bits 18:14 of the descriptor).
struct MessageRow {
    Sfid sfid;
    std::uint8_t type;  ///< bits 18:14; for scratch blocks only bits 18:17 count
    const char* name;
    Shape shape;
    Operation operation;
    Header header;
    std::uint8_t models;  ///< set of ModelBit
    const char* ledger;   ///< rows of the data port guide
    bool pair = false;    ///< SIMD4x2 by its code, not by the SIMD mode of the descriptor
};

std::span<const MessageRow> message_table();
/// Signals call messages by these words: "none", the names of the table, "undefined" for what has
/// no row.
std::span<const char* const> message_words();
std::size_t message_word(const MessageRow* row);
/// Finds the row of a descriptor; null stands for a code the port does not define.
const MessageRow* find_row(Sfid sfid, std::uint32_t descriptor);

}  // namespace gen9::hdc
