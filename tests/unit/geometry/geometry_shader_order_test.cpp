// SPDX-License-Identifier: Apache-2.0
// When the geometry shader stage hands on what it makes, and in which order.
#include <deque>
#include <random>
#include <string>
#include <vector>

#include "tests/unit/geometry/geometry_shader_bench.h"

namespace gen9::geometry::test::shader_stage {
namespace {

// The vertices that came are free when threads have ended, whatever becomes of the output.
TEST(GeometryTime, VerticesAreGivenUpBeforeTheNextStageReads) {
    StageBench b("bench", Timing::Timed);
    put_vertices(b);
    b.next.read_after = b.next.end_after = 9000;
    b.draw({.vertices = 128},  // of which VF's part holds 64
           numbered(Topology::PointList, {.include_handles = true}, {.entries = 128}));
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, false, 1); };
    // The first thread of the first batch reads its vertices last.
    b.lifetime_of = [](unsigned number) { return number == 0 ? 3000u : 40u; };
    b.start(5000);
    EXPECT_EQ(b.threads.size(), 128u / 8);
    EXPECT_EQ(b.gs.held_entries(), 128u);
    b.start();
    b.expect_done();
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 128u);
    for (std::uint32_t i = 0; i < shown.size(); ++i)
        EXPECT_EQ(shown[i].vertices[0][0], 1000 + i);
}

// A batch that passes is not overtaken by what is made of the next one.
TEST(GeometryTime, ObjectsStayInOrderWhileTheNextStageHolds) {
    GEN9_COVERS("GS-01");
    StageBench b("bench", Timing::Timed);
    put_vertices(b);
    DrawState off = numbered(Topology::PointList, {});
    off.take("3DSTATE_GS", {0x78110008, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    for (unsigned n = 0; n < 4; ++n)
        b.draw({.vertices = 1}, off);
    b.draw({.vertices = 1}, numbered(Topology::PointList, {.include_handles = true}));
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, false, 1); };
    b.next.holds = true;
    b.start(2000);
    b.next.go_on();
    b.start();
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 5u);
    for (std::uint32_t n = 0; n < 5; ++n)
        EXPECT_EQ(b.next.seen[n].draw, b.next.seen[0].draw + n);
}

TEST(GeometryTime, OutputIsTakenAtItsRate) {
    StageBench slow("slow", Timing::Timed),
        fast("fast", Timing::Timed, {"fast.gs.vertices_per_clock=8"});
    for (StageBench* b : {&slow, &fast}) {
        put_vertices(*b);
        b->draw({.vertices = 8}, numbered(Topology::PointList, {.include_handles = true},
                                          {.entries = 8, .units = 40}));
        b->run = [b](const ThreadDispatch& thread) { make_vertices(*b, thread, false, 64); };
    }
    sc_core::sc_start(100, sc_core::SC_US);
    slow.expect_done();
    fast.expect_done();
    ASSERT_EQ(slow.next.seen.size(), 8u);
    EXPECT_EQ(slow.next.seen[7].at - slow.next.seen[1].at, Cycles(6 * 64));
    EXPECT_LE(fast.next.seen[7].at - fast.next.seen[1].at, Cycles(6 * 12));
    const GeometryShaderStats& stats = slow.gs.stats();
    slow.gs.settle();
    std::uint64_t all = 0;
    for (const auto& cycles : stats.cycles)
        all += cycles.value();
    EXPECT_EQ(all, slow.clock.now().value);
    EXPECT_GT(stats.cycles[static_cast<unsigned>(StageActivity::WaitThreads)].value(), 0u);
}

// What comes out is the same in both modes, whichever module of a cycle runs first, and whether
// threads are of SIMD8 or of SIMD4x2.
TEST(GeometryRandom, NeitherModeNorOrderChangesObjects) {
    std::deque<StageBench> benches;
    benches.emplace_back("functional", Timing::Functional);
    benches.emplace_back("timed", Timing::Timed);
    benches.emplace_back("shuffled", Timing::Timed, std::vector<std::string>{}, 5);
    benches.emplace_back("halves", Timing::Functional);
    benches.emplace_back("halves_timed", Timing::Timed);
    for (std::size_t n = 0; n < benches.size(); ++n) {
        StageBench& b = benches[n];
        put_vertices(b);
        std::mt19937 random(7), dispatches(8);
        b.lifetime_of = [](unsigned number) { return 20 + number * 37 % 300; };
        struct Kind {
            bool instanced;
            unsigned vertices, dispatch;
        };
        std::vector<Kind> kinds;
        for (unsigned draw = 0; draw < 20; ++draw) {
            const unsigned instances = random() % 2 ? 1 : 1 + random() % 20;
            const unsigned vertices = random() % 7;
            const unsigned halves = dispatches() % (instances > 1 ? 2 : 3);
            const unsigned dispatch = n < 3 ? kSimd8 : halves;
            kinds.push_back({instances > 1, vertices, dispatch});
            DrawState state =
                numbered(Topology::PointList,
                         {.output = random() % 2 ? Topology::TriStrip : Topology::LineStrip,
                          .instances = instances,
                          .include_handles = true,
                          .dispatch = dispatch},
                         {.entries = static_cast<unsigned>(random() % 3 ? 40 : 1 + random() % 12)});
            if (random() % 4 == 0)
                state.take("3DSTATE_GS", {0x78110008, 0, 0, 0, 0, 0, 0, 0, 0, 0});
            b.draw({.vertices = static_cast<std::uint32_t>(random() % 150)}, state);
        }
        b.run = [&b, kinds](const ThreadDispatch& thread) {
            const Kind& kind = kinds[thread.work];
            make_vertices(b, thread, kind.instanced, kind.vertices, 0, kind.dispatch);
        };
    }
    sc_core::sc_start(2, sc_core::SC_MS);
    for (StageBench& b : benches) {
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(objects(b), objects(benches[0]));
    }
    EXPECT_EQ(benches[1].finished, benches[2].finished);
}

}  // namespace
}  // namespace gen9::geometry::test::shader_stage
