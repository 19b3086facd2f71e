// SPDX-License-Identifier: Apache-2.0
// When commands are taken and answered, to the cycle: a time line of the front end, told a second time from its parameters
// (docs/blocks/media.md, Order and timing).
#include <random>

#include "tests/support/sample.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {
namespace {

class CommandTimes : public testing::TestWithParam<unsigned> {};

// One thread at a time of each walker, and a slot for each, so that nothing but the front end keeps
// a thread back.
TEST_P(CommandTimes, FollowFromParametersMemoryAndThreads) {
    std::mt19937 random(GetParam());
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    const unsigned command_cycles = 1 + below(20), walker_cycles = below(60);
    ModuleBench bench({}, Timing::Timed,
                      {"spawner.command_cycles=" + std::to_string(command_cycles),
                       "spawner.walker_cycles=" + std::to_string(walker_cycles),
                       "spawner.descriptor_change=overlap"});
    bench.memory_latency = Cycles(below(300));
    std::vector<unsigned> lives;
    for (unsigned i = 0; i < 40; ++i)
        lives.push_back(20 + below(900));
    bench.lifetime = [&](const auto& t) { return lives.at(t.walker); };
    bench.memory.put(0, {.per_thread_rows = 1});
    bench.memory.put(1, {.kernel_start = 0x80});
    bench.add(vfe_command(bench.state, {.entries = 100, .entry_rows = 2, .curbe_rows = 4}));
    bench.add(idd_load(bench.state, 64));

    enum Kind { Vfe, Load, Curbe, Flush, ToGo, Indirect, Plain, Empty, Object, Refused };
    std::vector<Kind> kinds{Vfe, Load};
    for (unsigned n = 0, walkers = 0; n < 60 && walkers < 36; ++n) {
        const auto kind = static_cast<Kind>(below(10));
        kinds.push_back(kind);
        walkers += kind >= Indirect && kind <= Object;
        switch (kind) {
            case Vfe:
                bench.add(
                    vfe_command(bench.state, {.entries = 100, .entry_rows = 2, .curbe_rows = 4}));
                break;
            case Load:
                bench.add(idd_load(bench.state, 64));
                break;
            case Curbe:
                bench.add(curbe_load(bench.state, 64, 0x400));
                break;
            case Flush:
                bench.add(flush_command(bench.state));
                break;
            case ToGo:
                bench.add(flush_command(bench.state, 0, false, true));
                break;
            case Indirect:
                bench.add(walker_command(bench.state, {.indirect_bytes = 64}));
                break;
            case Plain:
                bench.add(walker_command(bench.state, {.descriptor = 1}));
                break;
            case Empty:
                bench.add(walker_command(bench.state, {.descriptor = 1, .groups = {1, 0, 1}}));
                break;
            case Object:
                bench.add(object_command(bench.state, {.descriptor = 1, .inline_data = {1}}));
                break;
            case Refused:
                bench.add(walker_command(bench.state, {.descriptor = 2}));
                break;
        }
    }
    bench.run(200'000);
    ASSERT_TRUE(bench.all_finished()) << bench.spawner.describe_waiting();

    // The next command is given when the last one has been accepted; a cycle in which a thread
    // leaves is its own.
    Cycles given{0}, over{0};  // over: when all threads have retired
    std::size_t thread = 0, work = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        SCOPED_TRACE("command " + std::to_string(i) + " of kind " + std::to_string(kinds[i]));
        Cycles at = given + Cycles(command_cycles);
        const bool reads = kinds[i] == Load || kinds[i] == Curbe || kinds[i] == Indirect;
        if (kinds[i] == Vfe || kinds[i] == ToGo) at = std::max(at, over);
        if (reads) at += bench.memory_latency;
        const bool walk = kinds[i] >= Indirect && kinds[i] <= Object;
        if (walk) at += Cycles(walker_cycles);
        EXPECT_EQ(bench.accepted[i], at);
        given = bench.accepted[i];
        if (!walk || kinds[i] == Empty) {
            EXPECT_EQ(bench.finished[i], at);
            work += kinds[i] == Empty;
            continue;
        }
        ASSERT_LT(thread, bench.threads.size());
        const auto& t = bench.threads[thread++];
        EXPECT_EQ(t.walker, work++);
        EXPECT_EQ(t.sent, at);
        EXPECT_EQ(bench.finished[i], t.end + ModuleBench::kRetire);
        given = at + Cycles(1);
        over = std::max(over, t.end + ModuleBench::kRetire);
    }
    EXPECT_EQ(thread, bench.threads.size());
    // A cycle each in which a thread leaves.
    EXPECT_EQ(bench.spawner.stats().cycles[unsigned(SendState::Sending)].value(), thread);
}
INSTANTIATE_TEST_SUITE_P(Seeds, CommandTimes, testing::Range(0u, 4u));

}  // namespace
}  // namespace gen9::media::test
