// SPDX-License-Identifier: Apache-2.0
#include "platform/run/chosen_walkers.h"

namespace gen9::platform {

Timing ChosenWalkers::of_work(const WorkRecord& work) {
    names_.work_began(work);
    const LaunchName* const name = names_.of(work.number);
    const TimedKernels::Use use = kernels_.next(name ? name->kernel : "");
    sent_ = work.number;
    timing_ = TimedKernels::timing(use);
    const std::uint64_t groups = std::uint64_t{work.groups[0]} * work.groups[1] * work.groups[2];
    if (wanted_ != 0 && use == TimedKernels::Use::Timed && groups > wanted_)
        samples_.emplace(work.number, GroupSample(groups, wanted_));
    return timing_;
}

Timing ChosenWalkers::of_group(std::uint64_t group, std::uint64_t running) {
    const auto sample = samples_.find(sent_);
    return sample == samples_.end() ? timing_ : sample->second.timing_of(group, running);
}

void ChosenWalkers::group_opened(std::uint64_t group, Cycles now) {
    if (const auto sample = samples_.find(sent_); sample != samples_.end())
        sample->second.opened(group, now, instructions_());
}

void ChosenWalkers::work_ended(const WorkRecord& work) {
    const auto sample = samples_.find(work.number);
    if (sample == samples_.end()) return;
    if (!sample->second.whole())
        estimates_.emplace(work.number, sample->second.estimate(work.begin, work.end));
    samples_.erase(sample);
}

}  // namespace gen9::platform
