// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/environment.h"
#include "interconnect/payload/work.h"

namespace gen9::media {

/// Says in which mode walkers, and thread groups of a walker, run.
class TimingChoice {
  public:
    virtual ~TimingChoice() = default;
    /// Chooses for a walker that is to begin; asked once of each.
    virtual Timing of_work(const WorkRecord& walker) = 0;
    /// Chooses for the next group of the walker that is being sent; asked once, before it is opened.
    /// `group` counts from 0 in the order of sending; `running` groups have been sent, and their
    /// threads have not all retired.
    virtual Timing of_group(std::uint64_t group, std::uint64_t running) = 0;
    /// That group is opened: its first thread comes next.
    virtual void group_opened(std::uint64_t group, Cycles now) = 0;
};

}  // namespace gen9::media
