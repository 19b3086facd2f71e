// SPDX-License-Identifier: Apache-2.0
// A spawner with everything around it played by the test: command streamer, memory, gateways, EUs.
#pragma once
#include <functional>

#include "dispatch/module.h"
#include "interconnect/stop_walk.h"
#include "packets/stopped_walker.h"
#include "tests/support/environment.h"
#include "tests/unit/dispatch/commands.h"

namespace gen9::dispatch::test {

using gen9::test::TestEnvironment;

struct ModuleBench : sc_core::sc_module {
    struct Thread {
        std::uint16_t fftid;
        ThreadAddress place;
        std::uint32_t walker;
        std::array<std::uint32_t, 3> group;
        std::uint16_t local;
        std::uint32_t mask;
        Cycles sent, start, end;
        std::array<std::uint32_t, 8> r0;
        TraceId id;
        std::array<std::uint16_t, 8> dependency;
        unsigned registers;
    };
    /// An EU was told that a thread has ended.
    struct EndNotice {
        unsigned eu;
        std::uint16_t fftid;
        Cycles at, when;
    };
    struct BarrierWrite {
        unsigned subslice, id, count;
        Cycles at;
        TraceId cause;
    };

    static constexpr Cycles kNever{~std::uint64_t{0}};

    TestEnvironment env;
    Clock clock{1'000'000'000};
    Topology topology;
    Memory memory;
    std::vector<std::uint8_t> urb;  ///< what was put there
    PipelineStatePtr state = make_state();
    Cycles memory_latency{200};
    Cycles gateway_latency{8};
    std::function<unsigned(const Thread&)> lifetime = [](const Thread&) { return 100u; };
    std::function<void(ThreadDispatch&)> inspect;

    Spawner spawner;
    InitiatorSocket<CommandProtocol> command_out{"command_out"};
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    std::vector<std::unique_ptr<TargetSocket<DispatchProtocol>>> thread_in;
    std::vector<std::unique_ptr<TargetSocket<MemoryProtocol>>> barrier_in;
    std::vector<std::unique_ptr<InitiatorSocket<MessageProtocol>>> msg_out;

    std::deque<PipelineCommand> commands;
    std::vector<Cycles> accepted, finished;  ///< by command, kNever while not
    std::vector<Thread> threads;
    std::vector<BarrierWrite> barriers;
    std::vector<EndNotice> end_notices;
    unsigned live = 0, most_live = 0;

    explicit ModuleBench(const Topology& t = {}, Timing timing = Timing::Timed,
                         std::vector<std::string> settings = {},
                         sc_core::sc_module_name module_name = "bench")
        : sc_module(module_name),
          env(timing, std::move(settings)),
          topology(t),
          spawner("spawner", env.environment, clock, t.slices, t.subslices, t.eus, t.threads) {
        command_out.bind(spawner.command_in);
        command_out.on_backward = [this](PipelineCommand& c, tlm::tlm_phase& phase,
                                         sc_core::sc_time&) {
            const std::size_t i = index_of(c);
            if (phase == tlm::END_REQ) {
                accepted[i] = clock.now();
                in_request_ = false;
                next_command_.notify(sc_core::SC_ZERO_TIME);
            } else {
                finished[i] = clock.now();
            }
            return phase == tlm::END_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        spawner.mem_out.bind(mem_in);
        mem_in.on_blocking = [this](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
            if (attributes_of(p).space == AddressSpace::Urb && p.is_read()) {
                urb.resize(
                    std::max<std::size_t>(urb.size(), p.get_address() + p.get_data_length()));
                std::memcpy(p.get_data_ptr(), &urb[p.get_address()], p.get_data_length());
                p.set_response_status(tlm::TLM_OK_RESPONSE);
                return;
            }
            if (attributes_of(p).space == AddressSpace::Urb) {
                urb.resize(
                    std::max<std::size_t>(urb.size(), p.get_address() + p.get_data_length()));
                std::memcpy(&urb[p.get_address()], p.get_data_ptr(), p.get_data_length());
                p.set_response_status(tlm::TLM_OK_RESPONSE);
                return;
            }
            delay += clock.time(memory_latency);
            const bool ok =
                memory.read(GpuAddr(p.get_address()), {p.get_data_ptr(), p.get_data_length()},
                            attributes_of(p).mocs);
            p.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        };
        for (unsigned eu = 0; eu < t.total_eus(); ++eu) {
            thread_in.push_back(std::make_unique<TargetSocket<DispatchProtocol>>(
                sc_core::sc_gen_unique_name("thread_in")));
            spawner.thread_out[eu]->bind(*thread_in[eu]);
            thread_in[eu]->on_forward = [this, eu](ThreadDispatch& d, tlm::tlm_phase& phase,
                                                   sc_core::sc_time& delay) {
                if (phase == kThreadEnded) {
                    end_notices.push_back(
                        {eu, d.sideband.fftid, clock.now(), clock.now() + clock.cycles(delay)});
                    return tlm::TLM_ACCEPTED;
                }
                return on_thread(d, phase, delay);
            };
            msg_out.push_back(std::make_unique<InitiatorSocket<MessageProtocol>>(
                sc_core::sc_gen_unique_name("msg_out")));
            msg_out[eu]->bind(*spawner.msg_in[eu]);
            msg_out[eu]->on_backward = [](Message&, tlm::tlm_phase& phase, sc_core::sc_time&) {
                return phase == tlm::END_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
            };
        }
        for (unsigned s = 0; s < t.total_subslices(); ++s) {
            barrier_in.push_back(std::make_unique<TargetSocket<MemoryProtocol>>(
                sc_core::sc_gen_unique_name("barrier_in")));
            spawner.barrier_out[s]->bind(*barrier_in[s]);
            barrier_in[s]->on_blocking = [this, s](tlm::tlm_generic_payload& p,
                                                   sc_core::sc_time& delay) {
                const auto count = load<std::uint32_t>(p.get_data_ptr());
                barriers.push_back({s, unsigned(p.get_address() / 4), count, clock.now(),
                                    attributes_of(p).trace_id});
                if (count) delay += clock.time(gateway_latency);
                p.set_response_status(tlm::TLM_OK_RESPONSE);
            };
        }
        for (unsigned s = 0; s < t.total_subslices(); ++s)
            barrier_in[s]->on_forward = [this, s](tlm::tlm_generic_payload& p,
                                                  tlm::tlm_phase& phase, sc_core::sc_time& delay) {
                barriers.push_back({s, unsigned(p.get_address() - 0x80) / 4,
                                    load<std::uint32_t>(p.get_data_ptr()), clock.now(),
                                    attributes_of(p).trace_id});
                delay += clock.time(gateway_latency);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        SC_HAS_PROCESS(ModuleBench);
        SC_METHOD(send_next);
        sensitive << next_command_;
        SC_METHOD(end_threads);
        sensitive << end_event_;
        dont_initialize();
    }

    std::size_t add(const PipelineCommand& command) {
        commands.push_back(command);
        accepted.push_back(kNever);
        finished.push_back(kNever);
        return commands.size() - 1;
    }
    /// VFE state and the descriptors written to memory.
    void preamble(unsigned descriptors = 1, const VfeFields& vfe = {}) {
        add(vfe_command(state, vfe));
        add(idd_load(state, descriptors * 32));
    }
    void run(std::uint64_t cycles = 1'000'000) { sc_core::sc_start(clock.time(Cycles(cycles))); }
    /// After commands were added to a simulation that has begun.
    void send_more() { next_command_.notify(sc_core::SC_ZERO_TIME); }
    /// Asks for a command's walk to end between two groups.
    void stop(std::size_t command) {
        tlm::tlm_phase phase = kStopWalk;
        sc_core::sc_time delay;
        EXPECT_EQ(command_out->nb_transport_fw(commands[command], phase, delay), tlm::TLM_ACCEPTED);
    }
    bool all_finished() const {
        for (const Cycles c : finished)
            if (c == kNever) return false;
        return true;
    }

  private:
    std::size_t index_of(const PipelineCommand& c) const {
        for (std::size_t i = 0; i < commands.size(); ++i)
            if (&commands[i] == &c) return i;
        return ~std::size_t{0};
    }
    void send_next() {
        if (in_request_ || next_ == commands.size()) return;
        in_request_ = true;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        command_out->nb_transport_fw(commands[next_++], phase, delay);
    }
    tlm::tlm_sync_enum on_thread(ThreadDispatch& d, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay) {
        Thread t;
        t.fftid = d.sideband.fftid;
        t.place = d.sideband.place;
        t.walker = d.walker;
        t.group = d.group_id;
        t.local = d.local_thread;
        t.mask = d.dispatch_mask;
        t.sent = clock.now();
        t.start = t.sent + clock.cycles(delay);
        t.end = t.start + Cycles(lifetime(t));
        std::memcpy(t.r0.data(), d.payload[0].bytes, 32);
        t.id = d.sideband.trace_id;
        t.dependency = d.dependency;
        t.registers = d.payload_registers;
        if (inspect) inspect(d);
        running_.emplace(std::pair(t.end, t.fftid), &d);
        threads.push_back(t);
        most_live = std::max(most_live, ++live);
        end_event_.notify(clock.time(running_.begin()->first.first) - sc_core::sc_time_stamp());
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void end_threads() {
        while (!running_.empty() && running_.begin()->first.first <= clock.now()) {
            ThreadDispatch& d = *running_.begin()->second;
            running_.erase(running_.begin());
            --live;
            d.retire = {10, 2};
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            (*thread_in[flat_eu(d)])->nb_transport_bw(d, phase, delay);
        }
        if (!running_.empty())
            end_event_.notify(clock.time(running_.begin()->first.first) - sc_core::sc_time_stamp());
    }
    unsigned flat_eu(const ThreadDispatch& d) const { return d.sideband.fftid / topology.threads; }

    sc_core::sc_event next_command_, end_event_;
    bool in_request_ = false;
    std::size_t next_ = 0;
    std::map<std::pair<Cycles, unsigned>, ThreadDispatch*> running_;
};

}  // namespace gen9::dispatch::test
