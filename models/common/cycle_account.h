// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "common/stats.h"
#include "common/units.h"

namespace gen9 {

/// Gives each cycle of a block one reason, so that the counters of the reasons add up to the cycles
/// of the run.
/// The block says until which cycle a reason holds. Of the reasons that hold, the first in the
/// order of `Reason` counts; `kRest` is for cycles of which no other holds. What is said counts from the cycle in which it is said, or from a later one that is named. A block is
/// not run for its account: cycles are counted when it says something, and by `settle`.
template <class Reason, std::size_t kReasons, Reason kRest = Reason(kReasons - 1)>
class CycleAccount {
  public:
    /// One for each reason, in the order of `Reason`. They outlive the account.
    using Counters = std::array<Counter, kReasons>;
    using Places = std::array<Counter*, kReasons>;
    /// The end of what holds until further notice.
    static constexpr Cycles kOpen{~std::uint64_t{0}};

    explicit CycleAccount(Counters& counters) {
        for (std::size_t reason = 0; reason < kReasons; ++reason)
            counters_[reason] = &counters[reason];
    }
    explicit CycleAccount(const Places& counters) : counters_(counters) {}

    /// A reason holds before cycle `end`, whatever was set before.
    void set(Reason reason, Cycles now, Cycles end) {
        settle(now);
        set_[static_cast<std::size_t>(reason)] = end;
        holding_ |= bit(reason);
    }
    /// From now on a reason holds, and the one that was held before no longer does.
    void hold(Reason reason, Cycles now) {
        if (reason == held_) return;
        settle(now);
        set_[static_cast<std::size_t>(held_)] = now;
        held_ = reason;
        if (reason == kRest) return;
        set_[static_cast<std::size_t>(reason)] = kOpen;
        holding_ |= bit(reason);
    }
    Reason held() const { return held_; }
    /// A reason holds before cycle `end` at least, whatever is set later.
    void extend(Reason reason, Cycles now, Cycles end) {
        settle(now);
        extend_to(reason, end);
    }
    /// A reason will hold from cycle `begin` on, before cycle `end` at least.
    void extend(Reason reason, Cycles now, Cycles begin, Cycles end) {
        if (begin <= now) return extend(reason, now, end);
        later_.push_back({begin, end, reason});
        std::ranges::push_heap(later_, std::ranges::greater{}, &Later::begin);
    }
    /// Counts the cycles before `now`. To be called before counters are read.
    void settle(Cycles now) {
        while (!later_.empty() && later_.front().begin <= now) {
            count_to(later_.front().begin);
            extend_to(later_.front().reason, later_.front().end);
            std::ranges::pop_heap(later_, std::ranges::greater{}, &Later::begin);
            later_.pop_back();
        }
        count_to(now);
    }

  private:
    struct Later {
        Cycles begin, end;
        Reason reason;
    };
    static constexpr std::uint64_t bit(Reason reason) {
        return std::uint64_t{1} << static_cast<std::size_t>(reason);
    }
    void extend_to(Reason reason, Cycles end) {
        Cycles& known = extended_[static_cast<std::size_t>(reason)];
        known = std::max(known, end);
        holding_ |= bit(reason);
    }
    void count_to(Cycles now) {
        for (std::uint64_t left = holding_; left != 0 && counted_ < now; left &= left - 1) {
            const auto reason = static_cast<std::size_t>(std::countr_zero(left));
            const Cycles end = std::max(set_[reason], extended_[reason]);
            if (end <= now) holding_ &= ~(left & -left);
            count(reason, std::min(end, now));
        }
        count(static_cast<std::size_t>(kRest), now);
    }
    void count(std::size_t reason, Cycles to) {
        if (to <= counted_) return;
        *counters_[reason] += (to - counted_).value;
        counted_ = to;
    }

    static_assert(kReasons <= 64);
    Places counters_;
    Reason held_ = kRest;
    std::uint64_t holding_ = 0;                        ///< reasons that may hold
    std::array<Cycles, kReasons> set_{}, extended_{};  ///< ends
    Cycles counted_;                                   ///< cycles before this one have been counted
    /// Not begun: a heap whose front begins first. A blocking call's reasons may lie thousands of
    /// cycles ahead, and in no order.
    std::vector<Later> later_;
};

}  // namespace gen9
