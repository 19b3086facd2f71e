// SPDX-License-Identifier: Apache-2.0
// What the way to memory holds when the mode changes is what a run of one mode would have left.
#include "interconnect/kernel/blocking_access.h"
#include "tests/unit/memory/chain.h"

namespace gen9::memory {
namespace mode_change_test {
namespace {

struct Changing : Chain {
    Changing() : Chain(Timing::Timed) {
        llc.expect_changes();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void change(Timing to) {
        environment.environment.timing = to;
        l3.change_timing();
        llc.change_timing();
    }
    /// Asks for a page, to mark the lines that it accesses.
    DirectLines* ask(std::uint64_t page, Requester requester, std::uint8_t mocs) {
        return direct_memory(from[0].mem_out, pool, page, kPageBytes, requester, mocs).lines;
    }
    /// Asks for a page without saying that its lines will be marked.
    void point_to(std::uint64_t page) {
        auto* const read = from[0].read(page + 8);
        tlm::tlm_dmi dmi;
        EXPECT_TRUE(from[0].mem_out->get_direct_mem_ptr(*read, dmi));
        EXPECT_EQ(dmi.get_start_address(), page);
        read->release();
    }
    /// Reads a line that L3 does not have, of a page that the GTI knows. Does the LLC have it?
    bool llc_has(std::uint64_t address) {
        const auto hits = llc.stats.read_hits.value(), misses = llc.stats.read_misses.value();
        from[0].send(from[0].read(address));
        sc_core::sc_start();
        EXPECT_EQ(llc.stats.read_hits.value() + llc.stats.read_misses.value(), hits + misses + 1);
        return llc.stats.read_hits.value() != hits;
    }
    std::uint64_t walk_fetches(std::uint64_t address) {
        const std::uint64_t before = gti.stats.walk_fetches.value();
        from[0].send(from[0].read(address));
        sc_core::sc_start();
        return gti.stats.walk_fetches.value() - before;
    }
    MemoryPool pool;
};

TEST(ModeChange, TheLlcHasWhatFunctionalModeHasReadWhenTheModeMayChange) {
    Changing chain;
    chain.change(Timing::Functional);
    // A line of one page, and a page that is accessed directly from then on.
    chain.from[0].block(chain.from[0].read(0x1040));
    chain.point_to(0x2000);
    EXPECT_EQ(chain.llc.stats.read_hits.value() + chain.llc.stats.read_misses.value(), 0u);
    chain.change(Timing::Timed);
    EXPECT_TRUE(chain.llc_has(0x1040));
    EXPECT_FALSE(chain.llc_has(0x1080));
    EXPECT_TRUE(chain.llc_has(0x2000));
    EXPECT_TRUE(chain.llc_has(0x2FC0));
}

TEST(ModeChange, AWalkFindsTheLinesOfTablesThatFunctionalModeHasRead) {
    Changing chain;
    chain.change(Timing::Functional);
    chain.from[0].block(chain.from[0].read(0x1040));
    chain.point_to(0x8000);  // another line of entries
    chain.change(Timing::Timed);
    // Translations are not known, the lines of their entries are.
    EXPECT_EQ(chain.walk_fetches(0x2040), 0u);
    EXPECT_EQ(chain.walk_fetches(0x9040), 0u);
    EXPECT_EQ(chain.walk_fetches(0x1'0040), 1u);
    // Forgotten here, all four are in the LLC; the line itself is not.
    chain.gti.invalidate_tlb();
    const std::uint64_t hits = chain.llc.stats.read_hits.value();
    EXPECT_EQ(chain.walk_fetches(0x3040), 4u);
    EXPECT_EQ(chain.llc.stats.read_hits.value() - hits, 4u);
}

TEST(ModeChange, OfAPageByPointerTheLlcHasTheLinesThatWereMarked) {
    Changing chain;
    chain.change(Timing::Functional);
    DirectLines* const lines = chain.ask(0x3000, Requester::DataPort, 2 << 1);
    ASSERT_NE(lines, nullptr);
    lines->mark(0x80, 4, true);
    lines->mark(0x100, 4, false);
    chain.change(Timing::Timed);
    EXPECT_TRUE(chain.llc_has(0x3080));
    EXPECT_TRUE(chain.llc_has(0x3100));
    EXPECT_FALSE(chain.llc_has(0x3000));
    EXPECT_FALSE(chain.llc_has(0x30C0));
    // Again: what has been marked since.
    chain.change(Timing::Functional);
    EXPECT_EQ(lines->read | lines->written, 0u);
    lines->mark(0x200, 4, true);
    chain.change(Timing::Timed);
    EXPECT_TRUE(chain.llc_has(0x3200));
    EXPECT_FALSE(chain.llc_has(0x3240));
}

TEST(ModeChange, WithoutAnExpectedChangeNobodyMarks) {
    Chain chain(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    MemoryPool pool;
    const DirectMemory page = direct_memory(chain.from[0].mem_out, pool, 0x3000, kPageBytes);
    EXPECT_NE(page.host, nullptr);
    EXPECT_EQ(page.lines, nullptr);
}

TEST(ModeChange, LinesThatAreAccessedUncachedLeaveTheLlc) {
    GEN9_COVERS("DP-034");
    Changing chain;
    chain.change(Timing::Functional);
    // Control state 0 is uncached (Linux's table). Who has none is cached as the page says.
    chain.ask(0x3000, Requester::DataPort, 2 << 1)->mark(0x80, 128, true);
    chain.ask(0x3000, Requester::DataPort, 0)->mark(0x80, 4, false);
    chain.ask(0x4000, Requester::ConstantCache, 0)->mark(0x80, 4, true);
    chain.change(Timing::Timed);
    EXPECT_FALSE(chain.llc_has(0x3080));
    EXPECT_TRUE(chain.llc_has(0x30C0));
    EXPECT_TRUE(chain.llc_has(0x4080));
}

TEST(ModeChange, WhatL3WritesBackIsInTheLlcAsModified) {
    Changing chain;
    auto& from = chain.from[0];
    from.send(from.write(0x1000, 64, 5));
    sc_core::sc_start();
    ASSERT_EQ(chain.l3.dirty_lines(), 1u);
    chain.change(Timing::Functional);
    chain.change(Timing::Timed);
    // An uncached read forces it out of both, and memory is written once.
    auto* read = from.read(0x1000);
    read->attributes.mocs = 0;
    read->attributes.uncached = true;
    from.send(read);
    sc_core::sc_start();
    EXPECT_EQ(chain.llc.stats.evictions.value(), 1u);
    EXPECT_EQ(from.ended.back().transaction->data[0], 5);
}

TEST(ModeChange, TranslationsOfFunctionalModeAreGoodUntilTheyAreInvalidated) {
    Changing chain;
    auto& from = chain.from[0];
    chain.change(Timing::Functional);
    from.block(from.read(0x1040));
    chain.change(Timing::Timed);
    const std::uint64_t misses = chain.gti.stats.tlb_misses.value();
    from.send(from.read(0x1080));
    sc_core::sc_start();
    EXPECT_EQ(chain.gti.stats.tlb_misses.value(), misses);
    // The page moves while functional mode runs.
    chain.change(Timing::Functional);
    const std::uint64_t entry = (0x1000000 + 0x155 * kPageBytes) | 3;  // the frame of page 0
    ASSERT_TRUE(chain.memory.write(PhysAddr(0x4000 + 8),
                                   {reinterpret_cast<const std::uint8_t*>(&entry), 8}));
    chain.gti.invalidate_tlb();
    from.block(from.write(0x00C0, 64, 9));
    chain.change(Timing::Timed);
    auto* moved = from.send(from.read(0x10C0));
    sc_core::sc_start();
    EXPECT_EQ(moved->data[0], 9) << "the translation is stale";
    EXPECT_EQ(chain.gti.stats.tlb_misses.value(), misses + 2) << "page 0, and the one that moved";
}

// A flush, the command streamer and state fetches walk in this way in timed mode too.
TEST(ModeChange, AWalkOfABlockingAccessLeavesLinesInBothModes) {
    Changing chain;
    std::uint64_t page = 0;
    for (const Timing timing : {Timing::Timed, Timing::Functional}) {
        chain.change(timing);
        // Eight entries are in a line.
        chain.from[0].block(chain.from[0].read(page * kPageBytes));
        chain.change(Timing::Timed);
        EXPECT_EQ(chain.walk_fetches((page + 1) * kPageBytes), 0u);
        EXPECT_EQ(chain.walk_fetches((page + 8) * kPageBytes), 1u);
        page += 16;
    }
}

TEST(ModeChange, FunctionalAccessesTakeNoTimeOfMemorys) {
    Changing chain;
    auto& from = chain.from[0];
    chain.change(Timing::Functional);
    for (unsigned line = 0; line < 1000; ++line)
        from.block(from.read(0x10000 + line * 64));
    chain.change(Timing::Timed);
    const std::uint64_t begin = chain.clock.now().value + 10;
    from.send(from.read(0x2040), begin);
    from.send(from.read(0x2080), begin + 5000);
    sc_core::sc_start();
    // The second one finds memory idle; the first has to walk.
    const std::uint64_t alone = from.ended[1].cycle - begin - 5000;
    EXPECT_LT(from.ended[0].cycle - begin - alone, 5 * 150u);
    EXPECT_EQ(chain.dram.stats.busy_cycles.value(),
              (chain.dram.stats.read_bytes.value() - 1000 * 64 + 21) / 22);
}

TEST(ModeChange, OpenRowsOfMemoryStayOpen) {
    Bench bench(Timing::Timed, 1, {"dram.kind=ddr4-2400"});
    bench.llc.expect_changes();
    auto& from = *bench.from[0];
    from.send(bench.global(from.read(0x1000)), 10);
    sc_core::sc_start();
    bench.environment.environment.timing = Timing::Functional;
    from.block(bench.global(from.read(0x9000)));
    bench.environment.environment.timing = Timing::Timed;
    bench.llc.change_timing();
    from.send(bench.global(from.read(0x1040)), 300);
    sc_core::sc_start();
    EXPECT_EQ(bench.dram.stats.row_misses.value(), 1u);
    EXPECT_EQ(bench.dram.stats.row_hits.value(), 1u);
}

}  // namespace
}  // namespace mode_change_test
}  // namespace gen9::memory
