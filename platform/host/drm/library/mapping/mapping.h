// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "platform/host/drm/library/objects/objects.h"

namespace gen9::drm {

/// An offset of the node stands for a buffer: its number is above these bits, and the offset within
/// it below.
inline constexpr unsigned kOffsetBits = 36;
inline constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << kOffsetBits;  ///< of a buffer
/// A mapping through the aperture, which shows tiles in rows.
inline constexpr std::uint64_t kAperture = std::uint64_t{1} << 62;

constexpr std::uint64_t in_pages(std::uint64_t bytes) {
    return (bytes + kPage - 1) / kPage * kPage;
}

/// mmap of the node; a wait in it releases the lock.
void* map_buffer(Device& all, void* where, std::size_t size, int protection, int flags,
                 std::uint64_t offset, Lock& lock);

}  // namespace gen9::drm
