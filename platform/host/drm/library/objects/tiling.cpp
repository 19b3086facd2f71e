// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/objects/tiling.h"

#include <fcntl.h>
#include <i915_drm.h>

#include "platform/host/drm/library/objects/objects.h"
#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {
namespace {

/// Locks that stand for tilings begin here, behind the largest buffer.
constexpr std::int64_t kPlace = std::int64_t{1} << 62;
/// Between the places of two modes.
constexpr std::int64_t kMode = std::int64_t{1} << 32;

/// A length of 0 reaches to the end of all places.
struct flock range(int type, std::int64_t begin, std::int64_t length) {
    struct flock lock {};
    lock.l_type = static_cast<short>(type);
    lock.l_whence = SEEK_SET;
    lock.l_start = begin;
    lock.l_len = length;
    return lock;
}

/// The lock belongs to the file as it was opened once, not to this process.
void lock(const OwnDescriptor& file, int type, std::int64_t begin, std::int64_t length) {
    auto what = range(type, begin, length);
    real().fcntl(file.get(), F_OFD_SETLK, &what);
}

}  // namespace

bool is_possible(const Tiling& tiling) {
    constexpr std::uint32_t kUnit = 128, kMostUnits = 0x800;  // as a fence register holds them
    if (tiling.mode == I915_TILING_NONE) return true;
    if (tiling.mode > I915_TILING_Y || tiling.stride / kUnit > kMostUnits) return false;
    const std::uint32_t tile_width = tiling.mode == I915_TILING_Y ? 128 : 512;
    return tiling.stride != 0 && tiling.stride % tile_width == 0;
}

Tiling tiling_of(const Buffer& buffer) {
    if (!buffer.file_inode) return buffer.tiling;
    // Asked for as if by a lock of this process, with which the file's collides.
    auto found = range(F_WRLCK, kPlace, 0);
    if (real().fcntl(buffer.parts[0].file->get(), F_GETLK, &found) != 0 || found.l_type == F_UNLCK)
        return {};
    const Tiling tiling{static_cast<std::uint32_t>((found.l_start - kPlace) / kMode),
                        static_cast<std::uint32_t>(found.l_len)};
    return is_possible(tiling) ? tiling : Tiling{};
}

void set_tiling(Buffer& buffer, const Tiling& tiling) {
    if (!buffer.file_inode) {
        buffer.tiling = tiling;
        return;
    }
    const OwnDescriptor& file = *buffer.parts[0].file;
    if (tiling.mode == I915_TILING_NONE) return lock(file, F_UNLCK, kPlace, 0);
    // The new one is there before the old one goes.
    const std::int64_t begin = kPlace + tiling.mode * kMode, end = begin + tiling.stride;
    lock(file, F_WRLCK, begin, tiling.stride);
    lock(file, F_UNLCK, end, 0);
    lock(file, F_UNLCK, kPlace, begin - kPlace);
}

}  // namespace gen9::drm
