// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
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
#include "interconnect/payload/unanswered.h"

// Targets of messages have this in common: the sockets and the answers of any of them
// (MessagePorts); messages in flight, of those that work on several (MessageServer); their requests
// of lines (LineRequests), with the order in which those of several messages leave (RequestPath);
// the order of answers (DoneList) and their way back (ResponseBus).

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

/// How many messages a server works on at a time.
struct ServerRoom {
    std::uint64_t messages;
    std::uint64_t registers = ~std::uint64_t{0};  ///< of their responses, of all but the last
    std::uint64_t queue = ~std::uint64_t{0};      ///< of a port's messages that have not started
};

/// MessageServer: intake and flights of a shared function that works on several messages at a time,
/// in timed mode.
/// Role     keeps what has been announced; starts a message when it is there, its turn has come and
///          there is room for it; answers
/// Order    of a port by arrival, between ports by the arbiter, never by the order in which the
///          kernel ran the senders; or as the block chooses
/// Not here what a message means and how long it takes
///
/// `Flight` is made without zeros, for it may be large: who begins it sets what it needs.
template <class Flight>
class MessageServer {
  public:
    using Inbox = Intake<Message*>;

    MessageServer(MessageSockets& sockets, const Environment& env, const Clock& clock,
                  Arbiter arbiter, unsigned ports, ServerRoom room, Wakeup& wakeup)
        : ports_(sockets, env, clock),
          inbox_(std::move(arbiter), ports),
          count_(ports),
          room_(room),
          clock_(clock),
          wakeup_(wakeup) {}

    /// Is told of each message when it is announced: what arrives when.
    std::function<void(unsigned port, Cycles arrival)> on_announced;

    /// Makes the sockets; `execute` takes the blocking form of functional mode.
    void open(std::function<void(Message&)> execute) {
        ports_.open(
            count_,
            [this](unsigned port, Message& message, const sc_core::sc_time& delay) {
                const Cycles arrival = clock_.after(delay);
                GEN9_CHECK(inbox_.queue(port).size() < room_.queue,
                           "a sender has more credits than the queue of its messages holds");
                inbox_.push(arrival, port, &message);
                if (auto* const unanswered = message.sender->unanswered) unanswered->announced();
                if (on_announced) on_announced(port, arrival);
                wakeup_.at(arrival + kArrival);
            },
            std::move(execute));
    }

    bool idle() const { return inbox_.empty() && in_flight_ == 0; }
    std::size_t queued() const { return inbox_.size(); }
    std::uint64_t in_flight() const { return in_flight_; }
    bool room() const { return in_flight_ < room_.messages && returning_ < room_.registers; }
    /// Is there a message that could have been looked at? What is said in a cycle is looked at in
    /// the next.
    bool arrived(Cycles now) const { return !inbox_.empty() && inbox_.earliest() < now; }
    /// May a message start, if one is there?
    bool can_start(Cycles now) const { return next_start_ <= now && room(); }

    /// Starts the next message, if there is one that may, and accepts it; else null. Call `busy`
    /// then.
    Flight* begin(Cycles now) {
        if (!can_start(now) || !arrived(now)) return nullptr;
        return &start(inbox_.choose(now - kArrival), now);
    }
    /// For a block with an order of its own: what waits, and the start of the message chosen. It
    /// has arrived before `now`.
    Inbox& inbox() { return inbox_; }
    const Inbox& inbox() const { return inbox_; }
    Flight& start(Inbox::Place place, Cycles now) {
        const auto queued = inbox_.take(place, now);
        ports_.tell(queued.port, *queued.item, tlm::END_REQ, now);
        Flight& flight = new_flight();
        flight.message = queued.item;
        flight.port = queued.port;
        flight.arrival = queued.arrival;
        returning_ += queued.item->response_length;
        return flight;
    }
    /// No message starts before a cycle.
    void busy(Cycles until) { next_start_ = until; }
    Cycles next_start() const { return next_start_; }
    /// Has the block run when the next message can start, if that is known.
    void wake_for_next() {
        if (!inbox_.empty() && room())
            wakeup_.at(std::max(inbox_.earliest() + kArrival, next_start_));
    }
    Flight& flight(std::uint64_t number) { return *flights_[number]; }
    /// The flight ends: its answer is at the EU at cycle `when`, or as soon as the notice allows. A
    /// block that ends flights beside its step, or has to look again, asks for the next cycle.
    void answer(Flight& flight, Cycles when) {
        free_flights_.push_back(&flight);
        --in_flight_;
        returning_ -= flight.message->response_length;
        if (auto* const unanswered = flight.message->sender->unanswered)
            unanswered->answered(ports_.noticed(when));
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
    Inbox inbox_;
    const unsigned count_;
    const ServerRoom room_;
    const Clock& clock_;
    Wakeup& wakeup_;
    std::vector<std::unique_ptr<Flight>> flights_;
    std::vector<Flight*> free_flights_;
    std::uint64_t in_flight_ = 0, returning_ = 0;
    Cycles next_start_;
};

/// Requests to memory, of lines or lanes: one in `interval` cycles.
class LineRequests {
  public:
    LineRequests(InitiatorSocket<MemoryProtocol>& socket, const Clock& clock, Wakeup& wakeup,
                 Cycles interval = Cycles(1))
        : port_(socket, clock), interval_(interval) {
        port_.on_room = [this, &clock, &wakeup] {
            next_ = std::max(next_, clock.now() + interval_);
            wakeup.at(next_);
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
        next_ = now + interval_;
        port_.send(transaction, now);
    }

  private:
    RequestPort port_;
    const Cycles interval_;
    Cycles next_;
};

/// A message that makes requests. Who begins it sets `ready`, `complete` and `requests`.
struct RequestFlight : MessageFlight {
    Cycles ready;     ///< its requests may leave from then on
    Cycles complete;  ///< latest answer so far
    unsigned requests = 0, sent = 0, answered = 0;
    unsigned target = 0;  ///< where its requests go, of a block with several targets
    RequestFlight *next = nullptr, *before = nullptr;  ///< in the list that it is in

    void begin(Cycles first_request) {
        ready = complete = first_request;
        sent = answered = 0;
        target = 0;
    }
    /// An answer is there at cycle `at`. Was it the last?
    bool take(Cycles at) {
        complete = std::max(complete, at);
        return ++answered == requests;
    }
};

/// The requests of flights to one target: in the order in which the flights began.
template <class Flight>
class RequestPath {
  public:
    RequestPath(InitiatorSocket<MemoryProtocol>& socket, const Clock& clock, Wakeup& wakeup,
                Cycles interval = Cycles(1))
        : requests_(socket, clock, wakeup, interval) {}

    template <class Answered>
    void on_response(Answered answered) {
        requests_.on_response(answered);
    }
    /// The flight has requests, one at least.
    void push(Flight& flight) {
        flight.next = nullptr;
        (first_ == nullptr ? first_ : last_->next) = &flight;
        last_ = &flight;
    }
    bool empty() const { return first_ == nullptr; }
    /// Would the target take a request in this cycle?
    bool open(Cycles now) const { return requests_.can_send(now); }
    /// The flight whose request leaves in this cycle, or null.
    Flight* sender(Cycles now) const {
        if (first_ == nullptr || first_->ready > now || !requests_.can_send(now)) return nullptr;
        return static_cast<Flight*>(first_);
    }
    /// Sends the flight's next request.
    void send(MemoryTransaction& transaction, Cycles now) {
        RequestFlight& flight = *first_;
        transaction.tag = std::uint64_t{flight.number} << 16 | flight.sent;
        if (++flight.sent == flight.requests) first_ = flight.next;
        requests_.send(transaction, now);
    }
    /// The target has taken the last request, and the next may leave at this cycle.
    bool taken() const { return requests_.taken(); }
    Cycles next() const { return requests_.next(); }
    /// When the next request leaves, if there is one and that is known. If the target has yet to
    /// take the last one, the block is run when it does.
    Cycles next_send(Cycles never) const {
        if (first_ == nullptr || !requests_.taken()) return never;
        return std::max(requests_.next(), first_->ready);
    }
    /// Whose request it was, and which.
    static std::uint64_t flight_of(const MemoryTransaction& transaction) {
        return transaction.tag >> 16;
    }
    static unsigned index_of(const MemoryTransaction& transaction) {
        return transaction.tag & 0xFFFF;
    }

  private:
    LineRequests requests_;
    RequestFlight *first_ = nullptr, *last_ = nullptr;
};

/// Flights whose last answer is known, by its cycle, then by target, then as they came: not by the
/// order in which the targets happened to call.
template <class Flight>
class DoneList {
  public:
    bool empty() const { return first_ == nullptr; }
    Flight& front() const { return *static_cast<Flight*>(first_); }
    void push(Flight& flight) {
        const auto later = [](const RequestFlight& a, const RequestFlight& b) {
            return a.complete != b.complete ? a.complete > b.complete : a.target > b.target;
        };
        // Most are the latest so far, or nearly.
        RequestFlight* before = last_;
        while (before != nullptr && later(*before, flight))
            before = before->before;
        RequestFlight*& next = before == nullptr ? first_ : before->next;
        flight.before = before;
        flight.next = next;
        (next == nullptr ? last_ : next->before) = &flight;
        next = &flight;
    }
    Flight& pop() {
        RequestFlight& flight = *first_;
        first_ = flight.next;
        (first_ == nullptr ? last_ : first_->before) = nullptr;
        return static_cast<Flight&>(flight);
    }

  private:
    RequestFlight *first_ = nullptr, *last_ = nullptr;
};

/// The way of answers back to the EUs: some registers of a response a cycle.
class ResponseBus {
  public:
    explicit ResponseBus(std::uint64_t registers_per_cycle) {
        for (std::size_t registers = 0; registers < cycles_.size(); ++registers)
            cycles_[registers] = static_cast<std::uint8_t>((registers + registers_per_cycle - 1) /
                                                           registers_per_cycle);
    }
    /// A response that could leave at cycle `from`: when it is there.
    Cycles send(Cycles from, unsigned registers) {
        return free_ = std::max(free_, from) + Cycles(cycles_[registers]);
    }

  private:
    std::array<std::uint8_t, 256> cycles_;  ///< by registers of the response
    Cycles free_;
};

}  // namespace gen9
