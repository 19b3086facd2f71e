// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <systemc>
#include <vector>

#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::platform {

/// Jitter: stands in a memory path and makes requests and answers take longer than they need, each
/// by another time, so that a run meets orders which the machine leaves open. It is there only when
/// asked for.
/// Role     holds each request, and each answer, for 0 to `most` cycles, mostly for few, by a
///          generator of its own each way
/// Sockets  mem_in  target, mem_out  initiator   base protocol, whatever passes unchanged
/// Order    kept of a thread's requests to a line (DP-020), of everybody's to a line, or of all
///          (L3-61); others may overtake each other (DP-021)
/// Spec     none: a tool for exploring
class Jitter : public sc_core::sc_module {
  public:
    enum class Order { OfThreadsLine, OfLine, OfAll };
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};

    Jitter(sc_core::sc_module_name name, const Clock& clock, std::uint64_t most, std::uint64_t seed,
           Order order);

  private:
    using Payload = tlm::tlm_generic_payload;
    struct Held {
        Payload* payload;
        Cycles due;
    };
    static constexpr std::size_t kRoom = 16;

    tlm::tlm_sync_enum take(Payload& payload, tlm::tlm_phase& phase, const sc_core::sc_time& delay);
    void process();
    bool may_pass(std::size_t index) const;
    void pass(std::size_t index, Cycles now);
    void answer(Payload& payload, Cycles at);
    Cycles draw(std::uint64_t& state) const;

    const Clock& clock_;
    const std::uint64_t most_;
    const Order order_;
    // Two generators: which of both ends speaks first in a cycle must not matter.
    std::uint64_t request_delays_, answer_delays_;
    RequestPort port_;
    Wakeup wakeup_;
    std::vector<Held> held_;  ///< oldest first
    bool end_request_owed_ = false;
    Cycles next_send_;
};

}  // namespace gen9::platform
