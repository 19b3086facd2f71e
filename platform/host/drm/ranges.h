// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <optional>

namespace gen9::drm {

/// Hands out ranges of an address range: the lowest place that fits, at an aligned address.
class Ranges {
  public:
    Ranges(std::uint64_t begin, std::uint64_t end) { free_.emplace(begin, end); }

    std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment) {
        for (auto at = free_.begin(); at != free_.end(); ++at) {
            const auto [begin, end] = *at;
            const std::uint64_t place = (begin + alignment - 1) / alignment * alignment;
            if (place >= end || size > end - place) continue;
            free_.erase(at);
            if (begin < place) free_.emplace(begin, place);
            if (place + size < end) free_.emplace(place + size, end);
            return place;
        }
        return std::nullopt;
    }
    void give_back(std::uint64_t begin, std::uint64_t size) {
        auto next = free_.lower_bound(begin);
        std::uint64_t end = begin + size;
        if (next != free_.end() && next->first == end) {
            end = next->second;
            next = free_.erase(next);
        }
        if (next != free_.begin())
            if (const auto before = std::prev(next); before->second == begin) {
                before->second = end;
                return;
            }
        free_.emplace(begin, end);
    }

  private:
    std::map<std::uint64_t, std::uint64_t> free_;  ///< begin to end
};

}  // namespace gen9::drm
