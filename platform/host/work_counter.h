// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/mman.h>

#include <atomic>
#include <new>

#include "common/check.h"

namespace gen9::platform {

/// Counts, over all processes forked from this one, the connections that were given work.
class WorkCounter {
  public:
    WorkCounter() {
        void* page =
            mmap(nullptr, sizeof(Count), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED) throw UserError("no memory");
        count_ = new (page) Count(0);
    }
    ~WorkCounter() { munmap(count_, sizeof(Count)); }
    WorkCounter(const WorkCounter&) = delete;
    WorkCounter& operator=(const WorkCounter&) = delete;

    unsigned next() { return ++*count_; }

  private:
    using Count = std::atomic<unsigned>;
    static_assert(Count::is_always_lock_free);
    Count* count_;
};

}  // namespace gen9::platform
