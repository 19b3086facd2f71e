// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/eu/message_generator.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "common/register_bytes.h"
#include "hdc/decode/decode.h"
#include "interconnect/payload/thread_places.h"

namespace gen9::eu::test {

using hdc::test::Bench;
using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::Type;

namespace {

// Behind the registers of all other instructions: offsets by their space, headers, data, responses,
// and other offsets by their space.
constexpr unsigned kOffsets = 32, kOfSpace = 4, kHeaders = 48, kHeaderCount = 4, kData = 52,
                   kResponses = 72, kSpares = 96, kSparesOfSpace = 8;

Operand packed(unsigned reg, Type type, unsigned lanes) {
    Operand o;
    o.file = isa::RegFile::Grf;
    o.type = type;
    o.reg = byte(reg);
    o.width = o.vert_stride = byte(std::min(lanes, 8u));
    o.horz_stride = 1;
    return o;
}
Operand null() {
    Operand o;
    o.file = isa::RegFile::Arf;
    o.type = Type::UD;
    o.width = o.vert_stride = 8;
    o.horz_stride = 1;
    return o;
}

}  // namespace

PortSetup MessageGenerator::setup() {
    for (PortSetup::Buffer& buffer : setup_.buffers) {
        // Some begin at no whole DWord; sizes are of the last byte.
        buffer.at = below(0x2000) & (one_in(4) ? ~0u : ~63u);
        buffer.bytes = one_in(2) ? 4096 * (1 + below(3)) : 1 + below(3000);
    }
    setup_.general_bytes = one_in(2) ? 0x1000 : 0x1000 + below(0x1000);
    for (PortSetup::Sender& sender : setup_.senders) {
        sender.other_table = one_in(4);
        sender.other_state = one_in(4);
        sender.slm_base = one_in(3) ? 1024 * below(64) : 0;
        if (one_in(8)) sender.slm_base += ThreadTopology::kSlmStride;
        sender.slm_bytes = one_in(8) ? 0 : 4096;
    }
    return setup_;
}

/// Mostly of a message that may be plain.
std::uint32_t MessageGenerator::descriptor(Sfid& sfid) {
    constexpr std::uint8_t indices[] = {0,
                                        0,
                                        0,
                                        1,
                                        2,
                                        hdc::kSlmIndex,
                                        hdc::kSlmIndex,
                                        hdc::kStatelessCoherent,
                                        hdc::kStatelessNonCoherent};
    constexpr struct {
        Sfid sfid;
        std::uint32_t bits;
    } types[] = {{Sfid::DataPort1, 0x01u << 14}, {Sfid::DataPort1, 0x09u << 14},
                 {Sfid::DataPort1, 0x01u << 14}, {Sfid::DataPort1, 0x09u << 14},
                 {Sfid::DataPort1, 0x11u << 14}, {Sfid::DataPort1, 0x19u << 14},
                 {Sfid::DataPort1, 0x10u << 14}, {Sfid::DataPort1, 0x1Au << 14},
                 {Sfid::DataPort0, 0x04u << 14}, {Sfid::DataPort0, 0x0Cu << 14},
                 {Sfid::DataPort0, 0x03u << 14}, {Sfid::DataPort0, 0x0Bu << 14},
                 {Sfid::DataPort0, 1u << 19},    {Sfid::DataPort0, 1u << 19 | 0x08u << 14},
                 {Sfid::DataPort1, 0x02u << 14}, {Sfid::ConstantCache, 0x03u << 14}};
    if (one_in(4)) {
        constexpr Sfid ports[] = {Sfid::DataPort0, Sfid::DataPort1, Sfid::ConstantCache};
        sfid = generate_.pick(ports);
        return (static_cast<std::uint32_t>(generate_.bits()) & 0xFFF00) | generate_.pick(indices);
    }
    const auto type = generate_.pick(types);
    sfid = type.sfid;
    std::uint32_t control = static_cast<std::uint32_t>(generate_.bits()) & 0x3F00;
    const std::uint32_t kind = type.bits >> 14 & 0x17;
    // Channels of untyped messages from the first on; 16 or 8 slots.
    if (sfid == Sfid::DataPort1 && (kind == 0x01 || kind == 0x11))
        control = (0xF00u << (1 + below(4)) & 0xF00) | generate_.pick({0x1000u, 0x1000u, 0x2000u});
    const bool wide = sfid == Sfid::DataPort1 && (type.bits >> 18 & 1) != 0;
    return type.bits | control |
           (wide ? std::uint8_t{hdc::kStatelessCoherent} : generate_.pick(indices));
}

Instruction MessageGenerator::send() {
    using hdc::AddressModel;
    using hdc::Shape;
    for (;;) {
        Sfid sfid;
        Message m;
        m.descriptor = descriptor(sfid);
        m.sfid = sfid;
        m.header_present = m.descriptor >> 19 & 1;
        hdc::Decoded d;
        for (m.length = 1; m.length < 15; ++m.length) {
            m.response_length = 0;
            hdc::test::fit_response(m);
            d = hdc::decode(sfid, m.descriptor, m.length, m.response_length, m.header_present);
            if (d.ok()) break;
        }
        if (!d.ok() || d.row->pair || d.row->shape == Shape::Typed) continue;
        const bool block = d.block_bytes != 0;
        if (!block && (d.header || d.slots < 8)) continue;
        const Space space = d.model == AddressModel::A64            ? Space::Address
                            : d.row->shape == Shape::DwordScattered ? Space::Counted
                            : d.model == AddressModel::Slm          ? Space::Local
                                                                    : Space::Buffer;
        Instruction in;
        in.opcode = Opcode::Send;
        in.sfid = byte(static_cast<unsigned>(sfid));
        in.exec_size = byte(generate_.pick({8u, 16u, 16u}));
        if (d.slots == 16 && !one_in(8)) in.exec_size = 16;
        in.channel_offset = byte(one_in(6) ? in.exec_size * below(32 / in.exec_size) : 0);
        in.no_mask = one_in(2);
        if (one_in(4)) in.pred_ctrl = one_in(6) ? isa::PredCtrl::Any8H : isa::PredCtrl::Sequential;
        in.pred_invert = one_in(2);
        in.flag_reg = byte(below(2));
        in.flag_subreg = byte(below(2));
        const unsigned first = block        ? kHeaders + below(kHeaderCount)
                               : one_in(12) ? kOffsets + kOfSpace * below(4)
                                            : kOffsets + kOfSpace * static_cast<unsigned>(space);
        in.src[0] = packed(first, Type::UD, 8);
        in.source_count = 1;
        unsigned first_length = m.length;
        if (d.data_registers != 0 && !one_in(3)) {
            in.opcode = Opcode::Sends;
            in.src[1] = packed(kData + below(8), Type::UD, 8);
            in.source_count = 2;
            first_length = d.data_at();
            in.extended_descriptor = (m.length - first_length) << 6;
        }
        // Sometimes the response overwrites the offsets.
        in.dst = m.response_length == 0 ? null()
                 : one_in(16)           ? packed(first, Type::UD, 8)
                                        : packed(kResponses + 8 * below(3), Type::UD, 8);
        in.descriptor = m.descriptor | first_length << 25 | std::uint32_t{m.response_length} << 20;
        return in;
    }
}

Instruction MessageGenerator::change() {
    Instruction in;
    const unsigned space = below(4), to = kOffsets + kOfSpace * space;
    in.no_mask = one_in(2);
    in.source_count = 1;
    const bool wide = space == static_cast<unsigned>(Space::Address);
    const Type type = wide ? Type::UQ : Type::UD;
    in.exec_size = byte(wide ? generate_.pick({4u, 8u}) : generate_.pick({8u, 16u, 16u}));
    const unsigned part = wide ? 2 * below(2) : 0;
    in.dst = packed(to + part, type, in.exec_size);
    if (!wide && one_in(2)) {
        in.opcode = Opcode::Add;
        in.src[0] = packed(to, type, in.exec_size);
        in.src[1].file = isa::RegFile::Imm;
        in.src[1].type = type;
        in.src[1].immediate = generate_.pick({4u, 8u, 32u, 64u, 1u, 0u, 0u - 4, 0u - 64});
        in.source_count = 2;
        return in;
    }
    in.opcode = Opcode::Mov;
    in.src[0] = packed(kSpares + kSparesOfSpace * space + kOfSpace * below(2) + part, type,
                       wide ? 4u : in.exec_size);
    return in;
}

Instruction MessageGenerator::jump_back(std::uint32_t ip, std::uint32_t target) {
    Instruction in;
    in.opcode = Opcode::Jmpi;
    in.exec_size = 1;
    in.dst = null();
    in.jip = static_cast<std::int32_t>(target - ip) - 16;
    return in;
}

void MessageGenerator::fill_offsets(Thread& thread, unsigned reg, Space space) {
    const unsigned unit = space == Space::Counted ? 4 : 1, bytes = space == Space::Address ? 8 : 4;
    const unsigned index = one_in(3) ? 1 + below(PortSetup::kBuffers - 1) : 0;
    const PortSetup::Buffer& buffer = setup_.buffers[index];
    std::uint32_t limit = buffer.bytes;
    if (space == Space::Local)
        limit = one_in(4) ? 65536 - setup_.senders[0].slm_base % 65536 : 4096;
    if (one_in(6)) limit = setup_.general_bytes;
    const std::uint64_t begin =
        space == Space::Address ? Bench::kData + (one_in(2) ? buffer.at & ~3u : 0) : 0;
    const unsigned lie = below(6), step = generate_.pick({4u, 4u, 4u, 1u, 2u, 8u, 16u});
    const auto anywhere = [&] { return below(limit) & ~3u; };
    std::array<std::uint64_t, 16> offsets;
    std::uint32_t first = anywhere();
    // Half of them run over the end.
    if (lie == 4) first = (limit - step * below(32)) & ~3u;
    for (unsigned slot = 0; slot < 16; ++slot) {
        std::uint64_t& offset = offsets[slot];
        offset = lie == 0   ? first
                 : lie < 3  ? anywhere()
                 : lie == 3 ? first + slot * 4
                            : first + slot * step;
        if (lie == 2 && slot != 0 && one_in(2)) offset = offsets[below(slot)] - begin;
        offset += begin;
    }
    if (one_in(12)) offsets[below(16)] += 1 + below(3);
    if (one_in(12)) offsets[below(16)] = generate_.bits();
    if (one_in(12)) offsets[below(16)] = limit + begin - 4 * below(4);
    if (one_in(12)) offsets[below(16)] = begin - 4;
    // Right but for the upper DWord.
    if (space == Space::Address && one_in(6))
        offsets[below(16)] += std::uint64_t{1} << (32 + below(16));
    // Whoever is off may say anything.
    const bool wild = one_in(2);
    for (unsigned slot = 0; slot < 16; ++slot) {
        std::uint64_t offset = offsets[slot];
        if (wild && (thread.dispatch_mask >> slot & 1) == 0) offset = generate_.bits();
        offset /= unit;
        std::memcpy(bytes_from(thread.grf[reg]) + slot * bytes, &offset, bytes);
    }
}

/// A header of blocks: an address, or an offset in OWords or bytes and the buffer's base.
void MessageGenerator::fill_header(Thread& thread, unsigned reg) {
    std::uint8_t* const header = thread.grf[reg].bytes;
    const std::uint32_t offset = below(setup_.buffers[0].bytes + 64) / 16;
    const std::uint32_t shift = generate_.pick({0u, 0u, 4u, 2u});
    store(header, Bench::kData + (offset << 4) + (one_in(8) ? 4 : 0));
    store(header + 8, offset << shift);
    store(header + 20, one_in(4) ? below(0x2000) : 0u);
}

void MessageGenerator::fill(Thread& thread) {
    for (unsigned space = 0; space < 4; ++space) {
        fill_offsets(thread, kOffsets + kOfSpace * space, static_cast<Space>(space));
        for (unsigned n = 0; n < 2; ++n)
            fill_offsets(thread, kSpares + kSparesOfSpace * space + kOfSpace * n,
                         static_cast<Space>(space));
    }
    for (unsigned n = 0; n < kHeaderCount; ++n)
        fill_header(thread, kHeaders + n);
    if (one_in(2)) thread.flag[0] = 0xFFFFFFFF;
}

}  // namespace gen9::eu::test
