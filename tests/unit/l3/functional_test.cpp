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

}  // namespace
}  // namespace gen9::l3
