// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/process/tree.h"

#include <fcntl.h>
#include <sys/sysmacros.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <string_view>

#include "platform/host/drm/library/process/real.h"
#include "platform/host/drm/library/process/tell.h"
#include "platform/host/drm/protocol.h"
#include "platform/host/program/drm_variables.h"

namespace gen9::drm {
namespace {

constexpr std::string_view kPrefixes[] = {"/dev/dri",
                                          "/sys/dev/char/226:",
                                          "/sys/class/drm",
                                          "/sys/devices/pci0000:00/0000:00:02.0",
                                          "/sys/bus/pci/devices/0000:00:02.0",
                                          "/proc/sys/dev/i915/"};
constexpr unsigned kMajor = 226;
constexpr int kMinors[] = {128, 0};
constexpr const char* kNodes[] = {"/dev/dri/renderD128", "/dev/dri/card0"};

/// The name of a folder, or of a file in it; empty, if there is no folder. It stays: programs close
/// and stat files while they end, and may change their environment.
class Name {
  public:
    explicit Name(const char* folder, const char* file = nullptr) {
        if (folder == nullptr || *folder == 0) return;
        const int length =
            std::snprintf(text_, sizeof text_, "%s%s%s", folder, file ? "/" : "", file ? file : "");
        if (length >= static_cast<int>(sizeof text_)) text_[0] = 0;
    }
    std::string_view view() const { return text_; }

  private:
    char text_[PATH_MAX] = {};
};

}  // namespace

std::string_view folder() {
    static const Name name(std::getenv(kFolderVariable));
    return name.view();
}

std::string_view tree() {
    static const Name name(folder().data(), kTreeName);
    return name.view();
}

std::string in_folder(const char* file) {
    return std::string(folder()).append("/").append(file);
}

TreePath::TreePath(const char* path) : path_(path) {
    if (!path || path[0] != '/' || tree().empty()) return;
    for (const auto prefix : kPrefixes)
        if (std::strncmp(path, prefix.data(), prefix.size()) == 0) {
            inside_ = std::string(tree()).append(path);
            path_ = inside_.c_str();
            return;
        }
}

TreePath::TreePath(int, const char* path) : TreePath(path) {}

void look_for_folder(const TreePath& path) {
    const int before = errno;
    struct stat found {};
    if (path.inside() && (before == ENOENT || before == EACCES) &&
        real().stat(in_folder(kFactsName).c_str(), &found) != 0) {
        const std::string text = "it cannot reach the model's device in " + std::string(folder()) +
                                 " (" + std::strerror(errno) +
                                 "): it has another user or another root directory than the run, "
                                 "or the run has ended";
        tell(Topic::Unreachable, text.c_str());
    }
    errno = before;
}

int node_minor(const char* path) {
    if (!path || tree().empty()) return -1;
    std::string_view name = path;
    if (name.starts_with(tree())) name.remove_prefix(tree().size());
    for (unsigned i = 0; i < 2; ++i)
        if (name == kNodes[i]) return kMinors[i];
    return -1;
}

int node_minor(int descriptor) {
    if (tree().empty()) return -1;
    struct Node {
        dev_t device = 0;
        ino_t inode = 0;  ///< 0: there is none
    };
    static const auto nodes = [] {
        std::array<Node, std::size(kNodes)> found;
        for (std::size_t i = 0; i < found.size(); ++i) {
            const Name name(tree().data(), kNodes[i] + 1);
            if (struct stat node{}; real().stat(name.view().data(), &node) == 0)
                found[i] = {node.st_dev, node.st_ino};
        }
        return found;
    }();
    struct stat found {};
    if (real().fstat(descriptor, &found) != 0) return -1;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (nodes[i].inode != 0 && nodes[i].inode == found.st_ino &&
            nodes[i].device == found.st_dev)
            return kMinors[i];
    return -1;
}

void show_as_device(struct stat& status, int minor) {
    status.st_mode = S_IFCHR | 0666;
    status.st_rdev = makedev(kMajor, static_cast<unsigned>(minor));
}

}  // namespace gen9::drm
