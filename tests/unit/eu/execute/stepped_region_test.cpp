// SPDX-License-Identifier: Apache-2.0
#include "eu/execute/stepped_region.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

#include "eu/execute/prepare.h"
#include "tests/support/sample.h"
#include "tests/unit/eu/execute/random_thread.h"

namespace gen9::eu::test {
namespace {

/// An instruction as kernels have them, packed or scalar. A program keeps to one type, because the
/// bits of a NaN may differ and must not be taken for a number.
Instruction random_plain(Random& random, Type type) {
    constexpr Opcode all[] = {Opcode::Add, Opcode::Mul, Opcode::Mov,
                              Opcode::Sel, Opcode::Cmp, Opcode::Mad};
    Opcode opcode = all[random() % 6];
    if (opcode == Opcode::Mad && type != Type::F) opcode = Opcode::Or;
    const unsigned exec_size =
        opcode == Opcode::Mad ? pick(random, {8, 16}) : pick(random, {1, 8, 16, 16});
    // Few registers, so that each instruction reads what others have written.
    const auto packed = [&] {
        Operand o = region(2 * (random() % 8), 0, 8, 8, 1, type);
        if (exec_size == 1) o = scalar(random() % 16, random() % 8, type);
        if (opcode != Opcode::Or) o.negate = random() % 4 == 0;
        return o;
    };
    const auto any = [&] {
        if (random() % 4 == 0) return scalar(random() % 16, random() % 8, type);
        return random() % 4 == 0 ? imm(interesting_word(random), type) : packed();
    };
    Instruction in = make(opcode, exec_size, dst(2 * (random() % 8), type), {packed()});
    if (opcode == Opcode::Mad) {
        in.align16 = true;
        for (Operand& o : in.src)
            o = grf(2 * (random() % 8), type), o.negate = random() % 4 == 0;
        in.source_count = 3;
    } else if (opcode != Opcode::Mov) {
        in.src[in.source_count++] = any();
    }
    if (opcode == Opcode::Cmp) {
        in.cond_mod = random() % 2 ? CondMod::L : CondMod::NZ;
        in.dst = null(type);
        if (random() % 2) in.src[0] = scalar(random() % 16, 1, type);
    }
    in.no_mask = random() % 4 == 0;
    if (opcode == Opcode::Sel || random() % 4 == 0) in.pred_ctrl = PredCtrl::Sequential;
    in.flag_reg = random() % 2;
    return in;
}

/// Answers a send by a value in r50, which says how much was executed before it.
struct FakeMessages : Messages {
    static constexpr Cycles kBegin{1000};
    std::uint64_t leave_at = 0;  ///< the thread does not go on behind that instruction
    std::vector<std::uint64_t> sent;
    bool send(Thread& thread, const DecodedInstruction& d, unsigned, Cycles now) override {
        const std::uint64_t executed = (now - kBegin).value;
        EXPECT_EQ(d.execute(thread, d), Outcome::Send);
        answer(thread, executed);
        sent.push_back(executed);
        return executed != leave_at;
    }
    std::vector<DirectSite*> none;
    Direct direct(unsigned most) override {
        none.resize(most + 1u);
        return {none.data(), nullptr, nullptr};
    }
    static void answer(Thread& thread, std::uint64_t executed) {
        set<std::uint32_t>(
            thread, 50, 3,
            get<std::uint32_t>(thread, 50, 3) * 3 + static_cast<std::uint32_t>(executed));
    }
};

/// Eleven instructions, some of them sends, and a branch to the first.
struct RandomCode {
    static constexpr unsigned kSize = 12;
    std::vector<DecodedInstruction> general, fast;
    RandomCode(Random& random, std::uint32_t first_ip) {
        const Type type = random() % 2 ? Type::F : Type::D;
        for (unsigned i = 0; i < kSize; ++i) {
            Instruction in = random_plain(random, type);
            while (prepare(in, 0).fast.masked == nullptr)
                in = random_plain(random, type);
            if (i != kSize - 1 && random() % 4 == 0) {
                in = make(Opcode::Send, 16, null(Type::UD), {grf(10, Type::UD)});
                in.no_mask = random() % 2;
            }
            if (i == kSize - 1) {
                in = make(Opcode::While, 16, null(Type::UD), {});
                in.jip = -16 * static_cast<int>(i);
                in.pred_ctrl = PredCtrl::Sequential;
            }
            general.push_back(prepare_general(in, first_ip + 16 * i));
            fast.push_back(prepare(in, first_ip + 16 * i));
        }
    }
    /// Executes `count` instructions one after the other.
    void run(Thread& thread, std::uint64_t count) const {
        for (std::uint64_t done = 1; done <= count; ++done) {
            const DecodedInstruction& d = general[(thread.ip - general[0].ip) / 16];
            if (d.execute(thread, d) == Outcome::Send) FakeMessages::answer(thread, done);
        }
    }
};

void take_nans(Thread& thread, const Thread& from) {
    if (std::memcmp(&thread.grf, &from.grf, sizeof thread.grf) == 0) return;
    for (unsigned i = 0; i < kGrfCount * 8; ++i) {
        const float a = get<float>(thread, 0, i), b = get<float>(from, 0, i);
        if (std::isnan(a) && std::isnan(b)) set<float>(thread, 0, i, b);
    }
}

TEST(Regions, DoWhatTheirInstructionsDoOneAfterTheOther) {
    Random random(15);
    unsigned ran = 0, left = 0;
    for (unsigned n = 0; n < gen9::test::rounds(3000); ++n) {
        auto thread = random_thread(random);
        const RandomCode code(random, thread->ip);
        SteppedRegion region;
        for (const DecodedInstruction& d : code.fast)
            ASSERT_TRUE(region.add(d));
        EXPECT_FALSE(region.add(code.fast[0])) << "nothing follows a branch";
        EXPECT_EQ(region.size(), RandomCode::kSize);
        EXPECT_EQ(region.end_ip(), thread->ip + 16 * RandomCode::kSize);
        // Now and then a channel waits within the region: it is not to be run as one.
        const bool joins = random() % 4 == 0;
        if (joins) {
            thread->active |= 2;
            park(*thread, 2, thread->ip + 16 * (1 + random() % 10));
        }
        const bool plain = (thread->control[0] & cr0::kRounding) == 0;
        EXPECT_FALSE(joins && region.runs_now(*thread));
        if (plain && !joins && !(thread->control[0] & cr0::kAlternate)) {
            EXPECT_TRUE(region.runs_now(*thread));
        }
        if (!region.runs_now(*thread)) continue;
        ++ran;
        Thread reference = *thread;
        FakeMessages messages;
        if (random() % 4 == 0) messages.leave_at = random() % RandomCode::kSize;
        const CodeRegion::Run run =
            region.run(*thread, messages, FakeMessages::kBegin, region.size());
        EXPECT_EQ(run.left, !messages.sent.empty() && messages.sent.back() == messages.leave_at);
        EXPECT_EQ(run.instructions, run.left ? messages.leave_at : RandomCode::kSize);
        left += run.left;
        code.run(reference, run.instructions);
        take_nans(*thread, reference);
        ASSERT_TRUE(same_state(*thread, reference)) << n;
    }
    EXPECT_GT(ran, gen9::test::rounds(500));
    EXPECT_GT(left, gen9::test::rounds(50));
}

// The write of a thread that would be sent to its system routine for what stands in cr0.1 is left to
// the way that looks at exceptions.
TEST(Regions, EndWithAWriteOfModesUnlessItMayBeAnException) {
    const Instruction move = make(Opcode::Mov, 8, dst(20, Type::UD), {grf(10, Type::UD)});
    Operand control = arf(isa::Arf::Control, 0, Type::UD, 0);
    control.vert_stride = control.horz_stride = 0;
    control.width = 1;
    Instruction modes = make(Opcode::Or, 1, arf(isa::Arf::Control, 0, Type::UD, 0),
                             {control, imm(0x4C0, Type::UD)});
    modes.no_mask = true;
    const DecodedInstruction first = prepare(move, 0), write = prepare(modes, 16),
                             third = prepare(move, 32);
    SteppedRegion region;
    EXPECT_FALSE(SteppedRegion().add(write)) << "no region begins with it";
    ASSERT_TRUE(region.add(first));
    ASSERT_TRUE(region.add(write));
    EXPECT_FALSE(region.add(third)) << "nothing follows it";
    EXPECT_EQ(region.size(), 2u);
    FakeMessages messages;
    auto thread = make_thread();
    thread->control = {};
    EXPECT_EQ(region.run(*thread, messages, FakeMessages::kBegin, 2).instructions, 2u);
    EXPECT_EQ(thread->control[0], 0x4C0u);
    EXPECT_EQ(thread->ip, 32u);
    thread->ip = 0;
    thread->control = {0, cr1::kSoftware | cr1::enable(cr1::kSoftware)};
    EXPECT_EQ(region.run(*thread, messages, FakeMessages::kBegin, 2).instructions, 1u);
    EXPECT_EQ(thread->control[0], 0u);
    EXPECT_EQ(thread->ip, 16u);
    Instruction wide = modes;
    wide.dst.type = Type::UQ;
    EXPECT_TRUE(sets_modes(modes));
    EXPECT_FALSE(sets_modes(wide)) << "it writes cr0.1 too";
}

// Logic on cr0.0 and a constant is what its instruction does, whatever the constant.
TEST(Regions, EndWithLogicOnModesAsItIsExecuted) {
    Random random(23);
    const DecodedInstruction first =
        prepare(make(Opcode::Mov, 8, dst(20, Type::UD), {grf(10, Type::UD)}), 0);
    FakeMessages messages;
    unsigned quick = 0;
    for (unsigned n = 0; n < gen9::test::rounds(3000); ++n) {
        const auto control = [&](unsigned subreg) {
            Operand operand = arf(isa::Arf::Control, 0, random() % 4 ? Type::UD : Type::D, subreg);
            operand.vert_stride = operand.horz_stride = 0;
            operand.width = 1;
            return operand;
        };
        const Opcode opcode =
            std::array{Opcode::Or, Opcode::And, Opcode::Xor, Opcode::Add}[random() % 4];
        const Type type = std::array{Type::UD, Type::D, Type::UW, Type::W}[random() % 4];
        const bool word = type == Type::UW || type == Type::W;
        const auto constant = static_cast<std::uint32_t>(random());
        Instruction modes =
            make(opcode, 1, control(0),
                 {control(random() % 8 ? 0 : 4), imm(word ? constant % 0x10000 : constant, type)});
        modes.no_mask = random() % 8 != 0;
        const DecodedInstruction write = prepare(modes, 16);
        quick += mode_logic(write).has_value();
        SteppedRegion region;
        ASSERT_TRUE(region.add(first));
        ASSERT_TRUE(region.add(write));
        auto thread = make_thread();
        thread->active = random() % 4 ? ~0u : 2;
        thread->control[0] = static_cast<std::uint32_t>(random()) & cr0::kDefined & ~cr0::kMaster;
        thread->control[1] = static_cast<std::uint32_t>(random()) & 0xF800;
        auto expected = std::make_unique<Thread>(*thread);
        region.run(*thread, messages, FakeMessages::kBegin, 2);
        first.execute(*expected, first);
        write.execute(*expected, write);
        ASSERT_EQ(thread->control, expected->control) << n;
        ASSERT_EQ(thread->ip, expected->ip) << n;
    }
    EXPECT_GT(quick, gen9::test::rounds(3000) / 4);
}

TEST(Regions, AreLeftBehindTheMessageAndNotBegunByWhatMayDoOtherwise) {
    Random random(16);
    const Instruction send = make(Opcode::Send, 16, null(Type::UD), {grf(10, Type::UD)});
    Instruction end = send, hangs = send, checked = send, stopped = send;
    end.end_of_thread = hangs.end_of_thread = true;
    hangs.dst = dst(20, Type::UD);
    checked.opcode = Opcode::Sendc;
    stopped.breakpoint = true;
    for (const Instruction& in : {send, end})
        EXPECT_TRUE(SteppedRegion::begins_with(prepare(in, 0)));
    for (const Instruction& in : {hangs, checked, stopped})
        EXPECT_FALSE(SteppedRegion::begins_with(prepare(in, 0)));
}

}  // namespace
}  // namespace gen9::eu::test
