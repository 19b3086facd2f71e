// SPDX-License-Identifier: Apache-2.0
#include "hdc/decode/decode.h"

#include "hdc/decode/descriptor_reader.h"
#include "hdc/plan/usual.h"

namespace gen9::hdc {

namespace {

/// Does the header hold a pixel sample mask (MH1_*_PSM, MH2_A32_PSM)?
bool has_pixel_mask(const Decoded& d) {
    switch (d.row->shape) {
        case Shape::Untyped:
        case Shape::AtomicInt:
        case Shape::AtomicFloat:
        case Shape::Typed:
        case Shape::TypedAtomic:
        case Shape::AtomicCounter:
            return d.header && d.model != AddressModel::A64;
        default:
            return false;
    }
}

bool needs_surface(Shape shape) {
    switch (shape) {
        case Shape::Typed:
        case Shape::TypedAtomic:
        case Shape::AtomicCounter:
        case Shape::MediaBlock:
        case Shape::Transpose:
        case Shape::SurfaceInfo:
            return true;
        default:
            return false;
    }
}

/// Port 2 has no index: header and bit 7 tell the models apart (S-8).
void pick_scaled_model(DescriptorReader& reader) {
    Decoded& d = reader.d;
    d.binding_index = kStatelessCoherent;  // DP-032
    d.scale = reader.bit(7);
    if (d.row->models == kA64) {
        d.model = AddressModel::A64;
        // Without a header these are the plain messages of port 1, with 64-bit addresses.
        d.scaled = d.header;
        d.wide_address = !d.header;
        return;
    }
    d.scaled = d.header || d.scale;
    d.model = d.scaled && !d.header ? AddressModel::Slm : AddressModel::A32;
    if (d.model == AddressModel::Slm) d.multiplier = reader.field(6, 0) + 1;
}

}  // namespace

void DescriptorReader::pick_model() {
    const std::uint8_t models = d.row->models;
    if (d.row->sfid == Sfid::DataPort2) return pick_scaled_model(*this);
    d.binding_index = static_cast<std::uint8_t>(descriptor);
    d.wide_address = models == kA64;
    if (models == 0) return;
    if (models == kA64) {
        d.model = AddressModel::A64;
        if (d.binding_index != kStatelessCoherent && d.binding_index != kStatelessNonCoherent)
            fail("A64 message with a binding table index other than 253 and 255 (S-3)");
    } else if (d.row->shape == Shape::ScratchBlock) {
        d.model = AddressModel::A32;
    } else if (d.binding_index == kStatelessCoherent || d.binding_index == kStatelessNonCoherent) {
        d.model = AddressModel::A32;
        if (!(models & kA32)) fail("stateless index on a message that needs a surface");
    } else if (d.binding_index == kSlmIndex && d.row->sfid != Sfid::ConstantCache) {
        d.model = AddressModel::Slm;
        if (!(models & kSlm)) fail("message that cannot reach SLM with the SLM index (DP-048)");
    } else if (d.binding_index >= kFirstReservedIndex && d.binding_index < kBindless) {
        fail("reserved binding table index (DP-017)");
    } else {
        d.model = AddressModel::Surface;
    }
}

void DescriptorReader::read_shape() {
    d.pixel_mask = has_pixel_mask(d);
    d.needs_surface = needs_surface(d.row->shape);
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
        case Shape::DualBlock:
            return dual_block();
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
        case Shape::TypedAtomic:
            return typed_atomic();
        case Shape::AtomicCounter:
            return atomic_counter();
        case Shape::MediaBlock:
            return media();
        case Shape::Transpose:
            return transpose();
        case Shape::SurfaceInfo:
            return surface_info();
        case Shape::Fence:
            return fence();
    }
}

Decoded decode(Sfid sfid, std::uint32_t descriptor, unsigned length, unsigned response_length,
               bool header_present) {
    Decoded d;
    d.row = find_row(sfid, descriptor);
    if (!d.row) {
        d.error = "message type that the port does not define";
        return d;
    }
    d.header = header_present;
    DescriptorReader reader{d, descriptor, length - (header_present && length ? 1u : 0u),
                            response_length};
    reader.pick_model();
    reader.read_shape();
    if (d.row->header == Header::Required && !header_present) reader.fail("header missing");
    if (d.row->header == Header::Forbidden && header_present) reader.fail("header not allowed");
    if (header_present && length == 0) reader.fail("header announced but no register sent");
    if (d.data_at() + d.data_registers > length)
        reader.fail("payload shorter than the message needs");
    const bool sized_by_header =
        d.row->shape == Shape::MediaBlock || d.row->shape == Shape::Transpose;
    if (!sized_by_header && response_length < d.response_registers)
        reader.fail("response length shorter than the data that returns");
    // EU-207: a write that names a register is answered with none of its bytes when it has acted.
    const bool commits =
        d.row->operation == Operation::Write && response_length == 1 && d.response_registers == 0;
    // EU-211: the thread would wait for registers that nobody clears.
    if (!sized_by_header && response_length > d.response_registers && !commits)
        reader.fail("response length longer than the data that returns");
    return d;
}

void DecodeCache::fill(Entry& entry, std::uint64_t key, const Message& message) {
    entry.key = key;
    entry.decoded = decode(message.sfid, message.descriptor, message.length,
                           message.response_length, message.header_present);
    entry.decoded.usual = usual_form(entry.decoded);
}

}  // namespace gen9::hdc
