// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "hdc/decode/decode.h"

namespace gen9::hdc {

struct PlanContext;

/// A message whose slots access elements anywhere does this, when functional mode can carry it out
/// without a plan: each slot of the mask accesses `items` consecutive elements at a multiple of
/// their size, and all of them are in bounds.
struct ScatteredAccess : UsualForm {
    static constexpr unsigned kMaxSlots = 16;

    const Decoded* decoded = nullptr;  ///< of the message it was found in, while that is looked at
    std::uint32_t mask = 0;            ///< slots that take part: one at least
    std::uint64_t address = 0;  ///< of the lowest slot's first element: virtual, or within SLM
    std::uint64_t span = 0;     ///< bytes from there to the end of the highest slot's elements
    /// Each slot's first element lies so far behind `address`. Slots that take no part have the
    /// offset of one that does.
    std::array<std::uint32_t, kMaxSlots> offsets;

    bool every_slot() const { return mask == (1u << slots) - 1; }
    /// All slots together access so many elements.
    unsigned accesses() const {
        return (every_slot() ? slots : static_cast<unsigned>(std::popcount(mask))) * items;
    }

    /// Moves the elements between memory, which begins at `host` with `address`, and the registers,
    /// where each element of all slots follows the one before (DP-145, DP-171). Later slots
    /// overwrite what earlier ones wrote.
    void move(std::uint8_t* host, std::uint8_t* registers) const;
    /// The elements of each slot begin here in host memory, when they do not lie in one piece.
    using Places = std::array<std::uint8_t*, kMaxSlots>;
    void move(const Places& places, std::uint8_t* registers) const;
};

/// Looks at the message's mask, window and addresses: is it one? The descriptor must allow it, and
/// it must have a sender with state.
bool find_scattered(const Decoded& decoded, const Message& message, const PlanContext& context,
                    ScatteredAccess& access);

}  // namespace gen9::hdc
