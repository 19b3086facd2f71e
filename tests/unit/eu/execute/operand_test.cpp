// SPDX-License-Identifier: Apache-2.0
// Operands compilers seldom or never write: Align16, several index registers, accumulators, NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "isa/text/assemble.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/execute/builder.h"

namespace gen9::eu::test {
namespace {

Outcome run_bytes(Thread& thread, const std::array<std::uint8_t, 16>& bytes) {
    return execute(thread, prepare(std::span<const std::uint8_t>(bytes), thread.ip));
}
/// Every byte of the file from its address.
std::unique_ptr<Thread> make_numbered(std::uint32_t channels = 0xFFFF) {
    auto thread = make_thread(channels);
    for (unsigned i = 0; i < kGrfCount * kGrfBytes / 2; ++i)
        set<std::uint16_t>(*thread, 0, i, static_cast<std::uint16_t>(2 * i));
    return thread;
}

TEST(Operands, TypesHaveTheirSizesAndSigns) {
    GEN9_COVERS("EU-112");
    // The bytes of r2 read as each type from element 1 on; where element 1 lies shows the size.
    struct Expected {
        Type type;
        unsigned bytes;
        bool is_signed;
    };
    for (const Expected& e :
         {Expected{Type::UB, 1, false}, Expected{Type::B, 1, true}, Expected{Type::UW, 2, false},
          Expected{Type::W, 2, true}, Expected{Type::UD, 4, false}, Expected{Type::D, 4, true},
          Expected{Type::UQ, 8, false}, Expected{Type::Q, 8, true}}) {
        auto thread = make_thread(1);
        for (unsigned i = 0; i < 32; ++i)
            set<std::uint8_t>(*thread, 2, i, static_cast<std::uint8_t>(0xE0 + i));
        const Type wide = e.bytes == 1 ? Type::D : Type::Q;
        run(*thread, make(Opcode::Mov, 1, dst(10, wide), {scalar(2, 1, e.type)}));
        std::uint64_t value = 0;
        for (unsigned i = e.bytes; i-- > 0;)
            value = value << 8 | (0xE0 + e.bytes + i);
        if (e.is_signed && e.bytes < 8) value |= ~std::uint64_t{0} << 8 * e.bytes;
        if (wide == Type::D) value &= 0xFFFFFFFF;
        EXPECT_EQ(wide == Type::D ? get<std::uint32_t>(*thread, 10, 0)
                                  : get<std::uint64_t>(*thread, 10, 0),
                  value)
            << static_cast<int>(e.type);
    }
    // 1.0 of each float type; a packed immediate fills eight or four elements.
    auto thread = make_thread(0xFF);
    set<std::uint16_t>(*thread, 2, 1, 0x3C00);
    set<float>(*thread, 3, 1, 1.0f);
    set<double>(*thread, 4, 1, 1.0);
    for (const auto& [reg, type] : {std::pair{2u, Type::HF}, {3u, Type::F}, {4u, Type::DF}}) {
        run(*thread, make(Opcode::Mov, 1, dst(10, Type::D), {scalar(reg, 1, type)}));
        EXPECT_EQ(get<std::uint32_t>(*thread, 10, 0), 1u);
    }
    run(*thread, make(Opcode::Mov, 8, dst(10, Type::W), {imm(0x87654321, Type::V)}));
    EXPECT_EQ(get<std::int16_t>(*thread, 10, 7), -8);
    run(*thread, make(Opcode::Mov, 4, dst(10, Type::F), {imm(0x30000030, Type::VF)}));
    EXPECT_EQ(get<float>(*thread, 10, 3), 1.0f);
    EXPECT_EQ(get<float>(*thread, 10, 1), 0.0f);
}

TEST(Operands, RegisterAndSubRegisterMakeTheByteAddress) {
    GEN9_COVERS("EU-058");
    auto thread = make_numbered();
    for (const auto& [reg, element] : {std::pair{2u, 0u}, {2u, 15u}, {126u, 3u}}) {
        run_bytes(*thread, isa::Inst(Opcode::Mov)
                               .exec(1)
                               .dst(isa::grf(100, 5), Type::UW)
                               .src(isa::grf(reg, element).scalar(), Type::UW)
                               .bytes());
        EXPECT_EQ(get<std::uint16_t>(*thread, 100, 5), reg * 32 + element * 2);
    }
    // Three sources name DWords, and with an extra bit the words of halves.
    for (unsigned i = 0; i < 16; ++i)
        set<std::uint16_t>(*thread, 11, i, static_cast<std::uint16_t>(0x3C00 + i));
    for (unsigned i = 0; i < 8; ++i)
        set<float>(*thread, 12, i, static_cast<float>(i));
    for (unsigned element = 0; element < 16; ++element) {
        run_bytes(*thread, isa::Inst(Opcode::Mad)
                               .exec(8)
                               .dst(isa::grf(20), Type::HF)
                               .src(isa::grf(11, element).scalar(), Type::HF)
                               .src(isa::grf(13).scalar(), Type::HF)
                               .src(isa::grf(13).scalar(), Type::HF)
                               .bytes());
        EXPECT_EQ(get<std::uint16_t>(*thread, 20, 0), 0x3C00 + element);
    }
    set<float>(*thread, 14, 0, 0);
    for (unsigned element = 0; element < 8; ++element) {
        run_bytes(*thread, isa::Inst(Opcode::Mad)
                               .exec(8)
                               .dst(isa::grf(20), Type::F)
                               .src(isa::grf(12, element).scalar(), Type::F)
                               .src(isa::grf(14).scalar(), Type::F)
                               .src(isa::grf(14).scalar(), Type::F)
                               .bytes());
        EXPECT_EQ(get<float>(*thread, 20, 7), static_cast<float>(element));
    }
}

TEST(Operands, Align1HasRegionsAndNothingOfAlign16) {
    GEN9_COVERS("EU-053");
    auto thread = make_numbered();
    set<std::uint32_t>(*thread, 20, 5, 0);
    // A swizzle or channel enable that is left over from elsewhere plays no part.
    Operand source = region(2, 0, 8, 4, 2, Type::UW);
    source.swizzle = 0;
    Operand destination = dst(20, Type::UW);
    destination.chan_enable = 0;
    run(*thread, make(Opcode::Mov, 8, destination, {source}));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint16_t>(*thread, 20, i), 64 + 2 * (i / 4 * 8 + i % 4 * 2));
    // The same word read in the other mode: its bits 51:48, here 0, enable channels.
    auto bytes = isa::Inst(Opcode::Mov)
                     .exec(8)
                     .dst(isa::grf(20), Type::UD)
                     .src(isa::grf(2).region(4, 4, 1), Type::UD)
                     .bytes();
    auto other = make_numbered();
    bytes[1] |= 1;
    run_bytes(*other, bytes);
    EXPECT_EQ(get<std::uint16_t>(*other, 20, 0), 640);
    bytes[1] &= 0xFE;
    run_bytes(*other, bytes);
    EXPECT_EQ(get<std::uint16_t>(*other, 20, 0), 64);
}

TEST(Operands, CompressedInstructionsStepThroughOneIndexRegister) {
    GEN9_COVERS("EU-065");
    // 003:20625-20665, cases (a), (b), (c): the second half continues by the region.
    auto thread = make_thread(0xFFFF);
    for (unsigned i = 0; i < 16; ++i) {
        set<std::uint32_t>(*thread, 30, i, 1000 + i);
        set<std::uint32_t>(*thread, 40, i, 10 * i);
        set<std::uint16_t>(*thread, 50, i, static_cast<std::uint16_t>(i));
    }
    thread->address[0] = 60 * 32;
    thread->address[2] = 30 * 32;
    thread->address[4] = 40 * 32;
    const auto through = [](unsigned word, Operand o) {
        o.indirect = true;
        o.addr_subreg = static_cast<std::uint8_t>(word);
        o.reg = 0;
        return o;
    };
    const Operand to = through(0, dst(0, Type::UD)), a = through(2, grf(0, Type::UD)),
                  b = through(4, grf(0, Type::UD));
    run(*thread, make(Opcode::Add, 16, to, {a, b}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 60, i), 1000 + 11 * i);
    thread->address[2] = 50 * 32;
    run(*thread,
        make(Opcode::Add, 16, to, {through(2, region(0, 0, 4, 8, 1, Type::W)), grf(40, Type::UD)}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 60, i), (i < 8 ? i : i - 4) + 10 * i)
            << "rows of eight words, four apart";
    thread->address[2] = 30 * 32;
    run(*thread, make(Opcode::Add, 16, to, {a, through(4, scalar(0, 0, Type::UD))}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 60, i), 1000 + i) << "a scalar keeps its place";
}

TEST(Operands, ASecondHalfReadsWhatWasThereBeforeTheInstruction) {
    GEN9_COVERS("EU-014");
    // The PRM forbids the overlap; Intel's compiler writes `add (16) r19 r18 ..` and means this.
    auto thread = make_thread(0xFFFF);
    for (unsigned i = 0; i < 16; ++i)
        set(*thread, 18, i, static_cast<float>(i));
    run(*thread, make(Opcode::Add, 16, dst(19, Type::F), {grf(18, Type::F), immf(100)}));
    for (unsigned i = 0; i < 16; ++i)
        EXPECT_EQ(get<float>(*thread, 19, i), 100.0f + static_cast<float>(i));
}

TEST(Operands, TwoVerticesShareASourceByVerticalStrideZero) {
    GEN9_COVERS("EU-018 EU-054");
    // SIMD4x2 (003:19118-19291): x y z w of two vertices, a constant for both.
    auto thread = make_thread(0xFF);
    fill<float>(*thread, 11, {1, 2, 3, 4, 5, 6, 7, 8});
    fill<float>(*thread, 12, {0, 0, 0, 0, 10, 20, 30, 40});
    Operand vertex = region(11, 0, 4, 4, 1, Type::F), constant = region(12, 4, 0, 4, 1, Type::F);
    Instruction in = make(Opcode::Mul, 8, dst(10, Type::F), {vertex, constant});
    in.align16 = true;
    run(*thread, in);
    const float both[] = {10, 40, 90, 160, 50, 120, 210, 320};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<float>(*thread, 10, i), both[i]);
    // With one vertex the dispatch mask is 0x000F.
    auto one = make_thread(0x0F);
    fill<float>(*one, 10, {0, 0, 0, 0, -1, -1, -1, -1});
    fill<float>(*one, 11, {1, 2, 3, 4, 5, 6, 7, 8});
    fill<float>(*one, 12, {0, 0, 0, 0, 10, 20, 30, 40});
    run(*one, in);
    EXPECT_EQ(get<float>(*one, 10, 3), 160.0f);
    EXPECT_EQ(get<float>(*one, 10, 4), -1.0f);
}

TEST(Operands, MoviMovesInsideTheRegisterOfTheFirstIndex) {
    GEN9_COVERS("EU-218");
    auto thread = make_thread(0xFF);
    for (unsigned i = 0; i < 32; ++i) {
        set<std::uint8_t>(*thread, 10, i, static_cast<std::uint8_t>(i));
        set<std::uint8_t>(*thread, 11, i, static_cast<std::uint8_t>(100 + i));
    }
    // Only the first index' register counts, of the others only the place in a register.
    const std::uint16_t indices[] = {10 * 32 + 31, 11 * 32 + 3, 0, 5, 7 * 32 + 16, 1, 2, 4};
    for (unsigned i = 0; i < 8; ++i)
        thread->address[i] = indices[i];
    Operand source = region(0, 0, 0, 1, 0, Type::UB);
    source.indirect = source.multi_indirect = true;
    run(*thread, make(Opcode::Movi, 8, dst(20, Type::UB), {source}));
    const std::uint8_t expected[] = {31, 3, 0, 5, 16, 1, 2, 4};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint8_t>(*thread, 20, i), expected[i]);
}

TEST(Operands, AccumulatorHalvesAreAddressedByTheSubRegister) {
    GEN9_COVERS("EU-076 EU-080");
    auto thread = make_thread(0xFF);
    fill<float>(*thread, 2, {0, 1, 2, 3, 4, 5, 6, 7});
    run(*thread, make(Opcode::Mov, 8, arf(isa::Arf::Accumulator, 0, Type::F), {grf(2, Type::F)}));
    run(*thread, make(Opcode::Mov, 8, arf(isa::Arf::Accumulator, 1, Type::F), {immf(50)}));
    const auto half = [](unsigned number, unsigned byte) {
        Operand o = arf(isa::Arf::Accumulator, number, Type::F, byte);
        o.vert_stride = o.width = 4;
        return o;
    };
    // 003:19663-19675: the OWords of source and destination may differ.
    run(*thread, make(Opcode::Mov, 4, dst(10, Type::F), {half(0, 16)}));
    run(*thread, make(Opcode::Add, 4, dst(10, Type::F, 4), {half(0, 0), immf(0.5f)}));
    const float expected[] = {4, 5, 6, 7, 0.5f, 1.5f, 2.5f, 3.5f};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<float>(*thread, 10, i), expected[i]);
    run(*thread, make(Opcode::Mov, 4, half(1, 16), {region(2, 0, 4, 4, 1, Type::F)}));
    run(*thread, make(Opcode::Mov, 8, dst(10, Type::F), {arf(isa::Arf::Accumulator, 1, Type::F)}));
    const float second[] = {50, 50, 50, 50, 0, 1, 2, 3};
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<float>(*thread, 10, i), second[i]);
}

// Mesa reads an accumulator that eight channels have written by <0;1,0> (D-48).
TEST(Operands, EachChannelReadsItsOwnPartOfAnAccumulator) {
    GEN9_COVERS("EU-080");
    auto thread = make_thread(0xFF);
    fill<std::uint32_t>(*thread, 2, {0, 1, 2, 3, 4, 5, 6, 7});
    run(*thread, make(Opcode::Mov, 8, arf(isa::Arf::Accumulator, 0, Type::UD), {grf(2, Type::UD)}));
    Operand one = arf(isa::Arf::Accumulator, 0, Type::UD);
    one.vert_stride = one.horz_stride = 0;
    one.width = 1;
    run(*thread, make(Opcode::Add, 8, dst(10, Type::UD), {one, imm(10, Type::UD)}));
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(get<std::uint32_t>(*thread, 10, i), 10 + i);
    one.subreg = 12;
    run(*thread, make(Opcode::Mov, 1, dst(11, Type::UD), {one}));
    EXPECT_EQ(get<std::uint32_t>(*thread, 11, 0), 3u) << "one channel reads what it names";
}

TEST(Nan, SignallingOnesBecomeQuietWithTheirPayload) {
    GEN9_COVERS("EU-140");
    auto thread = make_thread(1);
    const auto f = [&](std::uint32_t a, float b) {
        set(*thread, 2, 0, a);
        set(*thread, 3, 0, b);
        run(*thread,
            make(Opcode::Add, 1, dst(10, Type::F), {scalar(2, 0, Type::F), scalar(3, 0, Type::F)}));
        return get<std::uint32_t>(*thread, 10, 0);
    };
    EXPECT_EQ(f(0x7F812345, 1), 0x7FC12345u);
    EXPECT_EQ(f(0xFFC54321, 1), 0xFFC54321u);
    EXPECT_EQ(f(0x7F800000, -std::numeric_limits<float>::infinity()) & 0x7FFFFFFF, 0x7FC00000u)
        << "what no operand had: all zeros but the quiet bit";
    set<std::uint64_t>(*thread, 2, 0, 0x7FF0000000012345);
    set(*thread, 3, 0, 1.0);
    run(*thread,
        make(Opcode::Mul, 1, dst(10, Type::DF), {scalar(2, 0, Type::DF), scalar(3, 0, Type::DF)}));
    EXPECT_EQ(get<std::uint64_t>(*thread, 10, 0), 0x7FF8000000012345u);
    set<std::uint16_t>(*thread, 2, 0, 0x7C45);
    set<std::uint16_t>(*thread, 3, 0, 0x3C00);
    run(*thread,
        make(Opcode::Mul, 1, dst(10, Type::HF), {scalar(2, 0, Type::HF), scalar(3, 0, Type::HF)}));
    EXPECT_EQ(get<std::uint16_t>(*thread, 10, 0), 0x7E45);
}

TEST(FusedSums, MayOverflowInBetween) {
    GEN9_COVERS("EU-141");
    // 003:21424-21428: the right value or an infinity.
    auto thread = make_thread(0xFF);
    const float big = 3e38f;
    fill<float>(*thread, 2, {big, big, -big, 1});
    fill<float>(*thread, 3, {1, 1, 1, 1});
    run(*thread, make(Opcode::Dp3, 4, dst(10, Type::F),
                      {region(2, 0, 4, 4, 1, Type::F), region(3, 0, 4, 4, 1, Type::F)}));
    const float sum = get<float>(*thread, 10, 0);
    EXPECT_TRUE(sum == big || std::isinf(sum)) << sum;
    // mac need not equal mul and add: 1 + 2^-24 * 1 rounds once here.
    run(*thread, make(Opcode::Mov, 8, arf(isa::Arf::Accumulator, 0, Type::F), {immf(-1)}));
    for (unsigned i = 0; i < 8; ++i)
        set(*thread, 4, i, 1.0f + 0x1p-12f);
    run(*thread, make(Opcode::Mac, 8, dst(10, Type::F), {grf(4, Type::F), grf(4, Type::F)}));
    const float mac = get<float>(*thread, 10, 0);
    EXPECT_TRUE(mac == 0x1p-11f + 0x1p-24f || mac == 0x1p-11f) << mac;
}

}  // namespace
}  // namespace gen9::eu::test
