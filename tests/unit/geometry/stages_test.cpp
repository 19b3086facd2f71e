// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "tests/unit/geometry/stage_bench.h"
#include "tests/unit/urb/messages.h"
#include "urb/core.h"

namespace gen9::geometry::test {
namespace {

using packets::Topology;

class Stages : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Stages, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

/// The vertex fetch's state of a textured triangle as iris sends it (tools' recorded submission):
/// position and texture coordinates of 16 bytes a vertex.
DrawState iris_triangle() {
    DrawState state;
    state.urb(64)
        .topology(Topology::TriList)
        .statistics()
        .buffer(0, kMemory, 48, 16)
        .take("3DSTATE_VERTEX_ELEMENTS",
              {0x78090003, 0x02850000, 0x11230000, 0x02850008, 0x11230000})
        .take("3DSTATE_VF_SGVS", {0x784A0000, 0})
        .take("3DSTATE_CONSTANT_VS", Dwords{0x78150409, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})
        .take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0})
        .take("3DSTATE_SAMPLER_STATE_POINTERS_VS", {0x782B0000, 0})
        .take("3DSTATE_VS", {0x78100007, 0xFFFFB000, 0, 0, 0, 0, 0x00200800, 0xA7800405, 0});
    return state;
}
const std::vector<float> kTriangle{-0.9f, -0.9f, 0, 0, 0.9f, -0.9f, 1, 0, 0, 0.9f, 0.5f, 1};

// Its registers are those of worked example 25.2 of 3d-settled.
TEST_P(Stages, AnIrisTriangleIsShadedByOneThreadAndHandedOn) {
    GEN9_COVERS("VF-01 VS-05 VS-06 VS-07 FF-44 FF-48");
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    b.draw({}, iris_triangle());
    b.run = [&](const ThreadDispatch& thread) {
        std::uint32_t handle;
        std::memcpy(&handle, thread.payload[1].bytes + 4, 4);
        b.memory.bytes[handle * 64 + 16] = 0x77;  // the second vertex's slot 1
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();

    ASSERT_EQ(b.threads.size(), 1u);
    const ThreadDispatch& thread = b.threads[0];
    const auto reg = [&](unsigned r) {
        std::array<std::uint32_t, 8> dwords;
        std::memcpy(dwords.data(), thread.payload[r].bytes, 32);
        return dwords;
    };
    using Row = std::array<std::uint32_t, 8>;
    EXPECT_EQ(thread.payload_registers, 10u);
    EXPECT_EQ(reg(0), (Row{0, 0, 0, 0, 0, thread.sideband.fftid, 0, 0}));
    EXPECT_EQ(reg(1), (Row{512, 513, 514}));  // the URB's chunk 4
    EXPECT_EQ(reg(2), (Row{f(-0.9f), f(0.9f), 0}));
    EXPECT_EQ(reg(3), (Row{f(-0.9f), f(-0.9f), f(0.9f)}));
    EXPECT_EQ(reg(4), (Row{}));
    EXPECT_EQ(reg(5), (Row{f(1), f(1), f(1)}));
    EXPECT_EQ(reg(6), (Row{0, f(1), f(0.5f)}));
    EXPECT_EQ(reg(7), (Row{0, 0, f(1)}));
    EXPECT_EQ(reg(8), (Row{}));
    EXPECT_EQ(reg(9), (Row{f(1), f(1), f(1)}));
    EXPECT_EQ(thread.dispatch_mask, 7u);
    EXPECT_EQ(thread.instruction_pointer, 0xFFFFB000u);
    EXPECT_EQ(thread.sideband.kernel_start.value, 0x4'FFFF'B000u);
    EXPECT_TRUE(thread.sideband.of_geometry);

    ASSERT_EQ(b.next.seen.size(), 1u);
    const auto& batch = b.next.seen[0];
    EXPECT_EQ(batch.kind, WorkKind::Draw);
    ASSERT_EQ(batch.objects.size(), 1u);
    EXPECT_EQ(batch.objects[0].topology, Topology::TriList);
    EXPECT_EQ(batch.objects[0].count, 3u);
    ASSERT_EQ(batch.entries.size(), 3u);
    EXPECT_EQ(batch.entries[1][4], (f(1) & ~0xFFu) | 0x77u);
    EXPECT_EQ(batch.entries[2][0], 0u);
    EXPECT_EQ(batch.entries[2][1], f(0.9f));
    EXPECT_EQ(b.vf.stats().ia_vertices.value(), 3u);
    EXPECT_EQ(b.vf.stats().ia_primitives.value(), 1u);
    EXPECT_EQ(b.vs.stats().invocations.value(), 3u);
}

/// The last message of the recorded submission's vertex shader: from slot 1 on, the position and two
/// components of the texture coordinates, which the thread got as r2 to r5, r6 and r7.
void write_position_and_coordinates(StageBench& b, const ThreadDispatch& thread) {
    std::vector<Grf> payload{thread.payload[1]};
    for (unsigned reg = 2; reg <= 7; ++reg)
        payload.push_back(thread.payload[reg]);
    const Message message =
        urb::test::make(urb::test::kWriteSimd8, 0, 1, payload, 0, thread.dispatch_mask);
    urb::Plan plan;
    urb::make_plan(message, {}, plan);
    EXPECT_EQ(plan.problem, "");
    for (const urb::LineGroup& group : plan.groups) {
        std::uint8_t line[kLineBytes];
        urb::gather(group, message, line);
        for (unsigned i = 0; i < kLineBytes; ++i)
            if (group.bytes >> i & 1) b.memory.bytes[group.line + i] = line[i];
    }
}

// Worked example 25.2 of 3d-settled.
TEST_P(Stages, TheHeaderKeepsWhatFetchStoredThereIfTheShaderWritesFromSlotOneOn) {
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    const std::uint32_t old = 0x01D01D01;
    b.put(512 * 64, std::vector<std::uint32_t>(3 * 16, old));
    b.draw({}, iris_triangle());
    b.run = [&](const ThreadDispatch& thread) { write_position_and_coordinates(b, thread); };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 1u);
    ASSERT_EQ(b.next.seen[0].entries.size(), 3u);
    for (unsigned v = 0; v < 3; ++v) {
        const std::uint32_t x = f(kTriangle[4 * v]), y = f(kTriangle[4 * v + 1]),
                            s = f(kTriangle[4 * v + 2]), t = f(kTriangle[4 * v + 3]);
        const Dwords slots{x, y, 0, f(1), x, y, 0, f(1), s, t, old, old};
        const Dwords& entry = b.next.seen[0].entries[v];
        EXPECT_EQ(Dwords(entry.begin(), entry.begin() + 12), slots) << "vertex " << v;
    }
}

TEST_P(Stages, ARectangleOfBlorpPassesWithoutThreads) {
    GEN9_COVERS("VS-01 VF-15");
    StageBench b("bench", GetParam());
    DrawState state;
    state.urb(1856)
        .topology(Topology::RectList)
        .take("3DSTATE_VERTEX_BUFFERS",
              {0x78080007, 0x0004400C, kMemory, 0, 0x24, 0x04044000, kMemory + 0x40, 0, 0x20})
        .take("3DSTATE_VERTEX_ELEMENTS",
              {0x78090005, 0x06000000, 0x12220000, 0x02400000, 0x11130000, 0x06000010, 0x11110000})
        .take("3DSTATE_VF_SGVS", {0x784A0000, 0xA0000000})
        .take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 0, 0});
    b.put<float>(kMemory, {64, 64, 0, 0, 64, 0, 0, 0, 0});
    b.put<std::uint32_t>(kMemory + 0x40, {11, 12, 13, 14, 21, 22, 23, 24});
    b.draw({}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_TRUE(b.threads.empty());
    ASSERT_EQ(b.next.seen.size(), 1u);
    const auto& batch = b.next.seen[0];
    ASSERT_EQ(batch.entries.size(), 3u);
    EXPECT_EQ(batch.objects[0].topology, Topology::RectList);
    EXPECT_EQ(Dwords(batch.entries[1].begin() + 4, batch.entries[1].begin() + 12),
              (Dwords{0, f(64), 0, f(1), 21, 22, 23, 24}));
}

/// The triangle's state for many vertices, with push constants.
DrawState many(unsigned constant_rows, unsigned entries = 1024) {
    DrawState state = iris_triangle();
    state.urb(entries)
        .buffer(0, kMemory, 0x1'0000, 16)
        .take("3DSTATE_CONSTANT_VS", Dwords{0x78150409, 0, constant_rows << 16, 0, 0, 0, 0, 0, 0,
                                            static_cast<std::uint32_t>(kMemory + 0x2'0000), 0})
        .take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0});
    return state;
}
void put_floats(StageBench& b) {
    std::vector<float> values(4 * 4096);
    for (unsigned i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i);
    b.put(kMemory, values);
    b.put<std::uint32_t>(kMemory + 0x2'0000, {0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC5, 0xC6, 0xC7});
}
std::uint32_t dword(const ThreadDispatch& thread, unsigned reg, unsigned at) {
    std::uint32_t value;
    std::memcpy(&value, thread.payload[reg].bytes + 4 * at, 4);
    return value;
}

TEST_P(Stages, EightNewVerticesMakeAThread) {
    GEN9_COVERS("VS-01 VS-07 VS-08 VS-11");
    StageBench b("bench", GetParam());
    put_floats(b);
    std::vector<std::uint16_t> list;
    for (unsigned i = 0; i < 18; ++i)  // a strip of triangles as a list: 20 vertices
        list.insert(list.end(), {std::uint16_t(i), std::uint16_t(i + 1), std::uint16_t(i + 2)});
    b.put(kMemory + 0x3'0000, list);
    DrawState state = many(0);
    state.indices(kMemory + 0x3'0000, 108, 1);
    b.draw({.vertices = 54, .indexed = true}, state);
    // The first thread ends last.
    b.lifetime_of = [](unsigned number) { return 300 - 100 * number; };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 3u);
    EXPECT_EQ(b.threads[0].dispatch_mask, 0xFFu);
    EXPECT_EQ(b.threads[2].dispatch_mask, 0xFu);
    for (unsigned i = 0; i < 20; ++i) {
        EXPECT_EQ(dword(b.threads[i / 8], 1, i % 8), 512 + i);
        EXPECT_EQ(dword(b.threads[i / 8], 2, i % 8), f(static_cast<float>(4 * i)));
    }
    EXPECT_EQ(b.vs.stats().invocations.value(), 20u);
    EXPECT_EQ(b.next.seen.size(), 1u);
    if (GetParam() == Timing::Timed) {
        EXPECT_GE(b.most_live, 2u);
    }
}

TEST_P(Stages, WhatIsReadOfAnEntryBeginsAtItsOffset) {
    GEN9_COVERS("FF-23 FF-24");
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    DrawState state = iris_triangle();
    // The second 32 bytes, which hold what the elements did not store.
    state
        .take("3DSTATE_VERTEX_ELEMENTS",
              {0x78090005, 0x02850000, 0x11230000, 0x02850008, 0x11230000, 0x02850000, 0x12230000})
        .take("3DSTATE_VS",
              {0x78100007, 0xFFFFB000, 0, 0, 0, 0, 2u << 20 | 1u << 11 | 1u << 4, 0xA7800405, 0});
    b.draw({}, state);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 1u);
    EXPECT_EQ(b.threads[0].payload_registers, 2u + 8);
    EXPECT_EQ(dword(b.threads[0], 2, 1), f(0.9f));  // the third element's X
    EXPECT_EQ(dword(b.threads[0], 2, 2), f(0));
    EXPECT_EQ(dword(b.threads[0], 3, 0), 0u);
    EXPECT_EQ(dword(b.threads[0], 5, 2), f(1));
}

TEST_P(Stages, ACountIsTakenWhereTheStageAsksForIt) {
    GEN9_COVERS("FF-30");
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    for (const bool vf : {false, true})
        for (const bool vs : {false, true}) {
            DrawState state = iris_triangle();
            state.take("3DSTATE_VF_STATISTICS", {0x680B0000 | std::uint32_t{vf}})
                .take("3DSTATE_VS", {0x78100007, 0xFFFFB000, 0, 0, 0, 0, 0x00200800,
                                     0xA7800005 | std::uint32_t{vs} << 10, 0});
            b.draw({}, state);
        }
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    for (unsigned n = 0; n < 4; ++n) {
        const DrawCounts& counts = b.commands[n].counts;
        EXPECT_EQ(counts.ia_vertices, n / 2 ? 3u : 0u) << n;
        EXPECT_EQ(counts.ia_primitives, n / 2 ? 1u : 0u) << n;
        EXPECT_EQ(counts.vs_invocations, n % 2 ? 3u : 0u) << n;
    }
}

TEST_P(Stages, TwoNewVerticesMakeAThreadOfFourByTwo) {
    GEN9_COVERS("VS-03 VS-07 VS-09");
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    for (const bool single : {false, true}) {
        DrawState state = iris_triangle();
        state.take("3DSTATE_VS", {0x78100007, 0xFFFFB000, 0, std::uint32_t{single} << 31, 0, 0,
                                  1u << 20 | 1u << 11, 0xA7800401, 0});
        b.draw({}, state);
    }
    b.run = [&](const ThreadDispatch& thread) {  // the second vertex of each, if there is one
        for (unsigned n = 0; n < 2 && thread.dispatch_mask >> 4 * n & 1; ++n)
            std::memcpy(&b.memory.bytes[dword(thread, 0, n) * 64 + 16],
                        thread.payload[1].bytes + 16 * n, 4);
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.threads.size(), 2u + 3);
    EXPECT_EQ(b.threads[0].dispatch_mask, 0xFFu);
    EXPECT_EQ(b.threads[1].dispatch_mask, 0xFu);
    EXPECT_EQ(dword(b.threads[0], 0, 1), 513u);
    ASSERT_EQ(b.next.seen.size(), 2u);
    for (const auto& batch : b.next.seen)
        for (unsigned v = 0; v < 3; ++v)
            EXPECT_EQ(batch.entries[v][4], f(kTriangle[4 * v])) << v;
}

// What 3DPRIMITIVE itself calls the topology counts for nothing.
TEST_P(Stages, TheTopologyIsThatOfTheState) {
    GEN9_COVERS("VF-02");
    StageBench b("bench", GetParam());
    b.put(kMemory, kTriangle);
    DrawState lines = iris_triangle(), points = iris_triangle();
    lines.topology(Topology::LineStrip);
    points.topology(Topology::PointList);
    for (const DrawState& state : {lines, points}) {
        Dwords primitive = DrawCall{}.dwords();
        primitive[1] |= static_cast<std::uint32_t>(Topology::TriList);
        b.add("3DPRIMITIVE", primitive, state.get());
    }
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    ASSERT_EQ(b.next.seen.size(), 2u);
    EXPECT_EQ(b.next.seen[0].objects.size(), 2u);
    EXPECT_EQ(b.next.seen[0].objects[0].topology, Topology::LineStrip);
    EXPECT_EQ(b.next.seen[1].objects.size(), 3u);
    EXPECT_EQ(b.next.seen[1].objects[0].topology, Topology::PointList);
}

TEST_P(Stages, BatchesGoOnInOrderWhenTheirThreadsHaveEnded) {
    GEN9_COVERS("VS-02 VS-11");
    StageBench b("bench", GetParam());
    put_floats(b);
    b.draw({.vertices = 900}, many(0));
    b.lifetime_of = [](unsigned number) { return 20 + number * 37 % 300; };
    b.run = [&](const ThreadDispatch& thread) {
        for (unsigned n = 0; n < 8; ++n)
            if (thread.dispatch_mask >> n & 1)
                std::memcpy(&b.memory.bytes[dword(thread, 1, n) * 64 + 32],
                            thread.payload[2].bytes + 4 * n, 4);
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    unsigned vertex = 0;
    for (const auto& batch : b.next.seen)
        for (const Dwords& entry : batch.entries)
            EXPECT_EQ(entry[8], f(static_cast<float>(4 * vertex++)));
    EXPECT_EQ(vertex, 900u);
}

TEST_P(Stages, PushConstantsAreReadOnceForACommit) {
    GEN9_COVERS("FF-82 FF-91");
    StageBench b("bench", GetParam());
    put_floats(b);
    DrawState state = many(1);
    b.draw({.vertices = 30}, state);
    state.topology(Topology::TriStrip);  // which is no state of the stage
    b.draw({.vertices = 30}, state);
    b.start();
    EXPECT_EQ(b.vs.stats().constant_bytes.value(), 32u);
    ASSERT_EQ(b.threads.size(), 8u);
    for (const ThreadDispatch& thread : b.threads) {
        EXPECT_EQ(dword(thread, 2, 0), 0xC0u);
        EXPECT_EQ(dword(thread, 2, 7), 0xC7u);
        EXPECT_EQ(thread.payload_registers, 11u);
    }
    EXPECT_EQ(dword(b.threads[0], 3, 1), f(4));
    b.put<std::uint32_t>(kMemory + 0x2'0000, {0xD0});
    state.take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0});
    b.draw({.vertices = 3}, state);
    b.send_next();
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.vs.stats().constant_bytes.value(), 64u);
    EXPECT_EQ(dword(b.threads.back(), 2, 0), 0xD0u);
}

TEST_P(Stages, NoMoreThreadsRunThanTheStateAllowsAndScratchSlotsAreTheirs) {
    GEN9_COVERS("FF-03 FF-04 FF-19");
    StageBench b("bench", GetParam());
    put_floats(b);
    DrawState state = many(0);
    // Three threads at most, 2 KB of scratch memory each, from 16 KB on.
    state.take("3DSTATE_VS",
               {0x78100007, 0xFFFFB000, 0, 0, 16u << 10 | 1, 0, 0x00200800, 2u << 23 | 0x405, 0});
    b.draw({.vertices = 300}, state);
    std::map<std::uint32_t, unsigned> slots;
    std::map<std::uint32_t, unsigned> live;
    b.begins = [&](const ThreadDispatch& thread) {
        EXPECT_EQ(++live[dword(thread, 0, 5) >> 10], 1u);
    };
    b.run = [&](const ThreadDispatch& thread) {
        ++slots[dword(thread, 0, 5) >> 10];
        --live[dword(thread, 0, 5) >> 10];
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_LE(b.most_live, 3u);
    for (const auto& [slot, threads] : slots)
        EXPECT_TRUE(slot == 16 || slot == 18 || slot == 20) << slot;
    if (GetParam() == Timing::Timed) {
        EXPECT_EQ(slots.size(), 3u);
    }
    EXPECT_EQ(b.vs.stats().threads.value(), b.vs.stats().threads_retired.value());
}

TEST_P(Stages, ThreadsOfADrawAreInItsRecord) {
    StageBench b("bench", GetParam());
    put_floats(b);
    struct Watcher : WorkObserver {
        WorkRecord ended;
        void work_began(const WorkRecord&) override {}
        void work_ended(const WorkRecord& work) override { ended = work; }
    } watcher;
    b.vf.observer = &watcher;
    b.draw({.vertices = 30}, many(0));
    b.start();
    b.expect_done();
    EXPECT_EQ(watcher.ended.threads, 4u);
    EXPECT_EQ(watcher.ended.instructions, 4u * 10);
    EXPECT_EQ(watcher.ended.kernel_start.value, 0x4'FFFF'B000u);
    if (GetParam() == Timing::Timed) {
        EXPECT_GE(watcher.ended.thread_cycles, 4u * 40);
    }
}

TEST_P(Stages, WhatAShaderDoesWrongIsReported) {
    GEN9_COVERS("FF-25 URB-45");
    StageBench b("bench", GetParam());
    put_floats(b);
    DrawState beyond = many(0), unmapped = many(0);
    beyond.take("3DSTATE_VS",
                {0x78100007, 0xFFFFB000, 0, 0, 0, 0, 2u << 20 | 3u << 11, 0xA7800405, 0});
    unmapped.take("3DSTATE_CONSTANT_VS", Dwords{0x78150409, 0, 1u << 16, 0, 0, 0, 0, 0, 0, 0, 0x77})
        .take("3DSTATE_BINDING_TABLE_POINTERS_VS", {0x78260000, 0});
    for (const DrawState& state : {beyond, unmapped})
        b.draw({.vertices = 300}, state);
    b.start();
    b.expect_done();
    ASSERT_EQ(b.env.log.size(), 2u);
    EXPECT_NE(
        b.env.log[0].find("3DPRIMITIVE at 0x5100, vertex shader: a vertex thread reads beyond"),
        std::string::npos)
        << b.env.log[0];
    EXPECT_NE(b.env.log[1].find("push constants are not mapped"), std::string::npos)
        << b.env.log[1];
}

TEST(StagesTime, ThreadsLeaveAtTheirInterval) {
    StageBench fast("fast", Timing::Timed, {"fast.vf.vertices_per_clock=16"}),
        slow("slow", Timing::Timed,
             {"slow.vf.vertices_per_clock=16", "slow.vs.thread_interval=50"});
    for (StageBench* b : {&fast, &slow}) {
        put_floats(*b);
        b->memory.latency = 2;
        b->draw({.vertices = 192}, many(0));
    }
    sc_core::sc_start(100, sc_core::SC_US);
    fast.expect_done();
    slow.expect_done();
    ASSERT_EQ(slow.began.size(), 24u);
    for (unsigned i = 1; i < 24; ++i)
        EXPECT_GE(slow.began[i] - slow.began[i - 1], Cycles(50));
    EXPECT_EQ(slow.began[23] - slow.began[0], Cycles(23 * 50));
    EXPECT_LT(fast.began[23] - fast.began[0], Cycles(23 * 50));
}

// What is shaded is the same in both modes, whichever module of a cycle runs first.
TEST(StagesRandom, NeitherModeNorOrderChangesVertices) {
    std::deque<StageBench> benches;
    benches.emplace_back("functional", Timing::Functional);
    benches.emplace_back("timed", Timing::Timed);
    benches.emplace_back("shuffled", Timing::Timed, std::vector<std::string>{}, 5);
    for (StageBench& b : benches) {
        put_floats(b);
        std::mt19937 random(11);
        std::vector<std::uint16_t> list(4096);
        for (auto& index : list)
            index = static_cast<std::uint16_t>(random() % 100);
        b.put(kMemory + 0x3'0000, list);
        b.lifetime_of = [](unsigned number) { return 20 + number * 37 % 300; };
        b.run = [&b](const ThreadDispatch& thread) {
            for (unsigned n = 0; n < 8; ++n) {
                if (!(thread.dispatch_mask >> n & 1)) continue;
                const std::uint32_t value = 3 * dword(thread, 3, n) + dword(thread, 2, n);
                std::memcpy(&b.memory.bytes[dword(thread, 1, n) * 64 + 32], &value, 4);
            }
        };
        for (unsigned draw = 0; draw < 20; ++draw) {
            DrawState state = many(random() % 2, random() % 2 ? 24 : 256);
            state.indices(kMemory + 0x3'0000, 8192, 1);
            if (random() % 4 == 0) state.take("3DSTATE_VS", {0x78100007, 0, 0, 0, 0, 0, 0, 0, 0});
            b.draw({.vertices = static_cast<std::uint32_t>(random() % 300),
                    .start = static_cast<std::uint32_t>(random() % 1000),
                    .indexed = true},
                   state);
        }
    }
    sc_core::sc_start(2, sc_core::SC_MS);
    const auto shown = [](const StageBench& b) {
        std::vector<Dwords> all;
        for (const auto& batch : b.next.seen)
            for (const PrimitiveObject& object : batch.objects)
                for (unsigned i = 0; i < object.count; ++i)
                    all.push_back(batch.entries[object.vertices[i]]);
        return all;
    };
    for (StageBench& b : benches) {
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        // Beyond what is written an entry has old bytes.
        const auto have = shown(b), want = shown(benches[0]);
        ASSERT_EQ(have.size(), want.size());
        for (std::size_t i = 0; i < have.size(); ++i)
            EXPECT_TRUE(std::equal(have[i].begin(), have[i].begin() + 8, want[i].begin()));
    }
    EXPECT_EQ(benches[1].finished, benches[2].finished);
}

/// The objects that were shown, with their numbers and the first slots of their vertices.
std::vector<Dwords> shown_objects(const StageBench& b) {
    std::vector<Dwords> all;
    for (const auto& batch : b.next.seen)
        for (const PrimitiveObject& object : batch.objects) {
            Dwords& dwords =
                all.emplace_back(Dwords{batch.instance, object.primitive_id, object.odd});
            for (unsigned i = 0; i < object.count; ++i)
                dwords.insert(dwords.end(), batch.entries[object.vertices[i]].begin(),
                              batch.entries[object.vertices[i]].begin() + 8);
        }
    return all;
}

struct Stopped {
    Topology topology;
    bool indexed;
    unsigned stops;  ///< at least
};
class StoppedDraw : public testing::TestWithParam<Stopped> {};

// Stopped again and again, it shows the same objects, each once and in order.
TEST_P(StoppedDraw, GoesOnBehindTheObjectsThatWereSent) {
    GEN9_COVERS("VF-26 VF-27");
    const Stopped& asked = GetParam();
    StageBench whole("whole", Timing::Timed), parted("parted", Timing::Timed);
    DrawState state = many(0, 64);
    state.topology(asked.topology)
        .indices(kMemory + 0x3'0000, 8192, 1)
        .take("3DSTATE_VF", {0x780C0100, 0xFFFF});
    const DrawCall call{.vertices = 300, .start = 7, .instances = 2, .indexed = asked.indexed};
    std::vector<std::uint16_t> list(4096);
    std::mt19937 random(3);
    for (auto& index : list)
        index = random() % 40 == 0 ? 0xFFFF : static_cast<std::uint16_t>(random() % 100);
    for (StageBench* b : {&whole, &parted}) {
        put_floats(*b);
        b->put(kMemory + 0x3'0000, list);
        b->draw(call, state);
    }
    unsigned stops = 0;
    for (unsigned wait = 50; parted.commands.size() < 200; wait = 50 + wait * 7 % 300) {
        sc_core::sc_start(parted.clock.time(Cycles(wait)));
        const std::size_t last = parted.commands.size() - 1;
        if (parted.accepted[last] == StageBench::kNever) parted.stop_draw();
        sc_core::sc_start(parted.clock.time(Cycles(20'000)));
        ASSERT_NE(parted.finished[last], StageBench::kNever);
        const auto rest = parted.commands[last].remaining_draw;
        if (!rest) break;
        ++stops;
        EXPECT_EQ(rest->parameters[0], 300u);
        parted.draw(call, state);
        parted.commands.back().resumes_draw = rest;
        parted.send_next();
    }
    for (StageBench* b : {&whole, &parted}) {
        SCOPED_TRACE(b->name());
        EXPECT_EQ(b->trouble(), "");
        b->expect_done();
    }
    EXPECT_GE(stops, asked.stops);
    EXPECT_EQ(shown_objects(parted), shown_objects(whole));
    std::uint64_t counted = 0;
    for (const PipelineCommand& command : parted.commands)
        counted += command.counts.ia_primitives;
    EXPECT_EQ(counted, whole.commands[0].counts.ia_primitives);
    EXPECT_EQ(parted.vf.stats().draws_stopped.value(), stops);
}
INSTANTIATE_TEST_SUITE_P(
    Topologies, StoppedDraw,
    testing::Values(Stopped{Topology::TriList, false, 3}, Stopped{Topology::TriStrip, true, 3},
                    Stopped{Topology::TriFan, true, 3}, Stopped{Topology::PointList, true, 3},
                    Stopped{Topology::QuadStrip, false, 3}, Stopped{Topology::LineLoop, true, 0},
                    Stopped{Topology::TriStripAdj, true, 0}),
    [](const auto& which) { return std::string(packets::rules_of(which.param.topology).name); });

}  // namespace
}  // namespace gen9::geometry::test
