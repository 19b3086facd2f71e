// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "hdc/surface/shared.h"
#include "surface/layout.h"

namespace gen9::hdc {

/// The parameters of one slot of a typed message (DP-062), missing ones 0.
struct Coordinates {
    std::uint32_t u = 0, v = 0, r = 0, lod = 0, sample = 0;
};

/// A refusal says why no slot of a message may access a surface; both are null when it may.
struct Refusal {
    const char* guest_error = nullptr;
    const char* not_modelled = nullptr;
    explicit operator bool() const { return guest_error || not_modelled; }
};
/// Refuses what typed messages may not do on a surface whatever their addresses are, for its type,
/// format or tiles (DP-055, DP-057, DP-065, DP-071, DP-152). `parameters` are the registers of a slot's address.
Refusal refuse_typed(const Surface& surface, unsigned parameters, bool pair);

/// An element lies inside its surface or outside.
enum class Placed : std::uint8_t { Inside, Outside, NotModelled };
Placed place_element(const Surface& surface, const Coordinates& at, std::uint64_t& address);

}  // namespace gen9::hdc
