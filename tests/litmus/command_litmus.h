// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/litmus/command_machine.h"
#include "tests/litmus/tally.h"

namespace gen9::litmus {

inline constexpr unsigned kX = 0, kY = 1;

/// One run of a test: its variables, all 0, each in a line of its own; a place for results.
struct Once {
    CommandMachine& machine;
    Draw& draw;
    std::uint32_t x, y, z, result;
    bool with_streamer;

    /// Commands without effect that take the command streamer some time.
    Words pause();
    Words walker(unsigned program) const { return machine.walker(program, {x, y, z}, result); }
    void go(const Words& batch, const std::function<void()>& host = {});
};

/// A test of commands, run over and over with other times, and what may come of it.
struct CommandLitmus : Question {
    std::vector<Code> programs;  ///< of walkers
    bool with_streamer = false;  ///< the batch is started with the resource streamer, 3D selected
    std::vector<std::string> settings;
    std::function<std::string(Once&)> body;  ///< gives the outcome
};

/// Runs it as often as asked, prints the counts for scripts/litmus.
Tally count(const CommandLitmus& litmus);
/// A gtest's body: counts and expects nothing broken.
void expect_holds(const CommandLitmus& litmus);

/// Commands, bit by bit.
namespace commands {

inline constexpr std::uint32_t kSelect3D = 0x69041310, kSelectGpgpu = 0x69041312;
inline constexpr std::uint32_t kStall = 1u << 20, kFlushData = 1u << 5,
                               kInvalidateConstant = 1u << 3, kInvalidateState = 1u << 2;
inline Words pipe_control(std::uint32_t bits) {
    return {0x7A000004, bits, 0, 0, 0, 0};
}
inline Words post_sync(std::uint32_t bits, std::uint32_t address, std::uint32_t value) {
    return {0x7A000004, bits | 1u << 14, address, 0, value, 0};
}
inline Words store(std::uint32_t address, std::uint32_t value) {
    return {0x10000002, address, 0, value};
}
/// By way of a general purpose register.
inline Words copy(std::uint32_t from, std::uint32_t to) {
    return {0x14800002, 0x2600, from, 0, 0x12000002, 0x2600, to, 0};
}
/// Polls until the value is there.
inline Words wait_for(std::uint32_t address, std::uint32_t value) {
    return {0x0E00C002, value, address, 0};
}
Words state_base_address();

}  // namespace commands
}  // namespace gen9::litmus
