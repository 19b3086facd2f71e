// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>

#include "media/timing_choice.h"
#include "platform/run/timed_kernels.h"
#include "platform/tell/group_sample.h"
#include "platform/tell/launch_names.h"

namespace gen9::platform {

/// Tells the spawner which walkers, and which of their groups, are timed.
class ChosenWalkers : public media::TimingChoice, public WorkObserver {
  public:
    /// `groups`: those to be timed of a launch that has more; 0: all of them.
    /// `instructions`: that the EUs have executed before this cycle.
    ChosenWalkers(TimedKernels& kernels, std::uint64_t groups, LaunchNames& names,
                  std::function<std::uint64_t()> instructions)
        : kernels_(kernels),
          wanted_(groups),
          names_(names),
          instructions_(std::move(instructions)) {}

    Timing of_work(const WorkRecord& work) override;
    Timing of_group(std::uint64_t group, std::uint64_t running) override;
    void group_opened(std::uint64_t group, Cycles now) override;
    void work_began(const WorkRecord&) override {}
    void work_ended(const WorkRecord& work) override;

    /// Finds what is known of a launch of which only some groups were timed; null: it was not so.
    const GroupSample::Estimate* estimate(std::uint32_t work) const {
        const auto found = estimates_.find(work);
        return found != estimates_.end() ? &found->second : nullptr;
    }

  private:
    TimedKernels& kernels_;
    const std::uint64_t wanted_;
    LaunchNames& names_;
    const std::function<std::uint64_t()> instructions_;
    std::map<std::uint32_t, GroupSample> samples_;  ///< by number; of those under way
    std::uint32_t sent_ = 0;                        ///< the walker being sent, and its mode
    Timing timing_ = Timing::Timed;
    std::map<std::uint32_t, GroupSample::Estimate> estimates_;
};

}  // namespace gen9::platform
