// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/units.h"

namespace gen9 {

/// The bytes of consecutive registers, from the first byte of this one on. `bytes` of a register
/// ends with that register.
[[gnu::always_inline]] inline std::uint8_t* bytes_from(Grf& first) { return reinterpret_cast<std::uint8_t*>(&first); }
[[gnu::always_inline]] inline const std::uint8_t* bytes_from(const Grf& first) {
    return reinterpret_cast<const std::uint8_t*>(&first);
}

}  // namespace gen9
