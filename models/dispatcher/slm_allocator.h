// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <bitset>
#include <cstdint>
#include <optional>

#include "common/check.h"

namespace gen9::dispatcher {

/// One shared local memory: granules of 1 KB, given out in powers of two at a multiple
/// of their size, the first free one (SLM-02: the bitmap and priority encoder of 003:17354, with
/// the finer granules Gen9 descriptors can ask for, guide 3.6).
class SlmAllocator {
  public:
    static constexpr unsigned kGranules = 64;      ///< of the machine
    static constexpr unsigned kMaxGranules = 256;  ///< for exploration
    /// `kilobytes`: how much there is.
    explicit SlmAllocator(unsigned kilobytes = kGranules) : kilobytes_(kilobytes) {
        GEN9_CHECK(kilobytes <= kMaxGranules, "shared local memory is too large");
    }

    /// First granule of a free piece, or nothing. `kilobytes` is a power of two.
    std::optional<std::uint8_t> allocate(unsigned kilobytes) {
        const std::optional<unsigned> at = find(kilobytes);
        if (!at) return std::nullopt;
        used_ |= piece(*at, kilobytes);
        return static_cast<std::uint8_t>(*at);
    }
    /// A particular piece, of a group that comes back; false where it cannot be or is not free.
    bool take(unsigned granule, unsigned kilobytes) {
        if (!std::has_single_bit(kilobytes) || granule % kilobytes != 0 ||
            granule + kilobytes > kilobytes_ || (used_ & piece(granule, kilobytes)).any())
            return false;
        used_ |= piece(granule, kilobytes);
        return true;
    }
    bool can_allocate(unsigned kilobytes) const { return kilobytes == 0 || find(kilobytes); }
    void free(unsigned granule, unsigned kilobytes) {
        const Set set = piece(granule, kilobytes);
        GEN9_CHECK((used_ & set) == set, "shared local memory freed twice");
        used_ &= ~set;
    }
    unsigned used_kilobytes() const { return static_cast<unsigned>(used_.count()); }

  private:
    using Set = std::bitset<kMaxGranules>;
    static Set piece(unsigned granule, unsigned kilobytes) {
        GEN9_CHECK(std::has_single_bit(kilobytes) && kilobytes <= kMaxGranules, "SLM piece size");
        return (~Set{} >> (kMaxGranules - kilobytes)) << granule;
    }
    std::optional<unsigned> find(unsigned kilobytes) const {
        const Set first = piece(0, kilobytes);
        for (unsigned at = 0; at + kilobytes <= kilobytes_; at += kilobytes)
            if ((used_ & first << at).none()) return at;
        return std::nullopt;
    }
    unsigned kilobytes_;
    Set used_;
};

}  // namespace gen9::dispatcher
