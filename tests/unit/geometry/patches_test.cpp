// SPDX-License-Identifier: Apache-2.0
// Hull shader stage, tessellation engine and domain shader stage one behind the other, with the real
// dispatcher; the vertex shader stage, EUs, memory and the next stage are played.
#include <random>

#include "geometry/domain_shader.h"
#include "geometry/hull_shader.h"
#include "geometry/tessellation_engine.h"
#include "tests/unit/geometry/stage_bench.h"

namespace gen9::geometry::test {
namespace {

using packets::Topology;

constexpr std::uint8_t kHullThread = 2, kDomainThread = 3;
/// Where vertices of patches lie in the URB: 2 rows each.
constexpr std::uint32_t kPointRows = 2;

/// State as Mesa sends it, more or less: records of 128 bytes, vertices of 64.
struct PatchState : DrawState {
    explicit PatchState(Domain domain = Domain::Triangle, unsigned instances = 1) {
        hs(instances).te(domain).ds().records(64).points(64);
    }
    PatchState& hs(unsigned instances, std::uint32_t mode = 0, bool enable = true) {
        take("3DSTATE_HS",
             {0x781B0007, 0, (enable ? 1u << 31 : 0) | 1u << 29 | 15u << 8 | (instances - 1),
              0x4000, 0, 0, 0, mode << 17 | 5u << 19 | 1u << 24 | 1, 0});
        return *this;
    }
    PatchState& te(Domain domain, Partitioning partitioning = Partitioning::Integer,
                   DomainOutput output = DomainOutput::TriangleCw, bool enable = true) {
        const auto code = [](auto value) { return static_cast<std::uint32_t>(value); };
        if (domain == Domain::Isoline) output = DomainOutput::Line;
        take("3DSTATE_TE",
             {0x781C0002,
              (enable ? 1u : 0) | code(domain) << 4 | code(output) << 8 | code(partitioning) << 12,
              f(63), f(64)});
        return *this;
    }
    PatchState& ds(std::uint32_t mode = 1, bool enable = true) {
        take("3DSTATE_DS",
             {0x781D0009, 0x8000, 0, 0, 0, 0, 5u << 20 | 1u << 11 | 1u << 4,
              (enable ? 1u : 0) | 1u << 2 | mode << 3 | 1u << 10 | 15u << 21, 0, 0, 0});
        return *this;
    }
    PatchState& records(unsigned entries) {
        take("3DSTATE_URB_HS", {0x78310000, 8u << 25 | 1u << 16 | entries});
        return *this;
    }
    PatchState& points(unsigned entries) {
        take("3DSTATE_URB_DS", {0x78320000, 16u << 25 | entries});
        return *this;
    }
};

/// All three stages.
struct PatchBench : sc_core::sc_module {
    TestEnvironment env;
    Clock clock{1'000'000'000};
    ThreadTopology topology{1, 2, 2, 7};
    MemoryTarget memory;
    HullShader hs;
    TessellationEngine te;
    DomainShader ds;
    dispatcher::Dispatcher dispatcher;
    NextStage next;
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};
    std::deque<TargetSocket<DispatchProtocol>> eus;
    std::deque<TargetSocket<MemoryProtocol>> gateways;

    std::deque<Draw> draws;
    std::deque<DrawCounts> counts;
    std::deque<PrimitiveBatch> batches;
    std::vector<bool> read, ended;  ///< by batch
    std::vector<ThreadDispatch> threads;
    std::vector<Cycles> times;  ///< of what ended
    /// Factors of a patch, by its number.
    std::function<TessellationFactors(std::uint32_t)> factors = [](std::uint32_t) {
        return TessellationFactors{{2, 2, 2, 2}, {2, 2}};
    };
    std::function<unsigned(unsigned)> lifetime_of = [](unsigned) { return 40u; };

    PatchBench(sc_core::sc_module_name module_name, Timing timing,
               std::vector<std::string> settings = {}, std::uint64_t shuffle = 0)
        : sc_module(module_name),
          env(timing, std::move(settings)),
          memory("memory", clock, 3),
          hs("hs", env.environment, clock, {topology}),
          te("te", env.environment, clock),
          ds("ds", env.environment, clock, {topology}),
          dispatcher("dispatcher", env.environment, clock, dispatcher_setup()),
          next("next", env.environment, clock, memory),
          source_(clock),
          out_(batch_out, clock, source_),
          ends_(clock) {
        out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles) {
            EXPECT_TRUE(phase == kVerticesRead);
            read[number_of(batch)] = true;
        };
        out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
            ended[number_of(batch)] = true;
            times.push_back(at);
        };
        batch_out.bind(hs.batch_in);
        hs.batch_out.bind(te.batch_in);
        te.batch_out.bind(ds.batch_in);
        ds.batch_out.bind(next.batch_in);
        hs.mem_out.bind(memory.mem_in[0]);
        te.mem_out.bind(memory.mem_in[1]);
        ds.mem_out.bind(memory.mem_in[2]);
        hs.request_out.bind(*dispatcher.request_in[0]);
        ds.request_out.bind(*dispatcher.request_in[1]);
        for (unsigned subslice = 0; subslice < topology.total_subslices(); ++subslice) {
            auto& gateway = gateways.emplace_back(("gateway" + std::to_string(subslice)).c_str());
            dispatcher.barrier_out[subslice]->bind(gateway);
            gateway.on_blocking = [](auto& write, sc_core::sc_time&) {
                write.set_response_status(tlm::TLM_OK_RESPONSE);
            };
        }
        for (unsigned eu = 0; eu < topology.total_eus(); ++eu) {
            auto& socket = eus.emplace_back(("eu" + std::to_string(eu)).c_str());
            dispatcher.thread_out[eu]->bind(socket);
            socket.on_forward = [this](ThreadDispatch& thread, tlm::tlm_phase& phase,
                                       const sc_core::sc_time& delay) {
                threads.push_back(thread);
                const auto number = static_cast<unsigned>(threads.size()) - 1;
                const Cycles end =
                    clock.after(delay) + Cycles(env.environment.timed() ? lifetime_of(number) : 0);
                running_.emplace(end, &thread);
                ends_.at(running_.begin()->first);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        }
        source_.runs<&PatchBench::send>(this);
        ends_.runs<&PatchBench::end_threads>(this);
        if (shuffle) clock.agenda().shuffle(shuffle);
    }

    Draw& draw(const DrawState& state, Topology topology_of_draw = patch_list(3)) {
        Draw& made = draws.emplace_back();
        made.state = state.get();
        made.work.number = static_cast<std::uint32_t>(draws.size());
        made.work.name = "3DPRIMITIVE";
        made.address = GpuAddr(0x5000 + 0x100 * draws.size());
        made.topology = topology_of_draw;
        made.order = draws.size();
        made.counts = &counts.emplace_back();
        return made;
    }
    static Topology patch_list(unsigned points) {
        return static_cast<Topology>(static_cast<unsigned>(Topology::PatchList1) + points - 1);
    }
    /// A batch of so many patches, numbered from `first` on.
    PrimitiveBatch& patches(const Draw& of, std::uint32_t first, unsigned count) {
        PrimitiveBatch& batch = batches.emplace_back();
        batch.draw = &of;
        batch.entry_rows = kPointRows;
        const unsigned points =
            packets::is_patch(of.topology) ? packets::patch_vertices(of.topology) : 3;
        for (unsigned n = 0; n < count; ++n) {
            PrimitiveObject& object = batch.objects.emplace_back();
            object.topology = of.topology;
            object.count = static_cast<std::uint8_t>(points);
            object.primitive_id = first + n;
            for (unsigned i = 0; i < points; ++i) {
                object.vertices[i] = static_cast<std::uint32_t>(batch.vertices.size());
                batch.vertices.push_back({kPointRows * (n * points + i), true});
            }
        }
        read.push_back(false);
        ended.push_back(false);
        return batch;
    }
    void start(std::uint64_t cycles = 500'000) {
        source_.at(clock.now());
        sc_core::sc_start(clock.time(Cycles(cycles)));
    }
    void expect_done() {
        for (std::size_t i = 0; i < batches.size(); ++i)
            EXPECT_TRUE(ended[i]) << "batch " << i;
        EXPECT_EQ(hs.describe_waiting() + te.describe_waiting() + ds.describe_waiting(), "");
        EXPECT_TRUE(hs.idle() && te.idle() && ds.idle() && next.idle());
        EXPECT_EQ(hs.held_entries(), 0u);
        EXPECT_EQ(ds.held_entries(), 0u);
    }
    std::string trouble() const { return env.log.empty() ? std::string() : env.log.front(); }

    /// What the next stage has seen: of each vertex of each object {u, v, w, number of its patch}.
    using Vertex = std::array<std::uint32_t, 4>;
    struct Seen {
        Topology topology;
        std::uint32_t primitive_id;
        bool starts;
        std::vector<Vertex> vertices;
        bool operator==(const Seen&) const = default;
    };
    std::vector<Seen> seen() const {
        std::vector<Seen> all;
        for (const auto& batch : next.seen)
            for (const PrimitiveObject& object : batch.objects) {
                Seen& made =
                    all.emplace_back(Seen{object.topology, object.primitive_id, object.starts, {}});
                for (unsigned i = 0; i < object.count; ++i) {
                    const Dwords& entry = batch.entries[object.vertices[i]];
                    made.vertices.push_back({entry[0], entry[1], entry[2], entry[3]});
                }
            }
        return all;
    }
    static Seen object(const TessellatorState& state, const Tessellation& t, std::size_t n,
                       std::uint32_t id) {
        Seen made{t.object_vertices == 1   ? Topology::PointList
                  : t.object_vertices == 2 ? Topology::LineStrip
                                           : Topology::TriList,
                  id,
                  n % t.strip == 0,
                  {}};
        for (unsigned i = 0; i < t.object_vertices; ++i) {
            const DomainPlace& at = t.points[t.vertices[n * t.object_vertices + i]];
            const float u = static_cast<float>(at.u) / 65536, v = static_cast<float>(at.v) / 65536;
            (void)state;
            made.vertices.push_back({f(u), f(v), f(1 - u - v), id});
        }
        return made;
    }

  private:
    dispatcher::DispatcherSetup dispatcher_setup() const {
        dispatcher::DispatcherSetup setup;
        setup.topology = topology;
        setup.clients = {0, 1};
        return setup;
    }
    std::size_t number_of(const PrimitiveBatch& batch) const {
        std::size_t i = 0;
        while (&batches[i] != &batch)
            ++i;
        return i;
    }
    void send() {
        while (sent_ != batches.size() && out_.can_send(clock.now()))
            out_.send(batches[sent_++]);
        if (sent_ != batches.size()) out_.wake(clock.now());
    }
    static std::uint32_t dword(const ThreadDispatch& thread, unsigned reg, unsigned at) {
        std::uint32_t value;
        std::memcpy(&value, thread.payload[reg].bytes + 4 * at, 4);
        return value;
    }
    std::uint32_t& urb(std::uint32_t handle, unsigned at) {
        return reinterpret_cast<std::uint32_t*>(&memory.bytes[handle * 64])[at];
    }
    /// A hull thread writes the factors, and the patch's number behind them; a domain thread writes
    /// its coordinates and that number, which was pushed.
    void run(const ThreadDispatch& thread) {
        if (thread.ffid == kHullThread) {
            const bool eight = dword(thread, 0, 0) == 0;
            for (unsigned n = 0; n < (eight ? 8 : 1); ++n) {
                if (eight && !(thread.dispatch_mask >> n & 1)) continue;
                const std::uint32_t record = dword(thread, eight ? 1 : 0, n);
                const std::uint32_t id = eight ? dword(thread, 2, n) : dword(thread, 0, 1);
                const TessellationFactors given = factors(id);
                if (isolines) {
                    urb(record, 6) = f(given.outer[0]);
                    urb(record, 7) = f(given.outer[1]);
                } else {
                    for (unsigned e = 0; e < 4; ++e)
                        urb(record, 7 - e) = f(given.outer[e]);
                    urb(record, 3) = f(given.inside[0]);
                    urb(record, 2) = f(given.inside[1]);
                    if (triangles) urb(record, 4) = f(given.inside[0]);
                }
                urb(record, 8) = id;
            }
            return;
        }
        EXPECT_EQ(thread.ffid, kDomainThread);
        for (unsigned n = 0; n < 8; ++n) {
            if (!(thread.dispatch_mask >> n & 1)) continue;
            for (unsigned c = 0; c < 3; ++c)
                urb(dword(thread, 4, n), c) = dword(thread, 1 + c, n);
            urb(dword(thread, 4, n), 3) = dword(thread, 5, 0);
            EXPECT_EQ(dword(thread, 5, 0), dword(thread, 0, 1));
        }
    }
    void end_threads() {
        while (!running_.empty() && running_.begin()->first <= clock.now()) {
            ThreadDispatch& thread = *running_.begin()->second;
            running_.erase(running_.begin());
            run(thread);
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            eus[thread.sideband.fftid / topology.threads]->nb_transport_bw(thread, phase, delay);
        }
        if (!running_.empty()) ends_.at(running_.begin()->first);
    }

  public:
    bool triangles = true, isolines = false;

  private:
    Wakeup source_;
    StageOutput<PrimitiveProtocol> out_;
    std::size_t sent_ = 0;
    std::multimap<Cycles, ThreadDispatch*> running_;
    Wakeup ends_;
};

class Patches : public testing::TestWithParam<Timing> {};
INSTANTIATE_TEST_SUITE_P(Modes, Patches, testing::Values(Timing::Functional, Timing::Timed),
                         [](const auto& timing) {
                             return timing.param == Timing::Timed ? "Timed" : "Functional";
                         });

/// What comes of these patches.
std::vector<PatchBench::Seen> expected(const PatchBench& bench, const TessellatorState& state,
                                       std::uint32_t patches) {
    std::vector<PatchBench::Seen> all;
    for (std::uint32_t id = 0; id < patches; ++id) {
        Tessellation t;
        tessellate(state, bench.factors(id), t);
        for (std::size_t n = 0; n < t.objects(); ++n)
            all.push_back(PatchBench::object(state, t, n, id));
    }
    return all;
}

TEST_P(Patches, APatchBecomesItsTriangles) {
    GEN9_COVERS("HS-01 HS-17 TE-01 DS-01 DS-05 DS-06 TE-14");
    PatchBench b("bench", GetParam());
    b.factors = [](std::uint32_t) { return TessellationFactors{{3, 4, 5, 1}, {6, 1}}; };
    b.patches(b.draw(PatchState()), 0, 1);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    const auto want =
        expected(b, {Domain::Triangle, Partitioning::Integer, DomainOutput::TriangleCw}, 1);
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
            EXPECT_EQ(threads[n]->sideband.place.subslice, threads[0]->sideband.place.subslice);
        }
    }
    // A patch is counted once (HS-17).
    EXPECT_EQ(b.counts[0].hs_invocations, 10u);
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
    EXPECT_EQ(b.seen(), expected(b, {Domain::Triangle, Partitioning::Integer}, 19));
}

TEST_P(Patches, WhatIsNotTessellatedPassesInItsPlace) {
    GEN9_COVERS("HS-02");
    PatchBench b("bench", GetParam());
    const auto off = [&]() -> Draw& {
        PatchState state;
        state.hs(1, 0, false)
            .te(Domain::Triangle, Partitioning::Integer, DomainOutput::TriangleCw, false)
            .ds(1, false);
        return b.draw(state, Topology::TriList);
    };
    b.patches(off(), 100, 2);
    b.patches(b.draw(PatchState()), 0, 3);
    b.patches(off(), 200, 2);
    b.patches(b.draw(PatchState()), 10, 1);
    PrimitiveBatch& clear = b.patches(off(), 0, 0);
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    std::vector<std::uint32_t> draws;
    for (const auto& batch : b.next.seen)
        if (draws.empty() || draws.back() != batch.draw) draws.push_back(batch.draw);
    EXPECT_EQ(draws, (std::vector<std::uint32_t>{1, 2, 3, 4, 5}));
    EXPECT_EQ(clear.draw->work.number, 5u);
    EXPECT_EQ(b.next.seen.front().vertices.size(), 6u);
    EXPECT_EQ(b.next.seen.front().objects[1].primitive_id, 101u);
    EXPECT_TRUE(b.read[0] && b.read[2]);
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
        EXPECT_EQ(b.seen(), expected(b, {Domain::Quad, Partitioning::EvenFractional}, 5));
    }
}

TEST_P(Patches, AnotherPartOfTheUrbWaitsForTheOldOne) {
    GEN9_COVERS("FF-43");
    PatchBench b("bench", GetParam());
    for (unsigned n = 0; n < 6; ++n) {
        PatchState state;
        state.records(n % 2 ? 3 : 7).points(n % 3 ? 12 : 40);
        b.patches(b.draw(state), n, 1);
    }
    b.start();
    EXPECT_EQ(b.trouble(), "");
    b.expect_done();
    EXPECT_EQ(b.seen(), expected(b, {Domain::Triangle, Partitioning::Integer}, 6));
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
    EXPECT_EQ(b.seen(), expected(b, {Domain::Triangle, Partitioning::Integer}, 11));
    EXPECT_EQ(b.te.stats().culled.value(), 9u);
}

TEST_P(Patches, WhatCannotBeIsReportedAndDrawsNothing) {
    PatchBench b("bench", GetParam());
    PatchState no_domain, narrow, few, no_records, no_domain_code, no_partitioning;
    no_domain.ds(1, false);
    narrow.ds(0);
    few.points(2);
    no_records.records(0);
    no_domain_code.take("3DSTATE_TE", {0x781C0002, 1u | 3u << 4 | 2u << 8, f(63), f(64)});
    no_partitioning.take("3DSTATE_TE",
                         {0x781C0002, 1u | 1u << 4 | 2u << 8 | 3u << 12, f(63), f(64)});
    b.patches(b.draw(no_domain), 0, 2);
    b.patches(b.draw(narrow), 0, 2);
    b.patches(b.draw(few), 0, 2);
    b.patches(b.draw(no_records), 0, 2);
    b.patches(b.draw(PatchState(), Topology::TriList), 0, 2);
    b.patches(b.draw(no_domain_code), 0, 1);
    b.patches(b.draw(no_partitioning), 0, 1);
    b.patches(b.draw(PatchState()), 0, 1);
    b.start();
    b.expect_done();
    const char* const wanted[] = {"domain shader: it is not enabled",
                                  "SIMD4x2",
                                  "primitive 0 needs more than the 2 URB entries",
                                  "patch records have no entries",
                                  "the draw has no patches",
                                  "domain 3 does not exist",
                                  "partitioning 3 does not exist"};
    for (const char* const text : wanted)
        EXPECT_TRUE(std::ranges::any_of(b.env.log, [&](const std::string& line) {
            return line.find(text) != std::string::npos;
        })) << text;
    EXPECT_EQ(b.env.log.size(), std::size(wanted));
    const auto seen = b.seen();
    ASSERT_FALSE(seen.empty());
    // The last draw is as if nothing had been.
    const auto want = expected(b, {Domain::Triangle, Partitioning::Integer}, 1);
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

// What is drawn is the same in both modes, whichever module of a cycle runs first.
TEST(PatchesRandom, NeitherModeNorOrderChangesObjects) {
    GEN9_COVERS("TE-02");
    std::deque<PatchBench> benches;
    benches.emplace_back("functional", Timing::Functional);
    benches.emplace_back("timed", Timing::Timed);
    benches.emplace_back("shuffled", Timing::Timed, std::vector<std::string>{}, 5);
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
                .points(4 + random() % 100);
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
