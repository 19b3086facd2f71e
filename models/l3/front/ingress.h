// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <vector>

#include "common/units.h"
#include "interconnect/arbiter/port_set.h"

namespace gen9::l3 {

/// The ingress queues of a bank (003:18354): one for each client, so that a client's requests to
/// one bank do not wait for those to another. A queue keeps its order and shows its head alone
/// (L3-24; 003:18487), so requests of a client to a line, which are of one bank, stay in order
/// (L3-32). Which head goes next is the bank's arbiter's affair.
template <class Request>
class Ingress {
  public:
    /// `places`: requests of each client.
    Ingress(unsigned clients, std::uint64_t places) : queues_(clients), places_(places) {
        for (Queue& queue : queues_)
            queue.ring.resize(std::bit_ceil(places));
    }

    bool has_room(unsigned client) const { return queues_[client].size < places_; }
    /// `since`: the cycle from which the request waits.
    void push(unsigned client, const Request& request, Cycles since) {
        Queue& queue = queues_[client];
        queue.ring[queue.place(queue.size++)] = {request, since};
        waiting_.add(client);
    }
    /// Clients with requests.
    PortSet waiting() const { return waiting_; }
    bool empty() const { return waiting_.empty(); }
    std::size_t size(unsigned client) const { return queues_[client].size; }
    /// The oldest of a client that has one.
    Request& head(unsigned client) { return front(client).request; }
    Cycles waits_since(unsigned client) { return front(client).since; }
    void pop(unsigned client) {
        Queue& queue = queues_[client];
        queue.head = queue.place(1);
        if (--queue.size == 0) waiting_.remove(client);
    }

  private:
    struct Place {
        Request request;
        Cycles since;
    };
    struct Queue {
        std::vector<Place> ring;  ///< a power of two of places, from `head` on
        std::size_t head = 0, size = 0;
        std::size_t place(std::size_t index) const { return (head + index) & (ring.size() - 1); }
    };
    Place& front(unsigned client) { return queues_[client].ring[queues_[client].head]; }

    std::vector<Queue> queues_;
    std::uint64_t places_;
    PortSet waiting_;
};

}  // namespace gen9::l3
