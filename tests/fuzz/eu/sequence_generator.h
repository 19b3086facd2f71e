// SPDX-License-Identifier: Apache-2.0
/// Random code for comparisons of ways to execute it: every opcode, type, region, mask, condition,
/// modifier and branch that an instruction can have.
#pragma once
#include <cstdint>
#include <vector>

#include "eu/thread/thread.h"
#include "isa/instruction.h"
#include "tests/fuzz/eu/message_generator.h"
#include "tests/unit/isa/random_instructions.h"

namespace gen9::eu::test {

class SequenceGenerator {
  public:
    /// `messages`: many instructions are sends of data port messages, or change their offsets.
    explicit SequenceGenerator(std::uint64_t seed, bool messages = false)
        : generate_(seed), messages_(messages) {}

    /// Code from `first_ip` on, of instructions in either length. Half of them take the operands
    /// that kernels are made of, packed and scalar ones of a few registers.
    std::vector<isa::Instruction> code(std::uint32_t first_ip);
    /// Everything that code can read: numbers where things happen, any modes and channels. Some
    /// wait in the code.
    void start(Thread& thread, std::uint32_t first_ip, std::uint32_t end_ip);
    /// What messages meet; asked before the others.
    PortSetup port_setup() { return port_.setup(); }

    unsigned below(unsigned limit) { return generate_.below(limit); }
    bool one_in(unsigned n) { return generate_.one_in(n); }

  private:
    isa::Instruction any_row();
    isa::Instruction usual();
    isa::Instruction branch(std::size_t place, const std::vector<std::uint32_t>& ips);
    isa::Instruction branch(std::size_t place, const std::vector<std::uint32_t>& ips,
                            const isa::OpcodeInfo& row);
    void end_loops(std::vector<isa::Instruction>& all, const std::vector<std::uint32_t>& ips);
    isa::Instruction message();
    isa::Instruction notification();
    isa::Instruction damaged();
    void settle_operands(isa::Instruction& in);
    void settle_source(isa::Operand& operand, const isa::Instruction& in);
    void narrow(isa::Operand& operand);
    std::uint64_t number();

    isa::test::Generator generate_;
    MessageGenerator port_{generate_};
    const bool messages_;
};

}  // namespace gen9::eu::test
