// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/usual.h"

#include <cstring>

#include "common/bits.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/with_window.h"

namespace gen9::hdc {

namespace {

/// Is every slot's address `step` after the one before?
template <class Address, unsigned kSlots>
bool evenly_spaced(const std::uint8_t* addresses, Address step) {
    constexpr unsigned kHalf = kSlots / 2;
    const auto wrong = [&](unsigned slot) {
        const auto address = load<Address>(addresses + slot * sizeof step);
        const auto next = load<Address>(addresses + (slot + 1) * sizeof step);
        return static_cast<Address>(next - address) ^ step;
    };
    Address difference = 0;
    // Two halves with one slot in common, each of a size that suits the host's vectors.
    for (unsigned i = 0; i < kHalf; ++i)
        difference |= wrong(i) | wrong(i + kHalf - 1);
    return difference == 0;
}

/// The first address and the step, if it is 0 or `slot_bytes` and the same for all slots.
template <class Address>
bool spacing(const std::uint8_t* addresses, unsigned slots, unsigned slot_bytes,
             std::uint64_t& first, std::uint64_t& step) {
    const auto start = load<Address>(addresses);
    const auto distance = static_cast<Address>(load<Address>(addresses + sizeof start) - start);
    // Nearly always the second slot tells already.
    if (distance != 0 && distance != slot_bytes) return false;
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
        spread(host, registers);
    } else if (items == 1) {
        std::uint8_t* const to = reads ? registers : host;
        const std::uint8_t* const from = reads ? host : registers;
        if (register_bytes == 64)
            std::memcpy(to, from, 64);
        else
            std::memcpy(to, from, register_bytes);
    } else if (item_bytes == 4) {
        transpose<std::uint32_t>(host, registers, items, slots, reads);
    } else {
        transpose<std::uint64_t>(host, registers, items, slots, reads);
    }
}

void UsualAccess::spread(const std::uint8_t* host, std::uint8_t* registers) const {
    if (item_bytes == 4)
        repeat<std::uint32_t>(host, registers, items, slots);
    else
        repeat<std::uint64_t>(host, registers, items, slots);
}

UsualForm usual_form(const Decoded& d) {
    UsualForm form;
    if (!d.ok() || d.header || d.special() || d.model == AddressModel::None) return form;
    const bool reads = d.row->operation == Operation::Read;
    if (!reads && d.row->operation != Operation::Write) return form;
    const bool untyped = d.row->shape == Shape::Untyped;
    // Channels that are left out within a slot keep their place in memory (DP-145).
    if (untyped ? (d.channels & (d.channels + 1)) != 0
                : d.row->shape != Shape::A64Scattered || !d.aligned)
        return form;
    form.possible = true;
    form.reads = reads;
    form.slm = d.model == AddressModel::Slm;
    form.slots = d.slots;
    form.items = untyped ? d.channel_count : d.elements;
    form.item_bytes = d.element_bytes;
    form.register_bytes = static_cast<std::uint16_t>(form.slots * form.items * form.item_bytes);
    form.payload_at = static_cast<std::uint16_t>(d.data_at() * kGrfBytes);
    if (d.row->sfid == Sfid::ConstantCache) form.requester = Requester::ConstantCache;
    return form;
}

bool find_usual(const Decoded& d, const Message& message, const PlanContext& context,
                UsualAccess& access) {
    const UsualForm& form = d.usual;
    const std::uint32_t every_slot = (1u << form.slots) - 1;
    if ((message.execution_mask & every_slot) != every_slot || message.end_of_thread ||
        message.system_routine)
        return false;
    std::uint64_t first, step;
    const std::uint8_t* const addresses = message.payload[0].bytes;
    const unsigned slot_bytes = form.slot_bytes();
    const bool even = d.wide_address
                          ? spacing<std::uint64_t>(addresses, form.slots, slot_bytes, first, step)
                          : spacing<std::uint32_t>(addresses, form.slots, slot_bytes, first, step);
    const bool one_place = step == 0;
    if (!even || (one_place && !form.reads)) return false;
    static_cast<UsualForm&>(access) = form;
    access.decoded = &d;
    access.one_place = one_place;
    access.span = one_place ? static_cast<std::uint16_t>(slot_bytes) : form.register_bytes;
    // Addresses with bits below the element are left to the plan, which reports them (DP-059).
    if ((first & (form.item_bytes - 1u)) != 0) [[unlikely]]
        return false;
    return with_window(d, message, context, access, [&access, first](const Window& window) {
        access.address = window.run(first, access.span_bytes());
        return access.address != Window::kOutside;
    });
}

}  // namespace gen9::hdc
