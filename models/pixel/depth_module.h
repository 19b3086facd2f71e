// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/environment.h"
#include "interconnect/kernel/stage.h"
#include "pixel/interface.h"
#include "pixel/params.h"
#include "pixel/stats.h"

namespace gen9::pixel {

class DepthUnit : public sc_core::sc_module, public DepthBlock {
  public:
    DepthUnit(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~DepthUnit() override;

    TargetSocket<PixelProtocol> pixel_in{"pixel_in"};
    TargetSocket<DepthTestProtocol> late_in{"late_in"};
    TargetSocket<MemoryProtocol> control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<PixelProtocol> pixel_out{"pixel_out"};

    DepthSockets sockets() override { return {pixel_in, late_in, control_in, mem_out, pixel_out}; }
    std::uint64_t depth_count() const override { return passed_; }
    bool idle() const override { return input_.idle(); }
    void settle() override { account_.settle(clock_.now()); }

  private:
    void step();

    Environment& env_;
    const Clock& clock_;
    DepthParams params_;
    DepthStats stats_;
    StageSignals signals_;
    Wakeup wakeup_;
    StageInput<PixelProtocol> input_;
    StageOutput<PixelProtocol> output_;
    StageAccount account_;
    std::uint64_t passed_ = 0;
};

}  // namespace gen9::pixel
