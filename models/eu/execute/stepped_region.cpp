// SPDX-License-Identifier: Apache-2.0
#include "eu/execute/stepped_region.h"

#include "eu/thread/masks.h"

namespace gen9::eu {

bool SteppedRegion::add(const DecodedInstruction& instruction) {
    if (branch_ != nullptr || size_ == kMaxInstructions || !begins_with(instruction)) return false;
    const FastOperands& fast = instruction.fast;
    const bool specialised = !instruction.always_next && !instruction.always_sends;
    // Two instructions of one region may not want a mode differently.
    if (specialised && (modes_ & fast.modes & (modes_wanted_ ^ fast.modes_wanted)) != 0)
        return false;
    if (size_++ == 0) first_ip_ = instruction.ip;
    end_ip_ = instruction.next_ip;
    if (instruction.always_next) {
        branch_ = &instruction;
        straight_end_ = instruction.ip;
        return true;
    }
    straight_end_ = end_ip_;
    if (instruction.always_sends) {
        sends_.push_back({static_cast<std::uint32_t>(steps_.size()), size_, &instruction});
        return true;
    }
    modes_ |= fast.modes;
    modes_wanted_ |= fast.modes_wanted;
    channels_needed_ |= fast.channels_needed;
    steps_.push_back({fast.full, fast.masked, &instruction});
    return true;
}

void SteppedRegion::complete() {
    steps_.shrink_to_fit();
    sends_.shrink_to_fit();
}

std::size_t SteppedRegion::bytes() const {
    return sizeof *this + steps_.capacity() * sizeof(Step) + sends_.capacity() * sizeof(Send);
}

CodeRegion::Run SteppedRegion::run(Thread& thread, Messages& messages, std::uint64_t budget) const {
    std::uint64_t done = 0;
    for (;;) {
        const bool all = (thread.active & channels_needed_) == channels_needed_;
        const Step *step = steps_.data(), *const first = step;
        const auto steps_to = [&](const Step* end) {
            if (all)
                for (; step != end; ++step)
                    step->full(thread, *step->instruction);
            else
                for (; step != end; ++step)
                    step->masked(thread, *step->instruction);
        };
        for (const Send& send : sends_) {
            steps_to(first + send.step);
            if (!messages.send(thread, *send.instruction, done + send.executed)) [[unlikely]]
                return {done + send.executed, true};
        }
        steps_to(first + steps_.size());
        done += size_;
        advance(thread, straight_end_);
        if (branch_ == nullptr) return {done, false};
        branch_->execute(thread, *branch_);
        if (thread.ip != first_ip_ || done + size_ > budget || !runs_now(thread))
            return {done, false};
    }
}

}  // namespace gen9::eu
