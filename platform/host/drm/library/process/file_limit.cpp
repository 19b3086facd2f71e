// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/process/file_limit.h"

#include <cerrno>
#include <ctime>

#include "platform/host/drm/library/process/tell.h"

namespace gen9::drm {

FilesMayGrow::FilesMayGrow() {
    if (getrlimit(RLIMIT_FSIZE, &before_) != 0 || before_.rlim_cur == RLIM_INFINITY) return;
    limited_ = true;
    sigset_t too_large;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_large, &mask_);
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY}, most{before_.rlim_max, before_.rlim_max};
    raised_ = setrlimit(RLIMIT_FSIZE, &none) == 0 || setrlimit(RLIMIT_FSIZE, &most) == 0;
}

FilesMayGrow::~FilesMayGrow() {
    if (!limited_) return;
    const int error = errno;
    if (raised_) setrlimit(RLIMIT_FSIZE, &before_);
    if (error == EFBIG) {
        sigset_t too_large;
        sigemptyset(&too_large);
        sigaddset(&too_large, SIGXFSZ);
        const timespec now{};
        if (!sigismember(&mask_, SIGXFSZ)) sigtimedwait(&too_large, nullptr, &now);
        tell(Topic::FileLimit,
             "the limit of file sizes (RLIMIT_FSIZE) is too small for the device's buffers, which "
             "are files in memory here; raise it (ulimit -f unlimited)");
    }
    pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
    errno = error;
}

}  // namespace gen9::drm
