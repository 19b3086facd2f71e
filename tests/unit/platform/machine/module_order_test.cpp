// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <vector>

#include "tests/support/sample.h"
#include "tests/unit/platform/replay_apart.h"

namespace gen9::platform {
namespace {

using test::replay_apart;

class ModuleOrder : public testing::TestWithParam<const char*> {};

/// In several orders the same statistics.
void expect_order_unseen(const std::string& name, const std::string& setting, unsigned orders) {
    const std::string expected = replay_apart(name, 0, setting);
    ASSERT_NE(expected.find(" 0 mismatches"), std::string::npos);
    ASSERT_NE(expected.find("\"counters\""), std::string::npos);
    for (std::uint64_t seed = 1; seed <= gen9::test::rounds(orders); ++seed)
        EXPECT_TRUE(replay_apart(name, seed, setting) == expected) << "order " << seed;
}

// docs/architecture.md: the order of events of one cycle is fixed by socket index, never by the
// order in which the kernel runs the modules.
TEST_P(ModuleOrder, InWhichTheModulesOfACycleRunCannotBeSeen) {
    expect_order_unseen(GetParam(), "", 6);
}

TEST_P(ModuleOrder, CannotBeSeenInUnusualTimingsEither) {
    expect_order_unseen(GetParam(), "gpu.jitter_cycles=20", 3);
}

TEST_P(ModuleOrder, CannotBeSeenWithOtherModelsOfTheCaches) {
    expect_order_unseen(GetParam(), "gpu.l3.bank.model=none", 3);
    expect_order_unseen(GetParam(), "gpu.llc.model=none", 3);
}

TEST_P(ModuleOrder, CannotBeSeenWhereQueuesAreFull) {
    expect_order_unseen(GetParam(), "gpu.llc.queue=1", 3);
}

TEST_P(ModuleOrder, CannotBeSeenInAMemoryOfBanks) {
    expect_order_unseen(GetParam(), "gpu.dram.kind=ddr4-2400", 3);
}

// With a waveform the kernel sees each cycle, without one the clock's modules run ahead of it and
// the EUs as far as their notice reaches: neither may change what is simulated.
TEST_P(ModuleOrder, IsTheSameCycleByCycle) {
    const std::string vcd = testing::TempDir() + "module_order_" + GetParam() + ".vcd";
    EXPECT_TRUE(replay_apart(GetParam(), 0, "", vcd) == replay_apart(GetParam()));
    EXPECT_TRUE(std::filesystem::remove(vcd));
    std::filesystem::remove(std::filesystem::path(vcd).replace_extension(".gtkw"));
}

/// What each kernel did, to the cycle, and whether memory was right.
std::string work_of(const std::string& replayed) {
    const auto begin = replayed.find("\"kernels\":["), end = replayed.find("\"counters\"");
    if (begin == std::string::npos || end == std::string::npos) return "nothing ran";
    return replayed.substr(begin, end - begin) +
           replayed.substr(replayed.rfind(' ', replayed.rfind(' ') - 1));
}

// Somebody else's process with a clock of its own: the agenda goes with the kernel, cycle by cycle.
// Only when the idle engine is found to be done depends on the stranger's next event.
TEST_P(ModuleOrder, AStrangersClockChangesNothing) {
    const std::string alone = work_of(replay_apart(GetParam()));
    ASSERT_NE(alone.find(" 0 mismatches"), std::string::npos) << alone;
    EXPECT_EQ(work_of(replay_apart(GetParam(), 0, "", "", 1.7)), alone);
}

/// A third of the traces in a run.
std::vector<const char*> traces_in_turn() {
    constexpr const char* kAll[] = {"add_chars",      "double_divide", "float_arithmetic",
                                    "global_atomics", "local_atomics", "nested_loops",
                                    "prefix_sum",     "private_table", "image_samples",
                                    "media_walks",    "media_children"};
    std::vector<const char*> chosen;
    for (std::size_t i = 0; i < std::size(kAll); ++i)
        if (gen9::test::has_its_turn(i, 3)) chosen.push_back(kAll[i]);
    return chosen;
}

INSTANTIATE_TEST_SUITE_P(Traces, ModuleOrder, testing::ValuesIn(traces_in_turn()),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gen9::platform
