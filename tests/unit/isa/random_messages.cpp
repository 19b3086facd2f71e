// SPDX-License-Identifier: Apache-2.0
// The part of the generator that leaves the thread's straight line: waiting, messages, branches.
#include <algorithm>

#include "tests/unit/isa/random_instructions.h"

namespace gen9::isa::test {

/// EU-206: destination and source are the same notification count.
Instruction Generator::wait() {
    Instruction inst;
    inst.opcode = Opcode::Wait;
    inst.no_mask = one_in(2);
    inst.no_dd_check = one_in(10);
    inst.no_dd_clear = one_in(10);
    inst.breakpoint = one_in(20);
    if (one_in(8)) inst.thread_ctrl = pick({ThreadCtrl::Atomic, ThreadCtrl::Switch});
    inst.source_count = 1;
    Operand count;
    count.reg = static_cast<std::uint8_t>(static_cast<unsigned>(Arf::Notification) << 4);
    count.subreg = static_cast<std::uint8_t>(4 * below(3));
    inst.src[0] = inst.dst = count;
    inst.dst.horz_stride = 1;
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

Instruction Generator::send(Opcode opcode, Form form) {
    const auto [sfid, descriptor] = message();
    Inst inst(opcode);
    constexpr unsigned sizes[] = {1, 2, 4, 8, 16};
    const unsigned size = pick(sizes), step = std::max(size, 4u);
    inst.exec(size, step * below(32 / step));
    if (one_in(4)) inst.pred(flag(below(2), below(2)), static_cast<PredCtrl>(1 + below(13)));
    if (one_in(4)) inst.no_mask();
    constexpr Type types[] = {Type::UD, Type::UD, Type::UW, Type::F, Type::HF,
                              Type::W,  Type::D,  Type::UB, Type::Q};
    const Type type = pick(types), payload = pick(types);
    const unsigned indirect_operand = form == Form::Indirect ? 1 + below(3) : 0;
    const auto index = [&] { return indirect(below(16), 16 * (static_cast<int>(below(64)) - 32)); };
    if ((indirect_operand & 1) != 0) {
        inst.dst(index(), type);
    } else {
        inst.dst(one_in(5) ? null() : grf(below(128)), type);
    }
    if ((indirect_operand & 2) != 0) {
        inst.src(index(), payload);
    } else {
        inst.src(grf(below(128)), payload);
    }
    if (form == Form::FromA0) {
        inst.message_a0(sfid);
    } else {
        inst.message(sfid, descriptor);
    }
    if (one_in(8)) inst.extended(below(1u << 16));
    if (one_in(8)) inst.eot();
    if (one_in(8)) inst.no_src_dep_set();
    if (one_in(10)) inst.no_dd_check();
    if (one_in(10)) inst.no_dd_clear();
    if (one_in(10)) inst.thread_switch();
    return inst;
}

Instruction Generator::sends(Opcode opcode, Form form) {
    Inst inst(opcode);
    constexpr unsigned sizes[] = {1, 2, 4, 8, 16};
    const unsigned size = pick(sizes), step = std::max(size, 4u);
    inst.exec(size, step * below(32 / step));
    if (one_in(4)) inst.pred(flag(below(2), below(2)), static_cast<PredCtrl>(1 + below(13)));
    if (one_in(4)) inst.no_mask();
    constexpr Type types[] = {Type::UD, Type::UW, Type::F, Type::HF, Type::W, Type::UB, Type::Q};
    const Type type = pick(types);
    const unsigned indirect_operand = form == Form::Indirect ? 1 + below(3) : 0;
    const auto index = [&] { return indirect(below(16), 16 * (static_cast<int>(below(64)) - 32)); };
    if ((indirect_operand & 1) != 0) {
        inst.dst(index(), type);
    } else {
        inst.dst(one_in(3) ? null() : grf(below(128)), type);
    }
    if ((indirect_operand & 2) != 0) {
        inst.src(index(), Type::UD);
    } else {
        inst.src(grf(below(128)), Type::UD);
    }
    if (one_in(5)) {
        inst.src(null(), Type::UD);
    } else {
        inst.src(grf(below(128)), Type::UD).src1_length(1 + below(15));
    }
    const auto [sfid, descriptor] = message();
    if (form == Form::ExtendedA0) {
        inst.extended_a0(below(8));
        if (one_in(2)) {
            inst.message_a0(0);
        } else {
            inst.message(0, descriptor);
        }
    } else {
        inst.message(sfid, descriptor);
        if (form == Form::FromA0) inst.message_a0(sfid);
        if (one_in(8)) inst.extended(below(1u << 16));
    }
    if (one_in(8) && form != Form::ExtendedA0) inst.eot();
    if (one_in(8)) inst.no_src_dep_set();
    if (one_in(10)) inst.no_dd_check();
    if (one_in(10)) inst.no_dd_clear();
    Instruction built = inst;
    if (built.extended_from_a0) built.extended_descriptor = 0;
    if (built.descriptor_from_a0) built.descriptor = 0;
    return built;
}

Instruction Generator::branch(const OpcodeInfo& row, Form form, std::uint32_t pc,
                              std::uint32_t end) {
    Inst inst(row.opcode);
    const auto target = [&] {
        return static_cast<std::int32_t>(16 * below(end / 16)) - static_cast<std::int32_t>(pc);
    };
    const unsigned size = row.opcode == Opcode::Jmpi ? 1 : pick({1u, 2u, 4u, 8u, 16u, 32u});
    const unsigned step = std::max(size, 4u);
    inst.exec(size, row.opcode == Opcode::Jmpi ? 0 : step * below(32 / step));
    if (row.has(kPredicate) && one_in(2)) {
        const Flag which = flag(below(2), below(2));
        const auto control = static_cast<PredCtrl>(1 + below(13));
        if (one_in(2)) {
            inst.pred(which, control);
        } else {
            inst.pred_not(which, control);
        }
    }
    if (one_in(4)) inst.no_mask();
    if (row.has(kBranchCtrl) && one_in(3)) inst.branch_ctrl();
    if (one_in(16)) inst.thread_switch();
    const auto scalar = [&] { return grf(below(128), below(8)); };
    if (row.format == Format::Ret)
        return inst.src(scalar().region(2, 2, 1), pick({Type::D, Type::UD}));
    if (row.format == Format::Call) inst.dst(scalar(), pick({Type::D, Type::UD}));
    if (form == Form::Register) {
        // The assembler wants these regions.
        const bool pair = row.format == Format::BranchRegister2;
        return inst.jip_register(pair ? grf(below(128)).region(2, 2, 1) : scalar().scalar());
    }
    inst.jip(row.opcode == Opcode::Calla ? static_cast<std::int32_t>(16 * below(end / 16))
                                         : target() - (row.opcode == Opcode::Jmpi ? 16 : 0));
    const bool two = row.format == Format::Branch2 || row.format == Format::BranchRegister2;
    if (two) inst.uip(target());
    return inst;
}

}  // namespace gen9::isa::test
