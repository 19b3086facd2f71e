// SPDX-License-Identifier: Apache-2.0
// What the state of the machine around a message forbids or changes.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

TEST(MachineState, WithoutSlmInL3cntlregAnAccessReadsZeroDropsWritesAndIsReported) {
    GEN9_COVERS("SLM-14");
    Bench b;
    store<std::uint32_t>(b.memory.slm_bytes.data() + 8, 7);
    b.core.set_slm_enabled(false);
    b.run(Send(DC1, kUntypedWrite8 | kLocal, 1).add(U32(8, 8)).add(U32(8, 9)));
    const Send& r = b.run(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 8)));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(r.message.status, MessageStatus::GuestError);
    EXPECT_EQ(load<std::uint32_t>(b.memory.slm_bytes.data() + 8), 7u);
    EXPECT_EQ(b.reporter.guest_errors(), 2u);
    b.core.set_slm_enabled(true);
    EXPECT_EQ(b.run(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 8))).dword(0), 7u);
}

Send from_system_routine(Send send) {
    send.message.system_routine = true;
    return send;
}

TEST(MachineState, SystemRoutineReachesStatelessMemoryAndSlmOnly) {
    GEN9_COVERS("DP-051 PRE-11");
    Bench b;
    b.bind(1, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint32_t>(kData, 5);
    b.memory.put<std::uint32_t>(Bench::kGeneralBase, 6);
    const Send& surface =
        b.run(from_system_routine(Send(DC1, kUntypedRead8 | 1, 1).add(U32(8, 0))));
    EXPECT_EQ(surface.dword(0), 0u);
    EXPECT_EQ(surface.message.status, MessageStatus::GuestError);
    // Stateless accesses are not coherent there, whatever their index says.
    EXPECT_EQ(b.run(from_system_routine(Send(DC1, 0x04106EFF, 1).add(U64(8, 0)))).message.status,
              MessageStatus::Ok);
    EXPECT_EQ(b.run(from_system_routine(Send(DC1, kUntypedRead8 | kStateless, 1).add(U32(8, 0))))
                  .dword(0),
              6u);
    EXPECT_FALSE(b.plan.coherent);
    b.run(Send(DC1, kUntypedRead8 | kStateless, 1).add(U32(8, 0)));
    EXPECT_TRUE(b.plan.coherent);
    EXPECT_EQ(b.run(from_system_routine(Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 0))))
                  .message.status,
              MessageStatus::Ok);
}

// 003:5005-5013: whatever the header says of the thread's scratch space.
TEST(MachineState, ScratchOfASystemRoutineIsTheContextSaveArea) {
    GEN9_COVERS("DP-051 PRE-11");
    Bench b;
    b.sender.save_area = GpuAddr(kData);
    b.memory.put<std::uint32_t>(kData + 5 * 32, 17);
    const Send& read = b.run(from_system_routine(Send(DC0, 0x021C0005).header({{3, 0}, {5, ~0u}})));
    EXPECT_EQ(read.message.status, MessageStatus::Ok);
    EXPECT_EQ(read.dword(0), 17u);
    // Without GPGPU_CSR_BASE_ADDRESS there is none.
    b.sender.save_area = {};
    EXPECT_EQ(b.run(from_system_routine(Send(DC0, 0x021C0005).header({}))).message.status,
              MessageStatus::GuestError);
}

}  // namespace
}  // namespace gen9::hdc
