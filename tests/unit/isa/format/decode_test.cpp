// SPDX-License-Identifier: Apache-2.0
#include "isa/format/decode.h"

#include <gtest/gtest.h>

#include <random>

#include "isa/format/compaction.h"
#include "isa/format/encode.h"
#include "isa/opcodes.h"
#include "isa/text/disassemble.h"
#include "tests/support/covers.h"
#include "tests/unit/isa/golden.h"

namespace gen9::isa {
namespace {

using Bytes = std::array<std::uint8_t, 16>;

TEST(Decode, GoldenWordsMeanTheirText) {
    GEN9_COVERS(
        "EU-298 EU-299 EU-300 EU-269 EU-270 EU-184 EU-185 EU-087 EU-113 EU-114 EU-115 EU-116 "
        "EU-156 EU-158");
    for (const test::Golden& golden : test::golden_words()) {
        const Bytes bytes = golden.bytes();
        const DecodeResult result = decode(bytes);
        ASSERT_TRUE(result.ok) << golden.text << ": " << result.why;
        std::string text = disassemble(result.instruction, 0);
        text = text.substr(0, text.find(" // "));
        EXPECT_EQ(text, golden.text);
    }
}

TEST(Decode, GoldenWordsAreTheBuiltInstructions) {
    GEN9_COVERS("EU-298 EU-299 EU-300");
    for (const test::Golden& golden : test::golden_words()) {
        const DecodeResult result = decode(golden.bytes());
        EXPECT_EQ(result.instruction, golden.built) << golden.text;
    }
}

TEST(Encode, BuiltInstructionsGiveTheGoldenWords) {
    GEN9_COVERS("EU-298 EU-299 EU-300 EU-120");
    for (const test::Golden& golden : test::golden_words()) {
        const NativeWord word = encode_word(golden.built).word;
        for (unsigned i = 0; i < 4; ++i) {
            EXPECT_EQ(word.dword(i), golden.words[i])
                << golden.text << " DW" << i << std::hex << ": " << word.dword(i);
        }
    }
}

TEST(Decode, UndefinedOpcodesAreIllegal) {
    GEN9_COVERS("EU-215 EU-294");
    // The list of the eu-isa guide, section 4.3, written out a second time.
    const auto undefined = [](unsigned code) {
        const auto in = [&](unsigned first, unsigned last) {
            return code >= first && code <= last;
        };
        return code == 0x0B || in(0x0D, 0x0F) || in(0x13, 0x16) || in(0x1B, 0x1F) || code == 0x26 ||
               in(0x35, 0x37) || in(0x39, 0x3F) || in(0x52, 0x53) || code == 0x58 ||
               in(0x5E, 0x7D) || code >= 0x7F;
    };
    for (unsigned code = 0; code < 256; ++code) {
        Bytes bytes{};
        bytes[0] = static_cast<std::uint8_t>(code);
        EXPECT_EQ(find(bytes[0]) == nullptr, undefined(code)) << code;
        if (!undefined(code)) continue;
        const DecodeResult result = decode(bytes);
        EXPECT_FALSE(result.ok) << code;
        EXPECT_EQ(result.instruction.opcode, Opcode::Illegal);
        EXPECT_EQ(result.instruction.length_bytes, 16);
        EXPECT_STREQ(result.why, "undefined opcode");
    }
}

TEST(Decode, SomeOpcodesHaveNoCompactForm) {
    GEN9_COVERS("EU-303");
    using enum Opcode;
    for (const Opcode opcode : {Send, Sendc, Sends, Sendsc, If, Else, Endif, While, Break, Cont,
                                Halt, Goto, Join, Brc, Brd, Call, Calla, Nop, Illegal}) {
        const std::uint64_t compact = info(opcode).code | 1u << 29;
        Bytes bytes{};
        store(bytes.data(), compact);
        EXPECT_FALSE(decode(bytes).ok) << info(opcode).mnemonic;
        EXPECT_EQ(decode(bytes).instruction.length_bytes, 8);
    }
    for (const Opcode opcode : {Jmpi, Wait, Ret, Math, Mov, Add, Mad, Madm}) {
        EXPECT_TRUE(info(opcode).has(kCompactable)) << info(opcode).mnemonic;
    }
}

TEST(Decode, ACompactInstructionNeedsEightBytesANativeOneSixteen) {
    GEN9_COVERS("EU-301");
    std::array<std::uint8_t, 8> compact{};
    store(compact.data(), std::uint64_t{0x077C220720019640});
    const DecodeResult result = decode(compact);
    ASSERT_TRUE(result.ok) << result.why;
    EXPECT_TRUE(result.instruction.compacted);
    EXPECT_EQ(result.instruction.length_bytes, 8);
    EXPECT_EQ(disassemble(result.instruction),
              "add (16|M0) r34.0<1>:d r124.0<8;8,1>:d r7.0<0;1,0>:d {Compacted}");

    const Bytes native = test::golden_words().front().bytes();
    EXPECT_FALSE(decode(std::span(native).first(15)).ok);
    EXPECT_FALSE(decode(std::span(native).first(7)).ok);
    EXPECT_FALSE(decode({}).ok);
}

/// A legal instruction with one field overwritten.
Bytes with(const test::Golden& golden, const Field& field, std::uint64_t value) {
    NativeWord word = NativeWord::from_bytes(golden.bytes());
    field.set(word, value);
    return word.to_bytes();
}

TEST(Decode, ReservedCodesAreIllegal) {
    GEN9_COVERS("EU-027 EU-028 EU-113 EU-114 EU-158 EU-159 EU-160 EU-166");
    const auto goldens = test::golden_words();
    const test::Golden& mov = goldens[0];
    const auto refused = [](const Bytes& bytes) { return !decode(bytes).ok; };
    EXPECT_TRUE(refused(with(mov, field::ExecSize, 6)));
    EXPECT_TRUE(refused(with(mov, field::ExecSize, 7)));
    EXPECT_TRUE(refused(with(mov, field::ThreadCtrl, 3)));
    EXPECT_TRUE(refused(with(mov, field::PredCtrl, 14)));
    EXPECT_FALSE(refused(with(mov, field::PredCtrl, 13)));
    EXPECT_TRUE(refused(with(mov, field::CondModifier, 7)));
    EXPECT_TRUE(refused(with(mov, field::CondModifier, 10)));
    EXPECT_TRUE(refused(with(mov, field::Dst.type, 11)));
    EXPECT_TRUE(refused(with(mov, field::Dst.reg_file, 2)));
    EXPECT_TRUE(refused(with(mov, field::Dst.reg_file, 3)));
    EXPECT_TRUE(refused(with(mov, field::Src0.type, 11)));
    EXPECT_TRUE(refused(with(mov, field::Src0.reg_file, 2)));
    EXPECT_TRUE(refused(with(mov, field::Src0.width, 5)));
    for (const unsigned code : {7, 8, 14})
        EXPECT_TRUE(refused(with(mov, field::Src0.vert_stride, code)));
    // Vx1 needs an indirect operand.
    EXPECT_TRUE(refused(with(mov, field::Src0.vert_stride, 15)));
    for (const test::Golden& golden : goldens) {
        if (golden.built.opcode == Opcode::Math) {
            EXPECT_TRUE(refused(with(golden, field::CondModifier, 0)));
            EXPECT_TRUE(refused(with(golden, field::CondModifier, 8)));
        }
        if (golden.built.opcode == Opcode::Mad) {
            EXPECT_TRUE(refused(with(golden, field3::SrcType, 5)));
            EXPECT_TRUE(refused(with(golden, field3::DstType, 5)));
            EXPECT_TRUE(refused(with(golden, field::AccessMode, 0)));
            EXPECT_TRUE(refused(with(golden, field::PredCtrl, 8)));
        }
    }
}

TEST(Decode, OnlyTheLastSourceMayBeImmediate) {
    GEN9_COVERS("EU-116");
    for (const test::Golden& golden : test::golden_words()) {
        if (golden.built.opcode != Opcode::Add) continue;
        EXPECT_FALSE(decode(with(golden, field::Src0.reg_file, 3)).ok);
    }
}

TEST(Decode, MixedThreeSourceTypesFollowBits36And35) {
    GEN9_COVERS("EU-115");
    const auto mad = Inst(Opcode::Mad)
                         .exec(8)
                         .dst(grf(10), Type::F)
                         .src(grf(11), Type::F)
                         .src(grf(12), Type::HF)
                         .src(grf(13, 1).scalar(), Type::HF);
    const DecodeResult result = decode(mad.bytes());
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(result.instruction.src[1].type, Type::HF);
    EXPECT_EQ(result.instruction.src[2].type, Type::HF);
    EXPECT_EQ(result.instruction.src[2].subreg, 2);
    const NativeWord word = NativeWord::from_bytes(mad.bytes());
    EXPECT_EQ(word.get(36, 35), 3U);
    EXPECT_EQ(word.get(126, 126), 1U);
}

TEST(Decode, SpecialAccumulatorsOfTheDivisionMacro) {
    GEN9_COVERS("EU-086 EU-087");
    const auto madm = Inst(Opcode::Madm)
                          .exec(4)
                          .dst(grf(10).special(6), Type::DF)
                          .src(grf(23), Type::DF)
                          .src(grf(2).special(3), Type::DF)
                          .src(grf(124).special(2).neg(), Type::DF);
    EXPECT_EQ(disassemble(decode(madm.bytes()).instruction),
              "madm (4|M0) r10.mme6:df r23.nomme:df r2.mme3:df -r124.mme2:df");
    const auto invm = Inst(MathFunction::Invm)
                          .exec(8)
                          .use_flag(flag(1, 0))
                          .dst(grf(10).special(0), Type::F)
                          .src(grf(6), Type::F)
                          .src(grf(126), Type::F);
    EXPECT_EQ(disassemble(decode(invm.bytes()).instruction),
              "math.invm (8|M0) (eo)f1.0 r10.mme0:f r6.nomme:f r126.nomme:f");
}

TEST(Decode, Align16OperandsKeepSwizzleAndChannelEnable) {
    GEN9_COVERS("EU-054 EU-060");
    const auto add = Inst(Opcode::Add)
                         .align16()
                         .exec(8)
                         .dst(grf(10).enable("xz"), Type::F)
                         .src(grf(11, 4).swizzle("wzyx"), Type::F)
                         .src(indirect(3, -64).swizzle("xxyy"), Type::F);
    const DecodeResult result = decode(add.bytes());
    ASSERT_TRUE(result.ok);
    EXPECT_EQ(result.instruction.dst.chan_enable, 0x5);
    EXPECT_EQ(result.instruction.src[0].swizzle, 0x1B);
    EXPECT_EQ(result.instruction.src[0].subreg, 16);
    EXPECT_EQ(result.instruction.src[1].swizzle, 0x50);
    EXPECT_EQ(result.instruction.src[1].addr_imm, -64);
    EXPECT_EQ(result.instruction, add.build());
}

// What decodes must encode to the same bits wherever the bits mean something, and decode again to
// the same instruction. Compact words are checked through their expansion.
TEST(Robustness, RandomWordsDecodeOrAreRefusedAndSurviveTheRoundTrip) {
    GEN9_COVERS("EU-297 EU-304");
    std::mt19937_64 random(9);
    unsigned decoded = 0;
    for (unsigned i = 0; i < 200'000; ++i) {
        Bytes bytes;
        store(bytes.data(), random());
        store(bytes.data() + 8, random());
        // Half of the words get an opcode that exists, so that the layouts behind it are met often.
        if (i % 2 == 0) {
            const auto table = opcode_table();
            bytes[0] = table[random() % table.size()].code;
        }
        const DecodeResult first = decode(bytes);
        if (!first.ok) {
            EXPECT_EQ(first.instruction.opcode, Opcode::Illegal);
            EXPECT_STRNE(first.why, "");
            continue;
        }
        ++decoded;
        EXPECT_FALSE(disassemble(first.instruction, 0).empty());
        const Encoding encoded = encode_word(first.instruction);
        if (!first.instruction.compacted) {
            const NativeWord original = NativeWord::from_bytes(bytes);
            ASSERT_EQ((original ^ encoded.word) & encoded.significant, NativeWord{})
                << disassemble(first.instruction, 0);
        }
        Instruction native = first.instruction;
        native.compacted = false;
        native.length_bytes = 16;
        const DecodeResult second = decode(encoded.word.to_bytes());
        ASSERT_TRUE(second.ok) << second.why;
        ASSERT_EQ(second.instruction, native) << disassemble(native, 0);
    }
    EXPECT_GT(decoded, 5'000U);
}

}  // namespace
}  // namespace gen9::isa
