// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "platform/host/checks/message.h"

namespace gen9::checks {

/// Every line of it begins so.
inline constexpr const char* kReportStart = "gen9sim: --check-launches: ";

/// Tells the person watching what the launches of a process came to.
class CheckReport {
  public:
    explicit CheckReport(unsigned ulps) : ulps_(ulps) {}

    void compared(const LaunchRecord& launch, const LaunchResult& result);
    void not_compared(const std::string& kernel, const std::string& reason);
    bool differs() const { return differing_ != 0; }
    /// Lines; empty when nothing was launched.
    std::string text() const;

  private:
    struct Kernel {
        std::string first, first_near;
        std::uint64_t differing = 0, near = 0;
    };
    std::string line(const LaunchRecord& launch, const LaunchResult& result, bool near) const;

    unsigned ulps_;
    std::uint64_t compared_ = 0, agree_ = 0, differing_ = 0, near_ = 0, others_ = 0;
    std::vector<std::string> order_;  ///< of kernels, by their first difference
    std::map<std::string, Kernel> kernels_;
    std::vector<std::pair<std::string, std::string>> reasons_;  ///< kernel and reason, as they came
    std::map<std::pair<std::string, std::string>, std::uint64_t> refused_;
};

}  // namespace gen9::checks
