// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/config.h"
#include "common/report.h"
#include "common/signals.h"
#include "common/stats.h"

namespace gen9 {

class Block;
class ParamSet;

/// Functional: blocking transport end to end, direct memory access, no arbitration; for running
/// software. Timed: non-blocking transport, finite queues, real arbitration; for studying the
/// machine. Both leave the same memory for programs without races.
enum class Timing { Functional, Timed };

/// Every module is given this on construction: the run's settings, where to count, what to show.
struct Environment {
    const Config& config;
    Reporter& reporter;
    StatRegistry& stats;
    Timing timing = Timing::Timed;
    /// Least notice, in cycles, that is given to an EU of anything that happens to it
    /// (docs/architecture.md).
    unsigned notice_cycles = 16;
    std::vector<SignalSet*> signals{};
    std::vector<const ParamSet*> params{};
    std::vector<Block*> blocks{};   ///< of the machine, in order of construction
    std::uint32_t works_begun = 0;  ///< pieces of work, which are numbered as they begin

    /// Modules whose signals are kept for the report of `stop`, by name.
    std::vector<std::string> kept_signals{};

    /// Ends the run soon, with a report, for what is no fault of the program's: RTL that differs
    /// from its model, or does not answer.
    std::function<void(const std::string&)> stop = [](const std::string& text) {
        throw InternalError(text);
    };

    bool timed() const { return timing == Timing::Timed; }
};

}  // namespace gen9
