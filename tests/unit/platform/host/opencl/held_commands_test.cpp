// SPDX-License-Identifier: Apache-2.0
// What Intel's driver submits when a user event is set, and in which order (Public:
// compute-runtime 22.43, Event::unblockEventsBlockedByThis).
#include "platform/host/opencl/held_commands.h"

#include <gtest/gtest.h>

#include <array>

namespace gen9::platform {
namespace {

using Launches = std::vector<unsigned>;

class HeldCommandsTest : public testing::Test {
  protected:
    using Event = HeldCommands::Event;
    using Queue = HeldCommands::Queue;
    static Event event(std::uintptr_t n) { return reinterpret_cast<Event>(0x1000 + n); }
    static Queue queue(std::uintptr_t n) { return reinterpret_cast<Queue>(0x2000 + n); }
    /// Launch `number` has event(number). True: it is held.
    bool launch(unsigned number, Queue in, const std::vector<Event>& list) {
        return enqueue(in, list, number, event(number));
    }
    bool enqueue(Queue in, const std::vector<Event>& list, std::optional<unsigned> number,
                 Event made) {
        const auto command = held.enqueue(in, list, number);
        if (command) held.has_event(command, made);
        return command != nullptr;
    }
    Event user(std::uintptr_t n) {
        held.wait_for(event(100 + n));
        return event(100 + n);
    }
    HeldCommands held;
};

TEST_F(HeldCommandsTest, NothingIsHeldWithoutAUserEvent) {
    EXPECT_FALSE(launch(0, queue(0), {}));
    EXPECT_FALSE(launch(1, queue(0), {event(0)}));
    EXPECT_TRUE(held.set(event(0)).empty()) << "no user event";
}

TEST_F(HeldCommandsTest, AnEventFreesWhatWaitsForItAlone) {
    const Event first = user(0), second = user(1);
    EXPECT_FALSE(held.holds(queue(0), {}));
    EXPECT_TRUE(held.holds(queue(0), std::array{first}));
    EXPECT_TRUE(launch(0, queue(0), {first}));
    EXPECT_TRUE(held.holds(queue(0), {})) << "the command before it is held";
    EXPECT_FALSE(held.holds(queue(1), {}));
    EXPECT_TRUE(launch(1, queue(1), {second}));
    EXPECT_TRUE(launch(2, queue(2), {first, second, first}));
    EXPECT_EQ(held.set(second), (Launches{1}));
    EXPECT_EQ(held.set(first), (Launches{2, 0}));
    EXPECT_TRUE(held.set(first).empty()) << "it was set before";
    EXPECT_FALSE(held.holds(queue(0), std::array{first}));
    EXPECT_FALSE(launch(3, queue(0), {first}));
}

TEST_F(HeldCommandsTest, OfThoseThatWaitForAnEventTheLastComesFirstAndWhatWaitsForItNext) {
    const Event gate = user(0);
    launch(0, queue(0), {gate});
    launch(1, queue(1), {gate});
    launch(2, queue(2), {event(1)});
    launch(3, queue(3), {event(1)});
    launch(4, queue(4), {event(0)});
    EXPECT_EQ(held.set(gate), (Launches{1, 3, 2, 0, 4}));
}

TEST_F(HeldCommandsTest, ACommandWaitsForTheOneBeforeItInItsQueue) {
    const Event gate = user(0), late = user(1);
    launch(0, queue(0), {gate});
    EXPECT_TRUE(launch(1, queue(0), {}));
    EXPECT_TRUE(launch(2, queue(0), {late}));
    EXPECT_TRUE(launch(3, queue(0), {}));
    EXPECT_FALSE(launch(4, queue(1), {}));
    EXPECT_EQ(held.set(gate), (Launches{0, 1}));
    EXPECT_TRUE(launch(5, queue(0), {}));
    EXPECT_EQ(held.set(late), (Launches{2, 3, 5}));
    EXPECT_FALSE(launch(6, queue(0), {})) << "nothing is held in its queue any more";
}

TEST_F(HeldCommandsTest, CommandsThatAreNoLaunchesHoldOthersAsWell) {
    const Event gate = user(0);
    EXPECT_TRUE(enqueue(queue(0), {gate}, std::nullopt, event(50)));
    EXPECT_TRUE(launch(0, queue(1), {event(50)}));
    EXPECT_TRUE(launch(1, queue(0), {}));
    EXPECT_EQ(held.set(gate), (Launches{1, 0}));
}

TEST_F(HeldCommandsTest, WhatTheDriverRefusesIsNotSubmitted) {
    const Event gate = user(0);
    const auto command = held.enqueue(queue(0), std::vector{gate}, 0);
    ASSERT_TRUE(command);
    HeldCommands::refused(*command);
    launch(1, queue(0), {});
    EXPECT_EQ(held.set(gate), (Launches{1}));
}

TEST_F(HeldCommandsTest, AnEventThatIsKnownTooLateHoldsNothing) {
    const Event gate = user(0);
    const auto command = held.enqueue(queue(0), std::vector{gate}, 0);
    EXPECT_EQ(held.set(gate), (Launches{0}));
    held.has_event(command, event(0));
    EXPECT_FALSE(launch(1, queue(1), {event(0)}));
}

}  // namespace
}  // namespace gen9::platform
