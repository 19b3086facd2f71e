// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <dirent.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

namespace gen9::drm {

/// The C library's own functions, behind those of the same names that this library puts before
/// them.
struct Real {
    int (*open)(const char*, int, ...);
    int (*openat)(int, const char*, int, ...);
    FILE* (*fopen)(const char*, const char*);
    int (*stat)(const char*, struct stat*);
    int (*lstat)(const char*, struct stat*);
    int (*fstat)(int, struct stat*);
    int (*fstatat)(int, const char*, struct stat*, int);
    int (*access)(const char*, int);
    int (*faccessat)(int, const char*, int, int);
    ssize_t (*readlink)(const char*, char*, size_t);
    ssize_t (*readlinkat)(int, const char*, char*, size_t);
    char* (*realpath)(const char*, char*);
    DIR* (*opendir)(const char*);
    int (*scandir)(const char*, struct dirent***, int (*)(const struct dirent*),
                   int (*)(const struct dirent**, const struct dirent**));
    int (*ioctl)(int, unsigned long, ...);
    void* (*mmap)(void*, size_t, int, int, int, off_t);
    int (*dup)(int);
    int (*dup2)(int, int);
    int (*dup3)(int, int, int);
    int (*fcntl)(int, int, ...);
    ssize_t (*read)(int, void*, size_t);
    int (*close)(int);
    int (*fclose)(FILE*);
    int (*close_range)(unsigned, unsigned, int);  ///< null: the C library has none
    int (*munmap)(void*, size_t);
    void* (*mremap)(void*, size_t, size_t, int, ...);
    int (*execve)(const char*, char* const*, char* const*);
    int (*execvpe)(const char*, char* const*, char* const*);
    int (*fexecve)(int, char* const*, char* const*);
    int (*execveat)(int, const char*, char* const*, char* const*, int);
    int (*posix_spawn)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                       const posix_spawnattr_t*, char* const*, char* const*);
    int (*posix_spawnp)(pid_t*, const char*, const posix_spawn_file_actions_t*,
                        const posix_spawnattr_t*, char* const*, char* const*);
    int (*clearenv)();
    int (*chroot)(const char*);
};

/// Found at the first call.
const Real& real();

}  // namespace gen9::drm
