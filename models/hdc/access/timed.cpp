// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/timed.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/check.h"

namespace gen9::hdc {

namespace {

constexpr Cycles kNever{~std::uint64_t{0}};

}  // namespace

// Members that only this file calls, most of them from one place, are inline: a step is then one
// function, which does little work of many kinds.

Timed::Timed(Environment& env, const Clock& clock, const HdcParams& params, HdcStats& stats,
             HdcSignals& signals, Core& core, SocketMemory& socket_memory, MessageSockets& messages,
             MemorySocket& memory, MemorySocket& slm, unsigned eus)
    : wakeup(clock),
      clock_(clock),
      stats_(stats),
      signals_(signals),
      core_(core),
      socket_memory_(socket_memory),
      front_end_(params.front_end_cycles),
      start_(params.start_cycles),
      return_(params.return_cycles),
      surface_miss_(params.surface_miss_cycles),
      write_channels_(params.write_merging == "channels" ? RequestList::Channels::Apart
                                                         : RequestList::Channels::Together),
      batch_bytes_(static_cast<unsigned>(params.batch_bytes)),
      by_age_(params.queues.arbitration == "oldest_first"),
      server_(messages, env, clock, params.queues.arbiter(eus), eus,
              {.messages = params.messages_in_flight,
               .registers = params.return_registers,
               .queue = params.queue_depth},
              wakeup),
      paths_{Path(memory, clock, wakeup, Cycles(params.request_cycles)),
             Path(slm, clock, wakeup, Cycles(params.request_cycles))},
      responses_(params.writeback_registers),
      account_({&stats.idle_cycles, &stats.busy_cycles, &stats.stall_memory_cycles,
                &stats.stall_slm_cycles, &stats.stall_fence_cycles, &stats.stall_full_cycles,
                &stats.front_end_cycles, &stats.waiting_cycles}),
      threads_(eus * kSlots) {
    GEN9_CHECK(eus <= kMaxEus, "a data port serves 32 EUs at most");
    server_.on_announced = [this](unsigned eu, Cycles arrival) {
        if (signals_.watched()) [[unlikely]]
            signals_.depth[eu].add(1, arrival);
    };
    for (Path& path : paths_)
        path.on_response([this](MemoryTransaction& transaction, Cycles cycle) {
            take_answer(transaction, cycle);
        });
}

inline void Timed::take_answer(MemoryTransaction& transaction, Cycles cycle) {
    Flight& flight = server_.flight(Path::flight_of(transaction));
    SocketMemory::take(flight.access, Path::index_of(transaction), transaction, *flight.message);
    transaction.release();
    requests_of(flight.target).add(-1, cycle);
    if (flight.take(cycle)) done(flight);
}

void Timed::done(Flight& flight) {
    done_.push(flight);
    wakeup.at(flight.complete + kArrival);
}

void Timed::step() {
    const Cycles now = clock_.now();
    sent_ = asked_ = false;
    finish_done(now);  // frees flights and fences before anything is started
    start_message(now);
    send_request(kMemory, now);
    send_request(kSlm, now);
    plan_next(now);
}

inline void Timed::finish_done(Cycles now) {
    while (!done_.empty() && done_.front().complete < now) {
        Flight& flight = done_.pop();
        if (flight.fence) [[unlikely]] {
            finish_fence(flight, now);
            continue;
        }
        ThreadState& owner = *flight.owner;
        answer(flight, now);
        if (--owner.outstanding == 0 && owner.fence) [[unlikely]] {
            owner.fence->complete = now;
            done(*owner.fence);  // to be answered in a later cycle
        }
    }
}

void Timed::finish_fence(Flight& flight, Cycles now) {
    if (std::exchange(flight.access.flushes, false)) {
        // The fence is not done before its flush is.
        flight.complete = clock_.after(socket_memory_.flush_data(*flight.message));
        if (flight.complete > now) return done(flight);
    }
    flight.owner->fence = nullptr;
    --fences_;
    answer(flight, now);
}

inline void Timed::answer(Flight& flight, Cycles now) {
    flight.access.finish(*flight.message);
    flight.access.planned.reset();
    const Cycles data = std::max(now, flight.complete) + return_;
    server_.answer(flight, responses_.send(data, flight.message->response_length));
}

bool Timed::held(unsigned eu, const Message& message) const {
    return threads_[eu * kSlots + slot_of(message)].fence;
}

// SLM is accessed in order of arrival (L3-61), also past messages that a fence holds, and whatever
// the arbiter prefers.
bool Timed::overtakes_slm(unsigned eu, unsigned index) const {
    const auto reaches_slm = [this](const Message& message) {
        return core_.decoded(message).model == AddressModel::Slm;
    };
    const auto& candidate = server_.inbox().queue(eu)[index];
    if (!reaches_slm(*candidate.item)) return false;
    for (std::uint64_t left = server_.inbox().waiting(); left; left &= left - 1) {
        const auto of = static_cast<unsigned>(std::countr_zero(left));
        const auto& queue = server_.inbox().queue(of);
        for (unsigned i = 0; i < queue.size(); ++i)
            if (queue[i].arrival < candidate.arrival && (!by_age_ || held(of, *queue[i].item)) &&
                reaches_slm(*queue[i].item))
                return true;
    }
    return false;
}

// The message that may start: the oldest that may of each queue, and of these the arbiter's choice.
inline bool Timed::pick(Cycles now, Server::Inbox::Place& place) {
    if (fences_ != 0 || !by_age_) [[unlikely]]
        return pick_with_care(now, place);
    Server::Inbox& inbox = server_.inbox();
    std::uint64_t oldest = 0;
    Cycles arrival = now;
    for (std::uint64_t left = inbox.waiting(); left; left &= left - 1) {
        const Cycles earliest = inbox.earliest(static_cast<unsigned>(std::countr_zero(left)));
        if (earliest > arrival || earliest >= now) continue;
        if (earliest < arrival) oldest = 0;
        arrival = earliest;
        oldest |= left & -left;
    }
    if (oldest == 0) return false;
    if (!std::has_single_bit(oldest))
        for (std::uint64_t left = oldest; left; left &= left - 1)
            inbox.arbiter().waits(static_cast<unsigned>(std::countr_zero(left)), arrival);
    place = {inbox.arbiter().choose(oldest, now), 0};
    return true;
}

// Where messages may have to be passed over.
bool Timed::pick_with_care(Cycles now, Server::Inbox::Place& place) {
    Server::Inbox& inbox = server_.inbox();
    std::array<unsigned, kMaxEus> places;
    std::uint64_t ready = 0;
    for (std::uint64_t left = inbox.waiting(); left; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        const auto& queue = inbox.queue(eu);
        std::uint32_t passed = 0;  // threads, none of which overtakes itself
        for (unsigned i = 0; i < queue.size() && queue[i].arrival < now; ++i) {
            const std::uint32_t sender = 1u << slot_of(*queue[i].item);
            if ((passed & sender) != 0) continue;
            if (held(eu, *queue[i].item) || overtakes_slm(eu, i)) {
                passed |= sender;
                continue;
            }
            places[eu] = i;
            ready |= std::uint64_t{1} << eu;
            inbox.arbiter().waits(eu, queue[i].arrival);
            break;
        }
    }
    if (ready == 0) return false;
    const unsigned eu = inbox.arbiter().choose(ready, now);
    place = {eu, places[eu]};
    return true;
}

inline void Timed::start_message(Cycles now) {
    if (server_.queued() == 0 || !server_.can_start(now)) return;
    Server::Inbox::Place place;
    if (!pick(now, place)) return;
    server_.busy(now + start_);
    launch(place, now);
}

inline void Timed::launch(Server::Inbox::Place place, Cycles now) {
    Flight& flight = server_.start(place, now);
    Message& message = *flight.message;
    flight.begin(now + front_end_);
    flight.owner = &threads_[flight.port * kSlots + slot_of(message)];
    flight.fence = false;
    if (signals_.watched()) [[unlikely]]
        show_start(message, flight.port, now);
    socket_memory_.works_for(message);
    core_.find(message, flight.access, kRequestForms);
    if (flight.access.form != Access::Form::Usual) [[unlikely]]
        return launch_other(flight);
    flight.requests = flight.access.usual.requests();
    flight.target = flight.access.usual.slm ? kSlm : kMemory;
    ++flight.owner->outstanding;
    paths_[flight.target].push(flight);
}

void Timed::show_start(const Message& message, unsigned eu, Cycles now) const {
    signals_.started(message, core_.decoded(message).row, eu, now);
    signals_.depth[eu].add(-1, now);
}

void Timed::launch_other(Flight& flight) {
    if (const Cycles fetch = clock_.cycles(socket_memory_.take_state_delay()); fetch != Cycles(0))
        flight.ready = flight.complete = flight.ready + fetch + surface_miss_;
    ThreadState& owner = *flight.owner;
    if (flight.access.form == Access::Form::Fence) {
        flight.fence = true;
        ++fences_;
        owner.fence = &flight;
        if (owner.outstanding == 0) done(flight);
        return;
    }
    ++owner.outstanding;
    if (flight.access.form == Access::Form::Nothing) return done(flight);
    flight.access.cut(write_channels_, batch_bytes_);
    flight.requests = flight.access.requests();
    if (flight.access.slm()) flight.target = kSlm;
    paths_[flight.target].push(flight);
}

inline void Timed::send_request(Target target, Cycles now) {
    Path& path = paths_[target];
    Flight* const flight = path.sender(now);
    if (flight == nullptr) return;
    MemoryTransaction* const transaction =
        socket_memory_.make(flight->access, flight->sent, *flight->message);
    ++(target == kSlm ? stats_.slm_requests : stats_.lines);
    requests_of(target).add(1, now);
    sent_ = true;
    account_.extend(Activity::Busy, now, now + Cycles(1));
    path.send(*transaction, now);
    if (!path.taken()) return;
    wakeup.at(path.next());
    asked_ |= path.next() == now + Cycles(1);
}

/// Of the messages that have arrived, is one not held by a fence?
bool Timed::any_free(Cycles now) const {
    if (fences_ == 0) return true;
    for (std::uint64_t left = server_.inbox().waiting(); left; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        const auto& queue = server_.inbox().queue(eu);
        for (unsigned i = 0; i < queue.size(); ++i)
            if (queue[i].arrival < now && !held(eu, *queue[i].item)) return true;
    }
    return false;
}

inline Activity Timed::activity(Cycles now) const {
    if (!paths_[kMemory].open(now)) return Activity::StallMemory;
    if (!paths_[kSlm].open(now)) return Activity::StallSlm;
    if (!paths_[kMemory].empty() || !paths_[kSlm].empty()) return Activity::FrontEnd;
    if (server_.arrived(now)) {
        if (!server_.room()) return Activity::StallFull;
        return any_free(now) ? Activity::FrontEnd : Activity::StallFence;
    }
    return server_.in_flight() ? Activity::Waiting : Activity::Idle;
}

inline void Timed::plan_next(Cycles now) {
    account_.hold(activity(now), now);
    if (signals_.watched()) [[unlikely]]
        show(now);
    if (asked_) return;
    Cycles next = next_start_of_message(now);
    for (const Path& path : paths_)
        next = std::min(next, path.next_send(kNever));
    if (!done_.empty()) next = std::min(next, done_.front().complete + kArrival);
    if (next != kNever) wakeup.at(std::max(next, now + Cycles(1)));
}

void Timed::show(Cycles now) const {
    // As `account_` counts: this cycle, and those up to the next in which the port runs.
    if (sent_) signals_.state.set(Activity::Busy, now);
    signals_.state.set(account_.held(), sent_ ? now + Cycles(1) : now);
    signals_.in_flight.set(server_.in_flight(), now);
    signals_.fences.set(fences_, now);
}

/// Held messages are left out: they are started by the step that ends their fence.
inline Cycles Timed::next_start_of_message(Cycles now) const {
    if (server_.queued() == 0 || !server_.room()) return kNever;
    const Server::Inbox& inbox = server_.inbox();
    const Cycles start = std::max(server_.next_start(), now + Cycles(1));
    Cycles next = kNever;
    for (std::uint64_t left = inbox.waiting(); left && next > start; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        if (fences_ == 0) {
            next = std::min(next, inbox.earliest(eu) + kArrival);
            continue;
        }
        const auto& queue = inbox.queue(eu);
        for (unsigned i = 0; i < queue.size(); ++i) {
            if (held(eu, *queue[i].item)) continue;
            next = std::min(next, queue[i].arrival + kArrival);
            break;
        }
    }
    return next == kNever ? kNever : std::max(next, start);
}

}  // namespace gen9::hdc
