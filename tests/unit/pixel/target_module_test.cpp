// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/pixel/pixel_bench.h"

namespace gen9::pixel::module_test {
namespace {

std::array<std::uint8_t, 4> rgba8_at(const PixelBench& bench, unsigned tile_mode, unsigned pitch,
                                     unsigned x, unsigned y) {
    std::array<std::uint8_t, 4> texel;
    std::memcpy(texel.data(), &bench.memory.bytes[kTarget + byte_place(tile_mode, pitch, 4 * x, y)],
                4);
    return texel;
}

std::vector<std::uint8_t> bytes_of(const PixelBench& bench, std::uint64_t at, std::size_t count) {
    const auto first = bench.memory.bytes.begin() + static_cast<std::ptrdiff_t>(at);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
}

/// Pixels that one object of any shape draws are its own, whatever the width of threads.
TEST(PixelTargets, EveryWidthDrawsThePixelsOfTheObject) {
    GEN9_COVERS("RT-08 RT-17 RT-19 RT-20 CC-32 RT-07");
    const auto covers = [](int x, int y) { return (x * 7 + y * 13) % 5 < 2 || x > y; };
    Benches benches;
    for (const unsigned widths : {1u, 2u, 4u, 7u, 8u + 7u}) {
        PixelBench& bench = benches.add(widths < 8 ? Timing::Functional : Timing::Timed);
        bind_target(bench, surface_state(kRgba8, kY, 64, 64, 512, kTarget));
        bench.shader = flat_shader({1, 0.5f, 0, 1});
        StateMaker maker = clear_state();
        maker.give(pixel_shader(widths & 7));
        bench.new_draw(maker.state);
        bench.add_object(rectangle_object({}), {1, 2, 61, 59}, covers);
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x) {
                const bool lit = x >= 1 && x <= 61 && y >= 2 && y <= 59 && covers(x, y);
                const std::array<std::uint8_t, 4> color{255, 128, 0, 255}, none{};
                ASSERT_EQ(rgba8_at(bench, kY, 512, unsigned(x), unsigned(y)), lit ? color : none)
                    << x << " " << y;
            }
        EXPECT_TRUE(bench.env.log.empty());
    }
}

/// Each slot a colour of its own, and every fifth is killed.
std::vector<Message> coloured_shader(const ThreadDispatch& thread) {
    const bool wide = thread.simd_width == 16;
    MessageMaker maker{.subtype = wide ? kSimd16 : kSimd8};
    maker.header = {thread.payload[0], thread.payload[1]};
    store(maker.header[1].bytes + 28, 0x7BDEF7BDu & thread.dispatch_mask);
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned row = 0; row < (wide ? 2u : 1u); ++row) {
            std::array<float, 8> values;
            for (unsigned n = 0; n < 8; ++n)
                values[n] = float(c + 1) / 5 + float(8 * row + n) / 200;
            maker.registers.push_back(floats(values));
        }
    maker.execution_mask = thread.dispatch_mask;
    return {maker.make()};
}

TEST(PixelTargets, WritesInTwoPartsAreCallsThatDoWhatMessagesDo) {
    Benches benches;
    for (const unsigned tile_mode : {kX, kY, kLinear})
        for (const int split : {-1, 0, 1, 2, 3, 5, 7, 10}) {
            PixelBench& bench = benches.add(Timing::Functional);
            bench.split = split;
            bind_target(bench, surface_state(kRgba8, tile_mode, 64, 64, 512, kTarget));
            bench.shader = coloured_shader;
            StateMaker maker = clear_state();
            maker.give(pixel_shader(3));
            bench.new_draw(maker.state);
            bench.add_object(rectangle_object({}), {1, 2, 61, 59},
                             [](int x, int y) { return (x * 5 + y * 3) % 7 != 0; });
        }
    benches.run();
    const PixelBench* messages = nullptr;
    for (const PixelBench& bench : benches) {
        if (bench.split < 0) messages = &bench;
        EXPECT_EQ(bench.calls, bench.split < 0 ? 0u : bench.seen.size()) << bench.split;
        EXPECT_EQ(bytes_of(bench, kTarget, 64 * 512), bytes_of(*messages, kTarget, 64 * 512))
            << bench.split;
        const auto &stats = bench.target.stats(), &others = messages->target.stats();
        EXPECT_EQ(stats.pixels.value(), others.pixels.value());
        EXPECT_EQ(stats.messages.value(), others.messages.value());
        EXPECT_GT(stats.pixels.value(), 1000u);
    }
}

/// BLEND_STATE at kDynamic, one entry.
void put_blend(PixelBench& bench, std::uint32_t header, std::uint32_t entry, std::uint32_t clamps) {
    bench.put_dwords(kDynamic, {header, entry, clamps});
}
constexpr std::uint32_t kSourceAlpha = 3, kInverseSourceAlpha = 0x13;

TEST(PixelTargets, OverlappingObjectsBlendInTheirOrder) {
    GEN9_COVERS("CC-16 WM-02 PI-17");
    Benches benches;
    float pixel = 0;
    for (const int order : {-1, 0, 5}) {
        PixelBench& bench = benches.add(order < 0 ? Timing::Functional : Timing::Timed,
                                        order < 0 ? 0 : static_cast<std::uint64_t>(order));
        bind_target(bench, surface_state(kRgba32f, kLinear, 32, 32, 512, kTarget));
        put_blend(bench, 0, 1u << 31 | kSourceAlpha << 26 | kInverseSourceAlpha << 21, 0);
        bench.shader = [](const ThreadDispatch& thread) {
            return flat_shader({float_at(thread.payload[2], 3), 0, 0, 0.25f})(thread);
        };
        StateMaker maker = clear_state();
        maker.give(pixel_shader(3));
        bench.new_draw(maker.state);
        pixel = 0;
        for (unsigned i = 0; i < 20; ++i) {
            const float red = float(i % 7) + 1;
            // Those that are small are in flight together.
            const gen9::PixelRectangle box =
                i < 6 ? gen9::PixelRectangle{int(i % 3), int(i % 2), 20, 9}
                      : gen9::PixelRectangle{10 - int(i % 3), 8, 11, 9};
            bench.add_rectangle(rectangle_object({red, 0, 0, 0}), box);
            pixel = red * 0.25f + pixel * 0.75f;
        }
    }
    benches.run(2'000'000);
    for (const PixelBench& bench : benches) {
        EXPECT_EQ(load<float>(&bench.memory.bytes[kTarget + 512 * 8 + 16 * 10]), pixel);
        EXPECT_EQ(bytes_of(bench, kTarget, 16384), bytes_of(*benches.begin(), kTarget, 16384));
        EXPECT_GT(bench.dispatch.stats().dependencies.value(), 0u);
        EXPECT_GT(bench.dispatch.stats().waits_for_pixels.value(), 0u);
    }
}

/// A line from (10, 20) to (30, 20), 4 wide: its sides rise over one pixel, its ends over another.
TEST(PixelTargets, AlphaFadesToTheEdgesOfASmoothLine) {
    GEN9_COVERS("CC-04 SF-42");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        bind_target(bench, surface_state(kRgba32f, kLinear, 64, 32, 1024, kTarget));
        bench.shader = flat_shader({1, 2, 3, 0.5f});
        bench.new_draw(clear_state().state);
        SetUpObject line = rectangle_object({});
        line.type = ObjectType::Line;
        line.line.from = {10 * kPixelSteps, 20 * kPixelSteps};
        line.line.to = {30 * kPixelSteps, 20 * kPixelSteps};
        line.line.style = LineStyle::Smooth;
        line.line.width = 4;
        line.line.side_region = 2;
        line.line.cap_region = 1;
        bench.add_rectangle(line, {9, 18, 30, 21});
        // The same pixels of a line that is not smooth are whole.
        line.line.style = LineStyle::Wide;
        bench.add_rectangle(line, {40, 18, 41, 21});
    }
    benches.run();
    for (const PixelBench& bench : benches)
        for (unsigned y = 18; y <= 21; ++y)
            for (unsigned x = 9; x <= 30; ++x) {
                const float from_middle = std::abs(float(y) + 0.5f - 20);
                const float sides = std::min(2 - from_middle, 1.0f);
                const float ends = x == 9 || x == 30 ? 0.5f : 1;
                const std::uint64_t at = kTarget + 1024 * y + 16 * x;
                ASSERT_EQ(load<float>(&bench.memory.bytes[at + 12]), 0.5f * sides * ends)
                    << x << " " << y;
                ASSERT_EQ(load<float>(&bench.memory.bytes[at + 8]), 3);
                const std::uint64_t wide = kTarget + 1024 * y + 16 * 40;
                ASSERT_EQ(load<float>(&bench.memory.bytes[wide + 12]), 0.5f);
            }
}

TEST(PixelTargets, AHeaderHasTheTargetsNumberAndTheLiveMask) {
    GEN9_COVERS("RT-15 RT-16 RT-27 CC-01 RT-07 RT-29");
    PixelBench bench("bench", Timing::Functional);
    bench.put<std::uint32_t>(kSurfaces + 0x20, 0x400);
    bench.put<std::uint32_t>(kSurfaces + 0x24, 0x440);
    bench.put_dwords(kSurfaces + 0x400, surface_state(kRgba8, kLinear, 16, 16, 64, kTarget));
    bench.put_dwords(kSurfaces + 0x440, surface_state(kRgba8, kLinear, 16, 16, 64, kTarget + 4096));
    // Entry 1 writes no green.
    bench.put_dwords(kDynamic, {0, 0, 0, 1u << 1, 0});
    bench.shader = [](const ThreadDispatch& thread) {
        std::vector<Message> messages;
        for (unsigned i = 0; i < 2; ++i) {
            MessageMaker maker{.subtype = kSimd16, .binding = i, .last = i == 1};
            maker.header = {thread.payload[0], thread.payload[1]};
            store(maker.header[0].bytes, 1u << 12);  // a mask of samples
            store(maker.header[0].bytes + 8, i);
            store(maker.header[1].bytes + 28, 0xFFFFFFF7u);  // slot 3 is killed
            Grf mask;
            for (unsigned n = 0; n < 16; ++n)
                store(mask.bytes + 2 * n, static_cast<std::uint16_t>(n == 5 ? 0 : 0xFFFF));
            maker.registers = {mask};
            for (unsigned r = 0; r < 8; ++r)
                maker.registers.push_back(floats({1, 1, 1, 1, 1, 1, 1, 1}));
            maker.execution_mask = 0;  // it does not count
            messages.push_back(maker.make());
        }
        return messages;
    };
    bench.new_draw(clear_state().state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 7, 1});
    bench.run();
    EXPECT_TRUE(bench.env.log.empty());
    for (unsigned y = 0; y < 2; ++y)
        for (unsigned x = 0; x < 8; ++x) {
            const unsigned slot = x / 2 * 4 + y * 2 + x % 2;
            const bool drawn = slot != 3 && slot != 5;
            EXPECT_EQ(bench.dword(kTarget + 64 * y + 4 * x), drawn ? ~0u : 0u);
            EXPECT_EQ(bench.dword(kTarget + 4096 + 64 * y + 4 * x), drawn ? 0xFFFF00FFu : 0u);
        }
}

TEST(PixelTargets, PartsOfAByteAreWrittenWithoutTheOthers) {
    PixelBench bench("bench", Timing::Timed);
    bind_target(bench, surface_state(kB5G6R5, kX, 16, 16, 512, kTarget));
    put_blend(bench, 0, 1u << 0 | 1u << 2, 0);  // green only
    bench.put<std::uint16_t>(kTarget + byte_place(kX, 512, 2 * 3, 4), 0xF81F);
    bench.shader = flat_shader({0, 1, 0, 1});
    bench.new_draw(clear_state().state);
    bench.add_rectangle(rectangle_object({}), {3, 4, 3, 4});
    bench.run();
    EXPECT_EQ(load<std::uint16_t>(&bench.memory.bytes[kTarget + byte_place(kX, 512, 6, 4)]),
              0xFFFF);
}

TEST(PixelTargets, PixelsOutsideAndLayersBeyondTheViewStayWithin) {
    GEN9_COVERS("RT-34 CC-31 FF-111");
    PixelBench bench("bench", Timing::Functional);
    auto surface = surface_state(kRgba8, kLinear, 10, 6, 64, kTarget);
    surface[0] |= 1u << 28;           // an array
    surface[1] = 2;                   // slices 8 rows apart
    surface[3] |= 3u << 21;           // of four
    surface[4] = 1u << 7 | 1u << 18;  // the view: slices 1 and 2
    bind_target(bench, surface);
    bench.shader = flat_shader({1, 1, 1, 1});
    bench.new_draw(clear_state().state);
    SetUpObject object = rectangle_object({});
    object.render_target_index = 1;
    bench.add_rectangle(object, {0, 0, 0, 0});
    object.render_target_index = 2;  // beyond: the first
    bench.add_rectangle(object, {4, 2, 30, 30});
    bench.run();
    std::set<unsigned> expected{64 * 16};
    for (unsigned y = 2; y < 6; ++y)
        for (unsigned x = 4; x < 10; ++x)
            expected.insert(64 * (8 + y) + 4 * x);
    std::set<unsigned> written;
    for (unsigned at = 0; at < 64 * 64; at += 4)
        if (bench.dword(kTarget + at) != 0) written.insert(at);
    EXPECT_EQ(written, expected);
}

TEST(PixelTargets, DualSourceMessagesWriteTheirEightSlots) {
    GEN9_COVERS("RT-21");
    PixelBench bench("bench", Timing::Functional);
    bind_target(bench, surface_state(kRgba32f, kLinear, 16, 16, 256, kTarget));
    // Source times source 1's colour.
    put_blend(bench, 0, 1u << 31 | 9u << 26 | 0x11u << 21, 0);
    bench.shader = [](const ThreadDispatch& thread) {
        std::vector<Message> messages;
        for (const Subtype subtype : {kLow, kHigh}) {
            MessageMaker maker{.subtype = subtype};
            maker.header = {thread.payload[0], thread.payload[1]};
            std::array<float, 8> color, by;
            color.fill(subtype == kLow ? 2 : 3);
            by.fill(0.5f);
            for (unsigned c = 0; c < 4; ++c)
                maker.registers.push_back(floats(color));
            for (unsigned c = 0; c < 4; ++c)
                maker.registers.push_back(floats(by));
            maker.execution_mask = 0xFF;
            messages.push_back(maker.make());
        }
        return messages;
    };
    bench.new_draw(clear_state().state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 7, 0});
    bench.run();
    for (unsigned x = 0; x < 8; ++x)
        EXPECT_EQ(load<float>(&bench.memory.bytes[kTarget + 16 * x]), x < 4 ? 1.0f : 1.5f);
}

TEST(PixelTargets, WithoutAFactorOfSource1DualSourceMessagesHaveOneSource) {
    GEN9_COVERS("PS-04");
    // Blending off; on, by source 0 alone; by source 1 in the alpha factors, which do not count, and
    // then count.
    constexpr std::uint32_t kOne = 1u << 26 | 0x11u << 21, kOneAlpha = 1u << 13 | 0x11u << 8,
                            kSource1Alpha = 0xAu << 13 | 0x11u << 8;
    const std::pair<std::array<std::uint32_t, 2>, std::array<float, 2>> cases[] = {
        {{0, 9u << 26 | 0x11u << 21}, {2, 2}},
        {{0, 1u << 31 | kOne | kOneAlpha}, {2, 2}},
        {{0, 1u << 31 | kOne | kSource1Alpha}, {2, 2}},
        {{1u << 30, 1u << 31 | kOne | kSource1Alpha}, {2, 1}}};
    Benches benches;
    for (const auto& [blend, expected] : cases) {
        PixelBench& bench = benches.add(Timing::Functional);
        bind_target(bench, surface_state(kRgba32f, kLinear, 16, 16, 256, kTarget));
        put_blend(bench, blend[0], blend[1], 0);
        bench.shader = [](const ThreadDispatch& thread) {
            MessageMaker maker{.subtype = kLow};
            maker.header = {thread.payload[0], thread.payload[1]};
            for (unsigned c = 0; c < 8; ++c) {
                std::array<float, 8> color;
                color.fill(c < 4 ? 2 : 0.5f);
                maker.registers.push_back(floats(color));
            }
            maker.execution_mask = 0xFF;
            return std::vector{maker.make()};
        };
        bench.new_draw(clear_state().state);
        bench.add_rectangle(rectangle_object({}), {0, 0, 3, 0});
    }
    benches.run();
    unsigned which = 0;
    for (const PixelBench& bench : benches) {
        const auto& [red, alpha] = cases[which].second;
        EXPECT_EQ(load<float>(&bench.memory.bytes[kTarget]), red) << which;
        EXPECT_EQ(load<float>(&bench.memory.bytes[kTarget + 12]), alpha) << which;
        ++which;
    }
}

TEST(PixelTargets, AReadGivesWhatIsStored) {
    GEN9_COVERS("RT-31 RT-33 RT-35");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        bind_target(bench, surface_state(kRgba8, kY, 6, 16, 128, kTarget));
        for (unsigned x = 0; x < 6; ++x)
            bench.put<std::uint32_t>(kTarget + byte_place(kY, 128, 4 * x, 1), 0x0000FF00 + x);
        bench.shader = [](const ThreadDispatch& thread) {
            MessageMaker maker{.subtype = kSimd16};
            maker.read = true;
            maker.header = {thread.payload[0], thread.payload[1]};
            maker.execution_mask = 0xFFF;
            return std::vector{maker.make()};
        };
        bench.new_draw(clear_state().state);
        bench.add_rectangle(rectangle_object({}), {0, 1, 7, 1});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        ASSERT_EQ(bench.answers.size(), 1u);
        const Message& answer = bench.answers[0];
        // Slot 7 is pixel (3, 1).
        EXPECT_EQ(float_at(answer.response[0], 7), 3 / 255.0f);
        EXPECT_EQ(float_at(answer.response[2], 7), 1.0f);
        EXPECT_EQ(answer.response_enable[0], ~0u);
        EXPECT_EQ(answer.response_enable[1], 0x0000FFFFu);
        EXPECT_EQ(float_at(answer.response[7], 4), 0.0f);  // outside
    }
}

TEST(PixelTargets, WhatIsNoMessageIsReportedOnceForADraw) {
    PixelBench bench("bench", Timing::Functional);
    bind_target(bench, surface_state(0x1FF, kLinear, 16, 16, 64, kTarget));
    bench.shader = flat_shader({1, 1, 1, 1});
    bench.new_draw(clear_state().state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 31, 31});
    bench.run();
    ASSERT_EQ(bench.env.log.size(), 1u);
    EXPECT_NE(bench.env.log[0].find("3DPRIMITIVE at 0x4040, render target"), std::string::npos)
        << bench.env.log[0];
    EXPECT_NE(bench.env.log[0].find("primitive 0"), std::string::npos);
}

// --- Auxiliary surfaces

/// The surface of 25.5: CCS at kAux, pitch of one tile, slices 256 rows apart.
std::vector<std::uint32_t> ccs_surface(float red) {
    auto surface = surface_state(kRgba8, kY, 64, 64, 256, kTarget);
    surface[0] = (surface[0] & ~(3u << 14)) | 3u << 14;  // HALIGN 16
    surface[6] = 0x00400005;
    surface[10] = kAux;
    surface[12] = std::bit_cast<std::uint32_t>(red);
    surface[15] = std::bit_cast<std::uint32_t>(1.0f);
    return surface;
}
void draw_pass(PixelBench& bench, std::uint32_t pass, gen9::PixelRectangle box) {
    StateMaker maker = clear_state();
    maker.give(pixel_shader(2, {2, 2, 2}, pass));
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), box);
}

// Worked example 25.5 of 3d-settled.
TEST(PixelTargets, AFastClearMarksAndAResolveFills) {
    GEN9_COVERS("CC-38 CC-39 CC-40 CC-46 CC-48");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        bind_target(bench, ccs_surface(0.25f));
        bench.shader = flat_shader({1, 1, 1, 1});
        draw_pass(bench, 1u << 8, {0, 0, 1, 1});
    }
    benches.run();
    for (PixelBench& bench : benches) {
        for (unsigned i = 0; i < 128; ++i)
            ASSERT_EQ(bench.memory.bytes[kAux + i], i < 64 ? 0xFF : 0) << i;
        for (unsigned i = 0; i < 16384; ++i)
            ASSERT_EQ(bench.memory.bytes[kTarget + i], 0) << "a fast clear touches no colour";
        draw_pass(bench, 1u << 6, {0, 0, 1, 1});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        for (unsigned y = 0; y < 64; ++y)
            for (unsigned x = 0; x < 64; ++x)
                ASSERT_EQ(bench.dword(kTarget + byte_place(kY, 256, 4 * x, y)), 0xFF000040u);
        // Elements inside 64 x 64 pixels, 8 x 16 of them, are 0, the others stay 3.
        unsigned marked = 0;
        for (unsigned i = 0; i < 64; ++i)
            marked += static_cast<unsigned>(std::popcount(bench.memory.bytes[kAux + i]));
        EXPECT_EQ(marked, 2u * (16 * 16 - 8 * 16));
    }
}

// Worked example 25.6 of 3d-settled: anv clears the control surface of 25.5 as a target of texels of
// 16 bytes, by a rectangle of 1 x 4.
TEST(PixelTargets, AControlSurfaceIsClearedAsATargetOfWideTexels) {
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        bind_target(bench, surface_state(kRgba32u, kY, 8, 32, 128, kAux));
        std::fill_n(&bench.memory.bytes[kAux], 4096, std::uint8_t{0xFF});
        bench.shader = rep16_shader;
        bench.new_draw(clear_state().state);
        bench.add_rectangle(rectangle_object({}), {0, 0, 0, 3});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.env.log.empty());
        EXPECT_EQ(bench.target.stats().pixels.value(), 4u);
        for (unsigned i = 0; i < 4096; ++i)
            ASSERT_EQ(bench.memory.bytes[kAux + i], i < 64 ? 0 : 0xFF) << i;
    }
}

TEST(PixelTargets, AWriteToAClearElementFillsItFirst) {
    GEN9_COVERS("CC-33");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        bind_target(bench, ccs_surface(0.25f));
        // Added to what is there: the clear colour counts.
        put_blend(bench, 0, 1u << 31 | 1u << 26 | 1u << 21, 0);
        bench.shader = flat_shader({0.2f, 0, 0, 0});
        draw_pass(bench, 1u << 8, {0, 0, 1, 1});
    }
    benches.run();
    for (PixelBench& bench : benches) {
        draw_pass(bench, 0, {9, 5, 10, 6});
        draw_pass(bench, 0, {24, 0, 25, 7});  // a message of two elements
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.env.log.empty());
        for (unsigned y = 0; y < 16; ++y)
            for (unsigned x = 0; x < 32; ++x) {
                const bool element = (x / 8 == 1 && y / 4 == 1) || (x / 8 == 3 && y < 8);
                const bool drawn =
                    ((x == 9 || x == 10) && (y == 5 || y == 6)) || ((x == 24 || x == 25) && y < 8);
                ASSERT_EQ(bench.dword(kTarget + byte_place(kY, 256, 4 * x, y)), drawn ? 0xFF000073u
                                                                                : element
                                                                                    ? 0xFF000040u
                                                                                    : 0u)
                    << x << " " << y;
            }
        EXPECT_EQ(bench.target.stats().elements_filled.value(), 3u);
    }
}

TEST(PixelTargets, AControlSurfaceOfZerosPassesColorsThrough) {
    GEN9_COVERS("CC-44");
    PixelBench bench("bench", Timing::Functional);
    bind_target(bench, ccs_surface(0.25f));
    put_blend(bench, 0, 1u << 31 | 1u << 26 | 1u << 21, 0);  // added to what is there
    for (unsigned i = 0; i < 16384; i += 4)
        bench.put<std::uint32_t>(kTarget + i, 0x20);
    bench.shader = flat_shader({0.25f, 0, 0, 0});
    draw_pass(bench, 0, {9, 5, 10, 6});
    bench.run();
    for (unsigned i = 0; i < 128; ++i)
        EXPECT_EQ(bench.memory.bytes[kAux + i], 0);
    EXPECT_EQ(bench.dword(kTarget + byte_place(kY, 256, 36, 5)), 0x60u);
    EXPECT_EQ(bench.dword(kTarget + byte_place(kY, 256, 32, 5)), 0x20u);
    // All ones: the clear colour.
    for (unsigned i = 0; i < 64; ++i)
        bench.memory.bytes[kAux + i] = 0xFF;
    draw_pass(bench, 0, {9, 9, 9, 9});
    bench.run();
    EXPECT_EQ(bench.dword(kTarget + byte_place(kY, 256, 36, 9)), 0xFF000080u);
}

TEST(PixelTargets, SamplesOfAClearPixelComeIntoTheirSlices) {
    GEN9_COVERS("CC-35 CC-36 CC-48");
    PixelBench bench("bench", Timing::Functional);
    auto surface = surface_state(kRgba8, kY, 16, 16, 128, kTarget);
    surface[1] = 32 / 4;        // slices of samples 32 rows apart
    surface[4] = 2u << 3;       // 4 samples
    surface[6] = 8u << 16 | 1;  // MCS: pitch of one tile, 32 rows
    surface[10] = kAux;
    surface[13] = std::bit_cast<std::uint32_t>(1.0f);  // clear to green
    bind_target(bench, surface);
    bench.shader = flat_shader({1, 0, 0, 1});
    StateMaker maker = clear_state();
    maker.give({0x780d0000, 2u << 1});
    maker.give(pixel_shader(2, {2, 2, 2}, 1u << 8));
    bench.new_draw(maker.state);
    bench.add_object(
        rectangle_object({}), {0, 0, 1, 7}, [](int, int) { return 0xF; }, 4);
    bench.run();
    for (unsigned y = 0; y < 16; ++y)
        for (unsigned x = 0; x < 16; ++x)
            ASSERT_EQ(bench.memory.bytes[kAux + byte_place(kY, 128, x, y)], 0xFF);

    maker.give(pixel_shader(2));
    bench.new_draw(maker.state);
    bench.add_object(
        rectangle_object({}), {3, 5, 3, 5}, [](int, int) { return 0b0101; }, 4);
    bench.run();
    EXPECT_EQ(bench.memory.bytes[kAux + byte_place(kY, 128, 3, 5)], 0xE4);
    EXPECT_EQ(bench.memory.bytes[kAux + byte_place(kY, 128, 4, 5)], 0xFF);
    for (unsigned s = 0; s < 4; ++s)
        EXPECT_EQ(bench.dword(kTarget + byte_place(kY, 128, 12, 32 * s + 5)),
                  s % 2 == 0 ? 0xFF0000FFu : 0x0000FF00u);
}

}  // namespace
}  // namespace gen9::pixel::module_test
