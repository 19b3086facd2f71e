// SPDX-License-Identifier: Apache-2.0
#include "platform/chosen_walkers.h"

namespace gen9::platform {

Timing ChosenWalkers::of_walker(const WalkerRecord& walker) {
    names_.walker_began(walker);
    const LaunchName* const name = names_.of(walker.number);
    const TimedKernels::Use use = kernels_.next(name ? name->kernel : "");
    sent_ = walker.number;
    timing_ = TimedKernels::timing(use);
    const std::uint64_t groups =
        std::uint64_t{walker.groups[0]} * walker.groups[1] * walker.groups[2];
    if (wanted_ != 0 && use == TimedKernels::Use::Timed && groups > wanted_)
        samples_.emplace(walker.number, GroupSample(groups, wanted_));
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

void ChosenWalkers::walker_ended(const WalkerRecord& walker) {
    const auto sample = samples_.find(walker.number);
    if (sample == samples_.end()) return;
    if (!sample->second.whole())
        estimates_.emplace(walker.number, sample->second.estimate(walker.begin, walker.end));
    samples_.erase(sample);
}

}  // namespace gen9::platform
