// SPDX-License-Identifier: Apache-2.0
// Instructions on lanes of 64 bits do what the specialised functions (fast/) do, in vectors of the
// host: one of eight lanes or, without AVX-512, two of four. Fewer than four lanes are some of four.
#include "eu/jit/assembler.h"

#include <algorithm>

#include "common/units.h"
#include "eu/jit/form_facts.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using fast::Lane;
using fast::Op;
using isa::CondMod;
using Xbyak::Address;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

constexpr std::uint64_t kGreatestInt = 0x41DF'FFFF'FFC0'0000, kLeastInt = 0xC1E0'0000'0000'0000,
                        kGreatestNatural = 0x41EF'FFFF'FFE0'0000;

}  // namespace

Assembler::Shape Assembler::wide_shape(const DecodedInstruction& d) const {
    if (d.instruction.exec_size != 8) return {1, 4};
    return level_ == Level::Avx512 ? Shape{1, 8} : Shape{2, 4};
}
Xmm Assembler::wide(unsigned number, const Shape& shape) {
    return shape.lanes == 8 ? Xmm(Zmm(int(number))) : Xmm(Ymm(int(number)));
}

bool Assembler::knows_wide(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    if (in.exec_size > 8 || !knows_wide_operation(d) || wide_target(d) == Target::None)
        return false;
    for (unsigned i = 0; i < d.form.sources; ++i)
        if (wide_source(d, i).way == Way::None) return false;
    return true;
}

Assembler::Source Assembler::wide_source(const DecodedInstruction& d, unsigned i) const {
    const FastOperands& f = d.fast;
    const isa::Operand& operand = d.instruction.src[i];
    const bool newer = level_ == Level::Avx512;
    Source s;
    s.type = operand.type;
    s.operand = &operand;
    s.lanes = d.instruction.exec_size;
    s.is_float = is_double(d);
    if (f.immediate[i]) {
        s.way = Way::Constant;
        s.constant = f.constant;
        return s;
    }
    s.offset = f.source[i];
    s.modifier = f.modifier[i];
    s.bytes = isa::size_bytes(operand.type);
    s.is_signed = isa::is_signed(operand.type);
    if (operand.file != isa::RegFile::Grf) return s;
    if (is_double(d)) {
        const bool known = operand.type == isa::Type::DF || operand.type == isa::Type::F ||
                           operand.type == isa::Type::D || (newer && operand.type == isa::Type::UD);
        if (!known) return s;
    } else {
        if (isa::is_float(operand.type) && !is_raw_move(d)) return s;
        if ((s.modifier & FastOperands::kAbsolute) != 0 && !newer) return s;
    }
    const Way way = way_of_region(d, operand, s.bytes);
    const bool integers = !is_double(d);
    switch (way) {
        case Way::Scalar:
        case Way::Packed:
        case Way::Narrow:
            // The packed elements of a QWord lane are of 64 bits, or narrower.
            s.way = way == Way::Packed && s.bytes < 8 ? Way::Narrow : way;
            break;
        case Way::EveryOther:
            if (integers) s.way = way;
            break;
        default:
            break;
    }
    return s;
}

Assembler::Target Assembler::wide_target(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    const isa::Operand& dst = in.dst;
    if (dst.is_null()) return Target::Packed;
    if (!dst.is_grf()) return Target::None;
    const bool raw = is_raw_move(d) || d.form.op == Op::Compare;
    if (is_double(d) && !raw) {
        const bool known = dst.type == isa::Type::DF || dst.type == isa::Type::F ||
                           dst.type == isa::Type::D ||
                           (level_ == Level::Avx512 && dst.type == isa::Type::UD);
        if (!known) return Target::None;
    } else if (!raw && isa::is_float(dst.type)) {
        return Target::None;
    }
    const unsigned bytes = isa::size_bytes(dst.type),
                   stride = in.align16 || in.exec_size == 1 || dst.horz_stride == 0
                                ? 1
                                : dst.horz_stride;
    const unsigned lanes = std::max<unsigned>(in.exec_size, 4);
    if (bytes < 4 || d.fast.destination + std::size_t{8} * lanes > kFileBytes) return Target::None;
    if (bytes == 8) return stride == 1 ? Target::Packed : Target::None;
    return stride == 1 ? Target::Narrow : stride == 2 ? Target::EveryOther : Target::None;
}

/// The low bits of each QWord as a QWord; without AVX-512 signed ones have 32.
void Assembler::extend_wide(const Xmm& value, unsigned bits, bool is_signed) {
    if (bits == 64) return;
    const auto rest = static_cast<std::uint8_t>(64 - bits);
    if (!is_signed) {
        vpsllq(value, value, rest);
        vpsrlq(value, value, rest);
    } else if (level_ == Level::Avx512) {
        vpsllq(value, value, rest);
        vpsraq(value, value, rest);
    } else {
        const Ymm help(kHelp), v(value.getIdx());
        vpshufd(help, v, 0xA0);
        vpsrad(help, help, 31);
        vpblendd(v, v, help, 0xAA);
    }
}

void Assembler::load_wide_scalar(const Source& source, const Xmm& to) {
    const Xmm low(to.getIdx());
    if (source.is_float) {
        switch (source.type) {
            case isa::Type::DF:
                vpbroadcastq(to, at(source.offset));
                return;
            case isa::Type::F:
                vcvtss2sd(low, low, at(source.offset, 32));
                break;
            case isa::Type::D:
                vcvtsi2sd(low, low, at(source.offset, 32));
                break;
            default:
                vcvtusi2sd(low, low, at(source.offset, 32));
        }
        vpbroadcastq(to, low);
        return;
    }
    if (source.bytes == 8) {
        vpbroadcastq(to, at(source.offset));
        return;
    }
    if (source.bytes == 4)
        source.is_signed ? movsxd(rax, at(source.offset, 32)) : mov(eax, at(source.offset, 32));
    else if (source.is_signed)
        movsx(rax, at(source.offset, 8 * source.bytes));
    else
        movzx(eax, at(source.offset, 8 * source.bytes));
    vmovq(low, rax);
    vpbroadcastq(to, low);
}

void Assembler::load_wide_part(const Source& source, const Xmm& to, unsigned part,
                               const Shape& shape) {
    const unsigned first = part * shape.lanes;
    const Address place = at(source.offset + first * source.bytes);
    if (source.way == Way::EveryOther) {
        vmovups(to, at(source.offset + 8 * first));
        extend_wide(to, 32, source.is_signed);
        return;
    }
    if (source.bytes == 8) {
        vmovups(to, place);
    } else if (source.is_float) {
        source.type == isa::Type::F   ? vcvtps2pd(to, place)
        : source.type == isa::Type::D ? vcvtdq2pd(to, place)
                                      : vcvtudq2pd(to, place);
    } else if (source.bytes == 4) {
        source.is_signed ? vpmovsxdq(to, place) : vpmovzxdq(to, place);
    } else if (source.bytes == 2) {
        source.is_signed ? vpmovsxwq(to, place) : vpmovzxwq(to, place);
    } else {
        source.is_signed ? vpmovsxbq(to, place) : vpmovzxbq(to, place);
    }
}

void Assembler::load_wide(const Source& source, unsigned first, const Shape& shape) {
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm to = wide(first + p, shape);
        if (source.way == Way::Constant)
            vpbroadcastq(to, wide_constant(source.constant));
        else if (source.way == Way::Scalar)
            load_wide_scalar(source, to);
        else
            load_wide_part(source, to, p, shape);
    }
    modify_wide(source, first, shape);
}

void Assembler::modify_wide(const Source& source, unsigned first, const Shape& shape) {
    const Xmm help = wide(kHelp, shape);
    for (unsigned p = 0; p < shape.parts && source.modifier != 0; ++p) {
        const Xmm v = wide(first + p, shape);
        if (source.modifier & FastOperands::kAbsolute) {
            if (source.is_float) {
                vpbroadcastq(help, wide_constant(~kSign));
                vandps(v, v, help);
            } else {
                vpabsq(v, v);
            }
        }
        if (source.modifier & FastOperands::kNegate) {
            if (source.is_float) {
                vpbroadcastq(help, wide_constant(kSign));
                vxorps(v, v, help);
            } else {
                vpxor(Xmm(int(kHelp)), Xmm(int(kHelp)), Xmm(int(kHelp)));
                vpsubq(v, help, v);
            }
        }
        if (source.modifier & FastOperands::kInvert) {
            vpbroadcastq(help, wide_constant(~std::uint64_t{0}));
            vxorps(v, v, help);
        }
    }
}

void Assembler::expand_wide(const Xmm& to, const Reg32& bits, unsigned part, bool inverted) {
    uses_wide_lane_bits_ = true;
    const Address lane_bits_of_part = ptr[rip + wide_lane_bits_ + int(32 * part)];
    const Ymm all(kBits);
    if (part == 0) {
        vmovd(Xmm(int(kBits)), bits);
        vpbroadcastq(all, Xmm(int(kBits)));
    }
    inverted ? vpandn(to, all, lane_bits_of_part) : vpand(to, all, lane_bits_of_part);
    vpcmpeqq(to, to, lane_bits_of_part);
}

/// Lanes become what the destination has: a conversion's result lies in the low half of its lane.
void Assembler::settle_wide_result(const DecodedInstruction& d, const Shape& shape) {
    const isa::Type to = d.instruction.dst.type;
    if (!is_double(d) || to == isa::Type::DF || d.form.op == Op::Compare ||
        d.instruction.dst.is_null())
        return;
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = wide(kFirst + p, shape), help = wide(kHelp, shape), more = wide(kMore, shape);
        const Xmm half = shape.lanes == 8 ? Xmm(Ymm(r.getIdx())) : Xmm(r.getIdx());
        if (to == isa::Type::F) {
            vcvtpd2ps(half, r);
        } else {
            // Clamps; NaN gives 0.
            const bool is_signed = to == isa::Type::D;
            if (level_ == Level::Avx512) {
                vcmppd(k1, r, r, kOrdered);
                vmovapd(r | k1 | T_z, r);
            } else {
                vcmppd(help, r, r, kOrdered);
                vandpd(r, r, help);
            }
            vpbroadcastq(help, wide_constant(is_signed ? kGreatestInt : kGreatestNatural));
            vpbroadcastq(more, wide_constant(is_signed ? kLeastInt : 0));
            vminpd(r, r, help);
            vmaxpd(r, r, more);
            is_signed ? vcvttpd2dq(half, r) : vcvttpd2udq(half, r);
        }
        vpmovzxdq(r, half);
    }
}

void Assembler::store_wide_part(const Xmm& value, std::size_t place, unsigned part,
                                const Shape& shape, Lanes lanes, Target target) {
    const Xmm help = wide(kHelp, shape);
    const bool all = lanes == Lanes::All;
    if (level_ == Level::Avx512) {
        if (!all) kmovd(k1, edx);
        if (target == Target::Narrow) {
            const Xmm half = shape.lanes == 8 ? Xmm(Ymm(value.getIdx())) : Xmm(value.getIdx()),
                      old = shape.lanes == 8 ? Xmm(Ymm(int(kHelp))) : Xmm(int(kHelp));
            vpmovqd(half, value);
            if (!all) {
                vmovups(old, at(place));
                vmovaps(old | k1, half);
            }
            vmovups(at(place), all ? half : old);
        } else if (target == Target::EveryOther) {
            mov(ecx, 0x5555);
            if (!all) pdep(ecx, edx, ecx);
            kmovd(k1, ecx);
            vmovups(help, at(place));
            vmovaps(help | k1, value);
            vmovups(at(place), help);
        } else if (all) {
            vmovups(at(place), value);
        } else {
            vmovups(help, at(place));
            vmovapd(help | k1, value);
            vmovups(at(place), help);
        }
        return;
    }
    const Ymm v(value.getIdx());
    const Xmm low(value.getIdx()), other{int(kMore)};
    if (!all) expand_wide(Ymm(kHelp), edx, part, true);
    if (target == Target::Narrow) {
        vextracti128(other, v, 1);
        vshufps(low, low, other, 0x88);
        if (!all) {
            vextracti128(other, Ymm(kHelp), 1);
            vshufps(Xmm(int(kHelp)), Xmm(int(kHelp)), other, 0x88);
            vblendvps(low, low, at(place), Xmm(int(kHelp)));
        }
        vmovups(at(place), low);
        return;
    }
    if (!all) vblendvpd(v, v, at(place), Ymm(kHelp));
    if (target == Target::EveryOther) vpblendd(v, v, at(place), 0xAA);
    vmovups(at(place), v);
}

void Assembler::store_wide(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    if (d.instruction.dst.is_null()) return;
    const Target target = wide_target(d);
    const unsigned step = target == Target::Narrow ? 4 : 8;
    for (unsigned p = 0; p < shape.parts; ++p)
        store_wide_part(wide(kFirst + p, shape), d.fast.destination + p * shape.lanes * step, p,
                        shape, lanes, target);
}

void Assembler::write_wide(const DecodedInstruction& d, bool masked) {
    const Shape shape = wide_shape(d);
    const bool all = d.instruction.exec_size >= 4 && lanes_of(d, masked) == Lanes::All;
    const Lanes lanes = all ? Lanes::All : Lanes::Listed;
    constexpr unsigned places[] = {kFirst, kSecond, kThird};
    for (unsigned i = 0; i < d.form.sources; ++i)
        load_wide(wide_source(d, i), places[i], shape);
    if (d.form.op == Op::Compare) {
        relation_wide(d, d.form.condition, shape, false);
        if (!all) list_lanes(d, masked);
        for (unsigned p = 0; p < shape.parts && !d.instruction.dst.is_null(); ++p) {
            if (level_ == Level::Avx512) {
                kmovd(k1, eax);
                vpmovm2q(wide(kFirst, shape), k1);
            } else {
                expand_wide(Ymm(kFirst + p), eax, p, false);
            }
        }
        set_flag(d, all);
        store_wide(d, shape, lanes);
        return;
    }
    operate_wide(d, shape);
    if (d.fast.saturate) saturate_wide(shape);
    const bool conditional = d.fast.condition != CondMod::None;
    if (conditional) relation_wide(d, d.fast.condition, shape, true);
    if (!all) list_lanes(d, masked);
    if (conditional) set_flag(d, all);  // leaves edx
    settle_wide_result(d, shape);
    store_wide(d, shape, lanes);
}

}  // namespace gen9::eu::jit
