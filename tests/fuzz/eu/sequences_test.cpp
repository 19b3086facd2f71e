// SPDX-License-Identifier: Apache-2.0
// What random sequences are made of, and that a difference is seen. fuzz_sequences runs more.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "common/register_bytes.h"
#include "eu/jit/host.h"
#include "tests/fuzz/eu/sequence_fuzzer.h"
#include "tests/support/sample.h"

namespace gen9::eu::test {
namespace {

TEST(Sequences, HaveEverythingThatIsCompiled) {
    if (jit::host_level() == jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    SequenceFuzzer fuzzer;
    for (unsigned seed = 1; seed <= gen9::test::rounds(3000); ++seed)
        ASSERT_EQ(fuzzer.run(seed), "") << "seed " << seed;
    const SequenceCounts& counts = fuzzer.counts();
    // These always leave the code.
    constexpr isa::Opcode outside[] = {isa::Opcode::Illegal, isa::Opcode::Sendc,
                                       isa::Opcode::Sendsc};
    for (const isa::OpcodeInfo& row : isa::opcode_table())
        if (std::ranges::find(outside, row.opcode) == std::end(outside)) {
            EXPECT_GT(counts.opcodes[static_cast<std::size_t>(row.opcode)], 10u) << row.mnemonic;
        }
    const auto all = [](const auto& of, const char* what) {
        for (std::size_t i = 0; i < of.size(); ++i)
            EXPECT_GT(of[i], 20u) << what << ' ' << i;
    };
    all(counts.sources, "source type");
    all(counts.predicates, "predicate");
    for (std::size_t i = 0; i < counts.destinations.size(); ++i) {
        const auto type = static_cast<isa::Type>(i);
        const bool packed = type == isa::Type::UV || type == isa::Type::V || type == isa::Type::VF;
        if (!packed) {
            EXPECT_GT(counts.destinations[i], 20u) << "destination type " << i;
        }
    }
    for (std::size_t i = 0; i < counts.conditions.size(); ++i)
        if (i != 7) {
            EXPECT_GT(counts.conditions[i], 20u) << "condition " << i;
        }
    for (const unsigned size : {1, 2, 4, 8, 16, 32})
        EXPECT_GT(counts.exec_sizes[size], 20u) << size;
    for (unsigned offset = 0; offset < 32; offset += 4)
        EXPECT_GT(counts.channel_offsets[offset], 20u) << offset;
    for (const std::uint64_t count :
         {counts.indirect, counts.several_indices, counts.architecture, counts.accumulators,
          counts.align16, counts.saturated, counts.modified, counts.immediates,
          counts.some_channels, counts.messages, counts.waits, counts.flushes})
        EXPECT_GT(count, 100u);
    EXPECT_GT(counts.compiled, counts.executed / 2);
}

TEST(Sequences, HaveEveryPlainMessage) {
    if (jit::host_level() == jit::Level::None) GTEST_SKIP() << "this host compiles nothing";
    SequenceFuzzer fuzzer;
    for (unsigned seed = 1; seed <= gen9::test::rounds(1500); ++seed)
        ASSERT_EQ(fuzzer.run_messages(seed), "") << "seed " << seed;
    const SequenceCounts& counts = fuzzer.counts();
    EXPECT_GT(counts.direct, counts.sent / 4);
    EXPECT_GT(counts.kept, 0u);
    using enum PlainMessages::Fact;
    /// Of messages with these facts and sizes, where they are not 0.
    const auto some = [&](unsigned facts, unsigned slots, unsigned items, const char* what) {
        Port::Plain sum;
        for (const auto& [bits, count] : counts.plain) {
            const auto form = std::bit_cast<PlainMessages::Form>(bits);
            if ((form.facts & (facts | kReads)) != facts || (slots != 0 && form.slots != slots) ||
                (items != 0 && form.items != items))
                continue;
            sum.all_on += count.all_on;
            sum.some_on += count.some_on;
        }
        EXPECT_GT(sum.all_on, 0u) << what << ' ' << slots << ' ' << items;
        EXPECT_GT(sum.some_on, 0u) << what << ' ' << slots << ' ' << items;
    };
    for (const unsigned reads : {0u, unsigned{kReads}})
        for (const unsigned slots : {8u, 16u}) {
            some(reads | kBound, slots, 0, "of a surface");
            some(reads | kWide, slots, 0, "of addresses");
            some(reads | kLocal, slots, 0, "of local memory");
            some(reads | kScaled, slots, 0, "of offsets in DWords");
            some(reads | kMoved, slots, 1, "of bytes and words");
            some(reads | kAligned, slots, 0, "aligned");
            for (const unsigned items : {1u, 2u, 3u, 4u})
                some(reads, slots, items, "of items");
        }
    some(kSecond, 0, 0, "with the data in the second part");
}

// Each was wrong once: a write of cr0 under another number went unseen; channels waited between two
// instructions; an accumulator's rows were read behind its end; channels that took turns with all
// others had no masks.
TEST(Sequences, FoundBefore) {
    SequenceFuzzer fuzzer;
    for (const unsigned seed : {55525, 102081, 128174, 134482, 167673, 206957, 228452, 440676})
        EXPECT_EQ(fuzzer.run(seed), "") << "seed " << seed;
}

TEST(Sequences, AnyDifferenceOfThreadsIsSeen) {
    const auto a = std::make_unique<Thread>(), b = std::make_unique<Thread>();
    const auto differs = [&](const char* what, auto change) {
        *b = *a;
        change(*b);
        EXPECT_STREQ(difference(*a, *b), what);
    };
    differs(nullptr, [](Thread&) {});
    differs("general registers", [](Thread& t) { t.grf[127].bytes[31] ^= 1; });
    differs("ip", [](Thread& t) { t.ip += 8; });
    differs("channels", [](Thread& t) { t.channel_ip[31] ^= 8; });
    differs("where channels wait", [](Thread& t) { t.low_ip ^= 8; });
    differs("channels of a message", [](Thread& t) { t.send_mask ^= 1; });
    differs("flags", [](Thread& t) { t.flag[1] ^= 1; });
    differs("a0", [](Thread& t) { t.address[15] ^= 1; });
    differs("accumulators", [](Thread& t) { t.acc[1][127] ^= 1; });
    differs("acc2 to acc9", [](Thread& t) { t.special_acc[7][7] ^= 1; });
    differs("cr0", [](Thread& t) { t.control[3] ^= 1; });
    differs("sr", [](Thread& t) { t.state[1] ^= 1; });
    differs("sp", [](Thread& t) { t.stack[1] ^= 1; });
}

}  // namespace
}  // namespace gen9::eu::test
