// SPDX-License-Identifier: Apache-2.0
// The GTI's cycle in timed mode.
#include <algorithm>
#include <bit>

#include "common/check.h"
#include "memory/gti.h"
#include "memory/perform.h"

namespace gen9::memory {

void Gti::process() {
    const Cycles now = clock_.now();
    if (now != budget_cycle_) {
        budget_cycle_ = now;
        reads_left_ = params.reads_per_cycle;
        writes_left_ = params.writes_per_cycle;
    }
    std::uint64_t translated = 0;
    for (std::uint64_t left = queued_ports_; left; left &= left - 1) {
        const auto initiator = static_cast<unsigned>(std::countr_zero(left));
        if (ports_[initiator].queue.ready(now) && translate_head(initiator, now))
            translated |= left & -left;
    }
    arbiter_.offer(translated, now, [&](unsigned initiator) { return serve(initiator, now); });

    std::size_t waiting = 0, walking = 0;
    for (std::uint64_t left = queued_ports_; left; left &= left - 1) {
        auto& port = ports_[static_cast<unsigned>(std::countr_zero(left))];
        waiting += port.queue.size();
        if (!port.queue.ready(now))
            wakeup_.at(port.queue.front().ready);
        else if (port.translated && port.walk_done > now)
            ++walking, wakeup_.at(port.walk_done);
        else if (port.stall != Stall::Downstream)
            wakeup_.at(now + Cycles(1));
    }
    signals.waiting.set(waiting, now);
    signals.walking.set(walking, now);
}

bool Gti::translate_head(unsigned initiator, Cycles now) {
    Port& port = ports_[initiator];
    if (!port.translated) {
        arbiter_.waits(initiator, port.queue.front().ready);
        const Payload& payload = *port.queue.front().payload;
        const auto& attributes = attributes_of(payload);
        port.answer = mmu_.translate(attributes.space, GpuAddr(payload.get_address()),
                                     changes_memory(payload));
        port.translated = true;
        const std::uint64_t walk = port.answer.table_reads * params.walk_read_cycles;
        port.walk_done = now + Cycles(walk);
        stats.tlb_hits += walk == 0;
        stats.tlb_misses += walk != 0;
        stats.walk_reads += port.answer.table_reads;
        stats.walk_stalls += walk;
        show_translation(GpuAddr(payload.get_address()), walk != 0);
    }
    return port.walk_done <= now;
}

void Gti::hold(Port& port, Stall reason, Cycles now) {
    if (port.stall == reason) return;
    release(port, now);
    port.stall = reason;
    port.stalled_since = now;
}

void Gti::release(Port& port, Cycles now) {
    if (port.stall == Stall::None) return;
    const std::uint64_t waited = (now - port.stalled_since).value;
    if (port.stall == Stall::Bandwidth)
        stats.bandwidth_stalls += waited;
    else
        stats.downstream_stalls += waited;
    port.stall = Stall::None;
}

bool Gti::serve(unsigned initiator, Cycles now) {
    Port& port = ports_[initiator];
    Payload& payload = *port.queue.front().payload;
    const auto& attributes = attributes_of(payload);
    if (!port.answer.ok) {
        report(payload, attributes, port.answer.fault);
        refuse(payload, tlm::TLM_ADDRESS_ERROR_RESPONSE);
        take_head(initiator);
        port.queue.respond(payload, now + Cycles(params.return_cycles));
        return false;  // it has used nothing that others want
    }
    std::uint64_t& left = changes_memory(payload) ? writes_left_ : reads_left_;
    if (!out_.can_send() || left == 0) {
        hold(port, out_.can_send() ? Stall::Bandwidth : Stall::Downstream, now);
        return false;
    }
    --left;
    release(port, now);
    stats.reads += payload.is_read();
    stats.writes += payload.is_write();
    take_head(initiator);
    routes_.push_back({&payload, initiator, payload.get_address()});
    payload.set_address(port.answer.address.value);
    set_policy(payload, port.answer.attribute);
    if (lanes_here_ && has_lanes(payload)) {
        perform(memory_, payload);
        respond(payload, now + Cycles(params.request_cycles) - kArrival);
        return true;
    }
    out_.send(payload, now + Cycles(params.request_cycles) - kArrival);
    return true;
}

void Gti::take_head(unsigned initiator) {
    Port& port = ports_[initiator];
    port.translated = false;
    port.queue.pop();
    if (port.queue.empty()) queued_ports_ &= ~(std::uint64_t{1} << initiator);
}

void Gti::respond(Payload& payload, Cycles at) {
    const auto found = std::find_if(routes_.begin(), routes_.end(),
                                    [&](const Route& r) { return r.payload == &payload; });
    GEN9_CHECK(found != routes_.end(), std::string(name()) + ": a response nobody waits for");
    const Route route = *found;
    *found = routes_.back();
    routes_.pop_back();
    payload.set_address(route.address);
    ports_[route.initiator].queue.respond(payload, at + Cycles(params.return_cycles));
}

}  // namespace gen9::memory
