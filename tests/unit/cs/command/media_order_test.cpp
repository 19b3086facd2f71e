// SPDX-License-Identifier: Apache-2.0
// What `strict` reports of media commands in an order that software must not give them in; groups
// across a switch of contexts.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

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

// 003:17588-17613: a group's threads wait for one another at its barrier, so all of its objects are
// sent, or none. What was sent of a group that is split is waited for, and never ends.
TEST(MediaGroup, ABarrierGroupOfObjectsIsSentWholeBetweenArbitrationOffAndOn) {
    GEN9_COVERS("PRE-25");
    constexpr unsigned kObjects = 3;
    const auto sent_at_switch = [](bool bracket, unsigned submission_at) {
        Engine e;
        e.ppgtt.map(kData, 0x1000);
        e.ppgtt.map(kBatch, 0x1000);
        e.ggtt.map(kRing2, 0x4000);
        write_context(e.ggtt, kContext2, kRing2);
        Words batch = kSelectGpgpu + Words{0x69040301};
        append(batch, {0x02800000});
        append(batch, {0x70040000, 1u << 6});  // MEDIA_STATE_FLUSH with watermark
        if (bracket) append(batch, {0x04000000});
        for (unsigned n = 0; n < kObjects; ++n)
            append(batch, Words{0x71000004, 0, 0, 0, 0, 0} + Words{0x02800000});
        if (bracket) append(batch, {0x04000001});
        e.ppgtt.put(kBatch, batch + Words{0x02800000} + kEnd);
        e.ggtt.put(kRing, start(kBatch));
        e.set_tail(12);
        e.ggtt.put(kRing2, count());
        e.set_tail(static_cast<std::uint32_t>(4 * count().size()), kContext2);
        const auto objects = [&] {
            return std::ranges::count_if(e.sent, [](const PipelineCommand& command) {
                return command.dwords[0] >> 16 == 0x7100;
            });
        };
        std::ptrdiff_t sent = -1;
        unsigned parsed = 0;
        e.on_parsed = [&] {
            if (parsed++ == submission_at) e.submit(submission(kContext2, 9));
        };
        e.on_write = [&](GpuAddr address) {
            if (address.value == kData) sent = objects();
        };
        e.on_drain = [&] {
            if (objects() != 0) {
                EXPECT_NE(e.core.describe().find("pipeline command(s) to end"), std::string::npos);
            }
        };
        e.submit();
        e.core.run();
        return sent;
    };
    std::set<std::ptrdiff_t> whole, split;
    for (unsigned at = 0; at < 24; ++at) {
        whole.insert(sent_at_switch(true, at));
        split.insert(sent_at_switch(false, at));
    }
    whole.erase(-1);  // the submission came when all was over
    EXPECT_EQ(whole, (std::set<std::ptrdiff_t>{0, kObjects}));
    EXPECT_TRUE(split.contains(1)) << "the bracket is what keeps it together";
}

}  // namespace
}  // namespace gen9
