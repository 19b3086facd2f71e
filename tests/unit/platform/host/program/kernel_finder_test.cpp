// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/kernel_finder.h"

#include <gtest/gtest.h>

#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using namespace test;

/// A machine with a context image in GGTT page 6 (and on), a ring in page 2 and a PPGTT in which
/// pages 0x40000.. lie at the same physical address.
struct KernelFinderTest : testing::Test {
    KernelFinder finder;

    KernelFinderTest() {
        for (std::uint32_t page = 2; page < 16; ++page)
            finder.write_gtt(page, (page << 12) + 1);
        put(0x7014, {0});        // ring head
        put(0x7024, {0x2000});   // ring start
        put(0x70CC, {0x10000});  // PML4
        put(0x10000, {0x11007, 0});
        put(0x11000, {0x12007, 0});
        put(0x12000, {0x13007, 0});
        for (std::uint32_t page = 0x40; page < 0x60; ++page)
            put(0x13000 + 8 * page, {page << 12 | 7, 0});
    }
    void put(std::uint64_t address, std::initializer_list<std::uint32_t> values) {
        finder.write_memory(PhysAddr(address), dwords(values));
    }
    void submit(std::uint32_t ring_tail) {
        put(0x701C, {ring_tail});
        for (const std::uint32_t value : {0u, 0u, 0u, 0x6119u})
            finder.write_register(0x2230, value);
    }
    /// A batch in the PPGTT that starts the kernel whose descriptor is the given one.
    void put_batch(std::uint32_t descriptor) {
        put(0x40000, {0x69041312,  // PIPELINE_SELECT
                      0x61010011, 0,          0,    0,     0, 0, 0x41001, 0, 0, 0,
                      0x42001,    0,          0,    0,     0, 0, 0,       0, 0,  // STATE_BASE_ADDRESS
                      0x70020002, 0,          0x40, 0x100,  // MEDIA_INTERFACE_DESCRIPTOR_LOAD
                      0x7105000D, descriptor, 0,    0,     0, 0, 0,       1, 0, 0,
                      1,          0,          1,    0,     0,  // GPGPU_WALKER
                      0x05000000});                            // MI_BATCH_BUFFER_END
        put(0x41100, {0x80, 0, 0, 0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0});  // two descriptors
        put(0x42080, {0x2000'0001, 1, 0, 0});
        put(0x420C0, {0x0000'0001, 2, 3, 4, 0x2000'0031, 5, 0, 0});
        put(0x2000,
            {0x18800101, 0x40000, 0, 0x02000000});  // MI_BATCH_BUFFER_START; MI_USER_INTERRUPT
    }
};

TEST_F(KernelFinderTest, TheWalkersDescriptorLeadsToTheKernel) {
    put_batch(1);
    submit(16);
    ASSERT_EQ(finder.kernels().size(), 1u);
    EXPECT_EQ(finder.kernels()[0].address, 0x420C0u);
    EXPECT_EQ(finder.kernels()[0].bytes, dwords({0x0000'0001, 2, 3, 4, 0x2000'0031, 5}));
}

TEST_F(KernelFinderTest, TheNextSubmissionGoesOnWhereTheLastEnded) {
    put_batch(1);
    submit(16);
    put(0x2010, {0, 0});
    submit(24);
    EXPECT_EQ(finder.kernels().size(), 1u);
    put_batch(0);
    put(0x2018, {0x18800101, 0x40000, 0, 0});
    submit(40);
    ASSERT_EQ(finder.kernels().size(), 2u);
    EXPECT_EQ(finder.kernels()[1].address, 0x42080u);
}

TEST_F(KernelFinderTest, AKernelStartedTwiceIsOne) {
    put_batch(1);
    submit(16);
    put(0x2010, {0x18800101, 0x40000, 0, 0});
    submit(32);
    EXPECT_EQ(finder.kernels().size(), 1u);
    put(0x420D0, {0x2000'0040, 9});  // other contents at the same address
    put(0x2020, {0x18800101, 0x40000, 0, 0});
    submit(48);
    EXPECT_EQ(finder.kernels().size(), 2u);
}

TEST_F(KernelFinderTest, AStreamThatGoesInCirclesEnds) {
    put(0x40000, {0x18800101, 0x40000, 0});
    put(0x2000, {0x18800101, 0x40000, 0, 0});
    submit(16);
    EXPECT_TRUE(finder.kernels().empty());
}

TEST_F(KernelFinderTest, AStreamThatLeadsNowhereEnds) {
    put(0x2000, {0x18800101, 0xDEAD0000, 0x1234, 0});
    submit(16);
    submit(0xFFFF'FFFF);
    EXPECT_TRUE(finder.kernels().empty());
}

}  // namespace
}  // namespace gen9::platform
