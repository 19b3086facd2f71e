// SPDX-License-Identifier: Apache-2.0
// The resource streamer and contexts: its image, preemption; and random batches.
#include "tests/support/covers.h"
#include "tests/unit/rs/streams.h"

namespace gen9::test {
namespace {

using namespace streams;

TEST(ResourceStreamer, AContextsTablesComeBackWithIt) {
    GEN9_COVERS("RS-11 RS-13 CS-119");
    constexpr std::uint32_t kOther = 0x80000, kOtherRing = 0xA0000;
    Bench bench;
    bench.ggtt.map(kOtherRing, 0x4000);
    write_context(bench.ggtt, kOther, kOtherRing);
    // CTXT_SR_CTL: restore allowed, the resource streamer's part is kept.
    const Words with_rs = {0x11000001, 0x2244, 0x00030002};
    const auto ring = [&](std::uint64_t batch, const Words& control) {
        return control + Words{0x18800501, low(batch), high(batch), 0};
    };
    bench.ppgtt.put(kPreamble, kPool4 + edit(kVs, {0x111}) + edit(kPs, {5u << 16 | 0x222}) + kEnd);
    bench.run_ring(ring(kPreamble, with_rs), 100'000);
    const std::uint32_t image = kContext + 0x1000;
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(image + 4 * 0x1966), 0x78430100u);
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(image + 4 * 0x1968), 0x111u);
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(image + 4 * 0x161), 0x79190002u);
    // Another one changes the tables.
    bench.ppgtt.put(kPreamble, kPool4 + edit(kVs, {0x333}) + kEnd);
    bench.submit(ring(kPreamble, {0x11000001, 0x2244, 0x00010000}), kOther, kOtherRing, 1);
    sc_core::sc_start(Bench::cycles(100'000));
    EXPECT_TRUE(bench.cs.idle());
    // Its own part is neither read nor written, for it has not asked for that.
    for (unsigned dword = 0x1690; dword < 0x1E92; ++dword)
        EXPECT_EQ(bench.ggtt.get<std::uint32_t>(kOther + 0x1000 + 4 * dword), 1u);
    // Back again: its ring goes on behind what it has run.
    bench.ppgtt.put(kPreamble, pointers(kVs, 0) + pointers(kPs, 64) + kEnd);
    bench.run_ring(ring(kPreamble, {}), 100'000);
    bench.expect_done();
    EXPECT_EQ(bench.entry(0, 0), 0x111u);
    EXPECT_EQ(bench.entry(64, 5), 0x222u);
    EXPECT_GT(bench.rs.stats.context_cycles.value(), 0u);
}

TEST(ResourceStreamer, RsContextSavesAndRestoresTheTables) {
    GEN9_COVERS("RS-36");
    Bench bench;
    bench.run_batch(kPool4 + edit(kVs, {0x111}) + Words{0x07800001} + edit(kVs, {0x222}) +
                    pointers(kVs, 0) + Words{0x07800000} + pointers(kVs, 64) + kEnd);
    bench.expect_done();
    EXPECT_EQ(bench.entry(0, 0), 0x222u);
    EXPECT_EQ(bench.entry(64, 0), 0x111u);
}

// It is ahead of a context that leaves the engine: what it has made is not made again, with tables
// that have been edited since.
TEST(ResourceStreamer, APreemptedContextGoesOnWithWhatWasMade) {
    constexpr std::uint32_t kOther = 0x80000, kOtherRing = 0xA0000;
    Bench bench;
    bench.cs_latency = 500;
    bench.rs_latency = 5;
    bench.ggtt.map(kOtherRing, 0x4000);
    write_context(bench.ggtt, kOther, kOtherRing);
    const Words batch = kPool4 + edit(kVs, {0u << 16 | 1}) + marks(20) + kStall + mark(0) +
                        pointers(kVs, 0) + edit(kVs, {1u << 16 | 2}) + pointers(kVs, 64) + mark(1) +
                        kEnd;
    bench.run_batch(batch, 0x500, 6000);
    EXPECT_EQ(bench.marked(0), 0u);
    EXPECT_EQ(bench.rs.stats.tables.value(), 2u) << "it is ahead";
    bench.submit(mark(2) + Words{0, 0}, kOther, kOtherRing, 1);
    sc_core::sc_start(Bench::cycles(100'000));
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.marked(2), 1u);
    EXPECT_EQ(bench.marked(0), 0u) << "it left before";
    const std::uint32_t image = kContext + 0x1000;
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(image + 4 * 0x111),
              (low(kPreamble) + 4 * static_cast<std::uint32_t>(batch.size() - 1)) | 1);
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(image + 4 * 0x117), 2u) << "PRODUCE_COUNT_BTP";
    for (const std::uint32_t value : submission())
        bench.write(0x2230, value);
    sc_core::sc_start(Bench::cycles(100'000));
    bench.expect_done();
    EXPECT_EQ(bench.marked(1), 1u);
    EXPECT_EQ(bench.rs.stats.tables.value(), 2u);
    EXPECT_EQ(bench.entry(0, 0), 1u);
    EXPECT_EQ(bench.entry(0, 1), 0u);
    EXPECT_EQ(bench.entry(64, 1), 2u);
}

// It has stopped with two tables, of which the command streamer takes one before the context leaves.
TEST(ResourceStreamer, APreemptedContextHasWhatWasNotTaken) {
    GEN9_COVERS("RS-35");
    constexpr std::uint32_t kOther = 0x80000, kOtherRing = 0xA0000;
    Bench bench;
    bench.cs_latency = 500;
    bench.rs_latency = 5;
    bench.ggtt.map(kOtherRing, 0x4000);
    write_context(bench.ggtt, kOther, kOtherRing);
    bench.run_batch(kPool4 + edit(kVs, {1}) + pointers(kVs, 0) + marks(20) + kStall + mark(0) +
                        pointers(kVs, 64) + mark(1) + kEnd,
                    0x500, 6000);
    EXPECT_EQ(bench.rs.stats.tables.value(), 2u) << "it is ahead";
    EXPECT_EQ(bench.marked(0), 0u);
    bench.submit(mark(2) + Words{0, 0}, kOther, kOtherRing, 1);
    sc_core::sc_start(Bench::cycles(100'000));
    EXPECT_EQ(bench.marked(2), 1u);
    EXPECT_EQ(bench.marked(0), 0u) << "it left before";
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(kContext + 0x1000 + 4 * 0x117), 1u)
        << "PRODUCE_COUNT_BTP";
}

// 003:1781-1783, 1921-1932, 2446-2455: registers of the engine, and of the context.
TEST(ResourceStreamer, ItsRegistersKeepWhatIsWrittenAndThoseOfAContextComeBackWithIt) {
    GEN9_COVERS("RS-35");
    constexpr std::uint32_t kOther = 0x80000, kOtherRing = 0xA0000;
    Bench bench({"bench.cs.privilege=all"});
    bench.ggtt.map(kOtherRing, 0x4000);
    write_context(bench.ggtt, kOther, kOtherRing);
    // Offset, DWord of its value in the image or 0. The status is not valid (bit 0).
    const std::tuple<const char*, std::uint32_t, std::uint32_t> registers[] = {
        {"RS_PREEMPT_STATUS", 0x215C, 0x111},
        {"RS_PREEMPT_STATUS_UDW", 0x2174, 0x135},
        {"PRODUCE_COUNT_BTP", 0x2480, 0x117},
        {"PRODUCE_COUNT_DX9_CONSTANTS", 0x2484, 0x119},
        {"PRODUCE_COUNT_GATHER_CONSTANTS", 0x248C, 0x11B},
        {"PARSED_COUNT_BTP", 0x2490, 0x11D},
        {"PARSED_COUNT_DX9_CONSTANTS", 0x2494, 0x11F},
        {"RS_PREEMPTION_HINT", 0x24C0, 0},
        {"RS_PREEMPTION_HINT_UDW", 0x24C4, 0},
        {"RS_OFFSET", 0x21B4, 0}};
    Words loads, others;
    for (const auto& [name, offset, image] : registers) {
        append(loads, {0x11000001, offset, offset << 8});
        append(others, {0x11000001, offset, 0});
    }
    const auto at = [&](std::uint32_t dword) {
        return bench.ggtt.get<std::uint32_t>(kContext + 0x1000 + 4 * dword);
    };
    const Words restores = {0x11000001, 0x2244, 0x00010000};
    bench.run_ring(restores + loads + Words{0}, 100'000);
    for (const auto& [name, offset, image] : registers) {
        EXPECT_EQ(bench.read(offset), offset << 8) << name;
        if (image) {
            EXPECT_EQ(at(image - 1), offset) << name;
            EXPECT_EQ(at(image), offset << 8) << name;
        }
    }
    bench.submit(restores + others + Words{0}, kOther, kOtherRing, 1);
    sc_core::sc_start(Bench::cycles(100'000));
    for (const auto& [name, offset, image] : registers)
        EXPECT_EQ(bench.read(offset), 0u) << name;
    bench.run_ring(mark(0) + Words{0, 0}, 100'000);
    bench.expect_done();
    EXPECT_EQ(bench.marked(0), 1u);
    for (const auto& [name, offset, image] : registers)
        EXPECT_EQ(bench.read(offset), image ? offset << 8 : 0) << name;
}

class RandomBatches : public ::testing::TestWithParam<unsigned> {};

// Commands of the resource streamer with random contents, stores into the batch among them.
TEST_P(RandomBatches, NeitherCrashNorHang) {
    Bench bench({"rs.products_ahead=" + std::to_string(1 + GetParam() % 3),
                 "rs.ahead_bytes=" + std::to_string(64 << GetParam() % 5)});
    std::mt19937 engine(GetParam());
    const auto random = [&engine] { return static_cast<std::uint32_t>(engine()); };
    bench.jitter = GetParam() % 2 ? 300 : 0;
    bench.cs_latency = 1 + random() % 100;
    Words batch = kPool4 + gather_pool(kGathers, 4) + surface_base(kPool);
    while (batch.size() < 3000) {
        const std::uint32_t stage = random() % 5;
        switch (random() % 9) {
            case 0:
                append(batch, edit(stage, Words(random() % 9, random()), random() % 4));
                break;
            case 1:
                append(batch, pointers(stage, random() % 0x6000));
                break;
            case 2: {
                Words elements(2 * (random() % 6));
                for (auto& word : elements)
                    word = random() & 0xFFFF;
                append(batch, gather(stage, random() & 0xFFFF, random() % 0x5000 & ~63u, elements,
                                     random() & 0xF002, random() & 8));
                break;
            }
            case 3:
                append(batch,
                       {0x15800002, low(kPool + random() % 0x4000 / 4 * 4), high(kPool), random()});
                break;
            case 4: {  // into the batch, ahead: one command changes to another of two DWords
                const std::uint64_t at = kPreamble + 4 * (batch.size() + random() % 200);
                if (random() % 8 == 0) append(batch, {0x10000002, low(at), high(at), 0});
                break;
            }
            case 5:
                append(batch, table_pool(kPool, random() % 5, random() % 4 != 0));
                break;
            case 6:
                append(batch, {random() % 2 ? 0x02800000u : 0x01800000u});
                break;
            case 7:
                append(batch, {0x03000000u | (random() % 4 != 0)});
                break;
            default:
                append(batch, mark(random() % 100));
                break;
        }
    }
    bench.run_batch(batch + kEnd);
    EXPECT_TRUE(bench.cs.idle() || bench.cs.stopped()) << bench.cs.describe_waiting();
    EXPECT_TRUE(bench.rs.idle()) << bench.rs.describe_waiting();
    bench.rs.settle();
    EXPECT_EQ(bench.rs_cycles(), bench.clock.now().value);
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomBatches, ::testing::Range(0u, 12u));

}  // namespace
}  // namespace gen9::test
