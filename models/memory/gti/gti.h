// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <systemc>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/observe/access_observer.h"
#include "memory/gti/cacheability.h"
#include "memory/gti/params.h"
#include "memory/gti/stats.h"
#include "memory/interface.h"
#include "memory/mmu/mmu.h"
#include "memory/mmu/walker.h"
#include "memory/perform.h"
#include "memory/physical_memory.h"

namespace gen9::memory {

/// Gti: the render engine's way to memory (module half; translation is in mmu.h).
/// Role     translates graphics addresses, walks page tables, answers what cannot be translated,
///          and passes the rest on at the ring's bandwidth.
/// Sockets  mem_in[i]  target     base protocol  graphics addresses (MemoryAttributes::space)
///          control_in target     b_transport    Control: invalidate_tlb
///          reg_in     target     b_transport    32-bit registers (registers.h)
///          mem_out    initiator  base protocol  physical addresses
/// Params   params.h (GtiParams)   Order  of one initiator's accesses to a page kept, of the
///                                 streamers' all; between initiators by the arbiter
/// Not here LLC and memory (llc.h, dram.h); flushing of L3 (l3/)
/// Spec     host-interface guide 3; 003:4987 (DP-034); Public: Linux i915 (fault registers)
class Gti : public sc_core::sc_module, public GtiBlock, public AccessSource {
  public:
    GtiParams params;
    std::deque<TargetSocket<MemoryProtocol>> mem_in;
    ControlTarget control_in{"control_in"};
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    GtiStats stats;
    GtiSignals signals;

    Gti(sc_core::sc_module_name name, Environment& env, const Clock& clock, PhysicalMemory& memory,
        unsigned initiators);
    ~Gti() override;

    GtiSockets sockets() override {
        return {every<AnyTarget<MemoryProtocol>>(mem_in), control_in, reg_in, mem_out};
    }
    bool write_gtt(std::uint32_t index, std::uint64_t entry) override;
    std::uint64_t read_gtt(std::uint32_t index) const override {
        return mmu_.global_table().read(index);
    }
    /// The PPGTT of the running context; also reached through the PDP registers.
    void set_page_directories(const PageDirectories& roots);
    const PageDirectories& page_directories() const { return mmu_.roots(); }
    /// Drops all translations and takes back all direct memory pointers.
    void invalidate_tlb();
    /// Requests passed on and not yet answered.
    std::size_t in_flight() const { return routes_.size() + pool_.in_flight(); }
    bool idle() const override { return in_flight() == 0; }
    void settle() override { account_.settle(clock_.now()); }

  private:
    void start_of_simulation() override { lanes_here_ = find_bytes(memory_, mem_out); }
    using Payload = tlm::tlm_generic_payload;
    enum class Stall : std::uint8_t { None, Bandwidth, Downstream };
    /// A request out of its queue that waits for a walk.
    struct Pending {
        Payload* payload;
        Mmu::Answer answer;
        Walker::WalkId walk;  ///< kNone once it is done
        Cycles ready;         ///< when it came to the head of its queue
    };
    struct Port {
        RequestQueue queue;
        bool translated = false;  ///< the head
        Mmu::Answer answer;
        std::deque<Pending> pending;  ///< oldest first
        Stall stall = Stall::None;
        Cycles stalled_since;
    };
    struct Route {
        Payload* payload;
        unsigned initiator;
        std::uint64_t address;  ///< the graphics address, given back with the response
    };

    /// One direction of the ring. A line may begin in the cycle in which the one before ends.
    struct RingWay {
        std::uint64_t free_at = 0;  ///< in bytes: cycles times the ring's bytes per cycle
    };

    // Access outside of the queues, registers (gti.cpp).
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void show_translation(GpuAddr address, bool walked);
    void blocking_page(Payload& payload, sc_core::sc_time& delay);
    bool direct(Payload& payload, tlm::tlm_dmi& dmi);
    void keep_tables(const Mmu::Answer& answer);
    void keep_line(std::uint64_t line);
    void leave_tables(const Mmu::Answer& answer);
    void take_left(Cycles now);
    unsigned debug(Payload& payload);
    void access_register(Payload& payload);
    std::uint32_t read_register(std::uint32_t offset) const;
    bool write_register(std::uint32_t offset, std::uint32_t value);
    void set_policy(Payload& payload, std::uint8_t attribute) const;
    void take_back(std::uint64_t start, std::uint64_t end);

    // Timed mode (gti_timed.cpp).
    void process();
    bool serve(unsigned initiator, Cycles now);
    bool is_free(const RingWay& way, Cycles now) const {
        return way.free_at < (now.value + 1) * params.ring_bytes_per_cycle;
    }
    void take_line(RingWay& way, Cycles now) const {
        way.free_at = std::max(way.free_at, now.value * params.ring_bytes_per_cycle) + kLineBytes;
    }
    void step_walks(Cycles now);
    void translate_head(unsigned initiator);
    bool may_wait(const Port& port) const;
    std::deque<Pending>::iterator first_walked(Port& port) const;
    void count(const Payload& payload);
    void take(unsigned initiator, std::deque<Pending>::iterator pending);
    void hold(Port& port, Stall reason, Cycles now);
    void release(Port& port, Cycles now);
    void account_memory(Cycles now) {
        account_.set(GtiActivity::Memory, now, in_flight() != 0 ? account_.kOpen : answered_);
    }
    void account_blocking(const Mmu::Answer& answer, Cycles begin, Cycles end);
    void account_passing(Cycles now) {
        account_.extend(GtiActivity::Passing, now, now + Cycles(1));
    }
    void respond(Payload& payload, Cycles at);
    void report(const Payload& payload, const MemoryAttributes& attributes,
                const Translation& fault);

    Environment& env_;
    const Clock& clock_;
    PhysicalMemory& memory_;
    Mmu mmu_;
    Cacheability cacheability_;
    CycleAccount<GtiActivity, kGtiActivities> account_{stats.cycles};
    RequestPort out_;
    Wakeup wakeup_;
    std::deque<Port> ports_;
    Arbiter arbiter_;
    std::uint64_t queued_ports_ = 0;   ///< those with a request in their queue
    std::uint64_t pending_ports_ = 0;  ///< those with one that waits for a walk, or did
    Walker walker_;
    MemoryTransaction told_line_{nullptr};  ///< of a line of tables
    MemoryTransaction debug_part_{nullptr};
    MemoryPool parts_;                 ///< of accesses of several pages
    std::vector<std::uint64_t> left_;  ///< lines that blocking walks of a cycle have read
    Cycles left_at_;
    MemoryPool pool_;  ///< reads of tables
    std::size_t pending_ = 0, walking_ = 0;
    Cycles walking_since_;
    unsigned held_downstream_ = 0;  ///< ports
    Cycles answered_;               ///< latest answer from behind so far
    std::vector<Route> routes_;
    RingWay reads_, writes_;
    bool direct_given_ = false;
    bool lanes_here_ = false;  ///< what is behind knows nothing of lanes
};

}  // namespace gen9::memory
