// SPDX-License-Identifier: Apache-2.0
/// Clip: clipper of the 3D pipe (module half; planes and cuts are in core.h, state in decode.h).
/// Role     reads the positions of a batch's vertices, drops or cuts its objects, divides
/// Sockets  batch_in   target     primitives  from the last stage with a shader
///          mem_out    initiator  memory      URB entries (AddressSpace::Urb), SF_CLIP_VIEWPORT
///          batch_out  initiator  clipped     what is left of each batch
/// Params   params.h
/// Order    batches and their objects in order of arrival; a batch of which nothing is left ends here
/// Not here attributes, facing, culling, the viewport transform (setup)
/// Spec     CL-01..CL-36; 003:13840-14361
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "clip/decode.h"
#include "clip/interface.h"
#include "clip/params.h"
#include "clip/stats.h"
#include "common/environment.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/observe/stage_account.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::clip {

class Clip : public sc_core::sc_module, public ClipBlock {
  public:
    Clip(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~Clip() override;

    TargetSocket<PrimitiveProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ClippedProtocol> batch_out{"batch_out"};

    const ClipStats& stats() const { return stats_; }
    ClipSockets sockets() override { return {batch_in, mem_out, batch_out}; }
    bool idle() const override { return input_.idle() && traffic_.idle(); }
    void settle() override { account_.settle(clock_.now()); }
    std::string describe_waiting() const override;
    std::uint64_t progress() const override { return stats_.objects.value(); }

  private:
    /// A draw is decoded once, for all its batches.
    struct Facts {
        std::uint64_t order = 0;
        DrawState state;
        LineTraffic::Group group = 0;
        bool reading = false;  ///< the group is open
        std::array<std::uint32_t, 16 * kViewportDwords> viewports{};
        std::array<Limits, 16> guards{};
    };
    using Entry = std::array<std::uint32_t, kVertexDwords>;
    struct Job {
        PrimitiveBatch* batch = nullptr;
        std::shared_ptr<Facts> facts;
        LineTraffic::Group group = 0;
        std::vector<Entry> entries;  ///< by vertex of the batch
        std::vector<std::uint8_t> used;
    };
    struct Made : ClippedBatch {
        PrimitiveBatch* from = nullptr;
    };

    void step();
    void begin(PrimitiveBatch& batch);
    std::shared_ptr<Facts> facts_of(const Draw& draw);
    /// Is all there that the job reads?
    bool read(Job& job, Cycles now);
    /// Gives the cycles that it takes.
    Cycles make(Job& job, Made& made);
    void make_object(const Job& job, std::uint32_t number, Made& made);
    void make_pieces(const ClippedObject& whole, std::span<const Vertex> vertices,
                     std::uint8_t edges, const State& tests, Made& made);
    StageActivity work(Cycles now);
    void leave(Made& made, Cycles now);

    Environment& env_;
    const Clock& clock_;
    ClipParams params_;
    ClipStats stats_;
    StageSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageInput<PrimitiveProtocol> input_;
    StageOutput<ClippedProtocol> output_;
    LineTraffic traffic_;
    ObjectPool<Job> jobs_pool_;
    ObjectPool<Made> made_pool_;
    std::deque<Job*> jobs_;  ///< in order of arrival
    Made* made_ = nullptr;   ///< of the first job
    Cycles made_at_;         ///< it is ready to leave then
    std::shared_ptr<Facts> facts_;
};

}  // namespace gen9::clip
