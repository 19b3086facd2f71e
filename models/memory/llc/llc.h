// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <systemc>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/observe/access_observer.h"
#include "memory/interface.h"
#include "memory/llc/direct_pages.h"
#include "memory/llc/llc_tags.h"
#include "memory/llc/params.h"
#include "memory/llc/stats.h"
#include "memory/perform.h"
#include "memory/physical_memory.h"

namespace gen9::memory {

/// Llc: the last level cache between the ring and memory (module half; tags are in llc_tags.h).
/// Role     decides how long an access takes; a hit takes effect on physical memory here, a miss in
///          the memory behind.
/// Sockets  mem_in   target     base protocol  physical addresses
///          mem_out  initiator  base protocol  misses; modified victims, with no byte enabled since
///                                             their data is in physical memory already
/// Params   params.h (LlcParams)   Order  served in order, one read and one write per cycle
/// Not here translation (gti.h); the CPU's own use of the LLC; eDRAM
/// Spec     hardware-measurements guide G-2, C-3
class Llc : public sc_core::sc_module, public LlcBlock, public AccessSource {
  public:
    LlcParams params;
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    LlcStats stats;
    LlcSignals signals;

    Llc(sc_core::sc_module_name name, Environment& env, const Clock& clock, PhysicalMemory& memory);
    ~Llc() override;
    /// Transactions of its own on their way to memory.
    std::size_t in_flight() const { return pool_.in_flight() + misses_; }
    LlcSockets sockets() override { return {mem_in, mem_out}; }
    bool idle() const override { return in_flight() == 0; }
    void settle() override { account_.settle(clock_.now()); }
    /// In functional mode the tags then follow what is
    /// accessed. A request for direct access says a line of a table that has been read, or a page:
    /// its lines follow as they are marked, or at once when who asks does not mark.
    void expect_changes() override { mixed_ = true; }
    void change_timing() override;

  private:
    void start_of_simulation() override { lanes_here_ = find_bytes(memory_, mem_out); }
    using Payload = tlm::tlm_generic_payload;
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void pass(Payload& payload, sc_core::sc_time& delay);
    void follow(const Payload& payload, std::uint64_t bytes);
    void follow_line(std::uint64_t line, LlcPolicy policy, bool write);
    void follow_direct(Payload& payload);
    /// The action for a line that was marked.
    auto follower() {
        return [this](std::uint64_t line, LlcPolicy policy, bool write) {
            follow_line(line, policy, write);
        };
    }
    void process();
    bool serve(Payload& payload, Cycles now);
    void tell(const Payload& payload, std::uint64_t bytes, bool hit) const {
        if (accesses != nullptr) [[unlikely]]
            accesses->served(MemoryLevel::Llc, payload, bytes, hit);
    }
    void touch(const Payload& payload, LlcPolicy policy, bool modifies);
    void send_victims(Cycles now);
    void on_response(Payload& payload, Cycles at);
    void account_memory(Cycles now);
    /// Places for misses in use: that of a line is free in the cycle after the line has come, which
    /// memory announces earlier.
    std::uint64_t places_used(Cycles now);
    std::uint64_t return_cycles() const {
        return params.hit_cycles > params.miss_cycles ? params.hit_cycles - params.miss_cycles : 0;
    }

    Environment& env_;
    const Clock& clock_;
    PhysicalMemory& memory_;
    LlcTags tags_;
    DirectPages direct_pages_;
    CycleAccount<LlcActivity, kLlcActivities> account_{stats.cycles};
    RequestQueue queue_;
    RequestPort out_;
    Wakeup wakeup_;
    MemoryPool pool_;
    struct Victim {
        std::uint64_t line;
        TraceId cause;
    };
    std::vector<Victim> victims_;           ///< waiting to be written, oldest first
    std::vector<const Payload*> own_sent_;  ///< victims' transactions in flight
    std::uint64_t misses_ = 0;              ///< that memory has not answered
    std::vector<Cycles> coming_;  ///< when lines come that it has answered with; earliest first
    Cycles answered_;             ///< latest answer of memory so far
    Cycles cycle_, stalled_since_;
    bool read_done_ = false, write_done_ = false, stalled_ = false;
    bool mixed_ = false;       ///< the mode may change
    bool lanes_here_ = false;  ///< what is behind knows nothing of lanes
};

}  // namespace gen9::memory
