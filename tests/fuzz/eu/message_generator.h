// SPDX-License-Identifier: Apache-2.0
/// Data port messages for random code: sends of every form that may be a call or be moved by the
/// code itself, what changes their offsets, and what the registers that they read begin with.
#pragma once
#include <cstdint>

#include "eu/thread/thread.h"
#include "isa/instruction.h"
#include "tests/fuzz/eu/port.h"
#include "tests/unit/isa/random_instructions.h"

namespace gen9::eu::test {

constexpr std::uint8_t byte(unsigned value) {
    return static_cast<std::uint8_t>(value);
}

class MessageGenerator {
  public:
    explicit MessageGenerator(isa::test::Generator& generate) : generate_(generate) {}

    PortSetup setup();
    isa::Instruction send();
    /// Writes registers that sends read offsets from.
    isa::Instruction change();
    /// A jump from `ip` back to `target`, always taken.
    static isa::Instruction jump_back(std::uint32_t ip, std::uint32_t target);
    /// Writes offsets near the ends of the buffers, and about them, into the registers of sends.
    void fill(Thread& thread);

  private:
    enum class Space : std::uint8_t { Buffer, Address, Counted, Local };
    unsigned below(unsigned limit) { return generate_.below(limit); }
    bool one_in(unsigned n) { return generate_.one_in(n); }
    std::uint32_t descriptor(Sfid& sfid);
    void fill_offsets(Thread& thread, unsigned reg, Space space);
    void fill_header(Thread& thread, unsigned reg);

    isa::test::Generator& generate_;
    PortSetup setup_{};
};

}  // namespace gen9::eu::test
