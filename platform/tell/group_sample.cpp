// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/group_sample.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gen9::platform {
namespace {

/// The place of a window in its part: windows are spread evenly, and in step with nothing.
constexpr double kStep = 0.6180339887498949;

/// Quantile of Student's distribution for 95 percent, two-sided.
double student(std::size_t degrees) {
    constexpr std::array<double, 12> kTable{12.71, 4.303, 3.182, 2.776, 2.571, 2.447,
                                            2.365, 2.306, 2.262, 2.228, 2.201, 2.179};
    if (degrees == 0) return kTable[0];
    return degrees <= kTable.size() ? kTable[degrees - 1]
                                    : 1.96 + 2.4 / static_cast<double>(degrees);
}

}  // namespace

double GroupSample::Window::rate() const {
    const auto instructions = static_cast<double>(to.instructions - from.instructions);
    return instructions > 0 ? static_cast<double>((to.at - from.at).value) / instructions : 0.0;
}

void GroupSample::plan() {
    const std::uint64_t length = window_length(), warm = kWarm * capacity_;
    windows_.push_back({0, warm, length, marks_[0], marks_[warm], marks_[length - 1], {}});
    const std::uint64_t windows = std::max(kFewestWindows, wanted_ / length);
    // Not worth while if most of it were timed anyhow.
    if (groups_ / 4 * 3 < windows * length) {
        whole_ = true;
        return;
    }
    const std::uint64_t last = groups_ - length;
    const double part = static_cast<double>(last - length) / static_cast<double>(windows - 2);
    double place = kStep;
    for (std::uint64_t i = 0; i < windows - 2; ++i, place = std::fmod(place + kStep, 1.0)) {
        const double begin =
            static_cast<double>(i) * part + place * (part - static_cast<double>(length));
        const std::uint64_t first = length + static_cast<std::uint64_t>(begin);
        windows_.push_back({first, first + warm, first + length, {}, {}, {}, {}});
    }
    windows_.push_back({last, last + warm, groups_, {}, {}, {}, {}});
}

Timing GroupSample::timing_of(std::uint64_t group, std::uint64_t running) {
    if (whole_) return Timing::Timed;
    if (windows_.empty()) {
        capacity_ = std::max(capacity_, running);
        if (group < window_length()) return Timing::Timed;
        plan();
        if (whole_) return Timing::Timed;
    }
    if (at_ + 1 < windows_.size() && group >= windows_[at_ + 1].first) ++at_;
    return group < windows_[at_].last ? Timing::Timed : Timing::Functional;
}

void GroupSample::opened(std::uint64_t group, Cycles now, std::uint64_t instructions) {
    const Mark mark{now, instructions};
    if (windows_.empty()) return marks_.push_back(mark);
    Window& window = windows_[at_];
    if (group == window.first) window.begin = mark;
    if (group == window.measured) window.from = mark;
    if (group + 1 == window.last) window.to = mark;
    if (group == window.last) window.after = mark;
}

GroupSample::Estimate GroupSample::estimate(Cycles begin, Cycles end) const {
    const Window &first = windows_.front(), &last = windows_.back();
    double between = 0, skipped_cycles = 0, skipped_instructions = 0, changes = 0;
    for (std::size_t i = 0; i < windows_.size(); ++i) {
        const Window& window = windows_[i];
        const auto& from = i == 0 ? window.to : window.begin;
        const auto& to = &window == &last ? window.from : window.after;
        between += static_cast<double>(to.instructions - from.instructions) * window.rate();
        if (&window == &last) break;
        const Window& next = windows_[i + 1];
        const auto skipped =
            static_cast<double>(next.begin.instructions - window.after.instructions);
        skipped_instructions += skipped;
        skipped_cycles += skipped * (window.rate() + next.rate()) / 2;
        changes += (next.rate() - window.rate()) * (next.rate() - window.rate());
    }
    Estimate estimate;
    estimate.windows = windows_.size();
    for (const Window& window : windows_)
        estimate.groups_timed += window.last - window.first;
    estimate.cycles = (first.to.at - begin).value + (end - last.from.at).value +
                      static_cast<std::uint64_t>(std::llround(between + skipped_cycles));
    // Neighbours are paired, so that what changes slowly over the launch is no scatter.
    const auto pairs = static_cast<double>(windows_.size() - 1);
    const double scatter = std::sqrt(changes / (2 * pairs));
    estimate.margin = static_cast<std::uint64_t>(
        std::llround(student(windows_.size() - 1) * scatter /
                         std::sqrt(static_cast<double>(windows_.size())) * skipped_instructions +
                     kUnseen * skipped_cycles));
    return estimate;
}

}  // namespace gen9::platform
