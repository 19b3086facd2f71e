// SPDX-License-Identifier: Apache-2.0
#include "interconnect/arbiter/arbiter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace gen9 {
namespace {

/// The first of `clients` that comes before all others by `before`.
template <class Before>
unsigned first_by(PortSet clients, Before before) {
    const auto words = std::bit_cast<std::array<std::uint64_t, PortSet::kMost / 64>>(clients);
    unsigned best = clients.first();
    for (unsigned word = 0; word < words.size(); ++word)
        for (std::uint64_t left = words[word]; left != 0; left &= left - 1) {
            const unsigned client = 64 * word + static_cast<unsigned>(std::countr_zero(left));
            if (before(client, best)) best = client;
        }
    return best;
}

}  // namespace

unsigned RoundRobinArbitration::choose(PortSet clients, const ArbitrationState& state,
                                       Cycles) const {
    const PortSet after = clients & PortSet::from(state.last + 1);
    return after.empty() ? clients.first() : after.first();
}

unsigned LeastRecentlyServed::choose(PortSet clients, const ArbitrationState& state, Cycles) const {
    return first_by(clients,
                    [&](unsigned a, unsigned b) { return state.served[a] < state.served[b]; });
}

unsigned OldestRequestFirst::choose(PortSet clients, const ArbitrationState& state, Cycles) const {
    const Cycles* const since = state.since.data();
    const std::uint64_t* const served = state.served.data();
    return first_by(clients, [=](unsigned a, unsigned b) {
        return since[a] != since[b] ? since[a] < since[b] : served[a] < served[b];
    });
}

unsigned FixedPriority::choose(PortSet clients, const ArbitrationState&, Cycles) const {
    return clients.first();
}

unsigned AgeWeighted::choose(PortSet clients, const ArbitrationState& state, Cycles now) const {
    // A request that waits from this cycle on has an age of one, so that weights count at once.
    const auto claim = [&](unsigned client) {
        return state.weights[client] * ((now - std::min(state.since[client], now)).value + 1);
    };
    return first_by(clients, [&](unsigned a, unsigned b) {
        if (claim(a) != claim(b)) return claim(a) > claim(b);
        return state.served[a] < state.served[b];
    });
}

const std::vector<std::string>& ArbitrationPolicy::names() {
    static const std::vector<std::string> names{"round_robin", "least_recently_served",
                                                "oldest_first", "fixed_priority", "age_weighted"};
    return names;
}

const ArbitrationPolicy& ArbitrationPolicy::named(const std::string& name) {
    static const RoundRobinArbitration round_robin;
    static const LeastRecentlyServed least_recently_served;
    static const OldestRequestFirst oldest_first;
    static const FixedPriority fixed_priority;
    static const AgeWeighted age_weighted;
    static const ArbitrationPolicy* const policies[] = {
        &round_robin, &least_recently_served, &oldest_first, &fixed_priority, &age_weighted};
    const auto place = std::find(names().begin(), names().end(), name);
    GEN9_CHECK(place != names().end(), "no arbitration policy is called " + name);
    return *policies[place - names().begin()];
}

Arbiter::Arbiter(const ArbitrationPolicy& policy, unsigned clients,
                 const std::vector<std::uint64_t>& weights)
    : policy_(&policy), grants_(clients) {
    GEN9_CHECK(clients != 0 && clients <= kMaxClients, "an arbiter has 1 to 128 clients");
    state_.last = clients - 1;
    state_.since.resize(clients);
    // Nobody has been served: in order of index.
    state_.served.resize(clients);
    std::iota(state_.served.begin(), state_.served.end(), std::uint64_t{1});
    // The last weight given stands for all after it.
    state_.weights = weights.empty() ? std::vector<std::uint64_t>{1} : weights;
    state_.weights.resize(clients, state_.weights.back());
}

}  // namespace gen9
