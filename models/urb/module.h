// SPDX-License-Identifier: Apache-2.0
/// Urb: URB shared function of one subslice (module half; what messages mean is in core.h).
/// Role     takes messages of function 6, accesses the URB's lines in L3, answers
/// Sockets  msg_in[n]  target     Message  function 6, one per EU of the subslice
///          mem_out    initiator  memory   lines of the URB (AddressSpace::Urb), to L3
/// Params   params.h
/// Order    messages of an EU by arrival, between EUs by the arbiter, one a cycle; their accesses
///          leave in that order, one a cycle; answers come when the last access is done
/// Not here the fixed functions' own use of the URB
/// Spec     URB-01..URB-38; 003:8423-9013
#pragma once
#include <deque>
#include <memory>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/intake.h"
#include "interconnect/memory_port.h"
#include "interconnect/message.h"
#include "urb/core.h"
#include "urb/interface.h"
#include "urb/params.h"
#include "urb/signals.h"
#include "urb/stats.h"

namespace gen9::urb {

class Urb : public sc_core::sc_module, public UrbBlock {
  public:
    Urb(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus);
    ~Urb() override;

    std::deque<TargetSocket<MessageProtocol>> msg_in;
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};

    const UrbStats& stats() const { return stats_; }
    UrbSockets sockets() override { return {every<AnyTarget<MessageProtocol>>(msg_in), mem_out}; }
    bool idle() const override { return inbox_.empty() && in_flight_ == 0; }
    void settle() override { account_.settle(clock_.now()); }

  private:
    /// A message that has started and is not answered.
    struct Flight {
        Message* message = nullptr;
        unsigned number = 0, port = 0;
        std::size_t sent = 0, answered = 0;
        Cycles ready;     ///< its accesses may leave from then on
        Cycles complete;  ///< latest answer so far
        Plan plan;
    };

    tlm::tlm_sync_enum on_message(unsigned port, Message&, tlm::tlm_phase&, sc_core::sc_time&);
    void run();
    void start(const Intake<Message*>::Entry& queued, Cycles now);
    void send(Cycles now);
    void answered(tlm::tlm_generic_payload& payload, Cycles at);
    void finish(Flight& flight, Cycles now);
    void tell(unsigned port, Message& message, tlm::tlm_phase phase, Cycles when);
    void execute(Message& message);
    /// Plans, counts and reports.
    void prepare(Message& message, Plan& plan);
    void fill(MemoryTransaction& transaction, const Plan& plan, const LineGroup& group,
              const Message& message) const;
    static void take(const MemoryTransaction& transaction, const Plan& plan, const LineGroup& group,
                     Message& message);
    Flight& new_flight();

    Environment& env_;
    const Clock& clock_;
    UrbParams params_;
    UrbStats stats_;
    UrbSignals signals_;
    CycleAccount<Activity, kActivities> account_{stats_.cycles};
    const Settings settings_;
    RequestPort port_;
    MemoryPool pool_;
    Wakeup wakeup_;
    Plan functional_plan_;
    MemoryTransaction functional_{nullptr};

    Intake<Message*> inbox_;
    std::vector<std::unique_ptr<Flight>> flights_;
    std::vector<Flight*> free_flights_;
    std::deque<Flight*> sending_;
    unsigned in_flight_ = 0;
    Cycles next_start_, next_send_;
    Cycles completed_;  ///< latest answer from L3 so far
};

}  // namespace gen9::urb
