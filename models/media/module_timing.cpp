// SPDX-License-Identifier: Apache-2.0
// Walkers in another mode than those before: the front end holds them back until the machine, with
// nothing under way, has changed.
#include <algorithm>

#include "media/module.h"

namespace gen9::media {

bool Media::walk_waits() {
    if (timing_choice == nullptr) return false;
    if (!timing_) timing_ = timing_choice->of_work(record_of(walk_));
    return waits_for_timing();
}

bool Media::group_waits() {
    if (!timing_) {
        const std::uint64_t live = live_;
        const std::uint64_t threads = std::max<std::uint64_t>(1, walk_.descriptor.group_threads);
        timing_ = timing_choice->of_group(groups_sent_, (live + threads - 1) / threads);
    }
    return waits_for_timing();
}

bool Media::waits_for_timing() {
    if (*timing_ != env_.timing) return true;
    timing_.reset();
    return false;
}

std::optional<Timing> Media::wanted_timing() const {
    if (!timing_ || live_ != 0 || !children_.empty()) return std::nullopt;
    return timing_;
}

}  // namespace gen9::media
