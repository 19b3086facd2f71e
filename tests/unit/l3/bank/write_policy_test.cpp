// SPDX-License-Identifier: Apache-2.0
// When memory gets what is written, and whether a write that misses takes a place.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

unsigned written_lines(const Bench& bench) {
    unsigned count = 0;
    for (const auto& seen : bench.memory.seen)
        count += seen.write;
    return count;
}

void write_and_read(bool through) {
    Bench bench(Timing::Timed, 1, {through ? "l3.writes=through" : "l3.writes=back"});
    auto& from = *bench.from[0];
    auto* t = from.send(from.write(0x1000, 64, 9));
    bench.run();
    EXPECT_EQ(bench.end_of(t), bench.write_cycles()) << "answered by L3 in both";
    EXPECT_EQ(bench.l3.dirty_lines(), through ? 0u : 1u);
    EXPECT_EQ(written_lines(bench), through ? 1u : 0u);
    EXPECT_EQ(bench.memory.bytes[0x1000] == 9, through);
    auto* read = from.send(from.read(0x1000));
    bench.run();
    EXPECT_EQ(read->data[63], 9);
    EXPECT_EQ(bench.sum("fills"), 0u) << "the line has stayed";
}

TEST(L3WritePolicy, BackLeavesWhatIsWrittenInTheLine) {
    GEN9_COVERS("L3-40");
    write_and_read(false);
}
TEST(L3WritePolicy, ThroughSendsItOn) {
    write_and_read(true);
}

void write_that_misses(bool pass) {
    Bench bench(Timing::Timed, 1, {pass ? "l3.write_misses=pass" : "l3.write_misses=allocate"});
    auto& from = *bench.from[0];
    auto* t = from.send(from.write(0x1010, 4, 9));
    bench.run();
    EXPECT_EQ(bench.l3.dirty_lines(), pass ? 0u : 1u);
    EXPECT_EQ(written_lines(bench), pass ? 1u : 0u);
    EXPECT_EQ(bench.memory.bytes[0x1010] == 9, pass);
    EXPECT_NE(bench.memory.bytes[0x1014], 9) << "the write's bytes and no others";
    EXPECT_EQ(bench.sum("bypasses"), pass ? 1u : 0u);
    EXPECT_EQ(bench.sum("misses"), pass ? 1u : 0u);
    if (pass)
        EXPECT_GT(bench.end_of(t), bench.memory.latency) << "answered from memory";
    else
        EXPECT_EQ(bench.end_of(t), bench.write_cycles());
}

TEST(L3WritePolicy, AWriteThatMissesTakesAPlace) {
    GEN9_COVERS("L3-23");
    write_that_misses(false);
}
TEST(L3WritePolicy, AWriteThatMissesPasses) {
    write_that_misses(true);
}

void write_of_a_part(bool fetch) {
    Bench bench(Timing::Timed, 1, {fetch ? "l3.write_misses=fetch" : "l3.write_misses=allocate"});
    auto& from = *bench.from[0];
    from.send(from.write(0x1010, 4, 9));
    bench.run();
    EXPECT_EQ(bench.sum("fills"), fetch ? 1u : 0u);
    EXPECT_EQ(bench.l3.dirty_lines(), 1u);
    auto* read = from.send(from.read(0x1000));
    bench.run();
    EXPECT_EQ(bench.sum("fills"), 1u) << "the rest of the line is fetched at the latest now";
    EXPECT_EQ(read->data[0x10], 9);
    EXPECT_EQ(read->data[0x14], bench.memory.bytes[0x1014]);
    EXPECT_EQ(written_lines(bench), 0u);
}

TEST(L3WritePolicy, AWriteOfAPartHasNothingFetched) {
    write_of_a_part(false);
}
TEST(L3WritePolicy, AWriteOfAPartHasTheRestFetched) {
    write_of_a_part(true);
}
TEST(L3WritePolicy, AWriteOfAWholeLineHasNothingFetched) {
    Bench bench(Timing::Timed, 1, {"l3.write_misses=fetch"});
    auto& from = *bench.from[0];
    auto* t = from.send(from.write(0x1000, 64, 9));
    bench.run();
    EXPECT_EQ(bench.sum("fills"), 0u);
    EXPECT_EQ(bench.end_of(t), bench.write_cycles());
}
TEST(L3WritePolicy, ABlockingWriteOfAPartHasTheRestFetched) {
    Bench bench(Timing::Timed, 1, {"l3.write_misses=fetch"});
    const std::uint8_t before = bench.memory.bytes[0x1014];
    bench.from[0]->block(bench.from[0]->write(0x1010, 4, 9));
    EXPECT_EQ(bench.l3.dirty_lines(), 1u);
    ++bench.memory.bytes[0x1014];
    auto* read = bench.from[0]->send(bench.from[0]->read(0x1000));
    bench.run();
    EXPECT_EQ(read->data[0x10], 9);
    EXPECT_EQ(read->data[0x14], before) << "fetched with the write";
}

TEST(L3WritePolicy, AWriteToALineThatIsThereStaysInItAlsoWhereMissesPass) {
    Bench bench(Timing::Timed, 1, {"l3.write_misses=pass"});
    auto& from = *bench.from[0];
    from.send(from.read(0x1000));
    bench.run();
    from.send(from.write(0x1010, 4, 9));
    bench.run();
    EXPECT_EQ(bench.l3.dirty_lines(), 1u);
    EXPECT_EQ(written_lines(bench), 0u);
    EXPECT_NE(bench.memory.bytes[0x1010], 9);
}

TEST(L3WritePolicy, AReadBehindAWriteThatPassesGetsItsBytes) {
    Bench bench(Timing::Timed, 2, {"l3.write_misses=pass"});
    bench.from[0]->send(bench.from[0]->write(0x1010, 4, 9));
    auto* read = bench.from[1]->send(bench.from[1]->read(0x1000), 2);
    bench.run();
    EXPECT_EQ(read->data[0x10], 9);
    EXPECT_EQ(read->data[0x14], bench.memory.bytes[0x1014]);
}

// It is as good as a fill.
TEST(L3WritePolicy, AWriteOfAWholeLineTakesAPlaceAlsoWhereMissesPass) {
    GEN9_COVERS("L3-23");
    Bench bench(Timing::Timed, 1, {"l3.write_misses=pass"});
    bench.from[0]->block(bench.from[0]->write(0x1000, 64, 9));
    EXPECT_EQ(bench.l3.dirty_lines(), 1u);
    bench.from[0]->send(bench.from[0]->write(0x2000, 64, 9));
    bench.run();
    EXPECT_EQ(bench.l3.dirty_lines(), 2u);
    EXPECT_EQ(written_lines(bench), 0u);
}

TEST(L3WritePolicy, ABlockingWriteThatMissesPassesToo) {
    Bench bench(Timing::Timed, 1, {"l3.write_misses=pass"});
    bench.from[0]->block(bench.from[0]->write(0x1000, 32, 9));
    EXPECT_EQ(bench.memory.bytes[0x1000], 9);
    EXPECT_EQ(bench.l3.dirty_lines(), 0u);
}

}  // namespace
}  // namespace gen9::l3
