// SPDX-License-Identifier: Apache-2.0
#include "platform/launch_names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gen9::platform {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Asks for the name of code at an address; gives what it was asked with.
Bytes asked_with(const Bytes& memory, std::uint64_t address) {
    Bytes asked;
    LaunchNames names(
        [&](std::span<const std::uint8_t> code,
            const std::array<std::uint32_t, 3>& groups) -> std::optional<LaunchName> {
            asked.assign(code.begin(), code.end());
            EXPECT_EQ(groups[1], 5u);
            LaunchName name;
            name.kernel = "vadd";
            return name;
        },
        [&](GpuAddr at, std::span<std::uint8_t> to) {
            const std::size_t from = std::min<std::size_t>(at.value, memory.size());
            const std::size_t count = std::min(to.size(), memory.size() - from);
            std::copy_n(memory.begin() + static_cast<std::ptrdiff_t>(from), count, to.begin());
            return count;
        });
    WalkerRecord walker;
    walker.number = 3;
    walker.kernel_start = GpuAddr(address);
    walker.groups = {1, 5, 1};
    names.walker_began(walker);
    EXPECT_EQ(names.of(2), nullptr);
    EXPECT_EQ(names.of(3)->kernel, "vadd");
    return asked;
}

TEST(LaunchNames, CodeIsReadToItsPadding) {
    Bytes memory(20'000, 0x11);
    std::fill(memory.begin() + 9000, memory.end(), std::uint8_t{0});
    const Bytes code = asked_with(memory, 64);
    ASSERT_GE(code.size(), 9000u - 64 + 8);
    EXPECT_LT(code.size(), 15'000u);
    EXPECT_EQ(code[9000 - 64 - 1], 0x11);
    EXPECT_EQ(code[9000 - 64], 0);
}

TEST(LaunchNames, CodeEndsWhereMemoryEnds) {
    EXPECT_EQ(asked_with(Bytes(5000, 0x11), 0), Bytes(5000, 0x11));
    EXPECT_EQ(asked_with({}, 0), Bytes());
}

TEST(LaunchNames, CodeWithoutAnEndIsReadSoFar) {
    EXPECT_EQ(asked_with(Bytes(3 << 20, 0x11), 0).size(), std::size_t{1} << 20);
}

}  // namespace
}  // namespace gen9::platform
