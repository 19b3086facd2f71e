// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "tests/support/covers.h"
#include "tests/unit/platform/replay_apart.h"

namespace gen9::platform {
namespace {

/// What was counted, without what was set.
boost::json::value counters(const std::string& setting = "") {
    const std::string text = test::replay_apart("prefix_sum", 0, setting);
    EXPECT_NE(text.find(" 0 mismatches"), std::string::npos);
    return boost::json::parse(text.substr(0, text.rfind('}') + 1)).at("counters");
}

// The capture's driver writes 0x100 to TD_CTL2: all EUs then run round robin.
TEST(Arbitration, TheDriversRegisterWriteReachesTheEus) {
    GEN9_COVERS("EU-006");
    const auto asked = counters();
    EXPECT_TRUE(asked == counters("eu.policy=round_robin"));
    EXPECT_FALSE(asked == counters("eu.policy=oldest"));
}

}  // namespace
}  // namespace gen9::platform
