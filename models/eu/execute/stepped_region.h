// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "eu/execute/code_region.h"
#include "eu/thread/exceptions.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

/// A region that calls one function for each instruction: adjacent instructions that have
/// specialised functions, and sends between them. Nothing in it but the branch at its end branches
/// or waits, and nothing but a write of cr0.0 at its end changes a mode.
class SteppedRegion final : public CodeRegion {
  public:
    static constexpr unsigned kMaxInstructions = 64;

    static bool begins_with(const DecodedInstruction& instruction) {
        return instruction.fast.masked != nullptr || instruction.always_next ||
               instruction.always_sends;
    }
    /// Adds the instruction at the end; false if it cannot be part. `number`: of a send.
    bool add(const DecodedInstruction& instruction, unsigned number = 0);
    /// Gives back memory that was kept for more.
    void complete();

    Run run(Thread& thread, Messages& messages, Cycles begin, std::uint64_t most) const override;
    std::size_t bytes() const override;
    /// The same as `run` for one that only sets modes; gives the instructions executed.
    std::uint32_t run_prologue(Thread& thread) const {
        const HostFlush flush((keeps_denormals_ & ~thread.control[0]) != 0);
        const bool all = (thread.active & channels_needed_) == channels_needed_;
        for (const Step& step : steps_)
            (all ? step.full : step.masked)(thread, *step.instruction);
        return finish(thread);
    }

  private:
    struct Step {
        Body full, masked;
        const DecodedInstruction* instruction;
    };
    struct Send {
        std::uint32_t step;      ///< it comes before
        std::uint32_t executed;  ///< instructions up to it, it included
        unsigned number;
        const DecodedInstruction* instruction;
    };
    template <bool kAll>
    static void run_steps(Thread& thread, const Step* step, const Step* end);
    Run run_with_sends(Thread& thread, Messages& messages, Cycles begin) const;
    /// Does what is left behind the last step; gives the instructions of all.
    std::uint32_t finish(Thread& thread) const {
        advance(thread, straight_end_);
        if (last_ == nullptr) return size_;
        if (sets_modes_ && !may_set_modes(thread)) [[unlikely]]
            return size_ - 1;
        if (logic_) {
            thread.control[0] = (*logic_)(thread.control[0]);
            advance(thread, end_ip_);
        } else {
            last_->execute(thread, *last_);
        }
        return size_;
    }

    std::vector<Step> steps_;
    std::vector<Send> sends_;
    const DecodedInstruction* last_ = nullptr;  ///< a branch, or a write of cr0.0
    bool sets_modes_ = false;                   ///< it is that
    std::optional<ConstantLogic> logic_;        ///< all that such a write does, where that is known
    bool has_sends_ = false;
    std::uint32_t channels_needed_ = 0;
    std::uint32_t keeps_denormals_ = 0;  ///< of any of its instructions
};

}  // namespace gen9::eu
