// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/places.h"

#include <bit>
#include <cstring>

namespace gen9::hdc {

namespace {

constexpr unsigned kHalf = kGrfBytes / 2;  ///< what a slot of a pair has of a register
constexpr std::uint32_t kPitchMask = 0x3FFFF;

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
    const std::uint64_t u = offset(slot);
    const std::uint64_t v =
        load<std::uint32_t>(addresses_ + slot * (d_.pair ? kHalf : 4) + second_parameter_) +
        std::uint64_t{at};
    // DP-094: the last bytes of a structure are inside it.
    if (u >= target_.entries || v + bytes > target_.pitch) return Window::kOutside;
    return target_.place((u * target_.pitch + v) & ~std::uint64_t{align - 1}, bytes);
}

void open_lanes(Message& message, unsigned slots, unsigned items, unsigned lane_bytes,
                std::uint32_t mask) {
    const unsigned registers_per_item = slots * lane_bytes / kGrfBytes;
    const unsigned registers = items * registers_per_item;
    for (unsigned r = 0; r < registers; ++r) {
        std::memset(message.response[r].bytes, 0, kGrfBytes);
        message.response_enable[r] = ~0u;
    }
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
