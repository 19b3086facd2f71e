// SPDX-License-Identifier: Apache-2.0
// What a bank exchanges with memory: fetches, victims, requests that pass it by.
#include <algorithm>
#include <bit>
#include <cstring>

#include "interconnect/behind.h"
#include "l3/bank.h"

namespace gen9::l3 {

void Bank::copy_attributes(MemoryTransaction& to, const MemoryAttributes& from) const {
    to.attributes.space = from.space;
    to.attributes.requester = from.requester;
    to.attributes.thread = from.thread;
    to.attributes.mocs = from.mocs;
    to.attributes.coherent = from.coherent;
    to.attributes.uncached = from.uncached;
    to.attributes.trace_id = from.trace_id;
}

void Bank::fetch(Entry& entry) {
    auto* transaction = pool_->get();
    transaction->access(tlm::TLM_READ_COMMAND, entry.key.address(), kLineBytes);
    copy_attributes(*transaction, attributes_of(*entry.oldest().payload));
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
    auto* transaction = pool_->get();
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
    auto* transaction = pool_->get();
    transaction->access(payload.get_command(), payload.get_address(),
                        std::min<unsigned>(payload.get_data_length(), kLineBytes));
    const auto& from = attributes_of(payload);
    copy_attributes(*transaction, from);
    transaction->attributes.operation = from.operation;
    if (request.access.lanes && socket_->foreign()) {
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
    if (request.access.lanes && socket_->foreign()) {
        perform_lanes_behind(*socket_, *request.payload);
        transaction.set_response_status(request.payload->get_response_status());
    } else if (request.access.lanes)
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
        if ((*socket_)->transport_dbg(scratch_) != length) return false;
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
