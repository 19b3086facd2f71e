// SPDX-License-Identifier: Apache-2.0
// Hull shader stage, tessellation engine and domain shader stage one behind the other, with the real
// dispatcher; the vertex shader stage, EUs, memory and the next stage are played.
#pragma once
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "geometry/domain_shader.h"
#include "geometry/hull_shader.h"
#include "geometry/tessellation_engine.h"
#include "tests/unit/geometry/stage_bench.h"

namespace gen9::geometry::test {

using packets::Topology;

inline constexpr std::uint8_t kHullThread = 2, kDomainThread = 3;
/// Of domain threads of two patches.
inline constexpr std::uint32_t kDualKernel = 0xC000;
/// Where vertices of patches lie in the URB: 2 rows each.
inline constexpr std::uint32_t kPointRows = 2;

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
        const unsigned start = mode == 2 ? 6 : 5;
        take("3DSTATE_DS",
             {0x781D0009, 0x8000, 0, 0, 0, 0, start << 20 | 1u << 11 | 1u << 4,
              (enable ? 1u : 0) | 1u << 2 | mode << 3 | 1u << 10 | 15u << 21, 0, kDualKernel, 0});
        return *this;
    }
    PatchState& records(unsigned entries, unsigned chunk = 8) {
        take("3DSTATE_URB_HS", {0x78310000, chunk << 25 | 1u << 16 | entries});
        return *this;
    }
    PatchState& points(unsigned entries, unsigned chunk = 16) {
        take("3DSTATE_URB_DS", {0x78320000, chunk << 25 | entries});
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
    unsigned barriers = 0;      ///< that were opened
    /// Factors of a patch, by its number.
    std::function<TessellationFactors(std::uint32_t)> factors = [](std::uint32_t) {
        return TessellationFactors{{2, 2, 2, 2}, {2, 2}};
    };
    std::function<unsigned(unsigned)> lifetime_of = [](unsigned) { return 40u; };
    bool triangles = true, isolines = false;  ///< else quads
    bool four_by_two = false;                 ///< domain threads have two points
    bool may_be_dual = false;                 ///< they may have two patches

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
            gateway.on_blocking = [this](auto& write, sc_core::sc_time&) {
                // A count of 0 frees it.
                barriers += load<std::uint32_t>(write.get_data_ptr()) != 0;
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

    static std::uint32_t dword(const ThreadDispatch& thread, unsigned reg, unsigned at) {
        std::uint32_t value;
        std::memcpy(&value, thread.payload[reg].bytes + 4 * at, 4);
        return value;
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
    /// What is to come of so many patches, numbered from 0 on.
    std::vector<Seen> expected(const TessellatorState& state, std::uint32_t patches) const {
        std::vector<Seen> all;
        for (std::uint32_t id = 0; id < patches; ++id) {
            Tessellation t;
            tessellate(state, factors(id), t);
            for (std::size_t n = 0; n < t.objects(); ++n)
                all.push_back(object(t, n, id));
        }
        return all;
    }

  private:
    static Seen object(const Tessellation& t, std::size_t n, std::uint32_t id) {
        Seen made{t.object_vertices == 1   ? Topology::PointList
                  : t.object_vertices == 2 ? Topology::LineStrip
                                           : Topology::TriList,
                  id,
                  n % t.strip == 0,
                  {}};
        for (unsigned i = 0; i < t.object_vertices; ++i) {
            const DomainPlace& at = t.points[t.vertices[n * t.object_vertices + i]];
            const float u = static_cast<float>(at.u) / 65536, v = static_cast<float>(at.v) / 65536;
            made.vertices.push_back({f(u), f(v), f(1 - u - v), id});
        }
        return made;
    }
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
        for (unsigned n = 0; four_by_two && n < 2; ++n) {
            if (!(thread.dispatch_mask >> 4 * n & 1)) continue;
            for (unsigned c = 0; c < 3; ++c)
                urb(dword(thread, 0, n), c) = dword(thread, 1, 4 * n + c);
            urb(dword(thread, 0, n), 3) = dword(thread, 1, 7);
            EXPECT_EQ(dword(thread, 5, 0), dword(thread, 1, 7));
        }
        const unsigned data = may_be_dual ? 6 : 5;
        const bool dual = thread.instruction_pointer == kDualKernel;
        for (unsigned n = 0; !four_by_two && n < 8; ++n) {
            if (!(thread.dispatch_mask >> n & 1)) continue;
            const unsigned first = dual ? 2 : 1, half = dual ? n & 4 : 0;
            const std::uint32_t vertex = dword(thread, first + 3, n);
            for (unsigned c = 0; c < 3; ++c)
                urb(vertex, c) = dword(thread, first + c, n);
            urb(vertex, 3) = dword(thread, data, half);
            EXPECT_EQ(dword(thread, data, half),
                      dual ? dword(thread, 1, half) : dword(thread, 0, 1));
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

    Wakeup source_;
    StageOutput<PrimitiveProtocol> out_;
    std::size_t sent_ = 0;
    std::multimap<Cycles, ThreadDispatch*> running_;
    Wakeup ends_;
};

}  // namespace gen9::geometry::test
