// SPDX-License-Identifier: Apache-2.0
// The vertex fetch with the vertex shader stage turned off, but where a test says otherwise.
#include <numeric>
#include <random>

#include "packets/topology.h"
#include "tests/unit/geometry/stage_bench.h"

namespace gen9::geometry::test {
namespace {

using packets::Topology;

class Fetch : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Fetch, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

constexpr std::uint64_t kIndices = kMemory + 0x10'0000;

/// Vertex n of buffer 0 is {n + 1000, 0, 0, 0}; its number goes into component 1, that of the
/// instance into component 2.
DrawState numbered(Topology topology, unsigned entries = 64) {
    DrawState state;
    state.urb(entries)
        .topology(topology)
        .statistics()
        .buffer(0, kMemory, 4 * 4096, 4)
        .elements({1})
        .take("3DSTATE_VF_SGVS", {0x784A0000, 1u << 15 | 1u << 13 | 1u << 31 | 2u << 29})
        .take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 1u << 10, 0});
    return state;
}
void put_vertices(StageBench& b) {
    std::vector<std::uint32_t> values(4096);
    std::iota(values.begin(), values.end(), 1000u);
    b.put(kMemory, values);
}

/// An object by what lies in its vertices' entries.
struct Shown {
    std::uint32_t draw, instance, primitive;
    Topology topology;
    bool odd, starts;
    std::vector<std::uint32_t> values;  ///< component 0
    bool operator==(const Shown&) const = default;
};
std::vector<Shown> objects(const StageBench& b) {
    std::vector<Shown> shown;
    for (const auto& batch : b.next.seen)
        for (const PrimitiveObject& object : batch.objects) {
            Shown& each = shown.emplace_back(Shown{batch.draw,
                                                   batch.instance,
                                                   object.primitive_id,
                                                   object.topology,
                                                   object.odd,
                                                   object.starts,
                                                   {}});
            for (unsigned i = 0; i < object.count; ++i)
                each.values.push_back(batch.entries[object.vertices[i]][0]);
        }
    return shown;
}
std::vector<std::vector<std::uint32_t>> values(const StageBench& b) {
    std::vector<std::vector<std::uint32_t>> all;
    for (const Shown& object : objects(b))
        all.push_back(object.values);
    return all;
}
using Values = std::vector<std::vector<std::uint32_t>>;

TEST_P(Fetch, AVertexIsFoundAgainByItsIndex) {
    GEN9_COVERS("VF-01 VF-22 VF-24 VF-25 VS-08 VS-10");
    struct Case {
        const char* name;
        std::uint32_t disable;
        std::uint64_t fetched, hits;
    };
    std::deque<StageBench> benches;
    const Case cases[] = {{"cached", 0, 4, 2}, {"disabled", 2, 6, 0}};
    for (const Case& c : cases) {
        StageBench& b = benches.emplace_back(c.name, GetParam());
        put_vertices(b);
        b.put<std::uint16_t>(kIndices, {0, 1, 2, 2, 1, 3});
        DrawState state = numbered(Topology::TriList);
        state.indices(kIndices, 12, 1)
            .take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 1u << 10 | c.disable, 0});
        b.draw({.vertices = 6, .indexed = true}, state);
    }
    sc_core::sc_start(100, sc_core::SC_US);
    for (unsigned i = 0; i < 2; ++i) {
        StageBench& b = benches[i];
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(values(b), (Values{{1000, 1001, 1002}, {1002, 1001, 1003}}));
        EXPECT_EQ(b.vf.stats().fetched.value(), cases[i].fetched) << cases[i].name;
        EXPECT_EQ(b.vf.stats().cache_hits.value(), cases[i].hits) << cases[i].name;
        EXPECT_EQ(b.vs.stats().invocations.value(), cases[i].fetched) << cases[i].name;
        EXPECT_EQ(b.vf.stats().ia_vertices.value(), 6u);
        EXPECT_EQ(b.vf.stats().ia_primitives.value(), 2u);
    }
}

TEST_P(Fetch, NoVertexIsFoundAgainInAnotherDraw) {
    GEN9_COVERS("CS-73");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.put<std::uint16_t>(kIndices, {0, 1, 2, 2, 1, 3});
    DrawState state = numbered(Topology::TriList);
    state.indices(kIndices, 12, 1);
    for (unsigned n = 0; n < 3; ++n)
        b.draw({.vertices = 6, .indexed = true}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.vf.stats().fetched.value(), 3u * 4);
}

TEST_P(Fetch, IndicesOfAllSizesWithBaseAndRestart) {
    GEN9_COVERS("VF-03 VF-04 VF-05 VF-16");
    std::deque<StageBench> benches;
    for (unsigned format = 0; format < 3; ++format) {
        StageBench& b = benches.emplace_back(("size" + std::to_string(format)).c_str(), GetParam());
        put_vertices(b);
        const std::uint32_t cut = format == 0 ? 0xFF : format == 1 ? 0xFFFF : 0xFFFF'FFFF;
        const std::vector<std::uint32_t> list{9, 1, 2, 3, cut, 4, 5, 6, 7};
        for (unsigned i = 0; i < list.size(); ++i)
            std::memcpy(&b.memory.bytes[kIndices + (i << format)], &list[i], 1u << format);
        DrawState state = numbered(Topology::TriStrip);
        state.indices(kIndices, 9u << format, format).take("3DSTATE_VF", {0x780C0100, cut});
        b.draw({.vertices = 8, .start = 1, .base = 10, .indexed = true}, state);
    }
    sc_core::sc_start(100, sc_core::SC_US);
    for (StageBench& b : benches) {
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(objects(b), (std::vector<Shown>{
                                  {0, 0, 0, Topology::TriStrip, false, true, {1011, 1012, 1013}},
                                  {0, 0, 1, Topology::TriStrip, false, true, {1014, 1015, 1016}},
                                  {0, 0, 2, Topology::TriStrip, true, false, {1015, 1016, 1017}},
                              }));
        ASSERT_EQ(b.next.seen.size(), 1u);
        EXPECT_EQ(b.next.seen[0].entries[0][1], 1u);  // before the base
        EXPECT_EQ(b.vf.stats().ia_vertices.value(), 7u);
    }
}

TEST_P(Fetch, InstancesHaveBatchesOfTheirOwn) {
    GEN9_COVERS("VF-14 VF-23");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.put<std::uint32_t>(kMemory + 0x8000, {70, 71, 72, 73});
    b.put<std::uint8_t>(kIndices, {0, 1, 2});
    DrawState state = numbered(Topology::TriList);
    state.buffer(1, kMemory + 0x8000, 16, 4)
        .elements({1, 1})
        .indices(kIndices, 3, 0)
        .take("3DSTATE_VF_INSTANCING", {0x78490001, 1u << 8 | 1, 2});
    b.draw({.vertices = 3, .instances = 3, .start_instance = 1, .indexed = true}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 3u);
    for (unsigned i = 0; i < 3; ++i) {
        const auto& batch = b.next.seen[i];
        EXPECT_EQ(batch.instance, i);
        EXPECT_EQ(batch.objects.at(0).primitive_id, 0u);
        ASSERT_EQ(batch.entries.size(), 3u);
        EXPECT_EQ(Dwords(batch.entries[2].begin(), batch.entries[2].begin() + 5),
                  (Dwords{1002, 2, i, 0, 71 + i / 2}));
        for (const BatchVertex& vertex : batch.vertices)
            EXPECT_TRUE(vertex.is_new);
    }
    EXPECT_EQ(b.vf.stats().fetched.value(), 9u);
}

TEST_P(Fetch, IndirectDrawsTakeTheirNumbersFromRegisters) {
    GEN9_COVERS("VF-28");
    StageBench b("bench", GetParam());
    put_vertices(b);
    DrawState state = numbered(Topology::PointList);
    b.add("3DPRIMITIVE", {0x7B000405, 0, 9, 9, 9, 9, 9}, state.get());
    b.commands[0].indirect_draw = {2, 2, 5, 0, 1000};
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(values(b), (Values{{1005}, {1006}, {1005}, {1006}}));
}

TEST_P(Fetch, WithFewEntriesAllObjectsComeInOrder) {
    GEN9_COVERS("FF-50 VF-20");
    struct Case {
        const char* name;
        Topology topology;
        unsigned entries, vertices;
    };
    const Case cases[] = {
        {"list", Topology::TriList, 4, 60},    {"strip", Topology::TriStrip, 4, 40},
        {"fan", Topology::TriFan, 4, 40},      {"polygon", Topology::Polygon, 5, 30},
        {"quads", Topology::QuadStrip, 8, 40}, {"loop", Topology::LineLoop, 3, 20},
        {"patch", Topology(0x3F), 32, 96},     {"adj", Topology::TriStripAdj, 16, 60}};
    std::deque<StageBench> benches, roomy;
    for (const Case& c : cases) {
        for (const bool few : {true, false}) {
            StageBench& b =
                (few ? benches : roomy)
                    .emplace_back((c.name + std::string(few ? "_few" : "_many")).c_str(),
                                  GetParam());
            put_vertices(b);
            std::vector<std::uint32_t> list(c.vertices);
            for (unsigned i = 0; i < c.vertices; ++i)
                list[i] = i % 7 == 6 ? i - 3 : i;
            b.put(kIndices, list);
            DrawState state = numbered(c.topology, few ? c.entries : 1024);
            state.indices(kIndices, 4 * c.vertices, 2);
            b.draw({.vertices = c.vertices, .instances = 2, .indexed = true}, state);
        }
    }
    sc_core::sc_start(200, sc_core::SC_US);
    for (unsigned i = 0; i < std::size(cases); ++i) {
        SCOPED_TRACE(cases[i].name);
        EXPECT_EQ(benches[i].trouble(), "");
        benches[i].expect_done();
        roomy[i].expect_done();
        EXPECT_EQ(objects(benches[i]), objects(roomy[i]));
        EXPECT_FALSE(objects(benches[i]).empty());
        EXPECT_GE(benches[i].next.seen.size(), roomy[i].next.seen.size());
    }
}

TEST_P(Fetch, APrimitiveThatNeedsMoreEntriesThanThereAreIsReported) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.draw({.vertices = 64}, numbered(Topology(0x3F), 8));
    b.draw({.vertices = 3}, numbered(Topology::TriList, 8));
    b.start();
    ASSERT_EQ(b.env.log.size(), 1u);
    EXPECT_NE(b.trouble().find("3DPRIMITIVE at 0x5100, vertex fetch"), std::string::npos)
        << b.trouble();
    EXPECT_NE(b.trouble().find("instance 0, primitive 0 needs more than the 8 URB entries"),
              std::string::npos)
        << b.trouble();
    b.expect_done();
    EXPECT_EQ(values(b), (Values{{1000, 1001, 1002}}));
}

TEST_P(Fetch, AnotherPartOfTheUrbWaitsForTheEntriesOfTheOldOne) {
    GEN9_COVERS("FF-41 FF-42 FF-43");
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.next.end_after = 1000;
    b.next.read_after = 300;
    DrawState other = numbered(Topology::TriList);
    other.urb(8, 2, 5);
    b.draw({.vertices = 30}, numbered(Topology::TriList, 32));
    b.draw({.vertices = 6}, other);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_GE(b.next.seen.size(), 2u);
    EXPECT_EQ(b.next.seen.front().vertices[1].urb_row, 4 * 256u + 2);
    EXPECT_EQ(b.next.seen.back().vertices[1].urb_row, 5 * 256u + 4);
    EXPECT_EQ(b.next.seen.back().entries[0].size(), 32u);
    if (GetParam() == Timing::Timed) {
        // When the vertices have been read, not when all of it has ended.
        EXPECT_GE(b.next.seen.back().at, b.next.seen.front().at + Cycles(300));
        EXPECT_LT(b.next.seen.back().at, b.next.seen.front().at + Cycles(800));
    }
    EXPECT_EQ(objects(b).size(), 12u);
}

TEST_P(Fetch, ACommandIsAcceptedWhenAllIsSentAndEndsWhenAllHasEnded) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.next.end_after = 5000;
    b.draw({.vertices = 3}, numbered(Topology::TriList));
    b.draw({.vertices = 0}, numbered(Topology::TriList));
    b.draw({.vertices = 3}, numbered(Topology::TriList));
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_LT(b.accepted[2].value, 5000u);
    EXPECT_GE(b.finished[0].value, 5000u);
    EXPECT_GE(b.finished[1], b.finished[0]);
    EXPECT_GE(b.finished[2], b.finished[1]);
    EXPECT_EQ(objects(b).size(), 2u);
    EXPECT_EQ(objects(b)[1].draw, 2u);
}

TEST_P(Fetch, AClearGoesDownThePipeInItsPlace) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    const DrawState state = numbered(Topology::TriList, 512);
    b.draw({.vertices = 300}, state);
    b.add("3DSTATE_WM_HZ_OP", {0x78520003, 0x42000000, 0, 0x00400040, 0xFFFF}, state.get());
    b.draw({.vertices = 3}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 4u);  // 100 objects in two batches
    EXPECT_EQ(b.next.seen[0].objects.size(), 64u);
    EXPECT_EQ(b.next.seen[1].objects.size(), 36u);
    EXPECT_EQ(b.next.seen[2].kind, WorkKind::Clear);
    EXPECT_TRUE(b.next.seen[2].vertices.empty() && b.next.seen[2].objects.empty());
    EXPECT_EQ(b.next.seen[3].kind, WorkKind::Draw);
}

TEST_P(Fetch, AStageWithoutRoomHoldsTheFetchBack) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.next.holds = true;
    b.draw({.vertices = 3000}, numbered(Topology::TriList, 1024));
    b.start(20'000);
    EXPECT_TRUE(b.next.seen.empty());
    EXPECT_EQ(b.accepted[0], StageBench::kNever);
    EXPECT_LT(b.vf.stats().fetched.value(), 3000u);
    EXPECT_NE(b.vf.describe_waiting().find("3DPRIMITIVE at 5100"), std::string::npos);
    EXPECT_NE(b.gs.describe_waiting().find("the next stage does not take a batch"),
              std::string::npos)
        << b.gs.describe_waiting();
    b.next.go_on();
    b.start();
    b.expect_done();
    EXPECT_EQ(objects(b).size(), 1000u);
}

TEST_P(Fetch, EdgeFlagsTravelWithTheirVertices) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.put<std::uint32_t>(kMemory + 0x8000, {1, 0, 1, 0, 0, 1});
    DrawState state = numbered(Topology::TriList);
    state.buffer(1, kMemory + 0x8000, 24, 4)
        .take("3DSTATE_VERTEX_ELEMENTS",
              {0x78090003, 1u << 25 | 0x0D7u << 16, 0x12220000,
               1u << 26 | 1u << 25 | 0x0D7u << 16 | 1u << 15, 0x10000000});
    b.draw({.vertices = 6}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 1u);
    EXPECT_EQ(b.next.seen[0].objects[0].edges, 0b101u);
    EXPECT_EQ(b.next.seen[0].objects[1].edges, 0b100u);
}

TEST_P(Fetch, WhatTheGuestDoesWrongIsReportedOnceAndTheDrawEnds) {
    GEN9_COVERS("FF-44");
    StageBench b("bench", GetParam());
    put_vertices(b);
    DrawState reserved = numbered(Topology(0x1A));
    DrawState no_entries = numbered(Topology::TriList, 0);
    DrawState unmapped = numbered(Topology::TriList);
    unmapped.buffer(0, 0x1'0000'0000, 4096, 4);
    DrawState big = numbered(Topology::TriList);
    big.elements({1, 4, 4, 4, 4});
    for (const DrawState& state : {reserved, no_entries, unmapped, big})
        b.draw({.vertices = 300}, state);
    b.draw({}, numbered(Topology::TriList));
    b.start();
    b.expect_done();
    const std::vector<std::string> expected{
        "topology 26 does not exist", "no entries in the URB", "vertices are not mapped",
        "a vertex of 80 bytes does not fit its URB entry of 64;"};
    ASSERT_EQ(b.env.log.size(), expected.size());
    for (unsigned i = 0; i < expected.size(); ++i)
        EXPECT_NE(b.env.log[i].find(expected[i]), std::string::npos) << b.env.log[i];
    const auto shown = objects(b);
    ASSERT_EQ(shown.size(), 201u);
    EXPECT_EQ(shown[0].values, (std::vector<std::uint32_t>{0, 0, 0}));
    EXPECT_EQ(shown.back().values, (std::vector<std::uint32_t>{1000, 1001, 1002}));
}

TEST_P(Fetch, ElementsThatCrossLinesAreWhole) {
    GEN9_COVERS("VF-06 VF-07");
    StageBench b("bench", GetParam());
    std::vector<std::uint32_t> data(400);
    std::iota(data.begin(), data.end(), 1u);
    b.put(kMemory, data);
    DrawState state = numbered(Topology::PointList);
    // Vertex 24 would end at 24 * 44 + 4 + 16 bytes.
    state.buffer(0, kMemory + 4, 24 * 44 + 19, 44)
        .elements({4})
        .take("3DSTATE_VF_SGVS", {0x784A0000, 0});
    b.draw({.vertices = 25}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 1u);
    for (unsigned n = 0; n < 25; ++n) {
        const Dwords& entry = b.next.seen[0].entries[n];
        // An element lies within if all of it does.
        const bool within = n * 44 + 16 <= 24 * 44 + 19u;
        for (unsigned c = 0; c < 4; ++c)
            EXPECT_EQ(entry[c], within ? 2 + n * 11 + c : 0u) << n;
    }
}

class Watcher : public WorkObserver {
  public:
    std::vector<WorkRecord> began, ended;
    void work_began(const WorkRecord& work) override { began.push_back(work); }
    void work_ended(const WorkRecord& work) override { ended.push_back(work); }
};

TEST_P(Fetch, ItsObserverIsToldOfDraws) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    Watcher watcher;
    b.env.environment.works_begun = 1;
    b.vf.observer = &watcher;
    b.next.end_after = 1000;
    DrawState state = numbered(Topology::TriList);
    b.draw({.vertices = 3, .instances = 2}, state);
    b.add("3DSTATE_WM_HZ_OP", {0x78520003, 0x42000000, 0, 0, 0}, state.get());
    b.start(900);
    ASSERT_EQ(b.vf.unfinished().size(), 2u);
    EXPECT_EQ(b.vf.unfinished()[1].kind, WorkKind::Clear);
    b.start();
    b.expect_done();
    ASSERT_EQ(watcher.began.size(), 2u);
    ASSERT_EQ(watcher.ended.size(), 2u);
    EXPECT_EQ(watcher.ended[0].number, 1u);
    EXPECT_EQ(watcher.ended[0].kind, WorkKind::Draw);
    EXPECT_EQ(watcher.ended[0].groups, (std::array<std::uint32_t, 3>{3, 2, 1}));
    EXPECT_GE(watcher.ended[0].end, watcher.ended[0].all_sent);
    EXPECT_EQ(watcher.ended[1].number, 2u);
    EXPECT_EQ(b.env.environment.works_begun, 3u);
}

TEST_P(Fetch, EachCycleHasOneReason) {
    StageBench b("bench", GetParam());
    put_vertices(b);
    b.next.pace = 200;
    b.draw({.vertices = 900}, numbered(Topology::TriList, 96));
    b.start(30'000);
    b.expect_done();
    b.vf.settle();
    b.vs.settle();
    for (const StageStats* stats : {static_cast<const StageStats*>(&b.vf.stats()),
                                    static_cast<const StageStats*>(&b.vs.stats())}) {
        std::uint64_t sum = 0;
        for (const Counter& counter : stats->cycles)
            sum += counter.value();
        EXPECT_EQ(sum, 30'000u);
    }
    if (GetParam() == Timing::Timed) {
        EXPECT_GT(b.vf.stats().cycles[static_cast<unsigned>(StageActivity::WaitUrb)].value(), 0u);
        EXPECT_GE(b.vf.stats().cycles[static_cast<unsigned>(StageActivity::Working)].value(), 900u);
    }
}

// So a limit on cycles, or a signal, ends it soon. Nothing holds the fetch back here: what it sends
// ends in the cycle in which it comes.
TEST(FetchTime, ADrawThatIsFarTooLongDoesNotStopTimeInFunctionalMode) {
    constexpr std::uint32_t kMany = 1 << 30;
    constexpr unsigned kCycles = 10;
    std::deque<StageBench> benches;
    const auto draw = [&](const char* name, const DrawCall& call, std::uint32_t cut = 1) {
        StageBench& b = benches.emplace_back(name, Timing::Functional);
        b.next.at_once = true;
        DrawState state = numbered(Topology::TriList);
        state.indices(kIndices, 12, 1).take("3DSTATE_VF", {0x780C0100, cut});
        b.draw(call, state);
    };
    draw("vertices", {.vertices = kMany});
    draw("hits", {.vertices = kMany, .indexed = true});
    draw("cuts", {.vertices = kMany, .indexed = true}, 0);
    draw("instances", {.vertices = 1, .instances = kMany});
    sc_core::sc_start(benches.front().clock.time(Cycles(kCycles)));
    for (StageBench& b : benches) {
        EXPECT_EQ(b.trouble(), "");
        EXPECT_LE(b.vf.stats().indices.value(), (kCycles + 1) * 64u) << b.name();
        // The end of an instance counts as well.
        EXPECT_GE(b.vf.stats().indices.value(), (kCycles - 1) * 32u) << b.name();
    }
}

TEST(FetchTime, AVertexTakesACycleAtMost) {
    StageBench fast("fast", Timing::Timed, {"fast.vf.vertices_per_clock=4", "fast.vf.groups=64"}),
        slow("slow", Timing::Timed, {"slow.vf.groups=64"});
    for (StageBench* b : {&fast, &slow}) {
        put_vertices(*b);
        b->memory.latency = 2;
        b->draw({.vertices = 1200}, numbered(Topology::TriList, 1856));
    }
    sc_core::sc_start(100, sc_core::SC_US);
    fast.expect_done();
    slow.expect_done();
    EXPECT_GE(slow.accepted[0].value, 1200u);
    EXPECT_LT(slow.accepted[0].value, 1500u);
}

// Random draws: the same objects with the same contents in both modes, whichever module of a cycle
// runs first and however few entries there are.
TEST(FetchRandom, NeitherModeNorOrderNorRoomChangesObjects) {
    std::deque<StageBench> benches;
    benches.emplace_back("functional", Timing::Functional);
    benches.emplace_back("timed", Timing::Timed);
    benches.emplace_back("shuffled", Timing::Timed, std::vector<std::string>{}, 7);
    benches.emplace_back("small", Timing::Timed,
                         std::vector<std::string>{"small.vf.vertex_cache=5", "small.vf.groups=1",
                                                  "small.vf.batch_queue=1"});
    constexpr Topology kTopologies[] = {
        Topology::PointList,   Topology::LineList,     Topology::LineStrip,  Topology::TriList,
        Topology::TriStrip,    Topology::TriFan,       Topology::QuadList,   Topology::QuadStrip,
        Topology::LineListAdj, Topology::LineStripAdj, Topology::TriListAdj, Topology::TriStripAdj,
        Topology::Polygon,     Topology::LineLoop,     Topology(0x22),       Topology(0x3F)};
    for (StageBench& b : benches) {
        const bool small = std::string(b.name()) == "small";
        std::mt19937 random(3);
        put_vertices(b);
        std::vector<std::uint32_t> list(4096);
        for (auto& index : list)
            index = random() % 25 == 0 ? 0xFFFF'FFFF : random() % 60;
        b.put(kIndices, list);
        b.next.read_after = 40;
        for (unsigned draw = 0; draw < 60; ++draw) {
            const Topology topology = kTopologies[random() % std::size(kTopologies)];
            DrawCall call{.vertices = static_cast<std::uint32_t>(random() % 200),
                          .start = static_cast<std::uint32_t>(random() % 1000),
                          .instances = static_cast<std::uint32_t>(1 + random() % 2),
                          .indexed = random() % 4 != 0};
            DrawState state = numbered(topology, small ? 48 : 256);
            state.indices(kIndices, 4 * 4096, 2).take("3DSTATE_VF", {0x780C0100, 0xFFFF'FFFF});
            if (random() % 2) state.take("3DSTATE_VF_SGVS", {0x784A0000, 1u << 15 | 1u << 13});
            b.draw(call, state);
        }
    }
    sc_core::sc_start(2, sc_core::SC_MS);
    const auto expected = objects(benches[0]);
    EXPECT_GT(expected.size(), 1000u);
    for (StageBench& b : benches) {
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_TRUE(objects(b) == expected);
        EXPECT_EQ(b.vf.stats().ia_primitives.value(), benches[0].vf.stats().ia_primitives.value());
    }
    // The order of modules is no matter of time either.
    EXPECT_EQ(benches[1].finished, benches[2].finished);
    EXPECT_EQ(benches[1].next.seen.size(), benches[2].next.seen.size());
}

}  // namespace
}  // namespace gen9::geometry::test
