// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "interconnect/payload/state.h"

namespace gen9::cs {

/// The bases after a STATE_BASE_ADDRESS: fields whose modify bit is set are replaced
/// (003:1550-1560).
StateBases apply_state_base_address(const StateBases& bases, std::span<const std::uint32_t> dwords);

/// Bits 47:0 of an address; a sign extension above is accepted (CS-146).
constexpr GpuAddr canonical(std::uint64_t address) {
    return GpuAddr(address & 0xFFFF'FFFF'FFFF);
}

}  // namespace gen9::cs
