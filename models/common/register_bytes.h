// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>

#include "common/units.h"

namespace gen9 {

/// The bytes of consecutive registers, from the first byte of this one on. `bytes` of a register
/// ends with that register.
[[gnu::always_inline]] inline std::uint8_t* bytes_from(Grf& first) {
    return reinterpret_cast<std::uint8_t*>(&first);
}
[[gnu::always_inline]] inline const std::uint8_t* bytes_from(const Grf& first) {
    return reinterpret_cast<const std::uint8_t*>(&first);
}

/// Copies registers, mostly few: a call of memcpy would cost more than the copy.
inline void copy_few(const Grf* from, unsigned count, Grf* to) {
    for (; count >= 2; count -= 2, from += 2, to += 2)
        std::memcpy(to, from, 2 * kGrfBytes);
    if (count != 0) *to = *from;
}

/// Writes the bytes that a mask enables, as those of a message's response.
inline void copy_enabled(const Grf& from, std::uint32_t enable, Grf& to) {
    if (enable == ~std::uint32_t{0}) [[likely]] {
        to = from;
        return;
    }
    for (unsigned byte = 0; byte < kGrfBytes; ++byte)
        if (enable >> byte & 1) to.bytes[byte] = from.bytes[byte];
}

}  // namespace gen9
