// SPDX-License-Identifier: Apache-2.0
/// VertexShader: vertex shader stage (module half; what a thread is, is in vertex_thread.h).
/// Role     has the new vertices of a batch shaded by threads, eight at a time, and hands the batch
///          on when all of them have ended
/// Sockets  batch_in     target     PrimitiveBatch  from the vertex fetch
///          mem_out      initiator  memory          push constants, vertices in the URB
///          request_out  initiator  ThreadRequest   to the thread dispatcher
///          batch_out    initiator  PrimitiveBatch  to the next stage
/// Params   params.h
/// Order    batches in order; threads are asked for in the order of vertices and end in any
/// Not here URB entries, which are the vertex fetch's
/// Spec     VS-01..VS-11; 003:12200-12310
#pragma once
#include <array>
#include <deque>
#include <memory>

#include "geometry/shader_stage.h"
#include "geometry/vertex_thread.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::geometry {

class VertexShader final
    : public ShaderStage<VertexShaderBlock, PrimitiveProtocol, ShaderStageParams, VertexShaderStats,
                         ShaderStageSignals> {
  public:
    VertexShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                 const ShaderSetup& setup);
    ~VertexShader() override;

  private:
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

    bool work(Cycles now) override;
    bool send(Cycles now);
    bool read_group();
    bool take(Cycles now);
    void count(const Draw& draw, std::uint64_t vertices);
    void make_thread(ShaderGroup& group, const ThreadGrant& grant, const ThreadFacts& facts,
                     ThreadDispatch& thread) override;
    void threads_ended(ShaderGroup& group) override;
    std::size_t at_hand() const override { return batches_.size(); }
    const Draw* first_draw() const override {
        return batches_.empty() ? nullptr : batches_.front().batch->draw;
    }

    std::deque<Batch> batches_;  ///< at hand, in order
    ObjectPool<Group> group_pool_;
};

}  // namespace gen9::geometry
