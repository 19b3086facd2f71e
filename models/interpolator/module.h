// SPDX-License-Identifier: Apache-2.0
/// Interpolator: pixel interpolator of one subslice (module half; what messages mean is in core.h).
/// Role     takes messages of function 11 and answers them with barycentrics
/// Sockets  msg_in[n]  target  Message  function 11, one per EU of the subslice
/// Params   params.h
/// Order    messages of an EU by arrival, between EUs by the arbiter; one at a time
/// Not here the record of the pixels, which pixel dispatch owns (pixel_record.h)
/// Spec     PI-01..PI-17; 003:8214-8420
#pragma once
#include <optional>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/message_server.h"
#include "interpolator/core.h"
#include "interpolator/interface.h"
#include "interpolator/params.h"
#include "interpolator/signals.h"
#include "interpolator/stats.h"

namespace gen9::interpolator {

class Interpolator : public sc_core::sc_module, public InterpolatorBlock {
  public:
    Interpolator(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus);
    ~Interpolator() override;

    MessageSockets msg_in;

    const InterpolatorStats& stats() const { return stats_; }
    InterpolatorSockets sockets() override { return {every<AnyTarget<MessageProtocol>>(msg_in)}; }
    bool idle() const override { return server_.idle(); }
    void settle() override { account_.settle(clock_.now()); }

  private:
    void run();
    void execute(Message& message);
    void refuse(Message& message, const char* why) const;

    Environment& env_;
    const Clock& clock_;
    InterpolatorParams params_;
    InterpolatorStats stats_;
    InterpolatorSignals signals_;
    CycleAccount<Activity, kActivities> account_{stats_.cycles};
    Wakeup wakeup_;
    MessageServer<MessageFlight> server_;
    std::optional<std::uint64_t> draw_;  ///< that `facts_` are of
    DrawFacts facts_;
};

}  // namespace gen9::interpolator
