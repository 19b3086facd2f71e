// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <systemc>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/observe/access_observer.h"
#include "memory/dram/dram_channel.h"
#include "memory/dram/params.h"
#include "memory/dram/stats.h"
#include "memory/interface.h"
#include "memory/physical_memory.h"

namespace gen9::memory {

/// Dram: system memory; flat, with one latency and bandwidth, or of channels and banks (module
/// half; banks are in dram_channel.h).
/// Role     the last place an access can take effect, which it does on arrival. Flat memory serves
///          in order of arrival, channels in an order of theirs; their writes are answered on
///          arrival.
/// Sockets  mem_in  target  base protocol  physical addresses
/// Params   params.h (DramParams)
/// Not here power: put another TLM-2.0 memory model behind llc.mem_out for that
/// Spec     hardware-measurements guide G-3 and section 8 (read bandwidth)
class Dram : public sc_core::sc_module, public DramBlock, public AccessSource {
  public:
    DramParams params;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    DramStats stats;
    DramSignals signals;

    Dram(sc_core::sc_module_name name, Environment& env, const Clock& clock,
         PhysicalMemory& memory);
    ~Dram() override;
    DramSockets sockets() override { return {mem_in}; }
    void settle() override { account_.settle(clock_.now()); }

  private:
    using Payload = tlm::tlm_generic_payload;
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void process();
    void process_flat(Cycles now);
    void process_channels(Cycles now);
    bool take(Cycles now);
    void finish(const DramChannel::Done& done, Cycles now);
    void count_rows();
    void answer(Payload& payload, Cycles now, Cycles at);
    /// A moment on flat memory's bus: parts of a cycle count.
    struct Moment {
        Cycles cycle;
        std::uint64_t parts = 0;  ///< fewer than parts_per_cycle_
        auto operator<=>(const Moment&) const = default;
        Cycles rounded_up() const { return cycle + Cycles(parts != 0); }
    };
    /// Books the bus for a transfer; the cycle of its end.
    Cycles book(std::uint64_t bytes, Cycles now);
    void count(const Payload& payload);

    Environment& env_;
    const Clock& clock_;
    PhysicalMemory& memory_;
    CycleAccount<DramActivity, kDramActivities> account_{stats.cycles};
    RequestQueue queue_;
    Wakeup wakeup_;
    const std::optional<DramKind> kind_;  ///< none: flat
    std::uint64_t parts_per_byte_, parts_per_cycle_;
    Cycles latency_;  ///< in the engine's cycles
    std::vector<DramChannel> channels_;
    std::vector<DramChannel::Done> done_;
    Cycles data_end_;                     ///< of the last of the channels' bursts
    std::vector<Payload*> reads_;         ///< that wait in the channels, by number
    std::vector<std::uint64_t> numbers_;  ///< free ones
    DramChannel::Counts counted_;
    Cycles beyond_banks_;  ///< of the latency
    Moment free_at_;
};

}  // namespace gen9::memory
