// SPDX-License-Identifier: Apache-2.0
/// HullShader: hull shader stage (module half; what a thread is, is in hull_thread.h).
/// Role     gives each patch a record in the URB, has threads write it, and hands records on when
///          all threads of their batch have ended
/// Sockets  batch_in     target     PrimitiveBatch  from the vertex shader stage
///          mem_out      initiator  memory          push constants, control points in the URB
///          request_out  initiator  ThreadRequest   to the thread dispatcher
///          batch_out    initiator  PrimitiveBatch  to the tessellation engine: a vertex is a record
/// Params   params.h
/// Order    batches and patches in order; threads are asked for in that order and end in any
/// Not here what the factors in a record mean (tessellator.h)
/// Spec     HS-01, HS-02, HS-05, HS-17, FF-41..43; 003:12309-12715
#pragma once
#include <deque>
#include <vector>

#include "geometry/hull_thread.h"
#include "geometry/shader_stage.h"
#include "geometry/urb_partition.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::geometry {

/// A batch of patches as control points.
struct HullInput : ShaderInput<PrimitiveBatch, HullShaderState> {
    unsigned points = 0;  ///< of a patch
    std::size_t next_patch = 0;
};

class HullShader final : public OwningShaderStage<HullShaderBlock, PrimitiveProtocol,
                                                  ShaderStageParams, HullShaderStats, HullInput> {
  public:
    HullShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
               const ShaderSetup& setup);
    ~HullShader() override;

  private:
    /// Its vertices are records.
    using Records = Batch;
    struct Group : ShaderGroup {
        Records* records = nullptr;
        std::vector<HullPatch> patches;
        std::vector<std::uint32_t> point_rows;
    };
    /// To be sent: a batch that passes, or records.
    struct Output {
        PrimitiveBatch* batch;
        Records* records;  ///< null: it passes
    };

    bool work(Cycles now) override;
    bool send(Cycles now);
    bool make_group(Cycles now);
    bool take(Cycles now);
    /// False: the draw's patches have no records, which is reported.
    bool begin(HullInput& input);
    void close_records() { filling_ = nullptr; }
    void all_made(HullInput& input);
    void make_thread(ShaderGroup& group, const ThreadGrant& grant, const ThreadFacts& facts,
                     ThreadDispatch& thread) override;
    void threads_ended(ShaderGroup& group) override;
    std::size_t at_hand() const override { return inputs_.size() + outputs_.size(); }
    const Draw* first_draw() const override;

    ObjectPool<Group> group_pool_;
    std::deque<Output> outputs_;  ///< in order; the last may be the one that is filled
};

}  // namespace gen9::geometry
