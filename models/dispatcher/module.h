// SPDX-License-Identifier: Apache-2.0
/// Dispatcher: thread dispatcher (module half; the rules are in core.h).
/// Role     takes batches of threads from fixed functions, gives them slots and sends them to EUs,
///          takes their ends, sets up barriers, saves and brings back threads
/// Sockets  request_in[n]   target     ThreadRequest    from the fixed functions; which of them are
///                                                      of one client is a setting
///          thread_out[n]   initiator  ThreadDispatch   one per EU, flat numbering; THREAD_ENDED to
///                                                      those with threads that depend on one
///          barrier_out[s]  initiator  memory           thread count of a barrier, at 4 * its id,
///                                                      to the gateway of a subslice (flat), 0:
///                                                      free; at 0x80 + 4 * id, non-blocking: its
///                                                      share of a global one, answered when it has
///                                                      arrived
///          slm_out[s]      initiator  memory           to the engine that saves a subslice's
///                                                      shared local memory (slm/save_engine.h);
///                                                      null where there is none
/// Params   params.h
/// Order    retirements before dispatches of a cycle; in a cycle threads of one client, which an
///          arbiter chooses; a client's requests in order; a group with barrier or SLM is sent
///          whole before another client is served, or has its places when its source has it wait
/// Not here what threads are made of (the clients)
/// Spec     TD-43..62, MED-33; 003:17338-17396
#pragma once
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/environment.h"
#include "dispatcher/core.h"
#include "dispatcher/global_barriers.h"
#include "dispatcher/interface.h"
#include "dispatcher/params.h"
#include "dispatcher/signals.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/payload/unanswered.h"

namespace gen9::dispatcher {

class Dispatcher : public sc_core::sc_module,
                   public DispatcherBlock,
                   private ThreadRelay,
                   private UnansweredMessages::Observer {
  public:
    Dispatcher(sc_core::sc_module_name name, Environment& env, const Clock& clock,
               const DispatcherSetup& setup);
    ~Dispatcher() override;

    std::vector<std::unique_ptr<TargetSocket<ThreadRequestProtocol>>> request_in;
    std::vector<std::unique_ptr<InitiatorSocket<DispatchProtocol>>> thread_out;
    std::vector<std::unique_ptr<InitiatorSocket<MemoryProtocol>>> barrier_out, slm_out;

    DispatcherSockets sockets() override;
    std::string describe_waiting() const override;
    const DispatcherCore& core() const { return core_; }

  private:
    static constexpr Cycles kNotOffered{~std::uint64_t{0}};
    /// A request socket.
    struct Port {
        unsigned client = 0;
        bool held_by_source = false;       ///< may_begin or may_send said so
        Cycles held_until = kNotOffered;   ///< it is offered again
        ThreadRequest* request = nullptr;  ///< without END_REQ
        Cycles ready;                      ///< it is there
        bool begun = false;                ///< its group has what it needs
        bool ends_request = false;         ///< END_REQ is being given
        SendState shown = SendState::kCount;
        Cycles waits_since;  ///< for room
        OpenGroup group, left_open;
        std::optional<Cycles> left_open_ends;  ///< it gets no more
        TraceId left_open_ended_by = 0;
        Cycles group_ready;  ///< the gateway has accepted the last barrier
    };
    /// The dispatcher remembers this of a thread while it runs.
    struct Running {
        ThreadRequest* request = nullptr;
        std::uint8_t port = 0;
        bool has_dependents = false;  ///< `dependents_` says in which EUs
        std::uint16_t followed = 0;   ///< threads before it that ended within this step of its EU
    };
    /// A gateway has reported that its share of a global barrier has arrived.
    struct Share {
        Cycles due;
        std::uint8_t subslice, barrier;
        auto operator<=>(const Share&) const = default;
    };

    void run();
    tlm::tlm_sync_enum on_request(unsigned port, ThreadRequest&, tlm::tlm_phase&,
                                  sc_core::sc_time&);
    void schedule(Cycles now);
    void show(Cycles now);
    /// Places on a subslice that no thread runs in yet.
    unsigned kept_places(unsigned subslice) const;

    // module_send.cpp
    void send(Cycles now);
    void end_left_open(Port& port);
    /// The group gets no more threads.
    void end_group(const Port& port, OpenGroup& group, TraceId cause);
    /// Returns true when a thread of the client was sent.
    bool serve_client(unsigned client, Cycles now);
    bool serve(Port& port, Cycles now);
    /// Groups of other clients that have begun get places for their threads to come.
    void keep_places(unsigned for_others_than);
    SendState begin(Port& port, Cycles now);
    /// Its source says what the request waits for, before it begins or a thread is sent.
    SendState ask(Port& port, SendState (ThreadSource::*may)(ThreadRequest&, Cycles), Cycles now);
    SendState send_thread(Port& port, Cycles now);
    /// The request's last thread has its slot.
    void end_request(Port& port);
    void respond_if_over(ThreadRequest& request, unsigned port);
    void tell(Port& port, SendState state, Cycles now);
    /// The client that must be served before any other; -1: there is none.
    int first_client(Cycles now) const;
    /// The subslices whose dispatchers can hold another thread.
    std::uint32_t ready_subslices(const ThreadRequest& request, Cycles now) const;
    Cycles load_queue(const ThreadRequest& request) const;
    /// The next cycle in which a dispatcher may have room for the open group.
    Cycles load_room(const Port& port, Cycles now) const;
    void launch(ThreadRequest& request, unsigned port, const ThreadPlace& place, Cycles now);
    /// Has the source fill in the thread of a slot that was granted.
    void make(Port& port, ThreadGrant& grant);
    void hand_over(ThreadDispatch& thread, sc_core::sc_time delay);
    unsigned index_of(const Port& port) const {
        return static_cast<unsigned>(&port - ports_.data());
    }

    // module_retire.cpp
    tlm::tlm_sync_enum on_thread(ThreadDispatch&, tlm::tlm_phase&, sc_core::sc_time&);
    bool may_retire(unsigned fftid, Cycles now) const;
    /// Functional mode: the slot's next thread begins within the end of its last, where that changes
    /// nothing for anyone else.
    bool next(ThreadDispatch& thread, Cycles at) override;
    const ThreadFollowers& followers(const ThreadDispatch& thread, unsigned most) override;
    void followed(ThreadDispatch& thread, unsigned count, Cycles at) override;
    void deal(const ThreadDispatch& thread, unsigned most, ThreadFollowers& dealt) override;
    void followed_dealt(ThreadDispatch& thread, unsigned count, Cycles at) override;
    void take_back(const ThreadDispatch& thread) override;
    /// Some threads of `next` have followed one another in the slot, and the first of them another.
    void count_followed(unsigned fftid, ThreadRequest& next, unsigned count);
    bool gives_next(const ThreadRequest& request, unsigned eu) const;
    /// How many more threads may follow so many in a slot. No more than its share of the work, so
    /// that all slots have as many; and one of its last threads.
    unsigned most_followers(const ThreadRequest& next, std::uint64_t followed) const {
        const std::uint64_t work = next.work_left != 0 ? next.work_left + next.sent : 0,
                            share = work / topology_.total_threads(),
                            most = std::min<std::uint64_t>(params_.back_to_back, share + 1);
        return most > followed ? static_cast<unsigned>(most - followed) : 0;
    }
    /// May the next thread of the port's request have the slot of one that ends, when it has begun?
    bool has_follower(const Running& ended, Cycles now) const;
    /// Asks for that thread; null: there is none, or too many have followed.
    Port* follower(const Running& ended, Cycles now);
    void all_answered(Cycles at) override { wakeup_.at(at); }
    void take_retirements(Cycles now);
    void retire(unsigned fftid, Cycles now);
    void tell_dependents(unsigned fftid);
    void note_dependencies(const ThreadDispatch& thread);
    Cycles next_retirement() const;

    // module_barriers.cpp
    Cycles announce(const Port& port, Cycles now);
    /// `cause`: what sets it up, or the thread whose end frees it.
    void set_barrier(unsigned subslice, unsigned barrier, unsigned count, TraceId cause,
                     sc_core::sc_time& delay);
    void free_barrier(const DispatcherCore::Retirement& freed, TraceId cause);
    /// Tells a gateway its share of a global barrier, or to complete the round and begin the next.
    void arm_barrier(unsigned subslice, unsigned barrier, unsigned share, TraceId cause,
                     sc_core::sc_time& delay);
    tlm::tlm_sync_enum on_share(unsigned subslice, tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                sc_core::sc_time&);
    void take_shares(Cycles now);

    // module_save.cpp
    void save(Cycles now);
    bool can_save() const;
    bool sends_group() const;
    void begin_saving(Cycles now);
    void end_saving(Cycles now);
    void note_alignment();
    void give_barriers_back(bool all);
    /// Tells the engines of some subslices to save or to restore shared local memory.
    void move_slm(std::uint32_t subslices, GpuAddr base, bool restore);
    bool slm_moving(Cycles now) const { return slm_moving_ != 0 || now < slm_moved_at_; }
    void keep_thread(unsigned fftid);
    void restore_slm(const ThreadRequest& request);
    void restore(Port& port, Cycles now);

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    DispatcherParams params_;
    DispatcherSignals signals_;
    DispatcherCore core_;
    MemoryPool barrier_pool_;
    TraceIds trace_ids_{TraceSource::Spawner};
    Wakeup wakeup_;

    std::vector<Port> ports_;
    unsigned asking_ = 0;  ///< of these, which have a request
    Arbiter arbiter_;
    std::vector<Cycles> offers_;  ///< when clients are to be asked again
    Cycles next_send_;            ///< the cycle threads left in is over
    /// Others were asked before a group has taken, or given up, what they wait for.
    bool ask_again_ = false;
    std::vector<Cycles> load_end_;  ///< per subslice: its dispatcher has loaded all it holds
    // By FFTID.
    std::vector<std::unique_ptr<ThreadDispatch>> threads_;  ///< reused
    std::vector<Running> running_;
    ThreadFollowers followers_;                   ///< that were asked for last
    std::vector<UnansweredMessages> unanswered_;  ///< of those whose request awaits messages
    static constexpr unsigned kEuWords = 4;       ///< words of 32 EUs
    std::vector<std::uint32_t> dependents_;       ///< and 32 EUs: threads there depend on it
    std::vector<std::uint64_t> retirements_;      ///< heap of cycle << 9 | FFTID, earliest first
    std::vector<std::uint16_t> held_ends_;        ///< threads that may not retire yet, in order
    GlobalBarriers global_barriers_;
    std::vector<Share> shares_;  ///< reported and not yet acted on

    /// A save of threads has come so far (kSaveRequest).
    enum class Saving : std::uint8_t { No, Asked, Threads, Slm } saving_ = Saving::No;
    ThreadSource* saver_ = nullptr;
    unsigned saver_client_ = 0;
    Cycles save_at_;
    const std::uint32_t saved_slm_;  ///< subslices with an engine that saves SLM
    std::uint32_t slm_to_save_ = 0;
    GpuAddr save_base_;
    bool alignment_noted_ = false;
    unsigned slm_moving_ = 0;  ///< engines at work
    Cycles slm_moved_at_;
    const ContextSaveLayout save_layout_;
};

}  // namespace gen9::dispatcher
