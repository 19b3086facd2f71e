// SPDX-License-Identifier: Apache-2.0
// Order of accesses to global memory: what one thread may count on, and what only a fence gives.
// Outcomes are the results of the threads in turn.
#include <gtest/gtest.h>

#include "tests/litmus/shapes.h"
#include "tests/support/covers.h"

namespace gen9::litmus {
namespace {

Litmus message_passing(const char* name, Place reader, bool writer_fence, bool reader_fence) {
    Litmus litmus;
    litmus.name = name;
    litmus.threads = shape::message_passing(
        {.second = reader, .first_fence = writer_fence, .second_fence = reader_fence});
    const bool fenced = writer_fence && reader_fence;
    litmus.rule = fenced ? "with fences on both sides, who sees the flag sees the data"
                         : "without both fences, the flag may be seen before the data";
    litmus.source = fenced ? "DP-196, DP-200; 003:7005-7019" : "DP-021, DP-024; 003:4844-4850";
    litmus.outcomes = {{"1 0", fenced ? Verdict::Forbidden : Verdict::Allowed},
                       {"0 0", Verdict::Ordinary},
                       {"0 1", Verdict::Ordinary},
                       {"1 1", Verdict::Ordinary}};
    return litmus;
}

TEST(Litmus, MessagePassing) {
    GEN9_COVERS("DP-021 DP-024");
    expect_holds(message_passing("message passing", kOther, false, false));
}
TEST(Litmus, MessagePassingWithinASubslice) {
    GEN9_COVERS("DP-021");
    expect_holds(message_passing("message passing, same subslice", kSameSubslice, false, false));
}
TEST(Litmus, MessagePassingWithAFenceAtTheWriterOnly) {
    GEN9_COVERS("DP-024");
    expect_holds(message_passing("message passing, writer fenced", kOther, true, false));
}
TEST(Litmus, MessagePassingWithAFenceAtTheReaderOnly) {
    GEN9_COVERS("DP-021");
    expect_holds(message_passing("message passing, reader fenced", kOther, false, true));
}
TEST(Litmus, MessagePassingWithFences) {
    GEN9_COVERS("DP-196 DP-197 DP-200");
    expect_holds(message_passing("message passing, fenced", kOther, true, true));
}
TEST(Litmus, MessagePassingWithFencesWithinASubslice) {
    GEN9_COVERS("DP-196");
    expect_holds(
        message_passing("message passing, fenced, same subslice", kSameSubslice, true, true));
}
TEST(Litmus, MessagePassingWithFencesWithinAnEu) {
    GEN9_COVERS("DP-196");
    expect_holds(message_passing("message passing, fenced, same EU", kSameEu, true, true));
}

// A fence holds the thread's later messages in the data port; the thread need not wait for it.
TEST(Litmus, MessagePassingWithFencesNotWaitedFor) {
    GEN9_COVERS("DP-196");
    Code writer, reader;
    writer.write(kX, 1).fence_sent().write(kY, 1);
    reader.read(kY).fence_sent().read(kX);
    Litmus litmus = message_passing("message passing, fences not waited for", kOther, true, true);
    litmus.rule = "later messages of a thread wait for its fence, though the thread does not";
    litmus.threads = {{kA, writer}, {kOther, reader}};
    expect_holds(litmus);
}

Litmus store_buffering(const char* name, Place other, bool fenced) {
    Litmus litmus;
    litmus.name = name;
    litmus.rule = fenced ? "with a fence between write and read, one of two threads sees the other"
                         : "a thread's read may pass its earlier write to another address";
    litmus.source = fenced ? "DP-196; 003:7005-7015" : "DP-021; 003:4844";
    litmus.threads = shape::store_buffering(Pair{.second = other}.fenced(fenced));
    litmus.outcomes = {{"0 0", fenced ? Verdict::Forbidden : Verdict::Allowed},
                       {"0 1", Verdict::Ordinary},
                       {"1 0", Verdict::Ordinary},
                       {"1 1", Verdict::Ordinary}};
    return litmus;
}

TEST(Litmus, StoreBuffering) {
    GEN9_COVERS("DP-021");
    expect_holds(store_buffering("store buffering", kOther, false));
}
TEST(Litmus, StoreBufferingWithinASubslice) {
    GEN9_COVERS("DP-021");
    expect_holds(store_buffering("store buffering, same subslice", kSameSubslice, false));
}
TEST(Litmus, StoreBufferingWithFences) {
    GEN9_COVERS("DP-196");
    expect_holds(store_buffering("store buffering, fenced", kOther, true));
}
TEST(Litmus, StoreBufferingWithFencesWithinASubslice) {
    GEN9_COVERS("DP-196");
    expect_holds(store_buffering("store buffering, fenced, same subslice", kSameSubslice, true));
}

Litmus load_buffering(const char* name, Place other, bool fenced) {
    Litmus litmus;
    litmus.name = name;
    litmus.rule = fenced ? "with a fence between read and write, not both threads see the other"
                         : "a thread's write may pass its earlier read of another address";
    litmus.source = fenced ? "DP-196; 003:7005-7015" : "DP-021; 003:4844";
    litmus.threads = shape::load_buffering(Pair{.second = other}.fenced(fenced));
    litmus.outcomes = {{"1 1", fenced ? Verdict::Forbidden : Verdict::Allowed},
                       {"0 1", Verdict::Ordinary},
                       {"1 0", Verdict::Ordinary},
                       {"0 0", Verdict::Ordinary}};
    return litmus;
}

TEST(Litmus, LoadBuffering) {
    GEN9_COVERS("DP-021");
    expect_holds(load_buffering("load buffering", kOther, false));
}
TEST(Litmus, LoadBufferingWithFences) {
    GEN9_COVERS("DP-196");
    expect_holds(load_buffering("load buffering, fenced", kOther, true));
}
TEST(Litmus, LoadBufferingWithFencesWithinASubslice) {
    GEN9_COVERS("DP-196");
    expect_holds(load_buffering("load buffering, fenced, same subslice", kSameSubslice, true));
}

Litmus two_plus_two_writes(const char* name, bool fenced) {
    Litmus litmus;
    litmus.name = name;
    litmus.rule = fenced ? "with fences, not both first writes come last"
                         : "writes of a thread to two addresses may change places";
    litmus.source = fenced ? "DP-196; 003:7005-7015" : "DP-021; 003:4844";
    litmus.threads = shape::two_writes_each(Pair{}.fenced(fenced));
    litmus.finals = true;
    litmus.outcomes = {{"1 1", fenced ? Verdict::Forbidden : Verdict::Allowed},
                       {"1 2", Verdict::Ordinary},
                       {"2 1", Verdict::Ordinary},
                       {"2 2", Verdict::Ordinary}};
    return litmus;
}

TEST(Litmus, TwoWritesEach) {
    GEN9_COVERS("DP-021");
    expect_holds(two_plus_two_writes("2+2 writes", false));
}
TEST(Litmus, TwoWritesEachWithFences) {
    GEN9_COVERS("DP-196");
    expect_holds(two_plus_two_writes("2+2 writes, fenced", true));
}

// Independent reads of independent writes: with fences the two readers agree on the order.
TEST(Litmus, IndependentReadsOfIndependentWritesWithFences) {
    GEN9_COVERS("DP-196");
    Code x, y, first, second;
    x.write(kX, 1);
    y.write(kY, 1);
    first.read(kX).fence().read(kY);
    second.read(kY).fence().read(kX);
    Litmus litmus;
    litmus.name = "independent reads of independent writes, fenced";
    litmus.rule = "a write seen by one thread is seen by all";
    litmus.source = "DP-196, DP-198; 003:7005-7021";
    litmus.threads = {{kA, x}, {kOther, y}, {kThird, first}, {kSameSubslice, second}};
    litmus.outcomes = {{"1 0 1 0", Verdict::Forbidden}};
    litmus.others = Verdict::Ordinary;
    expect_holds(litmus);
}

// ---- one address ----

TEST(Litmus, AThreadsAccessesToAnAddressKeepTheirOrder) {
    GEN9_COVERS("DP-020 DP-002");
    Code code;
    code.write_port0(kX, 1).add(kX, 1).read(kX).write(kX, 7).read_port0(kX).add(kX, 3).read(kX);
    Litmus litmus;
    litmus.name = "one thread, one address, both ports";
    litmus.rule = "reads, writes and atomics of a thread to an address act in order of issue";
    litmus.source = "DP-020, DP-002; 003:4844";
    litmus.threads = {{kA, code}};
    litmus.variables = 1;
    litmus.outcomes = {{"1 2 7 7 10", Verdict::Ordinary}};
    expect_holds(litmus);
}

TEST(Litmus, CoherenceOfReadsOfOneAddress) {
    GEN9_COVERS("DP-020");
    Code writer, reader;
    writer.write(kX, 1).write(kX, 2).write(kX, 3);
    reader.read(kX).read(kX).read(kX);
    Litmus litmus;
    litmus.name = "coherence, three writes, three reads";
    litmus.rule = "a thread's reads of an address never go back in its order of values";
    litmus.source = "DP-020; 003:4844";
    litmus.threads = {{kA, writer}, {kOther, reader}};
    litmus.variables = 1;
    for (unsigned a = 0; a < 4; ++a)
        for (unsigned b = a; b < 4; ++b)
            for (unsigned c = b; c < 4; ++c)
                litmus.outcomes.push_back(
                    {std::to_string(a) + " " + std::to_string(b) + " " + std::to_string(c),
                     Verdict::Ordinary});
    expect_holds(litmus);
}

TEST(Litmus, CoherenceOfWritesOfOneAddress) {
    GEN9_COVERS("DP-020");
    Code first, second;
    first.write(kX, 1).read(kX);
    second.write(kX, 2).read(kX);
    Litmus litmus;
    litmus.name = "coherence, two writers that read back";
    litmus.rule = "all threads agree on the order of writes to an address";
    litmus.source = "DP-020; 003:4844";
    litmus.threads = {{kA, first}, {kOther, second}};
    litmus.variables = 1;
    litmus.finals = true;
    litmus.outcomes = {{"1 1 1", Verdict::Ordinary},
                       {"1 2 2", Verdict::Ordinary},
                       {"1 2 1", Verdict::Ordinary},
                       {"2 2 2", Verdict::Ordinary}};
    // 1 2 1: the second read its own before the first overwrote it.
    expect_holds(litmus);
}

TEST(Litmus, WritesToOneLineByTwoThreadsAreBothKept) {
    GEN9_COVERS("L3-32");
    Code first, second;
    first.write(kX, 1).read(kY);
    second.write(kY, 1).read(kX);
    Litmus litmus;
    litmus.name = "neighbours in a line";
    litmus.rule = "accesses to one line act in order of arrival, whatever dword they name";
    litmus.source = "L3-32; 003:18517-18530";
    litmus.threads = {{kA, first}, {kOther, second}};
    litmus.one_line = litmus.finals = true;
    litmus.outcomes = {{"0 1 1 1", Verdict::Ordinary},
                       {"1 0 1 1", Verdict::Ordinary},
                       {"1 1 1 1", Verdict::Ordinary}};
    expect_holds(litmus);
}

TEST(Litmus, TwoAddressesOfOnePlaceAreNotOrdered) {
    GEN9_COVERS("DP-023");
    Code code;
    code.write(kX, 1).read(kY);
    Litmus litmus;
    litmus.name = "virtual alias";
    litmus.rule = "two virtual addresses of a physical line are not ordered against each other";
    litmus.source = "DP-023; 003:4849";
    litmus.threads = {{kA, code}};
    litmus.aliased = true;
    litmus.outcomes = {{"0", Verdict::Allowed}, {"1", Verdict::Ordinary}};
    expect_holds(litmus);
}

// A message of eight slots within a line is seen whole or not at all; one that spans lines is not.
TEST(Litmus, LoadsNeverSeeATornValue) {
    GEN9_COVERS("L3-46");
    Code first, second, reader;
    first.write(kX, 0x11111111);
    second.write(kX, 0x22222222);
    reader.read(kX);
    Litmus litmus;
    litmus.name = "no torn values";
    litmus.rule = "a load sees a whole store or none of it";
    litmus.source = "L3-46; 003:18629-18634";
    litmus.threads = {{kA, first}, {kOther, second}, {kThird, reader}};
    litmus.variables = 1;
    litmus.outcomes = {{"0", Verdict::Ordinary},
                       {std::to_string(0x11111111), Verdict::Ordinary},
                       {std::to_string(0x22222222), Verdict::Ordinary}};
    expect_holds(litmus);
}

// A harness that finds nothing proves nothing: the fenced program with one fence left out is still
// held against what the fences forbid.
TEST(LitmusFault, AFenceLeftOutIsFound) {
    Litmus litmus = message_passing("fault: fence left out", kOther, false, true);
    litmus.outcomes[0].verdict = Verdict::Forbidden;
    Runner runner(litmus);
    runner.run();
    EXPECT_GT(runner.count("1 0"), 0u);
    ASSERT_EQ(runner.broken().size(), 1u);
    EXPECT_NE(runner.broken()[0].find("forbidden outcome 1 0 met"), std::string::npos);
}

TEST(LitmusFault, AnAllowedOutcomeThatIsNeverMetIsFound) {
    Litmus litmus = message_passing("fault: allowed not met", kOther, true, true);
    litmus.outcomes[0].verdict = Verdict::Allowed;
    Runner runner(litmus);
    runner.run();
    ASSERT_EQ(runner.broken().size(), 1u);
    EXPECT_NE(runner.broken()[0].find("allowed outcome 1 0 not met"), std::string::npos);
}

}  // namespace
}  // namespace gen9::litmus
