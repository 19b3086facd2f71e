// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/process/real.h"

#include <dlfcn.h>

namespace gen9::drm {
namespace {

template <class Function>
void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

Real find_all() {
    Real all{};
    find(all.open, "open64");
    find(all.openat, "openat64");
    find(all.fopen, "fopen64");
    find(all.stat, "stat64");
    find(all.lstat, "lstat64");
    find(all.fstat, "fstat64");
    find(all.fstatat, "fstatat64");
    find(all.access, "access");
    find(all.faccessat, "faccessat");
    find(all.readlink, "readlink");
    find(all.readlinkat, "readlinkat");
    find(all.realpath, "realpath");
    find(all.opendir, "opendir");
    find(all.scandir, "scandir64");
    find(all.ioctl, "ioctl");
    find(all.mmap, "mmap64");
    find(all.dup, "dup");
    find(all.dup2, "dup2");
    find(all.dup3, "dup3");
    find(all.fcntl, "fcntl64");
    find(all.read, "read");
    find(all.close, "close");
    find(all.fclose, "fclose");
    find(all.close_range, "close_range");
    find(all.munmap, "munmap");
    find(all.mremap, "mremap");
    find(all.execve, "execve");
    find(all.execvpe, "execvpe");
    find(all.fexecve, "fexecve");
    find(all.execveat, "execveat");
    find(all.posix_spawn, "posix_spawn");
    find(all.posix_spawnp, "posix_spawnp");
    find(all.clearenv, "clearenv");
    find(all.chroot, "chroot");
    return all;
}

}  // namespace

const Real& real() {
    static const Real all = find_all();
    return all;
}

}  // namespace gen9::drm
