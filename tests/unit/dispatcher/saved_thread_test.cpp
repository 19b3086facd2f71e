// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "interconnect/payload/context_save.h"
#include "interconnect/payload/saved_thread.h"
#include "tests/support/covers.h"

namespace gen9::dispatcher {
namespace {

// The guide's figures (gpgpu-media-l3.md 4.3): GT2, and Broxton with three subslices of six EUs.
TEST(ContextSave, EveryThreadAndSlmBankHasItsPlaceByTheFormula) {
    GEN9_COVERS("PRE-13 PRE-14");
    const ContextSaveLayout gt2{4, 3, 8, 7};
    EXPECT_EQ(gt2.thread(2, 7, 6), 0x18E000u);
    EXPECT_EQ(gt2.bytes(), 0x190000u);
    const ContextSaveLayout bxt{2, 3, 6, 6};
    EXPECT_EQ(bxt.thread(2, 5, 5) + 0x2000, 0xF8000u);
    EXPECT_EQ(gt2.thread(0, 0, 0), 0x40000u);
    EXPECT_EQ(gt2.slm(2), 0x20000u);
}
// Shared local memory, then the threads: one piece begins where another one ends.
TEST(ContextSave, TheAreaHasNoGaps) {
    GEN9_COVERS("PRE-11");
    const ContextSaveLayout layout{4, 3, 8, 7};
    std::vector<std::uint64_t> begins;
    for (unsigned bank = 0; bank < 4; ++bank)
        begins.push_back(layout.slm(bank));
    for (unsigned s = 0; s < 3; ++s)
        for (unsigned e = 0; e < 8; ++e)
            for (unsigned slot = 0; slot < 7; ++slot)
                begins.push_back(layout.thread(s, e, slot));
    begins.push_back(layout.bytes());
    EXPECT_EQ(begins.front(), 0u);
    for (unsigned i = 1; i < begins.size(); ++i)
        EXPECT_EQ(begins[i] - begins[i - 1], i <= 4 ? 0x10000u : 0x2000u) << i;
}
TEST(ContextSave, TheAreaStaysBelowTheBoundOfItsProduct) {
    GEN9_COVERS("PRE-12");
    EXPECT_LE((ContextSaveLayout{4, 3, 8, 7}.bytes()), 2u << 20);   // GT2
    EXPECT_LE((ContextSaveLayout{8, 6, 8, 7}.bytes()), 4u << 20);   // GT3
    EXPECT_LE((ContextSaveLayout{12, 9, 8, 7}.bytes()), 8u << 20);  // GT4
    EXPECT_LE((ContextSaveLayout{2, 3, 6, 6}.bytes()), 2u << 20);   // BXT
}

TEST(ContextSave, WhatIsKnownOfAThreadComesBackFromMemory) {
    SavedThread t;
    t.dispatch_mask = 0xFFFF;
    t.simd_width = 16;
    t.priority = 1;
    t.local_thread = 511;
    t.group_id = {1, 2, 0x89ABCDEF};
    t.kernel_start = 0xFFFED000;
    t.binding_table_offset = 0x40;
    t.sampler_state_offset = 0x60;
    t.group = 300;
    t.has_barrier = true;
    t.barrier = 31;
    t.registers = 104;
    t.group_threads = 56;
    t.hidden.barrier = {0x02004004, 0x13, 12, 1, true, {}};
    t.hidden.barrier.payload.bytes[31] = 5;
    t.hidden.accumulators[1][127] = 9;
    const SavedThread back = SavedThread::unpack(t.pack());
    EXPECT_EQ(back.pack(), t.pack());
    EXPECT_EQ(back.dispatch_mask, 0xFFFFu);
    EXPECT_EQ(back.simd_width, 16u);
    EXPECT_EQ(back.priority, 1u);
    EXPECT_EQ(back.local_thread, 511u);
    EXPECT_EQ(back.group_id[2], 0x89ABCDEFu);
    EXPECT_EQ(back.kernel_start, 0xFFFED000u);
    EXPECT_EQ(back.group, 300u);
    EXPECT_TRUE(back.has_barrier);
    EXPECT_EQ(back.barrier, 31u);
    EXPECT_EQ(back.registers, 104u);
    EXPECT_EQ(back.group_threads, 56u);
    EXPECT_TRUE(back.hidden.barrier.sent);
    EXPECT_EQ(back.hidden.barrier.destination, 12u);
    EXPECT_EQ(back.hidden.barrier.response_length, 1u);
    EXPECT_EQ(back.hidden.barrier.payload.bytes[31], 5u);
    EXPECT_EQ(back.hidden.accumulators[1][127], 9u);
}

}  // namespace
}  // namespace gen9::dispatcher
