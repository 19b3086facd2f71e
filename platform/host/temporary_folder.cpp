// SPDX-License-Identifier: Apache-2.0
#include "platform/host/temporary_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "common/check.h"

namespace gen9::platform {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLockName = ".lock";

/// The lock of a folder that an owner was killed in, held now by this process; none: it is
/// another's folder, has an owner, or is no folder of ours at all.
FileDescriptor lock_of_abandoned(const std::string& path) {
    const FileDescriptor folder(
        open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!folder || fstat(folder.get(), &status) != 0 || status.st_uid != geteuid()) return {};
    FileDescriptor lock(
        openat(folder.get(), kLockName, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    const bool ours = lock && fstat(lock.get(), &status) == 0 && S_ISREG(status.st_mode) &&
                      status.st_uid == geteuid() && flock(lock.get(), LOCK_EX | LOCK_NB) == 0;
    return ours ? std::move(lock) : FileDescriptor();
}

void remove_abandoned(const std::string& parent, const std::string& prefix) {
    std::error_code error;
    for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
        if (!at->path().filename().string().starts_with(prefix)) continue;
        std::error_code ignored;
        if (const auto lock = lock_of_abandoned(at->path().string()))
            fs::remove_all(at->path(), ignored);
    }
}

}  // namespace

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
    const char* const chosen = std::getenv("TMPDIR");
    const bool is_chosen = chosen && *chosen;
    if (!is_chosen && make_in("/dev/shm", prefix)) return;
    if (!make_in(is_chosen ? chosen : "/tmp", prefix))
        throw UserError("cannot make a folder '" + path_ + "': " + std::strerror(errno));
}

bool TemporaryFolder::make_in(const std::string& parent, const std::string& prefix) {
    remove_abandoned(parent, prefix);
    for (;;) {
        path_ = parent + "/" + prefix + "XXXXXX";
        if (!mkdtemp(path_.data())) return false;
        const std::string name = path_ + "/" + kLockName;
        lock_ = FileDescriptor(open(name.c_str(), O_RDONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
        if (!lock_) {
            const int why = errno;
            rmdir(path_.c_str());
            errno = why;
            return false;
        }
        if (flock(lock_.get(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) continue;  // another run takes it for abandoned
            // No locks here: nobody is to think that nobody holds it.
            unlink(name.c_str());
            return true;
        }
        struct stat status {};
        if (fstat(lock_.get(), &status) == 0 && status.st_nlink != 0) return true;
    }
}

void TemporaryFolder::open_to_other_users() const {
    if (geteuid() != 0) return;
    fs::permissions(path_, static_cast<fs::perms>(01733));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

}  // namespace gen9::platform
