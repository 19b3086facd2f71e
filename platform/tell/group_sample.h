// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "common/environment.h"
#include "common/units.h"

namespace gen9::platform {

/// Chooses the thread groups of a launch that are timed, and concludes from them on the whole
/// launch.
///
/// Timed are windows of groups that follow each other: one at the beginning, one at the end, and
/// one in each of equal parts of what lies between. A window is six times as long as what the
/// machine holds at once. Its first third fills the machine and the caches; over the rest, in which
/// each group takes the place of one that has ended, cycles for each instruction are measured. The
/// launch takes the cycles of the first window up to its last group, those of the last from its
/// second third on, and between them, instruction by instruction, as many cycles as the windows
/// around them measured.
class GroupSample {
  public:
    /// `wanted`: groups to be timed, about; not fewer than five windows have.
    GroupSample(std::uint64_t groups, std::uint64_t wanted) : groups_(groups), wanted_(wanted) {}

    // As media::TimingChoice tells them. `instructions`: that have been executed by then.
    Timing timing_of(std::uint64_t group, std::uint64_t running);
    void opened(std::uint64_t group, Cycles now, std::uint64_t instructions);
    /// It would not be worth while: all groups are timed.
    bool whole() const { return whole_ || windows_.empty(); }

    static constexpr double kConfidence = 0.95;
    struct Estimate {
        std::uint64_t cycles = 0;
        std::uint64_t margin = 0;  ///< cycles: with that confidence, no more than so far off
        std::uint64_t groups_timed = 0, windows = 0;
    };
    /// When all groups have retired.
    Estimate estimate(Cycles begin, Cycles end) const;

  private:
    static constexpr std::uint64_t kFewestWindows = 5;
    // Times what the machine holds at once: a window, and its part that is not measured.
    static constexpr std::uint64_t kWindow = 6, kWarm = 2;
    /// The share of the cycles that were not simulated which windows do not see. Groups that have
    /// started together run in step, which is up to 4 percent off (docs/statistics.md).
    static constexpr double kUnseen = 0.05;
    struct Mark {
        Cycles at;
        std::uint64_t instructions = 0;  ///< executed by then
    };
    struct Window {
        std::uint64_t first, measured, last;  ///< groups
        Mark begin, from, to, after;          ///< `after`: when all its groups have retired
        double rate() const;                  ///< cycles for each instruction
    };
    /// Groups that start together end together. So what is measured begins and ends with the first
    /// group of such a wave.
    std::uint64_t window_length() const { return kWindow * capacity_ + 1; }
    void plan();

    const std::uint64_t groups_, wanted_;
    std::uint64_t capacity_ = 1;  ///< groups that run at once, at most
    std::vector<Window> windows_;
    std::size_t at_ = 0;       ///< the window that is next, or under way
    std::vector<Mark> marks_;  ///< of each group of the first window, until its length is known
    bool whole_ = false;
};

}  // namespace gen9::platform
