// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/kernel_log.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

constexpr TraceId kMessage = 0x100'0000'0007;

TEST(KernelLog, WhatAMessageAccessesBelongsToTheWalkerOfItsThread) {
    KernelLog log;
    BytesByWork &first_port = log.add_port(), &second_port = log.add_port();
    const auto move = [&](std::uint32_t work, std::uint64_t n) {
        first_port.count(for_work(kMessage, work), false, n / 2);
        second_port.count(for_work(kMessage, work), false, n - n / 2);
        second_port.count(for_work(kMessage + 1, work), true, 10 * n);
    };
    const auto expect = [](const KernelLog::Kernel& kernel, std::uint64_t n) {
        EXPECT_EQ(kernel.bytes.l3, n) << kernel.work.number;
        EXPECT_EQ(kernel.bytes.slm, 10 * n) << kernel.work.number;
    };
    WorkRecord first, second;
    first.groups = {2, 3, 1};
    second.number = 1;
    second.groups = {1, 1, 1};
    EXPECT_TRUE(log.empty());
    first_port.count(kMessage, false, 1000);  // of no walker
    log.work_began(first);
    EXPECT_FALSE(log.empty());
    move(0, 1);
    log.work_began(second);
    // Both are under way.
    move(1, 2);
    move(0, 4);
    log.work_ended(first);
    // Carried out behind its walker's end.
    move(0, 8);
    move(1, 16);
    const auto cut = log.kernels({second});
    ASSERT_EQ(cut.size(), 2u);
    EXPECT_TRUE(cut[0].finished);
    EXPECT_FALSE(cut[1].finished);
    expect(cut[0], 1 + 4 + 8);
    expect(cut[1], 2 + 16);
    ASSERT_EQ(KernelLog::rows(cut).size(), 1u);
    EXPECT_EQ(KernelLog::rows(cut)[0].unfinished, 1u);
    log.work_ended(second);
    move(1, 32);
    const auto kernels = log.kernels();
    ASSERT_EQ(kernels.size(), 2u);
    expect(kernels[0], 13);
    expect(kernels[1], 50);
    EXPECT_TRUE(kernels[1].finished);
    const auto rows = KernelLog::rows(kernels);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].groups, 7u);
    EXPECT_EQ(rows[0].bytes.l3, 63u);
    EXPECT_EQ(rows[0].bytes.slm, 630u);
    EXPECT_EQ(rows[0].unfinished, 0u);
    EXPECT_EQ(first_port.outside().l3, 1000u);
}

// A trace id has 16 bits for the walker: an id names the last walker with its number.
TEST(KernelLog, BytesAreKeptBeyondTheWalkersThatATraceIdNames) {
    BytesByWork bytes;
    bytes.begun(1);
    bytes.count(for_work(kMessage, 0), false, 1);
    bytes.begun(kTraceWorks + 1);
    bytes.count(for_work(kMessage, kTraceWorks), false, 2);
    bytes.count(for_work(kMessage, 3), false, 4);
    EXPECT_EQ(bytes.of(0).l3, 1u);
    EXPECT_EQ(bytes.of(kTraceWorks).l3, 2u);
    EXPECT_EQ(bytes.of(3).l3, 4u);
    EXPECT_EQ(bytes.of(kTraceWorks + 1).l3, 0u);
    EXPECT_EQ(bytes.outside().l3, 0u);
}

// A mixed run's rate is of the launches whose cycles count.
TEST(KernelLog, CyclesOfARowAreThoseOfTheLaunchesThatCount) {
    std::vector<KernelLog::Kernel> kernels(3);
    for (std::uint32_t n = 0; n < 3; ++n) {
        kernels[n].work.number = n;
        kernels[n].work.instructions = 100 << n;
        kernels[n].work.end = Cycles(10 << n);
    }
    kernels[0].timed = kernels[0].chosen = false;  // functional
    kernels[1].chosen = false;                     // warming
    const auto rows = KernelLog::rows(kernels);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].launches, 3u);
    EXPECT_EQ(rows[0].instructions, 700u);
    EXPECT_EQ(rows[0].timed_launches, 1u);
    EXPECT_EQ(rows[0].timed_instructions, 400u);
    EXPECT_EQ(rows[0].cycles, 40u);
}

}  // namespace
}  // namespace gen9::platform
