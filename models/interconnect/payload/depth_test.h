// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/pixel_record.h"

namespace gen9 {

/// A render target write asks the depth and stencil unit for the tests that had to wait for the
/// shader. Lane n is slot `first_slot` + n of the thread. It passes by a blocking call, which says
/// how long the answer takes.
struct DepthTest {
    static constexpr unsigned kLanes = 16;
    // Request.
    const PixelRecord* record = nullptr;
    std::uint8_t first_slot = 0;
    bool writes = true;                           ///< what passes is stored and counted
    bool has_depth = false, has_stencil = false;  ///< the shader has computed them
    std::array<std::uint32_t, kLanes> depth{};    ///< float bits; else the object's own depth
    std::array<std::uint8_t, kLanes> stencil{};
    // Request and response: the samples that are left of each lane.
    std::array<std::uint16_t, kLanes> covered{};
};

}  // namespace gen9
