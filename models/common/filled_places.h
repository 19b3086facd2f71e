// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace gen9 {

/// The places of a table that have been filled since it was emptied last. To empty it costs as much
/// as has been filled, not as much as there is room for.
class FilledPlaces {
  public:
    explicit FilledPlaces(std::size_t places) : room_(places) {}

    /// The same place may be filled several times.
    void add(std::size_t place) {
        if (filled_.size() < room_)
            filled_.push_back(static_cast<std::uint32_t>(place));
        else
            all_ = true;
    }
    /// Calls `empty(place)` for each place that has been filled, and maybe for others.
    template <class Empty>
    void empty(Empty&& empty) {
        if (all_)
            for (std::size_t place = 0; place < room_; ++place)
                empty(place);
        else
            for (const std::uint32_t place : filled_)
                empty(place);
        filled_.clear();
        all_ = false;
    }

  private:
    std::size_t room_;
    std::vector<std::uint32_t> filled_;
    bool all_ = false;  ///< more has been filled than is listed
};

}  // namespace gen9
