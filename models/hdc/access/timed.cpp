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
             HdcSignals& signals, Core& core, Bus& bus, MessagePorts& messages,
             MemorySocket& memory, MemorySocket& slm, unsigned eus)
    : wakeup(clock),
      env_(env),
      clock_(clock),
      stats_(stats),
      signals_(signals),
      core_(core),
      bus_(bus),
      messages_(messages),
      queue_depth_(static_cast<unsigned>(params.queue_depth)),
      messages_in_flight_(static_cast<unsigned>(params.messages_in_flight)),
      return_registers_(static_cast<unsigned>(params.return_registers)),
      front_end_(params.front_end_cycles),
      start_(params.start_cycles),
      request_(params.request_cycles),
      return_(params.return_cycles),
      surface_miss_(params.surface_miss_cycles),
      write_channels_(params.write_merging == "channels" ? RequestList::Channels::Apart
                                                         : RequestList::Channels::Together),
      batch_bytes_(static_cast<unsigned>(params.batch_bytes)),
      notice_(env.notice_cycles),
      cycles_of_{&stats.idle_cycles,      &stats.busy_cycles,        &stats.stall_memory_cycles,
                 &stats.stall_slm_cycles, &stats.stall_fence_cycles, &stats.stall_full_cycles,
                 &stats.front_end_cycles, &stats.waiting_cycles},
      arbiter_(params.queues.arbiter(eus)),
      by_age_(params.queues.arbitration == "oldest_first"),
      queues_(eus),
      threads_(eus * kSlots),
      flights_(messages_in_flight_) {
    GEN9_CHECK(eus <= kMaxEus, "a data port serves 32 EUs at most");
    paths_[kMemory].socket = &memory;
    paths_[kSlm].socket = &slm;
    for (Queue& queue : queues_)
        queue.reserve(queue_depth_);
    for (Flight& flight : flights_) {
        flight.number = static_cast<unsigned>(&flight - flights_.data());
        flight.next = std::exchange(free_flights_, &flight);
    }
    const std::uint64_t width = params.writeback_registers;
    for (std::size_t registers = 0; registers < writeback_.size(); ++registers)
        writeback_[registers] = static_cast<std::uint8_t>((registers + width - 1) / width);
}

void Timed::receive(unsigned eu, Message& message, const sc_core::sc_time& delay) {
    Queue& queue = queues_[eu];
    GEN9_CHECK(queue.size() < queue_depth_,
               "an EU has more credits than the data port's queue holds");
    const Cycles arrival = clock_.after(delay);
    if (queue.size() == 0) first_arrival_[eu] = arrival;
    queue.push({&message, arrival});
    if (signals_.watched()) [[unlikely]]
        signals_.depth[eu].add(1, arrival);
    queued_eus_ |= 1u << eu;
    ++queued_;
    wakeup.at(arrival + kArrival);
}

tlm::tlm_sync_enum Timed::answered(bool slm, tlm::tlm_generic_payload& payload,
                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    Path& path = paths_[slm ? kSlm : kMemory];
    auto& transaction = static_cast<MemoryTransaction&>(payload);
    const Cycles cycle = clock_.after(delay);
    if (phase == tlm::END_REQ) {
        accept(path, cycle);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "unexpected phase from memory");
    // A response accepts the request if nothing did before.
    if (path.unaccepted == &transaction) accept(path, cycle);
    take_answer(transaction, cycle);
    return tlm::TLM_COMPLETED;
}

void Timed::accept(Path& path, Cycles cycle) {
    path.unaccepted = nullptr;
    path.open = std::max(cycle, clock_.now() + request_);
    wakeup.at(path.open);
}

inline void Timed::take_answer(MemoryTransaction& transaction, Cycles cycle) {
    Flight& flight = flights_[transaction.tag >> 16];
    const unsigned index = transaction.tag & 0xFFFF;
    Bus::take(flight.access, index, transaction, *flight.message);
    transaction.release();
    (flight.path == kSlm ? signals_.slm_requests : signals_.lines).add(-1, cycle);
    flight.complete = std::max(flight.complete, cycle);
    if (++flight.answered == flight.requests) done(flight);
}

void Timed::done(Flight& flight) {
    done_.push(flight);
    wakeup.at(flight.complete + kArrival);
}

void Timed::settle() {
    account(clock_.now());
}

void Timed::step() {
    const Cycles now = clock_.now();
    account(now);
    finish_done(now);  // frees flights and fences before anything is started
    start_message(now);
    if (can_send(paths_[kMemory], now)) send_request(kMemory, now);
    if (can_send(paths_[kSlm], now)) send_request(kSlm, now);
    plan_next(now);
}

inline void Timed::DoneList::push(Flight& flight) {
    const auto later = [](const Flight& a, const Flight& b) {
        return a.complete != b.complete ? a.complete > b.complete : a.path > b.path;
    };
    // Most are the latest so far, or nearly.
    Flight* before = last_;
    while (before != nullptr && later(*before, flight))
        before = before->before;
    Flight*& next = before == nullptr ? first_ : before->next;
    flight.before = before;
    flight.next = next;
    (next == nullptr ? last_ : next->before) = &flight;
    next = &flight;
}

inline Timed::Flight& Timed::DoneList::pop() {
    Flight& flight = *first_;
    first_ = flight.next;
    (first_ == nullptr ? last_ : first_->before) = nullptr;
    return flight;
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
        flight.complete = clock_.after(bus_.flush_data(*flight.message));
        if (flight.complete > now) return done(flight);
    }
    flight.owner->fence = nullptr;
    --fences_;
    answer(flight, now);
}

inline Timed::ThreadState& Timed::thread(unsigned eu, const Message& message) {
    return threads_[eu * kSlots + slot_of(message)];
}

bool Timed::held(unsigned eu, const Message& message) const {
    return threads_[eu * kSlots + slot_of(message)].fence;
}

// SLM is accessed in order of arrival (L3-61), also past messages that a fence holds, and whatever
// the arbiter prefers.
bool Timed::overtakes_slm(const Waiting& candidate) const {
    const auto reaches_slm = [this](const Message& message) {
        return core_.decoded(message).model == AddressModel::Slm;
    };
    if (!reaches_slm(*candidate.message)) return false;
    for (unsigned eu = 0; eu < queues_.size(); ++eu)
        for (unsigned i = 0; i < queues_[eu].size(); ++i) {
            const Waiting& other = queues_[eu][i];
            if (other.arrival < candidate.arrival && (!by_age_ || held(eu, *other.message)) &&
                reaches_slm(*other.message))
                return true;
        }
    return false;
}

// The message that may start: the oldest that may of each queue, and of these the arbiter's choice.
inline Timed::Pick Timed::pick(Cycles now) {
    static_assert(kMaxEus == 32);
    if (fences_ != 0 || !by_age_) [[unlikely]]
        return pick_with_care(now);
    std::uint32_t oldest = 0;
    Cycles arrival = now;
    for (std::uint32_t left = queued_eus_; left; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        if (first_arrival_[eu] > arrival || first_arrival_[eu] >= now) continue;
        if (first_arrival_[eu] < arrival) oldest = 0;
        arrival = first_arrival_[eu];
        oldest |= 1u << eu;
    }
    if (oldest == 0) return {};
    if ((oldest & (oldest - 1)) == 0) return {static_cast<unsigned>(std::countr_zero(oldest)), 0};
    for (std::uint32_t left = oldest; left; left &= left - 1)
        arbiter_.waits(static_cast<unsigned>(std::countr_zero(left)), arrival);
    return {arbiter_.choose(oldest, now), 0};
}

// Where messages may have to be passed over.
Timed::Pick Timed::pick_with_care(Cycles now) {
    std::array<unsigned, kMaxEus> places;
    std::uint64_t ready = 0;
    for (std::uint32_t left = queued_eus_; left; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        const Queue& queue = queues_[eu];
        std::uint32_t passed = 0;  // threads, none of which overtakes itself
        for (unsigned i = 0; i < queue.size() && queue[i].arrival < now; ++i) {
            const std::uint32_t sender = 1u << slot_of(*queue[i].message);
            if ((passed & sender) != 0) continue;
            if (held(eu, *queue[i].message) || overtakes_slm(queue[i])) {
                passed |= sender;
                continue;
            }
            places[eu] = i;
            ready |= std::uint64_t{1} << eu;
            arbiter_.waits(eu, queue[i].arrival);
            break;
        }
    }
    if (ready == 0) return {};
    const unsigned eu = arbiter_.choose(ready, now);
    return {eu, places[eu]};
}

inline void Timed::start_message(Cycles now) {
    if (queued_ == 0 || next_start_ > now || full()) return;
    const Pick first = pick(now);
    if (first.eu == Pick::kNone) return;
    arbiter_.served(first.eu, now);
    next_start_ = now + start_;
    launch(first, now);
}

inline Message& Timed::Queue::take(unsigned index) {
    Message& message = *(*this)[index].message;
    // Those before it move up.
    for (; index != 0; --index)
        ring_[place(index)] = ring_[place(index - 1)];
    ++head_;
    --size_;
    return message;
}

inline Timed::Flight& Timed::new_flight() {
    Flight& flight = *free_flights_;
    free_flights_ = flight.next;
    ++flights_in_use_;
    return flight;
}

inline void Timed::give_back(Flight& flight) {
    flight.access.planned.reset();
    flight.next = std::exchange(free_flights_, &flight);
    --flights_in_use_;
}

inline void Timed::launch(Pick pick, Cycles now) {
    const unsigned eu = pick.eu;
    Queue& queue = queues_[eu];
    Message& message = queue.take(pick.index);
    if (queue.size() == 0)
        queued_eus_ &= ~(1u << eu);
    else
        first_arrival_[eu] = queue[0].arrival;
    --queued_;
    messages_.pass(eu, message, tlm::END_REQ, clock_.time(notice_));

    Flight& flight = new_flight();
    flight.message = &message;
    returning_ += message.response_length;
    flight.eu = static_cast<std::uint8_t>(eu);
    flight.owner = &thread(eu, message);
    flight.sent = flight.answered = 0;
    flight.fence = false;
    flight.ready = flight.complete = now + front_end_;
    if (signals_.watched()) [[unlikely]]
        show_start(message, eu, now);
    bus_.works_for(message);
    core_.find(message, flight.access, kRequestForms);
    if (flight.access.form != Access::Form::Usual) [[unlikely]]
        return launch_other(flight);
    flight.requests = flight.access.usual.requests();
    flight.path = flight.access.usual.slm ? kSlm : kMemory;
    ++flight.owner->outstanding;
    paths_[flight.path].sending.push(flight);
}

void Timed::show_start(const Message& message, unsigned eu, Cycles now) const {
    signals_.started(message, core_.decoded(message).row, eu, now);
    signals_.depth[eu].add(-1, now);
}

void Timed::launch_other(Flight& flight) {
    if (const Cycles fetch = clock_.cycles(bus_.take_state_delay()); fetch != Cycles(0))
        flight.ready = flight.complete = flight.ready + fetch + surface_miss_;
    flight.path = kMemory;
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
    if (flight.access.slm()) flight.path = kSlm;
    paths_[flight.path].sending.push(flight);
}

inline bool Timed::can_send(const Path& path, Cycles now) const {
    return !path.sending.empty() && path.open <= now && path.sending.front().ready <= now;
}

void Timed::send_request(unsigned number, Cycles now) {
    Path& path = paths_[number];
    Flight& flight = path.sending.front();
    const unsigned index = flight.sent;
    MemoryTransaction* const transaction = bus_.make(flight.access, index, *flight.message);
    transaction->tag = std::uint64_t{flight.number} << 16 | index;
    ++(number == kSlm ? stats_.slm_requests : stats_.lines);
    (number == kSlm ? signals_.slm_requests : signals_.lines).add(1, now);
    if (++flight.sent == flight.requests) path.sending.pop();
    path.open = kNever;
    path.unaccepted = transaction;
    sent_ = true;

    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    switch ((*path.socket)->nb_transport_fw(*transaction, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            return;
        case tlm::TLM_UPDATED: {
            const Cycles cycle = clock_.after(delay);
            accept(path, cycle);
            accepted_ = path.open == now + Cycles(1);
            if (phase == tlm::BEGIN_RESP) {
                take_answer(*transaction, cycle);
                phase = tlm::END_RESP;
                delay = sc_core::SC_ZERO_TIME;
                (*path.socket)->nb_transport_fw(*transaction, phase, delay);
            }
            return;
        }
        case tlm::TLM_COMPLETED: {
            const Cycles cycle = clock_.after(delay);
            accept(path, now);
            return take_answer(*transaction, cycle);
        }
    }
}

inline void Timed::answer(Flight& flight, Cycles now) {
    Message& message = *flight.message;
    flight.access.finish(message);
    const Cycles data = std::max(now, flight.complete) + return_;
    writeback_free_ = std::max(writeback_free_, data) + Cycles(writeback_[message.response_length]);
    const sc_core::sc_time delay = clock_.time(std::max(writeback_free_, now + notice_) - now);
    const unsigned eu = flight.eu;
    returning_ -= message.response_length;
    give_back(flight);
    const auto taken = messages_.pass(eu, message, tlm::BEGIN_RESP, delay);
    GEN9_CHECK(taken == tlm::TLM_COMPLETED, "an EU must take a response at once");
}

/// Is there a message that could have been looked at?
bool Timed::arrived(Cycles now) const {
    for (std::uint32_t left = queued_eus_; left; left &= left - 1)
        if (first_arrival_[static_cast<unsigned>(std::countr_zero(left))] < now) return true;
    return false;
}

/// Of those that have arrived, is one not held by a fence?
bool Timed::any_free(Cycles now) const {
    if (fences_ == 0) return true;
    for (std::uint32_t left = queued_eus_; left; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        const Queue& queue = queues_[eu];
        for (unsigned i = 0; i < queue.size(); ++i)
            if (queue[i].arrival < now && !held(eu, *queue[i].message)) return true;
    }
    return false;
}

inline Activity Timed::activity(Cycles now) const {
    if (paths_[kMemory].open > now) return Activity::StallMemory;
    if (paths_[kSlm].open > now) return Activity::StallSlm;
    if (!paths_[kMemory].sending.empty() || !paths_[kSlm].sending.empty())
        return Activity::FrontEnd;
    if (arrived(now)) {
        if (full()) return Activity::StallFull;
        return any_free(now) ? Activity::FrontEnd : Activity::StallFence;
    }
    return flights_in_use_ ? Activity::Waiting : Activity::Idle;
}

inline void Timed::account(Cycles now) {
    const Cycles elapsed = now - accounted_;
    if (elapsed == Cycles(0)) return;
    const std::uint64_t busy = std::exchange(sent_, false);
    stats_.busy_cycles += busy;
    *cycles_of_[static_cast<unsigned>(activity_)] += elapsed.value - busy;
    accounted_ = now;
}

inline void Timed::plan_next(Cycles now) {
    activity_ = activity(now);
    if (signals_.watched()) [[unlikely]]
        show(now);
    // A request taken at once has asked for the next cycle already.
    if (accepted_ && std::exchange(accepted_, false)) return;
    Cycles next = next_start_of_message(now);
    for (const Path& path : paths_)
        if (!path.sending.empty())
            next = std::min(next, std::max(path.open, path.sending.front().ready));
    if (!done_.empty()) next = std::min(next, done_.front().complete + kArrival);
    if (next != kNever) wakeup.at(std::max(next, now + Cycles(1)));
}

void Timed::show(Cycles now) const {
    // As `account` counts: this cycle, and those up to the next in which the port runs.
    if (sent_) signals_.state.set(Activity::Busy, now);
    signals_.state.set(activity_, sent_ ? now + Cycles(1) : now);
    signals_.in_flight.set(flights_in_use_, now);
    signals_.fences.set(fences_, now);
}

/// Held messages are left out: they are started by the step that ends their fence.
inline Cycles Timed::next_start_of_message(Cycles now) const {
    if (queued_eus_ == 0 || full()) return kNever;
    const Cycles start = std::max(next_start_, now + Cycles(1));
    Cycles next = kNever;
    for (std::uint32_t left = queued_eus_; left && next > start; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        if (fences_ == 0) {
            next = std::min(next, first_arrival_[eu] + kArrival);
            continue;
        }
        const Queue& queue = queues_[eu];
        for (unsigned i = 0; i < queue.size(); ++i) {
            if (held(eu, *queue[i].message)) continue;
            next = std::min(next, queue[i].arrival + kArrival);
            break;
        }
    }
    return next == kNever ? kNever : std::max(next, start);
}

}  // namespace gen9::hdc
