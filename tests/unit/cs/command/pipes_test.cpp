// SPDX-License-Identifier: Apache-2.0
// Two pipes with work in them: what waits for which.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;
using packets::Unit;

const Words kDraw = {0x7B000005, 4, 3, 0, 1, 0, 0}, kSelect3D = {0x69040300};

/// A streamer with a client in both pipes, and one piece of work outstanding in each.
struct Pipes : Interpreter {
    Pipes() { engine.with_draws = true; }
    /// Runs the command with work in both pipes; "3D media" names those whose work it waited for.
    std::string waited(const Words& command) {
        Engine e;
        e.with_draws = true;
        std::string text;
        e.on_parsed = [&] { e.draws_in_flight = e.in_flight = 1; };
        // The command's own waits; the end of the ring waits for all.
        e.ppgtt.map(kData, 0x1000);
        unsigned draws = 0, media = 0;
        e.on_write = [&](GpuAddr address) {
            if (address.value != kData) return;
            draws = e.draw_drains;
            media = e.drains;
        };
        e.run_ring((Stream() << command << sdi(kData, 1)).words);
        if (draws) text += "3D";
        if (media) text += text.empty() ? "media" : " media";
        return text;
    }
};

TEST_F(Pipes, StateThatIsNotPipelinedWaitsForThePipeThatUsesIt) {
    for (const packets::CommandRow& row : packets::command_rows()) {
        if (row.latch.dwords == 0 || row.latch.unit == Unit::Media) continue;
        Words command(row.minimum_dwords, 0);
        command[0] = row.header();
        const char* const expected = row.latch.unit == Unit::Sampler ? "3D media"
                                     : row.value >> 24 == 0x79       ? "3D"
                                                                     : "";
        EXPECT_EQ(waited(command), expected) << row.name;
    }
    EXPECT_EQ(waited(state_base_address()), "3D media");
    EXPECT_EQ(waited(kPipeOnly), "3D media");
    EXPECT_EQ(waited({0x61040001, 0x1000, 0}), "3D media");
    EXPECT_EQ(waited({0x61020001, 0x500, 0}), "") << "work keeps the pointer it was given with";
}

TEST_F(Pipes, APipeControlWaitsForThePipesOfItsBits) {
    const auto bit = [&](unsigned n) { return waited(pipe_control(1u << n)); };
    for (const unsigned invalidation : {2u, 3u, 4u, 10u, 11u})
        EXPECT_EQ(bit(invalidation), "") << invalidation;
    for (const unsigned end : {0u, 1u, 5u, 8u, 12u, 13u, 20u})
        EXPECT_EQ(bit(end), "3D media") << end;
}

TEST_F(Pipes, ADrawGoesToItsPipeWithTheStateItWasParsedWith) {
    const auto sample_mask = [](std::uint32_t mask) { return Words{0x78180000, mask}; };
    run(Stream() << kSelect3D << state_base_address() << sample_mask(1) << kDraw << sample_mask(2)
                 << kDraw);
    EXPECT_EQ(engine.sent.size(), 0u);
    ASSERT_EQ(engine.draws.size(), 2u);
    EXPECT_STREQ(engine.draws[0].row->name, "3DPRIMITIVE");
    const auto& row = packets::command_named("3DSTATE_SAMPLE_MASK");
    for (unsigned n = 0; n < 2; ++n)
        EXPECT_EQ(engine.draws[n].state->stage(Unit::Wm)->command(row)[1], n + 1);
    EXPECT_EQ(engine.draws[0].state->number, engine.draws[1].state->number);
    EXPECT_EQ(std::ranges::count(engine.journal, "drain draws"), 1) << "at the end of the ring";
    EXPECT_TRUE(engine.environment.reporter.entries().empty());
}

TEST_F(Pipes, AClearByWmHzOpIsWorkAsWell) {
    run(Stream() << kSelect3D << Words{0x78520003, 1u << 30, 0, 0, 0}
                 << Words{0x78520003, 0, 0, 0, 0});
    ASSERT_EQ(engine.draws.size(), 1u);
    EXPECT_STREQ(engine.draws[0].row->name, "3DSTATE_WM_HZ_OP");
}

}  // namespace
}  // namespace gen9
