// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/plan_lanes.h"

#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/plan/places.h"

namespace gen9::hdc {

namespace {

std::uint64_t slot_offset(const Decoded& d, const std::uint8_t* addresses, unsigned slot) {
    return d.wide_address ? load<std::uint64_t>(addresses + slot * 8)
                          : load<std::uint32_t>(addresses + slot * 4);
}

/// Is every slot's address `step` after the one before?
template <unsigned step, class Address, unsigned slots>
bool steps(const std::uint8_t* addresses) {
    Address values[slots];
    std::memcpy(values, addresses, sizeof values);
    Address difference = 0;
    for (unsigned i = 0; i < slots; ++i)
        difference |= values[i] ^ static_cast<Address>(values[0] + i * step);
    return difference == 0;
}

template <unsigned step>
bool steps(const Decoded& d, const std::uint8_t* addresses) {
    // Nearly always the second slot tells already.
    if (slot_offset(d, addresses, 1) - slot_offset(d, addresses, 0) != step) return false;
    if (d.wide_address)
        return d.slots == 16 ? steps<step, std::uint64_t, 16>(addresses)
                             : steps<step, std::uint64_t, 8>(addresses);
    return d.slots == 16 ? steps<step, std::uint32_t, 16>(addresses)
                         : steps<step, std::uint32_t, 8>(addresses);
}

/// Notes the first slot of the mask whose address is no multiple of `align` (DP-059).
void note_misaligned(const Decoded& d, const Window& window, const std::uint8_t* addresses,
                     std::uint32_t mask, unsigned align, Plan& plan) {
    if (all_aligned(d, addresses, align)) [[likely]]
        return;
    for (; mask; mask &= mask - 1)
        plan.note_misaligned(
            window, slot_offset(d, addresses, static_cast<unsigned>(std::countr_zero(mask))),
            align);
}

/// Adds `bytes` of which some byte is outside, or SLM wraps within: byte by byte, each with its own
/// DWord.
[[gnu::noinline]] void add_bytes(const Window& window, Plan& plan, std::uint64_t offset,
                                 unsigned at, unsigned bytes) {
    bool any = false;
    for (unsigned b = 0; b < bytes; ++b) {
        const std::uint64_t place = window.place(offset + b, 1);
        if (place == Window::kOutside) continue;
        plan.add(place, at + b, 1);
        any = true;
    }
    ++(any ? plan.accesses : plan.out_of_bounds);
}

/// Adds `bytes` at an offset, DWord by DWord where the check may divide them.
inline void add_checked(const Window& window, Plan& plan, std::uint64_t offset, unsigned at,
                        unsigned bytes) {
    const std::uint64_t address = window.place(offset, bytes);
    if (address == Window::kOutside || (window.slm && address + bytes > window.size)) [[unlikely]]
        return add_bytes(window, plan, offset, at, bytes);
    plan.add(address, at, bytes);
    ++plan.accesses;
}

/// Adds what lane after lane accesses; keeps at hand what `Plan::add` would look up each time.
class LaneWriter {
  public:
    LaneWriter(const Window& window, Plan& plan)
        : window_(window), plan_(plan), next_(&plan.pieces[plan.piece_count]) {}
    ~LaneWriter() { settle(); }
    LaneWriter(const LaneWriter&) = delete;
    LaneWriter& operator=(const LaneWriter&) = delete;

    void add(std::uint64_t offset, unsigned at, unsigned bytes) {
        const std::uint64_t address = window_.place(offset, bytes);
        if (address == Window::kOutside || (window_.slm && address + bytes > window_.size))
            [[unlikely]] {
            settle();
            add_bytes(window_, plan_, offset, at, bytes);
            next_ = &plan_.pieces[plan_.piece_count];
            end_ = Window::kOutside;
            return;
        }
        ++accesses_;
        if (address == end_ && at == end_at_) {
            next_[-1].bytes = static_cast<std::uint16_t>(next_[-1].bytes + bytes);
        } else {
            *next_++ = {address, static_cast<std::uint16_t>(at), static_cast<std::uint16_t>(bytes)};
        }
        end_ = address + bytes;
        end_at_ = at + bytes;
    }

  private:
    void settle() {
        plan_.piece_count = static_cast<std::uint16_t>(next_ - plan_.pieces.data());
        plan_.accesses = static_cast<std::uint16_t>(plan_.accesses + accesses_);
        accesses_ = 0;
    }

    const Window window_;
    Plan& plan_;
    Piece* next_;
    unsigned accesses_ = 0;
    // Where the last piece ends, if it can be made longer.
    std::uint64_t end_ = Window::kOutside;
    unsigned end_at_ = 0;
};

/// Adds the consecutive elements of one slot, which are `stride` apart in the registers.
void add_elements(const Window& window, Plan& plan, std::uint64_t offset, unsigned at,
                  unsigned count, unsigned bytes, unsigned stride) {
    const std::uint64_t address = window.run(offset, count * bytes);
    if (address != Window::kOutside) {
        plan.add_strided(address, at, count, bytes, stride);
        plan.accesses = static_cast<std::uint16_t>(plan.accesses + count);
        return;
    }
    for (unsigned e = 0; e < count; ++e)
        add_checked(window, plan, offset + e * bytes, at + e * stride, bytes);
}

/// When all slots access one aligned element each, and these follow one another or, of a read, are
/// the same: adds that as one piece. False: nothing has been added.
bool add_together(const Decoded& d, const Window& window, Plan& plan, const std::uint8_t* addresses,
                  unsigned at) {
    const std::uint64_t first = slot_offset(d, addresses, 0) & ~std::uint64_t{d.element_bytes - 1u};
    const bool contiguous = d.element_bytes == 8 ? steps<8>(d, addresses) : steps<4>(d, addresses);
    if (contiguous) {
        const unsigned bytes = d.slots * d.element_bytes;
        const std::uint64_t address = window.run(first, bytes);
        if (address == Window::kOutside) return false;
        plan.add(address, at, bytes);
    } else if (plan.operation == Operation::Read && steps<0>(d, addresses)) {
        const std::uint64_t address = window.run(first, d.element_bytes);
        if (address == Window::kOutside || address % d.element_bytes) return false;
        plan.add_repeated(address, at, d.element_bytes, d.slots);
    } else {
        return false;
    }
    plan.accesses = static_cast<std::uint16_t>(plan.accesses + d.slots);
    return true;
}

}  // namespace

void plan_scattered(const Decoded& d, Message& message, const Window& window, Plan& plan) {
    const std::uint32_t mask = Places::mask(d, message);
    const bool reads = plan.operation == Operation::Read;
    const unsigned lane_bytes = d.element_bytes == 8 ? 8 : 4;
    if (reads) open_lanes(message, d.slots, d.elements, lane_bytes, mask);
    const std::uint8_t* addresses = message.payload[d.address_at()].bytes;
    const unsigned data_at = reads ? 0 : d.data_at() * kGrfBytes;
    const std::uint64_t global =
        d.global_offset ? load<std::uint32_t>(message.payload[0].bytes + 8) : 0;
    const bool indexed = d.row->shape == Shape::DwordScattered;
    // Addresses of DWords and QWords have no bits below the element (DP-059).
    const std::uint64_t align = d.aligned ? ~std::uint64_t{d.element_bytes - 1u} : ~0ull;
    const std::uint32_t every_slot = d.slots == 16 ? 0xFFFF : 0xFF;
    if (d.aligned) note_misaligned(d, window, addresses, mask, d.element_bytes, plan);
    if (d.aligned && d.elements == 1 && mask == every_slot &&
        add_together(d, window, plan, addresses, data_at))
        return;
    if (d.elements > 1) {
        for (std::uint32_t m = mask; m; m &= m - 1) {
            const unsigned slot = static_cast<unsigned>(std::countr_zero(m));
            add_elements(window, plan, slot_offset(d, addresses, slot) & align,
                         data_at + slot * lane_bytes, d.elements, d.element_bytes,
                         d.slots * lane_bytes);
        }
        return;
    }
    LaneWriter lanes(window, plan);
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const unsigned slot = static_cast<unsigned>(std::countr_zero(m));
        const std::uint64_t offset = global + slot_offset(d, addresses, slot);
        lanes.add(indexed ? offset * 4 : offset & align, data_at + slot * lane_bytes,
                  d.element_bytes);
    }
}

void plan_untyped(const Decoded& d, Message& message, const Window& window, Plan& plan) {
    const std::uint32_t mask = Places::mask(d, message);
    const bool reads = plan.operation == Operation::Read;
    const unsigned channels = d.channel_count;
    if (reads) open_lanes(message, d.slots, channels, 4, mask);
    const std::uint8_t* addresses = message.payload[d.address_at()].bytes;
    unsigned item_at = reads ? 0 : d.data_at() * kGrfBytes;
    const std::uint32_t every_slot = d.slots == 16 ? 0xFFFF : 0xFF;
    note_misaligned(d, window, addresses, mask, 4, plan);
    if (d.channels == 1 && mask == every_slot && add_together(d, window, plan, addresses, item_at))
        return;
    if (channels > 1 && (d.channels & (d.channels + 1)) == 0) {
        for (std::uint32_t m = mask; m; m &= m - 1) {
            const unsigned slot = static_cast<unsigned>(std::countr_zero(m));
            add_elements(window, plan, slot_offset(d, addresses, slot) & ~3ull, item_at + slot * 4,
                         channels, 4, d.slots * 4u);
        }
        return;
    }
    LaneWriter lanes(window, plan);
    for (unsigned c = 0; c < 4; ++c) {
        if (!(d.channels >> c & 1)) continue;
        for (std::uint32_t m = mask; m; m &= m - 1) {
            const unsigned slot = static_cast<unsigned>(std::countr_zero(m));
            // DWord aligned (DP-059); a disabled channel keeps its place in memory (DP-145).
            lanes.add((slot_offset(d, addresses, slot) & ~3ull) + c * 4, item_at + slot * 4, 4);
        }
        item_at += d.slots * 4;
    }
}

}  // namespace gen9::hdc
