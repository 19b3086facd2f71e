// SPDX-License-Identifier: Apache-2.0
#include "eu/execute/stepped_region.h"

#include "eu/thread/float_control.h"

namespace gen9::eu {

bool SteppedRegion::add(const DecodedInstruction& instruction, unsigned number) {
    if (last_ != nullptr || size_ == kMaxInstructions) return false;
    if (size_ != 0 && sets_modes(instruction.instruction)) {
        ++size_;
        end_ip_ = instruction.next_ip;
        straight_end_ = instruction.ip;
        last_ = &instruction;
        logic_ = mode_logic(instruction);
        only_sets_modes_ = !has_sends_;
        return sets_modes_ = true;
    }
    if (!begins_with(instruction)) return false;
    const FastOperands& fast = instruction.fast;
    const bool specialised = !instruction.always_next && !instruction.always_sends;
    // Two instructions of one region may not want a mode differently.
    if (specialised && (modes_ & fast.modes & (modes_wanted_ ^ fast.modes_wanted)) != 0)
        return false;
    ++size_;
    end_ip_ = instruction.next_ip;
    if (instruction.always_next) {
        last_ = &instruction;
        straight_end_ = instruction.ip;
        return true;
    }
    straight_end_ = end_ip_;
    if (instruction.always_sends) {
        has_sends_ = true;
        sends_.push_back({static_cast<std::uint32_t>(steps_.size()), size_, number, &instruction});
        return true;
    }
    modes_ |= fast.modes;
    modes_wanted_ |= fast.modes_wanted;
    keeps_denormals_ |= fast.keeps_denormals;
    // The host would flush doubles as well.
    if (keeps_denormals_ != 0 && (modes_ & cr0::kDoubleDenormals) != 0) {
        modes_ |= keeps_denormals_;
        modes_wanted_ |= keeps_denormals_;
    }
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

template <bool kAll>
inline void SteppedRegion::run_steps(Thread& thread, const Step* step, const Step* end) {
    for (; step != end; ++step)
        (kAll ? step->full : step->masked)(thread, *step->instruction);
}

// Most regions send nothing: theirs is the shorter way.
CodeRegion::Run SteppedRegion::run(Thread& thread, Messages& messages, Cycles begin,
                                   std::uint64_t) const {
    thread.places.forget();
    if (has_sends_) return run_with_sends(thread, messages, begin);
    const Step *const first = steps_.data(), *const end = first + steps_.size();
    {
        const HostFlush flush((keeps_denormals_ & ~thread.control[0]) != 0);
        if ((thread.active & channels_needed_) == channels_needed_)
            run_steps<true>(thread, first, end);
        else
            run_steps<false>(thread, first, end);
    }
    return {finish(thread), false};
}

CodeRegion::Run SteppedRegion::run_with_sends(Thread& thread, Messages& messages,
                                              Cycles begin) const {
    const bool all = (thread.active & channels_needed_) == channels_needed_;
    const Step *step = steps_.data(), *const first = step;
    const bool flushes = (keeps_denormals_ & ~thread.control[0]) != 0;
    const auto steps_to = [&](const Step* end) {
        const HostFlush flush(flushes && step != end);
        all ? run_steps<true>(thread, step, end) : run_steps<false>(thread, step, end);
        step = end;
    };
    for (const Send& send : sends_) {
        steps_to(first + send.step);
        if (!messages.send(thread, *send.instruction, send.number, begin + Cycles(send.executed)))
            [[unlikely]]
            return {send.executed, true};
    }
    steps_to(first + steps_.size());
    return {finish(thread), false};
}

}  // namespace gen9::eu
