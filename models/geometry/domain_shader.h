// SPDX-License-Identifier: Apache-2.0
/// DomainShader: domain shader stage (module half; what a thread is, is in domain_thread.h).
/// Role     has the points of patches shaded by threads, eight of a patch at a time, each into a
///          URB entry of its own, and hands on batches of objects when their threads have ended
/// Sockets  batch_in     target     DomainBatch     from the tessellation engine
///          mem_out      initiator  memory          push constants, patch records in the URB
///          request_out  initiator  ThreadRequest   to the thread dispatcher
///          batch_out    initiator  PrimitiveBatch  to the next stage
/// Params   params.h
/// Order    batches and objects in order; threads are asked for in the order of points
/// Not here where points lie (tessellator.h)
/// Spec     DS-01..DS-03, DS-06, TE-14, FF-41..43; 003:12787-13029
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "geometry/domain_thread.h"
#include "geometry/interface.h"
#include "geometry/returns.h"
#include "geometry/shader_stage.h"
#include "geometry/urb_partition.h"

namespace gen9::geometry {

class DomainShader : public sc_core::sc_module, public DomainShaderBlock {
  public:
    DomainShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                 const DomainShaderSetup& setup);
    ~DomainShader() override;

    TargetSocket<DomainProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    InitiatorSocket<PrimitiveProtocol> batch_out{"batch_out"};

    DomainShaderSockets sockets() override { return {batch_in, mem_out, request_out, batch_out}; }
    std::string describe_waiting() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle(); }
    std::uint64_t progress() const override { return threads_.progress() + sent_; }
    const DomainShaderStats& stats() const { return stats_; }
    /// URB entries that hold a vertex.
    unsigned held_entries() const { return handles_.total(kOwner) - handles_.free(kOwner); }

  private:
    void end_of_simulation() override { settle(); }

    static constexpr unsigned kOwner = 0;  ///< of handles
    static constexpr unsigned kMaxVertices = 3;
    using Shader = ShaderOf<DomainShaderState>;

    struct Input {
        DomainBatch* batch = nullptr;
        std::shared_ptr<Shader> shader;
        UrbPartition part;
        std::size_t next_object = 0;
        std::uint32_t patch = 0;  ///< at hand: number in the batch
        unsigned threads = 0;     ///< groups that have not ended
        unsigned batches = 0;     ///< made of it, and not ended
        bool begun = false;
        bool all_made = false;
    };
    struct Batch : PrimitiveBatch {
        Input* input = nullptr;
        std::vector<unsigned> entries;  ///< that it refers to
        unsigned threads = 0;           ///< groups that have not ended
        bool holds_entries = false;
    };
    /// A vertex in its URB entry.
    struct Vertex {
        unsigned references = 0;   ///< of the cache, batches, and the object at hand
        std::uint64_t batch = 0;   ///< the last that it was put into, by number
        std::uint32_t number = 0;  ///< in that batch
    };
    struct Group : ShaderGroup {
        Batch* batch = nullptr;
        DomainPatch patch;
        unsigned count = 0;
        std::array<DomainPoint, kThreadPoints> points{};
        std::array<std::uint32_t, kThreadPoints> rows{};
    };
    /// To be sent: a batch that passes, or vertices.
    struct Output {
        PrimitiveBatch* batch;
        Batch* own;          ///< null: it passes
        DomainBatch* whole;  ///< which it is of, if it passes
    };

    void step();
    bool work(Cycles now);
    bool take_back(Cycles now);
    bool send(Cycles now);
    bool take(Cycles now);
    bool make_objects(Cycles now);
    /// False: nothing comes of the batch, which is reported.
    bool begin(Input& input);
    bool hand_on(Input& input, Cycles now);
    bool make_object(Input& input, Cycles now);
    /// The entry of a point, found or new; nothing: none is free.
    std::optional<unsigned> entry_of(Input& input, const DomainPoint& point, Cycles now);
    std::optional<unsigned> new_entry(Cycles now);
    void drop_oldest(Cycles now);
    void shade(Input& input, const DomainPoint& point, unsigned entry);
    void close_group();
    void close_batch();
    Batch& batch_for(Input& input);
    void drop(unsigned entry, Cycles now);
    void clear_cache(Cycles now);
    bool stuck() const;
    void all_made(Input& input, Cycles now);
    void end_if_over(Input& input, Cycles now);
    void ended(Group& group);
    void make(Group& group, const ThreadGrant& grant, const ThreadFacts& facts,
              ThreadDispatch& thread);
    void show(Cycles now, bool worked);

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    DomainShaderParams params_;
    DomainShaderStats stats_;
    OwningStageSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    ShaderThreads threads_;
    StageInput<DomainProtocol> in_;
    StageOutput<PrimitiveProtocol> out_{batch_out, clock_, wakeup_};
    Returns<Batch> returns_{env_, clock_, wakeup_};

    BatchPool<Input> input_pool_;
    BatchPool<Batch> batch_pool_;
    BatchPool<Group> group_pool_;
    std::deque<Input*> inputs_;   ///< with objects that are not in a batch yet, in order
    std::deque<Output> outputs_;  ///< in order
    std::deque<std::pair<PrimitiveBatch*, DomainBatch*>> passed_;  ///< that have not ended
    Batch* filling_ = nullptr;  ///< the last of outputs_, if more objects may come into it
    Group* group_ = nullptr;    ///< points that more may join
    bool starved_ = false;      ///< the next point waits for an entry
    std::uint64_t batches_made_ = 0;

    UrbHandles handles_;
    UrbPartition part_;
    std::vector<Vertex> vertices_;  ///< by entry
    /// Points of the patch at hand, by u and v.
    std::unordered_map<std::uint64_t, unsigned> cache_;
    std::deque<std::uint64_t> cached_;  ///< in the order in which they came
    std::array<std::optional<unsigned>, kMaxVertices>
        object_;  ///< found so far, of the object at hand
    std::uint64_t sent_ = 0;
};

}  // namespace gen9::geometry
