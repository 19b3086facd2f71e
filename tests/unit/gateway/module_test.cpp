// SPDX-License-Identifier: Apache-2.0
#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/gateway/bench.h"

namespace gen9::gateway::test {
namespace {

TEST(Gateway, NobodyIsReleasedBeforeTheLastArrival) {
    GEN9_COVERS("TD-05 GW-06 GW-07");
    ModuleBench b(Timing::Timed, {"gateway.release_cycles=90"});
    b.set_up(4, 8);
    for (unsigned t = 0; t < 8; ++t)
        b.arrive(t * 8, 4, t == 5 ? 500 : 10 + t);
    b.run(400);
    for (const Message& m : b.messages)
        EXPECT_EQ(b.answers[&m].responses, 0u);
    EXPECT_EQ(b.gateway.describe_waiting().find(
                  "bench.gateway: barrier 4: 7 of 8 threads have arrived: slice0"),
              0u)
        << b.gateway.describe_waiting();
    b.run();
    for (const Message& m : b.messages) {
        EXPECT_EQ(b.answers[&m].responses, 1u);
        EXPECT_EQ(b.answers[&m].begin_resp, Cycles(500 + 90));
        EXPECT_EQ(m.notifications, 1);
    }
    EXPECT_EQ(b.gateway.describe_waiting(), "");
    EXPECT_FALSE(b.env.reporter.failed());
}

TEST(Gateway, ABarrierShowsItsArrivals) {
    ModuleBench b;
    const gen9::test::SignalLog log(b.env.environment.signals);
    const auto at = [&](std::uint64_t cycle, const char* name) {
        return log.value(std::string("bench.gateway.") + name, cycle);
    };
    b.set_up(5, 2);
    b.set_up(3, 1);
    b.arrive(0, 5, 10);
    b.arrive(8, 5, 20);
    b.arrive(16, 3, 30);
    b.run();
    // Taken in the cycle after the arrival's.
    EXPECT_EQ(at(10, "arrivals"), 0u);
    EXPECT_EQ(at(11, "arrivals"), 1u);
    EXPECT_EQ(at(12, "arrivals"), 0u);
    EXPECT_EQ(at(11, "barrier"), 5u);
    EXPECT_EQ(at(11, "barrier_count"), 1u);
    EXPECT_EQ(at(11, "releases"), 0u);
    EXPECT_EQ(at(21, "barrier_count"), 2u);
    EXPECT_EQ(at(21, "releases"), 1u);
    EXPECT_EQ(at(22, "releases"), 0u);
    EXPECT_EQ(at(31, "barrier"), 3u);
    EXPECT_EQ(at(31, "barrier_count"), 1u);
}

TEST(Gateway, APredicateIsHeardOnlyWhereTheProductHasIt) {
    ModuleBench skylake(Timing::Timed, {"*.gateway.predicated_barriers=1"}, "skylake");
    ModuleBench broxton(Timing::Timed, {"*.gateway.predicated_barriers=0"}, "broxton");
    for (ModuleBench* b : {&skylake, &broxton}) {
        b->set_up(0, 1);
        Message& m = b->messages.emplace_back();
        make_barrier(m, 0, b->threads[0]);
        m.response_length = b == &skylake;
        set_dword(m.payload[0], 2, 1u << 30);
        set_dword(m.payload[0], 3, 0x13);
        b->send(m, 10);
        b->run();
        EXPECT_EQ(m.notifications, b == &skylake ? 0 : 1);
        EXPECT_EQ(m.response_enable[0], b == &skylake ? 3u : 0u);
        EXPECT_FALSE(b->env.reporter.failed());
    }
    EXPECT_EQ(get_dword(skylake.messages[0].response[0], 0) & 0xFFFF, 3u);
}

TEST(Gateway, TheWaveformSaysWhoWaitsAndWhatIsQueued) {
    ModuleBench b;
    const gen9::test::SignalLog log(b.env.environment.signals);
    b.set_up(4, 3);
    b.set_up(31, 2);
    // Three of a cycle, taken in the three cycles after it, in order of their EUs.
    b.arrive(0, 4, 10);
    b.arrive(8, 31, 10);
    b.arrive(16, 4, 10);
    b.arrive(24, 4, 100);
    b.run();
    const struct {
        std::uint64_t cycle, barriers, threads, queued;
    } expected[] = {{10, 0, 0, 0},          {11, 0x10, 1, 3},        {12, 0x80000010, 2, 2},
                    {13, 0x80000010, 3, 1}, {100, 0x80000010, 3, 1}, {101, 0x80000000, 1, 0}};
    for (const auto& e : expected) {
        EXPECT_EQ(log.value("bench.gateway.barriers_waiting", e.cycle), e.barriers) << e.cycle;
        EXPECT_EQ(log.value("bench.gateway.threads_waiting", e.cycle), e.threads) << e.cycle;
        EXPECT_EQ(log.value("bench.gateway.queued", e.cycle), e.queued) << e.cycle;
    }
}

/// Order in which three EUs' two messages each, sent at once, have their requests ended.
std::vector<unsigned> order_of_three(const char* policy) {
    ModuleBench b(Timing::Timed, {std::string("gateway.arbitration=") + policy});
    b.set_up(0, 7);
    for (const unsigned eu : {6u, 2u, 4u})
        for (unsigned slot = 0; slot < 2; ++slot)
            b.arrive(eu * 8 + slot, 0, 10);
    b.run();
    std::map<Cycles, unsigned> order;
    for (const Message& m : b.messages)
        order[b.answers[&m].end_req] = m.sender->place.eu.value;
    std::vector<unsigned> eus;
    for (const auto& [cycle, eu] : order)
        eus.push_back(eu);
    return eus;
}

TEST(Gateway, EusTakeTurnsAsTheArbiterSays) {
    EXPECT_EQ(order_of_three("oldest_first"), (std::vector{2u, 4u, 6u, 2u, 4u, 6u}));
}

TEST(Gateway, AFixedPriorityIsByEu) {
    EXPECT_EQ(order_of_three("fixed_priority"), (std::vector{2u, 2u, 4u, 4u, 6u, 6u}));
}

TEST(Gateway, RequestEndsBeforeTheBarrierOpensSoThatOthersCanBeSent) {
    GEN9_COVERS("GW-09");
    ModuleBench b(Timing::Timed, {"gateway.accept_cycles=20"});
    b.set_up(4, 2);
    const Message& held = b.arrive(0, 4, 30);
    b.run();
    EXPECT_EQ(b.answers[&held].end_req, Cycles(50));
    EXPECT_EQ(b.answers[&held].responses, 0u);
}

TEST(Gateway, EverythingIsAnnouncedWithNotice) {
    GEN9_COVERS("GW-08");
    ModuleBench b(Timing::Timed, {"gateway.accept_cycles=1", "gateway.release_cycles=1",
                                  "gateway.timestamp_cycles=1"});
    b.set_up(0, 3);
    for (unsigned t = 0; t < 3; ++t)
        b.arrive(t, 0, t * 5);
    make_timestamp(b.messages.emplace_back(), b.threads[9]);
    b.send(b.messages.back(), 3);
    b.run();
    EXPECT_GE(b.least_notice, Cycles(16));
    for (const Message& m : b.messages)
        EXPECT_EQ(b.answers[&m].responses, 1u);
}

TEST(Gateway, OneMessageACycleInOrderOfEu) {
    GEN9_COVERS("GW-06");
    ModuleBench b(Timing::Timed, {"gateway.release_cycles=90"});
    for (unsigned id = 0; id < 3; ++id)
        b.set_up(id, 1);
    // Sent in falling order of EU, all arriving at cycle 10.
    const Message& third = b.arrive(16, 2, 10);
    const Message& second = b.arrive(8, 1, 10);
    const Message& first = b.arrive(0, 0, 10);
    b.run();
    EXPECT_EQ(b.answers[&first].begin_resp, Cycles(100));
    EXPECT_EQ(b.answers[&second].begin_resp, Cycles(101));
    EXPECT_EQ(b.answers[&third].begin_resp, Cycles(102));
    EXPECT_EQ(b.gateway.stats().queue_cycles.value(), 3u);
}

TEST(Gateway, SetUpIsAcceptedAfterItsLatency) {
    GEN9_COVERS("GW-13 TD-46");
    ModuleBench b(Timing::Timed, {"gateway.setup_cycles=25"});
    EXPECT_EQ(b.set_up(3, 1), Cycles(25));
    EXPECT_EQ(b.set_up(3, 0), Cycles(0)) << "giving it back waits for nothing";
    EXPECT_EQ(b.set_up(3, 4), Cycles(25));
    auto* const read = b.pool.get();
    read->access(tlm::TLM_READ_COMMAND, 12, 4);
    sc_core::sc_time delay;
    b.reg_out->b_transport(*read, delay);
    EXPECT_EQ(load<std::uint32_t>(read->data), 4u);
    read->access(tlm::TLM_WRITE_COMMAND, 128, 4);
    b.reg_out->b_transport(*read, delay);
    EXPECT_EQ(read->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    read->release();
    b.run(1);
}

TEST(Gateway, TheSameBarrierServesAHundredRounds) {
    GEN9_COVERS("GW-07 GW-14");
    ModuleBench b;
    b.set_up(31, 8);
    for (unsigned round = 0; round < 100; ++round) {
        for (unsigned t = 0; t < 8; ++t)
            b.arrive(t * 7, 31, (t * 13 + round) % 40);
        b.run(300);
    }
    for (const Message& m : b.messages)
        EXPECT_EQ(b.answers[&m].responses, 1u);
    EXPECT_EQ(b.gateway.stats().barrier_releases.value(), 100u);
    EXPECT_EQ(b.gateway.stats().barrier_arrivals.value(), 800u);
}

TEST(Gateway, FunctionalModeReleasesWithoutDelay) {
    GEN9_COVERS("GW-07");
    ModuleBench b(Timing::Functional);
    b.set_up(1, 2);
    const Message& first = b.arrive(0, 1, 0);
    b.run(10);
    EXPECT_EQ(b.answers[&first].responses, 0u);
    const Message& second = b.arrive(1, 1, 0);
    b.run(10);
    EXPECT_EQ(b.answers[&first].begin_resp, Cycles(10));
    EXPECT_EQ(b.answers[&second].responses, 1u);
}

TEST(Gateway, WrongMessagesAreReportedAndStillAnswered) {
    GEN9_COVERS("GW-02 GW-17");
    ModuleBench b;
    Message& reserved = b.messages.emplace_back();
    make_barrier(reserved, 0, b.threads[0]);
    reserved.descriptor = 0x02000001;
    b.send(reserved, 0);
    const Message& unallocated = b.arrive(8, 6, 0);
    b.run();
    EXPECT_EQ(reserved.status, MessageStatus::GuestError);
    EXPECT_EQ(unallocated.status, MessageStatus::GuestError);
    EXPECT_EQ(b.answers[&reserved].responses, 1u);
    EXPECT_EQ(b.answers[&unallocated].responses, 1u);
    EXPECT_EQ(b.env.reporter.guest_errors(), 2u);
}

TEST(Gateway, MessagesOfAnAbandonedBarrierReturnToTheirPool) {
    GEN9_COVERS("GW-40");
    ModuleBench b;
    b.set_up(2, 2);
    const Message& left = b.arrive(0, 2, 0);
    b.run(100);
    b.set_up(2, 0);
    b.run(100);
    EXPECT_EQ(b.answers[&left].responses, 1u);
    EXPECT_EQ(left.notifications, 0);
    EXPECT_EQ(b.env.reporter.guest_errors(), 1u);
}

TEST(Gateway, ServesBarriersATimeOfItsOwnClockAndEndsOfThreads) {
    GEN9_COVERS("GW-01");
    ModuleBench fast(Timing::Timed, {}, "fast", 1'000'000'000);
    ModuleBench slow(Timing::Timed, {}, "slow", 250'000'000);
    std::vector<std::uint32_t> times;
    for (ModuleBench* b : {&fast, &slow}) {
        b->set_up(0, 1);
        Message& barrier = b->arrive(0, 0, 1);
        // 20 microseconds of either core clock.
        make_timestamp(b->messages.emplace_back(), b->threads[9]);
        Message& time = b->send(b->messages.back(), b == &fast ? 20'000 : 5'000);
        make_barrier(b->messages.emplace_back(), 0, b->threads[17]);
        Message& end = b->messages.back();
        end.descriptor = 0x02000000;
        end.end_of_thread = true;
        set_dword(end.payload[0], 5, 0);
        b->send(end, 1);
        b->run(30'000);
        EXPECT_EQ(barrier.notifications, 1);
        for (const Message* m : {&barrier, &time, &end}) {
            EXPECT_EQ(m->status, MessageStatus::Ok);
            EXPECT_EQ(b->answers[m].responses, 1u);
        }
        times.push_back(get_dword(time.response[0], 1) << 12 |
                        get_dword(time.response[0], 0) >> 20);
    }
    // The second was asked 30 microseconds of the first's run later.
    EXPECT_EQ(times[0], 20'000u * 4);
    EXPECT_EQ(times[1], 50'000u * 4);
}

TEST(Gateway, TimestampIsThatOfItsArrival) {
    GEN9_COVERS("GW-26 GW-30");
    ModuleBench b;
    b.run(990'000);
    make_timestamp(b.messages.emplace_back(), b.threads[0]);
    b.send(b.messages.back(), 10'000);
    b.run(20'000);
    const Message& m = b.messages.back();
    EXPECT_EQ(get_dword(m.response[0], 0), 0x90000000u);
    EXPECT_EQ(get_dword(m.response[0], 1), 976u);
    EXPECT_EQ(b.answers[&m].begin_resp, Cycles(1'000'200));
}

TEST(Gateway, CountsWhatItDoes) {
    ModuleBench b;
    b.set_up(0, 1);
    b.set_up(4, 8);
    b.set_up(0, 0);
    for (unsigned t = 0; t < 8; ++t)
        b.arrive(t * 8, 4, t == 5 ? 500 : 10 + t);
    make_timestamp(b.messages.emplace_back(), b.threads[9]);
    b.send(b.messages.back(), 100);
    b.run();
    const auto& stats = b.gateway.stats();
    EXPECT_EQ(stats.messages.value(), 9u);
    EXPECT_EQ(stats.barrier_arrivals.value(), 8u);
    EXPECT_EQ(stats.barrier_releases.value(), 1u);
    EXPECT_EQ(stats.timestamps.value(), 1u);
    EXPECT_EQ(stats.setups.value(), 2u) << "giving a barrier back is none";
    EXPECT_EQ(stats.queue_cycles.value(), 0u);
    // Each until the cycle 500: from 10, 11, 12, 13, 14, 16, 17.
    EXPECT_EQ(stats.barrier_wait_cycles.value(), 490u + 489 + 488 + 487 + 486 + 484 + 483);
}

TEST(Gateway, EachKindOfMessageIsAnsweredAfterItsLatency) {
    // 17 cycles are the least: a message is taken the cycle after it comes, with 16 cycles' notice.
    const auto settings = [](const char* accept) {
        return std::vector<std::string>{std::string("*.gateway.accept_cycles=") + accept,
                                        "*.gateway.timestamp_cycles=50",
                                        "*.gateway.release_cycles=30"};
    };
    ModuleBench least(Timing::Timed, settings("17"), "least");
    ModuleBench more(Timing::Timed, settings("25"), "more");
    for (ModuleBench* b : {&least, &more}) {
        const unsigned accept = b == &least ? 17 : 25;
        const std::uint64_t begin = b->clock.now().value;
        b->set_up(0, 1);
        const Message& barrier = b->arrive(0, 0, 10);
        make_timestamp(b->messages.emplace_back(), b->threads[8]);
        const Message& time = b->send(b->messages.back(), 20);
        make_barrier(b->messages.emplace_back(), 0, b->threads[16]);
        b->messages.back().descriptor = 0x02000000;
        b->messages.back().end_of_thread = true;
        set_dword(b->messages.back().payload[0], 5, 0);
        const Message& end = b->send(b->messages.back(), 30);
        make_barrier(b->messages.emplace_back(), 0, b->threads[24]);
        b->messages.back().descriptor = 0x02000001;
        const Message& reserved = b->send(b->messages.back(), 40);
        b->run();
        const struct {
            const Message& message;
            unsigned end_req, begin_resp;
        } expected[] = {{barrier, 10 + accept, 40},
                        {time, 20 + accept, 70},
                        {end, 30 + accept, 30 + accept},
                        {reserved, 40 + accept, 40 + accept}};
        for (const auto& e : expected) {
            EXPECT_EQ(b->answers[&e.message].end_req, Cycles(begin + e.end_req));
            EXPECT_EQ(b->answers[&e.message].begin_resp, Cycles(begin + e.begin_resp));
        }
    }
}

TEST(Gateway, WithoutASenderTheRelativeTimeIsThatSinceReset) {
    ModuleBench b;
    Message& m = b.messages.emplace_back();
    make_timestamp(m, b.threads[0]);
    m.sender = nullptr;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = b.clock.time(Cycles(20));
    (*b.msg_out[0])->nb_transport_fw(m, phase, delay);
    b.run();
    EXPECT_EQ(get_dword(m.response[0], 2), 80u << 20) << "20 ns in quarters";
}

TEST(Gateway, ALateMessageOfACycleStillComesInOrderOfEu) {
    ModuleBench b(Timing::Timed, {"gateway.release_cycles=90"});
    for (unsigned id = 0; id < 3; ++id)
        b.set_up(id, 1);
    b.arrive(40, 0, 10);
    const Message& second = b.arrive(32, 1, 11);
    b.run(11);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const Message& first = b.arrive(0, 2, 0);
    b.run();
    EXPECT_EQ(b.answers[&first].begin_resp, Cycles(101));
    EXPECT_EQ(b.answers[&second].begin_resp, Cycles(102));
}

TEST(Gateway, ThreadsOfABarrierGivenUpAreAnsweredOnceAsAnError) {
    ModuleBench b;
    b.set_up(2, 2);
    const Message& left = b.arrive(0, 2, 0);
    b.run(100);
    b.set_up(2, 0);
    b.run(100);
    EXPECT_EQ(left.status, MessageStatus::GuestError);
    b.set_up(3, 1);
    b.arrive(1, 3, 0);
    b.run(100);
    EXPECT_EQ(b.answers[&left].responses, 1u);
}

TEST(Gateway, TheReportOfAHangHasALineForEachBarrier) {
    ModuleBench b;
    b.set_up(0, 2);
    b.set_up(1, 3);
    b.arrive(0, 0, 0);
    b.arrive(8, 1, 0);
    b.arrive(17, 1, 1);
    b.run(100);
    EXPECT_EQ(
        b.gateway.describe_waiting(),
        "bench.gateway: barrier 0: 1 of 2 threads have arrived: " + place_text(b.threads[0].place) +
            "\nbench.gateway: barrier 1: 2 of 3 threads have arrived: " +
            place_text(b.threads[8].place) + " " + place_text(b.threads[17].place) + "\n");
}

TEST(Gateway, ARegisterIsReadAndWrittenByItsOwnCommandsOnly) {
    ModuleBench b;
    b.set_up(3, 4);
    auto* const payload = b.pool.get();
    sc_core::sc_time delay;
    const auto access = [&](tlm::tlm_command command, std::uint64_t address, unsigned size) {
        payload->access(command, address, size);
        store<std::uint32_t>(payload->data, 9);
        delay = sc_core::SC_ZERO_TIME;
        b.reg_out->b_transport(*payload, delay);
        return payload->get_response_status();
    };
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, 12, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(load<std::uint32_t>(payload->data), 4u);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME) << "a read takes no set-up";
    EXPECT_EQ(access(tlm::TLM_IGNORE_COMMAND, 12, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, 13, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, 12, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(access(tlm::TLM_READ_COMMAND, 12, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(load<std::uint32_t>(payload->data), 4u) << "nothing else wrote it";
    EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, 124, 4), tlm::TLM_OK_RESPONSE) << "barrier 31";
    payload->release();
    b.run(1);
}

TEST(Gateway, DeclaresItsParametersAndCounters) {
    ModuleBench b;
    ASSERT_EQ(b.env.environment.params.size(), 1u);
    EXPECT_EQ(b.env.environment.params[0]->path(), "bench.gateway");
    ASSERT_EQ(b.env.stats.sets().size(), 1u);
    EXPECT_EQ(b.env.stats.sets()[0]->path(), "bench.gateway");
}

TEST(Gateway, EachCycleHasAReason) {
    ModuleBench b(Timing::Timed, {"gateway.release_cycles=90"});
    b.set_up(4, 2);
    b.arrive(0, 4, 10);
    b.arrive(8, 4, 500);
    b.run(1000);
    b.gateway.settle();
    const auto& cycles = b.gateway.stats().cycles;
    // Messages are worked on in the cycle after their arrival.
    EXPECT_EQ(cycles[0].value(), 2u);
    EXPECT_EQ(cycles[1].value(), 590u - 502) << "answers on their way";
    EXPECT_EQ(cycles[2].value(), 501u - 12) << "one thread at the barrier";
    EXPECT_EQ(cycles[3].value(), 11u + 1000 - 590);
}

TEST(Gateway, WhoIsGivenBackWaitsNoLonger) {
    ModuleBench b;
    b.set_up(4, 2);
    b.arrive(0, 4, 10);
    b.run(100);
    b.set_up(4, 0);
    b.run(100);
    b.gateway.settle();
    EXPECT_EQ(b.gateway.stats().cycles[2].value(), 100u - 12);
}

}  // namespace
}  // namespace gen9::gateway::test
