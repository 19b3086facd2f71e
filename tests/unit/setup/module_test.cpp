// SPDX-License-Identifier: Apache-2.0
// Set-up as a module, between clipper and rasteriser.
#include "setup/module.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/raster/recorded.h"

namespace gen9::test {
namespace {

using packets::Topology;

unsigned lit_in(const Pipe& pipe, std::uint64_t draw, int x0, int y0, int x1, int y1) {
    unsigned sum = 0;
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x)
            sum += pipe.lit(x, y, draw);
    return sum;
}

TEST(SetupModule, EachObjectHasItsViewportAndScissor) {
    GEN9_COVERS("SF-18 SF-31 SF-32 SF-33");
    BothModes both;
    both.give([](Pipe& pipe) {
        pipe.viewport(0, 16, 16, 512);
        pipe.viewport(1, 16, 16, 512, 16, 0);
        pipe.viewport(2, 16, 16, 512, 0, 16);
        pipe.write(Pipe::kDynamic + Pipe::kScissor,
                   {0, 0x00FF00FF, 0x00040014, 0x000700FF, 0x00200001, 0x001F0000});
        for (const std::uint32_t scissor : {0u, 2u}) {
            Commands commands = iris_triangle();
            commands({0x78120002, 0x00060400, 0x94000026, 0x0003ffe2});
            commands({0x78500003, 0x04010001 | scissor, 0, 0, 0});
            PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
            for (std::uint32_t index = 0; index < 3; ++index) {
                // Larger than the viewport: its extents and the scissor cut it.
                std::array<std::uint32_t, 3> v{};
                const std::array<float, 4> corners[] = {
                    {-1, -1, 0, 1}, {4, -1, 0, 1}, {-1, 4, 0, 1}};
                for (unsigned i = 0; i < 3; ++i)
                    v[i] = pipe.vertex(batch, corners[i], {0, 0, 0, 0}, {0, 0, index, 0});
                pipe.object(batch, Topology::TriList, {v[0], v[1], v[2]});
            }
        }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_EQ(lit_in(*pipe, 1, 0, 0, 16, 16), 256u);
        EXPECT_EQ(lit_in(*pipe, 1, 16, 0, 32, 16), 256u);
        EXPECT_EQ(lit_in(*pipe, 1, 0, 16, 16, 32), 256u);
        EXPECT_EQ(lit_in(*pipe, 2, 0, 0, 16, 16), 256u);
        EXPECT_EQ(lit_in(*pipe, 2, 16, 0, 32, 16), 12u * 4);  // from (20, 4) to (255, 7)
        EXPECT_EQ(lit_in(*pipe, 2, 20, 4, 32, 8), 12u * 4);
        EXPECT_EQ(lit_in(*pipe, 2, 0, 16, 16, 32), 0u);  // the scissor is empty
        EXPECT_EQ(pipe->pixels(), 3u * 256 + 256 + 48);
        EXPECT_EQ(pipe->setup.stats().outside.value(), 1u);
    }
}

TEST(SetupModule, FacingAndFillAreTheStates) {
    GEN9_COVERS("SF-12 SF-30 FF-103");
    struct Case {
        std::uint32_t raster;  ///< 3DSTATE_RASTER DW1
        bool odd;
        bool front_lit, back_lit;  ///< of a clockwise and a counter-clockwise triangle
        unsigned pixels;           ///< of one that is lit
    };
    // Clockwise ones are in front unless bit 21 is set.
    const Case cases[] = {
        {0x00010000, false, true, true, 28},   // no culling
        {0x00000000, false, false, false, 0},  // both
        {0x00020000, false, false, true, 28},  // front
        {0x00030000, false, true, false, 28},  // back
        {0x00030000, true, false, true, 28},   // an odd triangle of a strip
        {0x00230000, false, false, true, 28},  // counter-clockwise is front
        {0x00010040, false, true, true, 3},    // front as points; back filled below
    };
    BothModes both;
    both.give([&](Pipe& pipe) {
        for (const Case& c : cases)
            for (const bool clockwise : {true, false}) {
                PrimitiveBatch& batch =
                    pipe.batch(pipe.draw(on_screen()({0x78500003, c.raster, 0, 0, 0})));
                const auto a = pipe.vertex(batch, {0.5f, 0.5f, 0, 1}),
                           b = pipe.vertex(batch, {8.5f, 0.5f, 0, 1}),
                           d = pipe.vertex(batch, {0.5f, 8.5f, 0, 1});
                PrimitiveObject& object = clockwise
                                              ? pipe.object(batch, Topology::TriStrip, {a, b, d})
                                              : pipe.object(batch, Topology::TriStrip, {a, d, b});
                object.odd = c.odd;
            }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        std::uint64_t draw = 0;
        for (const Case& c : cases)
            for (const bool clockwise : {true, false}) {
                ++draw;
                const unsigned lit = lit_in(*pipe, draw, 0, 0, 16, 16);
                const bool expected = clockwise ? c.front_lit : c.back_lit;
                if (c.pixels == 3)
                    EXPECT_EQ(lit, clockwise ? 3u : 36u) << draw;
                else
                    EXPECT_EQ(lit, expected ? 36u : 0u) << draw;
            }
        for (const auto& [number, object] : pipe->objects)
            EXPECT_EQ(object.vertex_count, object.type == ObjectType::Point ? 1 : 3);
    }
}

TEST(SetupModule, AttributesAreThoseOfSbe) {
    GEN9_COVERS("SF-47 SF-48 SF-50 SF-53 SF-58");
    BothModes both;
    both.give([](Pipe& pipe) {
        for (const bool clockwise : {true, false}) {
            Commands commands = on_screen();
            // Swizzled, 4 attributes behind the position, the third flat; the fourth has the
            // primitive id in Z.
            commands({0x781f0004,
                      0x30000000 | 4u << 22 | 1u << 21 | 1u << 18 | 2u << 11 | 1u << 5 | 3, 0,
                      0x00000004, 0xffffffff, 0xffffffff});
            // Slot 2, by facing also 3; slot 1 as WYZW; slot 0 with X and W of 0001; slot 0.
            const std::uint32_t first = 2u | 1u << 6, second = 1u | 2u << 6,
                                third = 0u | 1u << 9 | 9u << 12, fourth = 0;
            commands(
                {0x78510009, first | second << 16, third | fourth << 16, 0, 0, 0, 0, 0, 0, 0, 0});
            PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
            std::array<std::uint32_t, 3> v{};
            for (std::uint32_t i = 0; i < 3; ++i) {
                Words rest;
                for (std::uint32_t slot = 0; slot < 4; ++slot)
                    for (std::uint32_t c = 0; c < 4; ++c)
                        rest.push_back(bits_of(static_cast<float>(100 * i + 10 * slot + c)));
                const std::array<float, 4> corners[] = {{0, 0, 0, 1}, {8, 0, 0, 1}, {0, 8, 0, 1}};
                v[i] = pipe.vertex(batch, corners[i], rest);
            }
            PrimitiveObject& object =
                clockwise ? pipe.object(batch, Topology::TriList, {v[0], v[1], v[2]})
                          : pipe.object(batch, Topology::TriList, {v[0], v[2], v[1]});
            object.primitive_id = 77;
        }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        ASSERT_EQ(pipe->objects.size(), 2u);
        const auto a0 = [](const SetUpObject& object, unsigned attribute, unsigned c) {
            return std::bit_cast<float>(object.attributes[attribute][4 * c + 3]);
        };
        const SetUpObject &front = pipe->objects.at(0), &back = pipe->objects.at(1);
        ASSERT_EQ(front.attribute_count, 4);
        EXPECT_EQ(a0(front, 0, 1), 21);  // slot 2, Y, vertex 0
        EXPECT_EQ(a0(back, 0, 1), 31);   // slot 3
        EXPECT_EQ(a0(front, 1, 0), 13);
        EXPECT_EQ(a0(front, 1, 1), 11);
        EXPECT_EQ(std::bit_cast<float>(front.attributes[0][4]), 100);  // Y's a1: vertex 1
        EXPECT_EQ(std::bit_cast<float>(back.attributes[0][4]), 200);
        // Flat, of the last vertex, which provokes here.
        EXPECT_EQ(a0(front, 2, 0), 0);
        EXPECT_EQ(a0(front, 2, 3), 1);
        EXPECT_EQ(a0(front, 2, 1), 201);
        EXPECT_EQ(front.attributes[2][4], 0u);
        EXPECT_EQ(front.attributes[3][11], 77u);
        EXPECT_EQ(a0(front, 3, 1), 1);
    }
}

TEST(SetupModule, TheShaderSaysWhatIsReadUnlessItIsForced) {
    GEN9_COVERS("SF-57 FF-27");
    BothModes both;
    both.give([](Pipe& pipe) {
        Commands commands = on_screen();
        commands({0x781f0004, 1u << 22 | 1u << 11 | 1u << 5, 0, 1, 0xffffffff, 0xffffffff});
        // Offset 2, length 1: the slots behind the first two.
        commands({0x78100007, 0, 0, 0, 0, 0, 0, 1, 2u << 21 | 1u << 16});
        PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
        const auto vertex = [&](float x, float y) {
            return pipe.vertex(batch, {x, y, 0, 1}, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3});
        };
        const auto a = vertex(0, 0), b = vertex(8, 0), c = vertex(0, 8);
        pipe.object(batch, Topology::TriList, {a, b, c});
        // No attributes: nothing is read.
        commands({0x781f0004, 0x30000000, 0, 0, 0, 0});
        PrimitiveBatch& none = pipe.batch(pipe.draw(commands));
        none.vertices = batch.vertices;
        pipe.object(none, Topology::TriList, {a, b, c});
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        ASSERT_EQ(pipe->objects.size(), 2u);
        EXPECT_EQ(pipe->objects.at(0).attributes[0][3], 3u);
        EXPECT_EQ(pipe->objects.at(1).attribute_count, 0);
        EXPECT_EQ(pipe->setup.stats().vertices.value(), 3u);
        EXPECT_EQ(pipe->read.size(), 2u);
    }
}

TEST(SetupModule, TheLastStageThatIsOnSaysWhatIsRead) {
    GEN9_COVERS("FF-26 FF-27");
    BothModes both;
    both.give([](Pipe& pipe) {
        for (unsigned on = 0; on < 4; ++on) {  // a bit for DS, one for GS
            Commands commands = on_screen();
            commands({0x781f0004, 1u << 22 | 1u << 5, 0, 1, 0xffffffff, 0xffffffff});
            // 32 bytes from the second, third and fourth 32 bytes on.
            commands({0x78100007, 0, 0, 0, 0, 0, 0, 1, 1u << 21 | 1u << 16});
            commands({0x781d0009, 0, 0, 0, 0, 0, 0, on & 1, 2u << 21 | 1u << 16, 0, 0});
            commands({0x78110008, 0, 0, 0, 0, 0, 0, on >> 1, 0, 3u << 21 | 1u << 16});
            PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
            const auto vertex = [&](float x, float y) {
                Words rest;
                for (std::uint32_t slot = 2; slot < 8; ++slot)
                    rest.insert(rest.end(), 4, slot);
                return pipe.vertex(batch, {x, y, 0, 1}, rest);
            };
            const auto a = vertex(0, 0), b = vertex(8, 0), c = vertex(0, 8);
            pipe.object(batch, Topology::TriList, {a, b, c});
        }
    });
    both.run();
    constexpr std::uint32_t kSlots[] = {2, 4, 6, 6};
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        ASSERT_EQ(pipe->objects.size(), 4u);
        for (unsigned on = 0; on < 4; ++on)
            EXPECT_EQ(pipe->objects.at(on).attributes[0][3], kSlots[on]) << on;
    }
}

TEST(SetupModule, WhatIsNotThereIsReportedOnce) {
    BothModes both;
    both.give([](Pipe& pipe) {
        Commands commands = iris_triangle();
        commands({0x78210000, 0x7FFFFFC0})({0x78120002, 0, 0x00000200, 0});
        for (unsigned turn = 0; turn < 2; ++turn) {
            PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
            const auto a = pipe.vertex(batch, {0, 0, 0, 1});
            pipe.object(batch, Topology::PointList, {a});
        }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->env.reporter.entries().size(), 2u);
        EXPECT_EQ(pipe->env.reporter.entries()[0].place, "3DPRIMITIVE at 0x1100, set-up");
    }
}

}  // namespace
}  // namespace gen9::test
