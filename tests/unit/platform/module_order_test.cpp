// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "interconnect/agenda.h"
#include "platform/host/aub_player.h"
#include "platform/simulation.h"

namespace gen9::platform {
namespace {

/// Replays a capture of traces/ in timed mode and gives all statistics, and whether memory was as
/// the capture expects it.
std::string replay(const std::string& name, std::uint64_t seed) {
    Simulation simulation(RunOptions{});
    if (seed != 0) simulation.agenda().shuffle(seed);
    AubPlayer player(simulation, [](const std::string&) {});
    AubFile file(std::string(GEN9_TRACES) + "/" + name + "/stream.aub.zst");
    player.play(file);
    simulation.finish();
    return boost::json::serialize(simulation.statistics()) + " " +
           std::to_string(player.mismatches()) + " mismatches";
}

/// The same in a process of its own: SystemC elaborates once in each.
std::string replay_apart(const std::string& name, std::uint64_t seed) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const std::string result = replay(name, seed);
        std::size_t done = 0;
        while (done < result.size()) {
            const ssize_t count = write(ends[1], result.data() + done, result.size() - done);
            if (count <= 0) break;
            done += static_cast<std::size_t>(count);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string result;
    char part[4096];
    for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;)
        result.append(part, static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 ? result : "the replay failed";
}

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
