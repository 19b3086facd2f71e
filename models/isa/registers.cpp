// SPDX-License-Identifier: Apache-2.0
#include "isa/registers.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "common/bits.h"
#include "isa/branch.h"
#include "isa/format/decode.h"
#include "isa/opcodes.h"

namespace gen9::isa {
namespace {

constexpr unsigned kRegisters = kGrfCount, kBytes = kGrfBytes;
/// Registers of a payload and of a response that EUs move (EU-183, EU-184).
constexpr unsigned kMostPayload = 15, kMostResponse = 16;
/// More instructions than any program has: what goes on that long is not one.
constexpr std::size_t kMostInstructions = 1 << 20;

bool is_send(Opcode opcode) {
    return opcode >= Opcode::Send && opcode <= Opcode::Sendsc;
}
bool is_split(Opcode opcode) {
    return opcode == Opcode::Sends || opcode == Opcode::Sendsc;
}

/// So many from a register on, as far as there are.
RegisterRange from(unsigned first, unsigned count) {
    first %= kRegisters;
    return {static_cast<std::uint8_t>(first),
            static_cast<std::uint8_t>(std::min(count, kRegisters - first))};
}

/// Registers from the first to the last byte an operand may touch. Wide regions with gaps count as
/// a whole: at most two registers are legal (EU-038).
RegisterRange touched(const Instruction& in, const Operand& operand, bool destination) {
    if (!operand.is_grf() || operand.indirect || operand.multi_indirect) return {};
    const unsigned size = size_bytes(operand.type);
    const unsigned begin = operand.reg * kBytes + operand.subreg;
    unsigned last = 0;  // element number of the farthest element
    if (in.align16) {
        last = operand.replicate ? 0 : in.exec_size - 1u;
    } else if (destination) {
        last = (in.exec_size - 1u) * std::max<unsigned>(operand.horz_stride, 1);
    } else {
        const unsigned width = std::max<unsigned>(operand.width, 1);
        const unsigned rows = std::max(in.exec_size / width, 1u),
                       columns = std::min<unsigned>(in.exec_size, width);
        last = (rows - 1) * operand.vert_stride + (columns - 1) * operand.horz_stride;
    }
    const unsigned first = begin / kBytes, end = (begin + last * size + size - 1) / kBytes;
    if (first >= kRegisters) return {};
    return from(first, std::min(end, kRegisters - 1) - first + 1);
}

NamedRegisters named_by_send(const Instruction& in) {
    NamedRegisters named;
    named.indirect = in.src[0].indirect || in.src[1].indirect || in.dst.indirect;
    if (!in.descriptor_from_a0) {
        if (!in.src[0].indirect) named.reads[0] = from(in.src[0].reg, bits(in.descriptor, 28, 25));
        if (!in.dst.is_null() && !in.dst.indirect)
            named.writes =
                from(in.dst.reg, std::min<unsigned>(bits(in.descriptor, 24, 20), kMostResponse));
    }
    if (is_split(in.opcode) && !in.extended_from_a0 && in.src[1].is_grf() && !in.src[1].indirect)
        named.reads[1] = from(in.src[1].reg, bits(in.extended_descriptor, 9, 6));
    return named;
}

void add(RegisterSet& set, RegisterRange range) {
    for (unsigned i = 0; i < range.count; ++i)
        set.set(range.first + i);
}

void add(RegisterSet& set, const Instruction& in) {
    const NamedRegisters named = named_registers(in);
    if (named.indirect) set.set();
    for (const RegisterRange& range : named.reads)
        add(set, range);
    add(set, named.writes);
    // The remainder goes to the registers behind the quotient's (EU-254).
    if (in.opcode == Opcode::Math && in.math == MathFunction::IntDivBoth && named.writes.count != 0)
        add(set, from(named.writes.first + named.writes.count, named.writes.count));
    if (!is_send(in.opcode)) return;
    if (in.descriptor_from_a0) {
        if (in.src[0].is_grf()) add(set, from(in.src[0].reg, kMostPayload));
        if (in.dst.is_grf()) add(set, from(in.dst.reg, kMostResponse));
    }
    if (is_split(in.opcode) && in.extended_from_a0 && in.src[1].is_grf())
        add(set, from(in.src[1].reg, kMostPayload));
}

/// Does it go to an address that a register has?
bool goes_by_register(const Instruction& in, const OpcodeInfo& row) {
    if (row.has(kBranch)) return in.jip_from_register && row.format != Format::Ret;
    return in.dst.is_arf(Arf::Ip);
}
/// Is the instruction after it never reached by going on?
bool goes_elsewhere(const Instruction& in) {
    if (in.end_of_thread) return true;
    const bool always = in.pred_ctrl == PredCtrl::None;
    return always && (in.opcode == Opcode::Jmpi || in.opcode == Opcode::Ret);
}

}  // namespace

NamedRegisters named_registers(const Instruction& in) {
    if (is_send(in.opcode)) return named_by_send(in);
    NamedRegisters named;
    for (unsigned i = 0; i < in.source_count && i < in.src.size(); ++i) {
        named.reads[i] = touched(in, in.src[i], false);
        named.indirect |= in.src[i].indirect || in.src[i].multi_indirect;
    }
    // Two operands that lie one behind the other.
    if (in.opcode == Opcode::Pln && named.reads[1].count != 0)
        named.reads[1] = from(named.reads[1].first, 2u * named.reads[1].count);
    named.writes = touched(in, in.dst, true);
    named.indirect |= in.dst.indirect;
    return named;
}

RegisterSet registers_of_program(std::uint32_t start, const FetchInstruction& fetch) {
    RegisterSet named;
    std::unordered_set<std::uint32_t> seen;
    std::vector<std::uint32_t> to_follow{start};
    std::array<std::uint8_t, 16> bytes{};
    while (!to_follow.empty() && !named.all()) {
        // The reserved low bits of an IP read as 0 (EU-107).
        const std::uint32_t at = to_follow.back() & ~7u;
        to_follow.pop_back();
        if (!seen.insert(at).second || !fetch(at, bytes)) continue;
        const DecodeResult decoded = decode(bytes);
        const Instruction& in = decoded.instruction;
        if (!decoded.ok || in.opcode == Opcode::Illegal) continue;
        const OpcodeInfo& row = info(in.opcode);
        if (seen.size() > kMostInstructions || goes_by_register(in, row))
            return RegisterSet().set();
        add(named, in);
        if (row.has(kBranch) && row.format != Format::Ret)
            to_follow.push_back(branch_target(in, at));
        if (row.format == Format::Branch2 || row.format == Format::BranchRegister2)
            to_follow.push_back(second_target(in, at));
        if (!goes_elsewhere(in)) to_follow.push_back(at + in.length_bytes);
    }
    return named;
}

}  // namespace gen9::isa
