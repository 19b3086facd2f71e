// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "each_case.h"

namespace {

int run(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}

}  // namespace

int main(int argc, char** argv) {
#ifdef GEN9_CASES_ALONE
    constexpr auto kTogether = gen9::test::Together::Never;
#else
    constexpr auto kTogether = gen9::test::Together::WhileTheyPass;
#endif
    return gen9::test::run_each_case(argc, argv, run, kTogether);
}
