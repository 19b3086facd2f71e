// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/clock.h"

#include <algorithm>

#include "common/check.h"

namespace gen9 {

Clock::Clock(std::uint64_t hz)
    : hz_(hz),
      period_(1.0 / static_cast<double>(hz), sc_core::SC_SEC),
      ticks_(period_.value()),
      inverse_(~std::uint64_t{0} / ticks_ + 1),
      agenda_(std::make_unique<Agenda>(*this)) {
    for (std::size_t cycles = 0; cycles < times_.size(); ++cycles)
        times_[cycles] = sc_core::sc_time::from_value(ticks_ * cycles);
}

Clock::~Clock() = default;

void Clock::update() const {
    const std::uint64_t ticks = sc_core::sc_time_stamp().value();
    if (ticks == kernel_ticks_ && ticks == last_ticks_) return;
    GEN9_CHECK(ticks >= last_ticks_, "a process runs in the past of its clock");
    kernel_ticks_ = last_ticks_ = ticks;
    last_ = divide(ticks);
}

void Clock::notify(sc_core::sc_event& event, Cycles cycle) const {
    sc_core::sc_time delay = until(cycle);
    if (ahead()) delay += sc_core::sc_time::from_value(last_ticks_ - kernel_ticks_);
    pending_ticks_ = std::min<std::uint64_t>(pending_ticks_, kernel_ticks_ + delay.value());
    event.notify(delay);
}

void Clock::begin_tick() const {
    update();
    pending_ticks_ = kernel_ticks_ + sc_core::sc_time_to_pending_activity().value();
    ticking_ = true;
}

bool Clock::catch_up(Cycles cycle) const {
    const std::uint64_t begins = ticks_ * cycle.value;
    if (begins >= sc_core::sc_time_stamp().value()) return false;
    last_ = cycle;
    last_ticks_ = std::max(last_ticks_, begins);
    return true;
}

}  // namespace gen9
