// SPDX-License-Identifier: Apache-2.0
#include "l3/bank.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "interconnect/lane_access.h"

namespace gen9::l3 {
namespace {

constexpr Cycles kNext(1);
constexpr std::uint64_t kVictimTag = ~std::uint64_t{0};

void refuse(const Request& request, tlm::tlm_response_status status) {
    if (request.access.lanes)
        request.access.lanes->result.fill(0);
    else if (!request.access.write)
        std::memset(request.access.data, 0, request.access.size);
    request.payload->set_response_status(status);
}

}  // namespace

Bank::Bank(const std::string& path, const L3Params& params, unsigned banks,
           InitiatorSocket<MemoryProtocol>& socket, const Clock& clock, MemoryPool& pool,
           Responder& responder)
    : core(banks, params.replacement.get()),
      stats(path),
      signals(path),
      out(socket, clock),
      params_(&params),
      clock_(&clock),
      socket_(&socket),
      pool_(&pool),
      responder_(&responder),
      queue_(params.super_queue) {
    out.on_response = [this](Payload& payload, Cycles at) {
        auto& transaction = static_cast<MemoryTransaction&>(payload);
        if (transaction.tag == kVictimTag) return transaction.release();
        arrived_.push_back({&transaction, at});
        on_arrival(at);
    };
    out.on_room = [this] { on_arrival(clock_->now() + kNext); };
}

// ---- a cycle ----

void Bank::begin_cycle(Cycles now) {
    moved_ = false;
    if (now == cycle_) return;
    // Every cycle up to the last has one reason; those between two runs of the process went on as
    // the earlier one ended.
    if (busy_)
        ++stats.busy_cycles;
    else
        stats.of(stall_) += 1;
    stats.of(stall_) += (now - cycle_).value - 1;
    cycle_ = now;
    tags_used_ = 0;
    read_used_ = write_used_ = sent_ = busy_ = false;
    stall_ = Stall::None;
}

void Bank::take_arrivals(Cycles now) {
    for (std::size_t i = 0; i < arrived_.size();) {
        if (arrived_[i].ready > now) {
            ++i;
            continue;
        }
        replay_wanted_ = true;
        MemoryTransaction& transaction = *arrived_[i].transaction;
        Entry* entry = queue_.find(LineKey::of(transaction.tag));
        GEN9_CHECK(entry, stats.path() + ": a line arrives that nobody asked for");
        if (entry->oldest().bypass)
            end_bypass(*entry, transaction, now);
        else if (!end_fetch(*entry, transaction, now))
            return;
        arrived_.erase(arrived_.begin() + static_cast<std::ptrdiff_t>(i));
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
    if (write_used_) return false;
    if (!room()) {
        stall_ = Stall::MemoryQueue;
        return false;
    }
    write_used_ = busy_ = true;
    ++tags_used_;
    set_used_ = core.set_of(entry.key);
    int slot = core.find(entry.key);
    if (slot == BankCore::kNone) {
        Victim victim;
        slot = core.allocate(entry.key, entry.oldest().line_class, victim);
        evict(victim);
    }
    core.fill(slot, transaction.data);
    ++stats.fills;
    entry.state = SuperQueue<Request>::State::Idle;
    return true;
}

void Bank::fail(Entry& entry, Cycles now) {
    while (!entry.done()) {
        refuse(entry.oldest(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        responder_->respond(entry.oldest(), now, 0);
        queue_.finish(entry);
    }
    entry.state = SuperQueue<Request>::State::Idle;
}

void Bank::replay(Cycles now) {
    if (!replay_wanted_) return;
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

Stall Bank::serve(const Request& request, Cycles now) {
    const unsigned set = core.set_of(request.key);
    if (tags_used_ == 2 || (tags_used_ == 1 && set == set_used_)) return stall_ = Stall::Port;

    Stall stall = Stall::None;
    Entry* entry = queue_.find(request.key);
    if (entry) {
        if (queue_.full()) return stall_ = Stall::SuperQueue;
        queue_.add(*entry, request);
        replay_wanted_ |= entry->state == SuperQueue<Request>::State::Idle;
        ++stats.merges;
    } else {
        const int slot = request.bypass ? BankCore::kNone : core.find(request.key);
        if (slot != BankCore::kNone && core.covers(slot, request.access.needed())) {
            stall = claim_port(request, now);
            if (stall != Stall::None) return stall_ = stall;
            ++stats.hits;
            perform(request, slot, now);
        } else {
            // A victim and a fetch may both have to leave.
            if (queue_.full()) return stall_ = Stall::SuperQueue;
            if (!room(2)) return stall_ = Stall::MemoryQueue;
            const bool allocates = request.access.needed() == 0;
            if (!request.bypass) ++(allocates ? stats.hits : stats.misses);
            Entry& opened = queue_.open(request.key);
            queue_.add(opened, request);
            stall = advance(opened, now);
            if (stall != Stall::None) {
                stall_ = stall;  // taken all the same: it is tried again with the replays
                replay_wanted_ = true;
            }
            if (opened.done()) queue_.sweep();
        }
    }
    ++tags_used_;
    set_used_ = set;
    busy_ = moved_ = true;
    return Stall::None;
}

void Bank::send(Cycles now) {
    if (sent_ || outgoing_.empty() || !out.can_send()) return;
    MemoryTransaction* transaction = outgoing_.front();
    outgoing_.erase(outgoing_.begin());
    sent_ = moved_ = true;
    out.send(*transaction, now);
}

void Bank::end_cycle() {
    signals.busy = busy_;
    signals.stall = static_cast<std::uint32_t>(stall_);
    signals.waiting = static_cast<std::uint32_t>(queue_.waiting());
    signals.lines_in_flight = static_cast<std::uint32_t>(queue_.size());
    signals.to_memory = static_cast<std::uint32_t>(outgoing_.size());
}

bool Bank::has_work(Cycles now) const {
    if (!outgoing_.empty() && out.can_send()) return true;
    for (const auto& arrival : arrived_)
        if (arrival.ready <= now) return true;
    return stall_ != Stall::None;
}

Cycles Bank::next_event(Cycles now) const {
    Cycles next;
    const auto consider = [&](Cycles at) {
        if (at > now && (next == Cycles() || at < next)) next = at;
    };
    for (const auto& arrival : arrived_)
        consider(arrival.ready);
    if (stall_ != Stall::None) consider(atomic_free_);
    if (has_work(now) && (moved_ || busy_)) consider(now + kNext);
    return next;
}

// ---- one request ----

Stall Bank::claim_port(const Request& request, Cycles now) {
    if (request.access.is_atomic()) {
        if (atomic_free_ > now) return Stall::AtomicUnit;
        if (read_used_ || write_used_) return Stall::Port;
        read_used_ = write_used_ = true;
    } else {
        bool& used = request.access.is_write() ? write_used_ : read_used_;
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
    if (slot == BankCore::kNone && request.access.needed() == 0) {
        if (!room()) return Stall::MemoryQueue;
        if (const Stall stall = claim_port(request, now); stall != Stall::None) return stall;
        Victim victim;
        slot = core.allocate(request.key, request.line_class, victim);
        evict(victim);
    } else if (slot == BankCore::kNone || !core.covers(slot, request.access.needed())) {
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
    request.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    std::uint64_t extra = 0;
    if (request.access.is_atomic()) {
        const std::uint64_t cycles = atomic_cycles(*request.access.lanes, request.access.offset);
        atomic_free_ = now + Cycles(cycles);
        extra = cycles - 1;
    }
    count(request);
    busy_ = moved_ = true;
    responder_->respond(request, now, extra);
}

void Bank::count(const Request& request) {
    const LineAccess& access = request.access;
    const std::uint64_t bytes =
        access.lanes ? std::uint64_t{access.lanes->count} * access.lanes->width_bytes : access.size;
    if (access.is_atomic())
        ++stats.atomics;
    else if (access.is_write())
        ++stats.writes;
    else
        ++stats.reads;
    if (access.is_write())
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

// ---- to and from memory ----

void Bank::copy_attributes(MemoryTransaction& to, const MemoryAttributes& from) const {
    to.attributes.space = from.space;
    to.attributes.requester = from.requester;
    to.attributes.thread = from.thread;
    to.attributes.mocs = from.mocs;
    to.attributes.coherent = from.coherent;
    to.attributes.uncached = from.uncached;
}

void Bank::fetch(Entry& entry) {
    auto* transaction = pool_->get();
    transaction->access(tlm::TLM_READ_COMMAND, entry.key.address(), kLineBytes);
    copy_attributes(*transaction, attributes_of(*entry.oldest().payload));
    transaction->attributes.space = entry.key.space();
    transaction->tag = entry.key.value;
    outgoing_.push_back(transaction);
    entry.state = SuperQueue<Request>::State::Waiting;
    moved_ = true;
}

void Bank::evict(const Victim& victim) {
    if (!victim.dirty) return;
    ++stats.evictions;
    // A fetch of the rest of this very line may have read memory before these bytes came there.
    outdate(victim.key);
    // The victim's bytes are in memory from now on, so that whoever reads memory next, by whatever
    // way, sees them; the transaction that follows only takes its time, with no byte enabled. Where
    // memory refuses them the transaction carries them, to fault and be reported.
    const bool written = write_memory(victim);
    auto* transaction = pool_->get();
    transaction->access(tlm::TLM_WRITE_COMMAND, victim.key.address(), kLineBytes);
    transaction->attributes.space = victim.key.space();
    transaction->attributes.requester = victim.requester;
    transaction->attributes.thread = victim.thread;
    std::memcpy(transaction->data, victim.data, kLineBytes);
    transaction->enable_bytes(written ? 0 : victim.dirty, kLineBytes);
    transaction->tag = kVictimTag;
    outgoing_.push_back(transaction);
}

void Bank::start_bypass(Entry& entry) {
    const Request& request = entry.oldest();
    ++stats.bypasses;
    // An uncached access forces the line out of L3 first (DP-033).
    if (const int slot = core.find(request.key); slot != BankCore::kNone) {
        Victim victim;
        if (core.clean(slot, victim)) evict(victim);
        core.drop(slot);
    }
    const Payload& payload = *request.payload;
    auto* transaction = pool_->get();
    transaction->access(payload.get_command(), payload.get_address(),
                        std::min<unsigned>(payload.get_data_length(), kLineBytes));
    const auto& from = attributes_of(payload);
    copy_attributes(*transaction, from);
    transaction->attributes.operation = from.operation;
    if (request.access.lanes) {
        transaction->attributes.lanes = *request.access.lanes;
    } else if (request.access.write) {
        std::memcpy(transaction->data, request.access.data, request.access.size);
        if (request.access.enables)
            transaction->enable_bytes(request.access.touched() >> request.access.offset,
                                      request.access.size);
    }
    transaction->tag = entry.key.value;
    outgoing_.push_back(transaction);
    entry.state = SuperQueue<Request>::State::Waiting;
    moved_ = true;
}

void Bank::end_bypass(Entry& entry, MemoryTransaction& transaction, Cycles now) {
    const Request& request = entry.oldest();
    if (request.access.lanes)
        request.access.lanes->result = transaction.attributes.lanes.result;
    else if (!request.access.write)
        std::memcpy(request.access.data, transaction.data, request.access.size);
    request.payload->set_response_status(transaction.get_response_status());
    count(request);
    responder_->respond(request, now, 0);
    queue_.finish(entry);
    entry.refetch = false;
    entry.state = SuperQueue<Request>::State::Idle;
}

void Bank::outdate(LineKey key) {
    if (Entry* entry = queue_.find(key)) entry->refetch = true;
}

void Bank::outdate(ClassSet classes) {
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        Entry& entry = queue_.at(i);
        if (!entry.done() && classes.has(entry.oldest().line_class)) entry.refetch = true;
    }
}

bool Bank::write_memory(const Victim& victim) {
    scratch_.attributes.operation = MemoryAttributes::Operation::Access;
    scratch_.attributes.space = victim.key.space();
    for (std::uint64_t left = victim.dirty; left;) {
        const auto first = static_cast<unsigned>(std::countr_zero(left));
        const auto length = static_cast<unsigned>(std::countr_one(left >> first));
        scratch_.access(tlm::TLM_WRITE_COMMAND, victim.key.address() + first, length);
        std::memcpy(scratch_.data, victim.data + first, length);
        if ((*socket_)->transport_dbg(scratch_) != length) return false;
        left = first + length >= 64 ? 0 : left >> (first + length) << (first + length);
    }
    return true;
}

void Bank::write_memory(const Victim& victim, sc_core::sc_time& delay) {
    outdate(victim.key);  // as in evict()
    scratch_.access(tlm::TLM_WRITE_COMMAND, victim.key.address(), kLineBytes);
    scratch_.attributes.space = victim.key.space();
    scratch_.attributes.requester = victim.requester;
    scratch_.attributes.thread = victim.thread;
    std::memcpy(scratch_.data, victim.data, kLineBytes);
    scratch_.enable_bytes(victim.dirty, kLineBytes);
    (*socket_)->b_transport(scratch_, delay);
}

bool Bank::read_memory(LineKey key, const MemoryAttributes& from, std::uint8_t* data,
                       sc_core::sc_time& delay) {
    scratch_.access(tlm::TLM_READ_COMMAND, key.address(), kLineBytes);
    copy_attributes(scratch_, from);
    (*socket_)->b_transport(scratch_, delay);
    std::memcpy(data, scratch_.data, kLineBytes);
    return scratch_.is_response_ok();
}

}  // namespace gen9::l3
