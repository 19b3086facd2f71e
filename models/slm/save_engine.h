// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "common/environment.h"
#include "common/signals.h"
#include "common/stats.h"
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/memory_port.h"
#include "slm/core.h"

namespace gen9::slm {

struct SaveStats : StatSet {
    using StatSet::StatSet;
    Counter lines_saved{*this, "lines_saved", "requests", "Save SLM requests sent to L3."};
    Counter lines_restored{*this, "lines_restored", "requests", "Restore SLM requests sent to L3."};
};

struct SaveSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal lines_left{*this, "lines_left", 11, SignalForm::Decimal,
                      "Requests of a save or a restore still to be sent."};
};

/// SaveEngine: moves the shared local memory of a subslice to memory and back (PRE-20).
/// Role     on the state arbiter's word walks the memory, a request of a line after the other
/// Sockets  control_in  target     base protocol  8 bytes, an address: what is written to kSave is
///                                 saved there, to kRestore restored from there; non-blocking, the
///                                 response begins when it is done
///          mem_out     initiator  base protocol  lines, to L3
/// Order    one request a cycle, as L3 takes them. A save is done when L3 has taken the last one
///          (PRE-22). Assumed: a restore is done when the last has been answered, for the data port
///          does not reach SLM through L3 here.
/// Not here whether messages to SLM are outstanding, alignment (dispatcher/); priority (l3/)
/// Spec     PRE-20, PRE-22, PRE-23; 003:18944-18971
class SaveEngine : public sc_core::sc_module, public Block {
  public:
    static constexpr std::uint64_t kSave = 0, kRestore = 8;

    TargetSocket<MemoryProtocol> control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    SaveStats stats;
    SaveSignals signals;

    SaveEngine(sc_core::sc_module_name name, Environment& env, const Clock& clock, SlmCore& core);
    /// Accesses to memory that are on their way.
    std::size_t transactions() const { return pool_.in_flight(); }

  private:
    using Payload = tlm::tlm_generic_payload;
    bool begin(Payload& order);
    unsigned lines() const { return core_.size() / kLineBytes; }
    bool restores() const { return order_->get_address() == kRestore; }
    MemoryTransaction& make_line();
    void take(MemoryTransaction& line);
    void process();
    void finish(Cycles at);

    Environment& env_;
    const Clock& clock_;
    SlmCore& core_;
    RequestPort port_;
    Wakeup wakeup_;
    MemoryPool pool_;
    Payload* order_ = nullptr;  ///< not yet answered
    std::uint64_t base_ = 0;
    unsigned next_ = 0;        ///< line to be sent next
    unsigned unanswered_ = 0;  ///< lines of a restore
};

}  // namespace gen9::slm
