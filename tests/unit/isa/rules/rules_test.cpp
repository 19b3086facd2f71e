// SPDX-License-Identifier: Apache-2.0
// Each rule broken once, beside the nearest instruction that keeps it. Most examples are the PRM's
// own (003:20498-20720, 003:23700-23790).
#include "isa/rules/rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "isa/format/decode.h"
#include "isa/format/encode.h"
#include "isa/opcodes.h"
#include "isa/text/assemble.h"
#include "tests/support/covers.h"
#include "tests/unit/isa/rules/broken.h"

namespace gen9::isa {
namespace {

using enum Type;

TEST(Rules, TheLargestElementTimesTheChannelsFitsInTwoRegisters) {
    GEN9_COVERS("EU-031");
    EXPECT_EQ(broken(mov(32, grf(10), W, grf(2).region(16, 16, 1), W)), kNone);
    // Scalars count too.
    EXPECT_EQ(broken(add(32, grf(10), W, grf(2).region(16, 16, 1), W, grf(4).scalar(), D)),
              (Ids{"EU-031", "EU-032"}));
    EXPECT_EQ(broken(mov(16, grf(10), DF, grf(2).scalar(), DF)), (Ids{"EU-031", "EU-038"}));
}

TEST(Rules, ANarrowerDestinationStepsByTheExecutionType) {
    GEN9_COVERS("EU-032");
    EXPECT_EQ(broken(mov(8, grf(10).stride(4), B, packed(2), D)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10).stride(2), B, packed(2), D)), Ids{"EU-032"});
    EXPECT_EQ(broken(mov(4, grf(10).stride(2), F, grf(2).region(4, 4, 1), DF)), kNone);
    EXPECT_EQ(broken(mov(4, grf(10).stride(1), F, grf(2).region(4, 4, 1), DF)), Ids{"EU-032"});
    EXPECT_EQ(broken(mov(4, grf(10, 1).stride(2), D, grf(2).region(4, 4, 1), Q)), Ids{"EU-032"});
}

// 003:24065-24089.
TEST(Rules, MathFunctionsTakeSourcesOfTheirTypes) {
    GEN9_COVERS("EU-255");
    const auto math = [](MathFunction function, Type first, Type second, Type to) {
        Inst in(function);
        in.exec(4).dst(grf(10).stride(1), to).src(grf(2).region(4, 4, 1), first);
        if (math_sources(static_cast<unsigned>(function)) == 2)
            in.src(grf(4).region(4, 4, 1), second);
        const Ids ids = broken(in);
        return std::ranges::find(ids, "EU-255") == ids.end();
    };
    for (const auto function :
         {MathFunction::IntDivBoth, MathFunction::IntQuotient, MathFunction::IntRemainder}) {
        EXPECT_TRUE(math(function, D, D, D));
        EXPECT_TRUE(math(function, UD, UD, UD));
        EXPECT_FALSE(math(function, D, UD, D));
        EXPECT_FALSE(math(function, UD, D, UD));
        EXPECT_FALSE(math(function, W, W, D));
        EXPECT_FALSE(math(function, F, F, F));
    }
    for (const auto function : {MathFunction::Inv, MathFunction::Sin, MathFunction::Fdiv}) {
        EXPECT_TRUE(math(function, F, F, F));
        EXPECT_TRUE(math(function, HF, HF, HF));
        EXPECT_FALSE(math(function, D, D, F));
        EXPECT_FALSE(math(function, DF, DF, DF));
    }
    EXPECT_TRUE(math(MathFunction::Pow, F, HF, F)) << "these mix";
    for (const auto function : {MathFunction::Invm, MathFunction::Rsqtm}) {
        EXPECT_TRUE(math(function, F, F, F));
        EXPECT_TRUE(math(function, DF, DF, DF));
        EXPECT_FALSE(math(function, HF, HF, F));
        EXPECT_FALSE(math(function, D, D, F));
    }
    EXPECT_FALSE(math(MathFunction::Invm, F, DF, F));
}

// 003:24069, 003:24280: `math.eo.f0.0 (8) r7.acc2 r6.noacc null 0xF`.
TEST(Rules, AMathFunctionOfOneSourceHasNullInPlaceOfTheSecond) {
    GEN9_COVERS("EU-255");
    // Src1: RegFile is 90:89 (0: architecture registers), RegNum 108:101 (0: null).
    const auto ids = [](MathFunction function, std::uint64_t second) {
        Inst in(function);
        in.exec(8).dst(packed(10), F).src(packed(2), F);
        if (math_sources(static_cast<unsigned>(function)) == 2) in.src(packed(4), F);
        std::array<std::uint64_t, 2> words{};
        const auto bytes = encode(in);
        std::memcpy(words.data(), bytes.data(), sizeof words);
        words[1] = (words[1] & ~(3ull << 25 | 255ull << 37)) | second;
        std::array<std::uint8_t, 16> changed;
        std::memcpy(changed.data(), words.data(), changed.size());
        const Instruction out = decode(changed).instruction;
        EXPECT_EQ(decode(encode(out)).instruction, out);
        return broken(out);
    };
    constexpr std::uint64_t type = 7ull << 27, r0 = 1ull << 25, acc0 = 0x20ull << 37,
                            r4 = r0 | 4ull << 37;
    EXPECT_EQ(ids(MathFunction::Sin, 0), kNone);
    EXPECT_EQ(ids(MathFunction::Sin, type), kNone) << "null of F";
    EXPECT_EQ(ids(MathFunction::Sin, r0), Ids{"EU-255"});
    EXPECT_EQ(ids(MathFunction::Sin, acc0), Ids{"EU-255"});
    EXPECT_EQ(ids(MathFunction::Sin, r4), Ids{"EU-255"});
    EXPECT_EQ(ids(MathFunction::Pow, r4), kNone) << "it has two";
}

TEST(Rules, RegionParameters) {
    GEN9_COVERS("EU-033 EU-034 EU-035 EU-036");
    const auto source = [](unsigned channels, unsigned v, unsigned w, unsigned h) {
        return broken(mov(channels, grf(10), D, grf(2).region(v, w, h), D));
    };
    EXPECT_EQ(source(8, 8, 8, 1), kNone);
    EXPECT_EQ(source(4, 8, 8, 1), Ids{"EU-033"});
    EXPECT_EQ(source(4, 8, 4, 1), Ids{"EU-034"});
    EXPECT_EQ(source(4, 8, 4, 2), kNone);
    EXPECT_EQ(source(8, 4, 4, 1), kNone) << "two rows: the vertical stride is free";
    EXPECT_EQ(source(8, 1, 1, 1), Ids{"EU-035"});
    EXPECT_EQ(source(8, 1, 1, 0), kNone);
    EXPECT_EQ(source(1, 1, 1, 0), Ids{"EU-035"});
    EXPECT_EQ(source(1, 0, 1, 0), kNone);
    EXPECT_EQ(source(8, 0, 4, 0), Ids{"EU-036"});
    EXPECT_EQ(source(8, 0, 1, 0), kNone);
    EXPECT_EQ(source(4, 0, 4, 0), Ids{"EU-036"});
    EXPECT_EQ(source(4, 2, 4, 0), kNone) << "one row without stride: the vertical one is free";
}

TEST(Rules, ARowStaysInItsRegister) {
    GEN9_COVERS("EU-037");
    EXPECT_EQ(broken(mov(8, grf(10), D, grf(2, 4).region(4, 4, 1), D)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10), D, grf(2, 4).region(8, 8, 1), D)), Ids{"EU-037"});
    EXPECT_EQ(broken(mov(16, grf(10), W, grf(2, 1).region(16, 16, 1), W)), Ids{"EU-037"});
}

TEST(Rules, OperandsSpanTwoRegistersAtMost) {
    GEN9_COVERS("EU-038");
    EXPECT_EQ(broken(mov(8, grf(10), D, grf(2).region(8, 4, 2), D)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10), D, grf(2, 1).region(16, 4, 2), D)), Ids{"EU-038"});
    EXPECT_EQ(broken(mov(16, grf(10), D, packed(2), D)), kNone);
    EXPECT_EQ(broken(mov(16, grf(10, 4), D, grf(2).scalar(), D)), Ids{"EU-038"});
    EXPECT_EQ(broken(mov(8, grf(10).stride(4), D, packed(2), D)), Ids{"EU-038"});
}

TEST(Rules, ADestinationHasAStride) {
    GEN9_COVERS("EU-029");
    Instruction in = mov(8, grf(10), D, packed(2), D);
    in.dst.horz_stride = 0;
    EXPECT_EQ(broken(in), Ids{"EU-029"});
}

TEST(Rules, MathSplitsItsDestinationEvenly) {
    GEN9_COVERS("EU-039");
    const auto inverse = [](unsigned channels, const Reg& dst) {
        return broken(Inst(MathFunction::Inv).exec(channels).dst(dst, F).src(packed(2), F));
    };
    EXPECT_EQ(inverse(16, grf(10)), kNone);
    EXPECT_EQ(inverse(8, grf(10, 4)), kNone);
    EXPECT_EQ(inverse(8, grf(10, 2)), Ids{"EU-039"});
}

TEST(Rules, NoDestinationOfTwoRegistersBehindPowAndFdiv) {
    GEN9_COVERS("EU-040");
    const auto behind = [](MathFunction function, unsigned channels) {
        const Instruction math =
            Inst(function).exec(8).dst(grf(20), F).src(packed(2), F).src(packed(3), F);
        const Instruction in = mov(channels, grf(10), F, packed(4), F);
        return broken_rules(in, RuleSet::Full, &math).size();
    };
    EXPECT_EQ(behind(MathFunction::Pow, 16), 1u);
    EXPECT_EQ(behind(MathFunction::Fdiv, 16), 1u);
    EXPECT_EQ(behind(MathFunction::Fdiv, 8), 0u);
    EXPECT_EQ(behind(MathFunction::Inv, 16), 0u);
}

TEST(Rules, OnlyARawMovWritesPackedBytes) {
    GEN9_COVERS("EU-041");
    const Reg bytes = grf(2).region(16, 16, 1);
    EXPECT_EQ(broken(mov(16, grf(10), UB, bytes, UB)), kNone);
    EXPECT_EQ(broken(mov(16, grf(10), UB, bytes.neg(), UB)), Ids{"EU-041"});
    EXPECT_EQ(broken(Inst(Opcode::Sel)
                         .exec(16)
                         .pred(flag(0, 0))
                         .dst(grf(10), UB)
                         .src(bytes, UB)
                         .src(bytes, UB)),
              Ids{"EU-041"});
    EXPECT_EQ(broken(mov(16, grf(10), UB, grf(2).region(16, 16, 1), UW)), Ids{"EU-041"});
}

TEST(Rules, BytesAndWordsLieLowInTheirChannel) {
    GEN9_COVERS("EU-042 EU-043");
    EXPECT_EQ(broken(mov(8, grf(10, 0).stride(2), B, packed(2), W)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10, 1).stride(2), B, packed(2), W)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10, 1).stride(4), B, packed(2), D)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10, 2).stride(4), B, packed(2), D)), Ids{"EU-042"});
    EXPECT_EQ(broken(mov(4, grf(10, 1).stride(4), W, grf(2).region(4, 4, 1), Q)), kNone);
    EXPECT_EQ(broken(mov(4, grf(10, 2).stride(4), W, grf(2).region(4, 4, 1), Q)), Ids{"EU-043"});
    // 003:20554-20568
    EXPECT_EQ(broken(mov(8, grf(10, 0).stride(2), HF, packed(2), F)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10, 1).stride(2), HF, packed(2), F)), kNone);
}

TEST(Rules, BetweenIntegersAndHalvesTheDestinationGoesByDwords) {
    GEN9_COVERS("EU-044");
    EXPECT_EQ(broken(add(8, grf(10).stride(2), HF, packed(2), W, packed(3), W)), kNone);
    EXPECT_EQ(broken(add(8, grf(10), HF, packed(2), W, packed(3), W)), Ids{"EU-044"});
    EXPECT_EQ(broken(mov(8, grf(10).stride(2), W, packed(2), HF)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10, 1).stride(2), W, packed(2), HF)), Ids{"EU-044"});
    EXPECT_EQ(broken(mov(8, grf(10), D, packed(2), HF)), kNone);
}

TEST(Rules, DoublesInAlign16) {
    GEN9_COVERS("EU-045");
    const auto move = [](unsigned channels, const Reg& dst, Type to, const Reg& src, Type from) {
        return broken(Inst(Opcode::Mov).exec(channels).align16().dst(dst, to).src(src, from));
    };
    const Reg source = grf(2).region(2, 4, 1);
    EXPECT_EQ(move(4, grf(10).enable("xyzw"), DF, source.swizzle("xyzw"), DF), kNone);
    EXPECT_EQ(move(4, grf(10).enable("zw"), DF, source.swizzle("zwxy"), DF), kNone);
    EXPECT_EQ(move(4, grf(10).enable("xyzw"), DF, source.swizzle("xxzw"), DF), Ids{"EU-045"});
    EXPECT_EQ(move(4, grf(10).enable("x"), DF, source.swizzle("xyzw"), DF), Ids{"EU-045"});
    const Reg narrow = grf(2).region(4, 4, 1);
    EXPECT_EQ(move(2, grf(10).enable("xyzw"), DF, narrow.swizzle("xyzw"), F), kNone);
    EXPECT_EQ(move(4, grf(10).enable("xyzw"), DF, narrow.swizzle("xyzw"), F), Ids{"EU-045"});
    EXPECT_EQ(
        broken(Inst(Opcode::Mov).exec(2).align16().dst(grf(10).enable("xyzw"), F).src(imm(1.0))),
        Ids{"EU-045"});
}

TEST(Rules, BroxtonsNarrowPathForWideData) {
    GEN9_COVERS("EU-046");
    const auto both = [](const Instruction& in) {
        EXPECT_EQ(broken(in), kNone) << "Skylake is free of these";
        return broken(in, RuleSet::Narrow);
    };
    const Reg row = grf(2).region(4, 4, 1);
    EXPECT_EQ(both(mov(4, grf(10), DF, row, DF)), kNone);
    EXPECT_EQ(both(mov(4, grf(10).stride(2), D, row, Q)), kNone);
    EXPECT_EQ(both(mov(4, grf(10), Q, row, D)), Ids{"EU-046"}) << "steps of 8 and of 4 bytes";
    EXPECT_EQ(both(mov(4, grf(10), Q, grf(2).region(8, 4, 2), D)), kNone);
    EXPECT_EQ(both(mov(4, grf(10), Q, grf(2).region(4, 2, 1), Q)), Ids{"EU-046"}) << "a gap";
    EXPECT_EQ(both(mov(2, grf(10), DF, grf(2, 2).region(2, 2, 1), DF)), Ids{"EU-046"});
    EXPECT_EQ(both(mov(4, grf(10), DF, grf(2, 3).scalar(), DF)), kNone);
    EXPECT_EQ(both(mov(4, grf(10), DF, indirect(0).region(4, 4, 1), DF)), Ids{"EU-046"});
    const Instruction product =
        Inst(Opcode::Mul).exec(8).dst(grf(10), D).src(packed(2), D).src(packed(4), D);
    EXPECT_EQ(both(product), kNone);
    Instruction controlled = product;
    controlled.no_dd_check = true;
    EXPECT_EQ(both(controlled), Ids{"EU-046"});
    EXPECT_EQ(both(Inst(Opcode::Mul).exec(8).dst(acc(0), D).src(packed(2), D).src(packed(4), D)),
              Ids{"EU-046"});
}

TEST(Rules, MixedFloatsInAlign16) {
    GEN9_COVERS("EU-047");
    const auto mad = [](unsigned channels, const Reg& dst, Type to, const Reg& b) {
        return broken(Inst(Opcode::Mad)
                          .exec(channels)
                          .dst(dst, to)
                          .src(grf(11), F)
                          .src(b, HF)
                          .src(grf(13), HF));
    };
    EXPECT_EQ(mad(8, grf(10), F, grf(12)), kNone);
    EXPECT_EQ(mad(8, grf(10, 8), HF, grf(12, 8)), kNone);
    EXPECT_EQ(mad(8, grf(10, 4), HF, grf(12)), Ids{"EU-047"});
    EXPECT_EQ(mad(8, grf(10), F, grf(12, 4)), Ids{"EU-047"});
    EXPECT_EQ(mad(8, grf(10), F, grf(12, 4).scalar()), kNone) << "replicated";
    EXPECT_EQ(mad(16, grf(10), F, grf(12)), Ids{"EU-047"});
    const auto add16 = [](const Reg& half) {
        return broken(Inst(Opcode::Add)
                          .exec(8)
                          .align16()
                          .dst(grf(10), HF)
                          .src(grf(4).region(4, 4, 1), F)
                          .src(half, HF));
    };
    EXPECT_EQ(add16(grf(6).region(4, 4, 1)), kNone);
    EXPECT_EQ(add16(grf(6).region(0, 4, 1)), Ids{"EU-047"});
    EXPECT_EQ(broken(Inst(Opcode::Add)
                         .exec(8)
                         .align16()
                         .dst(grf(10), HF)
                         .src(acc(0).region(4, 4, 1), F)
                         .src(grf(6).region(4, 4, 1), HF)),
              Ids{"EU-047"});
}

TEST(Rules, MixedFloatsInAlign1) {
    GEN9_COVERS("EU-048");
    const Reg halves = grf(6).region(8, 8, 1);
    const auto sum = [&](unsigned channels, const Reg& dst, Type to, const Reg& half) {
        return broken(add(channels, dst, to, packed(4), F, half, HF));
    };
    EXPECT_EQ(sum(8, grf(10), HF, halves), kNone);
    EXPECT_EQ(sum(8, grf(10, 8), HF, halves), kNone);
    EXPECT_EQ(sum(8, grf(10, 4), HF, halves), Ids{"EU-048"});
    EXPECT_EQ(sum(8, grf(10).stride(2), HF, halves), kNone);
    EXPECT_EQ(sum(8, grf(10), F, halves), kNone);
    EXPECT_EQ(sum(16, grf(10), F, halves), Ids{"EU-048"});
    EXPECT_EQ(sum(16, grf(10), HF, halves), Ids{"EU-048"});
    EXPECT_EQ(sum(16, grf(10).stride(2), HF, halves), kNone);
    EXPECT_EQ(sum(8, grf(10), F, indirect(0).region(8, 8, 1)), Ids{"EU-048"});
    const auto divide = [](const Reg& half) {
        return broken(Inst(MathFunction::Fdiv)
                          .exec(8)
                          .dst(grf(3), HF)
                          .src(grf(4).region(8, 8, 1), F)
                          .src(half, HF));
    };
    EXPECT_EQ(divide(grf(6).region(8, 4, 2)), kNone);
    EXPECT_EQ(divide(grf(6).region(8, 8, 1)), Ids{"EU-048"});
}

TEST(Rules, MixedFloatsWithAccumulators) {
    GEN9_COVERS("EU-049");
    const auto mac = [](const Reg& dst) {
        return broken(Inst(Opcode::Mac)
                          .exec(8)
                          .dst(dst, HF)
                          .src(grf(4).region(8, 8, 1), F)
                          .src(grf(6).region(8, 4, 2), HF));
    };
    EXPECT_EQ(mac(grf(3).stride(2)), kNone);
    EXPECT_EQ(mac(grf(3)), Ids{"EU-049"});
    const auto move = [](unsigned element) {
        return broken(mov(4, grf(3, 2 * element), HF, acc(0).byte(4 * element).region(4, 4, 1), F));
    };
    EXPECT_EQ(move(0), kNone);
    EXPECT_EQ(move(4), Ids{"EU-049"});
}

TEST(Rules, InAlign16ADestinationRegisterHasOneSourceRegister) {
    GEN9_COVERS("EU-050");
    // 003:20703-20704
    const auto mad = [](const Reg& b) {
        return broken(Inst(Opcode::Mad)
                          .exec(8)
                          .dst(grf(10), F)
                          .src(grf(12).scalar(), F)
                          .src(b, F)
                          .src(grf(16), F));
    };
    EXPECT_EQ(mad(grf(14)), kNone);
    EXPECT_EQ(mad(grf(14, 4)), Ids{"EU-050"});
    const auto convert = [](unsigned channels) {
        return broken(Inst(Opcode::Mov)
                          .exec(channels)
                          .align16()
                          .dst(grf(10), D)
                          .src(grf(2).region(4, 4, 1), W));
    };
    EXPECT_EQ(convert(8), kNone);
    EXPECT_EQ(convert(16), Ids{"EU-050"});
}

TEST(Rules, ThreeSourcesWithAConditionAndBranches) {
    GEN9_COVERS("EU-051 EU-052");
    Instruction mad = Inst(Opcode::Mad)
                          .exec(32)
                          .cond(CondMod::Z, flag(0, 0))
                          .dst(grf(10), HF)
                          .src(grf(2), HF)
                          .src(grf(4), HF)
                          .src(grf(6), HF);
    EXPECT_EQ(broken(mad), Ids{"EU-051"});
    mad.cond_mod = CondMod::None;
    EXPECT_EQ(broken(mad), kNone);
    EXPECT_EQ(broken(Inst(Opcode::If).exec(8).jip(16).uip(16)), kNone);
    EXPECT_EQ(broken(Inst(Opcode::If).exec(8).align16().jip(16).uip(16)), Ids{"EU-052"});
}

TEST(Rules, IndexRegistersAreAlignedInGroups) {
    GEN9_COVERS("EU-063 EU-064");
    // 003:19587-19592
    EXPECT_EQ(broken(mov(8, grf(1), D, indirect(2).multi(4, 1), D)), kNone);
    EXPECT_EQ(broken(mov(8, grf(1), D, indirect(3).multi(4, 1), D)), Ids{"EU-063"});
    EXPECT_EQ(broken(mov(8, grf(1), D, indirect(8).multi(1, 0), D)), kNone);
    EXPECT_EQ(broken(mov(8, grf(1), D, indirect(4).multi(1, 0), D)), Ids{"EU-063"});
    EXPECT_EQ(broken(mov(32, grf(1), W, indirect(0).multi(16, 1), W)), Ids{"EU-064"});
    EXPECT_EQ(broken(add(8, grf(1), D, packed(2), D, indirect(2).multi(4, 1), D)), Ids{"EU-064"});
    EXPECT_EQ(broken(add(8, grf(1), D, packed(2), D, indirect(2).region(8, 8, 1), D)), kNone);
    Instruction mad =
        Inst(Opcode::Mad).exec(8).dst(grf(10), F).src(grf(2), F).src(grf(3), F).src(grf(4), F);
    EXPECT_EQ(broken(mad), kNone);
    mad.src[1].indirect = true;
    EXPECT_EQ(broken(mad), Ids{"EU-064"});
}

TEST(Rules, APackedRegionHasNoGapsOverlapsOrReplicas) {
    GEN9_COVERS("EU-068");
    const auto source = [](unsigned channels, unsigned v, unsigned w, unsigned h) {
        const Instruction in = mov(channels, grf(10), D, grf(2).region(v, w, h), D);
        return is_packed(in, in.src[0]);
    };
    EXPECT_TRUE(source(8, 8, 8, 1));
    EXPECT_TRUE(source(16, 8, 8, 1));
    EXPECT_TRUE(source(8, 4, 4, 1));
    EXPECT_TRUE(source(8, 1, 1, 0));
    EXPECT_FALSE(source(8, 8, 4, 1)) << "a gap between rows";
    EXPECT_FALSE(source(8, 2, 4, 1)) << "rows overlap";
    EXPECT_FALSE(source(8, 16, 8, 2));
    EXPECT_FALSE(source(8, 0, 1, 0));
    EXPECT_FALSE(source(8, 0, 4, 1));
    const Instruction gaps = mov(8, grf(10).stride(2), W, packed(2), D);
    EXPECT_FALSE(is_packed(gaps, gaps.dst));
    const Instruction none = mov(8, grf(10), D, packed(2), D);
    EXPECT_TRUE(is_packed(none, none.dst));
}

TEST(Rules, PackedImmediatesFillOWords) {
    GEN9_COVERS("EU-119");
    const auto vector = [](const Reg& dst, Type type, const Imm& value) {
        return broken(Inst(Opcode::Mov).exec(4).dst(dst, type).src(value));
    };
    EXPECT_EQ(vector(grf(10, 8), W, imm_v(0x1234)), kNone);
    EXPECT_EQ(vector(grf(10, 4), W, imm_v(0x1234)), Ids{"EU-119"});
    EXPECT_EQ(vector(grf(10).stride(4), W, imm_v(0x1234)), Ids{"EU-119"});
    EXPECT_EQ(vector(grf(10, 4), F, imm_vf(0x30303030)), kNone);
    EXPECT_EQ(vector(grf(10, 2), F, imm_vf(0x30303030)), Ids{"EU-119"});
    EXPECT_EQ(vector(grf(10).stride(2), F, imm_vf(0x30303030)), Ids{"EU-119"});
}

TEST(Rules, TypesThatDoNotMix) {
    GEN9_COVERS("EU-122 EU-133");
    EXPECT_EQ(broken(add(8, grf(10), F, packed(2), F, packed(3), D)), Ids{"EU-122"});
    EXPECT_EQ(broken(add(4, grf(10), DF, grf(2).region(4, 4, 1), DF, grf(4).region(4, 4, 1), F)),
              Ids{"EU-122"});
    EXPECT_EQ(broken(add(8, grf(10), F, packed(2), F, packed(3), HF)), kNone);
    EXPECT_EQ(
        broken(Inst(Opcode::Add).exec(8).dst(grf(10), F).src(packed(2), F).src(imm_vf(0x30303030))),
        kNone);
    EXPECT_EQ(broken(mov(4, grf(10), Q, grf(2).region(4, 4, 1), B)), Ids{"EU-122"});
    EXPECT_EQ(broken(mov(4, grf(10), DF, grf(2).region(4, 4, 1), B)), Ids{"EU-133"});
    EXPECT_EQ(broken(mov(4, grf(10), DF, grf(2).region(4, 4, 1), HF)), Ids{"EU-133"});
}

TEST(Rules, StateAndControlRegistersNeedAThreadSwitch) {
    GEN9_COVERS("EU-098 EU-104");
    const auto use = [](Arf kind, bool writes, bool switches) {
        Instruction in = writes ? Inst(Opcode::Mov).exec(1).dst(arf(kind), UD).src(imm(1u)).build()
                                : mov(1, grf(10), UD, arf(kind).scalar(), UD);
        if (switches) in.thread_ctrl = ThreadCtrl::Switch;
        return broken(in);
    };
    for (const bool writes : {false, true}) {
        EXPECT_EQ(use(Arf::State, writes, false), Ids{"EU-098"});
        EXPECT_EQ(use(Arf::Control, writes, false), Ids{"EU-104"});
        EXPECT_EQ(use(Arf::State, writes, true), kNone);
        EXPECT_EQ(use(Arf::Control, writes, true), kNone);
        EXPECT_EQ(use(Arf::Flag, writes, false), kNone);
    }
}

Instruction message(const Reg& dst, unsigned src, std::uint32_t descriptor) {
    return Inst(Opcode::Send).exec(8).dst(dst, UD).src(grf(src), UD).message(12, descriptor);
}
TEST(Rules, DestinationAndResponseOfAMessageAgree) {
    GEN9_COVERS("EU-188 EU-189 EU-192 EU-193");
    EXPECT_EQ(broken(message(grf(20), 10, 0x04205E01)), kNone);
    EXPECT_EQ(broken(message(null(), 10, 0x04005E01)), kNone);
    EXPECT_EQ(broken(message(null(), 10, 0x04205E01)), Ids{"EU-188"});
    EXPECT_EQ(broken(message(grf(20), 10, 0x04005E01)), Ids{"EU-189"});
    Instruction in = message(null(), 10, 0x04005E01);
    in.no_dd_check = true;
    EXPECT_EQ(broken(in), Ids{"EU-192"});
    in = message(null(), 10, 0x04005E01);
    in.saturate = true;
    EXPECT_EQ(broken(in), Ids{"EU-192"});
    // Two registers of payload and of response.
    EXPECT_EQ(broken(message(grf(125), 126, 0x04205E01)), kNone);
    EXPECT_EQ(broken(message(grf(126), 125, 0x04205E01)), Ids{"EU-193"});
    EXPECT_EQ(broken(message(grf(126), 124, 0x04205E01)), kNone);
}
TEST(Rules, TheLastMessageLiesInTheLastRegisters) {
    GEN9_COVERS("EU-202");
    const auto end = [](unsigned reg) {
        return broken(Inst(Opcode::Send)
                          .exec(8)
                          .dst(null(), UD)
                          .src(grf(reg), UD)
                          .message(7, 0x02000010)
                          .eot());
    };
    EXPECT_EQ(end(112), kNone);
    EXPECT_EQ(end(111), Ids{"EU-202"});
}

TEST(Rules, EachIsNamedOnce) {
    // Both sources break the same rule.
    const Reg wide = grf(2).region(8, 8, 1);
    EXPECT_EQ(broken_rules(add(4, grf(10), D, wide, D, wide, D)).size(), 1u);
    EXPECT_TRUE(broken_rules(Inst(Opcode::Illegal)).empty());
}

}  // namespace
}  // namespace gen9::isa
