// SPDX-License-Identifier: Apache-2.0
/// Places of every field of a native instruction (eu-isa guide 3.2, EU-298..EU-300).
/// A field is a row: name and bit ranges, most significant first. A layout is the list of the
/// fields that one kind of instruction has; the assertions below prove that none overlap.
/// Nothing else in this folder knows a bit number of the native form.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/bits.h"

namespace gen9::isa {

/// The 128 bits of a native instruction; bit 0 is the lowest bit of the first byte.
struct NativeWord {
    std::uint64_t low = 0, high = 0;

    /// Bits high_bit..low_bit of one half; a range never crosses bit 64.
    constexpr std::uint64_t get(unsigned high_bit, unsigned low_bit) const {
        return low_bit < 64 ? bits<std::uint64_t>(low, high_bit, low_bit)
                            : bits<std::uint64_t>(high, high_bit - 64, low_bit - 64);
    }
    constexpr void set(unsigned high_bit, unsigned low_bit, std::uint64_t value) {
        if (low_bit < 64) {
            low = with_bits<std::uint64_t>(low, high_bit, low_bit, value);
        } else {
            high = with_bits<std::uint64_t>(high, high_bit - 64, low_bit - 64, value);
        }
    }
    constexpr std::uint32_t dword(unsigned index) const {
        return static_cast<std::uint32_t>((index < 2 ? low : high) >> (32 * (index & 1)));
    }
    static constexpr NativeWord from_bytes(std::span<const std::uint8_t, 16> bytes) {
        NativeWord word;
        for (unsigned i = 0; i < 8; ++i) {
            word.low |= std::uint64_t{bytes[i]} << (8 * i);
            word.high |= std::uint64_t{bytes[i + 8]} << (8 * i);
        }
        return word;
    }
    constexpr std::array<std::uint8_t, 16> to_bytes() const {
        std::array<std::uint8_t, 16> bytes{};
        for (unsigned i = 0; i < 8; ++i) {
            bytes[i] = static_cast<std::uint8_t>(low >> (8 * i));
            bytes[i + 8] = static_cast<std::uint8_t>(high >> (8 * i));
        }
        return bytes;
    }
    constexpr NativeWord operator&(const NativeWord& other) const {
        return {low & other.low, high & other.high};
    }
    constexpr NativeWord operator|(const NativeWord& other) const {
        return {low | other.low, high | other.high};
    }
    constexpr NativeWord operator^(const NativeWord& other) const {
        return {low ^ other.low, high ^ other.high};
    }
    constexpr NativeWord operator~() const { return {~low, ~high}; }
    constexpr bool operator==(const NativeWord&) const = default;
};

struct BitRange {
    std::uint8_t high, low;
};

/// A named field in at most three pieces.
struct Field {
    const char* name;
    std::array<BitRange, 3> pieces{};
    std::uint8_t count = 0;

    constexpr Field(const char* n, unsigned high, unsigned low)
        : Field(n, {{range(high, low)}}, 1) {}
    constexpr Field(const char* n, unsigned high1, unsigned low1, unsigned high2, unsigned low2)
        : Field(n, {{range(high1, low1), range(high2, low2)}}, 2) {}
    constexpr Field(const char* n, unsigned high1, unsigned low1, unsigned high2, unsigned low2,
                    unsigned high3, unsigned low3)
        : Field(n, {{range(high1, low1), range(high2, low2), range(high3, low3)}}, 3) {}

    constexpr unsigned width() const {
        unsigned total = 0;
        for (unsigned i = 0; i < count; ++i)
            total += pieces[i].high - pieces[i].low + 1u;
        return total;
    }
    constexpr std::uint64_t get(const NativeWord& word) const {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < count; ++i) {
            const unsigned piece_width = pieces[i].high - pieces[i].low + 1u;
            const std::uint64_t piece = word.get(pieces[i].high, pieces[i].low);
            value = piece_width == 64 ? piece : (value << piece_width) | piece;
        }
        return value;
    }
    constexpr void set(NativeWord& word, std::uint64_t value) const {
        for (unsigned i = count; i-- > 0;) {
            const unsigned piece_width = pieces[i].high - pieces[i].low + 1u;
            word.set(pieces[i].high, pieces[i].low, value);
            value = piece_width == 64 ? 0 : value >> piece_width;
        }
    }
    constexpr NativeWord mask() const {
        NativeWord word;
        set(word, ~std::uint64_t{0});
        return word;
    }

  private:
    constexpr Field(const char* n, std::array<BitRange, 3> p, unsigned c)
        : name(n), pieces(p), count(static_cast<std::uint8_t>(c)) {}
    static constexpr BitRange range(unsigned high, unsigned low) {
        return {static_cast<std::uint8_t>(high), static_cast<std::uint8_t>(low)};
    }
};

/// Fields at the same place in (nearly) every native instruction.
namespace field {
inline constexpr Field Opcode{"Opcode", 7, 0};
inline constexpr Field AccessMode{"AccessMode", 8, 8};
inline constexpr Field NoDDClr{"NoDDClr", 9, 9};
inline constexpr Field NoDDChk{"NoDDChk", 10, 10};
inline constexpr Field NibCtrl{"NibCtrl", 11, 11};
inline constexpr Field QtrCtrl{"QtrCtrl", 13, 12};
inline constexpr Field ThreadCtrl{"ThreadCtrl", 15, 14};
inline constexpr Field PredCtrl{"PredCtrl", 19, 16};
inline constexpr Field PredInv{"PredInv", 20, 20};
inline constexpr Field ExecSize{"ExecSize", 23, 21};
inline constexpr Field CondModifier{"CondModifier", 27, 24};  ///< also SFID, math FC
inline constexpr Field AccWrCtrl{"AccWrCtrl", 28, 28};        ///< also BranchCtrl, NoSrcDepSet
inline constexpr Field CmptCtrl{"CmptCtrl", 29, 29};
inline constexpr Field DebugCtrl{"DebugCtrl", 30, 30};
inline constexpr Field Saturate{"Saturate", 31, 31};
inline constexpr Field FlagSubReg{"FlagSubRegNum", 32, 32};
inline constexpr Field FlagReg{"FlagRegNum", 33, 33};
inline constexpr Field MaskCtrl{"MaskCtrl", 34, 34};

inline constexpr Field Imm32{"Imm32", 127, 96};
inline constexpr Field Imm64{"Imm64", 127, 96, 95, 64};
inline constexpr Field Jip{"JIP", 127, 96};
inline constexpr Field Uip{"UIP", 95, 64};
}  // namespace field

/// Destination of one- and two-source instructions and of send.
struct DestinationFields {
    Field reg_file{"Dst.RegFile", 36, 35};
    Field type{"Dst.DataType", 40, 37};
    Field subreg{"Dst.SubRegNum", 52, 48};
    Field subreg16{"Dst.SubRegNum[4]", 52, 52};
    Field chan_enable{"Dst.ChanEn", 51, 48};  ///< INVM, RSQRTM: special accumulator
    Field reg{"Dst.RegNum", 60, 53};
    Field horz_stride{"Dst.HorzStride", 62, 61};
    Field addr_mode{"Dst.AddrMode", 63, 63};
    Field addr_imm{"Dst.AddrImm", 47, 47, 56, 48};
    Field addr_imm16{"Dst.AddrImm[9:4]", 47, 47, 56, 52};
    Field addr_subreg{"Dst.AddrSubRegNum", 60, 57};
};
/// Source of one- and two-source instructions.
struct SourceFields {
    Field reg_file, type, subreg, subreg16, swizzle, special_acc, reg, modifier, addr_mode;
    Field horz_stride, width, vert_stride, addr_imm, addr_imm16, addr_subreg;
};
namespace field {
inline constexpr DestinationFields Dst;
inline constexpr SourceFields Src0{.reg_file{"Src0.RegFile", 42, 41},
                                   .type{"Src0.DataType", 46, 43},
                                   .subreg{"Src0.SubRegNum", 68, 64},
                                   .subreg16{"Src0.SubRegNum[4]", 68, 68},
                                   .swizzle{"Src0.ChanSel", 83, 80, 67, 64},
                                   .special_acc{"Src0.SpecialAcc", 67, 64},
                                   .reg{"Src0.RegNum", 76, 69},
                                   .modifier{"Src0.SrcMod", 78, 77},
                                   .addr_mode{"Src0.AddrMode", 79, 79},
                                   .horz_stride{"Src0.HorzStride", 81, 80},
                                   .width{"Src0.Width", 84, 82},
                                   .vert_stride{"Src0.VertStride", 88, 85},
                                   .addr_imm{"Src0.AddrImm", 95, 95, 72, 64},
                                   .addr_imm16{"Src0.AddrImm[9:4]", 95, 95, 72, 68},
                                   .addr_subreg{"Src0.AddrSubRegNum", 76, 73}};
inline constexpr SourceFields Src1{.reg_file{"Src1.RegFile", 90, 89},
                                   .type{"Src1.DataType", 94, 91},
                                   .subreg{"Src1.SubRegNum", 100, 96},
                                   .subreg16{"Src1.SubRegNum[4]", 100, 100},
                                   .swizzle{"Src1.ChanSel", 115, 112, 99, 96},
                                   .special_acc{"Src1.SpecialAcc", 99, 96},
                                   .reg{"Src1.RegNum", 108, 101},
                                   .modifier{"Src1.SrcMod", 110, 109},
                                   .addr_mode{"Src1.AddrMode", 111, 111},
                                   .horz_stride{"Src1.HorzStride", 113, 112},
                                   .width{"Src1.Width", 116, 114},
                                   .vert_stride{"Src1.VertStride", 120, 117},
                                   .addr_imm{"Src1.AddrImm", 121, 121, 104, 96},
                                   .addr_imm16{"Src1.AddrImm[9:4]", 121, 121, 104, 100},
                                   .addr_subreg{"Src1.AddrSubRegNum", 108, 105}};
}  // namespace field

/// Three-source instructions: always Align16, general registers only.
struct ThreeSourceOperandFields {
    Field modifier, rep_ctrl, swizzle, special_acc, subreg, reg;
};
namespace field3 {
inline constexpr Field Src2Half{"Src2.IsHF", 35, 35};
inline constexpr Field Src1Half{"Src1.IsHF", 36, 36};
inline constexpr Field SrcType{"Src.DataType", 45, 43};
inline constexpr Field DstType{"Dst.DataType", 48, 46};
inline constexpr Field ChanEn{"Dst.ChanEn", 52, 49};  ///< madm: special accumulator
inline constexpr Field DstSubReg{"Dst.SubRegNum", 55, 53};
inline constexpr Field DstReg{"Dst.RegNum", 63, 56};
/// Sub-registers are in words here: {SubRegNum[4:2], SubRegNum[1]}.
inline constexpr std::array<ThreeSourceOperandFields, 3> Src{{
    {{"Src0.SrcMod", 38, 37},
     {"Src0.RepCtrl", 64, 64},
     {"Src0.ChanSel", 72, 65},
     {"Src0.SpecialAcc", 68, 65},
     {"Src0.SubRegNum", 75, 73, 84, 84},
     {"Src0.RegNum", 83, 76}},
    {{"Src1.SrcMod", 40, 39},
     {"Src1.RepCtrl", 85, 85},
     {"Src1.ChanSel", 93, 86},
     {"Src1.SpecialAcc", 89, 86},
     {"Src1.SubRegNum", 96, 94, 105, 105},
     {"Src1.RegNum", 104, 97}},
    {{"Src2.SrcMod", 42, 41},
     {"Src2.RepCtrl", 106, 106},
     {"Src2.ChanSel", 114, 107},
     {"Src2.SpecialAcc", 110, 107},
     {"Src2.SubRegNum", 117, 115, 126, 126},
     {"Src2.RegNum", 125, 118}},
}};
}  // namespace field3

/// send, sendc: the destination as elsewhere, then
namespace field_send {
inline constexpr Field Sfid{"SFID", 27, 24};
inline constexpr Field NoSrcDepSet{"NoSrcDepSet", 28, 28};
inline constexpr Field Src0Reg{"Src0.RegNum", 76, 69};
inline constexpr Field Src0AddrMode{"Src0.AddrMode", 79, 79};
inline constexpr Field Src0AddrImm{"Src0.AddrImm[9:4]", 95, 95, 72, 68};
inline constexpr Field Src0AddrSubReg{"Src0.AddrSubRegNum", 76, 73};
inline constexpr Field ExDescHigh{"ExDesc[31:24]", 94, 91, 88, 85};
inline constexpr Field ExDescLow{"ExDesc[23:16]", 83, 80, 67, 64};
inline constexpr Field DescFile{"Src1.RegFile", 90, 89};  ///< immediate, or ARF for a0.0
inline constexpr Field Desc{"Desc", 126, 96};
inline constexpr Field HalfReturn{"Desc[30]", 126, 126};  ///< also beside a register descriptor
inline constexpr Field Eot{"EOT", 127, 127};
}  // namespace field_send

/// sends, sendsc.
namespace field_sends {
inline constexpr Field DstIsGrf{"Dst.RegFile", 35, 35};
inline constexpr Field Src1IsGrf{"Src1.RegFile", 36, 36};
inline constexpr Field DstType{"Dst.DataType", 40, 37};
inline constexpr Field Src1Reg{"Src1.RegNum", 51, 44};
inline constexpr Field DstReg{"Dst.RegNum", 60, 53};
inline constexpr Field DstAddrSubReg{"Dst.AddrSubRegNum", 60, 57};
inline constexpr Field DstAddrImm{"Dst.AddrImm[9:4]", 62, 62, 56, 52};
inline constexpr Field ExDescFromRegister{"SelReg32ExDesc", 61, 61};
inline constexpr Field DstAddrMode{"Dst.AddrMode", 63, 63};
inline constexpr Field ExDescLength{"ExDesc[9:6]", 67, 64};
inline constexpr Field Src0Reg{"Src0.RegNum", 76, 69};
inline constexpr Field Src0AddrSubReg{"Src0.AddrSubRegNum", 76, 73};
inline constexpr Field Src0AddrImm{"Src0.AddrImm[9:4]", 78, 78, 72, 68};
inline constexpr Field DescFromRegister{"SelReg32Desc", 77, 77};
inline constexpr Field Src0AddrMode{"Src0.AddrMode", 79, 79};
inline constexpr Field ExDescHigh{"ExDesc[31:16]", 95, 80};
inline constexpr Field ExDescSubReg{"ExDescRegNum", 82, 80};
inline constexpr Field Desc{"Desc", 126, 96};
inline constexpr Field Eot{"EOT", 127, 127};
}  // namespace field_sends

}  // namespace gen9::isa
