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
#include <memory>
#include <string>
#include <vector>

#include "geometry/hull_thread.h"
#include "geometry/interface.h"
#include "geometry/returns.h"
#include "geometry/shader_stage.h"
#include "geometry/urb_partition.h"

namespace gen9::geometry {

class HullShader : public sc_core::sc_module, public HullShaderBlock {
  public:
    HullShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
               const HullShaderSetup& setup);
    ~HullShader() override;

    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    HullShaderSockets sockets() override { return {batch_in, mem_out, request_out, batch_out}; }
    std::string describe_waiting() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle(); }
    std::uint64_t progress() const override { return threads_.progress() + sent_; }
    const HullShaderStats& stats() const { return stats_; }
    /// URB entries that hold a record.
    unsigned held_entries() const { return handles_.total(kOwner) - handles_.free(kOwner); }

  private:
    void end_of_simulation() override { settle(); }

    static constexpr unsigned kOwner = 0;  ///< of handles
    using Shader = ShaderOf<HullShaderState>;

    /// A batch of patches as control points.
    struct Input {
        PrimitiveBatch* batch = nullptr;
        std::shared_ptr<Shader> shader;
        UrbPartition part;
        unsigned points = 0;  ///< of a patch
        std::size_t next_patch = 0;
        unsigned threads = 0;  ///< groups that have not ended
        unsigned records = 0;  ///< batches of records that have not ended
        bool all_made = false;
    };
    struct Records : PrimitiveBatch {
        Input* input = nullptr;
        std::vector<unsigned> entries;
        unsigned threads = 0;  ///< groups that have not ended
        bool holds_entries = false;
    };
    struct Group : ShaderGroup {
        Records* records = nullptr;
        unsigned points = 0;
        std::vector<HullPatch> patches;
        std::vector<std::uint32_t> point_rows;
    };
    /// To be sent: a batch that passes, or records.
    struct Output {
        PrimitiveBatch* batch;
        Records* records;  ///< null: it passes
    };

    void step();
    bool work(Cycles now);
    bool take_back(Cycles now);
    bool send(Cycles now);
    bool make_group(Cycles now);
    bool take(Cycles now);
    /// False: the draw's patches have no records, which is reported.
    bool begin(Input& input);
    void close_records() { filling_ = nullptr; }
    void all_made(Input& input, Cycles now);
    void end_if_over(Input& input, Cycles now);
    void ended(Group& group);
    void make(Group& group, const ThreadGrant& grant, const ThreadFacts& facts,
              ThreadDispatch& thread);
    void show(Cycles now, bool worked);

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    ShaderStageParams params_;
    HullShaderStats stats_;
    OwningStageSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    ShaderThreads threads_;
    StageInput<PrimitiveProtocol> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};
    PassedBatches<PrimitiveProtocol> passed_{in_, out_};
    Returns<Records> returns_{env_, clock_, wakeup_};

    BatchPool<Input> input_pool_;
    BatchPool<Records> records_pool_;
    BatchPool<Group> group_pool_;
    std::deque<Input*> inputs_;   ///< with patches that have no threads yet, in order
    std::deque<Output> outputs_;  ///< in order
    Records* filling_ = nullptr;  ///< the last of outputs_, if more patches may come into it
    bool starved_ = false;        ///< the next patch waits for an entry
    UrbHandles handles_;
    UrbPartition part_;
    std::uint64_t sent_ = 0;  ///< batches
};

}  // namespace gen9::geometry
