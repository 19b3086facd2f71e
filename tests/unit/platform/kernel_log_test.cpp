// SPDX-License-Identifier: Apache-2.0
#include "platform/kernel_log.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

struct Port : StatSet {
    using StatSet::StatSet;
    Counter l3_bytes{*this, "l3_bytes", "bytes", ""};
    Counter slm_bytes{*this, "slm_bytes", "bytes", ""};
};
struct Bank : StatSet {
    using StatSet::StatSet;
    Counter hits{*this, "hits", "accesses", ""};
    Counter misses{*this, "misses", "accesses", ""};
};

TEST(KernelLog, AKernelsTrafficIsWhatAllUnitsMovedInItsTime) {
    StatRegistry stats;
    Port ports[] = {Port("gpu.slice0.subslice0.hdc"), Port("gpu.slice0.subslice1.hdc")};
    Bank banks[] = {Bank("gpu.l3.bank0"), Bank("gpu.l3.bank1")}, other("gpu.gti.tlb");
    for (const Port& port : ports)
        stats.add(port);
    for (const Bank& bank : banks)
        stats.add(bank);
    stats.add(other);
    KernelLog log(stats);
    const auto move = [&](std::uint64_t n) {
        ports[0].l3_bytes += n;
        ports[1].l3_bytes += 10 * n;
        ports[1].slm_bytes += 100 * n;
        banks[0].hits += 1000 * n;
        banks[1].hits += 10000 * n;
        banks[1].misses += 100000 * n;
        other.hits += 1;
    };
    WalkerRecord first, second;
    first.groups = {2, 3, 1};
    second.number = 1;
    second.groups = {1, 1, 1};
    move(1);
    log.walker_began(first);
    move(2);
    log.walker_began(second);
    move(4);
    const auto expect = [](const KernelLog::Kernel& kernel, std::uint64_t n) {
        EXPECT_EQ(kernel.l3_bytes, 11 * n);
        EXPECT_EQ(kernel.slm_bytes, 100 * n);
        EXPECT_EQ(kernel.l3_hits, 11000 * n);
        EXPECT_EQ(kernel.l3_misses, 100000 * n);
    };
    log.walker_ended(first);
    // Of a walker that a stop cuts off, what has moved so far counts.
    const auto cut = log.kernels({second});
    ASSERT_EQ(cut.size(), 2u);
    EXPECT_TRUE(cut[0].finished);
    EXPECT_FALSE(cut[1].finished);
    expect(cut[1], 4);
    ASSERT_EQ(KernelLog::rows(cut).size(), 1u);
    EXPECT_EQ(KernelLog::rows(cut)[0].unfinished, 1u);
    log.walker_ended(second);
    const auto kernels = log.kernels();
    ASSERT_EQ(kernels.size(), 2u);
    expect(kernels[0], 6);
    expect(kernels[1], 4);
    EXPECT_TRUE(kernels[1].finished);
    const auto rows = KernelLog::rows(kernels);
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].groups, 7u);
    EXPECT_EQ(rows[0].l3_bytes, 110u);
    EXPECT_EQ(rows[0].unfinished, 0u);
}

}  // namespace
}  // namespace gen9::platform
