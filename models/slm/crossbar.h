// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "common/signals.h"
#include "common/stats.h"
#include "interconnect/arbiter/arbiter_params.h"
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/memory_port.h"

namespace gen9::slm {

struct CrossbarParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams ports{*this, "Which data port's request goes to a shared local memory first.",
                        "oldest_first", "Assumed: as all accesses of SLM, in order of arrival"};
    Param link_cycles{
        *this,
        {"link_cycles", "cycles",
         "What the way to the shared local memory of another subslice takes more than that to "
         "the own one, in each direction.",
         "Assumed: no public document has the way or its latency (POOL-10)"},
        4,
        0,
        1000};
    Param queue{*this,
                {"queue", "requests", "Requests of each data port held.",
                 "Assumed: as those of SLM (DP-223)"},
                8,
                1,
                1024};
};

/// A cycle of the crossbar is spent on the first of these that holds.
enum class CrossbarUse : std::uint8_t { Busy, Stalled, Memory, Passing, Idle };
inline constexpr unsigned kCrossbarUses = 5;

struct CrossbarStats : StatSet {
    using StatSet::StatSet;
    Counter local{*this, "local", "requests", "Requests to the SLM of the own subslice."};
    Counter remote{*this, "remote", "requests", "Requests to the SLM of another subslice."};
    Counter wait_cycles{*this, "wait_cycles", "request-cycles",
                        "Cycles requests waited for the SLM, for others of their data port before "
                        "them, or for those of other data ports."};
    /// By CrossbarUse; together they are all cycles.
    std::array<Counter, kCrossbarUses> cycles{{
        {*this, "busy_cycles", "cycles", "Cycles in which a request went to an SLM."},
        {*this, "stalled_cycles", "cycles",
         "Cycles in which requests were there and the SLM they are for took none."},
        {*this, "memory_cycles", "cycles", "Cycles in which an SLM owed an answer."},
        {*this, "passing_cycles", "cycles",
         "Cycles with no more than requests or answers on their way between subslices."},
        {*this, "idle_cycles", "cycles",
         "Cycles without a request, or in which the first one arrived."},
    }};
};

struct CrossbarSignals : SignalSet {
    CrossbarSignals(std::string path, unsigned subslices);
    std::deque<Signal> waiting;  ///< by data port
    std::deque<Signal> sent;     ///< by SLM
    Signal remote{*this, "remote", 8, SignalForm::Decimal,
                  "Requests sent to the SLM of another subslice in this cycle."};
};

/// Crossbar: the way from the data ports of a slice to the shared local memory of all its subslices
/// (POOL-10). It is there in products whose subslices share that memory.
/// Role     hands each request to the SLM that its address names, and the answer back
/// Sockets  mem_in[s]   target     base protocol  data port of subslice s; bits 15:0 of the address
///                                 are within an SLM, those above count subslices from s on
///          mem_out[s]  initiator  base protocol  the SLM of subslice s, addresses within it
/// Params   CrossbarParams   Order  of one data port as it came; at an SLM by the arbiter
/// Not here which SLM a group has, and of how many there are (dispatcher/)
/// Spec     POOL-10, SLM-15; 000:933-939, 000:994-1000. Public documents say that the subslices
///          share the banks, not how a request gets there: a crossbar is Assumed
class Crossbar : public sc_core::sc_module, public Block {
  public:
    CrossbarParams params;
    std::deque<TargetSocket<MemoryProtocol>> mem_in;
    std::deque<InitiatorSocket<MemoryProtocol>> mem_out;
    CrossbarStats stats;
    CrossbarSignals signals;

    Crossbar(sc_core::sc_module_name name, Environment& env, const Clock& clock,
             unsigned subslices);
    ~Crossbar() override;

    /// Brings the counters of cycles up to now.
    void settle() override { account_.settle(clock_.now()); }

  private:
    using Payload = tlm::tlm_generic_payload;
    /// A request that has been sent on.
    struct Sent {
        const Payload* payload;
        unsigned from;
    };

    void connect(unsigned subslice);
    unsigned target_of(unsigned from, const Payload& payload) const;
    Cycles link(bool remote) const { return Cycles(remote ? params.link_cycles.get() : 0); }
    unsigned enter(unsigned from, Payload& payload);
    void blocking(unsigned from, Payload& payload, sc_core::sc_time& delay);
    bool direct(unsigned from, Payload& payload, tlm::tlm_dmi& dmi);
    void process();
    void send(unsigned from, unsigned to, Cycles now);
    void answer(unsigned to, Payload& payload, Cycles at);
    bool owes_answers() const;

    Environment& env_;
    const Clock& clock_;
    Wakeup wakeup_;
    std::deque<RequestQueue> queues_;      ///< by data port
    std::deque<RequestPort> ports_;        ///< by SLM
    std::vector<Arbiter> arbiters_;        ///< by SLM
    std::vector<std::vector<Sent>> sent_;  ///< by SLM, not yet answered
    CycleAccount<CrossbarUse, kCrossbarUses> account_{stats.cycles};
};

}  // namespace gen9::slm
