// SPDX-License-Identifier: Apache-2.0
#include "interconnect/clock.h"

namespace gen9 {

Clock::Clock(std::uint64_t hz) : hz_(hz), period_(1.0 / static_cast<double>(hz), sc_core::SC_SEC) {}

void Wakeup::at(Cycles when) {
    if (pending_ && when_ <= when) return;
    pending_ = true;
    when_ = when;
    const Cycles now = clock_->now();
    if (when <= now) {
        when_ = now;
        event.notify(sc_core::SC_ZERO_TIME);
    } else {
        event.notify(clock_->time(when) - sc_core::sc_time_stamp());
    }
}

}  // namespace gen9
