// SPDX-License-Identifier: Apache-2.0
// The L3's cycle in timed mode.
#include <algorithm>
#include <bit>

#include "l3/module.h"

namespace gen9::l3 {
namespace {
constexpr Cycles kNext(1);
}

void L3::process() {
    const Cycles now = clock_.now();
    for (Bank& bank : banks_) {
        bank.begin_cycle(now);
        bank.take_arrivals(now);
        bank.replay(now);
    }
    arbitrate(now);
    Cycles next;
    const auto consider = [&next](Cycles at) {
        if (at != Cycles() && (next == Cycles() || at < next)) next = at;
    };
    for (Bank& bank : banks_) {
        bank.send(now);
        if (env_.waveform) bank.show();
        consider(bank.next_event(now));
    }
    for (std::uint64_t left = queued_clients_; left; left &= left - 1) {
        const Client& client = clients_[static_cast<unsigned>(std::countr_zero(left))];
        if (!client.queue.ready(now))
            consider(client.queue.front().ready);
        else if (client.issued == now)
            consider(now + kNext);
    }
    if (next != Cycles()) wakeup_.at(next);
}

void L3::arbitrate(Cycles now) {
    if (!queued_clients_) return;
    // Round robin: each cycle another client is the first.
    const std::uint64_t below = (std::uint64_t{1} << now.value % clients_.size()) - 1;
    for (std::uint64_t part : {queued_clients_ & ~below, queued_clients_ & below})
        for (; part; part &= part - 1)
            offer(static_cast<unsigned>(std::countr_zero(part)), now);
}

void L3::offer(unsigned index, Cycles now) {
    Client& client = clients_[index];
    // One request per client and cycle (L3-11).
    if (!client.queue.ready(now) || client.issued == now) return;
    if (!client.decoded) {
        client.head = decode(*client.queue.front().payload, index);
        client.bank = bank_of(client.head.key);
        client.decoded = true;
    }
    if (banks_[client.bank].serve(client.head, now) != Stall::None) return;
    client.decoded = false;
    client.issued = now;
    client.queue.pop();
    if (client.queue.empty()) queued_clients_ &= ~(std::uint64_t{1} << index);
}

void L3::respond(const Request& request, Cycles now, std::uint64_t extra) {
    Client& client = clients_[request.client];
    Cycles at = now + Cycles(params.bank_cycles + params.return_cycles + extra);
    if (!request.access.is_write()) {
        // The way back carries one line per cycle.
        at = std::max(at, client.return_free);
        client.return_free = at + kNext;
    }
    client.queue.respond(*request.payload, at);
}

}  // namespace gen9::l3
