// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "common/counter_sum.h"
#include "interconnect/payload/work.h"

namespace gen9::platform {

/// How far a run is, for a line on a terminal.
struct Progress {
    bool timed = true;
    std::uint64_t cycles = 0, instructions = 0;  ///< of the engine
    double seconds = 0;                          ///< of the host, since the engine was started
    struct Launch {
        WorkRecord work;
        std::string kernel;  ///< its name; empty: not known
        std::uint64_t groups_done = 0;
        std::uint64_t groups_timed =
            0;  ///< of them, those that `seconds` of the host were spent on
        double seconds = 0;
    };
    std::optional<Launch> launch;  ///< the one that began last, if it has not ended
};
/// "launch 3, mm, 812 of 4096 groups, 12.3 Mcycles, 310 kcycles/s, 40 s left"; a launch without a
/// name has its kernel's address. In functional mode, which has no cycles, EU instructions.
/// `columns`: the most characters. Names are cut first.
std::string to_text(const Progress& progress, std::size_t columns = ~std::size_t{0});

/// A number of three digits with a prefix: "12.3 Mcycles".
std::string with_unit(double value, const char* unit);

/// A line on standard error that is written over and over. It is one line of the terminal at most,
/// for of a longer one the terminal keeps the parts before the last.
class ProgressLine {
  public:
    explicit ProgressLine(bool wanted) : wanted_(wanted) {}
    /// Is one wanted, and was the last one shown long enough ago?
    bool due() const;
    void show(const Progress& progress);
    /// Call before anything else is written.
    void clear();

  private:
    bool wanted_, shown_ = false;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Knows which launch is under way, and how far it is.
class LaunchProgress : public WorkObserver {
  public:
    explicit LaunchProgress(const StatRegistry& stats);
    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord& work) override;
    /// `seconds`: of the host.
    std::optional<Progress::Launch> at(double seconds);

  private:
    struct Counts {
        std::uint64_t groups, sent, retired;
    };
    Counts counts() const;
    CounterSum groups_, sent_, retired_;
    std::optional<WorkRecord> work_;
    Counts then_{};
    struct Look {
        double seconds;
        std::uint64_t done;
    };
    std::optional<Look> first_;  ///< of those at the launch
};

}  // namespace gen9::platform
