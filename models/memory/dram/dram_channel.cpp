// SPDX-License-Identifier: Apache-2.0
#include "memory/dram/dram_channel.h"

#include <algorithm>
#include <cmath>

namespace gen9::memory {
namespace {

/// Clocks without data between a read's data and a write's, and between two ranks' data.
constexpr unsigned kBusTurn = 2;

}  // namespace

DramChannel::DramChannel(const DramKind& kind, double ticks_per_ps, const Rules& rules,
                         Tick first_refresh)
    : rules_(rules),
      ranks_(kind.ranks()),
      banks_(std::size_t{kind.ranks()} << kind.bank_bits),
      of_rank_(std::size_t{1} << kind.bank_bits) {
    const auto ticks = [&](unsigned clocks) {
        return static_cast<Tick>(std::llround(clocks * (kind.clock_ps * ticks_per_ps)));
    };
    t_ = {ticks(1),          ticks(kind.burst()), ticks(kind.read),  ticks(kind.write),
          ticks(kind.rcd),   ticks(kind.rp),      ticks(kind.ras),   ticks(kind.rrd_s),
          ticks(kind.rrd_l), ticks(kind.faw),     ticks(kind.ccd_s), ticks(kind.ccd_l),
          ticks(kind.rtp),   ticks(kind.wr),      ticks(kind.wtr_s), ticks(kind.wtr_l),
          ticks(kind.refi),  ticks(kind.rfc)};
    horizon_ = t_.rp + t_.rcd + t_.read + t_.burst;
    const std::size_t groups = std::size_t{1} << kind.group_bits;
    // The ranks' refreshes do not coincide.
    Tick next_refresh = first_refresh;
    for (Rank& rank : ranks_) {
        rank.group_column.resize(groups);
        rank.group_activate.resize(groups);
        rank.group_read.resize(groups);
        rank.next_refresh = next_refresh;
        next_refresh += t_.refi / ranks_.size();
    }
}

void DramChannel::put(std::uint64_t id, bool write, const DramPlace& place, Tick now) {
    queue(write).push_back({id, place, now});
}

void DramChannel::step(Tick now, std::vector<Done>& done) {
    while (!empty() && bus_free_ <= now + horizon_) {
        refresh(now);
        turn();
        Plan plan;
        const auto index = choose(now, plan);
        auto& requests = queue(writing_);
        const Request request = requests[index];
        requests.erase(requests.begin() + static_cast<std::ptrdiff_t>(index));
        commit(request, plan);
        done.push_back({request.id, writing_, plan.data, plan.data + t_.burst});
    }
}

// All banks of a rank at once. Of the refreshes of an idle time the last one counts.
void DramChannel::refresh(Tick now) {
    const Tick at = std::max(now, bus_free_);
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        Tick& next = ranks_[i].next_refresh;
        if (at < next) continue;
        const Tick passed = (at - next) / t_.refi;
        counts_.refreshes += passed + 1;
        const Tick begin = std::max(next + passed * t_.refi, bus_free_);
        next += (passed + 1) * t_.refi;
        for (std::size_t bank = i * of_rank_; bank < (i + 1) * of_rank_; ++bank) {
            const Tick closed = std::max(begin, banks_[bank].precharge) + t_.rp;
            banks_[bank].activate = std::max(banks_[bank].activate, closed + t_.rfc);
            banks_[bank].row = kClosed;
        }
    }
}

// Reads first; writes when there are many of them, or no reads.
void DramChannel::turn() {
    const std::size_t reads = queue(false).size(), writes = queue(true).size();
    const bool before = writing_;
    if (writing_)
        writing_ = writes > 0 && (reads == 0 || writes > rules_.drain_to);
    else
        writing_ = writes > 0 && (reads == 0 || writes >= rules_.drain_from);
    counts_.turns += writing_ != before;
}

std::size_t DramChannel::choose(Tick now, Plan& chosen) const {
    const auto& requests = queue(writing_);
    chosen = plan(requests[0], now);
    if (goes_first(requests[0], now)) return 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
        const Plan other = plan(requests[i], now);
        // Between equals it takes one whose row is open, which a row beside it would close.
        if (other.data > chosen.data || (other.data == chosen.data && other.hit <= chosen.hit))
            continue;
        best = i;
        chosen = other;
    }
    return best;
}

// All requests wait long where rows of one bank are in conflict. If each of them could close a row
// that was just opened, rows would be opened for a line each, in the order of arrival.
bool DramChannel::goes_first(const Request& request, Tick now) const {
    const Bank& bank = bank_of(request.place);
    const bool opened_lately = bank.row != kClosed && bank.row != request.place.row &&
                               bank.opened + rules_.patience >= now;
    return request.since + rules_.patience < now && !opened_lately;
}

DramChannel::Plan DramChannel::plan(const Request& request, Tick now) const {
    const DramPlace& place = request.place;
    const Rank& rank = ranks_[place.rank];
    const Bank& bank = bank_of(place);
    Plan plan;
    plan.hit = bank.row == place.row;
    if (plan.hit) {
        plan.column = std::max(now, bank.column);
    } else {
        Tick activate = std::max(now, bank.activate);
        if (bank.row != kClosed)
            activate = std::max(activate, std::max(now, bank.precharge) + t_.rp);
        plan.activate = std::max(activate, rank.begin_activate(place.group, t_.faw));
        plan.column = plan.activate + t_.rcd;
    }
    plan.column = std::max({plan.column, rank.any_column, rank.group_column[place.group]});
    plan.column = std::max(
        plan.column, writing_ ? any_write_ : std::max(rank.any_read, rank.group_read[place.group]));
    const Tick latency = writing_ ? t_.write : t_.read;
    const Tick gap = place.rank == bus_rank_ ? 0 : kBusTurn * t_.clock;
    plan.data = std::max(plan.column + latency, bus_free_ + gap);
    plan.column = plan.data - latency;
    return plan;
}

void DramChannel::commit(const Request& request, const Plan& plan) {
    Rank& rank = ranks_[request.place.rank];
    Bank& bank = bank_of(request.place);
    const unsigned group = request.place.group;
    const auto later = [](Tick& value, Tick at) { value = std::max(value, at); };
    if (plan.hit) {
        ++counts_.row_hits;
    } else {
        ++(bank.row == kClosed ? counts_.row_misses : counts_.row_conflicts);
        bank.row = request.place.row;
        bank.opened = plan.activate;
        bank.column = plan.activate + t_.rcd;
        bank.activate = plan.activate + t_.ras + t_.rp;
        bank.precharge = plan.activate + t_.ras;
        later(rank.any_activate, plan.activate + t_.rrd_s);
        later(rank.group_activate[group], plan.activate + t_.rrd_l);
        auto& four = rank.activations;
        std::rotate(four.begin(), four.begin() + 1, four.end());
        four.back() = std::max(four[2], plan.activate);
    }
    later(rank.any_column, plan.column + t_.ccd_s);
    later(rank.group_column[group], plan.column + t_.ccd_l);
    bus_free_ = plan.data + t_.burst;
    bus_rank_ = request.place.rank;
    if (writing_) {
        later(bank.precharge, bus_free_ + t_.wr);
        later(rank.any_read, bus_free_ + t_.wtr_s);
        later(rank.group_read[group], bus_free_ + t_.wtr_l);
    } else {
        later(bank.precharge, plan.column + t_.rtp);
        later(any_write_, bus_free_ + kBusTurn * t_.clock - std::min(t_.write, bus_free_));
    }
}

}  // namespace gen9::memory
