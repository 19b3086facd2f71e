// SPDX-License-Identifier: Apache-2.0
#include "urb/module.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_target.h"
#include "tests/unit/urb/messages.h"

namespace gen9::urb::test {
namespace {

using gen9::test::MemoryTarget;
using gen9::test::TestEnvironment;

struct Bench : sc_core::sc_module {
    struct Answer {
        Cycles end_req{0}, begin_resp{0};
    };
    TestEnvironment env;
    Clock clock{1'000'000'000};
    Urb urb;
    MemoryTarget memory{"memory", clock, 1};
    std::deque<InitiatorSocket<MessageProtocol>> out;
    std::deque<ThreadSideband> threads{8};
    std::deque<Message> messages;
    std::map<const Message*, Answer> answers;

    explicit Bench(sc_core::sc_module_name module_name, std::vector<std::string> settings = {},
                   Timing timing = Timing::Timed)
        : sc_module(module_name),
          env(timing, std::move(settings)),
          urb("urb", env.environment, clock, 8) {
        urb.mem_out.bind(memory.mem_in[0]);
        for (unsigned eu = 0; eu < 8; ++eu) {
            auto& socket = out.emplace_back(("out" + std::to_string(eu)).c_str());
            socket.bind(urb.msg_in[eu]);
            socket.on_backward = [this](Message& m, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
                const Cycles when = clock.now() + clock.cycles(delay);
                if (phase == tlm::END_REQ) {
                    answers[&m].end_req = when;
                    return tlm::TLM_ACCEPTED;
                }
                answers[&m].begin_resp = when;
                return tlm::TLM_COMPLETED;
            };
            threads[eu].place.eu = EuId(eu);
        }
    }
    Message& send(unsigned eu, const Message& what, unsigned at) {
        Message& m = messages.emplace_back(what);
        m.sender = &threads[eu];
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = clock.time(Cycles(at));
        EXPECT_EQ(out[eu]->nb_transport_fw(m, phase, delay), tlm::TLM_ACCEPTED);
        return m;
    }
    void run() { sc_core::sc_start(clock.time(Cycles(10000))); }
};

std::uint32_t first_dword(const Message& m) {
    return load<std::uint32_t>(m.response[0].bytes);
}

TEST(UrbModule, EachThreadSeesAnotherOldValue) {
    GEN9_COVERS("URB-32");
    Bench b("bench");
    for (unsigned n = 0; n < 3; ++n)
        for (unsigned eu = 0; eu < 8; ++eu)
            b.send(eu, make(kInc, 0, 0, {row({4})}, 1), 100 * n);
    b.run();
    std::vector<bool> seen(24);
    for (const Message& m : b.messages) {
        ASSERT_LT(first_dword(m), 24u);
        EXPECT_FALSE(seen[first_dword(m)]);
        seen[first_dword(m)] = true;
    }
    EXPECT_TRUE(b.urb.idle());
}

TEST(UrbModule, MessagesStartByArrivalThenByEuWhateverTheOrderOfTheCalls) {
    Bench b("bench");
    for (unsigned eu : {5u, 1u, 7u, 0u})
        b.send(eu, make(kInc, 0, 0, {row({4})}, 1), eu == 7 ? 9 : 10);
    b.run();
    std::map<unsigned, std::uint32_t> order;
    for (const Message& m : b.messages)
        order[m.sender->place.eu.value] = first_dword(m);
    EXPECT_EQ(order, (std::map<unsigned, std::uint32_t>{{7, 0}, {0, 1}, {1, 2}, {5, 3}}));
}

/// The EUs whose messages start first, of two that have sent six each at once.
std::vector<unsigned> order_of_two(const char* policy) {
    Bench b("bench", {std::string("bench.urb.arbitration=") + policy});
    for (unsigned n = 0; n < 6; ++n)
        for (unsigned eu : {1u, 4u})
            b.send(eu, make(kInc, 0, 0, {row({4})}, 1), 10 + n);
    b.run();
    std::vector<unsigned> order(12);
    for (const Message& m : b.messages)
        order[first_dword(m)] = m.sender->place.eu.value;
    return order;
}

TEST(UrbModule, EusTakeTurnsAsTheArbiterSays) {
    EXPECT_EQ(order_of_two("oldest_first"),
              (std::vector{1u, 4u, 1u, 4u, 1u, 4u, 1u, 4u, 1u, 4u, 1u, 4u}));
}

TEST(UrbModule, AFixedPriorityIsByEu) {
    EXPECT_EQ(order_of_two("fixed_priority"),
              (std::vector{1u, 1u, 1u, 1u, 1u, 1u, 4u, 4u, 4u, 4u, 4u, 4u}));
}

TEST(UrbModule, ItsAccessesCarryTheMessagesId) {
    Bench b("bench");
    Message& message = b.messages.emplace_back(make(kReadHWord, 0, 0, {header(0)}, 8));
    message.trace_id = 0x5'0000'0007;
    b.send(2, message, 50);
    b.run();
    ASSERT_EQ(b.memory.seen.size(), 4u);
    for (const auto& seen : b.memory.seen)
        EXPECT_EQ(seen.attributes.trace_id, 0x5'0000'0007u);
}

TEST(UrbModule, AccessesGoOneALineAndTheAnswerFollowsTheLast) {
    Bench b("bench", {"bench.urb.front_end_cycles=20", "bench.urb.return_cycles=3"});
    // 8 rows are 4 lines.
    Message& read = b.send(2, make(kReadHWord, 0, 0, {header(0)}, 8), 50);
    b.run();
    EXPECT_EQ(b.memory.seen.size(), 4u);
    EXPECT_EQ(b.urb.stats().accesses.value(), 4u);
    const std::uint64_t notice = b.env.environment.notice_cycles;
    // Arrives at 50, starts at 51, leaves from 71 on, one a cycle; the last line is there `latency`
    // after it arrived.
    EXPECT_EQ(b.answers[&read].end_req, Cycles(51 + notice));
    EXPECT_EQ(b.answers[&read].begin_resp, Cycles(71 + 3 + b.memory.latency + 3 + notice));
    EXPECT_EQ(read.status, MessageStatus::Ok);
}

TEST(UrbModule, WritesThenReadsOfOneThreadComeInOrder) {
    Bench b("bench");
    b.memory.latency = 300;
    b.send(0, make(kWriteHWord, 0, 0, {header(1), counting(5)}), 10);
    Message& read = b.send(0, make(kReadHWord, 0, 0, {header(1)}, 1), 11);
    b.run();
    EXPECT_EQ(first_dword(read), 5u);
}

TEST(UrbModule, RefusedMessagesAreAnsweredAndReportedOnce) {
    GEN9_COVERS("URB-08");
    Bench b("bench");
    Message& bad = b.send(3, make(12, 0, 0, {header(0)}, 2), 10);
    b.run();
    EXPECT_EQ(bad.status, MessageStatus::GuestError);
    EXPECT_GT(b.answers[&bad].begin_resp, Cycles(10));
    EXPECT_EQ(bad.response_enable[0] | bad.response_enable[1], 0u);
    EXPECT_EQ(b.env.reporter.guest_errors(), 1u);
    EXPECT_TRUE(b.memory.seen.empty());
}

TEST(UrbModule, NothingEnabledAccessesNothing) {
    Bench b("bench");
    Message& none = b.send(3, make(kReadHWord, 0, 0, {header(0)}, 1, 0), 10);
    b.run();
    EXPECT_EQ(none.status, MessageStatus::Ok);
    EXPECT_GT(b.answers[&none].begin_resp, Cycles(10));
    EXPECT_TRUE(b.memory.seen.empty());
}

// One machine is sent the messages that another is called with.
TEST(UrbModule, FunctionalModeTakesSimd8MessagesAsCalls) {
    GEN9_COVERS("URB-16 URB-33");
    std::mt19937 random(5);
    Bench sent("sent", {}, Timing::Functional), called("called", {}, Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    DirectFunction* const function = called.out[0].direct_function();
    ASSERT_NE(function, nullptr);
    unsigned calls = 0;
    for (unsigned n = 0; n < 2000; ++n) {
        Message message = random_message(random, 64 * (n % 128));
        message.sender = &sent.threads[0];
        Message same = message;
        sc_core::sc_time delay;
        sent.out[0]->b_transport(message, delay);
        SendForm form;
        form.descriptor = same.descriptor;
        form.length = form.first_length = same.length;
        form.response_length = same.response_length;
        form.header_present = true;
        const auto site = function->site(form);
        ASSERT_EQ(site != nullptr, (same.descriptor & 15) >= kWriteSimd8);
        if (site != nullptr) {
            ASSERT_TRUE(site->run({called.threads[0], TraceId{}}, same.execution_mask,
                                  same.payload.data(), nullptr, same.response.data()));
            ++calls;
            for (unsigned reg = 0; reg < same.response_length; ++reg)
                for (unsigned i = 0; i < kGrfBytes; ++i)
                    if (message.response_enable[reg] >> i & 1) {
                        ASSERT_EQ(same.response[reg].bytes[i], message.response[reg].bytes[i]);
                    }
        } else {
            called.out[0]->b_transport(same, delay);
        }
    }
    EXPECT_GT(calls, 300u);
    EXPECT_EQ(called.memory.bytes, sent.memory.bytes);
    const UrbStats &a = called.urb.stats(), &b = sent.urb.stats();
    EXPECT_EQ(a.messages.value(), b.messages.value());
    EXPECT_EQ(a.reads.value(), b.reads.value());
    EXPECT_EQ(a.writes.value(), b.writes.value());
    EXPECT_EQ(a.accesses.value(), b.accesses.value());

    // A write that ends its thread is for the geometry stages.
    const Message last = make(kWriteSimd8, 0, 0, {row({}), counting(1)});
    SendForm form;
    form.descriptor = last.descriptor;
    form.extended_descriptor = 1u << 5;
    form.length = form.first_length = last.length;
    form.header_present = true;
    const auto ends = function->site(form);
    ASSERT_NE(ends, nullptr);
    ThreadSideband& thread = called.threads[1];
    const auto run = [&] {
        return ends->run({thread, TraceId{}}, 0xFF, last.payload.data(), nullptr, nullptr);
    };
    const std::uint64_t before = a.messages.value();
    EXPECT_FALSE(run());
    EXPECT_EQ(a.messages.value(), before);
    thread.of_geometry = true;
    EXPECT_TRUE(run());
    EXPECT_EQ(a.messages.value(), before + 1);
}

// Its owner says so when the bytes are others.
TEST(UrbModule, GrantedBytesAreAskedForAgainWhenTheyAreTakenBack) {
    Bench b("bench", {}, Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const Message write = make(kWriteSimd8, 0, 0, {row({0, 1, 2, 3, 4, 5, 6, 7}), counting(1)});
    SendForm form;
    form.descriptor = write.descriptor;
    form.length = form.first_length = write.length;
    form.header_present = true;
    const auto site = b.out[0].direct_function()->site(form);
    const auto run = [&] {
        return site->run({b.threads[0], TraceId{}}, 0xFF, write.payload.data(), nullptr, nullptr);
    };
    EXPECT_TRUE(run());
    b.memory.mem_in[0].on_direct = [](auto&, auto&) { return false; };
    EXPECT_TRUE(run()) << "they have not been taken back";
    b.memory.mem_in[0]->invalidate_direct_mem_ptr(0, 1 << 20);
    EXPECT_FALSE(run());
    EXPECT_EQ(b.urb.stats().messages.value(), 2u);
}

TEST(UrbModule, EachCycleHasAReason) {
    Bench b("bench", {"bench.urb.front_end_cycles=16", "bench.urb.return_cycles=5"});
    b.memory.latency = 300;
    const Message& message = b.send(0, make(kReadHWord, 0, 0, {header(1)}, 1), 10);
    b.run();
    b.urb.settle();
    const auto& cycles = b.urb.stats().cycles;
    const std::uint64_t start = 11, answered = b.answers[&message].begin_resp.value;
    const std::uint64_t back = 5 + b.env.environment.notice_cycles;
    EXPECT_EQ(answered, start + 16 + 300 + back);
    EXPECT_EQ(cycles[0].value(), 2u) << "its start and its access of L3";
    EXPECT_EQ(cycles[1].value(), 16u + 300 - 2);
    EXPECT_EQ(cycles[2].value(), back);
    EXPECT_EQ(cycles[3].value(), start + 10000 - answered);
}

}  // namespace
}  // namespace gen9::urb::test
