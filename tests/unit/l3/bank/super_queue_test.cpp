// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/super_queue.h"

#include "tests/support/covers.h"

namespace gen9::l3 {
namespace {

TEST(SuperQueue, RequestsOfALineLeaveInOrderAndFreeIt) {
    GEN9_COVERS("L3-32 L3-38");
    SuperQueue<int> queue(3);
    const LineKey a(AddressSpace::Ppgtt, 0x40), b(AddressSpace::Ppgtt, 0x80);
    auto& entry = queue.open(a);
    queue.add(entry, 1);
    queue.add(entry, 2);
    queue.add(queue.open(b), 3);
    EXPECT_TRUE(queue.full());
    EXPECT_EQ(queue.find(a), &entry);
    EXPECT_EQ(entry.oldest(), 1);
    queue.finish(entry);
    EXPECT_EQ(entry.oldest(), 2);
    queue.sweep();
    EXPECT_NE(queue.find(a), nullptr);
    queue.finish(entry);
    queue.sweep();
    EXPECT_EQ(queue.find(a), nullptr);
    EXPECT_EQ(queue.at(0).oldest(), 3);
    EXPECT_EQ(queue.waiting(), 1u);
    EXPECT_EQ(queue.opened(), 2u) << "also those that are gone";
}

}  // namespace
}  // namespace gen9::l3
