// SPDX-License-Identifier: Apache-2.0
// Flushes and invalidations: what they write and drop, and what waits for them meanwhile.
#include "l3/front/sweep.h"

#include <algorithm>

#include "l3/front/module.h"

namespace gen9::l3 {

// Nodes serialize their events (L3-66, L3-67): one begins where the one before it ends.
void L3::control(const MemoryAttributes& attributes, sc_core::sc_time& delay) {
    const CacheControl& control = attributes.control;
    Sweep sweep;
    sweep.cause = attributes.trace_id;
    sweep.dropped = dropped_by(control);
    sweep.flush = control.flush_data;
    if (!sweep.flush && sweep.dropped.empty()) return;
    if (!env_.timed()) {
        for (const BankPlace& bank : banks_)
            if (bank.own)
                bank.own->core.drop_all(sweep.dropped, registers_.flushes_coherent_lines(),
                                        [](const Victim&) {});
        return;
    }
    // Data is flushed at the end of the pipe; what else is dropped is dropped at its top.
    ClassSet data;
    data.add(LineClass::Data);
    sweep.all_nodes = (sweep.dropped.bits & ~data.bits) != 0;
    // Coherent lines can be seen where they are, unless they are asked to leave (L3-68, L3-81).
    sweep.coherent = registers_.flushes_coherent_lines();
    start_sweep(std::move(sweep), delay);
}

void L3::start_sweep(Sweep sweep, sc_core::sc_time& delay) {
    ++stats.flushes;
    const Cycles now = clock_.now();
    // Sweeps that nobody has seen end are removed.
    while (!sweeps_.empty() && sweeps_.front().walking && sweeps_.front().last < now)
        sweeps_.pop_front();
    sweep.begin = sweep.asked = clock_.after(delay);
    if (!sweeps_.empty()) sweep.begin = std::max(sweep.begin, sweeps_.back().last);

    // The lines' contents of now are written and dropped now; what is still on its way to the banks
    // follows when they are drained.
    sweep.walking = sweep.begin <= now && drained(sweep);
    std::size_t longest = 0;
    if (!sweep.walking) {
        wakeup_.at(sweep.begin);
        for (unsigned c = 0; c < clients_.size(); ++c) {
            std::size_t waiting = clients_[c].queue.size();
            for (const BankPlace& bank : banks_)
                waiting += bank.ingress.size(c);
            longest = std::max(longest, waiting);
        }
    }
    walk(sweep, sweep.begin + Cycles(longest));
    for (const BankPlace& bank : banks_)
        if (bank.own) bank.own->outdate(sweep.dropped);
    delay = clock_.until(sweep.last);
    sweeps_.push_back(std::move(sweep));
}

bool L3::drained(const Sweep& sweep) const {
    // The banks' queues hold what came before the sweep, or before it began.
    if (waiting_banks_ != 0) return false;
    for (const Client& client : clients_)
        if (!client.queue.empty() && client.queue.front().ready <= sweep.asked) return false;
    const auto idle = [](const BankPlace& bank) { return bank.idle(); };
    return !sweep.all_nodes ||
           (returns_.empty() && std::all_of(banks_.begin(), banks_.end(), idle));
}

// Banks work side by side.
void L3::walk(Sweep& sweep, Cycles from) {
    MemoryTransaction& order = *pool_.get();
    order.set_command(tlm::TLM_IGNORE_COMMAND);
    order.attributes.operation = MemoryAttributes::Operation::Control;
    order.attributes.trace_id = sweep.cause;
    order.attributes.control = {};
    CacheControl& control = order.attributes.control;
    control.flush_data = sweep.flush;
    order.attributes.coherent = sweep.coherent;  // these lines too
    control.invalidate_data = sweep.dropped.has(LineClass::Data);
    control.invalidate_instruction = sweep.dropped.has(LineClass::Instruction);
    control.invalidate_state = sweep.dropped.has(LineClass::State);
    control.invalidate_constant = sweep.dropped.has(LineClass::Constant);
    control.invalidate_texture = sweep.dropped.has(LineClass::Texture);
    sweep.end.assign(nodes_, from);
    for (unsigned b = 0; b < banks_.size(); ++b) {
        Cycles& end = sweep.end[node_of(b)];
        sc_core::sc_time delay = clock_.until(from);
        (*banks_[b].out)->b_transport(order, delay);
        end = std::max(end, clock_.after(delay));
    }
    order.release();
    for (Cycles& end : sweep.end)
        sweep.last = std::max(sweep.last, end += Cycles(params.flush_cycles));
}

// At the beginning of a cycle: nodes that are done let their requests go on.
void L3::advance_sweeps(Cycles now) {
    while (!sweeps_.empty() && sweeps_.front().begin <= now) {
        Sweep& sweep = sweeps_.front();
        if (!sweep.walking && drained(sweep)) {
            walk(sweep, now);
            sweep.walking = true;
        }
        if (!sweep.walking) return;
        for (unsigned b = 0; b < banks_.size(); ++b)
            if (banks_[b].own && !sweep.holds(node_of(b), now) && banks_[b].own->release_held())
                active_banks_ |= std::uint64_t{1} << b;
        if (sweep.last > now) return;
        const Cycles last = sweep.last;
        sweeps_.pop_front();
        if (!sweeps_.empty()) sweeps_.front().begin = std::max(sweeps_.front().begin, last);
    }
}

// The next cycle in which a sweep lets something go on; 0 if none.
Cycles L3::next_of_sweeps(Cycles now) const {
    const Sweep& sweep = sweeps_.front();
    if (sweep.begin > now) return sweep.begin;
    if (!sweep.walking) return drained(sweep) ? now + Cycles(1) : Cycles();
    Cycles next = sweep.last;
    if (!sweep.all_nodes)
        for (const Cycles end : sweep.end)
            if (end > now) next = std::min(next, end);
    return next;
}

// A fence: what comes after it is queued behind it in the super queue, once what came before has
// been served (L3-67). At the top of the pipe it waits where it is (L3-66).
L3::Admission L3::admit(Client& client, Cycles now) {
    const Sweep& sweep = sweeps_.front();
    const Cycles ready = client.queue.front().ready;
    if (sweep.begin > now || !sweep.holds(node_of(client.bank), now)) return Admission::Serve;
    if (!sweep.walking && ready <= sweep.asked) return Admission::Serve;
    Bank* const bank = banks_[client.bank].own;
    if (bank == nullptr) return Admission::Wait;
    const bool in_urb = client.head.key.space() == AddressSpace::Urb;
    const bool newest = sweeps_.size() == 1;  // else it waits for the others as well
    if (sweep.walking && !sweep.all_nodes && newest && !in_urb && bank->ready_to_hold(client.head))
        return Admission::Hold;
    bank->stall(Stall::Flush);
    return Admission::Wait;
}

}  // namespace gen9::l3
