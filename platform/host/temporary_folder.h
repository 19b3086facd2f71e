// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace gen9::platform {

/// A folder for the files of a run, as long as it lives.
class TemporaryFolder {
  public:
    /// In the folder that TMPDIR names; else in memory, where to make and remove files costs a
    /// tenth; else in /tmp. Throws UserError when it cannot be made.
    explicit TemporaryFolder(const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace gen9::platform
