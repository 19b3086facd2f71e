// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "common/signals.h"
#include "eu/stats.h"

namespace gen9::eu {

/// Waveform of one EU.
struct EuSignals : SignalSet {
    explicit EuSignals(std::string path) : SignalSet(std::move(path)) {
        use.start_with(CycleUse::NoThread);
    }
    Signal use{*this, "use", kCycleUseWords, "What the cycle is used for."};
    Signal issued{*this, "issued", 3, SignalForm::Decimal, "Instructions issued in the cycle."};
    Signal fpu0{*this, "fpu0", "An FPU without extended math is occupied."};
    Signal fpu1{*this, "fpu1", "An FPU with extended math (EM) is occupied."};
    Signal branch{*this, "branch", "A branch unit is occupied."};
    Signal send{*this, "send", "A send unit is occupied."};
    Signal held_back{*this, "held_back", 8, SignalForm::Decimal,
                     "Messages issued that wait for a credit of their port."};
    Signal loaded{*this, "loaded", 8, SignalForm::Hex, "Bit n: thread slot n holds a thread."};
};

/// Words of the signals: "none", then each opcode's mnemonic; each register of the scoreboard, then
/// "none".
std::span<const char* const> opcode_words();
std::span<const char* const> register_words();

/// Waveform of one hardware thread. The group's numbers stay 0 while the slot is empty.
struct ThreadSignals : SignalSet {
    ThreadSignals(std::string path, EuSignals& eu);
    Signal state{*this, "state", kCycleUseWords,
                 "Busy: it issues in the cycle. Otherwise what it waits for."};
    Signal ip{*this, "ip", 32, SignalForm::Hex, "Instruction pointer."};
    Signal opcode{*this, "opcode", opcode_words(), "Of the instruction at ip, when at hand."};
    Signal waits_for{*this, "waits_for", register_words(),
                     "The register that the instruction at ip waits for."};
    Signal active{*this, "active", 32, SignalForm::Hex, "Enabled channels."};
    Signal group_x{*this, "group_x", 32, SignalForm::Decimal, "Thread group id, X."};
    Signal group_y{*this, "group_y", 32, SignalForm::Decimal, "Thread group id, Y."};
    Signal group_z{*this, "group_z", 32, SignalForm::Decimal, "Thread group id, Z."};
    Signal local_thread{*this, "local_thread", 16, SignalForm::Decimal,
                        "Number of the thread within its group."};
    Signal trace_id{*this, "trace_id", 48, SignalForm::Hex, "Id of the thread's dispatch."};
};

}  // namespace gen9::eu
