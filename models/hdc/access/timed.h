// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "common/cycle_account.h"
#include "common/environment.h"
#include "hdc/access/access.h"
#include "hdc/access/socket_memory.h"
#include "hdc/core.h"
#include "hdc/params.h"
#include "hdc/stats.h"
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
          HdcSignals& signals, Core& core, SocketMemory& socket_memory, MessageSockets& messages,
          MemorySocket& memory, MemorySocket& slm, unsigned eus);

    Wakeup wakeup;
    /// Makes the message sockets; `execute` takes the blocking form of functional mode.
    void open(std::function<void(Message&)> execute) { server_.open(std::move(execute)); }
    void step();
    bool idle() const { return server_.idle(); }

    /// Brings the counters of cycles up to now.
    void settle() { account_.settle(clock_.now()); }

  private:
    static constexpr unsigned kSlots = 16;  ///< thread slots of an EU, with room
    static constexpr unsigned kMaxEus = 32;
    enum Target : unsigned { kMemory, kSlm };

    struct ThreadState;
    struct Flight : RequestFlight {
        ThreadState* owner = nullptr;
        bool fence = false;
        Access access;
    };
    using Server = MessageServer<Flight>;
    using Path = RequestPath<Flight>;
    struct ThreadState {
        unsigned outstanding = 0;  ///< messages started and not answered, fences apart
        Flight* fence = nullptr;   ///< waits for them; later messages are held
    };

    void finish_done(Cycles now);
    void finish_fence(Flight& flight, Cycles now);
    void start_message(Cycles now);
    bool pick(Cycles now, Server::Inbox::Place& place);
    bool pick_with_care(Cycles now, Server::Inbox::Place& place);
    void launch(Server::Inbox::Place place, Cycles now);
    void launch_other(Flight& flight);
    void send_request(Target target, Cycles now);
    void take_answer(MemoryTransaction& transaction, Cycles cycle);
    void done(Flight& flight);
    void answer(Flight& flight, Cycles now);
    void plan_next(Cycles now);
    [[gnu::cold]] void show(Cycles now) const;
    [[gnu::cold]] void show_start(const Message& message, unsigned eu, Cycles now) const;
    Activity activity(Cycles now) const;
    Cycles next_start_of_message(Cycles now) const;
    bool any_free(Cycles now) const;
    bool held(unsigned eu, const Message& message) const;
    bool overtakes_slm(unsigned eu, unsigned index) const;
    Signal& requests_of(unsigned target) const {
        return target == kSlm ? signals_.slm_requests : signals_.lines;
    }
    static unsigned slot_of(const Message& message) {
        return message.sender->place.slot.value % kSlots;
    }

    const Clock& clock_;
    HdcStats& stats_;
    HdcSignals& signals_;
    Core& core_;
    SocketMemory& socket_memory_;

    // Parameters, read for every message.
    const Cycles front_end_, start_, return_, surface_miss_;
    const RequestList::Channels write_channels_;
    const unsigned batch_bytes_;
    const bool
        by_age_;  ///< the arbiter takes the oldest message: no access to SLM overtakes another

    Server server_;
    std::array<Path, 2> paths_;
    DoneList<Flight> done_;
    ResponseBus responses_;
    CycleAccount<Activity, kActivities, Activity::Idle> account_;
    std::vector<ThreadState> threads_;
    unsigned fences_ = 0;  ///< started and not answered
    bool sent_ = false;    ///< a request left in this cycle
    bool asked_ = false;   ///< and it was taken, so that the port runs in the next
};

}  // namespace gen9::hdc
