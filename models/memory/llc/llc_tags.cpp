// SPDX-License-Identifier: Apache-2.0
#include "memory/llc/llc_tags.h"

#include <algorithm>

#include "common/units.h"

namespace gen9::memory {

LlcTags::LlcTags(std::uint64_t bytes, unsigned ways)
    : lines_(std::max<std::uint64_t>(1, bytes / kLineBytes / ways) * ways),
      sets_(lines_.size() / ways),
      ways_(ways) {}

bool LlcTags::holds(std::uint64_t address) const {
    const std::uint64_t number = address / kLineBytes;
    const Line* set = &lines_[number % sets_ * ways_];
    return std::any_of(set, set + ways_, [&](const Line& line) { return line.number == number; });
}

bool LlcTags::drop(std::uint64_t address) {
    const std::uint64_t number = address / kLineBytes;
    Line* set = &lines_[number % sets_ * ways_];
    Line* line = std::find_if(set, set + ways_, [&](const Line& l) { return l.number == number; });
    if (line == set + ways_) return false;
    const bool modified = line->modified;
    *line = Line();
    return modified;
}

LlcTags::Answer LlcTags::access(std::uint64_t address, bool modify) {
    const std::uint64_t number = address / kLineBytes;
    Line* set = &lines_[number % sets_ * ways_];
    Line* victim = set;
    ++use_;
    for (Line* line = set; line != set + ways_; ++line) {
        if (line->number == number) {
            line->last_use = use_;
            line->modified |= modify;
            return {true, false, 0};
        }
        // Ages are compared as distances, so the counter may wrap.
        if (use_ - line->last_use > use_ - victim->last_use) victim = line;
    }
    const Answer answer{false, victim->modified, victim->number * kLineBytes};
    *victim = {number, use_, modify};
    return answer;
}

}  // namespace gen9::memory
