// SPDX-License-Identifier: Apache-2.0
#include "hdc/usual.h"

#include <cstring>

#include "common/bits.h"

namespace gen9::hdc {

namespace {

/// Is every slot's address `step` after the one before?
template <class Address, unsigned kSlots>
bool evenly_spaced(const std::uint8_t* addresses, Address step) {
    Address values[kSlots], difference = 0;
    std::memcpy(values, addresses, sizeof values);
    Address expected = values[0];
    for (unsigned i = 0; i < kSlots; ++i, expected = static_cast<Address>(expected + step))
        difference |= values[i] ^ expected;
    return difference == 0;
}

/// The first address and the step, if it is one for all slots.
template <class Address>
bool spacing(const std::uint8_t* addresses, unsigned slots, std::uint64_t& first,
             std::uint64_t& step) {
    const auto start = load<Address>(addresses);
    const auto distance = static_cast<Address>(load<Address>(addresses + sizeof start) - start);
    first = start;
    step = distance;
    return slots == 16 ? evenly_spaced<Address, 16>(addresses, distance)
                       : evenly_spaced<Address, 8>(addresses, distance);
}

template <class Item>
void repeat(const std::uint8_t* host, std::uint8_t* registers, unsigned items, unsigned slots) {
    for (unsigned n = 0; n < items; ++n, host += sizeof(Item), registers += slots * sizeof(Item)) {
        Item values[16];
        const auto value = load<Item>(host);
        for (Item& each : values)
            each = value;
        std::memcpy(registers, values, 8 * sizeof(Item));
        if (slots == 16) std::memcpy(registers + 8 * sizeof(Item), values, 8 * sizeof(Item));
    }
}

template <class Item>
void transpose(std::uint8_t* host, std::uint8_t* registers, unsigned items, unsigned slots,
               bool reads) {
    for (unsigned slot = 0; slot < slots; ++slot)
        for (unsigned n = 0; n < items; ++n, host += sizeof(Item)) {
            std::uint8_t* const lane = registers + (n * slots + slot) * sizeof(Item);
            if (reads)
                std::memcpy(lane, host, sizeof(Item));
            else
                std::memcpy(host, lane, sizeof(Item));
        }
}

}  // namespace

void UsualAccess::move(std::uint8_t* host, std::uint8_t* registers) const {
    if (one_place) {
        if (item_bytes == 4)
            repeat<std::uint32_t>(host, registers, items, slots);
        else
            repeat<std::uint64_t>(host, registers, items, slots);
    } else if (items == 1) {
        std::uint8_t* const to = reads ? registers : host;
        const std::uint8_t* const from = reads ? host : registers;
        if (bytes() == 64)
            std::memcpy(to, from, 64);
        else
            std::memcpy(to, from, bytes());
    } else if (item_bytes == 4) {
        transpose<std::uint32_t>(host, registers, items, slots, reads);
    } else {
        transpose<std::uint64_t>(host, registers, items, slots, reads);
    }
}

bool may_be_usual(const Decoded& d) {
    if (!d.ok() || d.header || d.special() || d.model == AddressModel::None) return false;
    if (d.row->operation != Operation::Read && d.row->operation != Operation::Write) return false;
    // Channels that are left out within a slot keep their place in memory (DP-145).
    if (d.row->shape == Shape::Untyped) return (d.channels & (d.channels + 1)) == 0;
    return d.row->shape == Shape::A64Scattered && d.aligned;
}

bool find_usual(const Decoded& d, const Message& message, const Window& window,
                UsualAccess& access) {
    const std::uint32_t every_slot = d.slots == 16 ? 0xFFFF : 0xFF;
    if ((message.execution_mask & every_slot) != every_slot || message.end_of_thread) return false;
    std::uint64_t first, step;
    const std::uint8_t* const addresses = message.payload[0].bytes;
    const bool even = d.wide_address ? spacing<std::uint64_t>(addresses, d.slots, first, step)
                                     : spacing<std::uint32_t>(addresses, d.slots, first, step);
    access.items = d.row->shape == Shape::Untyped ? d.channel_count : d.elements;
    access.item_bytes = d.element_bytes;
    access.slots = d.slots;
    access.reads = d.row->operation == Operation::Read;
    access.one_place = step == 0;
    access.decoded = &d;
    access.requester =
        d.row->sfid == Sfid::ConstantCache ? Requester::ConstantCache : Requester::DataPort;
    const bool adjoining = step == unsigned{access.items} * access.item_bytes;
    if (!even || !(adjoining || (access.one_place && access.reads))) return false;
    // Addresses have no bits below the element (DP-059).
    access.address =
        window.run(first & ~std::uint64_t{access.item_bytes - 1u}, access.span_bytes());
    access.slm = window.slm;
    access.payload_at = static_cast<std::uint16_t>(d.data_at() * kGrfBytes);
    return access.address != Window::kOutside;
}

}  // namespace gen9::hdc
