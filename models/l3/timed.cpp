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
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))];
        bank.begin_cycle(now);
    }
    // Snoops first, then the URB, then the tag pipeline (L3-29, URB-41).
    Cycles next;
    if (!snoops_.empty()) next = serve_snoop(now);
    if (urb_clients_ & queued_clients_)
        next = earlier(next, arbitrate(urb_clients_ & queued_clients_, now));
    for (std::uint64_t left = active_banks_; left; left &= left - 1) {
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))];
        bank.take_arrivals(now);
        bank.replay(now);
    }
    next = earlier(next, arbitrate(queued_clients_ & ~urb_clients_, now));
    for (std::uint64_t left = std::exchange(active_banks_, 0); left; left &= left - 1) {
        const std::uint64_t bit = left & -left;
        Bank& bank = *banks_[static_cast<unsigned>(std::countr_zero(left))];
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
    decode(*client.queue.front().payload, client.head);
    client.bank = bank_of(client.head.key);
    client.decoded = true;
    arbiters_[client.bank].waits(client.head.client, client.queue.front().ready);
}

bool L3::offer(Client& client, Bank& bank, Cycles now) {
    const Admission admission = sweeps_.empty() ? Admission::Serve : admit(client, now);
    if (admission == Admission::Wait) return false;
    if (admission == Admission::Serve) {
        const bool in_urb = client.head.key.space() == AddressSpace::Urb;
        const Stall stall = in_urb ? serve_urb(client, bank, now) : bank.serve(client.head, now);
        if (stall != Stall::None) return false;
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
        Bank& bank = *banks_[index];
        if (!(active_banks_ & bit)) {
            active_banks_ |= bit;
            bank.begin_cycle(now);
        }
        // One that a bank has refused is tried again when the bank says.
        arbiters_[index].offer(std::exchange(wanted_[index], 0), now, [&](unsigned client) {
            if (!offer(clients_[client], bank, now)) return false;
            if (!clients_[client].queue.empty()) next = earlier(next, clients_[client].try_at);
            return true;
        });
    }
    return next;
}

Stall L3::serve_urb(Client& client, Bank& bank, Cycles now) {
    const Request& request = client.head;
    const Stall stall = bank.claim_for_urb(request, now);
    if (stall != Stall::None) return stall;
    perform_urb(*request.payload, attributes_of(*request.payload));
    respond(request, now, bank.end_urb(request, now));
    return Stall::None;
}

void L3::respond(const Request& request, Cycles now, std::uint64_t extra) {
    Client& client = clients_[request.client];
    // A write is globally observable, and answered, when it leaves the queue in front of its bank,
    // where whoever comes later stays behind it (L3-58, L3-59).
    Cycles at = now + return_cycles_;
    if (!request.write) {
        at += bank_cycles_ + Cycles(extra);
        // The way back carries one line per cycle.
        at = std::max(at, client.return_free);
        client.return_free = at + kNext;
    }
    client.queue.respond(*request.payload, at);
}

}  // namespace gen9::l3
