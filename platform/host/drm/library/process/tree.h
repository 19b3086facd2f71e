// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/stat.h>

#include <string>
#include <string_view>

namespace gen9::drm {

/// The folder of the run (protocol.h), or empty: then nothing is answered here. A zero follows it.
/// To ask takes no memory: a program's own allocator may open files before it can give any.
std::string_view folder();
/// The folder of the tree of device files, in the same way.
std::string_view tree();
/// A file in the run's folder.
std::string in_folder(const char* file);

/// A path as the C library is to open it: the device's files are those of the tree.
class TreePath {
  public:
    explicit TreePath(const char* path);
    TreePath(int folder_descriptor, const char* path);
    const char* get() const { return path_; }
    bool inside() const { return path_ == inside_.c_str(); }

  private:
    const char* path_;
    std::string inside_;
};

/// A file of the tree was not found, or may not be opened: says so if that is because the folder is
/// not where it was for this process. Leaves errno as it is.
void look_for_folder(const TreePath& path);

/// 0 for card0, 128 for renderD128, -1 for any other path; of a real path or one in the tree.
int node_minor(const char* path);
/// The same of an open file.
int node_minor(int descriptor);
/// Makes what stat says of a node's file what it says of a device.
void show_as_device(struct stat& status, int minor);

}  // namespace gen9::drm
