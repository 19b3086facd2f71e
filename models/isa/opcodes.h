// SPDX-License-Identifier: Apache-2.0
/// The instruction table: each opcode is declared once, here (STYLE: "an instruction is declared
/// once"); decoder, encoder, disassembler and the EU's binding read its row.
/// Spec     EU-215..EU-253 (codes and properties), EU-269..EU-284 (flow control), guide 3.4 (types)
#pragma once
#include <cstdint>
#include <span>

#include "isa/instruction.h"

namespace gen9::isa {

/// How an instruction's words are laid out and how many things it names.
enum class Format : std::uint8_t {
    NoOperands,  ///< illegal, nop
    OneSource,
    TwoSource,
    ThreeSource,      ///< Align16, general registers only
    Math,             ///< one or two sources by function, FC in place of the conditional modifier
    Jmpi,             ///< offset immediate or register, from the next instruction
    Branch1,          ///< JIP
    Branch2,          ///< JIP and UIP
    BranchRegister1,  ///< brd: JIP immediate or register
    BranchRegister2,  ///< brc: JIP and UIP, immediate or both in a register pair
    Call,             ///< return address to the destination; offset immediate or register
    Ret,              ///< return address from the source
    Wait,
    Send,
    Sends,  ///< two payload blocks
};

enum OpcodeFlag : std::uint16_t {
    kPredicate = 1 << 0,
    kCondModifier = 1 << 1,
    kSaturate = 1 << 2,
    kSourceModifier = 1 << 3,  ///< negate, absolute
    kLogicModifier = 1 << 4,   ///< negate means bitwise not (EU-124)
    kBranch = 1 << 5,
    kBranchCtrl = 1 << 6,  ///< bit 28 is BranchCtrl
    kAccWrite = 1 << 7,    ///< may write the accumulator implicitly
    kAccWriteRequired = 1 << 8,
    kAccRead = 1 << 9,       ///< reads the accumulator implicitly
    kCompactable = 1 << 10,  ///< has a 64-bit form (EU-303)
    kSpecialAcc = 1 << 11,   ///< operands carry a special accumulator (madm)
};

/// The unit an opcode goes to, before types are looked at.
enum class PipeHint : std::uint8_t { Fpu, Em, Branch, Send, None };
/// Coarse latency class; types decide the rest (64-bit, DWord multiply).
enum class LatencyHint : std::uint8_t {
    Simple,
    Multiply,
    Mad,
    Dot,
    Interpolate,
    Math,
    Branch,
    Send,
    Control
};

/// A set of types, one bit each.
using TypeSet = std::uint16_t;
constexpr TypeSet set_of(std::initializer_list<Type> types) {
    TypeSet set = 0;
    for (const Type type : types)
        set = static_cast<TypeSet>(set | 1u << static_cast<unsigned>(type));
    return set;
}
constexpr bool contains(TypeSet set, Type type) {
    return (set >> static_cast<unsigned>(type) & 1) != 0;
}
/// Destination types an opcode takes for source types of a set.
struct TypePair {
    TypeSet dst, src;
};

struct OpcodeInfo {
    Opcode opcode;
    std::uint8_t code;  ///< bits 6:0
    const char* mnemonic;
    Format format;
    std::uint8_t sources;  ///< the most it can have
    std::uint16_t flags;   ///< OpcodeFlag
    PipeHint pipe;
    LatencyHint latency;
    std::span<const TypePair> types;  ///< empty: not typed
    const char* source;               ///< ledger row

    constexpr bool has(OpcodeFlag flag) const { return (flags & flag) != 0; }
    constexpr bool allows(Type dst, Type src) const {
        for (const TypePair& pair : types) {
            if (contains(pair.dst, dst) && contains(pair.src, src)) return true;
        }
        return types.empty();
    }
};

/// The row of an opcode.
const OpcodeInfo& info(Opcode opcode);
/// The row of a hardware opcode (bits 7:0 of a native instruction), or null: illegal (EU-215).
const OpcodeInfo* find(std::uint8_t hardware_opcode);
/// All rows in the order of Opcode.
std::span<const OpcodeInfo> opcode_table();

/// math: how many sources the function has (EU-255); 0 for the reserved codes 0 and 8.
unsigned math_sources(unsigned function_code);
/// Name of a math function as in `math.inv`.
const char* math_name(MathFunction function);
/// INVM and RSQRTM name special accumulators (EU-264).
constexpr bool uses_special_acc(MathFunction function) {
    return function == MathFunction::Invm || function == MathFunction::Rsqtm;
}

}  // namespace gen9::isa
