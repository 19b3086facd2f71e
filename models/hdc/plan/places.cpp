// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/places.h"

#include <bit>
#include <cstring>

namespace gen9::hdc {

namespace {

constexpr unsigned kHalf = kGrfBytes / 2;  ///< what a slot of a pair has of a register
constexpr std::uint32_t kPitchMask = 0x3FFFF;

template <class Address, unsigned kSlots>
bool all_aligned(const std::uint8_t* addresses, unsigned align) {
    Address together = 0;
    for (unsigned slot = 0; slot < kSlots; ++slot)
        together |= load<Address>(addresses + slot * sizeof together);
    return (together & (align - 1u)) == 0;
}

}  // namespace

Places::Places(const Decoded& d, const Message& message, const Target& target)
    : d_(d), target_(target), addresses_(message.payload[d.address_at()].bytes) {
    second_parameter_ = d.pair ? 4 : d.slots * 4u;
    if (!d.scaled) return;
    multiplier_ = d.multiplier;
    const std::uint8_t* header = message.payload[0].bytes;
    if (d.scale) {
        added_ = message.extended_descriptor >> 16;
        if (d.header) multiplier_ = (load<std::uint32_t>(header) & kPitchMask) + 1u;
    }
    // The base of 32-bit addresses is the window's (DP-149); that the 64-bit one follows it in the
    // header's DWords 5 and 6 is assumed (S-28 g).
    if (d.model == AddressModel::A64) added_ += load<std::uint64_t>(header + 20);
}

std::uint64_t Places::offset(unsigned slot) const {
    const unsigned step = d_.pair ? kHalf : d_.wide_address ? 8 : 4;
    const std::uint8_t* at = addresses_ + slot * step;
    const std::uint64_t value = d_.wide_address ? load<std::uint64_t>(at) : load<std::uint32_t>(at);
    return d_.scaled ? value * multiplier_ + added_ : value;
}

std::uint64_t Places::place(unsigned slot, unsigned at, unsigned bytes, unsigned align) const {
    if (target_.pitch) return structured(slot, at, bytes, align);
    return target_.place((offset(slot) & ~std::uint64_t{align - 1}) + at, bytes);
}

std::uint64_t Places::structured(unsigned slot, unsigned at, unsigned bytes, unsigned align) const {
    const std::uint64_t v = second_parameter(slot) + at;
    // DP-094: the last bytes of a structure are inside it.
    if (offset(slot) >= target_.entries || v + bytes > target_.pitch) return Window::kOutside;
    return target_.place(structure_offset(slot, v) & ~std::uint64_t{align - 1}, bytes);
}

std::uint64_t Places::second_parameter(unsigned slot) const {
    return load<std::uint32_t>(addresses_ + slot * (d_.pair ? kHalf : 4) + second_parameter_);
}

void Places::note_misaligned(std::uint32_t mask, unsigned align, Plan& plan) const {
    if (!d_.special() && target_.pitch == 0 && all_aligned(d_, addresses_, align)) return;
    for (; mask; mask &= mask - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(mask));
        plan.note_misaligned(
            target_, target_.pitch ? structure_offset(slot, second_parameter(slot)) : offset(slot),
            align);
    }
}

bool all_aligned(const Decoded& d, const std::uint8_t* addresses, unsigned align) {
    if (d.wide_address)
        return d.slots == 16 ? all_aligned<std::uint64_t, 16>(addresses, align)
                             : all_aligned<std::uint64_t, 8>(addresses, align);
    return d.slots == 16 ? all_aligned<std::uint32_t, 16>(addresses, align)
                         : all_aligned<std::uint32_t, 8>(addresses, align);
}

void open_lanes(Message& message, unsigned slots, unsigned items, unsigned lane_bytes,
                std::uint32_t mask) {
    const unsigned registers = items * (slots * lane_bytes / kGrfBytes);
    for (unsigned r = 0; r < registers; ++r)
        std::memset(message.response[r].bytes, 0, kGrfBytes);
    enable_lanes(message, slots, items, lane_bytes, mask);
}

void enable_lanes(Message& message, unsigned slots, unsigned items, unsigned lane_bytes,
                  std::uint32_t mask) {
    const unsigned registers_per_item = slots * lane_bytes / kGrfBytes;
    for (unsigned r = 0; r < items * registers_per_item; ++r)
        message.response_enable[r] = ~0u;
    if (mask == (1u << slots) - 1) return;
    const unsigned slots_per_register = kGrfBytes / lane_bytes;
    for (unsigned r = 0; r < registers_per_item; ++r) {
        const std::uint32_t part =
            mask >> (r * slots_per_register) & ((1u << slots_per_register) - 1);
        std::uint32_t enable = 0;
        if (part == (1u << slots_per_register) - 1) {
            enable = ~0u;
        } else {
            const std::uint32_t lane = (1u << lane_bytes) - 1;
            for (std::uint32_t m = part; m; m &= m - 1)
                enable |= lane << (static_cast<unsigned>(std::countr_zero(m)) * lane_bytes);
        }
        for (unsigned i = 0; i < items; ++i)
            message.response_enable[i * registers_per_item + r] = enable;
    }
}

}  // namespace gen9::hdc
