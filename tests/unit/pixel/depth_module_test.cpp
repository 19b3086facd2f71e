// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/pixel/pixel_bench.h"

namespace gen9::pixel::module_test {
namespace {

constexpr unsigned kD32 = 1, kD24 = 3, kD16 = 5;

struct DepthCase {
    unsigned format = kD32;
    unsigned function = 2;  ///< LESS
    bool write = true, stencil = false;
    bool late = false;
    bool statistics = true;
    bool mixed = false;  ///< every other object is of a draw that is tested late
    bool hierarchical = false;
};

/// Depth at kDepth, 64 x 64, and stencil at kStencil.
void give_depth(StateMaker& maker, const DepthCase& what) {
    const unsigned bytes = what.format == kD16 ? 2 : 4;
    maker.give({0x78050006,
                1u << 29 | 1u << 28 | 1u << 27 | what.hierarchical * 1u << 22 | what.format << 18 |
                    (64 * bytes - 1),
                kDepth, 0, 63u << 18 | 63u << 4, 0, 0, 64 / 4});
    if (what.hierarchical) maker.give({0x78070003, 127, kAux, 0, 16});
    maker.give({0x78060003, 1u << 31 | (128 - 1), kStencil, 0, 64 / 4});
    std::uint32_t tests = what.function << 5 | 2u | std::uint32_t{what.write};
    // Stencil: not equal to the reference, which is then stored; a failed depth test inverts.
    if (what.stencil) tests |= 8u | 4u | 6u << 8 | 2u << 23 | 7u << 26;
    maker.give({0x784e0002, tests, 0xFFFF'0000, 0x0500});
    maker.give({0x78230000, 0x800});
    maker.give({0x78140000, std::uint32_t{what.statistics} << 31});
    if (what.late) maker.give({0x784f0000, 1u << 31 | 1u << 28 | 1u << 8});
}
void put_range(PixelBench& bench, float least, float most) {
    bench.put(kDynamic + 0x800, least);
    bench.put(kDynamic + 0x804, most);
}

struct Picture {
    std::vector<std::uint8_t> color, depth, stencil;
    std::uint64_t count = 0;
    bool operator==(const Picture&) const = default;
};

/// Rectangles with slopes over each other.
void give_random(PixelBench& bench, const DepthCase& what) {
    bind_target(bench, surface_state(kRgba8, kY, 64, 64, 256, kTarget));
    put_range(bench, 0.1f, 0.9f);
    std::mt19937 random(what.format * 8 + what.function);
    for (unsigned i = 0; i < 16384; i += 4)
        bench.put<std::uint32_t>(kDepth + i, what.format == kD32 ? 0x3F000000u : 0x00808080u);
    bench.shader = [](const ThreadDispatch& thread) {
        return flat_shader({float_at(thread.payload[2], 3), 0, 0, 1})(thread);
    };
    StateMaker maker = clear_state();
    maker.give(pixel_shader(3));
    give_depth(maker, what);
    bench.new_draw(maker.state);
    for (unsigned i = 0; i < 12; ++i) {
        if (what.mixed) {
            maker.give({0x784f0000, 1u << 31 | (i % 2) << 28 | 1u << 8});
            bench.new_draw(maker.state);
        }
        SetUpObject object = rectangle_object({float(i + 1) / 16, 0, 0, 0});
        const auto z = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
        const double z0 = z(), z1 = z(), z2 = z();
        object.interpolation =
            interpolation_of({{{0, 0}, {64 * 256, 0}, {0, 64 * 256}}}, {z0, z1, z2});
        const int x = int(random() % 40), y = int(random() % 40);
        bench.add_rectangle(object, {x, y, x + 23, y + 17});
    }
}
Picture picture_of(const PixelBench& bench) {
    EXPECT_TRUE(bench.env.log.empty());
    const auto part = [&](std::uint64_t at, unsigned bytes) {
        return std::vector<std::uint8_t>(bench.memory.bytes.begin() + std::ptrdiff_t(at),
                                         bench.memory.bytes.begin() + std::ptrdiff_t(at + bytes));
    };
    return {part(kTarget, 16384), part(kDepth, 16384), part(kStencil, 8192), bench.counts.ps_depth};
}

/// The same once more, pixel by pixel in the order of the objects, for 32-bit depth and LESS.
Picture plain_depth() {
    Picture picture{std::vector<std::uint8_t>(16384), std::vector<std::uint8_t>(16384), {}, 0};
    std::mt19937 random(kD32 * 8 + 2);
    for (unsigned i = 0; i < 16384; i += 4)
        store(&picture.depth[i], 0x3F000000u);
    for (unsigned i = 0; i < 12; ++i) {
        const auto z = [&] { return std::uniform_real_distribution<double>(0, 1)(random); };
        const double z0 = z(), z1 = z(), z2 = z();
        const int left = int(random() % 40), top = int(random() % 40);
        for (int y = top; y <= top + 17; ++y)
            for (int x = left; x <= left + 23; ++x) {
                const double l1 = (x + 0.5) / 64, l2 = (y + 0.5) / 64;
                const auto deep = static_cast<float>(z0 + l1 * (z1 - z0) + l2 * (z2 - z0));
                const float clamped = std::min(std::max(deep, 0.1f), 0.9f);
                const std::uint64_t at = byte_place(kY, 256, 4u * unsigned(x), unsigned(y));
                if (!(clamped < load<float>(&picture.depth[at]))) continue;
                store(&picture.depth[at], clamped);
                const float red = float(i + 1) / 16;
                store(&picture.color[at],
                      0xFF000000u | static_cast<std::uint32_t>(std::lround(red * 255)));
                ++picture.count;
            }
    }
    return picture;
}

TEST(PixelDepth, EachSampleIsTestedAndStoredInOrder) {
    GEN9_COVERS("DZ-35 DZ-39 DZ-41");
    PixelBench bench("bench", Timing::Functional);
    give_random(bench, {});
    bench.run();
    const Picture expected = plain_depth(), made = picture_of(bench);
    EXPECT_EQ(made.color, expected.color);
    EXPECT_EQ(made.count, expected.count);
    for (unsigned i = 0; i < 16384; i += 4)
        ASSERT_NEAR(load<float>(&made.depth[i]), load<float>(&expected.depth[i]), 1e-6f);
}

TEST(PixelDepth, EarlyAndLateTestsGiveTheSame) {
    GEN9_COVERS("DZ-06 DZ-08 DZ-33 DZ-38");
    Benches benches;
    for (const unsigned format : {kD32, kD24, kD16})
        for (const bool stencil : {false, true})
            for (const bool late : {false, true})
                give_random(benches.add(Timing::Functional), {.format = format,
                                                              .function = stencil ? 4u : 6u,
                                                              .stencil = stencil,
                                                              .late = late});
    benches.run();
    for (auto bench = benches.begin(); bench != benches.end();) {
        const Picture early = picture_of(*bench++);
        EXPECT_EQ(picture_of(*bench), early);
        EXPECT_GT(bench->depth.stats().late_tests.value(), 0u);
        ++bench;
    }
}

TEST(PixelDepth, AHierarchicalBufferChangesNothing) {
    GEN9_COVERS("DZ-21");
    Benches benches;
    for (const bool hierarchical : {false, true})
        give_random(benches.add(Timing::Timed), {.format = kD24, .hierarchical = hierarchical});
    benches.run();
    const PixelBench &without = *benches.begin(), &with = *std::next(benches.begin());
    EXPECT_EQ(picture_of(with), picture_of(without));
    for (unsigned i = 0; i < 4096; ++i)
        ASSERT_EQ(with.memory.bytes[kAux + i], 0) << "it is never touched";
}

TEST(PixelDepth, APixelOfWhichNothingIsLeftGetsNoSlots) {
    GEN9_COVERS("DZ-07");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        put_range(bench, 0, 1);
        StateMaker maker = clear_state();
        give_depth(maker, {});
        maker.give(pixel_shader(1));
        // In front of all pixels but (5, 2), and of all of the 2x2 pixels from (2, 2) on but one.
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 8; ++x)
                bench.put(kDepth + byte_place(kY, 256, 4 * x, y),
                          (x == 5 && y == 2) || (x == 3 && y == 3) ? 1.0f : 0.0f);
        SetUpObject object = rectangle_object({});
        object.interpolation =
            interpolation_of({{{0, 0}, {16 * 256, 0}, {0, 16 * 256}}}, {0.5, 0.5, 0.5});
        bench.new_draw(maker.state);
        bench.add_rectangle(object, {0, 0, 7, 3});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        ASSERT_EQ(bench.seen.size(), 1u);
        const ThreadDispatch& thread = bench.seen[0].dispatch;
        EXPECT_EQ(thread.dispatch_mask, 0xFFu);
        EXPECT_EQ(dword_at(thread.payload[1], 2), 2u << 16 | 2);
        EXPECT_EQ(dword_at(thread.payload[1], 3), 2u << 16 | 4);
        EXPECT_EQ(dword_at(thread.payload[1], 7) & 0xFFFF, 0x28u);
    }
}

/// Samples of a slope have a depth of their own, or that of their pixel.
TEST(PixelDepth, DepthIsThatOfThePixelOrOfItsSamples) {
    GEN9_COVERS("WM-19");
    Benches benches;
    for (const bool pattern : {false, true}) {
        PixelBench& bench = benches.add(Timing::Functional);
        put_range(bench, 0, 1);
        StateMaker maker = clear_state();
        maker.give({0x780d0000, 2u << 1});  // 4 samples, at (6, 2), (14, 6), (2, 10), (10, 14)
        maker.give({0x78500003, std::uint32_t{pattern} << 12, 0, 0, 0});
        maker.give({0x791c0007, 0, 0, 0, 0, 0, 0, 0xAE2AE662, 0x008844CC});
        maker.give({0x784d0000, 0});  // no shader
        maker.give({0x78050006, 1u << 29 | 1u << 28 | kD32 << 18 | 511, kDepth, 0,
                    63u << 18 | 63u << 4, 0, 0, 128 / 4});
        maker.give({0x784e0002, 1u, 0, 0});
        maker.give({0x78230000, 0x800});
        SetUpObject object = rectangle_object({});
        object.interpolation =
            interpolation_of({{{0, 0}, {64 * 256, 0}, {0, 64 * 256}}}, {0, 1, 0});
        bench.new_draw(maker.state);
        bench.add_object(
            object, {0, 0, 3, 0}, [](int, int) { return 0xF; }, 4);
    }
    benches.run();
    DepthSurface surface{.base = kDepth, .pitch_bytes = 512, .qpitch_rows = 128, .width = 64};
    surface.height = 64;
    surface.samples = 4;
    constexpr unsigned kPlaces[] = {6, 14, 2, 10};
    bool pattern = false;
    for (const PixelBench& bench : benches) {
        for (unsigned x = 0; x < 4; ++x)
            for (unsigned sample = 0; sample < 4; ++sample)
                EXPECT_FLOAT_EQ(
                    load<float>(&bench.memory.bytes[sample_address(surface, 0, x, 0, sample)]),
                    (float(x) + float(pattern ? kPlaces[sample] : 8) / 16) / 64)
                    << x << " " << sample;
        pattern = true;
    }
}

TEST(PixelDepth, BothModesGiveTheSameWhateverTheOrderOfModules) {
    Benches benches;
    for (const bool late : {false, true})
        for (const int order : {-1, 0, 3}) {
            PixelBench& bench = benches.add(order < 0 ? Timing::Functional : Timing::Timed,
                                            order < 0 ? 0 : static_cast<std::uint64_t>(order));
            give_random(bench, {.format = kD24, .stencil = true, .late = late});
        }
    // Early tests see what late ones before them have stored, and the other way round.
    for (const Timing timing : {Timing::Functional, Timing::Timed})
        give_random(benches.add(timing), {.format = kD24, .stencil = true, .mixed = true});
    benches.run(1'000'000);
    for (const PixelBench& bench : benches)
        EXPECT_EQ(picture_of(bench), picture_of(*benches.begin()));
}

/// What a shader sees of coverage when sample 0 of each pixel fails early.
TEST(PixelDepth, EarlyTestsMoveNoCentroidAndTakeNoInputCoverage) {
    GEN9_COVERS("PS-32 PS-13");
    constexpr unsigned kNormal = 1, kAfterDepth = 3;
    Benches benches;
    for (const unsigned coverage : {kNormal, kAfterDepth}) {
        PixelBench& bench = benches.add(Timing::Functional);
        put_range(bench, 0, 1);
        DepthSurface surface{.base = kDepth, .pitch_bytes = 512, .qpitch_rows = 128, .width = 64};
        surface.height = 64;
        surface.samples = 4;
        for (unsigned pixel = 0; pixel < 4; ++pixel)
            for (unsigned sample = 0; sample < 4; ++sample)
                bench.put(sample_address(surface, 0, pixel % 2, pixel / 2, sample),
                          sample == 0 ? 0.0f : 1.0f);
        StateMaker maker = clear_state();
        maker.give({0x780d0000, 2u << 1});  // 4 samples, at (6, 2), (14, 6), (2, 10), (10, 14)
        maker.give({0x78500003, 1u << 12, 0, 0, 0});
        maker.give({0x791c0007, 0, 0, 0, 0, 0, 0, 0xAE2AE662, 0x008844CC});
        maker.give(pixel_shader(1, {6, 6, 6}));
        maker.give({0x78050006, 1u << 29 | 1u << 28 | kD32 << 18 | 511, kDepth, 0,
                    63u << 18 | 63u << 4, 0, 0, 128 / 4});
        maker.give({0x784e0002, 2u << 5 | 3u, 0, 0});
        maker.give({0x78230000, 0x800});
        maker.give({0x78140000, 2u << 11});  // the centroid's perspective set
        maker.give({0x784f0000, 1u << 31 | 1u << 8 | coverage});
        SetUpObject object = rectangle_object({});
        object.interpolation =
            interpolation_of({{{0, 0}, {16 * 256, 0}, {0, 16 * 256}}}, {0.5, 0.5, 0.5});
        bench.new_draw(maker.state);
        bench.add_object(
            object, {0, 0, 1, 1}, [](int x, int) { return x == 1 ? 0x7 : 0xF; }, 4);
    }
    benches.run();
    const unsigned expected[2][2] = {{0xF, 0x7}, {0xE, 0x6}};
    unsigned which = 0;
    for (const PixelBench& bench : benches) {
        ASSERT_EQ(bench.seen.size(), 1u);
        const ThreadSeen& thread = bench.seen[0];
        EXPECT_EQ(thread.record.subspans[0].covered[0], 0xE);
        EXPECT_EQ(thread.record.subspans[0].covered[1], 0x6);
        EXPECT_EQ(dword_at(thread.dispatch.payload[4], 0), expected[which][0]);
        EXPECT_EQ(dword_at(thread.dispatch.payload[4], 1), expected[which][1]);
        // The centre of a pixel that is covered whole, else sample 0, which failed.
        EXPECT_FLOAT_EQ(float_at(thread.dispatch.payload[2], 0), 0.5f / 16);
        EXPECT_FLOAT_EQ(float_at(thread.dispatch.payload[3], 0), 0.5f / 16);
        EXPECT_FLOAT_EQ(float_at(thread.dispatch.payload[2], 1), (1 + 6 / 16.f) / 16);
        EXPECT_FLOAT_EQ(float_at(thread.dispatch.payload[3], 1), 2 / 16.f / 16);
        ++which;
    }
}

TEST(PixelDepth, AShadersDepthIsTestedAndStored) {
    GEN9_COVERS("DZ-42");
    PixelBench bench("bench", Timing::Functional);
    bind_target(bench, surface_state(kRgba8, kLinear, 64, 64, 256, kTarget));
    put_range(bench, 0, 1);
    StateMaker maker = clear_state();
    give_depth(maker, {.format = kD16, .function = 0});
    maker.give({0x784f0000, 1u << 31 | 1u << 26 | 1u << 8});  // it computes depth
    bench.shader = [](const ThreadDispatch& thread) {
        std::vector<Message> messages = flat_shader({1, 1, 1, 1})(thread);
        for (Message& message : messages) {
            for (unsigned n = 0; n < 16; ++n)
                store(message.payload[8 + n / 8].bytes + n % 8 * 4, float(n) / 16);
            message.length = message.first_length = 10;
            message.descriptor += 2u << 25;
        }
        return messages;
    };
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 7, 1});
    bench.run();
    EXPECT_TRUE(bench.env.log.empty());
    for (unsigned x = 0; x < 8; ++x)
        for (unsigned y = 0; y < 2; ++y) {
            const unsigned slot = x / 2 * 4 + y * 2 + x % 2;
            EXPECT_EQ(
                load<std::uint16_t>(&bench.memory.bytes[kDepth + byte_place(kY, 128, 2 * x, y)]),
                std::lround(slot / 16.0 * 65535));
        }
    EXPECT_EQ(bench.counts.ps_depth, 16u);
}

// Of the messages to several targets, the last has the depth that is stored and counted.
TEST(PixelDepth, OnlyTheLastMessageStoresAndCounts) {
    GEN9_COVERS("DZ-42");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        bind_target(bench, surface_state(kRgba8, kLinear, 64, 64, 256, kTarget));
        put_range(bench, 0, 1);
        StateMaker maker = clear_state();
        give_depth(maker, {.format = kD16, .function = 0});
        maker.give({0x784f0000, 1u << 31 | 1u << 26 | 1u << 8});
        bench.shader = [](const ThreadDispatch& thread) {
            std::vector<Message> both;
            for (const bool last : {false, true}) {
                Message message = flat_shader({1, 1, 1, 1})(thread).front();
                for (unsigned n = 0; n < 16; ++n)
                    store(message.payload[8 + n / 8].bytes + n % 8 * 4, last ? 0.25f : 0.75f);
                message.length = message.first_length = 10;
                message.descriptor += 2u << 25;
                if (!last) message.descriptor &= ~(1u << 12);
                both.push_back(message);
            }
            return both;
        };
        bench.new_draw(maker.state);
        bench.add_rectangle(rectangle_object({}), {0, 0, 7, 1});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.env.log.empty());
        EXPECT_EQ(load<std::uint16_t>(&bench.memory.bytes[kDepth]), 16384u);
        EXPECT_EQ(bench.counts.ps_depth, 16u);
    }
}

TEST(PixelDepth, AClearOfTheBuffersWritesThemAndMakesNoThread) {
    GEN9_COVERS("DZ-14 DZ-25 DZ-31 WM-34 WM-13");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        StateMaker maker = clear_state();
        give_depth(maker, {.format = kD24});
        maker.give({0x78040001, std::bit_cast<std::uint32_t>(0.5f), 1});
        maker.give({0x78520003, 1u << 31 | 1u << 30 | 0xA5u << 16, 0, 0, 0xFFFF});
        bench.new_draw(maker.state, WorkKind::Clear);
        bench.add_rectangle(rectangle_object({}), {8, 4, 39, 63});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.seen.empty());
        EXPECT_EQ(bench.counts.ps_depth, 0u);
        for (unsigned y = 0; y < 64; ++y)
            for (unsigned x = 0; x < 64; ++x) {
                const bool in = x >= 8 && x <= 39 && y >= 4;
                ASSERT_EQ(bench.dword(kDepth + byte_place(kY, 256, 4 * x, y)), in ? 0x800000u : 0u);
            }
        unsigned cleared = 0;
        for (unsigned i = 0; i < 4096; ++i)
            cleared += bench.memory.bytes[kStencil + i] == 0xA5;
        EXPECT_EQ(cleared, 32u * 60u);
        // 18.9: x 8, y 4 of a W tile.
        EXPECT_EQ(bench.memory.bytes[kStencil + 512 + 32], 0xA5);
        EXPECT_EQ(bench.memory.bytes[kStencil + 512 + 31], 0);
    }
}

// Worked example 25.7 of 3d-settled, as both drivers send it.
TEST(PixelDepth, AFastClearOfTheWholeDepthBuffer) {
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        StateMaker maker = clear_state();
        give_depth(maker, {.hierarchical = true});
        maker.give({0x78040001, 0x3F800000, 1});
        maker.give({0x78520003, 0x42000000, 0, 0x00400040, 0x0000FFFF});
        bench.new_draw(maker.state, WorkKind::Clear);
        bench.add_rectangle(rectangle_object({}), {0, 0, 63, 63});
    }
    benches.run();
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.seen.empty() && bench.env.log.empty());
        for (unsigned i = 0; i < 64 * 64; ++i)
            ASSERT_EQ(bench.dword(kDepth + 4 * i), 0x3F800000u) << i;
        for (unsigned i = 0; i < 4096; ++i)
            ASSERT_EQ(bench.memory.bytes[kStencil + i], 0) << "stencil is not cleared";
    }
}

// Points and lines, too: POINTLIST_BF, LINESTRIP_BF, edges and corners of triangles (003:11581).
TEST(PixelDepth, WhatFacesAwayHasTheOtherStencilTest) {
    GEN9_COVERS("FF-105 DZ-34");
    constexpr ObjectType kTypes[] = {ObjectType::Point, ObjectType::Line, ObjectType::Triangle};
    Benches benches;
    for (const bool late : {false, true}) {
        PixelBench& bench = benches.add(Timing::Functional);
        put_range(bench, 0, 1);
        bench.shader = flat_shader({1, 0, 0, 1});
        bind_target(bench, surface_state(kRgba8, kY, 64, 64, 256, kTarget));
        StateMaker maker = clear_state();
        maker.give(pixel_shader(3));
        give_depth(maker, {.late = late});
        // Both tests pass always; what is in front stores 5Ah, and what faces away A5h.
        maker.give({0x784e0002, 2u << 23 | 2u << 11 | 1u << 4 | 1u << 3 | 1u << 2, 0xFFFF'FFFF,
                    0x5Au << 8 | 0xA5});
        bench.new_draw(maker.state);
        for (unsigned n = 0; n < 6; ++n) {
            SetUpObject object = rectangle_object({});
            object.type = kTypes[n / 2];
            object.back_facing = n % 2;
            bench.add_rectangle(object, {8 * int(n), 0, 8 * int(n) + 3, 3});
        }
    }
    benches.run();
    DepthSurface stencil{.base = kStencil, .pitch_bytes = 128, .qpitch_rows = 64};
    stencil.bytes = 1;
    stencil.width = stencil.height = 64;
    for (const PixelBench& bench : benches)
        for (unsigned n = 0; n < 6; ++n)
            EXPECT_EQ(bench.memory.bytes[sample_address(stencil, 0, 8 * n + 1, 1, 0)],
                      n % 2 ? 0xA5 : 0x5A)
                << n;
}

/// Depth by 3DSTATE_WM's clear, stencil by its test and reference; the object's own depth is nowhere.
TEST(PixelDepth, ADrawMayClearDepthAsASideEffect) {
    GEN9_COVERS("DZ-26");
    Benches benches;
    for (const Timing timing : {Timing::Functional, Timing::Timed}) {
        PixelBench& bench = benches.add(timing);
        put_range(bench, 0, 1);
        StateMaker maker = clear_state();
        maker.give({0x78140000, 1u << 30});
        maker.give({0x78040001, std::bit_cast<std::uint32_t>(0.75f), 1});
        maker.give({0x78050006, 1u << 29 | 1u << 28 | 1u << 27 | kD32 << 18 | 511, kDepth, 0,
                    63u << 18 | 63u << 4, 0, 0, 128 / 4});
        maker.give({0x78060003, 1u << 31 | 511, kStencil, 0, 128 / 4});
        // The test always passes and replaces; depth is written, and not tested.
        maker.give(
            {0x784e0002, 2u << 23 | 1u << 3 | 1u << 2 | 1u << 0, 0xFFFFu << 16, 0x5Au << 8 | 0x5A});
        maker.give({0x78230000, 0x800});
        SetUpObject object = rectangle_object({});
        object.interpolation =
            interpolation_of({{{0, 0}, {16 * 256, 0}, {0, 16 * 256}}}, {0.25, 0.5, 0.5});
        bench.new_draw(maker.state);
        bench.add_rectangle(object, {0, 0, 9, 4});
    }
    benches.run();
    DepthSurface depth{.base = kDepth, .pitch_bytes = 512, .qpitch_rows = 128, .width = 64};
    depth.height = 64;
    DepthSurface stencil = depth;
    stencil.base = kStencil;
    stencil.bytes = 1;
    for (const PixelBench& bench : benches) {
        EXPECT_TRUE(bench.env.log.empty());
        for (unsigned y = 0; y < 6; ++y)
            for (unsigned x = 0; x < 12; ++x) {
                const bool inside = x <= 9 && y <= 4;
                ASSERT_EQ(load<float>(&bench.memory.bytes[sample_address(depth, 0, x, y, 0)]),
                          inside ? 0.75f : 0.0f)
                    << x << " " << y;
                ASSERT_EQ(bench.memory.bytes[sample_address(stencil, 0, x, y, 0)],
                          inside ? 0x5A : 0);
            }
    }
}

TEST(PixelDepth, AResolveDoesNothing) {
    GEN9_COVERS("DZ-28 DZ-30");
    PixelBench bench("bench", Timing::Timed);
    StateMaker maker = clear_state();
    give_depth(maker, {});
    maker.give({0x78040001, std::bit_cast<std::uint32_t>(0.5f), 1});
    maker.give({0x78520003, 1u << 28 | 1u << 27, 0, 0, 0xFFFF});
    for (unsigned i = 0; i < 16384; i += 4)
        bench.put<std::uint32_t>(kDepth + i, 0x3F000000 + i);
    bench.new_draw(maker.state, WorkKind::Clear);
    bench.add_rectangle(rectangle_object({}), {0, 0, 63, 63});
    bench.run();
    for (unsigned i = 0; i < 16384; i += 4)
        ASSERT_EQ(bench.dword(kDepth + i), 0x3F000000 + i) << "it holds what it means";
    EXPECT_EQ(bench.depth.stats().lines_written.value(), 0u);
    EXPECT_TRUE(bench.seen.empty());
}

TEST(PixelDepth, ShadersAreCountedAlsoForPixelsThatFail) {
    GEN9_COVERS("WM-31");
    PixelBench bench("bench", Timing::Functional);
    put_range(bench, 0, 1);
    StateMaker maker = clear_state();
    give_depth(maker, {.function = 1});  // NEVER
    bench.new_draw(maker.state);
    bench.add_rectangle(rectangle_object({}), {0, 0, 9, 9});
    bench.run();
    EXPECT_EQ(bench.counts.ps_invocations, 100u);
    EXPECT_EQ(bench.counts.ps_depth, 0u);
    EXPECT_TRUE(bench.seen.empty());
}

}  // namespace
}  // namespace gen9::pixel::module_test
