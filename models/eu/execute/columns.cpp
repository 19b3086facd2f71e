// SPDX-License-Identifier: Apache-2.0
// The columns timing and scoreboard read (EU-173, EU-306..EU-313; hardware-measurements M-1..M-19).
#include <algorithm>
#include <span>

#include "eu/execute/operands.h"
#include "eu/execute/prepare.h"
#include "eu/thread/accumulator.h"
#include "isa/registers.h"

namespace gen9::eu {

using isa::Opcode;
using isa::Type;

namespace {

bool is_send(Opcode opcode) {
    return opcode >= Opcode::Send && opcode <= Opcode::Sendsc;
}
bool is_flow(Opcode opcode) {
    return opcode >= Opcode::Jmpi && opcode <= Opcode::Join;
}

std::uint16_t arf_bits(const isa::Instruction& in, const isa::Operand& operand) {
    if (operand.file != isa::RegFile::Arf) return 0;
    switch (static_cast<isa::Arf>(operand.reg >> 4)) {
        case isa::Arf::Address:
            return kArfAddress;
        case isa::Arf::Accumulator: {
            if ((operand.reg & 15) >= 2) return kArfSpecialAcc;
            const bool second = AccumulatorShape::of(operand.type).uses_acc1 &&
                                in.exec_size > AccumulatorShape::of(operand.type).cells;
            return (operand.reg & 1) ? kArfAcc1 : second ? kArfAcc0 | kArfAcc1 : kArfAcc0;
        }
        case isa::Arf::Flag:
            return operand.reg & 1 ? kArfFlag1 : kArfFlag0;
        case isa::Arf::State:
        case isa::Arf::Control:
            return kArfControl;
        case isa::Arf::Notification:
            return kArfNotification;
        default:
            return 0;
    }
}

std::uint16_t implicit_accumulators(const isa::Instruction& in) {
    const AccumulatorShape shape = AccumulatorShape::of(in.dst.type);
    const unsigned first = implicit_cell(in.dst.type, in.channel_offset);
    std::uint16_t set = first >= shape.cells ? kArfAcc1 : kArfAcc0;
    if (shape.uses_acc1 && first + in.exec_size > shape.cells) set |= kArfAcc1;
    return set;
}

/// Bytes of the type the pipe computes in (EU-121).
unsigned execution_bytes(const isa::Instruction& in) {
    unsigned size = 0;
    for (unsigned i = 0; i < in.source_count; ++i)
        size = std::max(size, isa::size_bytes(in.src[i].type));
    size = std::max(size, isa::size_bytes(in.dst.type));
    return std::max(size, 2u);  // bytes compute as words
}

/// Registers that the channels fill side by side, in the type the pipe computes in.
unsigned channel_registers(const isa::Instruction& in) {
    return std::max(in.exec_size * execution_bytes(in) / unsigned{kGrfBytes}, 1u);
}

/// The passes an instruction takes through its pipe. One pass takes a register of the type it
/// computes in, and one that writes two registers is split into two native instructions, each of
/// which takes a pass at least, however far apart its elements lie (EU-012, EU-013).
std::uint8_t execution_registers(const isa::Instruction& in, unsigned written) {
    return static_cast<std::uint8_t>(std::max(channel_registers(in), written));
}

/// Do the elements of a region lie apart? Rows of a source that have one element do so by their
/// distance.
bool is_strided(const isa::Operand& operand, bool source) {
    const bool by_rows = source && operand.width == 1;
    return (by_rows ? operand.vert_stride : operand.horz_stride) > 1;
}
bool has_strided_region(const isa::Instruction& in) {
    const auto sources = std::span(in.src).first(in.source_count);
    const auto strided = [](const isa::Operand& source) { return is_strided(source, true); };
    return in.exec_size > 1 && (is_strided(in.dst, false) || std::ranges::any_of(sources, strided));
}

LatencyClass latency_class(const isa::Instruction& in) {
    const bool wide = execution_bytes(in) == 8;
    if (is_send(in.opcode)) return LatencyClass::Send;
    if (is_flow(in.opcode)) return LatencyClass::Branch;
    switch (in.opcode) {
        case Opcode::Wait:
        case Opcode::Nop:
        case Opcode::Illegal:
            return LatencyClass::Control;
        case Opcode::Math:
            switch (in.math) {
                case isa::MathFunction::Pow:
                case isa::MathFunction::Fdiv:
                    return LatencyClass::MathPow;
                case isa::MathFunction::IntDivBoth:
                case isa::MathFunction::IntQuotient:
                case isa::MathFunction::IntRemainder:
                    return LatencyClass::MathIntDiv;
                default:
                    return LatencyClass::Math;
            }
        case Opcode::Dp2:
        case Opcode::Dp3:
        case Opcode::Dp4:
        case Opcode::Dph:
            return LatencyClass::Dot;
        case Opcode::Line:
        case Opcode::Pln:
        case Opcode::Lrp:
            return LatencyClass::Interpolate;
        case Opcode::Mad:
        case Opcode::Madm:
        case Opcode::Bfe:
        case Opcode::Bfi2:
        case Opcode::Csel:
            return wide ? LatencyClass::MadWide : LatencyClass::Mad;
        case Opcode::Mul: {
            const auto dword = [](const isa::Operand& o) {
                return !isa::is_float(o.type) && isa::size_bytes(o.type) >= 4;
            };
            if (dword(in.src[0]) && dword(in.src[1])) return LatencyClass::MulDword;  // M-3
            return wide ? LatencyClass::Wide64 : LatencyClass::Simple;
        }
        default:
            return wide ? LatencyClass::Wide64 : LatencyClass::Simple;
    }
}

Pipe pipe_of(const isa::Instruction& in) {
    if (is_send(in.opcode)) return Pipe::Send;
    if (is_flow(in.opcode)) return Pipe::Branch;
    switch (in.opcode) {
        case Opcode::Math:
            return Pipe::Em;
        case Opcode::Wait:
        case Opcode::Nop:
        case Opcode::Illegal:
            return Pipe::None;
        default:
            break;
    }
    // Doubles run on one of the two FPUs, the one that also does math (guide 3.7).
    for (unsigned i = 0; i < in.source_count; ++i)
        if (in.src[i].type == Type::DF) return Pipe::Em;
    return in.dst.type == Type::DF ? Pipe::Em : Pipe::AnyFpu;
}

/// EU-311: banks are register bits 6 and 0; no loss when two sources are one register.
bool has_bank_conflict(const isa::Instruction& in) {
    if (in.source_count != 3) return false;
    const unsigned a = in.src[0].reg, b = in.src[1].reg, c = in.src[2].reg;
    const auto bank = [](unsigned reg) { return (reg >> 5 & 2u) | (reg & 1u); };
    return bank(b) == bank(c) && a != b && a != c && b != c;
}

}  // namespace

void fill_columns(DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    d.pipe = pipe_of(in);
    d.latency = latency_class(in);
    d.thread_switch = in.thread_ctrl == isa::ThreadCtrl::Switch;
    d.bank_conflict = has_bank_conflict(in);
    if (in.pred_ctrl != isa::PredCtrl::None) {
        d.arf_reads |= in.flag_reg & 1 ? kArfFlag1 : kArfFlag0;
        if (!in.align16 &&
            (in.pred_ctrl == isa::PredCtrl::AnyV || in.pred_ctrl == isa::PredCtrl::AllV))
            d.arf_reads |= kArfFlag0 | kArfFlag1;
    }
    const isa::NamedRegisters named = isa::named_registers(in);
    for (std::size_t i = 0; i < d.reads.size(); ++i)
        d.reads[i] = {named.reads[i].first, named.reads[i].count};
    d.writes = {named.writes.first, named.writes.count};
    d.destination_registers = d.writes.count;
    d.execution_registers = execution_registers(in, d.writes.count);
    d.strided_registers =
        has_strided_region(in) ? static_cast<std::uint8_t>(channel_registers(in)) : 0;
    d.indirect_registers = named.indirect;
    if (is_send(in.opcode)) {
        d.indirect_registers |= in.descriptor_from_a0 || in.extended_from_a0;
        if (in.descriptor_from_a0 || in.extended_from_a0) d.arf_reads |= kArfAddress;
        return;
    }
    if (named.indirect) d.arf_reads |= kArfAddress;
    const std::uint16_t flag = in.flag_reg & 1 ? kArfFlag1 : kArfFlag0;
    if (in.cond_mod != isa::CondMod::None && in.opcode != Opcode::Sel &&
        in.opcode != Opcode::Csel && in.opcode != Opcode::Math)
        d.arf_writes |= flag;
    for (unsigned i = 0; i < in.source_count; ++i)
        d.arf_reads |= arf_bits(in, in.src[i]);
    d.arf_writes |= arf_bits(in, in.dst);
    if (in.acc_write) d.arf_writes |= implicit_accumulators(in);
    if (in.opcode == Opcode::Mac || in.opcode == Opcode::Mach || in.opcode == Opcode::Sada2)
        d.arf_reads |= implicit_accumulators(in);
    const bool macro = in.opcode == Opcode::Madm ||
                       (in.opcode == Opcode::Math && (in.math == isa::MathFunction::Invm ||
                                                      in.math == isa::MathFunction::Rsqtm));
    if (macro) {
        for (unsigned i = 0; i < in.source_count; ++i)
            if (in.src[i].special_acc < 8) d.arf_reads |= kArfSpecialAcc;
        if (in.dst.special_acc < 8) d.arf_writes |= kArfSpecialAcc;
        if (in.opcode == Opcode::Math) d.arf_writes |= flag;
    }
}

}  // namespace gen9::eu
