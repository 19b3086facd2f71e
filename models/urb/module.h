// SPDX-License-Identifier: Apache-2.0
/// Urb: URB shared function of one subslice (module half; what messages mean is in core.h).
/// Role     takes messages of function 6, accesses the URB's lines in L3, answers
/// Sockets  msg_in[n]  target     Message  function 6, one per EU of the subslice
///          mem_out    initiator  memory   lines of the URB (AddressSpace::Urb), to L3
/// Params   params.h
/// Order    messages of an EU by arrival, between EUs by the arbiter, one a cycle; their accesses
///          leave in that order, one a cycle; answers come when the last access is done
/// Not here the fixed functions' own use of the URB
/// Direct   in functional mode SIMD8 reads and writes are calls, where L3 grants the URB's bytes
/// Spec     URB-01..URB-38; 003:8423-9013
#pragma once
#include <memory>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/granted_urb.h"
#include "interconnect/kernel/message_server.h"
#include "urb/core.h"
#include "urb/interface.h"
#include "urb/params.h"
#include "urb/signals.h"
#include "urb/stats.h"

namespace gen9::urb {

class Urb : public sc_core::sc_module, public UrbBlock, private DirectFunction {
  public:
    Urb(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus);
    ~Urb() override;

    MessageSockets msg_in;
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};

    const UrbStats& stats() const { return stats_; }
    UrbSockets sockets() override { return {every<AnyTarget<MessageProtocol>>(msg_in), mem_out}; }
    bool idle() const override { return server_.idle(); }
    void settle() override { account_.settle(clock_.now()); }

  private:
    class Simd8Site;
    std::unique_ptr<DirectSite> site(const SendForm& form) override;

    struct Flight : RequestFlight {
        Plan plan;
    };

    void run();
    void start(Flight& flight, Cycles now);
    void send(Cycles now);
    void answered(MemoryTransaction& transaction, Cycles at);
    void finish(Flight& flight, Cycles now);
    void execute(Message& message);
    /// Plans, counts and reports.
    void prepare(Message& message, Plan& plan);
    void fill(MemoryTransaction& transaction, const Plan& plan, const LineGroup& group,
              const Message& message) const;
    static void take(const MemoryTransaction& transaction, const Plan& plan, const LineGroup& group,
                     Message& message);

    Environment& env_;
    const Clock& clock_;
    UrbParams params_;
    UrbStats stats_;
    UrbSignals signals_;
    CycleAccount<Activity, kActivities> account_{stats_.cycles};
    const Settings settings_;
    MemoryPool pool_;
    Wakeup wakeup_;
    RequestPath<Flight> lines_;
    Plan functional_plan_;
    MemoryTransaction functional_{nullptr};
    GrantedUrb granted_{mem_out};

    MessageServer<Flight> server_;
    Cycles completed_;  ///< latest answer from L3 so far
};

}  // namespace gen9::urb
