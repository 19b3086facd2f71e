// SPDX-License-Identifier: Apache-2.0
// Regions that are not packed DWords, brought into vectors of the host and back.
#include <algorithm>
#include <vector>

#include "common/units.h"
#include "eu/jit/assembler.h"
#include "eu/jit/form_facts.h"
#include "eu/jit/vector_parts.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"

namespace gen9::eu::jit {

using Xbyak::Address;
using Xbyak::Label;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

/// Picks the low DWord of each pair: of vshufps and, for four words of a vector, vpermq.
constexpr std::uint8_t kLowOfPairs = 0x88, kMiddleSwapped = 0xD8, kLowQuarters = 0x08;

}  // namespace

/// The low bits of each DWord as a DWord.
void Assembler::extend(const Xmm& value, unsigned bits, bool is_signed) {
    if (bits == 32) return;
    const auto rest = static_cast<std::uint8_t>(32 - bits);
    vpslld(value, value, rest);
    if (is_signed)
        vpsrad(value, value, rest);
    else
        vpsrld(value, value, rest);
}

/// Halves in the low words of DWords.
void Assembler::halves_to_singles(const Xmm& value) {
    const Xmm words(value.getIdx());
    if (level_ == Level::Avx512) {
        value.isZMM() ? vpmovdw(Ymm(value.getIdx()), value) : vpmovdw(words, value);
    } else {
        vpackusdw(value, value, value);
        if (value.isYMM()) vpermq(Ymm(value.getIdx()), Ymm(value.getIdx()), kLowQuarters);
    }
    value.isZMM() ? vcvtph2ps(value, Ymm(value.getIdx())) : vcvtph2ps(value, words);
}

/// The offsets of lanes from the first one's element.
Address Assembler::region_offsets(const Source& source, unsigned from_lane) {
    const isa::Operand& region = *source.operand;
    std::vector<std::uint32_t> offsets(16);
    const unsigned width = std::min<unsigned>(source.lanes, region.width);
    for (unsigned lane = 0; lane < source.lanes; ++lane)
        offsets[lane] =
            source.bytes * (lane / width * region.vert_stride + lane % width * region.horz_stride);
    return ptr[rip + offsets_[offsets] + int(4 * from_lane)];
}

/// A load may take bytes beside an element: they lie in the thread, too, and nothing uses them.
void Assembler::load_region(const Source& source, const Xmm& to, unsigned part, unsigned lanes) {
    const Xmm help(to.isZMM() ? Xmm(Zmm(kHelp)) : to.isYMM() ? Xmm(Ymm(kHelp)) : Xmm(int(kHelp)));
    const unsigned first = part * lanes;
    switch (source.way) {
        case Way::Spread:
            vmovups(to, at(source.offset + 4 * first));
            break;
        case Way::SpreadInWord:
            vpmovzxwd(to, at(source.offset + 2 * first));
            break;
        case Way::EveryOther:
            vmovups(to, at(source.offset + 8 * first));
            if (level_ == Level::Avx512) {
                vmovups(help, ramp(2, 4, 0));
                vpermt2d(to, help, at(source.offset + 8 * first + 4 * lanes));
            } else {
                vshufps(to, to, at(source.offset + 8 * first + 4 * lanes), kLowOfPairs);
                if (lanes == 8) vpermpd(Ymm(to.getIdx()), Ymm(to.getIdx()), kMiddleSwapped);
            }
            break;
        default: {
            vmovups(help, region_offsets(source, first));
            if (level_ == Level::Avx512) {
                kxnorw(k1, k1, k1);
                vpgatherdd(to | k1, ptr[thread_ + help + source.offset]);
            } else {
                const Xmm all = to.isYMM() ? Xmm(Ymm(kMore)) : Xmm(int(kMore));
                vpcmpeqd(all, all, all);
                vpgatherdd(to, ptr[thread_ + help + source.offset], all);
            }
        }
    }
    extend(to, 8 * source.bytes, source.is_signed && !source.is_half);
    if (source.is_half) halves_to_singles(to);
}

Assembler::Target Assembler::target_of(const DecodedInstruction& d) const {
    const isa::Instruction& in = d.instruction;
    const isa::Operand& dst = in.dst;
    if (dst.is_null()) return Target::Packed;
    if (!dst.is_grf()) return Target::None;
    const bool single = result_lane(d) == Lane::Single;
    const bool raw = is_raw_move(d) || d.form.op == Op::Compare;
    if (!raw && single != isa::is_float(dst.type)) return Target::None;
    const unsigned bytes = isa::size_bytes(dst.type),
                   stride = in.align16 || in.exec_size == 1 || dst.horz_stride == 0
                                ? 1
                                : dst.horz_stride,
                   step = bytes * stride;
    if (bytes > 4) return Target::None;
    // All lanes of a host vector are stored, some of them as they were.
    const unsigned lanes = std::max<unsigned>(in.exec_size, 4);
    if (d.fast.destination + std::size_t{lanes} * std::max(step, 4u) > kFileBytes)
        return Target::None;
    if (bytes == 4)
        return stride == 1 ? Target::Packed : stride == 2 ? Target::EveryOther : Target::None;
    return stride == 1 ? Target::Narrow : step == 4 ? Target::Spread : Target::None;
}

/// Between a host vector's low bytes and a place of 4 bytes or more.
void Assembler::move_bytes(const Xmm& value, const Address& place, unsigned bytes, bool to_memory) {
    const Xmm low(value.getIdx());
    switch (bytes) {
        case 4:
            to_memory ? vmovd(place, low) : vmovd(low, place);
            break;
        case 8:
            to_memory ? vmovq(place, low) : vmovq(low, place);
            break;
        case 16:
            to_memory ? vmovdqu(place, low) : vmovdqu(low, place);
            break;
        default:
            to_memory ? vmovdqu(place, Ymm(value.getIdx())) : vmovdqu(Ymm(value.getIdx()), place);
    }
}

/// DWords to packed words or bytes, their high bits dropped; for hosts without AVX-512 they must
/// fit, as masks of all ones do if they are taken for signed.
void Assembler::narrow(const Xmm& value, const Shape& shape, unsigned bytes) {
    const Xmm low(value.getIdx());
    const Ymm half(value.getIdx());
    if (level_ == Level::Avx512) {
        if (bytes == 2)
            shape.lanes == 16 ? vpmovdw(half, value) : vpmovdw(low, value);
        else
            vpmovdb(low, value);
        return;
    }
    vpackssdw(value, value, value);
    if (shape.lanes == 8) vpermq(half, half, kLowQuarters);
    if (bytes == 1) vpacksswb(low, low, low);
}

void Assembler::store_narrow(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    const unsigned bytes = isa::size_bytes(d.instruction.dst.type), size = bytes * shape.lanes;
    const bool halves = result_lane(d) == Lane::Single;
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(result_ + p, shape);
        const Xmm low(r.getIdx()), help{int(kHelp)}, more{int(kMore)};
        const Address place = at(d.fast.destination + p * size);
        if (halves) {
            shape.lanes == 16 ? vcvtps2ph(Ymm(r.getIdx()), r, 0) : vcvtps2ph(low, r, 0);
        } else if (level_ == Level::Avx512) {
            narrow(r, shape, bytes);
        } else {
            // Signed, so that packing does not change them.
            extend(r, 8 * bytes, true);
            narrow(r, shape, bytes);
        }
        if (lanes != Lanes::All) {
            const Xmm off = mask_of_part(d, shape, p, lanes, true);
            if (level_ == Level::Avx512) {
                const bool large = size == 32;
                const Xmm old = large ? Xmm(Ymm(int(kHelp))) : help,
                          now = large ? Xmm(Ymm(r.getIdx())) : low;
                move_bytes(old, place, size, false);
                bytes == 2 ? vmovdqu16(old | k1, now) : vmovdqu8(old | k1, now);
                move_bytes(old, place, size, true);
                continue;
            }
            if (off.getIdx() != help.getIdx()) vmovaps(reg(kHelp, shape), off);
            narrow(reg(kHelp, shape), shape, bytes);
            move_bytes(more, place, size, false);
            vpblendvb(low, low, more, help);
        }
        move_bytes(r, place, size, true);
    }
}

/// The bytes between the elements keep what was there.
void Assembler::store_spread(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    const unsigned bytes = isa::size_bytes(d.instruction.dst.type);
    const bool halves = result_lane(d) == Lane::Single;
    const Address element = constant(bytes == 2 ? 0xFFFF : 0xFF);
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(result_ + p, shape), help = reg(kHelp, shape), more = reg(kMore, shape);
        const Xmm low(r.getIdx());
        const Address place = at(d.fast.destination + p * 4 * shape.lanes);
        if (halves && shape.lanes == 16) {
            vcvtps2ph(Ymm(r.getIdx()), r, 0);
            vpmovzxwd(r, Ymm(r.getIdx()));
        } else if (halves) {
            vcvtps2ph(low, r, 0);
            vpmovzxwd(r, low);
        }
        if (lanes == Lanes::All) {
            vbroadcastss(help, element);
        } else {
            mask_of_part(d, shape, p, lanes, false);
            if (level_ == Level::Avx512) {
                vbroadcastss(help | k1 | T_z, element);
            } else {
                vbroadcastss(more, element);
                vandps(help, help, more);
            }
        }
        vandps(r, r, help);
        vandnps(more, help, place);
        vorps(r, r, more);
        vmovups(place, r);
    }
}

void Assembler::store_every_other(const DecodedInstruction& d, const Shape& shape, Lanes lanes) {
    constexpr std::uint32_t kEven = 0x55555555;
    for (unsigned p = 0; p < shape.parts; ++p) {
        const Xmm r = reg(result_ + p, shape);
        const std::size_t place = d.fast.destination + p * 8 * shape.lanes;
        if (level_ == Level::Avx512) {
            if (lanes == Lanes::All) {
                mov(ecx, kEven);
            } else {
                mask_of_part(d, shape, p, lanes, false);
                kmovd(ecx, k1);
                mov(r8d, kEven);
                pdep(ecx, ecx, r8d);
            }
            kmovd(k1, ecx);
            for (unsigned lane = 0; lane < shape.lanes; lane += 8) {
                const bool small = shape.lanes == 4;
                const Xmm old = small ? Xmm(Ymm(int(kHelp))) : Xmm(Zmm(int(kHelp))),
                          pairs = small ? Xmm(Ymm(int(kMore))) : Xmm(Zmm(int(kMore)));
                if (lane != 0) {
                    vextracti64x4(Ymm(r.getIdx()), Zmm(r.getIdx()), 1);
                    kshiftrd(k1, k1, 16);
                }
                small ? vpmovzxdq(pairs, Xmm(r.getIdx())) : vpmovzxdq(pairs, Ymm(r.getIdx()));
                vmovups(old, at(place + 8 * lane));
                vmovaps(old | k1, pairs);
                vmovups(at(place + 8 * lane), old);
            }
            continue;
        }
        const Xmm mask =
            lanes != Lanes::All ? mask_of_part(d, shape, p, lanes, true) : reg(kHelp, shape);
        for (unsigned lane = 0; lane < shape.lanes; lane += 4) {
            const Ymm pairs(kMore), off(kOther);
            if (lane != 0) vextracti128(Xmm(r.getIdx()), Ymm(r.getIdx()), 1);
            if (lane != 0 && lanes != Lanes::All) vextracti128(Xmm(kHelp), Ymm(mask.getIdx()), 1);
            vpmovzxdq(pairs, Xmm(r.getIdx()));
            if (lanes != Lanes::All) {
                vpmovzxdq(off, lane == 0 ? Xmm(mask.getIdx()) : Xmm(kHelp));
                vblendvps(pairs, pairs, at(place + 8 * lane), off);
            }
            vpblendd(pairs, pairs, at(place + 8 * lane), 0xAA);
            vmovups(at(place + 8 * lane), pairs);
        }
    }
}

}  // namespace gen9::eu::jit
