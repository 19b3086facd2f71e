// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace gen9::platform {

/// Processes that a program has started and that live on when it has ended, as those of a program
/// that makes itself a daemon.
/// Role     adopts them (prctl: a subreaper), so that the run can wait for those that use the model
///          and say what becomes of others. At most one in a process, before the program starts.
class LeftBehind {
  public:
    /// `variable`: NAME=value, which the program and all that it starts have in their environment.
    explicit LeftBehind(std::string variable);
    /// Once the program has ended: can the run end? It waits while they use the model (`busy`), and
    /// for a moment, as they may be about to; then it says who lives on.
    bool run_can_end(bool busy);
    /// Asks them to end.
    void terminate();

  private:
    using Clock = std::chrono::steady_clock;
    /// Those that live.
    std::vector<pid_t> processes();
    std::vector<pid_t> living(const std::vector<pid_t>& children);

    const std::string variable_;
    std::vector<pid_t> known_;
    std::optional<Clock::time_point> ended_;  ///< when the run looked first,
    Clock::time_point busy_;                  ///< when somebody used the model last
    bool told_ = false, asked_ = false;
};

/// Is a process one that this one has started, or that such a one has, or this one itself?
bool is_descendant(pid_t process);

}  // namespace gen9::platform
