// SPDX-License-Identifier: Apache-2.0
// Scattered, untyped and atomic messages: one address per SIMD lane.
#include <bit>

#include "hdc/decode/descriptor_reader.h"

namespace gen9::hdc {

namespace {

/// The data registers of `items` values of `bytes` in each of `slots` lanes (DP-170..172).
unsigned lane_registers(unsigned slots, unsigned items, unsigned bytes) {
    return slots * items * (bytes < 4 ? 4 : bytes) / kGrfBytes;
}

}  // namespace

void DescriptorReader::lanes(unsigned slots) {
    d.slots = static_cast<std::uint8_t>(slots);
    d.address_registers = static_cast<std::uint8_t>(slots / 8 * (d.wide_address ? 2 : 1));
}

void DescriptorReader::pair() {
    d.slots = 2;
    d.address_registers = 1;
    d.pair = true;
    d.pixel_mask = false;  // the header is ignored but for its addresses (DP-083, DP-144)
}

void DescriptorReader::data(unsigned registers) {
    if (registers > kMaxDataRegisters) return fail("more than 256 bytes of data (DP-010)");
    if (d.row->operation == Operation::Read)
        d.response_registers = static_cast<std::uint8_t>(registers);
    else
        d.data_registers = static_cast<std::uint8_t>(registers);
}

void DescriptorReader::channel_mask() {
    d.channels = static_cast<std::uint8_t>(~field(11, 8) & 0xF);  // set bits disable (DP-145)
    d.channel_count = static_cast<std::uint8_t>(std::popcount(d.channels));
    if (d.channels == 0) fail("all channels disabled");
}

void DescriptorReader::byte_scattered() {
    lanes(bit(8) ? 16 : 8);
    const unsigned size = field(11, 10);
    if (size == 3) return fail("reserved data size of a byte scattered message");
    d.element_bytes = static_cast<std::uint8_t>(1 << size);
    d.global_offset = d.header && !d.scaled;
    // A header carries nothing an SLM access could use (DP-111).
    if (d.model == AddressModel::Slm && d.header) fail("header on an SLM byte scattered message");
    data(lane_registers(d.slots, 1, 4));
}

void DescriptorReader::dword_scattered() {
    lanes(bit(8) ? 16 : 8);
    d.global_offset = d.header;
    data(lane_registers(d.slots, 1, 4));
}

void DescriptorReader::a64_scattered() {
    lanes(bit(12) ? 16 : 8);
    const unsigned subtype = field(9, 8), size = field(11, 10);
    if (subtype == 3) return fail("reserved subtype of an A64 scattered message");
    if (subtype == 0) {
        if (size == 3) return fail("reserved data size of an A64 byte scattered message");
        d.element_bytes = static_cast<std::uint8_t>(1 << size);
        return data(lane_registers(d.slots, 1, 4));
    }
    d.element_bytes = subtype == 1 ? 4 : 8;
    d.elements = static_cast<std::uint8_t>(1 << size);
    d.aligned = true;
    data(lane_registers(d.slots, d.elements, d.element_bytes));
}

void DescriptorReader::untyped() {
    const unsigned mode = field(13, 12);
    if (mode == 3) return fail("reserved SIMD mode of an untyped message");
    channel_mask();
    const unsigned written = d.channels;
    // A write may leave out channels only from the end (DP-146).
    if (d.row->operation == Operation::Write && (written & (written + 1)) != 0)
        fail("untyped write with a channel mask other than R, RG, RGB, RGBA (DP-146)");
    if (mode == 0) {
        pair();
        return data(1);  // all four channels of both slots have their places (DP-144)
    }
    lanes(mode == 1 ? 16 : 8);
    data(lane_registers(d.slots, d.channel_count, 4));
}

void DescriptorReader::integer_atomic(unsigned slots, unsigned width) {
    d.atomic = static_cast<AtomicOp>(field(11, 8));
    if (d.atomic == AtomicOp::CmpWr2W) {
        // Twice the width (DP-158, DP-159). Messages with 32-bit addresses have payloads of their
        // own for it; that these hold a register of low DWords and one of high DWords is assumed
        // (S-28 f).
        width *= 2;
        d.split_words = !d.wide_address && !d.row->pair;
        if (width == 8) d.atomic = AtomicOp::CmpWr;
        if (d.model == AddressModel::Slm)
            return fail("double width atomic on SLM, which has 32-bit ones only (DP-048)");
    }
    atomic(slots, width);
}

void DescriptorReader::float_atomic(unsigned slots) {
    const unsigned op = field(10, 8);
    if (op < 1 || op > 3) return fail("float atomic operation that Gen9 does not have (DP-165)");
    d.atomic = static_cast<AtomicOp>(static_cast<unsigned>(AtomicOp::FMax) + op - 1);
    atomic(slots, 4);
}

void DescriptorReader::atomic(unsigned slots, unsigned width) {
    if (d.row->pair)
        pair();
    else
        lanes(slots);
    d.element_bytes = static_cast<std::uint8_t>(width);
    d.operands = static_cast<std::uint8_t>(atomic_sources(d.atomic));
    d.returns = bit(13);
    // A pair's operands share the half register of their slot; OWords need a register each.
    const unsigned registers = !d.pair                          ? lane_registers(slots, 1, width)
                               : width == 16 && d.operands == 2 ? 2
                                                                : 1;
    data(d.pair ? (d.operands ? registers : 0) : registers * d.operands);
    d.response_registers = static_cast<std::uint8_t>(d.returns ? (d.pair ? 1 : registers) : 0);
}

}  // namespace gen9::hdc
