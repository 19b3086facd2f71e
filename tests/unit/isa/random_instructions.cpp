// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/isa/random_instructions.h"

#include <algorithm>
#include <bit>

namespace gen9::isa::test {

void Generator::header(Instruction& inst, const OpcodeInfo& row) {
    constexpr unsigned sizes[] = {1, 2, 4, 8, 16, 32};
    inst.exec_size = static_cast<std::uint8_t>(pick(sizes));
    const unsigned step = std::max<unsigned>(inst.exec_size, 4);
    inst.channel_offset = static_cast<std::uint8_t>(step * below(32 / step));
    inst.no_mask = one_in(3);
    inst.flag_reg = static_cast<std::uint8_t>(below(2));
    inst.flag_subreg = static_cast<std::uint8_t>(below(2));
    if (row.has(kPredicate) && one_in(3)) {
        inst.pred_ctrl = static_cast<PredCtrl>(1 + below(13));
        inst.pred_invert = one_in(2);
    }
    if (row.has(kCondModifier) && one_in(3)) {
        inst.cond_mod = pick({CondMod::Z, CondMod::NZ, CondMod::G, CondMod::GE, CondMod::L,
                              CondMod::LE, CondMod::O, CondMod::U});
    }
    if (inst.pred_ctrl == PredCtrl::None && inst.cond_mod == CondMod::None)
        inst.flag_reg = inst.flag_subreg = 0;
    inst.saturate = row.has(kSaturate) && one_in(4);
    inst.acc_write = row.has(kAccWrite) && one_in(6);
    inst.no_dd_check = one_in(10);
    inst.no_dd_clear = one_in(10);
    inst.breakpoint = one_in(20);
    if (one_in(8)) inst.thread_ctrl = pick({ThreadCtrl::Atomic, ThreadCtrl::Switch});
}

Type Generator::type_in(TypeSet set, bool register_only) {
    for (;;) {
        const auto type = static_cast<Type>(below(14));
        const bool packed = type == Type::V || type == Type::UV || type == Type::VF;
        if (contains(set, type) && !(register_only && packed)) return type;
    }
}

Operand Generator::destination(Type type) {
    Operand dst;
    dst.type = type;
    dst.horz_stride = pick({std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}});
    if (one_in(8)) return dst;  // null
    if (one_in(8)) {
        dst.reg = pick({std::uint8_t{0x10}, std::uint8_t{0x20}, std::uint8_t{0x21},
                        std::uint8_t{0x30}, std::uint8_t{0x31}});
        return dst;
    }
    if (!one_in(6)) return general_destination(type);
    dst.file = RegFile::Grf;
    dst.indirect = true;
    dst.addr_subreg = static_cast<std::uint8_t>(below(16));
    dst.addr_imm = static_cast<std::int16_t>(static_cast<int>(below(1024)) - 512);
    return dst;
}

Operand Generator::general_destination(Type type) {
    Operand dst;
    dst.type = type;
    dst.horz_stride = pick({std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}});
    dst.file = RegFile::Grf;
    dst.reg = static_cast<std::uint8_t>(below(128));
    dst.subreg = static_cast<std::uint8_t>(below(32) / size_bytes(type) * size_bytes(type));
    return dst;
}

Operand Generator::source(Type type, bool indirect_allowed, bool multi_allowed) {
    Operand operand;
    operand.type = type;
    operand.file = RegFile::Grf;
    const unsigned width_log = below(5);
    operand.width = static_cast<std::uint8_t>(1u << width_log);
    operand.horz_stride =
        pick({std::uint8_t{0}, std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}});
    const unsigned vertical = below(7);
    operand.vert_stride = static_cast<std::uint8_t>(vertical == 0 ? 0 : 1u << (vertical - 1));
    if (indirect_allowed && one_in(6)) {
        operand.indirect = true;
        operand.addr_subreg = static_cast<std::uint8_t>(below(16));
        operand.addr_imm = static_cast<std::int16_t>(static_cast<int>(below(1024)) - 512);
        if (multi_allowed && one_in(2)) {
            operand.multi_indirect = true;
            operand.vert_stride = 0;
        }
        return operand;
    }
    operand.reg = static_cast<std::uint8_t>(below(128));
    operand.subreg = static_cast<std::uint8_t>(below(32) / size_bytes(type) * size_bytes(type));
    return operand;
}

void Generator::modifiers(Operand& operand, const OpcodeInfo& row) {
    if (row.has(kSourceModifier)) {
        operand.negate = one_in(4);
        operand.absolute = one_in(4);
    } else if (row.has(kLogicModifier)) {
        operand.negate = one_in(4);
    }
}

void Generator::immediate(Operand& operand, bool wide_allowed) {
    constexpr Type narrow[] = {Type::UD, Type::D, Type::UW, Type::W, Type::UV,
                               Type::VF, Type::V, Type::F,  Type::HF};
    constexpr Type wide[] = {Type::UQ, Type::Q, Type::DF};
    const Type type = wide_allowed && one_in(4) ? pick(wide) : pick(narrow);
    std::uint64_t value = bits();
    // Small numbers and round floats are what code is full of.
    if (one_in(2)) value = static_cast<std::uint64_t>(static_cast<int>(below(2001)) - 1000);
    if (type == Type::F && one_in(2))
        value = std::bit_cast<std::uint32_t>(
            static_cast<float>(static_cast<int>(below(4000)) - 2000) / 16);
    if (type == Type::DF && one_in(2))
        value = std::bit_cast<std::uint64_t>(static_cast<double>(below(4000)) / 32);
    operand = {};
    operand.file = RegFile::Imm;
    operand.type = type;
    if (size_bytes(type) == 2 && type != Type::V && type != Type::UV)
        value = (value & 0xFFFF) * 0x10001;
    operand.immediate = size_bytes(type) == 8 ? value : value & 0xFFFFFFFF;
}

Instruction Generator::basic(const OpcodeInfo& row) {
    Instruction inst;
    inst.opcode = row.opcode;
    header(inst, row);
    const TypePair& pair = row.types[below(static_cast<unsigned>(row.types.size()))];
    inst.dst = destination(type_in(pair.dst));
    inst.source_count = row.sources;
    for (unsigned i = 0; i < row.sources; ++i) {
        inst.src[i] = source(type_in(pair.src), true, i == 0);
        modifiers(inst.src[i], row);
    }
    const bool takes_immediate = row.opcode != Opcode::Movi;
    if (takes_immediate && one_in(4)) immediate(inst.src[row.sources - 1u], row.sources == 1);
    return inst;
}

Instruction Generator::math() {
    const OpcodeInfo& row = info(Opcode::Math);
    constexpr MathFunction functions[] = {
        MathFunction::Inv,        MathFunction::Log,         MathFunction::Exp,
        MathFunction::Sqrt,       MathFunction::Rsq,         MathFunction::Sin,
        MathFunction::Cos,        MathFunction::Fdiv,        MathFunction::Pow,
        MathFunction::IntDivBoth, MathFunction::IntQuotient, MathFunction::IntRemainder};
    Instruction inst = basic(row);
    inst.math = pick(functions);
    inst.source_count = static_cast<std::uint8_t>(math_sources(static_cast<unsigned>(inst.math)));
    // Its operands are general registers, directly addressed.
    inst.dst = general_destination(inst.dst.type);
    for (unsigned i = 0; i < inst.source_count; ++i) {
        if (inst.src[i].file == RegFile::Imm) continue;
        inst.src[i] = source(inst.src[i].type, false, false);
        modifiers(inst.src[i], row);
    }
    if (inst.source_count == 1) {
        if (inst.src[0].file != RegFile::Imm && one_in(8)) immediate(inst.src[0], false);
        inst.src[1] = {};
    }
    return inst;
}

Operand Generator::general(Type type) {
    Operand operand;
    operand.file = RegFile::Grf;
    operand.type = type;
    operand.reg = static_cast<std::uint8_t>(below(128));
    operand.replicate = one_in(3);
    operand.vert_stride = operand.width = operand.replicate ? 0 : 4;
    operand.width = operand.replicate ? 1 : 4;
    operand.horz_stride = operand.replicate ? 0 : 1;
    const unsigned unit = std::max(2u, size_bytes(type));
    operand.subreg = static_cast<std::uint8_t>(below(32) / unit * unit);
    return operand;
}

Instruction Generator::three_source(const OpcodeInfo& row) {
    Instruction inst;
    inst.opcode = row.opcode;
    header(inst, row);
    inst.align16 = true;
    inst.exec_size = pick({std::uint8_t{4}, std::uint8_t{8}, std::uint8_t{16}});
    inst.channel_offset = static_cast<std::uint8_t>(inst.exec_size * below(32u / inst.exec_size));
    if (inst.pred_ctrl != PredCtrl::None) {
        inst.pred_ctrl = pick({PredCtrl::Sequential, PredCtrl::Any4H, PredCtrl::All4H});
    }
    const TypePair& pair = row.types[below(static_cast<unsigned>(row.types.size()))];
    const Type type = type_in(pair.src);
    inst.dst.file = RegFile::Grf;
    inst.dst.type = type_in(pair.dst);
    inst.dst.horz_stride = 1;
    inst.dst.reg = static_cast<std::uint8_t>(below(128));
    inst.source_count = 3;
    for (unsigned i = 0; i < 3; ++i) {
        const bool mixed = i > 0 && (type == Type::F || type == Type::HF) && one_in(2) &&
                           row.opcode == Opcode::Mad;
        inst.src[i] = general(mixed ? (type == Type::F ? Type::HF : Type::F) : type);
        modifiers(inst.src[i], row);
    }
    if (row.has(kSpecialAcc)) {
        inst.dst.special_acc = static_cast<std::uint8_t>(below(9));
        for (Operand& operand : inst.src) {
            operand.replicate = false;
            operand.vert_stride = operand.width = 4;
            operand.horz_stride = 1;
            operand.subreg = 0;
            operand.special_acc = static_cast<std::uint8_t>(below(9));
        }
    } else if (inst.exec_size == 4 && inst.dst.type != Type::DF && one_in(2)) {
        inst.dst.chan_enable = static_cast<std::uint8_t>(1u << below(4));
        if (inst.dst.type == Type::HF) inst.dst.chan_enable = 0xF;
    }
    return inst;
}

Instruction Generator::special() {
    Instruction inst;
    inst.opcode = Opcode::Math;
    header(inst, info(Opcode::Math));
    inst.align16 = true;
    inst.pred_ctrl = PredCtrl::None;
    inst.pred_invert = false;
    inst.saturate = false;
    inst.math = pick({MathFunction::Invm, MathFunction::Rsqtm});
    inst.exec_size = pick({std::uint8_t{4}, std::uint8_t{8}});
    inst.flag_reg = static_cast<std::uint8_t>(below(2));
    inst.channel_offset = static_cast<std::uint8_t>(inst.exec_size * below(32u / inst.exec_size));
    const Type type = pick({Type::F, Type::DF});
    inst.source_count = inst.math == MathFunction::Invm ? 2 : 1;
    const auto operand = [&](bool source) {
        Operand result;
        result.file = RegFile::Grf;
        result.type = type;
        result.reg = static_cast<std::uint8_t>(below(128));
        result.special_acc = static_cast<std::uint8_t>(below(9));
        result.horz_stride = 1;
        if (source) result.vert_stride = result.width = type == Type::DF ? 2 : 4;
        return result;
    };
    inst.dst = operand(false);
    for (unsigned i = 0; i < inst.source_count; ++i)
        inst.src[i] = operand(true);
    return inst;
}

/// Function, lengths and function control of a message that message_text() knows.
std::pair<unsigned, std::uint32_t> Generator::message() {
    constexpr unsigned sfids[] = {2, 3, 4, 7, 8, 10, 10, 12, 12};
    constexpr unsigned dc1_types[] = {1,  2,  4,  5,  6,  7,  9,  10, 13, 14,
                                      16, 17, 18, 20, 21, 25, 26, 27, 29};
    const unsigned sfid = pick(sfids);
    std::uint32_t descriptor = (1 + below(15)) << 25 | below(17) << 20 | below(1u << 20);
    if (sfid == 12) descriptor = (descriptor & ~(0x1Fu << 14)) | pick(dc1_types) << 14;
    return {sfid, descriptor};
}

Instruction Generator::send() {
    const auto [sfid, descriptor] = message();
    Inst inst(pick({Opcode::Send, Opcode::Sendc}));
    constexpr unsigned sizes[] = {1, 8, 16};
    const unsigned size = pick(sizes);
    inst.exec(size, size == 1 ? 0 : size * below(32 / size));
    if (one_in(4)) inst.pred(flag(below(2), below(2)));
    const Type type = pick({Type::UD, Type::UW, Type::F, Type::HF, Type::W, Type::D});
    const Type payload =
        one_in(2) ? Type::UD : pick({Type::UQ, Type::F, Type::UW, Type::Q, Type::D});
    if (one_in(5)) {
        inst.dst(null(), type);
    } else if (one_in(6)) {
        inst.dst(indirect(below(16), 16 * (static_cast<int>(below(64)) - 32)), type);
    } else {
        inst.dst(grf(below(128)), type);
    }
    if (one_in(6)) {
        inst.src(indirect(below(16), 16 * (static_cast<int>(below(64)) - 32)), payload);
    } else {
        inst.src(grf(below(128)), payload);
    }
    if (one_in(5)) {
        inst.message_a0(sfid);
    } else {
        inst.message(sfid, descriptor);
    }
    if (one_in(8)) inst.extended(below(1u << 16));
    if (one_in(8)) inst.eot();
    if (one_in(8)) inst.no_src_dep_set();
    return inst;
}

Instruction Generator::sends() {
    Inst inst(pick({Opcode::Sends, Opcode::Sendsc}));
    inst.exec(16, 16 * below(2));
    const Type type = pick({Type::UD, Type::UW, Type::F, Type::HF, Type::W});
    if (one_in(3)) {
        inst.dst(null(), type);
    } else if (one_in(6)) {
        inst.dst(indirect(below(16), 16 * (static_cast<int>(below(64)) - 32)), type);
    } else {
        inst.dst(grf(below(128)), type);
    }
    if (one_in(6)) {
        inst.src(indirect(below(16), 16 * (static_cast<int>(below(64)) - 32)), Type::UD);
    } else {
        inst.src(grf(below(128)), Type::UD);
    }
    if (one_in(5)) {
        inst.src(null(), Type::UD);
    } else {
        inst.src(grf(below(128)), Type::UD).src1_length(1 + below(15));
    }
    const auto [sfid, descriptor] = message();
    if (one_in(4)) {
        inst.message_a0(0).extended_a0(below(8));
        Instruction built = inst;
        built.extended_descriptor = 0;
        return built;
    }
    inst.message(sfid, descriptor);
    if (one_in(5)) inst.message_a0(sfid);
    if (one_in(8)) inst.extended(below(1u << 16));
    Instruction built = inst;
    if (built.descriptor_from_a0) built.descriptor = 0;
    return built;
}

/// A branch at `pc` of a kernel of native instructions that ends at `end`.
Instruction Generator::branch(std::uint32_t pc, std::uint32_t end) {
    constexpr Opcode codes[] = {Opcode::Jmpi,  Opcode::If,    Opcode::Else, Opcode::Endif,
                                Opcode::While, Opcode::Break, Opcode::Cont, Opcode::Halt,
                                Opcode::Call,  Opcode::Ret,   Opcode::Goto, Opcode::Join,
                                Opcode::Brd,   Opcode::Brc};
    const Opcode opcode = pick(codes);
    const OpcodeInfo& row = info(opcode);
    Inst inst(opcode);
    const auto target = [&] {
        return static_cast<std::int32_t>(16 * below(end / 16)) - static_cast<std::int32_t>(pc);
    };
    const unsigned size = opcode == Opcode::Jmpi ? 1 : pick({8u, 16u, 32u});
    inst.exec(size, size * below(32 / std::max(size, 8u)));
    if (size == 1) inst.exec(1, 0);
    if (row.has(kPredicate) && one_in(2)) inst.pred(flag(below(2), below(2)));
    if (row.has(kBranchCtrl) && one_in(3)) inst.branch_ctrl();
    if (opcode == Opcode::Ret)
        return inst.src(grf(below(128), below(8)).region(2, 2, 1), pick({Type::D, Type::UD}));
    if (opcode == Opcode::Call) inst.dst(grf(below(128), below(8)), pick({Type::D, Type::UD}));
    const bool may_be_register = row.sources == 1;
    if (may_be_register && one_in(4)) {
        // The assembler wants these regions.
        return inst.jip_register(opcode == Opcode::Brc ? grf(below(128)).region(2, 2, 1)
                                                       : grf(below(128), below(8)).scalar());
    }
    inst.jip(target() - (opcode == Opcode::Jmpi ? 16 : 0));
    const bool two = row.format == Format::Branch2 || row.format == Format::BranchRegister2;
    if (two) inst.uip(target());
    return inst;
}

}  // namespace gen9::isa::test
