// SPDX-License-Identifier: Apache-2.0
// The rules of accumulators broken once each (003:20498-20720).
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/isa/rules/broken.h"

namespace gen9::isa {
namespace {

using enum Type;

TEST(Rules, AccumulatorsAreTenAndAddressedByHalves) {
    GEN9_COVERS("EU-076");
    const auto read = [](unsigned number, unsigned byte, unsigned element) {
        return broken(mov(4, grf(10, element), F, acc(number).byte(byte).region(4, 4, 1), F));
    };
    EXPECT_EQ(read(0, 0, 0), kNone);
    EXPECT_EQ(read(1, 16, 0), kNone);
    EXPECT_EQ(read(0, 8, 0), Ids{"EU-076"});
    EXPECT_EQ(broken(mov(8, grf(10), UD, acc(9).region(8, 8, 1), UD)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10), UD, acc(10).region(8, 8, 1), UD)), Ids{"EU-076"});
}

TEST(Rules, AnAccumulatorSourceIsTheFirstWithTheDestinationsRegion) {
    GEN9_COVERS("EU-080");
    const Reg row = acc(0).region(8, 8, 1), part = acc(0).region(4, 4, 1);
    EXPECT_EQ(broken(add(8, grf(10), F, row, F, packed(2), F)), kNone);
    EXPECT_EQ(broken(add(8, grf(10), F, packed(2), F, row, F)), Ids{"EU-080"});
    EXPECT_EQ(broken(mov(4, grf(10).stride(2), F, part, F)), Ids{"EU-080"});
    EXPECT_EQ(broken(mov(8, grf(10), F, acc(0).region(0, 1, 0), F)), Ids{"EU-080"});
    // 003:19663-19675: other OWords, of equal types.
    EXPECT_EQ(broken(mov(4, grf(10, 4), F, part, F)), kNone);
    EXPECT_EQ(broken(mov(4, grf(10, 4), D, part, F)), Ids{"EU-080"});
    EXPECT_EQ(broken(mov(4, grf(10, 0), D, part, F)), kNone);
    EXPECT_EQ(broken(mov(8, grf(10), F, acc(0).byte(16).region(8, 8, 1), F)), Ids{"EU-080"});
    EXPECT_EQ(
        broken(Inst(Opcode::Mov).exec(4).align16().dst(grf(10), F).src(acc(0).swizzle("xxxx"), F)),
        Ids{"EU-080"});
}

TEST(Rules, AccumulatorsKeepToOneRegisterAndType) {
    GEN9_COVERS("EU-081");
    const Reg row0 = acc(0).region(8, 8, 1), row1 = acc(1).region(8, 8, 1);
    EXPECT_EQ(broken(add(8, acc(0), F, row0, F, packed(2), F)), kNone);
    EXPECT_EQ(broken(add(8, acc(1), F, row0, F, packed(2), F)), Ids{"EU-081"});
    EXPECT_EQ(broken(add(8, acc(1), F, row1, F, packed(2), F)), kNone);
    EXPECT_EQ(broken(mov(4, acc(0).stride(2), F, grf(2).region(4, 4, 1), DF)), Ids{"EU-081"});
    EXPECT_EQ(broken(mov(4, acc(0), DF, grf(2).region(4, 4, 1), DF)), kNone);
    const Reg words = grf(2).region(4, 4, 1);
    EXPECT_EQ(broken(mov(4, acc(0).stride(2), W, words, W)), kNone);
    EXPECT_EQ(broken(mov(4, acc(0).byte(2).stride(2), W, words, W)), (Ids{"EU-076", "EU-081"}));
}

TEST(Rules, BroxtonsSecondAccumulatorHasNoHalvesAndWords) {
    GEN9_COVERS("EU-082");
    const Instruction in = mov(16, acc(1), HF, grf(2).region(16, 16, 1), HF);
    EXPECT_EQ(broken(in), kNone);
    EXPECT_EQ(broken(in, RuleSet::Narrow), Ids{"EU-082"});
    EXPECT_EQ(broken(mov(8, acc(1), F, packed(2), F), RuleSet::Narrow), kNone);
}

TEST(Rules, ImplicitAccumulatorsExcludeExplicitOnes) {
    GEN9_COVERS("EU-084");
    const Reg row = acc(0).region(8, 8, 1);
    const auto mac = [](const Reg& a) {
        return broken(Inst(Opcode::Mac).exec(8).dst(grf(10), F).src(a, F).src(packed(3), F));
    };
    EXPECT_EQ(mac(packed(2)), kNone);
    EXPECT_EQ(mac(row), Ids{"EU-084"});
    Instruction in = add(8, acc(0), F, packed(2), F, packed(3), F);
    EXPECT_EQ(broken(in), kNone);
    in.acc_write = true;
    EXPECT_EQ(broken(in), Ids{"EU-084"});
    in = Inst(Opcode::Send).exec(8).dst(null(), UD).src(grf(112), UD).message(7, 0x02000010);
    EXPECT_EQ(broken(in), kNone);
    in.src[0] = mov(8, grf(1), UD, row, UD).src[0];
    EXPECT_EQ(broken(in), Ids{"EU-084"});
    in = Inst(Opcode::Mad).exec(8).dst(grf(10), F).src(grf(2), F).src(grf(3), F).src(grf(4), F);
    in.acc_write = true;
    EXPECT_EQ(broken(in), kNone) << "AccWrEn may update it";
    in.acc_write = false;
    in.dst.file = RegFile::Arf;
    in.dst.reg = 0x20;
    EXPECT_EQ(broken(in), Ids{"EU-084"});
}

TEST(Rules, AccumulatorsByOpcode) {
    GEN9_COVERS("EU-085");
    const Reg row = acc(0).region(8, 8, 1);
    const auto unary = [](Opcode opcode, const Reg& dst, const Reg& a, Type type) {
        return Inst(opcode).exec(8).dst(dst, type).src(a, type).build();
    };
    const auto binary = [](Opcode opcode, const Reg& dst, const Reg& a, Type type) {
        return Inst(opcode).exec(8).dst(dst, type).src(a, type).src(packed(3), type).build();
    };
    for (const Opcode opcode : {Opcode::Bfrev, Opcode::Fbl, Opcode::Cbit}) {
        EXPECT_EQ(broken(unary(opcode, grf(10), packed(2), UD)), kNone);
        EXPECT_EQ(broken(unary(opcode, grf(10), row, UD)), Ids{"EU-085"});
        EXPECT_EQ(broken(unary(opcode, acc(0), packed(2), UD)), Ids{"EU-085"});
    }
    EXPECT_EQ(broken(Inst(MathFunction::Inv).exec(8).dst(grf(10), F).src(row, F)), Ids{"EU-085"});
    for (const Opcode opcode : {Opcode::Dp2, Opcode::Dp4, Opcode::Dph, Opcode::Line}) {
        EXPECT_EQ(broken(binary(opcode, grf(10), row, F)), Ids{"EU-085"});
        EXPECT_EQ(broken(binary(opcode, acc(0), packed(2), F)), kNone);
    }
    EXPECT_EQ(broken(binary(Opcode::Mul, grf(10), row, F)), kNone);
    EXPECT_EQ(broken(binary(Opcode::Mul, grf(10), row, D)), Ids{"EU-085"});
    EXPECT_EQ(broken(binary(Opcode::And, grf(10), row, UD)), kNone);
    EXPECT_EQ(broken(binary(Opcode::And, grf(10), row.neg(), UD)), Ids{"EU-085"});
    EXPECT_EQ(broken(binary(Opcode::Shl, grf(10), row, UD)), kNone);
    EXPECT_EQ(broken(binary(Opcode::Shl, acc(0), packed(2), UD)), Ids{"EU-085"});
    EXPECT_EQ(broken(binary(Opcode::Shr, acc(0), packed(2), UD)), kNone);
    EXPECT_EQ(broken(unary(Opcode::Mov, acc(0), row, F)), Ids{"EU-085"});
    for (const Opcode opcode : {Opcode::Addc, Opcode::Subb, Opcode::Mach}) {
        Instruction in = binary(opcode, grf(10), packed(2), UD);
        EXPECT_EQ(broken(in), Ids{"EU-085"});
        in.acc_write = true;
        EXPECT_EQ(broken(in), kNone);
    }
    EXPECT_EQ(broken(binary(Opcode::Add, acc(2), packed(2), UD)), Ids{"EU-086"});
}

}  // namespace
}  // namespace gen9::isa
