// SPDX-License-Identifier: Apache-2.0
// The URB's part of the array.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

constexpr std::uint32_t kCntlReg = 0x7034;
/// L3CNTLREG with so many units of URB (bits 7:1) and the rest for everything else (31:25).
std::uint32_t partition(unsigned urb, unsigned all) {
    return all << 25 | urb << 1;
}
MemoryTransaction* add_to(test::MemoryInitiator& from, std::uint64_t address) {
    auto* t = in_urb(from.write(address, 4, 0));
    t->attributes.operation = MemoryAttributes::Operation::Lanes;
    t->attributes.lanes.kind = LaneAccess::Kind::Atomic;
    t->attributes.lanes.op = AtomicOp::Add;
    t->attributes.lanes.count = 1;
    t->attributes.lanes.offset[0] = 0;
    t->attributes.lanes.source0[0] = 1;
    return t;
}

TEST(L3Urb, HoldsItsBytesApartFromMemoryAndNeedsNoTag) {
    GEN9_COVERS("L3-01 L3-28 URB-01");
    Bench bench(Timing::Timed, 2);
    auto& from = *bench.from[0];
    from.send(in_urb(from.write(0x1000, 64, 7)), 10);
    auto* urb = from.send(in_urb(from.read(0x1000)), 20);
    auto* other = bench.from[1]->send(bench.from[1]->read(0x1000), 30);
    bench.run();
    EXPECT_EQ(urb->data[5], 7);
    EXPECT_EQ(other->data[5], static_cast<std::uint8_t>(0x1000 / 64 + 5));
    EXPECT_EQ(bench.sum("urb_accesses"), 2u);
    EXPECT_EQ(bench.sum("misses"), 1u);
}

TEST(L3Urb, FunctionalModeHoldsTheSameBytes) {
    GEN9_COVERS("L3-01");
    Bench bench(Timing::Functional);
    auto& from = *bench.from[0];
    sc_core::sc_time delay;
    auto* write = in_urb(from.write(0x1000, 64, 7));
    from.mem_out->b_transport(*write, delay);
    auto* read = in_urb(from.read(0x1000));
    from.mem_out->b_transport(*read, delay);
    EXPECT_EQ(read->data[63], 7);
    EXPECT_EQ(bench.memory.blocking_writes, 0u);
    write->release();
    read->release();
}

TEST(L3Urb, FunctionalModeGrantsItsBytesUntilTheirSizeChanges) {
    GEN9_COVERS("L3-01");
    Bench bench(Timing::Functional);
    bench.write_register(kCntlReg, partition(16, 16));
    auto& from = *bench.from[0];
    from.invalidated.clear();
    auto* asked = in_urb(from.write(0x1000, 64, 7));
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(from.mem_out->get_direct_mem_ptr(*asked, dmi));
    EXPECT_TRUE(dmi.is_read_write_allowed());
    EXPECT_EQ(dmi.get_start_address(), 0u);
    EXPECT_EQ(dmi.get_end_address(), 16u * 2048 * 4 - 1);
    sc_core::sc_time delay;
    from.mem_out->b_transport(*asked, delay);
    EXPECT_EQ(dmi.get_dmi_ptr()[0x1000], 7);
    bench.write_register(kCntlReg, partition(16, 16) | 1);
    EXPECT_TRUE(from.invalidated.empty()) << "it has the size that it had";
    bench.write_register(kCntlReg, partition(32, 16));
    ASSERT_EQ(from.invalidated.size(), 1u);
    EXPECT_EQ(from.invalidated[0].first, 0u);
    ASSERT_TRUE(from.mem_out->get_direct_mem_ptr(*asked, dmi));
    EXPECT_EQ(dmi.get_end_address(), 32u * 2048 * 4 - 1);
    EXPECT_EQ(dmi.get_dmi_ptr()[0x1000], 7);
    asked->release();
}

TEST(L3Urb, TimedModeGrantsNothing) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* asked = in_urb(from.read(0x1000));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(from.mem_out->get_direct_mem_ptr(*asked, dmi));
    asked->release();
}

TEST(L3Urb, BeyondItsSizeReadsAreZeroAndWritesDropped) {
    GEN9_COVERS("URB-15 URB-42 L3-15 FF-49");
    Bench bench(Timing::Timed);
    bench.write_register(kCntlReg, partition(16, 16));  // 16 ways of 2 KB in four banks
    auto& from = *bench.from[0];
    constexpr std::uint64_t kBytes = 16 * 2048 * 4;
    from.send(in_urb(from.write(kBytes - 64, 64, 7)), 10);
    from.send(in_urb(from.write(kBytes, 64, 9)), 11);
    auto* inside = from.send(in_urb(from.read(kBytes - 64)), 500);
    auto* outside = from.send(in_urb(from.read(kBytes)), 501);
    auto* counter = from.send(add_to(from, kBytes + 64), 502);
    auto* far = from.send(in_urb(from.read(std::uint64_t{1} << 38)), 503);
    bench.run();
    EXPECT_EQ(inside->data[0], 7);
    EXPECT_EQ(outside->data[0], 0);
    EXPECT_EQ(counter->attributes.lanes.result[0], 0u);
    EXPECT_EQ(far->data[0], 0);
    for (const auto* t : {inside, outside, counter, far})
        EXPECT_TRUE(t->is_response_ok());
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
}

TEST(L3Urb, APartitionChangeMovesItWithWhatItHolds) {
    GEN9_COVERS("SLM-08 URB-43");
    Bench bench(Timing::Timed);
    bench.write_register(kCntlReg, partition(48, 32));
    auto& from = *bench.from[0];
    constexpr std::uint64_t kStays = 16 * 2048 * 4 - 64;
    from.send(in_urb(from.write(0x40, 64, 7)), 10);
    from.send(in_urb(from.write(kStays, 64, 8)), 10);
    from.send(in_urb(from.write(kStays + 64, 64, 9)), 10);
    bench.run();
    // SLM on: it takes 32 ways of each bank, which were the URB's.
    bench.write_register(kCntlReg, partition(16, 32) | 1);
    auto* first = from.send(in_urb(from.read(0x40)), 10);
    auto* last = from.send(in_urb(from.read(kStays)), 10);
    auto* gone = from.send(in_urb(from.read(kStays + 64)), 10);
    bench.run();
    EXPECT_EQ(first->data[0], 7);
    EXPECT_EQ(last->data[0], 8);
    EXPECT_EQ(gone->data[0], 0);
}

// Three subslices use the local memory of three banks; the fourth bank's part is nobody's.
TEST(L3Urb, NeitherUrbNorLinesGetTheLocalMemoryOfTheBankThatNoSubsliceUses) {
    GEN9_COVERS("L3-72 SLM-13");
    Bench bench(Timing::Timed, 1, {"l3.replacement=one_bit_lru"});
    bench.write_register(kCntlReg, 0x60000321);
    auto& from = *bench.from[0];
    // The last line of bank 3 within 16 ways of URB, and the first one beyond.
    constexpr std::uint64_t kLast = 16 * 2048 * 4 - 64, kBeyond = kLast + 4 * 64;
    from.send(in_urb(from.write(kLast, 64, 7)));
    from.send(in_urb(from.write(kBeyond, 64, 7)));
    auto* last = from.send(in_urb(from.read(kLast)));
    auto* beyond = from.send(in_urb(from.read(kBeyond)));
    // A set of bank 3 holds 48 lines, not one more.
    constexpr std::uint64_t kBank3 = 3 * 64, kSameSet = 64 * 4 * 32;
    for (unsigned pass = 0; pass < 2; ++pass)
        for (unsigned way = 0; way < 48; ++way)
            from.send(from.read(kBank3 + way * kSameSet), 1000 + 1000 * pass);
    bench.run();
    EXPECT_EQ(last->data[0], 7);
    EXPECT_EQ(beyond->data[0], 0);
    EXPECT_EQ(bench.l3.bank_stats(3).misses.value(), 48u);
    from.send(from.read(kBank3 + 48 * kSameSet));
    from.send(from.read(kBank3), 5000);
    bench.run();
    EXPECT_EQ(bench.l3.bank_stats(3).misses.value(), 50u);
    // Asked for 64 ways of lines and 16 of URB besides, even this bank has none for the URB.
    bench.flush();
    bench.write_register(kCntlReg, partition(16, 64) | 1);
    from.send(in_urb(from.write(kBank3, 64, 7)));
    auto* none = from.send(in_urb(from.read(kBank3)));
    bench.run();
    EXPECT_EQ(none->data[0], 0);
}

TEST(L3Urb, ABankReadsOneAndWritesOneOfItsLinesACycle) {
    GEN9_COVERS("L3-31 URB-40");
    Bench bench(Timing::Timed, 4);
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned i = 0; i < 64; ++i) {
            const std::uint64_t of_bank0 = std::uint64_t{i % 16} * 256;
            auto& from = *bench.from[c];
            from.send(in_urb(c < 2 ? from.read(of_bank0) : from.write(of_bank0, 64, 1)), 100);
        }
    bench.run();
    std::uint64_t last = 0;
    for (auto& from : bench.from)
        last = std::max(last, from->ended.back().cycle);
    const std::uint64_t cycles = last - 100 - bench.hit_cycles() + 1;
    EXPECT_GE(cycles, 128u);
    EXPECT_LE(cycles, 132u);
}

TEST(L3Urb, ComesBeforeTheTagPipeline) {
    GEN9_COVERS("L3-29 URB-41");
    Bench bench(Timing::Timed, 2);
    auto& lines = *bench.from[0];
    auto& urb = *bench.from[1];
    lines.send(lines.read(0x1000), 10);
    // One bank, both every cycle: the URB's go through at once, the other client's wait for the
    // end.
    for (unsigned i = 0; i < 32; ++i) {
        lines.send(lines.read(0x1000), 1000);
        urb.send(in_urb(urb.read(0x1000)), 1000);
    }
    bench.run();
    EXPECT_EQ(urb.ended.back().cycle, 1000 + 31 + bench.hit_cycles());
    EXPECT_GE(lines.ended.back().cycle, 1000 + 62 + bench.hit_cycles());
}

TEST(L3Urb, TakesNoLookupFromTheTagPipeline) {
    GEN9_COVERS("L3-28");
    Bench bench(Timing::Timed, 3, {}, 1);
    // Two lookups of lines that are not held, and the URB, in one cycle.
    for (unsigned c = 0; c < 2; ++c)
        bench.from[c]->send(bench.from[c]->read(0x100000 + c * 64), 1000);
    bench.from[2]->send(in_urb(bench.from[2]->read(0)), 1000);
    bench.run_to(1000 + bench.l3.params.request_cycles + 1);
    EXPECT_EQ(bench.sum("urb_accesses"), 1u);
    EXPECT_EQ(bench.sum("misses"), 2u);
    bench.run();
}

TEST(L3Urb, AtomicsOfAllClientsOnOneWordEachCount) {
    GEN9_COVERS("URB-32 URB-40");
    Bench bench(Timing::Timed, 4);
    std::vector<MemoryTransaction*> sent;
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned i = 0; i < 16; ++i)
            sent.push_back(bench.from[c]->send(add_to(*bench.from[c], 0x80), 10));
    bench.run();
    std::vector<bool> seen(64);
    for (const auto* t : sent) {
        const std::uint64_t old = t->attributes.lanes.result[0];
        ASSERT_LT(old, 64u);
        EXPECT_FALSE(seen[old]);
        seen[old] = true;
    }
}

}  // namespace
}  // namespace gen9::l3
