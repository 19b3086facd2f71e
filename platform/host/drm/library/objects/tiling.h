// SPDX-License-Identifier: Apache-2.0
/// What SET_TILING said of a buffer.
/// Role     kept for all processes that have the buffer. When it has a file of its own, this is a
///          lock on a range far behind the end of the file: mode and stride are its place and its
///          length. Everyone who has the file can look it up, and the kernel drops it with the
///          file.
/// Public   Linux 6.1, drivers/gpu/drm/i915/gem/i915_gem_tiling.c
#pragma once
#include <cstdint>

namespace gen9::drm {

struct Buffer;

struct Tiling {
    std::uint32_t mode = 0, stride = 0;  ///< I915_TILING_*; bytes
};

/// Can a buffer have it?
bool is_possible(const Tiling& tiling);
Tiling tiling_of(const Buffer& buffer);
void set_tiling(Buffer& buffer, const Tiling& tiling);

}  // namespace gen9::drm
