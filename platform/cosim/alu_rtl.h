// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <systemc>

#include "common/environment.h"
#include "common/signals.h"
#include "cs/interface.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/sockets.h"

class Vgen9_cs_alu;
class VerilatedContext;

namespace gen9::platform {

struct AluRtlSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal instruction_valid{*this, "instruction_valid", "An instruction is taken."};
    Signal instruction{*this, "instruction", 32, SignalForm::Hex, "The instruction."};
    Signal source_a{*this, "source_a", 64, SignalForm::Hex, "First input."};
    Signal source_b{*this, "source_b", 64, SignalForm::Hex, "Second input."};
    Signal accumulator{*this, "accumulator", 64, SignalForm::Hex, "Result."};
    Signal zero_flag{*this, "zero_flag", "Zero flag."};
    Signal carry_flag{*this, "carry_flag", "Carry flag."};
};

/// AluRtl: the command streamer's ALU and registers as RTL (rtl/gen9_cs_alu.sv), between a TLM
/// socket and its pins.
/// Role     offers an instruction to the pins and gives edges until `done_valid`; their number is
///          the time the call takes. A register is written by one edge, and read by none
/// Sockets  op_in  target  base protocol, b_transport of 4 bytes  as cs::AluModule
class AluRtl : public sc_core::sc_module, public cs::AluBlock {
  public:
    TargetSocket<MemoryProtocol> op_in{"op_in"};
    AluRtlSignals signals;

    AluRtl(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~AluRtl() override;
    cs::AluSockets sockets() override { return {op_in}; }
    /// The pins as they stand, for the report of an RTL that does not answer.
    std::string pins_text() const;

  private:
    using Payload = tlm::tlm_generic_payload;
    void access(Payload& payload, sc_core::sc_time& delay);
    void execute(Payload& payload, std::uint32_t instruction, sc_core::sc_time& delay);
    void edge();
    void show(Cycles at);

    Environment& env_;
    const Clock& clock_;
    std::unique_ptr<VerilatedContext> context_;
    std::unique_ptr<Vgen9_cs_alu> pins_;
};

}  // namespace gen9::platform
