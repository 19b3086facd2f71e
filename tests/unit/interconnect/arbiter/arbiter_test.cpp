// SPDX-License-Identifier: Apache-2.0
#include "interconnect/arbiter/arbiter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>

#include "interconnect/arbiter/arbiter_params.h"

namespace gen9 {
namespace {

Arbiter arbiter(const char* policy, unsigned clients, std::vector<std::uint64_t> weights = {}) {
    return Arbiter(ArbitrationPolicy::named(policy), clients, weights);
}

/// Clients that want one resource, which serves one of them a cycle.
struct Contest {
    Arbiter arbiter;
    std::vector<std::deque<Cycles>> queues;  ///< cycles of arrival
    std::vector<unsigned> grants{};          ///< clients in order of service
    Cycles now{};

    Contest(Arbiter which, unsigned clients) : arbiter(which), queues(clients) {}
    void ask(unsigned client, unsigned requests) {
        for (unsigned i = 0; i < requests; ++i)
            queues[client].push_back(now);
    }
    std::uint64_t waiting() const {
        std::uint64_t clients = 0;
        for (unsigned c = 0; c < queues.size(); ++c)
            if (!queues[c].empty()) clients |= std::uint64_t{1} << c;
        return clients;
    }
    void serve(unsigned cycles) {
        for (; cycles != 0; --cycles, ++now.value) {
            const std::uint64_t clients = waiting();
            if (!clients) continue;
            for (unsigned c = 0; c < queues.size(); ++c)
                if (!queues[c].empty()) arbiter.waits(c, queues[c].front());
            const unsigned client = arbiter.choose(clients, now);
            ASSERT_TRUE(clients >> client & 1);
            queues[client].pop_front();
            arbiter.served(client, now);
            grants.push_back(client);
        }
    }
    std::size_t count(unsigned client) const {
        return static_cast<std::size_t>(std::count(grants.begin(), grants.end(), client));
    }
};

TEST(RoundRobin, BeginsAfterTheClientServedLast) {
    Contest contest(arbiter("round_robin", 4), 4);
    for (const unsigned client : {0u, 1u, 3u})
        contest.ask(client, 3);
    contest.serve(5);
    EXPECT_EQ(contest.grants, (std::vector{0u, 1u, 3u, 0u, 1u}));
    // Who has just come waits until it is its turn, not before and not after.
    contest.ask(2, 1);
    contest.serve(3);
    EXPECT_EQ((std::vector(contest.grants.begin() + 5, contest.grants.end())),
              (std::vector{2u, 3u, 0u}));
}

TEST(RoundRobin, TheTurnOfAClientThatAsksForNothingGoesToNobodyInParticular) {
    // Nine clients of which three ask: priority that went on with the cycle number would serve the
    // first of the three seven times as often as the second.
    Contest contest(arbiter("round_robin", 9), 9);
    for (const unsigned client : {1u, 2u, 3u})
        contest.ask(client, 300);
    contest.serve(300);
    for (const unsigned client : {1u, 2u, 3u})
        EXPECT_EQ(contest.count(client), 100u);
}

TEST(RoundRobin, OfSeveralGrantsInACycleTheFirstCounts) {
    Arbiter two = arbiter("round_robin", 4);
    std::vector<unsigned> order;
    for (unsigned cycle = 0; cycle < 3; ++cycle)
        two.offer(0xF, Cycles(cycle), [&](unsigned client) {
            order.push_back(client);
            return true;
        });
    EXPECT_EQ(order, (std::vector{0u, 1u, 2u, 3u, 1u, 2u, 3u, 0u, 2u, 3u, 0u, 1u}));
}

TEST(LeastRecentlyServedPolicy, ServesWhoHasWaitedForItsTurnLongest) {
    Contest contest(arbiter("least_recently_served", 4), 4);
    contest.ask(2, 3);
    contest.serve(2);
    contest.ask(0, 2);
    contest.ask(3, 1);
    contest.serve(4);
    EXPECT_EQ(contest.grants, (std::vector{2u, 2u, 0u, 3u, 2u, 0u}));
}

TEST(LeastRecentlyServedPolicy, ARefusedClientKeepsItsPlace) {
    // Two clients want the one place for reads, one the place for writes, in each cycle. Round
    // robin gives the reader that follows the writer every turn but a few.
    const auto reads = [](const char* policy) {
        Arbiter arbiter(ArbitrationPolicy::named(policy), 3);
        std::vector<unsigned> granted(3);
        for (unsigned cycle = 0; cycle < 300; ++cycle) {
            bool read = false;
            arbiter.offer(0b111, Cycles(cycle), [&](unsigned client) {
                if (client != 2 && std::exchange(read, true)) return false;
                ++granted[client];
                return true;
            });
        }
        return granted;
    };
    EXPECT_EQ(reads("least_recently_served"), (std::vector{150u, 150u, 300u}));
    EXPECT_NE(reads("round_robin")[0], reads("round_robin")[1]);
}

TEST(OldestFirstPolicy, ServesByAgeAndOfOneCycleInTurn) {
    Contest contest(arbiter("oldest_first", 3), 3);
    contest.ask(2, 2);
    contest.now = Cycles(5);
    contest.ask(0, 1);
    contest.ask(1, 1);
    contest.ask(2, 1);
    contest.serve(5);
    EXPECT_EQ(contest.grants, (std::vector{2u, 2u, 0u, 1u, 2u}));
}

TEST(FixedPriorityPolicy, ServesTheLowestIndexAndStarvesTheOthers) {
    Contest contest(arbiter("fixed_priority", 3), 3);
    contest.ask(1, 100);
    contest.ask(2, 1);
    contest.serve(100);
    EXPECT_EQ(contest.count(1), 100u);
    contest.serve(1);
    EXPECT_EQ(contest.count(2), 1u);
}

TEST(AgeWeightedPolicy, SharesFollowTheWeightsAndNobodyStarves) {
    // Each request comes when the one before it has been served: a client of weight 3 claims as
    // much after one cycle as one of weight 1 after three.
    Arbiter weighted = arbiter("age_weighted", 3, {3, 1});
    std::vector<unsigned> granted(3), waited(3), longest(3);
    for (unsigned cycle = 0; cycle < 6000; ++cycle) {
        const unsigned client = weighted.choose(0b111, Cycles(cycle));
        for (unsigned c = 0; c < 3; ++c)
            longest[c] = std::max(longest[c], ++waited[c]);
        waited[client] = 0;
        ++granted[client];
        weighted.served(client, Cycles(cycle));
        weighted.waits(client, Cycles(cycle + 1));
    }
    EXPECT_NEAR(granted[1], granted[2], 1);
    EXPECT_GT(granted[0], 3u * granted[1] / 2);
    EXPECT_LE(longest[1], 6u);
    EXPECT_LE(longest[2], 6u);
}

class StarvationBound : public testing::TestWithParam<const char*> {};

// All clients have requests without end; client `late` joins at some point.
TEST_P(StarvationBound, OthersAreServedAtMostOnceEachBeforeOneThatWaits) {
    constexpr unsigned kClients = 64;
    for (unsigned late = 0; late < kClients; late += 7) {
        Contest contest(arbiter(GetParam(), kClients), kClients);
        for (unsigned c = 0; c < kClients; ++c)
            if (c != late) contest.ask(c, 3);
        contest.serve(40 + late);
        // What has waited longer than the late one's request is one request of each.
        for (auto& queue : contest.queues)
            queue.clear();
        contest.grants.clear();
        for (unsigned c = 0; c < kClients; ++c)
            contest.ask(c, 1);
        ++contest.now.value;
        for (unsigned c = 0; c < kClients; ++c)
            contest.ask(c, 2);
        contest.serve(kClients);
        EXPECT_EQ(contest.count(late), 1u) << late;
    }
}

INSTANTIATE_TEST_SUITE_P(Fair, StarvationBound,
                         testing::Values("round_robin", "least_recently_served", "oldest_first",
                                         "age_weighted"));

TEST(ArbiterParameters, NamePolicyAndWeights) {
    struct Params : ParamSet {
        using ParamSet::ParamSet;
        ArbiterParams clients{*this, "Which client goes first.", "fixed_priority", "test"};
    };
    Config config;
    config.set_text("one.arbitration=age_weighted", "--set");
    config.set_text("one.arbitration_weights=[1,5]", "--set");
    Params one(config, "one"), other(config, "other");
    for (Cycles now; now < Cycles(4); ++now.value) {
        EXPECT_EQ(one.clients.arbiter(3).choose(0b111, now), 1u);
        EXPECT_EQ(other.clients.arbiter(3).choose(0b111, now), 0u);
    }
}

// Clients 60 to 67 of 128 lie on both sides of the sets' words: they are served as 0 to 7 of 8 are.
TEST(Arbiters, MoreThan64ClientsAreServedAsAsManyBelow64) {
    constexpr unsigned kFew = 8, kFirst = 60;
    for (const std::string& name : ArbitrationPolicy::names()) {
        std::vector<std::uint64_t> weights{3, 1, 4, 1, 5, 9, 2, 6};
        Arbiter few(ArbitrationPolicy::named(name), kFew, weights);
        weights.insert(weights.begin(), kFirst, 1);
        Arbiter many(ArbitrationPolicy::named(name), PortSet::kMost, weights);
        std::minstd_rand random;
        for (Cycles now(1); now < Cycles(500); ++now.value) {
            std::uint64_t asking = random() % 255 + 1;
            PortSet above;
            for (unsigned c = 0; c < kFew; ++c)
                if (asking >> c & 1) above.add(kFirst + c);
            const std::uint64_t served = random() % 256;
            std::vector<unsigned> order, order_above;
            few.offer(asking, now, [&](unsigned client) {
                order.push_back(client);
                few.waits(client, now);
                return served >> client & 1;
            });
            many.offer(above, now, [&](unsigned client) {
                order_above.push_back(client - kFirst);
                many.waits(client, now);
                return served >> (client - kFirst) & 1;
            });
            ASSERT_EQ(order, order_above) << name << " in cycle " << now.value;
        }
    }
}

TEST(Arbiters, AllPoliciesTakeTheHighestOf64Clients) {
    for (const std::string& name : ArbitrationPolicy::names()) {
        Arbiter all(ArbitrationPolicy::named(name), 64);
        all.served(63, Cycles(1));
        EXPECT_EQ(all.choose(std::uint64_t{1} << 63, Cycles(2)), 63u) << name;
        EXPECT_EQ(all.choose(std::uint64_t{1} << 63 | 1, Cycles(2)), 0u) << name;
        EXPECT_EQ(all.choose(std::uint64_t{3} << 62, Cycles(2)), 62u) << name;
    }
}

}  // namespace
}  // namespace gen9
