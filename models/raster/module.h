// SPDX-License-Identifier: Apache-2.0
/// Raster: rasteriser of a slice (module half; coverage is in coverage.h, state in decode.h).
/// Role     scans objects, keeps what lies in the parts of the screen that its slice owns
/// Sockets  object_in  target     objects  from set-up, which gives all slices the same ones
///          pixel_out  initiator  pixels   blocks of 8x4 pixels, to the depth unit
/// Params   params.h
/// Order    objects in order of arrival, and their blocks with them; of one object in the order of
///          coverage.h
/// Not here early tests of depth (the next stage)
/// Spec     WM-04..WM-35; 003:15207-15699
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "common/environment.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/observe/stage_account.h"
#include "interconnect/payload/object_pool.h"
#include "raster/coverage.h"
#include "raster/decode.h"
#include "raster/interface.h"
#include "raster/params.h"
#include "raster/stats.h"

namespace gen9::raster {

class Raster : public sc_core::sc_module, public RasterBlock {
  public:
    Raster(sc_core::sc_module_name name, Environment& env, const Clock& clock,
           const RasterSetup& setup);
    ~Raster() override;

    TargetSocket<ObjectProtocol> object_in{"object_in"};
    InitiatorSocket<PixelProtocol> pixel_out{"pixel_out"};

    const RasterStats& stats() const { return stats_; }
    RasterSockets sockets() override { return {object_in, pixel_out}; }
    bool idle() const override { return input_.idle(); }
    void settle() override { account_.settle(clock_.now()); }
    std::string describe_waiting() const override;
    std::uint64_t progress() const override {
        return stats_.blocks.value() + stats_.objects.value();
    }

  private:
    /// A batch of objects from when it is taken to its end.
    struct Job {
        ObjectBatch* batch = nullptr;
        unsigned next = 0;     ///< of its objects
        bool scanned = false;  ///< all of them have been
        unsigned open = 0;     ///< batches made of it that have not ended
        Cycles ended;          ///< the last end so far
    };
    struct Made : PixelBatch {
        Job* job = nullptr;
    };

    void step();
    StageActivity work(Cycles now);
    /// Scans until a batch is full. Gives the cycles that it takes.
    Cycles fill(Job& job, Made& made);
    void begin_object(Job& job);
    bool owns(const PixelBlock& block) const;
    void end_if_over(Job& job, Cycles at);

    Environment& env_;
    const Clock& clock_;
    const RasterSetup setup_;
    RasterParams params_;
    const unsigned tile_shift_;
    RasterStats stats_;
    StageSignals signals_;
    StageAccount account_{stats_, signals_};
    Wakeup wakeup_;
    StageInput<ObjectProtocol> input_;
    StageOutput<PixelProtocol> output_;
    ObjectPool<Job> jobs_pool_;
    ObjectPool<Made> made_pool_;
    Job* job_ = nullptr;                ///< that is scanned
    Made* made_ = nullptr;              ///< of it
    Cycles made_at_;                    ///< it is ready to leave then
    std::optional<Coverage> coverage_;  ///< of its object `next` - 1, until that is scanned
    std::uint64_t order_ = 0;           ///< of the draw that `state_` is of
    State state_;
    std::uint32_t stipple_ = 0;  ///< pixels of the line pattern that have been passed
};

}  // namespace gen9::raster
