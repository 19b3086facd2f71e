// SPDX-License-Identifier: Apache-2.0
// Commands of the resource streamer, put together bit by bit.
#pragma once
#include <cstdint>

#include "tests/unit/cs/driver.h"

namespace gen9::test {

/// Stages as the edit and gather commands count them, and as the pointer commands do.
enum : std::uint32_t { kVs, kGs, kHs, kDs, kPs };
inline constexpr std::uint32_t kPointersOf[] = {0x26, 0x29, 0x27, 0x28, 0x2A};

inline Words table_pool(std::uint64_t base, std::uint32_t pages, bool enable = true) {
    return {0x79190002, low(base) | (enable ? 0x800u : 0), high(base), pages << 12};
}
inline Words gather_pool(std::uint64_t base, std::uint32_t pages, bool enable = true) {
    return {0x791A0002, low(base) | (enable ? 0x800u : 0), high(base), pages << 12};
}
/// `entries`: index << 16 | offset of the surface state / 64.
inline Words edit(std::uint32_t stage, const Words& entries, std::uint32_t clear = 0,
                  std::uint32_t target = 3) {
    Words out = {(0x78430000 + (stage << 16)) | static_cast<std::uint32_t>(entries.size()),
                 clear << 16 | target};
    out.insert(out.end(), entries.begin(), entries.end());
    return out;
}
inline Words pointers(std::uint32_t stage, std::uint32_t pool_offset) {
    return {0x78000000 | kPointersOf[stage] << 16, pool_offset >> 6 << 5};
}
/// An entry of 16 bits: buffer, channels, offset in 16 bytes.
inline std::uint32_t element(std::uint32_t buffer, std::uint32_t channels, std::uint32_t offset) {
    return buffer | channels << 4 | offset << 8;
}
inline Words gather(std::uint32_t stage, std::uint32_t valid, std::uint32_t pool_offset,
                    const Words& elements, std::uint32_t flags1 = 0, std::uint32_t flags2 = 0) {
    Words out = {0, valid << 16 | flags1, pool_offset | flags2};
    for (std::size_t i = 0; i < elements.size(); i += 2)
        out.push_back(elements[i] | (i + 1 < elements.size() ? elements[i + 1] << 16 : 0));
    out[0] = (0x78340000 + (stage << 16)) | static_cast<std::uint32_t>(out.size() - 2);
    return out;
}
inline Words surface_base(std::uint64_t base) {
    Words out(19, 0);
    out[0] = 0x61010011;
    out[4] = low(base) | 1;
    out[5] = high(base);
    return out;
}
/// A buffer of `count` elements of `pitch` bytes.
inline Words buffer_surface(std::uint64_t base, std::uint32_t count, std::uint32_t pitch) {
    Words out(16, 0);
    const std::uint32_t last = count - 1;
    out[0] = 4u << 29 | 0x1FFu << 18;
    out[2] = (last & 0x7F) | (last >> 7 & 0x3FFF) << 16;
    out[3] = (last >> 21) << 21 | (pitch - 1);
    out[8] = low(base);
    out[9] = high(base);
    return out;
}

}  // namespace gen9::test
