// SPDX-License-Identifier: Apache-2.0
// Motion estimation in time, between EUs and a memory of a fixed latency.
#include "vme/module.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/vme/machine.h"

namespace gen9::vme {
namespace {
using namespace test;

Words skip(int x, int y) {
    Words w(kCheck);
    w.dword(0, 2, pair(x, y)).set(1, 0, 0, 0, 1).set(1, 7, 31, 24, 1).set(5, 1, 9, 8, 2);
    return w;
}
/// One unit of 16 positions.
Words small_search(int x, int y) {
    Words w = search(x, y, 20, 20);
    w.set(0, 3, 30, 24, 0x7E);
    return w;
}

TEST(Module, BothModesGiveTheSameAnswers) {
    GEN9_COVERS("VME-01");
    const auto messages = [] {
        Words transform = skip(32, 16), intra(kCheck), large(kCheck), quarters(kRefine);
        transform.set(0, 3, 17, 17, 1);
        intra.set(5, 1, 9, 8, 1);
        large.set(5, 1, 9, 8, 1).set(1, 7, 2, 0, 6);
        quarters.set(0, 3, 13, 12, 3).set(0, 3, 18, 18, 1);
        return std::vector<Words>{search(16, 16), skip(32, 16),   small_search(0, 0),
                                  Words(kMesh),   Words(kRefine), transform,
                                  intra,          large,          quarters};
    };
    // 16 units, 16 blocks, a unit, (a mesh has no clocks,) two directions and both together, the
    // transform beside 16 blocks, three sizes, one, and 17 positions.
    const unsigned clocks[] = {16 * 4, 4, 4, 0, 3 * 4, 4 + 16, 3 * 32, 32, 17 * 4};
    Machine timed("timed"), functional("functional", {}, Timing::Functional);
    std::vector<Words> blocking = messages();
    for (const Words& words : messages())
        timed.send(0, Cycles(1), words);
    timed.run();
    for (std::size_t i = 0; i < blocking.size(); ++i) {
        sc_core::sc_time delay;
        functional.eus[0].msg_out->b_transport(blocking[i].get(), delay);
        const Words& other = timed.item(0, static_cast<unsigned>(i)).words;
        for (unsigned phase = 0; phase < blocking[i].message.response_length; ++phase)
            for (unsigned d = 0; d < 8; ++d)
                // W0.7 is time; a mesh has none.
                if (phase != 0 || d != 7 || i == 3) {
                    EXPECT_EQ(other.answer(phase, d), blocking[i].answer(phase, d)) << i << phase;
                }
        if (i == 3) continue;
        EXPECT_EQ(blocking[i].answer(0, 7), clocks[i]) << i;
        EXPECT_EQ(other.answer(0, 7, 15, 0), clocks[i]) << i;
    }
    for (const Machine* m : {&timed, &functional}) {
        const VmeStats& s = m->vme.stats;
        EXPECT_EQ(s.messages.value(), blocking.size());
        EXPECT_EQ(s.searches.value(), 2u);
        EXPECT_EQ(s.checks.value(), 4u);
        EXPECT_EQ(s.refinements.value(), 2u);
        EXPECT_EQ(s.meshes.value(), 1u);
        EXPECT_EQ(s.units.value(), 16u + 1 + 16);
        EXPECT_EQ(s.blocks.value(), 16u * (1 + 3 + 1 + 17));
        EXPECT_EQ(s.refused.value() + s.early_stops.value(), 0u);
    }
    EXPECT_GT(timed.vme.stats.queue_cycles.value(), 0u);
    EXPECT_TRUE(timed.eus[0].finished());
    EXPECT_TRUE(timed.vme.idle());
    EXPECT_EQ(timed.test.environment.reporter.guest_errors(), 0u);
}

TEST(Module, TimeOfASearch) {
    GEN9_COVERS("VME-65");
    Machine m;
    gen9::test::SignalLog log(m.test.environment.signals);
    Words words = search(16, 16);  // 16 units
    words.sender.place.slot = ThreadSlot(3);
    words.message.ip = 0x1230;
    m.send(1, Cycles(10), words);
    m.run();
    const FakeEu::Item& item = m.item(1, 0);
    ASSERT_TRUE(m.eus[1].finished());
    // Source block: rows of 16 bytes in a picture of 96; window 32 x 32 of the other one.
    const VmeStats& s = m.vme.stats;
    const std::uint64_t lines = s.lines.value();
    EXPECT_EQ(s.units.value(), 16u);
    const std::uint64_t compute = item.words.answer(0, 7, 15, 0);
    const std::uint64_t stalled = item.words.answer(0, 7, 31, 16);
    EXPECT_EQ(compute, 16u * m.vme.params.search_unit_cycles);
    // One line a cycle, and the last one takes the memory's time.
    EXPECT_EQ(stalled, lines - 1 + Machine::kMemoryLatency);
    // Arrival, payload, states (two entries and two states, of a line each), front end, lines, work,
    // the way back of seven registers.
    const std::uint64_t states = 4 * Machine::kMemoryLatency;
    const std::uint64_t expected = 1 + 3 + states + m.vme.params.front_end_cycles + stalled + 1 +
                                   compute + m.vme.params.return_cycles + 4;
    EXPECT_EQ((item.answered - item.issue).value, expected);
    EXPECT_EQ((item.accepted - item.issue).value, 1u + m.test.environment.notice_cycles);
    // What the waveform shows of it.
    const auto shown = [&](const char* name, std::uint64_t cycle) {
        return log.value(std::string("m.vme.") + name, cycle);
    };
    const std::uint64_t last = item.answered.value, worked = last - m.vme.params.return_cycles - 4;
    std::uint64_t cycles_of_work = 0, most_lines = 0;
    for (std::uint64_t cycle = 0; cycle < last; ++cycle) {
        cycles_of_work += shown("search_id", cycle) == 1;
        most_lines = std::max(most_lines, shown("lines", cycle));
        EXPECT_EQ(shown("check_id", cycle), 0u) << cycle;
    }
    EXPECT_EQ(cycles_of_work, compute);
    EXPECT_EQ(most_lines, lines) << "all of them before the first comes";
    EXPECT_EQ(shown("lines", last), 0u);
    EXPECT_EQ(shown("queued", last), 0u);
    EXPECT_EQ(shown("in_flight", worked - 1), 1u);
    EXPECT_EQ(shown("in_flight", last), 0u);
    EXPECT_EQ(shown("message_type", last), 2u);
    EXPECT_EQ(shown("message_id", last), 1u);
    EXPECT_EQ(shown("message_ip", last), 0x1230u);
    EXPECT_EQ(shown("message_eu", last), 1u);
    EXPECT_EQ(shown("message_thread", last), 3u);
}

TEST(Module, EnginesWorkSideBySide) {
    Machine m("m", {"m.vme.search_unit_cycles=1000"});
    m.send(0, Cycles(1), small_search(16, 16));
    m.send(0, Cycles(2), small_search(32, 16));
    m.send(1, Cycles(3), skip(16, 16));
    m.run();
    // The check overtakes; the second search waits for the first one.
    EXPECT_LT(m.item(1, 0).answered, m.item(0, 0).answered);
    EXPECT_EQ((m.item(0, 1).answered - m.item(0, 0).answered).value, 1000u);
}

TEST(Module, AsManyInFlightAsFit) {
    Machine m("m", {"m.vme.messages_in_flight=1"});
    m.send(0, Cycles(1), small_search(16, 16));
    m.send(1, Cycles(1), skip(16, 16));
    m.run();
    // The next one is accepted when the answer has left.
    EXPECT_GE(m.item(1, 0).accepted.value + m.vme.params.return_cycles + 4,
              m.item(0, 0).answered.value);
    EXPECT_GT(m.vme.stats.stall_full_cycles.value(), 0u);
}

TEST(Module, EveryCycleHasOneReason) {
    Machine m("m", {"m.vme.messages_in_flight=2"});
    gen9::test::SignalLog log(m.test.environment.signals);
    for (unsigned n = 0; n < 6; ++n) {
        m.send(0, Cycles(10 + n), n % 2 ? search(16, 16) : skip(16, 16));
        m.send(1, Cycles(12 + n), small_search(static_cast<int>(n) * 8, 0));
    }
    m.run();
    ASSERT_TRUE(m.eus[0].finished() && m.eus[1].finished());
    m.vme.settle();
    const VmeStats& s = m.vme.stats;
    const std::uint64_t cycles[] = {s.idle_cycles.value(),       s.busy_cycles.value(),
                                    s.fetch_cycles.value(),      s.stall_memory_cycles.value(),
                                    s.stall_full_cycles.value(), s.waiting_cycles.value(),
                                    s.front_end_cycles.value(),  s.return_cycles.value()};
    std::uint64_t sum = 0;
    for (unsigned activity = 0; activity < std::size(cycles); ++activity) {
        sum += cycles[activity];
        std::uint64_t shown = 0;
        for (std::uint64_t cycle = 0; cycle < m.clock.now().value; ++cycle)
            shown += log.value("m.vme.state", cycle) == activity;
        EXPECT_EQ(shown, cycles[activity]) << kActivityWords[activity];
    }
    EXPECT_EQ(sum, m.clock.now().value);
    EXPECT_GT(s.busy_cycles.value(), 0u);
    EXPECT_GT(s.fetch_cycles.value(), 0u);
    EXPECT_GT(s.waiting_cycles.value(), 0u);
    EXPECT_GT(s.stall_full_cycles.value(), 0u);
}

TEST(Module, StatesAreReadAgainWhenTheyAreInvalidated) {
    Machine m;
    m.send(0, Cycles(1), skip(16, 16));
    m.run(2000);
    const std::uint64_t reads = m.vme.stats.state_reads.value();
    EXPECT_EQ(reads, 4u);
    m.send(0, Cycles(2500), skip(16, 16));
    m.run(2000);
    EXPECT_EQ(m.vme.stats.state_reads.value(), reads);
    MemoryTransaction transaction{nullptr};
    transaction.attributes.operation = MemoryAttributes::Operation::Control;
    transaction.attributes.control.invalidate_state = true;
    sc_core::sc_time delay;
    m.control->b_transport(transaction, delay);
    m.send(0, Cycles(4500), skip(16, 16));
    m.run(2000);
    EXPECT_EQ(m.vme.stats.state_reads.value(), 2 * reads);
}

TEST(Module, ARefusedMessageIsAnswered) {
    Machine m;
    Words wrong = search(16, 16);
    wrong.set(0, 3, 30, 24, 0x7F);
    m.send(0, Cycles(1), wrong);
    m.run();
    EXPECT_TRUE(m.eus[0].finished());
    EXPECT_EQ(m.item(0, 0).words.message.status, MessageStatus::GuestError);
    EXPECT_EQ(m.vme.stats.lines.value(), 0u);
    EXPECT_EQ(m.vme.stats.refused.value(), 1u);
    EXPECT_TRUE(m.vme.idle());
}

}  // namespace
}  // namespace gen9::vme
