// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>

#include "common/host.h"

namespace gen9 {

/// Copies eight DWords as one host vector: stored in two, they could not be loaded as one at once.
GEN9_INLINE void copy_eight(const std::uint8_t* from, std::uint32_t* to) {
    typedef std::uint32_t Eight __attribute__((vector_size(32)));
    Eight eight;
    std::memcpy(&eight, from, sizeof eight);
    std::memcpy(to, &eight, sizeof eight);
}

}  // namespace gen9
