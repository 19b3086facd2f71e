// SPDX-License-Identifier: Apache-2.0
#include "interconnect/clock.h"

namespace gen9 {

Clock::Clock(std::uint64_t hz)
    : hz_(hz), period_(1.0 / static_cast<double>(hz), sc_core::SC_SEC), ticks_(period_.value()) {}

void Wakeup::notify() {
    const Cycles now = clock_->now();
    if (when_ <= now) {
        when_ = now;
        event.notify(sc_core::SC_ZERO_TIME);
    } else {
        event.notify(clock_->until(when_));
    }
}

}  // namespace gen9
