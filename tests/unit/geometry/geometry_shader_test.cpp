// SPDX-License-Identifier: Apache-2.0
// What the geometry shader stage makes of its objects.
#include <array>
#include <map>
#include <utility>

#include "tests/unit/geometry/geometry_shader_bench.h"

namespace gen9::geometry::test::shader_stage {
namespace {

class Geometry : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Geometry, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

TEST_P(Geometry, APointBecomesAStrip) {
    GEN9_COVERS("GS-01 GS-08 GS-19 GS-20 GS-26");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 11},
           numbered(Topology::PointList,
                    {.output = Topology::TriStrip, .include_handles = true, .increment = 1}));
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, false, 4); };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 2u);
    EXPECT_EQ(b.threads[0].dispatch_mask, 0xFFu);
    EXPECT_EQ(b.threads[1].dispatch_mask, 7u);
    EXPECT_EQ(dword(b.threads[0], 0, 2), 1u << 16);
    EXPECT_EQ(dword(b.threads[0], 1, 2), 16u * 128 + 2 * 4);  // the URB's chunk 16
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 22u);
    for (std::uint32_t i = 0; i < 22; ++i) {
        const std::uint32_t from = 1000 + i / 2, first = i % 2;
        EXPECT_EQ(shown[i], (Shown{i / 2,
                                   Topology::TriStrip,
                                   i % 2 != 0,
                                   i % 2 == 0,
                                   0,
                                   {{from, 0, first}, {from, 0, first + 1}, {from, 0, first + 2}}}))
            << i;
    }
    const DrawCounts& counts = b.commands[0].counts;
    EXPECT_EQ(counts.gs_invocations, 22u);  // the increment is added to one
    EXPECT_EQ(counts.gs_primitives, 22u);
    EXPECT_EQ(counts.threads, 2u);
    EXPECT_EQ(b.gs.stats().vertices.value(), 44u);
    EXPECT_EQ(b.gs.stats().objects.value(), 11u);
}

TEST_P(Geometry, InstancesOfAnObjectComeBeforeTheNextObject) {
    GEN9_COVERS("GS-17 GS-26 GS-27");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 3},
           numbered(Topology::PointList, {.instances = 11, .include_handles = true}));
    // The first thread ends last.
    b.lifetime_of = [](unsigned number) { return 900 - 100 * number; };
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, true, 1); };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 6u);
    EXPECT_EQ(b.threads[1].dispatch_mask, 7u);
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 33u);
    for (std::uint32_t i = 0; i < 33; ++i) {
        EXPECT_EQ(shown[i].vertices[0], (std::array{1000 + i / 11, i % 11, 0u})) << i;
        EXPECT_EQ(shown[i].primitive, i / 11);
    }
    EXPECT_EQ(b.commands[0].counts.gs_invocations, 33u);
    EXPECT_EQ(b.gs.stats().objects.value(), 3u);
}

TEST_P(Geometry, NothingIsCountedUnlessTheStateAsks) {
    GEN9_COVERS("GS-19 GS-20");
    StageBench b("bench", GetParam());
    put_vertices(b);
    const GeometryCommand command{.include_handles = true};
    std::vector<std::uint32_t> dwords = command.dwords();
    dwords[7] &= ~(1u << 10);
    DrawState state = numbered(Topology::PointList, command);
    state.take("3DSTATE_GS", dwords);
    b.draw({.vertices = 3}, state);
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, false, 1); };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    EXPECT_EQ(objects(b).size(), 3u);
    EXPECT_EQ(b.commands[0].counts.gs_invocations + b.commands[0].counts.gs_primitives, 0u);
}

// A partition of one entry runs a channel at a time, and no batch waits for another.
TEST_P(Geometry, FewEntriesAreEnough) {
    GEN9_COVERS("FF-50 GS-17");
    const unsigned entries[] = {1, 2, 9};
    std::deque<StageBench> benches;
    for (const unsigned each : entries)
        benches.emplace_back(("bench" + std::to_string(each)).c_str(), GetParam());
    for (std::size_t i = 0; i < benches.size(); ++i) {
        StageBench& b = benches[i];
        put_vertices(b);
        for (const unsigned instances : {1u, 3u})
            b.draw({.vertices = 100}, numbered(Topology::PointList,
                                               {.output = Topology::LineStrip,
                                                .instances = instances,
                                                .include_handles = true},
                                               {.entries = entries[i]}));
        b.run = [&b](const ThreadDispatch& thread) {
            make_vertices(b, thread, thread.work == 1, 3);
        };
    }
    sc_core::sc_start(1, sc_core::SC_MS);
    for (std::size_t i = 0; i < benches.size(); ++i) {
        StageBench& b = benches[i];
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(objects(b).size(), 100u * 2 + 300 * 2);
        EXPECT_EQ(b.threads[0].dispatch_mask, (1u << std::min(entries[i], 8u)) - 1);
    }
}

TEST_P(Geometry, NothingAndAsMuchAsAnEntryHoldsComeOut) {
    GEN9_COVERS("GS-11");
    StageBench b("bench", GetParam());
    put_vertices(b);
    // 33 KB would hold more than the 1023 vertices that fit 32 KB.
    b.draw({.vertices = 4},
           numbered(Topology::PointList, {.include_handles = true}, {.entries = 8, .units = 512}));
    b.run = [&](const ThreadDispatch& thread) {
        make_vertices(b, thread, false, 1023);
        Entry(b, dword(thread, 1, 1))[0] = 0;
        Entry(b, dword(thread, 1, 2))[0] = 0;
    };
    sc_core::sc_start(1, sc_core::SC_MS);
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 2046u);
    EXPECT_EQ(shown[1022].vertices[0], (std::array{1000u, 0u, 1022u}));
    EXPECT_EQ(shown[1023].vertices[0], (std::array{1003u, 0u, 0u}));
    EXPECT_EQ(shown[1023].primitive, 3u);
    EXPECT_EQ(b.commands[0].counts.gs_primitives, 2046u);
}

TEST_P(Geometry, VerticesAreShownInTheOrderOfTheState) {
    GEN9_COVERS("GS-05 GS-07 GS-10");
    struct {
        Topology topology;
        unsigned vertices, draw_vertices;
        bool trailing, discards;
        std::vector<std::uint32_t> second;  ///< object's vertices
    } const cases[] = {
        {Topology::TriStrip, 3, 4, false, false, {1, 3, 2}},
        {Topology::TriStrip, 3, 4, true, false, {2, 1, 3}},
        {Topology::TriStripAdj, 6, 8, false, false, {2, 5, 6, 7, 4, 0}},
        {Topology::TriStripAdj, 6, 8, true, false, {4, 0, 2, 5, 6, 7}},
        {Topology::TriStripAdj, 3, 8, true, true, {4, 2, 6}},
        {Topology::LineListAdj, 4, 8, true, false, {4, 5, 6, 7}},
        {Topology::LineListAdj, 2, 8, true, true, {5, 6}},
        {Topology::LineStripAdj, 4, 5, true, false, {1, 2, 3, 4}},
        {Topology::TriListAdj, 6, 12, true, false, {6, 7, 8, 9, 10, 11}},
        {Topology::LineLoop, 2, 3, true, false, {1, 2}},
        {Topology::TriFan, 3, 4, true, false, {0, 2, 3}},
    };
    StageBench b("bench", GetParam());
    put_vertices(b);
    for (const auto& c : cases)
        b.draw({.vertices = c.draw_vertices}, numbered(c.topology, {.vertices = c.vertices,
                                                                    .include_handles = true,
                                                                    .trailing = c.trailing,
                                                                    .discards = c.discards}));
    b.run = [&](const ThreadDispatch& thread) {
        for (unsigned n = 0; n < 8 && thread.dispatch_mask >> n & 1; ++n)
            Entry(b, dword(thread, 1, n))[0] = 0;
    };
    // A draw has two objects, the loop three; a thread has some of one draw.
    std::vector<std::vector<std::uint32_t>> seen;
    unsigned draw = 0, object = 0;
    b.begins = [&](const ThreadDispatch& thread) {
        for (unsigned n = 0; n < 8 && thread.dispatch_mask >> n & 1; ++n) {
            ASSERT_LT(draw, std::size(cases));
            if (object == 1) {
                std::vector<std::uint32_t>& second = seen.emplace_back();
                for (unsigned v = 0; v < cases[draw].vertices; ++v)
                    second.push_back(Entry(b, dword(thread, 2 + v, n))[0] - 1000);
            }
            if (++object < (cases[draw].topology == Topology::LineLoop ? 3u : 2u)) continue;
            object = 0;
            ++draw;
        }
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(seen.size(), std::size(cases));
    for (std::size_t i = 0; i < seen.size(); ++i)
        EXPECT_EQ(seen[i], cases[i].second) << i;
    EXPECT_TRUE(b.next.seen.empty());
}

TEST_P(Geometry, WhatIsReadOfVerticesIsLoaded) {
    GEN9_COVERS("GS-28 FF-71");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 4},
           numbered(Topology::LineList, {.vertices = 2, .start = 2, .read_rows = 1}));
    b.draw({.vertices = 2}, numbered(Topology::LineList,
                                     {.vertices = 2, .instances = 2, .start = 2, .read_rows = 1}));
    b.draw({.vertices = 4},
           numbered(Topology::LineList,
                    {.vertices = 2, .start = 2, .read_rows = 1, .dispatch = kDualObject}));
    b.run = [&](const ThreadDispatch& thread) {
        for (unsigned n = 0; n < 2; ++n)
            Entry(b, dword(thread, thread.work == 2 ? 0 : 1, n))[0] = 0;
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 3u);
    EXPECT_EQ(dword(b.threads[0], 2, 0), 1000u);
    EXPECT_EQ(dword(b.threads[0], 2, 1), 1002u);
    EXPECT_EQ(dword(b.threads[0], 10, 0), 1001u);
    EXPECT_EQ(dword(b.threads[0], 10, 1), 1003u);
    EXPECT_EQ(dword(b.threads[1], 2, 0), 1000u);
    EXPECT_EQ(dword(b.threads[1], 3, 0), 1001u);
    EXPECT_EQ(dword(b.threads[2], 2, 0), 1000u);
    EXPECT_EQ(dword(b.threads[2], 2, 4), 1002u);
    EXPECT_EQ(dword(b.threads[2], 4, 0), 1001u);
    EXPECT_EQ(dword(b.threads[2], 4, 4), 1003u);
}

TEST_P(Geometry, AStageThatIsOffHandsOnWhatComes) {
    GEN9_COVERS("GS-01 FF-107");
    StageBench b("bench", GetParam());
    put_vertices(b);
    DrawState off = numbered(Topology::TriListAdj, {});
    off.take("3DSTATE_GS", {0x78110008, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    b.draw({.vertices = 12}, off);
    b.draw({.vertices = 1}, numbered(Topology::PointList, {.include_handles = true}));
    b.draw({.vertices = 12}, off);
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, false, 1); };
    b.lifetime_of = [](unsigned) { return 500u; };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 5u);  // in order, although the one in the middle takes longest
    EXPECT_EQ(shown[0].topology, Topology::TriListAdj);
    EXPECT_EQ(shown[1].vertices.size(), 6u);
    EXPECT_EQ(shown[2].topology, Topology::PointList);
    EXPECT_EQ(shown[4].vertices[5][0], 1011u);
    EXPECT_EQ(b.commands[0].counts.gs_invocations + b.commands[0].counts.gs_primitives, 0u);
}

TEST_P(Geometry, StreamsGoOnWithTheirObjects) {
    GEN9_COVERS("GS-16");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 1},
           numbered(Topology::PointList,
                    {.control_rows = 1, .stream_bits = true, .include_handles = true}));
    b.run = [&](const ThreadDispatch& thread) {
        make_vertices(b, thread, false, 3, 1);
        Entry(b, dword(thread, 1, 0))[8] = 0b10'00'01;
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 3u);
    EXPECT_EQ(shown[0].stream, 1u);
    EXPECT_EQ(shown[1].stream, 0u);
    EXPECT_EQ(shown[2].stream, 2u);
    EXPECT_EQ(shown[2].vertices[0], (std::array{1000u, 0u, 2u})) << "behind the control data";
}

TEST_P(Geometry, AThreadThatBeginsWithAnOddTriangleHasTheReversedTopology) {
    GEN9_COVERS("GS-26 GS-02");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 6},
           numbered(Topology::TriStrip, {.vertices = 3, .include_handles = true}, {.entries = 1}));
    b.run = [&](const ThreadDispatch& thread) { Entry(b, dword(thread, 1, 0))[0] = 0; };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 4u);
    for (unsigned n = 0; n < 4; ++n)
        EXPECT_EQ(dword(b.threads[n], 0, 2) >> 16,
                  static_cast<unsigned>(n % 2 ? Topology::TriStripReverse : Topology::TriStrip))
            << n;
}

TEST_P(Geometry, WhatAShaderDoesWrongIsReported) {
    GEN9_COVERS("FF-25 FF-44");
    StageBench b("bench", GetParam());
    put_vertices(b);
    const GeometryCommand good{.include_handles = true};
    const auto with = [&](auto change) {
        GeometryCommand command = good;
        change(command);
        return command;
    };
    const std::pair<DrawState, const char*> cases[] = {
        {numbered(Topology::LineList, good), "expects objects of 1 vertices, which have 2"},
        {numbered(Topology::PointList, good, {.entries = 0}), "has no entry in the URB"},
        {numbered(Topology::PointList, with([](auto& c) { c.output = Topology::QuadList; })),
         "topology 7"},
        {numbered(Topology::PointList, with([](auto& c) { c.control_rows = 9; })), "control data"},
        {numbered(Topology::PointList, with([](auto& c) { c.dispatch = 2, c.instances = 2; })),
         "threads of two objects"},
        {numbered(Topology::PointList, with([](auto& c) { c.vertex_units = 3; })),
         "vertices of 48 bytes, which are not aligned"},
        {numbered(Topology::PointList, with([](auto& c) { c.read_rows = 9, c.start = 3; })),
         "reads beyond"},
        {numbered(Topology::PointList, with([](auto& c) { c.static_count = 2000; })),
         "more than the 8 vertices"},
        {numbered(Topology::PointList, good), "more than the 7 vertices"},
    };
    for (const auto& [state, text] : cases)
        b.draw({.vertices = 2}, state);
    b.run = [&](const ThreadDispatch& thread) {
        for (unsigned n = 0; n < 2; ++n)
            Entry(b, dword(thread, 1, n))[0] = thread.work == 8 ? 0xFFFFFFFF : 0;
    };
    b.start();
    b.expect_done();
    for (const auto& wrong : cases)
        EXPECT_TRUE(std::ranges::any_of(b.env.log, [&](const auto& line) {
            return line.find(wrong.second) != std::string::npos;
        })) << wrong.second;
    EXPECT_EQ(b.gs.stats().dropped.value(), 1u + 5 * 2);
    EXPECT_EQ(objects(b).size(), 2u * 8 + 2 * 7);
}

// Such vertices are not drawn (SOL-04): they are for stream output only.
TEST_P(Geometry, VerticesOf16BytesLieSideBySide) {
    GEN9_COVERS("GS-14");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 1},
           numbered(Topology::PointList, {.vertex_units = 1, .include_handles = true}));
    b.run = [&](const ThreadDispatch& thread) { Entry(b, dword(thread, 1, 0))[0] = 5; };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_FALSE(b.next.seen.empty());
    // Behind the row with their number.
    const std::uint32_t entry = (dword(b.threads[0], 1, 0) & 0xFFFF) * 2;
    std::vector<std::uint32_t> places;
    for (const BatchVertex& vertex : b.next.seen[0].vertices)
        places.push_back(vertex.urb_row - entry);
    EXPECT_EQ(places, (Dwords{1, 1 | kHalfRow, 2, 2 | kHalfRow, 3}));
}

TEST_P(Geometry, AnotherPartOfTheUrbWaitsForTheEntriesOfTheOld) {
    GEN9_COVERS("FF-40 FF-50");
    StageBench b("bench", GetParam());
    put_vertices(b);
    for (const unsigned start : {16u, 20u, 16u})
        b.draw({.vertices = 30}, numbered(Topology::PointList, {.include_handles = true},
                                          {.entries = 10, .start = start}));
    b.run = [&](const ThreadDispatch& thread) { make_vertices(b, thread, false, 2); };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(objects(b).size(), 180u);
    for (const ThreadDispatch& thread : b.threads)
        EXPECT_EQ(dword(thread, 1, 0) >> 7, thread.work == 1 ? 20u : 16u);
}

TEST_P(Geometry, ThreadsOfFourByTwoTakeWhatTheyCan) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    // Seven objects by one and by two; three objects of three instances by one and by two.
    const std::pair<unsigned, unsigned> draws[] = {
        {kSingle, 1}, {kDualObject, 1}, {kSingle, 3}, {kDualInstance, 3}};
    for (const auto& [dispatch, instances] : draws)
        b.draw({.vertices = instances == 1 ? 7u : 3u},
               numbered(Topology::PointList, {.instances = instances,
                                              .start = 2,
                                              .include_handles = true,
                                              .dispatch = dispatch}));
    b.run = [&](const ThreadDispatch& thread) {
        const auto [dispatch, instances] = draws[thread.work];
        make_vertices(b, thread, instances > 1, 1, 0, dispatch);
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    std::array<std::map<std::uint64_t, unsigned>, 4> masks;
    for (const ThreadDispatch& thread : b.threads)
        ++masks[thread.work][thread.dispatch_mask];
    using Masks = std::map<std::uint64_t, unsigned>;
    EXPECT_EQ(masks[0], (Masks{{0xF, 7}}));
    EXPECT_EQ(masks[1], (Masks{{0xFF, 3}, {0xF, 1}}));
    EXPECT_EQ(masks[2], (Masks{{0xF, 9}}));
    EXPECT_EQ(masks[3], (Masks{{0xFF, 3}, {0xF, 3}}));
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 2u * 7 + 2 * 9);
    for (std::uint32_t i = 0; i < 14; ++i)
        EXPECT_EQ(shown[i].vertices[0], (std::array{1000 + i % 7, 0u, 0u})) << i;
    for (std::uint32_t i = 0; i < 18; ++i)
        EXPECT_EQ(shown[14 + i].vertices[0], (std::array{1000 + i % 9 / 3, i % 3, 0u})) << i;
    EXPECT_EQ(b.commands[3].counts.gs_invocations, 9u);
}

}  // namespace
}  // namespace gen9::geometry::test::shader_stage
