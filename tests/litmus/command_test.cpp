// SPDX-License-Identifier: Apache-2.0
// Order at the level of commands: the command streamer's own accesses, its pipe commands and the
// threads of walkers. One rule a test.
#include <gtest/gtest.h>

#include "tests/litmus/command_litmus.h"
#include "tests/support/covers.h"

namespace gen9::litmus {
namespace {

using namespace commands;

/// A thread writes the data after a while; `between`, then the flag, which the streamer writes.
/// Who sees the flag looks at the data as threads see it.
CommandLitmus flag_after_walker(const char* name, Verdict early, const Words& between) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.outcomes = {{"flag first", early}, {"data first", Verdict::Ordinary}};
    litmus.programs = {Code().pause(2).write(kX, 1).fence()};
    litmus.body = [between](Once& run) {
        bool flag_first = false;
        run.go(run.pause() + run.walker(0) + between + store(run.y, 1), [&] {
            flag_first |= run.machine.read(run.y) == 1 && run.machine.seen_by_threads(run.x) == 0;
        });
        return flag_first ? "flag first" : "data first";
    };
    return litmus;
}

TEST(Commands, AWalkerIsNotWaitedForByTheNextCommand) {
    CommandLitmus litmus = flag_after_walker("walker, store", Verdict::Allowed, {});
    litmus.rule = "the streamer goes on while threads run";
    litmus.source = "CS-67; 003:1620-1624";
    expect_holds(litmus);
}
TEST(Commands, AnInvalidationAloneIsNoWait) {
    CommandLitmus litmus = flag_after_walker("walker, invalidation, store", Verdict::Allowed,
                                             pipe_control(kInvalidateConstant | kInvalidateState));
    litmus.rule = "an invalidation at the top of the pipe waits for nobody";
    litmus.source = "CS-55; 003:1574";
    expect_holds(litmus);
}
TEST(Commands, AMediaStateFlushWaitsForNoThread) {
    CommandLitmus litmus =
        flag_after_walker("walker, MEDIA_STATE_FLUSH, store", Verdict::Allowed, {0x70040000, 0});
    litmus.rule = "MEDIA_STATE_FLUSH drains the front end, not the threads";
    litmus.source = "CS-128; 003:17526-17530";
    expect_holds(litmus);
}
TEST(Commands, AStallWaitsForAllThreads) {
    GEN9_COVERS("CS-87");
    CommandLitmus litmus =
        flag_after_walker("walker, stall, store", Verdict::Forbidden, pipe_control(kStall));
    litmus.rule = "with CS stall the streamer goes on when the pipe is empty";
    litmus.source = "CS-87; 003:1690-1705";
    expect_holds(litmus);
}
TEST(Commands, NewBaseAddressesWaitForAllThreads) {
    GEN9_COVERS("CS-51");
    CommandLitmus litmus = flag_after_walker("walker, STATE_BASE_ADDRESS, store",
                                             Verdict::Forbidden, state_base_address());
    litmus.rule = "STATE_BASE_ADDRESS drains the pipeline";
    litmus.source = "CS-51; 003:1560";
    expect_holds(litmus);
}
TEST(Commands, ANewSaveAreaWaitsForAllThreads) {
    CommandLitmus litmus = flag_after_walker("walker, GPGPU_CSR_BASE_ADDRESS, store",
                                             Verdict::Forbidden, {0x61040001, 0, 0});
    litmus.rule = "GPGPU_CSR_BASE_ADDRESS flushes the pipe";
    litmus.source = "CS-131; 003:17089-17095";
    expect_holds(litmus);
}
/// MI_ATOMIC that moves 1 to a place nobody looks at.
Words atomic_move(std::uint32_t bits) {
    return {0x17840409 | bits, 0x9000000, 0, 1, 0, 0, 0, 0, 0, 0, 0};
}
TEST(Commands, AnAtomicAfterTheWorkWaitsForAllThreads) {
    CommandLitmus litmus = flag_after_walker("walker, atomic with post-sync, store",
                                             Verdict::Forbidden, atomic_move(1u << 21));
    litmus.rule = "MI_ATOMIC as a post-sync operation comes after the work before it";
    litmus.source = "cs-rs guide 3.2, MI_ATOMIC";
    expect_holds(litmus);
}
TEST(Commands, AnAtomicByItselfWaitsForNoThread) {
    CommandLitmus litmus =
        flag_after_walker("walker, atomic, store", Verdict::Allowed, atomic_move(0));
    litmus.rule = "MI_ATOMIC is no wait";
    litmus.source = "cs-rs guide 3.2, MI_ATOMIC";
    expect_holds(litmus);
}

/// The second walker reads what the first one writes.
CommandLitmus walker_to_walker(const char* name, Verdict old, const Words& between) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.outcomes = {{"0", old}, {"1", Verdict::Ordinary}};
    litmus.programs = {Code().pause(2).write(kX, 1).fence(), Code().read(kX)};
    // The spawner does not wait between them by itself, as it does for another kernel.
    litmus.settings = {"machine.gpu.spawner.descriptor_change=overlap"};
    litmus.body = [between](Once& run) {
        run.go(run.pause() + run.walker(0) + between + run.walker(1));
        return std::to_string(run.machine.seen_by_threads(run.result));
    };
    return litmus;
}
TEST(Commands, AStallBetweenWalkersOrdersThem) {
    GEN9_COVERS("CS-87");
    CommandLitmus litmus =
        walker_to_walker("walker, stall, walker", Verdict::Forbidden, pipe_control(kStall));
    litmus.rule = "the threads of a walker behind a stall see what those before it wrote";
    litmus.source = "CS-87; 003:1690-1705";
    expect_holds(litmus);
}
TEST(Commands, WithoutItTwoWalkersRunAtTheSameTime) {
    CommandLitmus litmus = walker_to_walker("walker, walker", Verdict::Allowed, {});
    litmus.rule = "the threads of two walkers run at the same time";
    litmus.source = "CS-67; 003:1620-1624";
    expect_holds(litmus);
}

TEST(Commands, AnotherPipelineWaitsForAllThreads) {
    CommandLitmus litmus = flag_after_walker("walker, PIPELINE_SELECT, store", Verdict::Forbidden,
                                             Words{kSelect3D} + Words{kSelectGpgpu});
    litmus.rule = "PIPELINE_SELECT waits for the pipe that it leaves";
    litmus.source = "CS-122; 003:2385-2393";
    expect_holds(litmus);
}

/// Time in which the host looks, before the batch ends with a flush.
const Words kLater(200);

/// A thread writes the data, a post-sync operation the flag. Who sees the flag looks at the data
/// behind the caches, as the host does.
CommandLitmus flag_by_post_sync(const char* name, Verdict early, std::uint32_t bits) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.outcomes = {{"flag first", early}, {"data first", Verdict::Ordinary}};
    litmus.programs = {Code().write(kX, 1).fence()};
    litmus.body = [bits](Once& run) {
        bool flag_first = false;
        run.go(run.pause() + run.walker(0) + post_sync(bits, run.y, 1),
               [&] { flag_first |= run.machine.read(run.y) == 1 && run.machine.read(run.x) == 0; });
        return flag_first ? "flag first" : "data first";
    };
    return litmus;
}
TEST(Commands, APostSyncWriteIsSeenAfterWhatItsFlushBringsToMemory) {
    GEN9_COVERS("CS-57 CS-59");
    CommandLitmus litmus = flag_by_post_sync("walker, post-sync with data flush",
                                             Verdict::Forbidden, kStall | kFlushData);
    litmus.rule = "with a data flush, who sees the post-sync write sees the threads' data";
    litmus.source = "CS-57, CS-59; 003:1580-1582";
    expect_holds(litmus);
}
TEST(Commands, APostSyncWriteWithoutAFlushMayBeSeenBeforeTheData) {
    CommandLitmus litmus =
        flag_by_post_sync("walker, post-sync without flush", Verdict::Allowed, kStall);
    litmus.rule = "without a flush the threads' data may still be in L3";
    litmus.source = "CS-57; 003:1580";
    expect_holds(litmus);
}

/// The same flag, by other commands: the data is in memory before it, or need not be.
CommandLitmus flag_by(const char* name, Verdict early,
                      const std::function<Words(const Once&)>& commands) {
    CommandLitmus litmus = flag_by_post_sync(name, early, 0);
    litmus.body = [commands](Once& run) {
        bool flag_first = false;
        run.go(run.pause() + run.walker(0) + commands(run),
               [&] { flag_first |= run.machine.read(run.y) == 1 && run.machine.read(run.x) == 0; });
        return flag_first ? "flag first" : "data first";
    };
    return litmus;
}
TEST(Commands, AFlushBeforeAPostSyncWriteMayBeACommandOfItsOwn) {
    CommandLitmus litmus = flag_by(
        "walker, data flush, post-sync", Verdict::Forbidden,
        [](const Once& run) { return pipe_control(kStall | kFlushData) + post_sync(0, run.y, 1); });
    litmus.rule = "a flush with stall is done before the next PIPE_CONTROL";
    litmus.source = "CS-57, CS-70; 003:1580, 1624";
    expect_holds(litmus);
}
TEST(Commands, AFlushBehindAPostSyncWriteIsTooLateForIt) {
    CommandLitmus litmus =
        flag_by("walker, post-sync, data flush", Verdict::Allowed, [](const Once& run) {
            return post_sync(kStall, run.y, 1) + kLater + pipe_control(kStall | kFlushData);
        });
    litmus.rule = "a post-sync write waits for the flush of its own command only";
    litmus.source = "CS-70; 003:1624";
    expect_holds(litmus);
}
TEST(Commands, AnInvalidationOfOtherCachesFlushesNoData) {
    CommandLitmus litmus =
        flag_by("walker, post-sync with invalidations", Verdict::Allowed, [](const Once& run) {
            return post_sync(kStall | kInvalidateConstant | kInvalidateState, run.y, 1) + kLater;
        });
    litmus.rule = "read-only caches' invalidations bring no data to memory";
    litmus.source = "CS-54, CS-72; 003:1574, 1634";
    expect_holds(litmus);
}
TEST(Commands, AFlushDwBringsDataToMemoryBeforeItsWrite) {
    CommandLitmus litmus = flag_by("walker, MI_FLUSH_DW", Verdict::Forbidden, [](const Once& run) {
        return Words{0x13004003, run.y, 0, 1, 0};
    });
    litmus.rule = "MI_FLUSH_DW writes when all before it is in memory";
    litmus.source = "cs-rs guide 3.2, MI_FLUSH_DW";
    expect_holds(litmus);
}

TEST(Commands, PostSyncWritesAppearInTheirOrder) {
    CommandLitmus litmus;
    litmus.name = "two post-sync writes";
    litmus.rule = "outstanding PIPE_CONTROLs retire in order";
    litmus.source = "CS-70; 003:1624";
    litmus.outcomes = {{"second first", Verdict::Forbidden}, {"in order", Verdict::Ordinary}};
    litmus.programs = {Code().pause(2).write(kX, 1)};
    litmus.body = [](Once& run) {
        bool second_first = false;
        run.go(
            run.pause() + run.walker(0) + post_sync(kStall, run.x, 1) + post_sync(0, run.y, 1),
            [&] { second_first |= run.machine.read(run.y) == 1 && run.machine.read(run.x) == 0; });
        return second_first ? "second first" : "in order";
    };
    expect_holds(litmus);
}

/// The streamer reads what a thread writes.
CommandLitmus read_back(const char* name, Verdict old, const Words& between) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.outcomes = {{"0", old}, {"1", Verdict::Ordinary}};
    litmus.programs = {Code().write(kX, 1).fence()};
    litmus.body = [between](Once& run) {
        run.go(run.pause() + run.walker(0) + between + copy(run.x, run.result));
        return std::to_string(run.machine.read(run.result));
    };
    return litmus;
}
TEST(Commands, TheStreamerReadsAThreadsDataAfterTheRecipe) {
    GEN9_COVERS("CS-60");
    CommandLitmus litmus = read_back("read back by the recipe", Verdict::Forbidden,
                                     post_sync(kStall | kFlushData, 0x9000000, 1));
    litmus.rule = "after stall, flush and post-sync write the engine reads what its threads wrote";
    litmus.source = "CS-60; 003:1584-1592";
    expect_holds(litmus);
}
TEST(Commands, WithoutTheFlushTheStreamerMayReadOldData) {
    CommandLitmus litmus =
        read_back("read back without flush", Verdict::Allowed, pipe_control(kStall));
    litmus.rule = "a stall alone does not bring data out of L3";
    litmus.source = "CS-57; 003:1580";
    expect_holds(litmus);
}

/// The host writes data, then a flag; the streamer reads the data.
CommandLitmus host_to_streamer(const char* name, Verdict old, bool semaphore) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.outcomes = {{"0", old}, {"1", Verdict::Ordinary}};
    litmus.body = [semaphore](Once& run) {
        const Words wait = semaphore ? wait_for(run.y, 1) : Words();
        unsigned steps = 2 + run.draw(300);
        run.go(run.pause() + wait + copy(run.x, run.result), [&] {
            if (steps == 1) run.machine.write(run.y, 1);
            if (steps == 2) run.machine.write(run.x, 1);
            if (steps != 0) --steps;
        });
        return std::to_string(run.machine.read(run.result));
    };
    return litmus;
}
TEST(Commands, ASemaphoreHoldsBackLaterReads) {
    CommandLitmus litmus = host_to_streamer("semaphore, read", Verdict::Forbidden, true);
    litmus.rule = "behind a semaphore the streamer reads what was written before its signal";
    litmus.source = "CS-130; 003:17039-17054";
    expect_holds(litmus);
}
TEST(Commands, WithoutASemaphoreOldDataMayBeRead) {
    CommandLitmus litmus = host_to_streamer("read without semaphore", Verdict::Allowed, false);
    litmus.rule = "nothing else orders the streamer's reads after the host's writes";
    litmus.source = "CS-130; 003:17039-17054";
    expect_holds(litmus);
}

// The comparison can fail: a stall left out is found.
TEST(LitmusFault, AStallLeftOutIsFound) {
    CommandLitmus litmus = flag_after_walker("fault: no stall", Verdict::Forbidden, {});
    const Tally tally = count(litmus);
    ASSERT_EQ(tally.broken().size(), 1u);
    EXPECT_NE(tally.broken()[0].find("forbidden outcome flag first met"), std::string::npos);
}

}  // namespace
}  // namespace gen9::litmus
