// SPDX-License-Identifier: Apache-2.0
#include "media/walk/kernel_registers.h"

#include <gtest/gtest.h>

#include "tests/support/named_kernel.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {
namespace {

constexpr std::uint64_t kBase = 0x20000;  // the instruction base

struct Kernels {
    Memory memory;
    KernelRegisters registers;

    /// A kernel that names g10, g11, ... and g127.
    unsigned put(std::uint64_t start, unsigned names) {
        const auto code = gen9::test::named_kernel(10, names);
        memory.put(kBase + start, code.data(), code.size());
        return static_cast<unsigned>(code.size());
    }
    isa::RegisterSet of(std::uint32_t start, std::uint64_t base = kBase) {
        return registers.of(GpuAddr(base), start, memory);
    }
};
isa::RegisterSet named(unsigned names) {
    isa::RegisterSet set;
    for (unsigned i = 0; i < names; ++i)
        set.set(10 + i);
    set.set(127);
    return set;
}

TEST(KernelRegisters, AreThoseThatItsInstructionsName) {
    Kernels kernels;
    for (const unsigned names : {0u, 1u, 3u, 4u, 9u, 30u})
        for (const std::uint32_t start : {0x0u, 0x40u, 0x70u, 0x110u}) {
            kernels.put(start, names);
            EXPECT_EQ(kernels.of(start), named(names)) << names << " at " << start;
        }
    EXPECT_EQ(kernels.memory.reads, 0u) << "looking is no access";
}

// Of a kernel that was looked at before, too: any of its lines may be another.
TEST(KernelRegisters, AreFoundAgainWhereMemoryHasChanged) {
    Kernels kernels;
    for (unsigned round = 0; round < 3; ++round)
        for (unsigned names = 1; names < 24; ++names) {
            kernels.put(0x40, names);
            kernels.put(0x4000, 24 - names);
            EXPECT_EQ(kernels.of(0x40), named(names));
            EXPECT_EQ(kernels.of(0x4000), named(24 - names));
            EXPECT_EQ(kernels.of(0x40), named(names));
        }
    // The same start from another base is another kernel.
    kernels.put(0x1040, 5);
    EXPECT_EQ(kernels.of(0x40, kBase + 0x1000), named(5));
    EXPECT_EQ(kernels.of(0x40), named(23));
}

// A path ends where there is no instruction; one may end with the memory that there is.
TEST(KernelRegisters, EndWithTheMemoryThatThereIs) {
    Kernels kernels;
    const std::uint64_t end = Memory::kBase + Memory::kSize - kBase;
    const unsigned size = kernels.put(0x40, 2);
    kernels.put(end - size, 2);
    EXPECT_EQ(kernels.of(std::uint32_t(end - size)), named(2));
    EXPECT_TRUE(kernels.of(std::uint32_t(end)).none());
    const std::vector<std::uint8_t> start(kernels.memory.bytes.end() - size,
                                          kernels.memory.bytes.end() - 16);
    kernels.memory.put(kBase + end - start.size(), start.data(), start.size());
    isa::RegisterSet without_end = named(2);
    without_end.reset(127);
    EXPECT_EQ(kernels.of(std::uint32_t(end - start.size())), without_end);
    EXPECT_TRUE(kernels.of(0x40, 0x0).none());
    EXPECT_EQ(kernels.of(0x40), named(2));
}

struct CountedLooks : Memory {
    unsigned looks = 0;
    bool look(GpuAddr address, std::span<std::uint8_t> data) override {
        ++looks;
        return Memory::look(address, data);
    }
};

// A line that has changed is looked at once to find that out, and once more for its instructions;
// what nothing is known of is looked at once.
TEST(KernelRegisters, AreForgottenWhenTheyAreThoseOfTooManyKernels) {
    constexpr std::uint32_t kBytes = 16;
    for (const std::size_t known : {std::size_t{1}, KernelRegisters::kKept - 1,
                                    KernelRegisters::kKept, KernelRegisters::kKept + 1}) {
        CountedLooks memory;
        KernelRegisters registers;
        const auto code = gen9::test::named_kernel(0, 0);
        ASSERT_EQ(code.size(), kBytes);
        for (std::uint32_t i = 0; i < known; ++i) {
            memory.put(kBase + i * kBytes, code.data(), kBytes);
            EXPECT_EQ(registers.of(GpuAddr(kBase), i * kBytes, memory), named(0));
        }
        const std::uint32_t last = std::uint32_t(known - 1) * kBytes;
        memory.bytes[kBase - Memory::kBase + (last ^ kBytes)] ^= 1;  // in its line, beside it
        memory.looks = 0;
        EXPECT_EQ(registers.of(GpuAddr(kBase), last, memory), named(0));
        EXPECT_EQ(memory.looks, known == KernelRegisters::kKept ? 1u : 2u) << known;
    }
}

}  // namespace
}  // namespace gen9::media::test
