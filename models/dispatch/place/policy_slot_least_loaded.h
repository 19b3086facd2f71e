// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "dispatch/place/policy_slot.h"

namespace gen9::dispatch {

/// The unit with the most free slots; among equals, the next one round after the last chosen.
class LeastLoaded final : public SlotPolicy {
  public:
    unsigned pick(std::span<const std::uint16_t> free, std::uint32_t candidates) override {
        const auto units = static_cast<unsigned>(free.size());
        unsigned best = units;
        for (unsigned step = 1, at = last_; step <= units; ++step) {
            if (++at >= units) at = 0;
            if ((candidates >> at & 1) && (best == units || free[at] > free[best])) best = at;
        }
        return last_ = best;
    }

  private:
    unsigned last_ = ~0u - 1;  ///< so that the first round begins with unit 0
};

}  // namespace gen9::dispatch
