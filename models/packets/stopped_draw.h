// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/stopped_walker.h"

namespace gen9 {

/// The rest of a 3DPRIMITIVE that was stopped between two objects (VF-26).
struct DrawRest {
    /// Vertices, instances, start vertex, start instance, base vertex: the registers that they may
    /// have come from can differ when it goes on.
    std::array<std::uint32_t, 5> parameters{};
    std::uint32_t instance = 0;  ///< with which it goes on
    std::uint32_t objects = 0;   ///< of that instance that were sent before

    bool operator==(const DrawRest&) const = default;
};

/// As the context image keeps it, in the place of a walker. Assumed: the public table says where
/// the vertex fetch has its counters, but not what they count.
StoppedWalker pack(std::span<const std::uint32_t> primitive, const DrawRest& rest);
bool is_draw(const StoppedWalker& stopped);
DrawRest unpack_draw(const StoppedWalker& stopped);
/// Its part that is a 3DPRIMITIVE.
std::span<const std::uint32_t> draw_of(const StoppedWalker& stopped);

}  // namespace gen9
