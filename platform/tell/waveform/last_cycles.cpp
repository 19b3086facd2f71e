// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/last_cycles.h"

#include <algorithm>

namespace gen9::platform {

void LastCycles::declare(const std::vector<WaveVariable>& variables) {
    variables_ = variables;
    before_.assign(variables.size(), 0);
}

void LastCycles::time(std::uint64_t picoseconds) {
    now_ = picoseconds;
}

void LastCycles::value(std::uint32_t variable, std::uint64_t value) {
    if (changes_.size() >= enough_) trim();
    changes_.push_back({now_, variable, value});
}

void LastCycles::trim() {
    const std::uint64_t first = now_ - std::min(now_, kept_);
    const auto keep =
        std::ranges::find_if(changes_, [first](const Change& c) { return c.time >= first; });
    for (auto change = changes_.begin(); change != keep; ++change)
        before_[change->variable] = change->value;
    changes_.erase(changes_.begin(), keep);
    enough_ = 2 * changes_.size() + (1 << 12);
}

void LastCycles::write(WaveFile& file) const {
    const std::uint64_t first = end_ - std::min(end_, kept_);
    std::vector<std::uint64_t> values = before_;
    file.declare(variables_);
    auto change = changes_.begin();
    for (; change != changes_.end() && change->time < first; ++change)
        values[change->variable] = change->value;
    file.time(first);
    for (std::uint32_t variable = 0; variable < values.size(); ++variable)
        file.value(variable, values[variable]);
    for (; change != changes_.end(); ++change) {
        file.time(change->time);
        file.value(change->variable, change->value);
    }
    file.close(end_);
}

}  // namespace gen9::platform
