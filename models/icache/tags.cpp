// SPDX-License-Identifier: Apache-2.0
#include "icache/tags.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace gen9::icache {

Tags::Tags(std::size_t lines, std::size_t ways)
    : sets_(std::bit_floor(std::max<std::size_t>(lines / ways, 1))),
      associativity_(ways),
      ways_(sets_ * ways),
      filled_(ways_.size()) {}

const std::uint8_t* Tags::find(GpuAddr line) {
    Way* const set = set_of(line);
    for (std::size_t i = 0; i < associativity_; ++i) {
        if (!set[i].valid || set[i].line != line) continue;
        set[i].used = ++clock_;
        return set[i].bytes.data();
    }
    return nullptr;
}

void Tags::fill(GpuAddr line, const std::uint8_t* bytes) {
    Way* const set = set_of(line);
    Way* const victim = std::min_element(set, set + associativity_, [](const Way& a, const Way& b) {
        return a.valid != b.valid ? !a.valid : a.used < b.used;
    });
    victim->valid = true;
    victim->line = line;
    victim->used = ++clock_;
    std::memcpy(victim->bytes.data(), bytes, kLineBytes);
    filled_.add(static_cast<std::size_t>(victim - ways_.data()));
}

void Tags::invalidate() {
    filled_.empty([this](std::size_t place) { ways_[place].valid = false; });
}

}  // namespace gen9::icache
