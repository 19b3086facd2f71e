// SPDX-License-Identifier: Apache-2.0
// What memory is told of who asks, and what happens while a line is on its way.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

MemoryTransaction* of_thread(MemoryTransaction* t, bool uncached = false) {
    t->attributes.requester = Requester::ConstantCache;
    t->attributes.thread.eu = EuId(5);
    t->attributes.mocs = 5 << 1;
    t->attributes.uncached = uncached;
    return t;
}

void expect_of_thread(const MemoryAttributes& a) {
    EXPECT_EQ(a.requester, Requester::ConstantCache);
    EXPECT_EQ(a.thread.eu.value, 5);
    EXPECT_EQ(a.mocs, 5 << 1);
}

TEST(L3ToMemory, AFetchNamesItsAsker) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(of_thread(from.read(0x1000)));
    bench.run();
    ASSERT_EQ(bench.memory.seen.size(), 1u);
    expect_of_thread(bench.memory.seen[0].attributes);
    EXPECT_FALSE(bench.memory.seen[0].attributes.uncached);
    EXPECT_EQ(bench.memory.seen[0].attributes.space, AddressSpace::Ppgtt);
}

TEST(L3ToMemory, ARequestThatPassesByKeepsItsControls) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(of_thread(from.read(0x1000), true));
    bench.run();
    ASSERT_EQ(bench.memory.seen.size(), 1u);
    expect_of_thread(bench.memory.seen[0].attributes);
    EXPECT_TRUE(bench.memory.seen[0].attributes.uncached);
}

TEST(L3ToMemory, AVictimNamesItsWriter) {
    Bench bench(Timing::Timed, 1, {}, 1);
    bench.write_register(0x7034, 48u << 1 | 16u << 25);
    auto& from = *bench.from[0];
    // Lines of one set, more of them than it has ways.
    for (unsigned i = 0; i < 20; ++i) {
        auto* t = from.write(0x1000 + i * 64 * 32, 64, 7);
        t->attributes.thread.eu = EuId(5);
        t->attributes.mocs = 5 << 1;
        from.send(t);
    }
    bench.run();
    ASSERT_FALSE(bench.memory.seen.empty());
    for (const auto& seen : bench.memory.seen) {
        EXPECT_TRUE(seen.write);
        EXPECT_EQ(seen.attributes.thread.eu.value, 5);
        EXPECT_EQ(seen.attributes.mocs, 5 << 1);
    }
    // What a flush writes.
    bench.flush();
    EXPECT_EQ(bench.memory.blocking_attributes.thread.eu.value, 5);
    EXPECT_EQ(bench.memory.blocking_attributes.mocs, 5 << 1);
}

TEST(L3ToMemory, ABlockingAccessGoesAroundALineThatIsOnItsWay) {
    Bench bench(Timing::Timed, 2);
    auto* before = bench.from[0]->send(bench.from[0]->read(0x1000));
    bench.run_to(30);
    EXPECT_EQ(bench.end_of(before), 0u);
    bench.from[1]->block(bench.from[1]->write(0x1000, 64, 9));
    EXPECT_EQ(bench.memory.bytes[0x1000], 9) << "in memory at once";
    EXPECT_EQ(bench.l3.dirty_lines(), 0u);
    bench.run();
    auto* after = bench.from[0]->send(bench.from[0]->read(0x1000));
    bench.run();
    EXPECT_EQ(after->data[63], 9);
}

TEST(L3ToMemory, EachFlushIsCountedAndNothingElseIs) {
    Bench bench(Timing::Timed);
    bench.flush();
    bench.flush();
    bench.apply({});
    EXPECT_EQ(bench.l3.stats.flushes.value(), 2u);
}

TEST(L3ToMemory, AnAtomicBeyondTheUrbReturnsZeroAndChangesNothing) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto add = [&](std::uint64_t address) {
        auto* t = from.atomic(address, AtomicOp::Add, 1, 4, 1);
        t->attributes.space = AddressSpace::Urb;
        t->attributes.requester = Requester::Urb;
        return from.block(t)->attributes.lanes.result[0];
    };
    // 48 ways of 2 KB in each of four banks: the last line, and the one after it.
    constexpr std::uint64_t kSize = 48 * 2048 * 4;
    EXPECT_EQ(add(kSize - 64), 0u);
    EXPECT_EQ(add(kSize - 64), 1u);
    EXPECT_EQ(add(kSize), 0u);
    EXPECT_EQ(add(kSize), 0u);
}

TEST(L3ToMemory, EveryAnswerHasAStatus) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    EXPECT_TRUE(from.block(from.write(0x1000, 64, 1))->is_response_ok());
    EXPECT_TRUE(from.block(from.read(0x1000))->is_response_ok());
    auto* timed = from.send(from.read(0x1000));
    auto* snoop = bench.snooper.send(bench.snooper.read(0x1000));
    bench.run();
    EXPECT_TRUE(timed->is_response_ok());
    EXPECT_TRUE(snoop->is_response_ok());
    bench.snooper.clear();
}

}  // namespace
}  // namespace gen9::l3
