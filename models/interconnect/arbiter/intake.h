// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "interconnect/arbiter/arbiter.h"

namespace gen9 {

/// Keeps what the ports of a shared function have announced. It is worked on one after the other: a
/// port's in order of arrival, between ports as an arbiter says, never in the order in which the
/// kernel ran the senders.
template <class Item>
class Intake {
  public:
    struct Entry {
        Cycles arrival;
        unsigned port = 0;
        Item item{};
    };

    Intake(Arbiter arbiter, unsigned ports) : arbiter_(std::move(arbiter)), queues_(ports) {
        GEN9_CHECK(ports <= 64, "an intake has 64 ports at most");
    }

    void push(Cycles arrival, unsigned port, Item item) {
        std::vector<Entry>& queue = queues_[port];
        const auto place =
            std::upper_bound(queue.begin(), queue.end(), arrival,
                             [](Cycles at, const Entry& entry) { return at < entry.arrival; });
        queue.insert(place, {arrival, port, item});
        ++size_;
        show_head(port);
    }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    /// The earliest arrival of what is there, which is something.
    Cycles earliest() const {
        Cycles earliest(~std::uint64_t{0});
        for (std::uint64_t left = waiting_; left != 0; left &= left - 1)
            earliest = std::min(earliest, head(left).arrival);
        return earliest;
    }
    /// The next to be worked on at `now`, of those that have come by then, at least one.
    const Entry& next(Cycles now) const {
        std::uint64_t here = 0;
        for (std::uint64_t left = waiting_; left != 0; left &= left - 1)
            if (head(left).arrival <= now) here |= left & -left;
        return queues_[arbiter_.choose(here, now)].front();
    }
    /// Takes it out.
    Entry pop(Cycles now) {
        const Entry entry = next(now);
        std::vector<Entry>& queue = queues_[entry.port];
        queue.erase(queue.begin());
        --size_;
        arbiter_.served(entry.port, now);
        show_head(entry.port);
        return entry;
    }

  private:
    const Entry& head(std::uint64_t ports) const {
        return queues_[static_cast<unsigned>(std::countr_zero(ports))].front();
    }
    void show_head(unsigned port) {
        const std::uint64_t bit = std::uint64_t{1} << port;
        if (queues_[port].empty()) {
            waiting_ &= ~bit;
            return;
        }
        waiting_ |= bit;
        arbiter_.waits(port, queues_[port].front().arrival);
    }

    Arbiter arbiter_;
    std::vector<std::vector<Entry>> queues_;  ///< by port, earliest first
    std::uint64_t waiting_ = 0;               ///< ports whose queue is not empty
    std::size_t size_ = 0;
};

}  // namespace gen9
