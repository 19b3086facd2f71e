// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <systemc>

#include "common/environment.h"
#include "hdc/access/direct.h"
#include "hdc/access/functional.h"
#include "hdc/access/socket_memory.h"
#include "hdc/access/timed.h"
#include "hdc/access/watcher.h"
#include "hdc/core.h"
#include "hdc/interface.h"
#include "hdc/params.h"
#include "hdc/stats.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::hdc {

/// Data port of a subslice (module half; the rules are in core.h).
/// Role     takes the messages of data port 0 and 1 and the constant cache, sends line requests to
///          L3 and lane requests to SLM, answers when the last has come back
/// Sockets  msg_in[n]   target     Message                       from EU n of the subslice
///          control_in  target     memory (Control)              state cache invalidation, settling
///          reg_in      target     register writes               L3CNTLREG: is there an SLM?
///          mem_out     initiator  memory                        to L3
///          slm_out     initiator  memory (Lanes, address 0)     to SLM; address 64 KB * n: of the
///                                                            n-th subslice after the own one
/// Params   params.h        Order  see timed.h
/// Spec     DP-001..DP-224; 003:4828-7582
class Hdc : public sc_core::sc_module, public HdcBlock {
  public:
    HdcParams params;
    MessageSockets msg_in;
    ControlTarget control_in{"control_in"};
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<MemoryProtocol> slm_out{"slm_out"};
    HdcStats stats;
    HdcSignals signals;

    /// `slm_bytes`: size of the subslice's SLM, a power of two.
    Hdc(sc_core::sc_module_name name, Environment& env, const Clock& clock, unsigned eus,
        std::uint32_t slm_bytes = kSlmBytes);
    ~Hdc() override;

    /// A write to L3CNTLREG does this: without SLM, accesses to it are refused (SLM-14).
    void set_slm_enabled(bool enabled) { core_.set_slm_enabled(enabled); }
    /// Counts what each message accesses by walker, too.
    void count_in(BytesByWork& bytes) { core_.count_in(bytes); }
    /// From now on, in functional mode, the watcher is told of what messages do to memory.
    void watch(AccessWatcher& watcher);
    HdcSockets sockets() override {
        return {every<AnyTarget<MessageProtocol>>(msg_in), control_in, reg_in, mem_out, slm_out};
    }
    std::uint64_t queue_depth() const override { return params.queue_depth; }
    bool idle() const override { return timed_.idle(); }
    /// Transactions of its own that are under way: 0 when idle.
    std::size_t in_flight() const { return socket_memory_.in_flight(); }

    void settle() override {
        if (env_.timed()) timed_.settle();
    }

  private:
    void step();
    /// Returns when no message is under way (CS-53); called in the command streamer's thread.
    void wait_until_idle();
    void execute(Message& message);
    void invalidate();

    Environment& env_;
    const Clock& clock_;
    SocketMemory socket_memory_;
    Core core_;
    FunctionalDriver functional_;
    TypedTargets typed_;
    std::deque<DirectPort> direct_;  ///< by client
    Access access_;                  ///< of the message being executed in functional mode
    AccessWatcher* watcher_ = nullptr;
    Timed timed_;
    sc_core::sc_event settled_;
    bool settling_ = false;  ///< somebody waits for the event
};

}  // namespace gen9::hdc
