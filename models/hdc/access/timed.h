// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <bit>
#include <deque>
#include <vector>

#include "common/environment.h"
#include "hdc/access/access.h"
#include "hdc/access/bus.h"
#include "hdc/core.h"
#include "hdc/params.h"
#include "hdc/stats.h"
#include "interconnect/arbiter/arbiter.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/message_server.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::hdc {

/// The data port in time.
///
/// A message waits in the queue of its EU; one message starts per cycle, by default in order of
/// arrival. Messages of a thread held by a fence are passed over, except that SLM is accessed in
/// order of arrival all the same (L3-61): what a thread sends after a barrier finds the accesses to
/// SLM from before it done (DP-027). After the front end its requests leave in order of start, one
/// per cycle to L3 and one to SLM. Answers may come in any order; a message is answered when its
/// last request is.
///
/// Order of one thread's accesses to one address (DP-020) rests on that: requests leave in program
/// order, and L3 and SLM keep the order of one client's requests to one line.
class Timed {
  public:
    using MemorySocket = InitiatorSocket<MemoryProtocol>;

    Timed(Environment& env, const Clock& clock, const HdcParams& params, HdcStats& stats,
          HdcSignals& signals, Core& core, Bus& bus, MessagePorts& messages, MemorySocket& memory,
          MemorySocket& slm, unsigned eus);

    Wakeup wakeup;
    void receive(unsigned eu, Message& message, const sc_core::sc_time& delay);
    tlm::tlm_sync_enum answered(bool slm, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay);
    void step();
    bool idle() const { return flights_in_use_ == 0 && queued_ == 0; }

    /// Brings the counters of cycles up to now.
    void settle();

  private:
    static constexpr unsigned kSlots = 16;  ///< thread slots of an EU, with room
    static constexpr unsigned kMaxEus = 32;
    static constexpr unsigned kMemory = 0, kSlm = 1;

    struct ThreadState;
    /// A message that has started and is not answered.
    struct Flight {
        Message* message = nullptr;
        ThreadState* owner = nullptr;
        Cycles ready;                               ///< its requests may leave from then on
        Cycles complete;                            ///< latest answer so far
        Flight *next = nullptr, *before = nullptr;  ///< in the list that it is in
        unsigned number = 0;
        unsigned requests = 0, sent = 0, answered = 0;
        std::uint8_t eu = 0, path = kMemory;
        bool fence = false;
        Access access;
    };
    /// Flights whose requests leave, in order of start.
    class SendingList {
      public:
        bool empty() const { return first_ == nullptr; }
        Flight& front() const { return *first_; }
        void push(Flight& flight) {
            flight.next = nullptr;
            (first_ == nullptr ? first_ : last_->next) = &flight;
            last_ = &flight;
        }
        void pop() { first_ = first_->next; }

      private:
        Flight *first_ = nullptr, *last_ = nullptr;
    };
    /// Messages whose last answer is known, by cycle, then by path, then as they came: not by the
    /// order in which L3 and SLM happened to call.
    class DoneList {
      public:
        bool empty() const { return first_ == nullptr; }
        Flight& front() const { return *first_; }
        void push(Flight& flight);
        Flight& pop();

      private:
        Flight *first_ = nullptr, *last_ = nullptr;
    };
    struct Waiting {
        Message* message;
        Cycles arrival;
    };
    /// The messages of an EU that have not started, oldest first.
    class Queue {
      public:
        void reserve(std::size_t depth) { ring_.resize(std::bit_ceil(depth)); }
        unsigned size() const { return size_; }
        const Waiting& operator[](unsigned i) const { return ring_[place(i)]; }
        void push(const Waiting& waiting) { ring_[place(size_++)] = waiting; }
        Message& take(unsigned index);

      private:
        std::size_t place(unsigned i) const { return (head_ + i) & (ring_.size() - 1); }
        std::vector<Waiting> ring_;
        unsigned head_ = 0, size_ = 0;
    };
    /// A message in a queue: which EU's, and its place there.
    struct Pick {
        static constexpr unsigned kNone = kMaxEus;
        unsigned eu = kNone, index = 0;
    };
    /// One way out: to L3 or to SLM.
    struct Path {
        MemorySocket* socket = nullptr;
        SendingList sending;
        MemoryTransaction* unaccepted = nullptr;
        /// The next request may leave: in the cycle after the last END_REQ, which is kNever while
        /// that has not come.
        Cycles open;
    };
    struct ThreadState {
        unsigned outstanding = 0;  ///< messages started and not answered, fences apart
        Flight* fence = nullptr;   ///< waits for them; later messages are held
    };

    void finish_done(Cycles now);
    void finish_fence(Flight& flight, Cycles now);
    void start_message(Cycles now);
    Pick pick(Cycles now);
    Pick pick_with_care(Cycles now);
    void launch(Pick pick, Cycles now);
    bool can_send(const Path& path, Cycles now) const;
    void send_request(unsigned path, Cycles now);
    void accept(Path& path, Cycles cycle);
    void take_answer(MemoryTransaction& transaction, Cycles cycle);
    void done(Flight& flight);
    void answer(Flight& flight, Cycles now);
    void account(Cycles now);
    void plan_next(Cycles now);
    [[gnu::cold]] void show(Cycles now) const;
    [[gnu::cold]] void show_start(const Message& message, unsigned eu, Cycles now) const;
    Activity activity(Cycles now) const;
    Cycles next_start_of_message(Cycles now) const;
    bool full() const {
        return flights_in_use_ >= messages_in_flight_ || returning_ >= return_registers_;
    }
    bool arrived(Cycles now) const;
    bool any_free(Cycles now) const;
    bool held(unsigned eu, const Message& message) const;
    bool overtakes_slm(const Waiting& candidate) const;
    static unsigned slot_of(const Message& message) {
        return message.sender->place.slot.value % kSlots;
    }
    ThreadState& thread(unsigned eu, const Message& message);
    Flight& new_flight();
    void give_back(Flight& flight);
    void launch_other(Flight& flight);

    Environment& env_;
    const Clock& clock_;
    HdcStats& stats_;
    HdcSignals& signals_;
    Core& core_;
    Bus& bus_;
    MessagePorts& messages_;
    std::array<Path, 2> paths_;

    // Parameters, read for every message.
    const unsigned queue_depth_, messages_in_flight_, return_registers_;
    const Cycles front_end_, start_, request_, return_, surface_miss_;
    const RequestList::Channels write_channels_;
    const unsigned batch_bytes_;
    const Cycles notice_;
    std::array<std::uint8_t, 256> writeback_;      ///< cycles, by registers of the response
    std::array<Counter*, kActivities> cycles_of_;  ///< by what they were spent on

    Arbiter arbiter_;    ///< of the EUs' queues
    const bool by_age_;  ///< it takes the oldest message: no access to SLM overtakes another
    std::vector<Queue> queues_;                  ///< by EU
    std::uint32_t queued_eus_ = 0;               ///< those with a message in their queue
    std::array<Cycles, kMaxEus> first_arrival_;  ///< of the queues that are not empty
    std::vector<ThreadState> threads_;
    std::vector<Flight> flights_;
    Flight* free_flights_ = nullptr;
    DoneList done_;
    unsigned flights_in_use_ = 0, queued_ = 0;
    unsigned returning_ = 0;  ///< registers of the responses of flights
    unsigned fences_ = 0;     ///< started and not answered
    Cycles next_start_;
    Cycles writeback_free_;
    Cycles accounted_;  ///< cycles before this one have been counted
    Activity activity_ = Activity::Idle;
    bool sent_ = false;      ///< a request left in the cycle `accounted_`
    bool accepted_ = false;  ///< and it was taken, so that the next may leave in the next cycle
};

}  // namespace gen9::hdc
