// SPDX-License-Identifier: Apache-2.0
#include "dispatcher/policy_slot.h"

namespace gen9::dispatcher {
namespace {

constexpr const char* kLeastLoaded = "least_loaded";

std::uint32_t most_free(std::span<const std::uint16_t> free, std::uint32_t candidates) {
    unsigned most = 0;
    std::uint32_t units = 0;
    for (std::uint32_t rest = candidates; rest != 0; rest &= rest - 1) {
        const auto unit = static_cast<unsigned>(std::countr_zero(rest));
        if (free[unit] > most) units = 0;
        if (free[unit] < most) continue;
        most = free[unit];
        units |= 1u << unit;
    }
    return units;
}

}  // namespace

const std::vector<std::string>& SlotPolicy::names() {
    static const std::vector<std::string> names{kLeastLoaded, "round_robin",
                                                "least_recently_served", "fixed_priority"};
    return names;
}

SlotPolicy::SlotPolicy(const std::string& name, unsigned units)
    : least_loaded_(name == kLeastLoaded),
      last_(units - 1),
      arbiter_(ArbitrationPolicy::named(least_loaded_ ? "round_robin" : name), units) {}

unsigned SlotPolicy::pick(std::span<const std::uint16_t> free, std::uint32_t candidates) {
    return next(least_loaded_ ? most_free(free, candidates) : candidates);
}

unsigned SlotPolicy::next_by_arbiter(std::uint32_t units) {
    turn_ += Cycles(1);
    const unsigned unit = arbiter_.choose(units, turn_);
    arbiter_.served(unit, turn_);
    return unit;
}

}  // namespace gen9::dispatcher
