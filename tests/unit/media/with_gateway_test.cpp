// SPDX-License-Identifier: Apache-2.0
// Spawner and gateways together, threads played by the test: what a barrier promises end to end.
#include <map>
#include <random>
#include <set>

#include "gateway/module.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/unit/media/objects/media_commands.h"
#include "tests/unit/media/spawner.h"

namespace gen9::media::test {
namespace {

using gen9::test::TestEnvironment;

/// EUs whose threads pass `rounds` barriers, each after a random time, and end.
struct Machine : sc_core::sc_module {
    struct Thread {
        ThreadDispatch* dispatch = nullptr;
        Message message;
        unsigned round = 0;
        Cycles arrived;
    };
    TestEnvironment env;
    Clock clock{1'000'000'000};
    ThreadTopology topology;
    Memory memory;
    PipelineStatePtr state = make_state();
    Spawner spawner;
    std::vector<std::unique_ptr<gateway::Gateway>> gateways;
    InitiatorSocket<CommandProtocol> command_out{"command_out"};
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    std::vector<std::unique_ptr<TargetSocket<DispatchProtocol>>> thread_in;
    std::vector<std::unique_ptr<InitiatorSocket<MessageProtocol>>> gateway_out, spawner_out;

    unsigned rounds = 1;
    bool skip = false;  ///< the last thread of each group never arrives
    std::vector<Thread> threads;
    std::mt19937 random{5};
    using GroupId = std::pair<std::uint32_t, std::array<std::uint32_t, 3>>;
    std::map<std::pair<GroupId, unsigned>, std::pair<unsigned, Cycles>> arrivals;  ///< count, last
    unsigned ended = 0, finished = 0, early = 0;
    unsigned group_threads = 8;

    explicit Machine(Timing timing, const ThreadTopology& t = {},
                     sc_core::sc_module_name module_name = "gpu")
        : sc_module(module_name),
          env(timing),
          topology(t),
          spawner(env.environment, clock, std::string(name()) + ".spawner", {t}),
          threads(t.total_threads()),
          queue_event_("queue") {
        command_out.bind(spawner.command_in);
        command_out.on_backward = [this](PipelineCommand&, tlm::tlm_phase& phase,
                                         sc_core::sc_time&) {
            if (phase == tlm::BEGIN_RESP)
                ++finished;
            else
                next_.notify(sc_core::SC_ZERO_TIME);
            return phase == tlm::END_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        spawner.mem_out.bind(mem_in);
        mem_in.on_blocking = [this](tlm::tlm_generic_payload& p, sc_core::sc_time&) {
            if (p.is_read())
                memory.read(GpuAddr(p.get_address()), {p.get_data_ptr(), p.get_data_length()}, 0);
            p.set_response_status(tlm::TLM_OK_RESPONSE);
        };
        for (unsigned s = 0; s < t.total_subslices(); ++s) {
            gateways.push_back(std::make_unique<gateway::Gateway>(
                ("gateway" + std::to_string(s)).c_str(), env.environment, clock, t.eus));
            spawner.barrier_out[s]->bind(gateways[s]->reg_in);
        }
        for (unsigned eu = 0; eu < t.total_eus(); ++eu) {
            thread_in.push_back(std::make_unique<TargetSocket<DispatchProtocol>>(
                sc_core::sc_gen_unique_name("thread_in")));
            gateway_out.push_back(std::make_unique<InitiatorSocket<MessageProtocol>>(
                sc_core::sc_gen_unique_name("gateway_out")));
            spawner_out.push_back(std::make_unique<InitiatorSocket<MessageProtocol>>(
                sc_core::sc_gen_unique_name("spawner_out")));
            spawner.thread_out[eu]->bind(*thread_in[eu]);
            gateway_out[eu]->bind(gateways[eu / t.eus]->msg_in[eu % t.eus]);
            spawner_out[eu]->bind(spawner.msg_in[eu]);
            thread_in[eu]->on_forward = [this](ThreadDispatch& d, tlm::tlm_phase& phase,
                                               sc_core::sc_time& delay) {
                Thread& thread = threads[d.sideband.fftid];
                thread.dispatch = &d;
                thread.round = 0;
                later(d.sideband.fftid, clock.cycles(delay).value);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
            gateway_out[eu]->on_backward = [this](Message& m, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
                if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
                if (m.notifications) released(m.sender->fftid, clock.cycles(delay));
                return tlm::TLM_COMPLETED;
            };
        }
        SC_HAS_PROCESS(Machine);
        SC_METHOD(send_command);
        sensitive << next_;
        SC_METHOD(act);
        sensitive << queue_event_;
        dont_initialize();
    }

    std::deque<PipelineCommand> commands;

  private:
    GroupId group_of(const Thread& t) const {
        return {t.dispatch->work, t.dispatch->gpgpu.group_id};
    }
    void later(unsigned fftid, std::uint64_t cycles) {
        queue_.emplace(clock.now().value + cycles + random() % 200, fftid);
        queue_event_.notify(clock.time(Cycles(queue_.begin()->first)) - sc_core::sc_time_stamp());
    }
    void released(unsigned fftid, Cycles delay) {
        Thread& thread = threads[fftid];
        const auto& [count, last] = arrivals[{group_of(thread), thread.round}];
        if (count != group_threads || clock.now() + delay < last) ++early;
        ++thread.round;
        later(fftid, delay.value);
    }
    void act() {
        while (!queue_.empty() && queue_.begin()->first <= clock.now().value) {
            const unsigned fftid = queue_.begin()->second;
            queue_.erase(queue_.begin());
            Thread& thread = threads[fftid];
            const unsigned eu = fftid / topology.threads;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay;
            const bool skips = skip && thread.dispatch->gpgpu.local_thread + 1u == group_threads;
            if (thread.round < rounds && !skips) {
                auto& [count, last] = arrivals[{group_of(thread), thread.round}];
                ++count;
                last = std::max(last, clock.now());
                Message& m = thread.message;
                m.reset();
                m.sfid = Sfid::Gateway;
                m.descriptor = 0x02000004;
                m.length = 1;
                m.sender = &thread.dispatch->sideband;
                m.payload[0] = {};
                const auto r02 = load<std::uint32_t>(thread.dispatch->payload[0].bytes + 8);
                store<std::uint32_t>(m.payload[0].bytes + 8, r02 & 0x8F000000u);
                (*gateway_out[eu])->nb_transport_fw(m, phase, delay);
            } else {
                ++ended;
                phase = tlm::BEGIN_RESP;
                (*thread_in[eu])->nb_transport_bw(*thread.dispatch, phase, delay);
            }
        }
        if (!queue_.empty())
            queue_event_.notify(clock.time(Cycles(queue_.begin()->first)) -
                                sc_core::sc_time_stamp());
    }
    void send_command() {
        if (sent_ == commands.size()) return;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        command_out->nb_transport_fw(commands[sent_++], phase, delay);
    }
    sc_core::sc_event next_, queue_event_;
    std::size_t sent_ = 0;
    std::set<std::pair<std::uint64_t, unsigned>> queue_;
};

void barriers_hold(Timing timing) {
    Machine machine(timing);
    machine.rounds = 25;
    machine.memory.put(0, {.group_threads = 8, .slm_code = 3, .barrier = true});
    machine.commands.push_back(vfe_command(machine.state));
    machine.commands.push_back(idd_load(machine.state));
    machine.commands.push_back(
        walker_command(machine.state, {.threads = {8, 1, 1}, .groups = {60, 1, 1}}));
    sc_core::sc_start(10, sc_core::SC_MS);
    EXPECT_EQ(machine.finished, 3u) << machine.spawner.describe_waiting();
    EXPECT_EQ(machine.ended, 480u);
    EXPECT_EQ(machine.early, 0u) << "threads passed a barrier before its last arrival";
    EXPECT_EQ(machine.arrivals.size(), 60u * 25);
    EXPECT_FALSE(machine.env.reporter.failed());
    EXPECT_EQ(machine.env.stats.sum("gateway.barrier_releases"), 60u * 25);
    EXPECT_EQ(machine.env.stats.sum("gateway.setups"), 60u);
    for (const auto& gateway : machine.gateways)
        EXPECT_EQ(gateway->describe_waiting(), "");
}

TEST(SpawnerWithGateway, NoThreadPassesABarrierBeforeTheLastArrives) {
    GEN9_COVERS("TD-05 TD-46 GW-06 GW-07 GW-13");
    barriers_hold(Timing::Timed);
}

TEST(SpawnerWithGateway, NoThreadPassesABarrierBeforeTheLastArrivesInFunctionalMode) {
    GEN9_COVERS("TD-05 GW-06 GW-07");
    barriers_hold(Timing::Functional);
}

// One group of 100 threads, on two or three subslices.
void global_barriers_hold(Timing timing) {
    Machine machine(timing);
    machine.rounds = 25;
    machine.group_threads = 100;
    machine.memory.put(0, {.group_threads = 100, .barrier = true, .global_barrier = true});
    machine.commands.push_back(
        vfe_command(machine.state, {.entries = 4, .entry_rows = 4, .curbe_rows = 4}));
    machine.commands.push_back(idd_load(machine.state));
    MediaWalkerFields f = raster(100, 5);
    f.loop_select = 2;
    f.inline_data = {1};
    machine.commands.push_back(media_walker_command(machine.state, f));
    sc_core::sc_start(10, sc_core::SC_MS);
    EXPECT_EQ(machine.finished, 3u) << machine.spawner.describe_waiting();
    EXPECT_EQ(machine.ended, 500u);
    EXPECT_EQ(machine.early, 0u) << "threads passed a barrier before its last arrival";
    EXPECT_EQ(machine.arrivals.size(), 5u * 25);
    EXPECT_FALSE(machine.env.reporter.failed());
    EXPECT_GE(machine.env.stats.sum("gateway.barrier_releases"), 5u * 25 * 2);
    for (const auto& gateway : machine.gateways)
        EXPECT_EQ(gateway->describe_waiting(), "");
}

TEST(SpawnerWithGateway, AGlobalBarrierHoldsThreadsOfSeveralSubslices) {
    GEN9_COVERS("TD-51 TD-52 GW-35");
    global_barriers_hold(Timing::Timed);
}

TEST(SpawnerWithGateway, AGlobalBarrierHoldsThreadsOfSeveralSubslicesInFunctionalMode) {
    GEN9_COVERS("TD-52");
    global_barriers_hold(Timing::Functional);
}

// Groups of 50 threads, each in one of two pools of 54.
void linked_barriers_hold(Timing timing) {
    Machine machine(timing, {1, 3, 6, 6, 2});
    machine.rounds = 25;
    machine.group_threads = 50;
    machine.memory.put(0, {.group_threads = 50, .barrier = true});
    machine.commands.push_back(vfe_command(machine.state, {.threads = 108}));
    machine.commands.push_back(pool_command(machine.state));
    machine.commands.push_back(idd_load(machine.state));
    machine.commands.push_back(
        walker_command(machine.state, {.threads = {50, 1, 1}, .groups = {8, 1, 1}}));
    sc_core::sc_start(10, sc_core::SC_MS);
    EXPECT_EQ(machine.finished, 4u) << machine.spawner.describe_waiting();
    EXPECT_EQ(machine.ended, 400u);
    EXPECT_EQ(machine.early, 0u) << "threads passed a barrier before its last arrival";
    EXPECT_EQ(machine.arrivals.size(), 8u * 25);
    EXPECT_FALSE(machine.env.reporter.failed());
    EXPECT_EQ(machine.env.stats.sum("gateway.barrier_releases"), 8u * 25 * 2);
    for (const auto& gateway : machine.gateways)
        EXPECT_EQ(gateway->describe_waiting(), "");
}

TEST(SpawnerWithGateway, ABarrierIsLinkedOverTheSubslicesOfAPool) {
    GEN9_COVERS("POOL-01 POOL-08 GW-37");
    linked_barriers_hold(Timing::Timed);
}

TEST(SpawnerWithGateway, ABarrierIsLinkedOverTheSubslicesOfAPoolInFunctionalMode) {
    GEN9_COVERS("POOL-08");
    linked_barriers_hold(Timing::Functional);
}

TEST(SpawnerWithGateway, AThreadThatSkipsTheBarrierShowsInTheReport) {
    GEN9_COVERS("GW-40");
    Machine machine(Timing::Timed, {1, 1, 8, 7});
    machine.skip = true;
    machine.memory.put(0, {.group_threads = 8, .barrier = true});
    machine.commands.push_back(vfe_command(machine.state));
    machine.commands.push_back(idd_load(machine.state));
    machine.commands.push_back(walker_command(machine.state, {.threads = {8, 1, 1}}));
    sc_core::sc_start(100, sc_core::SC_US);
    EXPECT_EQ(machine.ended, 1u);
    EXPECT_NE(machine.spawner.describe_waiting().find("with barrier 0: 7 of 8 threads running"),
              std::string::npos);
    EXPECT_NE(
        machine.gateways[0]->describe_waiting().find("barrier 0: 7 of 8 threads have arrived"),
        std::string::npos);
}

}  // namespace
}  // namespace gen9::media::test
