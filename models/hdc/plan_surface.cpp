// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan_surface.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/window.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

/// Where an element lies; false: outside the surface (DP-095).
bool place_element(const Surface& s, std::array<std::uint32_t, 3> at, std::uint64_t& address) {
    const unsigned bytes = s.typed->bytes;
    const auto [u, v, r] = at;
    if (s.buffer()) {
        if (u >= s.entries) return false;
        address = s.base + std::uint64_t{u} * bytes;
        return true;
    }
    if (u >= s.width) return false;
    const std::uint64_t x = (std::uint64_t{u} + s.x_offset) * bytes;
    if (s.type == state::SURFTYPE_1D) {
        if (s.array && v >= s.depth) return false;
        // The distance of array slices of a 1D surface counts elements (Public: mesa isl,
        // get_qpitch).
        const std::uint64_t slice = s.array ? std::uint64_t{v} + s.min_array_element : 0;
        address = s.base + slice * s.qpitch_rows * bytes + x;
        return true;
    }
    const bool layered = s.array || s.type == state::SURFTYPE_3D || s.type == state::SURFTYPE_CUBE;
    if (v >= s.height || (layered && r >= s.depth)) return false;
    const std::uint64_t slice = layered ? std::uint64_t{r} + s.min_array_element : 0;
    const std::uint64_t y = slice * s.qpitch_rows + v + s.y_offset;
    address = s.base + tile_place(s.tile, s.pitch_bytes, x, y).offset;
    return true;
}

/// The bytes per pixel of a media surface, 0 for a format media messages cannot replicate.
unsigned media_pixel_bytes(const Surface& s) {
    constexpr unsigned kA16Unorm = 0x113;
    if (s.format == kA16Unorm) return 2;
    return s.typed ? s.typed->bytes : 0;
}

bool packed_yuv(const Surface& s) {
    return s.format == 0x182 || s.format == 0x183 || s.format == 0x18F || s.format == 0x190;
}

/// A media message's rectangle, in bytes and rows.
struct Block {
    std::int32_t x, y;
    std::uint32_t width, height;
    std::uint32_t pitch;  ///< of a row in the registers (DP-185)
    std::uint32_t registers;
};

Block read_block(const Message& message) {
    const std::uint8_t* header = message.payload[0].bytes;
    const std::uint32_t size = load<std::uint32_t>(header + 8);
    Block b;
    b.x = load<std::int32_t>(header);
    b.y = load<std::int32_t>(header + 4);
    b.width = bits(size, 5, 0) + 1;
    b.height = bits(size, 21, 16) + 1;
    b.pitch = std::max(4u, std::bit_ceil(b.width));
    b.registers = (b.pitch * b.height + kGrfBytes - 1) / kGrfBytes;
    return b;
}

}  // namespace

void plan_typed(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const bool reads = plan.operation == Operation::Read;
    std::uint32_t mask = message.execution_mask;
    if (d.header) mask &= load<std::uint16_t>(message.payload[0].bytes + 28);
    mask = mask >> d.slot_group & 0xFF;

    if (s.multisampled) {
        plan.not_modelled = "DP-152";
        return;
    }
    if (s.tile == state::WMAJOR) {
        plan.not_modelled = "DP-151";
        return;
    }
    if (s.tiled_resource) {
        plan.not_modelled = "DP-181";
        return;
    }
    if (s.type == state::SURFTYPE_STRBUF) {
        plan.not_modelled = "DP-060";
        return;
    }
    if (!s.null() && s.type > state::SURFTYPE_BUFFER) {
        plan.guest_error = "reserved surface type";
        return;
    }
    if (!s.null() && !s.typed) {
        plan.guest_error = "surface format without typed access (DP-071)";
        return;
    }

    if (reads) {
        const unsigned registers = static_cast<unsigned>(std::popcount(d.channels));
        std::memset(message.response[0].bytes, 0, registers * kGrfBytes);
        std::uint32_t enable = 0;
        for (unsigned slot = 0; slot < 8; ++slot)
            if (mask >> slot & 1) enable |= 0xFu << slot * 4;
        for (unsigned r = 0; r < registers; ++r)
            message.response_enable[r] = enable;
    }
    if (s.null()) return;  // DP-102
    if (!reads && !s.typed->byte_components() && d.channels != 0xF) {
        plan.guest_error =
            "channels masked in a write to a format without byte components (DP-073)";
        return;
    }
    plan.converts = true;
    plan.format = s.typed;
    plan.select = s.select;
    plan.channels = d.channels;
    plan.slots_enabled = static_cast<std::uint16_t>(mask);

    const auto parameter = [&](unsigned n, unsigned slot) -> std::uint32_t {
        if (n >= d.address_registers) return 0;  // DP-062: a missing one counts as 0
        return load<std::uint32_t>(message.payload[d.address_at() + n].bytes + slot * 4);
    };
    for (std::uint32_t m = mask; m; m &= m - 1) {
        const unsigned slot = static_cast<unsigned>(std::countr_zero(m));
        if (parameter(3, slot) != 0) {
            plan.not_modelled = "DP-061";
            return;
        }  // a mip level above the first
        std::uint64_t address = 0;
        if (!place_element(s, {parameter(0, slot), parameter(1, slot), parameter(2, slot)},
                           address)) {
            ++plan.out_of_bounds;
            continue;
        }
        ++plan.accesses;
        plan.slots_inside |= static_cast<std::uint16_t>(1u << slot);
        const unsigned at = slot * 16;
        std::memset(plan.elements[slot], 0, 16);
        if (reads) {
            plan.add(address & kAddressMask, at, s.typed->bytes);
            continue;
        }
        std::array<std::uint32_t, 4> values{};
        unsigned data = d.data_at();
        for (unsigned c = 0; c < 4; ++c)
            if (d.channels >> c & 1)
                values[c] = load<std::uint32_t>(message.payload[data++].bytes + slot * 4);
        const std::uint32_t written =
            pack(*s.typed, s.select, d.channels, values, plan.elements[slot]);
        for (unsigned b = 0; b < s.typed->bytes; ++b)
            if (written >> b & 1) plan.add((address + b) & kAddressMask, at + b, 1);
    }
}

void plan_media(const Decoded& d, Message& message, const Surface& s, Plan& plan) {
    const bool reads = plan.operation == Operation::Read;
    const Block block = read_block(message);
    if (load<std::uint32_t>(message.payload[0].bytes + 8) >> 30) {
        plan.not_modelled = reads ? "DP-190" : "DP-188 DP-189";
        return;
    }
    if (s.tiled_resource || s.tile == state::WMAJOR) {
        plan.not_modelled = "DP-181";
        return;
    }
    if (s.compressed) {
        plan.not_modelled = "DP-184";
        return;
    }
    if (reads && s.boundary_mode != 0) {
        plan.not_modelled = "DP-180";  // rows outside taken from the field they belong to
        return;
    }
    if (packed_yuv(s)) {
        plan.not_modelled = "DP-183";
        return;
    }
    if (!s.null() && s.type != state::SURFTYPE_2D) {
        plan.guest_error = "media block on a surface that is not 2D (DP-055)";
        return;
    }
    if (block.pitch * block.height > 256 || (reads && block.width > 32)) {
        plan.guest_error = "media block too large (DP-185, DP-186)";
        return;
    }
    if (reads ? block.registers > message.response_length : block.registers > d.data_registers) {
        plan.guest_error = "media block larger than the registers of its message";
        return;
    }
    if (reads) zero_response(message);
    if (s.null()) return;  // DP-187
    const unsigned pixel = media_pixel_bytes(s);
    if (pixel == 0) {
        plan.guest_error = "surface format without media access (DP-183)";
        return;
    }

    // The width of a surface used by media messages counts DWords (003:5302-5326: U is 4 times X;
    // Public: compute-runtime programs it so for images read in blocks).
    const std::int64_t width = std::int64_t{s.width} * 4, height = s.height;
    const std::uint32_t stride = 1u + (d.line_override ? d.line_stride : s.line_stride);
    const std::uint32_t first_line = d.line_override ? d.line_offset : s.line_offset;
    const unsigned data_at = reads ? 0 : d.data_at() * kGrfBytes;
    for (std::uint32_t row = 0; row < block.height; ++row) {
        std::int64_t y = std::int64_t{block.y} + row;
        if (!reads && (y < 0 || y >= height)) {
            plan.out_of_bounds += static_cast<std::uint16_t>(block.width);
            continue;
        }
        y = std::clamp<std::int64_t>(y, 0, height - 1);
        const std::uint64_t line =
            s.y_offset + first_line + std::uint64_t{stride} * static_cast<std::uint64_t>(y);
        for (std::uint32_t column = 0; column < block.width; ++column) {
            std::int64_t x = std::int64_t{block.x} + column;
            if (x < 0 || x >= width) {
                if (!reads) {
                    ++plan.out_of_bounds;
                    continue;
                }
                // The byte of the same place in the nearest pixel (DP-180).
                const std::int64_t part = ((x % pixel) + pixel) % pixel;
                x = (x < 0 ? 0 : width - pixel) + part;
                x = std::max<std::int64_t>(x, 0);
            }
            const std::uint64_t place =
                tile_place(s.tile, s.pitch_bytes,
                           static_cast<std::uint64_t>(x) + s.x_offset * pixel, line)
                    .offset;
            plan.add((s.base + place) & kAddressMask, data_at + row * block.pitch + column, 1);
        }
    }
    plan.accesses = plan.piece_count;
}

}  // namespace gen9::hdc
