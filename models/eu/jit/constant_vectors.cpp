// SPDX-License-Identifier: Apache-2.0
// Immediates of packed vectors (V, UV, VF), as shaders have them in their first instructions: moved,
// or added to words. Here all channels write.
#include <algorithm>
#include <cstring>
#include <vector>

#include "common/bits.h"
#include "common/units.h"
#include "eu/jit/assembler.h"
#include "eu/jit/form_facts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using isa::Opcode;
using Xbyak::Address;
using Xbyak::Xmm;
using Xbyak::Ymm;

namespace {

std::size_t offset_of(const isa::Operand& operand) {
    return operand.reg * std::size_t{kGrfBytes} + operand.subreg;
}
bool is_word(isa::Type type) {
    return type == isa::Type::UW || type == isa::Type::W;
}
bool is_direct(const isa::Operand& operand) {
    return operand.is_grf() && !operand.indirect && !operand.multi_indirect && !operand.negate &&
           !operand.absolute && operand.subreg % isa::size_bytes(operand.type) == 0;
}
/// Four channels read each word, as pixels of a subspan do.
bool is_by_fours(const isa::Operand& operand) {
    return operand.vert_stride == 1 && operand.width == 4 && operand.horz_stride == 0;
}
bool is_packed(const isa::Operand& operand) {
    return operand.horz_stride == 1 && operand.vert_stride == operand.width;
}

/// The element of a lane (EU-117, EU-118): DWords take every second one.
std::uint32_t element(const isa::Operand& operand, unsigned lane, unsigned size) {
    const auto vector = static_cast<std::uint32_t>(operand.immediate);
    if (operand.type != isa::Type::VF) {
        const std::uint32_t digit = vector >> 4 * (lane * (size / 2) % 8) & 15;
        return operand.type == isa::Type::V ? static_cast<std::uint32_t>(sign_extend(digit, 4))
                                            : digit;
    }
    const std::uint32_t byte = vector >> 8 * (lane % 4) & 255, sign = byte >> 7 << 31;
    return (byte & 127) == 0 ? sign : sign | ((byte >> 4 & 7) + 124) << 23 | (byte & 15) << 19;
}

}  // namespace

bool Assembler::knows_constant_vector(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const bool plain = !in.align16 && in.pred_ctrl == isa::PredCtrl::None &&
                       in.cond_mod == isa::CondMod::None && !in.saturate && !in.acc_write &&
                       in.exec_size >= 8 && in.channel_offset + in.exec_size <= kMaxChannels;
    if (!plain || d.may_fail || !is_direct(in.dst) || in.dst.horz_stride != 1) return false;
    const unsigned size = isa::size_bytes(in.dst.type), bytes = size * in.exec_size;
    if (bytes > 64 || offset_of(in.dst) + bytes > kFileBytes) return false;
    const isa::Operand& last = in.src[in.source_count == 2 ? 1 : 0];
    if (last.file != isa::RegFile::Imm || last.negate || last.absolute) return false;
    const bool integers = last.type == isa::Type::V || last.type == isa::Type::UV;
    if (in.opcode == Opcode::Mov) {
        if (last.type == isa::Type::VF) return in.dst.type == isa::Type::F;
        return integers && !isa::is_float(in.dst.type) && (size == 2 || size == 4);
    }
    const isa::Operand& first = in.src[0];
    // An element is read behind the last one of few.
    return in.opcode == Opcode::Add && integers && is_word(in.dst.type) && is_word(first.type) &&
           is_direct(first) && (is_by_fours(first) || is_packed(first)) &&
           offset_of(first) + std::max(bytes, 32u) <= kFileBytes;
}

/// A table of 64 bytes.
Address Assembler::table(const std::vector<std::uint8_t>& bytes, unsigned from) {
    std::vector<std::uint32_t> dwords(16);
    std::memcpy(dwords.data(), bytes.data(), std::min<std::size_t>(bytes.size(), 64));
    return ptr[rip + offsets_[dwords] + int(from)];
}

void Assembler::write_constant_vector(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const unsigned size = isa::size_bytes(in.dst.type), bytes = size * in.exec_size,
                   piece = std::min(bytes, 32u);
    const isa::Operand& last = in.src[in.source_count == 2 ? 1 : 0];
    std::vector<std::uint8_t> elements(64), fours;
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        const std::uint32_t value = element(last, lane, size);
        std::memcpy(&elements[size * lane], &value, size);
    }
    // Which byte of eight goes where.
    for (unsigned i = 0; i < 32; ++i)
        fours.push_back(static_cast<std::uint8_t>(i / 8 * 2 + i % 2));
    const auto reg_of = [&](unsigned p) { return piece == 32 ? Xmm(Ymm(int(p))) : Xmm(int(p)); };
    for (unsigned p = 0; p < bytes / piece; ++p) {
        const Xmm r = reg_of(p);
        if (in.opcode == Opcode::Mov) {
            vmovdqu(r, table(elements, p * piece));
            continue;
        }
        const std::size_t from = offset_of(in.src[0]);
        if (is_by_fours(in.src[0])) {
            vpbroadcastq(r, at(from + p * piece / 4));
            vpshufb(r, r, table(fours, 0));
        } else {
            vmovdqu(r, at(from + p * piece));
        }
        vpaddw(r, r, table(elements, p * piece));
    }
    for (unsigned p = 0; p < bytes / piece; ++p)
        vmovdqu(at(offset_of(in.dst) + p * piece), reg_of(p));
}

}  // namespace gen9::eu::jit
