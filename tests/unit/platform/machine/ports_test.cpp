// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/ports.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

TEST(Ports, PlacesAreGivenInTheOrderOfAdding) {
    Ports ports;
    EXPECT_EQ(ports.add("spawner"), 0u);
    EXPECT_EQ(ports.add("slice0.subslice0.hdc"), 1u);
    EXPECT_EQ(ports["spawner"], 0u);
    EXPECT_EQ(ports["slice0.subslice0.hdc"], 1u);
    EXPECT_EQ(ports.count(), 2u);
}

TEST(Ports, AClientHasOnePlaceAndAStrangerNone) {
    Ports ports;
    ports.add("spawner");
    EXPECT_THROW(ports.add("spawner"), InternalError);
    EXPECT_THROW(ports["sampler"], InternalError);
}

}  // namespace
}  // namespace gen9::platform
