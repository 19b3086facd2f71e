// SPDX-License-Identifier: Apache-2.0
// The dispatcher as a module against a second one that steps through every cycle
// (plain_dispatcher.h): which thread leaves when, to which slot, with what, what gateways are told,
// when requests end, and what sources are told that they wait for.
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <random>
#include <utility>

#include "common/bits.h"
#include "common/check.h"
#include "dispatcher/module.h"
#include "tests/support/environment.h"
#include "tests/support/signal_log.h"
#include "tests/unit/dispatcher/plain_dispatcher.h"

namespace gen9::dispatcher::test {
namespace {

using gen9::test::SignalLog;
using gen9::test::TestEnvironment;

struct Bench : sc_core::sc_module {
    struct Port : ThreadSource {
        Bench* bench = nullptr;
        unsigned index = 0;
        std::vector<Ask> asks;
        std::deque<ThreadRequest> requests;
        std::size_t next = 0;
        Cycles next_at;
        std::string told;
        std::unique_ptr<Wakeup> wakeup;

        void begin_next(Cycles later) {
            const Ask& ask = asks[next++];
            ThreadRequest& request = requests.emplace_back();
            request.source = this;
            request.work = index * 1000 + static_cast<std::uint32_t>(next - 1);
            request.trace_id = kRequestIds + request.work;
            request.threads = ask.threads;
            request.max_threads = ask.most;
            request.subslices = ask.subslices;
            request.eus = static_cast<std::uint8_t>(ask.eus);
            request.registers = static_cast<std::uint8_t>(ask.registers);
            request.load_rows = static_cast<std::uint16_t>(ask.rows);
            request.group = ask.group;
            request.barrier = ask.barrier;
            request.continues_group = ask.continues;
            request.leaves_group_open = ask.leaves_open;
            request.group_threads = static_cast<std::uint16_t>(ask.group_threads);
            request.barrier_threads = request.group_threads;
            request.slm_kilobytes = static_cast<std::uint16_t>(ask.slm_kb);
            request.asks = ask.asks();
            request.awaits_messages = !ask.unanswered.empty();
            say(request, tlm::BEGIN_REQ, later);
        }
        void say(ThreadRequest& request, tlm::tlm_phase phase, Cycles later) {
            sc_core::sc_time delay = bench->clock.time(later);
            bench->request_out[index].nb_transport(request, phase, delay);
        }
        void process() {
            if (next == asks.size() || next_at != bench->clock.now()) return;
            ThreadRequest none;
            none.trace_id = kEndIds + index;
            if (asks[next].ends_open) say(none, kEndGroup, Cycles());
            begin_next(Cycles(asks[next].later));
        }
        unsigned number(const ThreadRequest& request) const { return request.work % 1000; }
        /// By request and thread: when it is let go, which is known when it is asked for.
        std::map<std::pair<unsigned, int>, Cycles> let_go;
        SendState may(ThreadRequest& request, int thread, Cycles now) {
            EXPECT_EQ(now, bench->clock.now());
            const Ask& ask = asks[number(request)];
            const Cycles held(thread < 0 ? ask.held_before
                                         : ask.held[static_cast<unsigned>(thread)]);
            const auto [at, first] = let_go.try_emplace({number(request), thread}, now + held);
            if (first && held != Cycles()) say(request, kOfferAgain, held);
            if (now < at->second) return SendState::WaitScoreboard;
            request.withdrawn =
                ask.withdrawn_at == (thread < 0 ? Ask::kBefore : static_cast<unsigned>(thread));
            return SendState::Sending;
        }
        SendState may_begin(ThreadRequest& request, Cycles now) override {
            return may(request, -1, now);
        }
        SendState may_send(ThreadRequest& request, Cycles now) override {
            return may(request, static_cast<int>(request.sent), now);
        }
        void make(ThreadRequest& request, const ThreadGrant& grant,
                  ThreadDispatch& thread) override {
            bench->grants[grant.place.fftid(bench->facts.topology)] = {index, number(request),
                                                                       grant};
            thread.sideband.fftid = grant.place.fftid(bench->facts.topology);
            thread.sideband.place = grant.place.address(bench->facts.topology);
            thread.sideband.state = bench->state;
            thread.payload_registers = static_cast<std::uint8_t>(request.load_rows);
            thread.gpgpu.local_thread = static_cast<std::uint16_t>(grant.number);
        }
        void shows(ThreadRequest& request, SendState state, Cycles now) override {
            EXPECT_EQ(now, bench->clock.now());
            const std::string text = "shows " + std::to_string(index) + " " +
                                     std::to_string(number(request)) + " " + state_name(state);
            if (std::exchange(told, text) != text) bench->note(text);
        }
    };
    struct Out : InitiatorSocket<ThreadRequestProtocol> {
        using InitiatorSocket<ThreadRequestProtocol>::InitiatorSocket;
        void nb_transport(ThreadRequest& request, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            EXPECT_EQ((*this)->nb_transport_fw(request, phase, delay), tlm::TLM_ACCEPTED);
        }
    };
    struct Given {
        unsigned port, ask;
        ThreadGrant grant;
    };

    static constexpr TraceId kRequestIds = 1'000'000, kEndIds = 2'000'000;
    static constexpr std::uint64_t kSaveBase = 0x4000'0000;

    const Facts facts;
    TestEnvironment env;
    Clock clock{1'000'000'000};
    Dispatcher dispatcher;
    std::deque<Out> request_out;
    std::deque<TargetSocket<DispatchProtocol>> thread_in;
    std::deque<TargetSocket<MemoryProtocol>> barrier_in;
    std::deque<Port> ports;
    std::map<unsigned, Given> grants;  ///< by FFTID
    using Events = std::multimap<Cycles, std::pair<ThreadDispatch*, Cycles>>;
    Events ends;     ///< when said: end
    Events answers;  ///< when said: the last message's
    Wakeup ends_wakeup{clock};
    PipelineStatePtr state = [] {
        auto state = std::make_shared<PipelineState>();
        state->context_save_base = GpuAddr(kSaveBase);
        return state;
    }();
    std::map<TraceId, std::string> causes;  ///< by the id that a barrier's write has
    std::vector<PlainDispatcher::Line> log;

    static DispatcherSetup setup(const Facts& facts) {
        DispatcherSetup setup;
        setup.topology = facts.topology;
        setup.clients = facts.clients;
        setup.registers = facts.registers;
        setup.slm_kb = facts.slm_kb;
        return setup;
    }
    static std::vector<std::string> settings(const std::string& name, const Facts& facts) {
        const auto set = [&](const char* what, unsigned value) {
            return name + ".dispatcher." + what + "=" + std::to_string(value);
        };
        std::vector<std::string> all{set("groups_per_subslice", facts.groups),
                                     set("threads_per_clock", facts.a_cycle),
                                     set("load_rows_per_clock", facts.rows_a_cycle),
                                     set("load_queue", facts.queue),
                                     set("dispatch_cycles", facts.dispatch),
                                     set("retire_cycles", facts.retire),
                                     set("patience", facts.patience)};
        if (!facts.by_load) all.push_back(name + ".dispatcher.slot_policy=round_robin");
        return all;
    }
    Bench(sc_core::sc_module_name bench_name, const Facts& given,
          const std::vector<std::vector<Ask>>& asks)
        : sc_module(bench_name),
          facts(given),
          env(Timing::Timed, settings(name(), given)),
          dispatcher("dispatcher", env.environment, clock, setup(given)) {
        const auto sockets = dispatcher.sockets();
        for (unsigned p = 0; p < asks.size(); ++p) {
            request_out.emplace_back(("request_out" + std::to_string(p)).c_str());
            request_out[p].bind(*sockets.request_in[p]);
            Port& port = ports.emplace_back();
            port.bench = this;
            port.index = p;
            port.asks = asks[p];
            for (unsigned n = 0; n < asks[p].size(); ++n)
                causes[kRequestIds + 1000 * p + n] = request_name(p, n);
            causes[kEndIds + p] = end_name(p);
            request_out[p].on_backward = [this, &port](ThreadRequest& request,
                                                       tlm::tlm_phase& phase, sc_core::sc_time&) {
                return answer(port, request, phase);
            };
            port.wakeup = std::make_unique<Wakeup>(clock);
            port.wakeup->runs<&Port::process>(&port);
            if (asks[p].empty()) continue;
            port.next_at = Cycles(asks[p][0].gap);
            port.wakeup->at(port.next_at);
        }
        for (unsigned eu = 0; eu < facts.topology.total_eus(); ++eu) {
            thread_in.emplace_back(("thread_in" + std::to_string(eu)).c_str());
            sockets.thread_out[eu]->bind(thread_in[eu]);
            thread_in[eu].on_forward = [this, eu](ThreadDispatch& thread, tlm::tlm_phase& phase,
                                                  sc_core::sc_time& delay) {
                return take(eu, thread, phase, delay);
            };
        }
        for (unsigned s = 0; s < facts.topology.total_subslices(); ++s) {
            barrier_in.emplace_back(("barrier_in" + std::to_string(s)).c_str());
            sockets.barrier_out[s]->bind(barrier_in[s]);
            const auto accept = [this, s](tlm::tlm_generic_payload& write,
                                          sc_core::sc_time& delay) {
                const auto count = load<std::uint32_t>(write.get_data_ptr());
                note(write_line(s, static_cast<unsigned>(write.get_address()), count,
                                causes[attributes_of(write).trace_id]));
                if (count) delay += clock.time(Cycles(facts.gateway));
            };
            barrier_in[s].on_blocking = [accept](tlm::tlm_generic_payload& write,
                                                 sc_core::sc_time& delay) {
                accept(write, delay);
                write.set_response_status(tlm::TLM_OK_RESPONSE);
            };
            barrier_in[s].on_forward = [accept](tlm::tlm_generic_payload& write,
                                                tlm::tlm_phase& phase, sc_core::sc_time& delay) {
                accept(write, delay);
                phase = tlm::END_REQ;
                return tlm::TLM_UPDATED;
            };
        }
        ends_wakeup.runs<&Bench::end_threads>(this);
    }

    void note(const std::string& text) { log.emplace_back(clock.now().value, text); }
    tlm::tlm_sync_enum answer(Port& port, ThreadRequest& request, const tlm::tlm_phase& phase) {
        note((phase == tlm::END_REQ ? "accepted " : "response ") + std::to_string(port.index) +
             " " + std::to_string(port.number(request)));
        if (phase != tlm::END_REQ) return tlm::TLM_COMPLETED;
        if (port.next == port.asks.size()) return tlm::TLM_ACCEPTED;
        const Cycles gap(port.asks[port.next].gap);
        if (gap == Cycles()) {
            port.begin_next(Cycles());
        } else {
            port.next_at = clock.now() + gap;
            port.wakeup->at(port.next_at);
        }
        return tlm::TLM_ACCEPTED;
    }
    tlm::tlm_sync_enum take(unsigned eu, ThreadDispatch& thread, tlm::tlm_phase& phase,
                            const sc_core::sc_time& delay) {
        EXPECT_EQ(thread.sideband.fftid / facts.topology.threads, eu);
        const Given& given = grants.at(thread.sideband.fftid);
        const Cycles starts = clock.now() + clock.cycles(delay);
        note(thread_line(given.port, given.ask, given.grant.number, given.grant, starts.value));
        EXPECT_TRUE(causes
                        .emplace(thread.sideband.trace_id,
                                 thread_name(given.port, given.ask, given.grant.number))
                        .second)
            << "each thread has an id of its own";
        // Behind the parts of four banks of SLM, 8 KB for each thread (PRE-13).
        EXPECT_EQ(thread.sideband.save_area.value,
                  kSaveBase + 4 * 0x10000 + 0x2000 * std::uint64_t{thread.sideband.fftid});
        EXPECT_FALSE(thread.sideband.of_geometry);
        EXPECT_EQ(thread.sideband.pixels, nullptr);
        const Ask& ask = ports[given.port].asks[given.ask];
        EXPECT_EQ(thread.sideband.unanswered != nullptr, !ask.unanswered.empty());
        // As whoever had the slot may have left it.
        thread.sideband.of_geometry = true;
        thread.sideband.pixels = reinterpret_cast<const PixelRecord*>(this);
        EXPECT_EQ(thread.client, facts.clients[given.port]);
        EXPECT_EQ(thread.work, given.port * 1000 + given.ask);
        const Cycles end = starts + Cycles(ask.lives[given.grant.number]);
        // Some are announced ahead.
        const Cycles said = end - Cycles(thread.sideband.fftid % 4);
        if (thread.sideband.unanswered != nullptr) {
            // So is when its last message will be answered.
            const Cycles at = end + Cycles(ask.unanswered[given.grant.number]);
            thread.sideband.unanswered->announced();
            answers.emplace(std::max(said, at - Cycles(2)), std::pair{&thread, at});
            ends_wakeup.at(answers.begin()->first);
        }
        ends.emplace(said, std::pair{&thread, end});
        ends_wakeup.at(said);
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    void end_threads() {
        while (!ends.empty() && ends.begin()->first <= clock.now()) {
            const auto [thread, end] = ends.begin()->second;
            ends.erase(ends.begin());
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay = clock.time(end - clock.now());
            EXPECT_EQ(thread_in[thread->sideband.fftid / facts.topology.threads]->nb_transport_bw(
                          *thread, phase, delay),
                      tlm::TLM_COMPLETED);
        }
        while (!answers.empty() && answers.begin()->first <= clock.now()) {
            const auto [thread, at] = answers.begin()->second;
            answers.erase(answers.begin());
            thread->sideband.unanswered->answered(at);
        }
        if (!ends.empty()) ends_wakeup.at(ends.begin()->first);
        if (!answers.empty()) ends_wakeup.at(answers.begin()->first);
    }
};

/// Requests of every kind at random, that one subslice or the machine has room for.
std::vector<Ask> random_asks(std::uint32_t seed, unsigned number, const Facts& facts) {
    std::mt19937 random(seed), of_source(seed);
    const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    const auto chance = [&](unsigned n) { return of_source() % n == 0; };
    std::vector<Ask> asks;
    // What its source says of it, and of its messages.
    const auto add_waits = [&](Ask& ask) {
        const auto cycles = [&] { return chance(2) ? static_cast<unsigned>(of_source() % 40) : 0; };
        const bool awaits = chance(3), is_asked = chance(3);
        ask.held_before = is_asked ? cycles() : 0;
        for (unsigned t = 0; t < ask.threads; ++t) {
            if (awaits) ask.unanswered.push_back(cycles());
            if (is_asked) ask.held.push_back(cycles());
        }
        if (is_asked && !ask.leaves_open && chance(3))
            ask.withdrawn_at = chance(3) ? Ask::kBefore : of_source() % ask.threads;
    };
    while (asks.size() < number) {
        Ask ask;
        ask.gap = below(3) ? below(30) : 0;
        ask.later = below(3) ? 0 : below(6);
        ask.rows = 1 + below(9);
        constexpr unsigned kRegisters[] = {0, 7, 12, 17};
        ask.registers = facts.registers ? kRegisters[below(4)] : 0;
        ask.eus = below(3) ? 8 : 2;
        if (!below(3)) ask.subslices = 1u << below(facts.topology.total_subslices());
        ask.threads = 1 + below(5);
        ask.most = below(2) ? 1000 : 4 + below(8);
        const unsigned kind = below(4);
        if (kind == 1) {
            ask.group = ThreadRequest::Group::Subslice;
            ask.threads = 1 + below(4);
            const unsigned needs = below(3);
            ask.barrier = needs != 0;
            if (needs != 1) ask.slm_kb = 1u << below(7);
        } else if (kind == 2) {
            ask.group = ThreadRequest::Group::Machine;
            ask.subslices = ~0u;
            ask.eus = 8;
            ask.most = 1000;
            ask.threads = 2 + below(9);
            ask.barrier = below(4) != 0;
        }
        if (kind == 1 || kind == 2) ask.group_threads = ask.threads;
        const unsigned all = ask.threads;
        const bool in_parts = ask.group_threads > 1 && below(2);
        if (in_parts) {
            ask.leaves_open = true;
            ask.threads = 1 + below(all - 1);
        } else if (ask.group_threads > 1 && chance(4)) {
            --ask.threads;  // one never comes
        }
        const auto add = [&](Ask each) {
            if (asks.empty() || each.ends_open) each.gap = std::max(each.gap, 1u);
            for (unsigned t = 0; t < each.threads; ++t)
                each.lives.push_back(below(4) ? 4 + below(60) : 200 + below(200));
            add_waits(each);
            asks.push_back(each);
        };
        const bool ends_last = !asks.empty() && asks.back().leaves_open && !ask.continues;
        ask.ends_open = ends_last;
        add(ask);
        if (!in_parts || below(4) == 0) continue;  // it ends before its time
        ask.ends_open = false;
        ask.continues = true;
        ask.leaves_open = false;
        ask.threads = all - ask.threads;
        ask.gap = below(2) ? below(60) : 0;
        ask.group_threads = all;
        add(ask);
    }
    asks.back().leaves_open = false;
    return asks;
}

void compare(const std::vector<PlainDispatcher::Line>& is,
             const std::vector<PlainDispatcher::Line>& should_be, const std::string& which) {
    for (std::size_t i = 0; i < std::max(is.size(), should_be.size()); ++i) {
        const PlainDispatcher::Line none{0, "nothing"};
        const auto& a = i < is.size() ? is[i] : none;
        const auto& b = i < should_be.size() ? should_be[i] : none;
        if (a == b) continue;
        std::string before;
        for (std::size_t k = i < 12 ? 0 : i - 12; k < i; ++k)
            before += std::to_string(is[k].first) + " " + is[k].second + "\n";
        FAIL() << which << ", line " << i << " of " << should_be.size() << ", behind\n"
               << before << "is " << a.first << " " << a.second << "\nand not " << b.first << " "
               << b.second;
    }
}

Facts facts_of(unsigned which) {
    Facts facts;
    facts.clients = {0, 0, 1, 2};
    switch (which) {
        case 1:
            facts.topology = {1, 3, 2, 4};
            facts.registers = 0;
            facts.a_cycle = 2;
            facts.groups = 2;
            break;
        case 2:
            facts.clients = {0, 1};
            facts.by_load = false;
            facts.rows_a_cycle = 1;
            facts.queue = 1;
            break;
        case 3:
            facts.clients = {2, 1, 0};
            facts.patience = 10;
            facts.retire = 1;
            facts.gateway = 0;
            facts.slm_kb = 128;
            facts.groups = 16;
            break;
        default:
            break;
    }
    return facts;
}

TEST(DispatcherModule, DoesWhatAPlainOneDoesCycleByCycle) {
    constexpr std::uint64_t kCycles = 20'000;
    constexpr unsigned kKinds = 4, kSeeds = 3;
    std::deque<Bench> benches;
    std::deque<PlainDispatcher> plain;
    for (unsigned which = 0; which < kKinds; ++which)
        for (unsigned seed = 0; seed < kSeeds; ++seed) {
            const Facts facts = facts_of(which);
            std::vector<std::vector<Ask>> asks;
            for (unsigned port = 0; port < facts.clients.size(); ++port)
                asks.push_back(random_asks(100 * which + 10 * seed + port, 60, facts));
            benches.emplace_back(("bench" + std::to_string(benches.size())).c_str(), facts, asks);
            plain.emplace_back(facts, asks).run(kCycles);
        }
    sc_core::sc_start(benches[0].clock.time(Cycles(kCycles)));
    for (std::size_t i = 0; i < benches.size(); ++i) {
        compare(benches[i].log, plain[i].log, "bench" + std::to_string(i));
        if (testing::Test::HasFatalFailure()) return;
        std::size_t answered = 0;
        for (const auto& [cycle, text] : plain[i].log)
            answered += text.starts_with("response");
        std::size_t asked = 0;
        for (const auto& port : benches[i].ports)
            asked += port.asks.size();
        EXPECT_EQ(answered, asked);
        EXPECT_EQ(benches[i].dispatcher.describe_waiting(), "");
    }
}

// Sets of EUs and of subslices have 32 bits, and FFTIDs have nine.
TEST(DispatcherModule, TakesAMachineOfUpTo512Threads) {
    TestEnvironment env;
    const Clock clock{1'000'000'000};
    const auto make = [&](const char* name, ThreadTopology topology) {
        DispatcherSetup setup;
        setup.topology = topology;
        EXPECT_EQ(setup.clients, std::vector<unsigned>{0}) << "one client, unless more are named";
        return std::make_unique<Dispatcher>(name, env.environment, clock, setup);
    };
    const auto eus = make("eus", {1, 1, 32, 16}), subslices = make("subslices", {1, 32, 4, 4}),
               slices = make("slices", {4, 8, 2, 8});
    EXPECT_EQ(eus->thread_out.size(), 32u);
    EXPECT_EQ(subslices->barrier_out.size(), 32u);
    EXPECT_EQ(slices->thread_out.size(), 64u);
    EXPECT_THROW(make("more_eus", {1, 1, 33, 1}), UserError);
    EXPECT_THROW(make("more_subslices", {1, 33, 1, 1}), UserError);
    EXPECT_THROW(make("more_threads", {1, 27, 1, 19}), UserError);
}

// The waveform shows what the plain one has given out, and each thread as it leaves and as it ends.
TEST(DispatcherModule, ItsSignalsShowWhatIsTakenAtEveryCycle) {
    constexpr std::uint64_t kCycles = 500;
    const Facts facts = facts_of(0);
    std::vector<std::vector<Ask>> asks;
    for (unsigned port = 0; port < facts.clients.size(); ++port)
        asks.push_back(random_asks(7 + port, 40, facts));
    Bench bench("bench", facts, asks);
    SignalLog log(bench.env.environment.signals);
    PlainDispatcher plain(facts, asks);
    plain.run(kCycles);
    sc_core::sc_start(bench.clock.time(Cycles(kCycles)));
    compare(bench.log, plain.log, "bench");
    const auto value = [&](const std::string& name, std::uint64_t cycle) {
        return log.value("bench.dispatcher." + name, cycle);
    };
    for (std::uint64_t cycle = 1; cycle < kCycles; ++cycle) {
        const PlainDispatcher::Passed& passed = plain.passed[cycle];
        ASSERT_EQ(value("sent", cycle), passed.sent) << cycle;
        ASSERT_EQ(value("sent_fftid", cycle), passed.sent_fftid) << cycle;
        ASSERT_EQ(value("ended", cycle), passed.ended) << cycle;
        ASSERT_EQ(value("ended_fftid", cycle), passed.ended_fftid) << cycle;
        for (unsigned s = 0; s < facts.topology.total_subslices(); ++s) {
            const std::string where = "_subslice" + std::to_string(s);
            const auto& taken = plain.taken[cycle][s];
            ASSERT_EQ(value("threads" + where, cycle), taken[0]) << cycle << where;
            ASSERT_EQ(value("groups" + where, cycle), taken[1]) << cycle << where;
            ASSERT_EQ(value("barriers" + where, cycle), taken[2]) << cycle << where;
            ASSERT_EQ(value("slm_kilobytes" + where, cycle), taken[3]) << cycle << where;
        }
    }
}

}  // namespace
}  // namespace gen9::dispatcher::test
