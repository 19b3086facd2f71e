// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/scattered.h"

#include <cstring>

#include "common/bits.h"
#include "hdc/plan/with_window.h"

namespace gen9::hdc {

namespace {

template <class Item>
void move_items(const ScatteredAccess& access, const ScatteredAccess::Places& places,
                std::uint8_t* registers) {
    for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        std::uint8_t* host = places[slot];
        for (unsigned n = 0; n < access.items; ++n, host += sizeof(Item)) {
            std::uint8_t* const lane = registers + (n * access.slots + slot) * sizeof(Item);
            if (access.reads)
                std::memcpy(lane, host, sizeof(Item));
            else
                std::memcpy(host, lane, sizeof(Item));
        }
    }
}

/// Offsets of the slots; those that take no part have the one of a slot that does.
template <class Offset>
void load_offsets(ScatteredAccess& access, const std::uint8_t* payload) {
    const auto load_slot = [payload](unsigned slot) {
        return std::uint64_t{load<Offset>(payload + slot * sizeof(Offset))};
    };
    const std::uint64_t any = load_slot(static_cast<unsigned>(std::countr_zero(access.mask)));
    if (access.mask == (1u << ScatteredAccess::kMaxSlots) - 1) {
        for (unsigned slot = 0; slot < ScatteredAccess::kMaxSlots; ++slot)
            access.addresses[slot] = load_slot(slot);
        return;
    }
    access.addresses.fill(any);
    for (std::uint32_t m = access.mask; m != 0; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        access.addresses[slot] = load_slot(slot);
    }
}

// What follows asks the same of all slots, without a branch, as Window::run asks it of one. Bits of
// the result: 63, a slot is out of bounds; those of `low`, an offset has bits there.

/// DP-044: bits 63:48 repeat bit 47.
std::uint64_t place_absolute(ScatteredAccess& access, std::uint64_t low) {
    constexpr std::uint64_t kHalf = 1ull << 47;
    std::uint64_t wrong = 0, any = 0;
    for (std::uint64_t& address : access.addresses) {
        wrong |= (address + kHalf) >> 48;
        any |= address;
        address &= kAddressMask;
    }
    return (wrong != 0 ? 1ull << 63 : 0) | (any & low);
}

std::uint64_t place_in_buffer(ScatteredAccess& access, const Window& window, std::uint64_t low) {
    const std::uint64_t last = window.size - access.slot_bytes(), base = window.base;
    std::uint64_t wrong = last, any = 0;
    for (std::uint64_t& address : access.addresses) {
        wrong |= last - address;
        any |= address;
        address = (address + base) & kAddressMask;
    }
    return (wrong & 1ull << 63) | (any & low);
}

/// DP-047, DP-100: addresses wrap; elements of a slot over the end are left to the plan.
std::uint64_t place_in_slm(ScatteredAccess& access, const Window& window, std::uint64_t low) {
    const std::uint64_t last = window.size - access.slot_bytes(), base = window.base;
    std::uint64_t wrong = 0, any = 0;
    for (std::uint64_t& address : access.addresses) {
        any |= address;
        address = (address + base) & (window.size - 1);
        wrong |= last - address;
    }
    return (wrong & 1ull << 63) | (any & low);
}

/// Makes addresses of the slots' offsets; false: not all are in bounds, or at multiples of an
/// element: those are left to the plan, which reports them (DP-059).
bool place_slots(ScatteredAccess& access, const Message& message, const Window& window) {
    const std::uint64_t low = access.item_bytes - 1u;
    if (access.decoded->wide_address) {
        load_offsets<std::uint64_t>(access, message.payload[0].bytes);
        return window.a64 && place_absolute(access, low) == 0;
    }
    if (window.a64 || window.start != 0 || window.limit != ~0ull || (window.base & low) != 0)
        [[unlikely]]
        return false;
    load_offsets<std::uint32_t>(access, message.payload[0].bytes);
    return (window.slm ? place_in_slm(access, window, low)
                       : place_in_buffer(access, window, low)) == 0;
}

}  // namespace

void ScatteredAccess::move(const Places& places, std::uint8_t* registers) const {
    if (items == 1 && item_bytes == 4 && reads && mask == (1u << slots) - 1) {
        // What gathers do.
        for (unsigned slot = 0; slot < slots; ++slot)
            std::memcpy(registers + slot * 4u, places[slot], 4);
    } else if (item_bytes == 4) {
        move_items<std::uint32_t>(*this, places, registers);
    } else {
        move_items<std::uint64_t>(*this, places, registers);
    }
}

bool find_scattered(const Decoded& d, const Message& message, const PlanContext& context,
                    ScatteredAccess& access) {
    const std::uint32_t mask = message.execution_mask & ((1u << d.usual.slots) - 1);
    if (mask == 0 || message.end_of_thread || message.system_routine) return false;
    static_cast<UsualForm&>(access) = d.usual;
    access.decoded = &d;
    access.mask = mask;
    return with_window(d, message, context, access, [&access, &message](const Window& window) {
        return place_slots(access, message, window);
    });
}

}  // namespace gen9::hdc
