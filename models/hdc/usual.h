// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "hdc/decode.h"
#include "hdc/window.h"
#include "interconnect/memory_request.h"

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
    std::uint8_t mocs = 0;
    bool coherent = false;
    Requester requester = Requester::DataPort;

    /// Bytes of memory from `address` on.
    unsigned span_bytes() const { return (one_place ? 1u : slots) * items * item_bytes; }
    /// Bytes that go to or come from the registers.
    unsigned bytes() const { return unsigned{slots} * items * item_bytes; }
    unsigned response_registers() const { return bytes() / kGrfBytes; }

    /// Does it go out in time without a plan: does every slot access one element?
    bool goes_out() const { return items == 1 && (!slm || item_bytes == 4); }
    /// The requests it goes out in: one for each line, or one with a lane of SLM for each slot.
    unsigned requests() const {
        if (slm) return 1;
        return static_cast<unsigned>((address + span_bytes() - 1) / kLineBytes -
                                     address / kLineBytes + 1);
    }
    /// The part of `span_bytes` that request `index` carries.
    struct Part {
        unsigned offset, bytes;
    };
    Part part(unsigned index) const {
        const unsigned in_line = static_cast<unsigned>(address % kLineBytes);
        const unsigned line = static_cast<unsigned>(kLineBytes);
        const unsigned begin = index == 0 ? 0 : index * line - in_line;
        return {begin, std::min(span_bytes(), (index + 1) * line - in_line) - begin};
    }

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
