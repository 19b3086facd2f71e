// SPDX-License-Identifier: Apache-2.0
// The share of scripts/fuzz-words that every test run can afford; under the sanitizers it is what
// looks for accesses outside the model's memory.
#include <gtest/gtest.h>

#include <bit>

#include "tests/fuzz/eu/kernel_files.h"
#include "tests/fuzz/eu/word_fuzzer.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"

namespace gen9::eu::test {
namespace {

void expect_no_failure(const FuzzCounts& counts) {
    EXPECT_EQ(counts.failures, 0U) << counts.text();
}

TEST(AnyBytes, AreAnInstructionOrIllegalAndStayInTheirPlace) {
    GEN9_COVERS("EU-025 EU-212 EU-215 EU-294 EU-297");
    WordFuzzer fuzzer(1);
    for (unsigned i = 0; i < gen9::test::rounds(400'000); ++i)
        fuzzer.word();
    expect_no_failure(fuzzer.counts());
    // It goes where it is meant to go: into the executor, both paths, messages and illegal words.
    EXPECT_GT(fuzzer.counts().decoded, gen9::test::rounds(150'000));
    EXPECT_GT(fuzzer.counts().specialised, gen9::test::rounds(5'000));
    // Exceptions are rare: the thread must have asked for them.
    const auto& outcomes = fuzzer.counts().outcomes;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
        EXPECT_GT(outcomes[i], static_cast<Outcome>(i) == Outcome::Exception ? 1U : 30U)
            << fuzzer.counts().text();
    EXPECT_GT(fuzzer.counts().refusals.size(), 15U);
}

// Words that were wrong once.
TEST(AnyBytes, WordsFoundBefore) {
    WordFuzzer fuzzer(3);
    // rsqtm of a 64-bit immediate: the special accumulator's place is part of the number.
    fuzzer.word({0x38, 0x81, 0x31, 0x9f, 0x41, 0x57, 0xcd, 0x89, 0x99, 0xbc, 0x38, 0x3a, 0x2a, 0xbe,
                 0xa3, 0xbc});
    // mac of negated 64-bit sources: more than 127 bits.
    const auto q = [](unsigned reg) { return isa::grf(reg).neg(); };
    const auto mac = isa::Inst(isa::Opcode::Mac)
                         .exec(8)
                         .dst(isa::grf(10), isa::Type::UQ)
                         .src(q(20), isa::Type::UQ)
                         .src(q(40), isa::Type::UQ)
                         .bytes();
    for (unsigned i = 0; i < 200; ++i)
        fuzzer.word(mac);
    expect_no_failure(fuzzer.counts());
}

TEST(AnyBytes, AsKernelsRunToAnEndOrAreStopped) {
    GEN9_COVERS("EU-212 EU-294 EU-297");
    WordFuzzer fuzzer(2);
    constexpr unsigned kLimit = 3000;
    const auto originals = compiled_kernels();
    for (unsigned i = 0; i < gen9::test::rounds(3'000); ++i) {
        const bool compiled = !originals.empty() && i % 4 != 0;
        fuzzer.kernel(compiled ? originals[i % originals.size()] : fuzzer.random_kernel(), kLimit);
    }
    expect_no_failure(fuzzer.counts());
    EXPECT_GT(fuzzer.counts().data_port_messages, gen9::test::rounds(1'000));
}

// The harness sees what it is there to see.
TEST(AnyBytes, TheHarnessCanFail) {
    auto thread = std::make_unique<Thread>(), other = std::make_unique<Thread>();
    isa::Instruction add;
    add.opcode = isa::Opcode::Add;
    add.dst.file = isa::RegFile::Grf;
    add.dst.type = isa::Type::F;
    EXPECT_EQ(touched(*thread, *other, add), nullptr);
    EXPECT_EQ(differs(*thread, *thread, add), nullptr);
    other->acc[1][0] ^= 1;
    EXPECT_STREQ(touched(*thread, *other, add), "an accumulator");
    add.acc_write = true;
    EXPECT_EQ(touched(*thread, *other, add), nullptr);
    *other = *thread;
    other->address[15] ^= 1;
    EXPECT_STREQ(touched(*thread, *other, add), "a0");
    *other = *thread;
    store(thread->grf[3].bytes, std::uint32_t{0x7FC00000});
    store(other->grf[3].bytes, std::uint32_t{0xFFC00001});
    EXPECT_EQ(differs(*thread, *other, add), nullptr);
    store(other->grf[3].bytes, std::uint32_t{0x3F800000});
    EXPECT_STREQ(differs(*thread, *other, add), "registers");
}

}  // namespace
}  // namespace gen9::eu::test
