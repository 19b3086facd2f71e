// SPDX-License-Identifier: Apache-2.0
// Order at the level of commands: what PIPE_CONTROL invalidates, when, and what follows its work.
// One rule a test.
#include <gtest/gtest.h>

#include "common/bits.h"
#include "tests/litmus/command_litmus.h"
#include "tests/support/covers.h"

namespace gen9::litmus {
namespace {

using namespace commands;

constexpr std::uint32_t kFlushPipeControl = 1u << 7, kNotify = 1u << 8,
                        kInvalidateTexture = 1u << 10, kInvalidateInstruction = 1u << 11,
                        kInvalidateTlb = 1u << 18, kRegisterPostSync = 1u << 23;

CommandLitmus about(const char* name, const char* rule, const char* source,
                    std::vector<Outcome> outcomes, std::vector<Code> programs,
                    const std::function<std::string(Once&)>& body) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.rule = rule;
    litmus.source = source;
    litmus.outcomes = std::move(outcomes);
    litmus.programs = std::move(programs);
    litmus.body = body;
    return litmus;
}
std::vector<Outcome> old_is(Verdict verdict) {
    return {{"0", verdict}, {"1", Verdict::Ordinary}};
}

/// A walker reads, the streamer changes what it read, `between`, another walker reads again.
/// `change` makes 1 of what was 0. Gives what the second one reads.
std::string read_twice(Once& run, const Words& change, const Words& between) {
    const std::uint32_t second = run.result + 64;
    run.go(run.pause() + run.walker(0) + pipe_control(kStall) + change + between +
           run.machine.walker(0, {run.x, run.y, run.z}, second));
    return std::to_string(run.machine.read(second));
}

// ---- read-only caches ----

CommandLitmus constants(const char* name, const char* rule, const char* source, Verdict old,
                        const Words& between) {
    return about(name, rule, source, old_is(old), {Code().constant()}, [between](Once& run) {
        run.machine.bind(run.x);
        return read_twice(run, store(run.x, 1), between);
    });
}
TEST(CacheOrder, ConstantsAreOldWithoutAnInvalidation) {
    GEN9_COVERS("CS-66");
    expect_holds(constants("constant, store, constant",
                           "a constant in its cache stays although memory has changed",
                           "CS-66; 003:1616-1618", Verdict::Allowed, {}));
}
TEST(CacheOrder, ConstantsAreNewBehindTheirInvalidation) {
    GEN9_COVERS("CS-54 CS-72");
    expect_holds(constants("constant, store, invalidation of constants, constant",
                           "an invalidation of constants drops what was read before",
                           "CS-54, CS-72; 003:1574, 1634", Verdict::Forbidden,
                           pipe_control(kInvalidateConstant)));
}
TEST(CacheOrder, ConstantsStayWhereOtherCachesAreInvalidated) {
    GEN9_COVERS("CS-72");
    expect_holds(constants("constant, store, other invalidations, constant",
                           "the bits of other caches leave constants alone", "CS-72; 003:1634",
                           Verdict::Allowed,
                           pipe_control(kStall | kInvalidateState | kInvalidateInstruction)));
}

CommandLitmus texels(const char* name, const char* rule, const char* source, Verdict old,
                     const Words& between) {
    return about(name, rule, source, old_is(old), {Code().texel()}, [between](Once& run) {
        run.machine.bind(run.x);
        return read_twice(run, store(run.x, 1), between);
    });
}
TEST(CacheOrder, TexelsAreOldWithoutAnInvalidation) {
    expect_holds(texels("texel, store, texel",
                        "a texel in its cache stays although memory has changed",
                        "CS-66; 003:1616-1618", Verdict::Allowed, {}));
}
TEST(CacheOrder, TexelsAreNewBehindTheirInvalidation) {
    GEN9_COVERS("CS-72 CS-85");
    expect_holds(texels("texel, store, invalidation of textures, texel",
                        "an invalidation of textures drops what was read before",
                        "CS-72, CS-85; 003:1634, 1695", Verdict::Forbidden,
                        pipe_control(kStall | kInvalidateTexture)));
}

/// A thread writes what another one samples.
CommandLitmus written_texels(const char* name, const char* rule, const char* source, Verdict old,
                             const Words& between) {
    return about(name, rule, source, old_is(old), {Code().texel(), Code().write(kX, 1).fence()},
                 [between](Once& run) {
                     run.machine.bind(run.x);
                     const std::uint32_t second = run.result + 64;
                     const std::vector<std::uint32_t> variables = {run.x, run.y, run.z};
                     run.go(run.pause() + run.walker(0) + pipe_control(kStall) +
                            run.machine.walker(1, variables, second + 64) + between +
                            run.machine.walker(0, variables, second));
                     return std::to_string(run.machine.read(second));
                 });
}
TEST(CacheOrder, WhatThreadsWriteIsSampledBehindStallFlushAndInvalidation) {
    expect_holds(written_texels("texel, walker, flush with invalidation, texel",
                                "behind a wait, textures are invalidated after the flush",
                                "SMP-272, CS-85", Verdict::Forbidden,
                                pipe_control(kStall | kFlushData | kInvalidateTexture)));
}
TEST(CacheOrder, WhatThreadsWriteMayNotBeSampledBehindAStallAlone) {
    expect_holds(written_texels("texel, walker, stall, texel", "a stall invalidates nothing",
                                "CS-66, CS-72; 003:1616, 1634", Verdict::Allowed,
                                pipe_control(kStall)));
}

/// Surface state that names another buffer, in which there is a 1.
CommandLitmus states(const char* name, const char* rule, const char* source, Verdict old,
                     const Words& between) {
    return about(name, rule, source, old_is(old), {Code().texel()}, [between](Once& run) {
        run.machine.bind(run.x);
        run.machine.write(run.y, 1);
        return read_twice(run, store(CommandMachine::kSurfaceAddress, run.y), between);
    });
}
TEST(CacheOrder, SurfaceStateIsOldWithoutAnInvalidation) {
    expect_holds(states("texel, new surface state, texel",
                        "state in its cache stays although memory has changed",
                        "CS-66; 003:1616-1618", Verdict::Allowed, {}));
}
TEST(CacheOrder, SurfaceStateIsNewBehindItsInvalidation) {
    GEN9_COVERS("CS-72");
    expect_holds(states("texel, new surface state, invalidation of state, texel",
                        "an invalidation of state drops what was read before", "CS-72; 003:1634",
                        Verdict::Forbidden, pipe_control(kInvalidateState)));
}

/// The value that a program writes is part of its code.
CommandLitmus instructions(const char* name, const char* rule, const char* source, Verdict old,
                           const Words& between) {
    const Code writes_seven = Code().write(kX, 7).fence();
    return about(name, rule, source, old_is(old), {writes_seven}, [=](Once& run) {
        const auto before = writes_seven.bytes(), after = Code().write(kX, 8).fence().bytes();
        Words change;
        for (std::uint32_t at = 0; at < before.size(); at += 4) {
            const auto word = load<std::uint32_t>(&after[at]);
            if (load<std::uint32_t>(&before[at]) != word)
                change = change + store(CommandMachine::kCode + at, word);
        }
        run.machine.load(0, writes_seven);
        run.go(run.pause() + run.walker(0) + pipe_control(kStall) + change + between +
               run.walker(0));
        return std::to_string(run.machine.read(run.x) - 7);
    });
}
TEST(CacheOrder, CodeIsOldWithoutAnInvalidation) {
    expect_holds(instructions("walker, new code, walker",
                              "code in its cache stays although memory has changed",
                              "CS-66; 003:1616-1618", Verdict::Allowed, {}));
}
TEST(CacheOrder, CodeIsNewBehindItsInvalidation) {
    GEN9_COVERS("CS-72");
    expect_holds(instructions("walker, new code, invalidation of code, walker",
                              "an invalidation of instructions drops what ran before",
                              "CS-72, CS-84; 003:1634, 1688", Verdict::Forbidden,
                              pipe_control(kInvalidateInstruction)));
}

/// A page of 2 MB that is moved; at its new place there is a 1. The second walker reads a line that
/// no cache has.
CommandLitmus translations(const char* name, const char* rule, const char* source, Verdict old,
                           const Words& between) {
    return about(name, rule, source, old_is(old), {Code().read(kX)}, [between](Once& run) {
        constexpr std::uint32_t kPage = 0x30000000, kOther = 0x30200000, kPageBytes = 1u << 21;
        const std::uint32_t line = run.x % kPageBytes, second = run.result + 64;
        const std::uint32_t place = CommandMachine::place_of_page(kPage);
        run.machine.write(place, CommandMachine::page_at(kPage));
        run.machine.write(kOther + line + 64, 1);
        run.go(run.pause() + run.machine.walker(0, {kPage + line, 0, 0}, run.result) +
               pipe_control(kStall) + store(place, CommandMachine::page_at(kOther)) + between +
               run.machine.walker(0, {kPage + line + 64, 0, 0}, second));
        return std::to_string(run.machine.read(second));
    });
}
TEST(CacheOrder, ATranslationIsOldWithoutAnInvalidation) {
    expect_holds(translations("read, new page table, read",
                              "a translation in its buffer stays although the table has changed",
                              "CS-66, CS-82; 003:1616, 1684", Verdict::Allowed,
                              pipe_control(kStall)));
}
TEST(CacheOrder, ATranslationIsNewBehindItsInvalidation) {
    GEN9_COVERS("CS-82");
    expect_holds(translations("read, new page table, TLB invalidation, read",
                              "an invalidation of the TLB drops what was translated before",
                              "CS-82; 003:1684", Verdict::Forbidden,
                              pipe_control(kStall | kInvalidateTlb)));
}

// ---- top of the pipe, end of the pipe ----

/// A walker takes its time before it reads a constant; `between`, then a store and another walker.
CommandLitmus late_reader(const char* name, const char* rule, const char* source, Verdict old,
                          const Words& between) {
    return about(name, rule, source, old_is(old), {Code().constant(), Code().pause(20).constant()},
                 [between](Once& run) {
                     run.machine.bind(run.x);
                     const std::uint32_t second = run.result + 64;
                     const std::vector<std::uint32_t> variables = {run.x, run.y, run.z};
                     run.go(run.machine.walker(1, variables, run.result) + between +
                            store(run.x, 1) + run.machine.walker(0, variables, second));
                     return std::to_string(run.machine.read(second));
                 });
}
TEST(PipeOrder, AnInvalidationActsOnParseAndNotBehindTheStallOfItsOwnCommand) {
    GEN9_COVERS("CS-54 CS-55 CS-89");
    expect_holds(late_reader("late constant, stall with invalidation, store, constant",
                             "an invalidation acts on parse: a thread from before fills the cache "
                             "again while the same command stalls",
                             "CS-55, CS-89; 003:1574", Verdict::Allowed,
                             pipe_control(kStall | kInvalidateConstant)));
}
TEST(PipeOrder, AnInvalidationBehindAStallFindsNobodyWhoFillsTheCacheAgain) {
    expect_holds(late_reader("late constant, stall, invalidation, store, constant",
                             "behind a stall nobody is left who could fill the cache again",
                             "CS-55, CS-87; 003:1574, 1690", Verdict::Forbidden,
                             pipe_control(kStall) + pipe_control(kInvalidateConstant)));
}

/// A walker reads after a while; `between`; the streamer writes 1 over what it reads.
CommandLitmus overwritten(const char* name, const char* rule, const char* source, Verdict early,
                          const Words& between) {
    return about(name, rule, source, {{"1", early}, {"0", Verdict::Ordinary}},
                 {Code().pause(4).read(kX)}, [between](Once& run) {
                     run.go(run.pause() + run.walker(0) + between + store(run.x, 1));
                     return std::to_string(run.machine.read(run.result));
                 });
}
TEST(PipeOrder, WhatThreadsReadMayBeOverwrittenTooEarly) {
    expect_holds(overwritten("late read, store", "nothing keeps the streamer from overwriting",
                             "CS-67; 003:1620-1624", Verdict::Allowed, {}));
}
TEST(PipeOrder, AtTheEndOfThePipeAllReadsAreDone) {
    GEN9_COVERS("CS-56");
    expect_holds(overwritten("late read, stall, store",
                             "at the end of the pipe reads are complete: what they read may be "
                             "used again",
                             "CS-56; 003:1576-1578", Verdict::Forbidden, pipe_control(kStall)));
}
TEST(PipeOrder, APostSyncWriteFollowsAllReads) {
    expect_holds(about("late read, post-sync",
                       "a post-sync write belongs to the end of the pipe, with or without a stall",
                       "CS-56, CS-69; 003:1576, 1626",
                       {{"1", Verdict::Forbidden}, {"0", Verdict::Ordinary}},
                       {Code().pause(4).read(kX)}, [](Once& run) {
                           run.go(run.pause() + run.walker(0) + post_sync(0, run.x, 1));
                           return std::to_string(run.machine.read(run.result));
                       }));
}

/// A walker writes; `last`; the host sees that it has happened by `seen`, and looks at memory.
CommandLitmus told(const char* name, const char* rule, const char* source, Verdict early,
                   const std::function<Words(const Once&)>& last,
                   const std::function<bool(Once&)>& seen, bool as_threads) {
    return about(name, rule, source, {{"told first", early}, {"data first", Verdict::Ordinary}},
                 {Code().pause(2).write(kX, 1).fence()}, [=](Once& run) {
                     run.machine.let_notify_pass();
                     bool told = false, early = false;
                     run.go(run.pause() + run.walker(0) + last(run), [&] {
                         if (told || !seen(run)) return;
                         told = true;
                         early = (as_threads ? run.machine.seen_by_threads(run.x)
                                             : run.machine.read(run.x)) == 0;
                     });
                     EXPECT_TRUE(told);
                     return early ? "told first" : "data first";
                 });
}
bool notified(Once& run) {
    return run.machine.notified();
}
TEST(PipeOrder, AnInterruptComesWhenTheDataIsInMemory) {
    GEN9_COVERS("CS-59 CS-65");
    expect_holds(told(
        "walker, flush with interrupt",
        "an interrupt is raised when all earlier writes are visible, as far as the flush bits say",
        "CS-59, CS-65; 003:1582, 1612-1614", Verdict::Forbidden,
        [](const Once&) { return pipe_control(kStall | kFlushData | kNotify); }, notified, false));
}
TEST(PipeOrder, AnInterruptWithoutAFlushSaysNothingOfMemory) {
    expect_holds(told(
        "walker, interrupt", "without a flush the threads' data may still be in L3",
        "CS-65; 003:1612-1614", Verdict::Allowed,
        [](const Once&) { return pipe_control(kStall | kNotify); }, notified, false));
}
TEST(PipeOrder, AnInterruptWaitsForAllThreads) {
    expect_holds(told(
        "walker, interrupt without stall", "an interrupt comes after all earlier work",
        "CS-65; 003:1612", Verdict::Forbidden, [](const Once&) { return pipe_control(kNotify); },
        notified, true));
}
TEST(PipeOrder, ARegisterWriteAfterTheWorkWaitsForAllThreads) {
    GEN9_COVERS("CS-76");
    constexpr std::uint32_t kRegister = 0x2608;
    expect_holds(told(
        "walker, register post-sync",
        "a register is written after the work before it, as memory would be",
        "CS-76; 003:1675-1676", Verdict::Forbidden,
        [](const Once& run) {
            // Another value in each run.
            return Words{0x7A000004, kRegisterPostSync, kRegister, 0, run.x, 0};
        },
        [](Once& run) { return run.machine.read_register(kRegister) == run.x; }, true));
}
TEST(PipeOrder, ARegisterWriteByACommandWaitsForNoThread) {
    constexpr std::uint32_t kRegister = 0x2608;
    expect_holds(told(
        "walker, register", "MI_LOAD_REGISTER_IMM is no wait", "CS-67; 003:1620-1624",
        Verdict::Allowed,
        [](const Once& run) {
            return Words{0x11000001, kRegister, run.x};
        },
        [](Once& run) { return run.machine.read_register(kRegister) == run.x; }, true));
}

// The streamer loads what an earlier post-sync operation writes.
TEST(PipeOrder, APostSyncWriteIsReadBehindItsFlush) {
    GEN9_COVERS("CS-05");
    expect_holds(about("post-sync with flush of PIPE_CONTROL, read",
                       "with Pipe Control Flush Enable the streamer reads what the operation wrote",
                       "CS-05; 003:1169", old_is(Verdict::Forbidden),
                       {Code().pause(4).write(kY, 1).fence()}, [](Once& run) {
                           run.go(run.pause() + run.walker(0) +
                                  post_sync(kFlushPipeControl, run.x, 1) + copy(run.x, run.result));
                           return std::to_string(run.machine.read(run.result));
                       }));
}

// The comparison can fail: an invalidation left out is found.
TEST(LitmusFault, AnInvalidationLeftOutIsFound) {
    const Tally tally = count(constants("fault: no invalidation", "", "", Verdict::Forbidden, {}));
    ASSERT_EQ(tally.broken().size(), 1u);
    EXPECT_NE(tally.broken()[0].find("forbidden outcome 0 met"), std::string::npos);
}

}  // namespace
}  // namespace gen9::litmus
