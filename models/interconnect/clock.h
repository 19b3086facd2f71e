// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <systemc>

#include "common/units.h"

namespace gen9 {

/// A clock domain: turns cycles into kernel time at the sockets, and kernel time into cycles.
class Clock {
  public:
    explicit Clock(std::uint64_t hz);
    std::uint64_t hz() const { return hz_; }
    sc_core::sc_time period() const { return period_; }
    sc_core::sc_time time(Cycles cycles) const { return period_ * static_cast<double>(cycles.value); }
    /// Cycles that have begun at a point in time, rounding up to the next edge.
    Cycles cycles(const sc_core::sc_time& time) const {
        return Cycles((time.value() + period_.value() - 1) / period_.value());
    }
    Cycles now() const { return cycles(sc_core::sc_time_stamp()); }

  private:
    std::uint64_t hz_;
    sc_core::sc_time period_;
};

/// The one timer of a module's process: `at(c)` asks to be run at cycle c; of several requests the
/// earliest stands. Make a method sensitive to `event`, call `begin()` first thing in it.
class Wakeup {
  public:
    explicit Wakeup(const Clock& clock) : clock_(&clock) {}
    sc_core::sc_event event;
    /// Runs the process at cycle `when`, or in the next delta cycle if that is not in the future.
    void at(Cycles when);
    /// The process runs: no request is pending any more.
    void begin() { pending_ = false; }

  private:
    const Clock* clock_;
    bool pending_ = false;
    Cycles when_;
};

}  // namespace gen9
