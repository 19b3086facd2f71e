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

const Words kSelectMedia = {0x69040301};

// 003:17952.
TEST_F(Interpreter, AMediaWalkerIsForTheGenericModeOnly) {
    GEN9_COVERS("MED-43");
    Words walk(17, 0), object(6, 0);
    walk[0] = 0x7103000F;
    object[0] = 0x71000004;
    const auto errors = [](const Words& selection, const Words& work, bool strict) {
        Engine e({.strict = strict});
        e.run_ring((Stream() << kSelectGpgpu << selection << work).words);
        EXPECT_EQ(e.sent.size(), 1u) << "carried out all the same";
        return e.environment.reporter.guest_errors();
    };
    EXPECT_EQ(errors({0}, walk, true), 1u);
    EXPECT_EQ(errors({0}, walk, false), 0u);
    EXPECT_EQ(errors(kSelectMedia, walk, true), 0u);
    EXPECT_EQ(errors({0}, object, true), 0u) << "the sentence is about walkers";
}

TEST_F(Interpreter, AMediaWalkerWithInlineDataIsFollowedByAStateFlush) {
    GEN9_COVERS("MED-44");
    const auto errors = [](std::size_t dwords, const Words& between) {
        Words walk(dwords, 0);
        walk[0] = 0x71030000 | static_cast<std::uint32_t>(dwords - 2);
        Engine strict({.strict = true});
        strict.run_ring(
            (Stream() << kSelectGpgpu << kSelectMedia << walk << between << walk).words);
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
        strict.run_ring((Stream() << kSelectGpgpu << kSelectMedia << before << walk).words);
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
                return command.row->command == packets::Command::MEDIA_OBJECT;
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

/// Descriptors 0 to 3: none, a local barrier, one that media has over subslices, one with SLM too.
struct BarrierStream : Stream {
    explicit BarrierStream(Engine& engine) {
        constexpr std::uint64_t kDescriptors = 0x2'0002'2000 + 0x1240;
        constexpr std::uint32_t kBarrier = 1u << 21, kGlobal = 1u << 15, kSlm = 1u << 16;
        const std::uint32_t rows[] = {kGlobal, kBarrier, kBarrier | kGlobal,
                                      kBarrier | kGlobal | kSlm};
        for (std::uint32_t i = 0; i < 4; ++i)
            engine.ppgtt.put<std::uint32_t>(kDescriptors + 32 * i + 24, rows[i]);
        *this << kSelectGpgpu << kSelectMedia << kLoad;
    }
    static inline const Words kLoad = {0x70020002, 0, 0x80, 0x1240};
    static inline const Words kPools = {0x70050004, 1u << 31, 0x00777000, 0, 0, 0};
    static inline const Words kStall = pipe_control(1u << 20);
    static Words vfe() { return {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0}; }
    static Words gpgpu(std::uint32_t descriptor) {
        Words walk = walker();
        walk[1] = descriptor;
        return walk;
    }
    /// Threads of a group, one by one or by a walker; without `groups` they are of none.
    static Words object(std::uint32_t descriptor) {
        return {0x71060005, descriptor, 1u << 23, 0, 0, 0, 0};
    }
    static Words media_walker(std::uint32_t descriptor, bool groups = true) {
        Words walk(17, 0);
        walk[0] = 0x7103000F;
        walk[1] = descriptor;
        walk[5] = groups ? 1u << 8 : 0;
        Words out = {0x70040000, 1u << 6 | descriptor};
        append(out, walk);
        return out;
    }
};

unsigned barrier_errors(const std::vector<Words>& commands, bool any = false) {
    Engine strict({.strict = true, .any_barrier_stalls = any});
    BarrierStream stream(strict);
    for (const Words& words : commands)
        stream << words;
    strict.run_ring(stream.words);
    return static_cast<unsigned>(strict.environment.reporter.guest_errors());
}

TEST_F(Interpreter, AStallStandsBetweenMediaGroupsWithAGlobalBarrierAndTheNextVfeState) {
    GEN9_COVERS("MED-45 GW-36");
    using S = BarrierStream;
    for (const Words& work : {S::object(2), S::media_walker(2)}) {
        EXPECT_EQ(barrier_errors({work, S::vfe()}), 1u);
        EXPECT_EQ(barrier_errors({work, {0x70040000, 0}, S::vfe()}), 1u)
            << "MEDIA_STATE_FLUSH is not enough";
        EXPECT_EQ(barrier_errors({work, pipe_control(1u << 3), S::vfe()}), 1u)
            << "nor is a PIPE_CONTROL that does not stall";
        EXPECT_EQ(barrier_errors({work, S::kStall, S::vfe()}), 0u);
        EXPECT_EQ(barrier_errors({work, S::vfe(), S::vfe()}), 1u) << "once";
    }
    EXPECT_EQ(barrier_errors({S::object(0), S::vfe()}), 0u) << "without a barrier";
    EXPECT_EQ(barrier_errors({S::object(1), S::vfe()}), 0u) << "a local one";
    EXPECT_EQ(barrier_errors({S::object(3), S::vfe()}), 0u) << "with SLM it stays local";
    EXPECT_EQ(barrier_errors({S::media_walker(2, false), S::vfe()}), 0u) << "no groups";
    EXPECT_EQ(barrier_errors({S::gpgpu(2), S::vfe()}), 0u) << "GPGPU has local ones only";
}

TEST_F(Interpreter, OnBroxtonAnyBarrierOfMediaGroupsWantsThatStall) {
    GEN9_COVERS("MED-60");
    using S = BarrierStream;
    for (const std::uint32_t descriptor : {1u, 2u, 3u})
        for (const Words& work : {S::object(descriptor), S::media_walker(descriptor)}) {
            EXPECT_EQ(barrier_errors({work, S::vfe()}, true), 1u) << descriptor;
            EXPECT_EQ(barrier_errors({work, {0x70040000, 0}, S::vfe()}, true), 1u);
            EXPECT_EQ(barrier_errors({work, S::kStall, S::vfe()}, true), 0u);
        }
    EXPECT_EQ(barrier_errors({S::kPools, S::object(1), S::vfe()}, true), 1u) << "linked in a pool";
    EXPECT_EQ(barrier_errors({S::object(0), S::vfe()}, true), 0u);
    EXPECT_EQ(barrier_errors({S::media_walker(1, false), S::vfe()}, true), 0u);
    EXPECT_EQ(barrier_errors({S::gpgpu(1), S::vfe()}, true), 0u);
}

TEST_F(Interpreter, AStallStandsBetweenLinkedAndGlobalBarriers) {
    GEN9_COVERS("POOL-09");
    using S = BarrierStream;
    const Words linked = S::object(1), global = S::object(2);
    EXPECT_EQ(barrier_errors({S::kPools, linked, global}), 1u);
    EXPECT_EQ(barrier_errors({S::kPools, global, linked}), 1u);
    EXPECT_EQ(barrier_errors({S::kPools, linked, pipe_control(1u << 3), global}), 1u);
    EXPECT_EQ(barrier_errors({S::kPools, linked, S::kStall, global}), 0u);
    EXPECT_EQ(barrier_errors({S::kPools, global, S::kStall, linked}), 0u);
    EXPECT_EQ(barrier_errors({S::kPools, linked, linked, S::kStall, global, global}), 0u);
    // Without pools the barrier is local, and the legacy dispatch policy lets both be there.
    EXPECT_EQ(barrier_errors({linked, global, linked}), 0u);
    EXPECT_EQ(barrier_errors({S::kPools, S::object(3), global, S::object(3)}), 0u) << "SLM";
    // Groups of GPGPU walkers have linked ones too.
    EXPECT_EQ(barrier_errors({S::kPools, S::gpgpu(1), S::kStall, global}), 0u);
    EXPECT_EQ(barrier_errors({S::kPools, S::gpgpu(1), global}), 2u) << "TD-61 and POOL-09";
}

}  // namespace
}  // namespace gen9
