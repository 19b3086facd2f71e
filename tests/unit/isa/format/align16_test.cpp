// SPDX-License-Identifier: Apache-2.0
// What the assembler has no text for (against_assembler.cpp): swizzles and channel enables, held
// against a second reading of the bits (eu-isa guide 3.2, tables A and B; EU-055, EU-056).
#include <gtest/gtest.h>

#include "isa/format/decode.h"
#include "isa/format/encode.h"
#include "isa/text/disassemble.h"
#include "isa/types.h"
#include "tests/support/covers.h"
#include "tests/unit/isa/random_instructions.h"

namespace gen9::isa::test {
namespace {

std::uint64_t field(const std::array<std::uint8_t, 16>& bytes, unsigned high, unsigned low) {
    std::uint64_t value = 0;
    for (unsigned bit = high + 1; bit-- > low;)
        value = value << 1 | (bytes[bit / 8] >> bit % 8 & 1);
    return value;
}
std::string letters(std::uint64_t selects) {
    std::string text = ".";
    for (unsigned i = 0; i < 4; ++i)
        text += "xyzw"[selects >> 2 * i & 3];
    return text;
}
std::string enabled(std::uint64_t mask) {
    if (mask == 0xF) return "";
    std::string text = ".";
    for (unsigned i = 0; i < 4; ++i)
        if ((mask >> i & 1) != 0) text += "xyzw"[i];
    return text;
}
std::string signed_number(std::uint64_t value, unsigned width) {
    const auto number = static_cast<std::int64_t>(value << (64 - width)) >> (64 - width);
    return number == 0 ? "" : "," + std::to_string(number);
}
std::string type(std::uint64_t code) {
    constexpr const char* names[] = {"ud", "d", "uw", "w", "ub", "b", "df", "f", "uq", "q", "hf"};
    return std::string(":") + names[code];
}
unsigned bytes_of(std::uint64_t code) {
    constexpr unsigned sizes[] = {4, 4, 2, 2, 1, 1, 8, 4, 8, 8, 2};
    return sizes[code];
}

/// The destination of a one- or two-source instruction in Align16.
std::string destination(const std::array<std::uint8_t, 16>& b) {
    const std::string tail = "<1>" + enabled(field(b, 51, 48)) + type(field(b, 40, 37));
    if (field(b, 63, 63) != 0) {
        const std::uint64_t offset = field(b, 47, 47) << 9 | field(b, 56, 52) << 4;
        return "r[a0." + std::to_string(field(b, 60, 57)) + signed_number(offset, 10) + "]" + tail;
    }
    if (field(b, 36, 35) == 0) return "null" + tail;
    return "r" + std::to_string(field(b, 60, 53)) + "." +
           std::to_string(16 * field(b, 52, 52) / bytes_of(field(b, 40, 37))) + tail;
}
/// Its first source.
std::string first_source(const std::array<std::uint8_t, 16>& b) {
    const std::uint64_t stride = field(b, 88, 85);
    const std::string tail = "<" + std::to_string(stride == 0 ? 0 : 1 << (stride - 1)) + ">" +
                             letters(field(b, 83, 80) << 4 | field(b, 67, 64)) +
                             type(field(b, 46, 43));
    if (field(b, 79, 79) != 0) {
        const std::uint64_t offset = field(b, 95, 95) << 9 | field(b, 72, 68) << 4;
        return "r[a0." + std::to_string(field(b, 76, 73)) + signed_number(offset, 10) + "]" + tail;
    }
    return "r" + std::to_string(field(b, 76, 69)) + "." +
           std::to_string(16 * field(b, 68, 68) / bytes_of(field(b, 46, 43))) + tail;
}

TEST(Align16, OneAndTwoSourceOperandsSaySwizzlesAndEnables) {
    GEN9_COVERS("EU-054 EU-055 EU-056 EU-060");
    Generator generate(11);
    unsigned swizzled = 0;
    for (unsigned round = 0; round < 200; ++round) {
        for (const OpcodeInfo& row : opcode_table()) {
            const bool plain = row.format == Format::OneSource || row.format == Format::TwoSource;
            if (!plain || row.opcode == Opcode::Movi) continue;
            const Instruction inst = generate.make(row, Form::Align16);
            const auto bytes = encode(inst);
            const std::string text = disassemble(decode(bytes).instruction);
            EXPECT_NE(text.find(destination(bytes)), std::string::npos)
                << text << " has no " << destination(bytes);
            EXPECT_NE(text.find(first_source(bytes)), std::string::npos)
                << text << " has no " << first_source(bytes);
            swizzled += inst.src[0].swizzle != Operand{}.swizzle ? 1 : 0;
        }
    }
    EXPECT_GT(swizzled, 3000U);
}

TEST(Align16, ThreeSourceOperandsSaySwizzlesAndEnables) {
    GEN9_COVERS("EU-055 EU-056");
    Generator generate(12);
    unsigned swizzled = 0;
    for (unsigned round = 0; round < 2000; ++round) {
        const Instruction inst = generate.make(info(Opcode::Mad), Form::Swizzled);
        const auto b = encode(inst);
        const std::uint64_t size = field(b, 45, 43);
        if (size == 3) continue;  // pairs have a text of their own
        const std::string text = disassemble(decode(b).instruction);
        const bool scalar = field(b, 23, 21) == 2 && std::has_single_bit(field(b, 52, 49));
        if (!scalar && field(b, 48, 46) != 3) {
            EXPECT_NE(text.find("<1>" + enabled(field(b, 52, 49)) + ":"), std::string::npos)
                << text;
        }
        // Source i: RepCtrl, then the selects.
        constexpr unsigned replicate[] = {64, 85, 106}, select[] = {65, 86, 107};
        std::size_t from = text.find("<1>") + 3;
        for (unsigned i = 0; i < 3; ++i) {
            const std::string region = i == 2 ? "<1>" : "<2;1>";
            const std::string selects = letters(field(b, select[i] + 7, select[i]));
            if (field(b, replicate[i], replicate[i]) != 0 || selects == ".xyzw") continue;
            const auto at = text.find(region + selects + ":", from);
            EXPECT_NE(at, std::string::npos) << text << " has no " << region + selects;
            if (at != std::string::npos) from = at;
            ++swizzled;
        }
    }
    EXPECT_GT(swizzled, 900U);
}

}  // namespace
}  // namespace gen9::isa::test
