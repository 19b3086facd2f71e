// SPDX-License-Identifier: Apache-2.0
// Which messages reach local memory.
#include "tests/support/covers.h"
#include "tests/unit/hdc/fakes.h"

namespace gen9::slm {
namespace {

using hdc::test::Machine;
using hdc::test::Send;
using U32 = std::vector<std::uint32_t>;

TEST(SlmPath, OnlyMessagesThatNameItReachItAndTheyReachNothingElse) {
    GEN9_COVERS("SLM-12");
    Machine machine("machine", Timing::Timed, 1);
    const std::uint64_t data = hdc::test::Bench::kData;
    U32 offsets(16);
    for (unsigned i = 0; i < 16; ++i)
        offsets[i] = 4 * i;
    machine.bind(0, hdc::test::SurfaceBits::buffer(data, 0x1000));
    // Untyped reads of 16 lanes through a surface, and stateless ones by both indexes: offsets of
    // which local memory has all.
    for (const std::uint32_t index : {0x00u, 0xFDu, 0xFFu})
        machine.send(0, 0, Send(Sfid::DataPort1, 0x04205E00 | index).add(offsets));
    machine.send(0, 0, Send(Sfid::DataPort1, 0x04205EFE).add(offsets), Cycles(5000));
    sc_core::sc_start(machine.clock.time(Cycles(5000)));
    EXPECT_GT(machine.memory.requests, 0u);
    EXPECT_EQ(machine.slm.requests, 0u);
    const unsigned before = machine.memory.requests;
    sc_core::sc_start();
    EXPECT_GT(machine.slm.requests, 0u);
    EXPECT_EQ(machine.memory.requests, before);
}

}  // namespace
}  // namespace gen9::slm
