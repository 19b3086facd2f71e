// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "common/environment.h"
#include "hdc/access/access.h"
#include "hdc/access/functional.h"
#include "hdc/plan/window.h"
#include "hdc/surface/shared.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::hdc {

/// The data port's two memory sockets as its halves use them: blocking and direct access for
/// functional execution and state fetches, transactions made of requests for timed execution.
class SocketMemory final : public FunctionalMemory, public StateReader {
  public:
    SocketMemory(Environment& env, InitiatorSocket<MemoryProtocol>& memory,
                 InitiatorSocket<MemoryProtocol>& slm, std::uint32_t slm_bytes)
        : env_(env), memory_(memory), slm_(slm), slm_bytes_(slm_bytes) {}

    // FunctionalMemory
    DirectPage direct(std::uint64_t page_address, const MemoryFacts& facts) override;
    std::uint8_t* slm(std::uint32_t slm_base) override;
    std::uint8_t* own_slm(std::uint32_t slm_base) override {
        return slm_base < slm_bytes_ && !local_.empty() ? local_[0].host : nullptr;
    }
    void by_requests(const Access& access, Message& message) override;
    // StateReader
    bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) override;

    /// Makes a transaction that carries one request of an access, with the data of a write in it.
    MemoryTransaction* make(const Access& access, unsigned index, const Message& message);
    /// Puts what came back into the message's registers.
    static void take(const Access& access, unsigned index, const MemoryTransaction& transaction,
                     Message& message) {
        access.take(index,
                    {transaction.is_response_ok(), transaction.get_address(), transaction.data,
                     transaction.attributes.lanes},
                    message);
    }

    /// Host pointers into SLM are not good any more.
    void forget_slm() { local_.clear(); }
    /// Has L3 write its modified data to memory, for a fence; gives the time that takes (DP-199,
    /// L3-62).
    sc_core::sc_time flush_data(const Message& fence);
    /// States are fetched for this message from now on.
    void works_for(const Message& message) { cause_ = message.trace_id; }
    /// State fetches have taken this time since it was last asked.
    sc_core::sc_time take_state_delay();
    std::size_t in_flight() const { return pool_.in_flight(); }

  private:
    Environment& env_;
    InitiatorSocket<MemoryProtocol>& memory_;
    InitiatorSocket<MemoryProtocol>& slm_;
    std::uint32_t slm_bytes_;  ///< size of what is behind it
    MemoryPool pool_;
    struct LocalMemory {
        std::uint8_t* host = nullptr;
        bool known = false;
    };
    std::vector<LocalMemory> local_;  ///< by the subslice that ThreadSideband::slm_base names
    sc_core::sc_time state_delay_;
    TraceId cause_ = 0;  ///< of state fetches
};

inline MemoryTransaction* SocketMemory::make(const Access& access, unsigned index,
                                             const Message& message) {
    MemoryTransaction* const transaction = pool_.get();
    MemoryAttributes& attributes = transaction->attributes;
    const MemoryFacts& facts = access.facts();
    attributes.requester = facts.requester;
    attributes.mocs = facts.mocs;
    attributes.coherent = facts.coherent;
    attributes.thread = message.sender->place;
    attributes.trace_id = message.trace_id;
    const Access::Request out = access.request(index, message, transaction->data, attributes.lanes);
    const std::uint64_t local = facts.slm ? message.sender->slm_base & ~(slm_bytes_ - 1) : 0;
    transaction->access(out.reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND,
                        local + out.address, out.bytes);
    if (out.lanes)
        attributes.operation = MemoryAttributes::Operation::Lanes;
    else if (!out.reads && out.written != ~0ull)
        transaction->enable_bytes(out.written, out.bytes);
    return transaction;
}

}  // namespace gen9::hdc
