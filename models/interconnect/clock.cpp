// SPDX-License-Identifier: Apache-2.0
#include "interconnect/clock.h"

namespace gen9 {

Clock::Clock(std::uint64_t hz)
    : hz_(hz),
      period_(1.0 / static_cast<double>(hz), sc_core::SC_SEC),
      ticks_(period_.value()),
      agenda_(std::make_unique<Agenda>(*this)) {
    for (std::size_t cycles = 0; cycles < times_.size(); ++cycles)
        times_[cycles] = sc_core::sc_time::from_value(ticks_ * cycles);
}

Clock::~Clock() = default;

}  // namespace gen9
