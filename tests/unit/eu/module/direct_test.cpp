// SPDX-License-Identifier: Apache-2.0
// Messages that a target takes as calls. The instruction words were made with `iga64 -p=9 -a` from
// the text beside them.
#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <tuple>

#include "common/bits.h"
#include "tests/unit/eu/module/bench.h"

namespace gen9::test {
namespace {

// clang-format off
/// r1.0 times round: a message to the data port, and one to the sampler, which shows what came back.
constexpr std::uint64_t kCalls[] = {
    0x2160060c00600001, 0x0000000000000000,  // (W) mov (8|M0) r11.0<1>:ud 0x0:ud
    0x2140060c00000001, 0x0000000000000000,  // (W) mov (1|M0) r10.0<1>:ud 0x0:ud
    0x2140020c00000040, 0x0000000106000140,  // (W) add (1|M0) r10.0<1>:ud r10.0<0;1,0>:ud 0x1:ud
    0x22a002080c600031, 0x02106e0406000160,  // send (8|M0) r21:ud r11 0xC 0x02106E04
    0x2160020c00600040, 0x008d02a0028d0160,  // (W) add (8|M0) r11.0<1>:ud r11.0<8;8,1>:ud r21.0<8;8,1>:ud
    0x2280020802600031, 0x02106e0406000160,  // send (8|M0) r20:ud r11 0x2 0x02106E04
    0x2000020405000010, 0x0000002002000140,  // (W) cmp (1|M0) (lt)f0.0 null<1>:ud r10.0<0;1,0>:ud r1.0<0;1,0>:ud
    0x3400000400010020, 0xffffffa00e001400,  // (W&f0.0) jmpi to the first add
    0x2e00020c00600001, 0x00000000008d0160,  // (W) mov (8|M0) r112.0<1>:ud r11.0<8;8,1>:ud
    0x2000020007600031, 0x8200001006000e00,  // send (8|M0) null r112 0x27 0x02000010 {EOT}
};
/// A message to the data port, and then the thread waits for a notification.
constexpr std::uint64_t kWaits[] = {
    0x2160060c00600001, 0x0000000000000000,  // (W) mov (8|M0) r11.0<1>:ud 0x0:ud
    0x22a002080c600031, 0x02106e0406000160,  // send (8|M0) r21:ud r11 0xC 0x02106E04
    0x3200000400000030, 0x0000000000001200,  // (W) wait n0.0<0;1,0>:ud
    0x2e00020c00600001, 0x00000000008d0160,  // (W) mov (8|M0) r112.0<1>:ud r11.0<8;8,1>:ud
    0x2000020407600031, 0x8200001006000e00,  // (W) send (8|M0) null r112 0x27 0x02000010 {EOT}
};
// clang-format on

constexpr std::uint32_t kMask = 0x5B;
constexpr unsigned kThreads = 4, kTurns = 5;

/// Stands for a data port that takes messages as calls: it answers what the bench answers.
struct Granted : DirectFunction {
    EuBench& bench;
    unsigned sites = 0, refused = 0;
    bool no_sites = false, refuses_every_other = false;
    SendForm form;
    std::vector<std::uint32_t> masks;
    explicit Granted(EuBench& to) : bench(to) {}

    struct Site : DirectSite {
        Granted& port;
        unsigned asked = 0;
        explicit Site(Granted& of) : port(of) { ++port.sites; }
        ~Site() override { --port.sites; }
        bool run(const DirectSender& sender, std::uint32_t mask, const Grf* first, const Grf*,
                 Grf* response) override {
            if (port.refuses_every_other && ++asked % 2 == 0) {
                ++port.refused;
                return false;
            }
            port.masks.push_back(mask);
            store(response->bytes,
                  gen9::load<std::uint32_t>(first->bytes) * 3 + sender.thread.place.slot.value);
            return true;
        }
    };
    std::unique_ptr<DirectSite> site(const SendForm& given) override {
        form = given;
        return no_sites ? nullptr : std::make_unique<Site>(*this);
    }
};

/// The same, which counts its calls later.
struct CountsLater : Granted {
    using Granted::Granted;
    std::size_t counted = 0;
    bool counts_later() const override { return true; }
    void settle(TraceId) override { counted = masks.size(); }
};

/// An EU beside it, with the code of both.
struct Waiter {
    TestEnvironment test{Timing::Functional};
    EuBench bench{test, "bench"};
    CountsLater port{bench};
    Waiter() {
        bench.eu.observe(nullptr);
        bench.code(0, bytes(kWaits));
        bench.code(0x1000, bytes(kCalls));
        bench.payload = {0, kTurns};
        bench.grant(MessagePort::DataPort, &port);
    }
    void run(unsigned slot, std::uint32_t ip = 0) {
        bench.dispatch(slot, ip);
        bench.run();
    }
};

struct Watcher : SocketObserver<MessageProtocol> {
    void passed(const Message&, const tlm::tlm_phase&, const sc_core::sc_time&) override {}
};
struct Tracer : eu::InstructionObserver {
    void executed(const eu::Thread&, const eu::DecodedInstruction&, Cycles,
                  std::uint32_t) override {}
};

/// An EU in functional mode beside a data port that grants calls.
struct Caller {
    TestEnvironment test;
    EuBench bench;
    Granted port{bench};
    std::vector<std::uint32_t> masks;  ///< of messages to the data port
    explicit Caller(const char* name, std::vector<std::string> settings = {})
        : test(Timing::Functional, std::move(settings)), bench(test, name) {
        bench.eu.observe(nullptr);
        bench.code(0, bytes(kCalls));
        bench.answer = [this](const Message& m, unsigned) -> std::uint32_t {
            if (m.sfid != Sfid::DataPort1) return 0;
            masks.push_back(m.execution_mask);
            return gen9::load<std::uint32_t>(m.payload[0].bytes) * 3 + m.sender->place.slot.value;
        };
        // Only the first DWord of an answer is the test's.
        bench.enables = [](const Message&) { return 0xFu; };
        bench.payload = {0, kTurns};
        bench.adjust = [](ThreadDispatch& dispatch) { dispatch.dispatch_mask = kMask; };
        bench.grant(MessagePort::DataPort, &port);
    }
    /// The data port's messages are `sendc`.
    void check_messages() {
        std::vector<std::uint8_t> code = bytes(kCalls);
        constexpr std::size_t kFirstSend = 3 * 16;
        code[kFirstSend] = 0x32;
        bench.code(0, code);
    }
    void dispatch() {
        for (unsigned slot = 0; slot < kThreads; ++slot)
            bench.dispatch(slot, 0);
    }
    std::uint64_t direct() const { return bench.eu.stats().direct_messages.value(); }
    /// What comes out of the EU beside messages to the data port.
    struct Outside {
        std::vector<EuBench::Sent> sent;
        std::vector<EuBench::Ended> ended;
        std::uint64_t instructions, messages;
        auto operator<=>(const Outside&) const = default;
    };
    Outside outside() const {
        Outside result{{},
                       bench.ended,
                       bench.eu.stats().instructions.value(),
                       bench.eu.stats().messages.value()};
        for (const EuBench::Sent& sent : bench.sent)
            if (sent.port != static_cast<unsigned>(MessagePort::DataPort))
                result.sent.push_back(sent);
        return result;
    }
    std::size_t sent_to_data_port() const { return bench.sent.size() - outside().sent.size(); }
};

/// Compiled or stepped; messages that wait for other threads, or not.
class EuDirectWays : public testing::TestWithParam<std::tuple<const char*, bool>> {};
INSTANTIATE_TEST_SUITE_P(Ways, EuDirectWays,
                         testing::Combine(testing::Values("eu.jit=on", "eu.jit=off"),
                                          testing::Bool()));

TEST_P(EuDirectWays, ACallLeavesWhatAMessageLeaves) {
    const auto [jit, checked] = GetParam();
    Caller messages("messages", {"eu.direct_messages=off", jit}), calls("calls", {jit}),
        both("both", {jit});
    both.port.refuses_every_other = true;
    const std::array callers{&messages, &calls, &both};
    for (Caller* caller : callers) {
        if (checked) caller->check_messages();
        caller->dispatch();
    }
    messages.bench.run();
    EXPECT_EQ(messages.direct(), 0u);
    EXPECT_EQ(messages.sent_to_data_port(), kThreads * kTurns);
    for (const Caller* caller : {&calls, &both}) {
        EXPECT_EQ(caller->outside(), messages.outside());
        EXPECT_EQ(caller->port.masks.size(), caller->direct());
        EXPECT_EQ(caller->direct() + caller->sent_to_data_port(), kThreads * kTurns);
        for (const std::uint32_t mask : caller->port.masks)
            EXPECT_EQ(mask, messages.masks.front());
    }
    EXPECT_GT(calls.direct(), kThreads * kTurns / 2);
    EXPECT_EQ(calls.port.sites, 1u) << "one for the instruction, not one for each thread";
    EXPECT_GT(both.direct(), 0u);
    EXPECT_GT(both.port.refused, 0u);
    const SendForm& form = calls.port.form;
    EXPECT_EQ(form.descriptor, 0x02106E04u);
    EXPECT_EQ(form.sfid, static_cast<std::uint8_t>(Sfid::DataPort1));
    EXPECT_EQ(form.length, 1u);
    EXPECT_EQ(form.response_length, 1u);
}

TEST(EuDirect, AMessageThatIsWatchedIsNoCall) {
    Caller traced("traced"), mixed("mixed"), refused("refused"), observed("observed");
    Tracer tracer;
    traced.bench.eu.observe(&tracer);
    mixed.bench.eu.expect_changes();
    refused.port.no_sites = true;
    Watcher watcher;
    observed.bench.eu.msg_out[static_cast<unsigned>(MessagePort::DataPort)]->observe(watcher);
    const std::array callers{&traced, &mixed, &refused, &observed};
    for (Caller* caller : callers)
        caller->dispatch();
    traced.bench.run();
    for (const Caller* caller : callers) {
        EXPECT_EQ(caller->direct(), 0u) << caller->bench.name();
        EXPECT_EQ(caller->sent_to_data_port(), kThreads * kTurns) << caller->bench.name();
        EXPECT_EQ(caller->bench.ended.size(), kThreads);
    }
}

// Threads that meet at barriers run many short turns.
TEST(EuDirect, CallsAreCountedWhenAThreadEndsOrStatisticsAreRead) {
    Waiter waiter;
    const CountsLater& port = waiter.port;
    waiter.run(0);  // it finds its page
    waiter.run(1);
    const std::size_t called = port.masks.size();
    ASSERT_GT(called, 0u);
    EXPECT_LT(port.counted, called);
    waiter.bench.eu.settle();
    EXPECT_EQ(port.counted, called);

    waiter.run(2);
    EXPECT_LT(port.counted, port.masks.size());
    waiter.run(3, 0x1000);
    ASSERT_EQ(waiter.bench.ended.size(), 1u);
    EXPECT_GT(port.masks.size(), called + 1);
    EXPECT_EQ(port.counted, port.masks.size());
}

// Sites go with what they have not counted.
TEST(EuDirect, CallsAreCountedBeforeTheirSitesGo) {
    Waiter waiter;
    const CountsLater& port = waiter.port;
    waiter.run(0);
    waiter.run(1);
    ASSERT_LT(port.counted, port.masks.size());
    Watcher watcher;
    waiter.bench.eu.msg_out[static_cast<unsigned>(MessagePort::DataPort)]->observe(watcher);
    EXPECT_EQ(port.sites, 0u);
    EXPECT_EQ(port.counted, port.masks.size());
}

TEST(EuDirect, AnObserverThatComesLaterSeesEveryMessage) {
    Caller caller("caller");
    const auto run = [&caller] {
        caller.dispatch();
        caller.bench.run();
    };
    run();
    const std::uint64_t direct = caller.direct();
    const std::size_t sent = caller.sent_to_data_port();
    EXPECT_GT(direct, 0u);
    EXPECT_EQ(caller.port.sites, 1u);
    Watcher watcher;
    caller.bench.eu.msg_out[static_cast<unsigned>(MessagePort::DataPort)]->observe(watcher);
    EXPECT_EQ(caller.port.sites, 0u) << "what the target knows of the instruction goes";
    run();
    EXPECT_EQ(caller.direct(), direct);
    EXPECT_EQ(caller.sent_to_data_port(), sent + kThreads * kTurns);
}

}  // namespace
}  // namespace gen9::test
