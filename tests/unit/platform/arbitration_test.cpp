// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/platform/replay_apart.h"

namespace gen9::platform {
namespace {

using test::replay_apart;

// The capture's driver writes 0x100 to TD_CTL2: all EUs then run round robin.
TEST(Arbitration, TheDriversRegisterWriteReachesTheEus) {
    GEN9_COVERS("EU-006");
    const std::string trace = "prefix_sum", asked = replay_apart(trace);
    ASSERT_NE(asked.find(" 0 mismatches"), std::string::npos);
    EXPECT_TRUE(asked == replay_apart(trace, 0, "eu.policy=round_robin"));
    EXPECT_FALSE(asked == replay_apart(trace, 0, "eu.policy=oldest"));
}

}  // namespace
}  // namespace gen9::platform
