// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "common/stats.h"
#include "common/units.h"

namespace gen9 {

/// Gives each cycle of a block one reason, so that the counters of the reasons add up to the cycles
/// of the run.
/// The block says until which cycle a reason holds. Of the reasons that hold, the first in the
/// order of `Reason` counts; the last one of all is for cycles of which no other holds. What is
/// said counts from the cycle in which it is said, or from a later one that is named. A block is
/// not run for its account: cycles are counted when it says something, and by `settle`.
template <class Reason, std::size_t kReasons>
class CycleAccount {
  public:
    /// One for each reason, in the order of `Reason`. They outlive the account.
    using Counters = std::array<Counter, kReasons>;
    /// The end of what holds until further notice.
    static constexpr Cycles kOpen{~std::uint64_t{0}};

    explicit CycleAccount(Counters& counters) : counters_(counters) {}

    /// A reason holds before cycle `end`, whatever was set before.
    void set(Reason reason, Cycles now, Cycles end) {
        settle(now);
        set_[static_cast<std::size_t>(reason)] = end;
    }
    /// A reason holds before cycle `end` at least, whatever is set later.
    void extend(Reason reason, Cycles now, Cycles end) {
        settle(now);
        Cycles& known = extended_[static_cast<std::size_t>(reason)];
        known = std::max(known, end);
    }
    /// A reason will hold from cycle `begin` on, before cycle `end` at least.
    void extend(Reason reason, Cycles now, Cycles begin, Cycles end) {
        if (begin <= now) return extend(reason, now, end);
        later_.insert(std::ranges::upper_bound(later_, begin, {}, &Later::begin),
                      {begin, end, reason});
    }
    /// Counts the cycles before `now`. To be called before counters are read.
    void settle(Cycles now) {
        auto next = later_.begin();
        for (; next != later_.end() && next->begin <= now; ++next) {
            count_to(next->begin);
            Cycles& known = extended_[static_cast<std::size_t>(next->reason)];
            known = std::max(known, next->end);
        }
        later_.erase(later_.begin(), next);
        count_to(now);
    }

  private:
    struct Later {
        Cycles begin, end;
        Reason reason;
    };
    void count_to(Cycles now) {
        if (now <= counted_) return;
        for (std::size_t reason = 0; reason + 1 < kReasons; ++reason)
            count(reason, std::min(std::max(set_[reason], extended_[reason]), now));
        count(kReasons - 1, now);
    }
    void count(std::size_t reason, Cycles to) {
        if (to <= counted_) return;
        counters_[reason] += (to - counted_).value;
        counted_ = to;
    }

    Counters& counters_;
    std::array<Cycles, kReasons> set_{}, extended_{};  ///< ends
    Cycles counted_;                                   ///< cycles before this one have been counted
    std::vector<Later> later_;                         ///< not begun, in order of their begin
};

}  // namespace gen9
