// SPDX-License-Identifier: Apache-2.0
// Instructions of one channel do what the specialised functions (fast/) do, in general registers of
// the host.
#include "eu/jit/assembler.h"

#include <type_traits>

#include "common/units.h"
#include "eu/jit/form_facts.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using fast::Kind;
using fast::Lane;
using fast::Op;
using isa::CondMod;
using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

bool Assembler::knows_scalar(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    const bool raw_word = d.form.lane == Lane::U16 && d.form.op == Op::Move;
    if (!(has_lane_of_32(d) || raw_word) || d.fast.saturate || !sources_known(d)) return false;
    for (unsigned i = 0; i < d.form.sources; ++i)
        if (source_of(d, i).is_half) return false;
    const unsigned to = isa::size_bytes(in.dst.type);
    if (is_single(d)) {
        switch (d.form.op) {
            case Op::Add:
            case Op::Mul:
            case Op::Mad:
                return d.fast.condition == CondMod::None && in.dst.type == isa::Type::F &&
                       !in.dst.is_null();
            default:
                return false;
        }
    }
    switch (d.form.op) {
        case Op::Move:
        case Op::Not:
        case Op::Add:
        case Op::Sub:
        case Op::Mul:
        case Op::And:
        case Op::Or:
        case Op::Xor:
        case Op::Shl:
        case Op::Shr:
        case Op::Asr:
        case Op::Minimum:
        case Op::Maximum:
        case Op::Select:
            // Conditions are of the element, which must be the lane.
            return to <= 4 && (d.fast.condition == CondMod::None || to == 4) &&
                   (is_raw_move(d) || !isa::is_float(in.dst.type));
        case Op::Compare:
            return in.dst.is_null();
        default:
            return false;
    }
}

void Assembler::load_scalar(const Source& source, const Reg32& to) {
    if (source.way == Way::Constant) {
        mov(to, static_cast<std::uint32_t>(source.constant));
        return;
    }
    if (source.bytes == 4)
        mov(to, at(source.offset, 32));
    else if (source.is_signed)
        movsx(to, at(source.offset, 8 * source.bytes));
    else
        movzx(to, at(source.offset, 8 * source.bytes));
    modify_scalar(source, to);
}

void Assembler::modify_scalar(const Source& source, const Reg32& value) {
    if (source.modifier & FastOperands::kAbsolute) {
        if (source.is_float) {
            and_(value, 0x7FFFFFFF);
        } else {
            mov(r8d, value);
            neg(r8d);
            cmovns(value, r8d);
        }
    }
    if (source.modifier & FastOperands::kNegate) {
        if (source.is_float)
            xor_(value, 0x80000000);
        else
            neg(value);
    }
    if (source.modifier & FastOperands::kInvert) not_(value);
}

void Assembler::store_scalar(const DecodedInstruction& d, const Reg32& value) {
    switch (isa::size_bytes(d.instruction.dst.type)) {
        case 4:
            mov(at(d.fast.destination, 32), value);
            break;
        case 2:
            mov(at(d.fast.destination, 16), value.cvt16());
            break;
        default:
            mov(at(d.fast.destination, 8), value.cvt8());
    }
}

/// The flags of a comparison to one bit, into the flag register; `edx` is 1 here.
void Assembler::scalar_condition(const DecodedInstruction& d, CondMod condition, bool is_signed) {
    switch (condition) {
        case CondMod::Z:
            sete(al);
            break;
        case CondMod::NZ:
            setne(al);
            break;
        case CondMod::G:
            is_signed ? setg(al) : seta(al);
            break;
        case CondMod::GE:
            is_signed ? setge(al) : setae(al);
            break;
        case CondMod::L:
            is_signed ? setl(al) : setb(al);
            break;
        default:
            is_signed ? setle(al) : setbe(al);
    }
    movzx(eax, al);
    set_flag(d, true);
}

void Assembler::write_scalar(const DecodedInstruction& d, bool masked) {
    Label off;
    if (lanes_of(d, masked) != Lanes::All) {
        list_lanes(d, masked);
        test(edx, 1);
        jz(off, T_NEAR);
    }
    if (is_single(d))
        write_scalar_float(d);
    else
        write_scalar_integer(d);
    L(off);
}

void Assembler::write_scalar_float(const DecodedInstruction& d) {
    for (unsigned i = 0; i < d.form.sources; ++i) {
        const Source source = source_of(d, i);
        if (lies_as_it_is(source)) {
            vmovss(Xmm(int(2 * i)), at(source.offset, 32));
            continue;
        }
        load_scalar(source, eax);
        vmovd(Xmm(int(2 * i)), eax);
    }
    const Xmm a(kFirst), b(kSecond), c(kThird);
    switch (d.form.op) {
        case Op::Add:
            vaddss(a, a, b);
            break;
        case Op::Mul:
            vmulss(a, a, b);
            break;
        default:
            vfmadd231ss(a, b, c);
    }
    vmovss(at(d.fast.destination, 32), a);
}

/// eax is the first operand, and becomes the result; of a comparison come the host's flags.
template <class Second>
void Assembler::scalar_operation(const DecodedInstruction& d, const Second& b) {
    constexpr bool kConstant = std::is_same_v<Second, std::uint32_t>;
    switch (d.form.op) {
        case Op::Add:
            return add(eax, b);
        case Op::Sub:
            return sub(eax, b);
        case Op::Mul:
            if constexpr (kConstant)
                return imul(eax, eax, static_cast<int>(b));
            else
                return imul(eax, b);
        case Op::And:
            return and_(eax, b);
        case Op::Or:
            return or_(eax, b);
        case Op::Xor:
            return xor_(eax, b);
        case Op::Compare:
            return cmp(eax, b);
        default:
            break;
    }
    if constexpr (kConstant) {
        // The count has five bits.
        const auto count = static_cast<int>(b & 31);
        if (d.form.op == Op::Shl) return shl(eax, count);
        if (d.form.op == Op::Shr) return shr(eax, count);
        if (d.form.op == Op::Asr) return sar(eax, count);
    }
    if constexpr (!std::is_same_v<Second, Reg32>) mov(ecx, b);
    const bool is_signed = d.form.lane == Lane::I32;
    switch (d.form.op) {
        case Op::Shl:
            return shl(eax, cl);
        case Op::Shr:
            return shr(eax, cl);
        case Op::Asr:
            return sar(eax, cl);
        case Op::Minimum:
            cmp(eax, ecx);
            return is_signed ? cmovg(eax, ecx) : cmova(eax, ecx);
        case Op::Maximum:
            cmp(eax, ecx);
            return is_signed ? cmovl(eax, ecx) : cmovb(eax, ecx);
        default:  // Select
            predicate_bits(d, edx);
            test(edx, 1);
            cmovz(eax, ecx);
    }
}

void Assembler::write_scalar_integer(const DecodedInstruction& d) {
    const Source a = source_of(d, 0);
    load_scalar(a, eax);
    if (d.form.sources == 2) {
        const Source b = source_of(d, 1);
        if (b.way == Way::Constant) {
            scalar_operation(d, static_cast<std::uint32_t>(b.constant));
        } else if (lies_as_it_is(b)) {
            scalar_operation(d, at(b.offset, 32));
        } else {
            load_scalar(b, ecx);
            scalar_operation(d, ecx);
        }
        if (d.form.op == Op::Compare)
            return scalar_condition(d, d.form.condition, d.form.lane == Lane::I32);
    } else if (d.form.op == Op::Not) {
        not_(eax);
    }
    if (!d.instruction.dst.is_null()) store_scalar(d, eax);
    if (d.fast.condition == CondMod::None) return;
    if (d.fast.signed_result) {
        test(eax, eax);
    } else {
        cmp(eax, 0);
    }
    scalar_condition(d, d.fast.condition, d.fast.signed_result);
}

bool Assembler::sets_notification(const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const auto is_dword = [](isa::Type type) {
        return type == isa::Type::UD || type == isa::Type::D;
    };
    const isa::Operand& source = in.src[0];
    return in.opcode == isa::Opcode::Mov && in.exec_size == 1 && in.no_mask && !in.align16 &&
           in.pred_ctrl == isa::PredCtrl::None && in.cond_mod == CondMod::None && !in.saturate &&
           !in.acc_write && in.dst.is_arf(isa::Arf::Notification) && !in.dst.indirect &&
           is_dword(in.dst.type) && in.dst.subreg % 4 == 0 && in.dst.subreg < 12 &&
           source.file == isa::RegFile::Imm && is_dword(source.type) && !source.negate &&
           !source.absolute;
}

void Assembler::write_notification(const DecodedInstruction& d) {
    // n0.0 and n0.2 change places on a write (EU-106).
    const unsigned place = 8u - d.instruction.dst.subreg;
    mov(at(offsetof(Thread, notification) + place, 32),
        static_cast<std::uint32_t>(d.instruction.src[0].immediate));
}

}  // namespace gen9::eu::jit
