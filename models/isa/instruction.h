// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::isa {

/// Every opcode of Gen9 by meaning (eu-isa guide I-K); the hardware code is in its table row.
enum class Opcode : std::uint8_t {
    Illegal,
    Mov,
    Sel,
    Movi,
    Not,
    And,
    Or,
    Xor,
    Shr,
    Shl,
    Smov,
    Asr,
    Cmp,
    Cmpn,
    Csel,
    Bfrev,
    Bfe,
    Bfi1,
    Bfi2,
    Jmpi,
    Brd,
    If,
    Brc,
    Else,
    Endif,
    While,
    Break,
    Cont,
    Halt,
    Calla,
    Call,
    Ret,
    Goto,
    Join,
    Wait,
    Send,
    Sendc,
    Sends,
    Sendsc,
    Math,
    Add,
    Mul,
    Avg,
    Frc,
    Rndu,
    Rndd,
    Rnde,
    Rndz,
    Mac,
    Mach,
    Lzd,
    Fbh,
    Fbl,
    Cbit,
    Addc,
    Subb,
    Sad2,
    Sada2,
    Dp4,
    Dph,
    Dp3,
    Dp2,
    Line,
    Pln,
    Mad,
    Lrp,
    Madm,
    Nop,
    Count
};

enum class Type : std::uint8_t { UD, D, UW, W, UB, B, DF, F, UQ, Q, HF, UV, VF, V };
/// Bytes of an element; the packed vector immediates count as the type they expand to (W, W, F).
constexpr unsigned size_bytes(Type type) {
    switch (type) {
        case Type::UB:
        case Type::B:
            return 1;
        case Type::UW:
        case Type::W:
        case Type::HF:
        case Type::UV:
        case Type::V:
            return 2;
        case Type::UD:
        case Type::D:
        case Type::F:
        case Type::VF:
            return 4;
        case Type::DF:
        case Type::UQ:
        case Type::Q:
            return 8;
    }
    return 0;
}
constexpr bool is_float(Type type) {
    return type == Type::F || type == Type::DF || type == Type::HF || type == Type::VF;
}
constexpr bool is_signed(Type type) {
    return type == Type::D || type == Type::W || type == Type::B || type == Type::Q ||
           type == Type::V;
}

enum class RegFile : std::uint8_t { Arf = 0, Grf = 1, Imm = 3 };

/// Architecture registers by RegNum[7:4] (EU-069); RegNum[3:0] is the register of the kind.
enum class Arf : std::uint8_t {
    Null = 0,
    Address = 1,
    Accumulator = 2,
    Flag = 3,
    ChannelEnable = 4,
    Message = 5,
    StackPointer = 6,
    State = 7,
    Control = 8,
    Notification = 9,
    Ip = 10,
    ThreadDependency = 11,
    Timestamp = 12,
    FlowControl = 13,
    Debug = 15,
};

enum class PredCtrl : std::uint8_t {  ///< Align1 meaning (EU-159); Align16 codes 2..5 replicate
                                      ///< x..w (EU-160)
    None,
    Sequential,
    AnyV,
    AllV,
    Any2H,
    All2H,
    Any4H,
    All4H,
    Any8H,
    All8H,
    Any16H,
    All16H,
    Any32H,
    All32H,
};
enum class CondMod : std::uint8_t {
    None = 0,
    Z = 1,
    NZ = 2,
    G = 3,
    GE = 4,
    L = 5,
    LE = 6,
    O = 8,
    U = 9
};
enum class ThreadCtrl : std::uint8_t { Normal = 0, Atomic = 1, Switch = 2 };
enum class MathFunction : std::uint8_t {
    Inv = 1,
    Log = 2,
    Exp = 3,
    Sqrt = 4,
    Rsq = 5,
    Sin = 6,
    Cos = 7,
    Fdiv = 9,
    Pow = 10,
    IntDivBoth = 11,
    IntQuotient = 12,
    IntRemainder = 13,
    Invm = 14,
    Rsqtm = 15,
};

/// A decoded operand. Strides and widths are in elements, not in field encodings.
struct Operand {
    RegFile file = RegFile::Arf;
    Type type = Type::UD;
    bool negate = false;  ///< bitwise not on and/or/xor/not
    bool absolute = false;
    bool indirect = false;        ///< register-indirect through a0
    bool multi_indirect = false;  ///< VertStride 1111: Vx1, or VxH when width is 1
    bool replicate = false;       ///< RepCtrl of a three-source operand
    std::uint8_t reg = 0;         ///< GRF number, or ARF RegNum (kind in 7:4)
    std::uint8_t subreg = 0;      ///< byte offset in the register
    std::uint8_t vert_stride = 0, width = 1, horz_stride = 0;  ///< destination: horz_stride only
    std::uint8_t swizzle = 0xE4;     ///< Align16 ChanSel, x in 1:0 .. w in 7:6
    std::uint8_t chan_enable = 0xF;  ///< Align16 destination
    std::uint8_t special_acc = 8;    ///< madm, invm, rsqrtm: 0..7 = acc2..acc9, 8 none
    std::uint8_t addr_subreg = 0;    ///< indirect: word of a0
    std::int16_t addr_imm = 0;       ///< indirect: bytes
    std::uint64_t immediate = 0;     ///< raw bits; 32-bit immediates in the low half

    bool is_null() const { return file == RegFile::Arf && reg >> 4 == 0; }
    bool is_grf() const { return file == RegFile::Grf; }
    bool is_arf(Arf kind) const {
        return file == RegFile::Arf && reg >> 4 == static_cast<int>(kind);
    }
    bool operator==(const Operand&) const = default;
};

/// One instruction in neutral form: all that its bits say, with names (eu-isa guide 3.2).
struct Instruction {
    Opcode opcode = Opcode::Illegal;
    bool compacted = false;
    std::uint8_t length_bytes = 16;  ///< in memory: 8 when compacted
    bool align16 = false;
    std::uint8_t exec_size = 1;
    std::uint8_t channel_offset = 0;  ///< 8*QtrCtrl + 4*NibCtrl
    bool no_mask = false;             ///< MaskCtrl
    PredCtrl pred_ctrl = PredCtrl::None;
    bool pred_invert = false;
    CondMod cond_mod = CondMod::None;
    std::uint8_t flag_reg = 0, flag_subreg = 0;
    bool saturate = false;
    bool acc_write = false;       ///< AccWrCtrl
    bool branch_ctrl = false;     ///< same bit, on goto/if/else
    bool no_src_dep_set = false;  ///< same bit, on sends
    bool no_dd_clear = false, no_dd_check = false;
    ThreadCtrl thread_ctrl = ThreadCtrl::Normal;
    bool breakpoint = false;  ///< DebugCtrl
    std::uint8_t source_count = 0;
    Operand dst;
    std::array<Operand, 3> src;

    // Flow control: bytes, relative to this instruction (jmpi: to the next).
    std::int32_t jip = 0, uip = 0;
    bool jip_from_register =
        false;  ///< src1 (jmpi, call, calla) or src0 (brd, brc) gives the offset

    MathFunction math = MathFunction::Inv;

    // Sends.
    std::uint8_t sfid = 0;
    std::uint32_t descriptor = 0;  ///< immediate, bits 30:0
    std::uint32_t extended_descriptor =
        0;  ///< immediate: SFID 3:0, EOT 5, src1 length 9:6, function 31:16
    bool descriptor_from_a0 = false;  ///< a0.0:ud
    bool extended_from_a0 = false;
    std::uint8_t extended_a0_subreg = 0;  ///< DWord of a0
    bool end_of_thread = false;

    bool operator==(const Instruction&) const = default;
};

}  // namespace gen9::isa
