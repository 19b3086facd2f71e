// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "interconnect/message.h"

namespace gen9 {

/// Messages that a shared function has been told of, to be worked on by cycle of arrival, then by
/// port (the EU's index), then in the order in which an EU sent them: never in the order in which
/// the kernel ran the senders.
class MessageInbox {
  public:
    struct Entry {
        Cycles arrival;
        unsigned port = 0;
        std::uint64_t sequence = 0;
        Message* message = nullptr;
        bool operator>(const Entry& o) const {
            if (arrival != o.arrival) return arrival > o.arrival;
            return port != o.port ? port > o.port : sequence > o.sequence;
        }
    };
    void push(Cycles arrival, unsigned port, Message& message) {
        heap_.push_back({arrival, port, sequence_++, &message});
        std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
    }
    bool empty() const { return heap_.empty(); }
    std::size_t size() const { return heap_.size(); }
    const Entry& front() const { return heap_.front(); }
    Entry pop() {
        const Entry entry = heap_.front();
        std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
        heap_.pop_back();
        return entry;
    }

  private:
    std::vector<Entry> heap_;  ///< earliest first
    std::uint64_t sequence_ = 0;
};

}  // namespace gen9
