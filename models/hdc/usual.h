// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "hdc/decode.h"
#include "hdc/window.h"

namespace gen9::hdc {

/// What most messages of kernels do, small enough to be carried out without a plan: every slot is
/// active and accesses `items` elements, each slot's behind those of the slot before, or (reads)
/// all slots' at one place. All of it lies inside its window.
struct UsualAccess {
    const Decoded* decoded = nullptr;  ///< of the message it was found in
    std::uint64_t address = 0;         ///< of the first byte: virtual, or within SLM
    bool slm = false;
    bool reads = false;
    bool one_place = false;
    std::uint8_t slots = 0, items = 0, item_bytes = 0;
    std::uint16_t payload_at = 0;  ///< writes: first byte of the data in the payload

    /// Bytes of memory from `address` on.
    unsigned span_bytes() const { return (one_place ? 1u : slots) * items * item_bytes; }
    /// Bytes that go to or come from the registers.
    unsigned bytes() const { return unsigned{slots} * items * item_bytes; }
    unsigned response_registers() const { return bytes() / kGrfBytes; }

    /// Moves the bytes between memory, which begins at `host`, and the registers, where each item
    /// of all slots follows the one before (DP-145, DP-171).
    void move(std::uint8_t* host, std::uint8_t* registers) const;
};

/// Can messages with this descriptor be usual ones?
bool may_be_usual(const Decoded& decoded);
/// Looks at the message's slots and addresses: is it one? `decoded.usual` must hold.
bool find_usual(const Decoded& decoded, const Message& message, const Window& window,
                UsualAccess& access);

}  // namespace gen9::hdc
