// SPDX-License-Identifier: Apache-2.0
// Clipper, set-up and rasteriser as modules, joined: what comes out of the recorded draws.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <random>

#include "interpolation/barycentric.h"
#include "tests/support/covers.h"
#include "tests/unit/raster/recorded.h"

namespace gen9::test {
namespace {

using packets::Topology;

void give_triangle(Pipe& pipe) {
    pipe.viewport(0, 64, 64, 512);
    PrimitiveBatch& batch = pipe.batch(pipe.draw(iris_triangle()));
    const auto vertex = [&](float x, float y, float s, float t) {
        return pipe.vertex(batch, {x, y, 0, 1}, {bits_of(s), bits_of(t), 7, 7});
    };
    const auto a = vertex(-0.9f, -0.9f, 0, 0), b = vertex(0.9f, -0.9f, 1, 0),
               c = vertex(0, 0.9f, 0.5f, 1);
    pipe.object(batch, Topology::TriList, {a, b, c});
}

/// First and last lit pixel of a row: "3..60", "none" or "gaps".
std::string row(const Pipe& pipe, int y, int width = 64) {
    int first = -1, last = -1, count = 0;
    for (int x = 0; x < width; ++x)
        if (pipe.lit(x, y)) first = first < 0 ? x : first, last = x, ++count;
    if (first < 0) return "none";
    if (count != last - first + 1) return "gaps";
    return std::to_string(first) + ".." + std::to_string(last);
}

float value(const AttributeDeltas& deltas, unsigned c, float b1, float b2) {
    const auto part = [&](unsigned k) { return std::bit_cast<float>(deltas[4 * c + k]); };
    return part(0) * b1 + part(1) * b2 + part(3);
}

// Worked example 25.1 of 3d-settled, and the states of 25.8 that iris sends.
TEST(DrawPipe, ATriangleOfIris) {
    GEN9_COVERS("CL-08 FF-109 SF-59");
    BothModes both;
    both.give(give_triangle);
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        ASSERT_EQ(pipe->objects.size(), 1u);
        const SetUpObject& object = pipe->objects.at(0);
        EXPECT_EQ(object.vertices,
                  (std::array<ScreenPoint, 3>{ScreenPoint{819, 819}, {15565, 819}, {8192, 15565}}));
        EXPECT_FALSE(object.back_facing);
        EXPECT_EQ(object.topology, 4);
        EXPECT_EQ(pipe->pixels(), 1682u);
        const std::pair<int, const char*> rows[] = {{2, "none"},    {3, "3..60"},   {4, "4..59"},
                                                    {30, "17..46"}, {31, "17..46"}, {59, "31..32"},
                                                    {60, "none"}};
        for (const auto& [y, text] : rows)
            EXPECT_EQ(row(*pipe, y), text) << y;
        unsigned subspans = 0;
        for (const SeenBlock& seen : pipe->blocks())
            for (unsigned g = 0; g < 8; ++g)
                subspans += subspan(seen.block.lit, g) != 0;
        EXPECT_EQ(subspans, 450u);
        const auto places = interpolation::block_places(32, 20, {8, 8});
        const auto weights = interpolation::weights_at(object.interpolation, places);
        interpolation::Barycentrics b;
        interpolation::perspective(object.interpolation, weights, b);
        EXPECT_NEAR(b.b1[0], 0.358504, 1e-6);
        EXPECT_NEAR(b.b2[0], 0.300353, 1e-6);
        ASSERT_EQ(object.attribute_count, 1);
        EXPECT_NEAR(value(object.attributes[0], 0, b.b1[0], b.b2[0]), 0.508680, 1e-6);
        EXPECT_NEAR(value(object.attributes[0], 1, b.b1[0], b.b2[0]), 0.300353, 1e-6);
        EXPECT_EQ(pipe->counts[0].cl_invocations, 1u);
        EXPECT_EQ(pipe->counts[0].cl_primitives, 1u);
        EXPECT_TRUE(pipe->env.log.empty());
    }
    EXPECT_EQ(both.functional.blocks(), both.timed.blocks());
}

// Worked example 25.8 of 3d-settled: 3DSTATE_RASTER as anv sends it. Counter-clockwise is the front,
// both faces are drawn, and scissor and both ends of the depth range act.
TEST(DrawPipe, TheRasterStateOfAnv) {
    BothModes both;
    both.give([](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        const Draw& draw = pipe.draw(iris_triangle()({0x78500003, 0x04611003, 0, 0, 0}));
        for (const float z : {0.0f, -1.5f, 1.5f}) {
            PrimitiveBatch& batch = pipe.batch(draw);
            const auto a = pipe.vertex(batch, {-0.9f, -0.9f, z, 1}, {0, 0, 7, 7}),
                       b = pipe.vertex(batch, {0.9f, -0.9f, z, 1}, {0, 0, 7, 7}),
                       c = pipe.vertex(batch, {0, 0.9f, z, 1}, {0, 0, 7, 7});
            pipe.object(batch, Topology::TriList, {a, b, c});
        }
        pipe.write(Pipe::kDynamic + Pipe::kScissor, {30u << 16 | 17, 30u << 16 | 40});
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->env.log.empty());
        ASSERT_EQ(pipe->objects.size(), 1u);
        EXPECT_TRUE(pipe->objects.at(0).back_facing);
        EXPECT_EQ(row(*pipe, 30), "17..40");
        EXPECT_EQ(pipe->pixels(), 24u);
        EXPECT_EQ(pipe->counts[0].cl_invocations, 3u);
        EXPECT_EQ(pipe->counts[0].cl_primitives, 1u);
    }
}

void give_clear(Pipe& pipe) {
    PrimitiveBatch& batch = pipe.batch(pipe.draw(iris_clear()));
    const auto vertex = [&](float x, float y) {
        return pipe.vertex(batch, {x, y, 0, 1}, {0x3F000000, 0x3F000001, 0x3F000002, 0x3F000003});
    };
    const auto a = vertex(64, 64), b = vertex(0, 64), c = vertex(0, 0);
    pipe.object(batch, Topology::RectList, {a, b, c});
}

TEST(DrawPipe, AClearOfIris) {
    GEN9_COVERS("SF-57 FF-104");
    BothModes both;
    both.give(give_clear);
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        ASSERT_EQ(pipe->objects.size(), 1u);
        const SetUpObject& object = pipe->objects.at(0);
        EXPECT_EQ(object.topology, 0x0F);
        const AttributeDeltas& deltas = object.attributes[0];
        EXPECT_EQ(deltas[3], 0x3F000000u);   // r2.3
        EXPECT_EQ(deltas[7], 0x3F000001u);   // r2.7
        EXPECT_EQ(deltas[11], 0x3F000002u);  // r3.3
        EXPECT_EQ(deltas[15], 0x3F000003u);  // r3.7
        EXPECT_EQ(deltas[0] | deltas[1], 0u);
        EXPECT_EQ(pipe->pixels(), 64u * 64);
        EXPECT_EQ(pipe->blocks().size(), 128u);
        for (const SeenBlock& seen : pipe->blocks())
            EXPECT_TRUE(seen.block.full);
        // The clipper is disabled: it counts nothing.
        EXPECT_EQ(pipe->counts[0].cl_invocations, 0u);
    }
}

// A depth buffer of 64 x 64, cleared as Mesa does it.
Commands hz_op(std::uint32_t op, std::uint32_t least, std::uint32_t most, std::uint32_t mask) {
    Commands c = iris_clear();
    c({0x78050006, 0x30040000, 0x100000, 0, 63u << 18 | 63u << 4, 4, 0, 0});  // D32, 64 x 64
    Words stipple(33, 0);  // which lets nothing through, and does not count
    stipple[0] = 0x7907001f;
    c(stipple)({0x78140000, 1u << 4});
    c({0x78520003, op, least, most, mask});
    return c;
}

TEST(DrawPipe, AClearOfTheDepthBuffer) {
    GEN9_COVERS("SF-45 WM-13");
    BothModes both;
    both.give([](Pipe& pipe) {
        // All of it, whatever the rectangle says; then a part; then nothing; two levels further.
        pipe.batch(pipe.draw(hz_op(0x42000000, 0, 0x00100010, 0xFFFF), WorkKind::Clear));
        pipe.batch(pipe.draw(hz_op(0x40000000, 0x00020001, 0x00140009, 0xFFFF), WorkKind::Clear));
        pipe.batch(pipe.draw(hz_op(0x40000000, 0x00020001, 0x00140001, 0xFFFF), WorkKind::Clear));
        Commands small = hz_op(0x42000000, 0, 0, 0xFFFF);
        small({0x78050006, 0x30040000, 0x100000, 0, 63u << 18 | 63u << 4 | 2, 4, 0, 0});
        pipe.batch(pipe.draw(small, WorkKind::Clear));
        // Resolves keep to the rectangle.
        pipe.batch(pipe.draw(hz_op(0x12000000, 0, 0x00080008, 0xFFFF), WorkKind::Clear));
        // Four samples, two of which are cleared: each pixel's first two.
        pipe.batch(pipe.draw(hz_op(0x40004000, 0, 0x00040008, 0x0003), WorkKind::Clear));
        // Worked example 25.7 of 3d-settled.
        pipe.batch(pipe.draw(hz_op(0x42000000, 0, 0x00400040, 0xFFFF), WorkKind::Clear));
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->ended.size(), 7u);
        EXPECT_EQ(pipe->read.size(), 7u);
        std::array<unsigned, 8> pixels{};
        for (const SeenBlock& seen : pipe->blocks())
            pixels[seen.draw] += static_cast<unsigned>(std::popcount(seen.block.lit));
        EXPECT_EQ(pixels, (std::array<unsigned, 8>{0, 4096, 8 * 18, 0, 256, 64, 32, 4096}));
        EXPECT_EQ(pipe->lit(1, 2, 2), 1u);
        EXPECT_EQ(pipe->lit(8, 19, 2), 1u);
        EXPECT_EQ(pipe->lit(9, 19, 2) + pipe->lit(8, 20, 2) + pipe->lit(0, 2, 2), 0u);
        const auto blocks = pipe->blocks();
        const PixelBlock last =
            std::ranges::find(blocks, std::uint64_t{6}, &SeenBlock::draw)->block;
        EXPECT_EQ(last.samples, 4);
        EXPECT_EQ(last.covered[0], kAllPixels);
        EXPECT_EQ(last.covered[1], kAllPixels);
        EXPECT_EQ(last.covered[2], 0u);
    }
}

/// A net of triangles, `side` x `side` cells of 8 pixels, in batches of up to 64 objects.
void give_net(Pipe& pipe, int side, const Commands& commands) {
    const Draw& draw = pipe.draw(commands);
    PrimitiveBatch* batch = nullptr;
    for (int cell = 0; cell < side * side; ++cell) {
        if (batch == nullptr || batch->objects.size() == PrimitiveBatch::kObjects)
            batch = &pipe.batch(draw);
        const float x = static_cast<float>(cell % side), y = static_cast<float>(cell / side);
        const auto vertex = [&](float right, float down) {
            return pipe.vertex(*batch, {x * 8 + right * 8, y * 8 + down * 8, 0, 1}, {1, 2, 3, 4});
        };
        const auto a = vertex(0, 0), b = vertex(1, 0), c = vertex(0, 1), d = vertex(1, 1);
        pipe.object(*batch, Topology::TriList, {a, b, c});
        pipe.object(*batch, Topology::TriList, {b, d, c});
    }
}
TEST(DrawPipe, SlicesCoverEachPixelOnceTogether) {
    GEN9_COVERS("WM-35");
    BothModes both(3);
    both.give([](Pipe& pipe) { give_net(pipe, 12, on_screen()); });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->pixels(), 96u * 96);
        unsigned wrong = 0;
        for (int y = 0; y < 96; ++y)
            for (int x = 0; x < 96; ++x)
                wrong += pipe->lit(x, y) != 1;
        EXPECT_EQ(wrong, 0u);
        for (const Pipe::Sink& sink : pipe->sinks) {
            EXPECT_FALSE(sink.seen.empty());
            // Parts of 16 x 16 have one owner each.
            for (const Pipe::Sink& other : pipe->sinks)
                for (std::size_t i = 0; &other != &sink && i < sink.seen.size(); i += 7)
                    for (const SeenBlock& seen : other.seen)
                        EXPECT_FALSE(seen.block.x / 16 == sink.seen[i].block.x / 16 &&
                                     seen.block.y / 16 == sink.seen[i].block.y / 16);
        }
    }
    for (unsigned slice = 0; slice < 3; ++slice)
        EXPECT_EQ(both.functional.sinks[slice].seen, both.timed.sinks[slice].seen);
}

TEST(DrawPipe, ObjectsStayInOrderWhateverWaits) {
    GEN9_COVERS("CL-32");
    BothModes both(2, {"*.queue_depth=1", "*.batch_blocks=3"});
    both.give([](Pipe& pipe) {
        pipe.take_cycles = 40;
        pipe.hold_cycles = 500;
        pipe.memory.latency = 70;
        give_net(pipe, 6, on_screen());
        give_net(pipe, 2, on_screen());
        give_net(pipe, 3, on_screen());
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        for (const Pipe::Sink& sink : pipe->sinks)
            for (std::size_t i = 1; i < sink.seen.size(); ++i) {
                EXPECT_LE(sink.seen[i - 1].object, sink.seen[i].object);
                EXPECT_LE(sink.seen[i - 1].draw, sink.seen[i].draw);
            }
        EXPECT_EQ(pipe->pixels(), 64u * (36 + 4 + 9));
        ASSERT_EQ(pipe->read.size(), pipe->batches.size());
        ASSERT_EQ(pipe->ended.size(), pipe->batches.size());
        for (std::size_t i = 0; i < pipe->read.size(); ++i) {
            EXPECT_EQ(pipe->read[i].first, &pipe->batches[i]);
            EXPECT_EQ(pipe->ended[i].first, &pipe->batches[i]);
        }
    }
    for (unsigned slice = 0; slice < 2; ++slice)
        EXPECT_EQ(both.functional.sinks[slice].seen, both.timed.sinks[slice].seen);
    // Entries are free long before the last pixel has gone.
    EXPECT_LT(both.timed.read[0].second + Cycles(500), both.timed.ended[0].second);
    const auto& stats = both.timed.setup.stats();
    EXPECT_GT(stats.cycles[static_cast<unsigned>(StageActivity::WaitNext)].value(), 500u);
}

TEST(DrawPipe, TheOrderInWhichModulesRunCannotBeSeen) {
    Pipe first("first", Timing::Timed, 2), second("second", Timing::Timed, 2);
    for (Pipe* pipe : {&first, &second}) {
        pipe->take_cycles = 3;
        give_net(*pipe, 7, on_screen());
        give_triangle(*pipe);
        pipe->start();
    }
    second.clock.agenda().shuffle(5);
    sc_core::sc_start(sc_core::sc_time(20'000, sc_core::SC_NS));
    EXPECT_TRUE(first.idle() && second.idle());
    for (unsigned slice = 0; slice < 2; ++slice)
        EXPECT_EQ(first.sinks[slice].seen, second.sinks[slice].seen);
    ASSERT_EQ(first.ended.size(), second.ended.size());
    for (std::size_t i = 0; i < first.ended.size(); ++i) {
        EXPECT_EQ(first.read[i].second, second.read[i].second);
        EXPECT_EQ(first.ended[i].second, second.ended[i].second);
    }
    for (Block* block : first.env.environment.blocks)
        block->settle();
    for (Block* block : second.env.environment.blocks)
        block->settle();
    for (unsigned i = 0; i < kStageActivities; ++i) {
        EXPECT_EQ(first.clip.stats().cycles[i].value(), second.clip.stats().cycles[i].value());
        EXPECT_EQ(first.setup.stats().cycles[i].value(), second.setup.stats().cycles[i].value());
        EXPECT_EQ(first.rasters[1].stats().cycles[i].value(),
                  second.rasters[1].stats().cycles[i].value());
    }
    // Every cycle has one reason.
    std::uint64_t sum = 0;
    for (unsigned i = 0; i < kStageActivities; ++i)
        sum += first.setup.stats().cycles[i].value();
    EXPECT_EQ(sum, 20'000u);
}

/// Any state and any vertices, some of them sensible.
void give_anything(Pipe& pipe, unsigned seed) {
    std::mt19937 random(seed);
    const auto word = [&] { return static_cast<std::uint32_t>(random()); };
    constexpr Topology kTopologies[] = {
        Topology::PointList, Topology::LineList,   Topology::LineStrip,   Topology::TriList,
        Topology::TriStrip,  Topology::TriFan,     Topology::TriListAdj,  Topology::Polygon,
        Topology::RectList,  Topology::PatchList1, Topology::LineStripAdj};
    for (unsigned turn = 0; turn < 24; ++turn) {
        Commands commands = iris_triangle();
        commands({0x79000002, 0, 0x003F003F, word() & 0x001F001F});
        commands({0x78120002, word(), word(), word()});
        commands({0x78130002, word(), word(), word()});
        commands({0x78500003, word(), word(), word(), word()});
        commands({0x781f0004, word(), word(), word(), word(), word()});
        commands({0x78510009, word(), word(), word(), 0, 0, 0, 0, 0, word(), 0});
        commands({0x780d0000, word()})({0x78180000, word()})({0x78140000, word()});
        commands({0x79080001, word(), word()});
        if (turn % 2) commands({0x78120002, 0x00060400, 0x94000026, 0x0003ffe0});
        for (unsigned i = 0; i < 16; ++i)
            if (random() % 2) pipe.viewport(i, 64, 64, static_cast<float>(1 + random() % 100));
        PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
        for (unsigned v = 0; v < 12; ++v) {
            std::array<float, 4> position{};
            for (float& part : position)
                part = random() % 8 ? static_cast<float>(random() % 1000) / 250 - 2
                                    : std::bit_cast<float>(word());
            pipe.vertex(batch, position, {word(), word(), word(), word()},
                        {word(), word() % 4096, word() % 20, word()});
        }
        for (unsigned n = 0; n < 10; ++n) {
            const Topology topology = kTopologies[random() % std::size(kTopologies)];
            PrimitiveObject& object = pipe.object(batch, topology, {});
            object.count = packets::rules_of(topology).vertices;
            for (unsigned i = 0; i < object.count; ++i)
                object.vertices[i] = static_cast<std::uint32_t>(random() % 12);
            object.odd = random() % 2;
            object.starts = random() % 2;
            object.edges = random() % 8;
        }
    }
}

TEST(DrawPipe, AnythingEndsAlikeInBothModes) {
    BothModes both(2, {"*.batch_blocks=7"});
    both.give([](Pipe& pipe) {
        pipe.take_cycles = 2;
        give_anything(pipe, 11);
        give_anything(pipe, 12);
    });
    both.run(2'000'000);
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->ended.size(), 48u);
        EXPECT_EQ(pipe->read.size(), 48u);
        EXPECT_GT(pipe->pixels(), 1000u);
        for (const SeenBlock& seen : pipe->blocks()) {
            EXPECT_LE(seen.block.x + 8, 64);
            EXPECT_LE(seen.block.y + 4, 64);
        }
    }
    for (unsigned slice = 0; slice < 2; ++slice)
        EXPECT_EQ(both.functional.sinks[slice].seen, both.timed.sinks[slice].seen);
    for (std::size_t i = 0; i < both.functional.counts.size(); ++i)
        EXPECT_EQ(both.functional.counts[i].cl_primitives, both.timed.counts[i].cl_primitives);
}

TEST(DrawPipe, NothingIsLeftOfABatch) {
    GEN9_COVERS("CL-11 FF-116 CL-03");
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    BothModes both;
    both.give([](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        const Draw& draw = pipe.draw(iris_triangle());
        const auto triangle = [&](PrimitiveBatch& batch, std::array<float, 4> a) {
            const auto u = pipe.vertex(batch, a), v = pipe.vertex(batch, {0.5f, -0.5f, 0, 1}),
                       w = pipe.vertex(batch, {0, 0.5f, 0, 1});
            pipe.object(batch, Topology::TriList, {u, v, w});
        };
        pipe.batch(draw);
        triangle(pipe.batch(draw), {kNan, 0, 0, 1});
        // Everything beyond the right plane; not a number after the division; no area.
        PrimitiveBatch& outside = pipe.batch(draw);
        const auto a = pipe.vertex(outside, {2, 0, 0, 1}), b = pipe.vertex(outside, {3, 0, 0, 1}),
                   c = pipe.vertex(outside, {2, 1, 0, 1});
        pipe.object(outside, Topology::TriList, {a, b, c});
        triangle(pipe.batch(draw), {kInfinity, 0, 0, kInfinity});
        PrimitiveBatch& flat = pipe.batch(draw);
        const auto d = pipe.vertex(flat, {0, 0, 0, 1}), e = pipe.vertex(flat, {0.5f, 0.5f, 0, 1}),
                   f = pipe.vertex(flat, {0.25f, 0.25f, 0, 1});
        pipe.object(flat, Topology::TriList, {d, e, f});
        // A patch that no domain shader has taken (CL-03).
        PrimitiveBatch& patch = pipe.batch(draw);
        pipe.object(patch, Topology::PatchList1, {pipe.vertex(patch, {0, 0, 0, 1})});
        triangle(pipe.batch(draw), {-0.5f, -0.5f, 0, 1});
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->read.size(), 7u);
        EXPECT_EQ(pipe->ended.size(), 7u);
        EXPECT_EQ(pipe->objects.size(), 1u);
        EXPECT_EQ(pipe->clip.stats().bad.value(), 1u);
        EXPECT_EQ(pipe->setup.stats().degenerate.value(), 1u);
        EXPECT_TRUE(pipe->env.log.empty());
    }
}

}  // namespace
}  // namespace gen9::test
