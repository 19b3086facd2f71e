// SPDX-License-Identifier: Apache-2.0
// The L3's cycle in timed mode.
#include <algorithm>
#include <bit>
#include <utility>

#include "l3/front/module.h"

namespace gen9::l3 {
namespace {
constexpr Cycles kNextCycle(1);

/// The earlier of two cycles of which 0 is none.
Cycles earlier(Cycles a, Cycles b) {
    return a == Cycles() || (b != Cycles() && b < a) ? b : a;
}

}  // namespace

void L3::process() {
    const Cycles now = clock_.now();
    if (!sweeps_.empty()) advance_sweeps(now);
    // Only banks that have something to do are looked at; what clients bring adds to them.
    if (next_arrival_ != Cycles() && next_arrival_ <= now) {
        active_banks_ |= expecting_banks_;
        expecting_banks_ = 0;
        next_arrival_ = Cycles();
    }
    for (std::uint64_t left = active_banks_; left; left &= left - 1) {
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))].own;
        bank.begin_cycle(now);
    }
    Cycles next;
    if (!returns_.empty()) [[unlikely]]
        next = bring_back(now);
    if (!queued_clients_.empty()) next = earlier(next, distribute(now));
    // Snoops first, then the URB, then the tag pipeline (L3-29, URB-41).
    if (!snoops_.empty()) next = earlier(next, serve_snoop(now));
    if (!urb_clients_.empty()) next = earlier(next, arbitrate(urb_clients_, now));
    for (std::uint64_t left = active_banks_; left; left &= left - 1) {
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))].own;
        bank.take_arrivals(now);
        bank.replay(now);
    }
    next = earlier(next, arbitrate(~urb_clients_, now));
    for (std::uint64_t left = std::exchange(active_banks_, 0); left; left &= left - 1) {
        const std::uint64_t bit = left & -left;
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))].own;
        const bool quiet = bank.quiet();
        if (!quiet) bank.send(now);
        if (bank.signals.watched()) [[unlikely]]
            bank.show(now);
        if (quiet) continue;
        if (bank.attentive(now)) {
            next = earlier(next, bank.next_event(now));
            active_banks_ |= bit;
        } else if (const Cycles arrival = bank.next_arrival(); arrival != Cycles()) {
            next_arrival_ = earlier(next_arrival_, arrival);
            expecting_banks_ |= bit;
        }
    }
    next = earlier(next, next_arrival_);
    if (!sweeps_.empty()) next = earlier(next, next_of_sweeps(now));
    if (next != Cycles()) wakeup_.at(next);
}

void L3::decode_head(Client& client) {
    decode_client(*client.queue.front().payload, client.head);
    client.bank = bank_of(client.head.key);
    client.decoded = true;
}

/// Clients' heads go into the queues in front of their banks.
Cycles L3::distribute(Cycles now) {
    Cycles next;
    crowded_clients_ = {};
    for (PortSet left = queued_clients_; !left.empty(); left.remove_first()) {
        const unsigned number = left.first();
        Client& client = clients_[number];
        if (client.try_at <= now) {
            if (!client.decoded) decode_head(client);
            if (!enter(client, now)) continue;
            client.decoded = false;
            client.issued = now;
            client.queue.pop();
            // One request per client and cycle (L3-11).
            if (client.queue.empty()) {
                queued_clients_.remove(number);
                continue;
            }
            client.try_at = std::max(client.queue.front().ready, now + kNextCycle);
        }
        next = earlier(next, client.try_at);
    }
    return next;
}

/// The client's head goes into its bank's queue if there is room and no flush keeps it out.
bool L3::enter(Client& client, Cycles now) {
    BankPlace& bank = banks_[client.bank];
    if (!sweeps_.empty()) [[unlikely]] {
        activate(client.bank, now);
        const Admission admission = admit(client, now);
        if (admission == Admission::Wait) return false;
        if (admission == Admission::Hold) {
            // The requests in the bank's queues are gone: they came before the flush.
            send(client.head, bank);
            return true;
        }
    }
    const unsigned number = client.head.client;
    if (client.credits == 0 || !bank.ingress.has_room(number)) {
        crowded_clients_.add(number);
        return false;
    }
    --client.credits;
    const Cycles since = client.queue.front().ready;
    if (bank.ingress.size(number) == 0) bank.arbiter.waits(number, since);
    bank.ingress.push(number, client.head, since);
    waiting_banks_ |= std::uint64_t{1} << client.bank;
    return true;
}

/// Heads of the banks' queues are served, in the order that each bank's arbiter chooses.
Cycles L3::arbitrate(PortSet clients, Cycles now) {
    Cycles next;
    for (std::uint64_t left = waiting_banks_; left; left &= left - 1) {
        const auto index = static_cast<unsigned>(std::countr_zero(left));
        BankPlace& bank = banks_[index];
        const PortSet wanted = bank.ingress.waiting() & clients;
        if (wanted.empty()) continue;
        activate(index, now);
        const auto take = [&](unsigned client) {
            if (!offer(bank, bank.ingress.head(client), now)) return false;
            bank.ingress.pop(client);
            ++clients_[client].credits;
            // One that a bank has refused is tried again when the bank says.
            if (crowded_clients_.has(client)) next = now + kNextCycle;
            if (!bank.ingress.waiting().has(client)) return true;
            bank.arbiter.waits(client, bank.ingress.waits_since(client));
            next = now + kNextCycle;
            return true;
        };
        if (const PortSet first = wanted & savers_; !first.empty()) [[unlikely]]
            bank.arbiter.offer(first, now, take);
        bank.arbiter.offer(wanted & ~savers_, now, take);
        if (bank.ingress.empty()) waiting_banks_ &= ~(left & -left);
    }
    return next;
}

void L3::activate(unsigned bank, Cycles now) {
    const std::uint64_t bit = std::uint64_t{1} << bank;
    if ((active_banks_ & bit) || !banks_[bank].own) return;
    active_banks_ |= bit;
    banks_[bank].own->begin_cycle(now);
}

bool L3::offer(BankPlace& bank, Request& request, Cycles now) {
    if (request.key.space() == AddressSpace::Urb) return serve_urb(request, bank, now);
    if (bank.own == nullptr) [[unlikely]]
        return send_to_other(request, bank, now);
    if (bank.own->ready(request, now) != Stall::None) return false;
    send(request, bank);
    return true;
}

bool L3::serve_urb(const Request& request, BankPlace& place, Cycles now) {
    Bank* const bank = place.own;
    if (bank && bank->claim_for_urb(request, now) != Stall::None) return false;
    perform_urb(*request.payload, attributes_of(*request.payload));
    const std::uint64_t extra = bank ? bank->end_urb(request, now) : 0;
    respond({request.payload, request.client, request.write},
            now + (request.write ? kNextCycle : bank_cycles_ + Cycles(extra)));
    return true;
}

/// Gives a request to a bank that is ready for it.
void L3::send(const Request& taken, BankPlace& bank) {
    const UnderWay request{taken.payload, taken.client, taken.write};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if ((*bank.out)->nb_transport_fw(*request.payload, phase, delay) == tlm::TLM_COMPLETED)
        respond(request, clock_.after(delay));
    else
        bank.under_way.push_back(request);
}

/// Gives a request to a bank of another model, if its socket takes one.
bool L3::send_to_other(const Request& request, BankPlace& bank, Cycles now) {
    if (!bank.port->can_send()) return false;
    bank.under_way.push_back({request.payload, request.client, request.write});
    bank.port->send(*request.payload, now);
    return true;
}

L3::UnderWay L3::taken_out(BankPlace& bank, const Payload& payload) {
    const auto found = std::find_if(bank.under_way.begin(), bank.under_way.end(),
                                    [&](const UnderWay& r) { return r.payload == &payload; });
    GEN9_CHECK(found != bank.under_way.end(),
               std::string(bank.out->name()) + ": an answer nobody asked for");
    const UnderWay request = *found;
    bank.under_way.erase(found);
    return request;
}

// A bank of another model answers when it likes. Answers of one cycle go to their clients in the
// order of the banks, so they wait here until all are known.
void L3::answered(unsigned bank, Payload& payload, Cycles at) {
    const Return coming{std::max(at, clock_.now() + kNextCycle), bank,
                        taken_out(banks_[bank], payload)};
    const auto before = [](const Return& a, const Return& b) {
        return a.at != b.at ? a.at < b.at : a.bank < b.bank;
    };
    returns_.insert(std::upper_bound(returns_.begin(), returns_.end(), coming, before), coming);
    wakeup_.at(returns_.front().at);
}

Cycles L3::bring_back(Cycles now) {
    while (!returns_.empty() && returns_.front().at <= now) {
        const Return coming = returns_.front();
        returns_.erase(returns_.begin());
        respond(coming.request, coming.at);
    }
    return returns_.empty() ? Cycles() : returns_.front().at;
}

/// The bank's answer stands in front of it at cycle `at`.
void L3::respond(const UnderWay& request, Cycles at) {
    Client& client = clients_[request.client];
    at += return_cycles_;
    if (request.write) {
        // It waits for no place on the way back.
        at -= kNextCycle;
    } else {
        // The way back carries one line per cycle.
        at = std::max(at, client.return_free);
        client.return_free = at + kNextCycle;
    }
    client.queue.respond(*request.payload, at);
}

}  // namespace gen9::l3
