// SPDX-License-Identifier: Apache-2.0
// When what is written can be seen, by whom, and what stands for that in time.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

TEST(L3Coherency, SubslicesSeeEachOtherWithoutAFlushAndTheHostOnlyWithOne) {
    GEN9_COVERS("L3-56");
    Bench bench(Timing::Timed, 2);
    auto& one = *bench.from[0];
    auto& other = *bench.from[1];
    other.send(other.read(0x1000, 4));
    bench.run();
    auto* write = one.send(one.write(0x1000, 4, 5), 1000);
    bench.run();
    auto* read = other.send(other.read(0x1000, 4), bench.end_of(write));
    bench.run();
    EXPECT_EQ(read->data[0], 5) << "no global sync is needed";
    EXPECT_NE(bench.memory.bytes[0x1000], 5) << "the host does not see it";
    bench.flush();
    EXPECT_EQ(bench.memory.bytes[0x1000], 5);
    bench.memory.bytes[0x1000] = 7;
    auto* old = other.send(other.read(0x1000, 4));
    bench.run();
    EXPECT_EQ(old->data[0], 5) << "nor does the host's write come in";
    CacheControl drop;
    drop.invalidate_data = true;
    bench.apply(drop);
    auto* fresh = other.send(other.read(0x1000, 4));
    bench.run();
    EXPECT_EQ(fresh->data[0], 7);
}

TEST(L3Coherency, AWriteIsAnsweredWhenItLeavesTheQueueInFrontOfItsBank) {
    GEN9_COVERS("L3-58");
    Bench bench(Timing::Timed, 2, {"l3.write_misses=allocate"});
    auto& writer = *bench.from[0];
    auto& reader = *bench.from[1];
    writer.send(writer.read(0));
    auto* hit = writer.send(writer.write(0, 4, 5), 1000);
    auto* miss = writer.send(writer.write(0x8000, 4, 6), 1100);
    // Held in the queue behind an atomic of 16 cycles, it is not answered sooner.
    writer.send(writer.atomic(0, AtomicOp::Inc, 16, 0, 0), 1200);
    writer.send(writer.atomic(0, AtomicOp::Inc, 16, 0, 0), 1200);
    auto* held = writer.send(writer.write(0x8000, 4, 7), 1200);  // of the same bank
    // Whoever asks from then on sees it.
    auto* seen = reader.send(reader.read(0, 4), 1000 + bench.l3.params.request_cycles + 1 -
                                                    bench.l3.params.request_cycles);
    bench.run();
    EXPECT_EQ(bench.end_of(hit), 1000 + bench.write_cycles());
    EXPECT_EQ(bench.end_of(miss), 1100 + bench.write_cycles());
    EXPECT_GE(bench.end_of(held), 1200 + 16 + bench.write_cycles());
    EXPECT_EQ(load<std::uint32_t>(seen->data), 0x05050505u);
}

TEST(L3Coherency, AWriteToTheUrbIsDoneWhenTheNodeSchedulesItAndNotWithoutACredit) {
    GEN9_COVERS("L3-59");
    Bench bench(Timing::Timed, 3, {"l3.super_queue=2"});
    auto& lines = *bench.from[0];
    auto& producer = *bench.from[1];
    auto& consumer = *bench.from[2];
    auto* free = producer.send(in_urb(producer.write(0x100, 64, 1)), 100);
    bench.run();
    EXPECT_EQ(bench.end_of(free), 100 + bench.write_cycles());
    auto* seen = consumer.send(in_urb(consumer.read(0x100)), bench.end_of(free));
    bench.run();
    EXPECT_EQ(seen->data[63], 1);
    // Two misses take bank 0's credits until memory answers.
    bench.memory.stalled = true;
    lines.send(lines.read(0x1000), 1000);
    lines.send(lines.read(0x1100), 1000);
    auto* held = producer.send(in_urb(producer.write(0x200, 64, 2)), 1010);
    auto* other_bank = consumer.send(in_urb(consumer.write(0x240, 64, 3)), 1010);
    bench.run_to(2000);
    EXPECT_EQ(bench.end_of(other_bank), 1010 + bench.write_cycles());
    EXPECT_EQ(bench.end_of(held), 0u);
    bench.memory.resume();
    bench.run();
    EXPECT_GT(bench.end_of(held), 2000u);
    bench.l3.settle();
    EXPECT_GT(bench.sum("super_queue_stalls"), 900u);
    EXPECT_EQ(bench.sum("atomic_stalls"), 0u);
}

TEST(L3Coherency, PushedConstantsAreDoneOnceInTheirBanksQueue) {
    GEN9_COVERS("L3-60");
    Bench bench(Timing::Timed);
    auto& front_end = *bench.from[0];
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    // As the front end puts a CURBE of five lines into the URB: blocking.
    std::vector<std::uint8_t> bytes(5 * 64, 9);
    const auto access = [&](MemoryTransaction* t) {
        in_urb(t);
        t->set_data_ptr(bytes.data());
        t->set_data_length(static_cast<unsigned>(bytes.size()));
        t->set_streaming_width(t->get_data_length());
        std::uint64_t cycles = 0;
        front_end.block(t, &cycles);
        return cycles;
    };
    EXPECT_EQ(access(front_end.write(0x1000, 64, 0)), bench.write_cycles() + 4);
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    EXPECT_EQ(access(front_end.read(0x1000, 64)), bench.hit_cycles() + 4);
    EXPECT_EQ(bytes.back(), 9);
}

TEST(L3Coherency, ALineThatIsToBeEvictedOrOnItsWayOutStillServesReads) {
    GEN9_COVERS("L3-33 L3-39");
    Bench bench(Timing::Timed);
    bench.write_register(0x7034, 48u << 1 | 1u << 25);  // a way a set
    bench.memory.latency = 1000;
    auto& from = *bench.from[0];
    const std::uint64_t same_set = 64 * 4 * 32;
    from.send(from.write(0, 64, 0x11), 0);
    // The fill that will push it out is under way until about cycle 2024.
    auto* pushes = from.send(from.read(same_set), 1000);
    auto* before = from.send(from.read(0), 1100);
    auto* atomic = from.send(from.atomic(0, AtomicOp::Inc, 1, 0, 0), 1101);
    // Its bytes have left the bank and not arrived.
    auto* after = from.send(from.read(0), 2100);
    bench.run();
    EXPECT_EQ(bench.end_of(pushes), 1000 + bench.hit_cycles() + 1000);
    EXPECT_EQ(bench.end_of(before), 1100 + bench.hit_cycles());
    EXPECT_EQ(bench.end_of(atomic), 1101 + bench.hit_cycles());
    EXPECT_EQ(before->data[0], 0x11);
    EXPECT_EQ(bench.end_of(after), 2100 + bench.hit_cycles() + 1000);
    EXPECT_EQ(after->data[0], 0x12);
    EXPECT_EQ(bench.sum("evictions"), 1u);
}

}  // namespace
}  // namespace gen9::l3
