// SPDX-License-Identifier: Apache-2.0
#include "gateway/core.h"

#include <deque>
#include <memory>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/gateway/messages.h"

namespace gen9::gateway::test {
namespace {

struct Bench {
    GatewayCore core{true};
    std::deque<ThreadSideband> threads{64};
    std::deque<Message> messages;
    std::vector<Waiting> released, abandoned;

    Message& barrier_message(unsigned thread, unsigned id) {
        make_barrier(messages.emplace_back(), id, threads[thread]);
        return messages.back();
    }
    GatewayCore::Arrival arrive(Message& m) {
        released.clear();
        return core.arrive({&m, m.sender, 0, {}}, released);
    }
    GatewayCore::Arrival arrive(unsigned thread, unsigned id) {
        return arrive(barrier_message(thread, id));
    }
};

TEST(GatewayCore, LastArrivalReleasesAllAndTheBarrierStartsOver) {
    GEN9_COVERS("TD-05 GW-06 GW-07 GW-08");
    Bench b;
    b.core.set_up(3, 2, b.abandoned);
    for (unsigned round = 0; round < 3; ++round) {
        Message& first = b.barrier_message(0, 3);
        EXPECT_FALSE(b.arrive(first).opened);
        EXPECT_TRUE(b.released.empty());
        EXPECT_EQ(first.notifications, 0);
        Message& second = b.barrier_message(1, 3);
        EXPECT_TRUE(b.arrive(second).opened);
        EXPECT_EQ(b.released.size(), 2u);
        for (const Message* m : {&first, &second}) {
            EXPECT_EQ(m->notifications, 1);
            EXPECT_EQ(m->status, MessageStatus::Ok);
            EXPECT_EQ(m->response_enable[0], 0u) << "no register is written";
        }
        EXPECT_EQ(b.core.barrier(3).count, 0);
    }
}

// Of threads that are saved: they arrive again when they come back.
TEST(GatewayCore, WhatIsGivenBackHasNotArrived) {
    Bench b;
    b.core.set_up(3, 2, b.abandoned);
    Message& first = b.barrier_message(0, 3);
    b.arrive(first);
    b.core.give_back(b.abandoned);
    ASSERT_EQ(b.abandoned.size(), 1u);
    EXPECT_EQ(b.abandoned[0].message, &first);
    EXPECT_EQ(first.notifications, 0);
    EXPECT_FALSE(b.arrive(1, 3).opened);
    EXPECT_TRUE(b.arrive(0, 3).opened);
}

TEST(GatewayCore, BarrierIdIsFiveBitsInTwoPlaces) {
    GEN9_COVERS("TD-55 GW-04");
    Grf payload;
    set_dword(payload, 2, 0x8B000000);
    EXPECT_EQ(decode_barrier(payload).id, 27);
    set_dword(payload, 2, 0x0B000000);
    EXPECT_EQ(decode_barrier(payload).id, 11);
}

TEST(GatewayCore, IgnoredFieldsDoNotMatter) {
    GEN9_COVERS("TD-56 TD-58 GW-05");
    Bench b;
    b.core.set_up(11, 2, b.abandoned);
    for (unsigned thread = 0; thread < 2; ++thread) {
        Message& m = b.barrier_message(thread, 11);
        for (unsigned d : {0u, 1u, 3u, 4u, 5u, 6u, 7u})
            set_dword(m.payload[0], d, ~0u);
        set_dword(m.payload[0], 2, 0x0B000000 | 0x00FF7FFF);  // [15] and [30] clear
        EXPECT_FALSE(b.core.check(m));
        const auto arrival = b.arrive(m);
        EXPECT_FALSE(arrival.problem);
        EXPECT_EQ(arrival.opened, thread == 1);
    }
    EXPECT_EQ(b.core.barrier(11).terminating, 2);
}

TEST(GatewayCore, GroupsDoNotDisturbEachOther) {
    GEN9_COVERS("GW-06 GW-07 GW-14");
    Bench b;
    std::vector<unsigned> order;
    for (unsigned id = 0; id < 32; ++id) {
        b.core.set_up(id, 1 + id, b.abandoned);
        order.insert(order.end(), 1 + id, id);
    }
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    std::array<unsigned, 32> arrived{};
    for (const unsigned id : order) {
        const bool last = ++arrived[id] == 1 + id;
        EXPECT_EQ(b.arrive(arrived[id], id).opened, last);
        EXPECT_EQ(b.released.size(), last ? 1 + id : 0);
    }
}

TEST(GatewayCore, AShareOfAGlobalBarrierIsReportedAndHeldUntilTheRoundIsComplete) {
    GEN9_COVERS("TD-52 GW-35");
    Bench b;
    std::vector<Waiting> released;
    b.core.arm(9, 2, released);
    for (unsigned round = 0; round < 3; ++round) {
        EXPECT_TRUE(released.empty());
        Message& first = b.barrier_message(0, 9);
        EXPECT_FALSE(b.arrive(first).met);
        Message& second = b.barrier_message(1, 9);
        const auto arrival = b.arrive(second);
        EXPECT_TRUE(arrival.met);
        EXPECT_FALSE(arrival.opened);
        EXPECT_FALSE(arrival.problem);
        EXPECT_TRUE(b.released.empty());
        EXPECT_EQ(second.notifications, 0);
        b.core.arm(9, 2, released);
        EXPECT_EQ(released.size(), 2u);
        EXPECT_EQ(first.notifications, 1);
        EXPECT_EQ(second.notifications, 1);
        released.clear();
    }
    // An ordinary set-up makes it local again.
    b.core.set_up(9, 1, b.abandoned);
    EXPECT_TRUE(b.arrive(0, 9).opened);
}

TEST(GatewayCore, CountsPredicatesAndTooManyThreadsAtAGlobalBarrierAreReported) {
    GEN9_COVERS("GW-19 GW-35");
    Bench b;
    std::vector<Waiting> released;
    b.core.arm(0, 2, released);
    Message& counted = b.barrier_message(0, 0);
    set_dword(counted.payload[0], 2, 1u << 15 | 1u << 9);
    const auto arrival = b.arrive(counted);
    EXPECT_TRUE(arrival.problem);
    EXPECT_FALSE(arrival.met) << "the count stays";
    EXPECT_TRUE(b.arrive(1, 0).met);
    const auto third = b.arrive(2, 0);
    EXPECT_TRUE(third.problem);
    EXPECT_FALSE(third.met);
}

TEST(GatewayCore, CountEnableReprogramsAndStays) {
    GEN9_COVERS("TD-57 GW-18 GW-20");
    Bench b;
    b.core.set_up(5, 4, b.abandoned);
    const auto arrive = [&](unsigned thread, bool with_count) {
        Message& m = b.barrier_message(thread, 5);
        // The hull shader's way: instances << 9 and bit 15.
        if (with_count) set_dword(m.payload[0], 2, 0x05000000 | 1u << 15 | 2u << 9);
        return b.arrive(m).opened;
    };
    EXPECT_FALSE(arrive(0, true));
    EXPECT_TRUE(arrive(1, true));
    EXPECT_FALSE(arrive(0, false));
    EXPECT_TRUE(arrive(1, false)) << "the new count stays";
}

TEST(GatewayCore, PredicatedBarrierAnswersWithTheSum) {
    GEN9_COVERS("TD-56 GW-21 GW-22");
    Bench b;
    b.core.set_up(0, 2, b.abandoned);
    const std::uint32_t masks[] = {0x00FF, 0xFFFF};
    for (unsigned thread = 0; thread < 2; ++thread) {
        Message& m = b.barrier_message(thread, 0);
        m.response_length = 1;
        set_dword(m.payload[0], 2, 1u << 30);
        set_dword(m.payload[0], 3, masks[thread]);
        EXPECT_FALSE(b.core.check(m));
        b.arrive(m);
    }
    for (const Message& m : b.messages) {
        EXPECT_EQ(get_dword(m.response[0], 0) & 0xFFFF, 24u);
        EXPECT_EQ(m.response_enable[0], 0x3u) << "the rest of the register keeps its contents";
        EXPECT_EQ(m.notifications, 0);
    }
}

TEST(GatewayCore, AllThreadsOfABarrierAreToSendTheSamePredicateEnable) {
    GEN9_COVERS("GW-23");
    for (const bool first : {false, true}) {
        Bench b;
        b.core.set_up(0, 2, b.abandoned);
        const auto arrive = [&](unsigned thread, bool predicated) {
            Message& m = b.barrier_message(thread, 0);
            m.response_length = predicated ? 1 : 0;
            set_dword(m.payload[0], 2, predicated ? 1u << 30 : 0);
            return b.arrive(m);
        };
        EXPECT_FALSE(arrive(0, first).problem);
        const auto second = arrive(1, !first);
        EXPECT_TRUE(second.problem);
        EXPECT_TRUE(second.opened) << "nobody is left waiting";
        EXPECT_FALSE(arrive(0, !first).problem) << "the next round is its own";
        EXPECT_FALSE(arrive(1, !first).problem);
    }
}

TEST(GatewayCore, NothingIsWrittenBackThatWasNotAskedFor) {
    GEN9_COVERS("GW-25");
    Bench b;
    // No bit of the descriptor asks for an acknowledgement: all there are must be 0.
    for (unsigned bit = 3; bit <= 16; ++bit) {
        Message& m = b.barrier_message(0, 1);
        m.descriptor |= 1u << bit;
        EXPECT_TRUE(b.core.check(m)) << bit;
    }
    Message& time = b.messages.emplace_back();
    make_timestamp(time, b.threads[0]);
    time.response_length = 0;
    GatewayCore::timestamp(time, {4'000'000}, {0});
    EXPECT_EQ(time.response_enable[0], 0u);
    EXPECT_EQ(get_dword(time.response[0], 0), 0xCCCCCCCCu);
}

TEST(GatewayCore, MessagesOfEarlierGenerationsAreReservedFunctions) {
    GEN9_COVERS("GW-31");
    Bench b;
    // OpenGateway, CloseGateway, ForwardMsg, and what followed them.
    for (const unsigned function : {0u, 1u, 2u, 5u, 6u, 7u}) {
        Message& m = b.barrier_message(0, 1);
        m.descriptor = 0x02000000 | function;
        const auto problem = b.core.check(m);
        EXPECT_TRUE(problem.refused) << function;
        EXPECT_EQ(problem.text, "reserved function " + std::to_string(function));
    }
}

TEST(GatewayCore, BroxtonIgnoresThePredicate) {
    GEN9_COVERS("GW-24");
    Bench b;
    b.core = GatewayCore(false);
    b.core.set_up(0, 1, b.abandoned);
    Message& m = b.barrier_message(0, 0);
    set_dword(m.payload[0], 2, 1u << 30);
    EXPECT_FALSE(b.core.check(m));
    EXPECT_TRUE(b.arrive(m).opened);
    EXPECT_EQ(m.response_enable[0], 0u);
    EXPECT_EQ(m.notifications, 1);
}

TEST(GatewayCore, ABarrierThatIsNotAllocatedIsReportedAndHoldsNobody) {
    GEN9_COVERS("GW-17");
    Bench b;
    b.core.set_up(1, 2, b.abandoned);
    b.arrive(0, 1);
    const auto wrong = b.arrive(1, 2);
    EXPECT_TRUE(wrong.problem);
    EXPECT_EQ(b.released.size(), 1u);
    EXPECT_EQ(b.messages.back().status, MessageStatus::GuestError);
    EXPECT_EQ(b.messages.back().notifications, 0);
    EXPECT_EQ(b.core.barrier(1).count, 1) << "the other barrier is as it was";
    b.core.set_up(1, 0, b.abandoned);
    EXPECT_TRUE(b.arrive(0, 1).problem) << "freed";
}

TEST(GatewayCore, ArrivingTwiceOrWithDifferentCountsIsReported) {
    GEN9_COVERS("GW-18 GW-40");
    Bench b;
    b.core.set_up(1, 3, b.abandoned);
    EXPECT_FALSE(b.arrive(0, 1).problem);
    EXPECT_TRUE(b.arrive(0, 1).problem);
    EXPECT_FALSE(b.arrive(1, 1).problem);
    Message& first = b.barrier_message(0, 1);
    set_dword(first.payload[0], 2, 0x01000000 | 1u << 15 | 4u << 9);
    EXPECT_FALSE(b.arrive(first).problem);
    Message& second = b.barrier_message(1, 1);
    set_dword(second.payload[0], 2, 0x01000000 | 1u << 15 | 5u << 9);
    EXPECT_TRUE(b.arrive(second).problem);
}

TEST(GatewayCore, ABarrierGivenUpWithThreadsWaitingIsReportedAndLetsThemGo) {
    GEN9_COVERS("GW-40");
    Bench b;
    b.core.set_up(9, 3, b.abandoned);
    b.arrive(0, 9);
    b.arrive(1, 9);
    const auto problem = b.core.set_up(9, 0, b.abandoned);
    EXPECT_NE(problem.text.find("2 of 3"), std::string::npos) << problem.text;
    EXPECT_EQ(b.abandoned.size(), 2u);
    EXPECT_FALSE(b.core.set_up(9, 2, b.abandoned));
}

TEST(GatewayCore, DescriptorRules) {
    GEN9_COVERS("GW-02 GW-03");
    Bench b;
    const auto with = [&](auto change) {
        Message& m = b.barrier_message(0, 1);
        change(m);
        return bool(b.core.check(m));
    };
    EXPECT_FALSE(with([](Message&) {}));
    EXPECT_FALSE(with([](Message& m) { m.descriptor |= 3u << 17; })) << "ignored bits";
    EXPECT_TRUE(with([](Message& m) { m.header_present = true; }));
    EXPECT_TRUE(with([](Message& m) { m.descriptor |= 1u << 3; }));
    EXPECT_TRUE(with([](Message& m) { m.descriptor |= 1u << 16; }));
    EXPECT_TRUE(with([](Message& m) { m.length = 2; }));
    EXPECT_TRUE(with([](Message& m) { m.length = 0; }));
    EXPECT_TRUE(with([](Message& m) { m.response_length = 1; }));
    for (unsigned function : {0u, 1u, 2u, 5u, 6u, 7u})
        EXPECT_TRUE(with([&](Message& m) { m.descriptor = 0x02000000 | function; })) << function;
}

TEST(GatewayCore, TimestampCountsQuarterNanosecondsInTheHalfAskedFor) {
    GEN9_COVERS("GW-26 GW-27 GW-28 GW-29");
    Bench b;
    Message& low = b.messages.emplace_back();
    make_timestamp(low, b.threads[0]);
    // 1,000,000 ns: High = 976, Low = 576 * 4.
    GatewayCore::timestamp(low, {4'000'000}, {4 * 1024 + 7});
    EXPECT_EQ(get_dword(low.response[0], 0), 0x90000000u);
    EXPECT_EQ(get_dword(low.response[0], 1), 976u);
    EXPECT_EQ(get_dword(low.response[0], 2), 7u << 20);
    EXPECT_EQ(get_dword(low.response[0], 3), 1u);
    EXPECT_EQ(low.response_enable[0], 0x0000FFFFu);
    Message& high = b.messages.emplace_back();
    make_timestamp(high, b.threads[0], true);
    GatewayCore::timestamp(high, {4'000'000}, {0});
    EXPECT_EQ(get_dword(high.response[0], 4), 0x90000000u);
    EXPECT_EQ(get_dword(high.response[0], 5), 976u);
    EXPECT_EQ(high.response_enable[0], 0xFFFF0000u);
    for (unsigned d = 0; d < 4; ++d)
        EXPECT_EQ(get_dword(high.response[0], d), 0xCCCCCCCCu);
}

TEST(GatewayCore, AbsoluteTimeStepsWithTheTimestampClock) {
    GEN9_COVERS("GW-30");
    // 12 MHz: 83.33 ns a tick.
    EXPECT_EQ(absolute_time(1'000'000'000, 12'000'000).value, 4'000'000u);
    EXPECT_EQ(absolute_time(1'000'000'000 + 83'332, 12'000'000).value, 4'000'000u);
    EXPECT_EQ(absolute_time(1'000'000'000 + 83'334, 12'000'000).value, 4'000'333u);
    // An hour, without overflow.
    EXPECT_EQ(absolute_time(3'600'000'000'000'000ull, 12'000'000).value, 14'400'000'000'000ull);
}

TEST(GatewayCore, RelativeTimeIsWhatTheContextHasRun) {
    GEN9_COVERS("GW-30");
    EXPECT_EQ(relative_time(1'000, 0).value, 4u);
    EXPECT_EQ(relative_time(51'000, 50'000).value, 4u);
    // Restored after 2 ns elsewhere: it began before the engine did.
    EXPECT_EQ(relative_time(1'000, -1'000).value, 8u);
}

TEST(GatewayCore, EndOfThreadNamesItsSender) {
    GEN9_COVERS("TD-53 GW-33");
    Bench b;
    b.threads[0].fftid = 0x125;
    Message& m = b.barrier_message(0, 1);
    m.descriptor = 0x02000000;
    m.end_of_thread = true;
    set_dword(m.payload[0], 5, 0xFFFFFF25);
    EXPECT_EQ(GatewayCore::function_of(m.descriptor, true), GatewayCore::Function::EndOfThread);
    EXPECT_FALSE(b.core.check(m));
    set_dword(m.payload[0], 5, 0xFFFFFF24);
    EXPECT_TRUE(b.core.check(m));
}

TEST(GatewayCore, AThreadMayEndWithItsArrival) {
    GEN9_COVERS("GW-34");
    Bench b;
    b.core.set_up(1, 2, b.abandoned);
    Message& ending = b.barrier_message(0, 1);
    ending.end_of_thread = true;
    EXPECT_FALSE(b.arrive(ending).opened);
    EXPECT_EQ(b.released.size(), 1u) << "answered at once";
    EXPECT_EQ(ending.notifications, 0);
    EXPECT_TRUE(b.arrive(1, 1).opened);
    EXPECT_EQ(b.messages.back().notifications, 1);
}

TEST(GatewayCore, EachBitOfTheBarrierDwordHasOneMeaning) {
    GEN9_COVERS("TD-55 GW-04");
    for (unsigned bit = 0; bit < 32; ++bit) {
        Grf payload{};
        set_dword(payload, 2, 1u << bit);
        const BarrierRequest r = decode_barrier(payload);
        EXPECT_EQ(r.id, bit == 31 ? 16u : bit >= 24 && bit <= 27 ? 1u << (bit - 24) : 0u) << bit;
        EXPECT_EQ(r.predicate_enable, bit == 30) << bit;
        EXPECT_EQ(r.count_enable, bit == 15) << bit;
        EXPECT_EQ(r.count, bit >= 9 && bit <= 14 ? 1u << (bit - 9) : 0u) << bit;
    }
}

TEST(GatewayCore, EachRoundOfAPredicatedBarrierSumsAnew) {
    Bench b;
    b.core.set_up(0, 2, b.abandoned);
    for (const std::uint32_t mask : {0x00FFu, 0x0003u}) {
        for (unsigned thread = 0; thread < 2; ++thread) {
            Message& m = b.barrier_message(thread, 0);
            m.response_length = 1;
            set_dword(m.payload[0], 2, 1u << 30);
            set_dword(m.payload[0], 3, mask);
            b.arrive(m);
        }
        EXPECT_EQ(get_dword(b.messages.back().response[0], 0) & 0xFFFF, mask == 3 ? 4u : 16u);
    }
}

TEST(GatewayCore, ThreadsOfABarrierGivenUpAreNotReleasedAgain) {
    Bench b;
    b.core.set_up(9, 3, b.abandoned);
    b.arrive(0, 9);
    b.core.set_up(9, 1, b.abandoned);
    const auto next = b.arrive(1, 9);
    EXPECT_FALSE(next.problem) << next.problem.text;
    EXPECT_TRUE(next.opened);
    ASSERT_EQ(b.released.size(), 1u);
    EXPECT_EQ(b.released[0].sender, &b.threads[1]);
    EXPECT_EQ(b.messages.front().notifications, 0);
}

TEST(GatewayCore, AnArrivalAtABarrierThatIsNotAllocatedOpensNothing) {
    Bench b;
    const auto arrival = b.arrive(0, 2);
    EXPECT_FALSE(arrival.opened);
    EXPECT_EQ(arrival.barrier, 2u);
    EXPECT_EQ(arrival.count, 0u) << "nobody has arrived";
}

TEST(GatewayCore, OnlyAMessageWithoutPayloadIsRefusedForItsLength) {
    Bench b;
    Message& m = b.barrier_message(0, 1);
    m.length = 2;
    EXPECT_TRUE(b.core.check(m));
    EXPECT_FALSE(b.core.check(m).refused) << "its first register is the barrier's";
    m.length = 0;
    EXPECT_TRUE(b.core.check(m).refused);
    m.descriptor = 0;
    m.end_of_thread = true;
    EXPECT_EQ(b.core.check(m).text, "end of thread without a payload register");
}

TEST(GatewayCore, EightBitsOfAnEndOfThreadNameItsSender) {
    Bench b;
    for (unsigned bit = 0; bit < 32; ++bit) {
        Message& m = b.barrier_message(0, 1);
        m.descriptor = 0x02000000;
        m.end_of_thread = true;
        set_dword(m.payload[0], 5, 1u << bit);
        EXPECT_EQ(bool(b.core.check(m)), bit < 8) << bit;
        m.sender = nullptr;
        EXPECT_FALSE(b.core.check(m)) << "nobody to be named";
    }
}

TEST(GatewayCore, OneBitChoosesTheHalfOfATimestamp) {
    Bench b;
    for (unsigned bit = 0; bit < 32; ++bit) {
        Message& m = b.messages.emplace_back();
        make_timestamp(m, b.threads[0]);
        set_dword(m.payload[0], 5, 1u << bit);
        GatewayCore::timestamp(m, {4'000'000}, {0});
        EXPECT_EQ(m.response_enable[0], bit == 31 ? 0xFFFF0000u : 0x0000FFFFu) << bit;
    }
}

TEST(GatewayCore, RelativeTimeStaysExactForSeconds) {
    EXPECT_EQ(relative_time(3'000'000'000'000, 1'000'000'000'000).value, 8'000'000'000u);
}

}  // namespace
}  // namespace gen9::gateway::test
