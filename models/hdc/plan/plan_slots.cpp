// SPDX-License-Identifier: Apache-2.0
// Scattered and untyped messages whose slots or addresses are special.
#include <bit>
#include <cstring>

#include "common/register_bytes.h"
#include "hdc/plan/places.h"
#include "hdc/plan/plan_lanes.h"
#include "packets/surface_state.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

/// Adds the bytes of one slot, each by itself where only some are inside.
void add_item(const Places& places, Plan& plan, unsigned slot, unsigned from, unsigned at,
              unsigned bytes, unsigned align, const Target& target) {
    const std::uint64_t address = places.place(slot, from, bytes, align);
    if (address != Window::kOutside && !(target.slm && address + bytes > target.size)) {
        plan.add(address, at, bytes);
        ++plan.accesses;
        return;
    }
    bool any = false;
    for (unsigned b = 0; b < bytes; ++b) {
        const std::uint64_t byte = places.place(slot, from + b, 1, align);
        if (byte == Window::kOutside) continue;
        plan.add(byte, at + b, 1);
        any = true;
    }
    ++(any ? plan.accesses : plan.out_of_bounds);
}

/// What a constant channel select gives (DP-147).
void fill_constant(Message& message, unsigned at, unsigned select) {
    store(bytes_from(message.response[0]) + at, select == state::SCS_ONE ? 1u : 0u);
}

}  // namespace

void plan_scattered_slots(const Decoded& d, Message& message, const Target& target, Plan& plan) {
    const Places places(d, message, target);
    const std::uint32_t mask = Places::mask(d, message);
    const bool reads = plan.operation == Operation::Read;
    const unsigned lane_bytes = d.element_bytes == 8 ? 8 : 4;
    const unsigned align = d.aligned ? d.element_bytes : 1;
    places.note_misaligned(mask, align, plan);
    if (reads) open_lanes(message, d.slots, d.elements, lane_bytes, mask);
    const unsigned data_at = reads ? 0 : d.data_at() * kGrfBytes;
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        for (unsigned e = 0; e < d.elements; ++e)
            add_item(places, plan, slot, e * d.element_bytes,
                     data_at + (e * d.slots + slot) * lane_bytes, d.element_bytes, align, target);
    }
}

void plan_untyped_slots(const Decoded& d, Message& message, const Target& target, Plan& plan) {
    const Places places(d, message, target);
    const std::uint32_t mask = Places::mask(d, message);
    const bool reads = plan.operation == Operation::Read;
    places.note_misaligned(mask, 4, plan);
    if (reads && !d.pair) open_lanes(message, d.slots, d.channel_count, 4, mask);
    if (reads && d.pair) std::memset(message.response[0].bytes, 0, kGrfBytes);
    const unsigned data_at = reads ? 0 : d.data_at() * kGrfBytes;
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        unsigned item = 0;
        for (unsigned c = 0; c < 4; ++c) {
            if (!(d.channels >> c & 1)) continue;
            // Pairs keep every channel in its place (DP-144), lanes pack the enabled ones.
            const unsigned at =
                data_at + (d.pair ? slot * 16 + c * 4 : (item * d.slots + slot) * 4);
            ++item;
            if (reads && d.pair) message.response_enable[0] |= 0xFu << at;
            unsigned channel = c;
            if (target.select) {
                const unsigned select = (*target.select)[c];
                if (select < state::SCS_RED) {
                    if (reads) fill_constant(message, at, select);
                    continue;
                }
                channel = select - state::SCS_RED;
            }
            add_item(places, plan, slot, channel * 4, at, 4, 4, target);
        }
    }
}

}  // namespace gen9::hdc
