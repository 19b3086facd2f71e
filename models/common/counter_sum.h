// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/stats.h"

namespace gen9 {

/// Counters of several sets that are read as one: those whose path matches a pattern
/// (Config::matches). Looked up once, in the sets there are by then; read often.
class CounterSum {
  public:
    CounterSum(const StatRegistry& registry, const std::string& pattern);
    std::uint64_t value() const {
        std::uint64_t total = 0;
        for (const Counter* counter : counters_)
            total += counter->value();
        return total;
    }

  private:
    std::vector<const Counter*> counters_;
};

}  // namespace gen9
