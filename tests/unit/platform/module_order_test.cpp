// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/unit/platform/replay_apart.h"

namespace gen9::platform {
namespace {

using test::replay_apart;

class ModuleOrder : public testing::TestWithParam<const char*> {};

// docs/architecture.md: the order of events of one cycle is fixed by socket index, never by the
// order in which the kernel runs the modules.
TEST_P(ModuleOrder, InWhichTheModulesOfACycleRunCannotBeSeen) {
    const std::string expected = replay_apart(GetParam(), 0);
    ASSERT_NE(expected.find(" 0 mismatches"), std::string::npos);
    ASSERT_NE(expected.find("miss_stalls"), std::string::npos);
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        EXPECT_TRUE(replay_apart(GetParam(), seed) == expected) << "order " << seed;
}

INSTANTIATE_TEST_SUITE_P(Traces, ModuleOrder,
                         testing::Values("add_chars", "double_divide", "float_arithmetic",
                                         "global_atomics", "local_atomics", "nested_loops",
                                         "prefix_sum", "private_table"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gen9::platform
