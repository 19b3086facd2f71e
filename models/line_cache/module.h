// SPDX-License-Identifier: Apache-2.0
/// LineCache: cache of a unit of the 3D pipe: colours and control surfaces of a render target, depth
/// and stencil, vertices (module half; lines are in store.h).
/// Role     keeps the lines of its unit's data, a part for each kind; fetches what is not there,
///          writes modified bytes when a line makes room or all are flushed
/// Sockets  mem_in      target     memory            from the unit
///          control_in  target     memory (Control)  the flush or invalidation that empties it;
///                                                   settle waits until it owes memory nothing
///          mem_out     initiator  memory            to L3, which passes it on
/// Params   params.h
/// Order    lookups in order of arrival, one a cycle; accesses of a line in order; fetches and
///          writes leave in the order in which lookups asked for them
/// Not here functional mode: everything passes, and nothing is kept. Other clients' accesses: no
///          cache sees what another one holds. Compression
/// Spec     CS-57, CS-66, CS-72, RT-36; 003:1574-1695 (flushes)
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/control_target.h"
#include "interconnect/kernel/memory_port.h"
#include "line_cache/interface.h"
#include "line_cache/params.h"
#include "line_cache/stats.h"
#include "line_cache/store.h"

namespace gen9::line_cache {

class LineCache : public sc_core::sc_module, public LineCacheBlock {
  public:
    LineCache(sc_core::sc_module_name name, Environment& env, const Clock& clock,
              const LineCacheSetup& setup);
    ~LineCache() override;

    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    ControlTarget control_in{"control_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};

    LineCacheSockets sockets() override { return {mem_in, control_in, mem_out}; }
    void settle() override { account_.settle(clock_.now()); }
    void change_timing() override;
    std::string describe_waiting() const override;
    bool idle() const override {
        return queue_.empty() && outgoing_.empty() && misses_.empty() && writes_.empty() &&
               passing_.empty();
    }
    std::uint64_t progress() const override { return answers_; }
    const LineCacheStats& stats() const { return stats_; }
    const PartStats& stats(unsigned part) const { return parts_[part].stats; }
    std::uint64_t dirty_lines() const;
    /// Accesses to memory that are on their way.
    std::size_t transactions() const { return pool_.in_flight(); }

  private:
    using Payload = tlm::tlm_generic_payload;
    using Line = LineStore::Line;
    struct Part {
        Part(const Config& config, const std::string& cache, const PartSetup& setup)
            : requester(setup.requester),
              params(config, cache, setup),
              stats(cache + "." + setup.name),
              store(params.size_bytes, params.ways) {}
        const Requester requester;
        PartParams params;
        PartStats stats;
        LineStore store;
    };
    /// A line on its way, and who waits for it, oldest first.
    struct Miss {
        Part* part;
        Line* line;
        MemoryTransaction* fetch;
        std::vector<Payload*> waiting;
        std::size_t performed = 0;  ///< of these, by a blocking access that had the line brought
        /// An invalidation came: what is fetched is for so many of them only.
        bool outdated = false;
        std::size_t before = 0;
        bool arrived = false;
        Cycles at;  ///< of its arrival
    };
    /// Modified bytes on their way.
    struct Write {
        MemoryTransaction* transaction;
        LineName name;
    };
    /// The answer to a write.
    struct WriteEnd {
        const MemoryTransaction* transaction;
        Cycles at;
    };

    Part* part_of(const MemoryAttributes& attributes);
    static LineName name_of(std::uint64_t address, const MemoryAttributes& attributes);
    static LineAccess access_of(Payload& payload);
    static LineAccess part_of_access(Payload& payload, unsigned done, unsigned size);
    static void perform(Line& line, const LineAccess& access, const MemoryAttributes& attributes);
    static void count(Part& part, const LineAccess& access);

    // Timed mode.
    tlm::tlm_sync_enum begin(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void run();
    /// Busy: the front has been looked up; else why not.
    Activity look_up(Cycles now);
    void fetch(Miss& miss, const MemoryAttributes& from);
    void evict(Part& part, Line& line);
    MemoryTransaction& write_of(const Part& part, const Line& line, std::uint64_t bytes);
    void send_write(const Part& part, const Line& line);
    void answered(Payload& payload, Cycles at);
    void take_answers(Cycles now);
    void end_write(const MemoryTransaction& transaction);
    /// False: it is fetched again.
    bool end_fetch(Miss& miss, Cycles now);
    void send(Cycles now);
    void wake(Cycles now);

    // Within a call (blocking.cpp).
    void block(Payload& payload, sc_core::sc_time& delay);
    bool block_line(Part& part, Payload& payload, unsigned done, unsigned size,
                    sc_core::sc_time& delay);
    bool bring(Line& line, const MemoryAttributes& from, sc_core::sc_time& delay);
    void act_at_once(Line& line, const std::uint8_t* bytes);
    void overlay_writes(const LineName& name, std::uint8_t* bytes) const;
    unsigned debug(Payload& payload);
    void control(const CacheControl& control, sc_core::sc_time& delay);
    void write_back(sc_core::sc_time& delay);
    void drop_lines();
    void wait_until_idle();

    Environment& env_;
    const Clock& clock_;
    LineCacheParams params_;
    LineCacheStats stats_;
    LineCacheSignals signals_;
    CycleAccount<Activity, kActivities> account_{stats_.cycles};
    bool CacheControl::*const emptied_by_;
    std::deque<Part> parts_;
    MemoryPool pool_;
    RequestQueue queue_;
    RequestPort port_;
    Wakeup wakeup_;

    std::vector<std::unique_ptr<Miss>> misses_;  ///< in the order of their lookups
    std::size_t waiting_ = 0;                    ///< requests, of all misses
    std::size_t arrived_ = 0;                    ///< misses whose line has arrived
    std::deque<Write> writes_;                   ///< oldest first
    std::vector<WriteEnd> write_ends_;           ///< of those that have been answered
    std::vector<Payload*> passing_;              ///< the unit's own, on their way
    std::deque<Payload*> outgoing_;              ///< not sent
    Cycles next_lookup_, next_send_;             ///< at the earliest
    std::uint64_t answers_ = 0;
    sc_core::sc_event settled_;
    bool settling_ = false;  ///< somebody waits for the event
};

}  // namespace gen9::line_cache
