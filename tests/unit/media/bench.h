// SPDX-License-Identifier: Apache-2.0
// A spawner with everything around it played by the test: command streamer, memory, gateways, EUs.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "interconnect/kernel/save_threads.h"
#include "interconnect/kernel/stop_walk.h"
#include "tests/support/environment.h"
#include "tests/unit/media/commands.h"
#include "tests/unit/media/spawner.h"

namespace gen9::media::test {

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
        tlm::tlm_generic_payload* share = nullptr;  ///< of a global one
    };

    /// An engine was told to move shared local memory.
    struct SlmOrder {
        unsigned subslice;
        std::uint64_t what, address;
        Cycles at;
        tlm::tlm_generic_payload* order;
    };

    static constexpr std::uint64_t kSaveBase = 0x100'0000;
    static constexpr Cycles kNever{~std::uint64_t{0}};
    /// From the end of a thread to its slot being free: retire_cycles.
    static constexpr Cycles kRetire{4};

    TestEnvironment env;
    Clock clock{1'000'000'000};
    ThreadTopology topology;
    Memory memory;
    std::vector<std::uint8_t> urb;  ///< what was put there
    std::vector<std::uint8_t> save_area = std::vector<std::uint8_t>(1 << 20);  ///< at kSaveBase
    PipelineStatePtr state = make_state();
    Cycles memory_latency{200};
    Cycles gateway_latency{8};
    std::function<unsigned(const Thread&)> lifetime = [](const Thread&) { return 100u; };
    /// How many cycles before its end a thread announces it, as an EU that has run ahead does.
    std::function<unsigned(const Thread&)> announced = [](const Thread&) { return 0u; };
    std::function<void(ThreadDispatch&)> inspect;

    Spawner spawner;
    InitiatorSocket<CommandProtocol> command_out{"command_out"};
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    std::vector<std::unique_ptr<TargetSocket<DispatchProtocol>>> thread_in;
    std::vector<std::unique_ptr<TargetSocket<MemoryProtocol>>> barrier_in, slm_in;
    std::vector<std::unique_ptr<InitiatorSocket<MessageProtocol>>> msg_out;

    std::deque<PipelineCommand> commands;
    std::vector<Cycles> accepted, finished;  ///< by command, kNever while not
    std::vector<Thread> threads;
    std::vector<BarrierWrite> barriers;
    std::vector<EndNotice> end_notices;
    std::vector<SlmOrder> slm_orders;
    std::vector<std::pair<unsigned, Cycles>> save_notices;  ///< EU, when
    std::uint64_t save_cycles = 50;                         ///< that a thread needs to save itself
    bool takes_next = false;  ///< an EU takes a thread within the end of another
    unsigned followed = 0;    ///< threads that came so
    /// Asked of a thread that ends: has another begun in its slot, in the same transaction?
    std::function<bool(ThreadDispatch&)> follows;
    std::uint64_t memory_bytes = 0, urb_bytes = 0;  ///< read there, and written here
    unsigned live = 0, most_live = 0;

    /// As the protocol wants a transaction that is begun; whose it is.
    void look_at(const tlm::tlm_generic_payload& p) {
        const MemoryAttributes& attributes = attributes_of(p);
        EXPECT_EQ(p.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_EQ(p.get_streaming_width(), p.get_data_length());
        EXPECT_EQ(attributes.operation, MemoryAttributes::Operation::Access);
        const bool of_urb = attributes.space == AddressSpace::Urb;
        EXPECT_EQ(attributes.requester == Requester::Urb, of_urb);
        if (attributes.requester == Requester::StateCache) {
            EXPECT_TRUE(p.is_read());
            memory_bytes += p.get_data_length();
        }
        if (of_urb && p.is_write()) urb_bytes += p.get_data_length();
    }
    explicit ModuleBench(const ThreadTopology& t = {}, Timing timing = Timing::Timed,
                         std::vector<std::string> settings = {},
                         sc_core::sc_module_name module_name = "bench", std::uint32_t saved_slm = 0,
                         RegisterFile registers = {})
        : sc_module(module_name),
          env(timing, std::move(settings)),
          topology(t),
          spawner(env.environment, clock, std::string(name()) + ".spawner",
                  {t, saved_slm, registers}) {
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
            look_at(p);
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
            if (p.get_address() >= kSaveBase) return access_save_area(p);
            const bool ok =
                memory.read(GpuAddr(p.get_address()), {p.get_data_ptr(), p.get_data_length()},
                            attributes_of(p).mocs);
            p.set_response_status(ok ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        };
        mem_in.on_debug = [this](tlm::tlm_generic_payload& p) {
            const bool ok =
                memory.look(GpuAddr(p.get_address()), {p.get_data_ptr(), p.get_data_length()});
            return ok ? p.get_data_length() : 0u;
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
                if (phase == kSaveThreads) {
                    save_notices.emplace_back(eu, clock.now() + clock.cycles(delay));
                    save_threads(eu);
                    return tlm::TLM_ACCEPTED;
                }
                return on_thread(d, phase, delay);
            };
            msg_out.push_back(std::make_unique<InitiatorSocket<MessageProtocol>>(
                sc_core::sc_gen_unique_name("msg_out")));
            msg_out[eu]->bind(spawner.msg_in[eu]);
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
                                    attributes_of(p).trace_id, &p});
                delay += clock.time(gateway_latency);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        for (unsigned s = 0; s < t.total_subslices(); ++s) {
            if (!spawner.slm_out[s]) continue;
            slm_in.push_back(std::make_unique<TargetSocket<MemoryProtocol>>(
                sc_core::sc_gen_unique_name("slm_in")));
            spawner.slm_out[s]->bind(*slm_in.back());
            slm_in.back()->on_forward = [this, s](tlm::tlm_generic_payload& p,
                                                  tlm::tlm_phase& phase, sc_core::sc_time&) {
                if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
                p.set_response_status(tlm::TLM_OK_RESPONSE);
                slm_orders.push_back(
                    {s, p.get_address(), load<std::uint64_t>(p.get_data_ptr()), clock.now(), &p});
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        }
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
    /// What is left of a walker that was stopped.
    std::size_t resume(std::size_t walker) {
        PipelineCommand command(commands[walker]);
        command.resumes = std::exchange(command.remaining, {});
        return add(command);
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
    /// Asks for the threads that run to be saved.
    void save(std::size_t command) {
        tlm::tlm_phase phase = kSaveWalk;
        sc_core::sc_time delay;
        EXPECT_EQ(command_out->nb_transport_fw(commands[command], phase, delay), tlm::TLM_ACCEPTED);
    }
    /// The engine has done what it was told.
    void answer(const SlmOrder& order) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay;
        (*slm_in[order.subslice])->nb_transport_bw(*order.order, phase, delay);
    }
    /// The gateway's share of a global barrier arrives after so many cycles.
    void arrive(const BarrierWrite& write, unsigned after) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = clock.time(Cycles(after));
        (*barrier_in[write.subslice])->nb_transport_bw(*write.share, phase, delay);
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
        EXPECT_EQ(d.sideband.pixels, nullptr) << "left by whoever had the slot before";
        begin(d, delay);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void begin(ThreadDispatch& d, const sc_core::sc_time& delay) {
        Thread t;
        t.fftid = d.sideband.fftid;
        t.place = d.sideband.place;
        t.walker = d.work;
        t.group = d.gpgpu.group_id;
        t.local = d.gpgpu.local_thread;
        t.mask = d.dispatch_mask;
        t.sent = clock.now();
        t.start = t.sent + clock.cycles(delay);
        t.end = t.start + Cycles(lifetime(t));
        std::memcpy(t.r0.data(), d.payload[0].bytes, 32);
        t.id = d.sideband.trace_id;
        t.dependency = d.dependency;
        t.registers = d.payload_registers;
        // As of a thread of pixels.
        d.sideband.pixels = reinterpret_cast<const PixelRecord*>(this);
        if (inspect) inspect(d);
        const unsigned ahead = announced(t);
        if (ahead) ahead_[t.fftid] = ahead;
        running_.emplace(std::pair(Cycles(t.end.value - ahead), t.fftid), &d);
        threads.push_back(t);
        most_live = std::max(most_live, ++live);
        end_event_.notify(clock.time(running_.begin()->first.first) - sc_core::sc_time_stamp());
    }
    void end_threads() {
        while (!running_.empty() && running_.begin()->first.first <= clock.now()) {
            ThreadDispatch& d = *running_.begin()->second;
            running_.erase(running_.begin());
            --live;
            d.retire = {10, 2, saving_.erase(d.sideband.fftid) != 0};
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            if (const auto ahead = ahead_.extract(d.sideband.fftid))
                delay = clock.time(Cycles(ahead.mapped()));
            if (follows && follows(d)) {
                begin(d, delay);
                continue;
            }
            if (takes_next && !d.retire.saved && d.relay != nullptr &&
                d.relay->next(d, clock.now())) {
                ++followed;
                begin(d, delay);
                continue;
            }
            (*thread_in[flat_eu(d)])->nb_transport_bw(d, phase, delay);
        }
        if (!running_.empty())
            end_event_.notify(clock.time(running_.begin()->first.first) - sc_core::sc_time_stamp());
    }
    void access_save_area(tlm::tlm_generic_payload& p) {
        EXPECT_EQ(attributes_of(p).requester, Requester::DataPort) << "L3 takes no such write";
        std::uint8_t* const at = &save_area.at(p.get_address() - kSaveBase);
        if (p.is_write())
            std::memcpy(at, p.get_data_ptr(), p.get_data_length());
        else
            std::memcpy(p.get_data_ptr(), at, p.get_data_length());
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void save_threads(unsigned eu) {
        std::map<std::pair<Cycles, unsigned>, ThreadDispatch*> running;
        for (const auto& [when, thread] : running_) {
            const bool here = flat_eu(*thread) == eu;
            if (here) saving_.insert(thread->sideband.fftid);
            running.emplace(
                std::pair(here ? clock.now() + Cycles(save_cycles) : when.first, when.second),
                thread);
        }
        running_ = std::move(running);
        end_event_.cancel();
        end_event_.notify(clock.time(running_.begin()->first.first) - sc_core::sc_time_stamp());
    }
    unsigned flat_eu(const ThreadDispatch& d) const { return d.sideband.fftid / topology.threads; }

    sc_core::sc_event next_command_, end_event_;
    bool in_request_ = false;
    std::size_t next_ = 0;
    std::map<std::pair<Cycles, unsigned>, ThreadDispatch*> running_;
    std::map<unsigned, unsigned> ahead_;  ///< cycles before its end, by FFTID
    std::set<std::uint16_t> saving_;      ///< FFTIDs of threads that save themselves
};

}  // namespace gen9::media::test
