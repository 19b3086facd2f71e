// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hdc/access/direct.h"

namespace gen9::hdc {

/// Counts what calls of a site have done, all at once when the port settles.
class LaterCount final : private DirectPort::Uncounted {
  public:
    LaterCount(DirectPort& port, Core& core, const Core::DirectCounters& counters)
        : port_(port), core_(core), counters_(counters) {}
    void add(std::uint64_t accesses, std::uint64_t bytes) {
        if (messages_ == 0) port_.add(*this);
        ++messages_;
        accesses_ += accesses;
        bytes_ += bytes;
    }

  private:
    void count(TraceId cause) override {
        core_.count_direct(cause, counters_, accesses_, bytes_, messages_);
        messages_ = accesses_ = bytes_ = 0;
    }

    DirectPort& port_;
    Core& core_;
    const Core::DirectCounters counters_;
    std::uint64_t messages_ = 0, accesses_ = 0, bytes_ = 0;  ///< not counted yet
};

}  // namespace gen9::hdc
