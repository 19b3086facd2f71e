// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "memory/dram/dram_kinds.h"

namespace gen9::memory {

/// DramChannel: ranks, banks, rows and the data bus of one channel, and which request is next (core
/// of the memory's controller). Role     keeps the rules between commands, refreshes, gathers
/// writes, and of the requests that
///          wait takes the one whose data can come first; of equals the oldest. A request's
///          precharge and activation run beside other requests' data.
/// Time     in ticks, of which the owner's cycle has kTicks
/// Not here command bus, power-down; what is read (perform.h)
/// Spec     Public: JESD79-4, JESD209-3, JESD209-4 (rules); Assumed: order and gathering of writes,
///          of which no document of the controller tells, and the gap between data of two ranks
class DramChannel {
  public:
    using Tick = std::uint64_t;
    static constexpr Tick kTicks = 1024;  ///< of a cycle

    struct Rules {
        unsigned queue;       ///< requests of a kind that wait
        unsigned drain_from;  ///< writes that end the reads' turn
        unsigned drain_to;    ///< writes that are left when it comes back
        /// A request that has waited longer goes first, once the row that its bank has open has
        /// been so as long.
        Tick patience;
    };
    struct Done {
        std::uint64_t id;
        bool write;
        Tick begin, end;  ///< of the data
    };
    struct Counts {
        std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0, refreshes = 0, turns = 0;
    };

    DramChannel(const DramKind& kind, double ticks_per_ps, const Rules& rules, Tick first_refresh);

    bool room(bool write) const { return queue(write).size() < rules_.queue; }
    void put(std::uint64_t id, bool write, const DramPlace& place, Tick now);
    bool empty() const { return queues_[0].empty() && queues_[1].empty(); }
    /// Decides what can be decided at `now`, in order of data. Appends to `done`.
    void step(Tick now, std::vector<Done>& done);
    /// When to step again, while it is not empty.
    Tick next_step() const { return bus_free_ > horizon_ ? bus_free_ - horizon_ : 0; }
    const Counts& counts() const { return counts_; }

    Tick closed_row_read() const { return t_.rcd + t_.read; }  ///< to the first data
    Tick burst() const { return t_.burst; }

  private:
    static constexpr std::uint64_t kClosed = ~std::uint64_t{0};
    struct Times {
        Tick clock, burst, read, write, rcd, rp, ras, rrd_s, rrd_l, faw, ccd_s, ccd_l, rtp, wr,
            wtr_s, wtr_l, refi, rfc;
    };
    struct Request {
        std::uint64_t id;
        DramPlace place;
        Tick since;
    };
    struct Bank {
        std::uint64_t row = kClosed;
        Tick opened = 0;                               ///< the row's activation
        Tick column = 0, precharge = 0, activate = 0;  ///< earliest
    };
    /// Earliest commands of a rank, by its own; data are the channel's.
    struct Rank {
        std::vector<Tick> group_column, group_activate, group_read;  ///< by group
        std::array<Tick, 4> activations{};                           ///< the last four
        Tick any_column = 0, any_activate = 0, any_read = 0;
        Tick next_refresh = 0;
        Tick begin_activate(unsigned group, Tick four_window) const {
            return std::max(
                {any_activate, group_activate[group], activations.front() + four_window});
        }
    };
    struct Plan {
        bool hit = false;
        Tick activate = 0, column = 0, data = 0;
    };
    std::vector<Request>& queue(bool write) { return queues_[write]; }
    const std::vector<Request>& queue(bool write) const { return queues_[write]; }
    void refresh(Tick now);
    Bank& bank_of(const DramPlace& place) { return banks_[place.rank * of_rank_ + place.bank]; }
    const Bank& bank_of(const DramPlace& place) const {
        return banks_[place.rank * of_rank_ + place.bank];
    }
    void turn();
    std::size_t choose(Tick now, Plan& plan) const;
    bool goes_first(const Request& request, Tick now) const;
    Plan plan(const Request& request, Tick now) const;
    void commit(const Request& request, const Plan& plan);

    Rules rules_;
    Times t_;
    Tick horizon_;  ///< how far ahead of its data a request is decided
    std::array<std::vector<Request>, 2> queues_;  ///< reads, writes; oldest first
    bool writing_ = false;
    std::vector<Rank> ranks_;
    std::vector<Bank> banks_;  ///< rank by rank
    std::size_t of_rank_;
    Tick any_write_ = 0;  ///< earliest after a read
    Tick bus_free_ = 0;
    unsigned bus_rank_ = 0;  ///< whose data were the last
    Counts counts_;
};

}  // namespace gen9::memory
