// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>

#include "interconnect/payload/work.h"

namespace gen9 {

/// Bytes of the channels and elements that messages to the data ports access, whatever lines they
/// lie in: the same in both modes.
struct MessageBytes {
    std::uint64_t l3 = 0;   ///< through L3
    std::uint64_t slm = 0;  ///< in shared local memory
};

/// Keeps them by walker. A message counts for the walker of its thread, also behind that walker's
/// end; all walkers and what is outside add up to the data ports' counters.
class BytesByWork {
  public:
    /// So many walkers have begun.
    void begun(std::uint32_t count) {
        begun_ = count;
        tag_ = kNoTag;
    }
    void count(TraceId cause, bool slm, std::uint64_t bytes) {
        // Messages of one walker mostly follow each other.
        if (const TraceId tag = cause >> kTraceWorkShift; tag != tag_) {
            tag_ = tag;
            place_ = &place_of(cause);
        }
        (slm ? place_->slm : place_->l3) += bytes;
    }
    MessageBytes of(std::uint32_t work) const {
        return work < all_work_.size() ? all_work_[work] : MessageBytes{};
    }
    /// The work of threads that no walker started.
    const MessageBytes& outside() const { return outside_; }

  private:
    static constexpr TraceId kNoTag = ~TraceId{0};
    MessageBytes& place_of(TraceId cause) {
        const std::uint32_t work = work_of(cause, begun_);
        if (work >= begun_) return outside_;
        if (all_work_.size() <= work) all_work_.resize(work + std::size_t{1});
        return all_work_[work];
    }

    std::deque<MessageBytes> all_work_;  ///< by number; places stay where they are
    MessageBytes outside_;
    std::uint32_t begun_ = 0;
    TraceId tag_ = kNoTag;  ///< whose place is at hand
    MessageBytes* place_ = &outside_;
};

}  // namespace gen9
