// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <deque>
#include <memory>
#include <vector>

#include "common/check.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9 {

/// The least time between a request's arrival and its service: nobody arbitrates in the cycle of
/// arrival, so all requests of a cycle are seen, in whatever order the kernel ran their senders.
inline constexpr Cycles kArrival(1);

/// The receiving end of a memory socket in timed mode: requests in order of arrival, finite, with
/// the back-pressure of the contract (docs/architecture.md). At most one request beyond the
/// capacity is held, and that one has not had its END_REQ yet.
class RequestQueue {
  public:
    using Payload = tlm::tlm_generic_payload;
    struct Request {
        Payload* payload = nullptr;
        Cycles ready;  ///< first cycle it may be served
    };

    RequestQueue(TargetSocket<MemoryProtocol>& socket, const Clock& clock, std::uint64_t capacity)
        : socket_(&socket),
          clock_(&clock),
          capacity_(capacity),
          ring_(std::bit_ceil(capacity + 1)),
          mask_(ring_.size() - 1) {}

    /// nb_transport_fw: takes a BEGIN_REQ; it may be served `path` cycles after it has arrived.
    tlm::tlm_sync_enum begin(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay,
                             Cycles path) {
        if (phase != tlm::BEGIN_REQ) return end_response(delay);
        GEN9_CHECK(!end_request_owed_,
                   std::string(socket_->name()) + ": a request before the last one's END_REQ");
        ring_[place(size_++)] = {&payload, clock_->after(delay) + path};
        if (size_ > capacity_) {
            end_request_owed_ = true;
            return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_REQ;
        const std::size_t popped = popped_at_ == clock_->now() ? popped_ : 0;
        if (size_ + popped > capacity_) delay += clock_->period();
        return tlm::TLM_UPDATED;
    }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    bool ready(Cycles now) const { return size_ && ring_[head_].ready <= now; }
    const Request& front() const { return ring_[head_]; }
    /// The i-th oldest.
    const Request& operator[](std::size_t index) const { return ring_[place(index)]; }
    const Request& back() const { return ring_[place(size_ - 1)]; }
    /// Takes the head out; END_REQ goes out if a request was waiting for the room.
    Payload& pop() {
        Payload& payload = *ring_[head_].payload;
        head_ = place(1);
        --size_;
        const Cycles now = clock_->now();
        popped_ = popped_at_ == now ? popped_ + 1 : 1;
        popped_at_ = now;
        if (end_request_owed_) [[unlikely]]
            end_request(payload);
        return payload;
    }
    /// BEGIN_RESP at cycle `at`, which is now or later. After an initiator that takes its time
    /// to end a response the next one waits.
    void respond(Payload& payload, Cycles at) {
        if (responding_) [[unlikely]]
            return responses_.push_back({&payload, at});
        tlm::tlm_phase phase = tlm::BEGIN_RESP;
        sc_core::sc_time delay = clock_->until(at);
        const auto answer = (*socket_)->nb_transport_bw(payload, phase, delay);
        if (answer != tlm::TLM_COMPLETED) [[unlikely]]
            responding_ = phase == tlm::BEGIN_RESP;
    }

  private:
    std::size_t place(std::size_t index) const { return (head_ + index) & mask_; }
    void end_request(Payload& popped);
    tlm::tlm_sync_enum end_response(const sc_core::sc_time& delay);
    void respond_next();

    TargetSocket<MemoryProtocol>* socket_;
    const Clock* clock_;
    std::uint64_t capacity_;
    std::vector<Request> ring_;  ///< a power of two of places, from `head_` on
    std::size_t mask_;
    std::size_t head_ = 0, size_ = 0;
    bool end_request_owed_ = false;
    // A place is free from the cycle after its request was taken out.
    Cycles popped_at_;
    std::size_t popped_ = 0;            ///< in that cycle
    bool responding_ = false;           ///< END_RESP not yet received
    std::deque<Request> responses_;     ///< that wait for it
    std::unique_ptr<Wakeup> continue_;  ///< made when it is needed first
};

/// The sending end of a memory socket in timed mode: one request without END_REQ at a time.
class RequestPort {
  public:
    using Payload = tlm::tlm_generic_payload;

    /// Takes the socket's `on_backward` for itself.
    RequestPort(InitiatorSocket<MemoryProtocol>& socket, const Clock& clock);
    RequestPort(const RequestPort&) = delete;
    RequestPort& operator=(const RequestPort&) = delete;

    std::function<void(Payload&, Cycles)> on_response;  ///< it is there at this cycle, now or later
    std::function<void()> on_room;  ///< can_send() will hold again from the next cycle on

    /// From the cycle after END_REQ on, whichever of the two modules ran first in that cycle.
    bool can_send() const { return !waiting_ && open_ <= clock_->now(); }
    /// Sends; the request reaches the target at cycle `at`, which is now or later.
    void send(Payload& payload, Cycles at);

  private:
    tlm::tlm_sync_enum backward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    void open(Cycles from);
    void tell_room() {
        if (on_room) on_room();
    }
    Cycles arrival(const sc_core::sc_time& delay) const { return clock_->after(delay); }

    InitiatorSocket<MemoryProtocol>* socket_;
    const Clock* clock_;
    Payload* waiting_ = nullptr;   ///< sent, END_REQ not yet received
    Cycles open_;                  ///< END_REQ takes effect
    std::unique_ptr<Wakeup> far_;  ///< for what strangers announce; made when needed first
};

}  // namespace gen9
