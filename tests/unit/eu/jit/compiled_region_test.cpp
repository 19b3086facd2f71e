// SPDX-License-Identifier: Apache-2.0
// Compiled code against the general path: same instructions, same thread.
#include "eu/jit/compiled_region.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "common/register_bytes.h"
#include "eu/execute/prepare.h"
#include "interconnect/payload/plain_messages.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/eu/execute/random_thread.h"
#include "tests/unit/eu/jit/levels.h"

namespace gen9::eu::test {
namespace {

/// Random code of `size` instructions: arithmetic of one type, because the bits of a NaN may differ
/// and must not be taken for a number; sends; and branches to anywhere in it.
class RandomCode {
  public:
    RandomCode(Random& random, std::uint32_t first_ip, unsigned size) : first_ip_(first_ip) {
        type_ = random() % 2 ? Type::F : Type::D;
        for (unsigned i = 0; i < size; ++i) {
            Instruction in = random() % 3 == 0 ? branch(random, i, size) : plain(random);
            if (random() % 24 == 0) {
                in = make(Opcode::Mov, 1,
                          arf(isa::Arf::Notification, 0, Type::UD, 4 * (random() % 3)),
                          {imm(random() % 4, Type::UD)});
                in.no_mask = random() % 4;
            }
            if (random() % 24 == 0)
                in = make(Opcode::Wait, 1, null(Type::UD),
                          {arf(isa::Arf::Notification, 0, Type::UD, 4 * (random() % 3))});
            if (random() % 12 == 0) {
                in = make(random() % 2 ? Opcode::Send : Opcode::Sendc, 16, null(Type::UD),
                          {grf(10, Type::UD)});
                in.no_mask = random() % 2;
            }
            general_.push_back(prepare_general(in, first_ip + 16 * i));
            fast_.push_back(prepare(in, first_ip + 16 * i));
        }
    }
    std::vector<jit::Part> parts(Random& random) const {
        std::vector<jit::Part> all;
        for (const DecodedInstruction& d : fast_) {
            // Some are not ready, and of several in a row nobody knows where they begin.
            const bool behind_one = !all.empty() && all.back().instruction == nullptr;
            const bool ready = all.empty() || random() % (behind_one ? 2 : 40) != 0;
            if (behind_one && !ready)
                all.back().next_ip = d.next_ip;
            else
                all.push_back({ready ? &d : nullptr, d.ip, d.next_ip, 0});
        }
        return all;
    }
    const DecodedInstruction* find(std::uint32_t ip) const {
        const std::uint32_t place = (ip - first_ip_) / 16;
        return ip >= first_ip_ && place < general_.size() ? &general_[place] : nullptr;
    }

  private:
    Instruction branch(Random& random, unsigned place, unsigned size) const {
        constexpr Opcode all[] = {Opcode::If,   Opcode::Else,  Opcode::Endif, Opcode::While,
                                  Opcode::Goto, Opcode::Break, Opcode::Cont,  Opcode::Halt,
                                  Opcode::Jmpi, Opcode::Join,  Opcode::Brd};
        Instruction in =
            make(all[random() % 11], pick(random, {8, 16, 16, 32}), null(Type::UD), {});
        const auto ahead = [&] { return 16 * int(1 + random() % (size - place)); };
        const auto back = [&] { return -16 * int(random() % (place + 1)); };
        in.jip = ahead();
        in.uip = std::max(in.jip, std::int32_t(ahead()));
        if (in.opcode == Opcode::While || (in.opcode == Opcode::Jmpi && random() % 3 == 0))
            in.jip = back();
        if (in.opcode == Opcode::Goto && random() % 2) {
            in.branch_ctrl = true;
            in.uip = back();
        }
        if (in.opcode == Opcode::Jmpi) {
            in.exec_size = 1;
            in.no_mask = true;
        }
        if (random() % 4 != 0) in.pred_ctrl = PredCtrl::Sequential;
        if (random() % 12 == 0) in.pred_ctrl = PredCtrl::Any16H;
        in.pred_invert = random() % 2;
        in.flag_reg = random() % 2;
        in.flag_subreg = in.exec_size == 32 ? 0 : random() % 2;
        return in;
    }

    Instruction plain(Random& random) const {
        constexpr Opcode singles[] = {Opcode::Add,  Opcode::Mul, Opcode::Mov,  Opcode::Sel,
                                      Opcode::Cmp,  Opcode::Mad, Opcode::Rndd, Opcode::Rndz,
                                      Opcode::Rnde, Opcode::Lrp, Opcode::Pln,  Opcode::Frc};
        constexpr Opcode integers[] = {Opcode::Add, Opcode::Mul, Opcode::Mov, Opcode::Sel,
                                       Opcode::Cmp, Opcode::And, Opcode::Or,  Opcode::Xor,
                                       Opcode::Not, Opcode::Shl, Opcode::Shr, Opcode::Asr};
        const bool floats = type_ == Type::F;
        const Opcode opcode = (floats ? singles : integers)[random() % 12];
        const bool three = opcode == Opcode::Mad || opcode == Opcode::Lrp;
        const bool logic = opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor ||
                           opcode == Opcode::Not;
        const unsigned size = three || opcode == Opcode::Pln ? pick(random, {8, 16})
                                                             : pick(random, {1, 4, 8, 16, 16});
        // Few registers, so that each instruction reads what others have written.
        const auto type = [&] {
            return floats || random() % 2 ? type_ : random() % 2 ? Type::UD : Type::UW;
        };
        const auto source = [&](bool may_be_immediate) {
            const Type of = type();
            const unsigned reg = 2 * (random() % 8), width = std::min(size, 8u);
            Operand o = region(reg, 0, width, width, size == 1 ? 0 : 1, of);
            switch (random() % 6) {
                case 0:
                    o = scalar(reg, random() % 8, of);
                    break;
                case 1:
                    if (may_be_immediate)
                        return of == Type::UW ? imm(random() % 65536 * 0x10001u, of)
                                              : imm(interesting_word(random), of);
                    break;
                case 2:
                    o = region(reg, 0, 2 * width, width, size == 1 ? 0 : 2, of);
                    break;
                default:
                    break;
            }
            o.negate = random() % 4 == 0;
            o.absolute = !logic && random() % 8 == 0;
            return o;
        };
        Instruction in = make(opcode, size, dst(2 * (random() % 8), floats ? type_ : type()), {});
        if (opcode == Opcode::Pln) {
            in.src[0] = scalar(random() % 16, random() % 2 * 4, Type::F);
            in.src[1] = grf(2 * (random() % 6), Type::F);
            in.source_count = 2;
        } else if (three) {
            in.align16 = true;
            for (Operand& o : in.src) {
                o = grf(2 * (random() % 8), type_);
                o.negate = random() % 4 == 0;
                o.replicate = random() % 4 == 0;
            }
            in.source_count = 3;
            if (random() % 4 == 0) in.dst.chan_enable = random() % 16;
        } else {
            in.source_count = opcode == Opcode::Mov || opcode == Opcode::Not ||
                                      opcode == Opcode::Rndd || opcode == Opcode::Rndz ||
                                      opcode == Opcode::Rnde || opcode == Opcode::Frc
                                  ? 1
                                  : 2;
            for (unsigned i = 0; i < in.source_count; ++i)
                in.src[i] = source(i + 1 == in.source_count && in.source_count == 2);
        }
        constexpr CondMod conditions[] = {CondMod::Z,  CondMod::NZ, CondMod::G,
                                          CondMod::GE, CondMod::L,  CondMod::LE};
        if (opcode == Opcode::Cmp || (random() % 5 == 0 && !three))
            in.cond_mod = conditions[random() % 6];
        if (opcode == Opcode::Cmp && random() % 4 != 0) in.dst = null(in.dst.type);
        if (floats && opcode != Opcode::Cmp) in.saturate = random() % 8 == 0;
        in.no_mask = random() % 4 == 0;
        if (random() % 4 == 0) in.pred_ctrl = random() % 8 ? PredCtrl::Sequential : PredCtrl::Any8H;
        if (opcode == Opcode::Sel)
            in.pred_ctrl = in.cond_mod == CondMod::None ? PredCtrl::Sequential : PredCtrl::None;
        in.pred_invert = random() % 2;
        in.flag_reg = random() % 2;
        in.flag_subreg = random() % 2;
        if (random() % 4 == 0)
            in.channel_offset = size == 16 ? 16 : size == 8 ? 8 * (random() % 4) : 0;
        return in;
    }

    std::uint32_t first_ip_;
    Type type_;
    std::vector<DecodedInstruction> general_, fast_;
};

/// Carries messages out as calls, but for those of some channel masks.
struct FakeSite : DirectSite {
    Thread* thread = nullptr;
    bool run(const DirectSender&, std::uint32_t mask, const Grf* first, const Grf*, Grf*) override;
};

/// Answers a send by a value in r50, which says how much was executed before it: by itself, or as
/// a call of its site.
struct FakeMessages : Messages {
    Thread* thread = nullptr;
    std::uint64_t executed_before = 0;
    std::uint64_t leave_at = ~std::uint64_t{0};
    bool left = false;
    std::vector<DirectSite*> sites;
    std::uint32_t called = 0;
    static void answer(Thread& thread) {
        set<std::uint32_t>(thread, 50, 3, get<std::uint32_t>(thread, 50, 3) * 3 + 1);
        set<std::uint32_t>(thread, 50, 4, get<std::uint32_t>(thread, 50, 4) * 5 + thread.send_mask);
        // Another thread that a checked one must wait for.
        const std::uint32_t value = get<std::uint32_t>(thread, 50, 4);
        if (value % 4 == 0) thread.dependency[value / 4 % 8] = 0x8001;
    }
    bool send(Thread& of, const DecodedInstruction& d, unsigned, Cycles now) override {
        EXPECT_EQ(d.execute(of, d), Outcome::Send);
        answer(of);
        left = executed_before + now.value == leave_at;
        return !left;
    }
    void wait(Thread& of, const DecodedInstruction& d, Cycles now) override {
        EXPECT_EQ(of.ip, d.ip);
        if (d.instruction.opcode == Opcode::Wait) {
            EXPECT_EQ(of.notification[place(d)], 0u);
        } else {
            EXPECT_TRUE(std::ranges::any_of(of.dependency, [](unsigned n) { return n & 0x8000; }));
            ++waited_for_threads;
        }
        waits_before = executed_before + now.value;
        waits = true;
    }
    static unsigned place(const DecodedInstruction& d) { return d.instruction.src[0].subreg / 4; }
    /// What it waits for comes.
    static void let_go(Thread& thread, const DecodedInstruction& d) {
        if (d.instruction.opcode == Opcode::Wait)
            thread.notification[place(d)] = 2;
        else
            thread.dependency.fill(0x0001);
    }
    bool waits = false;
    std::uint64_t waits_before = 0;
    unsigned waited = 0, waited_for_threads = 0;
    FakeSite site;
    bool has_site = false;
    Direct direct(unsigned most) override {
        sites.assign(most + 1u, has_site ? &site : nullptr);
        return {sites.data(), nullptr, &called};
    }
};

bool FakeSite::run(const DirectSender&, std::uint32_t mask, const Grf* first, const Grf*, Grf*) {
    if (mask % 8 == 3) return false;
    EXPECT_EQ(first, &thread->grf[10]);
    thread->send_mask = mask;
    FakeMessages::answer(*thread);
    return true;
}

void take_nans(Thread& thread, const Thread& from) {
    for (unsigned i = 0; i < kGrfCount * 8; ++i) {
        const float a = get<float>(thread, 0, i), b = get<float>(from, 0, i);
        if (std::isnan(a) && std::isnan(b)) set<float>(thread, 0, i, b);
    }
}

/// Executes an instruction; what a thread waits for comes.
void step(Thread& thread, const DecodedInstruction& d) {
    Outcome outcome = d.execute(thread, d);
    if (outcome == Outcome::Wait) {
        FakeMessages::let_go(thread, d);
        outcome = d.execute(thread, d);
    }
    if (outcome == Outcome::Send) FakeMessages::answer(thread);
}

/// Runs the code by a region where it runs now, and else one instruction at a time, as an EU does.
/// Gives the instructions executed by the region.
std::uint64_t run(Thread& thread, const RandomCode& code, const jit::CompiledRegion& region,
                  FakeMessages& messages, std::uint64_t count) {
    std::uint64_t done = 0, compiled = 0;
    while (done < count) {
        const DecodedInstruction* const next = code.find(thread.ip);
        if (next == nullptr) break;
        if (region.has(thread.ip) && done + region.size() <= count && region.runs_now(thread)) {
            messages.executed_before = done;
            const CodeRegion::Run ran = region.run(thread, messages, Cycles(), count - done);
            EXPECT_LE(ran.instructions, count - done);
            done += ran.instructions;
            compiled += ran.instructions;
            EXPECT_EQ(ran.left, messages.left || messages.waits);
            if (std::exchange(messages.waits, false)) {
                EXPECT_EQ(messages.waits_before, done);
                ++messages.waited;
                FakeMessages::let_go(thread, *code.find(thread.ip));
                continue;
            }
            EXPECT_GT(ran.instructions, 0u);
            if (ran.left || ran.instructions == 0) break;
            continue;
        }
        step(thread, *next);
        ++done;
    }
    messages.executed_before = done;
    return compiled;
}

TEST(CompiledRegions, DoWhatTheirInstructionsDoOneAfterTheOther) {
    Random random(31);
    std::uint64_t compiled = 0, all = 0, called = 0, waited = 0, waited_for_threads = 0;
    for (unsigned n = 0; n < gen9::test::rounds(6000); ++n) {
        auto start = random_thread(random);
        // Most kernels run in these modes.
        if (random() % 2) start->control[0] = cr0::kFloatDenormals;
        if (random() % 8 == 0) start->control[0] = cr0::kAlternate;
        if (random() % 4 == 0) {
            start->active = ~0u;
            park(*start, random(), start->ip + 16 * (random() % 24));
        }
        const RandomCode code(random, start->ip, 8 + random() % 24);
        const std::vector<jit::Part> parts = code.parts(random);
        for (const jit::Level level : levels()) {
            const auto region = jit::CompiledRegion::make(parts, start->control[0], level);
            if (region == nullptr) continue;
            Thread thread = *start, reference = *start;
            FakeMessages messages;
            messages.site.thread = &thread;
            messages.has_site = random() % 2;
            if (random() % 4 == 0) messages.leave_at = random() % 64;
            compiled += run(thread, code, *region, messages, 200 + random() % 100);
            const std::uint64_t count = messages.executed_before;
            all += count;
            called += messages.called;
            waited += messages.waited;
            waited_for_threads += messages.waited_for_threads;
            for (std::uint64_t done = 0; done < count; ++done) {
                const DecodedInstruction* const d = code.find(reference.ip);
                ASSERT_NE(d, nullptr);
                step(reference, *d);
            }
            take_nans(thread, reference);
            ASSERT_TRUE(same_state(thread, reference))
                << n << " level " << int(level) << " after " << count;
        }
    }
    if (!levels().empty()) {
        EXPECT_GT(compiled, all / 2);
        EXPECT_GT(called, gen9::test::rounds(6000));
        EXPECT_GT(waited, gen9::test::rounds(6000) / 4);
        EXPECT_GT(waited_for_threads, gen9::test::rounds(6000) / 16);
    }
}

/// Runs code under a control register compiled and instruction by instruction.
void expect_as_in_turn(std::span<const Instruction> code, const Thread& start,
                       std::uint32_t control = cr0::kAlternate) {
    std::vector<DecodedInstruction> fast, general;
    std::vector<jit::Part> parts;
    for (const Instruction& in : code) {
        const auto ip = static_cast<std::uint32_t>(16 * fast.size());
        fast.push_back(prepare(in, ip));
        general.push_back(prepare_general(in, ip));
    }
    for (const DecodedInstruction& d : fast)
        parts.push_back({&d, d.ip, d.next_ip, 0});
    for (const jit::Level level : levels()) {
        Thread thread = start, reference = start;
        thread.control[0] = reference.control[0] = control;
        thread.ip = reference.ip = 0;
        const auto region = jit::CompiledRegion::make(parts, control, level);
        ASSERT_NE(region, nullptr);
        FakeMessages messages;
        EXPECT_EQ(region->run(thread, messages, Cycles(), 100).instructions, code.size());
        for (const DecodedInstruction& d : general)
            step(reference, d);
        EXPECT_TRUE(same_state(thread, reference)) << "level " << int(level);
    }
}

// A result at hand may be of an instruction that does not mind the mode.
TEST(CompiledRegions, TakeNoInfinityFromAResultOfIntegersInTheAlternateMode) {
    for (const unsigned size : {8u, 16u}) {
        const std::array<Instruction, 3> code{
            make(Opcode::Add, size, dst(20, Type::UD), {grf(10, Type::UD), grf(12, Type::UD)}),
            make(Opcode::Add, size, dst(24, Type::F), {grf(20, Type::F), grf(14, Type::F)}),
            make(Opcode::Mul, size, dst(26, Type::F), {grf(14, Type::F), grf(20, Type::F)})};
        const auto start = make_thread();
        for (unsigned lane = 0; lane < size; ++lane) {
            constexpr std::uint32_t kSpecial[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7F7FFFFF};
            set<std::uint32_t>(*start, 10, lane, kSpecial[lane % 4] - 5);
            set<std::uint32_t>(*start, 12, lane, 5);
            set<float>(*start, 14, lane, -2.5f);
        }
        expect_as_in_turn(code, *start);
    }
}

// A truth value becomes a float by its negation: 0 stays without a sign, and the least number is exact.
TEST(CompiledRegions, MakeSinglesOfNegatedIntegers) {
    GEN9_COVERS("EU-127");
    constexpr std::int32_t kNumbers[] = {0,         -1,        1,        INT32_MIN,
                                         INT32_MAX, -16777217, 16777219, -32768};
    for (const std::uint32_t control : {0u, cr0::kAlternate})
        for (const unsigned size : {8u, 16u}) {
            std::array<Instruction, 4> code{
                make(Opcode::Mov, size, dst(20, Type::F), {grf(10, Type::D)}),
                make(Opcode::Mov, size, dst(24, Type::F), {grf(10, Type::W)}),
                make(Opcode::Mov, size, dst(28, Type::F), {grf(12, Type::UW)}),
                make(Opcode::Mov, size, dst(32, Type::F), {scalar(10, 3, Type::D)})};
            for (Instruction& in : code)
                in.src[0].negate = true;
            const auto start = make_thread();
            for (unsigned lane = 0; lane < 16; ++lane)
                set<std::int32_t>(*start, 10, lane, kNumbers[lane % 8]);
            expect_as_in_turn(code, *start, control);
        }
}

// The root of a half below 0 is not that of its magnitude, and what becomes a single has no infinity.
TEST(CompiledRegions, TakeHalvesInTheAlternateModeAsTheirFunctionsDo) {
    GEN9_COVERS("EU-134 EU-135");
    for (const unsigned size : {8u, 16u}) {
        std::array<Instruction, 2> code{
            make(Opcode::Mov, size, dst(20, Type::F), {grf(10, Type::HF)}),
            make(Opcode::Math, size, dst(24, Type::F), {grf(10, Type::HF)})};
        code[0].src[0].negate = true;
        code[1].math = isa::MathFunction::Sqrt;
        const auto start = make_thread();
        for (unsigned lane = 0; lane < size; ++lane) {
            constexpr std::uint16_t kSpecial[] = {0x7C00, 0xFC00, 0x7E00, 0xA465, 0x3C00};
            set<std::uint16_t>(*start, 10, lane, kSpecial[lane % 5]);
        }
        expect_as_in_turn(code, *start);
    }
}

}  // namespace
}  // namespace gen9::eu::test
