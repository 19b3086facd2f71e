// SPDX-License-Identifier: Apache-2.0
/// Gateway: message gateway of one subslice (module half; the rules are in core.h).
/// Role     holds barrier messages until their barrier opens, answers timestamps, takes end of
///          thread messages sent to function 3
/// Sockets  msg_in[n]  target  Message  function 3, one per EU of the subslice; non-blocking in
///                                      both modes
///          reg_in     target  memory   thread count of a barrier at 4 * its id, 0 frees it;
///                                      blocking. At 0x80 + 4 * id, non-blocking: this subslice's
///                                      share of a global barrier; the response begins when it has
///                                      arrived, the next such write completes the round. At
///                                      0x100: threads are saved (kGiveBack)
/// Params   params.h
/// Order    messages of an EU by arrival, between EUs by the arbiter; one message a cycle
/// Not here who has a share in a global barrier (the spawner knows)
/// Spec     GW-01..GW-40, TD-53..58; 003:9016-9145
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "gateway/core.h"
#include "gateway/direct.h"
#include "gateway/interface.h"
#include "gateway/params.h"
#include "gateway/signals.h"
#include "gateway/stats.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/message_server.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/object_pool.h"

namespace gen9::gateway {

/// The address at which `reg_in` takes shares of global barriers.
inline constexpr std::uint64_t kGlobalBarriers = 0x80;
/// 1 there: messages that wait at barriers, and those that come, are given back; 0: no longer.
inline constexpr std::uint64_t kGiveBack = 0x100;

/// A message that has come and is not worked on yet.
struct Queued {
    Message* message = nullptr;
    DirectAnswers* answers = nullptr;  ///< of a call
};

class Gateway : public sc_core::sc_module, public GatewayBlock {
  public:
    Gateway(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus);
    ~Gateway() override;

    MessageSockets msg_in;
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};

    /// Which barriers wait for how many threads; empty when none does. For the report of a hung
    /// engine.
    std::string describe_waiting() const override;
    const GatewayStats& stats() const { return stats_; }
    GatewaySockets sockets() override {
        return {every<AnyTarget<MessageProtocol>>(msg_in), reg_in};
    }
    void settle() override { account_.settle(clock_.now()); }

    // Barrier messages as calls (direct.h).
    /// Takes one whose sender, descriptors, payload and answers are given. `ip`: of its send. False:
    /// it has a predicate, and is to be sent.
    bool receive_direct(Waiting& call, std::uint32_t ip);

  private:
    void run();
    void queue(unsigned port, Cycles arrival, const Queued& queued);
    Intake<Queued>::Entry next(Cycles handled);
    void take(const Intake<Queued>::Entry& queued, Cycles handled, Cycles now);
    /// Sends END_REQ or BEGIN_RESP so that it takes effect at `when`, with due notice.
    void tell(const Waiting& to, tlm::tlm_phase phase, Cycles when, Cycles now);
    void report(const Message& message, const GatewayCore::Problem& problem);
    void arrive(const Waiting& sender, Cycles now);
    void tell_released(Cycles now);
    /// The message that the arrival of a call would be.
    Message& message_of(const Waiting& call);
    void give_back(bool all_that_come);
    void show(Cycles now);
    void account_waiting(Cycles now) {
        if (!env_.timed()) return;
        account_.set(Activity::Barrier, now, core_.waiting() != 0 ? account_.kOpen : now);
    }

    void receive(unsigned port, Message& message, const sc_core::sc_time& delay);
    void on_register(tlm::tlm_generic_payload&, sc_core::sc_time&);
    tlm::tlm_sync_enum on_share(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&);
    /// Answers the write that armed a global barrier: its share has arrived, or it is given up.
    void answer_share(unsigned id, Cycles delay);
    std::uint64_t picoseconds(Cycles at) const;

    Environment& env_;
    const Clock& clock_;
    GatewayParams params_;
    GatewayStats stats_;
    CycleAccount<Activity, kActivities> account_{stats_.cycles};
    GatewaySignals signals_;
    GatewayCore core_;
    Wakeup wakeup_;
    MessagePorts ports_;
    Intake<Queued> inbox_;
    // They say when the first in it arrived, and whether all arrived in that cycle.
    Cycles arrived_at_;
    bool arrived_together_ = true;
    ObjectPool<Message> direct_messages_;                    ///< made of calls
    std::vector<std::unique_ptr<DirectPort>> direct_ports_;  ///< by EU
    Cycles free_at_;  ///< timed mode: the gateway can take the next message
    bool gives_back_ = false;
    std::vector<Waiting> released_, abandoned_;
    std::vector<Waiting> told_later_;  ///< released by a call, and told when the gateway runs
    std::array<tlm::tlm_generic_payload*, kBarriers> shares_{};  ///< unanswered
};

}  // namespace gen9::gateway
