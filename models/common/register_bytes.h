// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

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
