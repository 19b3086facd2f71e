// SPDX-License-Identifier: Apache-2.0
#include "gateway/direct.h"

#include <algorithm>
#include <array>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/gateway/bench.h"

namespace gen9::gateway::test {
namespace {

/// Barrier messages as calls: who is answered, in order, and how.
struct Calls : DirectAnswers {
    std::vector<const ThreadSideband*> answered;
    unsigned expected = 0, notified = 0, given_back = 0;
    std::vector<std::unique_ptr<DirectSite>> sites;  ///< by EU

    explicit Calls(ModuleBench& bench) {
        const SendForm form{.descriptor = 0x02000004, .sfid = 3, .length = 1, .first_length = 1};
        for (unsigned eu = 0; eu < 8; ++eu)
            sites.push_back(site(bench, eu, form));
    }
    std::unique_ptr<DirectSite> site(ModuleBench& bench, unsigned eu, const SendForm& form) {
        auto* const function = dynamic_cast<AnswersLater*>(bench.msg_out[eu]->direct_function());
        return function == nullptr ? nullptr : function->site_at(form, 0x80, *this);
    }
    bool arrive(const ThreadSideband& thread, const Grf& payload) {
        return sites[thread.place.eu.value]->run({thread, 0}, ~0u, &payload, nullptr, nullptr);
    }
    void expect(const ThreadSideband&) override { ++expected; }
    void answer(const Message& message) override {
        answered.push_back(message.sender);
        notified += message.notifications;
        given_back += message.given_back;
    }
    void notify(const ThreadSideband& thread) override {
        answered.push_back(&thread);
        ++notified;
    }
};

TEST(Gateway, BarriersAsCallsDoWhatMessagesDo) {
    GEN9_COVERS("GW-06 GW-07 GW-17");
    ModuleBench sent(Timing::Functional, {}, "sent"), called(Timing::Functional, {}, "called");
    const auto state = std::make_shared<PipelineState>();
    for (ModuleBench* bench : {&sent, &called}) {
        for (ThreadSideband& thread : bench->threads)
            thread.state = state;
        bench->set_up(1, 5);
        bench->set_up(9, 3);
    }
    Calls calls(called);
    std::mt19937 random(5);
    std::size_t told = 0;
    // In which order the threads of a cycle are answered may differ.
    const auto run = [&] {
        sent.run(2);
        const auto number_of = [](const ThreadSideband* thread, const ModuleBench& bench) {
            return thread - &bench.threads[0];
        };
        std::vector<std::ptrdiff_t> messages, answers;
        for (std::size_t i = told; i < sent.order.size(); ++i)
            messages.push_back(number_of(sent.order[i]->sender, sent));
        for (std::size_t i = told; i < calls.answered.size(); ++i)
            answers.push_back(number_of(calls.answered[i], called));
        std::ranges::sort(messages);
        std::ranges::sort(answers);
        EXPECT_EQ(answers, messages);
        told = sent.order.size();
    };
    unsigned arrivals = 0;
    const auto arrive = [&](unsigned thread, std::uint32_t m02) {
        Message& message = sent.messages.emplace_back();
        make_barrier(message, 0, sent.threads[thread]);
        message.ip = 0x80;
        set_dword(message.payload[0], 2, m02);
        sent.send(message, 0);
        EXPECT_TRUE(calls.arrive(called.threads[thread], message.payload[0]));
        ++arrivals;
        if (random() % 4 == 0) run();
    };
    // Groups of five threads and of three; each arrives once in a round.
    for (unsigned round = 0; round < 40; ++round) {
        std::array<unsigned, 8> threads{0, 9, 18, 27, 36, 45, 54, 63};
        std::ranges::shuffle(threads, random);
        for (const unsigned thread : threads) {
            if (random() % 24 == 0) {  // no barrier of that number
                run();
                arrive(thread, r02(20));
                run();
            }
            arrive(thread, thread < 40 ? r02(1) : r02(9) | 1u << 15 | 3u << 9);
        }
        run();
        if (round % 8 != 7) continue;
        // Another count from now on, and back.
        for (const unsigned count : {2u, 5u})
            for (unsigned n = 0; n < count; ++n) {
                arrive(9 * n, r02(1) | 1u << 15 | count << 9);
                run();
            }
    }
    sent.run(100);
    EXPECT_EQ(calls.expected, arrivals);
    ASSERT_EQ(calls.answered.size(), sent.order.size());
    unsigned notified = 0;
    for (const Message* const message : sent.order)
        notified += message->notifications;
    EXPECT_GT(notified, 100u);
    EXPECT_EQ(calls.notified, notified);
    const GatewayStats &a = sent.gateway.stats(), &b = called.gateway.stats();
    EXPECT_EQ(a.messages.value(), b.messages.value());
    EXPECT_EQ(a.queue_cycles.value(), b.queue_cycles.value());
    EXPECT_EQ(a.barrier_arrivals.value(), b.barrier_arrivals.value());
    EXPECT_EQ(a.barrier_releases.value(), b.barrier_releases.value());
    EXPECT_EQ(a.barrier_wait_cycles.value(), b.barrier_wait_cycles.value());
    EXPECT_EQ(b.queue_cycles.value(), 0u);
    EXPECT_GT(b.barrier_wait_cycles.value(), 0u);
    EXPECT_GT(called.env.reporter.guest_errors(), 0u);
    EXPECT_EQ(sent.env.log, called.env.log);
}

TEST(Gateway, OnlyPlainBarriersAreCalls) {
    ModuleBench b(Timing::Functional, {"*.gateway.predicated_barriers=1"});
    b.threads[0].state = std::make_shared<PipelineState>();
    Calls calls(b);
    const SendForm plain{.descriptor = 0x02000004, .sfid = 3, .length = 1, .first_length = 1};
    const auto refused = [&](auto change) {
        SendForm form = plain;
        change(form);
        return calls.site(b, 0, form) == nullptr;
    };
    EXPECT_FALSE(refused([](SendForm&) {}));
    EXPECT_TRUE(refused([](SendForm& form) { form.descriptor = 0x02000003; })) << "a time";
    EXPECT_TRUE(refused([](SendForm& form) { form.descriptor |= 1u << 5; })) << "reserved";
    EXPECT_TRUE(refused([](SendForm& form) { form.header_present = true; }));
    EXPECT_TRUE(refused([](SendForm& form) { form.response_length = 1; }));
    EXPECT_TRUE(refused([](SendForm& form) { form.length = form.first_length = 2; }));
    Grf payload{};
    set_dword(payload, 2, r02(0) | 1u << 30);
    EXPECT_FALSE(calls.arrive(b.threads[0], payload)) << "with a predicate";
    EXPECT_EQ(calls.expected, 0u);
    EXPECT_EQ(b.gateway.stats().messages.value(), 0u);
}

// Threads that are saved: their messages come back without a notification.
TEST(Gateway, BarriersAsCallsAreGivenBack) {
    ModuleBench b(Timing::Functional);
    b.threads[0].state = std::make_shared<PipelineState>();
    b.set_up(1, 2);
    Calls calls(b);
    Grf payload{};
    set_dword(payload, 2, r02(1));
    EXPECT_TRUE(calls.arrive(b.threads[0], payload));
    b.run(10);
    EXPECT_TRUE(calls.answered.empty());
    auto* const write = b.pool.get();
    write->access(tlm::TLM_WRITE_COMMAND, kGiveBack, 4);
    store<std::uint32_t>(write->data, 1);
    sc_core::sc_time delay;
    b.reg_out->b_transport(*write, delay);
    write->release();
    b.run(10);
    EXPECT_EQ(calls.answered, std::vector<const ThreadSideband*>{&b.threads[0]});
    EXPECT_EQ(calls.given_back, 1u);
    EXPECT_EQ(calls.notified, 0u);
}

// The usual arrivals are counted at once, round after round. All others are left as they are.
TEST(GatewayCore, PlainArrivalsAreTheUsualOnes) {
    GEN9_COVERS("GW-06 GW-07");
    GatewayCore core(true);
    std::vector<ThreadSideband> threads(3);
    std::vector<Waiting> released, abandoned;
    const auto arrive = [&](unsigned thread, std::uint32_t m02) {
        threads[thread].fftid = static_cast<std::uint16_t>(70 * thread);
        Waiting call;
        call.sender = &threads[thread];
        set_dword(call.payload, 2, m02);
        return core.arrive_plainly(call, released);
    };
    using enum GatewayCore::Plain;
    EXPECT_EQ(arrive(0, r02(1)), Other) << "not set up";
    core.set_up(1, 2, abandoned);
    for (unsigned round = 0; round < 3; ++round) {
        EXPECT_EQ(arrive(0, r02(1)), Waits);
        EXPECT_EQ(arrive(0, r02(1)), Other) << "it has arrived";
        EXPECT_EQ(arrive(1, r02(1) | 1u << 15 | 3u << 9), Other) << "another count";
        EXPECT_EQ(arrive(1, r02(1) | 1u << 30), Other) << "with a predicate";
        EXPECT_EQ(core.waiting(), 1u);
        released.clear();
        EXPECT_EQ(arrive(1, r02(1) | 1u << 15 | 2u << 9), Opens) << "its own count";
        ASSERT_EQ(released.size(), 2u);
        EXPECT_EQ(released[0].sender, &threads[0]);
        EXPECT_EQ(released[1].sender, &threads[1]);
        EXPECT_EQ(core.waiting(), 0u);
    }
    released.clear();
    core.arm(2, 1, released);
    EXPECT_EQ(arrive(0, r02(2)), Other) << "a part of a global barrier";
}

}  // namespace
}  // namespace gen9::gateway::test
