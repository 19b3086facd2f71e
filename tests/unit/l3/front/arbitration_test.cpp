// SPDX-License-Identifier: Apache-2.0
// Who gets a bank's tags and arrays in a cycle.
#include <set>

#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

constexpr std::uint64_t kSet = 64, kSameSet = 64 * 32;  ///< of a single bank

/// One bank, in which every lookup of lines not held counts as a miss in its cycle.
struct OneBank : Bench {
    explicit OneBank(unsigned clients, unsigned savers = 0, std::vector<std::string> settings = {})
        : Bench(Timing::Timed, clients, std::move(settings), 1, 1, savers) {}
    void read_miss(unsigned client, unsigned set, std::uint64_t at) {
        from[client]->send(from[client]->read(0x100000 + client * 16 * kSameSet + set * kSet),
                           at - l3.params.request_cycles);
    }
    std::uint64_t misses_after(std::uint64_t cycle) {
        run_to(cycle + 1);
        return sum("misses");
    }
};

TEST(L3Arbitration, TwoReadsAreLookedUpInACycle) {
    GEN9_COVERS("L3-23 L3-25 L3-26");
    OneBank m(4);
    for (unsigned c = 0; c < 4; ++c)
        m.read_miss(c, c, 1000);
    EXPECT_EQ(m.misses_after(999), 0u);
    EXPECT_EQ(m.misses_after(1000), 2u);
    EXPECT_EQ(m.misses_after(1001), 4u);
}

// No product: more or fewer lookups for exploration. Each client's line is in another set.
void expect_lookups(unsigned lookups) {
    OneBank m(16, 0, {"l3.lookups_per_cycle=" + std::to_string(lookups)});
    for (unsigned c = 0; c < 16; ++c)
        m.read_miss(c, c, 1000);
    EXPECT_EQ(m.misses_after(999), 0u);
    EXPECT_EQ(m.misses_after(1000), lookups);
    EXPECT_EQ(m.misses_after(1001), 2 * lookups);
}
TEST(L3Arbitration, OneLookupACycleWhereThereIsOne) {
    expect_lookups(1);
}
TEST(L3Arbitration, FiveLookupsACycleWhereThereAreFive) {
    expect_lookups(5);
}
TEST(L3Arbitration, EightLookupsACycleWhereThereAreEight) {
    expect_lookups(8);
}

TEST(L3Arbitration, OfOneSetThereIsOneLookupACycleHoweverManyThereAre) {
    GEN9_COVERS("L3-25");
    OneBank m(6, 0, {"l3.lookups_per_cycle=8"});
    for (unsigned c = 0; c < 6; ++c)
        m.read_miss(c, c % 3, 1000);
    EXPECT_EQ(m.misses_after(1000), 3u) << "three sets, twice each";
    EXPECT_EQ(m.misses_after(1001), 6u);
}

TEST(L3Arbitration, MoreLookupsBringNoMorePortsForHits) {
    GEN9_COVERS("L3-11");
    OneBank m(4, 0, {"l3.lookups_per_cycle=8"});
    for (unsigned c = 0; c < 4; ++c)
        m.read_miss(c, c, 1000);
    m.run_to(4000);
    for (unsigned c = 0; c < 4; ++c)
        m.read_miss(c, c, 5000);
    m.run_to(8000);
    EXPECT_EQ(m.sum("hits"), 4u);
    std::set<std::uint64_t> ended;
    for (unsigned c = 0; c < 4; ++c)
        ended.insert(m.from[c]->ended.back().cycle);
    EXPECT_EQ(*ended.rbegin() - *ended.begin(), 3u) << "one read a cycle";
}

// 003:18967-18969.
TEST(L3Arbitration, AnEngineThatSavesSlmGoesBeforeReadsThatHaveWaitedLonger) {
    GEN9_COVERS("PRE-24");
    OneBank m(4, 1);
    for (unsigned c = 0; c < 3; ++c)
        for (unsigned set = 0; set < 2; ++set)
            m.read_miss(c, 2 * c + set, 1000 + set);
    m.read_miss(3, 9, 1002);
    m.run_to(2000);
    // Two a cycle: in the third, two of the first two cycles' six still wait.
    ASSERT_EQ(m.memory.seen.size(), 7u);
    const std::uint64_t saver = 0x100000 + 3 * 16 * kSameSet + 9 * kSet;
    EXPECT_TRUE(m.memory.seen[4].address == saver || m.memory.seen[5].address == saver);
}

// 003:18971. Fills of four cycles keep its four writes in their queue: a flush takes them along.
TEST(L3Arbitration, AFlushDrainsTheQueueOfAnEngineThatSavesSlm) {
    GEN9_COVERS("PRE-24");
    OneBank m(2, 1);
    for (unsigned i = 0; i < 4; ++i) {
        m.read_miss(0, i, 924 + i);
        m.from[1]->send(m.from[1]->write(8 * kSet + i * kSet, 64, 0x77), 1000);
    }
    m.run_to(1027);
    EXPECT_EQ(m.sum("writes"), 0u) << "none has been served";
    CacheControl flush;
    flush.flush_data = true;
    m.run_to(1027 + m.apply(flush));
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(m.word(8 * kSet + i * kSet), 0x77777777u) << i;
}

// Four requests wait, besides those on their way: 003:18965.
TEST(L3Arbitration, AnEngineThatSavesSlmHasFourCredits) {
    GEN9_COVERS("PRE-23");
    Bench m(Timing::Timed, 2, {"l3.super_queue=1", "l3.bank_queue=8"}, 4, 1, 1);
    m.memory.stalled = true;
    for (unsigned i = 0; i < 60; ++i)
        for (unsigned c = 0; c < 2; ++c)
            m.from[c]->send(m.from[c]->read(i * 256 + c * 64));
    m.run_to(1000);
    EXPECT_EQ(m.from[0]->sent, m.from[1]->sent + 8 - 4);
    m.memory.resume();
    sc_core::sc_start();
    EXPECT_EQ(m.from[1]->ended.size(), 60u);
}

TEST(L3Arbitration, OfOneSetOneIsLookedUpACycle) {
    GEN9_COVERS("L3-27");
    OneBank m(3);
    for (unsigned c = 0; c < 3; ++c)
        m.read_miss(c, 5, 1000);
    EXPECT_EQ(m.misses_after(1000), 1u);
    EXPECT_EQ(m.misses_after(1001), 2u);
    EXPECT_EQ(m.misses_after(1002), 3u);
}

TEST(L3Arbitration, AFillComesBeforeReadsAndLeavesThemOneLookup) {
    GEN9_COVERS("L3-23 L3-26");
    OneBank m(4);
    m.read_miss(0, 0, 900);
    for (unsigned c = 1; c < 4; ++c)
        m.read_miss(c, c, 1000);
    EXPECT_EQ(m.misses_after(999), 1u);
    EXPECT_EQ(m.sum("fills"), 0u);
    EXPECT_EQ(m.misses_after(1000), 2u);
    EXPECT_EQ(m.sum("fills"), 1u);
    EXPECT_EQ(m.misses_after(1001), 4u);
}

TEST(L3Arbitration, OneFillACycle) {
    GEN9_COVERS("L3-23 L3-26");
    OneBank m(2);
    // The second is fetched a cycle later and comes a cycle sooner.
    m.read_miss(0, 0, 900);
    m.read_miss(1, 1, 901);
    m.run_to(902);
    m.memory.latency -= 1;
    m.run_to(1000);
    EXPECT_EQ(m.sum("fills"), 0u);
    m.run_to(1001);
    EXPECT_EQ(m.sum("fills"), 1u);
    m.run_to(1002);
    EXPECT_EQ(m.sum("fills"), 2u);
}

TEST(L3Arbitration, AWriteAsksAsAFillDoes) {
    GEN9_COVERS("L3-23");
    OneBank m(2);
    m.read_miss(0, 0, 900);
    // The line fills in cycle 1000: the write waits.
    auto* beside = m.from[1]->send(m.from[1]->write(7 * kSet, 64, 1), 1000 - 24);
    auto* alone = m.from[1]->send(m.from[1]->write(8 * kSet, 64, 1), 1100 - 24);
    // One that needs no array waits all the same.
    m.read_miss(0, 3, 1200);
    auto* uncached = m.from[1]->write(5 * kSet, 64, 1);
    uncached->attributes.uncached = true;
    m.from[1]->send(uncached, 1300 - 24);
    m.run_to(1301);
    EXPECT_EQ(m.sum("fills"), 2u);
    EXPECT_EQ(m.sum("bypasses"), 0u);
    m.run_to(1302);
    EXPECT_EQ(m.sum("bypasses"), 1u);
    m.run();
    ASSERT_EQ(m.l3.params.request_cycles, 24u);
    EXPECT_EQ(m.end_of(beside), 1001 + m.l3.params.return_cycles);
    EXPECT_EQ(m.end_of(alone), 1100 + m.l3.params.return_cycles);
}

TEST(L3Arbitration, OneWriteACycleAlsoWhereItNeedsNoArray) {
    GEN9_COVERS("L3-23");
    OneBank m(2);
    for (unsigned c = 0; c < 2; ++c) {
        auto* write = m.from[c]->write(c * kSet, 64, 1);
        write->attributes.uncached = true;
        m.from[c]->send(write, 1000 - 24);
    }
    m.run_to(1001);
    EXPECT_EQ(m.sum("bypasses"), 1u);
    m.run_to(1002);
    EXPECT_EQ(m.sum("bypasses"), 2u);
    m.run();
}

TEST(L3Arbitration, EachBankOf192KBHasItsOwnSuperQueueAndAtomicUnits) {
    GEN9_COVERS("L3-04");
    Bench bench(Timing::Timed, 2, {"l3.super_queue=2"});
    EXPECT_EQ(bench.l3.params.ways * 2048, 192u * 1024);
    auto& a = *bench.from[0];
    auto& b = *bench.from[1];
    a.send(a.read(0));
    b.send(b.read(64));
    // Atomics of two banks at once, 16 cycles each.
    auto* first = a.send(a.atomic(0, AtomicOp::Inc, 16, 0, 0), 1000);
    auto* second = b.send(b.atomic(64, AtomicOp::Inc, 16, 0, 0), 1000);
    bench.run_to(2000);
    EXPECT_EQ(bench.end_of(first), bench.end_of(second));
    // Bank 0's super queue is full; bank 1's is not.
    bench.memory.stalled = true;
    for (unsigned i = 1; i < 4; ++i)
        a.send(a.read(i * 256));
    bench.run_to(2100);
    EXPECT_EQ(bench.l3.bank_stats(0).misses.value(), 1u + 2);
    b.send(b.read(0x1040));
    bench.run_to(2200);
    EXPECT_EQ(bench.l3.bank_stats(1).misses.value(), 1u + 1);
    bench.memory.resume();
    bench.run();
}

/// Requests that each of ten clients has had served when the first of them is through. Those named
/// bring 600 each, to one bank; the others nothing.
std::vector<std::size_t> served_when_one_is_through(const std::string& policy,
                                                    const std::vector<unsigned>& readers,
                                                    const std::vector<unsigned>& writers = {},
                                                    const std::string& weights = "[1]") {
    constexpr unsigned kClients = 10, kRequests = 600;
    Bench bench(Timing::Timed, kClients,
                {"l3.arbitration=" + policy, "l3.arbitration_weights=" + weights}, 1);
    for (unsigned c = 0; c < kClients; ++c)
        bench.from[c]->send(bench.from[c]->write(c * kSet, 64, 1));
    bench.run();
    for (unsigned i = 0; i < kRequests; ++i) {
        for (const unsigned c : readers)
            bench.from[c]->send(bench.from[c]->read(c * kSet), 1000);
        for (const unsigned c : writers)
            bench.from[c]->send(bench.from[c]->write(c * kSet, 64, 2), 1000);
    }
    bench.run();
    const auto last_of = [&](unsigned c) { return bench.from[c]->ended.back().cycle; };
    std::uint64_t through = ~std::uint64_t{0};
    for (const auto& group : {readers, writers})
        for (const unsigned c : group)
            through = std::min(through, last_of(c));
    std::vector<std::size_t> served(kClients);
    for (unsigned c = 0; c < kClients; ++c)
        for (const auto& e : bench.from[c]->ended)
            served[c] += e.cycle > 1000 && e.cycle <= through;
    return served;
}

class L3Fairness : public testing::TestWithParam<const char*> {};

TEST_P(L3Fairness, ClientsWithEqualWorkOnOneBankFinishTogether) {
    const auto served = served_when_one_is_through(GetParam(), {1, 3, 5});
    EXPECT_EQ(served[1], 600u);
    EXPECT_NEAR(static_cast<double>(served[3]), 600, 2);
    EXPECT_NEAR(static_cast<double>(served[5]), 600, 2);
    EXPECT_EQ(served[4], 0u);
}

TEST_P(L3Fairness, NeighboursDoAsWell) {
    const auto served = served_when_one_is_through(GetParam(), {1, 2, 3});
    for (const unsigned c : {1u, 2u, 3u})
        EXPECT_NEAR(static_cast<double>(served[c]), 600, 2);
}

INSTANTIATE_TEST_SUITE_P(Policies, L3Fairness,
                         testing::Values("least_recently_served", "round_robin", "oldest_first",
                                         "age_weighted"),
                         [](const auto& test) { return std::string(test.param); });

TEST(L3Arbitration, AWriterBesideReadersTakesNoTurnFromThem) {
    const auto served = served_when_one_is_through("least_recently_served", {1, 2}, {3});
    EXPECT_EQ(served[3], 600u);
    EXPECT_NEAR(static_cast<double>(served[1]), 300, 26);  // ways differ by the bank's cycles
    EXPECT_NEAR(static_cast<double>(served[1]), static_cast<double>(served[2]), 2);
}

TEST(L3Arbitration, FixedPriorityServesTheFirstClientFirst) {
    const auto served = served_when_one_is_through("fixed_priority", {2, 7});
    EXPECT_EQ(served[2], 600u);
    EXPECT_LE(served[7], 1u);
}

TEST(L3Arbitration, WeightsOfAgeGiveAClientAGreaterShare) {
    const auto served = served_when_one_is_through("age_weighted", {1, 2}, {}, "[1,4,1]");
    EXPECT_EQ(served[1], 600u);
    EXPECT_LT(served[2], 450u);
    EXPECT_GT(served[2], 50u);
}

TEST(L3Arbitration, ClientsOfDifferentBanksDoNotWaitForEachOther) {
    Bench bench(Timing::Timed, 2, {"l3.arbitration=fixed_priority"}, 2);
    for (unsigned c = 0; c < 2; ++c)
        bench.from[c]->send(bench.from[c]->write(c * 64, 64, 1));
    bench.run();
    for (unsigned i = 0; i < 100; ++i)
        for (unsigned c = 0; c < 2; ++c)
            bench.from[c]->send(bench.from[c]->read(c * 64), 1000);
    bench.run();
    EXPECT_EQ(bench.from[0]->ended.back().cycle, bench.from[1]->ended.back().cycle);
}

constexpr unsigned kLines = 384 * 16;  ///< that 48 ways hold

/// Misses of a second pass over 384 KB, after another 384 KB had been read.
std::uint64_t misses_of_second_pass(const char* replacement) {
    Bench bench(Timing::Timed, 1, {std::string("l3.replacement=") + replacement});
    bench.write_register(0x7034, 0x60000321);
    auto& from = *bench.from[0];
    for (const std::uint64_t region : {0x100000, 0, 0})
        for (unsigned i = 0; i < kLines; ++i)
            from.send(from.read(region + i * 64));
    bench.run();
    return bench.sum("misses") - 2 * kLines;
}

TEST(L3Replacement, OneBitLruUsesAllOf48Ways) {
    GEN9_COVERS("L3-09 L3-42");
    EXPECT_EQ(misses_of_second_pass("one_bit_lru"), 0u);
}

TEST(L3Replacement, PseudoLruHasHotWaysAmong48) {
    GEN9_COVERS("L3-09 L3-43");
    // 48 is 16 times three ways, of which one is filled as often as the other two: of the lines of
    // a pass a third is lost before its end.
    EXPECT_GE(misses_of_second_pass("pseudo_lru"), kLines / 3);
}

}  // namespace
}  // namespace gen9::l3
