// SPDX-License-Identifier: Apache-2.0
#include "isa/decode.h"

#include "isa/compaction.h"
#include "isa/fields.h"
#include "isa/opcodes.h"
#include "isa/types.h"

namespace gen9::isa {
namespace {

/// Decodes one native word. Each step returns false after noting why the bits mean nothing.
class Decoder {
  public:
    Decoder(const NativeWord& word, const OpcodeInfo& row) : word_(word), row_(row) {
        inst_.opcode = row.opcode;
    }

    bool run();
    Instruction& instruction() { return inst_; }
    const char* why() const { return why_; }

  private:
    bool header();
    bool operands();
    bool one_source();
    bool two_source();
    bool three_source();
    bool math();
    bool jmpi();
    bool branch_register(bool pair);
    bool call();
    bool ret();
    bool send();
    bool sends();

    bool destination();
    bool source(unsigned index, const SourceFields& fields, bool immediate_allowed);
    bool immediate(Operand& operand, std::uint64_t type_code);
    bool register_source(Operand& operand, const SourceFields& fields);
    void special_accumulator(Operand& operand, const Field& field) {
        operand.special_acc = static_cast<std::uint8_t>(get(field));
    }
    bool three_source_operand(unsigned index, Type type);

    std::uint64_t get(const Field& field) const { return field.get(word_); }
    std::uint8_t get8(const Field& field) const {
        return static_cast<std::uint8_t>(field.get(word_));
    }
    bool flag(const Field& field) const { return field.get(word_) != 0; }
    /// Address immediate in bytes; the Align16 form leaves out the low four bits (EU-060).
    std::int16_t addr_imm(const Field& field) const {
        const std::uint64_t value = get(field);
        return static_cast<std::int16_t>(field.width() == 10 ? sign_extend(value, 10)
                                                             : sign_extend(value << 4, 10));
    }
    bool fail(const char* why) {
        why_ = why;
        return false;
    }

    const NativeWord& word_;
    const OpcodeInfo& row_;
    Instruction inst_;
    const char* why_ = "";
};

bool Decoder::run() {
    inst_.breakpoint = flag(field::DebugCtrl);
    if (row_.format == Format::NoOperands) return true;
    return header() && operands();
}

bool Decoder::header() {
    inst_.align16 = flag(field::AccessMode);
    inst_.no_dd_clear = flag(field::NoDDClr);
    inst_.no_dd_check = flag(field::NoDDChk);
    inst_.channel_offset =
        static_cast<std::uint8_t>(8 * get(field::QtrCtrl) + 4 * get(field::NibCtrl));
    if (get(field::ThreadCtrl) == 3) return fail("reserved ThreadCtrl");
    inst_.thread_ctrl = static_cast<ThreadCtrl>(get(field::ThreadCtrl));

    // EU-159, EU-160: Align16 has eight predicate controls, Align1 fourteen.
    if (get(field::PredCtrl) > (inst_.align16 ? 7u : 13u)) return fail("reserved PredCtrl");
    inst_.pred_ctrl = static_cast<PredCtrl>(get(field::PredCtrl));
    inst_.pred_invert = flag(field::PredInv);
    if (get(field::ExecSize) > 5) return fail("reserved ExecSize");
    inst_.exec_size = static_cast<std::uint8_t>(1u << get(field::ExecSize));

    const bool has_cond_mod =
        row_.format != Format::Math && row_.format != Format::Send && row_.format != Format::Sends;
    if (has_cond_mod) {
        const std::uint64_t code = get(field::CondModifier);
        if (code > 9 || code == 7) return fail("reserved CondModifier");
        inst_.cond_mod = static_cast<CondMod>(code);
    }
    const bool bit28 = flag(field::AccWrCtrl);
    if (row_.format == Format::Send || row_.format == Format::Sends) {
        inst_.no_src_dep_set = bit28;
    } else if (row_.has(kBranchCtrl)) {
        inst_.branch_ctrl = bit28;
    } else {
        inst_.acc_write = bit28;
    }
    inst_.saturate = flag(field::Saturate);
    inst_.flag_reg = get8(field::FlagReg);
    inst_.flag_subreg = get8(field::FlagSubReg);
    inst_.no_mask = flag(field::MaskCtrl);
    return true;
}

bool Decoder::operands() {
    switch (row_.format) {
        case Format::NoOperands:
            return true;
        case Format::OneSource:
        case Format::Wait:
            return one_source();
        case Format::TwoSource:
            return two_source();
        case Format::ThreeSource:
            return three_source();
        case Format::Math:
            return math();
        case Format::Jmpi:
            return jmpi();
        case Format::Branch2:
            inst_.uip = static_cast<std::int32_t>(get(field::Uip));
            [[fallthrough]];
        case Format::Branch1:
            inst_.jip = static_cast<std::int32_t>(get(field::Jip));
            return true;
        case Format::BranchRegister1:
            return branch_register(false);
        case Format::BranchRegister2:
            return branch_register(true);
        case Format::Call:
            return call();
        case Format::Ret:
            return ret();
        case Format::Send:
            return send();
        case Format::Sends:
            return sends();
    }
    return fail("unknown format");
}

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
    if (uses_special_acc(inst_.math)) {
        // EU-264: the accumulators take the places of ChanEn and the low half of ChanSel.
        if (!inst_.align16) return fail("invm and rsqrtm need Align16");
        inst_.dst.chan_enable = Operand{}.chan_enable;
        special_accumulator(inst_.dst, field::Dst.chan_enable);
        special_accumulator(inst_.src[0], field::Src0.special_acc);
        inst_.src[0].swizzle = Operand{}.swizzle;
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

bool Decoder::jmpi() {
    Operand ip;
    ip.file = RegFile::Arf;
    ip.reg = static_cast<std::uint8_t>(static_cast<unsigned>(Arf::Ip) << 4);
    ip.type = Type::D;
    ip.vert_stride = 0;
    inst_.dst = inst_.src[0] = ip;
    inst_.dst.horz_stride = 1;
    inst_.source_count = 2;
    if (!source(1, field::Src1, true)) return false;
    inst_.jip_from_register = inst_.src[1].file != RegFile::Imm;
    if (!inst_.jip_from_register) inst_.jip = static_cast<std::int32_t>(get(field::Jip));
    return true;
}

bool Decoder::branch_register(bool pair) {
    inst_.jip_from_register = get(field::Src0.reg_file) != static_cast<std::uint64_t>(RegFile::Imm);
    if (inst_.jip_from_register) {
        inst_.source_count = 1;
        return source(0, field::Src0, false);
    }
    inst_.jip = static_cast<std::int32_t>(get(field::Jip));
    if (pair) inst_.uip = static_cast<std::int32_t>(get(field::Uip));
    return true;
}

bool Decoder::call() {
    inst_.source_count = 2;
    if (!destination() || !source(1, field::Src1, true)) return false;
    inst_.jip_from_register = inst_.src[1].file != RegFile::Imm;
    if (!inst_.jip_from_register) inst_.jip = static_cast<std::int32_t>(get(field::Jip));
    return true;
}

bool Decoder::ret() {
    inst_.source_count = 1;
    return source(0, field::Src0, false);
}

bool Decoder::send() {
    namespace f = field_send;
    inst_.source_count = 1;
    if (!destination()) return false;
    inst_.sfid = get8(f::Sfid);
    inst_.end_of_thread = flag(f::Eot);

    Operand& payload = inst_.src[0];
    if (get(field::Src0.reg_file) > 1) return fail("payload is neither GRF nor ARF");
    payload.file = static_cast<RegFile>(get(field::Src0.reg_file));
    const auto type = type_of(kRegisterTypes, get(field::Src0.type));
    if (!type) return fail("reserved payload type");
    payload.type = *type;
    payload.indirect = flag(f::Src0AddrMode);
    if (payload.indirect) {
        payload.addr_subreg = get8(f::Src0AddrSubReg);
        payload.addr_imm = addr_imm(f::Src0AddrImm);
    } else {
        payload.reg = get8(f::Src0Reg);
    }

    const std::uint64_t descriptor_file = get(f::DescFile);
    if (descriptor_file == 2 || descriptor_file == 1)
        return fail("descriptor is neither immediate nor a0");
    inst_.descriptor_from_a0 = descriptor_file == 0;
    inst_.descriptor = static_cast<std::uint32_t>(get(f::Desc));
    inst_.extended_descriptor =
        static_cast<std::uint32_t>(get(f::ExDescHigh) << 24 | get(f::ExDescLow) << 16) |
        inst_.sfid | (inst_.end_of_thread ? kExtendedEot : 0);
    return true;
}

bool Decoder::sends() {
    namespace f = field_sends;
    inst_.source_count = 2;
    inst_.sfid = get8(field_send::Sfid);
    inst_.end_of_thread = flag(f::Eot);

    Operand& dst = inst_.dst;
    dst.file = flag(f::DstIsGrf) ? RegFile::Grf : RegFile::Arf;
    const auto type = type_of(kRegisterTypes, get(f::DstType));
    if (!type) return fail("reserved destination type");
    dst.type = *type;
    dst.horz_stride = 1;
    dst.indirect = flag(f::DstAddrMode);
    if (dst.indirect) {
        dst.addr_subreg = get8(f::DstAddrSubReg);
        dst.addr_imm = addr_imm(f::DstAddrImm);
    } else {
        dst.reg = get8(f::DstReg);
    }

    Operand& first = inst_.src[0];
    first.file = RegFile::Grf;
    first.indirect = flag(f::Src0AddrMode);
    if (first.indirect) {
        first.addr_subreg = get8(f::Src0AddrSubReg);
        first.addr_imm = addr_imm(f::Src0AddrImm);
    } else {
        first.reg = get8(f::Src0Reg);
    }
    Operand& second = inst_.src[1];
    second.file = flag(f::Src1IsGrf) ? RegFile::Grf : RegFile::Arf;
    second.reg = get8(f::Src1Reg);

    inst_.descriptor_from_a0 = flag(f::DescFromRegister);
    inst_.descriptor = static_cast<std::uint32_t>(get(f::Desc));
    inst_.extended_from_a0 = flag(f::ExDescFromRegister);
    inst_.extended_descriptor =
        inst_.sfid | (inst_.end_of_thread ? kExtendedEot : 0) |
        static_cast<std::uint32_t>(get(f::ExDescLength) << kExtendedLengthShift);
    if (inst_.extended_from_a0) {
        inst_.extended_a0_subreg = get8(f::ExDescSubReg);
    } else {
        inst_.extended_descriptor |= static_cast<std::uint32_t>(get(f::ExDescHigh) << 16);
    }
    return true;
}

DecodeResult illegal(unsigned length_bytes, const char* why) {
    DecodeResult result;
    result.instruction.length_bytes = static_cast<std::uint8_t>(length_bytes);
    result.instruction.compacted = length_bytes == 8;
    result.why = why;
    return result;
}

}  // namespace

DecodeResult decode(std::span<const std::uint8_t> bytes) {
    constexpr unsigned kCompactBytes = 8, kNativeBytes = 16;
    if (bytes.size() < kCompactBytes) return illegal(kNativeBytes, "fewer than 8 bytes");
    const auto first = load<std::uint64_t>(bytes.data());
    const bool compacted = is_compacted(first);
    const unsigned length = compacted ? kCompactBytes : kNativeBytes;
    if (bytes.size() < length) return illegal(length, "fewer than 16 bytes");

    // In the compact form bit 7 is DebugCtrl, in the native form reserved (EU-215).
    const auto code = static_cast<std::uint8_t>(compacted ? first & 0x7F : first & 0xFF);
    const OpcodeInfo* row = find(code);
    if (row == nullptr) return illegal(length, "undefined opcode");
    if (compacted && !row->has(kCompactable)) return illegal(length, "opcode has no compact form");

    const NativeWord word =
        compacted ? expand(first, *row) : NativeWord::from_bytes(bytes.first<kNativeBytes>());
    Decoder decoder(word, *row);
    if (!decoder.run()) return illegal(length, decoder.why());
    decoder.instruction().compacted = compacted;
    decoder.instruction().length_bytes = static_cast<std::uint8_t>(length);
    return {decoder.instruction(), true, ""};
}

}  // namespace gen9::isa
