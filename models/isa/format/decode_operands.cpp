// SPDX-License-Identifier: Apache-2.0
#include "isa/format/decoder.h"
#include "isa/types.h"

namespace gen9::isa {

bool Decoder::one_source() {
    inst_.source_count = 1;
    return destination() && source(0, field::Src0, true);
}

bool Decoder::two_source() {
    inst_.source_count = 2;
    // EU-116: only the last source may be an immediate.
    return destination() && source(0, field::Src0, false) && source(1, field::Src1, true);
}

bool Decoder::math() {
    const std::uint64_t code = get(field::CondModifier);
    inst_.source_count = static_cast<std::uint8_t>(math_sources(static_cast<unsigned>(code)));
    if (inst_.source_count == 0) return fail("reserved math function");
    inst_.math = static_cast<MathFunction>(code);
    const bool two = inst_.source_count == 2;
    if (!destination() || !source(0, field::Src0, !two)) return false;
    if (two && !source(1, field::Src1, true)) return false;
    // EU-255: else null is to be there; the rules look. An immediate takes the place of its number.
    if (!two && inst_.src[0].file != RegFile::Imm) {
        inst_.src[1].file = static_cast<RegFile>(get(field::Src1.reg_file));
        inst_.src[1].reg = get8(field::Src1.reg);
    }
    if (uses_special_acc(inst_.math)) {
        // EU-264: the accumulators take the places of ChanEn and the low half of ChanSel.
        if (!inst_.align16) return fail("invm and rsqrtm need Align16");
        inst_.dst.chan_enable = Operand{}.chan_enable;
        special_accumulator(inst_.dst, field::Dst.chan_enable);
        if (inst_.src[0].file != RegFile::Imm) {
            special_accumulator(inst_.src[0], field::Src0.special_acc);
            inst_.src[0].swizzle = Operand{}.swizzle;
        }
        if (two && inst_.src[1].file != RegFile::Imm) {
            special_accumulator(inst_.src[1], field::Src1.special_acc);
            inst_.src[1].swizzle = Operand{}.swizzle;
        }
    }
    return true;
}

bool Decoder::destination() {
    const DestinationFields& fields = field::Dst;
    Operand& dst = inst_.dst;
    const std::uint64_t file = get(fields.reg_file);
    if (file > 1) return fail("destination is neither GRF nor ARF");
    dst.file = static_cast<RegFile>(file);
    const auto type = type_of(kRegisterTypes, get(fields.type));
    if (!type) return fail("reserved destination type");
    dst.type = *type;
    dst.horz_stride = stride_of(get(fields.horz_stride));
    dst.indirect = flag(fields.addr_mode);
    if (inst_.align16) dst.chan_enable = get8(fields.chan_enable);
    if (dst.indirect) {
        dst.addr_subreg = get8(fields.addr_subreg);
        dst.addr_imm = addr_imm(inst_.align16 ? fields.addr_imm16 : fields.addr_imm);
        return true;
    }
    dst.reg = get8(fields.reg);
    dst.subreg = static_cast<std::uint8_t>(
        inst_.align16 ? get(fields.subreg16) * kAlign16SubRegBytes : get(fields.subreg));
    return true;
}

bool Decoder::source(unsigned index, const SourceFields& fields, bool immediate_allowed) {
    Operand& operand = inst_.src[index];
    const std::uint64_t file = get(fields.reg_file);
    if (file == 2) return fail("reserved source register file");
    operand.file = static_cast<RegFile>(file);
    if (operand.file != RegFile::Imm) return register_source(operand, fields);
    if (!immediate_allowed) return fail("immediate in other than the last source");
    return immediate(operand, get(fields.type));
}

bool Decoder::immediate(Operand& operand, std::uint64_t type_code) {
    const auto type = type_of(kImmediateTypes, type_code);
    if (!type) return fail("reserved immediate type");
    operand.type = *type;
    if (size_bytes(*type) < 8) {
        operand.immediate = get(field::Imm32);
        return true;
    }
    if (inst_.source_count != 1) return fail("64-bit immediate with two sources");
    operand.immediate = get(field::Imm64);
    return true;
}

bool Decoder::register_source(Operand& operand, const SourceFields& fields) {
    const auto type = type_of(kRegisterTypes, get(fields.type));
    if (!type) return fail("reserved source type");
    operand.type = *type;
    const std::uint64_t modifier = get(fields.modifier);
    operand.absolute = (modifier & 1) != 0;
    operand.negate = (modifier & 2) != 0;
    operand.indirect = flag(fields.addr_mode);

    const std::uint64_t vert_stride = get(fields.vert_stride);
    operand.multi_indirect = vert_stride == kMultiIndirectStride;
    if (vert_stride > 6 && !operand.multi_indirect) return fail("reserved VertStride");
    if (operand.multi_indirect && !operand.indirect) return fail("Vx1 region of a direct operand");
    operand.vert_stride = operand.multi_indirect ? 0 : stride_of(vert_stride);
    if (inst_.align16) {
        if (operand.multi_indirect) return fail("Vx1 region in Align16");
        operand.swizzle = get8(fields.swizzle);
        // EU-054: rows of four; a stride of two is the row of a 64-bit type (EU-027).
        operand.width = operand.vert_stride == 2 ? 2 : 4;
        operand.horz_stride = 1;
    } else {
        if (get(fields.width) > 4) return fail("reserved Width");
        operand.width = static_cast<std::uint8_t>(1u << get(fields.width));
        operand.horz_stride = stride_of(get(fields.horz_stride));
    }

    if (operand.indirect) {
        operand.addr_subreg = get8(fields.addr_subreg);
        operand.addr_imm = addr_imm(inst_.align16 ? fields.addr_imm16 : fields.addr_imm);
        return true;
    }
    operand.reg = get8(fields.reg);
    operand.subreg = static_cast<std::uint8_t>(
        inst_.align16 ? get(fields.subreg16) * kAlign16SubRegBytes : get(fields.subreg));
    return true;
}

bool Decoder::three_source() {
    inst_.source_count = 3;
    if (!inst_.align16) return fail("three sources need Align16");
    const auto src_type = type_of(kThreeSourceTypes, get(field3::SrcType));
    const auto dst_type = type_of(kThreeSourceTypes, get(field3::DstType));
    if (!src_type || !dst_type) return fail("reserved three-source type");

    Operand& dst = inst_.dst;
    dst.file = RegFile::Grf;
    dst.type = *dst_type;
    dst.reg = get8(field3::DstReg);
    dst.subreg = static_cast<std::uint8_t>(get(field3::DstSubReg) * kThreeSourceDstSubRegBytes);
    dst.horz_stride = 1;
    if (row_.has(kSpecialAcc)) {
        special_accumulator(dst, field3::ChanEn);
    } else {
        dst.chan_enable = get8(field3::ChanEn);
    }

    // EU-115: bits 36 and 35 make src1 and src2 half float when the main type is F or HF, and F
    // otherwise; other types ignore them.
    const bool half_or_float = *src_type == Type::F || *src_type == Type::HF;
    const auto second = [&](const Field& is_half) {
        if (!half_or_float) return *src_type;
        return flag(is_half) ? Type::HF : Type::F;
    };
    return three_source_operand(0, *src_type) &&
           three_source_operand(1, second(field3::Src1Half)) &&
           three_source_operand(2, second(field3::Src2Half));
}

bool Decoder::three_source_operand(unsigned index, Type type) {
    const ThreeSourceOperandFields& fields = field3::Src[index];
    Operand& operand = inst_.src[index];
    operand.file = RegFile::Grf;
    operand.type = type;
    operand.absolute = (get(fields.modifier) & 1) != 0;
    operand.negate = (get(fields.modifier) & 2) != 0;
    operand.reg = get8(fields.reg);
    operand.subreg = static_cast<std::uint8_t>(get(fields.subreg) * kThreeSourceSrcSubRegBytes);
    operand.replicate = flag(fields.rep_ctrl);
    operand.vert_stride = operand.replicate ? 0 : 4;
    operand.width = operand.replicate ? 1 : 4;
    operand.horz_stride = operand.replicate ? 0 : 1;
    if (row_.has(kSpecialAcc)) {
        special_accumulator(operand, fields.special_acc);
    } else {
        operand.swizzle = get8(fields.swizzle);
    }
    return true;
}

}  // namespace gen9::isa
