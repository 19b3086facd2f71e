// SPDX-License-Identifier: Apache-2.0
// How long the sampler keeps texels, states and pages.
#include "sampler/module.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/sampler/machine.h"

namespace gen9::sampler {
namespace {
using namespace test;

/// Sends the same sample three times: first, after `change`, and after an invalidation.
struct Thrice {
    Machine m;
    float now[3];
    template <class Change>
    Thrice(const char* name, Change change, bool state, bool texture) : m(name) {
        m.bench.put(0, std::uint32_t{0xFF0000FF});
        m.load();
        m.send(0, Cycles(0), kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.send(0, Cycles(2000), kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.send(0, Cycles(5000), kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.run(1000);
        change(m.bench);
        m.load();
        m.run(3000);
        m.invalidate(state, texture);
        m.run();
        m.expect_quiet();
        for (unsigned n = 0; n < 3; ++n)
            now[n] = first(m.item(0, n));
    }
};

TEST(Module, TexelsAreOldUntilTexturesAreInvalidated) {
    GEN9_COVERS("SMP-57");
    Thrice t(
        "t", [](Bench& b) { b.put(0, std::uint32_t{0}); }, false, true);
    EXPECT_EQ(t.now[0], 1);
    EXPECT_EQ(t.now[1], 1) << "nobody invalidated";
    EXPECT_EQ(t.now[2], 0);
}
TEST(Module, InvalidatedStatesKeepTheTexels) {
    Thrice t(
        "t", [](Bench& b) { b.put(0, std::uint32_t{0}); }, true, false);
    EXPECT_EQ(t.now[2], 1);
}
void select_zero(Bench& b) {
    b.set(surface_state::ShaderChannelSelectRed, surface_state::SCS_ZERO);
}
TEST(Module, StatesAreOldUntilStatesAreInvalidated) {
    GEN9_COVERS("SMP-77 L3-89");
    Thrice t("t", select_zero, true, false);
    EXPECT_EQ(t.now[0], 1);
    EXPECT_EQ(t.now[1], 1) << "nobody invalidated";
    EXPECT_EQ(t.now[2], 0);
}
TEST(Module, InvalidatedTexturesKeepTheStates) {
    GEN9_COVERS("SMP-78");
    Thrice t("t", select_zero, false, true);
    EXPECT_EQ(t.now[2], 1);
}

/// The border colour, changed in memory.
struct Border {
    Machine m;
    float now;
    Border(bool state, bool texture) {
        m.bench.modes(4, 4, 4);
        m.bench.border({f(0.25f), 0, 0, 0});
        m.load();
        const auto outside = [&](Cycles at) {
            m.send(0, at, kSampleLz, {all(-1), all(-1)}, Machine::sixteen());
        };
        outside(Cycles(0));
        outside(Cycles(3000));
        m.run(1000);
        m.bench.border({f(0.75f), 0, 0, 0});
        m.load();
        m.invalidate(state, texture);
        m.run();
        m.expect_quiet();
        EXPECT_EQ(first(m.item(0, 0)), 0.25f);
        now = first(m.item(0, 1));
    }
};
TEST(Module, TheBorderColourIsATexel) {
    GEN9_COVERS("SMP-79");
    EXPECT_EQ(Border(false, true).now, 0.75f);
}
TEST(Module, TheBorderColourIsNoState) {
    GEN9_COVERS("SMP-79");
    EXPECT_EQ(Border(true, false).now, 0.25f);
}

TEST(Module, ALineOnItsWayIsNotFetchedTwiceNorKeptWhenInvalidated) {
    Machine m;
    m.bench.put(0, std::uint32_t{0xFF0000FF});
    m.load();
    for (const unsigned at : {0u, 4u, 1000u, 2000u})
        m.send(0, Cycles(at), kSampleLz, {all(0), all(0)}, Machine::sixteen());
    m.run(380);  // three states of 100 cycles each, and the line is on its way
    EXPECT_EQ(m.memory.seen.size(), 1u);
    EXPECT_EQ(m.sampler.stats.merged.value(), 2 * 4 - 1u) << "a lookup for each four samples";
    m.invalidate(false, true);
    m.run();
    m.expect_quiet();
    EXPECT_EQ(m.memory.seen.size(), 2u)
        << "the line that came after the invalidation is old, the next one is kept";
}

TEST(Module, WhereTheModeMayChangeFunctionalMessagesLeaveTheirLines) {
    Machine m;
    m.sampler.expect_changes();
    m.bench.put(0, std::uint32_t{0xFF0000FF});
    m.load();
    const auto functional = [&m] {
        m.bench.build(kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.bench.message.sender = &m.senders[0];
        m.test.environment.timing = Timing::Functional;
        sc_core::sc_time delay;
        m.sampler.msg_in[0].on_blocking(m.bench.message, delay);
        m.test.environment.timing = Timing::Timed;
        return gen9::load<float>(m.bench.message.response[0].bytes);
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(functional(), 1.0f);
    m.send(0, Cycles(1000), kSampleLz, {all(0), all(0)}, Machine::sixteen());
    m.run(2000);
    EXPECT_EQ(m.sampler.stats.misses.value(), 0u);
    // A line that is there is not read again, whatever memory has now (SMP-57).
    const std::size_t read = m.memory.seen.size();
    EXPECT_EQ(functional(), 1.0f);
    EXPECT_EQ(m.memory.seen.size(), read);
    // An invalidation drops it in functional mode too.
    m.test.environment.timing = Timing::Functional;
    m.invalidate(false, true);
    m.test.environment.timing = Timing::Timed;
    m.send(0, Cycles(4000), kSampleLz, {all(0), all(0)}, Machine::sixteen());
    m.run(5000);
    m.expect_quiet();
    EXPECT_EQ(m.sampler.stats.misses.value(), 1u);
}

TEST(Module, PagesAreForgottenWhenDirectAccessIsWithdrawn) {
    Machine m("m", {}, Timing::Functional);
    m.bench.put(0, std::uint32_t{0xFF0000FF});
    m.load();
    const auto sampled = [&m] {
        m.bench.build(kSampleLz, {all(0), all(0)}, Machine::sixteen());
        m.bench.message.sender = &m.senders[0];
        sc_core::sc_time delay;
        m.sampler.msg_in[0].on_blocking(m.bench.message, delay);
        return gen9::load<float>(m.bench.message.response[0].bytes);
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_EQ(sampled(), 1.0f);
    // All pages move: the same addresses lie elsewhere in host memory.
    auto moved = m.memory.bytes;
    std::swap(m.memory.bytes, moved);
    m.bench.put(0, std::uint32_t{0xFF000000});
    m.copy();
    m.memory.mem_in[0]->invalidate_direct_mem_ptr(0, ~0ull);
    EXPECT_EQ(sampled(), 0.0f);
}

}  // namespace
}  // namespace gen9::sampler
