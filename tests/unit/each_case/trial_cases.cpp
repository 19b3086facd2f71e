// SPDX-License-Identifier: Apache-2.0
// Cases that do what the variable TRIAL says: check.py looks what becomes of it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace {

unsigned cases_of_this_process = 0;

bool asked(std::string_view what) {
    const char* const trial = std::getenv("TRIAL");
    return trial != nullptr && trial == what;
}

TEST(Trial, IsFirst) {
    ++cases_of_this_process;
}

TEST(Trial, DoesIt) {
    EXPECT_FALSE(asked("fail"));
    if (asked("abort")) std::abort();
    if (asked("sleep")) pause();
    for (volatile unsigned turns = 0; asked("spin");)
        turns = turns + 1;
    EXPECT_FALSE(asked("share") && cases_of_this_process != 0);
}

TEST(Trial, IsLast) {}

}  // namespace
