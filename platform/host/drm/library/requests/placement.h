// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <i915_drm.h>

#include <functional>
#include <memory>
#include <vector>

#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// A buffer that a submission names.
struct Object {
    std::shared_ptr<Buffer> buffer;
    std::uint64_t address = 0;  ///< where it is; of one without a place of its own, after place()
    drm_i915_gem_exec_object2 given{};
};

/// An address as drivers see it: bits 63:48 are copies of bit 47.
constexpr std::uint64_t canonical(std::uint64_t address) {
    constexpr unsigned kUpper = 16;
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(address << kUpper) >> kUpper);
}

/// Gives the objects that are not pinned a place, the one they have if it will do, and binds all.
int place(Device& all, Vm& vm, std::vector<Object>& objects,
          const std::function<bool(const Object&)>& bind);
/// Writes addresses where the program's relocations want them, and tells the program of the places.
/// The buffers that are written to must be idle. A target that the engine writes, as a relocation
/// says, is marked as written (as the kernel does, i915_gem_execbuffer.c).
int relocate(std::vector<Object>& objects, const drm_i915_gem_execbuffer2& submission);

}  // namespace gen9::drm
