// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

TEST(L3Functional, EverythingPassesToMemory) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    from.block(from.write(0x1000, 4, 9));
    EXPECT_EQ(bench.memory.bytes[0x1003], 9);
    EXPECT_EQ(from.block(from.atomic(0x1000, AtomicOp::Add, 1, 0, 1))->attributes.lanes.result[0],
              0x09090909u);
    EXPECT_EQ(bench.word(0x1000), 0x0909090Au);
    auto* t = from.read(0x2000, 4);
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(from.mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(dmi.get_dmi_ptr(), bench.memory.bytes.data());
    bench.memory.mem_in[0]->invalidate_direct_mem_ptr(0x1000, 0x1FFF);
    ASSERT_EQ(from.invalidated.size(), 1u);
    EXPECT_EQ(from.invalidated[0], (std::pair<std::uint64_t, std::uint64_t>{0x1000, 0x1FFF}));
    EXPECT_EQ(from.mem_out->transport_dbg(*t), 4u);
    t->release();
}

/// Lines outlive functional mode, in which memory alone is accessed.
TEST(L3Functional, WhenTheModeChangesMemoryAndLinesAgree) {
    Bench bench(Timing::Timed, 1, {"l3.write_misses=allocate"});
    Timing& timing = bench.environment.environment.timing;
    auto& from = *bench.from[0];
    from.send(from.write(0x1000, 4, 5));
    from.send(from.read(0x2000, 4));
    bench.run();
    EXPECT_EQ(bench.l3.dirty_lines(), 1u);
    ASSERT_NE(bench.memory.bytes[0x1000], 5);
    timing = Timing::Functional;
    bench.l3.change_timing();
    EXPECT_EQ(bench.memory.bytes[0x1000], 5) << "functional mode does not see what L3 holds";
    EXPECT_EQ(bench.l3.dirty_lines(), 0u);
    from.block(from.write(0x1000, 4, 6));
    from.block(from.write(0x2000, 4, 7));
    timing = Timing::Timed;
    bench.l3.change_timing();
    const std::uint64_t misses = bench.l3.bank_stats(0).misses.value();
    auto* written = from.send(from.read(0x1000, 4), 5000);
    auto* read = from.send(from.read(0x2000, 4), 6000);
    bench.run();
    EXPECT_EQ(written->data[0], 6) << "timed mode sees what L3 held before";
    EXPECT_EQ(read->data[0], 7);
    EXPECT_EQ(bench.l3.bank_stats(0).misses.value(), misses) << "the lines are not kept";
}

}  // namespace
}  // namespace gen9::l3
