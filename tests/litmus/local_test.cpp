// SPDX-License-Identifier: Apache-2.0
// Order of accesses to SLM, and of barriers with both kinds of memory.
#include <gtest/gtest.h>

#include "tests/litmus/shapes.h"
#include "tests/support/covers.h"

namespace gen9::litmus {
namespace {

constexpr Pair in_slm(Place second) {
    return {.second = second, .x = Space::Local, .y = Space::Local};
}

Litmus local(const char* name, const char* rule, Threads threads) {
    Litmus litmus;
    litmus.name = name;
    litmus.rule = rule;
    litmus.source = "DP-027, L3-61; 003:4858-4860, 003:18737";
    litmus.threads = std::move(threads);
    litmus.local = true;
    litmus.others = Verdict::Ordinary;
    return litmus;
}

// No fences anywhere: SLM keeps the order of what its data port receives, so threads of a group see
// each other's accesses as if they took turns.
TEST(LitmusLocal, MessagePassing) {
    GEN9_COVERS("DP-027 L3-61");
    Litmus litmus = local("SLM message passing, no fence", "who sees the flag sees the data",
                          shape::message_passing(in_slm(kSameSubslice)));
    litmus.outcomes = {{"1 0", Verdict::Forbidden}};
    expect_holds(litmus);
}
TEST(LitmusLocal, StoreBuffering) {
    GEN9_COVERS("DP-027 L3-61");
    Litmus litmus = local("SLM store buffering, no fence", "one of the two sees the other",
                          shape::store_buffering(in_slm(kSameSubslice)));
    litmus.outcomes = {{"0 0", Verdict::Forbidden}};
    expect_holds(litmus);
}
TEST(LitmusLocal, LoadBuffering) {
    GEN9_COVERS("DP-027 L3-61");
    Litmus litmus = local("SLM load buffering, no fence", "not both see the other",
                          shape::load_buffering(in_slm(kSameEu)));
    litmus.outcomes = {{"1 1", Verdict::Forbidden}};
    expect_holds(litmus);
}
TEST(LitmusLocal, CoherenceAndAtomics) {
    GEN9_COVERS("L3-61 SLM-11");
    Code first(Space::Local), second(Space::Local);
    first.write(kX, 1).add(kX, 4).read(kX);
    second.add(kX, 8);
    Litmus litmus = local("SLM, one address", "accesses to a word act one after the other",
                          {{kA, first}, {kSameSubslice, second}});
    litmus.variables = 1;
    // The second's add before the write is lost with it, later it is seen by what follows.
    litmus.others = Verdict::Forbidden;
    litmus.outcomes = {{"1 5 0", Verdict::Ordinary},
                       {"9 13 1", Verdict::Ordinary},
                       {"1 13 5", Verdict::Ordinary},
                       {"1 5 5", Verdict::Ordinary}};
    expect_holds(litmus);
}

// ---- a group over several data ports: thread pools ----

// The data ports of two subslices reach one SLM, the writer's by a longer way: order is software's.
constexpr const char* kPoolSource = "POOL-10, DP-027; 003:4858-4860, 000:933-939";

TEST(LitmusPool, MessagePassingWithoutFencesIsNotOrdered) {
    GEN9_COVERS("DP-027 POOL-10");
    // x is a flag in memory, y is in SLM. The writer waits for nothing.
    Code writer(Space::Local), reader;
    writer.write(kY, 1).in(Space::Global).write(kX, 1);
    reader.read(kX).wait().in(Space::Local).read(kY);
    Litmus litmus = local("SLM of a pool, flag in memory, no fence", "the data may come later",
                          {{kOther, writer}, {kA, reader}});
    litmus.source = kPoolSource;
    litmus.local = false;
    litmus.local_from = kY;
    litmus.pooled = true;
    litmus.outcomes = {{"1 0", Verdict::Allowed}};
    expect_holds(litmus);
}
TEST(LitmusPool, AFenceOrdersAWriteByAnotherDataPort) {
    GEN9_COVERS("DP-027 POOL-10");
    Code writer(Space::Local), reader(Space::Local);
    writer.write(kX, 1).fence().write(kY, 1);
    reader.read(kY).fence().read(kX);
    Litmus litmus = local("SLM of a pool, fenced", "who sees the flag sees the data",
                          {{kOther, writer}, {kThird, reader}});
    litmus.source = kPoolSource;
    litmus.pooled = true;
    litmus.outcomes = {{"1 0", Verdict::Forbidden}};
    expect_holds(litmus);
}
TEST(LitmusPool, AtomicsOfAllDataPortsTakeTurns) {
    GEN9_COVERS("POOL-10 SLM-11");
    Code add(Space::Local);
    add.add(kX, 1);
    Litmus litmus = local("SLM of a pool, atomics", "no two see the same value",
                          {{kA, add}, {kOther, add}, {kThird, add}});
    litmus.source = kPoolSource;
    litmus.pooled = true;
    litmus.variables = 1;
    litmus.others = Verdict::Forbidden;
    for (const char* order : {"0 1 2", "0 2 1", "1 0 2", "1 2 0", "2 0 1", "2 1 0"})
        litmus.outcomes.push_back({order, Verdict::Ordinary});
    expect_holds(litmus);
}

// ---- barriers ----

/// All but the reader only meet it at the barrier; the writer has much under way before.
Litmus through_barrier(const char* name, Space space, bool fenced) {
    Code writer(space), reader(space), busy(space);
    for (unsigned v = 2; v < 8; ++v)
        writer.write(v, 1);
    writer.write(kX, 1);
    if (fenced) writer.fence();
    writer.barrier();
    if (fenced) reader.fence();
    reader.barrier().read(kX);
    for (unsigned v = 2; v < 8; ++v)
        busy.add(v, 1);
    if (fenced) busy.fence();
    busy.barrier();
    Litmus litmus;
    litmus.name = name;
    litmus.threads = {{kSameSubslice, reader}, {kA, writer}, {kSameEu, busy}};
    litmus.variables = 8;
    litmus.local = space == Space::Local;
    litmus.others = Verdict::Ordinary;
    return litmus;
}

/// Only the reader's result matters.
void expect_reader_sees(Litmus litmus, Verdict if_not) {
    Runner runner(std::move(litmus), {},
                  [](const std::string& outcome) { return outcome.substr(0, outcome.find(' ')); });
    runner.expect({{"0", if_not}, {"1", Verdict::Ordinary}});
    runner.run();
    for (const std::string& sentence : runner.broken())
        ADD_FAILURE() << sentence;
}

TEST(LitmusBarrier, LocalMemoryIsOrderedWithoutAFence) {
    GEN9_COVERS("GW-38");
    Litmus litmus = through_barrier("SLM through a barrier, no fence", Space::Local, false);
    litmus.rule = "after the barrier all writes to SLM from before it are seen";
    litmus.source = "DP-027, GW-38; 003:4858-4860";
    expect_reader_sees(litmus, Verdict::Forbidden);
}
TEST(LitmusBarrier, LocalMemoryIsOrderedWithoutAFenceWhenTheDataPortIsSlow) {
    GEN9_COVERS("DP-027 L3-61");
    Litmus litmus =
        through_barrier("SLM through a barrier, no fence, data port held up", Space::Local, false);
    litmus.rule = "the same, though writes still wait in the data port when the barrier opens";
    litmus.source = "DP-027, L3-61; 003:4858-4860";
    Runner runner(litmus, {"hdc.messages_in_flight=1", "gateway.release_cycles=16"},
                  [](const std::string& outcome) { return outcome.substr(0, outcome.find(' ')); });
    runner.expect({{"0", Verdict::Forbidden}, {"1", Verdict::Ordinary}});
    runner.run();
    EXPECT_TRUE(runner.broken().empty()) << runner.broken().front();
}
// The fence holds the write to SLM in the data port while the barrier opens.
TEST(LitmusBarrier, LocalMemoryBehindAFenceIsOrderedAllTheSame) {
    GEN9_COVERS("L3-61");
    Code writer, reader(Space::Local);
    writer.write(kX, 1).fence_sent().in(Space::Local).write(kY, 1).barrier();
    reader.barrier().read(kY);
    Litmus litmus;
    litmus.name = "SLM through a barrier, behind a fence";
    litmus.rule = "a read of SLM does not pass a write that a fence holds";
    litmus.source = "DP-027, L3-61; 003:4858-4860, 003:18737";
    litmus.threads = {{kA, writer}, {kSameSubslice, reader}};
    litmus.local_from = kY;
    litmus.outcomes = {{"0", Verdict::Forbidden}, {"1", Verdict::Ordinary}};
    expect_holds(litmus);
}
TEST(LitmusBarrier, ABarrierAloneOrdersNothingInGlobalMemory) {
    GEN9_COVERS("GW-38 DP-021");
    Litmus litmus =
        through_barrier("global memory through a barrier, no fence", Space::Global, false);
    litmus.rule = "a barrier alone orders nothing in memory";
    litmus.source = "GW-38; 003:4856-4860";
    expect_reader_sees(litmus, Verdict::Allowed);
}
TEST(LitmusBarrier, FencesBeforeABarrierOrderGlobalMemory) {
    GEN9_COVERS("DP-200 DP-028 GW-38 DP-196");
    Litmus litmus = through_barrier("global memory through a barrier, fenced", Space::Global, true);
    litmus.rule = "after fence and barrier all writes from before are seen";
    litmus.source = "DP-028, DP-200, GW-38; 003:4856, 003:7015-7019";
    expect_reader_sees(litmus, Verdict::Forbidden);
}

// The data is in SLM, the flag in memory or the other way round: two ways, no order between them.
Litmus two_memories(const char* name, bool fenced) {
    Litmus litmus;
    litmus.name = name;
    litmus.rule = fenced ? "a fence orders accesses to memory and SLM"
                         : "accesses to memory and to SLM are not ordered";
    litmus.source = "DP-021, DP-198; 003:4844, 003:7021";
    litmus.threads =
        shape::message_passing(Pair{.second = kSameSubslice, .y = Space::Local}.fenced(fenced));
    litmus.local_from = kY;
    litmus.outcomes = {{"1 0", fenced ? Verdict::Forbidden : Verdict::Allowed}};
    litmus.others = Verdict::Ordinary;
    return litmus;
}
TEST(LitmusLocal, DataInMemoryFlagInSlm) {
    GEN9_COVERS("DP-021");
    expect_holds(two_memories("data in memory, flag in SLM", false));
}
TEST(LitmusLocal, DataInMemoryFlagInSlmWithFences) {
    GEN9_COVERS("DP-196 DP-198");
    expect_holds(two_memories("data in memory, flag in SLM, fenced", true));
}

}  // namespace
}  // namespace gen9::litmus
