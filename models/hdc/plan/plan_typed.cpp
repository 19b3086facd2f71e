// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/plan/places.h"
#include "hdc/plan/plan_lanes.h"
#include "hdc/plan/plan_surface.h"
#include "hdc/surface/place_element.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

/// The parameters of slots (DP-062, DP-175, S-14): a register each, the sample number first where
/// there is one; those of a pair's slot in its half of a register, after one of sample numbers.
class Parameters {
  public:
    Parameters(const Decoded& d, const Message& message, const Surface& surface)
        : d_(d), first_(message.payload[d.address_at()].bytes), samples_(surface.multisampled()) {}

    Coordinates of(unsigned slot) const {
        Coordinates c;
        c.u = get(0, slot);
        c.v = get(1, slot);
        c.r = get(2, slot);
        c.lod = get(3, slot);
        if (samples_) c.sample = d_.pair ? word(slot * 16) : word(slot * 4);
        return c;
    }

  private:
    std::uint32_t word(unsigned at) const { return load<std::uint32_t>(first_ + at); }
    std::uint32_t get(unsigned n, unsigned slot) const {
        if (d_.pair) return word((samples_ ? kGrfBytes : 0) + slot * 16 + n * 4);
        const unsigned number = n + (samples_ ? 1 : 0);
        return number < d_.address_registers ? word(number * kGrfBytes + slot * 4) : 0;
    }
    const Decoded& d_;
    const std::uint8_t* first_;
    bool samples_;
};

/// Notes a refusal; true: the message does nothing.
bool refuse(const Refusal& refusal, Plan& plan) {
    plan.guest_error = refusal.guest_error;
    plan.not_modelled = refusal.not_modelled;
    return static_cast<bool>(refusal);
}

/// Where channel `c` of a slot is, `item` being its number among the enabled ones.
unsigned channel_at(const Decoded& d, unsigned slot, unsigned c, unsigned item) {
    return d.pair ? slot * 16 + c * 4 : item * kGrfBytes + slot * 4;
}

void open_typed(const Decoded& d, Message& message, std::uint32_t mask) {
    const unsigned registers = d.pair ? 1 : d.channel_count;
    std::memset(message.response[0].bytes, 0, registers * kGrfBytes);
    unsigned item = 0;
    for (unsigned c = 0; c < 4; ++c) {
        if (!(d.channels >> c & 1)) continue;
        for (std::uint32_t m = mask; m; m &= m - 1) {
            const unsigned at = channel_at(d, static_cast<unsigned>(std::countr_zero(m)), c, item);
            message.response_enable[at / kGrfBytes] |= 0xFu << at % kGrfBytes;
        }
        ++item;
    }
}

/// Adds the bytes of one element that a write changes.
void add_write(const Decoded& d, const Message& message, const Surface& s, unsigned slot,
               std::uint64_t address, Plan& plan) {
    std::array<std::uint32_t, 4> values{};
    const std::uint8_t* data = message.payload[d.data_at()].bytes;
    unsigned item = 0;
    for (unsigned c = 0; c < 4; ++c)
        if (d.channels >> c & 1)
            values[c] = load<std::uint32_t>(data + channel_at(d, slot, c, item++));
    std::uint8_t* element = plan.elements[slot];
    std::uint32_t written = 0;
    if (s.tiling == Tiling::W) {
        // The data register of TileW holds bytes, which are not clamped (DP-151).
        element[0] = static_cast<std::uint8_t>(values[0]);
        written = d.channels & 1;
    } else {
        written = pack(*s.typed, s.select, d.channels, values, element);
    }
    const unsigned bytes = s.typed->bytes;
    if (written == (1u << bytes) - 1) return plan.add(address & kAddressMask, slot * 16, bytes);
    for (unsigned b = 0; b < bytes; ++b)
        if (written >> b & 1) plan.add((address + b) & kAddressMask, slot * 16 + b, 1);
}

}  // namespace

void plan_typed(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const bool reads = plan.operation == Operation::Read;
    const std::uint32_t mask = Places::mask(d, message);
    if (refuse(refuse_typed(s, d.address_registers, d.pair), plan)) return;
    if (reads) open_typed(d, message, mask);
    if (s.null()) return;  // DP-102
    if (!reads && !s.typed->byte_components() && d.channels != 0xF) {
        plan.guest_error =
            "channels masked in a write to a format without byte components (DP-073)";
        return;
    }
    plan.converts = true;
    plan.pair = d.pair;
    plan.format = s.typed;
    plan.select = s.select;
    plan.channels = d.channels;
    plan.slots_enabled = static_cast<std::uint16_t>(mask);

    const Parameters parameters(d, message, s);
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        std::uint64_t address = 0;
        switch (place_element(s, parameters.of(slot), address)) {
            case Placed::NotModelled:
                plan.not_modelled = "DP-181";
                return;
            case Placed::Outside:
                ++plan.out_of_bounds;
                continue;
            case Placed::Inside:
                break;
        }
        ++plan.accesses;
        plan.slots_inside |= static_cast<std::uint16_t>(1u << slot);
        std::memset(plan.elements[slot], 0, sizeof plan.elements[slot]);
        if (reads)
            plan.add(address & kAddressMask, slot * 16, s.typed->bytes);
        else
            add_write(d, message, s, slot, address, plan);
    }
}

void plan_typed_atomic(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const std::uint32_t mask = Places::mask(d, message);
    if (refuse(refuse_typed(s, d.address_registers, d.pair), plan)) return;
    begin_atomic(d, message, mask, plan);
    if (s.null()) return;
    constexpr unsigned kR32Sint = 0x0D6, kR32Uint = 0x0D7;
    if (s.format != kR32Sint && s.format != kR32Uint) {
        plan.guest_error = "typed atomic on a format other than R32_UINT and R32_SINT (DP-166)";
        return;
    }
    // The text wants all four selects in order, but uses red only; the driver's own R32_UINT images
    // have red, 0, 0, 1, and its compiler sends atomics to them.
    if (s.select[0] != packets::render_surface_state::SCS_RED) {
        plan.guest_error = "typed atomic on a surface whose red channel is another (DP-167)";
        return;
    }
    const Parameters parameters(d, message, s);
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(m));
        std::uint64_t address = Window::kOutside;
        const Placed placed = place_element(s, parameters.of(slot), address);
        if (placed == Placed::NotModelled) {
            plan.not_modelled = "DP-181";
            return;
        }
        add_atomic_lane(
            d, message, slot,
            placed == Placed::Outside ? Window::kOutside : address & kAddressMask & ~3ull, plan);
    }
}

void plan_counter(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const std::uint32_t mask = Places::mask(d, message);
    begin_atomic(d, message, mask, plan);
    const bool counts = s.auxiliary == state::AUX_APPEND;
    if (counts && s.multisampled()) {
        plan.guest_error = "atomic counter of a multisampled surface (DP-168)";
        return;
    }
    for (std::uint32_t m = mask; m; m &= m - 1)
        add_atomic_lane(d, message, static_cast<unsigned>(std::countr_zero(m)),
                        counts ? s.auxiliary_base & kAddressMask : Window::kOutside, plan);
}

void answer_surface_info(const Decoded& d, Message& message, const Surface& s) {
    const auto lod = load<std::uint32_t>(message.payload[d.address_at()].bytes + 12);
    // DP-195: sizes of a level that is not there are 0.
    const bool inside = lod < s.levels && s.min_lod + lod < kLevels;
    const unsigned level = inside ? s.min_lod + lod : 0;
    const auto size = [&](std::uint32_t full) { return inside ? minify(full, level) : 0; };
    // Sizes, then type and format at their places in the state, then the base: the order is assumed
    // (S-28 e).
    std::uint8_t* out = message.response[0].bytes;
    std::memset(out, 0, kGrfBytes);
    store(out + 0, size(s.width));
    store(out + 4, size(s.height));
    store(out + 8, s.type == state::SURFTYPE_3D ? size(s.depth) : inside ? s.depth : 0u);
    store(out + 12, s.first_dword);
    const std::uint64_t base = message.sender->state->instruction_base.value;
    store(out + 16, static_cast<std::uint64_t>(static_cast<std::int64_t>(base << 16) >> 16));
    message.response_enable[0] = ~0u;
}

}  // namespace gen9::hdc
