// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "common/check.h"
#include "common/units.h"
#include "interconnect/arbiter/port_set.h"

namespace gen9 {

/// Arbitration policies go by this: whose turn it was, and who waits since when.
struct ArbitrationState {
    /// Client of the first grant of the last cycle in which anything was granted.
    unsigned last = 0;
    std::vector<std::uint64_t>
        served;                 ///< by client: number of its last grant; lower is longer ago
    std::vector<Cycles> since;  ///< by client: cycle from which its request waits
    std::vector<std::uint64_t> weights;  ///< by client
};

/// Decides which of several clients is served. Has no state of its own: one object serves any
/// number of arbiters.
class ArbitrationPolicy {
  public:
    virtual ~ArbitrationPolicy() = default;
    /// One of `clients`, a set of at least two.
    virtual unsigned choose(PortSet clients, const ArbitrationState& state, Cycles now) const = 0;

    /// The names of the policies below, as a parameter gives them.
    static const std::vector<std::string>& names();
    /// The policy of a name.
    static const ArbitrationPolicy& named(const std::string& name);
};

/// "round_robin": in order of index, beginning after the client served last. Of several grants in
/// a cycle the first counts.
class RoundRobinArbitration : public ArbitrationPolicy {
  public:
    unsigned choose(PortSet clients, const ArbitrationState& state, Cycles) const override;
};

/// "least_recently_served": whoever was served longest ago. A client that is refused, because it
/// wants something else than the others, keeps its place: fair also with several grants a cycle.
class LeastRecentlyServed : public ArbitrationPolicy {
  public:
    unsigned choose(PortSet clients, const ArbitrationState& state, Cycles) const override;
};

/// "oldest_first": the request that waits longest, whoever's it is; of equals the client served
/// longest ago.
class OldestRequestFirst : public ArbitrationPolicy {
  public:
    unsigned choose(PortSet clients, const ArbitrationState& state, Cycles) const override;
};

/// "fixed_priority": the lowest index. Starves the others while it has requests.
class FixedPriority : public ArbitrationPolicy {
  public:
    unsigned choose(PortSet clients, const ArbitrationState& state, Cycles) const override;
};

/// "age_weighted": the greatest product of the client's weight and the cycles its request has
/// waited; of equals the client served longest ago.
class AgeWeighted : public ArbitrationPolicy {
  public:
    unsigned choose(PortSet clients, const ArbitrationState& state, Cycles now) const override;
};

/// An arbiter. Its owner offers what there is to clients in the order chosen
/// and tells it of each grant, so that the turn of a client that asks for nothing is not given
/// away.
class Arbiter {
  public:
    static constexpr unsigned kMaxClients = PortSet::kMost;

    Arbiter(const ArbitrationPolicy& policy, unsigned clients,
            const std::vector<std::uint64_t>& weights = {});

    /// The client's oldest request waits from cycle `since` on.
    void waits(unsigned client, Cycles since) { state_.since[client] = since; }
    /// Chooses which of `clients`, a set of at least one, goes first. A number has a bit for each
    /// of the first 64.
    unsigned choose(std::uint64_t clients, Cycles now) const {
        if (std::has_single_bit(clients)) [[likely]]
            return static_cast<unsigned>(std::countr_zero(clients));
        return policy_->choose(clients, state_, now);
    }
    unsigned choose(PortSet clients, Cycles now) const {
        return clients.single() ? clients.first() : policy_->choose(clients, state_, now);
    }
    void served(unsigned client, Cycles now) {
        state_.served[client] = ++grants_;
        if (now == served_at_) return;
        served_at_ = now;
        state_.last = client;
    }
    /// Offers to each of `clients` in order; `take(client)` says whether the client was served.
    template <class Take>
    void offer(std::uint64_t clients, Cycles now, Take&& take) {
        while (clients != 0) {
            const unsigned client = choose(clients, now);
            clients &= ~(std::uint64_t{1} << client);
            if (take(client)) served(client, now);
        }
    }
    template <class Take>
    void offer(PortSet clients, Cycles now, Take&& take) {
        while (!clients.empty()) {
            const unsigned client = choose(clients, now);
            clients.remove(client);
            if (take(client)) served(client, now);
        }
    }

  private:
    const ArbitrationPolicy* policy_;
    ArbitrationState state_;
    std::uint64_t grants_;
    Cycles served_at_{~std::uint64_t{0}};
};

}  // namespace gen9
