// SPDX-License-Identifier: Apache-2.0
#include "hdc/timed.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "common/check.h"

namespace gen9::hdc {

namespace {

// What arrives in a cycle is looked at in the next one: then all of it has been seen, in whatever
// order the kernel ran its senders.
constexpr Cycles kArrival(1);
constexpr Cycles kNever{~std::uint64_t{0}};

bool is_slm(const Message& message) {
    constexpr std::uint32_t kSlmIndex = 254;  // binding table index (DP-040)
    return (message.sfid == Sfid::DataPort0 || message.sfid == Sfid::DataPort1) &&
           (message.descriptor & 0xFF) == kSlmIndex;
}

}  // namespace

Timed::Timed(Environment& env, const Clock& clock, const HdcParams& params, HdcStats& stats,
             HdcSignals& signals, Core& core, Bus& bus, MessageSockets& messages,
             MemorySocket& memory, MemorySocket& slm, unsigned eus)
    : wakeup(clock),
      env_(env),
      clock_(clock),
      params_(params),
      stats_(stats),
      signals_(signals),
      core_(core),
      bus_(bus),
      messages_(messages),
      queues_(eus),
      threads_(eus * kSlots) {
    GEN9_CHECK(eus <= kMaxEus, "a data port serves 32 EUs at most");
    paths_[kMemory].socket = &memory;
    paths_[kSlm].socket = &slm;
}

tlm::tlm_sync_enum Timed::receive(unsigned eu, Message& message, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay) {
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a data port is sent requests only");
    auto& queue = queues_[eu];
    GEN9_CHECK(queue.size() < params_.queue_depth,
               "an EU has more credits than the data port's queue holds");
    const Cycles arrival = clock_.after(delay);
    if (queue.empty()) first_arrival_[eu] = arrival;
    queue.push_back({&message, arrival});
    queued_eus_ |= 1u << eu;
    ++queued_;
    wakeup.at(arrival + kArrival);
    return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum Timed::answered(bool slm, tlm::tlm_generic_payload& payload,
                                   tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const unsigned number = slm ? kSlm : kMemory;
    Path& path = paths_[number];
    auto& transaction = static_cast<MemoryTransaction&>(payload);
    const Cycles cycle = clock_.after(delay);
    if (phase == tlm::END_REQ) {
        accept(path, cycle);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "unexpected phase from memory");
    // A response accepts the request if nothing did before.
    if (path.unaccepted == &transaction) accept(path, cycle);
    take_answer(number, transaction, cycle);
    return tlm::TLM_COMPLETED;
}

void Timed::accept(Path& path, Cycles cycle) {
    path.unaccepted = nullptr;
    path.open = std::max(cycle, clock_.now() + kArrival);
    path.next_send = std::max(path.next_send, path.open);
    wakeup.at(path.next_send);
}

void Timed::take_answer(unsigned path, MemoryTransaction& transaction, Cycles cycle) {
    Flight& flight = *flights_[transaction.tag >> 16];
    const unsigned index = transaction.tag & 0xFFFF;
    if (const Planned* const planned = flight.planned)
        bus_.take(planned->plan, planned->requests, index, transaction, *flight.message);
    else
        Bus::take(flight.usual, index, transaction, *flight.message);
    transaction.release();
    flight.complete = std::max(flight.complete, cycle);
    if (++flight.answered == flight.requests) done(flight, path, flight.complete);
}

void Timed::done(Flight& flight, unsigned path, Cycles cycle) {
    done_.push({cycle, path, &flight});
    wakeup.at(cycle + kArrival);
}

void Timed::step() {
    const Cycles now = clock_.now();
    account(now);
    finish_done(now);  // frees flights and fences before anything is started
    start_message(now);
    send_request(kMemory, now);
    send_request(kSlm, now);
    plan_next(now);
}

void Timed::DoneList::push(const Done& done) {
    const auto before = [](const Done& a, const Done& b) {
        return a.cycle != b.cycle ? a.cycle < b.cycle : a.path < b.path;
    };
    // Most are the latest so far, or nearly.
    std::size_t place = list_.size();
    while (place > first_ && before(done, list_[place - 1]))
        --place;
    list_.insert(list_.begin() + static_cast<std::ptrdiff_t>(place), done);
}

void Timed::DoneList::pop() {
    constexpr std::size_t kWaste = 64;
    ++first_;
    if (first_ != list_.size() && first_ != kWaste) return;
    list_.erase(list_.begin(), list_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
}

void Timed::finish_done(Cycles now) {
    while (!done_.empty() && done_.front().cycle < now) {
        Flight& flight = *done_.front().flight;
        done_.pop();
        ThreadState& owner = *flight.owner;
        const bool fence = flight.fence;
        if (std::exchange(flight.flush, false)) {
            // The fence is not done before its flush is.
            flight.complete = clock_.after(bus_.flush_data());
            if (flight.complete > now) {
                done(flight, kMemory, flight.complete);
                continue;
            }
        }
        answer(flight, now);
        if (fence) {
            --fences_;
            owner.fence = nullptr;
        } else if (--owner.outstanding == 0 && owner.fence) {
            owner.fence->complete = now;
            done(*owner.fence, kMemory, now);  // to be answered in a later cycle
        }
    }
}

Timed::ThreadState& Timed::thread(unsigned eu, const Message& message) {
    return threads_[eu * kSlots + message.sender->place.slot.value % kSlots];
}

bool Timed::held(unsigned eu, const Message& message) const {
    return threads_[eu * kSlots + message.sender->place.slot.value % kSlots].fence;
}

// Of a queue whose first message has arrived.
int Timed::pick_message(unsigned eu) const {
    if (fences_ == 0) return 0;
    const Cycles now = clock_.now();
    const auto& queue = queues_[eu];
    for (std::size_t i = 0; i < queue.size() && queue[i].arrival < now; ++i)
        if (!held(eu, *queue[i].message) && !overtakes_slm(queue[i])) return static_cast<int>(i);
    return -1;
}

// SLM is accessed in order of arrival, also past messages that a fence holds (L3-61).
bool Timed::overtakes_slm(const Waiting& candidate) const {
    if (!is_slm(*candidate.message)) return false;
    for (unsigned eu = 0; eu < queues_.size(); ++eu)
        for (const Waiting& other : queues_[eu])
            if (other.arrival < candidate.arrival && is_slm(*other.message) &&
                held(eu, *other.message))
                return true;
    return false;
}

void Timed::start_message(Cycles now) {
    if (queued_ == 0 || next_start_ > now || flights_in_use_ >= params_.messages_in_flight) return;
    // The one that came first; of those that came together, the next in turn.
    const std::uint32_t turned = queued_eus_ & ~((1u << next_eu_) - 1);
    unsigned from = 0;
    int first = -1;
    Cycles earliest;
    for (std::uint32_t part : {turned, queued_eus_ & ~turned})
        for (; part; part &= part - 1) {
            const auto eu = static_cast<unsigned>(std::countr_zero(part));
            if (first_arrival_[eu] >= (first < 0 ? now : earliest)) continue;
            const int index = pick_message(eu);
            if (index < 0) continue;
            const Cycles arrival = queues_[eu][static_cast<unsigned>(index)].arrival;
            if (first >= 0 && arrival >= earliest) continue;
            from = eu;
            first = index;
            earliest = arrival;
        }
    if (first < 0) return;
    next_eu_ = from + 1 == queues_.size() ? 0 : from + 1;
    next_start_ = now + Cycles(1);
    launch(from, static_cast<unsigned>(first), now);
}

Timed::Flight& Timed::new_flight() {
    if (free_flights_.empty()) {
        flights_.push_back(std::make_unique<Flight>());
        flights_.back()->number = static_cast<unsigned>(flights_.size() - 1);
        free_flights_.push_back(flights_.back().get());
    }
    Flight& flight = *free_flights_.back();
    free_flights_.pop_back();
    ++flights_in_use_;
    return flight;
}

Timed::Planned& Timed::new_plan(Flight& flight) {
    if (free_plans_.empty()) {
        // Not cleared: it is large, and each message fills in what it needs.
        plans_.push_back(std::make_unique_for_overwrite<Planned>());
        free_plans_.push_back(plans_.back().get());
    }
    flight.planned = free_plans_.back();
    free_plans_.pop_back();
    return *flight.planned;
}

void Timed::give_back(Flight& flight) {
    flight.message = nullptr;
    if (flight.planned != nullptr) free_plans_.push_back(flight.planned);
    flight.planned = nullptr;
    free_flights_.push_back(&flight);
    --flights_in_use_;
}

Timed::Path* Timed::begin_access(Message& message, Flight& flight) {
    UsualAccess& usual = flight.usual;
    if (core_.find_usual(message, usual) && usual.goes_out()) {
        core_.count_usual(message, usual);
        flight.requests = usual.requests();
        return &paths_[usual.slm ? kSlm : kMemory];
    }
    Planned& planned = new_plan(flight);
    const Core::Work work = core_.prepare(message, planned.plan);
    flight.fence = work == Core::Work::Fence;
    if (work != Core::Work::Access) {
        planned.plan.clear();
        return nullptr;
    }
    planned.requests.build(planned.plan);
    flight.requests = planned.requests.size();
    return &paths_[planned.plan.slm ? kSlm : kMemory];
}

void Timed::launch(unsigned eu, unsigned index, Cycles now) {
    auto& queue = queues_[eu];
    Message& message = *queue[index].message;
    queue.erase(queue.begin() + index);
    if (queue.empty())
        queued_eus_ &= ~(1u << eu);
    else
        first_arrival_[eu] = queue.front().arrival;
    --queued_;
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay = clock_.time(Cycles(env_.notice_cycles));
    messages_[eu]->nb_transport_bw(message, phase, delay);

    Flight& flight = new_flight();
    flight.message = &message;
    flight.eu = eu;
    flight.owner = &thread(eu, message);
    flight.requests = flight.sent = flight.answered = 0;
    flight.fence = false;
    signals_.message_type =
        static_cast<std::uint32_t>(message.sfid) * 32 + (message.descriptor >> 14 & 31);
    signals_.message_eu = eu;

    Path* const path = begin_access(message, flight);
    const Cycles fetch = clock_.cycles(bus_.take_state_delay());
    flight.ready = now + Cycles(params_.front_end_cycles) + fetch +
                   Cycles(fetch.value ? params_.surface_miss_cycles.get() : 0);
    flight.complete = flight.ready;
    flight.flush = flight.fence && core_.decoded(message).flush_data;
    ThreadState& owner = *flight.owner;
    if (flight.fence) {
        ++fences_;
        owner.fence = &flight;
        if (owner.outstanding == 0) done(flight, kMemory, flight.ready);
        return;
    }
    ++owner.outstanding;
    if (path == nullptr) return done(flight, kMemory, flight.ready);
    path->sending.push(flight);
}

void Timed::send_request(unsigned number, Cycles now) {
    Path& path = paths_[number];
    if (path.sending.empty() || path.unaccepted || path.next_send > now) return;
    Flight& flight = path.sending.front();
    if (flight.ready > now) return;
    MemoryTransaction* const transaction =
        flight.planned != nullptr ? bus_.make(flight.planned->plan, flight.planned->requests,
                                              flight.sent, *flight.message)
                                  : bus_.make(flight.usual, flight.sent, *flight.message);
    transaction->tag = std::uint64_t{flight.number} << 16 | flight.sent;
    ++(number == kSlm ? stats_.slm_requests : stats_.lines);
    if (++flight.sent == flight.requests) path.sending.pop();
    path.next_send = now + Cycles(1);
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
            if (phase == tlm::BEGIN_RESP) {
                take_answer(number, *transaction, cycle);
                phase = tlm::END_RESP;
                delay = sc_core::SC_ZERO_TIME;
                (*path.socket)->nb_transport_fw(*transaction, phase, delay);
            }
            return;
        }
        case tlm::TLM_COMPLETED: {
            const Cycles cycle = clock_.after(delay);
            accept(path, now);
            return take_answer(number, *transaction, cycle);
        }
    }
}

void Timed::answer(Flight& flight, Cycles now) {
    Message& message = *flight.message;
    if (flight.planned != nullptr && flight.planned->plan.converts)
        finish_plan(message, flight.planned->plan);
    const Cycles data = std::max(now, flight.complete) + Cycles(params_.return_cycles);
    const std::uint64_t width = params_.writeback_registers;
    const Cycles busy((message.response_length + width - 1) / width);
    writeback_free_ = std::max(writeback_free_, data) + busy;
    const Cycles at = std::max(writeback_free_, now + Cycles(env_.notice_cycles));
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_.until(at);
    const unsigned eu = flight.eu;
    give_back(flight);
    const auto taken = messages_[eu]->nb_transport_bw(message, phase, delay);
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
        for (const Waiting& waiting : queues_[eu])
            if (waiting.arrival < now && !held(eu, *waiting.message)) return true;
    }
    return false;
}

Activity Timed::activity(Cycles now) const {
    const auto closed = [now](const Path& path) { return path.unaccepted || path.open > now; };
    if (closed(paths_[kMemory])) return Activity::StallMemory;
    if (closed(paths_[kSlm])) return Activity::StallSlm;
    for (const Path& path : paths_)
        if (!path.sending.empty()) return Activity::FrontEnd;
    if (arrived(now)) {
        if (flights_in_use_ >= params_.messages_in_flight) return Activity::StallFull;
        return any_free(now) ? Activity::FrontEnd : Activity::StallFence;
    }
    return flights_in_use_ ? Activity::Waiting : Activity::Idle;
}

void Timed::account(Cycles now) {
    Cycles elapsed = now - accounted_;
    if (elapsed == Cycles(0)) return;
    if (sent_) {
        ++stats_.busy_cycles;
        elapsed -= Cycles(1);
        sent_ = false;
    }
    switch (activity_) {
        case Activity::Busy:
            stats_.busy_cycles += elapsed.value;
            break;
        case Activity::StallMemory:
            stats_.stall_memory_cycles += elapsed.value;
            break;
        case Activity::StallSlm:
            stats_.stall_slm_cycles += elapsed.value;
            break;
        case Activity::StallFence:
            stats_.stall_fence_cycles += elapsed.value;
            break;
        case Activity::StallFull:
            stats_.stall_full_cycles += elapsed.value;
            break;
        case Activity::FrontEnd:
            stats_.front_end_cycles += elapsed.value;
            break;
        case Activity::Waiting:
            stats_.waiting_cycles += elapsed.value;
            break;
        case Activity::Idle:
            stats_.idle_cycles += elapsed.value;
            break;
    }
    accounted_ = now;
}

void Timed::plan_next(Cycles now) {
    activity_ = activity(now);
    signals_.state = static_cast<std::uint32_t>(sent_ ? Activity::Busy : activity_);
    signals_.in_flight = flights_in_use_;
    if (env_.waveform)
        for (unsigned eu = 0; eu < queues_.size(); ++eu)
            signals_.depth[eu] = static_cast<std::uint32_t>(queues_[eu].size());
    Cycles next = next_start_of_message(now);
    for (const Path& path : paths_)
        if (!path.sending.empty() && !path.unaccepted)
            next = std::min(next, std::max(path.next_send, path.sending.front().ready));
    if (!done_.empty()) next = std::min(next, done_.front().cycle + kArrival);
    if (next != kNever) wakeup.at(std::max(next, now + Cycles(1)));
}

/// Held messages are left out: they are started by the step that ends their fence.
Cycles Timed::next_start_of_message(Cycles now) const {
    if (queued_eus_ == 0 || flights_in_use_ >= params_.messages_in_flight) return kNever;
    const Cycles start = std::max(next_start_, now + Cycles(1));
    Cycles next = kNever;
    for (std::uint32_t left = queued_eus_; left && next > start; left &= left - 1) {
        const auto eu = static_cast<unsigned>(std::countr_zero(left));
        if (fences_ == 0) {
            next = std::min(next, first_arrival_[eu] + kArrival);
            continue;
        }
        for (const Waiting& waiting : queues_[eu]) {
            if (held(eu, *waiting.message)) continue;
            next = std::min(next, waiting.arrival + kArrival);
            break;
        }
    }
    return next == kNever ? kNever : std::max(next, start);
}

}  // namespace gen9::hdc
