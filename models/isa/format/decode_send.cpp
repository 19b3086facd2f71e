// SPDX-License-Identifier: Apache-2.0
#include "isa/format/decoder.h"
#include "isa/types.h"

namespace gen9::isa {

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
    if (!inst_.descriptor_from_a0) inst_.descriptor = static_cast<std::uint32_t>(get(f::Desc));
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
    if (!inst_.descriptor_from_a0) inst_.descriptor = static_cast<std::uint32_t>(get(f::Desc));
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

}  // namespace gen9::isa
