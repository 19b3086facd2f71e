// SPDX-License-Identifier: Apache-2.0
#pragma once
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
    Signal fpu0{*this, "fpu0", "The first FPU is occupied."};
    Signal fpu1{*this, "fpu1", "The second FPU, with extended math, is occupied."};
    Signal branch{*this, "branch", "The branch unit is occupied."};
    Signal send{*this, "send", "The send unit is occupied."};
    Signal loaded{*this, "loaded", 8, SignalForm::Hex, "Bit n: thread slot n holds a thread."};
};

/// Waveform of one hardware thread.
struct ThreadSignals : SignalSet {
    ThreadSignals(std::string path, EuSignals& eu) : SignalSet(std::move(path), &eu) {
        state.start_with(CycleUse::NoThread);
    }
    Signal state{*this, "state", kCycleUseWords,
                 "Busy: it issues in the cycle. Otherwise what it waits for."};
    Signal ip{*this, "ip", 32, SignalForm::Hex, "Instruction pointer."};
    Signal active{*this, "active", 32, SignalForm::Hex, "Enabled channels."};
};

}  // namespace gen9::eu
