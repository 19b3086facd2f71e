// SPDX-License-Identifier: Apache-2.0
// Typed, media and other messages that need a surface; fences.
#include "hdc/decode/descriptor_reader.h"

namespace gen9::hdc {

void DescriptorReader::typed() {
    const unsigned mode = field(13, 12);
    if (mode == 3) return fail("reserved slot group of a typed message");
    channel_mask();
    if (mode == 0) {
        pair();
        data(1);
    } else {
        d.slots = 8;
        d.slot_group = mode == 2 ? 8 : 0;
        data(d.channel_count);
    }
    typed_addresses();
}

/// The number of address parameters follows from the length (DP-005, S-14). Pairs have those of a
/// slot in its half of one register, the sample number in one before it.
void DescriptorReader::typed_addresses() {
    if (payload_registers <= d.data_registers) return fail("typed message without an address");
    d.address_registers = static_cast<std::uint8_t>(payload_registers - d.data_registers);
    if (d.address_registers > (d.pair ? 2 : 5))
        fail("more address parameters than a typed message can have (DP-011)");
}

void DescriptorReader::typed_atomic() {
    integer_atomic(8, 4);
    if (d.atomic == AtomicOp::CmpWr && field(11, 8) == 0)
        fail("double width atomic on a typed surface");
    d.slot_group = !d.pair && bit(12) ? 8 : 0;
    typed_addresses();
}

void DescriptorReader::atomic_counter() {
    integer_atomic(8, 4);
    if (d.atomic == AtomicOp::CmpWr) fail("atomic counters have no compare-write (DP-168)");
    d.slot_group = !d.pair && bit(12) ? 8 : 0;
    d.address_registers = 0;
    if (d.operands == 0 && !d.header) fail("header missing on a unary atomic counter (DP-168)");
    if (d.operands != 0 && d.header) fail("header on a binary atomic counter (DP-168)");
}

void DescriptorReader::line_override() {
    d.line_override = bit(10);
    d.line_stride = bit(9);
    d.line_offset = bit(8);
}

void DescriptorReader::media() {
    // The block's size is in the header, so the registers are known only there.
    line_override();
    if (d.row->operation == Operation::Write)
        d.data_registers = static_cast<std::uint8_t>(payload_registers);
}

void DescriptorReader::transpose() {
    line_override();
}

void DescriptorReader::surface_info() {
    d.address_registers = 1;
    d.response_registers = 1;
}

void DescriptorReader::fence() {
    d.returns = bit(13);
    d.flush_data = bit(12);
    d.response_registers = d.returns ? 1 : 0;
}

}  // namespace gen9::hdc
