// SPDX-License-Identifier: Apache-2.0
#include "dispatch/place/policy_slot.h"

#include "dispatch/place/policy_slot_fill_first.h"
#include "dispatch/place/policy_slot_least_loaded.h"
#include "dispatch/place/policy_slot_round_robin.h"

namespace gen9::dispatch {
namespace {

template <class Policy>
std::unique_ptr<SlotPolicy> make() {
    return std::make_unique<Policy>();
}

struct Row {
    const char* name;
    std::unique_ptr<SlotPolicy> (*make)();
};
constexpr Row kPolicies[] = {
    {"least_loaded", make<LeastLoaded>},
    {"round_robin", make<RoundRobin>},
    {"fill_first", make<FillFirst>},
};

}  // namespace

std::vector<std::string> slot_policies() {
    std::vector<std::string> names;
    for (const Row& row : kPolicies)
        names.emplace_back(row.name);
    return names;
}

std::unique_ptr<SlotPolicy> make_slot_policy(std::size_t index) {
    return kPolicies[index].make();
}

}  // namespace gen9::dispatch
