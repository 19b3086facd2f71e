// SPDX-License-Identifier: Apache-2.0
#include "pixel/write_message.h"

#include <algorithm>

#include "common/bits.h"
#include "formats/conversion.h"

namespace gen9::pixel {

namespace {

constexpr unsigned kRegisterDwords = 8;
constexpr unsigned kHeaderRegisters = 2;

bool wide(const WriteDescriptor& descriptor) {
    return descriptor.subtype == WriteSubtype::Simd16;
}

/// DWords from a register on; what is behind the message's end is 0.
void copy(std::span<const std::uint32_t> registers, unsigned first, unsigned count,
          std::uint32_t* to) {
    const std::size_t from = std::min<std::size_t>(first * kRegisterDwords, registers.size());
    const std::size_t have = std::min<std::size_t>(count, registers.size() - from);
    std::copy_n(registers.begin() + static_cast<std::ptrdiff_t>(from), have, to);
    std::fill(to + have, to + count, 0u);
}

/// The values of a channel from a register on, as float32.
void copy_channel(const WriteDescriptor& descriptor, std::span<const std::uint32_t> registers,
                  unsigned first, unsigned count, std::uint32_t* to) {
    if (!descriptor.half) return copy(registers, first, count, to);
    static const formats::Conversion& halves = *formats::find_conversion(formats::Kind::Float, 16);
    std::uint32_t pairs[formats::kLanes / 2];
    copy(registers, first, (count + 1) / 2, pairs);
    for (unsigned n = 0; n < count; ++n)
        to[n] = halves.decode_one(pairs[n / 2] >> n % 2 * 16 & 0xFFFF);
}

}  // namespace

std::optional<WriteDescriptor> read_descriptor(std::uint32_t descriptor) {
    const auto subtype = bits(descriptor, 10, 8);
    if (subtype > 4) return std::nullopt;
    WriteDescriptor d;
    d.binding = static_cast<std::uint8_t>(descriptor);
    d.subtype = static_cast<WriteSubtype>(subtype);
    d.upper = bits(descriptor, 11, 11) != 0;
    d.last = bits(descriptor, 12, 12) != 0;
    d.half = bits(descriptor, 30, 30) != 0;
    return d;
}

WriteHeader read_header(std::span<const std::uint32_t> registers) {
    std::uint32_t dwords[2 * kRegisterDwords];
    copy(registers, 0, 2 * kRegisterDwords, dwords);
    WriteHeader h;
    h.present = true;
    h.parts = {bits(dwords[0], 11, 11) != 0, bits(dwords[0], 12, 12) != 0,
               bits(dwords[0], 13, 13) != 0, bits(dwords[0], 14, 14) != 0};
    h.target = static_cast<std::uint8_t>(bits(dwords[2], 2, 0));
    h.pixels = static_cast<std::uint16_t>(dwords[kRegisterDwords + 7]);
    return h;
}

WriteHeader dispatched_header(bool shader_mask, bool computed_depth, bool computed_stencil) {
    WriteHeader h;
    h.parts = {false, shader_mask, computed_depth, computed_stencil};
    return h;
}

WriteLayout write_layout(const WriteDescriptor& descriptor, const WriteHeader& header) {
    const bool replicated = descriptor.subtype == WriteSubtype::Replicated;
    const unsigned row = wide(descriptor) ? 2 : 1;
    // Halves of 16 slots fill a register; those of eight, its lower half.
    const unsigned color_row = descriptor.half ? 1 : row;
    Presence parts = header.parts;
    WriteLayout layout;
    if (replicated && (parts.alpha0 || parts.depth || parts.stencil))
        layout.problem = "a replicated write has neither source-0 alpha, depth nor stencil";
    else if (descriptor.dual() && parts.alpha0)
        layout.problem = "a dual source write has no source-0 alpha";
    else if (wide(descriptor) && parts.stencil)
        layout.problem = "a SIMD16 write has no stencil";
    // Such a part is not there (Assumed).
    if (replicated) parts = {false, parts.mask, false, false};
    if (descriptor.dual()) parts.alpha0 = false;
    if (wide(descriptor)) parts.stencil = false;

    unsigned next = header.present ? kHeaderRegisters : 0;
    const auto take = [&](bool present, unsigned count) {
        if (!present) return kAbsent;
        const auto at = static_cast<std::uint8_t>(next);
        next += count;
        return at;
    };
    layout.alpha0 = take(parts.alpha0, color_row);
    layout.mask = take(parts.mask, 1);
    layout.color = take(true, replicated ? 1 : 4 * color_row);
    layout.color1 = take(descriptor.dual(), 4);
    layout.depth = take(parts.depth, row);
    layout.stencil = take(parts.stencil, 1);
    layout.total = static_cast<std::uint8_t>(next);
    return layout;
}

void read_row(const WriteDescriptor& descriptor, const WriteLayout& layout,
              std::span<const std::uint32_t> registers, WriteRow& row) {
    const unsigned slots = descriptor.slots(), color_row = descriptor.half ? 1 : slots / 8;
    const auto has = [](std::uint8_t part) { return part != kAbsent; };
    if (descriptor.subtype == WriteSubtype::Replicated) {
        std::uint32_t color[4];
        copy_channel(descriptor, registers, layout.color, 4, color);
        for (unsigned c = 0; c < 4; ++c)
            row.color.channel[c].fill(color[c]);
    } else {
        for (unsigned c = 0; c < 4; ++c)
            copy_channel(descriptor, registers, layout.color + c * color_row, slots,
                         row.color.channel[c].data());
    }
    if (has(layout.color1))
        for (unsigned c = 0; c < 4; ++c)
            copy_channel(descriptor, registers, layout.color1 + c, slots,
                         row.color1.channel[c].data());
    if (has(layout.alpha0))
        copy_channel(descriptor, registers, layout.alpha0, slots, row.alpha0.data());
    else
        row.alpha0 = row.color.channel[3];

    row.mask.fill(0xFFFF);
    if (has(layout.mask)) {
        std::uint32_t words[kRegisterDwords];
        copy(registers, layout.mask, kRegisterDwords, words);
        // A word of the register for each of 16 slots, whatever part of them the message has.
        const unsigned first = descriptor.first_slot() % 16;
        for (unsigned n = 0; n < slots; ++n)
            row.mask[n] =
                static_cast<std::uint16_t>(words[(first + n) / 2] >> (first + n) % 2 * 16);
    }
    if (has(layout.depth)) copy(registers, layout.depth, slots, row.depth.data());
    if (has(layout.stencil)) {
        std::uint32_t bytes[2];
        copy(registers, layout.stencil, 2, bytes);
        for (unsigned n = 0; n < slots; ++n)
            row.stencil[n] = static_cast<std::uint8_t>(bytes[n / 4] >> n % 4 * 8);
    }
}

std::uint32_t written_lanes(const WriteDescriptor& descriptor, const WriteHeader& header,
                            std::uint32_t execution_mask, std::uint32_t lit) {
    const unsigned first = descriptor.first_slot();
    const std::uint32_t lanes = descriptor.slots() == 16 ? 0xFFFF : 0xFF;
    // A send of eight channels stands for the message's eight slots, wherever they are.
    const std::uint32_t chosen = header.present ? header.pixels >> first % 16u : execution_mask;
    return chosen & lit >> first & lanes;
}

void mask_samples(std::uint32_t lanes, const SampleMasks& shader, SampleMasks& covered) {
    for (unsigned n = 0; n < formats::kLanes; ++n)
        covered[n] &= static_cast<std::uint16_t>(lanes >> n & 1 ? shader[n] : 0);
}

}  // namespace gen9::pixel
