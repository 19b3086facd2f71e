// SPDX-License-Identifier: Apache-2.0
// Atomics: nothing comes between their read and their write, and they order nothing else.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "tests/litmus/shapes.h"
#include "tests/support/covers.h"

namespace gen9::litmus {
namespace {

constexpr Place kPlaces[] = {{0, 0, 0}, {0, 1, 2}, {1, 0, 1}, {2, 1, 5}};

Litmus increments(const char* name, bool local) {
    Litmus litmus;
    litmus.name = name;
    litmus.rule = "increments from all threads are all counted, and each returns another value";
    litmus.source = "DP-035, L3-45; 003:6237, 003:18603-18609";
    const Space space = local ? Space::Local : Space::Global;
    for (unsigned t = 0; t < 4; ++t)
        litmus.threads.push_back(
            {local ? Place{0, t % 2, t} : kPlaces[t], Code(space).add(kX, 1).add(kX, 1)});
    litmus.variables = 1;
    litmus.local = local;
    litmus.others = Verdict::Ordinary;
    return litmus;
}

void expect_all_counted(Litmus litmus) {
    Runner runner(std::move(litmus), {}, [](const std::string& outcome) {
        std::istringstream text(outcome);
        std::vector<unsigned> values(std::istream_iterator<unsigned>(text), {});
        bool ascending = true;
        for (std::size_t i = 0; i + 1 < values.size(); i += 2)
            ascending = ascending && values[i] < values[i + 1];
        std::sort(values.begin(), values.end());
        for (std::size_t i = 0; i < values.size(); ++i)
            if (values[i] != i) return std::string("lost");
        return std::string(ascending ? "all different" : "out of order");
    });
    runner.expect({{"all different", Verdict::Ordinary},
                   {"lost", Verdict::Forbidden},
                   {"out of order", Verdict::Forbidden}});
    runner.run();
    for (const std::string& sentence : runner.broken())
        ADD_FAILURE() << sentence;
}

TEST(LitmusAtomic, IncrementsOfGlobalMemoryAreAllCounted) {
    GEN9_COVERS("DP-035 L3-45");
    expect_all_counted(increments("atomic increments, 4 threads, 3 subslices", false));
}
TEST(LitmusAtomic, IncrementsOfLocalMemoryAreAllCounted) {
    GEN9_COVERS("SLM-11");
    expect_all_counted(increments("atomic increments in SLM, 4 threads", true));
}

TEST(LitmusAtomic, OneOfTwoCompareExchangesWins) {
    GEN9_COVERS("DP-035 DP-161");
    Litmus litmus;
    litmus.name = "two compare-exchanges";
    litmus.rule =
        "of two threads that exchange 0 for their own value, one fails and sees the other";
    litmus.source = "DP-035; 003:6237";
    litmus.threads = {{kPlaces[0], Code().compare_exchange(kX, 0, 1)},
                      {kPlaces[2], Code().compare_exchange(kX, 0, 2)}};
    litmus.variables = 1;
    litmus.finals = true;
    litmus.outcomes = {{"0 1 1", Verdict::Ordinary}, {"2 0 2", Verdict::Ordinary}};
    expect_holds(litmus);
}

TEST(LitmusAtomic, AStoreIsNeverLostInAnAtomic) {
    GEN9_COVERS("L3-46 DP-035");
    Litmus litmus;
    litmus.name = "store against atomic";
    litmus.rule = "a store falls before or after an atomic, never inside";
    litmus.source = "L3-46, DP-035; 003:18629-18634";
    litmus.threads = {{kPlaces[0], Code().add(kX, 1)}, {kPlaces[2], Code().write(kX, 16)}};
    litmus.variables = 1;
    litmus.finals = true;
    litmus.outcomes = {{"0 16", Verdict::Ordinary}, {"16 17", Verdict::Ordinary}};
    expect_holds(litmus);
}

// An atomic on the flag does not hold back or publish what was written before it.
Litmus atomic_flag(const char* name, bool fenced) {
    Code writer, reader;
    writer.write(kX, 1);
    if (fenced) writer.fence();
    writer.exchange(kY, 1);
    reader.add(kY, 0);
    if (fenced) reader.fence();
    reader.read(kX);
    Litmus litmus;
    litmus.name = name;
    litmus.rule = fenced ? "with fences, who sees the atomic sees what was written before it"
                         : "an atomic is no fence";
    litmus.source = "L3-45, DP-196; 003:18603-18609";
    litmus.threads = {{kPlaces[0], writer}, {kPlaces[2], reader}};
    litmus.outcomes = {{"0 1 0", fenced ? Verdict::Forbidden : Verdict::Allowed},
                       {"0 0 0", Verdict::Ordinary},
                       {"0 0 1", Verdict::Ordinary},
                       {"0 1 1", Verdict::Ordinary}};
    return litmus;
}
TEST(LitmusAtomic, AnAtomicIsNoFence) {
    GEN9_COVERS("L3-45");
    expect_holds(atomic_flag("message passing, atomic flag", false));
}
TEST(LitmusAtomic, AnAtomicFlagWithFences) {
    GEN9_COVERS("DP-196");
    expect_holds(atomic_flag("message passing, atomic flag, fenced", true));
}

}  // namespace
}  // namespace gen9::litmus
