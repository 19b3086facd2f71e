// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>

#include "dispatch/place/policy_slot.h"

namespace gen9::dispatch {

/// The lowest numbered candidate: fills one unit before the next.
class FillFirst final : public SlotPolicy {
  public:
    unsigned pick(std::span<const std::uint16_t>, std::uint32_t candidates) override {
        return static_cast<unsigned>(std::countr_zero(candidates));
    }
};

}  // namespace gen9::dispatch
