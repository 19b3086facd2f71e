// SPDX-License-Identifier: Apache-2.0
// The parts of a message server: who is next, whose answer goes first, and when it is there.
#include "interconnect/kernel/message_server.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "interconnect/kernel/memory_transaction.h"

namespace gen9 {
namespace {

TEST(MemoryTransaction, EnablesTheBytesOfItsMask) {
    std::mt19937_64 random(4);
    MemoryPool pool;
    for (unsigned trial = 0; trial < 3000; ++trial) {
        const unsigned size = 1 + static_cast<unsigned>(random() % kLineBytes);
        const std::uint64_t mask = trial % 3 ? random() : std::uint64_t{1} << random() % size;
        MemoryTransaction& transaction = *pool.get();
        transaction.access(tlm::TLM_WRITE_COMMAND, 0, size);
        transaction.enable_bytes(mask, size);
        for (unsigned i = 0; i < size; ++i) {
            const bool enabled = transaction.get_byte_enable_ptr() == nullptr ||
                                 transaction.get_byte_enable_ptr()[i] == 0xFF;
            ASSERT_EQ(enabled, mask >> i & 1) << "byte " << i << " of " << size;
        }
        transaction.release();
    }
}

Arbiter oldest_first(unsigned ports) {
    return Arbiter(ArbitrationPolicy::named("oldest_first"), ports, {});
}

TEST(Intake, GivesWhatCameFirstWhicheverOrderItWasToldIn) {
    std::mt19937 random(1);
    Intake<unsigned> intake(oldest_first(4), 4);
    std::vector<std::pair<unsigned, unsigned>> told;  // arrival, port
    for (unsigned n = 0; n < 200; ++n) {
        const unsigned arrival = random() % 1000, port = random() % 4;
        intake.push(Cycles(arrival), port, arrival);
        told.emplace_back(arrival, port);
    }
    std::ranges::sort(told);
    for (const auto& [arrival, port] : told) {
        EXPECT_EQ(intake.earliest(), Cycles(arrival));
        const auto entry = intake.pop(Cycles(1000));
        EXPECT_EQ(entry.arrival, Cycles(arrival));
        EXPECT_EQ(entry.item, arrival);
    }
    EXPECT_TRUE(intake.empty());
}

TEST(Intake, WhatIsPassedOverKeepsItsPlace) {
    Intake<char> intake(oldest_first(2), 2);
    for (unsigned n = 0; n < 5; ++n)
        intake.push(Cycles(n), 1, static_cast<char>('a' + n));
    EXPECT_EQ(intake.take({1, 2}, Cycles(9)).item, 'c');
    EXPECT_EQ(intake.earliest(1), Cycles(0)) << "the oldest is another one";
    EXPECT_EQ(intake.take({1, 0}, Cycles(9)).item, 'a');
    EXPECT_EQ(intake.earliest(1), Cycles(1));
    intake.push(Cycles(7), 1, 'f');
    std::string rest;
    while (!intake.empty())
        rest += intake.pop(Cycles(9)).item;
    EXPECT_EQ(rest, "bdef");
    EXPECT_EQ(intake.waiting(), 0u);
}

TEST(DoneList, IsByCycleThenTargetWhoeverCalledFirst) {
    struct Flight : RequestFlight {
        char name = 0;
    };
    const auto order = [](std::initializer_list<std::tuple<char, unsigned, unsigned>> rows) {
        std::deque<Flight> flights;
        DoneList<Flight> done;
        for (const auto& [name, cycle, target] : rows) {
            Flight& flight = flights.emplace_back();
            flight.name = name;
            flight.complete = Cycles(cycle);
            flight.target = target;
            done.push(flight);
        }
        std::string text;
        while (!done.empty())
            text += done.pop().name;
        return text;
    };
    EXPECT_EQ(order({{'a', 5, 1}, {'b', 5, 0}, {'c', 4, 1}, {'d', 5, 0}, {'e', 9, 0}}), "cbdae");
    EXPECT_EQ(order({{'e', 9, 0}, {'c', 4, 1}, {'b', 5, 0}, {'d', 5, 0}, {'a', 5, 1}}), "cbdae");
}

TEST(ResponseBus, SendsSomeRegistersACycleOneResponseAfterTheOther) {
    ResponseBus bus(2);
    EXPECT_EQ(bus.send(Cycles(10), 3), Cycles(12));
    EXPECT_EQ(bus.send(Cycles(10), 0), Cycles(12)) << "an answer without data takes no cycle";
    EXPECT_EQ(bus.send(Cycles(11), 1), Cycles(13)) << "it waits for the one before";
    EXPECT_EQ(bus.send(Cycles(20), 16), Cycles(28));
}

}  // namespace
}  // namespace gen9
