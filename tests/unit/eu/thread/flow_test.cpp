// SPDX-License-Identifier: Apache-2.0
// Programs of a few instructions run to their end: what each channel has done is in r10 (one word
// of bits per channel), what the thread passed, whoever was active, in r11.0.
#include <gtest/gtest.h>

#include <vector>

#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

constexpr unsigned kStep = 16;

struct Program {
    std::vector<Instruction> code;
    std::unique_ptr<Thread> thread;
    unsigned executed = 0;

    explicit Program(std::uint32_t channels) : thread(make_thread(channels)) {
        for (unsigned i = 0; i < 16; ++i)
            set<std::uint16_t>(*thread, 10, i, 0);
    }
    unsigned here() const { return static_cast<unsigned>(code.size()); }
    unsigned add(Instruction in) {
        code.push_back(in);
        return here() - 1;
    }
    /// Active channels set a bit in their word; the thread sets it in r11.0 in any case.
    void mark(unsigned bit) {
        add(make(Opcode::Or, 16, dst(10, Type::UW),
                 {region(10, 0, 16, 16, 1, Type::UW), imm((1u << bit) * 0x10001u, Type::UW)}));
        Instruction passed = make(Opcode::Or, 1, dst(11, Type::UD),
                                  {scalar(11, 0, Type::UD), imm(1u << bit, Type::UD)});
        passed.no_mask = true;
        add(passed);
    }
    unsigned branch(Opcode opcode, unsigned exec_size = 16) {
        return add(make(opcode, exec_size, null(Type::UD), {}));
    }
    unsigned predicated(Opcode opcode, unsigned flag, bool invert = false) {
        const unsigned at = branch(opcode);
        code[at].pred_ctrl = PredCtrl::Sequential;
        code[at].flag_reg = static_cast<std::uint8_t>(flag / 2);
        code[at].flag_subreg = flag % 2;
        code[at].pred_invert = invert;
        return at;
    }
    void target(unsigned at, unsigned jip, unsigned uip) {
        code[at].jip = static_cast<std::int32_t>(jip - at) * static_cast<std::int32_t>(kStep);
        code[at].uip = static_cast<std::int32_t>(uip - at) * static_cast<std::int32_t>(kStep);
    }
    void execute_all() {
        while (thread->ip < code.size() * kStep) {
            ASSERT_LT(++executed, 2000u) << "does not end";
            ASSERT_EQ(thread->ip % kStep, 0u);
            ASSERT_EQ(run(*thread, code[thread->ip / kStep]), Outcome::Next);
            ASSERT_EQ(thread->active & thread->waiting, 0u);
            ASSERT_EQ(thread->active | thread->waiting, thread->dispatch_mask);
        }
    }
    /// Channels that set the bit.
    std::uint32_t marked(unsigned bit) const {
        std::uint32_t mask = 0;
        for (unsigned i = 0; i < 16; ++i)
            mask |= (get<std::uint16_t>(*thread, 10, i) >> bit & 1u) << i;
        return mask;
    }
    bool passed(unsigned bit) const { return get<std::uint32_t>(*thread, 11, 0) >> bit & 1; }
};

void if_else(std::uint32_t flag, std::uint32_t channels, bool runs_then, bool runs_else) {
    Program p(channels);
    p.thread->flag[0] = flag;
    const unsigned branch = p.predicated(Opcode::If, 0);
    p.mark(0);
    const unsigned other = p.branch(Opcode::Else);
    p.mark(1);
    const unsigned end = p.branch(Opcode::Endif);
    p.mark(2);
    p.target(branch, other + 1, end);
    p.target(other, end, end);
    p.target(end, end + 1, end + 1);
    p.execute_all();
    EXPECT_EQ(p.marked(0), channels & flag);
    EXPECT_EQ(p.marked(1), channels & ~flag);
    EXPECT_EQ(p.marked(2), channels);
    EXPECT_EQ(p.passed(0), runs_then) << "a skipped block executes nothing, not even NoMask";
    EXPECT_EQ(p.passed(1), runs_else);
}
TEST(Flow, IfElseEndif) {
    GEN9_COVERS("EU-272 EU-273 EU-274 EU-269");
    if_else(0x0FF0, 0xFFFF, true, true);
    if_else(0xFFFF, 0xFFFF, true, false);
    if_else(0x0000, 0xFFFF, false, true);
    if_else(0x00FF, 0x0F0F, true, true);
}
TEST(Flow, NestedIfs) {
    GEN9_COVERS("EU-272 EU-274 EU-287");
    Program p(0xFFFF);
    p.thread->flag = {0x0F0F00FF, 0};
    const unsigned outer = p.predicated(Opcode::If, 0);
    const unsigned inner = p.predicated(Opcode::If, 1);
    p.mark(0);
    const unsigned inner_end = p.branch(Opcode::Endif);
    p.mark(1);
    const unsigned outer_end = p.branch(Opcode::Endif);
    p.mark(2);
    p.target(outer, outer_end, outer_end);
    p.target(inner, inner_end, inner_end);
    p.target(inner_end, outer_end, outer_end);
    p.target(outer_end, outer_end + 1, outer_end + 1);
    p.execute_all();
    EXPECT_EQ(p.marked(0), 0x000Fu);
    EXPECT_EQ(p.marked(1), 0x00FFu);
    EXPECT_EQ(p.marked(2), 0xFFFFu);
}
TEST(Flow, BranchOfFewerChannelsLeavesTheOthersAlone) {
    // Compilers enclose a few channels of a wider thread in `if (4)` without setting the others'
    // flags: that branches look at all dispatched channels (EU-165) does not hold (D-16).
    GEN9_COVERS("EU-272 EU-156");
    // As in the double divide macro: if (4 M4) inside a wider kernel.
    Program p(0xFFFF);
    p.thread->flag[0] = 0x0000;
    const unsigned branch = p.predicated(Opcode::If, 0);
    p.code[branch].exec_size = 4;
    p.code[branch].channel_offset = 4;
    p.mark(0);
    const unsigned end = p.branch(Opcode::Endif);
    p.target(branch, end, end);
    p.target(end, end + 1, end + 1);
    p.execute_all();
    EXPECT_EQ(p.marked(0), 0xFF0Fu);
    EXPECT_EQ(p.thread->active, 0xFFFFu);
}
TEST(Flow, ForwardGotoSendsTheFalseChannelsAway) {
    GEN9_COVERS("EU-279 EU-280");
    Program p(0xFFFF);
    p.thread->flag[0] = 0x000F;
    const unsigned jump = p.predicated(Opcode::Goto, 0);
    p.mark(0);
    const unsigned meet = p.branch(Opcode::Join);
    p.mark(1);
    p.target(jump, meet, meet);
    p.target(meet, meet + 1, meet + 1);
    p.execute_all();
    EXPECT_EQ(p.marked(0), 0x000Fu);
    EXPECT_EQ(p.marked(1), 0xFFFFu);
}
TEST(Flow, ForwardGotoWithNobodyLeftSkipsToTheJoin) {
    GEN9_COVERS("EU-279 EU-280");
    Program p(0xFFFF);
    p.thread->flag[0] = 0;
    const unsigned jump = p.predicated(Opcode::Goto, 0);
    p.mark(0);
    const unsigned meet = p.branch(Opcode::Join);
    p.mark(1);
    p.target(jump, meet, meet);
    p.target(meet, meet + 1, meet + 1);
    p.execute_all();
    EXPECT_FALSE(p.passed(0));
    EXPECT_EQ(p.marked(1), 0xFFFFu);
}
TEST(Flow, BackwardGotoLoopsUntilTheLastChannelIsDone) {
    GEN9_COVERS("EU-279 EU-280 EU-284");
    // do { ++count; } while (count < limit), limit = channel number + 1.
    Program p(0xFFFF);
    for (unsigned i = 0; i < 16; ++i) {
        set<std::uint32_t>(*p.thread, 20, i, 0);
        set<std::uint32_t>(*p.thread, 22, i, i + 1);
    }
    const unsigned top = p.branch(Opcode::Join);
    p.add(make(Opcode::Add, 16, dst(20, Type::UD), {grf(20, Type::UD), imm(1, Type::UD)}));
    Instruction compare =
        make(Opcode::Cmp, 16, null(Type::UD), {grf(20, Type::UD), grf(22, Type::UD)});
    compare.cond_mod = CondMod::L;
    p.add(compare);
    const unsigned back = p.predicated(Opcode::Goto, 0);
    p.code[back].branch_ctrl = true;
    const unsigned meet = p.branch(Opcode::Join);
    p.mark(0);
    p.target(top, meet, meet);
    p.target(back, meet, top);
    p.target(meet, meet + 1, meet + 1);
    p.execute_all();
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(get<std::uint32_t>(*p.thread, 20, i), i + 1);
    EXPECT_EQ(p.marked(0), 0xFFFFu);
    EXPECT_EQ(p.executed, 16u * 4 + 1 + 2);
}
TEST(Flow, BreakLeavesAnUnpredicatedWhile) {
    GEN9_COVERS("EU-275 EU-276");
    Program p(0x000F);
    for (unsigned i = 0; i < 16; ++i) {
        set<std::uint32_t>(*p.thread, 20, i, 0);
        set<std::uint32_t>(*p.thread, 22, i, 2 * i + 1);
    }
    const unsigned top = p.here();
    p.add(make(Opcode::Add, 16, dst(20, Type::UD), {grf(20, Type::UD), imm(1, Type::UD)}));
    Instruction compare =
        make(Opcode::Cmp, 16, null(Type::UD), {grf(20, Type::UD), grf(22, Type::UD)});
    compare.cond_mod = CondMod::GE;
    p.add(compare);
    const unsigned leave = p.predicated(Opcode::Break, 0);
    const unsigned loop = p.branch(Opcode::While);
    p.mark(0);
    p.target(leave, loop, loop);
    p.target(loop, top, top);
    p.execute_all();
    for (unsigned i = 0; i < 4; ++i)
        EXPECT_EQ(get<std::uint32_t>(*p.thread, 20, i), 2 * i + 1);
    EXPECT_EQ(p.marked(0), 0x000Fu);
}
TEST(Flow, ContinueWaitsAtTheWhile) {
    GEN9_COVERS("EU-275 EU-277");
    Program p(0x000F);
    p.thread->flag = {0x3, 0x5};
    const unsigned skip = p.predicated(Opcode::Cont, 0);
    p.mark(0);
    const unsigned loop = p.predicated(Opcode::While, 2);
    p.mark(1);
    p.target(skip, loop, loop);
    p.target(loop, 0, 0);
    // The while's flag must end the loop: cleared by the second pass of the loop body.
    p.code[1] = make(Opcode::Mov, 1, arf(isa::Arf::Flag, 1, Type::UD), {imm(0, Type::UD)});
    p.code[1].no_mask = true;
    p.execute_all();
    EXPECT_EQ(p.marked(1), 0x000Fu);
}
TEST(Flow, HaltedChannelsMeetAtUip) {
    GEN9_COVERS("EU-278");
    Program p(0xFF);
    p.thread->flag[0] = 0x0F;
    const unsigned stop = p.predicated(Opcode::Halt, 0);
    p.mark(0);
    const unsigned end = p.branch(Opcode::Halt);
    p.mark(1);
    p.target(stop, end, end);
    p.target(end, end + 1, end + 1);
    p.execute_all();
    EXPECT_EQ(p.marked(0), 0xF0u);
    EXPECT_EQ(p.marked(1), 0xFFu);
}
TEST(Flow, JmpiCountsFromTheNextInstruction) {
    GEN9_COVERS("EU-269 EU-271 EU-286");
    Program p(0xFF);
    p.thread->flag[0] = 0x2;
    Instruction jump = make(Opcode::Jmpi, 1, arf(isa::Arf::Ip, 0, Type::D), {});
    jump.jip = 2 * kStep;
    p.add(jump);
    p.mark(0);
    jump.pred_ctrl = PredCtrl::Sequential;  // bit of channel 0 is clear
    p.add(jump);
    p.mark(1);
    p.execute_all();
    EXPECT_FALSE(p.passed(0));
    EXPECT_EQ(p.marked(1), 0xFFu);
}
TEST(Flow, JmpiByRegister) {
    GEN9_COVERS("EU-107 EU-270");
    // The low bits of the sum are dropped.
    for (const int low : {0, 7}) {
        Program p(0xFF);
        set<std::int32_t>(*p.thread, 30, 2, 2 * static_cast<int>(kStep) + low);
        Instruction jump = make(Opcode::Jmpi, 1, arf(isa::Arf::Ip, 0, Type::D),
                                {arf(isa::Arf::Ip, 0, Type::D), scalar(30, 2, Type::D)});
        jump.jip_from_register = true;
        p.add(jump);
        p.mark(0);
        p.mark(1);
        p.execute_all();
        EXPECT_FALSE(p.passed(0));
        EXPECT_TRUE(p.passed(1));
    }
}
TEST(Flow, CallFromSomeChannelsAndReturn) {
    GEN9_COVERS("EU-282 EU-283");
    Program p(0xFFFF);
    p.thread->flag[0] = 0x00F0;
    p.thread->call_mask = 0x1234;
    Instruction call = make(Opcode::Call, 16, dst(125, Type::UD), {});
    call.pred_ctrl = PredCtrl::Sequential;
    const unsigned at = p.add(call);
    p.mark(0);
    Instruction leap = make(Opcode::Jmpi, 1, arf(isa::Arf::Ip, 0, Type::D), {});
    const unsigned over = p.add(leap);
    const unsigned function = p.here();
    p.mark(1);
    Instruction ret = make(Opcode::Ret, 16, null(Type::UD), {region(125, 0, 2, 2, 1, Type::UD)});
    p.add(ret);
    const unsigned end = p.here();
    p.mark(2);
    p.target(at, function, function);
    p.code[over].jip = static_cast<std::int32_t>((end - over - 1) * kStep);
    p.execute_all();
    EXPECT_EQ(p.marked(1), 0x00F0u);
    EXPECT_EQ(p.marked(0), 0xFFFFu);
    EXPECT_EQ(p.marked(2), 0xFFFFu);
    EXPECT_EQ(p.thread->call_mask, 0x1234u);
    EXPECT_EQ(get<std::uint32_t>(*p.thread, 125, 0), kStep);
    EXPECT_EQ(get<std::uint32_t>(*p.thread, 125, 1), 0x1234u);
}
TEST(Flow, PartialReturnKeepsTheThreadInTheFunction) {
    GEN9_COVERS("EU-283");
    Program p(0xFF);
    p.thread->flag[0] = 0x0F;
    const unsigned at = p.add(make(Opcode::Call, 16, dst(125, Type::UD), {}));
    p.mark(0);
    const unsigned over = p.add(make(Opcode::Jmpi, 1, arf(isa::Arf::Ip, 0, Type::D), {}));
    const unsigned function = p.here();
    Instruction ret = make(Opcode::Ret, 16, null(Type::UD), {region(125, 0, 2, 2, 1, Type::UD)});
    ret.pred_ctrl = PredCtrl::Sequential;
    p.add(ret);
    p.mark(1);
    ret.pred_ctrl = PredCtrl::None;
    p.add(ret);
    const unsigned end = p.here();
    p.target(at, function, function);
    p.code[over].jip = static_cast<std::int32_t>((end - over - 1) * kStep);
    p.execute_all();
    EXPECT_EQ(p.marked(1), 0xF0u);
    EXPECT_EQ(p.marked(0), 0xFFu);
}
TEST(Flow, WritingIpJumps) {
    GEN9_COVERS("EU-107 EU-285");
    Program p(0xFF);
    Instruction move =
        make(Opcode::Mov, 1, arf(isa::Arf::Ip, 0, Type::UD), {imm(3 * kStep + 5, Type::UD)});
    p.add(move);
    p.mark(0);
    p.mark(1);
    p.execute_all();
    EXPECT_FALSE(p.passed(0));
    EXPECT_TRUE(p.passed(1));
}
TEST(Flow, ChannelsNeverDispatchedNeverRun) {
    GEN9_COVERS("EU-155");
    if_else(0x00FF, 0x8001, true, true);
}
TEST(Flow, DivergingAndConvergingBranches) {
    GEN9_COVERS("EU-281");
    Program p(0xFF);
    p.thread->flag = {0x0F, 0x0F};
    const unsigned away = p.predicated(Opcode::Brd, 0);
    p.mark(0);
    const unsigned meet = p.branch(Opcode::Join);
    p.target(away, meet, meet);
    p.target(meet, meet + 1, meet + 1);
    p.execute_all();
    EXPECT_FALSE(p.passed(0))
        << "the thread jumps when any channel does; the others wait behind it";
    Program q(0xFF);
    q.thread->flag = {0x0F, 0};
    const unsigned stay = q.predicated(Opcode::Brc, 0);
    q.mark(0);
    const unsigned end = q.branch(Opcode::Join);
    q.mark(1);
    q.target(stay, end, end);
    q.target(end, end + 1, end + 1);
    q.execute_all();
    EXPECT_EQ(q.marked(0), 0xF0u);
    EXPECT_EQ(q.marked(1), 0xFFu);
}

/// One flow for all: the decision is that of the first flag bit (EU-171).
void single_flow_if(std::uint32_t flag, std::uint32_t runs_then, std::uint32_t runs_else) {
    Program p(0xFFFF);
    p.thread->control[0] |= cr0::kSinglePath;
    p.thread->flag[0] = flag;
    const unsigned branch = p.predicated(Opcode::If, 0);
    p.mark(0);
    const unsigned other = p.branch(Opcode::Else);
    p.mark(1);
    const unsigned end = p.branch(Opcode::Endif);
    p.mark(2);
    p.target(branch, other + 1, end);
    p.target(other, end, end);
    p.target(end, end + 1, end + 1);
    p.execute_all();
    EXPECT_EQ(p.marked(0), runs_then);
    EXPECT_EQ(p.marked(1), runs_else);
    EXPECT_EQ(p.marked(2), 0xFFFFu);
}
TEST(SingleFlow, IfTakesOneSideForAllChannels) {
    GEN9_COVERS("EU-171");
    single_flow_if(0x0001, 0xFFFF, 0);
    single_flow_if(0xFFFE, 0, 0xFFFF);
}
/// A loop of at most three rounds with a branch in it that bit 0 of f0.1 decides.
Program single_flow_loop(Opcode opcode, std::uint32_t decision) {
    Program p(0xFFFF);
    p.thread->control[0] |= cr0::kSinglePath;
    p.thread->flag = {decision << 16, 0};
    set<std::uint32_t>(*p.thread, 12, 0, 3);
    const unsigned begin = p.here();
    p.mark(0);
    const unsigned leave = p.predicated(opcode, 1);
    p.mark(1);
    Instruction count =
        make(Opcode::Add, 1, dst(12, Type::D), {scalar(12, 0, Type::D), imm(0xFFFFFFFF, Type::D)});
    count.cond_mod = CondMod::NZ;
    count.flag_reg = 1;
    count.no_mask = true;
    p.add(count);
    const unsigned loop = p.predicated(Opcode::While, 2);
    p.mark(2);
    const unsigned end = p.branch(Opcode::Join);
    p.target(end, end + 1, end + 1);
    p.target(loop, begin, begin);
    // In this mode JIP plays no part: it is made wrong.
    p.target(leave, begin, opcode == Opcode::Halt ? end : loop);
    p.execute_all();
    return p;
}
TEST(SingleFlow, WhileBreakContAndHaltMoveAllChannels) {
    GEN9_COVERS("EU-171");
    for (const Opcode opcode : {Opcode::Break, Opcode::Cont, Opcode::Halt}) {
        const Program stays = single_flow_loop(opcode, 0xFFFE);
        EXPECT_EQ(stays.marked(1), 0xFFFFu);
        EXPECT_EQ(stays.marked(2), 0xFFFFu);
        EXPECT_EQ(get<std::uint32_t>(*stays.thread, 12, 0), 0u) << "three rounds";
    }
    const Program broken = single_flow_loop(Opcode::Break, 1);
    EXPECT_EQ(broken.marked(0), 0xFFFFu);
    EXPECT_FALSE(broken.passed(1));
    EXPECT_EQ(broken.marked(2), 0xFFFFu);
    EXPECT_EQ(get<std::uint32_t>(*broken.thread, 12, 0), 3u);
    const Program continued = single_flow_loop(Opcode::Cont, 1);
    EXPECT_FALSE(continued.passed(1));
    EXPECT_EQ(continued.marked(2), 0xFFFFu) << "the while's own flag was never set";
    const Program halted = single_flow_loop(Opcode::Halt, 1);
    EXPECT_FALSE(halted.passed(1));
    EXPECT_FALSE(halted.passed(2));
    EXPECT_EQ(halted.thread->active, 0xFFFFu);
}

}  // namespace
}  // namespace gen9::eu::test
