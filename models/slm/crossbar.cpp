// SPDX-License-Identifier: Apache-2.0
#include "slm/crossbar.h"

#include <algorithm>

#include "common/check.h"
#include "slm/core.h"

namespace gen9::slm {

CrossbarSignals::CrossbarSignals(std::string path, unsigned subslices)
    : SignalSet(std::move(path)) {
    for (unsigned s = 0; s < subslices; ++s) {
        const std::string where = "_subslice" + std::to_string(s);
        waiting.emplace_back(*this, "waiting" + where, 11, SignalForm::Decimal,
                             "Requests of the subslice's data port in the queue.");
        sent.emplace_back(*this, "sent" + where, "A request goes to the subslice's SLM.");
    }
}

Crossbar::Crossbar(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                   unsigned subslices)
    : sc_core::sc_module(module_name),
      Block(env),
      params(env.config, name()),
      stats(name()),
      signals(name(), subslices),
      env_(env),
      clock_(clock),
      wakeup_(clock),
      arbiters_(subslices, params.ports.arbiter(subslices)),
      sent_(subslices) {
    enlist(env, params, stats, signals);
    for (unsigned s = 0; s < subslices; ++s) {
        mem_in.emplace_back(("mem_in" + std::to_string(s)).c_str());
        mem_out.emplace_back(("mem_out" + std::to_string(s)).c_str());
        queues_.emplace_back(mem_in[s], clock, params.queue);
        ports_.emplace_back(mem_out[s], clock);
        connect(s);
    }
    wakeup_.runs<&Crossbar::process>(this);
}

Crossbar::~Crossbar() = default;

void Crossbar::connect(unsigned s) {
    mem_in[s].on_blocking = [this, s](Payload& p, sc_core::sc_time& delay) {
        blocking(s, p, delay);
    };
    mem_in[s].on_direct = [this, s](Payload& p, tlm::tlm_dmi& dmi) { return direct(s, p, dmi); };
    mem_in[s].on_debug = [this, s](Payload& p) {
        const std::uint64_t address = p.get_address();
        const unsigned length = mem_out[enter(s, p)]->transport_dbg(p);
        p.set_address(address);
        return length;
    };
    mem_in[s].on_forward = [this, s](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const bool remote = target_of(s, p) != s;
        const auto status = queues_[s].begin(p, phase, delay, kArrival + link(remote));
        if (remote && !queues_[s].empty())
            account_.extend(CrossbarUse::Passing, clock_.now(), queues_[s].back().ready);
        if (!queues_[s].empty())
            wakeup_.at(std::max(queues_[s].front().ready, clock_.now() + kArrival));
        signals.waiting[s].set(queues_[s].size(), clock_.now());
        return status;
    };
    mem_out[s].on_invalidate = [this](std::uint64_t, std::uint64_t) {
        for (auto& socket : mem_in)
            socket->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
    };
    ports_[s].on_room = [this] { wakeup_.at(clock_.now() + kArrival); };
    ports_[s].on_response = [this, s](Payload& p, Cycles at) { answer(s, p, at); };
}

unsigned Crossbar::target_of(unsigned from, const Payload& payload) const {
    return static_cast<unsigned>((from + payload.get_address() / SlmCore::kBytes) % mem_out.size());
}

/// Gives the address within the SLM to the request, and says whose SLM that is.
unsigned Crossbar::enter(unsigned from, Payload& payload) {
    const unsigned to = target_of(from, payload);
    payload.set_address(payload.get_address() % SlmCore::kBytes);
    return to;
}

void Crossbar::blocking(unsigned from, Payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned to = enter(from, payload);
    ++(to == from ? stats.local : stats.remote);
    if (env_.timed()) delay += clock_.time(kArrival + link(to != from) + link(to != from));
    mem_out[to]->b_transport(payload, delay);
    payload.set_address(address);
}

bool Crossbar::direct(unsigned from, Payload& payload, tlm::tlm_dmi& dmi) {
    const std::uint64_t address = payload.get_address();
    const bool granted = mem_out[enter(from, payload)]->get_direct_mem_ptr(payload, dmi);
    payload.set_address(address);
    const std::uint64_t base = address / SlmCore::kBytes * SlmCore::kBytes;
    dmi.set_start_address(base + dmi.get_start_address());
    dmi.set_end_address(base + std::min<std::uint64_t>(dmi.get_end_address(), SlmCore::kBytes - 1));
    return granted;
}

void Crossbar::process() {
    const Cycles now = clock_.now();
    std::uint64_t served = 0;  // one request of each data port
    for (unsigned to = 0; to < ports_.size(); ++to) {
        if (!ports_[to].can_send()) continue;
        std::uint64_t clients = 0;
        for (unsigned from = 0; from < queues_.size(); ++from) {
            if (served >> from & 1 || !queues_[from].ready(now) ||
                target_of(from, *queues_[from].front().payload) != to)
                continue;
            clients |= std::uint64_t{1} << from;
            arbiters_[to].waits(from, queues_[from].front().ready);
        }
        if (clients == 0) continue;
        const unsigned from = arbiters_[to].choose(clients, now);
        arbiters_[to].served(from, now);
        served |= std::uint64_t{1} << from;
        send(from, to, now);
    }
    bool stalled = false;
    for (unsigned from = 0; from < queues_.size(); ++from) {
        signals.waiting[from].set(queues_[from].size(), now);
        if (queues_[from].empty()) continue;
        const RequestQueue::Request& next = queues_[from].front();
        stalled |= next.ready <= now;
        // Without room at its target, that target says when there is some.
        if (next.ready > now || ports_[target_of(from, *next.payload)].can_send())
            wakeup_.at(std::max(next.ready, now + kArrival));
    }
    account_.set(CrossbarUse::Stalled, now, stalled ? account_.kOpen : now);
    account_.set(CrossbarUse::Memory, now, owes_answers() ? account_.kOpen : now);
}

bool Crossbar::owes_answers() const {
    return std::ranges::any_of(sent_, [](const auto& sent) { return !sent.empty(); });
}

void Crossbar::send(unsigned from, unsigned to, Cycles now) {
    stats.wait_cycles += (now - queues_[from].front().ready).value;
    Payload& payload = queues_[from].pop();
    enter(from, payload);
    ++(to == from ? stats.local : stats.remote);
    signals.sent[to].pulse(now, now + Cycles(1));
    if (to != from) signals.remote.pulse(now, now + Cycles(1));
    sent_[to].push_back({&payload, from});
    ports_[to].send(payload, now);
    account_.extend(CrossbarUse::Busy, now, now + Cycles(1));
}

void Crossbar::answer(unsigned to, Payload& payload, Cycles at) {
    std::vector<Sent>& sent = sent_[to];
    const auto it = std::ranges::find(sent, &payload, &Sent::payload);
    GEN9_CHECK(it != sent.end(), std::string(name()) + ": an answer to what was not asked");
    const unsigned from = it->from;
    sent.erase(it);
    const unsigned past = static_cast<unsigned>((to + mem_out.size() - from) % mem_out.size());
    if (!owes_answers()) account_.set(CrossbarUse::Memory, clock_.now(), at);
    if (past != 0) account_.extend(CrossbarUse::Passing, clock_.now(), at + link(true));
    payload.set_address(payload.get_address() + std::uint64_t{past} * SlmCore::kBytes);
    queues_[from].respond(payload, at + link(past != 0));
}

}  // namespace gen9::slm
