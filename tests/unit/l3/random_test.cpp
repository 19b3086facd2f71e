// SPDX-License-Identifier: Apache-2.0
// Many clients, few lines, tiny queues: whatever happens inside, each client sees its own accesses
// in order, and memory ends as the plain sequence of effects says.
#include <random>

#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

struct Traffic {
    unsigned lines;
    std::vector<std::string> settings;
    std::uint32_t partition;
};

/// Every client owns a word of each line, so a reference per client predicts all it can see.
void run_traffic(const Traffic& traffic, std::uint32_t seed) {
    constexpr unsigned kClients = 5, kRequests = 3000;
    Bench bench(Timing::Timed, kClients, traffic.settings);
    bench.write_register(0x7034, traffic.partition);
    std::mt19937 random(seed);
    std::vector<std::uint32_t> reference(traffic.lines * kClients);
    const auto address = [](unsigned line, unsigned client) {
        return std::uint64_t{line} * 2048 + client * 8;
    };
    for (unsigned line = 0; line < traffic.lines; ++line)
        for (unsigned c = 0; c < kClients; ++c)
            reference[line * kClients + c] = bench.word(address(line, c));

    struct Expected {
        MemoryTransaction* transaction;
        std::uint32_t value;
        bool lanes;
    };
    std::vector<Expected> expected;
    for (unsigned i = 0; i < kRequests; ++i)
        for (unsigned c = 0; c < kClients; ++c) {
            auto& from = *bench.from[c];
            const unsigned line = random() % traffic.lines, kind = random() % 8;
            std::uint32_t& value = reference[line * kClients + c];
            const std::uint64_t at = i * 2;
            if (kind < 3) {
                auto* t = from.read(address(line, c), 4);
                t->attributes.uncached = kind == 0 && random() % 8 == 0;
                if (random() % 4 == 0) t->attributes.requester = Requester::ConstantCache;
                expected.push_back({t, value, false});
                from.send(t, at);
            } else if (kind < 6) {
                const auto byte = static_cast<std::uint8_t>(random());
                auto* t = from.write(address(line, c), 4, byte);
                const unsigned mask = random() % 4 ? 0xF : random() % 16;
                t->enable_bytes(mask, 4);
                t->attributes.uncached = random() % 16 == 0;
                for (unsigned b = 0; b < 4; ++b)
                    if (mask >> b & 1)
                        value = with_bits<std::uint32_t>(value, b * 8 + 7, b * 8, byte);
                from.send(t, at);
            } else {
                auto* t = from.atomic(address(line, c), AtomicOp::Add, 2, 0, 3);
                expected.push_back({t, value + 3, true});
                value += 6;
                from.send(t, at);
            }
        }
    bench.run();
    for (const auto& e : expected)
        ASSERT_EQ(e.lanes ? e.transaction->attributes.lanes.result[1]
                          : load<std::uint32_t>(e.transaction->data),
                  e.value)
            << "address " << e.transaction->get_address();
    for (auto& from : bench.from) {
        EXPECT_EQ(from->ended.size(), kRequests);
        from->clear();
        EXPECT_EQ(from->pool.in_flight(), 0u);
    }
    EXPECT_TRUE(bench.l3.idle());
    EXPECT_EQ(bench.l3.in_flight(), 0u);
    bench.flush();
    for (unsigned line = 0; line < traffic.lines; ++line)
        for (unsigned c = 0; c < kClients; ++c)
            EXPECT_EQ(bench.word(address(line, c)), reference[line * kClients + c]);
}

TEST(L3Random, FewLinesManyMerges) {
    run_traffic({6, {}, 0x80000340}, 1);
}
TEST(L3Random, OneWayAndManyVictims) {
    run_traffic({400, {}, 48u << 1 | 1u << 25}, 2);
}
TEST(L3Random, TinyQueues) {
    run_traffic(
        {200,
         {"l3.bank_queue=1", "l3.super_queue=2", "l3.memory_queue=2", "l3.request_cycles=1"},
         48u << 1 | 2u << 25},
        3);
}
TEST(L3Random, WritesThatPass) {
    run_traffic({200, {"l3.write_misses=pass"}, 48u << 1 | 2u << 25}, 6);
}
TEST(L3Random, WritesOfPartsThatHaveTheRestFetched) {
    run_traffic({200, {"l3.write_misses=fetch"}, 48u << 1 | 2u << 25}, 8);
}
TEST(L3Random, WritesThatGoThrough) {
    run_traffic({200, {"l3.writes=through"}, 48u << 1 | 2u << 25}, 7);
}
TEST(L3Random, SplitPools) {
    run_traffic({300,
                 {"l3.bank_hash=folded", "l3.replacement=one_bit_lru_hits"},
                 32u << 1 | 2u << 11 | 1u << 18},
                4);
}
TEST(L3Random, NoWaysForData) {
    run_traffic({50, {}, 32u << 1 | 4u << 11}, 5);
}

}  // namespace
}  // namespace gen9::l3
