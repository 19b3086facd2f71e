// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/work.h"

#include <gtest/gtest.h>

namespace gen9 {
namespace {

TEST(TraceWalker, AnIdKeepsItsUnitAndCountAndNamesTheWalker) {
    const TraceId id = 0x123'89AB'CDEF;
    for (const std::uint32_t number : {0u, 1u, 65534u}) {
        EXPECT_EQ(for_work(id, number) & 0xFFFF'FFFF'FFFF, id);
        EXPECT_EQ(work_of(for_work(id, number), 65535), number);
    }
}

TEST(TraceWalker, ANumberThatHasComeAgainIsThatOfTheLastWalker) {
    EXPECT_EQ(work_of(for_work(1, 3), 65538), 3u);
    EXPECT_EQ(work_of(for_work(1, 3), 65539), 65538u);
    EXPECT_EQ(work_of(for_work(1, 65538), 65539), 65538u);
    EXPECT_EQ(work_of(for_work(1, 131069), 131070), 131069u);
}

TEST(TraceWalker, NoWalkerIsNamed) {
    EXPECT_EQ(work_of(0x123'89AB'CDEF, 5), 5u) << "an id without one";
    EXPECT_EQ(work_of(for_work(1, 5), 5), 5u) << "one that has not begun";
    EXPECT_EQ(work_of(for_work(1, 0), 0), 0u);
}

}  // namespace
}  // namespace gen9
