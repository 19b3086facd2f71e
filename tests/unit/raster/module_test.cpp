// SPDX-License-Identifier: Apache-2.0
// The rasteriser as a module, behind set-up: what a draw's state does to coverage.
#include "raster/module.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/raster/recorded.h"

namespace gen9::test {
namespace {

using packets::Topology;

PrimitiveBatch& rectangle(Pipe& pipe, const Commands& commands, float right, float bottom) {
    PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
    const auto a = pipe.vertex(batch, {right, bottom, 0, 1}),
               b = pipe.vertex(batch, {0, bottom, 0, 1}), c = pipe.vertex(batch, {0, 0, 0, 1});
    pipe.object(batch, Topology::RectList, {a, b, c});
    return batch;
}

TEST(RasterModule, SamplesAreThoseOfTheState) {
    GEN9_COVERS("WM-15 WM-16 WM-22 SF-44");
    BothModes both;
    both.give([](Pipe& pipe) {
        // Four samples of the standard pattern; at the pixel's place; two of them masked.
        const Commands pattern =
            on_screen()({0x780d0000, 0x00000004})({0x78500003, 0x00011000, 0, 0, 0});
        rectangle(pipe, pattern, 8.5f, 8);
        rectangle(pipe, on_screen()({0x780d0000, 0x00000004}), 8.5f, 8);
        Commands masked = pattern;
        masked({0x78180000, 0x0000000A});
        rectangle(pipe, masked, 8.5f, 8);
        masked({0x78180000, 0});
        rectangle(pipe, masked, 8.5f, 8);
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        std::map<std::uint64_t, std::array<unsigned, 4>> samples;
        for (const SeenBlock& seen : pipe->blocks())
            for (unsigned s = 0; s < 4; ++s) {
                EXPECT_EQ(seen.block.samples, 4);
                samples[seen.draw][s] +=
                    static_cast<unsigned>(std::popcount(seen.block.covered[s]));
            }
        // Column 8 is covered up to its middle, which the samples at 6 and 2 of 16 lie before.
        EXPECT_EQ(samples[1], (std::array<unsigned, 4>{72, 64, 72, 64}));
        EXPECT_EQ(samples[2], (std::array<unsigned, 4>{64, 64, 64, 64}));
        EXPECT_EQ(samples[3], (std::array<unsigned, 4>{0, 64, 0, 64}));
        EXPECT_FALSE(samples.contains(4));
        EXPECT_TRUE(pipe->idle());
    }
}

TEST(RasterModule, PolygonsAreStippled) {
    GEN9_COVERS("WM-29");
    BothModes both;
    both.give([](Pipe& pipe) {
        Words pattern{0x7907001f};
        for (unsigned y = 0; y < 32; ++y)
            pattern.push_back(y == 3 ? 0x80000001u : 0);
        Commands commands = on_screen();
        commands(pattern)({0x79060000, 0x00000501})({0x78140000, 1u << 4});  // offset 5, 1
        PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
        const auto a = pipe.vertex(batch, {0, 0, 0, 1}), b = pipe.vertex(batch, {200, 0, 0, 1}),
                   c = pipe.vertex(batch, {0, 200, 0, 1});
        pipe.object(batch, Topology::TriList, {a, b, c});
        rectangle(pipe, commands, 32, 32);
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        unsigned lit = 0;
        for (int y = 0; y < 32; ++y)
            for (int x = 0; x < 32; ++x)
                lit += pipe->lit(x, y, 1);
        EXPECT_EQ(lit, 2u);
        EXPECT_EQ(pipe->lit(27, 2, 1), 1u);  // 27 + 5 is column 0 of the pattern
        EXPECT_EQ(pipe->lit(26, 2, 1), 1u);
        EXPECT_EQ(pipe->lit(0, 0, 2), 1u);  // never a rectangle
    }
}

TEST(RasterModule, LinesGoOnWithTheirStipple) {
    GEN9_COVERS("WM-27 WM-28");
    BothModes both(2);
    both.give([](Pipe& pipe) {
        Commands commands = on_screen();
        // Pattern 0F0Fh, each bit twice; lines of one pixel.
        commands({0x79080001, 0x00000F0F, 2u | 0x8000u << 15})({0x78140000, 1u << 3});
        commands({0x78130002, 0x00080000, 0, 0x4c004808});
        const Draw& draw = pipe.draw(commands);
        // A strip of three lines, in two batches, and then another strip.
        PrimitiveBatch* batch = &pipe.batch(draw);
        const auto line = [&](float x0, float x1, float y, bool starts) {
            const auto a = pipe.vertex(*batch, {x0, y, 0, 1}),
                       b = pipe.vertex(*batch, {x1, y, 0, 1});
            pipe.object(*batch, Topology::LineStrip, {a, b}).starts = starts;
        };
        line(0, 5, 0.5f, true);
        line(5, 13, 0.5f, false);
        batch = &pipe.batch(draw);
        line(13, 40, 0.5f, false);
        line(0, 40, 8.5f, true);
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed})
        for (int x = 0; x < 40; ++x) {
            const unsigned expected = 0x0F0F >> (x / 2 % 16) & 1;
            EXPECT_EQ(pipe->lit(x, 0), expected) << x;
            EXPECT_EQ(pipe->lit(x, 8), expected) << x;
        }
}

TEST(RasterModule, AbsurdSizesEndAtTheDrawingRectangle) {
    GEN9_COVERS("WM-24");
    BothModes both(2);
    both.give([](Pipe& pipe) {
        Commands commands = on_screen();
        commands({0x79000002, 0x00020003, 0x00090008, 0});
        rectangle(pipe, commands, 1e30f, 1e30f);
        PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
        const auto a = pipe.vertex(batch, {-16000, -16000, 0, 1}),
                   b = pipe.vertex(batch, {32000, -16000, 0, 1}),
                   c = pipe.vertex(batch, {-16000, 32000, 0, 1}),
                   far = pipe.vertex(batch, {1e30f, -1e30f, 0, 1});
        pipe.object(batch, Topology::TriList, {a, b, c});
        pipe.object(batch, Topology::TriList, {a, far, b});
        pipe.object(batch, Topology::PointList, {far});
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->pixels(), 2u * 6 * 8);
        EXPECT_EQ(pipe->lit(3, 2, 1), 1u);
        EXPECT_EQ(pipe->lit(8, 9, 2), 1u);
    }
}

TEST(RasterModule, BlocksTakeTheirTime) {
    GEN9_COVERS("WM-01");
    Pipe slow("slow", Timing::Timed, 1, {"*.block_cycles=50"}), fast("fast", Timing::Timed);
    for (Pipe* pipe : {&slow, &fast}) {
        rectangle(*pipe, on_screen(), 64, 64);
        pipe->start();
    }
    sc_core::sc_start(sc_core::sc_time(20'000, sc_core::SC_NS));
    ASSERT_EQ(slow.ended.size(), 1u);
    ASSERT_EQ(fast.ended.size(), 1u);
    // 128 blocks.
    EXPECT_EQ((slow.ended[0].second - fast.ended[0].second).value, 128u * 48);
}

}  // namespace
}  // namespace gen9::test
