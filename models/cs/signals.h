// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <span>
#include <string>

#include "common/signals.h"
#include "cs/command/alu.h"

namespace gen9::cs {

/// What the streamer is doing; the value of the signal `activity`.
enum class Activity : std::uint32_t { Idle, Busy, Memory, Control, Accept, Drain, Poll, Stopped };
inline constexpr const char* kActivityWords[] = {"idle",   "busy",  "memory", "control",
                                                 "accept", "drain", "poll",   "stopped"};
inline constexpr const char* kLevelWords[] = {"ring", "first", "second"};

/// Names of all commands, in the order of their table.
std::span<const char* const> command_words();

/// A command's facts hold from the cycle in which its parsing begins; an ALU instruction's from the
/// cycle in which it runs; registers from the end of the command that wrote them.
struct CsSignals : SignalSet {
    explicit CsSignals(std::string path) : SignalSet(std::move(path)) {
        for (unsigned n = 0; n < Alu::Gprs{}.size(); ++n)
            gpr.emplace_back(*this, "gpr" + std::to_string(n), 64, SignalForm::Hex,
                             "General purpose register (CS_GPR).");
    }
    Signal activity{*this, "activity", kActivityWords, "What the streamer is doing."};
    Signal outstanding{*this, "outstanding", 8, SignalForm::Decimal,
                       "Pipeline commands whose work has not ended."};
    Signal ring_head{*this, "ring_head", 21, SignalForm::Hex,
                     "Offset in the ring of the command, or of what follows its batch."};
    Signal batch_address{*this, "batch_address", 48, SignalForm::Hex,
                         "Address of the command, when it is in a batch."};
    Signal level{*this, "level", kLevelWords, "Where the command stands: ring or batch level."};
    Signal command{*this, "command", command_words(), "Name of the command."};
    Signal header{*this, "header", 32, SignalForm::Hex, "First DWord of the command."};
    Signal command_id{*this, "command_id", 48, SignalForm::Hex, "Its transaction id."};
    Signal predicate{*this, "predicate", "MI_PREDICATE_RESULT."};
    Signal alu_opcode{*this, "alu_opcode", alu_words(), "ALU instruction of MI_MATH."};
    Signal alu_srca{*this, "alu_srca", 64, SignalForm::Hex, "First input of the ALU."};
    Signal alu_srcb{*this, "alu_srcb", 64, SignalForm::Hex, "Second input of the ALU."};
    Signal alu_accu{*this, "alu_accu", 64, SignalForm::Hex, "Result of the ALU."};
    Signal alu_zf{*this, "alu_zf", "Zero flag of the ALU."};
    Signal alu_cf{*this, "alu_cf", "Carry flag of the ALU."};
    std::deque<Signal> gpr;
};

}  // namespace gen9::cs
