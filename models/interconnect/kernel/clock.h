// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <systemc>

#include "common/units.h"
#include "interconnect/kernel/agenda.h"

namespace gen9 {

/// A clock domain: turns cycles into kernel time at the sockets, and kernel time into cycles, and
/// runs its modules when they ask for it.
class Clock {
  public:
    explicit Clock(std::uint64_t hz);
    ~Clock();
    std::uint64_t hz() const { return hz_; }
    sc_core::sc_time period() const { return period_; }
    sc_core::sc_time time(Cycles cycles) const {
        if (cycles.value < times_.size()) [[likely]]
            return times_[cycles.value];
        return sc_core::sc_time::from_value(ticks_ * cycles.value);
    }
    /// Cycles that have begun at a point in time, rounding up to the next edge.
    Cycles cycles(const sc_core::sc_time& time) const {
        return time.value() == last_ticks_ ? last_ : divide(time.value());
    }
    Cycles now() const {
        if (!ticking_) [[unlikely]]
            update();
        return last_;
    }
    /// The cycle that begins `delay` from now.
    Cycles after(const sc_core::sc_time& delay) const {
        if (!ticking_) [[unlikely]]
            update();
        return delay.value() == 0 ? last_ : divide(last_ticks_ + delay.value());
    }
    /// From now to the beginning of a cycle; nothing if it is past.
    sc_core::sc_time until(Cycles cycle) const {
        if (!ticking_) [[unlikely]]
            update();
        const std::uint64_t then = ticks_ * cycle.value;
        if (then <= last_ticks_) return times_[0];
        if (ticks_ * last_.value == last_ticks_) [[likely]]
            return time(cycle - last_);
        return sc_core::sc_time::from_value(then - last_ticks_);
    }
    /// Notifies an event of the kernel for a cycle; in the next delta cycle if that is not in the
    /// future.
    void notify(sc_core::sc_event& event, Cycles cycle) const;
    /// Is it later than the kernel knows (Agenda::run_ahead)?
    bool ahead() const { return last_ticks_ != kernel_ticks_; }
    /// Does the agenda run modules? Else a process of the kernel runs that is none of its own.
    bool ticking() const { return ticking_; }
    /// When the modules run.
    Agenda& agenda() const { return *agenda_; }

  private:
    friend class Agenda;
    /// Outside of a tick the kernel tells the time.
    void update() const;
    /// The agenda begins to run modules: up to its end the kernel's time stands.
    void begin_tick() const;
    /// Goes on to a cycle, which is not past, unless another process may run before it begins.
    bool go_on(Cycles cycle) const {
        const std::uint64_t begins = cycle == last_ ? last_ticks_ : ticks_ * cycle.value;
        if (pending_ticks_ <= begins) return false;
        last_ = cycle;
        last_ticks_ = begins;
        return true;
    }
    /// Goes on to a cycle that has passed because a call waited.
    bool catch_up(Cycles cycle) const;
    Cycles divide(std::uint64_t ticks) const {
        const std::uint64_t sum = ticks + ticks_ - 1;
        // Exact for all sums below 2^64 / ticks_, which takes hours of simulated time.
        if (sum < inverse_) [[likely]]
            return Cycles(static_cast<std::uint64_t>(static_cast<Wide>(sum) * inverse_ >> 64));
        return Cycles(sum / ticks_);
    }
    __extension__ using Wide = unsigned __int128;

    std::uint64_t hz_;
    sc_core::sc_time period_;
    std::uint64_t ticks_;    ///< of the kernel, in a period
    std::uint64_t inverse_;  ///< 2^64 / ticks_, rounded up
    /// The time of so many cycles, for spans are short and a time costs a call of the kernel.
    std::array<sc_core::sc_time, 512> times_;
    // The time asked about last, for nearly all questions are about now.
    mutable std::uint64_t last_ticks_ = 0;
    mutable std::uint64_t kernel_ticks_ = 0;  ///< not after `last_ticks_`
    mutable Cycles last_;
    mutable std::uint64_t pending_ticks_ = 0;  ///< in a tick: when another process may run
    mutable bool ticking_ = false;             ///< the agenda runs modules: `last_` is now
    std::unique_ptr<Agenda> agenda_;
};

/// The one timer of a module: `at(c)` asks for it to be run at cycle c; of several requests the
/// earliest stands. What is run is the method given to `runs`, or else the processes sensitive to
/// `event`.
class Wakeup {
  public:
    explicit Wakeup(const Clock& clock) : clock_(&clock) { clock.agenda().join(*this); }
    ~Wakeup() {
        cancel();
        clock_->agenda().leave(*this);
    }
    Wakeup(const Wakeup&) = delete;
    Wakeup& operator=(const Wakeup&) = delete;

    sc_core::sc_event event;
    /// Names what is run: `wakeup_.runs<&Module::step>(this)`.
    template <auto Method, class Module>
    void runs(Module* module) {
        object_ = module;
        method_ = [](void* object) { (static_cast<Module*>(object)->*Method)(); };
    }
    /// Runs it at cycle `when`, or in the next delta cycle if that is not in the future. What is
    /// asked of a module for a later cycle stands although it is still to run in this one.
    void at(Cycles when) {
        const Cycles now = clock_->now();
        if ((pending_ && when_ <= when) || (due_ && when <= now)) return;
        clock_->agenda().put(*this, std::max(when, now), now);
    }
    /// Forgets what was asked for.
    void cancel() {
        if (pending_) clock_->agenda().remove(*this);
    }

  private:
    friend class Agenda;
    void run() {
        due_ = false;
        if (method_ != nullptr)
            method_(object_);
        else
            clock_->notify(event, clock_->now());
    }

    const Clock* clock_;
    unsigned rank_ = 0;  ///< the agenda's
    bool pending_ = false;
    bool due_ = false;  ///< in the tick that runs, and has not been run in it yet
    Cycles when_;
    void* object_ = nullptr;
    void (*method_)(void*) = nullptr;
};

}  // namespace gen9
