// SPDX-License-Identifier: Apache-2.0
/// TessellationEngine: TE (module half; points and objects are made in tessellator.h).
/// Role     reads the factors of patch records, tessellates the domains, and hands on batches of
///          points and objects
/// Sockets  batch_in   target     PrimitiveBatch  from the hull shader stage: a vertex is a record
///          mem_out    initiator  memory          the headers of records in the URB
///          batch_out  initiator  DomainBatch     to the domain shader stage
/// Params   params.h
/// Order    patches in order, objects of a patch in the tessellator's
/// Not here vertices: the domain shader stage makes them
/// Spec     TE-01, TE-03, TE-13, TE-14; 003:12717-12783
#pragma once
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "geometry/interface.h"
#include "geometry/params.h"
#include "geometry/returns.h"
#include "geometry/signals.h"
#include "geometry/stats.h"
#include "geometry/tessellator.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::geometry {

class TessellationEngine : public sc_core::sc_module, public TessellationBlock {
  public:
    TessellationEngine(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~TessellationEngine() override;

    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<DomainProtocol> batch_out{"batch_out"};

    TessellationSockets sockets() override { return {batch_in, mem_out, batch_out}; }
    std::string describe_waiting() const override;
    void settle() override { account_.settle(clock_.now()); }
    bool idle() const override { return in_.idle(); }
    std::uint64_t progress() const override { return stats_.objects.value() + sent_; }
    const TessellationStats& stats() const { return stats_; }

  private:
    void end_of_simulation() override { settle(); }

    /// A batch of patches.
    struct Job {
        PrimitiveBatch* batch = nullptr;
        std::optional<TessellatorState> state;  ///< none: it passes
        std::vector<std::uint32_t> headers;     ///< of its records
        LineTraffic::Group traffic = 0;
        std::size_t next_patch = 0;
        bool all_made = false;
        unsigned unread = 0;  ///< batches of points whose records may still be read
        unsigned open = 0;    ///< batches of points that have not ended
    };
    struct Points : DomainBatch {
        Job* job = nullptr;
        bool holds_records = false;
        Cycles ready;  ///< it has been made
    };

    void step();
    bool work(Cycles now);
    bool take_back(Cycles now);
    bool send(Cycles now);
    bool make(Cycles now);
    bool take(Cycles now);
    std::optional<TessellatorState> state_of(const PrimitiveBatch& batch);
    Points& new_points(Job& job);
    bool begin_patch(Job& job);
    std::uint32_t number_of(Points& points, std::uint16_t place);
    void add_object(Points& points);
    void finish(Job& job, Cycles now);
    void end_if_over(Job& job, Cycles now);
    void show(Cycles now, bool worked);

    Environment& env_;
    const Clock& clock_;
    TessellationParams params_;
    TessellationStats stats_;
    TessellationSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageStep step_{env_, wakeup_};
    LineTraffic traffic_{mem_out, env_, clock_, wakeup_};
    StageInput<PrimitiveProtocol> in_;
    StageOutput<DomainProtocol> out_{batch_out, clock_, wakeup_};
    Returns<Points> returns_{env_, clock_, wakeup_};

    ObjectPool<Job> job_pool_;
    ObjectPool<Points> points_pool_;
    std::deque<Job*> jobs_;  ///< not all of which has been made, in order
    std::deque<Points*> ready_;
    Cycles busy_until_;

    // The patch at hand: the one before next_patch of the first job.
    Tessellation patch_;
    std::size_t next_vertex_ = 0;  ///< of patch_, not in a batch yet
    DomainPatch patch_at_hand_;
    struct Place {
        std::uint64_t batch = 0;   ///< the last one that has it, by number
        std::uint32_t number = 0;  ///< in that batch
    };
    std::vector<Place> places_;  ///< of patch_'s points
    std::uint64_t batches_made_ = 0;
    std::uint64_t sent_ = 0;
};

}  // namespace gen9::geometry
