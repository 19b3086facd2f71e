// SPDX-License-Identifier: Apache-2.0
#include "common/report.h"

#include <gtest/gtest.h>

namespace gen9 {
namespace {

TEST(Reporter, SaysAnErrorOnceAndCountsEveryOccurrence) {
    Reporter reporter;
    std::vector<std::string> lines;
    reporter.log = [&](const std::string& line) { lines.push_back(line); };
    for (int i = 0; i < 5; ++i)
        reporter.guest_error("bad descriptor", "thread 3", "dropped");
    reporter.guest_error("bad descriptor", "thread 4", "dropped");
    EXPECT_EQ(lines.size(), 2u);
    EXPECT_EQ(reporter.guest_errors(), 6u);
    ASSERT_EQ(reporter.entries().size(), 2u);
    EXPECT_EQ(reporter.entries()[0].count, 5u);
    EXPECT_TRUE(reporter.failed());
}

TEST(Reporter, AFloodOfOneKindIsCutAndHidesNoOtherKind) {
    Reporter reporter;
    std::vector<std::string> lines;
    reporter.log = [&](const std::string& line) { lines.push_back(line); };
    for (int i = 0; i < 1000; ++i)
        reporter.guest_error("memory fault", std::to_string(i), "reads zero");
    EXPECT_EQ(lines.size(), 21u);
    EXPECT_EQ(reporter.guest_errors(), 1000u);
    reporter.not_modelled("SMP-01", "sampler");
    ASSERT_EQ(lines.size(), 22u);
    EXPECT_EQ(lines.back(), "gen9sim: not modelled: SMP-01: sampler");
}

}  // namespace
}  // namespace gen9
