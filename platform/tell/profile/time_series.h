// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/counter_sum.h"
#include "common/units.h"

namespace gen9::platform {

/// The machine's work in each interval of so many cycles, as a table of bounded length: when it is
/// full, two intervals become one, and those to come are twice as long.
class TimeSeries {
  public:
    static constexpr std::size_t kMaxRows = 10'000;

    /// Made when all sets are registered. `max_rows` is even.
    TimeSeries(const StatRegistry& stats, std::uint64_t cycles, std::size_t max_rows = kMaxRows);

    /// The cycle in which the present interval ends.
    Cycles next() const { return Cycles(begun_ + interval_); }
    /// The interval ends now. `launch`: the one that began first of those under way.
    void take(Cycles now, std::optional<std::uint32_t> launch);
    /// CSV: a line of names, then a line for each interval.
    std::string text() const;
    /// The same as an object: names of columns, rows of numbers (null: no launch).
    boost::json::object to_json() const;

  private:
    struct Row {
        std::uint64_t end = 0, cycles = 0;
        std::optional<std::uint32_t> launch;
        std::uint64_t threads = 0;  ///< at the end
        std::vector<std::uint64_t> counts;
    };
    void halve();

    const std::size_t max_rows_;
    std::uint64_t interval_;
    std::vector<CounterSum> sums_;
    CounterSum threads_sent_, threads_retired_;
    std::uint64_t begun_ = 0;
    std::vector<std::uint64_t> before_;  ///< at the beginning of the interval
    std::vector<Row> rows_;
};

}  // namespace gen9::platform
