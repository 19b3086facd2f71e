// SPDX-License-Identifier: Apache-2.0
#include "icache/module.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <optional>

#include "common/check.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"

namespace gen9::icache {
namespace {

/// An instruction cache between two EUs and an L3 that the test plays.
struct Bench : sc_core::sc_module {
    struct Got {
        std::uint64_t cycle, line;
        unsigned eu;
        std::uint8_t byte;
        auto operator<=>(const Got&) const = default;
    };
    test::TestEnvironment& test;
    Clock clock{1'000'000'000};
    InstructionCache cache;
    std::deque<InitiatorSocket<MemoryProtocol>> fetch;
    TargetSocket<MemoryProtocol> l3{"l3"};
    InitiatorSocket<MemoryProtocol> control{"control"};
    MemoryPool pool;
    std::vector<Got> got;
    std::vector<std::uint64_t> read;  ///< lines L3 was asked for
    unsigned l3_latency = 100;
    std::optional<std::uint64_t> faulty;
    std::uint8_t contents = 1;
    std::vector<unsigned> told;  ///< EUs told to drop their code
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::function<void()>> actions;
    std::uint64_t action_number = 0;
    Wakeup wakeup{clock};

    explicit Bench(test::TestEnvironment& environment,
                   sc_core::sc_module_name module_name = "bench")
        : sc_core::sc_module(module_name),
          test(environment),
          cache("icache", environment.environment, clock, 2) {
        for (unsigned eu = 0; eu < 2; ++eu) {
            auto& socket = fetch.emplace_back(("fetch" + std::to_string(eu)).c_str());
            socket.bind(*cache.mem_in[eu]);
            socket.on_backward = [this, eu](auto& payload, auto& phase, auto& delay) {
                EXPECT_EQ(phase, tlm::BEGIN_RESP);
                EXPECT_GE(delay, clock.time(Cycles(test.environment.notice_cycles)));
                got.push_back(
                    {clock.cycles(sc_core::sc_time_stamp() + delay).value, payload.get_address(),
                     eu, payload.is_response_ok() ? payload.get_data_ptr()[5] : std::uint8_t{0}});
                payload.release();
                return tlm::TLM_COMPLETED;
            };
            socket.on_invalidate = [this, eu](auto, auto) { told.push_back(eu); };
        }
        cache.mem_out.bind(l3);
        control.bind(cache.control_in);
        l3.on_blocking = [this](auto& payload, auto&) { answer(payload); };
        l3.on_direct = [](auto&, auto&) { return true; };
        l3.on_forward = [this](auto& payload, auto& phase, auto& delay) {
            EXPECT_EQ(attributes_of(payload).requester, Requester::InstructionCache);
            EXPECT_EQ(attributes_of(payload).mocs, 0x5C);
            EXPECT_EQ(attributes_of(payload).trace_id, payload.get_address() + 7);
            const std::uint64_t done =
                clock.cycles(sc_core::sc_time_stamp() + delay).value + l3_latency;
            at(done, [this, &payload] {
                answer(payload);
                tlm::tlm_phase response = tlm::BEGIN_RESP;
                sc_core::sc_time zero;
                EXPECT_EQ(l3->nb_transport_bw(payload, response, zero), tlm::TLM_COMPLETED);
            });
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        };
        SC_HAS_PROCESS(Bench);
        SC_METHOD(act);
        sensitive << wakeup.event;
        dont_initialize();
    }

    void answer(tlm::tlm_generic_payload& payload) {
        read.push_back(payload.get_address());
        std::fill_n(payload.get_data_ptr(), payload.get_data_length(), contents);
        payload.set_response_status(faulty == payload.get_address()
                                        ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                        : tlm::TLM_OK_RESPONSE);
    }
    void at(std::uint64_t cycle, std::function<void()> action) {
        actions.emplace(std::pair{cycle, ++action_number}, std::move(action));
        wakeup.at(Cycles(cycle));
    }
    void act() {
        while (!actions.empty() && actions.begin()->first.first <= clock.now().value) {
            const auto action = std::move(actions.begin()->second);
            actions.erase(actions.begin());
            action();
        }
        if (!actions.empty()) wakeup.at(Cycles(actions.begin()->first.first));
    }
    /// EU `eu` asks for a line at a cycle (announced `ahead` cycles before).
    void ask(unsigned eu, std::uint64_t line, std::uint64_t cycle, std::uint64_t ahead = 0) {
        at(cycle - ahead, [this, eu, line, ahead] {
            MemoryTransaction* const payload = pool.get();
            payload->access(tlm::TLM_READ_COMMAND, line, kLineBytes);
            payload->attributes.requester = Requester::InstructionCache;
            payload->attributes.mocs = 0x5C;
            payload->attributes.trace_id = line + 7;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay = clock.time(Cycles(ahead));
            EXPECT_EQ(fetch[eu]->nb_transport_fw(*payload, phase, delay), tlm::TLM_UPDATED);
        });
    }
    void invalidate() {
        MemoryTransaction* const payload = pool.get();
        payload->set_command(tlm::TLM_IGNORE_COMMAND);
        payload->attributes.operation = MemoryAttributes::Operation::Control;
        payload->attributes.control.invalidate_instruction = true;
        sc_core::sc_time delay;
        control->b_transport(*payload, delay);
        EXPECT_TRUE(payload->is_response_ok());
        payload->release();
    }
    void run() { sc_core::sc_start(clock.time(Cycles(10000))); }
    void expect_drained() {
        EXPECT_TRUE(cache.idle());
        EXPECT_EQ(pool.in_flight(), 0u);
    }
};

using Got = Bench::Got;

/// Cycles at which two EUs get six lines each, all hits, that they asked for at once; which EU
/// gets each.
std::vector<unsigned> order_of_two(const char* policy) {
    test::TestEnvironment test(Timing::Timed, {std::string("icache.arbitration=") + policy});
    Bench bench(test);
    for (unsigned i = 0; i < 6; ++i)
        bench.ask(0, 0x1000 + i * 64, 100 + i * 200);
    for (unsigned i = 0; i < 6; ++i)
        for (const unsigned eu : {1u, 0u})
            bench.ask(eu, 0x1000 + i * 64, 2000);
    bench.run();
    std::sort(bench.got.begin(), bench.got.end());
    std::vector<unsigned> order;
    for (std::size_t i = 6; i < bench.got.size(); ++i)
        order.push_back(bench.got[i].eu);
    return order;
}

TEST(InstructionCache, EusAreServedAsTheArbiterSays) {
    // The second has been served longest ago: never.
    EXPECT_EQ(order_of_two("oldest_first"),
              (std::vector{1u, 0u, 1u, 0u, 1u, 0u, 1u, 0u, 1u, 0u, 1u, 0u}));
}

TEST(InstructionCache, AFixedPriorityIsByEu) {
    EXPECT_EQ(order_of_two("fixed_priority"),
              (std::vector{0u, 0u, 0u, 0u, 0u, 0u, 1u, 1u, 1u, 1u, 1u, 1u}));
}

TEST(InstructionCache, AMissAsksL3AndAHitDoesNot) {
    test::TestEnvironment test;
    Bench bench(test);
    bench.ask(0, 0x1000, 100);
    bench.ask(0, 0x1000, 1000);
    bench.run();
    // 1 cycle to the lookup, 100 for L3, 18 for the fill; 18 for the hit.
    EXPECT_EQ(bench.got, (std::vector<Got>{{219, 0x1000, 0, 1}, {1018, 0x1000, 0, 1}}));
    EXPECT_EQ(bench.read, (std::vector<std::uint64_t>{0x1000}));
    EXPECT_EQ(bench.cache.stats().hits.value(), 1u);
    EXPECT_EQ(bench.cache.stats().misses.value(), 1u);
    bench.expect_drained();
}

TEST(InstructionCache, OneLookupACycleInTurnWhateverTheOrderOfTheCalls) {
    test::TestEnvironment test;
    Bench bench(test);
    bench.ask(0, 0x1000, 100);
    bench.ask(0, 0x1000, 1000, 10);
    bench.ask(1, 0x1000, 1000, 0);
    bench.run();
    ASSERT_EQ(bench.got.size(), 3u);
    // The first EU has been served before.
    EXPECT_EQ(bench.got[1], (Got{1018, 0x1000, 1, 1}));
    EXPECT_EQ(bench.got[2], (Got{1019, 0x1000, 0, 1}));
}

TEST(InstructionCache, RequestsForALineThatIsOnItsWayShareIt) {
    test::TestEnvironment test;
    Bench bench(test);
    bench.ask(0, 0x1000, 100);
    bench.ask(1, 0x1000, 110);
    bench.run();
    EXPECT_EQ(bench.got, (std::vector<Got>{{219, 0x1000, 0, 1}, {219, 0x1000, 1, 1}}));
    EXPECT_EQ(bench.read.size(), 1u);
    EXPECT_EQ(bench.cache.stats().joined.value(), 1u);
    bench.expect_drained();
}

TEST(InstructionCache, WithAllMissesOutTheNextWaits) {
    test::TestEnvironment test(Timing::Timed, {"icache.misses=1"});
    Bench bench(test);
    bench.ask(0, 0x1000, 100);
    bench.ask(1, 0x2000, 100);
    bench.run();
    // The second goes to L3 in the cycle after the first has come: 201 + 1 + 100 + 18.
    EXPECT_EQ(bench.got, (std::vector<Got>{{219, 0x1000, 0, 1}, {320, 0x2000, 1, 1}}));
    bench.expect_drained();
}

TEST(InstructionCache, AFaultIsPassedOnAndNotKept) {
    test::TestEnvironment test;
    Bench bench(test);
    bench.faulty = 0x1000;
    bench.ask(0, 0x1000, 100);
    bench.ask(0, 0x1000, 1000);
    bench.run();
    ASSERT_EQ(bench.got.size(), 2u);
    EXPECT_EQ(bench.got[0].byte, 0);
    EXPECT_EQ(bench.read.size(), 2u);
    bench.expect_drained();
}

TEST(InstructionCache, AnInvalidationDropsTheLinesAndTellsAllEus) {
    GEN9_COVERS("EU-017");
    test::TestEnvironment test;
    Bench bench(test);
    bench.ask(0, 0x1000, 100);
    bench.at(900, [&] {
        bench.contents = 2;
        bench.invalidate();
    });
    bench.ask(0, 0x1000, 1000);
    bench.run();
    EXPECT_EQ(bench.told, (std::vector<unsigned>{0, 1}));
    ASSERT_EQ(bench.got.size(), 2u);
    EXPECT_EQ(bench.got[1].byte, 2);
    bench.expect_drained();
}

TEST(InstructionCache, ALineOnItsWayDuringAnInvalidationIsNotKept) {
    GEN9_COVERS("EU-017");
    test::TestEnvironment test;
    Bench bench(test);
    bench.ask(0, 0x1000, 100);
    bench.at(150, [&] { bench.invalidate(); });
    bench.ask(1, 0x1000, 160);
    bench.ask(0, 0x1000, 1000);
    bench.run();
    EXPECT_EQ(bench.got.size(), 3u);
    EXPECT_EQ(bench.read.size(), 2u)
        << "the request after the invalidation asks again, the last one hits";
    EXPECT_EQ(bench.cache.stats().hits.value(), 1u);
    bench.expect_drained();
}

// Who has asked for nothing since has nothing to drop; one EU's request is enough to tell all.
TEST(InstructionCache, FunctionalModeTellsEusThatHaveAskedSinceTheyWereTold) {
    test::TestEnvironment test(Timing::Functional);
    Bench bench(test);
    MemoryTransaction* const payload = bench.pool.get();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto told_after = [&](auto&& asked) {
        payload->access(tlm::TLM_READ_COMMAND, 0x1000, kLineBytes);
        asked(*payload);
        bench.told.clear();
        bench.invalidate();
        return bench.told;
    };
    const std::vector<unsigned> all{0, 1}, none;
    const auto nothing = [](auto&) {};
    const auto block = [&](auto& line) {
        sc_core::sc_time delay;
        bench.fetch[1]->b_transport(line, delay);
    };
    EXPECT_EQ(told_after(block), all);
    EXPECT_EQ(told_after(nothing), none);
    EXPECT_EQ(told_after(block), all) << "also when the line is here";
    EXPECT_EQ(told_after([&](auto& line) { bench.fetch[0]->transport_dbg(line); }), all);
    EXPECT_EQ(told_after(nothing), none);
    payload->release();
}

TEST(InstructionCache, FunctionalModeKeepsWhatTimedModeThenFinds) {
    test::TestEnvironment test(Timing::Functional);
    Bench bench(test);
    MemoryTransaction* const payload = bench.pool.get();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto read = [&](std::uint64_t line) {
        payload->access(tlm::TLM_READ_COMMAND, line, kLineBytes);
        payload->attributes.requester = Requester::InstructionCache;
        sc_core::sc_time delay;
        bench.fetch[1]->b_transport(*payload, delay);
        return payload->is_response_ok() ? payload->get_data_ptr()[63] : 0;
    };
    EXPECT_EQ(read(0x1000), 1);
    bench.contents = 2;
    EXPECT_EQ(read(0x1000), 1) << "no coherency with data writes";
    bench.invalidate();
    EXPECT_EQ(read(0x1000), 2);
    bench.faulty = 0x2000;
    EXPECT_EQ(read(0x2000), 0);
    bench.faulty.reset();
    EXPECT_EQ(read(0x2000), 2) << "what could not be read is not kept";
    EXPECT_EQ(bench.read, (std::vector<std::uint64_t>{0x1000, 0x1000, 0x2000, 0x2000}));
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.fetch[0]->get_direct_mem_ptr(*payload, dmi));
    payload->release();

    test.environment.timing = Timing::Timed;
    bench.ask(0, 0x1000, 100);
    bench.run();
    EXPECT_EQ(bench.got, (std::vector<Got>{{118, 0x1000, 0, 2}}));
    EXPECT_EQ(bench.cache.stats().hits.value(), 1u) << "of timed mode alone";
}

TEST(InstructionCache, ALatencyBelowTheNoticeIsAUserError) {
    test::TestEnvironment test(Timing::Timed, {"icache.hit_latency=10"});
    Clock clock(1'000'000'000);
    EXPECT_THROW(InstructionCache("icache", test.environment, clock, 1), UserError);
}

TEST(InstructionCache, EachCycleHasAReason) {
    test::TestEnvironment test(Timing::Timed, {"icache.hit_latency=18", "icache.fill_latency=20"});
    Bench bench(test);
    const auto& cycles = bench.cache.stats().cycles;
    // Looked up at 11, when L3 is asked; the line comes at 111 and is taken at 112.
    bench.ask(0, 0x1000, 10);
    bench.ask(0, 0x1000, 300);
    bench.run();
    bench.cache.settle();
    ASSERT_EQ(bench.got, (std::vector<Got>{{131, 0x1000, 0, 1}, {318, 0x1000, 0, 1}}));
    EXPECT_EQ(cycles[0].value(), 2u) << "lookups";
    EXPECT_EQ(cycles[1].value(), 112u - 12);
    EXPECT_EQ(cycles[2].value(), (131u - 112) + (318 - 302));
    EXPECT_EQ(cycles[3].value(), 10000u - 2 - 100 - 19 - 16);
}

}  // namespace
}  // namespace gen9::icache
