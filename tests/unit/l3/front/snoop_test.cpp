// SPDX-License-Identifier: Apache-2.0
// Coherent lines, which have physical tags, and snoops of them.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

struct Coherent : Bench {
    explicit Coherent(unsigned clients = 1, unsigned banks = 4, Timing timing = Timing::Timed)
        : Bench(timing, clients, {}, banks) {}
    ~Coherent() { snooper.clear(); }
    static MemoryTransaction* physical(MemoryTransaction* t) {
        t->attributes.space = AddressSpace::Physical;
        return t;
    }
    MemoryTransaction* snoop(std::uint64_t address, bool takes_away = false) {
        auto* t = snooper.read(address);
        if (takes_away) t->set_command(tlm::TLM_IGNORE_COMMAND);
        return t;
    }
    std::uint64_t end_of_snoop(const MemoryTransaction* t) const {
        for (const auto& e : snooper.ended)
            if (e.transaction == t) return e.cycle;
        return 0;
    }
};

TEST(L3Snoop, VirtualAndPhysicalLinesOfOneAddressLiveSideBySideAndSnoopsSeeThePhysicalOne) {
    GEN9_COVERS("L3-08 L3-57");
    Coherent m;
    auto& from = *m.from[0];
    from.send(from.write(0x1000, 64, 1));
    from.send(m.physical(from.write(0x1000, 64, 2)));
    auto* by_virtual = from.send(from.read(0x1000));
    auto* by_physical = from.send(m.physical(from.read(0x1000)));
    m.run();
    EXPECT_EQ(by_virtual->data[0], 1);
    EXPECT_EQ(by_physical->data[0], 2);
    const std::uint64_t now = m.clock.now().value;
    auto* seen = m.snooper.send(m.snoop(0x1000), now);
    m.run();
    EXPECT_EQ(m.end_of_snoop(seen), now + 1 + m.l3.params.bank_cycles);
    EXPECT_EQ(m.memory.bytes[0x1000], 2);
    EXPECT_EQ(m.l3.dirty_lines(), 1u) << "the virtual one";
}

TEST(L3Snoop, OneThatReadsLeavesTheLineAndOneThatTakesItAwayDoesNot) {
    GEN9_COVERS("L3-57");
    Coherent m;
    auto& from = *m.from[0];
    const auto read_fetches = [&] {
        const std::size_t before = m.memory.seen.size();
        from.send(m.physical(from.read(0x1000)));
        m.run();
        return m.memory.seen.size() - before;
    };
    EXPECT_EQ(read_fetches(), 1u);
    m.snooper.send(m.snoop(0x1000));
    m.run();
    EXPECT_EQ(read_fetches(), 0u);
    m.snooper.send(m.snoop(0x1000, true));
    m.run();
    EXPECT_EQ(read_fetches(), 1u);
    std::uint64_t cycles = 0;
    from.send(m.physical(from.write(0x1000, 64, 5)));
    m.run();
    m.snooper.block(m.snoop(0x1000, true), &cycles);
    EXPECT_EQ(m.memory.bytes[0x1000], 5);
    EXPECT_GE(cycles, m.l3.params.bank_cycles);
    EXPECT_EQ(read_fetches(), 1u);
}

TEST(L3Snoop, PushesAnOlderEvictionOfItsLineAndIsAnsweredAfterIt) {
    GEN9_COVERS("L3-36");
    Coherent m(1, 1);
    m.write_register(0x7034, 48u << 1 | 1u << 25);  // a way a set
    auto& from = *m.from[0];
    constexpr std::uint64_t kLine = 0x2000, kSameSet = 64 * 32;
    from.send(m.physical(from.write(kLine, 64, 7)));
    m.run_to(1000);
    m.memory.seen.clear();
    m.memory.stalled = true;
    for (unsigned set = 1; set < 10; ++set)
        from.send(from.read(0x100000 + set * 64), 1000);
    from.send(from.write(0x100000 + kSameSet, 64, 1), 1010);  // pushes the line out, last in line
    auto* snoop = m.snooper.send(m.snoop(kLine), 1100);
    m.run_to(2000);
    EXPECT_EQ(m.sum("evictions"), 1u);
    EXPECT_EQ(m.end_of_snoop(snoop), 0u);
    m.memory.resume();
    m.run();
    EXPECT_GT(m.end_of_snoop(snoop), 2000u);
    std::size_t place = 0;
    while (place < m.memory.seen.size() && !m.memory.seen[place].write)
        ++place;
    EXPECT_LT(place, 7u) << "it has overtaken those that had not left yet";
    EXPECT_EQ(m.memory.seen.size(), 10u);
}

TEST(L3Snoop, ComesBeforeFillsAndReadsAndTakesALookup) {
    GEN9_COVERS("L3-23 L3-26");
    Coherent m(4, 1);
    m.from[0]->send(m.from[0]->read(0x100000), 900 - 24);
    for (unsigned c = 1; c < 4; ++c)
        m.from[c]->send(m.from[c]->read(0x200000 + c * 64), 1000 - 24);
    m.snooper.send(m.snoop(0x3000 + 9 * 64), 999);
    m.run_to(1001);
    EXPECT_EQ(m.l3.stats.snoops.value(), 1u);
    EXPECT_EQ(m.sum("fills"), 1u);
    EXPECT_EQ(m.sum("misses"), 1u) << "no lookup was left";
    m.run_to(1002);
    EXPECT_EQ(m.sum("misses"), 3u);
}

TEST(L3Snoop, AFillOfItsSetWaits) {
    GEN9_COVERS("L3-27");
    Coherent m(1, 1);
    m.from[0]->send(m.from[0]->read(0x100000), 900 - 24);
    m.snooper.send(m.snoop(0x3000 + 32 * 64), 999);
    m.run_to(1001);
    EXPECT_EQ(m.sum("fills"), 0u);
    m.run_to(1002);
    EXPECT_EQ(m.sum("fills"), 1u);
}

TEST(L3Snoop, OneACycle) {
    GEN9_COVERS("L3-26");
    Coherent m;
    for (unsigned i = 0; i < 6; ++i)
        m.snooper.send(m.snoop(i * 64));
    m.run();
    for (unsigned i = 1; i < 6; ++i)
        EXPECT_EQ(m.snooper.ended[i].cycle, m.snooper.ended[i - 1].cycle + 1);
}

TEST(L3Snoop, ItsEvictionHasTheArrayBeforeUrbAndReads) {
    GEN9_COVERS("L3-29 URB-41");
    Coherent m(2, 1);
    auto& lines = *m.from[0];
    auto& urb = *m.from[1];
    lines.send(m.physical(lines.write(0x2000, 64, 7)));
    lines.send(lines.read(0x1040));
    m.run_to(500);
    auto* in_urb = urb.read(0);
    in_urb->attributes.space = AddressSpace::Urb;
    in_urb->attributes.requester = Requester::Urb;
    auto* hit = lines.send(lines.read(0x1040), 1000 - 24);
    urb.send(in_urb, 1000 - 24);
    m.snooper.send(m.snoop(0x2000), 999);
    m.run();
    const std::uint64_t after = m.hit_cycles() - m.l3.params.request_cycles;
    EXPECT_EQ(m.end_of(in_urb), 1001 + after);
    EXPECT_EQ(m.end_of(hit), 1002 + after);
}

TEST(L3Snoop, ACoherentWriteIsAnsweredWhenTheLineIsOwned) {
    GEN9_COVERS("L3-58");
    Coherent m;
    auto& from = *m.from[0];
    auto* first = from.send(m.physical(from.write(0x1000, 64, 1)), 10);
    auto* second = from.send(m.physical(from.write(0x1000, 64, 2)), 1000);
    m.run();
    // The fill has the write port for a cycle of its own.
    EXPECT_EQ(m.end_of(first), 10 + m.write_cycles() + m.memory.latency + 1);
    EXPECT_EQ(m.end_of(second), 1000 + m.write_cycles());
}

TEST(L3Snoop, AFlushLeavesCoherentLinesUnlessTheyAreAskedToLeave) {
    GEN9_COVERS("L3-68 L3-81");
    Coherent m;
    auto& from = *m.from[0];
    from.send(from.write(0x1000, 64, 1));
    from.send(m.physical(from.write(0x2000, 64, 2)));
    m.run();
    CacheControl control;
    control.flush_data = control.invalidate_data = true;
    m.apply(control);
    EXPECT_EQ(m.memory.bytes[0x1000], 1);
    EXPECT_NE(m.memory.bytes[0x2000], 2);
    EXPECT_EQ(m.l3.dirty_lines(), 1u);
    m.write_register(0xB118, 1u << 22 | 1u << 21);
    m.apply(control);
    EXPECT_EQ(m.memory.bytes[0x2000], 2);
    EXPECT_EQ(m.l3.dirty_lines(), 0u);
}

TEST(L3Snoop, APartitionChangeWithCoherentLinesNeedsAGlobalInvalidationAfterTheFlush) {
    GEN9_COVERS("L3-69 L3-78");
    Coherent m;
    auto& from = *m.from[0];
    const auto write_both = [&] {
        from.send(from.write(0x1000, 64, 1));
        from.send(m.physical(from.write(0x2000, 64, 2)));
        m.run();
    };
    write_both();
    m.flush();
    m.write_register(0x7034, 0x80000340);
    EXPECT_EQ(m.environment.reporter.guest_errors(), 1u);
    EXPECT_EQ(m.memory.bytes[0x2000], 2) << "nothing is lost";
    write_both();
    m.flush();
    m.write_register(0xB404, 1);
    m.write_register(0x7034, 0x60000321);
    EXPECT_EQ(m.environment.reporter.guest_errors(), 1u);
}

TEST(L3Snoop, FunctionalModeHoldsNothingToSnoop) {
    Coherent m(1, 4, Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::uint64_t cycles = 9;
    EXPECT_TRUE(m.snooper.block(m.snoop(0x1000, true), &cycles)->is_response_ok());
    EXPECT_EQ(cycles, 0u);
}

}  // namespace
}  // namespace gen9::l3
