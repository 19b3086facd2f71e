// SPDX-License-Identifier: Apache-2.0
// Clients of a thread dispatcher with the EUs and gateways behind it, played: seeded random
// requests, every rule looked at from outside. What was broken is in `findings`.
#pragma once
#include <deque>
#include <list>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "interconnect/kernel/thread_request_protocol.h"
#include "tests/support/contract.h"

namespace gen9::test {

namespace rule {
inline constexpr const char* kAllSent = "a request ended before its last thread had a slot";
inline constexpr const char* kAllRetired = "a request was answered before its threads had retired";
inline constexpr const char* kNumber = "threads of a request were not made one after the other";
inline constexpr const char* kSlot = "a slot was given to two threads at a time";
inline constexpr const char* kLimit = "a client had more threads than its limit";
inline constexpr const char* kPlace = "a thread went where its request does not allow it";
inline constexpr const char* kGroup = "threads of a group were not kept together";
inline constexpr const char* kBarrier = "two groups had one barrier, or one not set up for them";
inline constexpr const char* kSlm = "two groups had the same shared local memory";
inline constexpr const char* kRegisters = "an EU has given more registers than it has";
inline constexpr const char* kAsked = "a source was asked where it need not be, or not asked";
inline constexpr const char* kBegan = "a source was not told that its request began";
inline constexpr const char* kPace = "more threads left in a cycle than may";
inline constexpr const char* kLoaded = "a request's payload was loaded before the request came";
inline constexpr const char* kFollows =
    "a thread followed another where it may not, or more often than it may";
inline constexpr const char* kHeld = "a barrier was kept after its group had ended";
}  // namespace rule

/// What is asked for at one socket, again and again.
struct ThreadTraffic {
    unsigned client = 0;  ///< whose socket it is
    unsigned requests = 100;
    unsigned least_threads = 1, most_threads = 1;  ///< of a request
    std::uint32_t max_threads = 1000;              ///< of the client
    unsigned lifetime = 60;                        ///< of a thread at most
    unsigned pause = 0;                            ///< between requests at most
    bool at_once = false;  ///< the next request is begun within the END_REQ of the last
    unsigned registers = 0;
    // Each at random, for a request.
    bool groups = false;   ///< within a subslice, with a barrier, SLM or both
    bool machine = false;  ///< a barrier over all subslices
    bool parts = false;    ///< groups come in several requests, or are ended before their time
    bool open = false;     ///< the source says which thread is the last
    bool places = false;   ///< some subslices and EUs only
    bool waits = false;    ///< the source has it wait, or withdraws it
    /// Threads without groups may follow one another; four requests in a row are of one work.
    bool back_to_back = false;
};

class ThreadContract : public sc_core::sc_module {
  public:
    std::deque<InitiatorSocket<ThreadRequestProtocol>> request_out;  ///< as the traffic
    std::deque<TargetSocket<DispatchProtocol>> thread_in;            ///< by EU
    std::deque<TargetSocket<MemoryProtocol>> barrier_in;             ///< by subslice
    Findings findings;

    /// What a dispatcher may give out.
    struct Machine {
        ThreadTopology topology{1, 2, 4, 7};
        unsigned registers = 0;  ///< of an EU
        unsigned slm_kb = 64;    ///< of a subslice
        unsigned a_cycle = 1;    ///< threads that leave; 0: any number
        /// Threads that may follow one another in a slot whose EU takes the next at once, as most
        /// do; 0: none takes it.
        unsigned back_to_back = 0;
    };
    ThreadContract(sc_core::sc_module_name name, const Clock& clock, const Machine& machine,
                   const std::vector<ThreadTraffic>& traffic, std::uint32_t seed);

    /// Nobody asks for more.
    void stop() { stopped_ = true; }
    bool finished() const;
    /// After the run: every request was ended and answered, and what groups had is back.
    void end();

    struct Sent {
        unsigned request, thread;
        std::uint16_t fftid;
        Cycles at;
        auto operator<=>(const Sent&) const = default;
    };
    /// The threads that were asked for at a socket.
    const std::vector<Sent>& sent(unsigned sender) const { return senders_[sender].sent; }
    unsigned answered(unsigned sender) const { return senders_[sender].answered; }
    /// From when nothing but the machine held a request back, to its END_REQ.
    Cycles longest_wait(unsigned sender) const { return senders_[sender].longest_wait; }
    unsigned most_live(unsigned client) const { return clients_[client].most; }
    /// Threads that followed another at once.
    unsigned followed() const { return followed_; }

  private:
    /// A group with a barrier or shared local memory.
    struct Held {
        unsigned threads = 0, made = 0, retired = 0;
        bool complete = false;  ///< no more come
        bool has_barrier = false, machine = false;
        unsigned barrier = 0, slm = 0, slm_granule = 0, slm_kb = 0;
        std::map<unsigned, unsigned> on;  ///< threads made, by subslice
        /// At its barrier, which all must reach, and when each could end.
        std::vector<std::pair<Cycles, ThreadDispatch*>> waiting;
        bool whole() const { return complete || made == threads; }
    };
    using HeldGroup = std::list<Held>::iterator;
    struct Request : ThreadRequest {
        unsigned number = 0, want = 0;  ///< threads
        bool in_use = false, ended = false, began = false, asked = false;
        unsigned withdraws_at = ~0u, waits_at = ~0u;  ///< the thread, 0: before it begins
        bool waits = false, waited = false;           ///< it began to, it is over
        Cycles asked_at;
        Cycles free_at;  ///< nothing but the machine holds it back
        bool grouped = false;
        HeldGroup held;
    };
    struct Sender : ThreadSource {
        ThreadContract* contract = nullptr;
        unsigned index = 0;
        ThreadTraffic traffic;
        std::mt19937 random;
        std::unique_ptr<Wakeup> wakeup;
        std::deque<Request> requests;
        std::vector<Request*> free;
        Request* pending = nullptr;  ///< without END_REQ
        Cycles offers_at;            ///< when it is to be offered again; 0: no need
        Cycles next_at;
        bool group_open = false;  ///< more of it is to be asked for
        HeldGroup open_group;
        unsigned asked = 0, answered = 0;
        std::vector<Sent> sent;
        Cycles longest_wait;

        void process() { contract->process(*this); }
        void make(ThreadRequest& r, const ThreadGrant& grant, ThreadDispatch& thread) override {
            contract->make(*this, static_cast<Request&>(r), grant, thread);
        }
        SendState may_begin(ThreadRequest& r, Cycles now) override {
            return contract->may(*this, static_cast<Request&>(r), now);
        }
        SendState may_send(ThreadRequest& r, Cycles now) override {
            return contract->may(*this, static_cast<Request&>(r), now);
        }
        bool make_next(ThreadRequest& last, ThreadRequest& next, ThreadDispatch& thread,
                       Cycles) override {
            return contract->make_next(*this, static_cast<Request&>(last),
                                       static_cast<Request&>(next), thread);
        }
        void began(ThreadRequest& r, Cycles) override { static_cast<Request&>(r).began = true; }
        void retired(ThreadRequest& r, const ThreadDispatch& thread, Cycles) override {
            contract->retired(*this, static_cast<Request&>(r), thread);
        }
    };
    struct Client {
        unsigned live = 0, most = 0;
    };
    struct Running {
        ThreadDispatch* thread = nullptr;
        unsigned registers = 0;
        Held* with_barrier = nullptr;
        unsigned followed = 0;  ///< threads before it in the slot, each at once
    };
    struct Gateway {
        std::map<unsigned, unsigned> armed;                    ///< threads, by barrier
        std::map<unsigned, tlm::tlm_generic_payload*> rounds;  ///< shares of global barriers
    };

    void process(Sender& sender);
    void ask(Sender& sender);
    void choose_group(Sender& sender, Request& request);
    SendState may(Sender& sender, Request& request, Cycles now);
    void make(Sender&, Request&, const ThreadGrant&, ThreadDispatch&);
    bool make_next(Sender&, Request& last, Request& next, ThreadDispatch&);
    void check_group(Request& request, const ThreadGrant& grant);
    void retired(Sender&, Request&, const ThreadDispatch&);
    void end_if_over(HeldGroup held);
    tlm::tlm_sync_enum answer(Sender&, ThreadRequest&, tlm::tlm_phase&);
    tlm::tlm_sync_enum dispatched(unsigned eu, ThreadDispatch&, tlm::tlm_phase&, sc_core::sc_time&);
    void pass_barrier(Held& held);
    void end_threads();
    void set_barrier(unsigned subslice, tlm::tlm_generic_payload& write, sc_core::sc_time& delay);
    tlm::tlm_sync_enum share(unsigned subslice, tlm::tlm_generic_payload& write, tlm::tlm_phase&);
    bool chance(Sender& sender, bool may) { return may && sender.random() % 2 == 0; }

    const Clock& clock_;
    const Machine machine_;
    std::deque<Sender> senders_;
    std::vector<Client> clients_;
    std::list<Held> held_;
    std::map<std::pair<unsigned, unsigned>, Held*> barriers_;  ///< by subslice and barrier
    std::vector<Running> running_;                             ///< by FFTID
    std::vector<unsigned> registers_;                          ///< given out, by EU
    std::deque<Gateway> gateways_;
    std::multimap<Cycles, ThreadDispatch*> ends_;
    Wakeup ends_wakeup_;
    PipelineStatePtr state_ = std::make_shared<PipelineState>();
    Cycles left_at_;
    unsigned left_ = 0, followed_ = 0;
    bool stopped_ = false;
};

}  // namespace gen9::test
