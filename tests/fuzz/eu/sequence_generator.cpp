// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/eu/sequence_generator.h"

#include <algorithm>
#include <bit>

#include "common/register_bytes.h"
#include "eu/thread/exceptions.h"
#include "eu/thread/masks.h"
#include "isa/format/decode.h"
#include "isa/format/encode.h"

namespace gen9::eu::test {

using isa::Instruction;
using isa::Opcode;
using isa::Operand;
using isa::PredCtrl;
using isa::Type;

namespace {

// A few registers, so that each instruction reads what others have written.
constexpr unsigned kUsedRegisters = 24;

bool is_branch_row(const isa::OpcodeInfo& row) {
    return row.has(isa::kBranch);
}
/// Rows of what computes: no branches, no messages, nothing that waits.
std::vector<const isa::OpcodeInfo*> computing_rows() {
    std::vector<const isa::OpcodeInfo*> rows;
    for (const isa::OpcodeInfo& row : isa::opcode_table())
        if (!row.types.empty() && !is_branch_row(row) && row.format != isa::Format::Wait &&
            row.format != isa::Format::Send && row.format != isa::Format::Sends)
            rows.push_back(&row);
    for (const isa::OpcodeInfo& row : isa::opcode_table())
        if (row.format == isa::Format::Math) rows.push_back(&row);
    return rows;
}
std::vector<const isa::OpcodeInfo*> branch_rows() {
    std::vector<const isa::OpcodeInfo*> rows;
    for (const isa::OpcodeInfo& row : isa::opcode_table())
        if (is_branch_row(row)) rows.push_back(&row);
    return rows;
}
const std::vector<const isa::OpcodeInfo*> kComputing = computing_rows(), kBranches = branch_rows();

Operand architecture(isa::Arf kind, Type type, unsigned subreg) {
    Operand o;
    o.file = isa::RegFile::Arf;
    o.type = type;
    o.reg = byte(static_cast<unsigned>(kind) << 4);
    o.subreg = byte(subreg);
    o.width = o.vert_stride = 8;
    o.horz_stride = 1;
    return o;
}

}  // namespace

void SequenceGenerator::narrow(Operand& operand) {
    if (operand.is_grf() && !operand.indirect) operand.reg = byte(operand.reg % kUsedRegisters);
}

/// Any opcode in any form that it has.
Instruction SequenceGenerator::any_row() {
    for (;;) {
        const auto table = isa::opcode_table();
        const isa::OpcodeInfo& row = table[below(static_cast<unsigned>(table.size()))];
        if (is_branch_row(row) || row.opcode == Opcode::Illegal) continue;
        const auto forms = isa::test::forms_of(row);
        Instruction in = generate_.make(row, forms[below(static_cast<unsigned>(forms.size()))]);
        if (!one_in(8)) in.breakpoint = false;
        if (one_in(4)) return in;
        narrow(in.dst);
        for (Operand& source : in.src)
            narrow(source);
        return in;
    }
}

void SequenceGenerator::settle_source(Operand& operand, const Instruction& in) {
    narrow(operand);
    if (!operand.is_grf() || operand.indirect) return;
    const unsigned size = isa::size_bytes(operand.type);
    if (in.source_count == 3) {
        if (operand.replicate) return;
        operand.swizzle = Operand{}.swizzle;
        operand.subreg = 0;
        return;
    }
    switch (below(8)) {
        case 0:
            return;  // any region
        case 1:
        case 2:
            operand.vert_stride = operand.horz_stride = 0;
            operand.width = 1;
            operand.subreg = byte(below(32 / size) * size);
            return;
        case 3: {
            operand.width = byte(std::min<unsigned>(in.exec_size, 8));
            operand.horz_stride = in.exec_size == 1 ? 0 : 2;
            operand.vert_stride = byte(in.exec_size == 1 ? 0 : 2 * operand.width);
            operand.subreg = byte(one_in(2) && size < 8 ? size : 0);
            return;
        }
        default:
            operand.width = byte(std::min<unsigned>(in.exec_size, 8));
            operand.horz_stride = in.exec_size == 1 ? 0 : 1;
            operand.vert_stride = in.exec_size == 1 ? 0 : operand.width;
            operand.subreg = 0;
    }
}

/// Packed operands, scalars and constants, as most of a kernel has them.
void SequenceGenerator::settle_operands(Instruction& in) {
    if (in.source_count < 3 && !in.align16) {
        unsigned widest = isa::size_bytes(in.dst.type);
        for (unsigned i = 0; i < in.source_count; ++i)
            widest = std::max(widest, isa::size_bytes(in.src[i].type));
        unsigned lanes = generate_.pick({1u, 8u, 8u, 16u, 16u, 16u, 32u});
        while (lanes * widest > 64)
            lanes /= 2;
        in.exec_size = byte(lanes);
    }
    const unsigned step = std::max<unsigned>(in.exec_size, 4);
    in.channel_offset = byte(one_in(3) ? step * below(32 / step) : 0);
    narrow(in.dst);
    if (in.dst.is_grf() && !in.dst.indirect && !one_in(4)) {
        in.dst.subreg = byte(in.exec_size == 1 ? in.dst.subreg : 0);
        in.dst.horz_stride = 1;
        if (!one_in(4)) in.dst.chan_enable = 15;
    }
    if (in.opcode == Opcode::Cmp && one_in(2))
        in.dst = architecture(isa::Arf::Null, in.dst.type, 0);
    for (unsigned i = 0; i < in.source_count; ++i)
        if (!in.align16 || in.source_count == 3) settle_source(in.src[i], in);
}

Instruction SequenceGenerator::usual() {
    using isa::test::Form;
    for (;;) {
        // What kernels are made of comes more often.
        constexpr Opcode often[] = {Opcode::Mov, Opcode::Mov, Opcode::Add, Opcode::Mul,
                                    Opcode::Mad, Opcode::Cmp, Opcode::Sel, Opcode::And,
                                    Opcode::Or,  Opcode::Shl, Opcode::Shr, Opcode::Asr};
        const isa::OpcodeInfo& row =
            one_in(2) ? isa::info(generate_.pick(often))
                      : *kComputing[below(static_cast<unsigned>(kComputing.size()))];
        const auto forms = isa::test::forms_of(row);
        const Form form = forms[below(static_cast<unsigned>(forms.size()))];
        if (form == Form::Architecture && !one_in(3)) continue;
        if ((form == Form::Indirect || form == Form::MultiIndirect || form == Form::Align16) &&
            !one_in(6) && forms.size() > 2)
            continue;
        Instruction in = generate_.make(row, form);
        in.breakpoint = false;
        if (!row.has(isa::kAccWriteRequired) && !one_in(4)) in.acc_write = false;
        if (in.opcode != Opcode::Math || !isa::uses_special_acc(in.math)) settle_operands(in);
        if (in.pred_ctrl != PredCtrl::None && !one_in(3)) in.pred_ctrl = PredCtrl::Sequential;
        return in;
    }
}

/// A branch to any instruction of the code, or into the middle of one, or to behind it.
Instruction SequenceGenerator::branch(std::size_t place, const std::vector<std::uint32_t>& ips) {
    return branch(place, ips, *kBranches[below(static_cast<unsigned>(kBranches.size()))]);
}

Instruction SequenceGenerator::branch(std::size_t place, const std::vector<std::uint32_t>& ips,
                                      const isa::OpcodeInfo& row) {
    const auto forms = isa::test::forms_of(row);
    const std::uint32_t pc = ips[place];
    Instruction in = generate_.make(row, forms[below(static_cast<unsigned>(forms.size()))],
                                    16 * below(4), 16 * 64);
    in.breakpoint = one_in(40);
    for (Operand& source : in.src)
        narrow(source);
    if (one_in(3)) in.exec_size = byte(generate_.pick({8u, 16u, 32u}));
    if (in.exec_size >= 8 && one_in(2)) in.channel_offset = 0;
    if (in.jip_from_register) return in;
    const auto relative = [&](std::uint32_t ip) {
        return static_cast<std::int32_t>(ip - pc) + (one_in(60) ? 8 : 0);
    };
    const std::size_t ahead = ips.size() - 1 - place;
    const auto forward = [&] {
        return relative(ips[place + 1 + below(static_cast<unsigned>(ahead))]);
    };
    const auto back = [&] { return relative(ips[below(static_cast<unsigned>(place + 1))]); };
    in.jip = forward();
    in.uip = one_in(3) ? in.jip : std::max(in.jip, forward());
    if (in.opcode == Opcode::While) in.jip = back();
    if (in.opcode == Opcode::Jmpi || in.opcode == Opcode::Brd || in.opcode == Opcode::Brc ||
        in.opcode == Opcode::Call) {
        if (one_in(3)) in.jip = back();
        if (in.opcode == Opcode::Jmpi) in.jip -= 16;
    }
    if (in.opcode == Opcode::Calla) in.jip += static_cast<std::int32_t>(pc);
    if (in.opcode == Opcode::Goto && in.branch_ctrl) in.uip = back();
    if (one_in(30)) in.uip = back();
    if (one_in(2) && in.pred_ctrl != PredCtrl::None) in.pred_ctrl = PredCtrl::Sequential;
    return in;
}

Instruction SequenceGenerator::message() {
    if (one_in(3)) {
        const isa::OpcodeInfo& row =
            isa::info(generate_.pick({Opcode::Send, Opcode::Sends, Opcode::Sendc, Opcode::Sendsc}));
        const auto forms = isa::test::forms_of(row);
        Instruction in = generate_.make(row, forms[below(static_cast<unsigned>(forms.size()))]);
        if (!one_in(8)) in.end_of_thread = in.breakpoint = false;
        const bool checked = in.opcode == Opcode::Sendc || in.opcode == Opcode::Sendsc;
        if (checked && (in.descriptor & 1) != 0) {
            in.end_of_thread = true;
            in.dst = architecture(isa::Arf::Null, Type::UD, 0);
        }
        return in;
    }
    Instruction in;
    in.opcode = Opcode::Send;
    in.exec_size = byte(generate_.pick({8u, 16u, 16u}));
    in.channel_offset = byte(one_in(3) ? in.exec_size * below(32 / in.exec_size) : 0);
    in.dst = architecture(isa::Arf::Null, Type::UD, 0);
    in.src[0].file = isa::RegFile::Grf;
    in.src[0].reg = 10;
    in.source_count = 1;
    in.no_mask = one_in(2);
    if (one_in(3)) in.pred_ctrl = one_in(6) ? PredCtrl::Any8H : PredCtrl::Sequential;
    in.pred_invert = one_in(2);
    in.flag_reg = byte(below(2));
    in.flag_subreg = byte(below(2));
    return in;
}

Instruction SequenceGenerator::notification() {
    Instruction in;
    const Operand count = architecture(isa::Arf::Notification, Type::UD, 4 * below(3));
    in.source_count = 1;
    if (one_in(2)) {
        in.opcode = Opcode::Wait;
        in.dst = architecture(isa::Arf::Null, Type::UD, 0);
        in.src[0] = count;
        return in;
    }
    in.opcode = Opcode::Mov;
    in.dst = count;
    in.dst.horz_stride = 1;
    in.src[0].file = isa::RegFile::Imm;
    in.src[0].type = Type::UD;
    in.src[0].immediate = below(4);
    in.no_mask = below(4) != 0;
    return in;
}

/// A legal instruction with some of its bits changed: what no assembler writes, and words can say.
Instruction SequenceGenerator::damaged() {
    for (;;) {
        auto word = isa::encode(one_in(2) ? usual() : any_row());
        for (unsigned flips = 1 + below(4); flips > 0; --flips)
            word[1 + below(15)] ^= byte(1u << below(8));
        const isa::DecodeResult result = isa::decode(word);
        if (result.ok) return result.instruction;
    }
}

/// Most loops that are left end with a branch, as a rule with a while, as the compilers' do.
void SequenceGenerator::end_loops(std::vector<Instruction>& all,
                                  const std::vector<std::uint32_t>& ips) {
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].opcode != Opcode::Break) continue;
        if (one_in(2)) all[i].jip = all[i].uip;
        const auto end =
            std::ranges::find(ips, ips[i] + static_cast<std::uint32_t>(all[i].uip)) - ips.begin();
        const auto place = static_cast<std::size_t>(end);
        if (place <= i || place >= all.size() || one_in(6)) continue;
        const std::uint8_t length = all[place].length_bytes;
        all[place] = one_in(3) ? branch(place, ips) : branch(place, ips, isa::info(Opcode::While));
        all[place].length_bytes = length;
        all[place].compacted = length == 8;
    }
}

std::vector<Instruction> SequenceGenerator::code(std::uint32_t first_ip) {
    const std::size_t size = 4 + below(28);
    std::vector<std::uint8_t> lengths(size);
    std::vector<std::uint32_t> ips{first_ip};
    for (std::uint8_t& length : lengths) {
        length = one_in(3) ? 8 : 16;
        ips.push_back(ips.back() + length);
    }
    const unsigned branches = below(messages_ ? 3 : 6);  // of twenty
    std::vector<Instruction> all;
    for (std::size_t i = 0; i < size; ++i) {
        const unsigned kind = below(20);
        const bool loops = messages_ && i + 1 == size && lengths[i] == 16;
        if (messages_ && (loops || (kind >= 6 && kind < 16))) {
            const std::uint32_t target = ips[below(static_cast<unsigned>(size))];
            all.push_back(loops       ? MessageGenerator::jump_back(ips[i], target)
                          : kind < 13 ? port_.send()
                                      : port_.change());
            all.back().length_bytes = lengths[i];
            all.back().compacted = lengths[i] == 8;
            continue;
        }
        Instruction in = kind < branches          ? branch(i, ips)
                         : kind == 6              ? message()
                         : kind == 7 && one_in(2) ? notification()
                         : kind == 8 && one_in(2) ? damaged()
                         : kind >= 15             ? any_row()
                                                  : usual();
        in.length_bytes = lengths[i];
        in.compacted = lengths[i] == 8;
        all.push_back(in);
    }
    end_loops(all, ips);
    return all;
}

/// Small, extreme, special floats of every width, and any.
std::uint64_t SequenceGenerator::number() {
    constexpr std::uint64_t special[] = {
        0x0000000000000000, 0x8000000080000000, 0x3FF0000000000000, 0x7F8000003F800000,
        0x7FF0000000000000, 0x4F0000004E800000, 0xCF0000004F800000, 0x41E0000000000000,
        0xC1E0000000000000, 0x43E0000000000000, 0x3C00BC007C00FC00, 0x7BFF040003FF8001,
        0x0000000100000002, 0x0010000000000000, 0x0008000000000001, 0x007FFFFF00800000,
        0x7FFFFFFF80000000, 0x7FFF800080007FFF, 0x7FC000007FF80000, 0xFFFFFFFFFFFFFFFF};
    switch (below(6)) {
        case 0:
            return generate_.pick(special);
        case 1:
            return std::uint64_t{std::bit_cast<std::uint32_t>(
                       static_cast<float>(static_cast<int>(below(4001)) - 2000) / 8)}
                       << 32 |
                   std::bit_cast<std::uint32_t>(static_cast<float>(below(70)) - 30.0f);
        case 2:
            return std::bit_cast<std::uint64_t>((static_cast<int>(below(20001)) - 10000) / 32.0);
        case 3:
            return std::uint64_t{below(9)} << 32 | (0u - below(5));
        case 4:  // halves that are numbers
            return generate_.bits() & 0xBFFFBFFFBFFFBFFF;
        default:
            return generate_.bits();
    }
}

void SequenceGenerator::start(Thread& thread, std::uint32_t first_ip, std::uint32_t end_ip) {
    thread = Thread{};
    for (Grf& reg : thread.grf)
        for (unsigned i = 0; i < kGrfBytes; i += 8)
            store(reg.bytes + i, number());
    for (auto& acc : thread.acc)
        for (std::size_t i = 0; i < acc.size(); i += 8)
            store(acc.data() + i, number());
    for (auto& acc : thread.special_acc)
        for (auto& bits : acc)
            bits = byte(one_in(4) ? below(4) : 0);
    // EU-073: only the first two are whole.
    for (std::size_t i = 0; i < thread.address.size(); ++i)
        thread.address[i] =
            static_cast<std::uint16_t>(one_in(2) ? below(kUsedRegisters * kGrfBytes) & ~7u
                                                 : generate_.bits() & (i < 2 ? 0xFFFF : 0xFFF));
    for (auto& flag : thread.flag)
        flag = static_cast<std::uint32_t>(generate_.bits());
    // Kernels of OpenCL, then shaders, then anything.
    constexpr std::uint32_t compute =
        cr0::kFloatDenormals | cr0::kDoubleDenormals | cr0::kHalfDenormals;
    thread.control[0] = one_in(3) ? 0 : one_in(3) ? cr0::kFloatDenormals : compute;
    if (one_in(8)) thread.control[0] = cr0::kAlternate;  // as shaders of old OpenGL
    if (one_in(6))
        thread.control[0] =
            static_cast<std::uint32_t>(generate_.bits()) & cr0::kDefined & ~cr0::kMaster;
    if (one_in(12)) thread.control[1] = static_cast<std::uint32_t>(generate_.bits()) & 0xFFFF;
    for (auto& count : thread.notification)
        count = below(3);
    for (auto& entry : thread.dependency)
        entry = static_cast<std::uint16_t>(one_in(16) ? generate_.bits() : 0);
    for (auto& word : thread.state)
        word = one_in(4) ? static_cast<std::uint32_t>(generate_.bits()) : 0;
    thread.ip = first_ip;
    thread.dispatch_mask = one_in(3) ? static_cast<std::uint32_t>(generate_.bits()) : 0xFFFFFFFF;
    if (thread.dispatch_mask == 0) thread.dispatch_mask = 1;
    thread.active = thread.dispatch_mask;
    thread.call_mask = one_in(2) ? static_cast<std::uint32_t>(generate_.bits()) : 0;
    if (one_in(3)) {
        const auto away = static_cast<std::uint32_t>(generate_.bits()) & ~1u;
        park(thread, away, first_ip + 8 * below((end_ip - first_ip) / 8 + 4));
    }
    resynchronise(thread);
    if (messages_) port_.fill(thread);
}

}  // namespace gen9::eu::test
