// SPDX-License-Identifier: Apache-2.0
// What a bank exchanges with memory: fetches, victims, requests that pass it by.
#include <algorithm>
#include <bit>
#include <cstring>

#include "interconnect/kernel/behind.h"
#include "l3/bank/bank.h"

namespace gen9::l3 {

void Bank::fetch(Entry& entry) {
    auto* transaction = pool_.get();
    transaction->access(tlm::TLM_READ_COMMAND, entry.key.address(), kLineBytes);
    transaction->attributes.derive(attributes_of(*entry.oldest().payload));
    transaction->attributes.space = entry.key.space();
    transaction->tag = entry.key.value;
    outgoing_.push_back(transaction);
    entry.state = SuperQueue<Request>::State::Waiting;
}

void Bank::evict(const Victim& victim, TraceId cause) {
    if (!victim.dirty) return;
    ++stats.evictions;
    // A fetch of the rest of this very line may have read memory before these bytes came there.
    outdate(victim.key);
    // The victim's bytes are in memory from now on, so that whoever reads memory next, by whatever
    // way, sees them; the transaction that follows only takes its time, with no byte enabled. Where
    // memory refuses them the transaction carries them, to fault and be reported.
    const bool written = write_memory(victim);
    auto* transaction = pool_.get();
    transaction->access(tlm::TLM_WRITE_COMMAND, victim.key.address(), kLineBytes);
    transaction->attributes.space = victim.key.space();
    transaction->attributes.requester = victim.requester;
    transaction->attributes.thread = victim.thread;
    transaction->attributes.mocs = victim.mocs;
    transaction->attributes.trace_id = cause;
    std::memcpy(transaction->data, victim.data, kLineBytes);
    transaction->enable_bytes(written ? 0 : victim.dirty, kLineBytes);
    transaction->tag = kVictim;
    outgoing_.push_back(transaction);
}

void Bank::start_bypass(Entry& entry) {
    const Request& request = entry.oldest();
    ++stats.bypasses;
    // An uncached access forces the line out of L3 first (DP-033).
    if (const int slot = core.find(request.key); slot != BankCore::kNone) {
        Victim victim;
        if (core.clean(slot, victim)) evict(victim, id_of(request));
        core.drop(slot);
    }
    const Payload& payload = *request.payload;
    auto* transaction = pool_.get();
    transaction->access(payload.get_command(), payload.get_address(),
                        std::min<unsigned>(payload.get_data_length(), kLineBytes));
    const auto& from = attributes_of(payload);
    transaction->attributes.derive(from);
    transaction->attributes.operation = from.operation;
    if (request.access.lanes && mem_out.foreign()) {
        // It takes the time of a read and is performed when that has come.
        transaction->access(tlm::TLM_READ_COMMAND, entry.key.address(), kLineBytes);
        transaction->attributes.operation = MemoryAttributes::Operation::Access;
    } else if (request.access.lanes) {
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
}

void Bank::end_bypass(Entry& entry, MemoryTransaction& transaction, Cycles now) {
    const Request& request = entry.oldest();
    if (request.access.lanes && mem_out.foreign()) {
        perform_lanes_behind(mem_out, *request.payload);
        transaction.set_response_status(request.payload->get_response_status());
    } else if (request.access.lanes)
        request.access.lanes->result = transaction.attributes.lanes.result;
    else if (!request.access.write)
        std::memcpy(request.access.data, transaction.data, request.access.size);
    request.payload->set_response_status(transaction.get_response_status());
    count(request);
    answer(request, now, 0);
    queue_.finish(entry);
    entry.refetch = false;
    entry.state = SuperQueue<Request>::State::Idle;
}

// ---- outside of time ----

void Bank::outdate(LineKey key) {
    if (Entry* entry = queue_.find(key)) entry->refetch = true;
}

void Bank::outdate(ClassSet classes) {
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        Entry& entry = queue_.at(i);
        const bool asked = entry.state == SuperQueue<Request>::State::Waiting;
        if (asked && classes.has(entry.oldest().line_class)) entry.refetch = true;
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
        if (mem_out->transport_dbg(scratch_) != length) return false;
        left = first + length >= 64 ? 0 : left >> (first + length) << (first + length);
    }
    return true;
}

void Bank::write_memory(const Victim& victim, TraceId cause, sc_core::sc_time& delay) {
    outdate(victim.key);  // as in evict()
    scratch_.access(tlm::TLM_WRITE_COMMAND, victim.key.address(), kLineBytes);
    scratch_.attributes.space = victim.key.space();
    scratch_.attributes.requester = victim.requester;
    scratch_.attributes.thread = victim.thread;
    scratch_.attributes.mocs = victim.mocs;
    scratch_.attributes.trace_id = cause;
    std::memcpy(scratch_.data, victim.data, kLineBytes);
    scratch_.enable_bytes(victim.dirty, kLineBytes);
    mem_out->b_transport(scratch_, delay);
}

bool Bank::read_memory(LineKey key, const MemoryAttributes& from, std::uint8_t* data,
                       sc_core::sc_time& delay) {
    scratch_.access(tlm::TLM_READ_COMMAND, key.address(), kLineBytes);
    scratch_.attributes.derive(from);
    mem_out->b_transport(scratch_, delay);
    std::memcpy(data, scratch_.data, kLineBytes);
    return scratch_.is_response_ok();
}

void Bank::blocking(Payload& payload, sc_core::sc_time& delay) {
    const auto& a = attributes_of(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (a.operation == MemoryAttributes::Operation::Control) return control(a, delay);
    if (env_.timed()) return blocking_line(payload, delay);
    if (a.operation == MemoryAttributes::Operation::Lanes && mem_out.foreign())
        return perform_lanes_behind(mem_out, payload);
    mem_out->b_transport(payload, delay);
}

void Bank::blocking_line(Payload& payload, sc_core::sc_time& delay) {
    const auto& a = attributes_of(payload);
    Request request;
    decode(payload, request, name(), fetch_writes_);
    int slot = core.find(request.key);
    const bool present = slot != BankCore::kNone && core.covers(slot, request.needed);
    const Cycles there = present ? arrival_of(request.key) : Cycles();
    if (accesses != nullptr) [[unlikely]]
        tell(request, !request.bypass && present && there == Cycles());
    const bool around_it = slot == BankCore::kNone && request.needed == 0 && passes(request);
    if (request.bypass || around_it || on_its_way(request.key) ||
        !core.caches(request.line_class)) {
        around(request, slot, a.trace_id, delay);
    } else {
        bool ok = true;
        if (present)
            delay = std::max(delay, clock_->until(there));
        else
            ok = bring(request, slot, a, delay);
        if (ok)
            core.perform(slot, request.access);
        else
            refuse(request, tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    delay += clock_->time(bank_cycles_);
}

/// Makes a line hold what the request needs. False on a fault.
bool Bank::bring(const Request& request, int& slot, const MemoryAttributes& from,
                 sc_core::sc_time& delay) {
    std::uint8_t line[kLineBytes];
    const Cycles asked = clock_->now();
    if (request.needed != 0 && !read_memory(request.key, from, line, delay)) return false;
    if (slot == BankCore::kNone) {
        Victim victim;
        slot = core.allocate(request.key, request.line_class, victim);
        sc_core::sc_time aside = delay;
        if (victim.dirty) write_memory(victim, from.trace_id, aside);
    }
    if (request.needed == 0) return true;
    core.fill(slot, line);
    std::erase_if(just_fetched_, [&](const JustFetched& old) { return old.asked != asked; });
    just_fetched_.push_back({request.key, asked, clock_->after(delay)});
    return true;
}

// A line that is fetched in a cycle is not there in that cycle: another who asks for it then waits
// for it as well, so it does not matter which of them is first.
Cycles Bank::arrival_of(LineKey key) const {
    for (const JustFetched& line : just_fetched_)
        if (line.key == key && line.asked == clock_->now()) return line.there;
    return {};
}

// A line on its way is left alone: this access goes to memory, and what the line's fetch has read
// there is fetched again.
void Bank::around(const Request& request, int slot, TraceId cause, sc_core::sc_time& delay) {
    if (slot != BankCore::kNone) {
        Victim victim;
        if (core.clean(slot, victim)) write_memory(victim, cause, delay);
        core.drop(slot);
    }
    outdate(request.key);
    if (request.access.lanes && mem_out.foreign())
        perform_lanes_behind(mem_out, *request.payload);
    else
        mem_out->b_transport(*request.payload, delay);
}

void Bank::write_back() {
    core.clean_all(kEveryClass, true, [this](const Victim& victim) {
        sc_core::sc_time unused;
        write_memory(victim, 0, unused);
    });
}

void Bank::read_again() {
    core.refresh([this](LineKey key, std::uint8_t* data) {
        scratch_.access(tlm::TLM_READ_COMMAND, key.address(), kLineBytes);
        scratch_.attributes.space = key.space();
        if (mem_out->transport_dbg(scratch_) != kLineBytes) return false;
        std::memcpy(data, scratch_.data, kLineBytes);
        return true;
    });
}

// A line a cycle.
void Bank::control(const MemoryAttributes& attributes, sc_core::sc_time& delay) {
    if (!env_.timed()) return;
    ClassSet data;
    data.add(LineClass::Data);
    const bool coherent = attributes.coherent;
    sc_core::sc_time issue = delay;
    const auto write = [&](const Victim& victim) {
        sc_core::sc_time written = issue;
        write_memory(victim, attributes.trace_id, written);
        delay = std::max(delay, written);
        issue += clock_->period();
        ++stats.flushed_lines;
    };
    if (attributes.control.flush_data) core.clean_all(data, coherent, write);
    stats.dropped_lines += core.drop_all(dropped_by(attributes.control), coherent, write);
}

unsigned Bank::debug(Payload& payload) {
    const unsigned done = mem_out->transport_dbg(payload);
    if (!env_.timed()) return done;
    const auto space = attributes_of(payload).space;
    for (unsigned at = 0; at < done;) {
        const std::uint64_t address = payload.get_address() + at;
        const auto offset = static_cast<unsigned>(address % kLineBytes);
        const unsigned count = std::min(done - at, static_cast<unsigned>(kLineBytes) - offset);
        const LineKey key(space, address);
        const int slot = core.find(key);
        const std::span bytes(payload.get_data_ptr() + at, count);
        if (payload.is_write()) outdate(key);
        if (slot != BankCore::kNone) {
            if (payload.is_write())
                core.patch(slot, offset, bytes);
            else
                core.overlay(slot, offset, bytes);
        }
        at += count;
    }
    return done;
}

void Bank::blocking_snoop(LineKey key, bool takes_away, TraceId cause, sc_core::sc_time& delay) {
    if (const int slot = core.find(key); slot != BankCore::kNone) {
        Victim victim;
        if (core.clean(slot, victim)) write_memory(victim, cause, delay);
        if (takes_away) core.drop(slot);
    }
    outdate(key);
}

}  // namespace gen9::l3
