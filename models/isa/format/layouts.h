// SPDX-License-Identifier: Apache-2.0
/// Which fields each native form has, and the proof that none of them share a bit (EU-298..EU-300).
#pragma once
#include "isa/format/fields.h"

namespace gen9::isa::layout {

using Rows = std::span<const Field* const>;

constexpr bool disjoint(std::initializer_list<Rows> parts) {
    NativeWord used;
    for (const Rows part : parts) {
        for (const Field* row : part) {
            const NativeWord mask = row->mask();
            if ((used & mask) != NativeWord{}) return false;
            used = used | mask;
        }
    }
    return true;
}

inline constexpr std::array<const Field*, 18> kHeader{
    &field::Opcode,       &field::AccessMode, &field::NoDDClr,  &field::NoDDChk,   &field::NibCtrl,
    &field::QtrCtrl,      &field::ThreadCtrl, &field::PredCtrl, &field::PredInv,   &field::ExecSize,
    &field::CondModifier, &field::AccWrCtrl,  &field::CmptCtrl, &field::DebugCtrl, &field::Saturate,
    &field::FlagSubReg,   &field::FlagReg,    &field::MaskCtrl};

inline constexpr std::array<const Field*, 6> kDstDirect1{
    &field::Dst.reg_file, &field::Dst.type,        &field::Dst.subreg,
    &field::Dst.reg,      &field::Dst.horz_stride, &field::Dst.addr_mode};
inline constexpr std::array<const Field*, 7> kDstDirect16{
    &field::Dst.reg_file, &field::Dst.type,        &field::Dst.subreg16, &field::Dst.chan_enable,
    &field::Dst.reg,      &field::Dst.horz_stride, &field::Dst.addr_mode};
inline constexpr std::array<const Field*, 6> kDstIndirect1{
    &field::Dst.reg_file,    &field::Dst.type,        &field::Dst.addr_imm,
    &field::Dst.addr_subreg, &field::Dst.horz_stride, &field::Dst.addr_mode};
inline constexpr std::array<const Field*, 7> kDstIndirect16{
    &field::Dst.reg_file,    &field::Dst.type,        &field::Dst.addr_imm16,
    &field::Dst.chan_enable, &field::Dst.addr_subreg, &field::Dst.horz_stride,
    &field::Dst.addr_mode};

template <const SourceFields& S>
inline constexpr std::array<const Field*, 9> kSrcDirect1{
    &S.reg_file,  &S.type,        &S.subreg, &S.reg,        &S.modifier,
    &S.addr_mode, &S.horz_stride, &S.width,  &S.vert_stride};
template <const SourceFields& S>
inline constexpr std::array<const Field*, 8> kSrcDirect16{&S.reg_file,  &S.type,       &S.subreg16,
                                                          &S.swizzle,   &S.reg,        &S.modifier,
                                                          &S.addr_mode, &S.vert_stride};
template <const SourceFields& S>
inline constexpr std::array<const Field*, 9> kSrcIndirect1{
    &S.reg_file,  &S.type,        &S.addr_imm, &S.addr_subreg, &S.modifier,
    &S.addr_mode, &S.horz_stride, &S.width,    &S.vert_stride};
template <const SourceFields& S>
inline constexpr std::array<const Field*, 8> kSrcIndirect16{
    &S.reg_file,    &S.type,     &S.addr_imm16, &S.swizzle,
    &S.addr_subreg, &S.modifier, &S.addr_mode,  &S.vert_stride};

inline constexpr std::array<const Field*, 1> kImm32{&field::Imm32};
inline constexpr std::array<const Field*, 1> kImm64{&field::Imm64};
inline constexpr std::array<const Field*, 4> kSrc0Type{&field::Src0.reg_file, &field::Src0.type,
                                                       &field::Src1.reg_file, &field::Src1.type};
inline constexpr std::array<const Field*, 2> kOffsets{&field::Jip, &field::Uip};

inline constexpr std::array<const Field*, 22> kThreeSource{
    &field3::Src2Half,        &field3::Src1Half,        &field3::SrcType,
    &field3::DstType,         &field3::Src[0].modifier, &field3::Src[1].modifier,
    &field3::Src[2].modifier, &field3::ChanEn,          &field3::DstSubReg,
    &field3::DstReg,          &field3::Src[0].rep_ctrl, &field3::Src[0].swizzle,
    &field3::Src[0].subreg,   &field3::Src[0].reg,      &field3::Src[1].rep_ctrl,
    &field3::Src[1].swizzle,  &field3::Src[1].subreg,   &field3::Src[1].reg,
    &field3::Src[2].rep_ctrl, &field3::Src[2].swizzle,  &field3::Src[2].subreg,
    &field3::Src[2].reg};

inline constexpr std::array<const Field*, 7> kSendDirect{
    &field_send::Src0Reg,   &field_send::Src0AddrMode, &field_send::ExDescHigh,
    &field_send::ExDescLow, &field_send::DescFile,     &field_send::Desc,
    &field_send::Eot};
inline constexpr std::array<const Field*, 8> kSendIndirect{
    &field_send::Src0AddrImm,  &field_send::Src0AddrSubReg,
    &field_send::Src0AddrMode, &field_send::ExDescHigh,
    &field_send::ExDescLow,    &field_send::DescFile,
    &field_send::Desc,         &field_send::Eot};

inline constexpr std::array<const Field*, 14> kSendsDirect{
    &field_sends::DstIsGrf,     &field_sends::Src1IsGrf,
    &field_sends::DstType,      &field_sends::Src1Reg,
    &field_sends::DstReg,       &field_sends::ExDescFromRegister,
    &field_sends::DstAddrMode,  &field_sends::ExDescLength,
    &field_sends::Src0Reg,      &field_sends::DescFromRegister,
    &field_sends::Src0AddrMode, &field_sends::ExDescHigh,
    &field_sends::Desc,         &field_sends::Eot};
inline constexpr std::array<const Field*, 16> kSendsIndirect{&field_sends::DstIsGrf,
                                                             &field_sends::Src1IsGrf,
                                                             &field_sends::DstType,
                                                             &field_sends::Src1Reg,
                                                             &field_sends::DstAddrImm,
                                                             &field_sends::DstAddrSubReg,
                                                             &field_sends::ExDescFromRegister,
                                                             &field_sends::DstAddrMode,
                                                             &field_sends::ExDescLength,
                                                             &field_sends::Src0AddrImm,
                                                             &field_sends::Src0AddrSubReg,
                                                             &field_sends::DescFromRegister,
                                                             &field_sends::Src0AddrMode,
                                                             &field_sends::ExDescSubReg,
                                                             &field_sends::Desc,
                                                             &field_sends::Eot};

using field::Src0, field::Src1;
static_assert(disjoint({kHeader, kDstDirect1, kSrcDirect1<Src0>, kSrcDirect1<Src1>}));
static_assert(disjoint({kHeader, kDstIndirect1, kSrcIndirect1<Src0>, kSrcIndirect1<Src1>}));
static_assert(disjoint({kHeader, kDstDirect16, kSrcDirect16<Src0>, kSrcDirect16<Src1>}));
static_assert(disjoint({kHeader, kDstIndirect16, kSrcIndirect16<Src0>, kSrcIndirect16<Src1>}));
static_assert(disjoint({kHeader, kDstDirect1, kSrcDirect1<Src0>, kImm32}));
static_assert(disjoint({kHeader, kDstDirect1, kSrc0Type, kImm32}));
static_assert(disjoint({kHeader, kDstDirect1, kImm64}));
static_assert(disjoint({kHeader, kOffsets}));
static_assert(disjoint({kHeader, kThreeSource}));
static_assert(disjoint({kHeader, kDstDirect1, kSendDirect}));
static_assert(disjoint({kHeader, kDstIndirect16, kSendIndirect}));
static_assert(disjoint({kHeader, kSendsDirect}));
static_assert(disjoint({kHeader, kSendsIndirect}));

}  // namespace gen9::isa::layout
