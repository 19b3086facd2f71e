// SPDX-License-Identifier: Apache-2.0
// The L3's cycle in timed mode.
#include <algorithm>
#include <bit>
#include <utility>

#include "l3/module.h"

namespace gen9::l3 {
namespace {
constexpr Cycles kNext(1);

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
    // Snoops first, then the URB, then the tag pipeline (L3-29, URB-41).
    if (!snoops_.empty()) next = earlier(next, serve_snoop(now));
    if (urb_clients_ & queued_clients_)
        next = earlier(next, arbitrate(urb_clients_ & queued_clients_, now));
    for (std::uint64_t left = active_banks_; left; left &= left - 1) {
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))].own;
        bank.take_arrivals(now);
        bank.replay(now);
    }
    next = earlier(next, arbitrate(queued_clients_ & ~urb_clients_, now));
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
    arbiters_[client.bank].waits(client.head.client, client.queue.front().ready);
}

bool L3::offer(Client& client, Cycles now) {
    const Admission admission = sweeps_.empty() ? Admission::Serve : admit(client, now);
    if (admission == Admission::Wait) return false;
    if (client.head.key.space() == AddressSpace::Urb) {
        if (!serve_urb(client, now)) return false;
    } else {
        BankPlace& bank = banks_[client.bank];
        if (bank.own == nullptr) [[unlikely]] {
            if (!send_to_other(client, bank, now)) return false;
        } else {
            const bool taken =
                admission == Admission::Hold || bank.own->ready(client.head, now) == Stall::None;
            if (!taken) return false;
            send(client, bank);
        }
    }
    client.decoded = false;
    client.issued = now;
    client.queue.pop();
    // One request per client and cycle (L3-11).
    if (client.queue.empty())
        queued_clients_ &= ~(std::uint64_t{1} << client.head.client);
    else
        client.try_at = std::max(client.queue.front().ready, now + kNext);
    return true;
}

Cycles L3::arbitrate(std::uint64_t clients, Cycles now) {
    Cycles next;
    std::uint64_t wanted_banks = 0;
    for (; clients; clients &= clients - 1) {
        Client& client = clients_[static_cast<unsigned>(std::countr_zero(clients))];
        if (client.try_at > now) {
            next = earlier(next, client.try_at);
            continue;
        }
        if (!client.decoded) decode_head(client);
        wanted_[client.bank] |= clients & -clients;
        wanted_banks |= std::uint64_t{1} << client.bank;
    }
    for (; wanted_banks; wanted_banks &= wanted_banks - 1) {
        const auto index = static_cast<unsigned>(std::countr_zero(wanted_banks));
        const std::uint64_t bit = wanted_banks & -wanted_banks;
        if (!(active_banks_ & bit) && banks_[index].own) {
            active_banks_ |= bit;
            banks_[index].own->begin_cycle(now);
        }
        // One that a bank has refused is tried again when the bank says.
        const std::uint64_t wanted = std::exchange(wanted_[index], 0);
        const auto take = [&](unsigned client) {
            if (!offer(clients_[client], now)) return false;
            if (!clients_[client].queue.empty()) next = earlier(next, clients_[client].try_at);
            return true;
        };
        if (wanted & savers_) [[unlikely]]
            arbiters_[index].offer(wanted & savers_, now, take);
        arbiters_[index].offer(wanted & ~savers_, now, take);
    }
    return next;
}

bool L3::serve_urb(Client& client, Cycles now) {
    const Request& request = client.head;
    Bank* const bank = banks_[client.bank].own;
    if (bank && bank->claim_for_urb(request, now) != Stall::None) return false;
    perform_urb(*request.payload, attributes_of(*request.payload));
    const std::uint64_t extra = bank ? bank->end_urb(request, now) : 0;
    respond({request.payload, request.client, request.write},
            now + (request.write ? kNext : bank_cycles_ + Cycles(extra)));
    return true;
}

/// Gives a request to a bank that is ready for it.
void L3::send(Client& client, BankPlace& bank) {
    const UnderWay request{client.head.payload, client.head.client, client.head.write};
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if ((*bank.out)->nb_transport_fw(*request.payload, phase, delay) == tlm::TLM_COMPLETED)
        respond(request, clock_.after(delay));
    else
        bank.under_way.push_back(request);
}

/// Gives a request to a bank of another model, if its socket takes one.
bool L3::send_to_other(Client& client, BankPlace& bank, Cycles now) {
    if (!bank.port->can_send()) return false;
    bank.under_way.push_back({client.head.payload, client.head.client, client.head.write});
    bank.port->send(*client.head.payload, now);
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
    const Return coming{std::max(at, clock_.now() + kNext), bank, taken_out(banks_[bank], payload)};
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
        at -= kNext;
    } else {
        // The way back carries one line per cycle.
        at = std::max(at, client.return_free);
        client.return_free = at + kNext;
    }
    client.queue.respond(*request.payload, at);
}

}  // namespace gen9::l3
