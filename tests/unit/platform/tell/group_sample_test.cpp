// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/group_sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace gen9::platform {
namespace {

/// A machine that holds so many groups at once, each for as many cycles as it has instructions
/// times a factor.
struct Machine {
    std::uint64_t slots = 16;
    std::function<std::uint64_t(std::uint64_t)> instructions;
    std::function<double(std::uint64_t)> factor = [](std::uint64_t) { return 1.0; };

    struct Run {
        std::uint64_t cycles = 0, timed = 0;
    };
    /// Plays a launch; `sample` null: all of it timed.
    Run play(std::uint64_t groups, GroupSample* sample) const {
        struct Group {
            std::uint64_t begin, end, instructions;
            double executed(std::uint64_t now) const {
                const auto of = [](std::uint64_t n) { return static_cast<double>(n); };
                return of(instructions) * of(now - begin) / of(end - begin);
            }
        };
        std::vector<Group> running;  // the first to end is the last
        std::uint64_t now = 0, retired = 0;
        bool timed_mode = true;
        Run run;
        const auto retire = [&] {
            now = std::max(now, running.back().end);
            retired += running.back().instructions;
            running.pop_back();
        };
        for (std::uint64_t group = 0; group < groups; ++group) {
            const bool timed =
                sample == nullptr || sample->timing_of(group, running.size()) == Timing::Timed;
            if (timed != timed_mode)
                while (!running.empty())
                    retire();
            timed_mode = timed;
            if (running.size() == slots) retire();
            while (!running.empty() && running.back().end <= now)
                retire();
            double executed = 0;
            for (const Group& other : running)
                executed += other.executed(now);
            if (sample)
                sample->opened(group, Cycles(now), retired + static_cast<std::uint64_t>(executed));
            const std::uint64_t work = instructions(group);
            const double cycles = static_cast<double>(work) * factor(group);
            const Group begun{now, now + (timed ? static_cast<std::uint64_t>(cycles) : 1), work};
            running.insert(
                std::ranges::lower_bound(running, begun.end, std::greater<>(), &Group::end), begun);
            run.timed += timed;
        }
        while (!running.empty())
            retire();
        run.cycles = now;
        return run;
    }
};

double error(const Machine& machine, std::uint64_t groups, std::uint64_t wanted,
             GroupSample::Estimate& estimate) {
    const Machine::Run whole = machine.play(groups, nullptr);
    GroupSample sample(groups, wanted);
    const Machine::Run part = machine.play(groups, &sample);
    EXPECT_FALSE(sample.whole());
    estimate = sample.estimate(Cycles(0), Cycles(part.cycles));
    EXPECT_EQ(estimate.groups_timed, part.timed);
    return static_cast<double>(estimate.cycles) / static_cast<double>(whole.cycles) - 1;
}

TEST(GroupSample, EqualGroupsGiveTheWholeExactly) {
    Machine machine;
    machine.instructions = [](std::uint64_t) { return 1000; };
    GroupSample::Estimate estimate;
    // 16 slots: windows of 97 groups.
    EXPECT_LT(std::abs(error(machine, 9700, 970, estimate)), 0.001);
    EXPECT_EQ(estimate.windows, 10u);
    EXPECT_EQ(estimate.groups_timed, 970u);
    // Nothing scatters: 5 percent of the 8730 groups that were not timed, 16 at once.
    EXPECT_NEAR(static_cast<double>(estimate.margin), 0.05 * 8730 * 1000 / 16, 50);
}

TEST(GroupSample, GroupsOfUnequalWorkCountByTheirInstructions) {
    Machine machine;
    // Heavy in the middle, and scattered: an eighth of the groups does ten times as much.
    machine.instructions = [](std::uint64_t group) {
        const std::uint64_t heavy = group > 1500 && group < 3000 ? 4000 : 500;
        return heavy * (group * 2654435761u % 8 == 0 ? 10 : 1);
    };
    GroupSample::Estimate estimate;
    EXPECT_LT(std::abs(error(machine, 5000, 600, estimate)), 0.03);
}

TEST(GroupSample, ARateThatChangesSlowlyIsFollowed) {
    Machine machine;
    machine.instructions = [](std::uint64_t) { return 1000; };
    machine.factor = [](std::uint64_t group) { return 1 + static_cast<double>(group) / 5000; };
    GroupSample::Estimate estimate;
    EXPECT_LT(std::abs(error(machine, 5000, 480, estimate)), 0.01);
}

TEST(GroupSample, TheMarginHoldsForARateThatScatters) {
    Machine machine;
    machine.instructions = [](std::uint64_t) { return 1000; };
    int within = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        // Of 100 neighbours each.
        machine.factor = [seed](std::uint64_t group) {
            std::uint64_t x = (group / 100 + 1) * 0x9E3779B97F4A7C15u * seed;
            x = (x ^ x >> 29) * 0xBF58476D1CE4E5B9u;
            return 1 + static_cast<double>(x >> 40) / static_cast<double>(1 << 24);
        };
        GroupSample::Estimate estimate;
        const double off = std::abs(error(machine, 20000, 960, estimate));
        const double whole = static_cast<double>(machine.play(20000, nullptr).cycles);
        within += off * whole <= static_cast<double>(estimate.margin);
    }
    // 95 percent of 40 are 38; fewer than 34 would be met once in 30 times.
    EXPECT_GE(within, 34);
}

TEST(GroupSample, SmallLaunchesAreTimedWhole) {
    Machine machine;
    machine.instructions = [](std::uint64_t) { return 1000; };
    for (const std::uint64_t groups : {1u, 16u, 96u, 97u, 98u, 600u}) {
        GroupSample sample(groups, 10);
        EXPECT_EQ(machine.play(groups, &sample).timed, groups);
        EXPECT_TRUE(sample.whole()) << groups;
    }
}

}  // namespace
}  // namespace gen9::platform
