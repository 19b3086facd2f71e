// SPDX-License-Identifier: Apache-2.0
// The GTI's cycle in timed mode.
#include <algorithm>
#include <bit>

#include "common/check.h"
#include "memory/gti/gti.h"
#include "memory/perform.h"

namespace gen9::memory {

void Gti::process() {
    const Cycles now = clock_.now();
    stats.walk_stalls += walking_ * (now - walking_since_).value;
    walking_since_ = now;
    // 1. Walks that are done free their requests. 2. Heads that miss go to wait, so that others
    // pass them. 3. New walks begin. 4. Requests leave.
    take_left(now);
    step_walks(now);
    for (std::uint64_t left = queued_ports_; left; left &= left - 1) {
        const auto initiator = static_cast<unsigned>(std::countr_zero(left));
        if (ports_[initiator].queue.ready(now)) translate_head(initiator);
    }
    step_walks(now);
    std::uint64_t offered = 0;
    for (std::uint64_t left = queued_ports_ | pending_ports_; left; left &= left - 1) {
        auto& port = ports_[static_cast<unsigned>(std::countr_zero(left))];
        if (port.translated || first_walked(port) != port.pending.end()) offered |= left & -left;
    }
    arbiter_.offer(offered, now, [&](unsigned initiator) { return serve(initiator, now); });

    std::size_t waiting = pending_;
    for (std::uint64_t left = queued_ports_ | pending_ports_; left; left &= left - 1) {
        auto& port = ports_[static_cast<unsigned>(std::countr_zero(left))];
        waiting += port.queue.size();
        // A head that may not go to wait for a walk goes on when one is done.
        if (!port.queue.empty() && !port.translated && may_wait(port))
            wakeup_.at(std::max(port.queue.front().ready, now + Cycles(1)));
        const bool served = port.translated || first_walked(port) != port.pending.end();
        if (served && port.stall != Stall::Downstream) wakeup_.at(now + Cycles(1));
    }
    account_.set(GtiActivity::Downstream, now, held_downstream_ != 0 ? account_.kOpen : now);
    account_.set(GtiActivity::Walking, now, walking_ != 0 ? account_.kOpen : now);
    account_memory(now);
    signals.waiting.set(waiting, now);
}

void Gti::step_walks(Cycles now) {
    if (walker_.idle()) return;
    bool refused = false;
    const auto fetch = [&](std::uint64_t line, TraceId cause) {
        if (!out_.can_send() || !is_free(reads_, now)) return false;
        take_line(reads_, now);
        ++stats.walk_fetches;
        account_passing(now);
        auto* read = pool_.get();
        read->access(tlm::TLM_READ_COMMAND, line, kLineBytes);
        read->attributes.space = AddressSpace::Physical;
        read->attributes.trace_id = cause;
        out_.send(*read, now + Cycles(params.request_cycles));
        return true;
    };
    const Cycles wake = walker_.step(now, fetch, refused);
    if (wake.value) wakeup_.at(wake);
    if (refused && out_.can_send()) wakeup_.at(now + Cycles(1));
    for (std::uint64_t left = pending_ports_; left; left &= left - 1) {
        const auto initiator = static_cast<unsigned>(std::countr_zero(left));
        for (Pending& pending : ports_[initiator].pending) {
            if (pending.walk == Walker::kNone || !walker_.done(pending.walk)) continue;
            if (first_walked(ports_[initiator]) == ports_[initiator].pending.end())
                arbiter_.waits(initiator, pending.ready);
            pending.walk = Walker::kNone;
            --walking_;
            signals.walking.add(-1, now);
        }
    }
}

// May the head leave its queue to wait for a walk, or pass those that do? The streamers' accesses
// follow each other: software looks at their effects in order.
bool Gti::may_wait(const Port& port) const {
    if (pending_ >= params.pending) return false;
    const Requester requester = attributes_of(*port.queue.front().payload).requester;
    return port.pending.empty() ||
           (requester != Requester::CommandStreamer && requester != Requester::ResourceStreamer);
}

void Gti::translate_head(unsigned initiator) {
    Port& port = ports_[initiator];
    if (port.translated || !may_wait(port)) return;
    const auto& head = port.queue.front();
    const Payload& payload = *head.payload;
    const auto& attributes = attributes_of(payload);
    const GpuAddr address(payload.get_address());
    Walker::WalkId walk = walker_.find(attributes.space, address);
    Mmu::Answer answer = mmu_.translate(attributes.space, address, changes_memory(payload));
    if (walk == Walker::kNone && answer.table_reads)
        walk = walker_.start(attributes.space, address, answer.fault, attributes.trace_id);
    const bool miss = walk != Walker::kNone;
    stats.tlb_hits += !miss;
    stats.tlb_misses += miss;
    stats.walk_reads += answer.table_reads;
    show_translation(address, miss);
    if (!miss) {
        if (first_walked(port) == port.pending.end()) arbiter_.waits(initiator, head.ready);
        port.answer = answer;
        port.translated = true;
        return;
    }
    port.pending.push_back({head.payload, answer, walk, head.ready});
    pending_ports_ |= std::uint64_t{1} << initiator;
    ++pending_;
    ++walking_;
    signals.walking.add(1, clock_.now());
    port.queue.pop();
    if (port.queue.empty()) queued_ports_ &= ~(std::uint64_t{1} << initiator);
}

std::deque<Gti::Pending>::iterator Gti::first_walked(Port& port) const {
    return std::find_if(port.pending.begin(), port.pending.end(),
                        [](const Pending& p) { return p.walk == Walker::kNone; });
}

void Gti::hold(Port& port, Stall reason, Cycles now) {
    if (port.stall == reason) return;
    release(port, now);
    port.stall = reason;
    port.stalled_since = now;
    held_downstream_ += reason == Stall::Downstream;
}

void Gti::release(Port& port, Cycles now) {
    if (port.stall == Stall::None) return;
    const std::uint64_t waited = (now - port.stalled_since).value;
    if (port.stall == Stall::Bandwidth)
        stats.bandwidth_stalls += waited;
    else
        stats.downstream_stalls += waited;
    held_downstream_ -= port.stall == Stall::Downstream;
    port.stall = Stall::None;
}

bool Gti::serve(unsigned initiator, Cycles now) {
    Port& port = ports_[initiator];
    const auto pending = first_walked(port);
    const bool walked = pending != port.pending.end();
    Payload& payload = walked ? *pending->payload : *port.queue.front().payload;
    const Mmu::Answer answer = walked ? pending->answer : port.answer;
    const auto& attributes = attributes_of(payload);
    if (!answer.ok) {
        report(payload, attributes, answer.fault);
        refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
        take(initiator, pending);
        account_passing(now);
        account_.extend(GtiActivity::Returning, now, now + Cycles(params.return_cycles));
        port.queue.respond(payload, now + Cycles(params.return_cycles));
        return false;  // it has used nothing that others want
    }
    RingWay& way = changes_memory(payload) ? writes_ : reads_;
    if (!out_.can_send() || !is_free(way, now)) {
        hold(port, out_.can_send() ? Stall::Bandwidth : Stall::Downstream, now);
        if (port.stall == Stall::Bandwidth)
            account_.extend(GtiActivity::Bandwidth, now, now + Cycles(1));
        return false;
    }
    take_line(way, now);
    release(port, now);
    account_passing(now);
    count(payload);
    take(initiator, pending);
    routes_.push_back({&payload, initiator, payload.get_address()});
    payload.set_address(answer.address.value);
    set_policy(payload, answer.attribute);
    if (lanes_here_ && has_lanes(payload)) {
        perform(memory_, payload);
        respond(payload, now + Cycles(params.request_cycles) - kArrival);
        return true;
    }
    out_.send(payload, now + Cycles(params.request_cycles) - kArrival);
    return true;
}

// Takes out the request that was served: one that waited for a walk, or the head.
void Gti::take(unsigned initiator, std::deque<Pending>::iterator pending) {
    Port& port = ports_[initiator];
    const std::uint64_t bit = std::uint64_t{1} << initiator;
    if (pending != port.pending.end()) {
        port.pending.erase(pending);
        --pending_;
        if (port.pending.empty()) pending_ports_ &= ~bit;
    } else {
        port.translated = false;
        port.queue.pop();
        if (port.queue.empty()) queued_ports_ &= ~bit;
    }
    const auto next = first_walked(port);
    if (next != port.pending.end())
        arbiter_.waits(initiator, next->ready);
    else if (port.translated)
        arbiter_.waits(initiator, port.queue.front().ready);
}

void Gti::respond(Payload& payload, Cycles at) {
    const Cycles now = clock_.now();
    answered_ = std::max(answered_, at);
    const auto found = std::find_if(routes_.begin(), routes_.end(),
                                    [&](const Route& r) { return r.payload == &payload; });
    if (found == routes_.end()) {  // a line of a table
        GEN9_CHECK(walker_.arrived(payload.get_address(), at),
                   std::string(name()) + ": a response nobody waits for");
        payload.release();
        account_memory(now);
        return wakeup_.at(std::max(at, now + kArrival));
    }
    const Route route = *found;
    *found = routes_.back();
    routes_.pop_back();
    payload.set_address(route.address);
    account_memory(now);
    account_.extend(GtiActivity::Returning, now, at + Cycles(params.return_cycles));
    ports_[route.initiator].queue.respond(payload, at + Cycles(params.return_cycles));
}

}  // namespace gen9::memory
