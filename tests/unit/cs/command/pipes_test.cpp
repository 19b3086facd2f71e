// SPDX-License-Identifier: Apache-2.0
// Two pipes with work in them: what waits for which.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/covers.h"
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

// The place of a command is used again.
TEST_F(Pipes, ACommandHasNothingOfTheOneThatHadItsPlace) {
    PipelineCommand& place = engine.new_command();
    place.remaining.emplace();
    place.resumes.emplace();
    place.failed = true;
    place.channels = 9;
    engine.run_ring((Stream() << kSelect3D << kDraw).words);
    ASSERT_EQ(engine.draws.size(), 1u);
    EXPECT_FALSE(engine.draws[0].remaining);
    EXPECT_FALSE(engine.draws[0].resumes);
    EXPECT_FALSE(engine.draws[0].failed);
    EXPECT_EQ(engine.draws[0].channels, 0u);
}

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

TEST_F(Pipes, ADrawOfAnotherTopologyIsFilteredOut) {
    GEN9_COVERS("VF-29 CS-45");
    const auto filter = [](std::uint32_t topology) { return Words{0x06800000 | topology}; };
    const Words patches = {0x784B0000, 0x22}, triangles = {0x784B0000, 4};
    run(Stream() << kSelect3D << filter(4) << kDraw << filter(0x22) << kDraw  // not this one
                 << patches << kDraw << triangles << kDraw                    // nor the last
                 << filter(0) << kDraw);
    EXPECT_EQ(engine.draws.size(), 3u);
    EXPECT_TRUE(engine.environment.reporter.entries().empty());
}

const Words kStreamOut = {0x781E0003, 1u << 31, 0, 0, 0}, kNoStreamOut = {0x781E0003, 0, 0, 0, 0};

TEST_F(Pipes, WriteOffsetsGoWithTheNextDrawThatHasStreamOutput) {
    GEN9_COVERS("SOL-17");
    run(Stream() << kSelect3D << Words{0x11000001, 0x5280, 64} << kDraw << kStreamOut << kDraw
                 << kDraw << Words{0x11000001, 0x5288, 8} << kNoStreamOut << kDraw << kStreamOut
                 << kDraw);
    ASSERT_EQ(engine.draws.size(), 5u);
    const auto& of = [&](unsigned n) { return engine.draws[n].stream_offsets; };
    EXPECT_EQ(of(0).changed, 0u);
    EXPECT_EQ(of(1).changed, 0xFu) << "of a new context";
    EXPECT_EQ(of(1).value, (WriteOffsets{64, 0, 0, 0}));
    EXPECT_EQ(of(2).changed, 0u);
    EXPECT_EQ(of(3).changed, 0u);
    EXPECT_EQ(of(4).changed, 4u);
    EXPECT_EQ(of(4).value[2], 8u);
}

TEST_F(Pipes, WhatADrawHasWrittenOutIsInTheRegisters) {
    GEN9_COVERS("SOL-17 SOL-22 SOL-23");
    run(Stream() << kSelect3D << kStreamOut << kDraw << Words{0x11000001, 0x5284, 5});
    DrawCounts counts;
    counts.so_primitives_written = {1, 2, 3, 4};
    counts.so_primitives_needed = {10, 20, 30, 1ull << 33};
    counts.stream_offsets = {{100, 101, 102, 103}, 0xF};
    engine.core.count_draw(counts);
    const auto at = [&](std::uint32_t offset) { return engine.core.read_register(offset); };
    EXPECT_EQ(at(0x5280), 100u);
    EXPECT_EQ(at(0x5284), 5u) << "the stream has set it meanwhile";
    EXPECT_EQ(at(0x528C), 103u);
    for (std::uint32_t stream = 0; stream < 4; ++stream)
        EXPECT_EQ(at(0x5200 + 8 * stream), stream + 1);
    EXPECT_EQ(at(0x5240), 10u);
    EXPECT_EQ(at(0x5258 + 4), 2u);
    counts.stream_offsets = {{7, 7, 7, 7}, 0};
    engine.core.count_draw(counts);
    EXPECT_EQ(at(0x5280), 100u) << "a draw without stream output";
    EXPECT_EQ(at(0x5200), 2u);
}

TEST_F(Pipes, ABufferSetsItsWriteOffsetForOneDraw) {
    GEN9_COVERS("SOL-18");
    const auto buffer = [](unsigned number) {
        return Words{0x79180006, 1u << 31 | number << 29 | 3u << 20, 0x1000, 0, 9, 0, 0, 64};
    };
    run(Stream() << kSelect3D << buffer(1) << kDraw << kStreamOut << kDraw << kDraw << buffer(1)
                 << buffer(2) << kDraw);
    ASSERT_EQ(engine.draws.size(), 4u);
    const auto& row = packets::command_named("3DSTATE_SO_BUFFER");
    const auto loads = [&](unsigned draw, unsigned number) {
        const auto given = engine.draws[draw].state->stage(Unit::Sol)->command(row, number);
        return !given.empty() && (given[1] >> 21 & 1);
    };
    EXPECT_TRUE(loads(0, 1));
    EXPECT_TRUE(loads(1, 1)) << "there was no stream output yet";
    EXPECT_FALSE(loads(2, 1));
    EXPECT_TRUE(loads(3, 1));
    EXPECT_TRUE(loads(3, 2));
    const auto kept = engine.draws[2].state->stage(Unit::Sol)->command(row, 1);
    EXPECT_EQ(kept[1], 1u << 31 | 1u << 29 | 1u << 20);
    EXPECT_EQ(kept[7], 64u);
}

}  // namespace
}  // namespace gen9
