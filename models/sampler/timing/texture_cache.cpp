// SPDX-License-Identifier: Apache-2.0
#include "sampler/timing/texture_cache.h"

#include <cstring>

namespace gen9::sampler {

void TextureCache::fill(std::uint64_t line, const std::uint8_t* data) {
    Entry* victim = &at(line, 0);
    for (unsigned way = 1; way < ways_ && victim->line != kNone; ++way) {
        Entry& entry = at(line, way);
        if (entry.line == kNone || entry.used < victim->used) victim = &entry;
    }
    victim->line = line;
    victim->used = ++clock_;
    std::memcpy(victim->data.data(), data, victim->data.size());
    filled_.add(static_cast<std::size_t>(victim - entries_.data()));
}

}  // namespace gen9::sampler
