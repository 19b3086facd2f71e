// SPDX-License-Identifier: Apache-2.0
// Patches through the hull shader stage, the tessellation engine and the domain shader stage.
#include <random>

#include "tests/unit/geometry/patch_bench.h"

namespace gen9::geometry::test {
namespace {

class Patches : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Patches, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

TEST_P(Patches, APatchBecomesItsTriangles) {
    GEN9_COVERS("HS-01 HS-17 TE-01 DS-01 DS-05 DS-06 TE-14");
    PatchBench b("bench", GetParam());
    b.factors = [](std::uint32_t) { return TessellationFactors{{3, 4, 5, 1}, {6, 1}}; };
    b.patches(b.draw(PatchState()), 0, 1);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    const auto want =
        b.expected({Domain::Triangle, Partitioning::Integer, DomainOutput::TriangleCw}, 1);
    EXPECT_EQ(b.seen(), want);
    EXPECT_TRUE(b.read[0]);
    // One hull thread; the points by eight.
    const auto points = b.te.stats().points.value();
    EXPECT_EQ(b.threads.size(), 1 + (points + 7) / 8);
    EXPECT_EQ(b.ds.stats().points.value(), points);
    EXPECT_EQ(b.ds.stats().invocations.value(), points);
    EXPECT_EQ(b.counts[0].hs_invocations, 1u);
    EXPECT_EQ(b.counts[0].ds_invocations, points);
    EXPECT_EQ(b.counts[0].threads, b.threads.size());
}

// Its objects fill several batches, which share the points between them.
TEST_P(Patches, AWholePatchIsShadedOnce) {
    GEN9_COVERS("DS-02 DS-06");
    PatchBench b("bench", GetParam());
    b.factors = [](std::uint32_t) { return TessellationFactors{{13, 14, 15, 1}, {16, 1}}; };
    PatchState state;
    state.points(500);
    b.patches(b.draw(state), 0, 2);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 2));
    EXPECT_GT(b.te.stats().objects.value(), 5u * PrimitiveBatch::kObjects);
    EXPECT_EQ(b.ds.stats().points.value(), b.te.stats().points.value());
    EXPECT_EQ(b.counts[0].ds_invocations, b.te.stats().points.value());
}

TEST_P(Patches, PointsAreFoundAgainAsFarAsTheCacheReaches) {
    GEN9_COVERS("DS-02");
    std::deque<PatchBench> benches;
    const auto bench = [&](const char* name, const std::string& size) -> PatchBench& {
        return benches.emplace_back(name, GetParam(), std::vector{name + (".ds.cache=" + size)});
    };
    PatchBench &whole = bench("whole", "512"), &little = bench("little", "6"),
               &none = bench("none", "0"), &disabled = bench("disabled", "512");
    for (PatchBench& b : benches) {
        PatchState state;
        if (&b == &disabled)
            state.take("3DSTATE_DS",
                       {0x781D0009, 0x8000, 0, 0, 0, 0, 5u << 20 | 1u << 11 | 1u << 4,
                        1u | 1u << 1 | 1u << 2 | 1u << 3 | 1u << 10 | 15u << 21, 0, 0, 0});
        b.factors = [](std::uint32_t) { return TessellationFactors{{6, 6, 6, 6}, {6, 6}}; };
        b.patches(b.draw(state), 0, 1);
        b.start(0);
    }
    sc_core::sc_start(500, sc_core::SC_US);
    for (PatchBench& b : benches) {
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 1));
        EXPECT_EQ(b.counts[0].ds_invocations, b.te.stats().points.value());
    }
    const auto shaded = [](const PatchBench& b) { return b.ds.stats().points.value(); };
    EXPECT_EQ(shaded(whole), whole.te.stats().points.value());
    EXPECT_EQ(shaded(none), 3 * none.te.stats().objects.value());
    EXPECT_EQ(shaded(disabled), shaded(none));
    EXPECT_LT(shaded(whole), shaded(little));
    EXPECT_LT(shaded(little), shaded(none));
}

TEST_P(Patches, IsolinesAreStrips) {
    GEN9_COVERS("TE-09 TE-12");
    PatchBench b("bench", GetParam());
    b.isolines = true;
    b.factors = [](std::uint32_t) { return TessellationFactors{{4, 30, 0, 0}, {}}; };
    PatchState state(Domain::Isoline);
    b.patches(b.draw(state), 0, 2);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    const auto seen = b.seen();
    EXPECT_EQ(seen, b.expected({Domain::Isoline, Partitioning::Integer, DomainOutput::Line}, 2));
    ASSERT_EQ(seen.size(), 2u * 4 * 30);
    for (std::size_t n = 0; n < seen.size(); ++n)
        EXPECT_EQ(seen[n].starts, n % 30 == 0) << n;
}

TEST_P(Patches, InstancesShareABarrierOfTheirSubslice) {
    GEN9_COVERS("HS-05");
    PatchBench b("bench", GetParam());
    b.patches(b.draw(PatchState(Domain::Triangle, 4)), 0, 10);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    std::map<std::uint32_t, std::vector<const ThreadDispatch*>> of_patch;
    for (const ThreadDispatch& thread : b.threads) {
        if (thread.ffid != kHullThread) continue;
        std::uint32_t id;
        std::memcpy(&id, thread.payload[0].bytes + 4, 4);
        of_patch[id].push_back(&thread);
    }
    EXPECT_EQ(of_patch.size(), 10u);
    for (const auto& [id, threads] : of_patch) {
        ASSERT_EQ(threads.size(), 4u);
        for (unsigned n = 0; n < 4; ++n) {
            std::uint32_t word;
            std::memcpy(&word, threads[n]->payload[0].bytes + 8, 4);
            EXPECT_EQ(word >> 17, n);
            for (unsigned point = 0; point < 3; ++point)
                EXPECT_EQ(b.dword(*threads[n], 1, point), (3 * id + point) * kPointRows / 2)
                    << "a control point of the patch";
            EXPECT_EQ(threads[n]->sideband.place.subslice, threads[0]->sideband.place.subslice);
        }
    }
    EXPECT_EQ(b.barriers, 10u);
    // A patch is counted once (HS-17).
    EXPECT_EQ(b.counts[0].hs_invocations, 10u);
}

TEST_P(Patches, NothingIsCountedUnlessTheStateAsks) {
    GEN9_COVERS("HS-17 DS-06");
    PatchBench b("bench", GetParam());
    PatchState state;
    state
        .take("3DSTATE_HS",
              {0x781B0007, 0, 1u << 31 | 15u << 8, 0x4000, 0, 0, 0, 5u << 19 | 1u << 24 | 1, 0})
        .take("3DSTATE_DS", {0x781D0009, 0x8000, 0, 0, 0, 0, 5u << 20 | 1u << 11 | 1u << 4,
                             1u | 1u << 2 | 1u << 3 | 15u << 21, 0, 0, 0});
    b.patches(b.draw(state), 0, 2);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 2));
    EXPECT_EQ(b.counts[0].hs_invocations, 0u);
    EXPECT_EQ(b.counts[0].ds_invocations, 0u);
}

TEST_P(Patches, EightPatchesOfAThread) {
    GEN9_COVERS("HS-08");
    PatchBench b("bench", GetParam());
    PatchState state;
    state.hs(1, 2);
    b.patches(b.draw(state), 0, 19);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(std::ranges::count(b.threads, kHullThread, &ThreadDispatch::ffid), 3);
    EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 19));
}

TEST_P(Patches, ThreadsOfTwoPointsMakeTheSameVertices) {
    GEN9_COVERS("DS-03 DS-07");
    PatchBench b("bench", GetParam());
    PatchState state;
    state.ds(0);
    b.four_by_two = true;
    b.patches(b.draw(state), 0, 3);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 3));
    std::uint64_t points = 0;
    for (const ThreadDispatch& thread : b.threads)
        if (thread.ffid == kDomainThread) points += thread.dispatch_mask == 0xFF ? 2 : 1;
    EXPECT_EQ(points, b.ds.stats().points.value());
}

// Guide test 23.
TEST_P(Patches, FewPointsOfAPatchWaitForThoseOfTheNext) {
    GEN9_COVERS("DS-04 FF-06");
    PatchBench b("bench", GetParam());
    b.isolines = b.may_be_dual = true;
    PatchState state(Domain::Isoline);
    state.ds(2);
    const std::vector<std::vector<unsigned>> draws{{4, 3}, {12, 2}, {9, 20}, {6, 3, 5, 2, 2}};
    std::vector<unsigned> points;
    for (const auto& draw : draws) {
        b.patches(b.draw(state), static_cast<std::uint32_t>(points.size()),
                  static_cast<unsigned>(draw.size()));
        points.insert(points.end(), draw.begin(), draw.end());
    }
    // One line of a segment less than there are points.
    b.factors = [&](std::uint32_t id) {
        return TessellationFactors{{1, static_cast<float>(points[id] - 1), 1, 1}, {1, 1}};
    };
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    // Masks of threads: of two patches below zero.
    std::map<std::uint64_t, std::vector<int>> masks;
    for (const ThreadDispatch& thread : b.threads)
        if (thread.ffid == kDomainThread)
            masks[thread.work].push_back(static_cast<int>(thread.dispatch_mask) *
                                         (thread.instruction_pointer == kDualKernel ? -1 : 1));
    const auto of_draw = [&](unsigned n) { return masks[b.draws[n].work.number]; };
    EXPECT_EQ(of_draw(0), (std::vector{-0x7F}));
    EXPECT_EQ(of_draw(1), (std::vector{0xFF, -0x3F}));
    EXPECT_EQ(of_draw(2), (std::vector{0xFF, 0x01, 0xFF, 0xFF, 0x0F}));
    EXPECT_EQ(of_draw(3), (std::vector{0x3F, 0x07, 0x1F, -0x33}));
}

TEST_P(Patches, WhatIsNotTessellatedPassesInItsPlace) {
    GEN9_COVERS("HS-02 FF-44");
    PatchBench b("bench", GetParam());
    const auto off = [&](Topology topology = Topology::TriList) -> Draw& {
        PatchState state;
        state.hs(1, 0, false)
            .te(Domain::Triangle, Partitioning::Integer, DomainOutput::TriangleCw, false)
            .ds(1, false)
            .records(0)
            .points(0);
        return b.draw(state, topology);
    };
    b.patches(off(), 100, 2);
    b.patches(b.draw(PatchState()), 0, 3);
    b.patches(off(PatchBench::patch_list(3)), 200, 2);
    b.patches(b.draw(PatchState()), 10, 1);
    PrimitiveBatch& clear = b.patches(off(), 0, 0);
    // The end of a draw's stream output.
    b.patches(b.draw(PatchState()), 0, 0);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    std::vector<std::uint32_t> draws;
    for (const auto& batch : b.next.seen)
        if (draws.empty() || draws.back() != batch.draw) draws.push_back(batch.draw);
    EXPECT_EQ(draws, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6}));
    EXPECT_EQ(clear.draw->work.number, 5u);
    EXPECT_EQ(b.next.seen.front().vertices.size(), 6u);
    EXPECT_EQ(b.next.seen.front().objects[1].primitive_id, 101u);
    EXPECT_TRUE(b.read[0] && b.read[2]);
    const auto patches = std::ranges::find(b.next.seen, 3u, &NextStage::Seen::draw);
    ASSERT_EQ(patches->objects.size(), 2u);
    EXPECT_EQ(patches->objects[1].topology, PatchBench::patch_list(3));
    EXPECT_EQ(patches->objects[1].count, 3u);
}

TEST_P(Patches, AFewEntriesAreEnough) {
    GEN9_COVERS("DS-02 TE-14 TE-13");
    std::deque<PatchBench> benches;
    for (const auto& [records, points] : {std::pair{1u, 3u}, {2u, 34u}, {1u, 9u}}) {
        PatchBench& b =
            benches.emplace_back(("bench" + std::to_string(points)).c_str(), GetParam());
        b.triangles = false;
        b.factors = [](std::uint32_t id) {
            const auto n = static_cast<float>(id);
            return TessellationFactors{{5 + n, 7, 3, 9}, {6, 4 + n}};
        };
        PatchState state(Domain::Quad);
        state.te(Domain::Quad, Partitioning::EvenFractional).records(records).points(points);
        Draw& draw = b.draw(state);
        b.patches(draw, 0, 3);
        b.patches(draw, 3, 2);
        b.lifetime_of = [](unsigned number) { return 20 + number * 37 % 300; };
    }
    for (PatchBench& b : benches)
        b.start(0);
    sc_core::sc_start(2, sc_core::SC_MS);
    for (PatchBench& b : benches) {
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(b.seen(), b.expected({Domain::Quad, Partitioning::EvenFractional}, 5));
    }
}

TEST_P(Patches, AnotherPartOfTheUrbWaitsForTheOldOne) {
    GEN9_COVERS("FF-43");
    PatchBench b("bench", GetParam());
    const auto start = [](unsigned draw, unsigned chunk) { return chunk + 2 * (draw % 2); };
    for (unsigned n = 0; n < 6; ++n) {
        PatchState state;
        state.records(n % 2 ? 3 : 7, start(n, 8)).points(n % 3 ? 12 : 40, start(n, 16));
        b.patches(b.draw(state), n, 1);
    }
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 6));
    for (const ThreadDispatch& thread : b.threads) {
        constexpr std::uint32_t kHandlesOfChunk = 8192 / 64;
        const std::uint32_t id = b.dword(thread, 0, 1);
        EXPECT_EQ(b.dword(thread, 0, 0) / kHandlesOfChunk, start(id, 8)) << "the record";
        if (thread.ffid == kDomainThread) {
            EXPECT_EQ(b.dword(thread, 4, 0) / kHandlesOfChunk, start(id, 16)) << "a vertex";
        }
    }
}

TEST_P(Patches, CulledPatchesLeaveNothing) {
    GEN9_COVERS("TE-03");
    PatchBench b("bench", GetParam());
    b.factors = [](std::uint32_t id) {
        const float bad[] = {0, -1, std::bit_cast<float>(0x7FC00000u), 2};
        return TessellationFactors{{2, bad[id % 4], 2, 2}, {2, 2}};
    };
    Draw& draw = b.draw(PatchState());
    b.patches(draw, 0, 3);  // nothing is left of it
    b.patches(draw, 3, 8);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.seen(), b.expected({Domain::Triangle, Partitioning::Integer}, 11));
    EXPECT_EQ(b.te.stats().culled.value(), 9u);
}

TEST_P(Patches, WhatCannotBeIsReportedAndDrawsNothing) {
    GEN9_COVERS("FF-25 FF-44");
    PatchBench b("bench", GetParam());
    PatchState no_domain, few, no_records, no_domain_code, no_partitioning, no_hull, no_engine,
        only_domain, lines, beyond;
    const auto engine_off = [](PatchState& state) {
        state.te(Domain::Triangle, Partitioning::Integer, DomainOutput::TriangleCw, false);
    };
    no_hull.hs(1, 0, false);
    engine_off(no_engine);
    lines.te(Domain::Triangle, Partitioning::Integer, DomainOutput::Line);  // TE-09
    beyond.take("3DSTATE_DS", {0x781D0009, 0x8000, 0, 0, 0, 0, 5u << 20 | 9u << 11 | 1u << 4,
                               1u | 1u << 2 | 1u << 3 | 1u << 10 | 15u << 21, 0, 0, 0});
    only_domain.hs(1, 0, false);
    engine_off(only_domain);
    no_domain.ds(1, false);
    few.points(2);
    no_records.records(0);
    no_domain_code.take("3DSTATE_TE", {0x781C0002, 1u | 3u << 4 | 2u << 8, f(63), f(64)});
    no_partitioning.take("3DSTATE_TE",
                         {0x781C0002, 1u | 1u << 4 | 2u << 8 | 3u << 12, f(63), f(64)});
    b.patches(b.draw(no_domain), 0, 2);
    b.patches(b.draw(few), 0, 2);
    b.patches(b.draw(no_records), 0, 2);
    b.patches(b.draw(PatchState(), Topology::TriList), 0, 2);
    b.patches(b.draw(no_domain_code), 0, 1);
    b.patches(b.draw(no_partitioning), 0, 1);
    b.patches(b.draw(no_hull), 0, 1);
    b.patches(b.draw(no_engine), 0, 1);
    b.patches(b.draw(only_domain), 0, 1);
    b.patches(b.draw(lines), 0, 1);
    b.patches(b.draw(beyond), 0, 1);
    b.patches(b.draw(PatchState()), 0, 1);
    b.start();
    b.expect_done();
    const char* const wanted[] = {"domain shader: it is not enabled",
                                  "primitive 0 needs more than the 2 URB entries",
                                  "patch records have no entries",
                                  "the draw has no patches",
                                  "domain 3 does not exist",
                                  "partitioning 3 does not exist",
                                  "it is enabled without a hull shader",
                                  "it is not enabled behind a hull shader; patches pass",
                                  "it is not enabled before a domain shader",
                                  "its domain does not make objects of its output topology",
                                  "a domain thread reads beyond its patch's record"};
    for (const char* const text : wanted)
        EXPECT_TRUE(std::ranges::any_of(b.env.log, [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        })) << text;
    EXPECT_EQ(b.env.log.size(), std::size(wanted));
    const auto seen = b.seen();
    ASSERT_FALSE(seen.empty());
    // The last draw is as if nothing had been.
    const auto want = b.expected({Domain::Triangle, Partitioning::Integer}, 1);
    EXPECT_TRUE(std::equal(want.rbegin(), want.rend(), seen.rbegin()));
}

TEST(PatchesTime, EveryCycleHasAReasonAndObjectsTheirRate) {
    const auto run = [](PatchBench& b) {
        PatchState state;
        state.records(1).points(40);
        b.factors = [](std::uint32_t) { return TessellationFactors{{6, 6, 6, 6}, {6, 6}}; };
        b.patches(b.draw(state), 0, 4);
    };
    PatchBench slow("slow", Timing::Timed,
                    {"slow.te.objects_per_clock=1", "slow.ds.objects_per_clock=64"}),
        fast("fast", Timing::Timed,
             {"fast.te.objects_per_clock=64", "fast.ds.objects_per_clock=64"});
    slow.next.read_after = fast.next.read_after = 500;  // entries are short
    run(slow);
    run(fast);
    slow.start(0);
    fast.start(50'000);
    const auto cycles = [](const StageStats& stats, StageActivity activity) {
        return stats.cycles[static_cast<unsigned>(activity)].value();
    };
    for (PatchBench* const b : {&slow, &fast}) {
        b->expect_done();
        const StageStats* const all[] = {&b->hs.stats(), &b->te.stats(), &b->ds.stats()};
        b->hs.settle();
        b->te.settle();
        b->ds.settle();
        for (const StageStats* const stats : all) {
            std::uint64_t sum = 0;
            for (const Counter& counter : stats->cycles)
                sum += counter.value();
            EXPECT_EQ(sum, b->clock.now().value);
        }
        EXPECT_GT(cycles(b->hs.stats(), StageActivity::WaitUrb), 100u);
        EXPECT_GT(cycles(b->ds.stats(), StageActivity::WaitUrb), 100u);
    }
    const std::uint64_t objects = slow.te.stats().objects.value();
    EXPECT_GE(cycles(slow.te.stats(), StageActivity::Working), objects);
    EXPECT_LT(cycles(fast.te.stats(), StageActivity::Working), objects / 4);
}

// Control points are free when hull threads have ended, records when domain threads have: neither
// waits for the next stage.
TEST(PatchesTime, EntriesAreGivenUpBeforeTheNextStageReads) {
    GEN9_COVERS("TE-14");
    PatchBench b("bench", Timing::Timed);
    b.next.read_after = b.next.end_after = 5000;
    PatchState state;
    state.records(1);
    b.patches(b.draw(state), 0, 1);
    b.patches(b.draw(state), 1, 1);
    b.start(2000);
    EXPECT_TRUE(b.read[0] && b.read[1]);
    EXPECT_FALSE(b.ended[0]);
    EXPECT_EQ(std::ranges::count(b.threads, kHullThread, &ThreadDispatch::ffid), 2);
    EXPECT_EQ(b.hs.held_entries(), 0u);
    EXPECT_GT(b.ds.held_entries(), 0u) << "vertices wait for the next stage";
    b.start();
    b.expect_done();
}

// What is drawn is the same in both modes, whichever module of a cycle runs first, and whether
// domain threads may have two patches.
TEST(PatchesRandom, NeitherModeNorOrderChangesObjects) {
    GEN9_COVERS("TE-02");
    std::deque<PatchBench> benches;
    benches.emplace_back("functional", Timing::Functional);
    benches.emplace_back("timed", Timing::Timed);
    benches.emplace_back("shuffled", Timing::Timed, std::vector<std::string>{}, 5);
    benches.emplace_back("dual", Timing::Functional).may_be_dual = true;
    benches.emplace_back("dual_timed", Timing::Timed).may_be_dual = true;
    for (PatchBench& b : benches) {
        std::mt19937 random(11);
        b.triangles = false;
        b.factors = [](std::uint32_t id) {
            std::mt19937 of_patch(id);
            const auto factor = [&] { return static_cast<float>(of_patch() % 900) / 100 - 0.2f; };
            return TessellationFactors{{factor(), factor(), factor(), factor()},
                                       {factor(), factor()}};
        };
        b.lifetime_of = [](unsigned number) { return 20 + number * 37 % 300; };
        for (unsigned n = 0; n < 12; ++n) {
            PatchState state(Domain::Quad, 1 + random() % 3);
            state.te(Domain::Quad, static_cast<Partitioning>(random() % 3))
                .records(1 + random() % 30)
                .points(4 + random() % 100)
                .ds(b.may_be_dual ? 2 : 1);
            if (random() % 4 == 0)
                state.hs(1, 0, false)
                    .te(Domain::Quad, Partitioning::Integer, DomainOutput::Point, false)
                    .ds(1, false);
            Draw& draw = b.draw(state);
            for (unsigned i = random() % 3; i != 0; --i)
                b.patches(draw, random() % 1000, 1 + random() % 20);
        }
    }
    for (PatchBench& b : benches)
        b.start(0);
    sc_core::sc_start(3, sc_core::SC_MS);
    for (PatchBench& b : benches) {
        SCOPED_TRACE(b.name());
        EXPECT_EQ(b.trouble(), "");
        b.expect_done();
        EXPECT_EQ(b.seen().size(), benches[0].seen().size());
        EXPECT_TRUE(b.seen() == benches[0].seen());
    }
    EXPECT_EQ(benches[1].times, benches[2].times);
}

}  // namespace
}  // namespace gen9::geometry::test
