// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/environment.h"
#include "hdc/access/functional.h"
#include "hdc/access/requests.h"
#include "hdc/plan/usual.h"
#include "hdc/surface/surface.h"
#include "interconnect/memory_transaction.h"
#include "interconnect/sockets.h"

namespace gen9::hdc {

/// The data port's two memory sockets as its halves use them: blocking and direct access for
/// functional execution and state fetches, transactions made of requests for timed execution.
class Bus final : public FunctionalMemory, public StateReader {
  public:
    Bus(Environment& env, InitiatorSocket<MemoryProtocol>& memory,
        InitiatorSocket<MemoryProtocol>& slm)
        : env_(env), memory_(memory), slm_(slm) {}

    // FunctionalMemory
    DirectPage direct(std::uint64_t page_address) override;
    void read(std::uint64_t address, std::uint8_t* bytes, unsigned size, const Plan& plan) override;
    void write(std::uint64_t address, const std::uint8_t* bytes, unsigned size,
               const Plan& plan) override;
    Returned atomic(std::uint64_t address, const AtomicLane& lane, const Plan& plan) override;
    std::uint8_t* slm() override;
    void slm_access(Plan& plan, Message& message) override;
    // StateReader
    bool read_state(GpuAddr address, void* bytes, unsigned size, std::uint8_t mocs) override;

    /// A transaction that carries one request, with the data of a write in it.
    MemoryTransaction* make(const Plan& plan, const RequestList& requests, unsigned index,
                            Message& message);
    /// Puts what came back into the message's registers.
    void take(const Plan& plan, const RequestList& requests, unsigned index,
              const MemoryTransaction& transaction, Message& message);
    /// The same for the requests of a usual access, without a plan.
    MemoryTransaction* make(const UsualAccess& access, unsigned index, const Message& message);
    static void take(const UsualAccess& access, unsigned index,
                     const MemoryTransaction& transaction, Message& message);

    /// Host pointers into SLM are not good any more.
    void forget_slm() { slm_known_ = false; }
    /// Has L3 write its modified data to memory; gives the time that takes (DP-199, L3-62).
    sc_core::sc_time flush_data();
    /// Time that state fetches have taken since it was last asked.
    sc_core::sc_time take_state_delay();
    std::size_t in_flight() const { return pool_.in_flight(); }

  private:
    void set_attributes(MemoryTransaction& transaction, const Plan& plan) const;
    void fill_lanes(LaneAccess& lanes, const Plan& plan, const RequestList& requests,
                    unsigned index, std::uint8_t* data);
    static void take_lanes(const Plan& plan, const RequestList& requests,
                           const RequestList::Request& request, const LaneAccess& lanes,
                           std::uint8_t* data);

    Environment& env_;
    InitiatorSocket<MemoryProtocol>& memory_;
    InitiatorSocket<MemoryProtocol>& slm_;
    MemoryPool pool_;
    std::uint8_t* slm_host_ = nullptr;
    bool slm_known_ = false;
    sc_core::sc_time state_delay_;
    RequestList slm_requests_;  ///< of the functional SLM message being executed
};

}  // namespace gen9::hdc
