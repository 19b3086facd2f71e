// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"

namespace gen9::geometry {

/// Keeps what is heard of batches that were sent until the first step from its cycle on, so that
/// nothing depends on which module runs first in a cycle.
template <class Batch>
class Returns {
  public:
    Returns(const Environment& env, const Clock& clock, Wakeup& wakeup)
        : env_(env), clock_(clock), wakeup_(wakeup) {}

    /// `ended`: all of it; else its vertices (or records) have been read.
    void add(Batch& batch, bool ended, Cycles at) {
        if (env_.timed()) at = std::max(at, clock_.now() + Cycles(1));
        waiting_.push_back({at, &batch, ended});
        wakeup_.at(at);
    }
    /// Calls `act(batch, ended)` for each whose cycle has come. False: there was none.
    template <class Act>
    bool take(Cycles now, Act act) {
        bool any = false;
        for (std::size_t i = 0; i < waiting_.size();) {
            const Return back = waiting_[i];
            if (back.at > now) {
                ++i;
                continue;
            }
            waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
            act(*back.batch, back.ended);
            any = true;
        }
        return any;
    }
    void wake(Cycles now) {
        for (const Return& back : waiting_)
            wakeup_.at(std::max(back.at, now));
    }
    bool empty() const { return waiting_.empty(); }

  private:
    struct Return {
        Cycles at;
        Batch* batch;
        bool ended;
    };
    const Environment& env_;
    const Clock& clock_;
    Wakeup& wakeup_;
    std::vector<Return> waiting_;
};

}  // namespace gen9::geometry
