// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "common/filled_places.h"
#include "common/units.h"

namespace gen9::icache {

/// A set-associative store of 64-byte lines, least recently used line replaced first.
class Tags {
  public:
    /// `lines` is at least `ways`; the number of sets is rounded down to a power of two.
    Tags(std::size_t lines, std::size_t ways);

    /// The line's bytes, or null. A hit makes it the most recently used of its set.
    const std::uint8_t* find(GpuAddr line);
    void fill(GpuAddr line, const std::uint8_t* bytes);
    void invalidate();

  private:
    struct Way {
        bool valid = false;
        GpuAddr line;
        std::uint64_t used = 0;
        std::array<std::uint8_t, kLineBytes> bytes;
    };
    Way* set_of(GpuAddr line) { return &ways_[line.value / kLineBytes % sets_ * associativity_]; }

    std::size_t sets_, associativity_;
    std::vector<Way> ways_;
    FilledPlaces filled_;
    std::uint64_t clock_ = 0;  ///< counts uses
};

}  // namespace gen9::icache
