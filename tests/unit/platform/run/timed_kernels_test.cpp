// SPDX-License-Identifier: Apache-2.0
#include "platform/run/timed_kernels.h"

#include <gtest/gtest.h>

#include "common/check.h"

namespace gen9::platform {
namespace {

/// A letter for each launch: timed, warming, or functional.
std::string uses(TimedKernels kernels, const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += to_text(kernels.next(name))[0];
    return text;
}
std::string uses(TimedKernels kernels, std::size_t launches) {
    return uses(std::move(kernels), std::vector<std::string>(launches));
}

TEST(TimedKernels, WithoutATextAllAreTimed) {
    TimedKernels kernels;
    EXPECT_FALSE(kernels.chooses());
    EXPECT_EQ(kernels.use(0), TimedKernels::Use::Timed);
}

TEST(TimedKernels, AListNamesLaunchesByNumberAndRange) {
    EXPECT_EQ(uses({"3,7-9", 0}, 12), "ffftffftttff");
    EXPECT_EQ(uses({"0", 0}, 2), "tf");
}

TEST(TimedKernels, NamesMatchAsInAShell) {
    EXPECT_EQ(uses({"mm*", 0}, {"mm", "mma", "add", "", "amm"}), "ttfff");
    EXPECT_EQ(uses({"a?[cd]", 0}, {"abc", "abd", "abe", "abcd"}), "ttff");
}

TEST(TimedKernels, AListBehindNamesCountsLaunchesOfSuchNames) {
    EXPECT_EQ(uses({"mm*:1,3-4", 0}, {"mm", "x", "mm2", "mm", "x", "mm", "mm", "mm"}), "fftffttf");
}

TEST(TimedKernels, SelectionsAddUp) {
    EXPECT_EQ(uses({"add;1;mm:0", 0}, {"mm", "x", "mm", "add"}), "ttft");
}

TEST(TimedKernels, WarmingAreSoManyLaunchesBeforeEachOfAList) {
    EXPECT_EQ(uses({"3,7", 2}, 9), "fwwtfwwtf");
    EXPECT_EQ(uses({"1", 5}, 3), "wtf");
    // One that is chosen does not only warm.
    EXPECT_EQ(uses({"3;5", 2}, 7), "fwwtwtf");
    // Of names, launches of these names.
    EXPECT_EQ(uses({"mm:2", 1}, {"mm", "mm", "x", "mm"}), "fwft");
}

TEST(TimedKernels, WhatALaunchWasIsRemembered) {
    TimedKernels kernels("1", 1);
    for (int i = 0; i < 3; ++i)
        kernels.next("");
    EXPECT_EQ(kernels.use(0), TimedKernels::Use::Warming);
    EXPECT_EQ(kernels.use(1), TimedKernels::Use::Timed);
    EXPECT_EQ(kernels.use(2), TimedKernels::Use::Functional);
    EXPECT_EQ(TimedKernels::timing(kernels.use(0)), Timing::Timed);
    EXPECT_EQ(TimedKernels::timing(kernels.use(2)), Timing::Functional);
}

TEST(TimedKernels, BadTextsAreRefused) {
    for (const char* text :
         {"", ";", "3,", ",3", "9-7", "3-", "-3", "3-4-5", "mm:", "mm:x", ":3", "mm*:3;", "m m",
          "mm:3:4", "[ab", "10000000", "99999999999999999999", "0-99999999", "mm/"}) {
        SCOPED_TRACE(text);
        EXPECT_THROW(TimedKernels(text, 0), UserError);
    }
}

}  // namespace
}  // namespace gen9::platform
