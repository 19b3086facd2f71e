// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "common/bits.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/window.h"

namespace gen9::hdc {

/// The slots of a message find their data here, in all ways a message can say it: offsets come one
/// after the other, those of pairs in their halves of a register (S-13), U and V of structured
/// buffers (DP-060), scaled offsets of port 2 (DP-116, DP-149).
class Places {
  public:
    Places(const Decoded& decoded, const Message& message, const Target& target);

    /// A slot's offset in the window; that of a structured buffer is without its V.
    std::uint64_t offset(unsigned slot) const;
    /// Finds `bytes` that start `at` bytes into a slot's item, whose address is a multiple of
    /// `align`; Window::kOutside says that they may not be touched.
    std::uint64_t place(unsigned slot, unsigned at, unsigned bytes, unsigned align) const;

    /// The slots the execution mask, and the header's pixel mask, let through.
    static std::uint32_t mask(const Decoded& d, const Message& message) {
        std::uint32_t mask = message.execution_mask & 0xFFFF;
        if (d.pair) return ((mask & 0x0F) ? 1u : 0u) | ((mask & 0xF0) ? 2u : 0u);  // DP-083
        // The mask of an instruction of eight channels stands in both halves: one compiler sends
        // channels 8 to 15 as the low slot group, another as the high one.
        if (d.slot_group != 0 && message.eight_wide) mask |= mask << 8;
        if (d.pixel_mask) mask &= load<std::uint16_t>(message.payload[0].bytes + 28);
        return d.slots == 16 ? mask : mask >> d.slot_group & 0xFF;
    }

    /// Notes the first slot of the mask whose item is at no multiple of `align`.
    void note_misaligned(std::uint32_t mask, unsigned align, Plan& plan) const;

  private:
    std::uint64_t structure_offset(unsigned slot, std::uint64_t v) const {
        return offset(slot) * target_.pitch + v;
    }
    std::uint64_t second_parameter(unsigned slot) const;
    std::uint64_t structured(unsigned slot, unsigned at, unsigned bytes, unsigned align) const;

    const Decoded& d_;
    const Target& target_;
    const std::uint8_t* addresses_;
    unsigned second_parameter_;  ///< bytes from a slot's U to its V
    std::uint64_t added_ = 0;
    std::uint64_t multiplier_ = 1;
};

/// Do slots that follow one another all lie at multiples of `align`?
bool all_aligned(const Decoded& decoded, const std::uint8_t* addresses, unsigned align);

/// Enables in the response for the bytes of active slots.
void enable_lanes(Message& message, unsigned slots, unsigned items, unsigned lane_bytes,
                  std::uint32_t mask);
/// Zeros in the response's registers, and enables for the bytes of active slots (DP-016, DP-091: a
/// lane that is out of bounds is written with 0).
void open_lanes(Message& message, unsigned slots, unsigned items, unsigned lane_bytes,
                std::uint32_t mask);

}  // namespace gen9::hdc
