// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>

#include "isa/opcodes.h"
#include "isa/text/assemble.h"

namespace gen9::isa::test {

/// The ways the operands of an opcode can be given: each brings its own fields.
enum class Form : std::uint8_t {
    Plain,          ///< Align1, general registers, direct; three sources; calls of no operands
    Architecture,   ///< some operand is an architecture register
    Immediate,      ///< the last source, 16 or 32 bits, packed ones included
    Immediate64,    ///< the only source
    Indirect,       ///< some operand through one a0 index
    MultiIndirect,  ///< src0 through several: Vx1, VxH
    Align16,        ///< swizzles, channel enables; some operand indirect
    Scalar,         ///< three sources: one channel by ChanEn, replicated sources
    Swizzled,       ///< three sources: any swizzle and channel enables
    Half,           ///< three sources: F and HF mixed
    FromA0,         ///< the descriptor of a message from a0
    ExtendedA0,     ///< the extended descriptor of sends from a0
    Offset,         ///< branch offsets as numbers
    Register,       ///< branch offset from a register
};
const char* name(Form form);
/// The forms that exist for an opcode.
std::span<const Form> forms_of(const OpcodeInfo& row);

/// Draws legal instructions: types the opcode takes, regions that obey the region rules.
class Generator {
  public:
    explicit Generator(std::uint64_t seed) : random_(seed) {}

    unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
    bool one_in(unsigned n) { return below(n) == 0; }
    template <class T, std::size_t N>
    T pick(const T (&values)[N]) {
        return values[below(N)];
    }
    std::uint64_t bits() { return random_(); }

    /// An instruction of this opcode and form; branches are at `pc` of a kernel of native
    /// instructions that ends at `end`.
    Instruction make(const OpcodeInfo& row, Form form, std::uint32_t pc = 0,
                     std::uint32_t end = 16);
    /// One function of math.
    Instruction math(MathFunction function, Form form);

  private:
    Instruction two_source(const OpcodeInfo& row, Form form, const TypePair& pair,
                           unsigned sources);
    Instruction three_source(const OpcodeInfo& row, Form form);
    Instruction special(MathFunction function);
    Instruction wait();
    Instruction send(Opcode opcode, Form form);
    Instruction sends(Opcode opcode, Form form);
    Instruction branch(const OpcodeInfo& row, Form form, std::uint32_t pc, std::uint32_t end);

    void header(Instruction& inst, const OpcodeInfo& row, unsigned widest_bytes);
    void align16(Instruction& inst);
    Type type_in(TypeSet set, bool register_only = true);
    Operand destination(Type type, unsigned exec_size, unsigned execution_bytes);
    Operand source(Type type, unsigned exec_size);
    Operand three_source_operand(Type type);
    void make_indirect(Operand& operand);
    void make_architecture(Operand& operand);
    void modify(Operand& operand, const OpcodeInfo& row);
    Operand immediate(Type type);
    std::uint64_t immediate_bits(Type type);
    std::pair<unsigned, std::uint32_t> message();

    std::mt19937_64 random_;
};

/// Math functions as opcodes of their own.
std::span<const MathFunction> math_functions();

}  // namespace gen9::isa::test
