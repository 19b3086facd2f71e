// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "interconnect/payload/state.h"

namespace gen9::cs {

/// The state of a context as its commands have set it, and the snapshot of it that work takes
/// along. A command changes the block of its unit only: in place, or in a copy when work has it.
class StateStore {
  public:
    using Dwords = std::span<const std::uint32_t>;

    /// Gives a new context its state. None that was found for the context before is used.
    void reset();
    const StateBases& bases() const { return live_; }
    void set_bases(const StateBases& bases) {
        static_cast<StateBases&>(live_) = bases;
        snapshot_.reset();
    }
    /// A state command with a slot. False: as StageState::take.
    bool take(const packets::CommandRow& row, Dwords dwords);
    void forget(const packets::CommandRow& row);
    /// The next work finds what is committed as if it had just been: constants are read again.
    void commit_again();
    /// The DWords that StageState::command gives.
    Dwords command(const packets::CommandRow& row, unsigned number = 0) const {
        const auto& block = blocks_[static_cast<unsigned>(row.latch.unit)];
        return block ? block->command(row, number) : Dwords();
    }
    /// The state that the next work takes along.
    const PipelineStatePtr& snapshot() {
        if (!snapshot_) [[unlikely]]
            make_snapshot();
        return snapshot_;
    }
    /// Calls `put_at` for each command that a context image holds, with its place there. Returns
    /// the name of one for which the image has too little room, or null.
    const char* put(const std::function<void(unsigned place, Dwords command)>& put_at) const;

  private:
    StageState& own(packets::Unit unit);
    void make_snapshot();

    PipelineState live_;
    std::array<std::shared_ptr<StageState>, packets::kUnits> blocks_;
    PipelineStatePtr snapshot_;
};

}  // namespace gen9::cs
