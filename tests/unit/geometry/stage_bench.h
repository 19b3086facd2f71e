// SPDX-License-Identifier: Apache-2.0
// Vertex fetch and the stages with shaders behind it, with a command streamer, a memory that is the
// URB as well, and a next stage, all played by the test; threads run on the real dispatcher and on
// EUs that are played.
#pragma once
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dispatcher/module.h"
#include "geometry/geometry_shader.h"
#include "geometry/output_streams.h"
#include "geometry/vertex_fetch.h"
#include "geometry/vertex_shader.h"
#include "interconnect/kernel/stop_walk.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_target.h"

namespace gen9::geometry::test {

using gen9::test::MemoryTarget;
using gen9::test::TestEnvironment;
using Dwords = std::vector<std::uint32_t>;

/// Vertices and indices lie from here on; what lies before is the URB.
inline constexpr std::uint64_t kMemory = 0x10'0000;

/// State as commands set it.
class DrawState {
  public:
    DrawState() { state_.instruction_base = GpuAddr(0x4'0000'0000); }
    DrawState& take(const char* name, const Dwords& dwords) {
        const packets::CommandRow& row = packets::command_named(name);
        const auto unit = static_cast<unsigned>(row.latch.unit);
        auto block = state_.stages[unit] ? std::make_shared<StageState>(*state_.stages[unit])
                                         : std::make_shared<StageState>(row.latch.unit);
        EXPECT_TRUE(block->take(row, dwords)) << name;
        state_.stages[unit] = block;
        return *this;
    }
    /// Entries of `units` times 64 bytes, from an 8 KB chunk on.
    DrawState& urb(unsigned entries, unsigned units = 1, unsigned start = 4) {
        return take("3DSTATE_URB_VS", {0x78300000, start << 25 | (units - 1) << 16 | entries});
    }
    DrawState& topology(packets::Topology topology) {
        return take("3DSTATE_VF_TOPOLOGY", {0x784B0000, static_cast<std::uint32_t>(topology)});
    }
    DrawState& buffer(unsigned index, std::uint64_t at, std::uint32_t size, unsigned pitch) {
        return take("3DSTATE_VERTEX_BUFFERS",
                    {0x78080003, index << 26 | 1u << 14 | pitch, static_cast<std::uint32_t>(at),
                     static_cast<std::uint32_t>(at >> 32), size});
    }
    DrawState& indices(std::uint64_t at, std::uint32_t size, unsigned format) {
        return take("3DSTATE_INDEX_BUFFER",
                    {0x780A0003, format << 8, static_cast<std::uint32_t>(at),
                     static_cast<std::uint32_t>(at >> 32), size});
    }
    /// Elements of all 32 bits of R32..R32G32B32A32_UINT, each from a buffer of its own number.
    DrawState& elements(const std::vector<unsigned>& components) {
        constexpr std::uint32_t kFormats[] = {0, 0x0D7, 0x087, 0x042, 0x002};
        Dwords dwords{0x78090000};
        for (unsigned i = 0; i < components.size(); ++i) {
            std::uint32_t controls = 0;
            for (unsigned c = 0; c < 4; ++c)
                controls |= (c < components[i] ? 1u : 2u) << (28 - 4 * c);
            dwords.push_back(i << 26 | 1u << 25 | kFormats[components[i]] << 16);
            dwords.push_back(controls);
        }
        dwords[0] |= static_cast<std::uint32_t>(dwords.size() - 2);
        return take("3DSTATE_VERTEX_ELEMENTS", dwords);
    }
    DrawState& statistics() { return take("3DSTATE_VF_STATISTICS", {0x680B0001}); }
    PipelineState& values() { return state_; }
    PipelineStatePtr get() const { return std::make_shared<const PipelineState>(state_); }

  private:
    PipelineState state_;
};

/// A 3DPRIMITIVE.
struct DrawCall {
    std::uint32_t vertices = 3, start = 0, instances = 1, start_instance = 0;
    std::int32_t base = 0;
    bool indexed = false;
    Dwords dwords() const {
        return {0x7B000005,     indexed ? 1u << 8 : 0,           vertices, start, instances,
                start_instance, static_cast<std::uint32_t>(base)};
    }
};

/// Takes batches, looks at them, and ends them late.
class NextStage : public sc_core::sc_module {
  public:
    struct Seen {
        std::uint32_t draw;
        WorkKind kind;
        std::uint32_t instance;
        Cycles at;
        std::vector<BatchVertex> vertices;
        std::vector<Dwords> entries;  ///< as they lie in the URB
        std::vector<PrimitiveObject> objects;
        const PrimitiveBatch* batch;  ///< while it has not ended
    };
    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    std::vector<Seen> seen;
    std::uint64_t pace = 1, read_after = 3, end_after = 10;  ///< cycles
    bool holds = false;                                      ///< takes nothing
    bool at_once = false;  ///< functional mode: ends all that comes in the cycle in which it comes

    NextStage(sc_core::sc_module_name name, Environment& env, const Clock& clock,
              const MemoryTarget& memory)
        : sc_module(name),
          env_(env),
          clock_(clock),
          memory_(memory),
          wakeup_(clock),
          in_(batch_in, env, clock, wakeup_, 1) {
        wakeup_.runs<&NextStage::step>(this);
    }
    void go_on() {
        holds = false;
        wakeup_.at(clock_.now() + Cycles(1));
    }
    bool idle() const { return in_.idle() && open_.empty(); }

  private:
    struct Open {
        PrimitiveBatch* batch;
        Cycles read, end;
        bool has_been_read = false;
    };
    void step() {
        const Cycles now = clock_.now();
        for (PrimitiveBatch* batch; at_once && (batch = in_.front(now)) != nullptr;) {
            in_.take(now);
            in_.tell(*batch, kVerticesRead, now);
            in_.end(*batch, now);
        }
        for (auto open = open_.begin(); open != open_.end();) {
            if (!open->has_been_read && open->read <= now) {
                in_.tell(*open->batch, kVerticesRead, now + Cycles(1));
                open->has_been_read = true;
            }
            if (open->end > now) {
                ++open;
                continue;
            }
            in_.end(*open->batch, now + Cycles(1));
            open = open_.erase(open);
        }
        if (!holds && now >= next_ && in_.front(now)) {
            PrimitiveBatch& batch = in_.take(now);
            note(batch, now);
            open_.push_back({&batch, now + Cycles(read_after), now + Cycles(end_after)});
            next_ = now + Cycles(pace);
        }
        Cycles soonest{~std::uint64_t{0}};
        for (const Open& open : open_)
            soonest = std::min(soonest, open.has_been_read ? open.end : open.read);
        if (!holds && in_.waiting() != 0)
            soonest = std::min(soonest, std::max(next_, now + Cycles(1)));
        if (soonest.value != ~std::uint64_t{0}) wakeup_.at(soonest);
    }
    void note(const PrimitiveBatch& batch, Cycles now) {
        Seen& seen_batch = seen.emplace_back(Seen{batch.draw->work.number,
                                                  batch.draw->work.kind,
                                                  batch.instance,
                                                  now,
                                                  batch.vertices,
                                                  {},
                                                  batch.objects,
                                                  &batch});
        for (const BatchVertex& vertex : batch.vertices) {
            Dwords& entry = seen_batch.entries.emplace_back(batch.entry_rows * 8);
            std::memcpy(entry.data(), &memory_.bytes[(vertex.urb_row & ~kHalfRow) * kGrfBytes],
                        entry.size() * 4);
        }
    }

    Environment& env_;
    const Clock& clock_;
    const MemoryTarget& memory_;
    Wakeup wakeup_;
    StageInput<PrimitiveProtocol> in_;
    std::vector<Open> open_;
    Cycles next_;
};

struct StageBench : sc_core::sc_module {
    TestEnvironment env;
    Clock clock{1'000'000'000};
    ThreadTopology topology{1, 1, 2, 7};
    MemoryTarget memory;
    VertexFetch vf;
    VertexShader vs;
    GeometryShader gs;
    dispatcher::Dispatcher dispatcher;
    NextStage next;
    InitiatorSocket<CommandProtocol> command_out{"command_out"};
    std::deque<TargetSocket<DispatchProtocol>> eus;
    TargetSocket<MemoryProtocol> gateway{"gateway"};

    static constexpr Cycles kNever{~std::uint64_t{0}};
    std::deque<PipelineCommand> commands;
    std::vector<Cycles> accepted, finished;  ///< by command
    std::vector<ThreadDispatch> threads;     ///< as they began
    unsigned live = 0, most_live = 0;
    std::vector<Cycles> began;  ///< when each was sent
    /// Cycles that a thread runs, by its number.
    std::function<unsigned(unsigned)> lifetime_of = [](unsigned) { return 40u; };
    /// What a thread does to the URB when it ends.
    std::function<void(const ThreadDispatch&)> run = [](const ThreadDispatch&) {};
    std::function<void(const ThreadDispatch&)> begins = run;

    StageBench(sc_core::sc_module_name module_name, Timing timing,
               std::vector<std::string> settings = {}, std::uint64_t shuffle = 0)
        : sc_module(module_name),
          env(timing, std::move(settings)),
          memory("memory", clock, 3),
          vf("vf", env.environment, clock),
          vs("vs", env.environment, clock, {topology}),
          gs("gs", env.environment, clock, {topology}),
          dispatcher("dispatcher", env.environment, clock, dispatcher_setup()),
          next("next", env.environment, clock, memory),
          ends_(clock) {
        command_out.bind(vf.command_in);
        command_out.on_backward = [this](PipelineCommand& command, tlm::tlm_phase& phase,
                                         sc_core::sc_time&) {
            std::size_t i = 0;
            while (&commands[i] != &command)
                ++i;
            (phase == tlm::END_REQ ? accepted : finished)[i] = clock.now();
            if (phase == tlm::END_REQ) {
                in_request_ = false;
                next_command_.notify(sc_core::SC_ZERO_TIME);
                return tlm::TLM_ACCEPTED;
            }
            return tlm::TLM_COMPLETED;
        };
        vf.mem_out.bind(memory.mem_in[0]);
        vs.mem_out.bind(memory.mem_in[1]);
        vf.batch_out.bind(vs.batch_in);
        vs.batch_out.bind(gs.batch_in);
        gs.batch_out.bind(next.batch_in);
        gs.mem_out.bind(memory.mem_in[2]);
        vs.request_out.bind(*dispatcher.request_in[0]);
        gs.request_out.bind(*dispatcher.request_in[1]);
        dispatcher.barrier_out[0]->bind(gateway);
        for (unsigned eu = 0; eu < topology.total_eus(); ++eu) {
            auto& socket = eus.emplace_back(("eu" + std::to_string(eu)).c_str());
            dispatcher.thread_out[eu]->bind(socket);
            socket.on_forward = [this](ThreadDispatch& thread, tlm::tlm_phase& phase,
                                       const sc_core::sc_time& delay) {
                threads.push_back(thread);
                began.push_back(clock.now());
                begins(thread);
                thread.retire.instructions = 10;
                most_live = std::max(most_live, ++live);
                const Cycles end =
                    clock.after(delay) +
                    Cycles(env.environment.timed()
                               ? lifetime_of(static_cast<unsigned>(threads.size()) - 1)
                               : 0);
                running_.emplace(end, &thread);
                ends_.at(running_.begin()->first);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        }
        ends_.runs<&StageBench::end_threads>(this);
        SC_HAS_PROCESS(StageBench);
        SC_METHOD(send_command);
        sensitive << next_command_;
        clock.agenda().knows(sc_core::sc_get_last_created_process_handle());
        if (shuffle) clock.agenda().shuffle(shuffle);
    }

    template <class Value>
    void put(std::uint64_t address, const std::vector<Value>& values) {
        std::memcpy(&memory.bytes[address], values.data(), values.size() * sizeof(Value));
    }
    void add(const char* name, const Dwords& dwords, const PipelineStatePtr& state) {
        PipelineCommand& command = commands.emplace_back();
        command.row = &packets::command_named(name);
        std::ranges::copy(dwords, command.dwords.begin());
        command.length_dwords = static_cast<std::uint32_t>(dwords.size());
        command.address = GpuAddr(0x5000 + commands.size() * 0x100);
        command.state = state;
        accepted.push_back(kNever);
        finished.push_back(kNever);
    }
    void draw(const DrawCall& call, const DrawState& state) {
        add("3DPRIMITIVE", call.dwords(), state.get());
    }
    /// The draw at hand is to send no further object.
    void stop_draw() {
        tlm::tlm_phase phase = kStopWalk;
        sc_core::sc_time delay;
        PipelineCommand none;
        command_out->nb_transport_fw(none, phase, delay);
    }
    /// Commands that were added after the last had been sent.
    void send_next() { next_command_.notify(sc_core::SC_ZERO_TIME); }
    void start(std::uint64_t cycles = 200'000) { sc_core::sc_start(clock.time(Cycles(cycles))); }
    /// Everything has ended and all entries are free again.
    void expect_done() {
        for (std::size_t i = 0; i < commands.size(); ++i) {
            EXPECT_NE(accepted[i], kNever) << "command " << i;
            EXPECT_NE(finished[i], kNever) << "command " << i;
        }
        EXPECT_EQ(vf.describe_waiting() + vs.describe_waiting() + gs.describe_waiting(), "");
        EXPECT_TRUE(vf.idle());
        EXPECT_TRUE(vs.idle());
        EXPECT_TRUE(gs.idle());
        EXPECT_TRUE(next.idle());
        EXPECT_EQ(vf.held_entries(), 0u);
        EXPECT_EQ(gs.held_entries(), 0u);
    }
    std::string trouble() const { return env.log.empty() ? std::string() : env.log.front(); }

  private:
    dispatcher::DispatcherSetup dispatcher_setup() const {
        dispatcher::DispatcherSetup setup;
        setup.topology = topology;
        setup.clients = {0, 1};
        return setup;
    }
    void send_command() {
        if (in_request_ || sent_ == commands.size()) return;
        in_request_ = true;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        command_out->nb_transport_fw(commands[sent_++], phase, delay);
    }
    void end_threads() {
        while (!running_.empty() && running_.begin()->first <= clock.now()) {
            ThreadDispatch& thread = *running_.begin()->second;
            running_.erase(running_.begin());
            run(thread);
            --live;
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            eus[thread.sideband.fftid / topology.threads]->nb_transport_bw(thread, phase, delay);
        }
        if (!running_.empty()) ends_.at(running_.begin()->first);
    }
    sc_core::sc_event next_command_;
    bool in_request_ = false;
    std::size_t sent_ = 0;
    std::multimap<Cycles, ThreadDispatch*> running_;
    Wakeup ends_;
};

inline std::uint32_t f(float value) {
    return std::bit_cast<std::uint32_t>(value);
}

}  // namespace gen9::geometry::test
