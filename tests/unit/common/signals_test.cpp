// SPDX-License-Identifier: Apache-2.0
#include "common/signals.h"

#include <gtest/gtest.h>

#include "tests/support/signal_log.h"

namespace gen9 {
namespace {

constexpr const char* kLights[] = {"red", "amber", "green", "dark", "blinking"};

struct Junction : SignalSet {
    using SignalSet::SignalSet;
    Signal open{*this, "open", "Cars may go."};
    Signal light{*this, "light", kLights, "What is seen."};
    Signal cars{*this, "cars", 4, SignalForm::Decimal, "Cars that wait."};
    Signal all{*this, "all", 64, SignalForm::Hex, "Everything."};
};

TEST(Signals, TellWhatTheyAre) {
    Junction junction("town.junction");
    ASSERT_EQ(junction.signals().size(), 4u);
    EXPECT_EQ(junction.open.width_bits(), 1u);
    EXPECT_EQ(junction.open.form(), SignalForm::Bit);
    EXPECT_EQ(junction.light.width_bits(), 3u);
    EXPECT_EQ(junction.light.words()[4], std::string("blinking"));
    EXPECT_EQ(junction.light.form(), SignalForm::Words);
    EXPECT_EQ(junction.cars.meaning(), std::string("Cars that wait."));
}

TEST(Signals, NobodyWatchesAndNothingIsChecked) {
    Junction junction("town.junction");
    EXPECT_FALSE(junction.watched());
    junction.cars.set(16, Cycles(1));
}

TEST(Signals, AValueThatDoesNotFitItsWidthIsAnErrorOfTheModel) {
    Junction junction("town.junction");
    const test::SignalLog log({&junction});
    EXPECT_TRUE(junction.watched());
    junction.cars.set(15, Cycles(1));
    EXPECT_THROW(junction.cars.set(16, Cycles(2)), InternalError);
    EXPECT_THROW(junction.open.set(2, Cycles(2)), InternalError);
    junction.all.set(~std::uint64_t{0}, Cycles(2));
    EXPECT_EQ(log.value("town.junction.all", 2), ~std::uint64_t{0});
}

TEST(Signals, HoldAValueFromItsCycleOn) {
    Junction junction("town.junction");
    junction.light.start_with(3);
    const test::SignalLog log({&junction});
    junction.light.set(1, Cycles(10));
    EXPECT_EQ(log.value("town.junction.light", 9), 3u);
    EXPECT_EQ(log.value("town.junction.light", 10), 1u);
    EXPECT_EQ(log.value("town.junction.light", 1000), 1u);
}

TEST(Signals, WhatIsSetReplacesWhatWasSaidOfTheTimeFromThenOn) {
    Junction junction("town.junction");
    const test::SignalLog log({&junction});
    junction.light.set(1, Cycles(10));
    junction.light.set(2, Cycles(20));
    junction.light.set(2, Cycles(15));  // as it will be at 20: still a change
    junction.light.set(1, Cycles(16));
    EXPECT_EQ(log.value("town.junction.light", 14), 1u);
    EXPECT_EQ(log.value("town.junction.light", 15), 2u);
    EXPECT_EQ(log.value("town.junction.light", 16), 1u);
    EXPECT_EQ(log.value("town.junction.light", 20), 1u);
}

TEST(Signals, WhatIsAddedAddsUpInAnyOrder) {
    Junction junction("town.junction");
    const test::SignalLog log({&junction});
    junction.cars.pulse(Cycles(20), Cycles(30));
    junction.cars.pulse(Cycles(5), Cycles(25));
    junction.cars.pulse(Cycles(7), Cycles(7));
    for (const auto& [cycle, cars] : {std::pair{4, 0u}, {5, 1u}, {20, 2u}, {25, 1u}, {30, 0u}})
        EXPECT_EQ(log.value("town.junction.cars", static_cast<std::uint64_t>(cycle)), cars);
}

TEST(Signals, WhatIsMarkedHoldsUntilTheNextMarkWhicheverIsToldFirst) {
    Junction junction("town.junction");
    const test::SignalLog log({&junction});
    junction.all.mark(7, Cycles(30));
    junction.all.mark(5, Cycles(20));
    junction.all.mark(5, Cycles(40));
    for (const auto& [cycle, seen] : {std::pair{19, 0u}, {20, 5u}, {30, 7u}, {39, 7u}, {40, 5u}})
        EXPECT_EQ(log.value("town.junction.all", static_cast<std::uint64_t>(cycle)), seen);
}

TEST(Signals, ASetWithinAnotherMakesItWatched) {
    Junction outer("town"), other("village");
    struct Inner : SignalSet {
        using SignalSet::SignalSet;
        Signal bit{*this, "bit", "."};
    } inner("town.inner", &outer);
    const test::SignalLog log({&inner});
    EXPECT_TRUE(inner.watched());
    EXPECT_TRUE(outer.watched());
    EXPECT_FALSE(other.watched());
}

}  // namespace
}  // namespace gen9
