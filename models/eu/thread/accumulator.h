// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/bits.h"
#include "eu/thread/thread.h"
#include "isa/instruction.h"

namespace gen9::eu {

/// acc0 and acc1 as one row of channels (EU-077, 003:19692-19701). What the PRM calls 33-bit and
/// 64-bit channels of the integer types is kept as 64 bits; reading with another type than was
/// written gives indeterminate data there (EU-081), here the raw bytes.
struct AccumulatorShape {
    std::uint8_t cell_bytes;
    std::uint8_t cells;  ///< per register
    bool uses_acc1;      ///< channels beyond the first register's go to acc1

    static constexpr AccumulatorShape of(isa::Type type) {
        switch (type) {
            case isa::Type::F:
            case isa::Type::VF:
                return {4, 8, true};
            case isa::Type::HF:
                return {2, 16, true};
            case isa::Type::DF:
                return {8, 4, true};
            default:
                return {8, 16, false};
        }
    }
};

/// First cell of an implicit operand: quarters 2 and 4 of F, half 2 of HF mean acc1; types without
/// acc1 always start at acc0 (EU-079).
constexpr unsigned implicit_cell(isa::Type type, unsigned channel_offset) {
    const AccumulatorShape shape = AccumulatorShape::of(type);
    return type == isa::Type::F || type == isa::Type::HF ? channel_offset & shape.cells : 0;
}

/// First cell of an explicit operand.
constexpr unsigned explicit_cell(const isa::Operand& operand) {
    const AccumulatorShape shape = AccumulatorShape::of(operand.type);
    return (operand.reg & 1u) * shape.cells + operand.subreg / isa::size_bytes(operand.type);
}

inline std::uint64_t read_accumulator(const Thread& thread, isa::Type type, unsigned cell) {
    const AccumulatorShape shape = AccumulatorShape::of(type);
    const std::uint8_t* bytes =
        &thread.acc[cell / shape.cells & 1][cell % shape.cells * shape.cell_bytes];
    switch (shape.cell_bytes) {
        case 2:
            return load<std::uint16_t>(bytes);
        case 4:
            return load<std::uint32_t>(bytes);
        default:
            return load<std::uint64_t>(bytes);
    }
}

inline void write_accumulator(Thread& thread, isa::Type type, unsigned cell, std::uint64_t value) {
    const AccumulatorShape shape = AccumulatorShape::of(type);
    std::uint8_t* bytes =
        &thread.acc[cell / shape.cells & 1][cell % shape.cells * shape.cell_bytes];
    switch (shape.cell_bytes) {
        case 2:
            return store(bytes, static_cast<std::uint16_t>(value));
        case 4:
            return store(bytes, static_cast<std::uint32_t>(value));
        default:
            return store(bytes, value);
    }
}

}  // namespace gen9::eu
