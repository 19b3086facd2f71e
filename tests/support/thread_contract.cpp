// SPDX-License-Identifier: Apache-2.0
#include "tests/support/thread_contract.h"

#include <algorithm>
#include <utility>

#include "common/bits.h"

namespace gen9::test {
namespace {

/// Where a gateway takes shares of global barriers, and what else it is told (docs/architecture.md).
constexpr std::uint64_t kGlobalBarriers = 0x80, kGiveBack = 0x100;

}  // namespace

ThreadContract::ThreadContract(sc_core::sc_module_name name, const Clock& clock,
                               const Machine& machine, const std::vector<ThreadTraffic>& traffic,
                               std::uint32_t seed)
    : sc_core::sc_module(name),
      clock_(clock),
      machine_(machine),
      running_(machine.topology.total_threads()),
      registers_(machine.topology.total_eus()),
      gateways_(machine.topology.total_subslices()),
      ends_wakeup_(clock) {
    for (unsigned i = 0; i < traffic.size(); ++i) {
        Sender& sender = senders_.emplace_back();
        sender.contract = this;
        sender.index = i;
        sender.traffic = traffic[i];
        sender.random.seed(seed * 64 + i);
        clients_.resize(std::max<std::size_t>(clients_.size(), traffic[i].client + 1));
        request_out.emplace_back(("request_out" + std::to_string(i)).c_str());
        request_out[i].on_backward = [this, &sender](auto& request, auto& phase, auto&) {
            return answer(sender, request, phase);
        };
        sender.wakeup = std::make_unique<Wakeup>(clock);
        sender.wakeup->runs<&Sender::process>(&sender);
        sender.next_at = Cycles(1 + i % 3);
        sender.wakeup->at(sender.next_at);
    }
    for (unsigned eu = 0; eu < machine.topology.total_eus(); ++eu) {
        thread_in.emplace_back(("thread_in" + std::to_string(eu)).c_str());
        thread_in[eu].on_forward = [this, eu](auto& thread, auto& phase, auto& delay) {
            return dispatched(eu, thread, phase, delay);
        };
    }
    for (unsigned s = 0; s < machine.topology.total_subslices(); ++s) {
        barrier_in.emplace_back(("barrier_in" + std::to_string(s)).c_str());
        barrier_in[s].on_blocking = [this, s](auto& write, auto& delay) {
            set_barrier(s, write, delay);
        };
        barrier_in[s].on_forward = [this, s](auto& write, auto& phase, auto&) {
            return share(s, write, phase);
        };
    }
    ends_wakeup_.runs<&ThreadContract::end_threads>(this);
}

// --- Clients

void ThreadContract::process(Sender& sender) {
    const Cycles now = clock_.now();
    if (sender.pending && sender.offers_at != Cycles() && sender.offers_at <= now) {
        // In the next cycle, so that nothing depends on whether the dispatcher has run in this one.
        sender.offers_at = Cycles();
        tlm::tlm_phase phase = kOfferAgain;
        sc_core::sc_time delay = clock_.time(Cycles(1));
        findings.check(request_out[sender.index]->nb_transport_fw(*sender.pending, phase, delay) ==
                           tlm::TLM_ACCEPTED,
                       rule::kPhase);
    }
    if (!sender.pending && sender.next_at <= now) ask(sender);
    if (sender.offers_at != Cycles()) sender.wakeup->at(sender.offers_at);
}

void ThreadContract::ask(Sender& sender) {
    const ThreadTraffic& traffic = sender.traffic;
    auto& random = sender.random;
    const bool over = stopped_ || sender.asked == traffic.requests;
    if (sender.group_open && (over || random() % 4 == 0)) {
        sender.group_open = false;
        tlm::tlm_phase phase = kEndGroup;
        sc_core::sc_time delay;
        Request none;
        none.source = &sender;
        request_out[sender.index]->nb_transport_fw(none, phase, delay);
        sender.open_group->complete = true;
        pass_barrier(*sender.open_group);
        end_if_over(sender.open_group);
    }
    if (over) return;
    if (sender.free.empty()) sender.free.push_back(&sender.requests.emplace_back());
    Request& request = *sender.free.back();
    sender.free.pop_back();
    request = {};
    request.in_use = true;
    request.number = sender.asked++;
    request.source = &sender;
    request.work = sender.index * 100'000 + request.number / (traffic.back_to_back ? 4 : 1);
    request.want =
        traffic.least_threads +
        static_cast<unsigned>(random() % (traffic.most_threads - traffic.least_threads + 1));
    request.max_threads = traffic.max_threads;
    request.registers = static_cast<std::uint8_t>(traffic.registers);
    request.load_rows = static_cast<std::uint16_t>(1 + request.number % 4);
    choose_group(sender, request);
    request.back_to_back = traffic.back_to_back && !request.grouped;
    // A slot's share of it is one, or more than may follow one another.
    request.work_left = random() % 4 == 0 ? 0 : 1'000'000;
    request.threads = chance(sender, traffic.open) ? ThreadRequest::kOpen : request.want;
    request.asks = random() % 2 == 0;
    if (chance(sender, traffic.waits)) {
        request.asks = true;
        request.waits_at = static_cast<unsigned>(random() % request.want);
        if (random() % 4 == 0)
            request.withdraws_at = static_cast<unsigned>(random() % request.want);
    }
    const Cycles later(traffic.at_once ? 0 : random() % 3);
    request.asked_at = clock_.now();
    request.free_at = request.asked_at + later;
    sender.pending = &request;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.time(later);
    findings.check(
        request_out[sender.index]->nb_transport_fw(request, phase, delay) == tlm::TLM_ACCEPTED,
        rule::kPhase);
}

void ThreadContract::choose_group(Sender& sender, Request& request) {
    using Group = ThreadRequest::Group;
    const ThreadTraffic& traffic = sender.traffic;
    const ThreadTopology& topology = machine_.topology;
    auto& random = sender.random;
    if (sender.group_open) {
        request.grouped = request.continues_group = true;
        request.held = sender.open_group;
        const Held& held = *request.held;
        request.group = held.machine ? Group::Machine : Group::Subslice;
        request.want = std::min(request.want, held.threads - held.made);
        request.leaves_group_open = held.made + request.want < held.threads;
        return;
    }
    if (chance(sender, traffic.machine))
        request.group = Group::Machine;
    else if (chance(sender, traffic.groups))
        request.group = Group::Subslice;
    if (request.group == Group::None) {
        if (!chance(sender, traffic.places)) return;
        request.subslices = 1u << random() % topology.total_subslices();
        request.eus = static_cast<std::uint8_t>(1 + random() % topology.eus);
        return;
    }
    request.grouped = true;
    request.held = held_.emplace(held_.end());
    Held& held = *request.held;
    held.threads = request.want;
    held.machine = request.group == Group::Machine;
    const unsigned kind = static_cast<unsigned>(random() % 3);
    request.barrier = held.has_barrier = held.machine || kind != 0;
    if (!held.machine && kind != 1) held.slm_kb = 1u << random() % 7;
    request.slm_kilobytes = static_cast<std::uint16_t>(held.slm_kb);
    request.group_threads = request.barrier_threads = static_cast<std::uint16_t>(held.threads);
    if (!chance(sender, traffic.parts) || held.threads == 1) return;
    request.want = 1 + static_cast<unsigned>(random() % (held.threads - 1));
    request.leaves_group_open = true;
}

SendState ThreadContract::may(Sender& sender, Request& request, Cycles now) {
    findings.check(request.asks && request.in_use && !request.ended, rule::kAsked);
    request.asked = true;
    if (request.sent == request.withdraws_at) {
        request.withdrawn = true;
        return SendState::Sending;
    }
    if (request.sent != request.waits_at || request.waited) return SendState::Sending;
    if (!std::exchange(request.waits, true)) {
        sender.offers_at = now + Cycles(1 + request.number % 30);
        request.free_at = sender.offers_at + Cycles(1);
        sender.wakeup->at(sender.offers_at);
    }
    request.waited = now >= request.free_at;
    return request.waited ? SendState::Sending : SendState::WaitFence;
}

void ThreadContract::make(Sender& sender, Request& request, const ThreadGrant& grant,
                          ThreadDispatch& thread) {
    const ThreadTopology& topology = machine_.topology;
    findings.check(request.in_use && !request.ended && !request.withdrawn &&
                       grant.number == request.sent && request.sent < request.want,
                   rule::kNumber);
    findings.check(!request.asks || std::exchange(request.asked, false), rule::kAsked);
    findings.check(request.began || request.continues_group, rule::kBegan);
    findings.check(thread.client == sender.traffic.client && thread.work == request.work,
                   rule::kKnown);
    findings.check(request.subslices >> grant.place.subslice & 1 && grant.place.eu < request.eus,
                   rule::kPlace);
    if (request.grouped) check_group(request, grant);

    Client& client = clients_[sender.traffic.client];
    client.most = std::max(client.most, ++client.live);
    findings.check(client.live <= request.max_threads, rule::kLimit);
    const Cycles now = clock_.now();
    if (now != left_at_) left_ = 0;
    left_at_ = now;
    findings.check(++left_ <= machine_.a_cycle || machine_.a_cycle == 0, rule::kPace);

    const std::uint16_t fftid = grant.place.fftid(topology);
    findings.check(!running_[fftid].thread, rule::kSlot);
    unsigned& registers = registers_[grant.place.flat_eu(topology)];
    running_[fftid] = {&thread, request.registers,
                       request.grouped && request.held->has_barrier ? &*request.held : nullptr};
    findings.check((registers += request.registers) <= machine_.registers || !machine_.registers,
                   rule::kRegisters);
    thread.sideband.fftid = fftid;
    thread.sideband.place = grant.place.address(topology);
    thread.sideband.state = state_;
    thread.gpgpu.local_thread = static_cast<std::uint16_t>(grant.number);
    thread.payload_registers = static_cast<std::uint8_t>(request.load_rows);
    thread.dependency = {};
    if (request.sent + 1 == request.want) request.threads = request.want;
    sender.sent.push_back({request.number, grant.number, fftid, now});
}

// The source looks by itself whether its next thread must wait, and whether it takes any.
bool ThreadContract::make_next(Sender& sender, Request& last, Request& next,
                               ThreadDispatch& thread) {
    const bool alone = std::ranges::none_of(senders_, [&](const Sender& other) {
        return &other != &sender && other.pending != nullptr;
    });
    const unsigned followed = running_[thread.sideband.fftid].followed + 1;
    findings.check(alone && last.back_to_back && next.back_to_back && last.work == next.work &&
                       followed <= machine_.back_to_back && (next.work_left != 0 || followed == 1),
                   rule::kFollows);
    if (next.sent == next.withdraws_at || (next.sent == next.waits_at && !next.waited) ||
        sender.random() % 8 == 0)
        return false;
    ThreadGrant grant;
    grant.place = ThreadPlace::of_fftid(machine_.topology, thread.sideband.fftid);
    grant.number = next.sent;
    retired(sender, last, thread);
    next.asked = next.asks;
    make(sender, next, grant, thread);
    running_[thread.sideband.fftid].followed = followed;
    ++followed_;
    return true;
}

void ThreadContract::check_group(Request& request, const ThreadGrant& grant) {
    Held& held = *request.held;
    const unsigned subslice = grant.place.subslice;
    const bool first = held.made++ == 0;
    if (first) {
        held.barrier = grant.barrier;
        held.slm = grant.slm;
        held.slm_granule = grant.slm_granule;
        for (const Held& other : held_)
            findings.check(&other == &held || other.made == 0 || !other.slm_kb || !held.slm_kb ||
                               other.slm != held.slm ||
                               other.slm_granule + other.slm_kb <= held.slm_granule ||
                               held.slm_granule + held.slm_kb <= other.slm_granule,
                           rule::kSlm);
        findings.check(held.slm_granule + held.slm_kb <= machine_.slm_kb, rule::kSlm);
    }
    ++held.on[subslice];
    findings.check(held.machine || held.on.size() == 1, rule::kGroup);
    findings.check(
        grant.has_barrier == held.has_barrier && grant.barrier == held.barrier &&
            grant.slm_kilobytes == held.slm_kb &&
            (!held.slm_kb || (grant.slm == held.slm && grant.slm_granule == held.slm_granule)),
        rule::kGroup);
    if (!held.has_barrier) return;
    Held*& owner = barriers_[{subslice, held.barrier}];
    findings.check(!owner || owner == &held, rule::kBarrier);
    owner = &held;
    const unsigned armed = gateways_[subslice].armed[held.barrier];
    findings.check(held.machine ? held.on[subslice] <= armed : armed == held.threads,
                   rule::kBarrier);
}

void ThreadContract::retired(Sender& sender, Request& request, const ThreadDispatch& thread) {
    Running& running = running_[thread.sideband.fftid];
    findings.check(request.in_use && running.thread == &thread, rule::kKnown);
    registers_[thread.sideband.fftid / machine_.topology.threads] -= running.registers;
    running = {};
    --clients_[sender.traffic.client].live;
    if (!request.grouped) return;
    ++request.held->retired;
    end_if_over(request.held);
}

void ThreadContract::end_if_over(HeldGroup held) {
    if (held->made != held->retired || !held->whole()) return;
    std::erase_if(barriers_, [&](const auto& entry) { return entry.second == &*held; });
    held_.erase(held);
}

tlm::tlm_sync_enum ThreadContract::answer(Sender& sender, ThreadRequest& asked,
                                          tlm::tlm_phase& phase) {
    const auto known =
        std::ranges::find_if(sender.requests, [&](Request& r) { return &asked == &r && r.in_use; });
    findings.check(known != sender.requests.end(), rule::kKnown);
    findings.check(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, rule::kPhase);
    if (known == sender.requests.end()) return tlm::TLM_ACCEPTED;
    Request& request = *known;
    const Cycles now = clock_.now();
    if (phase == tlm::BEGIN_RESP) {
        findings.check(request.ended, rule::kEnded);
        findings.check(request.retired == request.sent, rule::kAllRetired);
        request.in_use = false;
        ++sender.answered;
        sender.free.push_back(&request);
        return tlm::TLM_COMPLETED;
    }
    findings.check(!request.ended && sender.pending == &request, rule::kEndedOnce);
    findings.check(request.withdrawn || request.sent == request.want, rule::kAllSent);
    findings.check(request.payload_read >= request.asked_at, rule::kLoaded);
    request.ended = true;
    sender.pending = nullptr;
    sender.offers_at = Cycles();
    if (now > request.free_at)
        sender.longest_wait = std::max(sender.longest_wait, now - request.free_at);
    if (request.grouped) {
        // What a withdrawn request leaves of its group comes no more.
        sender.group_open = request.leaves_group_open && !request.withdrawn;
        sender.open_group = request.held;
        request.held->complete |= !sender.group_open;
        pass_barrier(*request.held);
        end_if_over(request.held);
    }
    sender.next_at = now;
    if (sender.traffic.at_once) {
        ask(sender);
    } else {
        sender.next_at = now + Cycles(1 + sender.random() % (sender.traffic.pause + 1));
        sender.wakeup->at(sender.next_at);
    }
    return tlm::TLM_ACCEPTED;
}

// --- EUs

tlm::tlm_sync_enum ThreadContract::dispatched(unsigned eu, ThreadDispatch& thread,
                                              tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    findings.check(phase == tlm::BEGIN_REQ, rule::kPhase);
    findings.check(thread.sideband.fftid / machine_.topology.threads == eu, rule::kPlace);
    // It depends on nothing but which thread it is.
    std::minstd_rand random(thread.work * 64 + thread.gpgpu.local_thread);
    const unsigned sender = thread.work / 100'000;
    const unsigned lifetime =
        1 + static_cast<unsigned>(random() % senders_[sender].traffic.lifetime);
    const Cycles end = clock_.after(delay) + Cycles(lifetime);
    if (Held* const held = running_[thread.sideband.fftid].with_barrier) {
        held->waiting.emplace_back(end, &thread);
        pass_barrier(*held);
    } else {
        ends_.emplace(end, &thread);
        ends_wakeup_.at(end);
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void ThreadContract::pass_barrier(Held& held) {
    if (!held.whole()) return;
    for (const auto& [end, thread] : std::exchange(held.waiting, {})) {
        const Cycles at = std::max(end, clock_.now() + Cycles(1));
        ends_.emplace(at, thread);
        ends_wakeup_.at(at);
    }
}

void ThreadContract::end_threads() {
    while (!ends_.empty() && ends_.begin()->first <= clock_.now()) {
        ThreadDispatch& thread = *ends_.begin()->second;
        ends_.erase(ends_.begin());
        thread.retire = {};
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        const unsigned eu = thread.sideband.fftid / machine_.topology.threads;
        if (thread.relay != nullptr && thread.work % 16 != 0 &&
            thread.relay->next(thread, clock_.now())) {
            dispatched(eu, thread, phase, delay);
            continue;
        }
        phase = tlm::BEGIN_RESP;
        findings.check(thread_in[eu]->nb_transport_bw(thread, phase, delay) == tlm::TLM_COMPLETED,
                       rule::kPhase);
    }
    if (!ends_.empty()) ends_wakeup_.at(ends_.begin()->first);
}

// --- Gateways

void ThreadContract::set_barrier(unsigned subslice, tlm::tlm_generic_payload& write,
                                 sc_core::sc_time& delay) {
    write.set_response_status(tlm::TLM_OK_RESPONSE);
    if (write.get_address() >= kGiveBack) return;
    const auto barrier = static_cast<unsigned>(write.get_address() / 4);
    Gateway& gateway = gateways_[subslice];
    unsigned& armed = gateway.armed[barrier];
    const unsigned threads = load<std::uint32_t>(write.get_data_ptr());
    findings.check(threads == 0 || armed == 0, rule::kBarrier);
    armed = threads;
    if (threads != 0) {
        delay += clock_.time(Cycles(8));
    } else if (const auto round = gateway.rounds.extract(barrier)) {
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time at_once;
        barrier_in[subslice]->nb_transport_bw(*round.mapped(), phase, at_once);
    }
}

tlm::tlm_sync_enum ThreadContract::share(unsigned subslice, tlm::tlm_generic_payload& write,
                                         tlm::tlm_phase& phase) {
    const auto barrier = static_cast<unsigned>((write.get_address() - kGlobalBarriers) / 4);
    gateways_[subslice].armed[barrier] = load<std::uint32_t>(write.get_data_ptr());
    gateways_[subslice].rounds[barrier] = &write;
    write.set_response_status(tlm::TLM_OK_RESPONSE);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

// --- The end

bool ThreadContract::finished() const {
    return std::ranges::all_of(senders_, [&](const Sender& sender) {
        return sender.answered == sender.asked && !sender.group_open &&
               (stopped_ || sender.asked == sender.traffic.requests);
    });
}

void ThreadContract::end() {
    for (const Sender& sender : senders_)
        findings.check(sender.answered == sender.asked, rule::kNothingLost);
    findings.check(held_.empty() && ends_.empty(), rule::kNothingLost);
    for (const Gateway& gateway : gateways_)
        for (const auto& [_, threads] : gateway.armed)
            findings.check(threads == 0, rule::kHeld);
}

}  // namespace gen9::test
