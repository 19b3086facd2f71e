// SPDX-License-Identifier: Apache-2.0
// Page walks in timed mode: what they cost and whom they hold.
#include "tests/support/signal_log.h"
#include "tests/unit/memory/bench.h"

namespace gen9::memory {
namespace {
using sc_core::sc_start;

/// A bench with page tables in physical memory: PPGTT pages at 0x4000'0000 and on are mapped to
/// 0x200000 and on.
struct WalkBench : Bench {
    static constexpr std::uint64_t kBase = 0x4000'0000;
    static constexpr std::uint64_t kPml4 = 0x10000, kPdp = 0x11000, kPd = 0x12000, kPt = 0x13000;

    explicit WalkBench(unsigned initiators = 1, std::vector<std::string> settings = {})
        : Bench(Timing::Timed, initiators, std::move(settings)) {
        entry(kPml4, kPdp | 3);
        entry(kPdp + 8, kPd | 3);
        entry(kPd, kPt | 3);
        for (std::uint64_t page = 0; page < 512; ++page)
            entry(kPt + 8 * page, (0x200000 + page * kPageBytes) | 3);
        gti.set_page_directories({true, {kPml4}});
    }
    void entry(std::uint64_t address, std::uint64_t value) {
        std::uint8_t bytes[8];
        store(bytes, value);
        ASSERT_TRUE(memory.write(PhysAddr(address), bytes));
    }
    MemoryTransaction* page(unsigned i, std::uint64_t number, std::uint64_t at) {
        return from[i]->send(from[i]->read(kBase + number * kPageBytes), at);
    }
    /// The LLC takes a write without asking memory.
    MemoryTransaction* write(std::uint64_t number, std::uint64_t at) {
        return from[0]->send(from[0]->write(kBase + number * kPageBytes, 64, 7), at);
    }
    std::uint64_t took(unsigned i, std::size_t index, std::uint64_t at) const {
        return from[i]->ended.at(index).cycle - at;
    }
    std::uint64_t hit() const {
        return gti.params.request_cycles + gti.params.return_cycles + llc.params.hit_cycles;
    }
    /// A read of a table that the LLC holds.
    std::uint64_t table_hit() const { return gti.params.request_cycles + llc.params.hit_cycles; }
};

TEST(Walks, ATableReadIsAReadOfMemory) {
    WalkBench bench;
    bench.page(0, 0, 10);
    bench.page(0, 0, 3000);
    sc_start();
    EXPECT_EQ(bench.took(0, 1, 3000), bench.hit());
    // Four tables and the line itself, each from memory: 64 bytes take 3 cycles there.
    const std::uint64_t from_memory = bench.dram.params.latency + 3;
    EXPECT_EQ(bench.took(0, 0, 10),
              bench.hit() + from_memory + 4 * (bench.table_hit() + from_memory));
    EXPECT_EQ(bench.gti.stats.walk_fetches.value(), 4u);
    EXPECT_EQ(bench.llc.stats.read_misses.value(), 5u);
    EXPECT_EQ(bench.gti.in_flight(), 0u);
}

TEST(Walks, APageBesideOneThatWasWalkedCostsNoRead) {
    WalkBench bench;
    bench.page(0, 0, 10);
    bench.page(0, 7, 3000);
    bench.page(0, 8, 6000);
    sc_start();
    const std::uint64_t from_memory = bench.dram.params.latency + 3;
    EXPECT_EQ(bench.took(0, 1, 3000), bench.hit() + from_memory);
    // The next line of the last table; the three above it are held.
    EXPECT_EQ(bench.took(0, 2, 6000), bench.hit() + from_memory + bench.table_hit() + from_memory);
    EXPECT_EQ(bench.gti.stats.walk_fetches.value(), 5u);
    EXPECT_EQ(bench.gti.stats.tlb_misses.value(), 3u);
}

TEST(Walks, AMissHoldsNobodyBehindIt) {
    WalkBench bench;
    bench.page(0, 0, 10);
    auto* miss = bench.page(0, 100, 3000);
    auto* hit = bench.page(0, 0, 3000);
    sc_start();
    ASSERT_EQ(bench.from[0]->ended.size(), 3u);
    EXPECT_EQ(bench.from[0]->ended[1].transaction, hit);
    EXPECT_LE(bench.took(0, 1, 3001), bench.hit() + 1);  // the LLC reads a line a cycle
    EXPECT_EQ(bench.from[0]->ended[2].transaction, miss);
}

TEST(Walks, MissesOfDifferentPagesAreWalkedAtOnce) {
    WalkBench bench;
    bench.page(0, 0, 10);
    for (unsigned page = 1; page <= 8; ++page)
        bench.page(0, page * 16, 3000);
    sc_start();
    // Eight lines of the table and eight lines of data; one after the other they would take 8
    // times as long as the first.
    const std::uint64_t first = bench.took(0, 1, 3000), last = bench.took(0, 8, 3000);
    EXPECT_LT(last, first + 80);
}

TEST(Walks, RequestsOfAPageWaitForOneWalkAndKeepTheirOrder) {
    WalkBench bench(2);
    bench.page(0, 0, 10);
    auto* before = bench.page(0, 100, 3000);
    bench.write(100, 3000);
    auto* after = bench.page(0, 100, 3000);
    bench.page(1, 100, 3001);
    sc_start();
    EXPECT_EQ(bench.gti.stats.walk_fetches.value(), 5u);
    EXPECT_EQ(bench.gti.stats.tlb_misses.value(), 5u);
    EXPECT_EQ(before->data[0], 0);
    EXPECT_EQ(after->data[0], 7);
}

TEST(Walks, TheStreamersRequestsKeepTheirOrderAcrossPages) {
    WalkBench bench;
    bench.page(0, 0, 10);
    auto* miss = bench.write(100, 3000);
    auto* hit = bench.write(0, 3000);
    for (auto* t : {miss, hit})
        t->attributes.requester = Requester::CommandStreamer;
    sc_start();
    EXPECT_EQ(bench.from[0]->ended[1].transaction, miss);
    EXPECT_EQ(bench.from[0]->ended[2].transaction, hit);
}

TEST(Walks, NoMoreRequestsWaitThanThePartHasRoomFor) {
    WalkBench bench(1, {"gti.pending=2"});
    bench.page(0, 0, 10);
    for (const unsigned page : {100, 200, 300})
        bench.write(page, 3000);
    auto* hit = bench.write(0, 3000);
    sc_start();
    // The third miss, and with it the hit behind, goes on when a walk is done.
    ASSERT_EQ(bench.from[0]->ended.size(), 5u);
    EXPECT_EQ(bench.from[0]->ended[3].transaction, hit);
}

TEST(Walks, WaitingRequestsAreCountedAndShown) {
    WalkBench bench;
    const test::SignalLog log(bench.environment.environment.signals);
    bench.page(0, 0, 99);
    bench.from[0]->send(bench.from[0]->read(WalkBench::kBase + 64), 99);
    sc_start();
    // Both wait for the same walk, the second from a cycle later.
    const std::uint64_t walk = 4 * (bench.table_hit() + bench.dram.params.latency + 3);
    EXPECT_EQ(log.value("gti.walking", 100), 1u);
    EXPECT_EQ(log.value("gti.walking", 101), 2u);
    EXPECT_EQ(log.value("gti.walking", 100 + walk), 0u);
    EXPECT_EQ(bench.gti.stats.walk_stalls.value(), walk + walk - 1);
}

}  // namespace
}  // namespace gen9::memory
