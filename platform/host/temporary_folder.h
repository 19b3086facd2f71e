// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "platform/host/socket.h"

namespace gen9::platform {

/// A folder for the files of a run, as long as it lives. Its owner, and the processes forked from
/// it, hold a lock on a file in it. Whoever makes a folder of the same prefix removes those of this
/// user whose lock nobody holds any more: their owners were killed.
class TemporaryFolder {
  public:
    /// In the folder that TMPDIR names; else in memory, where to make and remove files costs a
    /// tenth; else in /tmp. Throws UserError when it cannot be made.
    explicit TemporaryFolder(const std::string& prefix);
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return path_; }
    /// A superuser's program may take another user, and is still to make its files here. Nobody can
    /// list the folder or take another's file away.
    void open_to_other_users() const;

  private:
    bool make_in(const std::string& parent, const std::string& prefix);
    std::string path_;
    FileDescriptor lock_;
};

}  // namespace gen9::platform
