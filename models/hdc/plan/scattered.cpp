// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/scattered.h"

#include <cstring>

#include "common/bits.h"
#include "hdc/plan/with_window.h"

namespace gen9::hdc {

namespace {

/// `place(slot)`: where the slot's elements begin in host memory.
template <class Item, class Place>
void move_items(const ScatteredAccess& access, Place place, std::uint8_t* registers) {
    for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        std::uint8_t* host = place(slot);
        for (unsigned n = 0; n < access.items; ++n, host += sizeof(Item)) {
            std::uint8_t* const lane = registers + (n * access.slots + slot) * sizeof(Item);
            if (access.reads)
                std::memcpy(lane, host, sizeof(Item));
            else
                std::memcpy(host, lane, sizeof(Item));
        }
    }
}

/// What gathers do: every slot reads a DWord.
template <unsigned kSlots, class Place>
void gather(Place place, std::uint8_t* registers) {
    for (unsigned slot = 0; slot < kSlots; ++slot)
        std::memcpy(registers + slot * 4u, place(slot), 4);
}

template <class Place>
void move_slots(const ScatteredAccess& access, Place place, std::uint8_t* registers) {
    if (access.items == 1 && access.item_bytes == 4 && access.reads && access.every_slot()) {
        if (access.slots == 16)
            gather<16>(place, registers);
        else
            gather<8>(place, registers);
    } else if (access.item_bytes == 4) {
        move_items<std::uint32_t>(access, place, registers);
    } else {
        move_items<std::uint64_t>(access, place, registers);
    }
}

template <class Offset>
using Offsets = std::array<Offset, ScatteredAccess::kMaxSlots>;

/// Offsets of the slots; those that take no part have the one of a slot that does.
template <class Offset>
Offsets<Offset> load_offsets(const ScatteredAccess& access, const std::uint8_t* payload) {
    Offsets<Offset> offsets;
    if (access.every_slot()) {
        constexpr std::size_t kHalf = sizeof offsets / 2;
        auto* const to = reinterpret_cast<std::uint8_t*>(offsets.data());
        std::memcpy(to, payload, kHalf);
        std::memcpy(to + kHalf, payload + (access.slots == 16 ? kHalf : 0), kHalf);
        return offsets;
    }
    const auto load_slot = [payload](std::uint32_t mask) {
        return load<Offset>(payload +
                            static_cast<unsigned>(std::countr_zero(mask)) * sizeof(Offset));
    };
    offsets.fill(load_slot(access.mask));
    for (std::uint32_t m = access.mask; m != 0; m &= m - 1)
        offsets[static_cast<unsigned>(std::countr_zero(m))] = load_slot(m);
    return offsets;
}

/// What is asked of all offsets together, as Window::run asks it of one.
template <class Offset>
struct Bounds {
    Offset lowest = static_cast<Offset>(~Offset{0}), highest = 0;
    Offset any = 0;  ///< bits that any of them has

    explicit Bounds(const Offsets<Offset>& offsets) {
        for (const Offset offset : offsets) {
            lowest = offset < lowest ? offset : lowest;
            highest = offset > highest ? offset : highest;
            any |= offset;
        }
    }
};

/// False: the elements are not all at multiples of their size, or too far apart for the offsets.
template <class Offset>
bool place_slots(ScatteredAccess& access, const Offsets<Offset>& offsets,
                 const Bounds<Offset>& bounds) {
    const std::uint64_t apart = bounds.highest - bounds.lowest;
    if ((bounds.any & (access.item_bytes - 1u)) != 0 || apart > ~std::uint32_t{0}) return false;
    access.span = apart + access.slot_bytes();
    for (unsigned slot = 0; slot < ScatteredAccess::kMaxSlots; ++slot)
        access.offsets[slot] = static_cast<std::uint32_t>(offsets[slot] - bounds.lowest);
    return true;
}

/// DP-044: bits 63:48 repeat bit 47. Between two such addresses that are near, all others are.
bool place_absolute(ScatteredAccess& access, const std::uint8_t* payload) {
    const auto canonical = [](std::uint64_t address) {
        return (address + (1ull << 47)) >> 48 == 0;
    };
    const auto addresses = load_offsets<std::uint64_t>(access, payload);
    const Bounds bounds(addresses);
    access.address = bounds.lowest & kAddressMask;
    return canonical(bounds.lowest) && canonical(bounds.highest) &&
           place_slots(access, addresses, bounds);
}

bool place_in_window(ScatteredAccess& access, const std::uint8_t* payload, const Window& window) {
    if (window.start != 0 || window.limit != ~0ull ||
        (window.base & (access.item_bytes - 1u)) != 0 ||
        window.base + window.size > kAddressMask + 1) [[unlikely]]
        return false;
    auto offsets = load_offsets<std::uint32_t>(access, payload);
    access.address = window.base;
    if (window.slm) {
        // DP-047, DP-100: addresses wrap; elements of a slot over the end are left to the plan.
        for (std::uint32_t& offset : offsets)
            offset = static_cast<std::uint32_t>(offset + window.base) &
                     static_cast<std::uint32_t>(window.size - 1);
        access.address = 0;
    }
    const Bounds bounds(offsets);
    access.address += bounds.lowest;
    return std::uint64_t{bounds.highest} + access.slot_bytes() <= window.size &&
           place_slots(access, offsets, bounds);
}

}  // namespace

void ScatteredAccess::move(std::uint8_t* host, std::uint8_t* registers) const {
    move_slots(
        *this, [host, this](unsigned slot) { return host + offsets[slot]; }, registers);
}

void ScatteredAccess::move(const Places& places, std::uint8_t* registers) const {
    move_slots(
        *this, [&places](unsigned slot) { return places[slot]; }, registers);
}

bool find_scattered(const Decoded& d, const Message& message, const PlanContext& context,
                    ScatteredAccess& access) {
    const std::uint32_t mask = message.execution_mask & ((1u << d.usual.slots) - 1);
    if (mask == 0 || message.end_of_thread || message.system_routine) return false;
    static_cast<UsualForm&>(access) = d.usual;
    access.decoded = &d;
    access.mask = mask;
    // Those that are not all in bounds, or at multiples of an element, are left to the plan, which
    // reports them (DP-059).
    return with_window(d, message, context, access, [&access, &message](const Window& window) {
        const std::uint8_t* const payload = message.payload[0].bytes;
        if (access.decoded->wide_address) return window.a64 && place_absolute(access, payload);
        return !window.a64 && place_in_window(access, payload, window);
    });
}

}  // namespace gen9::hdc
