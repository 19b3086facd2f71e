// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>

#include "hdc/plan/places.h"
#include "hdc/plan/plan_lanes.h"

namespace gen9::hdc {

namespace {

/// An operand of up to 16 bytes.
struct Operand {
    std::uint64_t low = 0, high = 0;
};

/// Operand `n` of a slot. Lanes follow one another, operand after operand (DP-178); 64-bit ones of
/// messages with 32-bit addresses are a register of low DWords and one of high ones; a pair's slot
/// has its operands side by side in its half of the register.
Operand operand(const Decoded& d, const std::uint8_t* sources, unsigned n, unsigned slot) {
    if (n >= d.operands) return {};
    const unsigned bytes = d.element_bytes;
    if (d.split_words) {
        const unsigned words = d.slots * 4;
        const std::uint8_t* at = sources + n * 2 * words + slot * 4;
        return {load<std::uint32_t>(at) | std::uint64_t{load<std::uint32_t>(at + words)} << 32, 0};
    }
    const std::uint8_t* at =
        sources + (d.pair ? slot * std::max(16u, d.operands * bytes) + n * bytes
                          : (n * d.slots + slot) * bytes);
    if (bytes == 4) return {load<std::uint32_t>(at), 0};
    return {load<std::uint64_t>(at), bytes == 16 ? load<std::uint64_t>(at + 8) : 0};
}

}  // namespace

void begin_atomic(const Decoded& d, Message& message, std::uint32_t mask, Plan& plan) {
    plan.atomic = d.atomic;
    plan.lane_bytes = d.element_bytes;
    plan.atomic_returns = d.returns;
    plan.split_stride = d.split_words ? static_cast<std::uint8_t>(d.slots * 4) : std::uint8_t{0};
    if (!d.returns) return;
    if (d.split_words) return open_lanes(message, d.slots, 2, 4, mask);
    if (!d.pair) return open_lanes(message, d.slots, 1, d.element_bytes, mask);
    std::memset(message.response[0].bytes, 0, kGrfBytes);
    for (unsigned slot = 0; slot < 2; ++slot)
        if (mask >> slot & 1)
            message.response_enable[0] |= ((1u << d.element_bytes) - 1) << slot * 16;
}

void add_atomic_lane(const Decoded& d, const Message& message, unsigned slot, std::uint64_t address,
                     Plan& plan) {
    if (address == Window::kOutside) {
        ++plan.out_of_bounds;  // dropped, and returns 0 (DP-091)
        return;
    }
    const std::uint8_t* sources = message.payload[d.data_at()].bytes;
    const Operand first = operand(d, sources, 0, slot), second = operand(d, sources, 1, slot);
    const unsigned stride = d.pair ? 16 : d.split_words ? 4 : d.element_bytes;
    plan.lanes[plan.lane_count++] = {address,     first.low,
                                     second.low,  first.high,
                                     second.high, static_cast<std::uint16_t>(slot * stride)};
    ++plan.accesses;
}

void plan_atomic(const Decoded& d, Message& message, const Target& target, Plan& plan) {
    const Places places(d, message, target);
    const std::uint32_t mask = Places::mask(d, message);
    begin_atomic(d, message, mask, plan);
    places.note_misaligned(mask, d.element_bytes, plan);
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        add_atomic_lane(d, message, slot, places.place(slot, 0, d.element_bytes, d.element_bytes),
                        plan);
    }
}

}  // namespace gen9::hdc
