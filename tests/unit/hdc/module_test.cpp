// SPDX-License-Identifier: Apache-2.0
// The data port in time, between EUs and memories with random latencies.
#include "hdc/module.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/hdc/thread_messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

TEST(Module, EveryCycleHasOneReason) {
    Machine m("m");
    m.memory.most_accept = 20;
    for (unsigned n = 0; n < 50; ++n) {
        m.send(0, n % 3, read(kData + n * 64), Cycles(n * 10));
        m.send(1, 0, n % 10 == 5 ? fence() : write(kData + 0x8000 + n * 64, n), Cycles(n * 10));
    }
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    m.expect_quiet();
    m.hdc.settle();
    const HdcStats& s = m.hdc.stats;
    const std::uint64_t sum = s.busy_cycles.value() + s.stall_memory_cycles.value() +
                              s.stall_slm_cycles.value() + s.stall_fence_cycles.value() +
                              s.stall_full_cycles.value() + s.front_end_cycles.value() +
                              s.waiting_cycles.value() + s.idle_cycles.value();
    EXPECT_EQ(s.busy_cycles.value(), s.lines.value());
    EXPECT_EQ(sum, m.clock.now().value);
    EXPECT_EQ(sum, 100'000u) << "also the cycles after the last answer";
    EXPECT_GT(s.stall_memory_cycles.value(), 0u);
    EXPECT_GT(s.stall_fence_cycles.value(), 0u);
}

// A client counts its calls later, for the work that they were of: it must not count another's.
TEST(Module, EachClientHasCallsOfItsOwn) {
    Machine m("m");
    EXPECT_NE(m.hdc.msg_in[0].direct, nullptr);
    EXPECT_NE(m.hdc.msg_in[1].direct, nullptr);
    EXPECT_NE(m.hdc.msg_in[0].direct, m.hdc.msg_in[1].direct);
}

TEST(Module, OneLineIsSentPerCycleAndOneSlmRequest) {
    GEN9_COVERS("DP-220 DP-221");
    Machine m("m");
    m.memory.most_accept = m.slm.most_accept = 0;
    m.memory.least_latency = m.memory.most_latency = 20;
    m.slm.least_latency = m.slm.most_latency = 20;
    for (unsigned n = 0; n < 64; ++n) {
        m.send(0, n % 7, Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData + n * 64, 4)));
        m.send(1, n % 7,
               Send(DC1, kUntypedRead16 | kLocal).add(ramp<std::uint32_t>(16, n * 64, 4)));
    }
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(m.hdc.stats.lines.value(), 64u);
    EXPECT_EQ(m.hdc.stats.slm_requests.value(), 64u);
    EXPECT_EQ(m.hdc.stats.bytes_read.value(), 128 * 64u);
}

/// Lines of a read of four DWords a slot and of a write of two, each slot in a line of its own.
std::uint64_t lines_of_a_read_and_a_write(const std::string& merging) {
    constexpr std::uint32_t kRead = 0x088419FF, kWrite = 0x080695FF;
    Machine m("m", Timing::Timed, 2, 1, {"m_hdc.write_merging=" + merging});
    m.send(0, 1, Send(DC1, kRead).add(ramp<std::uint64_t>(16, kData, 64)));
    m.send(1, 1, Send(DC1, kWrite).add(ramp<std::uint64_t>(16, kData, 64)).add(U32(32, 7)));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(load<std::uint64_t>(&m.memory.bytes[kData - m.memory.base + 15 * 64]), 0x700000007u);
    return m.hdc.stats.lines.value();
}
TEST(Module, BytesOfALineAreWrittenTogether) {
    GEN9_COVERS("DP-224");
    EXPECT_EQ(lines_of_a_read_and_a_write("lines"), 16u + 16u);
}
TEST(Module, ChannelsOfALineAreWrittenOneAfterTheOther) {
    EXPECT_EQ(lines_of_a_read_and_a_write("channels"), 16u + 32u) << "of the read as before";
}

TEST(Module, SignalsSayWhichMessageWasStartedAndWhatIsOnItsWay) {
    Machine m("m", Timing::Timed, 2, 1, {"m_hdc.front_end_cycles=10"});
    m.memory.most_accept = m.slm.most_accept = 0;
    m.memory.least_latency = m.memory.most_latency = 50;
    m.slm.least_latency = m.slm.most_latency = 20;
    gen9::test::SignalLog log({&m.hdc.signals});
    Send first = Send(DC1, kA64Write16).add(ramp<std::uint64_t>(16, kData, 64)).add(U32(16, 1));
    Send second = count_in_slm(), third = fence();
    unsigned number = 0;
    for (Send* send : {&first, &second, &third}) {
        send->message.trace_id = 0x123400000000 + ++number;
        send->message.ip = 0x800012345678 + number;
    }
    m.send(0, 3, first, Cycles(100));
    m.send(1, 5, second, Cycles(101));
    m.send(0, 3, third, Cycles(102));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    const auto value = [&](const char* name, std::uint64_t cycle) {
        return log.value(std::string("m_hdc.").append(name), cycle);
    };
    const auto word = [&](std::uint64_t cycle) {
        return std::string(m.hdc.signals.message.words()[value("message", cycle)]);
    };
    // A message starts in the cycle after its arrival.
    EXPECT_EQ(value("message_id", 100), 0u);
    EXPECT_EQ(value("queue0", 99), 0u);
    EXPECT_EQ(value("queue0", 100), 1u);
    EXPECT_EQ(value("queue0", 101), 0u);
    EXPECT_EQ(value("queue1", 101), 1u);
    EXPECT_EQ(value("queue1", 102), 0u);
    EXPECT_EQ(word(101), "A64 scattered write");
    EXPECT_EQ(value("message_id", 101), first.message.trace_id);
    EXPECT_EQ(value("message_ip", 101), first.message.ip);
    EXPECT_EQ(value("message_eu", 101), 0u);
    EXPECT_EQ(value("message_thread", 101), 3u);
    EXPECT_EQ(word(102), "untyped atomic integer");
    EXPECT_EQ(value("message_id", 102), second.message.trace_id);
    EXPECT_EQ(value("message_eu", 102), 1u);
    EXPECT_EQ(value("message_thread", 102), 5u);
    EXPECT_EQ(word(103), "memory fence");
    EXPECT_EQ(value("in_flight", 103), 3u);
    EXPECT_EQ(value("fences", 102), 0u);
    EXPECT_EQ(value("fences", 103), 1u);
    // 16 lines leave from 111 on, one per cycle, and come back after 51 cycles each or later.
    EXPECT_EQ(value("lines", 110), 0u);
    EXPECT_EQ(value("lines", 111), 1u);
    EXPECT_EQ(value("lines", 126), 16u);
    EXPECT_EQ(value("slm_requests", 111), 0u);
    EXPECT_EQ(value("slm_requests", 112), 1u);
    for (const char* name : {"lines", "slm_requests", "fences", "in_flight"})
        EXPECT_EQ(value(name, 5000), 0u) << name;
}

TEST(Module, ResponseOfAReadComesAtTheCycleItsPartsAddUpTo) {
    // {front end, memory latency, return}: issue 100; arrival and answer are looked at one cycle
    // later.
    Machine m("m", Timing::Timed, 1, 1, {"m_hdc.front_end_cycles=10", "m_hdc.return_cycles=20"});
    m.memory.most_accept = 0;
    m.memory.least_latency = m.memory.most_latency = 50;
    m.send(0, 0, read(kData), Cycles(100));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    const auto& item = m.eus[0]->items[0];
    EXPECT_EQ(item.accepted, Cycles(100 + 1 + 16)) << "accepted at the start, told with the notice";
    const Cycles served(100 + 1 + 10 + 50 + 1);
    EXPECT_EQ(item.answered, served + Cycles(1 + 20 + 1))
        << "return path, one register of write-back";
}

// 003:24361: the answer says that the write has acted; it has no bytes.
TEST(Module, AWriteThatNamesARegisterIsAnsweredWhenMemoryHasIt) {
    GEN9_COVERS("EU-207");
    Machine m("m", Timing::Timed);
    m.memory.least_latency = m.memory.most_latency = 500;
    m.send(0, 0, Send(DC1, kA64Write8 | 1u << 20).add(U64(8, kData)).add(U32(8, 0x55)),
           Cycles(100));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    const auto& item = m.eus[0]->items[0];
    EXPECT_EQ(item.message.status, MessageStatus::Ok);
    EXPECT_GE(item.answered, Cycles(100 + 500));
    EXPECT_EQ(item.message.response_enable[0], 0u);
}

TEST(Module, EachLatencyIsAParameterAndAddsItsCycles) {
    GEN9_COVERS("DP-222");
    const struct {
        std::string name;
        unsigned value, cycles;
    } rows[] = {{"front_end_cycles", 16, 0},   {"front_end_cycles", 316, 300},
                {"return_cycles", 100, 0},     {"return_cycles", 400, 300},
                {"surface_miss_cycles", 4, 0}, {"surface_miss_cycles", 304, 300},
                {"writeback_registers", 2, 0}, {"writeback_registers", 1, 1}};
    std::deque<Machine> machines;
    for (const auto& row : rows) {
        std::string name("m");
        name += std::to_string(machines.size());
        Machine& m = machines.emplace_back(
            name, Timing::Timed, 1, 1,
            // The return path is to be longer than the notice, which else covers it.
            std::vector{name + "_hdc.return_cycles=100",
                        name + "_hdc." + row.name + "=" + std::to_string(row.value)});
        m.memory.state_latency = 10;
        m.memory.most_accept = 0;
        m.memory.least_latency = m.memory.most_latency = 50;
        m.bind(0, SurfaceBits::buffer(kData, 64));
        m.send(0, 0, Send(DC1, 0x02206C00, 1).add(U32(8, 0)), Cycles(100));
    }
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    for (std::size_t i = 0; i < machines.size(); ++i) {
        machines[i].expect_quiet();
        EXPECT_EQ(machines[i].eus[0]->items[0].answered,
                  machines[0].eus[0]->items[0].answered + Cycles(rows[i].cycles))
            << rows[i].name << "=" << rows[i].value;
        machines[i].hdc.settle();
    }
    EXPECT_EQ(machines[1].hdc.stats.front_end_cycles.value(),
              machines[0].hdc.stats.front_end_cycles.value() + 300);
    EXPECT_EQ(machines[1].hdc.stats.stall_full_cycles.value(), 0u);
}

TEST(Module, AnErroneousMessageIsReportedWithItsSenderAndTheNextIsServed) {
    GEN9_COVERS("EU-210");
    Machine m("m", Timing::Timed, 1);
    store<std::uint32_t>(m.memory.at(kData), 7);
    m.bind(0, SurfaceBits::image(packets::render_surface_state::SURFTYPE_2D, 0x140, kData + 0x1000,
                                 16, 64, 1, 64));
    const Send errors[] = {
        Send(DC1, descriptor(0x08, 0, kStateless, 1), 0xFF).add(U64(4, kData)),  // no such type
        Send(DC1, 0x021401FF, 0xFF).add(U64(4, kData)),   // addresses of eight slots are missing
        Send(DC0, 0x020A0300).header({}).add(U32(8, 1)),  // a register of two
        Send(DC1, 0x02190000).header({{2, 63 | 63 << 16}})};  // a block of 64 by 64 bytes
    for (const Send& error : errors) {
        m.send(0, 3, error);
        m.send(0, 3, read(kData));
    }
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    const auto& items = m.eus[0]->items;
    for (unsigned n = 0; n < items.size(); n += 2) {
        EXPECT_EQ(items[n].message.status, MessageStatus::GuestError) << n;
        EXPECT_EQ(result(items[n + 1]), 7u);
    }
    EXPECT_EQ(m.test.reporter.guest_errors(), std::size(errors));
    for (const auto& entry : m.test.reporter.entries())
        EXPECT_NE(entry.place.find("eu0.thread3"), std::string::npos) << entry.place;
}

TEST(Module, MessagesOfManyEusStartInTurn) {
    GEN9_COVERS("EU-199");
    Machine m("m", Timing::Timed, 3);
    for (unsigned n = 0; n < 4; ++n)
        for (unsigned eu = 0; eu < 3; ++eu)
            m.send(eu, 0, read(kData + (n * 3 + eu) * 64), Cycles(50));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    for (unsigned n = 0; n < 4; ++n)
        for (unsigned eu = 0; eu < 3; ++eu)
            EXPECT_EQ(m.eus[eu]->items[n].accepted, Cycles(50 + 1 + n * 3 + eu + 16))
                << n << ',' << eu;
}

TEST(Module, NoMoreThanTheSetNumberOfMessagesIsInFlight) {
    Machine m("m", Timing::Timed, 1, 1, {"m_hdc.messages_in_flight=2"});
    m.memory.most_accept = 0;
    for (unsigned n = 0; n < 6; ++n)
        m.send(0, 0, read(kData + n * 64));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_GT(m.hdc.stats.stall_full_cycles.value(), 0u);
}

TEST(Module, ResponsesUnderWayTakeRoomByTheirRegisters) {
    Machine m("m", Timing::Timed, 1, 1, {"m_hdc.return_registers=3"});
    for (unsigned n = 0; n < 12; ++n) {
        m.send(0, 0, read(kData + n * 64));  // a register
        m.send(0, 0, write(kData, 5));       // none
    }
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    // Both are told a notice before their time. The memory answers in an order of its own.
    unsigned most = 0;
    for (const auto& started : m.eus[0]->items) {
        unsigned registers = 0;
        for (const auto& other : m.eus[0]->items)
            if (other.accepted <= started.accepted && other.answered > started.accepted)
                registers += other.message.response_length;
        most = std::max(most, registers);
    }
    EXPECT_EQ(most, 3u);
    EXPECT_GT(m.hdc.stats.stall_full_cycles.value(), 0u);
}

TEST(Module, AResponseLargerThanTheRoomHasItAlone) {
    constexpr std::uint32_t kFourDwords = 0x044409FF;  // kA64Read8 of four DWords a lane
    Machine m("m", Timing::Timed, 1, 1, {"m_hdc.return_registers=1"});
    for (unsigned n = 0; n < 3; ++n)
        m.send(0, 0, Send(DC1, kFourDwords, 0xFF).add(U64(8, kData)));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
}

TEST(Module, MessagesWithoutEffectAreAnsweredAllTheSame) {
    GEN9_COVERS("DP-013");
    Machine m("m");
    m.send(0, 0, Send(DC1, kA64Read8, 0).add(U64(8, kData)));  // no channel
    m.send(0, 0, Send(DC1, 0x04205EF5).add(U32(16, 0)));       // illegal
    m.send(0, 0, read(0x0000800000000000));                    // out of bounds
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(m.memory.requests, 0u);
    EXPECT_EQ(m.eus[0]->items[1].message.status, MessageStatus::GuestError);
}

TEST(Module, AFenceWithItsFlushBitHasModifiedDataWrittenWhenItIsDone) {
    GEN9_COVERS("L3-62 L3-63 DP-199");
    Machine m("m", Timing::Timed, 1, 1);
    m.send(0, 0, write(kData, 5), Cycles(0));
    m.send(0, 0, Send(DC0, kFence | 1u << 12, 0xFF).header({}), Cycles(1));
    m.send(0, 0, fence(), Cycles(2));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    ASSERT_EQ(m.memory.controls.size(), 1u);
    EXPECT_TRUE(m.memory.controls[0].flush_data);
    EXPECT_FALSE(m.memory.controls[0].invalidate_data);
}

TEST(Module, AFlushThatTakesNoTimeDelaysItsFenceByNone) {
    Machine plain("plain", Timing::Timed, 1), flushing("flushing", Timing::Timed, 1);
    plain.send(0, 0, fence(), Cycles(5));
    flushing.send(0, 0, Send(DC0, kFence | 1u << 12, 0xFF).header({}), Cycles(5));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_EQ(flushing.memory.controls.size(), 1u);
    EXPECT_EQ(flushing.eus[0]->items[0].answered, plain.eus[0]->items[0].answered);
}

TEST(Module, AFenceWithItsFlushBitLastsUntilTheDataIsWritten) {
    GEN9_COVERS("L3-62 DP-199");
    Machine m("m", Timing::Timed, 1, 1);
    constexpr unsigned kFlush = 300;
    m.memory.state_latency = kFlush;
    m.send(0, 0, write(kData, 5), Cycles(0));
    m.send(0, 0, Send(DC0, kFence | 1u << 12, 0xFF).header({}), Cycles(1));
    m.send(0, 0, read(kData), Cycles(2));
    m.send(0, 1, read(kData), Cycles(2));  // another thread's
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    const auto& items = m.eus[0]->items;
    EXPECT_GE(items[1].answered, items[0].answered + Cycles(kFlush));
    EXPECT_GE(items[2].answered, items[1].answered);
    EXPECT_LT(items[3].answered, items[1].answered);
}

/// Asks the data port to settle, as the command streamer's thread does, and notes when it has.
struct Settler : sc_core::sc_module {
    Machine& machine;
    Cycles asked, settled;
    Settler(sc_core::sc_module_name name, Machine& m, Cycles at)
        : sc_module(name), machine(m), asked(at) {
        SC_HAS_PROCESS(Settler);
        SC_THREAD(run);
    }
    void run() {
        wait(machine.clock.time(asked));
        tlm::tlm_generic_payload payload;
        MemoryAttributes attributes;
        attributes.operation = MemoryAttributes::Operation::Control;
        attributes.control.settle = true;
        payload.set_extension(&attributes);
        sc_core::sc_time delay;
        machine.control.out->b_transport(payload, delay);
        payload.clear_extension(&attributes);
        settled = machine.clock.now();
    }
};

TEST(Module, SettlesWhenTheLastAccessHasActed) {
    GEN9_COVERS("CS-53");
    Machine m("m", Timing::Timed, 1, 1);
    Settler early("early", m, Cycles(2)), late("late", m, Cycles(5000));
    m.memory.slow_line = kData + 640;
    m.memory.slow_latency = 900;
    for (unsigned i = 0; i < 20; ++i)
        m.send(0, i % 4, write(kData + i * 64, i + 1));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_GE(early.settled, Cycles(900));
    // Answers are announced ahead; what they tell of has happened all the same.
    Cycles last;
    for (const auto& item : m.eus[0]->items)
        last = std::max(last, item.answered);
    EXPECT_LE(early.settled, last + Cycles(1));
    EXPECT_GE(early.settled + Cycles(m.eus[0]->notice), last);
    EXPECT_EQ(late.settled, late.asked) << "nothing is under way";
}

}  // namespace
}  // namespace gen9::hdc
