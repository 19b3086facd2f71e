// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/check_report.h"

#include <algorithm>

namespace gen9::checks {
namespace {

/// Lines of one kind; there may be as many kernels.
constexpr std::size_t kMostLines = 20;

std::string counted(std::uint64_t count, const char* thing, const char* plural = "s") {
    return std::to_string(count) + " " + thing + (count == 1 ? "" : plural);
}

}  // namespace

std::string CheckReport::line(const LaunchRecord& launch, const LaunchResult& result,
                              bool near) const {
    const auto found = std::ranges::find(result.differences, near, &ArgumentDifference::near);
    const ArgumentDifference& first = *found;
    std::string text = launch.kernel + ", enqueue " + std::to_string(launch.number) +
                       ": argument " + std::to_string(first.argument) + " (" + first.name +
                       "), element " + std::to_string(first.first) + first.component + " (" +
                       first.type + "): " + first.model + " on the model, " + first.expected +
                       " by PoCL; " + std::to_string(first.differing) + " of " +
                       counted(first.elements, "element") +
                       (first.differing == 1 ? " differs" : " differ");
    std::string others;
    for (const auto& other : result.differences)
        if (&other != &first && other.near == near)
            others += (others.empty() ? "" : ", ") + std::to_string(other.argument) + " (" +
                      other.name + ")";
    if (!others.empty()) text += "; so does argument " + others;
    if (near) text += "; another rounding of floats before they became integers explains it";
    if (!near && result.order_matters)
        text += "; its program has atomics, whose order may be the reason";
    return text;
}

void CheckReport::compared(const LaunchRecord& launch, const LaunchResult& result) {
    ++compared_;
    if (result.differences.empty()) {
        ++agree_;
        return;
    }
    Kernel& kernel = kernels_[launch.kernel];
    if (kernel.differing + kernel.near == 0) order_.push_back(launch.kernel);
    const bool near = std::ranges::all_of(result.differences, &ArgumentDifference::near);
    ++(near ? near_ : differing_);
    ++(near ? kernel.near : kernel.differing);
    std::string& first = near ? kernel.first_near : kernel.first;
    if (first.empty()) first = line(launch, result, near);
}

void CheckReport::not_compared(const std::string& kernel, const std::string& reason) {
    ++others_;
    if (refused_[{kernel, reason}]++ == 0) reasons_.emplace_back(kernel, reason);
}

std::string CheckReport::text() const {
    if (compared_ + others_ == 0) return {};
    std::string text;
    std::size_t lines = 0;
    const auto add = [&](const std::string& line) {
        text += (text.empty() ? "" : "\n") + (kReportStart + line);
    };
    const auto add_limited = [&](const std::string& line) {
        if (lines++ < kMostLines) add(line);
    };
    const auto later = [](std::uint64_t launches) {
        if (launches < 2) return std::string();
        return "; and in " + counted(launches - 1, "later launch", "es");
    };
    const auto end_list = [&](const char* what) {
        if (lines > kMostLines) add(std::to_string(lines - kMostLines) + " more " + what);
        lines = 0;
    };
    std::string verdicts;
    const auto count = [&](std::uint64_t launches, const char* verb, const char* how) {
        if (launches == 0) return;
        verdicts += (verdicts.empty() ? ": " : ", ") + std::to_string(launches) + " " + verb +
                    (launches == 1 ? "s" : "") + how;
    };
    count(agree_, "agree", "");
    count(near_, "differ", " by a rounding");
    count(differing_, "differ", "");
    add(counted(compared_ + others_, "launch", "es") + ", " + std::to_string(compared_) +
        " compared with PoCL" + verdicts + " (floats agree within " + counted(ulps_, "ulp") + ")");
    for (const std::string& name : order_)
        if (const Kernel& kernel = kernels_.at(name); kernel.differing)
            add_limited(kernel.first + later(kernel.differing));
    for (const std::string& name : order_)
        if (const Kernel& kernel = kernels_.at(name); kernel.near && !kernel.differing)
            add_limited(kernel.first_near + later(kernel.near));
    end_list("kernels differ");
    for (const auto& entry : reasons_) {
        const auto& [kernel, reason] = entry;
        add_limited(counted(refused_.at(entry), "launch", "es") + " of " + kernel +
                    " not compared: " + reason);
    }
    end_list("kinds of launches were not compared");
    if (differing_)
        add("compiler or model? See docs/checking.md; first try --opencl-options=-cl-opt-disable");
    return text;
}

}  // namespace gen9::checks
