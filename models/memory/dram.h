// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>

#include "common/environment.h"
#include "interconnect/memory_port.h"
#include "memory/params.h"
#include "memory/physical_memory.h"
#include "memory/stats.h"

namespace gen9::memory {

/// Dram: system memory with a fixed latency and a limited bandwidth.
/// Role     the last place an access can take effect; serves in order of arrival.
/// Sockets  mem_in  target  base protocol  physical addresses
/// Params   params.h (DramParams)
/// Not here banks, rows, refresh: put another TLM-2.0 memory model behind llc.mem_out for those
/// Spec     hardware-measurements guide G-3 and section 8 (read bandwidth)
class Dram : public sc_core::sc_module {
  public:
    DramParams params;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    DramStats stats;
    DramSignals signals;

    Dram(sc_core::sc_module_name name, Environment& env, const Clock& clock,
         PhysicalMemory& memory);

  private:
    using Payload = tlm::tlm_generic_payload;
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void process();
    /// Books the bus for a transfer; the cycle of its end.
    Cycles book(std::uint64_t bytes, Cycles now);
    void count(const Payload& payload);

    Environment& env_;
    const Clock& clock_;
    PhysicalMemory& memory_;
    RequestQueue queue_;
    Wakeup wakeup_;
    std::uint64_t free_at_ =
        0;  ///< in bytes of transfer since cycle 0, so that fractions of a cycle count
};

}  // namespace gen9::memory
