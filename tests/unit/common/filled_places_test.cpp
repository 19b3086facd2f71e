// SPDX-License-Identifier: Apache-2.0
#include "common/filled_places.h"

#include <gtest/gtest.h>

#include <set>

namespace gen9 {
namespace {

std::multiset<std::size_t> emptied(FilledPlaces& places) {
    std::multiset<std::size_t> told;
    places.empty([&](std::size_t place) { told.insert(place); });
    return told;
}

TEST(FilledPlaces, WhatHasBeenFilledIsEmptiedOnceAndNothingElse) {
    FilledPlaces places(100);
    EXPECT_TRUE(emptied(places).empty());
    places.add(7);
    places.add(99);
    EXPECT_EQ(emptied(places), (std::multiset<std::size_t>{7, 99}));
    EXPECT_TRUE(emptied(places).empty());
    places.add(0);
    EXPECT_EQ(emptied(places), (std::multiset<std::size_t>{0}));
}

TEST(FilledPlaces, PlacesFilledOftenerThanThereIsRoomForAreAllEmptied) {
    FilledPlaces places(3);
    for (int i = 0; i < 3; ++i)
        places.add(1);
    places.add(2);
    EXPECT_EQ(emptied(places), (std::multiset<std::size_t>{0, 1, 2}));
    EXPECT_TRUE(emptied(places).empty());
}

}  // namespace
}  // namespace gen9
