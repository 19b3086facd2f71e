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
/// Spec     VS-01..VS-11; 003:12200-12310
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <string>

#include "geometry/interface.h"
#include "geometry/shader_stage.h"
#include "geometry/vertex_thread.h"

namespace gen9::geometry {

class VertexShader : public sc_core::sc_module, public VertexShaderBlock {
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
    std::uint64_t progress() const override { return threads_.progress() + sent_; }
    const VertexShaderStats& stats() const { return stats_; }

  private:
    void end_of_simulation() override { settle(); }

    using Shader = ShaderOf<VertexShaderState>;
    struct Batch {
        PrimitiveBatch* batch = nullptr;
        std::shared_ptr<Shader> shader;
        std::size_t next_vertex = 0;  ///< not in a group yet, if it is new
        unsigned open = 0;            ///< groups whose threads have not ended
    };
    /// Vertices of a thread.
    struct Group : ShaderGroup {
        Batch* batch = nullptr;
        unsigned count = 0;
        std::array<std::uint32_t, kThreadVertices> rows{};
    };

    void step();
    bool work(Cycles now);
    bool send(Cycles now);
    bool read_group();
    bool take(Cycles now);
    void count(const Draw& draw, std::uint64_t vertices);
    void make(Group& group, const ThreadGrant& grant, const ThreadFacts& facts,
              ThreadDispatch& thread);
    void show(Cycles now, bool worked);

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    ShaderStageParams params_;
    VertexShaderStats stats_;
    ShaderStageSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    ShaderThreads threads_;
    StageInput<PrimitiveProtocol> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};
    PassedBatches<PrimitiveProtocol> passed_{in_, out_};

    std::deque<Batch> batches_;  ///< at hand, in order
    BatchPool<Group> group_pool_;
    std::uint64_t sent_ = 0;  ///< batches
};

}  // namespace gen9::geometry
