// SPDX-License-Identifier: Apache-2.0
// The contract of thread requests (docs/architecture.md): a second and a third client of the thread
// dispatcher, one instance per model of it.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "dispatcher/module.h"
#include "platform/machine/block_models.h"
#include "tests/support/environment.h"
#include "tests/support/thread_contract.h"

namespace gen9::test {
namespace {

/// As the front end for media and GPGPU has two sockets, and besides what a draw asks for: single
/// threads without end, and some that are set up for a part of the machine.
const std::vector<ThreadTraffic> kThreeClients = {
    {.client = 0,
     .requests = 60,
     .least_threads = 1,
     .most_threads = 3,
     .max_threads = 40,
     .pause = 10,
     .registers = 12,
     .waits = true},
    {.client = 0,
     .requests = 60,
     .least_threads = 2,
     .most_threads = 14,
     .max_threads = 40,
     .pause = 20,
     .registers = 12,
     .groups = true,
     .machine = true,
     .parts = true,
     .open = true,
     .waits = true},
    {.client = 1, .requests = 300, .max_threads = 30, .at_once = true, .registers = 8},
    {.client = 2,
     .requests = 80,
     .least_threads = 1,
     .most_threads = 9,
     .max_threads = 20,
     .pause = 5,
     .registers = 17,
     .groups = true,
     .open = true,
     .places = true,
     .waits = true},
};

/// Two clients with groups that fill a subslice, which come in parts and wait halfway, and single
/// threads besides.
const std::vector<ThreadTraffic> kLargeGroups = [] {
    ThreadTraffic large{.requests = 60,
                        .least_threads = 12,
                        .most_threads = 28,
                        .registers = 17,
                        .groups = true,
                        .machine = true,
                        .parts = true,
                        .waits = true};
    ThreadTraffic other = large;
    other.client = 1;
    const ThreadTraffic single{.client = 2, .requests = 1000, .at_once = true, .registers = 8};
    return std::vector{large, other, single};
}();

/// Threads of one client that may follow one another, with pauses in which it is alone, and others
/// that come between.
const std::vector<ThreadTraffic> kBackToBack = {
    {.client = 0,
     .requests = 400,
     .least_threads = 1,
     .most_threads = 20,
     .max_threads = 20,
     .lifetime = 8,
     .registers = 12,
     .groups = true,
     .open = true,
     .waits = true,
     .back_to_back = true},
    {.client = 1, .requests = 30, .most_threads = 3, .lifetime = 20, .pause = 100},
};

struct ClientMachine : sc_core::sc_module {
    TestEnvironment env;
    Clock clock{1'000'000'000};
    ThreadContract::Machine has;
    std::unique_ptr<platform::DispatcherBlock> dispatcher;
    ThreadContract contract;

    ClientMachine(sc_core::sc_module_name name, const std::string& model, Timing timing,
                  const std::vector<ThreadTraffic>& traffic, std::uint32_t seed = 1,
                  std::vector<std::string> settings = {})
        : ClientMachine(name, model, timing, traffic, seed, std::move(settings),
                        {.registers = 7 * 17, .a_cycle = timing == Timing::Timed ? 1u : 0u}) {}
    ClientMachine(sc_core::sc_module_name name, const std::string& model, Timing timing,
                  const std::vector<ThreadTraffic>& traffic, std::uint32_t seed,
                  std::vector<std::string> settings, const ThreadContract::Machine& machine)
        : sc_module(name),
          env(timing, std::move(settings)),
          has(machine),
          dispatcher(platform::block_models().dispatcher.make(
              model, {"dispatcher", env.environment, clock}, setup(has, traffic))),
          contract("contract", clock, has, traffic, seed) {
        const auto sockets = dispatcher->sockets();
        for (unsigned i = 0; i < traffic.size(); ++i)
            contract.request_out[i].bind(*sockets.request_in[i]);
        for (unsigned eu = 0; eu < has.topology.total_eus(); ++eu)
            sockets.thread_out[eu]->bind(contract.thread_in[eu]);
        for (unsigned s = 0; s < has.topology.total_subslices(); ++s)
            sockets.barrier_out[s]->bind(contract.barrier_in[s]);
    }
    static dispatcher::DispatcherSetup setup(const ThreadContract::Machine& has,
                                             const std::vector<ThreadTraffic>& traffic) {
        dispatcher::DispatcherSetup setup;
        setup.topology = has.topology;
        setup.registers = has.registers;
        setup.clients.clear();
        for (const ThreadTraffic& each : traffic)
            setup.clients.push_back(each.client);
        return setup;
    }
    void run(std::uint64_t cycles) { sc_core::sc_start(clock.time(Cycles(cycles))); }
    void expect_kept() {
        contract.end();
        EXPECT_TRUE(contract.findings.sentences.empty()) << contract.findings.text();
        EXPECT_TRUE(contract.finished());
        EXPECT_EQ(dispatcher->describe_waiting(), "");
        EXPECT_EQ(env.reporter.guest_errors(), 0u);
    }
};

constexpr unsigned kFollowing = 3;
ThreadContract::Machine that_follows() {
    return {.registers = 7 * 17, .a_cycle = 0, .back_to_back = kFollowing};
}

class ThreadClientContract : public testing::TestWithParam<std::string> {};

TEST_P(ThreadClientContract, EachRequestEndsOnceAndNothingIsGivenTwiceInBothModes) {
    std::vector<std::unique_ptr<ClientMachine>> machines;
    for (std::uint32_t seed = 1; seed < 4; ++seed)
        for (const Timing timing : {Timing::Timed, Timing::Functional})
            machines.push_back(std::make_unique<ClientMachine>(
                ("machine" + std::to_string(machines.size())).c_str(), GetParam(), timing,
                kThreeClients, seed, std::vector<std::string>{}));
    machines[0]->run(200'000);
    for (unsigned m = 0; m < machines.size(); m += 2) {
        machines[m]->expect_kept();
        machines[m + 1]->expect_kept();
        for (unsigned i = 0; i < kThreeClients.size(); ++i)
            EXPECT_EQ(machines[m]->contract.answered(i), machines[m + 1]->contract.answered(i));
    }
}

TEST_P(ThreadClientContract, WhoIsServedWhenDoesNotDependOnTheOrderOfModules) {
    constexpr unsigned kOrders = 5;
    const std::vector<ThreadTraffic>* const traffic[] = {&kThreeClients, &kLargeGroups};
    std::vector<std::unique_ptr<ClientMachine>> machines;
    for (unsigned i = 0; i < std::size(traffic) * kOrders; ++i) {
        machines.push_back(std::make_unique<ClientMachine>(("machine" + std::to_string(i)).c_str(),
                                                           GetParam(), Timing::Timed,
                                                           *traffic[i / kOrders]));
        if (i % kOrders != 0) machines.back()->clock.agenda().shuffle(i);
    }
    machines[0]->run(200'000);
    for (unsigned i = 0; i < machines.size(); ++i) {
        const ClientMachine& first = *machines[i / kOrders * kOrders];
        for (unsigned sender = 0; sender < traffic[i / kOrders]->size(); ++sender)
            EXPECT_EQ(machines[i]->contract.sent(sender), first.contract.sent(sender)) << sender;
        machines[i]->expect_kept();
    }
}

// Only while nobody else asks, and so many in a row: what the contract does not allow is a finding.
TEST_P(ThreadClientContract, AThreadMayFollowAtOnceInTheSlotOfOneThatEnds) {
    const std::string setting = ".dispatcher.back_to_back=" + std::to_string(kFollowing);
    std::vector<std::unique_ptr<ClientMachine>> machines;
    for (std::uint32_t seed = 1; seed < 5; ++seed) {
        const std::string name = "machine" + std::to_string(seed);
        machines.push_back(std::make_unique<ClientMachine>(
            name.c_str(), GetParam(), Timing::Functional, kBackToBack, seed,
            std::vector{name + setting}, that_follows()));
    }
    ClientMachine never("never", GetParam(), Timing::Functional, kBackToBack, 1,
                        {"never.dispatcher.back_to_back=0"}, that_follows());
    never.run(400'000);
    for (const auto& machine : machines) {
        machine->expect_kept();
        EXPECT_GT(machine->contract.followed(), 100u);
        EXPECT_EQ(machine->contract.answered(0), never.contract.answered(0));
    }
    never.expect_kept();
    EXPECT_EQ(never.contract.followed(), 0u);
}

// A client's own threads count, whoever else has some.
TEST_P(ThreadClientContract, AThreadLimitIsTheClientsOwn) {
    ThreadTraffic many{.requests = 1'000'000, .most_threads = 4, .lifetime = 400, .at_once = true};
    ThreadTraffic few = many;
    few.client = 1;
    few.max_threads = 5;
    ClientMachine machine("machine", GetParam(), Timing::Timed, {many, few});
    machine.run(2000);
    EXPECT_EQ(machine.contract.most_live(1), 5u);
    EXPECT_GT(machine.contract.most_live(0), 30u);
    machine.contract.stop();
    machine.run(2000);
    machine.expect_kept();
}

// Single threads take every slot that becomes free, were it not for the patience.
TEST_P(ThreadClientContract, AGroupThatNeedsASubsliceIsNotStarvedBySingleThreads) {
    constexpr unsigned kPatience = 500, kLifetime = 200;
    const auto single = [](unsigned client) {
        return ThreadTraffic{
            .client = client, .requests = 1'000'000, .lifetime = kLifetime, .at_once = true};
    };
    const ThreadTraffic group{.client = 2,
                              .requests = 20,
                              .least_threads = 28,
                              .most_threads = 28,
                              .lifetime = kLifetime,
                              .groups = true};
    ClientMachine machine("machine", GetParam(), Timing::Timed, {single(0), single(1), group}, 1,
                          {"machine.dispatcher.patience=500"});
    machine.run(30'000);
    EXPECT_EQ(machine.contract.answered(2), 20u);
    EXPECT_LT(machine.contract.longest_wait(2), Cycles(kPatience + 3 * kLifetime));
    EXPECT_GT(machine.contract.answered(0), 1000u);
    EXPECT_GT(machine.contract.answered(1), 1000u);
    machine.contract.stop();
    machine.run(10'000);
    machine.expect_kept();
}

// Threads that have slots wait at a barrier for those that have none, while their source has these
// wait. Were slots given to others meanwhile, groups could wait for each other's for ever.
TEST_P(ThreadClientContract, GroupsThatHaveBegunEndWhoeverWaitsForTheirSlots) {
    std::vector<std::unique_ptr<ClientMachine>> machines;
    for (std::uint32_t seed = 1; seed < 5; ++seed)
        for (const Timing timing : {Timing::Timed, Timing::Functional}) {
            const std::string name = "machine" + std::to_string(machines.size());
            machines.push_back(std::make_unique<ClientMachine>(
                name.c_str(), GetParam(), timing, kLargeGroups, seed,
                std::vector{name + ".dispatcher.patience=100"}));
        }
    machines[0]->run(100'000);
    for (const auto& machine : machines)
        machine->expect_kept();
}

// Its patience ends, but nobody could help it.
TEST_P(ThreadClientContract, WhoWaitsForThreadsOfItsOwnKeepsNobodyWaiting) {
    const ThreadTraffic held{.requests = 8, .max_threads = 2, .lifetime = 5000, .at_once = true};
    const ThreadTraffic other{.client = 1, .requests = 5000, .lifetime = 20, .at_once = true};
    ClientMachine machine("machine", GetParam(), Timing::Timed, {held, other}, 1,
                          {"machine.dispatcher.patience=100"});
    machine.run(100'000);
    EXPECT_LT(machine.contract.longest_wait(1), Cycles(50));
    machine.expect_kept();
}

TEST_P(ThreadClientContract, OfTwoThatWantTheSameEachGetsHalf) {
    const ThreadTraffic first{.requests = 1'000'000, .lifetime = 20, .at_once = true};
    ThreadTraffic second = first;
    second.client = 1;
    ClientMachine fair("fair", GetParam(), Timing::Timed, {first, second});
    ClientMachine by_rank("by_rank", GetParam(), Timing::Timed, {first, second}, 1,
                          {"by_rank.dispatcher.arbitration=fixed_priority"});
    fair.run(2'000);
    const auto sent = [](ClientMachine& machine, unsigned sender) {
        return static_cast<double>(machine.contract.sent(sender).size());
    };
    EXPECT_GT(sent(fair, 0), 800);
    EXPECT_NEAR(sent(fair, 0), sent(fair, 1), 2);
    EXPECT_GT(sent(by_rank, 0), 1500);
    EXPECT_LT(sent(by_rank, 1), 20);
    EXPECT_TRUE(fair.contract.findings.sentences.empty()) << fair.contract.findings.text();
}

/// A client with one request: a group that needs the machine's only shared local memory, unless
/// something else is set.
struct OneGroup : sc_core::sc_module, ThreadSource {
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    ThreadRequest request;
    bool holds = false, withdraws = false;
    sc_core::sc_time sent_at;         ///< of the last thread
    std::vector<std::string> losses;  ///< why threads could not come back
    std::vector<bool> saves;          ///< its threads are being saved; all of it is over
    PipelineStatePtr state = std::make_shared<PipelineState>();

    explicit OneGroup(sc_core::sc_module_name name) : sc_module(name) {
        request_out.on_backward = [](auto&, auto&, auto&) { return tlm::TLM_ACCEPTED; };
        request.source = this;
        request.asks = true;
        request.group = ThreadRequest::Group::Subslice;
        request.group_threads = 1;
        request.slm_kilobytes = 64;
    }
    void say(tlm::tlm_phase phase) { say(phase, request); }
    void say(tlm::tlm_phase phase, ThreadRequest& of) {
        sc_core::sc_time delay;
        request_out->nb_transport_fw(of, phase, delay);
    }
    void lost(ThreadRequest&, const char*, const char* why) override { losses.emplace_back(why); }
    bool can_save() const override { return true; }
    void saving(bool on, Cycles) override { saves.push_back(on); }
    SendState may_send(ThreadRequest&, Cycles) override {
        request.withdrawn = withdraws;
        return holds && !withdraws ? SendState::WaitFence : SendState::Sending;
    }
    void make(ThreadRequest&, const ThreadGrant&, ThreadDispatch& thread) override {
        thread.sideband.state = state;
        sent_at = sc_core::sc_time_stamp();
    }
};

struct OneSubslice : sc_core::sc_module {
    TestEnvironment env;
    Clock clock{1'000'000'000};
    std::unique_ptr<platform::DispatcherBlock> dispatcher;
    OneGroup first{"first"}, second{"second"};
    TargetSocket<DispatchProtocol> thread_in{"thread_in"};
    TargetSocket<MemoryProtocol> barrier_in{"barrier_in"};
    std::vector<ThreadDispatch*> threads;  ///< as they came

    OneSubslice(sc_core::sc_module_name name, const std::string& model,
                std::vector<unsigned> clients, unsigned slots = 7,
                std::vector<std::string> settings = {})
        : sc_module(name), env(Timing::Timed, std::move(settings)) {
        dispatcher::DispatcherSetup setup;
        setup.topology = {1, 1, 1, slots};
        setup.clients = std::move(clients);
        dispatcher = platform::block_models().dispatcher.make(
            model, {"dispatcher", env.environment, clock}, setup);
        const auto sockets = dispatcher->sockets();
        first.request_out.bind(*sockets.request_in[0]);
        second.request_out.bind(*sockets.request_in[1]);
        sockets.thread_out[0]->bind(thread_in);
        sockets.barrier_out[0]->bind(barrier_in);
        barrier_in.on_blocking = [](tlm::tlm_generic_payload& write, auto&) {
            write.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        thread_in.on_forward = [this](ThreadDispatch& thread, tlm::tlm_phase& phase, auto&) {
            if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // it is to be saved
            threads.push_back(&thread);
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        };
    }
    void run(std::uint64_t cycles) { sc_core::sc_start(clock.time(Cycles(cycles))); }
    void end(unsigned thread) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        thread_in->nb_transport_bw(*threads.at(thread), phase, delay);
    }
};

// The source withdraws when it is asked after the other has been asked in vain: no thread retires
// that would have the other asked again.
TEST_P(ThreadClientContract, WhoWaitsIsAskedAgainWhenAGroupIsWithdrawn) {
    // The arbiter asks one of the two clients first.
    OneSubslice straight("straight", GetParam(), {0, 1}), swapped("swapped", GetParam(), {1, 0});
    for (OneSubslice* machine : {&straight, &swapped}) {
        machine->first.holds = true;
        machine->first.say(tlm::BEGIN_REQ);
    }
    straight.run(10);
    for (OneSubslice* machine : {&straight, &swapped})
        machine->second.say(tlm::BEGIN_REQ);
    straight.run(10);
    for (OneSubslice* machine : {&straight, &swapped}) {
        EXPECT_EQ(machine->second.request.sent, 0u);
        machine->first.withdraws = true;
        machine->second.say(kOfferAgain);
    }
    straight.run(10);
    EXPECT_EQ(straight.second.request.sent, 1u);
    EXPECT_EQ(swapped.second.request.sent, 1u);
}

// So it does not matter whether the dispatcher has run in the cycle in which the client says it.
TEST_P(ThreadClientContract, WhatAGroupHasThatIsLeftOpenIsFreeACycleAfterItsEnd) {
    OneSubslice machine("machine", GetParam(), {0, 1}, 2);
    machine.first.request.leaves_group_open = true;
    machine.first.request.group_threads = 2;
    machine.second.request.group = ThreadRequest::Group::None;
    machine.first.say(tlm::BEGIN_REQ);
    machine.run(10);
    machine.second.say(tlm::BEGIN_REQ);
    machine.run(10);
    EXPECT_EQ(machine.first.request.sent, 1u);
    EXPECT_EQ(machine.second.request.sent, 0u) << "the slot is kept for the group's second thread";
    const sc_core::sc_time end = sc_core::sc_time_stamp();
    machine.first.say(kEndGroup);
    machine.run(10);
    EXPECT_EQ(machine.second.request.sent, 1u);
    EXPECT_EQ(machine.second.sent_at, end + machine.clock.time(Cycles(1)));
}

// The threads that the places are for would not be saved.
TEST_P(ThreadClientContract, NoThreadIsSavedWhilePlacesAreKeptForOthersOfItsGroup) {
    OneSubslice alone("alone", GetParam(), {0, 1}, 2), beside("beside", GetParam(), {0, 1}, 2);
    for (OneSubslice* machine : {&alone, &beside}) {
        machine->first.request.leaves_group_open = true;
        machine->first.request.group_threads = 2;
        machine->first.request.slm_kilobytes = 0;
        machine->second.request.group = ThreadRequest::Group::None;
        machine->first.say(tlm::BEGIN_REQ);
    }
    alone.run(10);
    beside.second.say(tlm::BEGIN_REQ);
    alone.run(10);
    for (OneSubslice* machine : {&alone, &beside}) {
        EXPECT_EQ(machine->first.request.sent, 1u);
        EXPECT_EQ(machine->second.request.sent, 0u);
        machine->first.say(kSaveRequest);
    }
    alone.run(10);
    EXPECT_EQ(alone.first.saves, std::vector<bool>{true});
    EXPECT_EQ(beside.first.saves, std::vector<bool>{false}) << "it is over at once";
}

// What memory says of threads that come back is not trusted.
TEST_P(ThreadClientContract, ASavedThreadWhoseSlotIsTakenIsReportedAndTheOthersComeBack) {
    OneSubslice machine("machine", GetParam(), {0, 1}, 2);
    machine.first.request.group = machine.second.request.group = ThreadRequest::Group::None;
    machine.first.say(tlm::BEGIN_REQ);
    machine.run(10);
    ASSERT_EQ(machine.threads.size(), 1u);
    ASSERT_EQ(machine.threads[0]->sideband.place.slot, ThreadSlot(0));
    const std::vector<RestoredThread> saved{{{0, 0, 0}, {}}, {{0, 0, 1}, {}}};
    machine.second.request.restored = saved;
    machine.second.say(tlm::BEGIN_REQ);
    machine.run(10);
    EXPECT_EQ(machine.second.losses,
              std::vector<std::string>{"a saved thread whose slot is taken; it is lost"});
    EXPECT_EQ(machine.second.request.sent, 1u);
    EXPECT_EQ(machine.threads.size(), 2u);
}

INSTANTIATE_TEST_SUITE_P(Models, ThreadClientContract,
                         testing::ValuesIn(platform::block_models().dispatcher.names()),
                         [](const auto& which) { return which.param; });

}  // namespace
}  // namespace gen9::test
