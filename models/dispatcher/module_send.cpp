// SPDX-License-Identifier: Apache-2.0
// From requests to threads that leave.
#include <algorithm>
#include <utility>

#include "common/check.h"
#include "dispatcher/module.h"

namespace gen9::dispatcher {

// --- Who is served

void Dispatcher::send(Cycles now) {
    if (saving_ == Saving::Threads || saving_ == Saving::Slm) return;
    std::uint64_t clients = 0;
    for (const Port& port : ports_)
        if (port.request && port.ready <= now) clients |= std::uint64_t{1} << port.client;
    bool served = env_.timed() && now < next_send_;
    // In functional mode each is served as far as there is room, one after the other. Who must be
    // first is asked anew each time, for a source may have it wait.
    for (std::uint64_t left = clients; left != 0 && !served;) {
        const int first = first_client(now);
        const std::uint64_t from = first < 0 ? left : left & std::uint64_t{1} << first;
        if (from == 0) break;
        const unsigned client = arbiter_.choose(from, now);
        left &= ~(std::uint64_t{1} << client);
        if (!serve_client(client, now)) continue;
        arbiter_.served(client, now);
        served = env_.timed();
    }
    if (!served) return;
    // The cycle is used.
    for (Port& port : ports_)
        if (port.request && port.ready <= now) tell(port, SendState::Sending, now);
}

bool Dispatcher::serve_client(unsigned client, Cycles now) {
    keep_places(client);
    bool sent = false;
    for (Port& port : ports_) {
        if (port.client != client || !port.request || port.ready > now) continue;
        sent |= serve(port, now);
        if (sent && env_.timed()) break;
    }
    return sent;
}

// Another group may wait for what a group holds: a group that has begun is sent whole, but while
// its source has it wait. Of those that wait for room for too long the first has what becomes free
// for itself; who waits for threads of its own, because of its limit, does not.
int Dispatcher::first_client(Cycles now) const {
    const Port* waits = nullptr;
    for (const Port& port : ports_) {
        if (!port.request || port.ready > now) continue;
        const ThreadRequest& request = *port.request;
        const bool held = port.held_by_source && now < port.held_until;
        const OpenGroup* const group = port.begun                ? &port.group
                                       : request.continues_group ? &port.left_open
                                                                 : nullptr;
        if (group && group->index != kNoGroup && !held &&
            (!group->kept.empty() || !core_.over_limit(request, port.client)))
            return static_cast<int>(port.client);
        const unsigned threads = port.begun ? 1u : std::max<unsigned>(1, request.group_threads);
        const bool for_room =
            port.shown == SendState::WaitSlot || port.shown == SendState::WaitRegisters ||
            port.shown == SendState::WaitSlm || port.shown == SendState::WaitBarrier;
        if (for_room && !core_.over_limit(request, port.client, threads) &&
            port.waits_since + Cycles(params_.patience) <= now &&
            (!waits || port.waits_since < waits->waits_since))
            waits = &port;
    }
    return waits ? static_cast<int>(waits->client) : -1;
}

bool Dispatcher::serve(Port& port, Cycles now) {
    const std::uint64_t most = env_.timed() ? params_.threads_per_clock.get() : ~std::uint64_t{0};
    SendState why = SendState::Sending;
    std::uint64_t sent = 0;
    while (port.request && port.ready <= now && sent < most) {
        if (!port.begun) {
            if (saving_ == Saving::Asked && save_at_ <= now) break;  // those that run come first
            why = begin(port, now);
            if (why != SendState::Sending) break;
            if (!port.begun) {  // withdrawn, or all its threads came back
                end_request(port);
                continue;
            }
        }
        ThreadRequest& request = *port.request;
        const bool saves =
            saving_ == Saving::Asked && save_at_ <= now && port.group.index == kNoGroup;
        if (saves) break;
        why = send_thread(port, now);
        if (request.withdrawn) {
            end_request(port);
            continue;
        }
        if (why != SendState::Sending) break;
        ++sent;
        if (request.sent == request.threads) end_request(port);
    }
    if (sent && env_.timed()) {
        why = SendState::Sending;
        next_send_ = now + Cycles(1);
    }
    if (sent) port.waits_since = now;
    if (port.request && port.ready <= now) tell(port, why, now);
    return sent != 0;
}

void Dispatcher::tell(Port& port, SendState state, Cycles now) {
    port.shown = state;
    port.request->source->shows(*port.request, state, now);
}

// --- A request

void Dispatcher::keep_places(unsigned for_others_than) {
    for (Port& port : ports_) {
        if (port.client == for_others_than) continue;
        if (port.begun) core_.keep_places(port.client, port.group);
        core_.keep_places(port.client, port.left_open);
    }
}

SendState Dispatcher::ask(Port& port, SendState (ThreadSource::*may)(ThreadRequest&, Cycles),
                          Cycles now) {
    const SendState why = (port.request->source->*may)(*port.request, now);
    port.held_by_source = why != SendState::Sending;
    if (port.held_until <= now) port.held_until = kNotOffered;
    return why;
}

SendState Dispatcher::begin(Port& port, Cycles now) {
    ThreadRequest& request = *port.request;
    if (slm_moving(now)) return SendState::WaitDrain;
    if (request.asks) {
        const SendState why = ask(port, &ThreadSource::may_begin, now);
        if (why != SendState::Sending || request.withdrawn) return why;
    }
    if (!request.restored.empty()) {
        restore(port, now);
        return SendState::Sending;
    }
    if (request.continues_group) {
        port.group = std::exchange(port.left_open, {});
        port.begun = true;
        return SendState::Sending;
    }
    const SendState why = core_.open(request, port.client, port.group);
    if (why != SendState::Sending) return why;
    port.begun = true;
    ask_again_ |= env_.timed() && port.group.index != kNoGroup;
    if (request.barrier && port.group.index != kNoGroup) {
        const Cycles ready = announce(port, now);
        if (env_.timed()) port.group_ready = ready;
    }
    request.source->began(request, now);
    return SendState::Sending;
}

void Dispatcher::end_request(Port& port) {
    ThreadRequest& request = *port.request;
    if (request.withdrawn) {
        // Nothing more of its group comes.
        OpenGroup group;
        if (port.begun)
            group = std::exchange(port.group, {});
        else if (request.continues_group)
            group = std::exchange(port.left_open, {});
        end_group(port, group, request.trace_id);
    } else if (request.leaves_group_open) {
        port.left_open = std::exchange(port.group, {});
    } else {
        ask_again_ |= core_.give_back(port.client, port.group);
    }
    port.request = nullptr;
    --asking_;
    port.begun = port.held_by_source = false;
    port.ends_request = true;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    (*request_in[index_of(port)])->nb_transport_bw(request, phase, delay);
    port.ends_request = false;
    respond_if_over(request, index_of(port));
}

void Dispatcher::end_left_open(Port& port) {
    OpenGroup group = std::exchange(port.left_open, {});
    end_group(port, group, port.left_open_ended_by);
    port.left_open_ends.reset();
}

void Dispatcher::end_group(const Port& port, OpenGroup& group, TraceId cause) {
    if (group.index == kNoGroup) return;
    free_barrier(core_.end(port.client, group), cause);
    ask_again_ = true;
}

void Dispatcher::respond_if_over(ThreadRequest& request, unsigned port) {
    if (request.retired != request.sent || ports_[port].request == &request) return;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    (*request_in[port])->nb_transport_bw(request, phase, delay);
}

// --- A thread

Cycles Dispatcher::load_queue(const ThreadRequest& request) const {
    const std::uint64_t cycles =
        (request.load_rows + params_.load_rows_per_clock - 1) / params_.load_rows_per_clock;
    return Cycles(params_.load_queue * cycles);
}

Cycles Dispatcher::load_room(const Port& port, Cycles now) const {
    const Cycles end = port.group.bound ? load_end_[port.group.subslice]
                                        : *std::min_element(load_end_.begin(), load_end_.end());
    const Cycles queue = load_queue(*port.request);
    return end < now + queue ? now + Cycles(1) : end - queue + Cycles(1);
}

std::uint32_t Dispatcher::ready_subslices(const ThreadRequest& request, Cycles now) const {
    if (!env_.timed()) return ~0u;
    const Cycles queue = load_queue(request);
    std::uint32_t ready = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (load_end_[s] < now + queue) ready |= 1u << s;
    return ready;
}

SendState Dispatcher::send_thread(Port& port, Cycles now) {
    ThreadRequest& request = *port.request;
    if (now < port.group_ready) return SendState::WaitHandshake;
    if (request.asks) {
        const SendState why = ask(port, &ThreadSource::may_send, now);
        if (why != SendState::Sending || request.withdrawn) return why;
    }
    ThreadGrant grant;
    const SendState why = core_.take_slot(request, port.client, port.group,
                                          ready_subslices(request, now), grant.place);
    if (why != SendState::Sending) return why;

    grant.number = request.sent;
    if (port.group.index != kNoGroup) {
        const Group& group = core_.tracker()[port.group.index];
        grant.has_barrier = group.has_barrier;
        grant.barrier = group.barrier;
        grant.slm = group.slm;
        grant.slm_granule = group.slm_granule;
        grant.slm_kilobytes = group.slm_kilobytes;
    }
    make(port, grant);
    launch(request, index_of(port), grant.place, now);
    return SendState::Sending;
}

void Dispatcher::make(Port& port, ThreadGrant& grant) {
    ThreadRequest& request = *port.request;
    const unsigned fftid = grant.place.fftid(topology_);
    ThreadDispatch& thread = *threads_[fftid];
    grant.same_work = thread.client == port.client && thread.work == request.work;
    thread.client = static_cast<std::uint8_t>(port.client);
    thread.work = request.work;
    thread.repeats = false;
    thread.sideband.of_geometry = false;
    thread.sideband.pixels = nullptr;
    thread.sideband.unanswered = request.awaits_messages ? &unanswered_[fftid] : nullptr;
    request.source->make(request, grant, thread);
    const bool last = request.sent + 1 == request.threads;
    core_.sent(fftid, port.group, last && !request.leaves_group_open);
}

void Dispatcher::launch(ThreadRequest& request, unsigned port, const ThreadPlace& place,
                        Cycles now) {
    const unsigned fftid = place.fftid(topology_);
    ThreadDispatch& thread = *threads_[fftid];
    thread.sideband.trace_id = trace_ids_.next();
    running_[fftid] = {&request, static_cast<std::uint8_t>(port), false, 0};
    thread.relay = gives_next(request, fftid / topology_.threads) ? this : nullptr;
    if (!thread.repeats) {
        const GpuAddr base = thread.sideband.state->context_save_base;
        thread.sideband.save_area =
            base.value ? base + save_layout_.thread(place.subslice, place.eu, place.slot) : base;
        note_dependencies(thread);
    }
    ++request.sent;

    sc_core::sc_time delay;
    if (env_.timed()) {
        const Cycles load((thread.payload_registers + params_.load_rows_per_clock - 1) /
                          params_.load_rows_per_clock);
        Cycles& end = load_end_[place.subslice];
        end = std::max(end, now) + load;
        request.payload_read = std::max(request.payload_read, end);
        delay = clock_.time(
            end - now +
            Cycles(std::max<std::uint64_t>(params_.dispatch_cycles, env_.notice_cycles)));
    }
    if (signals_.watched()) [[unlikely]]
        signals_.sent.show(thread, clock_.now());
    hand_over(thread, delay);
}

void Dispatcher::hand_over(ThreadDispatch& thread, sc_core::sc_time delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    auto& socket = *thread_out[thread.sideband.fftid / topology_.threads];
    const auto answer = socket->nb_transport_fw(thread, phase, delay);
    GEN9_CHECK(answer == tlm::TLM_UPDATED && phase == tlm::END_REQ,
               "an EU takes a dispatch at once");
}

}  // namespace gen9::dispatcher
