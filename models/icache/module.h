// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "icache/interface.h"
#include "icache/params.h"
#include "icache/stats.h"
#include "icache/tags.h"
#include "interconnect/arbiter/intake.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/observe/access_observer.h"

namespace gen9::icache {

/// InstructionCache: the instruction cache of one subslice.
/// Role     gives the EUs of a subslice their instruction lines, from itself or from L3.
/// Sockets  mem_in[eu]   target     memory   whole lines, read; index = EuId
///          mem_out      initiator  memory   to L3, whole lines, read
///          control_in   target     memory   Control: invalidate_instruction drops everything, also
///                                           what the EUs keep (invalidate_direct_mem_ptr)
/// Params   params.h
/// Order    one lookup a cycle; of an EU in order, between EUs by the arbiter
/// Not here what the EUs keep of the code (eu/fetch/line_buffer.h, eu/fetch/program.h)
/// Spec     L3-18; 003:19102 (no coherency with data writes), 003:22303
class InstructionCache : public sc_core::sc_module,
                         public InstructionCacheBlock,
                         public AccessSource {
  private:
    InstructionCacheParams params_;

  public:
    std::vector<std::unique_ptr<TargetSocket<MemoryProtocol>>> mem_in;
    InitiatorSocket<MemoryProtocol> mem_out;
    ControlTarget control_in{"control_in"};

    InstructionCache(sc_core::sc_module_name name, Environment& environment, const Clock& clock,
                     unsigned eus);
    ~InstructionCache() override;

    const InstructionCacheParams& params() const { return params_; }
    const InstructionCacheStats& stats() const { return stats_; }
    /// No request waits, and L3 owes no line.
    bool idle() const override { return requests_.empty() && pool_.in_flight() == 0; }
    InstructionCacheSockets sockets() override {
        return {every<AnyTarget<MemoryProtocol>>(mem_in), mem_out, control_in};
    }
    void settle() override { account_.settle(clock_.now()); }

  private:
    /// An EU's request, from its call until its lookup.
    using Requests = Intake<tlm::tlm_generic_payload*>;
    using Request = Requests::Entry;
    /// A line asked of L3, and who waits for it. Free when it has no fetch.
    struct Miss {
        GpuAddr line;
        MemoryTransaction* fetch = nullptr;
        std::vector<Request> waiting;
        bool stale = false;  ///< asked before an invalidation: given to those who wait, not kept
        bool arrived = false;
        Cycles at;  ///< of its arrival
    };

    // Functional mode and control.
    void on_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned on_debug(tlm::tlm_generic_payload& payload) {
        asked_ = true;
        return mem_out->transport_dbg(payload);
    }
    void invalidate();

    // Timed mode.
    tlm::tlm_sync_enum on_request(unsigned eu, tlm::tlm_generic_payload& payload,
                                  tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void on_fill(tlm::tlm_generic_payload& payload, Cycles at);
    void run();
    /// Looks a request up; false when it must wait for a free miss entry.
    bool look_up(const Request& request);
    void tell(const Request& request, bool hit) const;
    void send_misses();
    /// Takes the lines that came before this cycle.
    void take_fills(Cycles now);
    void answer(const Request& request, const std::uint8_t* bytes, tlm::tlm_response_status status,
                Cycles at);

    Environment& environment_;
    const Clock& clock_;
    InstructionCacheStats stats_;
    InstructionCacheSignals signals_;
    CycleAccount<Activity, kActivities> account_{stats_.cycles};
    Wakeup wakeup_;
    Tags tags_;
    MemoryPool pool_;
    Requests requests_;
    bool asked_ = true;     ///< an EU may hold what was read since all were told to drop it
    bool blocked_ = false;  ///< the next request waits for a free miss entry
    Cycles next_lookup_;
    std::vector<Miss> misses_;  ///< as many as can be out
    std::deque<MemoryTransaction*> unsent_;
    RequestPort out_;
};

}  // namespace gen9::icache
