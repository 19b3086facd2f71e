// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "interconnect/arbiter/arbiter.h"

namespace gen9 {

/// Keeps what the ports of a shared function have announced. It is worked on one after the other: a
/// port's in order of arrival, between ports as an arbiter says, never in the order in which the
/// kernel ran the senders. A block with an order of its own looks at the queues and names the place.
template <class Item>
class Intake {
  public:
    struct Entry {
        Cycles arrival;
        unsigned port = 0;
        Item item{};
    };
    /// An entry of a port's queue, counted from the oldest.
    struct Place {
        unsigned port = 0, index = 0;
    };
    struct Waiting {
        Cycles arrival;
        Item item{};
    };
    /// What a port has announced, earliest first.
    class Queue {
      public:
        unsigned size() const { return size_; }
        const Waiting& operator[](unsigned index) const { return ring_[place(index)]; }

      private:
        friend class Intake;
        void insert(const Waiting& waiting) {
            if (size_ == ring_.size()) grow();
            unsigned index = size_++;
            for (; index != 0 && waiting.arrival < (*this)[index - 1].arrival; --index)
                ring_[place(index)] = ring_[place(index - 1)];
            ring_[place(index)] = waiting;
        }
        Waiting take(unsigned index) {
            const Waiting waiting = (*this)[index];
            // Those before it move up.
            for (; index != 0; --index)
                ring_[place(index)] = ring_[place(index - 1)];
            ++head_;
            --size_;
            return waiting;
        }
        void grow() {
            std::vector<Waiting> more(std::max<std::size_t>(2 * ring_.size(), 4));
            for (unsigned i = 0; i < size_; ++i)
                more[i] = (*this)[i];
            ring_ = std::move(more);
            head_ = 0;
        }
        std::size_t place(unsigned index) const { return (head_ + index) & (ring_.size() - 1); }
        std::vector<Waiting> ring_;  ///< a power of two of places
        unsigned head_ = 0, size_ = 0;
    };

    Intake(Arbiter arbiter, unsigned ports)
        : arbiter_(std::move(arbiter)), queues_(ports), earliest_(ports) {
        GEN9_CHECK(ports <= 64, "an intake has 64 ports at most");
    }

    void push(Cycles arrival, unsigned port, Item item) {
        queues_[port].insert({arrival, item});
        ++size_;
        show_head(port);
    }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    /// Ports whose queue is not empty.
    std::uint64_t waiting() const { return waiting_; }
    const Queue& queue(unsigned port) const { return queues_[port]; }
    /// The arrival of the oldest of a port that has one.
    Cycles earliest(unsigned port) const { return earliest_[port]; }
    /// The earliest arrival of what is there, which is something.
    Cycles earliest() const {
        Cycles earliest(~std::uint64_t{0});
        for (std::uint64_t left = waiting_; left != 0; left &= left - 1)
            earliest = std::min(earliest, earliest_[first_of(left)]);
        return earliest;
    }
    Arbiter& arbiter() { return arbiter_; }
    /// The next to be worked on at `now`, of those that have come by then, at least one.
    Place choose(Cycles now) const {
        std::uint64_t here = 0;
        for (std::uint64_t left = waiting_; left != 0; left &= left - 1)
            if (earliest_[first_of(left)] <= now) here |= left & -left;
        return {arbiter_.choose(here, now), 0};
    }
    Entry next(Cycles now) const {
        const Place place = choose(now);
        const Waiting& waiting = queues_[place.port][place.index];
        return {waiting.arrival, place.port, waiting.item};
    }
    /// Takes it out, or another.
    Entry take(Place place, Cycles now) {
        const Waiting taken = queues_[place.port].take(place.index);
        --size_;
        arbiter_.served(place.port, now);
        show_head(place.port);
        return {taken.arrival, place.port, taken.item};
    }
    Entry pop(Cycles now) { return take(choose(now), now); }

  private:
    static unsigned first_of(std::uint64_t ports) {
        return static_cast<unsigned>(std::countr_zero(ports));
    }
    void show_head(unsigned port) {
        const std::uint64_t bit = std::uint64_t{1} << port;
        if (queues_[port].size() == 0) {
            waiting_ &= ~bit;
            return;
        }
        waiting_ |= bit;
        earliest_[port] = queues_[port][0].arrival;
        arbiter_.waits(port, earliest_[port]);
    }

    Arbiter arbiter_;
    std::vector<Queue> queues_;     ///< by port
    std::vector<Cycles> earliest_;  ///< arrival of the oldest of each queue that is not empty
    std::uint64_t waiting_ = 0;     ///< ports whose queue is not empty
    std::size_t size_ = 0;
};

}  // namespace gen9
