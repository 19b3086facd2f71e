// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/resource.h>

#include <csignal>

namespace gen9::drm {

/// As long as it lives, files in memory may grow beyond the program's limit of file sizes
/// (RLIMIT_FSIZE), which the kernel driver's buffers do not have. Where the process may not raise
/// it, the system call fails with EFBIG, no signal comes, and this is said once.
class FilesMayGrow {
  public:
    FilesMayGrow();
    ~FilesMayGrow();
    FilesMayGrow(const FilesMayGrow&) = delete;
    FilesMayGrow& operator=(const FilesMayGrow&) = delete;

  private:
    bool limited_ = false, raised_ = false;
    rlimit before_{};
    sigset_t mask_{};
};

}  // namespace gen9::drm
