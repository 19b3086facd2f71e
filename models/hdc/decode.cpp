// SPDX-License-Identifier: Apache-2.0
#include "hdc/decode.h"

#include <bit>

#include "common/bits.h"
#include "hdc/usual.h"

namespace gen9::hdc {

namespace {

constexpr unsigned kMaxDataRegisters = 8;  ///< 256 bytes (DP-010)

/// The data registers of `items` values of `bytes` in each of `slots` lanes (DP-170..172).
unsigned lane_registers(unsigned slots, unsigned items, unsigned bytes) {
    return slots * items * (bytes == 8 ? 8 : 4) / kGrfBytes;
}

/// One descriptor being read: `control` are its bits 13:8, at their own positions.
struct Reader {
    Decoded& d;
    std::uint32_t descriptor;
    unsigned payload_registers;  ///< without the header

    std::uint32_t field(unsigned high, unsigned low) const { return bits(descriptor, high, low); }
    bool bit(unsigned n) const { return descriptor >> n & 1; }
    void fail(const char* text) {
        if (!d.error) d.error = text;
    }
    void lack(const char* rows) {
        if (!d.not_modelled) d.not_modelled = rows;
    }

    /// SIMD8/SIMD16 lanes with one address register per 8 lanes, or two for 64-bit addresses.
    void lanes(unsigned slots) {
        d.slots = static_cast<std::uint8_t>(slots);
        d.address_registers = static_cast<std::uint8_t>(slots / 8 * (d.wide_address ? 2 : 1));
    }
    void data(unsigned registers) {
        if (registers > kMaxDataRegisters) return fail("more than 256 bytes of data (DP-010)");
        if (d.row->operation == Operation::Read)
            d.response_registers = static_cast<std::uint8_t>(registers);
        else
            d.data_registers = static_cast<std::uint8_t>(registers);
    }

    void byte_scattered() {
        lanes(bit(8) ? 16 : 8);
        const unsigned size = field(11, 10);
        if (size == 3) return fail("reserved data size of a byte scattered message");
        d.element_bytes = static_cast<std::uint8_t>(1 << size);
        // A header carries nothing an SLM access could use (DP-111).
        if (d.model == AddressModel::Slm && d.header)
            fail("header on an SLM byte scattered message");
        data(lane_registers(d.slots, 1, 4));
    }
    void dword_scattered() {
        lanes(bit(8) ? 16 : 8);
        data(lane_registers(d.slots, 1, 4));
    }
    void a64_scattered() {
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
    void untyped() {
        const unsigned mode = field(13, 12);
        if (mode == 0) return lack("DP-144");
        if (mode == 3) return fail("reserved SIMD mode of an untyped message");
        lanes(mode == 1 ? 16 : 8);
        channel_mask();
        const unsigned written = d.channels;
        // A write may leave out channels only from the end (DP-146).
        if (d.row->operation == Operation::Write && (written & (written + 1)) != 0)
            fail("untyped write with a channel mask other than R, RG, RGB, RGBA (DP-146)");
        data(lane_registers(d.slots, d.channel_count, 4));
    }
    void channel_mask() {
        d.channels = static_cast<std::uint8_t>(~field(11, 8) & 0xF);  // set bits disable (DP-145)
        d.channel_count = static_cast<std::uint8_t>(std::popcount(d.channels));
        if (d.channels == 0) fail("all channels disabled");
    }
    /// Size codes of OWord blocks: 0 low half, 1 high half, 2, 3, 4 = 2, 4, 8 OWords.
    void oword_size() {
        const unsigned code = field(10, 8);
        if (code > 4) return fail("reserved block size of an OWord block message");
        d.block_bytes = static_cast<std::uint16_t>(code < 2 ? 16 : 8u << code);
        d.register_offset = code == 1 ? 16 : 0;
        data((d.block_bytes + kGrfBytes - 1) / kGrfBytes);
    }
    void oword_block() {
        const unsigned type = d.row->type;
        // Aligned reads ignore the mask (DP-130).
        d.byte_offset = d.ignores_mask = d.row->operation == Operation::Read && type != 0;
        oword_size();
    }
    void scratch() {
        d.binding_index = kStatelessCoherent;  // scratch has no index and is IA coherent (DP-032)
        d.block_bytes = static_cast<std::uint16_t>(kGrfBytes << field(13, 12));
        d.oword_mask = !bit(16);
        d.scratch_offset = static_cast<std::uint16_t>(field(11, 0));
        data(d.block_bytes / kGrfBytes);
    }
    void a64_block() {
        switch (field(12, 11)) {
            case 0:
                return oword_size();
            case 1:
                if (d.row->operation == Operation::Write)
                    return fail("OWord aligned block is read only (DP-130)");
                d.byte_offset = d.ignores_mask = true;
                return oword_size();
            case 2:
                return lack("DP-131");
            default:
                return lack("DP-136");
        }
    }
    void integer_atomic(unsigned slots, unsigned width) {
        d.atomic = static_cast<AtomicOp>(field(11, 8));
        if (d.atomic == AtomicOp::CmpWr2W) return lack(d.wide_address ? "DP-159" : "DP-158");
        atomic(slots, width);
    }
    void float_atomic(unsigned slots) {
        const unsigned op = field(10, 8);
        if (op < 1 || op > 3)
            return fail("float atomic operation that Gen9 does not have (DP-165)");
        d.atomic = static_cast<AtomicOp>(static_cast<unsigned>(AtomicOp::FMax) + op - 1);
        atomic(slots, 4);
    }
    void atomic(unsigned slots, unsigned width) {
        lanes(slots);
        d.element_bytes = static_cast<std::uint8_t>(width);
        d.operands = static_cast<std::uint8_t>(atomic_sources(d.atomic));
        d.returns = bit(13);
        const unsigned registers = lane_registers(slots, 1, width);
        data(registers * d.operands);
        d.response_registers = static_cast<std::uint8_t>(d.returns ? registers : 0);
    }
    void typed() {
        const unsigned mode = field(13, 12);
        if (mode == 0) return lack("DP-150");
        if (mode == 3) return fail("reserved slot group of a typed message");
        d.slots = 8;
        d.slot_group = mode == 2 ? 8 : 0;
        channel_mask();
        data(d.channel_count);
        // The number of address parameters follows from the length (DP-005, S-14).
        if (payload_registers <= d.data_registers) return fail("typed message without an address");
        d.address_registers = static_cast<std::uint8_t>(payload_registers - d.data_registers);
        if (d.address_registers > 5)
            fail("more address parameters than a typed message can have (DP-011)");
    }
    void media() {
        // The block's size is in the header, so the registers are known only there.
        d.ignores_mask = true;
        d.line_override = bit(10);
        d.line_stride = bit(9);
        d.line_offset = bit(8);
        if (d.row->operation == Operation::Write)
            d.data_registers = static_cast<std::uint8_t>(payload_registers);
    }
    void fence() {
        d.ignores_mask = true;
        d.returns = bit(13);
        d.flush_data = bit(12);
        d.response_registers = d.returns ? 1 : 0;
    }

    void pick_model() {
        const std::uint8_t models = d.row->models;
        d.binding_index = static_cast<std::uint8_t>(descriptor);
        d.wide_address = models == kA64;
        if (models == 0) return;
        if (models == kA64) {
            d.model = AddressModel::A64;
            if (d.binding_index != kStatelessCoherent && d.binding_index != kStatelessNonCoherent)
                fail("A64 message with a binding table index other than 253 and 255 (S-3)");
        } else if (d.row->shape == Shape::ScratchBlock) {
            d.model = AddressModel::A32;
        } else if (d.binding_index == kStatelessCoherent ||
                   d.binding_index == kStatelessNonCoherent) {
            d.model = AddressModel::A32;
            if (!(models & kA32)) fail("stateless index on a message that needs a surface");
        } else if (d.binding_index == kSlmIndex && d.row->sfid != Sfid::ConstantCache) {
            d.model = AddressModel::Slm;
            if (!(models & kSlm)) fail("message that cannot reach SLM with the SLM index (DP-048)");
        } else if (d.binding_index == kBindless) {
            lack("DP-053");
        } else if (d.binding_index >= kFirstReservedIndex && d.binding_index < kBindless) {
            fail("reserved binding table index (DP-017)");
        } else {
            d.model = AddressModel::Surface;
        }
    }

    void shape() {
        switch (d.row->shape) {
            case Shape::ByteScattered:
                return byte_scattered();
            case Shape::DwordScattered:
                return dword_scattered();
            case Shape::A64Scattered:
                return a64_scattered();
            case Shape::Untyped:
                return untyped();
            case Shape::OwordBlock:
                return oword_block();
            case Shape::ScratchBlock:
                return scratch();
            case Shape::AtomicInt:
                return integer_atomic(bit(12) ? 8 : 16, 4);
            case Shape::AtomicFloat:
                return float_atomic(bit(12) ? 8 : 16);
            case Shape::A64AtomicInt:
                return integer_atomic(8, bit(12) ? 8 : 4);
            case Shape::A64AtomicFloat:
                return float_atomic(8);
            case Shape::A64Block:
                return a64_block();
            case Shape::Typed:
                return typed();
            case Shape::MediaBlock:
                return media();
            case Shape::Fence:
                return fence();
            case Shape::NotModelled:
                return lack(d.row->ledger);
        }
    }
};

}  // namespace

Decoded decode(Sfid sfid, std::uint32_t descriptor, unsigned length, unsigned response_length,
               bool header_present) {
    Decoded d;
    d.row = find_row(sfid, descriptor);
    if (!d.row) {
        d.error = "message type that the port does not define";
        return d;
    }
    d.header = header_present;
    Reader reader{d, descriptor, length - (header_present && length ? 1u : 0u)};
    reader.pick_model();
    if (d.not_modelled) return d;
    reader.shape();
    if (d.not_modelled) return d;
    if (d.row->header == Header::Required && !header_present) reader.fail("header missing");
    if (d.row->header == Header::Forbidden && header_present) reader.fail("header not allowed");
    if (header_present && length == 0) reader.fail("header announced but no register sent");
    if (d.data_at() + d.data_registers > length)
        reader.fail("payload shorter than the message needs");
    if (d.row->shape != Shape::MediaBlock && response_length < d.response_registers)
        reader.fail("response length shorter than the data that returns");
    return d;
}

void DecodeCache::fill(Entry& entry, std::uint64_t key, const Message& message) {
    entry.key = key;
    entry.decoded = decode(message.sfid, message.descriptor, message.length,
                           message.response_length, message.header_present);
    entry.decoded.usual = may_be_usual(entry.decoded);
}

}  // namespace gen9::hdc
