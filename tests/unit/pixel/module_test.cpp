// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/support/covers.h"
#include "tests/unit/pixel/pixel_bench.h"

namespace gen9::pixel::module_test {
namespace {

void clears(Timing timing, unsigned tile_mode) {
    PixelBench bench("bench", timing);
    const std::uint32_t pitch = 512;
    bind_target(bench, surface_state(kRgba8, tile_mode, 64, 64, pitch, kTarget));
    bench.shader = rep16_shader;
    bench.new_draw(clear_state().state);
    // Half a block over to each side of 2x2 and 8x4 pixels.
    bench.add_rectangle(rectangle_object({0.25f, 0.5f, 0.75f, 1.0f}), {3, 5, 50, 62});
    bench.run();
    EXPECT_EQ(bench.env.reporter.entries().size(), 0u);
    std::vector<std::uint8_t> expected(64 * 512, 0);
    for (unsigned y = 5; y <= 62; ++y)
        for (unsigned x = 3; x <= 50; ++x) {
            constexpr std::uint8_t kColor[4] = {0x40, 0x80, 0xBF, 0xFF};
            for (unsigned c = 0; c < 4; ++c)
                expected[byte_place(tile_mode, pitch, 4 * x + c, y)] = kColor[c];
        }
    const auto* at = &bench.memory.bytes[kTarget];
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), at));
    EXPECT_EQ(bench.target.stats().pixels.value(), 48u * 58u);
}

TEST(PixelModules, AReplicatedClearWritesItsPixelsOfALinearTarget) {
    clears(Timing::Functional, kLinear);
}
TEST(PixelModules, AReplicatedClearWritesItsPixelsOfAnXTiledTarget) {
    GEN9_COVERS("RT-24 CC-49");
    clears(Timing::Functional, kX);
}
TEST(PixelModules, AReplicatedClearWritesItsPixelsOfAYTiledTarget) {
    clears(Timing::Functional, kY);
}
TEST(PixelModules, AReplicatedClearWritesTheSameInTimedMode) {
    clears(Timing::Timed, kY);
}
TEST(PixelModules, AReplicatedClearWritesTheSameInTimedModeLinear) {
    clears(Timing::Timed, kLinear);
}

// Worked example 25.4 of 3d-settled.
TEST(PixelModules, ThePayloadOfAClearIsSetUpDataOnly) {
    GEN9_COVERS("PS-20 PS-24 PS-25 PS-26 PS-33");
    PixelBench bench("bench", Timing::Functional);
    bench.new_draw(clear_state().state);
    bench.add_rectangle(rectangle_object({0.25f, 0.5f, 0.75f, 1.0f}), {3, 5, 7, 5});
    bench.run();
    // Pixels 3 to 7 of row 5 lie in three pairs of columns: one thread of 16 slots.
    ASSERT_EQ(bench.seen.size(), 1u);
    const ThreadDispatch& thread = bench.seen[0].dispatch;
    EXPECT_EQ(thread.simd_width, 16);
    EXPECT_EQ(thread.instruction_pointer, 0xffff7000u);
    EXPECT_EQ(thread.sideband.binding_table_offset, 0x20u);
    EXPECT_EQ(thread.dispatch_mask, 0x0FFFu);
    EXPECT_EQ(thread.payload_registers, 4);
    EXPECT_EQ(dword_at(thread.payload[0], 0), 0x0Fu);
    EXPECT_EQ(dword_at(thread.payload[0], 1), 0x40u);
    EXPECT_EQ(dword_at(thread.payload[0], 4), 0x20u);
    EXPECT_EQ(dword_at(thread.payload[0], 5), thread.sideband.fftid);
    EXPECT_EQ(dword_at(thread.payload[1], 2), 4u << 16 | 2);
    EXPECT_EQ(dword_at(thread.payload[1], 3), 4u << 16 | 4);
    EXPECT_EQ(dword_at(thread.payload[1], 4), 4u << 16 | 6);
    // Row 5 is the lower one: slots 3; 6, 7; 10, 11.
    EXPECT_EQ(dword_at(thread.payload[1], 7), 0x0CC80CC8u);
    EXPECT_EQ(float_at(thread.payload[2], 3), 0.25f);
    EXPECT_EQ(float_at(thread.payload[2], 7), 0.5f);
    EXPECT_EQ(float_at(thread.payload[3], 3), 0.75f);
    EXPECT_EQ(float_at(thread.payload[3], 7), 1.0f);
}

/// Worked examples 25.1 and 25.3 of 3d-settled: the shader and the object that iris and its compiler make of a textured triangle.
void has_the_payload_of_the_triangle(Timing timing, bool wide) {
    PixelBench bench("bench", timing);
    StateMaker maker = clear_state();
    maker.give({0x78140000, 0x80000844});
    maker.give({0x78170409, 0, 0x00010000, 0, 0, 0, 0, 0, 0, 0x30000, 0});
    maker.give({0x782a0000, 0x40});  // commits the constants
    maker.give({0x7820000a, 0xffffb080, 0, 0x480c0000, 0, 0, 0x1f800803, 0x00040006, 0xffffb080, 0,
                0xffffb100, 0});
    for (unsigned i = 0; i < 4; ++i)
        bench.put(0x30000 + 4 * i, std::array{1.0f, 0.5f, 0.25f, 1.0f}[i]);
    SetUpObject object;
    object.topology = 4;
    object.interpolation = interpolation_of({{{819, 819}, {15565, 819}, {8192, 15565}}});
    object.attribute_count = 1;
    object.attributes[0] = {};
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    object.attributes[0][0] = bits(1.0f);
    object.attributes[0][1] = bits(0.5f);
    object.attributes[0][5] = bits(1.0f);
    bench.new_draw(maker.state);
    // Two 2x2 blocks, or three: one of them holds pixel (32, 20).
    bench.add_rectangle(object, {32, 20, wide ? 37 : 35, 21});
    bench.run();
    ASSERT_EQ(bench.seen.size(), 1u);
    const ThreadDispatch& thread = bench.seen[0].dispatch;
    EXPECT_EQ(thread.simd_width, wide ? 16 : 8);
    EXPECT_EQ(thread.instruction_pointer, wide ? 0xffffb100u : 0xffffb080u);
    EXPECT_TRUE(thread.uses_vector_mask);
    EXPECT_EQ(thread.dispatch_mask, wide ? 0xFFFu : 0xFFu);
    EXPECT_EQ(thread.payload_registers, wide ? 9 : 7);
    EXPECT_NEAR(float_at(thread.payload[2], 0), 0.358504f, 1e-6f);
    EXPECT_NEAR(float_at(thread.payload[3], 0), 0.300353f, 1e-6f);
    // A pixel to the right adds the slope of b1; slots 8 to 11 are four pixels to the right.
    const float slope = 256.0f / 14746;
    EXPECT_NEAR(float_at(thread.payload[2], 1), 0.358504f + slope, 1e-6f);
    if (wide) {
        EXPECT_NEAR(float_at(thread.payload[4], 0), 0.358504f + 4 * slope, 1e-6f);
        EXPECT_NEAR(float_at(thread.payload[5], 0), 0.300353f, 1e-6f);
    }
    const Grf* const tail = &thread.payload[wide ? 6 : 4];
    EXPECT_EQ(float_at(tail[0], 0), 1.0f);
    EXPECT_EQ(float_at(tail[0], 1), 0.5f);
    EXPECT_EQ(float_at(tail[0], 2), 0.25f);
    EXPECT_EQ(float_at(tail[0], 3), 1.0f);
    const std::array<float, 8> setup{1, 0.5f, 0, 0, 0, 1, 0, 0};
    for (unsigned n = 0; n < 8; ++n)
        EXPECT_EQ(float_at(tail[1], n), setup[n]);
    EXPECT_EQ(dword_at(thread.payload[0], 0), 4u);
}
TEST(PixelModules, AThreadOfEightSlotsHasThePayloadOfTheTriangle) {
    GEN9_COVERS("PS-07 PS-08 PS-18 PS-19 PS-29 FF-82 PS-39");
    has_the_payload_of_the_triangle(Timing::Functional, false);
}
TEST(PixelModules, AThreadOfSixteenSlotsHasThePayloadOfTheTriangle) {
    has_the_payload_of_the_triangle(Timing::Timed, true);
}

// A line of a strip of the back, and the edges and corners of a triangle that faces away.
TEST(PixelModules, ThreadsOfPointsAndLinesKnowWhetherTheseFaceAway) {
    GEN9_COVERS("DZ-34");
    PixelBench bench("bench", Timing::Functional);
    bench.new_draw(clear_state().state);
    std::vector<bool> away;
    for (const ObjectType type : {ObjectType::Point, ObjectType::Line, ObjectType::Triangle})
        for (const bool back : {false, true}) {
            SetUpObject object = rectangle_object({});
            object.type = type;
            object.back_facing = back;
            bench.add_rectangle(object, {8 * int(away.size()), 0, 8 * int(away.size()) + 1, 1});
            away.push_back(back);
        }
    bench.run();
    ASSERT_EQ(bench.seen.size(), away.size());
    for (std::size_t n = 0; n < away.size(); ++n)
        EXPECT_EQ(dword_at(bench.seen[n].dispatch.payload[0], 0) >> 15 & 1, away[n]) << n;
}

TEST(PixelModules, ThePayloadHasAllItsPartsInOrder) {
    GEN9_COVERS("PS-28 PS-30 PS-31 PS-32 SF-59 PS-12 WM-08");
    PixelBench bench("bench", Timing::Functional);
    StateMaker maker = clear_state();
    // All six sets, depth and W at the pixel; 32 slots only; sample offsets; normal coverage.
    maker.give({0x78140000, 0x3Fu << 11});
    maker.give({0x791c0007, 0, 0, 0, 0, 0, 0, 0, 0x00880000});
    // Register 64 is behind 1 + 2 * (1 + 2 * (12 + 3) + 1).
    auto ps = pixel_shader(4, {66, 66, 66}, 3u << 3);
    maker.give(ps);
    maker.give({0x784f0000, 1u << 31 | 1u << 24 | 1u << 23 | 1u << 8 | 1});
    SetUpObject object;
    object.type = ObjectType::Triangle;
    object.back_facing = true;
    object.topology = 6;
    object.viewport = 3;
    object.render_target_index = 5;
    object.primitive_id = 77;
    object.interpolation =
        interpolation_of({{{0, 0}, {16 * 256, 0}, {0, 16 * 256}}}, {0.25, 0.5, 0.75});
    object.interpolation.perspective = true;
    object.interpolation.rhw = {1, 0.5f, 0.25f};
    object.attribute_count = 1;
    object.attributes[0].fill(0xABCD);
    bench.new_draw(maker.state);
    bench.add_object(object, {0, 0, 15, 3}, [](int x, int y) { return x != 1 || y != 2; });
    bench.run();
    ASSERT_EQ(bench.seen.size(), 2u);  // a block of 8x4 is a thread
    const ThreadDispatch& thread = bench.seen[0].dispatch;
    EXPECT_EQ(thread.simd_width, 32);
    EXPECT_EQ(thread.instruction_pointer, 0x1000u);
    EXPECT_EQ(thread.dispatch_mask, ~0u);
    EXPECT_EQ(dword_at(thread.payload[0], 0), 6u | 1u << 15 | 5u << 16 | 3u << 27);
    EXPECT_EQ(dword_at(thread.payload[0], 7), 77u);
    // Slot 17 is pixel (1, 2), which helps only: group 4 is the left one of the lower rows.
    EXPECT_EQ(dword_at(thread.payload[1], 7), 0xFFFFFFFFu);
    EXPECT_EQ(dword_at(thread.payload[2], 7), 0xFFFDFFFDu);
    EXPECT_EQ(dword_at(thread.payload[2], 2), 2u << 16 | 0u);
    EXPECT_EQ(dword_at(thread.payload[2], 3), 2u << 16 | 2u);
    const auto expected = [&](unsigned slot, unsigned set) {
        const unsigned group = slot / 4;
        const double x = group % 4 * 2 + (slot & 1) + 0.5,
                     y = group / 4 * 2 + (slot >> 1 & 1) + 0.5;
        const double l1 = x / 16, l2 = y / 16;
        if (set >= 3) return std::array{l1, l2};
        const double den = (1 - l1 - l2) + l1 * 0.5 + l2 * 0.25;
        return std::array{l1 * 0.5 / den, l2 * 0.25 / den};
    };
    for (unsigned half = 0; half < 2; ++half) {
        const unsigned base = 3 + half * 31;
        for (unsigned set = 0; set < 6; ++set)
            for (unsigned n = 0; n < 16; ++n) {
                const Grf* const at = &thread.payload[base + set * 4 + n / 8 * 2];
                const auto [b1, b2] = expected(half * 16 + n, set);
                EXPECT_NEAR(float_at(at[0], n % 8), b1, 1e-6) << set << " " << n;
                EXPECT_NEAR(float_at(at[1], n % 8), b2, 1e-6) << set << " " << n;
            }
        for (unsigned n = 0; n < 16; ++n) {
            const auto [l1, l2] = expected(half * 16 + n, 3);
            EXPECT_NEAR(float_at(thread.payload[base + 24 + n / 8], n % 8),
                        0.25 + l1 * 0.25 + l2 * 0.5, 1e-6);
            EXPECT_NEAR(float_at(thread.payload[base + 26 + n / 8], n % 8),
                        1 / ((1 - l1 - l2) + l1 * 0.5 + l2 * 0.25), 1e-5);
            EXPECT_EQ(thread.payload[base + 28].bytes[2 * n], 8);
            EXPECT_EQ(dword_at(thread.payload[base + 29 + n / 8], n % 8),
                      half == 1 && n == 1 ? 0u : 1u);
        }
    }
    EXPECT_EQ(dword_at(thread.payload[66], 0), 0xABCDu);
    EXPECT_EQ(thread.payload_registers, 68);
}

TEST(PixelModules, WidthsAreChosenByThePixelsThatWait) {
    GEN9_COVERS("PS-06 PS-10");
    using Seen = std::vector<std::pair<unsigned, std::uint64_t>>;
    const std::vector<std::pair<unsigned, Seen>> cases{
        {1, {{8, 0x1000}, {8, 0x1000}, {8, 0x1000}, {8, 0x1000}, {8, 0x1000}}},
        {2, {{16, 0x1000}, {16, 0x1000}, {16, 0x1000}}},
        {3, {{8, 0x1000}, {16, 0x3000}, {16, 0x3000}}},
        {7, {{8, 0x1000}, {32, 0x2000}}},
        {4, {{32, 0x1000}, {32, 0x1000}}}};
    Benches benches;
    for (const auto& [widths, expected] : cases) {
        PixelBench& bench = benches.add(Timing::Functional);
        StateMaker maker = clear_state();
        maker.give(pixel_shader(widths));
        bench.new_draw(maker.state);
        // Nine groups of four slots.
        bench.add_rectangle(rectangle_object({}), {0, 0, 17, 1});
    }
    benches.run();
    auto expected = cases.begin();
    for (const PixelBench& bench : benches) {
        Seen seen;
        for (const ThreadSeen& thread : bench.seen)
            seen.emplace_back(thread.dispatch.simd_width, thread.dispatch.instruction_pointer);
        std::ranges::sort(seen);
        EXPECT_EQ(seen, expected->second) << expected->first;
        ++expected;
    }
}

TEST(PixelModules, SamplesHaveSlotsOfTheirOwnWhereTheShaderIsForEach) {
    GEN9_COVERS("PS-14 PS-16 PS-27");
    PixelBench bench("bench", Timing::Functional);
    StateMaker maker = clear_state();
    maker.give({0x780d0000, 3u << 1});                       // 8 samples
    maker.give({0x784f0000, 1u << 31 | 1u << 6 | 1u << 8});  // per sample
    bench.new_draw(maker.state);
    // One 2x2 block; the upper left pixel lacks sample 6.
    bench.add_object(
        rectangle_object({}), {4, 6, 5, 7},
        [](int x, int y) { return x == 4 && y == 6 ? 0xBF : 0xFF; }, 8);
    bench.run();
    ASSERT_EQ(bench.seen.size(), 2u);
    for (const ThreadSeen& thread : bench.seen) {
        const std::uint32_t r0 = dword_at(thread.dispatch.payload[0], 0);
        const bool second = r0 >> 6 & 7;
        EXPECT_EQ(r0 >> 6 & 7, second ? 2u : 0u);
        EXPECT_EQ(dword_at(thread.dispatch.payload[1], 0), second ? 0x7654u : 0x3210u);
        EXPECT_EQ(dword_at(thread.dispatch.payload[1], 7), second ? 0xFEFFFEFFu : 0xFFFFFFFFu);
        EXPECT_EQ(dword_at(thread.dispatch.payload[1], 4), 6u << 16 | 4);
    }
}

TEST(PixelModules, PairsOfSamplesThatCoverNothingGetNoSlots) {
    PixelBench bench("bench", Timing::Functional);
    StateMaker maker = clear_state();
    maker.give({0x780d0000, 3u << 1});                       // 8 samples
    maker.give({0x784f0000, 1u << 31 | 1u << 6 | 1u << 8});  // per sample
    bench.new_draw(maker.state);
    bench.add_object(
        rectangle_object({}), {4, 6, 5, 7}, [](int, int) { return 0x20; }, 8);
    bench.run();
    ASSERT_EQ(bench.seen.size(), 1u);
    const ThreadDispatch& thread = bench.seen[0].dispatch;
    EXPECT_EQ(dword_at(thread.payload[0], 0) >> 6 & 7, 2u);
    EXPECT_EQ(dword_at(thread.payload[1], 0), 0x54u);
    EXPECT_EQ(dword_at(thread.payload[1], 7), 0x00F000F0u);
    EXPECT_EQ(thread.dispatch_mask, 0xF0u);
}

TEST(PixelModules, AShaderWithoutEffectGetsNoThread) {
    GEN9_COVERS("WM-05");
    PixelBench bench("bench", Timing::Timed);
    StateMaker maker = clear_state();
    maker.give({0x784d0000, 0});  // no target can be written
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 63, 63});
    maker.give({0x78140000, 2u << 19});  // and yet it is forced
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 7, 3});
    bench.run();
    EXPECT_EQ(bench.seen.size(), 2u);
    EXPECT_EQ(bench.dispatch.stats().pixels_without_thread.value(), 64u * 64u);
}

TEST(PixelModules, APayloadThatDoesNotFitIsReportedOnce) {
    PixelBench bench("bench", Timing::Functional);
    StateMaker maker = clear_state();
    maker.give(pixel_shader(2, {127, 127, 127}));
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 127, 63});
    bench.run();
    EXPECT_TRUE(bench.seen.empty());
    EXPECT_EQ(bench.env.log.size(), 1u);
    EXPECT_NE(bench.env.log[0].find("3DPRIMITIVE at 0x4040, pixel shader"), std::string::npos)
        << bench.env.log[0];
}

}  // namespace
}  // namespace gen9::pixel::module_test
