// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/memory_port.h"

#include <algorithm>

#include "common/check.h"

namespace gen9 {
void RequestQueue::end_request(Payload& popped) {
    end_request_owed_ = false;
    // With no room at all (capacity 0) the request that waits is the one just taken.
    Payload& newest = empty() ? popped : *back().payload;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = clock_->period();
    (*socket_)->nb_transport_bw(newest, phase, delay);
}

tlm::tlm_sync_enum RequestQueue::end_response(const sc_core::sc_time& delay) {
    if (!responding_) return tlm::TLM_ACCEPTED;
    if (!continue_) {
        continue_ = std::make_unique<Wakeup>(*clock_);
        continue_->runs<&RequestQueue::respond_next>(this);
    }
    continue_->at(clock_->after(delay));
    return tlm::TLM_COMPLETED;
}

void RequestQueue::respond_next() {
    responding_ = false;
    while (!responses_.empty() && !responding_) {
        const Request next = responses_.front();
        responses_.pop_front();
        respond(*next.payload, std::max(next.ready, clock_->now()));
    }
}

RequestPort::RequestPort(InitiatorSocket<MemoryProtocol>& socket, const Clock& clock)
    : socket_(&socket), clock_(&clock) {
    socket.on_backward = [this](Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return backward(payload, phase, delay);
    };
}

void RequestPort::send(Payload& payload, Cycles at) {
    GEN9_CHECK(can_send(), std::string(socket_->name()) + ": sends before END_REQ");
    waiting_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_->until(at);
    switch ((*socket_)->nb_transport_fw(payload, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            return;
        case tlm::TLM_COMPLETED:
            waiting_ = nullptr;
            on_response(payload, arrival(delay));
            return;
        case tlm::TLM_UPDATED:
            waiting_ = nullptr;
            const Cycles there = arrival(delay);
            if (phase != tlm::BEGIN_RESP) {
                // The request's own way is part of the time until END_REQ, and does not keep the
                // next request.
                const Cycles now = clock_->now();
                const Cycles from = there - (std::max(at, now) - now);
                if (from > now)
                    open(from);
                else
                    open_ = from;
                return;
            }
            phase = tlm::END_RESP;
            (*socket_)->nb_transport_fw(payload, phase, delay);
            on_response(payload, there);
            return;
    }
}

void RequestPort::open(Cycles from) {
    open_ = from;
    const Cycles before = from - kArrival;
    // Told from outside of a cycle, a module that is still to run in it would forget the next.
    if (before <= clock_->now() && clock_->ticking()) return tell_room();
    if (!far_) {
        far_ = std::make_unique<Wakeup>(*clock_);
        far_->runs<&RequestPort::tell_room>(this);
    }
    far_->at(before);
}

tlm::tlm_sync_enum RequestPort::backward(Payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay) {
    if (waiting_ == &payload) {  // END_REQ, or BEGIN_RESP which implies it
        waiting_ = nullptr;
        open(std::max(arrival(delay), clock_->now() + kArrival));
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    on_response(payload, arrival(delay));
    return tlm::TLM_COMPLETED;
}

}  // namespace gen9
