// SPDX-License-Identifier: Apache-2.0
// Walkers in another mode than those before: the spawner holds them back until the machine, with
// nothing under way, has changed.
#include <algorithm>

#include "dispatch/module.h"

namespace gen9::dispatch {

WorkRecord Spawner::record_of(const Walk& walk) const {
    WorkRecord record;
    record.number = walkers_begun_;
    record.kind = walk.media ? WorkKind::Media : WorkKind::Walker;
    record.name = command_->row->name;
    record.kernel_start = walk.state->instruction_base + walk.descriptor.kernel_start;
    record.simd_width = walk.media ? 32 : walk.walker.simd_width;
    if (!walk.media) record.groups = walk.walker.groups();
    return record;
}

bool Spawner::walk_waits() {
    if (timing_choice == nullptr) return false;
    if (!timing_) timing_ = timing_choice->of_work(record_of(walk_));
    return waits_for_timing();
}

bool Spawner::group_waits() {
    if (!timing_) {
        const std::uint64_t live = dispatcher_.slots().live();
        const std::uint64_t threads = std::max<std::uint64_t>(1, walk_.descriptor.group_threads);
        timing_ = timing_choice->of_group(groups_sent_, (live + threads - 1) / threads);
    }
    return waits_for_timing();
}

SendState Spawner::next_group(Cycles now) {
    if (timing_choice == nullptr || walk_.media) return open_group(now);
    if (!timing_agreed_ && group_waits()) return SendState::WaitDrain;
    timing_agreed_ = true;
    if (const SendState why = open_group(now); why != SendState::Sending) return why;
    timing_agreed_ = false;
    timing_choice->group_opened(groups_sent_++, now);
    return SendState::Sending;
}

bool Spawner::waits_for_timing() {
    if (*timing_ != env_.timing) return true;
    timing_.reset();
    return false;
}

std::optional<Timing> Spawner::wanted_timing() const {
    if (!timing_ || dispatcher_.slots().live() != 0 || !children_.empty()) return std::nullopt;
    return timing_;
}

}  // namespace gen9::dispatch
