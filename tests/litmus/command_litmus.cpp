// SPDX-License-Identifier: Apache-2.0
#include "tests/litmus/command_litmus.h"

#include <gtest/gtest.h>

namespace gen9::litmus {
namespace {

constexpr std::uint32_t kVariables = 0x1000000, kBlock = 1024, kScratch = 0x9000000;

}  // namespace

Words Once::pause() {
    Words words;
    for (std::uint32_t n = draw(4); n > 0; --n) {
        words.resize(words.size() + draw(40));
        words = words + Words{0x14800002, 0x2608, kScratch + 64 * draw(1024), 0};
    }
    return words;
}

void Once::go(const Words& batch, const std::function<void()>& host) {
    EXPECT_TRUE(machine.run(batch, with_streamer, draw, host)) << "the batch does not end";
}

Tally count(const CommandLitmus& litmus) {
    const Effort effort = Effort::from_environment();
    auto settings = effort.settings("machine.gpu");
    settings.insert(settings.end(), litmus.settings.begin(), litmus.settings.end());
    CommandMachine machine(settings);
    for (unsigned i = 0; i < litmus.programs.size(); ++i)
        machine.load(i, litmus.programs[i]);
    machine.start();
    Draw draw(effort.seed);
    Tally tally(litmus);
    for (unsigned number = 0; number < effort.runs && !::testing::Test::HasFailure(); ++number) {
        const std::uint32_t block = kVariables + number * kBlock;
        Once run{machine,
                 draw,
                 block,
                 block + 64 * (1 + draw(4)),
                 block + 64 * 6,
                 block + 512,
                 litmus.with_streamer};
        tally.add(litmus.body(run));
    }
    EXPECT_EQ(machine.reporter().guest_errors(), 0u) << machine.trouble();
    tally.print();
    return tally;
}

void expect_holds(const CommandLitmus& litmus) {
    for (const std::string& sentence : count(litmus).broken())
        ADD_FAILURE() << sentence;
}

Words commands::state_base_address() {
    return CommandMachine::state_base_address();
}

}  // namespace gen9::litmus
