// SPDX-License-Identifier: Apache-2.0
// Contexts as the kernel driver keeps them: expected values are those of Linux i915 (intel_lrc.c,
// intel_mocs.c, intel_gtt.c) and the PRM's context image (003:1831).
#include "platform/host/drm/ring_contexts.h"

#include <gtest/gtest.h>

#include "common/check.h"
#include "platform/host/address_space.h"
#include "platform/host/drm/protocol.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

constexpr std::uint64_t kPlace = std::uint64_t{4} << 30;
constexpr std::uint32_t kContextPages = 27;  ///< 4 of the ring, 23 of the image

struct DrmRingContexts : testing::Test {
    test::SharedMemoryEngine engine;
    Ranges physical{kPlace, kPlace + (1 + 3 * kContextPages) * kPage};  ///< status page, 3 contexts
    RingContexts contexts{engine, physical};

    void submit(std::uint32_t id, std::uint64_t root = 0x1'2345'6000) {
        contexts.submit(id, PhysAddr(root), 0x7'0000'1000, 5);
    }
    /// A DWord of the image that was submitted last.
    PhysAddr image_at(std::uint32_t offset) {
        const auto image = engine.registers[platform::kExeclistSubmitPort] & ~0xFFFu;
        return PhysAddr((engine.gtt[image / kPage + offset / kPage] & ~0xFFFull) + offset % kPage);
    }
    std::uint32_t image(std::uint32_t offset) {
        return engine.get<std::uint32_t>(image_at(offset).value);
    }
};

TEST_F(DrmRingContexts, TheEngineIsSetUpAsByTheKernelDriver) {
    EXPECT_EQ(engine.registers[0x2080], 0x1000u);       // RING_HWS_PGA
    EXPECT_EQ(engine.registers[0x229C], 0x8080'8080u);  // GFX_MODE: execlists, 48 bits
    for (unsigned i = 0; i < 64; ++i)
        EXPECT_EQ(engine.registers[0xC800 + 4 * i], i == 0    ? 0x09u
                                                    : i == 2  ? 0x3Bu
                                                    : i == 63 ? 0x37u
                                                              : 0x30u)
            << i;
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_EQ(engine.registers[0xB020 + 4 * i], i == 0    ? 0x0030'0010u
                                                    : i == 31 ? 0x0010'0030u
                                                              : 0x0030'0030u)
            << i;
    EXPECT_EQ(engine.registers[0x40E0], 0x0003'0907u);
    EXPECT_EQ(engine.registers[0x40E4], 0x3B2B'1B0Bu);
    EXPECT_EQ(engine.gtt[1], kPlace | 1);
}

TEST_F(DrmRingContexts, AnImageHasTheRegistersInTheirOrder) {
    submit(7);
    const std::uint32_t ring = 2 * kPage;
    const std::vector<std::uint32_t> expected{
        0, 0x1100'101B, 0x2244, 0x0009'0008, 0x2034, 0, 0x2030, 30 * 4, 0x2038, ring, 0x203C,
        0x3001, 0x2168, 0, 0x2140, 0, 0x2110, 0, 0x211C, 0, 0x2114, 0, 0x2118, 0, 0x21C0, 0, 0x21C4,
        0, 0x21C8, 0,
        // At 0x21 of the PRM's table.
        0, 0, 0, 0x1100'1011, 0x23A8, 0, 0x228C, 0, 0x2288, 0, 0x2284, 0, 0x2280, 0, 0x227C, 0,
        0x2278, 0, 0x2274, 1, 0x2270, 0x2345'6000,
        // At 0x41.
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x1100'0001, 0x20C8, 0x8000'0088};
    for (std::uint32_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(image(0x1000 + 4 * i), expected[i]) << i;
    const auto descriptor = engine.registers[platform::kExeclistSubmitPort];
    EXPECT_EQ(descriptor, (2 + 4) * kPage | 0x119);
}

// PIPE_CONTROL (Public: PRM of Skylake, volume 2a): invalidations of state, constants, VF, texture,
// instructions and translations, flushes of data, render targets and depth.
TEST_F(DrmRingContexts, ARingHasTheCommandsOfTheKernelDriver) {
    submit(7);
    constexpr std::uint32_t kPipeControl = 3u << 29 | 3u << 27 | 2u << 24 | 4;
    constexpr std::uint32_t kGlobal = 1 << 24, kStall = 1 << 20, kWrite = 1 << 14;
    constexpr std::uint32_t kInvalidate =
        1 << 2 | 1 << 3 | 1 << 4 | 1 << 10 | 1 << 11 | 1 << 18 | kStall | kWrite | kGlobal;
    constexpr std::uint32_t kFlush = 1 << 5 | 1 << 12 | 1 | kStall;
    constexpr std::uint32_t kFlushEnable = 1 << 7, kStatus = kPage, kPpgtt = 1 << 8;
    const std::vector<std::uint32_t> expected{kPipeControl,
                                              0,
                                              0,
                                              0,
                                              0,
                                              0,
                                              kPipeControl,
                                              kInvalidate,
                                              kStatus + 0x180,
                                              0,
                                              0,
                                              0,
                                              0x31u << 23 | kPpgtt | 1,
                                              0x1000,
                                              7,
                                              0,
                                              kPipeControl,
                                              kFlush,
                                              0,
                                              0,
                                              0,
                                              0,
                                              kPipeControl,
                                              kFlushEnable | kStall | kWrite | kGlobal,
                                              kStatus + 0x100,
                                              0,
                                              5,
                                              0,
                                              2u << 23,
                                              0};
    const std::uint64_t ring = engine.gtt[2] & ~0xFFFull;
    for (std::uint32_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(engine.get<std::uint32_t>(ring + 4 * i), expected[i]) << i;
}

TEST_F(DrmRingContexts, AnImageHasTheTablesOfItsLastSubmission) {
    submit(7, 0x1'2345'6000);
    submit(7, 0x2'4567'8000);
    EXPECT_EQ(image(0x10C4), 2u);
    EXPECT_EQ(image(0x10CC), 0x4567'8000u);
    EXPECT_EQ(image(0x101C), 60u * 4) << "the tail behind both";
}

// What the engine has saved in an image is not the next context's.
TEST_F(DrmRingContexts, AContextThatTakesAnothersPlaceIsNew) {
    submit(1);
    engine.put<std::uint32_t>(image_at(0x2000).value, 4711);
    engine.put<std::uint32_t>(image_at(22 * kPage + 4092).value, 4712);
    const PhysAddr before = image_at(0x2000);
    contexts.remove(1);
    submit(2);
    ASSERT_EQ(image_at(0x2000), before);
    EXPECT_EQ(image(0x2000), 0u);
    EXPECT_EQ(image(22 * kPage + 4092), 0u);
    EXPECT_EQ(image(0x101C), 30u * 4);
}

TEST_F(DrmRingContexts, ContextsEndWhereTheirMemoryDoesAndGivenBackOnesAreUsedAgain) {
    for (std::uint32_t id = 1; id <= 3; ++id)
        submit(id);
    EXPECT_THROW(submit(4), UserError);
    submit(3);
    contexts.remove(2);
    contexts.remove(9);  // nobody's
    submit(4);
    EXPECT_THROW(submit(2), UserError);
}

}  // namespace
}  // namespace gen9::drm
