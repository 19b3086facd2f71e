// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <systemc>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::platform {

/// A transaction in one line, for reports: id, address, what is done, with its lanes.
std::string transaction_text(const tlm::tlm_generic_payload& payload);

/// Beside: runs a block's model and its RTL on the same transactions and stops the run at the first
/// difference.
/// Role     gives each transaction to the model and a copy of it to the RTL; what the model answers
///          goes back. Compares the cycles of END_REQ and BEGIN_RESP, the status, the data read and
///          the lanes' results. Ends the responses of both at once, and waits in their place for an
///          initiator that takes its time: so this makes no difference between them
/// Sockets  mem_in     target     base protocol
///          model_out  initiator  base protocol  the transactions themselves
///          rtl_out    initiator  base protocol  their copies
class Beside : public sc_core::sc_module {
  public:
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    InitiatorSocket<MemoryProtocol> model_out{"model_out"}, rtl_out{"rtl_out"};

    Beside(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    /// Transactions that both have answered alike.
    std::uint64_t agreed() const { return agreed_; }
    bool idle() const { return under_way_.empty(); }

  private:
    using Payload = tlm::tlm_generic_payload;
    enum Side : unsigned { kModel, kRtl };
    struct Answer {
        Cycles at;
        tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
        std::array<std::uint8_t, kLineBytes> data{};
        std::array<std::uint64_t, LaneAccess::kMaxLanes> lanes{};
    };
    struct Transaction {
        std::uint64_t number = 0;
        Payload* original = nullptr;
        MemoryTransaction* copy = nullptr;
        std::string text;  ///< as it was sent
        std::array<std::optional<Cycles>, 2> accepted;
        std::array<std::optional<Answer>, 2> answer;
    };

    tlm::tlm_sync_enum send(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum came_back(Side side, Payload& payload, tlm::tlm_phase& phase,
                                 const sc_core::sc_time& delay);
    void blocking(Payload& payload, sc_core::sc_time& delay);
    unsigned debug(Payload& payload);
    MemoryTransaction* copy_of(const Payload& payload);
    Answer answer_of(const Payload& payload, Cycles at) const;
    /// The answer of a call of nb_transport_fw.
    void returned(Transaction& transaction, Side side, tlm::tlm_sync_enum answer,
                  const Payload& payload, tlm::tlm_phase phase, const sc_core::sc_time& delay);
    void accepted(Transaction& transaction, Side side, Cycles at);
    void answered(Transaction& transaction, Side side, const Payload& payload, Cycles at);
    void ask_last(Cycles now);
    /// How two answers differ; empty: not at all.
    std::string difference(const Transaction& transaction, const Answer& model,
                           const Answer& rtl) const;
    void stop(const Transaction& transaction, const std::string& difference);

    Environment& env_;
    const Clock& clock_;
    MemoryPool pool_;
    RequestQueue responses_;  ///< to the initiator; of a queue it has only that side
    std::map<std::uint64_t, Transaction> under_way_;   ///< by number
    std::map<const Payload*, std::uint64_t> numbers_;  ///< of originals not answered, and of copies
    std::uint64_t sent_ = 0, agreed_ = 0;
    bool stopped_ = false;  ///< a difference was found: from now on the model runs alone
};

/// A model and what is held against it, as a module of their own; the sockets are their members.
template <class Model, auto kModelIn, class Rtl, auto kRtlIn>
struct SideBySide : sc_core::sc_module {
    SideBySide(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
        : sc_module(module_name),
          beside("beside", env, clock),
          tlm("tlm", env, clock),
          rtl("rtl", env, clock) {
        beside.model_out.bind(tlm.*kModelIn);
        beside.rtl_out.bind(rtl.*kRtlIn);
        env.kept_signals.emplace_back(name());
    }
    Beside beside;
    Model tlm;
    Rtl rtl;
};

}  // namespace gen9::platform
