// SPDX-License-Identifier: Apache-2.0
// Flushes, invalidations and registers.
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

TEST(L3Control, AFlushWritesModifiedLinesAndKeepsThem) {
    GEN9_COVERS("L3-63 L3-64");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (unsigned i = 0; i < 20; ++i)
        from.send(from.write(0x1000 + i * 64, 64, 5));
    from.send(from.read(0x8000));
    bench.run();
    EXPECT_EQ(bench.l3.dirty_lines(), 20u);
    bench.flush();
    EXPECT_EQ(bench.l3.dirty_lines(), 0u);
    EXPECT_EQ(bench.memory.blocking_writes, 20u);  // read-only lines cause no writes
    EXPECT_EQ(bench.memory.bytes[0x1000 + 20 * 64 - 1], 5);
    from.send(from.read(0x1000));
    bench.run();
    EXPECT_EQ(bench.memory.seen.size(), 1u) << "only the first read was fetched";
}

TEST(L3Control, AnInvalidationDropsOnlyItsClass) {
    GEN9_COVERS("L3-18 L3-64");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto read = [&](std::uint64_t address, Requester requester) {
        auto* t = from.read(address);
        t->attributes.requester = requester;
        from.send(t);
    };
    const auto all = [&] {
        read(0x1000, Requester::DataPort);
        read(0x2000, Requester::InstructionCache);
        read(0x3000, Requester::StateCache);
        read(0x4000, Requester::ConstantCache);
        read(0x5000, Requester::Sampler);
        bench.run();
        const auto fetched = bench.memory.seen.size();
        bench.memory.seen.clear();
        return fetched;
    };
    EXPECT_EQ(all(), 5u);
    EXPECT_EQ(all(), 0u);
    bool CacheControl::*const flags[] = {
        &CacheControl::invalidate_data, &CacheControl::invalidate_instruction,
        &CacheControl::invalidate_state, &CacheControl::invalidate_constant,
        &CacheControl::invalidate_texture};
    for (const auto flag : flags) {
        CacheControl what;
        what.*flag = true;
        bench.apply(what);
        EXPECT_EQ(all(), 1u);
    }
    CacheControl everything;
    for (const auto flag : flags)
        everything.*flag = true;
    bench.apply(everything);
    EXPECT_EQ(all(), 5u);
}

TEST(L3Control, ALineOnItsWayThroughAnInvalidationIsFetchedAgain) {
    GEN9_COVERS("L3-65");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    bench.memory.latency = 500;
    auto* read = from.send(from.read(0x1000, 4));
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_NS));  // memory has been read
    bench.memory.bytes[0x1000] = 0xEE;
    CacheControl what;
    what.invalidate_data = true;
    bench.apply(what);
    bench.run();
    EXPECT_EQ(read->data[0], 0xEE);
    EXPECT_EQ(bench.memory.seen.size(), 2u);
}

TEST(L3Control, APartitionChangeWithModifiedLinesIsReportedAndLosesNothing) {
    GEN9_COVERS("L3-71");
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"});
    auto& from = *bench.from[0];
    bench.write_register(0x7034, 0x80000340);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    from.send(from.write(0x1000, 4, 5));
    bench.run();
    bench.write_register(0x7034, 0x80000340);  // no change
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    bench.write_register(0x7034, 0x60000321);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_EQ(bench.word(0x1000), 0x05050505u);
    bench.flush();
    bench.write_register(0x7034, 0x80000340);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
}

TEST(L3Control, AfterTheSequenceOfFlushesAPartitionChangeIsQuiet) {
    GEN9_COVERS("L3-74 SLM-07");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (unsigned i = 0; i < 20; ++i)
        from.send(from.write(i * 64, 64, 5));
    bench.run();
    CacheControl first;
    first.flush_data = first.invalidate_instruction = first.invalidate_state = true;
    first.invalidate_constant = first.invalidate_texture = true;
    bench.apply(first);
    bench.flush();
    bench.write_register(0x7034, 0x60000321);  // with SLM
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    EXPECT_EQ(bench.memory.bytes[20 * 64 - 1], 5);
}

TEST(L3Control, APartitionOfMoreWaysThanABankHasIsClampedAndSaid) {
    Bench bench(Timing::Timed);
    bench.write_register(0x7034, 0xFFFFFFFF);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    ASSERT_EQ(bench.environment.log.size(), 1u);
    EXPECT_NE(bench.environment.log[0].find("clamped"), std::string::npos);
    EXPECT_NE(bench.environment.log[0].find("L3CNTLREG ffffffff:"), std::string::npos);
}

TEST(L3Control, RegistersNotOwnedAreRefused) {
    Bench bench(Timing::Functional);
    auto* t = bench.from[0]->read(0x7038, 4);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    sc_core::sc_time delay;
    bench.registers.mem_out->b_transport(*t, delay);
    EXPECT_EQ(t->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    t->set_address(0xB118);
    bench.registers.mem_out->b_transport(*t, delay);
    EXPECT_EQ(load<std::uint32_t>(t->data), 1u << 22);
    t->release();
}

TEST(L3Control, AGlobalInvalidationWritesAndDropsAllDataAndClearsItsFlagWhenDone) {
    GEN9_COVERS("L3-69");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* physical = from.write(0x2000, 64, 6);
    physical->attributes.space = AddressSpace::Physical;
    from.send(from.write(0x1000, 64, 5));
    from.send(physical);
    bench.run();
    bench.write_register(0xB404, 1);
    EXPECT_EQ(bench.environment.reporter.not_modelled_uses(), 0u);
    EXPECT_EQ(bench.word(0x1000), 0x05050505u);
    EXPECT_EQ(bench.word(0x2000), 0x06060606u);
    EXPECT_EQ(bench.read_register(0xB404), 1u) << "it is under way";
    const std::uint64_t now = bench.clock.now().value;
    bench.run_to(now + bench.l3.params.flush_cycles + bench.memory.latency + 2);
    EXPECT_EQ(bench.read_register(0xB404), 0u);
    const std::size_t fetched = bench.memory.seen.size();
    from.send(from.read(0x1000));
    bench.run();
    EXPECT_EQ(bench.memory.seen.size(), fetched + 1) << "the line was dropped";
}

/// Cycles until the last of 32 misses to one bank has been answered.
std::uint64_t end_of_misses(std::uint32_t credits) {
    Bench bench(Timing::Timed);
    if (credits) bench.write_register(0xB100, credits);
    auto& from = *bench.from[0];
    for (unsigned i = 0; i < 32; ++i)
        from.send(from.read(i * 256));
    bench.run();
    EXPECT_EQ(from.ended.size(), 32u);
    return from.ended.back().cycle;
}

TEST(L3Control, CreditsLimitWhatWaitsInABank) {
    const std::uint64_t few = end_of_misses(1u << 19 | 1u << 14);  // four at a time
    EXPECT_GE(few, 8 * 100u);  // the memory's latency for each four
}

TEST(L3Control, TheResetValueGivesEveryCredit) {
    EXPECT_LT(end_of_misses(0), 400u);
}

}  // namespace
}  // namespace gen9::l3
