// SPDX-License-Identifier: Apache-2.0
// The clipper as a module, before set-up and rasteriser.
#include "clip/module.h"

#include <gtest/gtest.h>

#include <limits>

#include "interpolation/barycentric.h"
#include "tests/support/covers.h"
#include "tests/unit/raster/recorded.h"

namespace gen9::test {
namespace {

using packets::Topology;

/// Keeps copies of what the clipper sends.
struct Clipped : SocketObserver<ClippedProtocol> {
    std::vector<ClippedBatch> batches;
    explicit Clipped(Pipe& pipe) { pipe.clip.batch_out.observe(*this); }
    void passed(const ClippedBatch& batch, const tlm::tlm_phase& phase,
                const sc_core::sc_time&) override {
        if (phase == tlm::BEGIN_REQ) batches.push_back(batch);
    }
    std::vector<ClippedObject> objects() const {
        std::vector<ClippedObject> all;
        for (const ClippedBatch& batch : batches)
            all.insert(all.end(), batch.objects.begin(), batch.objects.end());
        return all;
    }
};

/// Both modes, with what the clipper sends in each.
struct ClipModes : BothModes {
    Clipped from_functional{functional}, from_timed{timed};
    using BothModes::BothModes;
    std::array<const Clipped*, 2> seen() const { return {&from_functional, &from_timed}; }
};

constexpr std::uint32_t kEnable = 1u << 31, kGuard = 1u << 26, kXy = 1u << 28,
                        kRejectAll = 3u << 13, kNoDivide = 1u << 9;
/// The recorded triangle's state with another 3DSTATE_CLIP.
Commands with_clip(std::uint32_t dw1, std::uint32_t dw2, std::uint32_t dw3 = 0x0003ffe0) {
    return iris_triangle()({0x78120002, dw1, dw2, dw3});
}

using Corners = std::array<std::array<float, 4>, 3>;
PrimitiveBatch& give(Pipe& pipe, const Commands& commands, const Corners& corners,
                     Topology topology = Topology::TriList) {
    PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
    std::array<std::uint32_t, 3> v{};
    float s = 0;
    for (unsigned i = 0; i < 3; ++i, s += 1)
        v[i] = pipe.vertex(batch, corners[i], {bits_of(s), bits_of(s * s - s / 2), 0, 0});
    pipe.object(batch, topology, {v[0], v[1], v[2]});
    return batch;
}

TEST(ClipModule, WhatIsCutShowsTheSamePixels) {
    GEN9_COVERS("CL-15 CL-30");
    // One vertex behind the eye, one far to the right: cut at the guard band, at w, and whole.
    const Corners far_right{{{-0.7f, -0.8f, 0, 1}, {9, -0.3f, 0.5f, 1}, {-0.2f, 7, 0.2f, 2}}};
    const Corners behind{{{-0.7f, -0.8f, 0, 1}, {0.9f, -0.3f, -3, -1.5f}, {-0.2f, 0.9f, 0.2f, 2}}};
    const Commands no_depth =
        iris_triangle()({0x78500003, 0x00010000, 0, 0, 0});  // RASTER: neither near nor far
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        give(pipe, no_depth, far_right);
        give(pipe, no_depth, behind);
        // The same with a tight guard band, of another viewport array.
        Commands tight = no_depth;
        tight({0x78210000, 0x2000});
        pipe.write(Pipe::kDynamic + 0x2000, [&] {
            Words words(16);
            std::memcpy(words.data(), &pipe.memory.bytes[Pipe::kDynamic + Pipe::kViewport], 64);
            for (unsigned i = 0; i < 4; ++i)
                words[8 + i] = bits_of(i % 2 ? 1.0f : -1.0f);
            return words;
        }());
        give(pipe, tight, far_right);
        give(pipe, tight, behind);
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->clip.stats().accepted.value(), 1u);
        EXPECT_EQ(pipe->clip.stats().cut.value(), 3u);
        unsigned differ = 0, lit[2] = {};
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                for (unsigned k : {0u, 1u}) {
                    const unsigned loose = pipe->lit(x, y, 1 + k), cut = pipe->lit(x, y, 3 + k);
                    EXPECT_LE(cut, 1u);
                    EXPECT_LE(loose, 1u);
                    differ += loose != cut;
                    lit[k] += loose;
                }
        // A corner that is made is rounded to the grid: a pixel on an edge may differ.
        EXPECT_LE(differ, 4u);
        EXPECT_GT(lit[0], 800u);
        EXPECT_GT(lit[1], 200u);
        // Attributes are those of the whole, and so is their value at a pixel.
        const auto value = [&](std::uint64_t draw, int x, int y) {
            for (const SeenBlock& seen : pipe->blocks()) {
                const int pixel = 8 * (y - seen.block.y) + x - seen.block.x;
                if (seen.draw != draw || y < seen.block.y || y >= seen.block.y + 4 ||
                    x < seen.block.x || x >= seen.block.x + 8 || !(seen.block.lit >> pixel & 1))
                    continue;
                const SetUpObject& object = pipe->objects.at(seen.object);
                interpolation::Barycentrics b;
                const auto places = interpolation::block_places(seen.block.x, seen.block.y, {8, 8});
                interpolation::perspective(object.interpolation,
                                           interpolation::weights_at(object.interpolation, places),
                                           b);
                const auto part = [&](unsigned k) {
                    return std::bit_cast<float>(object.attributes[0][4 + k]);
                };
                const auto at = static_cast<unsigned>(pixel);
                return part(0) * b.b1[at] + part(1) * b.b2[at] + part(3);
            }
            return -100.0f;
        };
        for (const auto& [x, y] : {std::pair{16, 20}, {30, 40}, {50, 50}, {20, 12}})
            EXPECT_NEAR(value(1, x, y), value(3, x, y), 2e-3) << x << ',' << y;
        for (const auto& [x, y] : {std::pair{16, 14}, {24, 26}})
            EXPECT_NEAR(value(2, x, y), value(4, x, y), 2e-3) << x << ',' << y;
    }
    EXPECT_EQ(both.functional.blocks(), both.timed.blocks());
    for (const Clipped* seen : both.seen()) {
        // What lies in front of the eye tells how it faces; what lies behind does not.
        ASSERT_EQ(seen->batches.size(), 4u);
        EXPECT_FALSE(seen->batches[0].objects[0].piece);
        EXPECT_TRUE(seen->batches[2].objects[0].piece->in_front);
        EXPECT_FALSE(seen->batches[3].objects[0].piece->in_front);
    }
}

TEST(ClipModule, PiecesFaceAsTheWhole) {
    GEN9_COVERS("CL-29");
    // Seen from behind: culled with all its pieces, whatever their own corners' order.
    const Corners clockwise{{{-5, -5, 0, 1}, {0, 6, 0, 1}, {5, -5, 0, 1}}};
    const Corners behind{{{-0.7f, -0.8f, 0, 1}, {-0.2f, 0.9f, 0.2f, 2}, {0.9f, -0.3f, -3, -1.5f}}};
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 1);
        // Cull mode none, front, back.
        for (const std::uint32_t cull : {1u, 2u, 3u})
            for (const Corners& corners : {clockwise, behind})
                for (const bool odd : {false, true}) {
                    const Commands commands = iris_triangle()({0x78500003, cull << 16, 0, 0, 0});
                    give(pipe, commands, corners).objects[0].odd = odd;
                }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        std::array<bool, 13> lit{};
        for (const SeenBlock& seen : pipe->blocks())
            lit[seen.draw] = true;
        // y grows downwards on the screen here: both are counter-clockwise there, so back.
        const std::array<bool, 13> expected{false, true,  true,  true,  true,  //
                                            true,  false, true,  false,        // front is culled
                                            false, true,  false, true};        // back is culled
        EXPECT_EQ(lit, expected);
        EXPECT_TRUE(pipe->idle());
    }
}

TEST(ClipModule, PlacesBeyondTheGridTellNothingOfFacing) {
    // On the grid, whose ends they are moved to, these vertices go round the other way.
    const Corners corners{{{0, 0, 0, 1}, {4000, 1000, 0, 1}, {2000, 600, 0, 1}}};
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 1);
        for (const std::uint32_t cull : {2u, 3u})
            give(pipe, iris_triangle()({0x78500003, cull << 16, 0, 0, 0}), corners);
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        unsigned lit[2] = {};
        for (const SeenBlock& seen : pipe->blocks())
            lit[seen.draw - 1] += static_cast<unsigned>(std::popcount(seen.block.lit));
        EXPECT_EQ(lit[0], 0u);
        EXPECT_GT(lit[1], 10u);
    }
}

TEST(ClipModule, EdgesOfPiecesAreThoseOfTheWhole) {
    GEN9_COVERS("SF-30");
    // A square's half in wireframe, its hypotenuse hidden, cut by the right and lower side.
    const Corners corners{{{-0.5f, -0.5f, 0, 1}, {3, -0.5f, 0, 1}, {-0.5f, 3, 0, 1}}};
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 1);
        const Commands wireframe = iris_triangle()({0x78500003, 0x00010028, 0, 0, 0});
        give(pipe, wireframe, corners).objects[0].edges = 5;
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        // The upper and left edge from (16, 16), and what the planes made at the other sides.
        EXPECT_EQ(pipe->lit(40, 16) + pipe->lit(40, 15), 1u);
        EXPECT_EQ(pipe->lit(16, 40) + pipe->lit(15, 40), 1u);
        unsigned inner = 0;
        for (int y = 18; y < 62; ++y)
            for (int x = 18; x < 62; ++x)
                inner += pipe->lit(x, y);
        EXPECT_EQ(inner, 0u);
    }
}

TEST(ClipModule, DistancesClipAndCull) {
    GEN9_COVERS("CL-05 CL-06 CL-07 FF-28 FF-110");
    ClipModes both;
    const Corners corners{{{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}}};
    // Distance 1 of each corner; 3DSTATE_CLIP's masks are forced, and then those of the VS.
    const std::uint32_t force = 1u << 17 | 1u << 20 | 1u << 10;
    const auto give_distances = [&](Pipe& pipe, const Commands& commands, float a, float b,
                                    float c) {
        PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
        std::array<std::uint32_t, 3> v{};
        const float distance[] = {a, b, c};
        for (unsigned i = 0; i < 3; ++i)
            v[i] = pipe.vertex(batch, corners[i], {0, bits_of(distance[i]), 0, 0});
        pipe.object(batch, Topology::TriList, {v[0], v[1], v[2]});
    };
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        const Commands clip = with_clip(force, kEnable | kGuard | 2u << 16),
                       cull = with_clip(force | 2, kEnable | kGuard);
        give_distances(pipe, clip, 1, -1, 1);
        give_distances(pipe, clip, -1, -1, -1);
        give_distances(pipe, cull, 1, -1, 1);
        give_distances(pipe, cull, -1, -2, -1);
        // The VS' masks: distance 1 clips.
        Commands vs = with_clip(1u << 10, kEnable | kGuard);
        vs({0x78100007, 0xffffb000, 0, 0, 0, 0, 0x00200800, 0xa7800405, 0x0200});
        give_distances(pipe, vs, 1, -1, 1);
        // Those of a disabled clipper count for nothing.
        give_distances(pipe, with_clip(force | 2, 2u << 16), -1, -1, -1);
        // Both at once is an error of the program's.
        give_distances(pipe, with_clip(force | 2, kEnable | kGuard | 2u << 16), 1, 1, 1);
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_EQ(pipe->lit(18, 18, 1), 1u);
        EXPECT_EQ(pipe->lit(40, 18, 1), 0u);  // beyond the middle
        EXPECT_EQ(pipe->lit(18, 18, 2), 0u);
        EXPECT_EQ(pipe->lit(40, 18, 3), 1u);
        EXPECT_EQ(pipe->lit(18, 18, 4), 0u);
        EXPECT_EQ(pipe->lit(18, 18, 5), 1u);
        EXPECT_EQ(pipe->lit(40, 18, 5), 0u);
        EXPECT_EQ(pipe->lit(40, 18, 6), 1u);
        EXPECT_EQ(pipe->counts[0].cl_invocations, 1u);
        EXPECT_EQ(pipe->counts[1].cl_invocations, 1u);
        EXPECT_EQ(pipe->counts[1].cl_primitives, 0u);
        EXPECT_EQ(pipe->counts[5].cl_invocations, 0u);
        ASSERT_EQ(pipe->env.reporter.entries().size(), 1u);
        EXPECT_EQ(pipe->env.reporter.entries()[0].place, "3DPRIMITIVE at 0x1700, clip");
    }
}

TEST(ClipModule, MasksAreThoseOfTheLastStageThatIsOn) {
    GEN9_COVERS("FF-26 FF-28 CL-05 CL-06");
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        // VS clips by distance 0, DS by 1, GS by 2; each culls by 3 further.
        for (unsigned on = 0; on < 4; ++on)  // a bit for DS, one for GS
            for (unsigned distance = 0; distance < 6; ++distance) {
                Commands commands = with_clip(0, kEnable | kGuard);
                const auto masks = [](unsigned bit) { return 1u << (8 + bit) | 1u << (3 + bit); };
                commands({0x78100007, 0, 0, 0, 0, 0, 0, 1, masks(0)});
                commands({0x781d0009, 0, 0, 0, 0, 0, 0, on & 1, masks(1), 0, 0});
                commands({0x78110008, 0, 0, 0, 0, 0, 0, on >> 1, 0, masks(2)});
                PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
                const Corners corners{
                    {{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}}};
                std::array<std::uint32_t, 3> v{};
                for (unsigned i = 0; i < 3; ++i) {
                    // Only one corner is outside: a distance that culls does nothing.
                    Words distances(8, bits_of(1));
                    distances[distance] = bits_of(i == 1 || distance > 2 ? -1.0f : 1.0f);
                    v[i] = pipe.vertex(batch, corners[i], distances);
                }
                pipe.object(batch, Topology::TriList, {v[0], v[1], v[2]});
            }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_EQ(pipe->env.reporter.entries().size(), 0u);
        for (unsigned on = 0; on < 4; ++on)
            for (unsigned distance = 0; distance < 6; ++distance) {
                const unsigned stage = on >> 1 ? 2 : on;
                const std::uint64_t draw = 1 + on * 6 + distance;
                EXPECT_EQ(pipe->lit(18, 18, draw), distance != stage + 3) << draw;
                EXPECT_EQ(pipe->lit(44, 18, draw), distance != stage && distance != stage + 3)
                    << draw;
            }
    }
}

TEST(ClipModule, PositionsAreDividedUnlessTheStateSaysNot) {
    GEN9_COVERS("FF-116 CL-10");
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        for (const std::uint32_t divide : {0u, kNoDivide}) {
            PrimitiveBatch& batch = pipe.batch(pipe.draw(with_clip(0, kEnable | divide)));
            pipe.object(batch, Topology::PointList,
                        {pipe.vertex(batch, {1, -2, 0.5f, 4}, {}, {0, 0, 0, bits_of(1)})});
        }
    });
    both.run();
    for (const Clipped* seen : both.seen()) {
        const auto objects = seen->objects();
        ASSERT_EQ(objects.size(), 2u);
        EXPECT_EQ(objects[0].corners[0].position, (std::array{0.25f, -0.5f, 0.125f, 0.25f}));
        EXPECT_EQ(objects[1].corners[0].position, (std::array{1.0f, -2.0f, 0.5f, 4.0f}));
    }
}

TEST(ClipModule, WhatLeavesIsCountedWhereSetUpAsksForIt) {
    GEN9_COVERS("SF-61");
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        const Corners inside{{{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}}},
            outside{{{2, 2, 0, 1}, {3, 2, 0, 1}, {2, 3, 0, 1}}};
        for (const std::uint32_t counts : {0u, 1u << 10}) {
            const Commands commands =
                with_clip(0, kEnable | kGuard | kXy)({0x78130002, 2 | counts, 0, 0x4c004808});
            PrimitiveBatch& batch = give(pipe, commands, inside);
            for (unsigned i = 0; i < 2; ++i)
                pipe.object(batch, Topology::TriList, {0, 1, 2});
            std::array<std::uint32_t, 3> v{};
            for (unsigned i = 0; i < 3; ++i)
                v[i] = pipe.vertex(batch, outside[i]);
            pipe.object(batch, Topology::TriList, {v[0], v[1], v[2]});
        }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_EQ(pipe->counts[0].cl_primitives, 0u);
        EXPECT_EQ(pipe->counts[1].cl_primitives, 3u);
    }
}

TEST(ClipModule, HeadersAreClamped) {
    GEN9_COVERS("CL-34 FF-109 FF-111 FF-112 GS-30");
    ClipModes both;
    both.give([&](Pipe& pipe) {
        for (unsigned i = 0; i < 16; ++i)
            pipe.viewport(i, 64, 64, 512);
        const auto give_point = [&](const Commands& commands, const Words& header) {
            PrimitiveBatch& batch = pipe.batch(pipe.draw(commands));
            pipe.object(batch, Topology::PointList, {pipe.vertex(batch, {0, 0, 0, 1}, {}, header)});
        };
        const std::uint32_t dw2 = kEnable | kGuard;
        give_point(with_clip(0, dw2, 2u << 17 | 64u << 6 | 3), {0, 5, 3, bits_of(2.0f)});
        give_point(with_clip(0, dw2, 2u << 17 | 64u << 6 | 3), {0, 2048, 4, bits_of(20.0f)});
        give_point(with_clip(0, dw2, 2u << 17 | 64u << 6 | 1 << 5), {0, 5, 1, bits_of(0.1f)});
        give_point(with_clip(0, dw2, 2u << 17 | 64u << 6), {0, 0, 0, 0x7FC00000});
        give_point(with_clip(0, 0, 0), {0, 7, 0, bits_of(20.0f)});
    });
    both.run();
    for (const Clipped* seen : both.seen()) {
        const auto objects = seen->objects();
        ASSERT_EQ(objects.size(), 5u);
        const auto is = [&](unsigned i, unsigned target, unsigned viewport, float width) {
            EXPECT_EQ(objects[i].render_target_index, target) << i;
            EXPECT_EQ(objects[i].viewport, viewport) << i;
            EXPECT_EQ(objects[i].corners[0].point_width, width) << i;
        };
        is(0, 5, 3, 2);
        is(1, 0, 0, 8);
        is(2, 0, 0, 0.25f);
        is(3, 0, 0, 0.25f);
        is(4, 7, 0, 20);
    }
}

TEST(ClipModule, VerticesBesideAnObjectDoNotCount) {
    GEN9_COVERS("CL-28");
    ClipModes both;
    both.give([](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        PrimitiveBatch& batch = pipe.batch(pipe.draw(iris_triangle()));
        std::array<std::uint32_t, 6> v{};
        for (unsigned i = 0; i < 6; ++i)
            v[i] = pipe.vertex(batch, {i % 2 ? 100.0f : static_cast<float>(i) / 8 - 0.5f,
                                       i == 2 ? 0.5f : -0.5f, 0, 1});
        pipe.object(batch, Topology::TriStripAdj, {v[0], v[1], v[2], v[3], v[4], v[5]});
        pipe.object(batch, Topology::LineListAdj, {v[1], v[0], v[2], v[3]});
    });
    both.run();
    for (const Clipped* seen : both.seen()) {
        const auto objects = seen->objects();
        ASSERT_EQ(objects.size(), 2u);
        EXPECT_EQ(objects[0].topology, Topology::TriStrip);
        EXPECT_EQ(objects[0].vertices, (std::array<std::uint32_t, 3>{0, 2, 4}));
        EXPECT_EQ(objects[1].topology, Topology::LineList);
        EXPECT_EQ(objects[1].vertices[0], 0u);
        EXPECT_EQ(objects[1].vertices[1], 2u);
    }
    // Each vertex that counts is read once.
    EXPECT_EQ(both.timed.clip.stats().vertices.value(), 3u);
    unsigned reads = 0;
    for (const MemoryTarget::Seen& seen : both.timed.memory.seen)
        reads += seen.attributes.space == AddressSpace::Urb && seen.requester == Requester::Urb &&
                 seen.address % 128 == 0;
    EXPECT_GE(reads, 3u);
}

TEST(ClipModule, AcceptAllStillDropsWhatIsNoNumberAndWhatLiesBeside) {
    GEN9_COVERS("CL-27 CL-03");
    ClipModes both;
    both.give([](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        const Draw& draw = pipe.draw(with_clip(0, kEnable | 4u << 13));
        PrimitiveBatch& batch = pipe.batch(draw);
        const auto at = [&](float x, float y) { return pipe.vertex(batch, {x, y, 0, 1}); };
        const auto a = at(0, 0), b = at(9, 0), c = at(0, 9),
                   none = at(std::numeric_limits<float>::quiet_NaN(), 0);
        pipe.object(batch, Topology::TriList, {a, b, none});
        pipe.object(batch, Topology::TriListAdj, {a, b, b, c, c, a});
        pipe.object(batch, Topology::PatchList1, {a});
        // Nor does a patch pass where nothing is clipped.
        PrimitiveBatch& off = pipe.batch(pipe.draw(with_clip(0, kNoDivide)));
        pipe.object(off, Topology::PatchList1, {pipe.vertex(off, {0, 0, 0, 1})});
    });
    both.run();
    for (const Clipped* seen : both.seen()) {
        const auto objects = seen->objects();
        ASSERT_EQ(objects.size(), 1u);
        EXPECT_EQ(objects[0].topology, Topology::TriList);
        EXPECT_EQ(objects[0].vertices, (std::array<std::uint32_t, 3>{0, 1, 2}));
        EXPECT_FALSE(objects[0].piece) << "not cut";
    }
}

/// The indices of an object are those of the vertex that the selects of 3DSTATE_CLIP name; with
/// zeros it is the leading one.
TEST(ClipModule, AnObjectsIndicesAreThoseOfOneVertex) {
    GEN9_COVERS("SF-04 SF-07");
    const std::pair<Topology, std::array<unsigned, 2>> cases[] = {
        {Topology::TriList, {0, 2}},  {Topology::TriStrip, {0, 2}}, {Topology::TriFan, {0, 1}},
        {Topology::Polygon, {0, 0}},  {Topology::LineList, {0, 1}}, {Topology::LineStrip, {0, 1}},
        {Topology::PointList, {0, 0}}};
    ClipModes both;
    both.give([&](Pipe& pipe) {
        for (unsigned i = 0; i < 16; ++i)
            pipe.viewport(i, 64, 64, 512);
        for (const std::uint32_t selects : {0u, 2u << 4 | 1u << 2 | 1u}) {
            PrimitiveBatch& batch =
                pipe.batch(pipe.draw(with_clip(0, kEnable | kGuard | selects, 0x0003ffef)));
            for (const auto& [topology, leads] : cases) {
                std::array<std::uint32_t, 3> v{};
                const Corners corners{{{0, 0, 0, 1}, {0.5f, 0, 0, 1}, {0, 0.5f, 0, 1}}};
                for (std::uint32_t i = 0; i < 3; ++i)
                    v[i] = pipe.vertex(batch, corners[i], {}, {0, 20 + i, 4 + i, 0});
                PrimitiveObject& object = pipe.object(batch, topology, {v[0], v[1], v[2]});
                object.count = packets::rules_of(topology).vertices;
            }
        }
    });
    both.run();
    for (const Clipped* seen : both.seen()) {
        const auto objects = seen->objects();
        ASSERT_EQ(objects.size(), 2 * std::size(cases));
        for (unsigned i = 0; i < objects.size(); ++i) {
            const unsigned leads = cases[i % std::size(cases)].second[i / std::size(cases)];
            EXPECT_EQ(objects[i].viewport, 4 + leads) << i;
        }
    }
}

TEST(ClipModule, ModesRejectAndAcceptAll) {
    GEN9_COVERS("CL-25 FF-116 CL-10");
    const Corners inside{{{-0.5f, -0.5f, 0, 1}, {0.5f, -0.5f, 0, 1}, {-0.5f, 0.5f, 0, 1}}};
    const Corners on_screen{{{16, 16, 0, 1}, {48, 16, 0, 1}, {16, 48, 0, 1}}};
    ClipModes both;
    both.give([&](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        give(pipe, with_clip(1u << 10, kEnable | kGuard | kXy | kRejectAll), inside);
        give(pipe, with_clip(0, kEnable | 4u << 13 | kNoDivide)({0x78130002, 0, 0, 0x4c004808}),
             on_screen);
        // A line and a point across the guard band: the one is cut, the other goes by its centre.
        PrimitiveBatch& batch = pipe.batch(pipe.draw(iris_triangle()({0x78210000, 0x2000})));
        const auto a = pipe.vertex(batch, {0, 0, 0, 1}), b = pipe.vertex(batch, {4, 0, 0, 1});
        pipe.object(batch, Topology::LineList, {a, b});
        pipe.object(batch, Topology::LineList, {b, a});
        pipe.object(batch, Topology::PointList, {a});
        pipe.object(batch, Topology::PointList, {b});
        Words tight(16, 0);
        tight[0] = tight[1] = tight[3] = tight[4] = bits_of(32);
        for (unsigned i = 0; i < 4; ++i)
            tight[8 + i] = bits_of(i % 2 ? 1.0f : -1.0f);
        tight[13] = tight[15] = bits_of(63);
        pipe.write(Pipe::kDynamic + 0x2000, tight);
    });
    both.run();
    for (const Clipped* seen : both.seen()) {
        const auto objects = seen->objects();
        ASSERT_EQ(objects.size(), 4u);
        EXPECT_EQ(objects[0].corners[1].position, (std::array<float, 4>{48, 16, 0, 1}));
        EXPECT_TRUE(objects[1].piece);
        EXPECT_EQ(objects[1].corners[0].position[0], 0);
        EXPECT_EQ(objects[1].corners[1].position[0], 1);
        EXPECT_FALSE(objects[1].far_end);
        EXPECT_EQ(objects[1].piece->b1[1], 0.25f);
        EXPECT_TRUE(objects[2].far_end);
        EXPECT_EQ(objects[3].count, 1);
    }
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_EQ(pipe->counts[0].cl_invocations, 1u);
        EXPECT_EQ(pipe->lit(20, 20, 1), 0u);
        EXPECT_EQ(pipe->lit(20, 20, 2), 1u);
        EXPECT_EQ(pipe->ended.size(), 3u);
    }
}

TEST(ClipModule, EachTriangleOfAPolygonIsCounted) {
    GEN9_COVERS("CL-33");
    ClipModes both;
    both.give([](Pipe& pipe) {
        pipe.viewport(0, 64, 64, 512);
        PrimitiveBatch& batch = pipe.batch(pipe.draw(with_clip(1u << 10, kEnable | kGuard)));
        const auto a = pipe.vertex(batch, {-0.5f, -0.5f, 0, 1}),
                   b = pipe.vertex(batch, {0.5f, -0.5f, 0, 1}),
                   c = pipe.vertex(batch, {0.5f, 0.5f, 0, 1}),
                   d = pipe.vertex(batch, {-0.5f, 0.5f, 0, 1});
        pipe.object(batch, Topology::Polygon, {a, b, c});
        pipe.object(batch, Topology::Polygon, {a, c, d}).continues = true;
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed})
        EXPECT_EQ(pipe->counts[0].cl_invocations, 2u);
}

TEST(ClipModule, WhatIsNotThereIsReportedOnce) {
    ClipModes both;
    both.give([](Pipe& pipe) {
        const Commands far = iris_triangle()({0x78210000, 0x7FFFFFC0});
        for (unsigned turn = 0; turn < 2; ++turn) {
            PrimitiveBatch& batch = pipe.batch(pipe.draw(far));
            const auto a = pipe.vertex(batch, {0, 0, 0, 1});
            batch.vertices[a].urb_row = 0x0FFF'FFFF;
            pipe.object(batch, Topology::TriList, {a, a, a});
        }
    });
    both.run();
    for (const Pipe* pipe : {&both.functional, &both.timed}) {
        EXPECT_TRUE(pipe->idle());
        EXPECT_EQ(pipe->ended.size(), 2u);
        // Of each draw: the viewports and the entry.
        EXPECT_EQ(pipe->env.reporter.entries().size(), 4u);
        EXPECT_EQ(pipe->env.reporter.entries()[0].place, "3DPRIMITIVE at 0x1100, clip");
    }
}

}  // namespace
}  // namespace gen9::test
