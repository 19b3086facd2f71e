// SPDX-License-Identifier: Apache-2.0
// The geometry shader stage behind a vertex shader stage that is turned off.
#include <numeric>
#include <random>

#include "tests/unit/geometry/geometry_state.h"
#include "tests/unit/geometry/stage_bench.h"

namespace gen9::geometry::test::shader_stage {
namespace {

using packets::Topology;

class Geometry : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Geometry, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

struct UrbPart {
    unsigned entries = 32, units = 4, start = 16;
};
/// Vertex n begins with n + 1000.
DrawState numbered(Topology topology, const GeometryCommand& command, const UrbPart& part = {}) {
    DrawState state;
    state.urb(64)
        .topology(topology)
        .buffer(0, kMemory, 4 * 4096, 4)
        .elements({1})
        .take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 0, 0})
        .take("3DSTATE_URB_GS",
              {0x78330000, part.start << 25 | (part.units - 1) << 16 | part.entries})
        .take("3DSTATE_GS", command.dwords());
    return state;
}
void put_vertices(StageBench& b) {
    std::vector<std::uint32_t> values(4096);
    std::iota(values.begin(), values.end(), 1000u);
    b.put(kMemory, values);
}
std::uint32_t dword(const ThreadDispatch& thread, unsigned reg, unsigned at) {
    std::uint32_t value;
    std::memcpy(&value, thread.payload[reg].bytes + 4 * at, 4);
    return value;
}
/// An entry as a thread sees it.
class Entry {
  public:
    Entry(StageBench& b, std::uint32_t handle)
        : dwords_(reinterpret_cast<std::uint32_t*>(&b.memory.bytes[(handle & 0xFFFF) * 64])) {}
    std::uint32_t& operator[](unsigned i) { return dwords_[i]; }

  private:
    std::uint32_t* dwords_;
};
constexpr unsigned kSingle = 0, kDualInstance = 1, kDualObject = 2, kSimd8 = 3;

/// A thread of objects of one vertex: makes so many vertices of each, which begin with the number of
/// the vertex it was given, its instance and their own. Control bits are all 0.
void make_vertices(StageBench& b, const ThreadDispatch& thread, bool instanced, unsigned vertices,
                   unsigned control_rows = 0, unsigned dispatch = kSimd8) {
    // Channels of an object or instance; the register with handles of entries, and with a vertex'.
    const unsigned stride = dispatch == kSimd8 ? 1 : 4;
    const unsigned header = dispatch == kSimd8 ? 1 : 0, vertex = header + 1;
    const bool shared = dispatch == kSimd8 ? instanced : dispatch != kDualObject;
    for (unsigned n = 0; n < 8 / stride; ++n) {
        if (!(thread.dispatch_mask >> stride * n & 1)) continue;
        const std::uint32_t output = dword(thread, header, n);
        const std::uint32_t input = dword(thread, vertex, shared ? 0 : stride * n);
        Entry entry(b, output);
        entry[0] = vertices;
        for (unsigned i = 0; i < 8 * control_rows; ++i)
            entry[8 + i] = 0;
        for (unsigned v = 0; v < vertices; ++v) {
            const unsigned at = 8 * (1 + control_rows + v);
            entry[at] = Entry(b, input)[0];
            entry[at + 1] = output >> 27;
            entry[at + 2] = v;
        }
    }
}

struct Shown {
    std::uint32_t primitive;
    Topology topology;
    bool odd, starts;
    unsigned stream;
    std::vector<std::array<std::uint32_t, 3>> vertices;
    bool operator==(const Shown&) const = default;
};
std::vector<Shown> objects(const StageBench& b) {
    std::vector<Shown> shown;
    for (const auto& batch : b.next.seen)
        for (const PrimitiveObject& object : batch.objects) {
            Shown& each = shown.emplace_back(Shown{object.primitive_id,
                                                   object.topology,
                                                   object.odd,
                                                   object.starts,
                                                   object.stream,
                                                   {}});
            for (unsigned i = 0; i < object.count; ++i) {
                const Dwords& entry = batch.entries[object.vertices[i]];
                each.vertices.push_back({entry[0], entry[1], entry[2]});
            }
        }
    return shown;
}

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
