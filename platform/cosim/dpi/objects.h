// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>

#include "platform/cosim/dpi/gen9_reference.h"

namespace gen9::reference {

/// The objects of one kind that callers hold: what is none of them is refused, whatever it points
/// to.
template <class Unit>
class Objects {
  public:
    static void* make(std::unique_ptr<Unit> unit) {
        const std::lock_guard lock(mutex_);
        live_.insert(unit.get());
        return unit.release();
    }
    static int end(void* object) {
        {
            const std::lock_guard lock(mutex_);
            if (live_.erase(object) == 0) return GEN9_BAD_OBJECT;
        }
        delete static_cast<Unit*>(object);
        return GEN9_OK;
    }
    /// Null: no such object.
    static Unit* find(void* object) {
        const std::lock_guard lock(mutex_);
        return live_.contains(object) ? static_cast<Unit*>(object) : nullptr;
    }

  private:
    static inline std::mutex mutex_;
    static inline std::unordered_set<void*> live_;
};

/// Does `act`; no exception leaves the C interface.
template <class Act>
int guarded(Act&& act) {
    try {
        return act();
    } catch (const std::exception&) {
        return GEN9_INTERNAL;
    }
}
/// The same with an object: `act` is given it.
template <class Unit, class Act>
int with(void* object, Act&& act) {
    return guarded([&] {
        Unit* const unit = Objects<Unit>::find(object);
        return unit ? act(*unit) : static_cast<int>(GEN9_BAD_OBJECT);
    });
}
template <class Unit, class Make>
void* made(Make&& make) {
    try {
        return Objects<Unit>::make(make());
    } catch (const std::exception&) {
        return nullptr;
    }
}

/// Text that stays until the thread's next.
template <class Make>
const char* kept_text(Make&& make) {
    static thread_local std::string text;
    try {
        text = make();
    } catch (const std::exception&) {
        text.clear();
    }
    return text.c_str();
}

}  // namespace gen9::reference
