// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "platform/tell/tracks/track_file.h"
#include "platform/tell/tracks/windows.h"

namespace gen9::platform {

/// A counter track whose changes are told ahead of time and out of order: they are written in the
/// order of their cycles, when no earlier one can come any more.
class Level {
  public:
    void add(std::int64_t n, std::uint64_t at) {
        const auto place =
            std::ranges::upper_bound(changes_, at, {}, [](auto& c) { return c.first; });
        changes_.insert(place, {at, n});
    }
    /// Writes the changes before `now`.
    void settle(std::uint64_t now, TrackFile& file, TrackFile::Track track,
                const Windows& windows) {
        std::size_t done = 0;
        while (done < changes_.size() && changes_[done].first < now) {
            const std::uint64_t at = changes_[done].first;
            for (; done < changes_.size() && changes_[done].first == at; ++done)
                value_ += changes_[done].second;
            if (windows.shows(at)) file.count(track, at, static_cast<double>(value_));
        }
        changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(done));
    }

  private:
    std::vector<std::pair<std::uint64_t, std::int64_t>> changes_;  ///< by cycle
    std::int64_t value_ = 0;
};

}  // namespace gen9::platform
