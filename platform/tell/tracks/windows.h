// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "interconnect/payload/work.h"

namespace gen9::platform {

/// The choice of what a timeline shows.
struct TrackOptions {
    std::string path;                      ///< empty: no timeline
    std::uint64_t from = 0;                ///< first cycle
    std::uint64_t to = ~std::uint64_t{0};  ///< first cycle that is not shown any more
    std::vector<std::string> kernels;      ///< as WaveformOptions::kernels
};

/// Is the launch one of those named by number or start address?
inline bool is_chosen(const WorkRecord& work, const std::vector<std::string>& kernels) {
    return std::ranges::any_of(kernels, [&](const std::string& kernel) {
        const bool address = kernel.starts_with("0x");
        const std::uint64_t number = std::stoull(kernel, nullptr, address ? 16 : 10);
        return number == (address ? work.kernel_start.value : work.number);
    });
}

/// The cycles that are shown: those between two cycles, and of them, when launches are chosen,
/// those in which one of these runs. What is asked of may be past: the windows are kept.
class Windows {
  public:
    explicit Windows(const TrackOptions& options) : options_(options) {
        if (options_.kernels.empty()) windows_.push_back({options_.from, options_.to});
    }
    void began(const WorkRecord& work, std::uint64_t at) {
        if (!is_chosen(work, options_.kernels)) return;
        if (running_++ == 0 && at < options_.to)
            windows_.push_back({std::max(at, options_.from), options_.to});
    }
    /// `at`: the first cycle that is not the launch's.
    void ended(const WorkRecord& work, std::uint64_t at) {
        if (!is_chosen(work, options_.kernels)) return;
        if (--running_ == 0 && !windows_.empty())
            windows_.back().to = std::min(windows_.back().to, at);
    }
    bool shows(std::uint64_t at) const {
        bool shown = false;
        clip(at, at + 1, [&](auto, auto) { shown = true; });
        return shown;
    }
    /// Calls `shown(from, to)` for what is shown of the cycles from `from` to before `to`.
    template <class Shown>
    void clip(std::uint64_t from, std::uint64_t to, Shown shown) const {
        auto window = std::ranges::upper_bound(windows_, from, {}, &Window::to);
        for (; window != windows_.end() && window->from < to; ++window)
            if (const std::uint64_t begin = std::max(from, window->from),
                end = std::min(to, window->to);
                begin < end)
                shown(begin, end);
    }

  private:
    struct Window {
        std::uint64_t from, to;
    };
    const TrackOptions& options_;
    std::vector<Window> windows_;  ///< in order, apart from each other
    unsigned running_ = 0;
};

}  // namespace gen9::platform
