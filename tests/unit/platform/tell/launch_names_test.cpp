// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/launch_names.h"

#include <gtest/gtest.h>

namespace gen9::platform {
namespace {

TEST(LaunchNames, AWalkerIsAskedForOnceByItsKernelAndGroups) {
    unsigned asked = 0;
    LaunchNames names([&](GpuAddr kernel_start,
                          const std::array<std::uint32_t, 3>& groups) -> std::optional<LaunchName> {
        EXPECT_EQ(kernel_start, GpuAddr(0x4000));
        EXPECT_EQ(groups[1], 5u);
        LaunchName name;
        name.kernel = "vadd" + std::to_string(asked++);
        return name;
    });
    WorkRecord work;
    work.number = 3;
    work.kernel_start = GpuAddr(0x4000);
    work.groups = {1, 5, 1};
    names.work_began(work);
    names.work_began(work);
    EXPECT_EQ(names.of(2), nullptr);
    ASSERT_NE(names.of(3), nullptr);
    EXPECT_EQ(names.of(3)->kernel, "vadd0");
}

}  // namespace
}  // namespace gen9::platform
