// SPDX-License-Identifier: Apache-2.0
#include "l3/front/ingress.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::l3 {
namespace {

TEST(Ingress, EachClientsRequestsKeepTheirOrderAndShowTheOldest) {
    GEN9_COVERS("L3-24");
    Ingress<int> queues(3, 4);
    EXPECT_TRUE(queues.empty());
    queues.push(2, 20, Cycles(100));
    queues.push(0, 1, Cycles(101));
    queues.push(2, 21, Cycles(103));
    EXPECT_TRUE(queues.waiting() == PortSet(0b101));
    EXPECT_EQ(queues.head(2), 20);
    EXPECT_EQ(queues.waits_since(2), Cycles(100));
    EXPECT_EQ(queues.size(2), 2u);
    queues.pop(2);
    EXPECT_EQ(queues.head(2), 21);
    EXPECT_EQ(queues.waits_since(2), Cycles(103));
    EXPECT_EQ(queues.head(0), 1);
    queues.pop(2);
    EXPECT_TRUE(queues.waiting() == PortSet(0b001));
    queues.pop(0);
    EXPECT_TRUE(queues.empty());
}

TEST(Ingress, AClientHasItsPlacesWhateverOthersHave) {
    for (const unsigned places : {1u, 3u, 4u}) {
        Ingress<unsigned> queues(2, places);
        for (unsigned i = 0; i < places; ++i) {
            EXPECT_TRUE(queues.has_room(1));
            queues.push(1, i, Cycles());
        }
        EXPECT_FALSE(queues.has_room(1));
        EXPECT_TRUE(queues.has_room(0));
        for (unsigned i = 0; i < 3 * places; ++i) {  // round the ring
            EXPECT_EQ(queues.head(1), i);
            queues.pop(1);
            EXPECT_TRUE(queues.has_room(1));
            queues.push(1, places + i, Cycles());
        }
        EXPECT_EQ(queues.size(1), places);
    }
}

}  // namespace
}  // namespace gen9::l3
