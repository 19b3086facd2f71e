// SPDX-License-Identifier: Apache-2.0
// The specialised functions against the general path: same instruction, same state.
#include <gtest/gtest.h>

#include "eu/execute/prepare.h"
#include "eu/jit/compiled_region.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/eu/execute/random_thread.h"

namespace gen9::eu::test {
namespace {

Operand random_source(Random& random, Type type, unsigned exec_size, bool may_be_immediate) {
    if (may_be_immediate && random() % 4 == 0 && isa::size_bytes(type) >= 2 &&
        isa::size_bytes(type) <= 4) {
        std::uint32_t bits = interesting_word(random);
        if (isa::size_bytes(type) == 2) bits = (bits & 0xFFFF) * 0x10001u;
        return imm(bits, type);
    }
    const unsigned reg = random() % 120, size = isa::size_bytes(type);
    Operand o;
    switch (random() % 5) {
        case 0:
            o = scalar(reg, random() % (32 / size), type);
            break;
        case 1: {
            const unsigned width = std::min(exec_size, pick(random, {1, 2, 4, 8}));
            o = region(reg, 0, pick(random, {0, 1, 2, 4, 8, 16}), width,
                       width == 1 ? 0 : pick(random, {0, 1, 2, 4}), type);
            break;
        }
        case 2:
            o = region(reg, 0, 2 * std::min(exec_size, 8u), std::min(exec_size, 8u),
                       exec_size == 1 ? 0 : 2, type);
            break;
        default: {
            const unsigned width = std::min(exec_size, 8u);
            o = region(reg, 0, width, width, exec_size == 1 ? 0 : 1, type);
        }
    }
    if (random() % 4 == 0) o.negate = true;
    if (random() % 8 == 0) o.absolute = true;
    return o;
}

void randomise_frame(Random& random, Instruction& in) {
    in.channel_offset = static_cast<std::uint8_t>(random() % 2         ? 0
                                                  : in.exec_size == 16 ? 16
                                                  : in.exec_size == 8  ? 8 * (random() % 4)
                                                                       : 0);
    in.no_mask = random() % 3 == 0;
    if (random() % 3 == 0) in.pred_ctrl = static_cast<PredCtrl>(random() % 14);
    if (in.align16 && in.pred_ctrl > PredCtrl::All4H) in.pred_ctrl = PredCtrl::Sequential;
    in.pred_invert = random() % 2;
    in.flag_reg = random() % 2;
    in.flag_subreg = random() % 2;
}

CondMod random_condition(Random& random) {
    constexpr CondMod all[] = {CondMod::Z, CondMod::NZ, CondMod::G, CondMod::GE,
                               CondMod::L, CondMod::LE, CondMod::O, CondMod::U};
    return all[random() % 8];
}

/// NaN of other payload or sign is no difference: the hardware leaves both open (guide 3.1 item 5).
void take_nans(Thread& thread, const Thread& from, const Operand& to) {
    if (!to.is_grf() || !isa::is_float(to.type)) return;
    if (std::memcmp(&thread.grf, &from.grf, sizeof thread.grf) == 0) return;
    for (unsigned i = 0; i < kGrfCount * 8; ++i) {
        const float a = get<float>(thread, 0, i), b = get<float>(from, 0, i);
        if (to.type == Type::F && std::isnan(a) && std::isnan(b)) set<float>(thread, 0, i, b);
        if (to.type == Type::HF)
            for (unsigned h = 2 * i; h < 2 * i + 2; ++h) {
                const auto x = get<std::uint16_t>(thread, 0, h), y = get<std::uint16_t>(from, 0, h);
                if ((x & 0x7FFF) > 0x7C00 && (y & 0x7FFF) > 0x7C00)
                    set<std::uint16_t>(thread, 0, h, y);
            }
        if (to.type == Type::DF && i % 2 == 0 && std::isnan(get<double>(thread, 0, i / 2)) &&
            std::isnan(get<double>(from, 0, i / 2)))
            set<double>(thread, 0, i / 2, get<double>(from, 0, i / 2));
    }
}

struct NoMessages : Messages {
    std::array<DirectSite*, 1> none{};
    bool send(Thread&, const DecodedInstruction&, unsigned, Cycles) override { return false; }
    Direct direct(unsigned) override { return {none.data(), nullptr, nullptr}; }
};

/// Compiled code does the same, for each instruction set of the host.
void compare_compiled(const DecodedInstruction& fast, const Thread& before,
                      const Thread& reference) {
    for (const jit::Level level : {jit::Level::Avx2, jit::Level::Avx512}) {
        if (level > jit::host_level()) break;
        const jit::Part part{&fast, fast.ip, fast.next_ip};
        const auto region = jit::CompiledRegion::make({&part, 1}, before.control[0], level);
        Thread thread = before;
        if (region == nullptr || !region->runs_now(thread)) continue;
        NoMessages messages;
        EXPECT_EQ(region->run(thread, messages, Cycles(), 1).instructions, 1u);
        take_nans(thread, reference, fast.instruction.dst);
        EXPECT_TRUE(same_state(thread, reference)) << "compiled, level " << int(level);
    }
}

bool compare_in(std::unique_ptr<Thread> thread, Random& random, const Instruction& in) {
    const Host host = random() % 4 == 0 ? Host::Baseline : Host::Detected;
    const Thread before = *thread;
    Thread reference = *thread;
    const DecodedInstruction general = prepare_general(in, thread->ip);
    DecodedInstruction fast = general;
    bind_fast(fast, host);
    execute(reference, general);
    execute(*thread, fast);
    take_nans(*thread, reference, in.dst);
    if (host == Host::Detected && random() % 8 == 0) compare_compiled(fast, before, reference);
    if (same_state(*thread, reference)) return true;
    for (unsigned i = 0; i < kGrfCount * 8; ++i)
        if (get<std::uint32_t>(*thread, 0, i) != get<std::uint32_t>(reference, 0, i))
            ADD_FAILURE() << "r" << i / 8 << "." << i % 8 << " before " << std::hex
                          << get<std::uint32_t>(before, 0, i) << " fast "
                          << get<std::uint32_t>(*thread, 0, i) << " general "
                          << get<std::uint32_t>(reference, 0, i);
    ADD_FAILURE() << std::hex << "flags fast " << thread->flag[0] << " " << thread->flag[1]
                  << " general " << reference.flag[0] << " " << reference.flag[1] << " cr0 "
                  << before.control[0] << " active " << before.active;
    return false;
}

bool compare_once(Random& random, const Instruction& in) {
    return compare_in(random_thread(random), random, in);
}

std::string text(const Instruction& in) {
    std::string s = "opcode " + std::to_string(static_cast<int>(in.opcode)) + " exec " +
                    std::to_string(in.exec_size) + " off " + std::to_string(in.channel_offset) +
                    " cond " + std::to_string(static_cast<int>(in.cond_mod)) + " sat " +
                    std::to_string(in.saturate) + " pred " +
                    std::to_string(static_cast<int>(in.pred_ctrl)) + " nomask " +
                    std::to_string(in.no_mask);
    const auto operand = [](const Operand& o) {
        return " [file " + std::to_string(static_cast<int>(o.file)) + " type " +
               std::to_string(static_cast<int>(o.type)) + " r" + std::to_string(o.reg) + "+" +
               std::to_string(o.subreg) + "<" + std::to_string(o.vert_stride) + ";" +
               std::to_string(o.width) + "," + std::to_string(o.horz_stride) + "> neg " +
               std::to_string(o.negate) + " abs " + std::to_string(o.absolute) + " rep " +
               std::to_string(o.replicate) + " imm " + std::to_string(o.immediate) + "]";
    };
    s += operand(in.dst);
    for (unsigned i = 0; i < in.source_count; ++i)
        s += operand(in.src[i]);
    return s;
}

constexpr Type kIntegers[] = {Type::UD, Type::D, Type::UW, Type::W,
                              Type::UB, Type::B, Type::UQ, Type::Q};
Type random_integer(Random& random) {
    // DWords are what kernels are made of.
    return random() % 2 ? (random() % 2 ? Type::D : Type::UD) : kIntegers[random() % 8];
}

unsigned sources_of(Opcode opcode) {
    switch (opcode) {
        case Opcode::Mad:
        case Opcode::Csel:
        case Opcode::Lrp:
            return 3;
        case Opcode::Add:
        case Opcode::Mul:
        case Opcode::And:
        case Opcode::Or:
        case Opcode::Xor:
        case Opcode::Shl:
        case Opcode::Shr:
        case Opcode::Asr:
        case Opcode::Cmp:
        case Opcode::Sel:
            return 2;
        default:
            return 1;
    }
}

void check_family(unsigned seed, unsigned count, std::initializer_list<Opcode> opcodes, Type fixed,
                  bool integer) {
    Random random(seed);
    unsigned bound = 0;
    for (unsigned n = 0; n < gen9::test::rounds(count); ++n) {
        const Opcode opcode = opcodes.begin()[random() % opcodes.size()];
        const unsigned sources = sources_of(opcode);
        const auto type = [&] { return integer ? random_integer(random) : fixed; };
        const Type to = type();
        unsigned exec_size = pick(random, {1, 2, 4, 8, 8, 16, 16});
        if (sources == 3) exec_size = pick(random, {4, 8, 8, 16});
        if (isa::size_bytes(fixed) == 8 && exec_size == 16) exec_size = 8;
        Operand destination = dst(random() % 120, to, 0, pick(random, {1, 1, 1, 2}));
        if (random() % 4 == 0) destination = null(to);
        Instruction in = make(opcode, exec_size, destination, {});
        for (unsigned i = 0; i < sources; ++i)
            in.src[i] = random_source(random, type(), exec_size, i + 1 == sources && sources < 3);
        in.source_count = static_cast<std::uint8_t>(sources);
        in.align16 = sources == 3;
        if (sources == 3)
            for (Operand& o : in.src) {
                o = grf(random() % 120, fixed);
                o.replicate = random() % 3 == 0;
                o.negate = random() % 3 == 0;
                o.absolute = random() % 8 == 0;
                if (o.replicate)
                    o.subreg = static_cast<std::uint8_t>(
                        isa::size_bytes(fixed) * (random() % (32 / isa::size_bytes(fixed))));
            }
        if (sources == 3) {
            in.dst = dst(random() % 120, fixed);
            in.dst.chan_enable = random() % 2 ? 15 : random() % 16;
        }
        randomise_frame(random, in);
        if (opcode == Opcode::Cmp || opcode == Opcode::Csel || random() % 6 == 0)
            in.cond_mod = random_condition(random);
        if (opcode == Opcode::Sel && in.cond_mod != CondMod::None) in.pred_ctrl = PredCtrl::None;
        if (opcode == Opcode::Sel && in.cond_mod != CondMod::None && random() % 2)
            in.cond_mod = random() % 2 ? CondMod::L : CondMod::GE;
        if (opcode != Opcode::Cmp && random() % 8 == 0) in.saturate = true;
        bound += prepare(in, 0).fast.masked != nullptr;
        if (!compare_once(random, in)) {
            ADD_FAILURE() << text(in);
            return;
        }
    }
    // The comparison is of two things: a good part of the cases has a specialised function.
    EXPECT_GT(bound, gen9::test::rounds(count) / 4);
}

TEST(FastPaths, FractionsAndMixesEqualTheGeneralPath) {
    GEN9_COVERS("EU-136");
    check_family(21, 8000, {Opcode::Frc}, Type::F, false);
    check_family(22, 8000, {Opcode::Lrp}, Type::F, false);
}
TEST(FastPaths, PlanesEqualTheGeneralPath) {
    Random random(23);
    unsigned bound = 0;
    for (unsigned n = 0; n < gen9::test::rounds(8000); ++n) {
        const unsigned exec_size = pick(random, {4, 8, 16, 16});
        Instruction in = make(Opcode::Pln, exec_size, dst(random() % 120, Type::F),
                              {scalar(random() % 120, random() % 2 * 4, Type::F),
                               grf(random() % 124 & ~1u, Type::F)});
        if (random() % 8 == 0) in.src[random() % 2].negate = true;
        if (random() % 16 == 0) in.src[1] = grf(124 + random() % 4, Type::F);
        randomise_frame(random, in);
        if (random() % 6 == 0) in.cond_mod = random_condition(random);
        if (random() % 8 == 0) in.saturate = true;
        bound += prepare(in, 0).fast.masked != nullptr;
        ASSERT_TRUE(compare_once(random, in)) << text(in);
    }
    EXPECT_GT(bound, gen9::test::rounds(8000) / 3);
}
TEST(FastPaths, ResultsAreFlushedThatAreDenormalWithAnyExponent) {
    GEN9_COVERS("EU-136");
    // One place of 24 bits below the smallest normal number: it is not kept for being rounded to
    // that number with the bits that a denormal has.
    const std::uint32_t below = 0x3F7FFFFF, least = 0x00800000;  // 1 - 2^-24, 2^-126
    for (const bool keeps : {false, true}) {
        auto thread = make_thread();
        thread->control[0] = keeps ? cr0::kFloatDenormals : 0;
        for (unsigned i = 0; i < 8; ++i) {
            set<std::uint32_t>(*thread, 10, i, below);
            set<std::uint32_t>(*thread, 11, i, i % 2 ? least : least | 0x80000000u);
        }
        Thread general = *thread;
        const Instruction in =
            make(Opcode::Mul, 8, dst(20, Type::F), {grf(10, Type::F), grf(11, Type::F)});
        ASSERT_NE(prepare(in, 0).fast.masked, nullptr);
        execute(*thread, prepare(in, 0));
        execute(general, prepare_general(in, 0));
        for (unsigned i = 0; i < 8; ++i) {
            const std::uint32_t sign = i % 2 ? 0 : 0x80000000u;
            EXPECT_EQ(get<std::uint32_t>(*thread, 20, i), sign | (keeps ? least : 0u));
            EXPECT_EQ(get<std::uint32_t>(general, 20, i), sign | (keeps ? least : 0u));
        }
    }
}
TEST(FastPaths, IntegerArithmeticEqualsTheGeneralPath) {
    GEN9_COVERS("EU-219 EU-220 EU-221 EU-222 EU-231 EU-232");
    check_family(1, 60000,
                 {Opcode::Add, Opcode::Mul, Opcode::And, Opcode::Or, Opcode::Xor, Opcode::Not,
                  Opcode::Shl, Opcode::Shr, Opcode::Asr},
                 Type::UD, true);
}
TEST(FastPaths, IntegerMovesEqualTheGeneralPath) {
    GEN9_COVERS("EU-126 EU-128 EU-129 EU-216");
    check_family(2, 40000, {Opcode::Mov}, Type::UD, true);
}
TEST(FastPaths, IntegerComparisonsAndSelectionsEqualTheGeneralPath) {
    GEN9_COVERS("EU-167 EU-217 EU-224");
    check_family(3, 40000, {Opcode::Cmp, Opcode::Sel}, Type::UD, true);
}
TEST(FastPaths, SinglesEqualTheGeneralPath) {
    GEN9_COVERS("EU-123 EU-125 EU-143 EU-144 EU-231 EU-232 EU-248");
    check_family(
        4, 60000,
        {Opcode::Add, Opcode::Mul, Opcode::Mad, Opcode::Mad, Opcode::Cmp, Opcode::Sel, Opcode::Mov},
        Type::F, false);
}
TEST(FastPaths, DoublesEqualTheGeneralPath) {
    GEN9_COVERS("EU-143 EU-144 EU-231 EU-232 EU-248");
    check_family(5, 40000,
                 {Opcode::Add, Opcode::Mul, Opcode::Mad, Opcode::Cmp, Opcode::Sel, Opcode::Mov},
                 Type::DF, false);
}
TEST(FastPaths, QwordsEqualTheGeneralPath) {
    GEN9_COVERS("EU-231 EU-220");
    check_family(6, 20000,
                 {Opcode::Add, Opcode::Mul, Opcode::And, Opcode::Shl, Opcode::Shr, Opcode::Asr,
                  Opcode::Mov, Opcode::Cmp, Opcode::Sel},
                 Type::Q, false);
}
TEST(FastPaths, BitSearchesEqualTheGeneralPath) {
    GEN9_COVERS("EU-227 EU-238 EU-240 EU-241");
    check_family(8, 10000, {Opcode::Lzd, Opcode::Fbl, Opcode::Fbh, Opcode::Cbit, Opcode::Bfrev},
                 Type::UD, false);
    check_family(9, 10000, {Opcode::Lzd, Opcode::Fbl, Opcode::Cbit, Opcode::Not}, Type::UD, true);
}
TEST(FastPaths, HalvesEqualTheGeneralPath) {
    GEN9_COVERS("EU-132 EU-231 EU-232");
    check_family(10, 40000, {Opcode::Add, Opcode::Mul, Opcode::Cmp, Opcode::Sel, Opcode::Mov},
                 Type::HF, false);
}
TEST(FastPaths, RoundingsAndConditionalSelectEqualTheGeneralPath) {
    GEN9_COVERS("EU-226 EU-235");
    check_family(11, 20000, {Opcode::Rnde, Opcode::Rndd, Opcode::Rndu, Opcode::Rndz, Opcode::Csel},
                 Type::F, false);
}
TEST(FastPaths, CarriesAndHighProductsEqualTheGeneralPath) {
    GEN9_COVERS("EU-237 EU-242 EU-243");
    Random random(12);
    for (unsigned n = 0; n < gen9::test::rounds(30000); ++n) {
        constexpr Opcode all[] = {Opcode::Mach, Opcode::Addc, Opcode::Subb, Opcode::Mul,
                                  Opcode::Mov};
        const Opcode opcode = all[random() % 5];
        const Type type =
            opcode == Opcode::Addc || opcode == Opcode::Subb || random() % 2 ? Type::UD : Type::D;
        const unsigned exec_size =
            opcode == Opcode::Mov || opcode == Opcode::Mul ? 8 : pick(random, {1, 4, 8, 8});
        Instruction in = make(opcode, exec_size, dst(random() % 120, type),
                              {random_source(random, type, exec_size, false)});
        if (opcode != Opcode::Mov) {
            in.src[1] =
                random_source(random, opcode == Opcode::Mul ? Type::UW : type, exec_size, true);
            in.source_count = 2;
        }
        in.acc_write = opcode != Opcode::Mul && opcode != Opcode::Mov;
        if (opcode == Opcode::Mul) in.dst = arf(isa::Arf::Accumulator, 0, type);
        if (opcode == Opcode::Mov) in.src[0] = arf(isa::Arf::Accumulator, 0, type);
        randomise_frame(random, in);
        if (!compare_once(random, in)) {
            ADD_FAILURE() << text(in);
            return;
        }
    }
}
TEST(FastPaths, AccumulatorsOfAnyRegionEqualTheGeneralPath) {
    Random random(24);
    for (unsigned n = 0; n < gen9::test::rounds(3000); ++n) {
        Operand source = arf(isa::Arf::Accumulator, 0, random() % 2 ? Type::UD : Type::D);
        source.width = static_cast<std::uint8_t>(pick(random, {1, 2, 4, 8}));
        source.vert_stride = static_cast<std::uint8_t>(pick(random, {0, 1, 2, 4, 8, 16}));
        source.horz_stride =
            static_cast<std::uint8_t>(source.width == 1 ? 0 : pick(random, {0, 1, 2, 4}));
        Instruction in =
            make(Opcode::Mov, 8, dst(random() % 120, random() % 2 ? Type::UQ : Type::UD), {source});
        randomise_frame(random, in);
        ASSERT_TRUE(compare_once(random, in)) << text(in);
    }
}
TEST(FastPaths, FlagAndAddressRegistersEqualTheGeneralPath) {
    GEN9_COVERS("EU-072 EU-089 EU-090");
    Random random(13);
    for (unsigned n = 0; n < gen9::test::rounds(20000); ++n) {
        constexpr Opcode all[] = {Opcode::Mov, Opcode::Or, Opcode::And, Opcode::Not, Opcode::Add};
        const Opcode opcode = all[random() % 5];
        const Type type = random() % 2 ? Type::UD : Type::UW;
        const auto state = [&] {
            return random() % 3 ? arf(isa::Arf::Flag, random() % 2, type,
                                      type == Type::UW ? random() % 3 : 0)
                                : arf(isa::Arf::Address, 0, type,
                                      type == Type::UW ? random() % 4 * 2 : random() % 2 * 4);
        };
        Instruction in = make(opcode, 1, random() % 2 ? state() : dst(random() % 120, type), {});
        in.src[0] = random() % 2 ? state() : random_source(random, type, 1, false);
        in.source_count = 1;
        if (opcode != Opcode::Mov && opcode != Opcode::Not)
            in.src[in.source_count++] = random_source(random, type, 1, true);
        randomise_frame(random, in);
        if (random() % 4 == 0) in.cond_mod = random_condition(random);
        if (!compare_once(random, in)) {
            ADD_FAILURE() << text(in);
            return;
        }
    }
}
TEST(FastPaths, MathEqualsTheGeneralPath) {
    // Both paths call one function for logarithm, exponential, sine, cosine and power: this
    // compares regions, masks and modifiers. math_test.cpp has the values.
    Random random(14);
    for (unsigned n = 0; n < gen9::test::rounds(20000); ++n) {
        using isa::MathFunction;
        constexpr MathFunction all[] = {
            MathFunction::Inv,         MathFunction::Log,         MathFunction::Exp,
            MathFunction::Sqrt,        MathFunction::Rsq,         MathFunction::Sin,
            MathFunction::Cos,         MathFunction::Fdiv,        MathFunction::Pow,
            MathFunction::IntQuotient, MathFunction::IntRemainder};
        const MathFunction function = all[random() % 11];
        const bool integer =
            function == MathFunction::IntQuotient || function == MathFunction::IntRemainder;
        const bool two = integer || function == MathFunction::Fdiv || function == MathFunction::Pow;
        const Type type = integer        ? (random() % 2 ? Type::D : Type::UD)
                          : random() % 4 ? Type::F
                                         : Type::HF;
        const unsigned exec_size = pick(random, {1, 4, 8, 16});
        Instruction in = make(Opcode::Math, exec_size, dst(random() % 120, type),
                              {random_source(random, type, exec_size, false)});
        if (two) in.src[in.source_count++] = random_source(random, type, exec_size, true);
        in.math = function;
        randomise_frame(random, in);
        if (!compare_once(random, in)) {
            ADD_FAILURE() << text(in);
            return;
        }
    }
}

// Integer accumulators have channels of 64 bits, of which those of a signed type may be below 0.
TEST(FastPaths, FloatsOfAccumulatorsEqualTheGeneralPath) {
    GEN9_COVERS("EU-077 EU-127");
    Random random(8);
    for (const Type real : {Type::F, Type::DF, Type::HF})
        for (const Type integer : {Type::D, Type::UD})
            for (const bool negated : {false, true})
                for (unsigned n = 0; n < 50; ++n) {
                    Instruction in = make(Opcode::Mov, 8, dst(20, real),
                                          {arf(isa::Arf::Accumulator, 0, integer)});
                    in.src[0].negate = negated;
                    auto thread = make_thread();
                    for (std::uint8_t* cell = thread->acc[0].data();
                         cell != thread->acc[0].data() + 64; cell += 8)
                        store(cell, n % 3 == 0   ? std::uint64_t{interesting_word(random)}
                                    : n % 3 == 1 ? std::uint64_t{random()} << (random() % 40)
                                                 : ~std::uint64_t{random() % 1000});
                    if (!compare_in(std::move(thread), random, in)) {
                        ADD_FAILURE() << text(in);
                        return;
                    }
                }
}

TEST(FastPaths, SinglesOfNegatedIntegersAreExactlyThoseOfTheirNegations) {
    GEN9_COVERS("EU-127");
    constexpr std::int32_t kNumbers[] = {0,         -1,        1,        INT32_MIN,
                                         INT32_MAX, -16777217, 16777219, -32768};
    for (const unsigned size : {1u, 8u, 16u})
        for (unsigned first = 0; first < 8; ++first) {
            Instruction in = make(Opcode::Mov, size, dst(20, Type::F), {grf(10, Type::D)});
            in.src[0].negate = true;
            const auto thread = make_thread();
            for (unsigned lane = 0; lane < size; ++lane)
                set<std::int32_t>(*thread, 10, lane, kNumbers[(first + lane) % 8]);
            ASSERT_NE(prepare(in, 0).form.op, fast::Op::None);
            ASSERT_EQ(run(*thread, in), Outcome::Next);
            for (unsigned lane = 0; lane < size; ++lane) {
                const double number = kNumbers[(first + lane) % 8];
                EXPECT_EQ(get<std::uint32_t>(*thread, 20, lane),
                          std::bit_cast<std::uint32_t>(static_cast<float>(0.0 - number)))
                    << number;
            }
        }
}

TEST(FastPaths, ConversionsBetweenSinglesAndIntegersEqualTheGeneralPath) {
    GEN9_COVERS("EU-127 EU-130");
    Random random(7);
    for (unsigned n = 0; n < gen9::test::rounds(30000); ++n) {
        const Type integer = random_integer(random);
        const unsigned exec_size = pick(random, {1, 2, 4, 8, 16});
        const bool to_float = random() % 2;
        constexpr Type floats[] = {Type::F, Type::F, Type::DF, Type::HF};
        const Type real = floats[random() % 4];
        if (isa::size_bytes(integer) == 8 && (exec_size == 16 || real == Type::HF)) continue;
        if (real == Type::DF && (exec_size == 16 || isa::size_bytes(integer) == 1)) continue;
        Instruction in =
            make(Opcode::Mov, exec_size,
                 dst(random() % 120, to_float ? real : integer, 0, pick(random, {1, 1, 2})),
                 {random_source(random, to_float ? integer : real, exec_size, true)});
        randomise_frame(random, in);
        if (random() % 8 == 0) in.saturate = true;
        if (random() % 8 == 0) in.cond_mod = random_condition(random);
        if (!compare_once(random, in)) {
            ADD_FAILURE() << text(in);
            return;
        }
    }
}

}  // namespace
}  // namespace gen9::eu::test
