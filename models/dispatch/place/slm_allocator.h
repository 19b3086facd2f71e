// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <optional>

#include "common/check.h"

namespace gen9::dispatch {

/// One shared local memory: 64 granules of 1 KB, given out in powers of two at a
/// multiple of their size, the first free one (SLM-02: the bitmap and priority encoder of
/// 003:17354, with the finer granules Gen9 descriptors can ask for, guide 3.6).
class SlmAllocator {
  public:
    static constexpr unsigned kGranules = 64;
    /// `kilobytes`: how much there is; 64 by nature, less for exploration.
    explicit SlmAllocator(unsigned kilobytes = kGranules)
        : missing_(kilobytes < kGranules ? ~0ull << kilobytes : 0), used_(missing_) {}

    /// First granule of a free piece, or nothing. `kilobytes` is a power of two up to 64.
    std::optional<std::uint8_t> allocate(unsigned kilobytes) {
        const std::uint64_t piece = mask(kilobytes);
        for (unsigned at = 0; at < kGranules; at += kilobytes)
            if (!(used_ & piece << at)) {
                used_ |= piece << at;
                return static_cast<std::uint8_t>(at);
            }
        return std::nullopt;
    }
    /// A particular piece, of a group that comes back; false where it cannot be or is not free.
    bool take(unsigned granule, unsigned kilobytes) {
        if (!std::has_single_bit(kilobytes) || granule % kilobytes != 0 ||
            granule + kilobytes > kGranules || used_ & mask(kilobytes) << granule)
            return false;
        used_ |= mask(kilobytes) << granule;
        return true;
    }
    bool can_allocate(unsigned kilobytes) const {
        if (kilobytes == 0) return true;
        const std::uint64_t piece = mask(kilobytes);
        for (unsigned at = 0; at < kGranules; at += kilobytes)
            if (!(used_ & piece << at)) return true;
        return false;
    }
    void free(unsigned granule, unsigned kilobytes) {
        const std::uint64_t piece = mask(kilobytes) << granule;
        GEN9_CHECK((used_ & piece) == piece, "shared local memory freed twice");
        used_ &= ~piece;
    }
    unsigned used_kilobytes() const {
        return static_cast<unsigned>(std::popcount(used_ ^ missing_));
    }

  private:
    static std::uint64_t mask(unsigned kilobytes) {
        GEN9_CHECK(std::has_single_bit(kilobytes) && kilobytes <= kGranules, "SLM piece size");
        return kilobytes == kGranules ? ~0ull : (1ull << kilobytes) - 1;
    }
    std::uint64_t missing_, used_;
};

}  // namespace gen9::dispatch
