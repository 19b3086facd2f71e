// SPDX-License-Identifier: Apache-2.0
#include "hdc/plan/plan_block.h"

#include <bit>
#include <cstring>

#include "common/bits.h"

namespace gen9::hdc {

namespace {

/// The offset without the bits below its alignment, which are noted (DP-059).
std::uint64_t aligned(std::uint64_t offset, unsigned align, const Window& window, Plan& plan) {
    plan.note_misaligned(window, offset, align);
    return offset & ~std::uint64_t{align - 1};
}

}  // namespace

std::uint64_t block_dwords(const Decoded& d, std::uint32_t given, bool reads) {
    const unsigned dwords = d.block_bytes / 4u;
    const std::uint64_t all = dwords == 64 ? ~0ull : (1ull << dwords) - 1;
    if (d.ignores_mask) return all;
    std::uint32_t mask = given & 0xFFFF;
    // A single OWord uses the nibble of bits 7:0 that belongs to its half of the register.
    if (d.block_bytes == 16) mask = mask >> (d.register_offset / 4) & 0xF;
    const bool whole_owords = d.channel_mode ? d.oword_mask : reads;
    if (whole_owords) {
        std::uint32_t widened = 0;
        for (unsigned n = 0; n < 4; ++n)
            if (mask >> n * 4 & 0xF) widened |= 0xFu << n * 4;
        mask = widened;
    }
    std::uint64_t full = mask;
    for (unsigned filled = 16; filled < dwords; filled *= 2)
        full |= full << filled;
    return full & all;
}

unsigned block_alignment(const Decoded& d) {
    return d.byte_offset ? 4 : 16;
}

std::uint64_t block_offset(const Decoded& d, const std::uint8_t* header) {
    if (d.model == AddressModel::A64) return load<std::uint64_t>(header);
    if (d.row->shape == Shape::ScratchBlock) return std::uint64_t{d.scratch_offset} * kGrfBytes;
    const std::uint64_t global = load<std::uint32_t>(header + 8);
    return d.byte_offset ? global : global * 16;
}

void plan_block(const Decoded& d, Message& message, const Window& window, Plan& plan) {
    const bool reads = plan.operation == Operation::Read;
    const std::uint64_t dwords = block_dwords(d, message.execution_mask, reads);
    const std::uint64_t offset =
        aligned(block_offset(d, message.payload[0].bytes), block_alignment(d), window, plan);
    if (reads) {
        const unsigned registers = (d.block_bytes + kGrfBytes - 1) / kGrfBytes;
        std::memset(message.response[0].bytes, 0, registers * kGrfBytes);
    }
    const unsigned data_at = d.register_offset + (reads ? 0 : d.data_at() * kGrfBytes);
    const std::uint64_t whole = window.run(offset, d.block_bytes);
    if (std::popcount(dwords) == d.block_bytes / 4 && whole != Window::kOutside) {
        const std::uint32_t enable = d.block_bytes < kGrfBytes ? 0xFFFFu << d.register_offset : ~0u;
        if (reads)
            for (unsigned r = 0; r * kGrfBytes < d.block_bytes; ++r)
                message.response_enable[r] = enable;
        plan.add(whole, data_at, d.block_bytes);
        plan.accesses = d.block_bytes / 4;
        return;
    }
    for (unsigned n = 0; n < d.block_bytes / 4u; ++n) {
        if (!(dwords >> n & 1)) continue;
        const unsigned at = data_at + n * 4;
        if (reads) message.response_enable[at / kGrfBytes] |= 0xFu << at % kGrfBytes;
        const std::uint64_t address = window.place(offset + n * 4, 4);
        if (address == Window::kOutside) {
            ++plan.out_of_bounds;
            continue;
        }
        plan.add(address, at, 4);
        ++plan.accesses;
    }
}

void plan_dual_block(const Decoded& d, Message& message, const Window& window, Plan& plan) {
    const bool reads = plan.operation == Operation::Read;
    const std::uint8_t* header = message.payload[0].bytes;
    const std::uint8_t* addresses = message.payload[d.address_at()].bytes;
    const std::uint64_t global = d.global_offset ? load<std::uint32_t>(header + 8) : 0;
    const unsigned data_at = reads ? 0 : d.data_at() * kGrfBytes;
    if (reads) std::memset(message.response[0].bytes, 0, d.elements * kGrfBytes);
    for (unsigned slot = 0; slot < 2; ++slot) {
        // Bits 3:0 are the first slot's DWords, 7:4 the second's, the same in every OWord (DP-086).
        std::uint32_t mask = message.execution_mask >> slot * 4 & 0xF;
        if (mask == 0) continue;
        if (reads) mask = 0xF;
        const std::uint64_t offset =
            d.wide_address ? aligned(load<std::uint64_t>(header + slot * 8), 16, window, plan)
                           : (global + load<std::uint32_t>(addresses + slot * kGrfBytes / 2)) * 16;
        for (unsigned n = 0; n < d.elements * 4u; ++n) {
            if (!(mask >> n % 4 & 1)) continue;
            // Register after register, the first slot in the low half (DP-177).
            const unsigned at = data_at + n / 4 * kGrfBytes + slot * 16 + n % 4 * 4;
            if (reads) message.response_enable[at / kGrfBytes] |= 0xFu << at % kGrfBytes;
            const std::uint64_t address = window.place(offset + n * 4, 4);
            if (address == Window::kOutside) {
                ++plan.out_of_bounds;
                continue;
            }
            plan.add(address, at, 4);
            ++plan.accesses;
        }
    }
}

}  // namespace gen9::hdc
