// SPDX-License-Identifier: Apache-2.0
// The L3's cycle in timed mode.
#include <algorithm>

#include "l3/module.h"

namespace gen9::l3 {
namespace {
constexpr Cycles kNext(1);
}

void L3::process() {
    wakeup_.begin();
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
        bank.end_cycle();
        consider(bank.next_event(now));
    }
    for (Client& client : clients_) {
        if (client.queue.empty()) continue;
        if (!client.queue.ready(now))
            consider(client.queue.front().ready);
        else if (client.issued == now)
            consider(now + kNext);
    }
    if (next != Cycles()) wakeup_.at(next);
}

void L3::arbitrate(Cycles now) {
    const auto count = static_cast<unsigned>(clients_.size());
    const auto first = static_cast<unsigned>(now.value % count);
    for (unsigned k = 0; k < count; ++k) {
        const unsigned index = first + k < count ? first + k : first + k - count;
        Client& client = clients_[index];
        // One request per client and cycle (L3-11).
        if (!client.queue.ready(now) || client.issued == now) continue;
        if (!client.decoded) {
            client.head = decode(*client.queue.front().payload, index);
            client.bank = bank_of(client.head.key);
            client.decoded = true;
        }
        if (banks_[client.bank].serve(client.head, now) != Stall::None) continue;
        client.decoded = false;
        client.issued = now;
        client.queue.pop();
    }
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
