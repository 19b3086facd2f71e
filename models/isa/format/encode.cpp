// SPDX-License-Identifier: Apache-2.0
#include "isa/format/encode.h"

#include "common/check.h"
#include "isa/opcodes.h"
#include "isa/types.h"

namespace gen9::isa {
namespace {

class Encoder {
  public:
    explicit Encoder(const Instruction& instruction)
        : inst_(instruction), row_(info(instruction.opcode)) {}
    Encoding run();

  private:
    void header();
    void operands();
    void one_source();
    void math();
    void three_source();
    void jmpi();
    void branch_register(bool pair);
    void call();
    void ret();
    void send();
    void sends();
    void half_return();
    void destination();
    void source(unsigned index, const SourceFields& fields);
    void immediate(const Operand& operand, const SourceFields& fields);
    void addr_imm(const Field& field, std::int16_t bytes);
    void offset_source(const SourceFields& fields, unsigned index);

    void put(const Field& field, std::uint64_t value) {
        field.set(out_.word, value);
        out_.significant = out_.significant | field.mask();
        GEN9_CHECK(field.get(out_.word) == value, std::string(field.name) + " does not fit");
    }
    /// A value assemblers write where nothing is read.
    void fill(const Field& field, std::uint64_t value) {
        field.set(out_.word, value);
        out_.filled = out_.filled | field.mask();
    }
    void put_file(const Field& field, RegFile file) {
        put(field, static_cast<std::uint64_t>(file));
    }
    void put_type(const Field& field, std::span<const Type> codes, Type type) {
        const auto code = code_of(codes, type);
        GEN9_CHECK(code.has_value(), std::string(field.name) + " cannot name this type");
        put(field, *code);
    }
    static std::uint64_t modifier(const Operand& operand) {
        return (operand.absolute ? 1u : 0u) | (operand.negate ? 2u : 0u);
    }

    const Instruction& inst_;
    const OpcodeInfo& row_;
    Encoding out_;
};

Encoding Encoder::run() {
    put(field::Opcode, row_.code);
    put(field::CmptCtrl, 0);
    put(field::DebugCtrl, inst_.breakpoint);
    if (row_.format == Format::NoOperands) return out_;
    header();
    operands();
    return out_;
}

void Encoder::header() {
    put(field::AccessMode, inst_.align16);
    put(field::NoDDClr, inst_.no_dd_clear);
    put(field::NoDDChk, inst_.no_dd_check);
    put(field::QtrCtrl, inst_.channel_offset / 8u);
    put(field::NibCtrl, inst_.channel_offset / 4u % 2u);
    put(field::ThreadCtrl, static_cast<std::uint64_t>(inst_.thread_ctrl));
    put(field::PredCtrl, static_cast<std::uint64_t>(inst_.pred_ctrl));
    put(field::PredInv, inst_.pred_invert);
    put(field::ExecSize, log_of(inst_.exec_size));
    switch (row_.format) {
        case Format::Math:
            put(field::CondModifier, static_cast<std::uint64_t>(inst_.math));
            break;
        case Format::Send:
        case Format::Sends:
            put(field_send::Sfid, inst_.sfid);
            break;
        default:
            put(field::CondModifier, static_cast<std::uint64_t>(inst_.cond_mod));
    }
    const bool is_send = row_.format == Format::Send || row_.format == Format::Sends;
    put(field::AccWrCtrl, is_send             ? inst_.no_src_dep_set
                          : row_.has(kBranch) ? inst_.branch_ctrl
                                              : inst_.acc_write);
    put(field::Saturate, inst_.saturate);
    put(field::FlagReg, inst_.flag_reg);
    put(field::FlagSubReg, inst_.flag_subreg);
    put(field::MaskCtrl, inst_.no_mask);
}

void Encoder::operands() {
    const auto file_immediate = static_cast<std::uint64_t>(RegFile::Imm);
    const auto type_d = *code_of(kImmediateTypes, Type::D);
    switch (row_.format) {
        case Format::NoOperands:
            return;
        case Format::OneSource:
        case Format::Wait:
            return one_source();
        case Format::TwoSource:
            destination();
            source(0, field::Src0);
            return source(1, field::Src1);
        case Format::ThreeSource:
            return three_source();
        case Format::Math:
            return math();
        case Format::Jmpi:
            return jmpi();
        case Format::Branch2:
            fill(field::Dst.horz_stride, stride_code(1));
            fill(field::Src0.reg_file, file_immediate);
            fill(field::Src0.type, type_d);
            put(field::Uip, static_cast<std::uint32_t>(inst_.uip));
            return put(field::Jip, static_cast<std::uint32_t>(inst_.jip));
        case Format::Branch1:
            fill(field::Dst.horz_stride, stride_code(1));
            fill(field::Src1.reg_file, file_immediate);
            fill(field::Src1.type, type_d);
            return put(field::Jip, static_cast<std::uint32_t>(inst_.jip));
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
}

void Encoder::one_source() {
    destination();
    source(0, field::Src0);
}

void Encoder::math() {
    destination();
    source(0, field::Src0);
    const bool two = math_sources(static_cast<unsigned>(inst_.math)) == 2;
    if (two) {
        source(1, field::Src1);
    } else if (inst_.src[0].file != RegFile::Imm) {
        put_file(field::Src1.reg_file, inst_.src[1].file);
        put(field::Src1.reg, inst_.src[1].reg);
    }
    if (!uses_special_acc(inst_.math)) return;
    put(field::Dst.chan_enable, inst_.dst.special_acc);
    if (inst_.src[0].file != RegFile::Imm) {
        fill(field::Src0.swizzle, 0);
        put(field::Src0.special_acc, inst_.src[0].special_acc);
    }
    if (two && inst_.src[1].file != RegFile::Imm) {
        fill(field::Src1.swizzle, 0);
        put(field::Src1.special_acc, inst_.src[1].special_acc);
    }
}

void Encoder::addr_imm(const Field& field, std::int16_t bytes) {
    const auto value = static_cast<std::uint64_t>(static_cast<std::uint16_t>(bytes) & 0x3FFu);
    put(field, field.width() == 10 ? value : value >> 4);
}

void Encoder::destination() {
    const DestinationFields& fields = field::Dst;
    const Operand& dst = inst_.dst;
    put_file(fields.reg_file, dst.file);
    put_type(fields.type, kRegisterTypes, dst.type);
    put(fields.horz_stride, stride_code(dst.horz_stride));
    put(fields.addr_mode, dst.indirect);
    if (inst_.align16) put(fields.chan_enable, dst.chan_enable);
    if (dst.indirect) {
        put(fields.addr_subreg, dst.addr_subreg);
        addr_imm(inst_.align16 ? fields.addr_imm16 : fields.addr_imm, dst.addr_imm);
        return;
    }
    put(fields.reg, dst.reg);
    if (inst_.align16) {
        put(fields.subreg16, dst.subreg / kAlign16SubRegBytes);
    } else {
        put(fields.subreg, dst.subreg);
    }
}

void Encoder::source(unsigned index, const SourceFields& fields) {
    const Operand& operand = inst_.src[index];
    put_file(fields.reg_file, operand.file);
    if (operand.file == RegFile::Imm) return immediate(operand, fields);
    put_type(fields.type, kRegisterTypes, operand.type);
    put(fields.modifier, modifier(operand));
    put(fields.addr_mode, operand.indirect);
    put(fields.vert_stride,
        operand.multi_indirect ? kMultiIndirectStride : stride_code(operand.vert_stride));
    if (inst_.align16) {
        put(fields.swizzle, operand.swizzle);
    } else {
        put(fields.width, log_of(operand.width));
        put(fields.horz_stride, stride_code(operand.horz_stride));
    }
    if (operand.indirect) {
        put(fields.addr_subreg, operand.addr_subreg);
        addr_imm(inst_.align16 ? fields.addr_imm16 : fields.addr_imm, operand.addr_imm);
        return;
    }
    put(fields.reg, operand.reg);
    if (inst_.align16) {
        put(fields.subreg16, operand.subreg / kAlign16SubRegBytes);
    } else {
        put(fields.subreg, operand.subreg);
    }
}

void Encoder::immediate(const Operand& operand, const SourceFields& fields) {
    put_type(fields.type, kImmediateTypes, operand.type);
    put(size_bytes(operand.type) == 8 ? field::Imm64 : field::Imm32, operand.immediate);
}

void Encoder::three_source() {
    const Operand& dst = inst_.dst;
    const Type type = inst_.src[0].type;
    put_type(field3::SrcType, kThreeSourceTypes, type);
    put_type(field3::DstType, kThreeSourceTypes, dst.type);
    put(field3::DstReg, dst.reg);
    put(field3::DstSubReg, dst.subreg / kThreeSourceDstSubRegBytes);
    put(field3::ChanEn, row_.has(kSpecialAcc) ? dst.special_acc : dst.chan_enable);
    if (type == Type::F || type == Type::HF) {
        put(field3::Src1Half, inst_.src[1].type == Type::HF);
        put(field3::Src2Half, inst_.src[2].type == Type::HF);
    }
    for (unsigned i = 0; i < 3; ++i) {
        const ThreeSourceOperandFields& fields = field3::Src[i];
        const Operand& operand = inst_.src[i];
        put(fields.modifier, modifier(operand));
        put(fields.reg, operand.reg);
        put(fields.subreg, operand.subreg / kThreeSourceSrcSubRegBytes);
        put(fields.rep_ctrl, operand.replicate);
        if (row_.has(kSpecialAcc)) {
            put(fields.special_acc, operand.special_acc);
        } else {
            put(fields.swizzle, operand.swizzle);
        }
    }
}

/// The offset of jmpi, call and calla: a register, or 32 bits where a second source has its own.
void Encoder::offset_source(const SourceFields& fields, unsigned index) {
    if (inst_.jip_from_register) return source(index, fields);
    put_file(fields.reg_file, RegFile::Imm);
    put_type(fields.type, kImmediateTypes, inst_.src[index].type);
    put(field::Jip, static_cast<std::uint32_t>(inst_.jip));
}

void Encoder::jmpi() {
    const auto ip = static_cast<std::uint64_t>(Arf::Ip) << 4;
    fill(field::Dst.reg, ip);
    fill(field::Dst.horz_stride, stride_code(1));
    fill(field::Src0.reg, ip);
    offset_source(field::Src1, 1);
}

void Encoder::branch_register(bool pair) {
    fill(field::Dst.reg, static_cast<std::uint64_t>(Arf::Ip) << 4);
    fill(field::Dst.type, *code_of(kRegisterTypes, Type::D));
    fill(field::Dst.horz_stride, stride_code(1));
    if (inst_.jip_from_register) return source(0, field::Src0);
    put_file(field::Src0.reg_file, RegFile::Imm);
    fill(field::Src0.type, *code_of(kImmediateTypes, Type::D));
    put(field::Jip, static_cast<std::uint32_t>(inst_.jip));
    if (pair) put(field::Uip, static_cast<std::uint32_t>(inst_.uip));
}

void Encoder::call() {
    destination();
    fill(field::Src0.horz_stride, stride_code(1));
    fill(field::Src0.width, log_of(2));
    fill(field::Src0.vert_stride, stride_code(2));
    offset_source(field::Src1, 1);
}

void Encoder::ret() {
    fill(field::Dst.horz_stride, stride_code(1));
    source(0, field::Src0);
}

/// Beside a descriptor in a0 assemblers repeat what the operand types say: 16-bit data.
void Encoder::half_return() {
    fill(field_send::HalfReturn, inst_.dst.type == Type::HF || inst_.src[0].type == Type::HF);
}

void Encoder::send() {
    namespace f = field_send;
    destination();
    const Operand& payload = inst_.src[0];
    put_file(field::Src0.reg_file, payload.file);
    put_type(field::Src0.type, kRegisterTypes, payload.type);
    put(f::Src0AddrMode, payload.indirect);
    if (payload.indirect) {
        put(f::Src0AddrSubReg, payload.addr_subreg);
        addr_imm(f::Src0AddrImm, payload.addr_imm);
    } else {
        put(f::Src0Reg, payload.reg);
    }
    put_file(f::DescFile, inst_.descriptor_from_a0 ? RegFile::Arf : RegFile::Imm);
    if (inst_.descriptor_from_a0) {
        fill(field::Src1.reg, static_cast<std::uint64_t>(Arf::Address) << 4);
        half_return();
    } else {
        put(f::Desc, inst_.descriptor);
    }
    put(f::ExDescHigh, inst_.extended_descriptor >> 24);
    put(f::ExDescLow, inst_.extended_descriptor >> 16 & 0xFF);
    put(f::Eot, inst_.end_of_thread);
}

void Encoder::sends() {
    namespace f = field_sends;
    const Operand& dst = inst_.dst;
    put(f::DstIsGrf, dst.file == RegFile::Grf);
    put_type(f::DstType, kRegisterTypes, dst.type);
    put(f::DstAddrMode, dst.indirect);
    if (dst.indirect) {
        put(f::DstAddrSubReg, dst.addr_subreg);
        addr_imm(f::DstAddrImm, dst.addr_imm);
    } else {
        put(f::DstReg, dst.reg);
    }
    const Operand& first = inst_.src[0];
    put(f::Src0AddrMode, first.indirect);
    if (first.indirect) {
        put(f::Src0AddrSubReg, first.addr_subreg);
        addr_imm(f::Src0AddrImm, first.addr_imm);
    } else {
        put(f::Src0Reg, first.reg);
    }
    put(f::Src1IsGrf, inst_.src[1].file == RegFile::Grf);
    put(f::Src1Reg, inst_.src[1].reg);

    put(f::DescFromRegister, inst_.descriptor_from_a0);
    if (inst_.descriptor_from_a0) {
        half_return();
    } else {
        put(f::Desc, inst_.descriptor);
    }
    put(f::ExDescFromRegister, inst_.extended_from_a0);
    put(f::ExDescLength, inst_.extended_descriptor >> kExtendedLengthShift & 0xF);
    if (inst_.extended_from_a0) {
        put(f::ExDescSubReg, inst_.extended_a0_subreg);
    } else {
        put(f::ExDescHigh, inst_.extended_descriptor >> 16);
    }
    put(f::Eot, inst_.end_of_thread);
}

}  // namespace

Encoding encode_word(const Instruction& instruction) {
    return Encoder(instruction).run();
}

std::array<std::uint8_t, 16> encode(const Instruction& instruction) {
    return encode_word(instruction).word.to_bytes();
}

}  // namespace gen9::isa
