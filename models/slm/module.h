// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <systemc>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/observe/access_observer.h"
#include "slm/core.h"
#include "slm/interface.h"
#include "slm/params.h"
#include "slm/save_engine.h"

namespace gen9::slm {

/// Slm: the shared local memory of one subslice (module half; bytes and conflicts are in core.h).
/// Role     serves its data port's accesses in order: one row of 16 words read and one written per
///          cycle, longer where banks conflict; atomics use both pipes.
/// Sockets  mem_in  target  base protocol  Lanes or plain access, addresses modulo its size
/// Params   params.h   Order  in order of arrival; an access takes effect when it is served
/// Not here allocation (dispatcher/); accesses while SLM is disabled (hdc/); saving (save_engine.h)
/// Spec     SLM-01, SLM-09..SLM-12, L3-07, L3-10, L3-21, L3-61, DP-220
class Slm : public sc_core::sc_module, public SlmBlock, public AccessSource {
  public:
    SlmParams params;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    AccountedSlmStats stats;
    SlmSignals signals;

    /// `saves`: with the engine that saves it; `bytes`: its size, a power of two.
    Slm(sc_core::sc_module_name name, Environment& env, const Clock& clock, bool saves = false,
        std::uint32_t bytes = SlmCore::kBytes);
    ~Slm() override;

    std::unique_ptr<SaveEngine> save_engine;

    SlmSockets sockets() override;
    void settle() override { account_.settle(clock_.now()); }

  private:
    using Payload = tlm::tlm_generic_payload;
    struct Work {
        unsigned cycles = 1;  ///< the pipes are busy
        bool read = false, write = false;
    };
    Work plan(const Payload& payload) const;
    void perform(Payload& payload, Work work);
    [[gnu::cold]] void tell(Payload& payload, Work work) const;
    [[gnu::cold]] void show(const Payload& payload, Work work, Cycles now, Cycles end);
    void blocking(Payload& payload, sc_core::sc_time& delay);
    bool direct(tlm::tlm_dmi& dmi);
    unsigned debug(Payload& payload);
    void process();

    Environment& env_;
    const Clock& clock_;
    SlmCore core_;
    RequestQueue queue_;
    Wakeup wakeup_;
    unsigned banks_;
    CycleAccount<Activity, kActivities> account_{stats.cycles};
    Cycles read_free_, write_free_;  ///< first cycle the pipe can start another request
};

}  // namespace gen9::slm
