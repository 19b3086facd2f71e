// SPDX-License-Identifier: Apache-2.0
// Blocks of OWords and registers: addresses in the header.
#include <bit>

#include "hdc/decode/descriptor_reader.h"

namespace gen9::hdc {

/// Size codes of OWord blocks: 0 low half, 1 high half, 2, 3, 4 = 2, 4, 8 OWords.
void DescriptorReader::oword_size() {
    const unsigned code = field(10, 8);
    if (code > 4) return fail("reserved block size of an OWord block message");
    d.block_bytes = static_cast<std::uint16_t>(code < 2 ? 16 : 8u << code);
    d.register_offset = code == 1 ? 16 : 0;
    data((d.block_bytes + kGrfBytes - 1) / kGrfBytes);
}

void DescriptorReader::oword_block() {
    const unsigned type = d.row->type;
    // Aligned reads ignore the mask (DP-130).
    d.byte_offset = d.ignores_mask = d.row->operation == Operation::Read && type != 0;
    oword_size();
}

void DescriptorReader::dual_block() {
    const unsigned code = field(9, 8);
    if (code != 0 && code != 2) return fail("reserved block size of an OWord dual block message");
    pair();
    d.elements = code == 0 ? 1 : 4;
    d.global_offset = d.header && !d.wide_address;
    if (d.wide_address) d.address_registers = 0;  // both are in the header (S-4)
    data(d.elements);
}

void DescriptorReader::scratch() {
    d.binding_index = kStatelessCoherent;  // scratch has no index and is IA coherent (DP-032)
    d.block_bytes = static_cast<std::uint16_t>(kGrfBytes << field(13, 12));
    d.channel_mode = true;
    d.oword_mask = !bit(16);
    d.scratch_offset = static_cast<std::uint16_t>(field(11, 0));
    data(d.block_bytes / kGrfBytes);
}

void DescriptorReader::a64_block() {
    switch (field(12, 11)) {
        case 0:
            return oword_size();
        case 1:
            if (d.row->operation == Operation::Write)
                return fail("OWord aligned block is read only (DP-130)");
            d.byte_offset = d.ignores_mask = true;
            return oword_size();
        case 2:
            return dual_block();
        default:
            return a64_registers();
    }
}

/// Sources number the sizes from 0 or from 1 (S-28 b); the registers on the sideband decide.
void DescriptorReader::a64_registers() {
    const unsigned code = field(10, 8);
    const unsigned registers =
        d.row->operation == Operation::Read ? response_registers : payload_registers;
    const bool known = std::has_single_bit(registers) && registers <= kMaxDataRegisters;
    const auto log2 = static_cast<unsigned>(std::countr_zero(registers));
    if (!known || (code != log2 && code != log2 + 1))
        return fail("block size of an A64 register block that its length does not confirm");
    d.byte_offset = true;  // DWord aligned (DP-136)
    // The mask counts DWords; where the header says otherwise the seeds do not tell (S-28 b).
    d.channel_mode = true;
    d.block_bytes = static_cast<std::uint16_t>(registers * kGrfBytes);
    data(registers);
}

}  // namespace gen9::hdc
