// SPDX-License-Identifier: Apache-2.0
// The seam between the two streamers: start, stop, restart, products. What the commands write is
// tested on the core.
#include "rs/module.h"
#include "tests/support/covers.h"
#include "tests/unit/rs/streams.h"

namespace gen9::test {
namespace {

using namespace streams;

// The command streamer passes the pointer on when the table is in memory.
TEST(ResourceStreamer, ItRunsAheadAndATableIsThereBeforeItsPointerIsPassed) {
    GEN9_COVERS("RS-01");
    Bench bench;
    bench.cs_latency = 10;
    bench.rs_latency = 3000;
    bench.run_batch(kPool4 + edit(kVs, {3u << 16 | 0x49}) + pointers(kVs, 0x80) + mark(0) + kEnd);
    bench.expect_done();
    EXPECT_EQ(bench.entry(0x80, 3), 0x49u);
    ASSERT_EQ(bench.accesses.size(), 2u);
    EXPECT_TRUE(bench.accesses[0].fetch);
    EXPECT_TRUE(bench.accesses[1].write);
    EXPECT_GE(bench.when(0), bench.accesses[1].end);
    EXPECT_LE(bench.when(0), bench.accesses[1].end + Bench::cycles(10)) << "the mark is parsed";
    EXPECT_GT(bench.cs.stats.streamer_cycles.value(), 5000u);
}

TEST(ResourceStreamer, AheadOfASlowCommandStreamerItCostsNoTime) {
    GEN9_COVERS("RS-01");
    Bench bench;
    bench.cs_latency = 400;
    bench.rs_latency = 10;
    bench.run_batch(kPool4 + edit(kVs, {3u << 16 | 0x49}) + marks(10) + pointers(kVs, 0x80) +
                    mark(0) + kEnd);
    bench.expect_done();
    EXPECT_LT(bench.accesses.back().end, bench.when(100 + 3));
    EXPECT_EQ(bench.cs.stats.streamer_cycles.value(), 0u);
}

TEST(ResourceStreamer, OnlyABatchStartedWithItHasIt) {
    GEN9_COVERS("RS-11");
    Bench bench;
    bench.run_batch(mark(0) + kEnd, 0x100);
    bench.expect_done();
    EXPECT_EQ(bench.rs.stats.starts.value(), 0u);
    EXPECT_TRUE(bench.accesses.empty());
}

// 003:2513: it is sent the address of the first command that is no sync command.
TEST(ResourceStreamer, ItIsStartedAtTheFirstCommandThatIsNoSyncCommand) {
    GEN9_COVERS("RS-03");
    Bench bench({"rs.fetch_bytes=64"});
    Words syncs;
    for (unsigned i = 0; i < 20; ++i)
        append(syncs, {0x02800000});  // MI_ARB_CHECK
    bench.run_batch(syncs + mark(0) + kEnd);
    bench.expect_done();
    EXPECT_EQ(bench.rs.stats.starts.value(), 1u);
    ASSERT_FALSE(bench.accesses.empty());
    EXPECT_EQ(bench.accesses[0].address.value, kPreamble + 64);
    EXPECT_EQ(bench.rs.stats.commands.value(), 1u) << "the mark";
}

struct SyncCommand {
    const char* name;
    Words words;
    unsigned starts = 2;
};
class SyncCommands : public ::testing::TestWithParam<SyncCommand> {};

// The stream's first part is fetched slowly by the resource streamer only.
TEST_P(SyncCommands, StopItAndTheCommandStreamerWaitsForThat) {
    GEN9_COVERS("RS-04 RS-05");
    Bench bench;
    bench.cs_latency = 10;
    bench.rs_latency = 5000;
    bench.ppgtt.put(kNext, mark(1) + kEnd);
    bench.run_batch(mark(0) + GetParam().words + mark(1) + mark(2) + kEnd);
    EXPECT_TRUE(bench.cs.idle()) << bench.cs.describe_waiting();
    EXPECT_TRUE(bench.rs.idle());
    EXPECT_EQ(bench.rs.stats.starts.value(), GetParam().starts);
    EXPECT_EQ(bench.rs.stats.stops.value(), GetParam().starts);
    const auto stopped = bench.accesses.at(0).end;
    EXPECT_LT(bench.when(0), stopped) << "before the sync command nothing waits";
    EXPECT_GT(bench.when(1), stopped);
}
INSTANTIATE_TEST_SUITE_P(
    All, SyncCommands,
    ::testing::Values(
        SyncCommand{"WaitForEvent", {0x01800000}}, SyncCommand{"ArbCheck", {0x02800000}},
        SyncCommand{"RsControl", {0x03000001}}, SyncCommand{"RsContext", {0x07800001}},
        SyncCommand{"SemaphoreWait", semaphore(0, 50)}, SyncCommand{"SetContext", {0x0C000000, 0}},
        SyncCommand{"BatchBufferStart", {0x18800501, low(kNext), high(kNext)}},
        SyncCommand{"SecondLevelBatchBufferStart", {0x18C00501, low(kNext), high(kNext)}, 3},
        SyncCommand{"ConditionalBatchBufferEnd", {0x1B000002, 0, low(kMarks), 0}}),
    [](const auto& info) { return std::string(info.param.name); });

// MI_BATCH_BUFFER_END of a second-level batch: the first level's goes on with it.
TEST(ResourceStreamer, EachLevelOfBatchesHasItsOwnEnable) {
    Bench bench;
    bench.ppgtt.put(kNext, mark(1) + pointers(kVs, 64) + kEnd);
    bench.run_batch(kPool4 + edit(kVs, {7}) + Words{0x18C00101, low(kNext), high(kNext)} +
                    pointers(kVs, 0) + kEnd);
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.entry(0, 0), 7u);
    EXPECT_EQ(bench.entry(64, 0), 0u) << "the second level was started without it";
    // A pool without the streamer, and nothing else.
    ASSERT_EQ(bench.environment.reporter.guest_errors(), 1u) << bench.trouble();
    EXPECT_NE(bench.trouble().find("RS-19"), std::string::npos);
}

// While the semaphore keeps it, commands that may have been fetched are changed.
void run_changed_batch(Bench& bench, const Words& before, const Words& sync) {
    const Words head = before + sync;
    const Words batch = head + edit(kVs, {0x0B}) + pointers(kVs, 0) + kEnd;
    bench.run_batch(batch, 0x500, 50'000);
    EXPECT_FALSE(bench.cs.idle());
    bench.ppgtt.put<std::uint32_t>(kPreamble + 4 * (head.size() + 2), 0x0C);
    bench.ppgtt.put<std::uint32_t>(kMarks + 4 * 50, 1);
    sc_core::sc_start(Bench::cycles(50'000));
    bench.expect_done();
}

TEST(ResourceStreamer, StopDropsWhatItHasFetched) {
    GEN9_COVERS("RS-06 RS-07");
    Bench bench;
    run_changed_batch(bench, kPool4, semaphore(1, 50));
    EXPECT_EQ(bench.entry(0, 0), 0x0Cu);
    EXPECT_EQ(bench.rs.stats.fetches.value(), 2u);
}

TEST(ResourceStreamer, BlockKeepsWhatItHasFetched) {
    GEN9_COVERS("RS-06 RS-07");
    Bench bench({"rs.handling=perf"});
    run_changed_batch(bench, kPool4, semaphore(1, 50));
    EXPECT_EQ(bench.entry(0, 0), 0x0Bu);
    EXPECT_EQ(bench.rs.stats.fetches.value(), 1u);
}

TEST(ResourceStreamer, OtherSyncCommandsStopInPerformanceModeToo) {
    GEN9_COVERS("RS-06 RS-07");
    Bench bench({"rs.handling=perf"});
    bench.run_batch(kPool4 + Words{0x02800000} + mark(0) + Words{0x03000001} + mark(1) +
                    Words{0x01800000} + mark(2) + kEnd);
    bench.expect_done();
    EXPECT_EQ(bench.rs.stats.fetches.value(), 3u) << "MI_WAIT_FOR_EVENT blocks";
}

TEST(ResourceStreamer, RsControlTurnsItOffAndOn) {
    GEN9_COVERS("RS-36");
    Bench bench;
    bench.run_batch(kPool4 + edit(kVs, {5}) + Words{0x03000000} + table_pool(kPool, 4, false) +
                    mark(0) + Words{0x15800002, low(kMarks + 40), 0, 9} + Words{0x03000001} +
                    kPool4 + pointers(kVs, 0) +
                    Words{0x15800002, low(kMarks + 44), high(kMarks), 8} + kEnd);
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.entry(0, 0), 5u);
    EXPECT_EQ(bench.marked(10), 0u) << "nobody executed it";
    EXPECT_EQ(bench.marked(11), 8u);
    EXPECT_EQ(bench.rs.stats.starts.value(), 2u);
    ASSERT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.trouble().find("MI_RS_STORE_DATA_IMM"), std::string::npos);
}

// 003:2606-2620.
TEST(ResourceStreamer, TheFourModesOfBindingTables) {
    GEN9_COVERS("RS-19");
    Bench bench;
    const Words off = {0x03000000}, no_pool = table_pool(kPool, 4, false);
    const auto errors = [&](const Words& batch) {
        const auto before = bench.environment.reporter.guest_errors();
        bench.ppgtt.put(kPool, Words(16, 0));
        bench.run_batch(batch + pointers(kVs, 0) + kEnd, 0x500, 100'000);
        EXPECT_TRUE(bench.cs.idle());
        return bench.environment.reporter.guest_errors() - before;
    };
    const Words table = edit(kVs, {5});
    EXPECT_EQ(errors(no_pool + table + off), 0u) << "tables of software";
    EXPECT_EQ(bench.entry(0, 0), 0u);
    EXPECT_EQ(errors(kPool4 + off), 1u);
    EXPECT_EQ(bench.entry(0, 0), 0u);
    EXPECT_EQ(errors(no_pool), 1u);
    EXPECT_EQ(bench.entry(0, 0), 0u);
    EXPECT_EQ(errors(kStateInvalidation + kPool4), 0u);
    EXPECT_EQ(bench.entry(0, 0), 5u);
}

// 003:2883.
TEST(ResourceStreamer, HardwareAndSoftwareTablesNeedAStateCacheInvalidationBetween) {
    GEN9_COVERS("RS-21");
    Bench bench;
    const Words on = {0x03000001}, off = {0x03000000};
    const Words hardware = kPool4 + on + pointers(kVs, 0),
                software = table_pool(kPool, 4, false) + off + pointers(kVs, 0);
    const auto errors = [&](const Words& batch) {
        const auto before = bench.environment.reporter.guest_errors();
        bench.run_batch(batch + kEnd, 0x500, 100'000);
        EXPECT_TRUE(bench.cs.idle());
        return bench.environment.reporter.guest_errors() - before;
    };
    EXPECT_EQ(errors(software + software), 0u);
    EXPECT_EQ(errors(kStall + hardware), 1u) << "a stall invalidates nothing";
    EXPECT_EQ(errors(hardware + hardware), 0u);
    EXPECT_EQ(errors(software), 1u);
    EXPECT_EQ(errors(kStateInvalidation + hardware), 0u);
    EXPECT_EQ(errors(kStateInvalidation + software), 0u);
    EXPECT_EQ(errors(kStateInvalidation + software + hardware), 1u) << "it was before the last use";
}

// 003:2858-2875, and with the pool before MI_RS_CONTROL.
TEST(ResourceStreamer, AMixedBatchTurnsItOffForGpgpuWork) {
    GEN9_COVERS("RS-22 RS-23");
    Bench bench;
    const Words select_gpgpu = {0x69040302}, select_3d = {0x69040300};
    const Words media = state_base_address() +
                        Words{0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0} +
                        Words{0x70020002, 0, 0x20, 0x1240};
    const Words off = {0x03000000}, on = {0x03000001}, no_pool = table_pool(kPool, 4, false);
    bench.run_batch(select_3d + kPool4 + edit(kPs, {1}) + pointers(kPs, 0) + off + no_pool +
                    kStall + select_gpgpu + media + walker() + kStall + select_3d + on + kPool4 +
                    edit(kPs, {2}) + pointers(kPs, 64) + kEnd);
    bench.expect_done();
    EXPECT_EQ(bench.walkers, 1u);
    EXPECT_EQ(bench.entry(0, 0), 1u);
    EXPECT_EQ(bench.entry(64, 0), 2u);
    const auto starts = bench.rs.stats.starts.value();
    // Without turning it off: reported, it stops and the work is done.
    bench.run_batch(select_3d + edit(kPs, {3}) + select_gpgpu + media + walker() + kEnd);
    EXPECT_EQ(bench.walkers, 2u);
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_EQ(bench.rs.stats.starts.value(), starts + 1) << "not for what is no 3D";
}

Words many_tables(unsigned count) {
    Words batch = table_pool(kPool, 4);
    for (unsigned i = 0; i < count; ++i)
        append(batch, edit(kVs, {i << 16 | (i + 1)}) + pointers(kVs, 64 * i));
    return batch + kEnd;
}
void expect_many_tables(Bench& bench, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        for (unsigned n = 0; n < 32; ++n)
            EXPECT_EQ(bench.entry(64 * i, n), n <= i ? n + 1 : 0) << i << " " << n;
}

TEST(ResourceStreamer, AsManyProductsAsAllowedWaitForTheCommandStreamer) {
    GEN9_COVERS("RS-01");
    Bench bench({"rs.products_ahead=2"});
    bench.cs_latency = 500;
    unsigned most = 0;
    Words batch = table_pool(kPool, 4);
    for (unsigned i = 0; i < 8; ++i)
        append(batch, edit(kVs, {i << 16 | (i + 1)}) + mark(i) + pointers(kVs, 64 * i));
    bench.on_access = [&](const StreamersBench::Access& access) {
        if (!access.write) return;
        std::uint64_t marked = 0;
        for (const auto& write : bench.cs_writes)
            marked += write.second.value >= kMarks && write.second.value < kMarks + 0x1000;
        most = std::max(most, static_cast<unsigned>(bench.rs.stats.tables.value() + 1 - marked));
    };
    bench.run_batch(batch + kEnd);
    bench.expect_done();
    expect_many_tables(bench, 8);
    EXPECT_GT(bench.rs.stats.room_cycles.value(), 1000u);
    EXPECT_LE(most, 3u) << "two that wait and the one that is being taken";
}

TEST(ResourceStreamer, AtItsLimitItIsStartedAgainWhereItStopped) {
    Bench bench({"rs.ahead_bytes=64"});
    bench.run_batch(many_tables(32));
    bench.expect_done();
    expect_many_tables(bench, 32);
    EXPECT_GT(bench.rs.stats.limits.value(), 5u);
    EXPECT_EQ(bench.rs.stats.stops.value(), 1u);
}

TEST(ResourceStreamer, RandomDelaysChangeNothing) {
    Bench bench;
    bench.jitter = 2000;
    bench.run_batch(many_tables(32));
    bench.expect_done();
    expect_many_tables(bench, 32);
}

TEST(ResourceStreamer, FunctionalModeLeavesTheSameMemory) {
    Bench bench({}, Timing::Functional);
    bench.cs_latency = bench.rs_latency = 0;
    bench.run_batch(many_tables(32));
    bench.expect_done();
    expect_many_tables(bench, 32);
}

TEST(ResourceStreamer, ASyncCommandBeginsNoNewBatch) {
    GEN9_COVERS("RS-34");
    Bench bench;
    const Words check = {0x02800000};
    bench.run_batch(surface_base(kNext) + kPool4 + pointers(kVs, 0) + check + mark(0) + kEnd);
    bench.run_batch(surface_base(kPool) + mark(0) + kEnd);
    bench.expect_done();
    bench.run_batch(kPool4 + pointers(kVs, 0) + check + surface_base(kNext) + kEnd);
    EXPECT_TRUE(bench.cs.idle());
    ASSERT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.trouble().find("RS-34"), std::string::npos) << bench.trouble();
}

TEST(ResourceStreamer, OffItIsReportedAndTheBatchRuns) {
    Bench bench({"cs.resource_streamer=off"});
    bench.run_batch(many_tables(4) + mark(0) + kEnd);
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_TRUE(bench.accesses.empty());
    EXPECT_NE(bench.trouble().find("RS-03"), std::string::npos) << bench.trouble();
    EXPECT_GE(bench.environment.reporter.not_modelled_uses(), 2u);
}

// The command streamer writes a pointer command over what the other has passed.
TEST(ResourceStreamer, AStreamChangedBehindItIsReportedAndDoesNotHang) {
    Bench bench({"bench.cs.ahead_cycles=1"});
    bench.cs_latency = 500;
    bench.rs_latency = 1;
    const Words head = kPool4 + marks(3);
    const std::uint64_t patched = kPreamble + 0x100;
    const auto store = [&](std::uint64_t address, std::uint32_t value) {
        return Words{0x10000002, low(address), high(address), value};
    };
    const Words pointer = pointers(kVs, 0);
    Words batch = head + store(patched, pointer[0]) + store(patched + 4, pointer[1]);
    batch.resize(0x40, 0);
    batch = batch + Words{0, 0} + mark(0) + kEnd;
    bench.run_batch(batch);
    EXPECT_TRUE(bench.cs.idle()) << bench.cs.describe_waiting();
    EXPECT_EQ(bench.marked(0), 1u);
    ASSERT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.trouble().find("changed behind it"), std::string::npos) << bench.trouble();
}

// It has made four tables where the command streamer finds nothing.
TEST(ResourceStreamer, TablesWhoseCommandsWereTakenAwayDoNotHang) {
    Bench bench({"bench.cs.ahead_cycles=1", "bench.rs.products_ahead=2"});
    bench.cs_latency = 500;
    bench.rs_latency = 1;
    Words batch = kPool4;
    const std::uint64_t patched = kPreamble + 0x100;
    for (std::uint64_t i = 0; i < 8; ++i)
        append(batch, {0x10000002, low(patched + 4 * i), high(patched), 0});
    batch.resize(0x40, 0);
    for (unsigned i = 0; i < 4; ++i)
        append(batch, pointers(kVs, 64 * i));
    bench.run_batch(batch + mark(0) + kEnd);
    EXPECT_TRUE(bench.cs.idle()) << bench.cs.describe_waiting();
    EXPECT_TRUE(bench.rs.idle()) << bench.rs.describe_waiting();
    EXPECT_EQ(bench.marked(0), 1u);
    EXPECT_NE(bench.trouble().find("never used"), std::string::npos) << bench.trouble();
}

TEST(ResourceStreamer, UnreadableCommandsStopItAndTheCommandStreamerReportsThem) {
    Bench bench;
    bench.run_batch(kPool4 + Words{0x0F800000, 0});
    EXPECT_TRUE(bench.cs.stopped());
    EXPECT_TRUE(bench.rs.idle());
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.trouble().find("unknown command"), std::string::npos);
}

}  // namespace
}  // namespace gen9::test
