// SPDX-License-Identifier: Apache-2.0
#include "eu/execute/operands.h"

#include <algorithm>
#include <cstring>

#include "common/register_bytes.h"
#include "eu/thread/accumulator.h"
#include "eu/thread/arf.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Operand;
using isa::RegFile;
using isa::Type;

namespace {

constexpr unsigned kFileBytes = kGrfCount * kGrfBytes;

/// An address that cannot leave the register file whatever the guest wrote (EU-025).
std::uint16_t contain(unsigned address, unsigned size) {
    return static_cast<std::uint16_t>(address & (kFileBytes - 1) & ~(size - 1));
}

std::uint64_t read_element(const std::uint8_t* bytes, unsigned size) {
    switch (size) {
        case 1:
            return *bytes;
        case 2:
            return load<std::uint16_t>(bytes);
        case 4:
            return load<std::uint32_t>(bytes);
        default:
            return load<std::uint64_t>(bytes);
    }
}

void write_element(std::uint8_t* bytes, unsigned size, std::uint64_t value) {
    switch (size) {
        case 1:
            *bytes = static_cast<std::uint8_t>(value);
            break;
        case 2:
            store(bytes, static_cast<std::uint16_t>(value));
            break;
        case 4:
            store(bytes, static_cast<std::uint32_t>(value));
            break;
        default:
            store(bytes, value);
            break;
    }
}

/// Element number of each lane relative to the operand's origin.
unsigned element_of_lane(const isa::Instruction& in, const Operand& operand, unsigned lane) {
    if (!in.align16) {
        const unsigned width = operand.width ? operand.width : 1;
        return lane / width * operand.vert_stride + lane % width * operand.horz_stride;
    }
    if (operand.replicate) return 0;
    const bool three_sources = in.source_count == 3;
    if (isa::size_bytes(operand.type) == 8) {
        // Swizzles name DWord pairs of the two elements of a group (EU-045).
        const unsigned component = operand.swizzle >> (lane % 2 * 4) & 3u;
        const unsigned step = three_sources ? 2 : operand.vert_stride;
        return lane / 2 * step + component / 2;
    }
    const unsigned component = operand.swizzle >> (lane % 4 * 2) & 3u;
    const unsigned step = three_sources ? 4 : operand.vert_stride;
    return lane / 4 * step + component;
}

/// The eight elements of V and UV stand a word apart, whatever the destination: a channel gets the
/// one at its own place. Word destinations take them in turn, DWord destinations every second,
/// which is how Intel's compiler encodes DWord offsets (0, 4, 8, 12 is 0x0C080400:uv).
unsigned packed_integer(const isa::Instruction& in, std::uint32_t vector, unsigned lane) {
    const unsigned stride = in.dst.horz_stride ? in.dst.horz_stride : 1;
    const unsigned words = std::max(1u, stride * isa::size_bytes(in.dst.type) / 2);
    return vector >> (lane * words % 8 * 4) & 15u;
}

std::uint64_t packed_immediate(const isa::Instruction& in, const Operand& operand, unsigned lane) {
    const auto vector = static_cast<std::uint32_t>(operand.immediate);
    switch (operand.type) {
        case Type::UV:
            return packed_integer(in, vector, lane);  // EU-117
        case Type::V:
            return static_cast<std::uint64_t>(sign_extend(packed_integer(in, vector, lane), 4)) &
                   0xFFFF;
        default: {
            // VF: bias 3, implied one even for exponent 0; 0x00 and 0x80 are zeros (EU-118).
            const std::uint32_t element = vector >> (lane % 4 * 8) & 255u;
            const std::uint32_t sign = element >> 7 << 31;
            if ((element & 0x7F) == 0) return sign;
            return sign | ((element >> 4 & 7u) + 124u) << 23 | (element & 15u) << 19;
        }
    }
}

}  // namespace

Domain execution_domain(const isa::Instruction& in) {
    bool single = false, half = false;
    for (unsigned i = 0; i < in.source_count; ++i) {
        switch (in.src[i].type) {
            case Type::DF:
                return Domain::Double;
            case Type::F:
            case Type::VF:
                single = true;
                break;
            case Type::HF:
                half = true;
                break;
            default:
                break;
        }
    }
    // Half sources with a single destination are mixed mode: computed as singles (EU-132).
    if (half && in.dst.type == Type::F && in.opcode != isa::Opcode::Mov) single = true;
    return single ? Domain::Single : half ? Domain::Half : Domain::Integer;
}

bool is_qword_mode(const isa::Instruction& in) {
    return isa::size_bytes(in.dst.type) == 8 || isa::size_bytes(in.src[0].type) == 8;
}

void source_addresses(const Thread& thread, const isa::Instruction& in, const Operand& operand,
                      LaneArray<std::uint16_t>& address) {
    const unsigned size = isa::size_bytes(operand.type);
    if (operand.multi_indirect) {
        const unsigned width = operand.width ? operand.width : 1;
        const auto row = [&](unsigned number) {
            return thread.address[(operand.addr_subreg + number) & 15] +
                   static_cast<unsigned>(operand.addr_imm);
        };
        // movi stays in the register the first index names (EU-218).
        const bool within = in.opcode == isa::Opcode::Movi;
        const unsigned base = row(0) & ~(unsigned{kGrfBytes} - 1);
        for (unsigned lane = 0; lane < in.exec_size; ++lane) {
            const unsigned at = row(lane / width) + lane % width * operand.horz_stride * size;
            address[lane] = contain(within ? base | (at & (kGrfBytes - 1)) : at, size);
        }
        return;
    }
    const unsigned origin = operand.indirect ? thread.address[operand.addr_subreg & 15] +
                                                   static_cast<unsigned>(operand.addr_imm)
                                             : operand.reg * unsigned{kGrfBytes} + operand.subreg;
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        address[lane] = contain(origin + element_of_lane(in, operand, lane) * size, size);
}

void destination_addresses(const Thread& thread, const isa::Instruction& in,
                           LaneArray<std::uint16_t>& address) {
    const Operand& dst = in.dst;
    const unsigned size = isa::size_bytes(dst.type);
    const unsigned origin =
        dst.indirect ? thread.address[dst.addr_subreg & 15] + static_cast<unsigned>(dst.addr_imm)
                     : dst.reg * unsigned{kGrfBytes} + dst.subreg;
    const unsigned step = in.align16 || dst.horz_stride == 0 ? size : dst.horz_stride * size;
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        address[lane] = contain(origin + lane * step, size);
}

void load_raw(const Thread& thread, const isa::Instruction& in, const Operand& operand,
              LaneArray<std::uint64_t>& raw) {
    const unsigned size = isa::size_bytes(operand.type);
    if (operand.file == RegFile::Imm) {
        const bool packed =
            operand.type == Type::V || operand.type == Type::UV || operand.type == Type::VF;
        const std::uint64_t value = size == 8
                                        ? operand.immediate
                                        : operand.immediate & ((std::uint64_t{1} << 8 * size) - 1);
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            raw[lane] = packed ? packed_immediate(in, operand, lane) : value;
    } else if (operand.is_grf()) {
        LaneArray<std::uint16_t> address;
        source_addresses(thread, in, operand, address);
        const std::uint8_t* file = bytes_from(thread.grf[0]);
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            raw[lane] = read_element(file + address[lane], size);
    } else if (operand.is_arf(isa::Arf::Accumulator) && (operand.reg & 15) < 2) {
        const unsigned first = explicit_cell(operand);
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            raw[lane] =
                read_accumulator(thread, operand.type, first + element_of_lane(in, operand, lane));
    } else {
        const auto image = read_arf(thread, operand.reg);
        for (unsigned lane = 0; lane < in.exec_size; ++lane) {
            const unsigned offset = operand.subreg + element_of_lane(in, operand, lane) * size;
            raw[lane] = read_element(image.data() + (offset & 31u & ~(size - 1)), size);
        }
    }
}

std::uint32_t write_lanes(const Thread& thread, const isa::Instruction& in) {
    return lanes_enabled(thread, in) & channel_enable_lanes(in) & predicate_lanes(thread, in);
}

void write_destination(Thread& thread, const isa::Instruction& in,
                       const LaneArray<std::uint64_t>& raw, const LaneArray<std::uint64_t>& wide,
                       std::uint32_t enabled) {
    const Operand& dst = in.dst;
    const unsigned size = isa::size_bytes(dst.type);
    if (dst.is_grf()) {
        LaneArray<std::uint16_t> address;
        destination_addresses(thread, in, address);
        std::uint8_t* file = bytes_from(thread.grf[0]);
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if (enabled >> lane & 1) write_element(file + address[lane], size, raw[lane]);
    } else if (dst.is_arf(isa::Arf::Accumulator) && (dst.reg & 15) < 2) {
        const unsigned first = explicit_cell(dst), step = dst.horz_stride ? dst.horz_stride : 1;
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if (enabled >> lane & 1)
                write_accumulator(thread, dst.type, first + lane * step,
                                  isa::is_float(dst.type) ? raw[lane] : wide[lane]);
    } else if (!dst.is_null()) {
        const unsigned step = (dst.horz_stride ? dst.horz_stride : 1) * size;
        std::uint32_t target = 0;
        bool moves = false;
        for (unsigned lane = 0; lane < in.exec_size; ++lane)
            if (enabled >> lane & 1) {
                const unsigned offset = (dst.subreg + lane * step) & ~(size - 1);
                if (offset < 32)
                    moves |= write_arf(thread, dst.reg, offset, size, raw[lane], target);
            }
        // The caller goes on with the next instruction unless the pointer was written.
        if (moves) jump(thread, target);
    }
}

void leave(Thread& thread, const DecodedInstruction& d) {
    if (d.instruction.dst.is_arf(isa::Arf::Ip)) [[unlikely]] {
        // write_destination has moved the thread if the write was enabled.
        if (thread.ip != d.ip || write_lanes(thread, d.instruction) != 0) return;
    }
    advance(thread, d.next_ip);
}

}  // namespace gen9::eu
