// SPDX-License-Identifier: Apache-2.0
// What the caches of the 3D pipe may still hold, and what brings it out.
#include <gtest/gtest.h>

#include "tests/litmus/command_litmus.h"
#include "tests/litmus/draws.h"
#include "tests/support/covers.h"
#include "tests/unit/rs/commands.h"

namespace gen9::litmus {
namespace {
namespace draw_order {

using namespace commands;
using draws::Pixels;

constexpr std::uint32_t kInvalidateVertices = 1u << 4, kInvalidateTexture = 1u << 10,
                        kFlushDepth = 1u << 0, kFlushRender = 1u << 12;
constexpr std::uint32_t kVariables = 0x1000000, kDepths = 0x4000000, kOther = 0x9100000;

std::vector<Outcome> old_is(Verdict verdict) {
    return {{"0", verdict},
            {"1", verdict == Verdict::Forbidden ? Verdict::Allowed : Verdict::Ordinary}};
}
CommandLitmus about(const char* name, const char* rule, const char* source, Verdict old,
                    std::function<std::string(Once&)> body) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.rule = rule;
    litmus.source = source;
    litmus.outcomes = old_is(old);
    litmus.programs = {Code().texel()};
    litmus.body = std::move(body);
    return litmus;
}

/// A draw writes what a walker samples.
CommandLitmus drawn_texel(const char* name, const char* rule, const char* source, Verdict old,
                          const Words& between) {
    return about(name, rule, source, old, [between](Once& run) {
        draws::load(run.machine, 1);
        draws::bind_target(run.machine, run.x);
        draws::write_corners(run.machine, run.z, {});
        run.machine.bind(run.x);
        run.go(Words{kSelect3D} + draws::state() + run.pause() + draws::rectangle(run.z) + between +
               Words{kSelectGpgpu} + run.walker(0));
        return std::to_string(run.machine.read(run.result));
    });
}

TEST(DrawOrder, PixelsMayNotBeSampledBehindAStallAlone) {
    expect_holds(drawn_texel("draw, stall, texel", "pixels stay in the render cache",
                             "CS-57, RT-36; 003:8190-8192", Verdict::Allowed,
                             pipe_control(kStall)));
}
TEST(DrawOrder, PixelsAreSampledBehindAFlushOfRenderTargets) {
    GEN9_COVERS("RT-36");
    expect_holds(drawn_texel("draw, flush of render targets with invalidation, texel",
                             "a flush writes the render cache back before it is over",
                             "CS-57, RT-36; 003:8190-8192", Verdict::Forbidden,
                             pipe_control(kStall | kFlushRender | kInvalidateTexture)));
}
TEST(DrawOrder, AFlushOfDepthLeavesPixelsInTheirCache) {
    expect_holds(drawn_texel("draw, flush of depth and data, texel",
                             "a flush writes its own cache back", "CS-57; 003:1580",
                             Verdict::Allowed,
                             pipe_control(kStall | kFlushDepth | kFlushData | kInvalidateTexture)));
}

/// A clear of depth writes it.
CommandLitmus cleared_texel(const char* name, const char* rule, const char* source, Verdict old,
                            const Words& between) {
    return about(name, rule, source, old, [between](Once& run) {
        const std::uint32_t depths = kDepths + (run.x - kVariables) / 1024 * 4096;
        run.machine.bind(depths);
        run.go(Words{kSelect3D} + run.pause() + draws::clear_depth(depths, {0, 8}) + between +
               Words{kSelectGpgpu} + run.walker(0));
        return std::to_string(run.machine.read(run.result) / 0x3F800000);
    });
}

TEST(DrawOrder, DepthMayNotBeSampledBehindAStallAlone) {
    expect_holds(cleared_texel("depth, stall, texel", "depth stays in its cache", "CS-57; 003:1580",
                               Verdict::Allowed, pipe_control(kStall)));
}
TEST(DrawOrder, DepthIsSampledBehindItsFlush) {
    GEN9_COVERS("CS-57");
    expect_holds(cleared_texel("depth, flush of depth with invalidation, texel",
                               "a flush writes the depth cache back before it is over",
                               "CS-57; 003:1580", Verdict::Forbidden,
                               pipe_control(kStall | kFlushDepth | kInvalidateTexture)));
}
TEST(DrawOrder, AFlushOfRenderTargetsLeavesDepthInItsCache) {
    expect_holds(cleared_texel("depth, flush of render targets, texel",
                               "a flush writes its own cache back", "CS-57; 003:1580",
                               Verdict::Allowed,
                               pipe_control(kStall | kFlushRender | kInvalidateTexture)));
}

/// Two draws of the same vertex buffer, which moves in between. 1: the second one saw it.
CommandLitmus moved_vertices(const char* name, const char* rule, const char* source, Verdict old,
                             const std::function<Words(Once&)>& between) {
    return about(name, rule, source, old, [between](Once& run) {
        draws::load(run.machine, 1);
        draws::bind_target(run.machine, run.x);
        draws::write_corners(run.machine, run.z, {0, 1});
        run.go(Words{kSelect3D} + draws::state() + run.pause() + draws::rectangle(run.z) +
               pipe_control(kStall) + draws::store_corners(run.z, {8, 1}) + between(run) +
               draws::rectangle(run.z) + pipe_control(kStall | kFlushRender) + Words{kSelectGpgpu});
        EXPECT_EQ(run.machine.read(run.x), 1u);
        return std::to_string(run.machine.read(run.x + 32));
    });
}

TEST(DrawOrder, VerticesMayBeOldWithoutAnInvalidation) {
    GEN9_COVERS("CS-66");
    expect_holds(moved_vertices("draw, stores to vertices, draw",
                                "vertices stay in their cache although memory has changed",
                                "CS-66; 003:1616-1618", Verdict::Allowed,
                                [](Once& run) { return run.pause(); }));
}
TEST(DrawOrder, VerticesAreNewBehindTheirInvalidation) {
    GEN9_COVERS("CS-72");
    expect_holds(moved_vertices("draw, stores to vertices, invalidation of vertices, draw",
                                "an invalidation of vertices drops what was read before",
                                "CS-66, CS-72; 003:1634", Verdict::Forbidden, [](Once& run) {
                                    return run.pause() +
                                           post_sync(kStall | kInvalidateVertices, kOther, 1);
                                }));
}

/// A draw whose binding table the resource streamer makes. 1: its target was found.
TEST(DrawOrder, ADrawFindsTheTableOfItsPointer) {
    GEN9_COVERS("RS-20");
    CommandLitmus litmus = about(
        "table, draw", "a draw waits for the table that its pointer names, in the pool",
        "RS-20; 003:2602, 2854-2856", Verdict::Forbidden, [](Once& run) {
            draws::load(run.machine, 1);
            draws::bind_target(run.machine, run.x);
            // The software's table names no target.
            run.machine.write(CommandMachine::kSurfaces + draws::kTable, 0u);
            draws::write_corners(run.machine, run.z, {});
            run.go(Words{kSelect3D} + test::table_pool(CommandMachine::kTables, 4) +
                   test::edit(test::kPs, {draws::kTarget / 64}) + draws::state() + run.pause() +
                   draws::rectangle(run.z) + pipe_control(kStall | kFlushRender) +
                   test::table_pool(CommandMachine::kTables, 4, false) + Words{kSelectGpgpu});
            return std::to_string(run.machine.read(run.x));
        });
    litmus.with_streamer = true;
    expect_holds(litmus);
}

// A sampler's results go to the target, and end the thread (SMP-122): each pixel has the texel of its
// slot.
class SampledDraws : public testing::TestWithParam<std::tuple<Timing, unsigned>> {};
INSTANTIATE_TEST_SUITE_P(
    Modes, SampledDraws,
    testing::Combine(testing::Values(Timing::Functional, Timing::Timed), testing::Values(8u, 16u)),
    [](const auto& info) {
        return std::string(std::get<0>(info.param) == Timing::Timed ? "Timed" : "Functional") +
               std::to_string(std::get<1>(info.param));
    });

TEST_P(SampledDraws, SamplersWriteTheTargetThemselves) {
    GEN9_COVERS("SMP-107 SMP-122 RT-40");
    const auto [timing, slots] = GetParam();
    constexpr std::uint32_t kTarget = kVariables, kTexels = kVariables + 64,
                            kCorners = kVariables + 128;
    CommandMachine machine({}, timing);
    draws::load_sampled(machine, slots);
    draws::bind_target(machine, kTarget);
    draws::bind_texels(machine, kTexels);
    draws::write_corners(machine, kCorners, {});
    for (std::uint32_t i = 0; i < 16; ++i) {
        machine.write(kTarget + 4 * i, 7u);
        machine.write(kTexels + 4 * i, 100 + i);
    }
    machine.start();
    Draw draw(1);
    ASSERT_TRUE(machine.run(Words{kSelect3D} + draws::state(slots) + draws::rectangle(kCorners) +
                                pipe_control(kStall | kFlushRender),
                            false, draw))
        << machine.waiting();
    for (std::uint32_t x = 0; x < 16; x += 2) {
        const std::uint32_t value = machine.read(kTarget + 4 * x);
        EXPECT_EQ(value % 4, 0u) << x;
        EXPECT_EQ(value - 100, 4 * (x / 2 % (slots / 4))) << x;
        EXPECT_EQ(machine.read(kTarget + 4 * (x + 1)), value + 1) << x;
    }
    const std::uint64_t threads = 32 / slots;
    EXPECT_EQ(machine.counted("sampler.target_writes"), threads);
    EXPECT_EQ(machine.counted("render_target.messages"), threads);
    EXPECT_EQ(machine.reporter().guest_errors(), 0u) << machine.trouble();
    EXPECT_FALSE(machine.reporter().failed()) << machine.trouble();
}

}  // namespace draw_order
}  // namespace
}  // namespace gen9::litmus
