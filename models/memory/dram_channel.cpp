// SPDX-License-Identifier: Apache-2.0
#include "memory/dram_channel.h"

#include <algorithm>
#include <cmath>

namespace gen9::memory {

DramChannel::DramChannel(const DramKind& kind, double ticks_per_ps, const Rules& rules,
                         Tick first_refresh)
    : rules_(rules),
      banks_(std::size_t{1} << kind.bank_bits),
      group_column_(std::size_t{1} << kind.group_bits),
      group_activate_(group_column_.size()),
      group_read_(group_column_.size()),
      next_refresh_(first_refresh) {
    const auto ticks = [&](unsigned clocks) {
        return static_cast<Tick>(std::llround(clocks * (kind.clock_ps * ticks_per_ps)));
    };
    t_ = {ticks(1),          ticks(kind.burst()), ticks(kind.read),  ticks(kind.write),
          ticks(kind.rcd),   ticks(kind.rp),      ticks(kind.ras),   ticks(kind.rrd_s),
          ticks(kind.rrd_l), ticks(kind.faw),     ticks(kind.ccd_s), ticks(kind.ccd_l),
          ticks(kind.rtp),   ticks(kind.wr),      ticks(kind.wtr_s), ticks(kind.wtr_l),
          ticks(kind.refi),  ticks(kind.rfc)};
    horizon_ = t_.rp + t_.rcd + t_.read + t_.burst;
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

// All banks at once. Of the refreshes of an idle time the last one counts.
void DramChannel::refresh(Tick now) {
    const Tick at = std::max(now, bus_free_);
    if (at < next_refresh_) return;
    const Tick passed = (at - next_refresh_) / t_.refi;
    counts_.refreshes += passed + 1;
    const Tick begin = std::max(next_refresh_ + passed * t_.refi, bus_free_);
    next_refresh_ += (passed + 1) * t_.refi;
    for (Bank& bank : banks_) {
        bank.activate = std::max(bank.activate, std::max(begin, bank.precharge) + t_.rp + t_.rfc);
        bank.row = kClosed;
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
    if (requests[0].since + rules_.patience < now) return 0;
    std::size_t best = 0;
    for (std::size_t i = 1; i < requests.size(); ++i) {
        const Plan other = plan(requests[i], now);
        // Of equals a row that is open, which a row beside it would close.
        if (other.data > chosen.data || (other.data == chosen.data && other.hit <= chosen.hit))
            continue;
        best = i;
        chosen = other;
    }
    return best;
}

DramChannel::Plan DramChannel::plan(const Request& request, Tick now) const {
    const Bank& bank = banks_[request.place.bank];
    const unsigned group = request.place.group;
    Plan plan;
    plan.hit = bank.row == request.place.row;
    if (plan.hit) {
        plan.column = std::max(now, bank.column);
    } else {
        Tick activate = std::max(now, bank.activate);
        if (bank.row != kClosed)
            activate = std::max(activate, std::max(now, bank.precharge) + t_.rp);
        plan.activate = std::max(
            {activate, any_activate_, group_activate_[group], activations_.front() + t_.faw});
        plan.column = plan.activate + t_.rcd;
    }
    plan.column = std::max({plan.column, any_column_, group_column_[group]});
    plan.column =
        std::max(plan.column, writing_ ? any_write_ : std::max(any_read_, group_read_[group]));
    const Tick latency = writing_ ? t_.write : t_.read;
    plan.data = std::max(plan.column + latency, bus_free_);
    plan.column = plan.data - latency;
    return plan;
}

void DramChannel::commit(const Request& request, const Plan& plan) {
    Bank& bank = banks_[request.place.bank];
    const unsigned group = request.place.group;
    const auto later = [](Tick& value, Tick at) { value = std::max(value, at); };
    if (plan.hit) {
        ++counts_.row_hits;
    } else {
        ++(bank.row == kClosed ? counts_.row_misses : counts_.row_conflicts);
        bank.row = request.place.row;
        bank.column = plan.activate + t_.rcd;
        bank.activate = plan.activate + t_.ras + t_.rp;
        bank.precharge = plan.activate + t_.ras;
        later(any_activate_, plan.activate + t_.rrd_s);
        later(group_activate_[group], plan.activate + t_.rrd_l);
        std::rotate(activations_.begin(), activations_.begin() + 1, activations_.end());
        activations_.back() = std::max(activations_[2], plan.activate);
    }
    later(any_column_, plan.column + t_.ccd_s);
    later(group_column_[group], plan.column + t_.ccd_l);
    bus_free_ = plan.data + t_.burst;
    if (writing_) {
        later(bank.precharge, bus_free_ + t_.wr);
        later(any_read_, bus_free_ + t_.wtr_s);
        later(group_read_[group], bus_free_ + t_.wtr_l);
    } else {
        later(bank.precharge, plan.column + t_.rtp);
        // Two clocks between a read's data and a write's.
        later(any_write_, bus_free_ + 2 * t_.clock - std::min(t_.write, bus_free_));
    }
}

}  // namespace gen9::memory
