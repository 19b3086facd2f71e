// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/units.h"

namespace gen9::eu {

/// Something announced to an EU for a cycle to come. In one cycle they take effect by kind, then
/// by port, then by number.
struct Arrival {
    enum class Kind : std::uint8_t {
        Dispatch,
        Credit,
        Response,
        Line,
        FetchAccepted,
        ThreadEnded,
        Save
    };

    Arrival(Cycles when, Kind what, std::uint8_t port, std::uint64_t number, void* subject)
        : at(when),
          rank(std::uint64_t{static_cast<std::uint8_t>(what)} << 60 | std::uint64_t{port} << 56 |
               number),
          object(subject) {}
    Kind kind() const { return static_cast<Kind>(rank >> 60); }
    std::uint8_t port() const { return rank >> 56 & 15; }
    std::uint64_t number() const { return rank & ((1ull << 56) - 1); }
    bool before(const Arrival& other) const {
        return at != other.at ? at < other.at : rank < other.rank;
    }

    Cycles at;
    std::uint64_t rank;
    void* object;
};

/// Arrivals in their order. Most are announced in nearly that order.
class Arrivals {
  public:
    bool empty() const { return first_ == list_.size(); }
    const Arrival& front() const { return list_[first_]; }
    /// The cycle in which the first comes; the end of time if there is none.
    Cycles next() const { return next_; }
    void push(const Arrival& arrival) {
        std::size_t place = list_.size();
        while (place > first_ && arrival.before(list_[place - 1]))
            --place;
        list_.insert(list_.begin() + static_cast<std::ptrdiff_t>(place), arrival);
        next_ = front().at;
    }
    void pop() {
        if (++first_ == kSlack || first_ == list_.size()) {
            list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        next_ = empty() ? kNone : front().at;
    }

  private:
    static constexpr std::size_t kSlack = 32;
    static constexpr Cycles kNone{~std::uint64_t{0}};
    std::vector<Arrival> list_;
    std::size_t first_ = 0;
    Cycles next_ = kNone;
};

}  // namespace gen9::eu
