// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <random>
#include <utility>

#include "isa/assemble.h"
#include "isa/opcodes.h"

namespace gen9::isa::test {

/// Draws instructions the assembler has a syntax for.
class Generator {
  public:
    explicit Generator(unsigned seed) : random_(seed) {}

    unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
    bool one_in(unsigned n) { return below(n) == 0; }
    template <class T, std::size_t N>
    T pick(const T (&values)[N]) {
        return values[below(N)];
    }
    std::uint64_t bits() { return random_(); }

    Instruction basic(const OpcodeInfo& row);
    Instruction math();
    Instruction three_source(const OpcodeInfo& row);
    Instruction special();
    Instruction send();
    Instruction sends();
    Instruction branch(std::uint32_t pc, std::uint32_t end);

  private:
    std::pair<unsigned, std::uint32_t> message();
    void header(Instruction& inst, const OpcodeInfo& row);
    Type type_in(TypeSet set, bool register_only = true);
    Operand destination(Type type);
    Operand general_destination(Type type);
    Operand source(Type type, bool indirect_allowed, bool multi_allowed);
    Operand general(Type type);
    void immediate(Operand& operand, bool wide_allowed);
    void modifiers(Operand& operand, const OpcodeInfo& row);

    std::mt19937_64 random_;
};

}  // namespace gen9::isa::test
