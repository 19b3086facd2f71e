// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/observe/access_observer.h"
#include "l3/bank/request.h"
#include "l3/bank/super_queue.h"
#include "l3/interface.h"
#include "l3/params.h"
#include "l3/stats.h"

namespace gen9::l3 {

/// Reads a value of L3CNTLREG for a bank of these parameters.
Partition partition_of(const L3Params& params, std::uint32_t l3cntlreg);

/// Bank: a bank of L3 (its lines are in core.h, what waits for lines in super_queue.h).
/// Role     looks requests up, performs them on its lines, fetches lines, writes victims
/// Sockets  mem_in   target     base protocol  requests of at most a line, and Control: flush_data,
///                                             invalidate_*. In functional mode all goes to memory
///          mem_out  initiator  base protocol  fetches, victims, what passes L3 by
/// Params   those of the L3 (params.h)
/// Order    of a line oldest first; snoops, fills, replays, then requests (L3-26)
/// Not here clients, their way there and back, arbitration, the URB's bytes, what waits for a flush
///          in front of the banks (module.h)
///
/// A request is looked up in the cycle in which it comes; the answer says when the line leaves the
/// bank. In an L3 the front asks first whether the bank is ready for a request, and runs the steps
/// of the cycle for all banks together, for clients and flushes meet several of them. A bank that
/// stands alone has a queue and a process of its own: it looks a request up a cycle later, and its
/// answers come in the same cycles as in an L3.
class Bank final : public sc_core::sc_module, public BankBlock, public AccessSource {
  public:
    using Payload = tlm::tlm_generic_payload;

    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};

    Bank(sc_core::sc_module_name name, Environment& env, const Clock& clock,
         const BankSetup& setup);
    ~Bank() override;
    BankSockets sockets() override { return {mem_in, mem_out}; }
    Bank* own() override { return this; }

    BankCore core;
    BankStats stats;
    BankSignals signals;
    RequestPort out;
    /// A response arrived that can be worked on at this cycle.
    std::function<void(Cycles)> on_arrival;

    // The steps of a cycle, in this order.
    void begin_cycle(Cycles now) {
        moved_ = false;
        if (now != cycle_) count_cycles(now);
    }
    /// Snoops come first; None: it is done (L3-26).
    Stall snoop(LineKey key, bool takes_away, TraceId cause);
    void take_arrivals(Cycles now) {  ///< fills come before reads (L3-26)
        if (!arrived_.empty() && arrived_.front().ready <= now) take_each_arrival(now);
    }
    void replay(Cycles now) {  ///< then what waited for them, oldest first
        if (replay_wanted_) replay_each(now);
    }
    /// then clients; None: the request is to be sent now. Some tag lookups a cycle, not of one set
    /// (L3-25, L3-27), for any of them but only one of a fill, as which a write counts (L3-23).
    Stall ready(Request& request, Cycles now) {
        // Its line is still there and its port is taken again.
        if (request.refused_at == changes() && (request.write ? write_used_ : read_used_))
            return stall_ = Stall::Port;
        return look_up(request, now);
    }
    /// An access of the URB takes the array's port or the atomic units and looks up no tag (L3-28).
    Stall claim_for_urb(const Request& request, Cycles now);
    /// It has been done; returns the cycles it takes beyond the first.
    std::uint64_t end_urb(const Request& request, Cycles now);
    /// Is there room for a request to wait for the end of a flush, without being looked up (L3-67)?
    /// If so it is to be sent now.
    bool ready_to_hold(Request& request);
    /// The flush has ended. False if nothing waited for it.
    bool release_held();
    void stall(Stall reason) { stall_ = reason; }
    void send(Cycles now) {  ///< one request to memory
        if (!sent_ && !outgoing_.empty() && out.can_send()) send_oldest(now);
    }
    void show(Cycles now);

    /// First cycle after `now` at which this bank alone has something to do; 0 if none is known.
    Cycles next_event(Cycles now) const;
    /// The cycle of the earliest response from memory that has been announced; 0 if none has.
    Cycles next_arrival() const { return arrived_.empty() ? Cycles() : arrived_.front().ready; }
    /// Must its next cycle be begun even if no client comes, and no response before then?
    bool attentive(Cycles now) const {
        return stall_ != Stall::None || replay_wanted_ || !outgoing_.empty() ||
               (!arrived_.empty() && arrived_.front().ready <= now);
    }
    /// Has it nothing to do and nothing announced?
    bool quiet() const {
        return stall_ == Stall::None && !replay_wanted_ && outgoing_.empty() && arrived_.empty();
    }
    bool idle() const override { return queue_.empty() && outgoing_.empty() && arrived_.empty(); }

    /// Requests that may wait for lines from now on; those that wait stay.
    void limit_super_queue(std::uint64_t requests) { queue_.limit(requests); }

    /// Lines of these classes that are being fetched are out of date.
    void outdate(ClassSet classes);
    /// A snoop outside of time.
    void blocking_snoop(LineKey key, bool takes_away, TraceId cause, sc_core::sc_time& delay);
    /// Functional mode begins while nothing is under way: memory must hold what the lines hold.
    /// They stay for the time after it.
    void write_back();
    /// Functional mode has ended: the lines hold what memory holds now, if it still exists.
    void read_again();
    /// Transactions of its own that are under way.
    std::size_t in_flight() const { return pool_.in_flight(); }

  private:
    using Entry = SuperQueue<Request>::Entry;
    static constexpr std::uint64_t kVictim = ~std::uint64_t{0};  ///< tag of a victim's transaction
    struct Arrival {
        MemoryTransaction* transaction;
        Cycles ready;
    };

    /// A request it is ready for, and what its lookup has found.
    struct Offer {
        Request* request = nullptr;
        Entry* entry = nullptr;
        int slot = BankCore::kNone;
        Lookup found = Lookup::None;
        bool held = false;
    };
    /// A line that a blocking access has had fetched.
    struct JustFetched {
        LineKey key;
        Cycles asked, there;
    };
    /// The part of a bank that stands alone.
    struct Front {
        Front(TargetSocket<MemoryProtocol>& socket, const Clock& clock, std::uint64_t capacity)
            : queue(socket, clock, capacity), wakeup(clock) {}
        RequestQueue queue;
        Wakeup wakeup;
        Request request;
        bool decoded = false;
    };

    bool room(std::size_t transactions = 1) const {
        return outgoing_.size() + transactions <= params_->memory_queue;
    }
    /// Can the set be looked up in this cycle?
    bool tag_free(unsigned set) const {
        if (tags_used_ == 0) return true;
        const auto used = sets_used_.begin();
        return tags_used_ < lookups_ &&
               std::find(used, used + tags_used_, set) == used + tags_used_;
    }
    /// Snoops take one even where none is left.
    void use_tag(unsigned set) {
        if (tags_used_ < sets_used_.size()) sets_used_[tags_used_] = set;
        ++tags_used_;
    }
    /// Changes with everything that might turn a hit into something else; never 0.
    std::uint64_t changes() const { return 1 + core.removals() + queue_.opened(); }
    Stall look_up(Request& request, Cycles now);
    tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    /// Takes the request it has said to be ready for.
    void take(Cycles now);
    void cycle_alone();
    bool serve_alone(Cycles now);
    void answer(const Request& request, Cycles now, std::uint64_t extra);
    void count_cycles(Cycles now);
    /// Is anything left that could move in the next cycle?
    bool has_work(Cycles now) const;
    void take_each_arrival(Cycles now);
    void replay_each(Cycles now);
    void send_oldest(Cycles now);
    void wait_for_line(const Request& request, Entry* entry, Cycles now);
    void hold(const Request& request);
    Stall claim_port(const Request& request, Cycles now);
    Stall advance(Entry& entry, Cycles now);
    [[gnu::always_inline]] inline void perform(const Request& request, int slot, Cycles now);
    std::uint64_t occupy(const Request& request, Cycles now);
    void fetch(Entry& entry);
    void start_bypass(Entry& entry);
    void end_bypass(Entry& entry, MemoryTransaction& transaction, Cycles now);
    bool end_fetch(Entry& entry, MemoryTransaction& transaction, Cycles now);
    void fail(Entry& entry, Cycles now);
    /// `cause`: whose transaction the victim had to make room for.
    void evict(const Victim& victim, TraceId cause);
    static TraceId id_of(const Request& request) {
        return attributes_of(*request.payload).trace_id;
    }
    void count(const Request& request);
    void count_lookup(const Request& request);
    void count_found(const Request& request, bool hit, Cycles now);
    void tell(const Request& request, bool hit) const;
    void show_lookup(const Request& request, Lookup found, Cycles now);
    std::uint64_t atomic_cycles(const LaneAccess& lanes, unsigned offset) const;

    // Outside of time (bank_memory.cpp).
    void blocking(Payload& payload, sc_core::sc_time& delay);
    void blocking_line(Payload& payload, sc_core::sc_time& delay);
    void around(const Request& request, int slot, TraceId cause, sc_core::sc_time& delay);
    void control(const MemoryAttributes& attributes, sc_core::sc_time& delay);
    unsigned debug(Payload& payload);
    bool bring(const Request& request, int& slot, const MemoryAttributes& from,
               sc_core::sc_time& delay);
    /// Does a write go to memory whose line is not here? A whole line is as good as a fill (L3-23).
    bool passes(const Request& request) const {
        return pass_writes_ && request.access.touched() != ~std::uint64_t{0};
    }
    /// When a line comes that a blocking access of this cycle has had fetched; 0 for others.
    Cycles arrival_of(LineKey key) const;
    /// Is the line on its way? Then whoever changes memory behind it calls `outdate`.
    bool on_its_way(LineKey key) { return queue_.find(key) != nullptr; }
    void outdate(LineKey key);
    /// Writes a victim's bytes to memory at once. False if memory refused (a translation fault).
    bool write_memory(const Victim& victim);
    /// The same as a blocking write, which takes its share of bandwidth and reports faults.
    void write_memory(const Victim& victim, TraceId cause, sc_core::sc_time& delay);
    /// Reads the line of a key by blocking transport; false on a fault.
    bool read_memory(LineKey key, const MemoryAttributes& from, std::uint8_t* data,
                     sc_core::sc_time& delay);

    const L3Params* params_;
    const Clock* clock_;
    const Environment& env_;
    const Cycles bank_cycles_;
    const unsigned lookups_;
    const bool write_through_, pass_writes_, fetch_writes_;
    MemoryPool pool_;
    MemoryTransaction scratch_{nullptr};
    std::unique_ptr<Front> front_;  ///< null: an L3's
    Offer offered_;
    Payload* taking_ = nullptr;  ///< in a call of nb_transport_fw
    Cycles answered_at_;         ///< in that call
    SuperQueue<Request> queue_;
    std::vector<MemoryTransaction*> outgoing_;  ///< oldest first
    std::vector<Arrival> arrived_;              ///< earliest first
    std::vector<JustFetched> just_fetched_;     ///< of the last cycle with any
    Cycles atomic_free_;

    // This cycle.
    Cycles cycle_;
    unsigned tags_used_ = 0;
    std::array<unsigned, kMostLookups> sets_used_{};  ///< by these
    bool filled_ = false;                             ///< a fill or write has had its lookup
    bool read_used_ = false, write_used_ = false, sent_ = false, busy_ = false, moved_ = false;
    unsigned held_ = 0;           ///< lines of the super queue that wait for a flush
    bool replay_wanted_ = false;  ///< some line's oldest request can be tried again
    Stall stall_ = Stall::None;
};

}  // namespace gen9::l3
