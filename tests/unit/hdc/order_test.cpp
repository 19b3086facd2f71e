// SPDX-License-Identifier: Apache-2.0
// In what order messages start, act and are answered: addresses, fences, SLM, the EUs' queues.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/covers.h"
#include "tests/unit/hdc/thread_messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

TEST(Order, AThreadsAccessesToOneAddressKeepTheirOrder) {
    GEN9_COVERS("DP-020");
    Machine m("m");
    for (unsigned n = 0; n < 20; ++n) {
        const std::uint64_t a = kData + n * 4;
        m.send(0, 0,
               Send(DC0, 0x020308FF, 1)
                   .add(U32(8, static_cast<std::uint32_t>(a - test::Bench::kGeneralBase)))
                   .add(U32(8, 1)));
        m.send(0, 0, add(a, 1));
        m.send(0, 0, read(a));
    }
    m.state->general_state_size = 0x100000;
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    m.expect_quiet();
    for (unsigned n = 0; n < 20; ++n)
        EXPECT_EQ(result(m.eus[0]->items[n * 3 + 2]), 2u);
}

TEST(Order, AFastAddressMayOvertakeASlowOne) {
    GEN9_COVERS("DP-021 DP-024 DP-036");
    Machine m("m");
    m.memory.slow_line = kData;
    m.memory.slow_latency = 500;
    m.send(0, 0, read(kData));
    m.send(0, 0, read(kData + 64));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_LT(m.eus[0]->items[1].answered, m.eus[0]->items[0].answered);
}

TEST(Order, AFenceIsAnsweredAfterAllEarlierMessagesOfItsThread) {
    GEN9_COVERS("DP-196 DP-197");
    Machine m("m");
    m.memory.slow_line = kData;
    m.memory.slow_latency = 500;
    m.send(0, 0, write(kData, 5));
    m.send(0, 0, write(kData + 64, 6));
    m.send(0, 0, fence());
    m.send(0, 1, read(kData + 128));  // another thread does not wait
    m.send(1, 0, fence());            // nor another thread's fence
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    const auto& items = m.eus[0]->items;
    EXPECT_GT(items[2].answered, items[0].answered);
    EXPECT_GT(items[2].answered, items[1].answered);
    EXPECT_LT(items[3].answered, items[0].answered);
    EXPECT_LT(m.eus[1]->items[0].answered, items[0].answered);
}

TEST(Order, MessagesAfterAFenceTakeEffectAfterThoseBefore) {
    GEN9_COVERS("DP-196 DP-200");
    Machine m("m");
    const std::uint64_t data = kData, flag = kData + 64;  // another bank
    m.memory.slow_line = data;
    m.memory.slow_latency = 300;
    m.send(0, 0, write(data, 1));
    m.send(0, 0, fence());
    m.send(0, 0, write(flag, 1));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(m.memory.served, (std::vector<std::uint64_t>{data, flag}));
}

TEST(Order, WithoutAFenceTheOrderMayBeSeenReversed) {
    GEN9_COVERS("DP-021");
    Machine m("m");
    m.memory.slow_line = kData;
    m.memory.slow_latency = 300;
    m.send(0, 0, write(kData, 1));
    m.send(0, 0, write(kData + 64, 1));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(m.memory.served, (std::vector<std::uint64_t>{kData + 64, kData}));
}

TEST(Order, SharedLocalMemoryIsAccessedInOrderOfArrival) {
    GEN9_COVERS("DP-027 L3-61");
    // Messages wait to be started in the one, their requests to be taken by SLM in the other.
    Machine starting("starting", Timing::Timed, 2, 1, {"starting_hdc.messages_in_flight=1"});
    Machine sending("sending", Timing::Timed, 2);
    sending.slm.most_accept = 40;
    for (Machine* m : {&starting, &sending})
        for (unsigned n = 0; n < 8; ++n)
            m->send(n / 4, n % 4, count_in_slm(), Cycles(100 + n));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    for (Machine* m : {&starting, &sending}) {
        m->expect_quiet();
        for (unsigned n = 0; n < 8; ++n)
            EXPECT_EQ(result(m->eus[n / 4]->items[n % 4]), n);
    }
}

TEST(Order, AnAccessToSlmDoesNotPassOneThatAFenceHolds) {
    GEN9_COVERS("L3-61");
    Machine m("m");
    m.memory.slow_line = kData;
    m.memory.slow_latency = 500;
    m.send(0, 0, write(kData, 1), Cycles(10));
    m.send(0, 0, fence(), Cycles(11));
    m.send(0, 0, count_in_slm(), Cycles(12));
    m.send(1, 0, count_in_slm(), Cycles(50));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(result(m.eus[0]->items[2]), 0u);
    EXPECT_EQ(result(m.eus[1]->items[0]), 1u);
}

/// Sends two messages of two threads, the first held by a fence behind a slow write.
void send_behind_fence(Machine& m, const Send& held, const Send& free) {
    m.memory.slow_line = kData;
    m.memory.slow_latency = 500;
    m.send(0, 0, write(kData, 1), Cycles(10));
    m.send(0, 0, fence(), Cycles(11));
    m.send(0, 0, held, Cycles(12));
    m.send(1, 0, free, Cycles(50));
}

TEST(Order, ScaledMessagesToSlmKeepItsOrderToo) {
    GEN9_COVERS("L3-61");
    // Port 2 without a header, with the scale enabled: SLM at 64 + 4 * offset.
    constexpr std::uint32_t kScaled = 1u << 7 | 3;
    Send write_slm(DC2, 9u << 15 | 2u << 12 | 0xEu << 8 | kScaled, 1);
    write_slm.add(U32(8, 0)).add(U32(8, 77));
    Send read_slm(DC2, 1u << 15 | 2u << 12 | 0xEu << 8 | kScaled | 1u << 20, 1);
    read_slm.add(U32(8, 0));
    write_slm.message.extended_descriptor = read_slm.message.extended_descriptor = 64u << 16 | 4;
    Machine both("both"), plain_first("plain_first"), plain_last("plain_last");
    send_behind_fence(both, write_slm, read_slm);
    send_behind_fence(plain_first,
                      Send(DC1, kUntypedWrite8 | kLocal, 1).add(U32(8, 64)).add(U32(8, 77)),
                      read_slm);
    send_behind_fence(plain_last, write_slm, Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 64)));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    for (Machine* m : {&both, &plain_first, &plain_last}) {
        m->expect_quiet();
        EXPECT_EQ(m->test.reporter.guest_errors(), 0u);
        EXPECT_EQ(result(m->eus[1]->items[0]), 77u) << m->hdc.name();
    }
}

TEST(Order, WhatIsNotForSlmHasNoPartInItsOrder) {
    // Low bits of a scratch block's offset look like the index of SLM; so may a port 2 pitch.
    const Send scratch = Send(DC0, 0x021C0000 | kLocal).header({{5, 0x1400}});
    const Send scaled = Send(DC2, 1u << 15 | 2u << 12 | 0xEu << 8 | kLocal | 1u << 20 | 1u << 19, 1)
                            .header({{7, 0xFFFF}})
                            .add(U32(8, 64));
    Machine m[] = {Machine("a"), Machine("b"), Machine("c"), Machine("d")};
    send_behind_fence(m[0], scratch, count_in_slm());
    send_behind_fence(m[1], count_in_slm(), scratch);
    send_behind_fence(m[2], scaled, count_in_slm());
    send_behind_fence(m[3], count_in_slm(), scaled);
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    for (Machine& each : m) {
        each.expect_quiet();
        EXPECT_EQ(each.test.reporter.guest_errors(), 0u);
        EXPECT_LT(each.eus[1]->items[0].answered, each.eus[0]->items[0].answered)
            << each.hdc.name();
    }
}

TEST(Order, AFenceWaitsForAMessageOfItsThreadThatWasPassedOver) {
    GEN9_COVERS("DP-196");
    Machine m("m");
    send_behind_fence(m, count_in_slm(), count_in_slm());
    m.send(1, 0, fence(), Cycles(51));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_GT(m.eus[1]->items[1].answered, m.eus[1]->items[0].answered);
}

/// The EUs whose messages were started, in order.
std::string order_of_starts(const Machine& m) {
    std::vector<std::pair<Cycles, char>> starts;
    for (unsigned eu = 0; eu < m.eus.size(); ++eu)
        for (const auto& item : m.eus[eu]->items)
            starts.emplace_back(item.accepted, static_cast<char>('0' + eu));
    std::sort(starts.begin(), starts.end());
    std::string order;
    for (const auto& start : starts)
        order += start.second;
    return order;
}

TEST(Order, WhoseMessageIsStartedIsTheArbitersChoice) {
    const struct {
        const char *policy, *order;
    } rows[] = {{"oldest_first", "11110000"},
                {"age_weighted", "11110000"},
                {"fixed_priority", "10000111"},
                {"round_robin", "10101010"},
                {"least_recently_served", "10101010"}};
    std::deque<Machine> global, local;
    for (const auto& row : rows) {
        const std::string policy = std::string("_hdc.arbitration=") + row.policy;
        const std::string name(row.policy);
        Machine& memory = global.emplace_back(name, Timing::Timed, 2, 1,
                                              std::vector{std::string(name).append(policy)});
        Machine& slm =
            local.emplace_back(std::string(name).append("_slm"), Timing::Timed, 2, 1,
                               std::vector{std::string(name).append("_slm").append(policy)});
        for (unsigned n = 0; n < 8; ++n) {
            const unsigned eu = n < 4 ? 1 : 0;
            memory.send(eu, n % 4, read(kData + n * 64), Cycles(n < 4 ? 100 : 101));
            slm.send(eu, n % 4, count_in_slm(), Cycles(n < 4 ? 100 : 101));
        }
    }
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    for (std::size_t i = 0; i < global.size(); ++i) {
        SCOPED_TRACE(rows[i].policy);
        global[i].expect_quiet();
        local[i].expect_quiet();
        EXPECT_EQ(order_of_starts(global[i]), rows[i].order);
        // SLM is accessed in order of arrival all the same (L3-61).
        for (unsigned n = 0; n < 8; ++n)
            EXPECT_EQ(result(local[i].eus[n < 4 ? 1 : 0]->items[n % 4]), n);
    }
}

}  // namespace
}  // namespace gen9::hdc
