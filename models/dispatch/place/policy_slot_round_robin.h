// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "dispatch/place/policy_slot.h"

namespace gen9::dispatch {

/// The next candidate after the last chosen, however loaded.
class RoundRobin final : public SlotPolicy {
  public:
    unsigned pick(std::span<const std::uint16_t> free, std::uint32_t candidates) override {
        const auto units = static_cast<unsigned>(free.size());
        do {
            if (++last_ >= units) last_ = 0;
        } while (!(candidates >> last_ & 1));
        return last_;
    }

  private:
    unsigned last_ = ~0u - 1;
};

}  // namespace gen9::dispatch
