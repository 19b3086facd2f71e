// SPDX-License-Identifier: Apache-2.0
// Order and coherency: what a line's requests see of each other.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

TEST(L3Order, RequestsOfAThreadToOneLineTakeEffectInOrder) {
    GEN9_COVERS("L3-32 L3-37 DP-020");
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"});
    auto& from = *bench.from[0];
    from.send(from.write(0x1000, 4, 5));
    auto* first = from.send(from.read(0x1000, 8));
    auto* atomic = from.send(from.atomic(0x1000, AtomicOp::Add, 1, 0, 1));
    auto* second = from.send(from.read(0x1000, 4));
    from.send(from.write(0x1000, 4, 9));
    auto* third = from.send(from.read(0x1000, 4));
    bench.run();
    EXPECT_EQ(load<std::uint32_t>(first->data), 0x05050505u);
    EXPECT_EQ(first->data[4], static_cast<std::uint8_t>(0x1000 / 64 + 4));
    EXPECT_EQ(atomic->attributes.lanes.result[0], 0x05050505u);
    EXPECT_EQ(load<std::uint32_t>(second->data), 0x05050506u);
    EXPECT_EQ(load<std::uint32_t>(third->data), 0x09090909u);
    EXPECT_EQ(from.ended.size(), 6u);
    EXPECT_EQ(bench.word(0x1000), 0x43424140u) << "nothing was flushed yet";
}

TEST(L3Order, AtomicsOfManyClientsOnOneWordAddUp) {
    GEN9_COVERS("L3-45 DP-035");
    Bench bench(Timing::Timed, 6);
    bench.memory.bytes[0] = bench.memory.bytes[1] = bench.memory.bytes[2] = bench.memory.bytes[3] =
        0;
    for (auto& from : bench.from)
        for (unsigned i = 0; i < 50; ++i)
            from->send(from->atomic(0, AtomicOp::Inc, 16, 0, 0));
    bench.run();
    std::vector<bool> returned(6 * 50 * 16);
    for (auto& from : bench.from)
        for (auto& e : from->ended)
            for (unsigned i = 0; i < 16; ++i) {
                const auto old = e.transaction->attributes.lanes.result[i];
                ASSERT_LT(old, returned.size());
                EXPECT_FALSE(returned[old]);
                returned[old] = true;
            }
    bench.flush();
    EXPECT_EQ(bench.word(0), 6u * 50 * 16);
}

TEST(L3Order, AStoreFallsBetweenAtomicsNeverWithinOne) {
    GEN9_COVERS("L3-46");
    Bench bench(Timing::Timed, 2);
    bench.from[0]->send(bench.from[0]->read(0));
    for (unsigned i = 0; i < 40; ++i)
        bench.from[0]->send(bench.from[0]->atomic(0, AtomicOp::Inc, 16, 0, 0), 1000);
    auto* store_word = bench.from[1]->write(0, 4, 0);
    store<std::uint32_t>(store_word->data, 1u << 20);
    bench.from[1]->send(store_word, 1200);
    bench.run();
    bench.flush();
    const std::uint32_t after = bench.word(0) - (1u << 20);
    EXPECT_GT(after, 0u);
    EXPECT_LT(after, 40u * 16);
    EXPECT_EQ(after % 16, 0u) << "the lanes of a request are not parted either";
}

TEST(L3Order, WhatAVictimHeldIsSeenByTheNextFetch) {
    GEN9_COVERS("L3-34 L3-40");
    // One way: each line of a set throws the last out.
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"});
    bench.write_register(0x7034, 48u << 1 | 1u << 25);
    auto& from = *bench.from[0];
    const std::uint64_t same_set = 64 * 4 * 32;
    from.send(from.write(0, 64, 0x11));
    from.send(from.read(same_set));
    auto* back = from.send(from.read(0));
    from.send(from.write(2 * same_set, 4, 0x22));  // a part of a line
    from.send(from.read(0));
    auto* part = from.send(from.read(2 * same_set));
    bench.run();
    EXPECT_EQ(back->data[63], 0x11);
    EXPECT_EQ(part->data[3], 0x22);
    EXPECT_EQ(part->data[4], static_cast<std::uint8_t>(2 * same_set / 64 + 4));
    EXPECT_EQ(bench.sum("evictions"), 2u);
    EXPECT_EQ(bench.memory.bytes[63], 0x11);
}

TEST(L3Order, TwoEvictionsOfALineLeaveInOrder) {
    GEN9_COVERS("L3-34");
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"}, 1);
    bench.write_register(0x7034, 48u << 1 | 1u << 25);  // a way a set
    auto& from = *bench.from[0];
    // Memory refuses these addresses, so that victims carry their bytes.
    const std::uint64_t line = 64 << 20, same_set = 64 * 32;
    bench.memory.stalled = true;
    for (unsigned set = 1; set < 8; ++set)
        from.send(from.read(set * 64));
    from.send(from.write(line, 4, 1));
    from.send(from.write(line + same_set, 16, 2));
    from.send(from.write(line, 8, 3));
    from.send(from.write(line + 2 * same_set, 4, 4));
    bench.run_to(1000);
    EXPECT_EQ(bench.sum("evictions"), 3u);
    bench.memory.resume();
    bench.run();
    std::vector<std::uint64_t> written;
    for (const auto& seen : bench.memory.seen)
        if (seen.write) written.push_back(seen.enabled);
    EXPECT_EQ(written, (std::vector<std::uint64_t>{0xF, 0xFFFF, 0xFF}));
}

TEST(L3Order, AnUncachedAccessSeesAndForcesOutTheLine) {
    GEN9_COVERS("DP-033");
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"});
    auto& from = *bench.from[0];
    from.send(from.write(0x1000, 4, 5));
    auto* read = from.read(0x1000, 8);
    read->attributes.uncached = true;
    from.send(read);
    auto* write = from.write(0x1004, 4, 6);
    write->attributes.uncached = true;
    from.send(write);
    auto* cached = from.send(from.read(0x1000, 8));
    bench.run();
    EXPECT_EQ(load<std::uint64_t>(read->data), 0x4746454405050505u);
    EXPECT_EQ(load<std::uint64_t>(cached->data), 0x0606060605050505u);
    EXPECT_EQ(load<std::uint64_t>(&bench.memory.bytes[0x1000]), 0x0606060605050505u);
    EXPECT_EQ(bench.sum("bypasses"), 2u);
    EXPECT_EQ(from.ended.size(), 4u);
}

TEST(L3Order, AtomicsRunBehindL3WhenTheRegisterSaysSo) {
    GEN9_COVERS("L3-55");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    bench.write_register(0xB118, 0);
    from.send(from.write(0x1000, 4, 1));
    auto* atomic = from.send(from.atomic(0x1000, AtomicOp::Add, 2, 0, 1));
    auto* read = from.send(from.read(0x1000, 4));
    bench.run();
    EXPECT_EQ(atomic->attributes.lanes.result[1], 0x01010102u);
    EXPECT_EQ(bench.word(0x1000), 0x01010103u) << "done in memory";
    EXPECT_EQ(load<std::uint32_t>(read->data), 0x01010103u);
    bench.write_register(0xB118, 1u << 22);
    from.send(from.atomic(0x1000, AtomicOp::Add, 1, 0, 1));
    bench.run();
    EXPECT_EQ(bench.word(0x1000), 0x01010103u) << "done in L3";
}

TEST(L3Order, WithoutWaysForDataTheDataPassesBy) {
    Bench bench(Timing::Timed);
    bench.write_register(0x7034, 32u << 1 | 64u << 11);  // all read-only
    auto& from = *bench.from[0];
    from.send(from.write(0x1000, 4, 5));
    auto* read = from.send(from.read(0x1000, 4));
    auto* constant = from.read(0x2000, 4);
    constant->attributes.requester = Requester::ConstantCache;
    from.send(constant);
    bench.run();
    EXPECT_EQ(bench.word(0x1000), 0x05050505u);
    EXPECT_EQ(load<std::uint32_t>(read->data), 0x05050505u);
    EXPECT_EQ(bench.sum("fills"), 1u);
}

TEST(L3Order, BlockingAccessSeesAndMakesWhatTheQueuesSee) {
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"});
    auto& from = *bench.from[0];
    from.send(from.write(0x1000, 4, 5));
    bench.run();
    std::uint64_t hit = 0, miss = 0;
    auto* seen = from.block(from.read(0x1000, 4), &hit);
    EXPECT_EQ(load<std::uint32_t>(seen->data), 0x05050505u);
    from.block(from.read(0x5000, 4), &miss);
    EXPECT_EQ(miss - hit, bench.memory.latency);
    EXPECT_GE(hit, bench.hit_cycles());
    from.block(from.write(0x1000, 4, 7));
    auto* after = from.send(from.read(0x1000, 4));
    bench.run();
    EXPECT_EQ(load<std::uint32_t>(after->data), 0x07070707u);
    // Any length: a run over many lines, partly held.
    std::vector<std::uint8_t> bytes(1000);
    auto* t = from.read(0xFF0, 16);
    t->set_data_ptr(bytes.data());
    t->set_data_length(1000);
    t->set_streaming_width(1000);
    from.block(t);
    EXPECT_EQ(bytes[16], 7);
    EXPECT_EQ(bytes[20], bench.memory.bytes[0x1004]);
    EXPECT_EQ(bytes[999], bench.memory.bytes[0xFF0 + 999]);
}

TEST(L3Order, ABlockingWriteToALineOnItsWayIsNotLost) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* early = from.send(from.read(0x1000, 4));
    sc_core::sc_start(sc_core::sc_time(60, sc_core::SC_NS));  // the fetch is under way
    from.block(from.write(0x1000, 4, 8));
    EXPECT_EQ(load<std::uint32_t>(from.block(from.read(0x1000, 4))->data), 0x08080808u);
    bench.run();
    EXPECT_EQ(load<std::uint32_t>(early->data), 0x08080808u);
    auto* late = from.send(from.read(0x1000, 4));
    bench.run();
    EXPECT_EQ(load<std::uint32_t>(late->data), 0x08080808u);
}

TEST(L3Order, DebugAccessReadsThroughModifiedLines) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    from.send(from.write(0x1004, 4, 5));
    bench.run();
    auto* t = from.read(0x1000, 16);
    EXPECT_EQ(from.mem_out->transport_dbg(*t), 16u);
    EXPECT_EQ(t->data[4], 5);
    EXPECT_EQ(t->data[8], bench.memory.bytes[0x1008]);
    t->set_command(tlm::TLM_WRITE_COMMAND);
    std::fill(t->data, t->data + 16, std::uint8_t{3});
    EXPECT_EQ(from.mem_out->transport_dbg(*t), 16u);
    t->release();
    auto* read = from.send(from.read(0x1000, 16));
    bench.run();
    EXPECT_EQ(read->data[4], 3);
    EXPECT_EQ(read->data[15], 3);
}

TEST(L3Order, AFaultIsAnsweredToAllWhoWaitAndLeavesNoLine) {
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const std::uint64_t beyond = 64 << 20;
    auto* read = from.send(from.read(beyond));
    auto* atomic = from.send(from.atomic(beyond, AtomicOp::Add, 1, 0, 1));
    bench.run();
    EXPECT_EQ(read->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(read->data[0], 0);
    EXPECT_EQ(atomic->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(from.ended.size(), 2u);
    EXPECT_TRUE(bench.l3.idle());
    EXPECT_EQ(bench.sum("fills"), 0u);
    EXPECT_EQ(from.block(from.read(beyond, 4))->get_response_status(),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(L3Order, AVictimThatFaultsIsSentWithItsBytesSoThatItIsReported) {
    Bench bench(Timing::Timed);
    bench.write_register(0x7034, 48u << 1 | 1u << 25);
    auto& from = *bench.from[0];
    const std::uint64_t beyond = 64 << 20;
    auto* write = from.write(beyond, 4, 5);
    from.send(write);
    from.send(from.read(0));  // the same set
    bench.run();
    ASSERT_EQ(bench.memory.seen.size(), 2u);
    for (auto& seen : bench.memory.seen)
        EXPECT_EQ(seen.enabled, seen.write ? 0xFu : ~std::uint64_t{0});
    EXPECT_EQ(bench.l3.in_flight(), 0u);
}

}  // namespace
}  // namespace gen9::l3
