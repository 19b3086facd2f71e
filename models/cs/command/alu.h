// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace gen9::cs {

/// The streamer's 64-bit ALU, which MI_MATH drives (003:1321-1527). Its inputs and outputs persist
/// between MI_MATH commands; they are not part of the context image (CS-41).
class Alu {
  public:
    using Gprs = std::array<std::uint64_t, 16>;
    /// What the instructions work on beside the GPRs.
    struct State {
        std::uint64_t source_a = 0, source_b = 0, accumulator = 0;
        bool zero = false, carry = false;
    };
    const State& state() const { return state_; }
    /// One instruction. False: not one the seed defines (CS-40); nothing was changed.
    bool execute(std::uint32_t instruction, Gprs& gprs);

  private:
    bool load(std::uint32_t instruction, const Gprs& gprs);
    bool compute(std::uint32_t instruction);
    bool store(std::uint32_t instruction, Gprs& gprs) const;
    State state_;
};

/// Mnemonics; the last stands for what is no instruction.
std::span<const char* const> alu_words();
/// Place of an instruction's mnemonic among them.
std::size_t alu_word(std::uint32_t instruction);

/// "STORE R2 ACCU": for reports.
std::string alu_text(std::uint32_t instruction);

}  // namespace gen9::cs
