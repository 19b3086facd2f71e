// SPDX-License-Identifier: Apache-2.0
// A dispatcher with clients, EUs and gateways played by the test. The clients check what the
// protocol promises them.
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <random>
#include <set>

#include "common/bits.h"
#include "dispatcher/module.h"
#include "tests/support/environment.h"

namespace gen9::dispatcher::test {

using gen9::test::TestEnvironment;

/// What a client asks for, again and again.
struct Wants {
    unsigned most_threads = 1;  ///< of a request: from 1 on
    bool barrier = false;
    unsigned slm_kilobytes = 0;
    std::uint32_t max_threads = 1000;
    unsigned requests = 100;
    unsigned lifetime = 60;  ///< of a thread at most
    unsigned pause = 0;      ///< between requests at most
    bool at_once = false;    ///< the next request begins within the END_REQ of the last
};

struct ClientBench;

class Client : public sc_core::sc_module, public ThreadSource {
  public:
    Client(sc_core::sc_module_name name, ClientBench& bench, unsigned number, const Wants& wants);

    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};
    Wants wants;

    struct Sent {
        unsigned request, thread;
        std::uint16_t fftid;
        Cycles at;
        auto operator<=>(const Sent&) const = default;
    };
    std::vector<Sent> sent;
    unsigned ended_requests = 0, most_live = 0, live = 0;
    Cycles longest_wait;  ///< from being there to END_REQ
    bool stops = false;   ///< asks for no more

    bool done() const {
        return free_.size() == mine_.size() && (stops || asked_ == wants.requests);
    }

    void make(ThreadRequest& request, const ThreadGrant& grant, ThreadDispatch& thread) override;
    SendState may_begin(ThreadRequest& request, Cycles) override;
    void retired(ThreadRequest& request, const ThreadDispatch&, Cycles) override;

  private:
    struct Mine : ThreadRequest {
        unsigned number = 0;
        bool in_use = false, accepted = false;
        Cycles there;
        std::set<unsigned> subslices;  ///< that its threads have gone to
        unsigned barrier_id = 0;
    };
    void ask();
    void send(Cycles earliest);
    tlm::tlm_sync_enum answer(ThreadRequest& request, tlm::tlm_phase& phase, sc_core::sc_time&);

    ClientBench& bench_;
    unsigned number_;
    std::mt19937 random_;
    Wakeup wakeup_;
    std::deque<Mine> mine_;
    std::vector<Mine*> free_;
    bool pending_ = false;
    unsigned asked_ = 0;
};

struct ClientBench : sc_core::sc_module {
    static constexpr ThreadTopology kTopology{1, 2, 4, 7};
    TestEnvironment env;
    Clock clock{1'000'000'000};
    Dispatcher dispatcher;
    std::deque<Client> clients;
    std::deque<TargetSocket<DispatchProtocol>> eus;
    std::deque<TargetSocket<MemoryProtocol>> gateways;
    PipelineStatePtr state = std::make_shared<PipelineState>();
    std::map<std::pair<unsigned, unsigned>, unsigned> armed;  ///< subslice, barrier: threads

    ClientBench(sc_core::sc_module_name name, Timing timing, const std::vector<Wants>& wants,
                std::vector<std::string> settings = {}, std::uint64_t shuffle = 0)
        : sc_module(name),
          env(timing, std::move(settings)),
          dispatcher("dispatcher", env.environment, clock, settings_for(wants)),
          ends_(clock) {
        for (unsigned c = 0; c < wants.size(); ++c) {
            clients.emplace_back(("client" + std::to_string(c)).c_str(), *this, c, wants[c]);
            clients.back().request_out.bind(*dispatcher.request_in[c]);
        }
        for (unsigned eu = 0; eu < kTopology.total_eus(); ++eu) {
            eus.emplace_back(("eu" + std::to_string(eu)).c_str());
            dispatcher.thread_out[eu]->bind(eus[eu]);
            eus[eu].on_forward = [this, eu](ThreadDispatch& thread, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
                EXPECT_EQ(phase, tlm::BEGIN_REQ);
                EXPECT_EQ(thread.sideband.fftid / kTopology.threads, eu);
                // It depends on nothing but which thread it is.
                const std::uint64_t which = thread.gpgpu.local_thread * 2654435761u + thread.work;
                const unsigned lifetime = 1 + which % clients[thread.client].wants.lifetime;
                running_.emplace(clock.after(delay) + Cycles(lifetime), &thread);
                ends_.at(running_.begin()->first);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        }
        for (unsigned s = 0; s < kTopology.total_subslices(); ++s) {
            gateways.emplace_back(("gateway" + std::to_string(s)).c_str());
            dispatcher.barrier_out[s]->bind(gateways[s]);
            gateways[s].on_blocking = [this, s](tlm::tlm_generic_payload& write,
                                                sc_core::sc_time& delay) {
                const auto id = static_cast<unsigned>(write.get_address() / 4);
                armed[{s, id}] = load<std::uint32_t>(write.get_data_ptr());
                if (armed[{s, id}]) delay += clock.time(Cycles(8));
                write.set_response_status(tlm::TLM_OK_RESPONSE);
            };
        }
        ends_.runs<&ClientBench::end_threads>(this);
        if (shuffle) clock.agenda().shuffle(shuffle);
    }
    void run(std::uint64_t cycles) { sc_core::sc_start(clock.time(Cycles(cycles))); }
    bool done() const {
        return std::ranges::all_of(clients, [](const Client& c) { return c.done(); });
    }
    void expect_nothing_held() const {
        const DispatcherCore& core = dispatcher.core();
        EXPECT_EQ(core.slots().live(), 0u);
        for (unsigned s = 0; s < kTopology.total_subslices(); ++s)
            EXPECT_EQ(
                core.tracker().active(s) + core.barriers(s).used() + core.slm(s).used_kilobytes(),
                0u);
        for (const auto& [where, threads] : armed)
            EXPECT_EQ(threads, 0u) << "barrier " << where.second << " of " << where.first;
    }

  private:
    static DispatcherSetup settings_for(const std::vector<Wants>& wants) {
        DispatcherSetup settings;
        settings.topology = kTopology;
        settings.clients.clear();
        for (unsigned c = 0; c < wants.size(); ++c)
            settings.clients.push_back(c);
        return settings;
    }
    void end_threads() {
        while (!running_.empty() && running_.begin()->first <= clock.now()) {
            ThreadDispatch& thread = *running_.begin()->second;
            running_.erase(running_.begin());
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            const unsigned eu = thread.sideband.fftid / kTopology.threads;
            EXPECT_EQ(eus[eu]->nb_transport_bw(thread, phase, delay), tlm::TLM_COMPLETED);
        }
        if (!running_.empty()) ends_.at(running_.begin()->first);
    }
    std::multimap<Cycles, ThreadDispatch*> running_;
    Wakeup ends_;
};

inline Client::Client(sc_core::sc_module_name name, ClientBench& bench, unsigned number,
                      const Wants& what)
    : sc_module(name),
      wants(what),
      bench_(bench),
      number_(number),
      random_(number + 1),
      wakeup_(bench.clock) {
    request_out.on_backward = [this](auto& request, auto& phase, auto& delay) {
        return answer(request, phase, delay);
    };
    wakeup_.runs<&Client::ask>(this);
    wakeup_.at(Cycles(1 + number % 3));
}

inline void Client::ask() {
    if (!pending_ && !stops && asked_ < wants.requests) send(bench_.clock.now());
}

inline void Client::send(Cycles earliest) {
    if (free_.empty()) free_.push_back(&mine_.emplace_back());
    Mine& mine = *free_.back();
    free_.pop_back();
    mine = {};
    mine.in_use = true;
    mine.number = asked_++;
    mine.source = this;
    mine.work = number_ * 100'000 + mine.number;
    mine.threads = 1 + random_() % wants.most_threads;
    mine.max_threads = wants.max_threads;
    mine.asks = random_() % 2;
    if (wants.barrier || wants.slm_kilobytes) {
        mine.group = ThreadRequest::Group::Subslice;
        mine.group_threads = mine.barrier_threads = static_cast<std::uint16_t>(mine.threads);
        mine.barrier = wants.barrier;
        mine.slm_kilobytes = static_cast<std::uint16_t>(wants.slm_kilobytes);
    }
    const Cycles later(wants.at_once ? 0 : random_() % 3);
    mine.there = earliest + later;
    pending_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = bench_.clock.time(later);
    EXPECT_EQ(request_out->nb_transport_fw(mine, phase, delay), tlm::TLM_ACCEPTED);
}

inline SendState Client::may_begin(ThreadRequest& request, Cycles) {
    EXPECT_TRUE(request.asks);
    return SendState::Sending;
}

inline void Client::make(ThreadRequest& request, const ThreadGrant& grant, ThreadDispatch& thread) {
    Mine& mine = static_cast<Mine&>(request);
    EXPECT_TRUE(mine.in_use && !mine.accepted);
    EXPECT_EQ(grant.number, mine.sent);
    EXPECT_EQ(thread.client, number_);
    EXPECT_EQ(grant.has_barrier, wants.barrier);
    EXPECT_EQ(grant.slm_kilobytes, wants.slm_kilobytes);
    mine.subslices.insert(grant.place.subslice);
    if (wants.barrier) {
        EXPECT_TRUE(mine.sent == 0 || mine.barrier_id == grant.barrier);
        mine.barrier_id = grant.barrier;
        EXPECT_EQ((bench_.armed[{grant.place.subslice, grant.barrier}]), mine.threads);
    }
    if (mine.group == ThreadRequest::Group::Subslice) {
        EXPECT_EQ(mine.subslices.size(), 1u);
    }
    const std::uint16_t fftid = grant.place.fftid(ClientBench::kTopology);
    thread.sideband.fftid = fftid;
    thread.sideband.place = grant.place.address(ClientBench::kTopology);
    thread.sideband.state = bench_.state;
    thread.gpgpu.local_thread = static_cast<std::uint16_t>(grant.number);
    thread.payload_registers = static_cast<std::uint8_t>(1 + mine.number % 4);
    thread.dependency = {};
    most_live = std::max(most_live, ++live);
    EXPECT_LE(live, wants.max_threads);
    sent.push_back({mine.number, grant.number, fftid, bench_.clock.now()});
}

inline void Client::retired(ThreadRequest& request, const ThreadDispatch& thread, Cycles) {
    EXPECT_EQ(thread.client, number_);
    EXPECT_TRUE(static_cast<Mine&>(request).in_use);
    --live;
}

inline tlm::tlm_sync_enum Client::answer(ThreadRequest& request, tlm::tlm_phase& phase,
                                         sc_core::sc_time&) {
    Mine& mine = static_cast<Mine&>(request);
    const Cycles now = bench_.clock.now();
    if (phase == tlm::END_REQ) {
        EXPECT_TRUE(pending_ && mine.in_use && !mine.accepted);
        EXPECT_EQ(mine.sent, mine.threads) << "END_REQ before the last thread has a slot";
        mine.accepted = true;
        pending_ = false;
        longest_wait = std::max(longest_wait, now - mine.there);
        if (wants.at_once)
            ask();
        else
            wakeup_.at(now + Cycles(1 + random_() % (wants.pause + 1)));
        return tlm::TLM_ACCEPTED;
    }
    EXPECT_EQ(phase, tlm::BEGIN_RESP);
    EXPECT_TRUE(mine.in_use && mine.accepted) << "one BEGIN_RESP, after END_REQ";
    EXPECT_EQ(mine.retired, mine.threads) << "BEGIN_RESP before all have retired";
    mine.in_use = false;
    free_.push_back(&mine);
    ++ended_requests;
    return tlm::TLM_COMPLETED;
}

}  // namespace gen9::dispatcher::test
