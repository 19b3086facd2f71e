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
    /// The registers and flags that the instructions work on beside the GPRs.
    struct State {
        std::uint64_t source_a = 0, source_b = 0, accumulator = 0;
        bool zero = false, carry = false;
    };
    const State& state() const { return state_; }
    /// Executes one instruction. False: the seed does not define it (CS-40); nothing was changed.
    bool execute(std::uint32_t instruction, Gprs& gprs);

  private:
    bool load(std::uint32_t instruction, const Gprs& gprs);
    bool compute(std::uint32_t instruction);
    bool store(std::uint32_t instruction, Gprs& gprs) const;
    State state_;
};

/// The ALU with its 16 registers as the streamer reaches it: the model, or what stands in its
/// place. An instruction may take time.
class AluUnit {
  public:
    static constexpr unsigned kHalves = 32;
    virtual ~AluUnit() = default;
    /// Executes one instruction. False: the seed does not define it (CS-40); nothing was changed.
    virtual bool execute(std::uint32_t instruction) = 0;
    /// Reads half of a register: 2n is the lower half of R<n>, 2n + 1 the upper.
    virtual std::uint32_t read(unsigned half) const = 0;
    virtual void write(unsigned half, std::uint32_t value) = 0;
};

/// The model of it.
class AluCore : public AluUnit {
  public:
    bool execute(std::uint32_t instruction) override { return alu_.execute(instruction, gprs_); }
    std::uint32_t read(unsigned half) const override {
        return static_cast<std::uint32_t>(gprs_[half / 2] >> 32 * (half % 2));
    }
    void write(unsigned half, std::uint32_t value) override {
        const unsigned shift = 32 * (half % 2);
        std::uint64_t& gpr = gprs_[half / 2];
        gpr = (gpr & ~(std::uint64_t{0xFFFFFFFF} << shift)) | std::uint64_t{value} << shift;
    }
    const Alu::State& state() const { return alu_.state(); }
    const Alu::Gprs& gprs() const { return gprs_; }

  private:
    Alu alu_;
    Alu::Gprs gprs_{};
};

/// Mnemonics; the last stands for what is no instruction.
std::span<const char* const> alu_words();
/// Place of an instruction's mnemonic among them.
std::size_t alu_word(std::uint32_t instruction);

/// "STORE R2 ACCU": for reports.
std::string alu_text(std::uint32_t instruction);

}  // namespace gen9::cs
