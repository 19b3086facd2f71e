// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <memory>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/message_server.h"
#include "vme/core.h"
#include "vme/interface.h"
#include "vme/params.h"
#include "vme/signals.h"
#include "vme/socket_memory.h"
#include "vme/stats.h"

namespace gen9::vme {

/// Motion estimation of a subslice (module half; what messages mean is in core.h).
/// Role     takes the messages of functions 8 and D, fetches the pixels of their blocks and windows
///          from L3, lets one of two engines work on each, answers
/// Sockets  msg_in[n]   target     Message            from EU n of the subslice
///          control_in  target     memory (Control)   invalidation of states
///          mem_out     initiator  memory             to L3
/// Params   params.h
/// Order    messages start in order of arrival, between EUs by the arbiter; their lines are asked
///          for in that order, one a cycle; an engine takes the message whose last line came first.
///          Answers come as messages are done
/// Not here a cache of pixels: each message fetches its own lines
/// Spec     VME-01..VME-74; 003:9145-10040. Two engines, one for IME and IDM and one for SIC and FBR:
///          Assumed, from the two function ids
class Vme : public sc_core::sc_module, public VmeBlock {
  public:
    VmeParams params;
    MessageSockets msg_in;
    ControlTarget control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    VmeStats stats;
    VmeSignals signals;

    Vme(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus);
    ~Vme() override;
    VmeSockets sockets() override {
        return {every<AnyTarget<MessageProtocol>>(msg_in), control_in, mem_out};
    }
    bool idle() const override { return server_.idle(); }
    void settle() override {
        if (env_.timed()) account_.settle(clock_.now());
    }

  private:
    struct Flight : RequestFlight {
        Request request;
    };
    /// An engine, and the message that it works on.
    struct Engine {
        Flight* flight = nullptr;
        Cycles end;
        DoneList<Flight> waiting;
    };
    static constexpr unsigned kEngines = 2;

    void execute(Message& message);
    void step();
    void start(Flight& flight, Cycles now);
    void send(Cycles now);
    void fetched(MemoryTransaction& transaction, Cycles at);
    void work(Engine& engine, Cycles now);
    void answer(Flight& flight, Cycles now);
    Cycles cycles_of(const Effort& effort) const;
    Activity activity(Cycles now) const;
    void show(Cycles now);
    static unsigned engine_of(const Message& message) {
        return message.sfid == Sfid::CheckRefine ? 1 : 0;
    }

    Environment& env_;
    const Clock& clock_;
    SocketMemory memory_;
    Core core_;
    std::unique_ptr<Request> functional_ = std::make_unique<Request>();
    Wakeup wakeup_;
    RequestPath<Flight> lines_;
    MessageServer<Flight> server_;
    ResponseBus responses_;
    std::array<Engine, kEngines> engines_;
    std::uint64_t lines_due_ = 0;
    CycleAccount<Activity, kActivities, Activity::Idle> account_{
        {&stats.idle_cycles, &stats.busy_cycles, &stats.fetch_cycles, &stats.stall_memory_cycles,
         &stats.stall_full_cycles, &stats.waiting_cycles, &stats.front_end_cycles,
         &stats.return_cycles}};
    Cycles sent_;      ///< the cycle in which a line was asked for last
    Cycles returned_;  ///< the last answer is at its EU
};

}  // namespace gen9::vme
