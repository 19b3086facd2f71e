// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "common/filled_places.h"

namespace gen9::sampler {

/// The texture cache: lines of 64 bytes with their data, sets with least recently used replacement.
/// A line stays as it was read until it is invalidated (SMP-57).
class TextureCache {
  public:
    using Line = std::array<std::uint8_t, 64>;
    TextureCache(unsigned lines, unsigned ways)
        : ways_(ways),
          sets_(std::bit_floor(lines / ways ? lines / ways : 1)),
          entries_(std::size_t{ways_} * sets_),
          filled_(entries_.size()) {}

    /// The line's data, or null.
    const Line* find(std::uint64_t line) {
        for (unsigned way = 0; way < ways_; ++way) {
            Entry& entry = at(line, way);
            if (entry.line != line) continue;
            entry.used = ++clock_;
            return &entry.data;
        }
        return nullptr;
    }
    void fill(std::uint64_t line, const std::uint8_t* data);
    void invalidate() {
        filled_.empty([this](std::size_t place) { entries_[place].line = kNone; });
    }

  private:
    static constexpr std::uint64_t kNone = ~0ull;
    struct Entry {
        std::uint64_t line = kNone, used = 0;
        Line data;
    };
    Entry& at(std::uint64_t line, unsigned way) {
        return entries_[(line & (sets_ - 1)) * ways_ + way];
    }
    unsigned ways_, sets_;
    std::uint64_t clock_ = 0;
    std::vector<Entry> entries_;
    FilledPlaces filled_;
};

}  // namespace gen9::sampler
