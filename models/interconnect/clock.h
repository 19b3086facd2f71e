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
    sc_core::sc_time time(Cycles cycles) const {
        return sc_core::sc_time::from_value(ticks_ * cycles.value);
    }
    /// Cycles that have begun at a point in time, rounding up to the next edge.
    Cycles cycles(const sc_core::sc_time& time) const {
        return time.value() == last_ticks_ ? last_ : divide(time.value());
    }
    Cycles now() const {
        const std::uint64_t ticks = sc_core::sc_time_stamp().value();
        if (ticks != last_ticks_) {
            last_ = divide(ticks);
            last_ticks_ = ticks;
        }
        return last_;
    }
    /// From now to the beginning of a cycle; nothing if it is past.
    sc_core::sc_time until(Cycles cycle) const {
        const std::uint64_t then = ticks_ * cycle.value, now = sc_core::sc_time_stamp().value();
        return then > now ? sc_core::sc_time::from_value(then - now) : sc_core::SC_ZERO_TIME;
    }

  private:
    Cycles divide(std::uint64_t ticks) const { return Cycles((ticks + ticks_ - 1) / ticks_); }

    std::uint64_t hz_;
    sc_core::sc_time period_;
    std::uint64_t ticks_;  ///< of the kernel, in a period
    // The time asked about last, for nearly all questions are about now.
    mutable std::uint64_t last_ticks_ = 0;
    mutable Cycles last_;
};

/// The one timer of a module's process: `at(c)` asks to be run at cycle c; of several requests the
/// earliest stands. Make a method sensitive to `event`, call `begin()` first thing in it.
class Wakeup {
  public:
    explicit Wakeup(const Clock& clock) : clock_(&clock) {}
    sc_core::sc_event event;
    /// Runs the process at cycle `when`, or in the next delta cycle if that is not in the future.
    void at(Cycles when) {
        if (pending_ && when_ <= when) return;
        pending_ = true;
        when_ = when;
        notify();
    }
    /// The process runs: no request is pending any more.
    void begin() { pending_ = false; }

  private:
    void notify();

    const Clock* clock_;
    bool pending_ = false;
    Cycles when_;
};

}  // namespace gen9
