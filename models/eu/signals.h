// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"
#include "eu/stats.h"

namespace gen9::eu {

/// Waveform of one EU; `use` numbers CycleUse.
struct EuSignals : SignalSet {
    std::uint32_t issued = 0, fpu0 = 0, fpu1 = 0, branch = 0, send = 0, loaded = 0, use = 0;
    explicit EuSignals(std::string path) : SignalSet(std::move(path)) {
        add("issued", issued, 3);
        add("fpu0", fpu0, 1);
        add("fpu1", fpu1, 1);
        add("branch", branch, 1);
        add("send", send, 1);
        add("loaded", loaded, 8);
        add("use", use, 4);
    }
};

/// Waveform of one hardware thread. `state` numbers CycleUse: Busy in the cycle it issues, NoThread
/// when the slot is empty, otherwise what it waits for.
struct ThreadSignals : SignalSet {
    std::uint32_t state = static_cast<std::uint32_t>(CycleUse::NoThread), ip = 0, active = 0;
    explicit ThreadSignals(std::string path) : SignalSet(std::move(path)) {
        add("state", state, 4);
        add("ip", ip, 32);
        add("active", active, 32);
    }
};

}  // namespace gen9::eu
