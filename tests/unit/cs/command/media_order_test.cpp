// SPDX-License-Identifier: Apache-2.0
// What `strict` reports of media commands in an order that software must not give them in.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

TEST_F(Interpreter, AMediaWalkerWithInlineDataIsFollowedByAStateFlush) {
    GEN9_COVERS("MED-44");
    const auto errors = [](std::size_t dwords, const Words& between) {
        Words walk(dwords, 0);
        walk[0] = 0x71030000 | static_cast<std::uint32_t>(dwords - 2);
        Engine strict({.strict = true});
        strict.run_ring((Stream() << kSelectGpgpu << walk << between << walk).words);
        EXPECT_EQ(strict.sent.size(), between.size() == 2 ? 3u : 2u);
        return strict.environment.reporter.guest_errors();
    };
    EXPECT_EQ(errors(18, {0}), 1u);
    EXPECT_EQ(errors(18, pipe_control(1u << 20)), 1u) << "another flush is not that flush";
    EXPECT_EQ(errors(18, {0x70040000, 0}), 0u);
    EXPECT_EQ(errors(17, {0}), 0u) << "without inline data";
}

TEST_F(Interpreter, TheScoreboardChangesAfterAStallOnly) {
    GEN9_COVERS("MED-46");
    Words object(6, 0);
    object[0] = 0x71000004;
    const auto errors = [&](const Words& work, const Words& between, std::uint32_t scoreboard) {
        Engine strict({.strict = true});
        strict.run_ring(
            (Stream() << kSelectGpgpu << work << between
                      << Words{0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, scoreboard, 0, 0})
                .words);
        return strict.environment.reporter.guest_errors();
    };
    const std::uint32_t stalling = 1u << 31, non_stalling = 3u << 30;
    EXPECT_EQ(errors(object, {0}, stalling), 1u);
    EXPECT_EQ(errors(object, {0}, non_stalling), 1u);
    EXPECT_EQ(errors(object, {0}, 1u << 30), 1u) << "its type alone";
    EXPECT_EQ(errors(object, pipe_control(1u << 20), non_stalling), 0u);
    EXPECT_EQ(errors(object, {0}, 0xFF), 0u) << "the mask is no type";
    EXPECT_EQ(errors(walker(), {0}, stalling), 0u) << "GPGPU work uses no scoreboard";
}

TEST_F(Interpreter, AMediaWalkerWithGroupsFollowsAWatermarkOfItsDescriptor) {
    GEN9_COVERS("MED-26");
    const auto errors = [](std::uint32_t loops, const Words& before) {
        Words walk(17, 0);
        walk[0] = 0x7103000F;
        walk[1] = 3;
        walk[5] = loops << 8;
        Engine strict({.strict = true});
        strict.run_ring((Stream() << kSelectGpgpu << before << walk).words);
        return strict.environment.reporter.guest_errors();
    };
    EXPECT_EQ(errors(1, {0}), 1u);
    EXPECT_EQ(errors(1, {0x70040000, 3}), 1u) << "without the watermark";
    EXPECT_EQ(errors(1, {0x70040000, 1u << 6 | 2}), 1u) << "of another descriptor";
    EXPECT_EQ(errors(1, {0x70040000, 1u << 6 | 3}), 0u);
    EXPECT_EQ(errors(0, {0}), 0u) << "no groups";
    Words used = {0x70040000, 1u << 6 | 3};
    append(used, walker());
    append(used, pipe_control(1u << 20));
    EXPECT_EQ(errors(1, used), 1u) << "other work took the room";
}

}  // namespace
}  // namespace gen9
