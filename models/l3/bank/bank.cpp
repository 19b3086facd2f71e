// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/bank.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "interconnect/payload/lane_access.h"
#include "l3/registers.h"

namespace gen9::l3 {
namespace {

constexpr Cycles kNext(1);

}  // namespace

Partition partition_of(const L3Params& params, std::uint32_t l3cntlreg) {
    return decode_partition(
        l3cntlreg, {static_cast<unsigned>(params.ways), static_cast<unsigned>(params.tagged_ways),
                    static_cast<unsigned>(params.ways_per_unit)});
}

Bank::Bank(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
           const BankSetup& setup)
    : sc_core::sc_module(module_name),
      BankBlock(env),
      core(setup.banks, setup.params.replacement.get(), static_cast<unsigned>(setup.params.sets)),
      stats(name()),
      signals(name(), static_cast<unsigned>(setup.params.lookups_per_cycle)),
      out(mem_out, clock),
      params_(&setup.params),
      clock_(&clock),
      env_(env),
      bank_cycles_(setup.params.bank_cycles),
      lookups_(static_cast<unsigned>(setup.params.lookups_per_cycle)),
      write_through_(setup.params.writes == "through"),
      pass_writes_(setup.params.write_misses == "pass"),
      fetch_writes_(setup.params.write_misses == "fetch"),
      queue_(setup.params.super_queue) {
    enlist(env, stats, signals);
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return forward(p, phase, delay);
    };
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return debug(p); };
    mem_in.on_direct = [this](Payload& p, tlm::tlm_dmi& dmi) {
        return !env_.timed() && mem_out->get_direct_mem_ptr(p, dmi);
    };
    mem_out.on_invalidate = [this](std::uint64_t start, std::uint64_t end) {
        mem_in->invalidate_direct_mem_ptr(start, end);
    };
    if (env_.timed()) core.set_partition(partition_of(setup.params, Registers::kDefaultPartition));
    if (setup.alone) {
        front_ = std::make_unique<Front>(mem_in, clock, setup.params.bank_queue);
        front_->wakeup.runs<&Bank::cycle_alone>(this);
        on_arrival = [this](Cycles at) { front_->wakeup.at(at); };
    }
    out.on_response = [this](Payload& payload, Cycles at) {
        auto& transaction = static_cast<MemoryTransaction&>(payload);
        if (transaction.tag == kVictim) return transaction.release();
        // Arrivals of one cycle go by address, in whatever order they were announced.
        const auto before = [](const Arrival& a, const Arrival& b) {
            return a.ready != b.ready ? a.ready < b.ready : a.transaction->tag < b.transaction->tag;
        };
        const Arrival arrival{&transaction, at};
        arrived_.insert(std::upper_bound(arrived_.begin(), arrived_.end(), arrival, before),
                        arrival);
        on_arrival(at);
    };
    out.on_room = [this] { on_arrival(clock_->now() + kNext); };
}

Bank::~Bank() = default;

// ---- the socket ----

tlm::tlm_sync_enum Bank::forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (front_) {
        const auto status = front_->queue.begin(payload, phase, delay, kArrival);
        if (!front_->queue.empty()) front_->wakeup.at(front_->queue.front().ready);
        return status;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    GEN9_CHECK(offered_.request && offered_.request->payload == &payload,
               std::string(name()) + ": a request it has not been asked to be ready for");
    taking_ = &payload;
    take(clock_->now());
    if (std::exchange(taking_, nullptr)) {
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    delay = clock_->until(answered_at_);
    return tlm::TLM_COMPLETED;
}

// A write is globally observable, and answered, when it leaves the queue in front of its bank,
// where whoever comes later stays behind it (L3-58): one cycle after.
void Bank::answer(const Request& request, Cycles now, std::uint64_t extra) {
    const Cycles at = now + (request.write ? kNext : bank_cycles_ + Cycles(extra));
    // Its request has come a cycle before the lookup.
    if (front_) return front_->queue.respond(*request.payload, std::max(at - kNext, now));
    if (request.payload == taking_) {
        taking_ = nullptr;
        answered_at_ = at;
        return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_->until(at);
    mem_in->nb_transport_bw(*request.payload, phase, delay);
}

// ---- alone ----

void Bank::cycle_alone() {
    const Cycles now = clock_->now();
    begin_cycle(now);
    take_arrivals(now);
    replay(now);
    while (serve_alone(now)) {
    }
    send(now);
    if (signals.watched()) [[unlikely]]
        show(now);
    const RequestQueue& queue = front_->queue;
    if (!queue.empty() && queue.front().ready > now) front_->wakeup.at(queue.front().ready);
    if (const Cycles next = next_event(now); next != Cycles()) front_->wakeup.at(next);
}

/// The oldest request, if it has come and the bank is ready for it.
bool Bank::serve_alone(Cycles now) {
    if (!front_->queue.ready(now)) return false;
    Request& request = front_->request;
    if (!std::exchange(front_->decoded, true))
        decode(*front_->queue.front().payload, request, name(), fetch_writes_);
    if (ready(request, now) != Stall::None) return false;
    front_->decoded = false;
    front_->queue.pop();
    take(now);
    return true;
}

// ---- a cycle ----

void Bank::count_cycles(Cycles now) {
    // Every cycle up to the last has one reason; those between two runs of the process went on as
    // the earlier one ended.
    std::uint64_t waited = (now - cycle_).value;
    if (busy_) {
        ++stats.busy_cycles;
        --waited;
    }
    if (waited != 0) stats.of(stall_) += waited;
    cycle_ = now;
    tags_used_ = 0;
    filled_ = read_used_ = write_used_ = sent_ = busy_ = false;
    stall_ = held_ ? Stall::Flush : Stall::None;
}

void Bank::take_each_arrival(Cycles now) {
    while (!arrived_.empty() && arrived_.front().ready <= now) {
        replay_wanted_ = true;
        MemoryTransaction& transaction = *arrived_.front().transaction;
        Entry* entry = queue_.find(LineKey::of(transaction.tag));
        GEN9_CHECK(entry, std::string(name()) + ": a line arrives that nobody asked for");
        if (entry->oldest().bypass)
            end_bypass(*entry, transaction, now);
        else if (!end_fetch(*entry, transaction, now))
            return;
        arrived_.erase(arrived_.begin());
        transaction.release();
        moved_ = true;
    }
}

bool Bank::end_fetch(Entry& entry, MemoryTransaction& transaction, Cycles now) {
    if (transaction.is_response_error()) {
        fail(entry, now);
        return true;
    }
    if (entry.refetch || !core.caches(entry.oldest().line_class)) {
        entry.refetch = false;
        entry.state = SuperQueue<Request>::State::Idle;
        return true;
    }
    // A fill takes the array's write port, and a place for the victim it may make: both or neither,
    // for victim read and fill are one transaction (L3-40).
    const unsigned set = core.set_of(entry.key);
    if (write_used_ || !tag_free(set)) return false;
    if (!room()) {
        stall_ = Stall::MemoryQueue;
        return false;
    }
    write_used_ = busy_ = true;
    filled_ = true;
    use_tag(set);
    int slot = core.find(entry.key);
    if (slot == BankCore::kNone) {
        Victim victim;
        slot = core.allocate(entry.key, entry.oldest().line_class, victim);
        evict(victim, id_of(entry.oldest()));
    }
    core.fill(slot, transaction.data);
    ++stats.fills;
    entry.state = SuperQueue<Request>::State::Idle;
    return true;
}

void Bank::fail(Entry& entry, Cycles now) {
    while (!entry.done()) {
        refuse(entry.oldest(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        answer(entry.oldest(), now, 0);
        queue_.finish(entry);
    }
    entry.state = SuperQueue<Request>::State::Idle;
}

void Bank::replay_each(Cycles now) {
    replay_wanted_ = false;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        Entry& entry = queue_.at(i);
        while (entry.state == SuperQueue<Request>::State::Idle && !entry.done()) {
            const Stall stall = advance(entry, now);
            if (stall == Stall::None) continue;
            stall_ = stall;
            replay_wanted_ = true;
            break;
        }
    }
    queue_.sweep();
}

Stall Bank::look_up(Request& request, Cycles now) {
    const unsigned set = core.set_of(request.key);
    if (!tag_free(set)) return stall_ = Stall::Port;
    if (request.write && filled_) return stall_ = Stall::Port;
    Entry* const entry = queue_.find(request.key);
    const int slot = entry || request.bypass ? BankCore::kNone : core.find(request.key);
    Lookup found = Lookup::Hit;
    if (slot != BankCore::kNone && core.covers(slot, request.needed)) [[likely]] {
        if (const Stall stall = claim_port(request, now); stall != Stall::None) {
            if (!request.atomic) request.refused_at = changes();
            return stall_ = stall;
        }
    } else {
        if (queue_.full()) return stall_ = Stall::SuperQueue;
        // A victim and a fetch may both have to leave.
        if (!entry && !room(2)) return stall_ = Stall::MemoryQueue;
        found = entry             ? Lookup::Merge
                : request.bypass  ? Lookup::Bypass
                : request.needed  ? Lookup::Miss
                : passes(request) ? Lookup::Bypass
                                  : Lookup::Place;
    }
    offered_ = {&request, entry, slot, found, false};
    return Stall::None;
}

bool Bank::ready_to_hold(Request& request) {
    if (queue_.full()) return false;
    offered_ = {&request, nullptr, BankCore::kNone, Lookup::None, true};
    return true;
}

void Bank::take(Cycles now) {
    const Offer offer = std::exchange(offered_, {});
    const Request& request = *offer.request;
    if (offer.held) return hold(request);
    if (offer.found == Lookup::Hit) [[likely]] {
        count_found(request, true, now);
        perform(request, offer.slot, now);
    } else {
        wait_for_line(request, offer.entry, now);
    }
    if (signals.watched()) [[unlikely]]
        show_lookup(request, offer.found, now);
    use_tag(core.set_of(request.key));
    filled_ |= request.write;
    busy_ = moved_ = true;
}

void Bank::tell(const Request& request, bool hit) const {
    const LineAccess& access = request.access;
    const std::uint64_t bytes =
        access.lanes ? std::uint64_t{access.lanes->count} * access.lanes->width_bytes : access.size;
    accesses->served(MemoryLevel::L3, *request.payload, bytes, hit);
}

void Bank::count_found(const Request& request, bool hit, Cycles now) {
    if (accesses != nullptr) [[unlikely]]
        tell(request, hit);
    ++(hit ? stats.hits : stats.misses);
    (hit ? signals.hits : signals.misses).pulse(now, now + kNext);
}

void Bank::show_lookup(const Request& request, Lookup found, Cycles now) {
    LookupSignals& lookup =
        signals.lookups[std::min<std::size_t>(tags_used_, signals.lookups.size() - 1)];
    lookup.result.mark(found, now);
    lookup.result.mark(Lookup::None, now + kNext);
    lookup.set.mark(core.set_of(request.key), now);
    lookup.line.mark(request.key.address(), now);
    if (const int slot = core.find(request.key); slot != BankCore::kNone)
        lookup.way.mark(core.way_of(slot), now);
}

// A request that its line is on its way for, or that asks for it.
void Bank::wait_for_line(const Request& request, Entry* entry, Cycles now) {
    if (entry) {
        queue_.add(*entry, request);
        replay_wanted_ |= entry->state == SuperQueue<Request>::State::Idle;
        ++stats.merges;
        if (accesses != nullptr) [[unlikely]]
            tell(request, false);
        return;
    }
    const bool allocates = request.needed == 0 && !passes(request);
    if (!request.bypass)
        count_found(request, allocates, now);
    else if (accesses != nullptr) [[unlikely]]
        tell(request, false);
    Entry& opened = queue_.open(request.key);
    queue_.add(opened, request);
    if (const Stall stall = advance(opened, now); stall != Stall::None) {
        stall_ = stall;  // taken all the same: it is tried again with the replays
        replay_wanted_ = true;
    }
    if (opened.done()) queue_.sweep();
}

void Bank::hold(const Request& request) {
    Entry* entry = queue_.find(request.key);
    if (entry) {
        ++stats.merges;
        if (accesses != nullptr) [[unlikely]]
            tell(request, false);
    } else {
        entry = &queue_.open(request.key);
        entry->state = SuperQueue<Request>::State::Held;
        ++held_;
        stall_ = Stall::Flush;
    }
    queue_.add(*entry, request);
    moved_ = true;
}

bool Bank::release_held() {
    if (held_ == 0) return false;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        Entry& entry = queue_.at(i);
        if (entry.state != SuperQueue<Request>::State::Held) continue;
        entry.state = SuperQueue<Request>::State::Idle;
        count_lookup(entry.oldest());
    }
    held_ = 0;
    return replay_wanted_ = true;
}

void Bank::count_lookup(const Request& request) {
    if (request.bypass) {
        if (accesses != nullptr) [[unlikely]]
            tell(request, false);
        return;
    }
    const int slot = core.find(request.key);
    const bool hit = slot != BankCore::kNone ? core.covers(slot, request.needed)
                                             : request.needed == 0 && !passes(request);
    count_found(request, hit, clock_->now());
}

void Bank::send_oldest(Cycles now) {
    MemoryTransaction* transaction = outgoing_.front();
    outgoing_.erase(outgoing_.begin());
    sent_ = moved_ = true;
    out.send(*transaction, now);
}

void Bank::show(Cycles now) {
    // The same cycles as `count_cycles` counts: this one, and those up to the next in which the
    // bank runs.
    if (busy_) {
        signals.activity.set(kStalls, now);
        signals.busy.set(true, now);
    }
    const Cycles after = busy_ ? now + kNext : now;
    signals.activity.set(stall_, after);
    signals.busy.set(false, after);
    signals.waiting.set(queue_.waiting(), now);
    signals.lines_in_flight.set(queue_.size(), now);
    unsigned fetching = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i)
        fetching += queue_.at(i).state == SuperQueue<Request>::State::Waiting;
    signals.fetching.set(fetching, now);
    signals.held.set(held_, now);
    signals.to_memory.set(outgoing_.size(), now);
}

bool Bank::has_work(Cycles now) const {
    if (stall_ != Stall::None) return true;
    if (!arrived_.empty() && arrived_.front().ready <= now) return true;
    return !outgoing_.empty() && out.can_send();
}

Cycles Bank::next_event(Cycles now) const {
    if ((moved_ || busy_) && has_work(now)) return now + kNext;
    Cycles next;
    const auto consider = [&](Cycles at) {
        if (at > now && (next == Cycles() || at < next)) next = at;
    };
    for (const auto& arrival : arrived_)
        consider(arrival.ready);
    if (stall_ != Stall::None) consider(atomic_free_);
    return next;
}

// ---- one request ----

Stall Bank::claim_port(const Request& request, Cycles now) {
    // A victim and the write itself.
    if (write_through_ && request.write && !room(2)) [[unlikely]]
        return Stall::MemoryQueue;
    if (request.atomic) {
        if (atomic_free_ > now) return Stall::AtomicUnit;
        if (read_used_ || write_used_) return Stall::Port;
        read_used_ = write_used_ = true;
    } else {
        bool& used = request.write ? write_used_ : read_used_;
        if (used) return Stall::Port;
        used = true;
    }
    return Stall::None;
}

Stall Bank::advance(Entry& entry, Cycles now) {
    Request& request = entry.oldest();
    if (!request.bypass && !core.caches(request.line_class)) request.bypass = true;
    if (request.bypass) {
        if (!room(2)) return Stall::MemoryQueue;
        start_bypass(entry);
        return Stall::None;
    }
    int slot = core.find(request.key);
    if (slot == BankCore::kNone && request.needed == 0 && passes(request)) {
        if (!room()) return Stall::MemoryQueue;
        request.bypass = true;
        start_bypass(entry);
        return Stall::None;
    }
    if (slot == BankCore::kNone && request.needed == 0) {
        if (!room()) return Stall::MemoryQueue;
        if (const Stall stall = claim_port(request, now); stall != Stall::None) return stall;
        Victim victim;
        slot = core.allocate(request.key, request.line_class, victim);
        evict(victim, id_of(request));
    } else if (slot == BankCore::kNone || !core.covers(slot, request.needed)) {
        if (!room()) return Stall::MemoryQueue;
        fetch(entry);
        return Stall::None;
    } else if (const Stall stall = claim_port(request, now); stall != Stall::None) {
        return stall;
    }
    perform(request, slot, now);
    queue_.finish(entry);
    return Stall::None;
}

void Bank::perform(const Request& request, int slot, Cycles now) {
    core.perform(slot, request.access);
    if (write_through_ && request.write) [[unlikely]] {
        Victim written;
        core.clean(slot, written);
        evict(written, id_of(request));
    }
    request.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    const std::uint64_t extra = occupy(request, now);
    count(request);
    busy_ = moved_ = true;
    answer(request, now, extra);
}

// Cycles beyond the first that an atomic keeps its units.
std::uint64_t Bank::occupy(const Request& request, Cycles now) {
    if (!request.atomic) return 0;
    const std::uint64_t cycles = atomic_cycles(*request.access.lanes, request.access.offset);
    atomic_free_ = now + Cycles(cycles);
    return cycles - 1;
}

Stall Bank::claim_for_urb(const Request& request, Cycles now) {
    // Nothing leaves for the bank without a credit of its super queue (L3-59).
    const Stall stall = queue_.full() ? Stall::SuperQueue : claim_port(request, now);
    if (stall != Stall::None) stall_ = stall;
    return stall;
}

std::uint64_t Bank::end_urb(const Request& request, Cycles now) {
    ++stats.urb_accesses;
    if (accesses != nullptr) [[unlikely]]
        tell(request, true);
    busy_ = true;
    return occupy(request, now);
}

void Bank::count(const Request& request) {
    const LineAccess& access = request.access;
    const std::uint64_t bytes =
        access.lanes ? std::uint64_t{access.lanes->count} * access.lanes->width_bytes : access.size;
    if (request.atomic)
        ++stats.atomics;
    else if (request.write)
        ++stats.writes;
    else
        ++stats.reads;
    if (request.write)
        stats.bytes_written += bytes;
    else
        stats.bytes_read += bytes;
}

std::uint64_t Bank::atomic_cycles(const LaneAccess& lanes, unsigned offset) const {
    const unsigned count = std::clamp<unsigned>(lanes.count, 1, LaneAccess::kMaxLanes);
    if (is_float_atomic(lanes.op)) return count * params_->float_atomic_cycles;
    // 16 lanes of different words per cycle, 8 with two operands, 1 of the same word (S-26).
    std::uint8_t per_word[kLineBytes / 4]{};
    unsigned most = 1;
    for (unsigned i = 0; i < lanes.count && i < LaneAccess::kMaxLanes; ++i)
        most = std::max<unsigned>(most, ++per_word[(offset + lanes.offset[i]) % kLineBytes / 4]);
    const unsigned per_cycle = atomic_sources(lanes.op) == 2 || lanes.width_bytes == 8 ? 8 : 16;
    return std::max(most, (count + per_cycle - 1) / per_cycle);
}

}  // namespace gen9::l3
