// SPDX-License-Identifier: Apache-2.0
#include "eu/fetch/block.h"

namespace gen9::eu {

bool Block::add(const DecodedInstruction& instruction) {
    if (branch_ != nullptr || size_ == kMaxInstructions || !begins_with(instruction)) return false;
    const FastOperands& fast = instruction.fast;
    const bool branches = instruction.always_next;
    // Two instructions of one block may not want a mode differently.
    if ((modes_ & fast.modes & (modes_wanted_ ^ fast.modes_wanted)) != 0) return false;
    ++size_;
    end_ip_ = instruction.next_ip;
    if (branches) {
        branch_ = &instruction;
        straight_end_ = instruction.ip;
        return true;
    }
    modes_ |= fast.modes;
    modes_wanted_ |= fast.modes_wanted;
    channels_needed_ |= fast.channels_needed;
    straight_end_ = end_ip_;
    steps_.push_back({fast.full, fast.masked, &instruction});
    return true;
}

void Block::run(Thread& thread) const {
    const Step *step = steps_.data(), *const end = step + steps_.size();
    if ((thread.active & channels_needed_) == channels_needed_) {
        for (; step != end; ++step)
            step->full(thread, *step->instruction);
    } else {
        for (; step != end; ++step)
            step->masked(thread, *step->instruction);
    }
    advance(thread, straight_end_);
    if (branch_ != nullptr) branch_->execute(thread, *branch_);
}

}  // namespace gen9::eu
