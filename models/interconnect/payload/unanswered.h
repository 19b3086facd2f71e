// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "common/units.h"

namespace gen9 {

/// Messages of a thread that shared functions have been told of and have not answered. A thread may
/// end with some of them on their way; who needs what they write has it retire only when they have
/// acted (ThreadRequest::awaits_messages). Timed mode.
class UnansweredMessages {
  public:
    class Observer {
      public:
        virtual ~Observer() = default;
        /// The last of them is answered at a cycle, now or later.
        virtual void all_answered(Cycles at) = 0;
    };
    explicit UnansweredMessages(Observer& observer) : observer_(&observer) {}

    void announced() { ++count_; }
    void answered(Cycles at) {
        answered_at_ = std::max(answered_at_, at);
        if (--count_ == 0) observer_->all_answered(answered_at_);
    }
    bool none(Cycles now) const { return count_ == 0 && answered_at_ <= now; }
    /// There are none from this cycle on, if that is known.
    std::optional<Cycles> end() const {
        return count_ == 0 ? std::optional(answered_at_) : std::nullopt;
    }

  private:
    Observer* observer_;
    std::uint32_t count_ = 0;
    Cycles answered_at_;
};

}  // namespace gen9
