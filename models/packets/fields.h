// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "common/bits.h"

namespace gen9::packets {

enum class Kind : std::uint8_t { Uint, Int, Bool, Enum, Address, Offset, Float, Mbz };

/// One row of a command's or structure's table: the PRM's name and place of a field.
/// A field of more than 32 bits starts in `dword` and goes on in the next (addresses).
struct Field {
    const char* name;
    std::uint8_t dword;
    std::uint8_t high, low;  ///< bits, counted from bit 0 of `dword`; high may be up to 63
    Kind kind;
    const char* source;

    /// The field's raw bits; 0 when the structure ends before it (shorter forms of a command).
    constexpr std::uint64_t raw(std::span<const std::uint32_t> dwords) const {
        if (dword >= dwords.size()) return 0;
        std::uint64_t value = dwords[dword];
        if (high > 31 && dword + 1u < dwords.size())
            value |= std::uint64_t{dwords[dword + 1]} << 32;
        return bits<std::uint64_t>(value, high, low);
    }
    /// The value: offsets and addresses keep their low zero bits, integers are sign-extended.
    constexpr std::uint64_t get(std::span<const std::uint32_t> dwords) const {
        const std::uint64_t value = raw(dwords);
        if (kind == Kind::Address || kind == Kind::Offset) return value << low;
        if (kind == Kind::Int)
            return static_cast<std::uint64_t>(sign_extend(value, high - low + 1u));
        return value;
    }
    constexpr void set(std::span<std::uint32_t> dwords, std::uint64_t value) const {
        if (kind == Kind::Address || kind == Kind::Offset) value >>= low;
        std::uint64_t word = dwords[dword];
        if (high > 31) word |= std::uint64_t{dwords[dword + 1u]} << 32;
        word = with_bits<std::uint64_t>(word, high, low, value);
        dwords[dword] = static_cast<std::uint32_t>(word);
        if (high > 31) dwords[dword + 1u] = static_cast<std::uint32_t>(word >> 32);
    }
};

/// Fields of the same kind one after the other: its first row, how many there are, and the bits from
/// one to the next.
struct FieldArray {
    Field first;
    std::uint8_t count;
    std::uint16_t stride;

    constexpr Field at(unsigned i) const {
        const unsigned bit = first.low + i * stride;
        Field field = first;
        field.dword = static_cast<std::uint8_t>(first.dword + bit / 32);
        field.low = static_cast<std::uint8_t>(bit % 32);
        field.high = static_cast<std::uint8_t>(field.low + first.high - first.low);
        return field;
    }
};

/// A command or a state structure: its rows, in order of position.
struct Structure {
    const char* name;
    std::uint16_t dwords;  ///< of the usual form; commands may be longer or shorter
    std::span<const Field* const> fields;
};

}  // namespace gen9::packets
