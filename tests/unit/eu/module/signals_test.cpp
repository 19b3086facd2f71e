// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/support/signal_log.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

using eu::CycleUse;

std::string register_word(std::uint64_t number) {
    return eu::register_words()[number];
}

TEST(EuSignals, SayWhichRegisterAThreadWaitsFor) {
    TestEnvironment test;
    EuBench bench(test);
    SignalLog log(test.environment.signals);
    bench.code(0, {add(10, 2), add(11, 10), load(Sfid::DataPort1, 20, 1, 11), add(112, 20),
                   end_of_thread()});
    bench.dispatch(2, 0);
    bench.run();
    const auto at = bench.issue_cycles(2);
    ASSERT_EQ(at.size(), 5u);
    const auto value = [&](const char* signal, std::uint64_t cycle) {
        return log.value(std::string("bench.eu0.thread2.") + signal, cycle);
    };
    EXPECT_EQ(value("state", at[1] - 1), static_cast<unsigned>(CycleUse::Scoreboard));
    EXPECT_EQ(register_word(value("waits_for", at[1] - 1)), "r10");
    EXPECT_EQ(register_word(value("waits_for", at[1])), "none") << "it issues";
    EXPECT_EQ(register_word(value("waits_for", at[2] - 1)), "r11");
    EXPECT_EQ(value("state", at[3] - 1), static_cast<unsigned>(CycleUse::Message));
    EXPECT_EQ(register_word(value("waits_for", at[3] - 1)), "r20");
    EXPECT_EQ(register_word(value("waits_for", at[4] + 1)), "none");
}

TEST(EuSignals, SayWhichThreadASlotHolds) {
    TestEnvironment test;
    EuBench bench(test);
    SignalLog log(test.environment.signals);
    bench.code(0, {add(1, 1), end_of_thread()});
    bench.adjust = [](ThreadDispatch& d) {
        d.gpgpu.group_id = {3, 4, 5};
        d.gpgpu.local_thread = 6;
        d.sideband.trace_id = 0x2'0000'0007;
    };
    bench.dispatch(1, 0, 100);
    bench.run();
    ASSERT_EQ(bench.ended.size(), 1u);
    const auto values = [&](std::uint64_t cycle) {
        std::vector<std::uint64_t> all;
        for (const char* signal : {"group_x", "group_y", "group_z", "local_thread", "trace_id"})
            all.push_back(log.value(std::string("bench.eu0.thread1.") + signal, cycle));
        return all;
    };
    const std::vector<std::uint64_t> loaded{3, 4, 5, 6, 0x2'0000'0007}, empty{0, 0, 0, 0, 0};
    EXPECT_EQ(values(99), empty);
    EXPECT_EQ(values(100), loaded);
    EXPECT_EQ(values(bench.ended[0].cycle), loaded);
    EXPECT_EQ(values(bench.ended[0].cycle + 1), empty);
}

}  // namespace
}  // namespace gen9::test
