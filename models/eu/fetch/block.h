// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "eu/execute/decoded.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

/// Adjacent instructions that have specialised functions, to be run in one go, and the branch that
/// ends them, if one does: nothing before it branches, waits, sends or changes a mode, so what each
/// instruction would have to ask is asked once.
class Block {
  public:
    static constexpr unsigned kMaxInstructions = 64;

    static bool begins_with(const DecodedInstruction& instruction) {
        return instruction.fast.masked != nullptr || instruction.always_next;
    }
    /// Adds the instruction at the end; false if it cannot be part.
    bool add(const DecodedInstruction& instruction);

    /// Instructions, the branch included.
    unsigned size() const { return size_; }
    std::uint32_t end_ip() const { return end_ip_; }
    /// The modes are right, and no waiting channel joins before the end.
    bool runs_now(const Thread& thread) const {
        return (thread.control[0] & modes_) == modes_wanted_ && thread.wake_ip >= straight_end_;
    }
    /// Runs it for a thread that stands at its first instruction and for which `runs_now`.
    void run(Thread& thread) const;

  private:
    struct Step {
        Body full, masked;
        const DecodedInstruction* instruction;
    };
    std::vector<Step> steps_;
    const DecodedInstruction* branch_ = nullptr;
    std::uint32_t size_ = 0;
    std::uint32_t channels_needed_ = 0;
    std::uint32_t modes_ = 0, modes_wanted_ = 0;
    std::uint32_t straight_end_ = 0, end_ip_ = 0;
};

}  // namespace gen9::eu
