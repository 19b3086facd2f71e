// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/check.h"
#include "common/environment.h"
#include "interconnect/arbiter/intake.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/message.h"

// Targets of messages have this in common: the sockets and the answers of any of them
// (MessagePorts); messages in flight, of those that work on several (MessageServer); and their
// requests of lines (LineRequests).

namespace gen9 {

using MessageSockets = std::deque<TargetSocket<MessageProtocol>>;

/// The message sockets of a shared function, one for each EU, and the phases it sends back.
class MessagePorts {
  public:
    MessagePorts(MessageSockets& sockets, const Environment& env, const Clock& clock)
        : sockets_(sockets), env_(env), clock_(clock) {}

    /// Makes `count` sockets msg_in0, msg_in1, ... `receive(port, message, delay)` takes a begin of
    /// request; `execute(message)` the blocking form, if there is one.
    template <class Receive>
    void open(unsigned count, Receive receive, std::function<void(Message&)> execute = {}) {
        for (unsigned port = 0; port < count; ++port) {
            auto& socket = sockets_.emplace_back(("msg_in" + std::to_string(port)).c_str());
            if (execute)
                socket.on_blocking = [execute](Message& message, sc_core::sc_time&) {
                    execute(message);
                };
            socket.on_forward = [receive, port](Message& message, tlm::tlm_phase& phase,
                                                const sc_core::sc_time& delay) {
                if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
                GEN9_CHECK(phase == tlm::BEGIN_REQ, "a message begins with its request");
                receive(port, message, delay);
                return tlm::TLM_ACCEPTED;
            };
        }
    }
    /// END_REQ or BEGIN_RESP, `delay` from now.
    tlm::tlm_sync_enum pass(unsigned port, Message& message, tlm::tlm_phase phase,
                            sc_core::sc_time delay) {
        if (behind_.empty()) [[unlikely]]
            for (auto& socket : sockets_)
                behind_.push_back(socket.operator->());
        return behind_[port]->nb_transport_bw(message, phase, delay);
    }
    /// The same, in effect at cycle `when` or as soon as the notice that an EU is given allows; in
    /// functional mode at once.
    void tell(unsigned port, Message& message, tlm::tlm_phase phase, Cycles when) {
        sc_core::sc_time delay;
        if (env_.timed()) delay = clock_.until(noticed(when));
        pass(port, message, phase, delay);
    }
    /// When something is in effect that is said now, and is to be at `when`.
    Cycles noticed(Cycles when) const {
        return std::max(when, clock_.now() + Cycles(env_.notice_cycles));
    }

  private:
    MessageSockets& sockets_;
    const Environment& env_;
    const Clock& clock_;
    std::vector<tlm::tlm_bw_transport_if<MessageProtocol>*> behind_;  ///< from the first answer on
};

/// A message that has started and is not answered. A block derives its own from this.
struct MessageFlight {
    Message* message = nullptr;
    unsigned number = 0;  ///< its place among the flights: a tag for requests
    unsigned port = 0;
    Cycles arrival;
};

/// MessageServer: intake and flights of a shared function that works on several messages at a time,
/// in timed mode.
/// Role     keeps what has been announced; starts a message when it is there, its turn has come and
///          fewer than `most` are in flight; answers
/// Order    of a port by arrival, between ports by the arbiter, never by the order in which the
///          kernel ran the senders
/// Not here what a message means and how long it takes
///
/// `Flight` is made without zeros, for it may be large: who begins it sets what it needs.
template <class Flight>
class MessageServer {
  public:
    MessageServer(MessageSockets& sockets, const Environment& env, const Clock& clock,
                  Arbiter arbiter, unsigned ports, std::uint64_t most, Wakeup& wakeup)
        : ports_(sockets, env, clock),
          inbox_(std::move(arbiter), ports),
          count_(ports),
          most_(most),
          clock_(clock),
          wakeup_(wakeup) {}

    /// Makes the sockets; `execute` takes the blocking form of functional mode.
    void open(std::function<void(Message&)> execute) {
        ports_.open(
            count_,
            [this](unsigned port, Message& message, const sc_core::sc_time& delay) {
                const Cycles arrival = clock_.after(delay);
                inbox_.push(arrival, port, &message);
                wakeup_.at(arrival + kArrival);
            },
            std::move(execute));
    }

    bool idle() const { return inbox_.empty() && in_flight_ == 0; }
    std::size_t queued() const { return inbox_.size(); }
    std::uint64_t in_flight() const { return in_flight_; }
    bool room() const { return in_flight_ < most_; }
    /// Is there a message that could have been looked at? What is said in a cycle is looked at in
    /// the next.
    bool arrived(Cycles now) const { return !inbox_.empty() && inbox_.earliest() < now; }

    /// Starts the next message, if there is one that may, and accepts it; else null. Call `busy`
    /// then.
    Flight* begin(Cycles now) {
        if (!arrived(now) || next_start_ > now || !room()) return nullptr;
        const auto queued = inbox_.pop(now - kArrival);
        ports_.tell(queued.port, *queued.item, tlm::END_REQ, now);
        Flight& flight = new_flight();
        flight.message = queued.item;
        flight.port = queued.port;
        flight.arrival = queued.arrival;
        return &flight;
    }
    /// No message starts before a cycle.
    void busy(Cycles until) { next_start_ = until; }
    /// Has the block run when the next message can start, if that is known.
    void wake_for_next() {
        if (!inbox_.empty() && room())
            wakeup_.at(std::max(inbox_.earliest() + kArrival, next_start_));
    }
    Flight& flight(std::uint64_t number) { return *flights_[number]; }
    /// The flight ends: its answer is at the EU at cycle `when`. The block runs in the next cycle,
    /// for there is room.
    void answer(Flight& flight, Cycles when) {
        free_flights_.push_back(&flight);
        --in_flight_;
        wakeup_.at(clock_.now() + kArrival);
        ports_.tell(flight.port, *flight.message, tlm::BEGIN_RESP, when);
    }

  private:
    Flight& new_flight() {
        if (free_flights_.empty()) {
            flights_.push_back(std::make_unique_for_overwrite<Flight>());
            flights_.back()->number = static_cast<unsigned>(flights_.size() - 1);
            free_flights_.push_back(flights_.back().get());
        }
        Flight& flight = *free_flights_.back();
        free_flights_.pop_back();
        ++in_flight_;
        return flight;
    }

    MessagePorts ports_;
    Intake<Message*> inbox_;
    const unsigned count_;
    const std::uint64_t most_;
    const Clock& clock_;
    Wakeup& wakeup_;
    std::vector<std::unique_ptr<Flight>> flights_;
    std::vector<Flight*> free_flights_;
    std::uint64_t in_flight_ = 0;
    Cycles next_start_;
};

/// Requests of lines to memory, one a cycle.
class LineRequests {
  public:
    LineRequests(InitiatorSocket<MemoryProtocol>& socket, const Clock& clock, Wakeup& wakeup)
        : port_(socket, clock) {
        port_.on_room = [this, &clock, &wakeup] {
            wakeup.at(std::max(next_, clock.now() + kArrival));
        };
    }
    /// Tells the cycle of a response: it is there then, now or later.
    template <class Answered>
    void on_response(Answered answered) {
        port_.on_response = [answered](tlm::tlm_generic_payload& payload, Cycles at) {
            answered(static_cast<MemoryTransaction&>(payload), at);
        };
    }
    /// Does memory take one? If not, the block runs when it does.
    bool taken() const { return port_.can_send(); }
    bool can_send(Cycles now) const { return port_.can_send() && next_ <= now; }
    /// The first cycle in which the next may leave, if memory takes it.
    Cycles next() const { return next_; }
    void send(MemoryTransaction& transaction, Cycles now) {
        next_ = now + Cycles(1);
        port_.send(transaction, now);
    }

  private:
    RequestPort port_;
    Cycles next_;
};

}  // namespace gen9
