// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>

#include "hdc/decode/decode.h"

namespace gen9::hdc {

struct PlanContext;

/// Most messages of kernels do this, and it is carried out without a plan: every slot is
/// active and accesses `items` elements, each slot's behind those of the slot before, or (reads)
/// all slots' at one place. All of it lies inside its window.
struct UsualAccess : UsualForm {
    const Decoded* decoded = nullptr;  ///< of the message it was found in, while that is looked at
    std::uint64_t address = 0;         ///< of the first byte: virtual, or within SLM
    std::uint16_t span = 0;
    bool one_place = false;

    /// Bytes of memory from `address` on.
    unsigned span_bytes() const { return span; }

    /// Does it go out in time without a plan: does every slot access one element, or DWords of SLM?
    bool goes_out() const { return slm ? item_bytes == 4 : items == 1; }
    /// It goes out in so many requests: one for each line, or for 16 lanes of SLM.
    unsigned requests() const {
        if (slm)
            return (unsigned{slots} * items + LaneAccess::kMaxLanes - 1) / LaneAccess::kMaxLanes;
        return static_cast<unsigned>((address + span_bytes() - 1) / kLineBytes -
                                     address / kLineBytes + 1);
    }
    /// Request `index` to SLM has so many lanes.
    unsigned lanes(unsigned index) const {
        return std::min(unsigned{slots} * items - index * LaneAccess::kMaxLanes,
                        LaneAccess::kMaxLanes);
    }
    /// Calls `lane(n, address, at)` for each lane of request `index` to SLM: a lane is an item, all
    /// of a slot's together; it lies `at` bytes behind the first in the registers.
    template <class Lane>
    void each_lane(unsigned index, Lane lane) const;
    /// Request `index` carries this part of `span_bytes`.
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
    /// All slots read the same bytes, which go to the registers of each.
    void spread(const std::uint8_t* host, std::uint8_t* registers) const;
};

template <class Lane>
void UsualAccess::each_lane(unsigned index, Lane lane) const {
    constexpr unsigned kItem = 4;  // see goes_out
    const unsigned first = index * LaneAccess::kMaxLanes;
    const unsigned count = lanes(index);
    if (items == 1) {
        const unsigned step = one_place ? 0 : kItem;
        const std::uint64_t from = address + first * step;
        for (unsigned n = 0; n < count; ++n)
            lane(n, from + n * step, (first + n) * kItem);
        return;
    }
    const unsigned slot_step = one_place ? 0 : items * kItem;
    unsigned slot = first / items, item = first % items;
    for (unsigned n = 0; n < count; ++n) {
        lane(n, address + slot * slot_step + item * kItem, (item * slots + slot) * kItem);
        if (++item != items) continue;
        item = 0;
        ++slot;
    }
}

/// Usual messages with this descriptor have this in common, if they can be usual.
UsualForm usual_form(const Decoded& decoded);
/// Looks at the message's slots, addresses and surface: is it one? Its descriptor must allow it,
/// and it must have a sender with state. A surface that is not at hand is left to the plan.
bool find_usual(const Decoded& decoded, const Message& message, const PlanContext& context,
                UsualAccess& access);

}  // namespace gen9::hdc
