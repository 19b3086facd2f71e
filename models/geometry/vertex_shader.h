// SPDX-License-Identifier: Apache-2.0
/// VertexShader: vertex shader stage (module half; what a thread is, is in vertex_thread.h).
/// Role     has the new vertices of a batch shaded by threads, eight at a time, and hands the batch
///          on when all of them have ended
/// Sockets  batch_in     target     PrimitiveBatch  from the vertex fetch
///          mem_out      initiator  memory          push constants, vertices in the URB
///          request_out  initiator  ThreadRequest   to the thread dispatcher
///          batch_out    initiator  PrimitiveBatch  to the clipper
/// Params   params.h
/// Order    batches in order; threads are asked for in the order of vertices and end in any
/// Not here URB entries, which are the vertex fetch's
/// Spec     VS-01..VS-11, FF-03, FF-80..FF-91; 003:12200-12310
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "geometry/interface.h"
#include "geometry/params.h"
#include "geometry/signals.h"
#include "geometry/stats.h"
#include "geometry/vertex_thread.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/payload/thread_request.h"

namespace gen9::geometry {

class VertexShader : public sc_core::sc_module, public VertexShaderBlock, private ThreadSource {
  public:
    VertexShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                 const VertexShaderSetup& setup);
    ~VertexShader() override;

    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    VertexShaderSockets sockets() override { return {batch_in, mem_out, request_out, batch_out}; }
    std::string describe_waiting() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle() && batches_.empty(); }
    std::uint64_t progress() const override {
        return stats_.threads.value() + stats_.threads_retired.value() + passed_;
    }
    const VertexShaderStats& stats() const { return stats_; }

  private:
    void end_of_simulation() override { settle(); }

    /// State of threads, and the constants that were committed with it.
    struct Shader {
        StageStatePtr state;  ///< that it was made of
        GpuAddr instruction_base, dynamic_base;
        VertexShaderState decoded;
        std::vector<std::string> problems;
        std::vector<std::uint8_t> constants;
        LineTraffic::Group traffic = 0;
        bool reading = false;
        bool failed = false;
    };
    struct Batch {
        PrimitiveBatch* batch = nullptr;
        std::shared_ptr<Shader> shader;
        std::size_t next_vertex = 0;  ///< not in a group yet, if it is new
        unsigned open = 0;            ///< groups whose threads have not ended
    };
    /// Vertices of a thread.
    struct Group : ThreadRequest {
        Batch* batch = nullptr;
        unsigned count = 0;
        std::array<std::uint32_t, kThreadVertices> rows{};
        std::vector<std::uint8_t> data;
        LineTraffic::Group traffic = 0;
        std::uint32_t scratch_slot = 0;
        std::uint32_t number = 0;
        Cycles since;  ///< its thread has its slot
    };
    struct Ended {
        Cycles at;
        Group* group;
    };

    void step();
    bool work(Cycles now);
    bool end_groups(Cycles now);
    bool send(Cycles now);
    bool ask(Cycles now);
    bool read_groups(Cycles now);
    bool take(Cycles now);
    void count(const Draw& draw, std::uint64_t vertices);
    std::shared_ptr<Shader> shader_of(const Draw& draw);
    void read_constants(Shader& shader, const Draw& draw);
    bool constants_there(Shader& shader, const Draw& draw, Cycles now);
    void show(Cycles now, bool worked);
    void guest_error(const Draw& draw, const std::string& text);

    tlm::tlm_sync_enum on_request(ThreadRequest&, tlm::tlm_phase&);
    void make(ThreadRequest&, const ThreadGrant&, ThreadDispatch&) override;
    void ended(ThreadRequest&, const ThreadDispatch&) override;
    void retired(ThreadRequest&, const ThreadDispatch&, Cycles now) override;

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    VertexShaderParams params_;
    VertexShaderStats stats_;
    VertexShaderSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    LineTraffic traffic_{mem_out, env_, clock_, wakeup_};
    StageInput<PrimitiveProtocol> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};

    std::deque<Batch> batches_;       ///< at hand, in order
    std::shared_ptr<Shader> shader_;  ///< of the last batch
    BatchPool<Group> group_pool_;
    std::deque<Group*> reading_;  ///< groups that are not asked for yet, in order
    bool asking_ = false;         ///< a request has no END_REQ yet
    Cycles next_ask_;
    std::vector<Ended> ended_;
    std::vector<bool> scratch_used_;  ///< slots
    std::uint32_t made_ = 0;          ///< threads
    std::uint64_t running_ = 0, passed_ = 0;
    Cycles last_step_;
    bool stepped_ = false;
};

}  // namespace gen9::geometry
