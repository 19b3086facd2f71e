// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "hdc/surface/shared.h"

namespace gen9::hdc {

/// Shared local memory of a subslice of the machine; others for exploration.
inline constexpr std::uint32_t kSlmBytes = 65536;
inline constexpr std::uint64_t kAddressMask = (1ull << 48) - 1;

/// The linear piece of memory a message's offsets count in, and the check they must pass.
struct Window {
    std::uint64_t base = 0;
    std::uint64_t size = 0;  ///< bytes, of SLM a power of two; unused for A64
    std::uint64_t start =
        0;  ///< A32: the header's buffer base, part of the checked offset (DP-092)
    std::uint64_t limit = ~0ull;  ///< A32: per thread scratch space, counted from start (DP-098)
    bool a64 = false;             ///< offsets are addresses
    bool slm = false;

    /// Finds the DWord (or smaller) at an offset; kOutside says that it is none of the window's. The
    /// check is on whole DWords: where a byte of one is outside, all of it is (DP-090).
    std::uint64_t place(std::uint64_t offset, unsigned bytes) const {
        if (a64) {
            // DP-044: bits 63:48 repeat bit 47.
            const auto canonical =
                static_cast<std::uint64_t>(static_cast<std::int64_t>(offset << 16) >> 16);
            return canonical == offset ? offset & kAddressMask : kOutside;
        }
        if (slm) return (base + offset) & (size - 1);  // never outside (DP-047, DP-100)
        const std::uint64_t checked = start + offset;
        const std::uint64_t end = ((checked + bytes - 1) | 3) + 1;
        if (end > size || offset + bytes > limit) return kOutside;
        return (base + checked) & kAddressMask;
    }
    /// The offset points to this address, inside or not.
    std::uint64_t address(std::uint64_t offset) const {
        return a64 ? offset : base + start + offset;
    }
    /// The place of `bytes`, whole DWords, when all of them are inside and follow one another.
    std::uint64_t run(std::uint64_t offset, unsigned bytes) const {
        const std::uint64_t first = place(offset, 4), last = place(offset + bytes - 4, 4);
        return first != kOutside && last == first + bytes - 4 ? first : kOutside;
    }
    static constexpr std::uint64_t kOutside = ~0ull;
};

/// A window with what the rarer surfaces and messages need besides.
struct Target : Window {
    std::uint32_t pitch = 0;    ///< structured buffer: bytes of a structure; 0: not one
    std::uint64_t entries = 0;  ///< and how many there are
    const ChannelSelects* select = nullptr;  ///< where the channels lie, if not in their order

    /// Do addresses need more than an offset in the window?
    bool special() const { return pitch || select; }
};

}  // namespace gen9::hdc
