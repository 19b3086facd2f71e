// SPDX-License-Identifier: Apache-2.0
// Several clients of one dispatcher.
#include "tests/unit/dispatcher/clients.h"

namespace gen9::dispatcher::test {
namespace {

const std::vector<Wants> kThree = {
    {.most_threads = 12, .barrier = true, .slm_kilobytes = 4, .requests = 60, .pause = 20},
    {.most_threads = 1, .requests = 300, .at_once = true},
    {.most_threads = 9, .max_threads = 20, .requests = 80, .pause = 5},
};

TEST(Clients, EachRequestIsAcceptedAndAnsweredOnceInBothModes) {
    ClientBench timed("timed", Timing::Timed, kThree);
    ClientBench functional("functional", Timing::Functional, kThree);
    timed.run(200'000);
    for (ClientBench* bench : {&timed, &functional}) {
        EXPECT_TRUE(bench->done());
        bench->expect_nothing_held();
        for (unsigned c = 0; c < kThree.size(); ++c)
            EXPECT_EQ(bench->clients[c].ended_requests, kThree[c].requests) << c;
    }
    for (unsigned c = 0; c < kThree.size(); ++c)
        EXPECT_EQ(timed.clients[c].sent.size(), functional.clients[c].sent.size()) << c;
}

TEST(Clients, WhoIsServedWhenDoesNotDependOnTheOrderOfModules) {
    std::deque<ClientBench> benches;
    for (std::uint64_t seed = 0; seed < 5; ++seed)
        benches.emplace_back(("bench" + std::to_string(seed)).c_str(), Timing::Timed, kThree,
                             std::vector<std::string>{}, seed);
    benches[0].run(200'000);
    for (const ClientBench& bench : benches)
        for (unsigned c = 0; c < kThree.size(); ++c)
            EXPECT_EQ(bench.clients[c].sent, benches[0].clients[c].sent) << c;
}

// A client's own threads count, whoever else has some.
TEST(Clients, AThreadLimitIsTheClientsOwn) {
    const Wants many{.most_threads = 4, .max_threads = 1000, .lifetime = 400, .at_once = true};
    Wants few = many;
    few.max_threads = 5;
    ClientBench bench("bench", Timing::Timed, {many, few});
    bench.run(4000);
    EXPECT_EQ(bench.clients[1].most_live, 5u);
    EXPECT_GT(bench.clients[0].most_live, 30u);
    bench.run(200'000);
    EXPECT_TRUE(bench.done());
}

// Single threads take every slot that becomes free, were it not for the patience.
TEST(Clients, AGroupThatNeedsHalfTheMachineIsNotStarvedBySingleThreads) {
    const Wants single{.requests = 1'000'000, .lifetime = 200, .at_once = true};
    Wants group{.most_threads = 1, .barrier = true, .requests = 10, .lifetime = 200};
    for (const Timing timing : {Timing::Timed}) {
        ClientBench bench("bench", timing, {single, single, group}, {"dispatcher.patience=500"});
        Client& large = bench.clients[2];
        large.wants.most_threads = 28;  // all slots of a subslice
        bench.run(60'000);
        EXPECT_EQ(large.ended_requests, 10u);
        EXPECT_LT(large.longest_wait, Cycles(500 + 3 * 200));
        EXPECT_GT(bench.clients[0].ended_requests, 1000u);
        EXPECT_GT(bench.clients[1].ended_requests, 1000u);
        for (Client& client : bench.clients)
            client.stops = true;
        bench.run(10'000);
        bench.expect_nothing_held();
    }
}

TEST(Clients, OfTwoThatWantTheSameEachGetsHalf) {
    const Wants same{.requests = 1'000'000, .lifetime = 20, .at_once = true};
    ClientBench bench("bench", Timing::Timed, {same, same});
    bench.run(10'000);
    EXPECT_GT(bench.clients[0].sent.size(), 4000u);
    EXPECT_NEAR(static_cast<double>(bench.clients[0].sent.size()),
                static_cast<double>(bench.clients[1].sent.size()), 2.0);
    // Two threads never leave in a cycle.
    std::set<Cycles> cycles;
    for (const Client& client : bench.clients)
        for (const Client::Sent& sent : client.sent)
            EXPECT_TRUE(cycles.insert(sent.at).second);
}

TEST(Clients, AnotherPolicyIsAParameter) {
    const Wants same{.requests = 1'000'000, .lifetime = 20, .at_once = true};
    ClientBench bench("bench", Timing::Timed, {same, same},
                      {"dispatcher.arbitration=fixed_priority"});
    bench.run(2'000);
    EXPECT_GT(bench.clients[0].sent.size(), 1500u);
    EXPECT_LT(bench.clients[1].sent.size(), 20u);
}

}  // namespace
}  // namespace gen9::dispatcher::test
