// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <string>
#include <systemc>
#include <utility>

#include "common/environment.h"
#include "common/params.h"
#include "common/signals.h"
#include "cs/command/alu.h"
#include "cs/interface.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::cs {

/// Addresses at the ALU's socket: an instruction is run by writing its DWord; the registers lie as
/// the host sees them (0x2600), by 32-bit halves.
inline constexpr std::uint64_t kAluInstruction = 0x000, kAluGpr = 0x600;

struct AluParams : ParamSet {
    using ParamSet::ParamSet;
    Param cycles{
        *this,
        {"cycles", "cycles", "time of one ALU instruction of MI_MATH", "cs-rs guide 3.3 (CS-43)"},
        1,
        0,
        1000};
};

/// An instruction's facts hold from the cycle in which it runs, a register's from its write.
struct AluSignals : SignalSet {
    explicit AluSignals(std::string path) : SignalSet(std::move(path)) {
        for (unsigned n = 0; n < Alu::Gprs{}.size(); ++n)
            gpr.emplace_back(*this, "gpr" + std::to_string(n), 64, SignalForm::Hex,
                             "General purpose register (CS_GPR).");
    }
    Signal opcode{*this, "opcode", alu_words(), "ALU instruction of MI_MATH."};
    Signal srca{*this, "srca", 64, SignalForm::Hex, "First input."};
    Signal srcb{*this, "srcb", 64, SignalForm::Hex, "Second input."};
    Signal accu{*this, "accu", 64, SignalForm::Hex, "Result."};
    Signal zf{*this, "zf", "Zero flag."};
    Signal cf{*this, "cf", "Carry flag."};
    std::deque<Signal> gpr;
};

/// AluModule: the command streamer's ALU with its 16 general purpose registers (module half; the
/// arithmetic is in command/alu.h).
/// Role     runs one instruction after the other, each for `cycles`; registers are read and written
///          in no time, for that is part of the command that does it
/// Sockets  op_in  target  base protocol, b_transport of 4 bytes  see kAluInstruction; an
///                 instruction that does not exist is answered with a command error
/// Spec     CS-23..CS-43; 003:1321-1527
class AluModule : public sc_core::sc_module, public AluBlock {
  public:
    AluParams params;
    TargetSocket<MemoryProtocol> op_in{"op_in"};
    AluSignals signals;

    AluModule(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~AluModule() override;
    AluSockets sockets() override { return {op_in}; }

  private:
    using Payload = tlm::tlm_generic_payload;
    void access(Payload& payload, sc_core::sc_time& delay);
    void execute(Payload& payload, std::uint32_t instruction, Cycles at);

    const Clock& clock_;
    AluCore core_;
};

/// The streamer's end of the socket.
class AluClient : public AluUnit {
  public:
    /// `ahead`: how far the caller's time is ahead of the kernel's; instructions add theirs.
    AluClient(InitiatorSocket<MemoryProtocol>& out, sc_core::sc_time& ahead)
        : out_(&out), ahead_(&ahead) {
        payload_.set_extension(&attributes_);
    }
    ~AluClient() override { payload_.clear_extension(&attributes_); }
    AluClient(const AluClient&) = delete;
    AluClient& operator=(const AluClient&) = delete;

    bool execute(std::uint32_t instruction) override;
    std::uint32_t read(unsigned half) const override;
    void write(unsigned half, std::uint32_t value) override;
    /// Gives the transactions that follow this id.
    void identify(TraceId id) { attributes_.trace_id = id; }
    /// The time of the instructions since it was asked for last.
    sc_core::sc_time take_spent() { return std::exchange(spent_, sc_core::SC_ZERO_TIME); }

  private:
    bool transport(tlm::tlm_command command, std::uint64_t address, std::uint32_t& value,
                   sc_core::sc_time& delay) const;
    InitiatorSocket<MemoryProtocol>* out_;
    mutable tlm::tlm_generic_payload payload_;
    MemoryAttributes attributes_;
    /// May what was read be kept? What is not ours, or is observed, is asked each time.
    bool keeps() const {
        if (!foreign_) foreign_ = out_->foreign();
        // With an observer calls go to it and not to the target.
        auto& socket = static_cast<AnyInitiator<MemoryProtocol>&>(*out_);
        return !*foreign_ && out_->operator->() == socket.operator->();
    }
    sc_core::sc_time* ahead_;
    sc_core::sc_time spent_;
    /// Halves that have been read since they may have changed.
    mutable std::uint32_t known_ = 0;
    mutable std::optional<bool> foreign_;  ///< found out when it is asked for first
    mutable std::array<std::uint32_t, kHalves> value_{};
};

}  // namespace gen9::cs
