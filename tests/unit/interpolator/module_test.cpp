// SPDX-License-Identifier: Apache-2.0
#include "interpolator/module.h"

#include <gtest/gtest.h>

#include <deque>

#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/signal_log.h"
#include "tests/unit/interpolator/messages.h"

namespace gen9::interpolator::test {
namespace {

using gen9::test::TestEnvironment;

struct ModuleBench : sc_core::sc_module {
    TestEnvironment env;
    Clock clock{1'000'000'000};
    Interpolator interpolator;
    std::deque<InitiatorSocket<MessageProtocol>> msg_out;
    std::deque<Message> messages;
    std::deque<Cycles> answered;
    Sender sender;

    explicit ModuleBench(std::vector<std::string> settings, Timing timing = Timing::Timed,
                         sc_core::sc_module_name module_name = "bench")
        : sc_module(module_name),
          env(timing, std::move(settings)),
          interpolator("interpolator", env.environment, clock, 2) {
        for (unsigned eu = 0; eu < 2; ++eu) {
            auto& out = msg_out.emplace_back(("out" + std::to_string(eu)).c_str());
            out.bind(interpolator.msg_in[eu]);
            out.on_backward = [this](Message&, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
                if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
                answered.push_back(clock.after(delay));
                return tlm::TLM_COMPLETED;
            };
        }
    }
    void send(unsigned eu, std::uint32_t descriptor, unsigned at) {
        send(eu, descriptor, at, sender);
    }
    void send(unsigned eu, std::uint32_t descriptor, unsigned at, const Sender& from) {
        Message& m = messages.emplace_back(make_message(descriptor, 0xFFFF));
        m.sender = &from.thread;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = clock.time(Cycles(at));
        msg_out[eu]->nb_transport_fw(m, phase, delay);
    }
};

TEST(PixelInterpolatorModule, AnswersComeInTurnAndEveryCycleIsAccounted) {
    ModuleBench b({"interpolator.answer_cycles=60", "interpolator.slots_per_clock=4"});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.send(1, descriptor_of(0, true), 10);
    b.send(0, descriptor_of(1, false), 10);
    b.send(0, descriptor_of(2, true), 10);
    gen9::test::SignalLog log(b.env.environment.signals);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    b.interpolator.settle();
    // Oldest first, then the lower port; 8 slots take 2 cycles, 16 take 4.
    ASSERT_EQ(b.answered.size(), 3u);
    const InterpolatorStats& stats = b.interpolator.stats();
    EXPECT_EQ(b.answered[0], Cycles(11 + 60));
    EXPECT_EQ(b.answered[1], Cycles(11 + 2 + 60)) << "eight slots were before it, of port 0";
    EXPECT_EQ(b.answered[2], Cycles(11 + 2 + 4 + 60));
    EXPECT_EQ(stats.messages[0].value() + stats.messages[1].value() + stats.messages[2].value(),
              3u);
    EXPECT_EQ(stats.slots.value(), 16u + 8u + 16u);
    EXPECT_EQ(stats.cycles[0].value(), 2u + 4u + 4u);
    EXPECT_EQ(stats.cycles[1].value(), 17u + 60 - 21) << "to the answer of the last, begun at 17";
    EXPECT_EQ(stats.cycles[0].value() + stats.cycles[1].value() + stats.cycles[2].value(), 200u);
    EXPECT_EQ(stats.queue_cycles.value(), 0u + 2 + 6) << "those that could not start at 11";
    EXPECT_EQ(b.env.stats.sum("interpolator.slots"), 40u) << "they are in the list";
    EXPECT_TRUE(b.interpolator.idle());
    EXPECT_FALSE(b.env.reporter.failed());
    for (std::uint64_t cycle = 0; cycle < 40; ++cycle) {
        EXPECT_EQ(log.value("bench.interpolator.started", cycle),
                  cycle == 11 || cycle == 13 || cycle == 17)
            << cycle;
        const unsigned left = cycle < 13 ? 2 : cycle < 17 ? 1 : 0;
        if (cycle >= 11) {
            EXPECT_EQ(log.value("bench.interpolator.queued", cycle), left) << cycle;
        }
    }
}

// Five slots a cycle: the last one is not full.
TEST(PixelInterpolatorModule, ACycleThatIsNotFullIsOne) {
    ModuleBench b({"interpolator.slots_per_clock=5"});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.send(0, descriptor_of(0, true), 10);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    b.interpolator.settle();
    EXPECT_EQ(b.interpolator.stats().cycles[0].value(), 4u);
    b.send(0, descriptor_of(0, false), 10);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    b.interpolator.settle();
    EXPECT_EQ(b.interpolator.stats().cycles[0].value(), 4u + 2);
}

TEST(PixelInterpolatorModule, InFunctionalModeAMessageIsACall) {
    ModuleBench b({}, Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Message m = make_message(descriptor_of(1, true, 0x10), 0xFFFF);
    m.sender = &b.sender.thread;
    sc_core::sc_time delay;
    b.msg_out[1]->b_transport(m, delay);
    EXPECT_EQ(m.status, MessageStatus::Ok);
    EXPECT_EQ(m.response_enable[3], ~0u);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    EXPECT_EQ(b.interpolator.stats().messages[1].value(), 1u);
    const auto sockets = b.interpolator.sockets().msg_in;
    ASSERT_EQ(sockets.size(), 2u) << "one of each EU";
    EXPECT_NE(sockets[0], sockets[1]);
}

TEST(PixelInterpolatorModule, EachDrawHasItsOwnSamples) {
    GEN9_COVERS("PI-09");
    ModuleBench b({});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    Sender one(0);  // one sample: any number is the centre
    one.draw.order = 2;
    b.send(0, descriptor_of(1, false, 0x10), 1);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    b.send(0, descriptor_of(1, false, 0x10), 1, one);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    ASSERT_EQ(b.answered.size(), 2u);
    b.sender.record.draw = &one.draw;
    b.send(0, descriptor_of(1, false, 0x10), 1);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    const auto answer = [&](unsigned n) {
        return load<std::uint32_t>(b.messages[n].response[0].bytes);
    };
    EXPECT_NE(answer(0), answer(1));
    EXPECT_EQ(answer(2), answer(1)) << "the draw's, whoever asks";
}

// What it knows of a draw is found anew for the next one.
TEST(PixelInterpolatorModule, EachDrawsThreadsAreAnsweredByTheirOwnState) {
    GEN9_COVERS("PI-06");
    ModuleBench b({});
    Sender other(2, false);
    other.draw.order = 2;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const std::uint32_t linear = descriptor_of(0, true, 0, true);
    for (unsigned i = 0; i < 3; ++i) {
        Message& m = b.messages.emplace_back(make_message(linear, 0xFFFF));
        m.sender = i == 1 ? &other.thread : &b.sender.thread;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = b.clock.time(Cycles(10));
        b.msg_out[0]->nb_transport_fw(m, phase, delay);
        sc_core::sc_start(b.clock.time(Cycles(200)));
    }
    ASSERT_EQ(b.answered.size(), 3u);
    EXPECT_EQ(b.messages[0].status, MessageStatus::Ok);
    EXPECT_EQ(b.messages[1].status, MessageStatus::GuestError) << "no linear barycentrics";
    EXPECT_EQ(b.messages[2].status, MessageStatus::Ok);
}

TEST(PixelInterpolatorModule, AThreadWithoutPixelsGetsNothingAndIsReported) {
    GEN9_COVERS("PI-02");
    ModuleBench b({});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    b.sender.thread.pixels = nullptr;
    b.send(0, descriptor_of(0, true), 1);
    b.messages[0].response_enable.fill(~0u);
    sc_core::sc_start(b.clock.time(Cycles(200)));
    ASSERT_EQ(b.answered.size(), 1u);
    EXPECT_EQ(b.messages[0].status, MessageStatus::GuestError);
    for (unsigned r = 0; r < 4; ++r)
        EXPECT_EQ(b.messages[0].response_enable[r], 0u);
    EXPECT_EQ(b.messages[0].response_enable[4], ~0u) << "no register of the answer";
    EXPECT_TRUE(b.env.reporter.failed());
}

}  // namespace
}  // namespace gen9::interpolator::test
