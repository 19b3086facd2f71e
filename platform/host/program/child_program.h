// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "platform/host/program/driver.h"

namespace gen9::platform {

/// A program started by us with some variables set, and our standard input, output and error. It
/// leads a process group of its own, in the foreground of the terminal if we were, so that all its
/// children can be ended with it and ^C goes to it first. It does not outlive us. Its addresses are
/// not randomised, so that two runs of a program are alike.
class ChildProgram {
  public:
    /// `output`: a file that takes what it writes; such a program has no input and leaves us the
    /// terminal. Throws UserError when it cannot be started.
    ChildProgram(const std::vector<std::string>& words, const Variables& variables,
                 const std::string& output = {});
    ~ChildProgram();
    ChildProgram(const ChildProgram&) = delete;
    ChildProgram& operator=(const ChildProgram&) = delete;

    /// Looks whether it has ended; does not wait.
    bool ended();
    void wait();
    /// Exit status as a shell gives it: 128 + signal when a signal ended it. Once it has ended.
    int exit_status() const { return *status_; }
    /// The signal that ended it, or 0.
    int end_signal() const { return signal_; }

    /// Asks the program and its children to end; ended() insists when they do not.
    void terminate();
    pid_t process() const { return process_; }

  private:
    void collect(int flags);

    pid_t process_ = -1;
    bool took_terminal_ = false;
    int signal_ = 0;
    std::optional<int> status_;
    std::optional<std::chrono::steady_clock::time_point> asked_;
};

}  // namespace gen9::platform
