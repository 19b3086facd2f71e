// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "l3/types.h"

namespace gen9::l3 {

/// The super queue of a bank: requests whose line is on its way. All requests to such a line wait
/// in order, only the oldest fetches, and the younger are replayed after it (L3-32, L3-38).
/// `Request` is what the module remembers of each.
template <class Request>
class SuperQueue {
  public:
    enum class State : std::uint8_t {
        Idle,     ///< its oldest request can be tried
        Waiting,  ///< memory has been asked
        Held,     ///< by a flush
    };
    struct Entry {
        LineKey key;
        State state = State::Idle;
        bool refetch = false;  ///< what memory was asked for is out of date
        std::vector<Request> requests;
        std::size_t next = 0;  ///< the oldest not yet done
        bool done() const { return next == requests.size(); }
        Request& oldest() { return requests[next]; }
    };

    explicit SuperQueue(std::uint64_t capacity) : capacity_(capacity) {}
    void limit(std::uint64_t capacity) { capacity_ = capacity; }

    /// The line's entry, or null.
    Entry* find(LineKey key) {
        for (std::size_t i = 0; i < keys_.size(); ++i)
            if (keys_[i] == key) return order_[i];
        return nullptr;
    }
    bool full() const { return waiting_ >= capacity_; }
    std::uint64_t waiting() const { return waiting_; }
    bool empty() const { return order_.empty(); }
    /// Lines in flight, oldest first.
    std::size_t size() const { return order_.size(); }
    Entry& at(std::size_t index) { return *order_[index]; }
    /// Lines that have ever been opened.
    std::uint64_t opened() const { return opened_; }

    Entry& open(LineKey key) {
        if (free_.empty()) free_.push_back(&pool_.emplace_back());
        Entry& entry = *free_.back();
        free_.pop_back();
        order_.push_back(&entry);
        keys_.push_back(key);
        ++opened_;
        entry.key = key;
        entry.state = State::Idle;
        entry.refetch = false;
        return entry;
    }
    void add(Entry& entry, const Request& request) {
        entry.requests.push_back(request);
        ++waiting_;
    }
    /// The oldest request of an entry is done.
    void finish(Entry& entry) {
        ++entry.next;
        --waiting_;
    }
    /// Frees the entries that have nothing left to do.
    void sweep() {
        for (std::size_t i = 0; i < order_.size();) {
            Entry& entry = *order_[i];
            if (!entry.done() || entry.state != State::Idle) {
                ++i;
                continue;
            }
            entry.requests.clear();
            entry.next = 0;
            free_.push_back(&entry);
            order_.erase(order_.begin() + static_cast<std::ptrdiff_t>(i));
            keys_.erase(keys_.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }

  private:
    std::deque<Entry> pool_;  ///< entries stay where they are while others are opened
    std::vector<Entry*> free_, order_;
    std::vector<LineKey> keys_;  ///< by order
    std::uint64_t capacity_, waiting_ = 0, opened_ = 0;
};

}  // namespace gen9::l3
