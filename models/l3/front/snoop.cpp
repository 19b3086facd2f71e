// SPDX-License-Identifier: Apache-2.0
// What the other side of a coherent line asks of the L3.
#include <algorithm>
#include "l3/front/module.h"

namespace gen9::l3 {
namespace {

bool takes_away(const tlm::tlm_generic_payload& payload) {
    return !payload.is_read();
}

}  // namespace

// One a cycle, before everything else (L3-26).
Cycles L3::serve_snoop(Cycles now) {
    const auto head = snoops_.front();
    if (head.ready > now) return head.ready;
    const LineKey key(AddressSpace::Physical, head.payload->get_address());
    const unsigned index = bank_of(key);
    if (banks_[index].own == nullptr) {  // it keeps no coherent lines
        snoops_.respond(snoops_.pop(), now + Cycles(params.bank_cycles));
        return snoops_.empty() ? Cycles() : std::max(snoops_.front().ready, now + Cycles(1));
    }
    Bank& bank = *banks_[index].own;
    active_banks_ |= std::uint64_t{1} << index;
    bank.begin_cycle(now);
    // One that has to wait is tried again when the bank has moved.
    if (bank.snoop(key, takes_away(*head.payload), attributes_of(*head.payload).trace_id) !=
        Stall::None)
        return Cycles();
    ++stats.snoops;
    snoops_.pop();
    head.payload->set_response_status(tlm::TLM_OK_RESPONSE);
    snoops_.respond(*head.payload, now + Cycles(params.bank_cycles));
    return snoops_.empty() ? Cycles() : std::max(snoops_.front().ready, now + Cycles(1));
}

void L3::blocking_snoop(Payload& payload, sc_core::sc_time& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (!env_.timed()) return;
    const LineKey key(AddressSpace::Physical, payload.get_address());
    if (Bank* const bank = banks_[bank_of(key)].own)
        bank->blocking_snoop(key, takes_away(payload), attributes_of(payload).trace_id, delay);
    ++stats.snoops;
    delay += clock_.time(Cycles(params.bank_cycles));
}

Stall Bank::snoop(LineKey key, bool takes_away, TraceId cause) {
    // It pushes older evictions of its line, and goes by after them (L3-36).
    for (std::size_t i = 0; i < outgoing_.size(); ++i)
        if (outgoing_[i]->tag == kVictim && outgoing_[i]->attributes.space == key.space() &&
            outgoing_[i]->get_address() == key.address()) {
            std::rotate(outgoing_.begin(), outgoing_.begin() + static_cast<std::ptrdiff_t>(i),
                        outgoing_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
            return stall_ = Stall::MemoryQueue;
        }
    use_tag(core.set_of(key));
    busy_ = moved_ = true;
    // A line on its way is asked for once more, so that it comes after what the snoop stands for.
    outdate(key);
    const int slot = core.find(key);
    if (slot == BankCore::kNone) return Stall::None;
    if (core.dirty(slot)) {
        if (!room()) return stall_ = Stall::MemoryQueue;
        read_used_ = true;  // the first of the array's users (L3-29)
        Victim victim;
        core.clean(slot, victim);
        evict(victim, cause);
    }
    if (takes_away) core.drop(slot);
    return Stall::None;
}

}  // namespace gen9::l3
