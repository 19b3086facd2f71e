// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth_module.h"

namespace gen9::pixel {

DepthUnit::DepthUnit(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_module(module_name),
      DepthBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      input_(pixel_in, env, clock, wakeup_, params_.queue_batches),
      output_(pixel_out, clock, wakeup_),
      account_(stats_, signals_) {
    enlist(env, params_, stats_, signals_);
    late_in.on_blocking = [](DepthTest&, sc_core::sc_time&) {};
    control_in.on_blocking = [](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    output_.on_ended = [this](PixelBatch& batch, Cycles at) { input_.end(batch, at); };
    wakeup_.runs<&DepthUnit::step>(this);
}

DepthUnit::~DepthUnit() = default;

void DepthUnit::step() {
    const Cycles now = clock_.now();
    while (input_.front(now) != nullptr && output_.can_send(now)) {
        PixelBatch& batch = input_.take(now);
        ++stats_.batches;
        output_.send(batch);
    }
    account_.hold(input_.front(now) != nullptr ? StageActivity::WaitNext
                  : input_.idle()              ? StageActivity::Idle
                                               : StageActivity::WaitThreads,
                  now);
}

}  // namespace gen9::pixel
