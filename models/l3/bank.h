// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "interconnect/memory_port.h"
#include "l3/core.h"
#include "l3/params.h"
#include "l3/stats.h"
#include "l3/super_queue.h"

namespace gen9::l3 {

/// What the module knows of a client's request.
struct Request {
    tlm::tlm_generic_payload* payload = nullptr;
    LineKey key;
    unsigned client = 0;
    LineClass line_class = LineClass::Data;
    bool bypass = false;
    bool write = false, atomic = false;
    std::uint64_t needed = 0;  ///< bytes, as the access says
    /// The bank's changes() at which its line was there but the port of the array was not; 0: none.
    std::uint64_t refused_at = 0;
    LineAccess access;
};

/// Answers a client: the request is done, `extra` cycles after the usual latency of a hit.
class Responder {
  public:
    virtual ~Responder() = default;
    virtual void respond(const Request& request, Cycles now, std::uint64_t extra) = 0;
};

/// One bank of the timed L3: its lines, its super queue, its door to memory, and what its ports
/// have done this cycle. Driven by the L3's one process; has no process of its own.
class Bank {
  public:
    using Payload = tlm::tlm_generic_payload;

    Bank(const std::string& path, const L3Params& params, unsigned banks,
         InitiatorSocket<MemoryProtocol>& socket, const Clock& clock, MemoryPool& pool,
         Responder& responder);
    Bank(const Bank&) = delete;
    Bank& operator=(const Bank&) = delete;

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
    /// then clients; None: it has been taken. Two tag lookups a cycle, not of one set (L3-25,
    /// L3-27), for any of them but only one of a fill, as which a write counts (L3-23).
    Stall serve(Request& request, Cycles now) {
        // Its line is still there and its port is taken again.
        if (request.refused_at == changes() && (request.write ? write_used_ : read_used_))
            return stall_ = Stall::Port;
        return look_up(request, now);
    }
    /// An access of the URB takes the array's port or the atomic units and looks up no tag (L3-28).
    Stall claim_for_urb(const Request& request, Cycles now);
    /// It has been done; returns the cycles it takes beyond the first.
    std::uint64_t end_urb(const Request& request, Cycles now);
    /// Takes a request that waits for a flush to end, without looking it up; false: there is no
    /// room (L3-67).
    bool hold(const Request& request);
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
    bool idle() const { return queue_.empty() && outgoing_.empty() && arrived_.empty(); }

    /// Requests that may wait for lines from now on; those that wait stay.
    void limit_super_queue(std::uint64_t requests) { queue_.limit(requests); }

    // Outside of time: blocking access, control, debug.
    /// Is the line on its way? Then whoever changes memory behind it calls `outdate`.
    bool in_flight(LineKey key) { return queue_.find(key) != nullptr; }
    void outdate(LineKey key);
    void outdate(ClassSet classes);
    /// Writes a victim's bytes to memory at once. False if memory refused (a translation fault).
    bool write_memory(const Victim& victim);
    /// The same as a blocking write, which takes its share of bandwidth and reports faults.
    void write_memory(const Victim& victim, TraceId cause, sc_core::sc_time& delay);
    /// Reads or writes the line of a key by blocking transport; false on a fault.
    bool read_memory(LineKey key, const MemoryAttributes& from, std::uint8_t* data,
                     sc_core::sc_time& delay);

  private:
    using Entry = SuperQueue<Request>::Entry;
    static constexpr std::uint64_t kVictim = ~std::uint64_t{0};  ///< tag of a victim's transaction
    struct Arrival {
        MemoryTransaction* transaction;
        Cycles ready;
    };

    bool room(std::size_t transactions = 1) const {
        return outgoing_.size() + transactions <= params_->memory_queue;
    }
    /// Changes with everything that might turn a hit into something else; never 0.
    std::uint64_t changes() const { return 1 + core.removals() + queue_.opened(); }
    Stall look_up(Request& request, Cycles now);
    void count_cycles(Cycles now);
    /// Is anything left that could move in the next cycle?
    bool has_work(Cycles now) const;
    void take_each_arrival(Cycles now);
    void replay_each(Cycles now);
    void send_oldest(Cycles now);
    Stall serve_later(const Request& request, Entry* entry, Cycles now);
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
    void count_found(bool hit, Cycles now);
    void show_lookup(const Request& request, Lookup found, Cycles now);
    std::uint64_t atomic_cycles(const LaneAccess& lanes, unsigned offset) const;
    void copy_attributes(MemoryTransaction& to, const MemoryAttributes& from) const;

    const L3Params* params_;
    const Clock* clock_;
    InitiatorSocket<MemoryProtocol>* socket_;
    MemoryPool* pool_;
    Responder* responder_;
    MemoryTransaction scratch_{nullptr};
    SuperQueue<Request> queue_;
    std::vector<MemoryTransaction*> outgoing_;  ///< oldest first
    std::vector<Arrival> arrived_;              ///< earliest first
    Cycles atomic_free_;

    // This cycle.
    Cycles cycle_;
    unsigned tags_used_ = 0, set_used_ = 0;
    bool filled_ = false;  ///< a fill or write has had its lookup
    bool read_used_ = false, write_used_ = false, sent_ = false, busy_ = false, moved_ = false;
    unsigned held_ = 0;           ///< lines of the super queue that wait for a flush
    bool replay_wanted_ = false;  ///< some line's oldest request can be tried again
    Stall stall_ = Stall::None;
};

}  // namespace gen9::l3
