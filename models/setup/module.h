// SPDX-License-Identifier: Apache-2.0
/// Setup: strips and fans, and the set-up back end (module half; what an object becomes is in core.h,
/// state in decode.h).
/// Role     reads viewports, scissors and attributes, makes what rasterisers scan
/// Sockets  batch_in           target     clipped   from the clipper
///          mem_out            initiator  memory    URB entries (AddressSpace::Urb), viewports, scissors
///          object_out[slice]  initiator  objects   the same batches to all slices
/// Params   params.h
/// Order    objects in order of arrival; the next batch of objects leaves when all slices take it.
///          A batch's URB entries are free (VERTICES_READ) when its attributes have been read
/// Spec     SF-01..SF-63; 003:14363-15205
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/observe/stage_account.h"
#include "interconnect/payload/object_pool.h"
#include "setup/decode.h"
#include "setup/interface.h"
#include "setup/params.h"
#include "setup/stats.h"

namespace gen9::setup {

class Setup : public sc_core::sc_module, public SetupBlock {
  public:
    Setup(sc_core::sc_module_name name, Environment& env, const Clock& clock,
          const SetupSetup& setup);
    ~Setup() override;

    TargetSocket<ClippedProtocol> batch_in{"batch_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    std::vector<std::unique_ptr<InitiatorSocket<ObjectProtocol>>> object_out;

    const SetupStats& stats() const { return stats_; }
    SetupSockets sockets() override {
        return {batch_in, mem_out, every<AnyInitiator<ObjectProtocol>>(object_out)};
    }
    bool idle() const override { return input_.idle() && traffic_.idle(); }
    void settle() override { account_.settle(clock_.now()); }
    std::string describe_waiting() const override;
    std::uint64_t progress() const override { return stats_.objects.value(); }

  private:
    /// A draw is decoded once, for all its batches.
    struct Facts {
        std::uint64_t order = 0;
        Draw draw;
        InMemory places;
        LineTraffic::Group group = 0;
        bool reading = false;  ///< the group is open
        std::array<std::uint32_t, 16 * kViewportDwords> viewports{};
        std::array<std::uint32_t, 16 * kScissorDwords> scissors{};
    };
    /// A batch from its arrival to its end.
    struct Job {
        ClippedBatch* batch = nullptr;
        std::shared_ptr<Facts> facts;
        LineTraffic::Group group = 0;
        bool read = false;          ///< all that it reads is there
        bool entered = false;       ///< all its objects have been made
        std::uint32_t next = 0;     ///< of its objects
        std::uint32_t open = 0;     ///< batches made of it that have not ended
        unsigned entry_dwords = 0;  ///< of a vertex in `words`
        std::vector<std::uint32_t> words;
        std::vector<std::int32_t> places;  ///< in `words`, by vertex of the batch; -1: not read
    };
    struct Made : ObjectBatch {
        Job* job = nullptr;
        unsigned slices = 0;  ///< that have not ended it
        Cycles ended;         ///< the last end so far
    };

    void step();
    void begin(ClippedBatch& batch);
    void read_attributes(Job& job);
    std::shared_ptr<Facts> facts_of(const gen9::Draw& draw);
    bool read(Job& job, Cycles now);
    /// Makes objects of the job until a batch is full. Gives the cycles that it takes.
    Cycles fill(Job& job, Made& made);
    void fill_clear(Job& job, Made& made);
    void object_of(const Job& job, const ClippedObject& from, Object& to) const;
    void find_facts(const Job& job, std::uint32_t number, Object& object);
    void count(Discard why);
    StageActivity work(Cycles now);
    bool can_send(Cycles now) const;
    void send(Made& made);
    void ended(Made& made, Cycles at);
    void end_if_over(Job& job, Cycles at);

    Environment& env_;
    const Clock& clock_;
    SetupParams params_;
    SetupStats stats_;
    StageSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageInput<ClippedProtocol> input_;
    std::vector<std::unique_ptr<StageOutput<ObjectProtocol>>> outputs_;  ///< by slice
    LineTraffic traffic_;
    ObjectPool<Job> jobs_pool_;
    ObjectPool<Made> made_pool_;
    std::deque<Job*> jobs_;  ///< that have objects to be made
    Made* made_ = nullptr;   ///< of the first job
    Cycles made_at_;         ///< it is ready to leave then
    std::uint64_t order_ = 0;
    std::shared_ptr<Facts> facts_;
    /// Facts of the object that was cut last, for all its pieces.
    struct {
        bool known = false;
        std::uint32_t object = 0;
        ClippedFrom facts;
    } whole_;
};

}  // namespace gen9::setup
