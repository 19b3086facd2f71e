// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/profile/time_series.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gen9::platform {
namespace {

struct Eu : StatSet {
    using StatSet::StatSet;
    Counter instructions{*this, "instructions", "instructions", ""};
};
struct Spawner : StatSet {
    using StatSet::StatSet;
    Counter threads{*this, "threads", "threads", ""};
    Counter threads_retired{*this, "threads_retired", "threads", ""};
};

class TimeSeriesTest : public testing::Test {
  protected:
    TimeSeriesTest() {
        for (const Eu& eu : eus)
            stats.add(eu);
        stats.add(spawner);
    }
    /// Its rows, up to the first counter.
    static std::vector<std::string> rows(const TimeSeries& series) {
        std::vector<std::string> rows;
        std::istringstream text(series.text());
        for (std::string line; std::getline(text, line);) {
            std::size_t end = 0;
            for (unsigned i = 0; i < 5; ++i)
                end = line.find(',', end + (i != 0));
            rows.push_back(line.substr(0, end));
        }
        return rows;
    }

    Eu eus[2]{Eu("gpu.slice0.subslice0.eu0"), Eu("gpu.slice0.subslice0.eu1")};
    Spawner spawner{"gpu.spawner"};
    StatRegistry stats;
};

TEST_F(TimeSeriesTest, ARowIsWhatAllBlocksCountedInItsInterval) {
    eus[0].instructions += 1000;  // before
    TimeSeries series(stats, 10);
    EXPECT_EQ(series.next(), Cycles(10));
    eus[0].instructions += 3;
    eus[1].instructions += 4;
    spawner.threads += 5;
    series.take(Cycles(10), 7);
    EXPECT_EQ(series.next(), Cycles(20));
    eus[1].instructions += 1;
    spawner.threads_retired += 2;
    series.take(Cycles(25), std::nullopt);
    series.take(Cycles(25), std::nullopt);  // nothing has passed
    EXPECT_EQ(rows(series), (std::vector<std::string>{"cycle,cycles,launch,threads,instructions",
                                                      "10,10,7,5,7", "25,15,,3,1"}));
}

TEST_F(TimeSeriesTest, WhenItIsFullTwoIntervalsBecomeOneOfTwiceTheLength) {
    TimeSeries series(stats, 10, 4);
    const auto take = [&](std::uint64_t end, std::optional<std::uint32_t> launch) {
        eus[0].instructions += end;
        ++spawner.threads;
        series.take(Cycles(end), launch);
    };
    take(10, std::nullopt);
    take(20, 1);
    take(30, 1);
    take(40, 2);
    EXPECT_EQ(series.next(), Cycles(50)) << "it is full, and not yet too full";
    take(50, 2);
    EXPECT_EQ(series.next(), Cycles(70));
    EXPECT_EQ(rows(series),
              (std::vector<std::string>{"cycle,cycles,launch,threads,instructions", "20,20,1,2,30",
                                        "40,20,1,4,70", "50,10,2,5,50"}));
}

}  // namespace
}  // namespace gen9::platform
