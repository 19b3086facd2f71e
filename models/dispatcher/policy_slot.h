// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interconnect/arbiter/arbiter.h"

namespace gen9::dispatcher {

/// Chooses which of several equal units gets the next thread or group: once for the subslices, and
/// once for the EUs of each. The seeds leave the choice open (guide 3.12).
class SlotPolicy {
  public:
    /// The default comes first: "least_loaded" goes round among the units with the most free slots, the
    /// others are policies of interconnect/arbiter/arbiter.h, however loaded the units are.
    static const std::vector<std::string>& names();

    SlotPolicy(const std::string& name, unsigned units);
    /// Picks one of the units whose bit is set in `candidates` (never 0); `free` are their free
    /// slots.
    unsigned pick(std::span<const std::uint16_t> free, std::uint32_t candidates);
    /// Does the load count? Then `next` is given those with the most free slots only.
    bool by_load() const { return least_loaded_; }
    unsigned next(std::uint32_t units) {
        if (!least_loaded_) return next_by_arbiter(units);
        const std::uint64_t after = units & ~std::uint64_t{0} << (last_ + 1);
        return last_ = static_cast<unsigned>(std::countr_zero(after != 0 ? after : units));
    }

  private:
    unsigned next_by_arbiter(std::uint32_t units);

    bool least_loaded_;
    unsigned last_;  ///< that was picked by load
    Arbiter arbiter_;
    Cycles turn_;  ///< each choice is a turn, also where several fall into a cycle
};

}  // namespace gen9::dispatcher
