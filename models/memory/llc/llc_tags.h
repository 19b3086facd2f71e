// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace gen9::memory {

/// The LLC's tags (its data is physical memory itself): set-associative, least recently used goes.
class LlcTags {
  public:
    struct Answer {
        bool hit = false;
        bool evicted = false;      ///< a modified line had to leave
        std::uint64_t victim = 0;  ///< its address
    };
    LlcTags(std::uint64_t bytes, unsigned ways);
    /// Looks the line of an address up, puts it in if it is not there, and marks it modified if
    /// asked.
    Answer access(std::uint64_t address, bool modify);
    bool holds(std::uint64_t address) const;
    /// Drops the line of an address; true if it was there and modified.
    bool drop(std::uint64_t address);

  private:
    struct Line {
        std::uint64_t number = ~std::uint64_t{0};
        std::uint32_t last_use = 0;
        bool modified = false;
    };
    std::vector<Line> lines_;
    std::uint64_t sets_;
    unsigned ways_;
    std::uint32_t use_ = 0;
};

}  // namespace gen9::memory
