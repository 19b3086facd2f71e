// SPDX-License-Identifier: Apache-2.0
/// Media: video front end and thread spawner, the thread dispatcher's client for walkers and media
/// objects (module half; the rules are in walk/front_end.h and walk/walk_cursor.h).
/// Role     takes media/GPGPU commands in order, reads descriptors and payload, asks for threads,
///          makes their payload, counts them home, answers commands and messages
/// Sockets  command_in      target     PipelineCommand  from the command streamer
///          mem_out         initiator  memory           descriptors, CURBE, indirect data; blocking
///          child_out       initiator  ThreadRequest    child threads, which go first
///          request_out     initiator  ThreadRequest    walkers and root threads: a group each, or
///                                                   all of a walker's that share nothing
///          msg_in[n]       target     Message          function 7, one per EU
/// Params   params.h
/// Order    commands in order; groups in walker order; child threads before root threads
/// Not here slots, registers, barriers, SLM (dispatcher/)
/// Spec     TD-01..TD-42, MED-05..62; 003:17140-17396, 003:17494-18190
#pragma once
#include <bitset>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/message_server.h"
#include "interconnect/payload/direct_message.h"
#include "media/interface.h"
#include "media/params.h"
#include "media/signals.h"
#include "media/stats.h"
#include "media/timing_choice.h"
#include "media/walk/front_end.h"
#include "media/walk/group_request.h"
#include "media/walk/spawner_message.h"
#include "media/walk/walk_cursor.h"

namespace gen9::media {

/// Says which command a report speaks of.
std::string command_place(const PipelineCommand& command);

class Media : public sc_core::sc_module,
              public MediaBlock,
              private ThreadSource,
              private DirectFunction {
  public:
    Media(sc_core::sc_module_name name, Environment& env, const Clock& clock,
          const MediaSetup& setup);
    ~Media() override;

    TargetSocket<CommandProtocol> command_in{"command_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> child_out{"child_out"}, request_out{"request_out"};
    MessageSockets msg_in;

    MediaSockets sockets() override;
    std::optional<Timing> wanted_timing() const override;
    void change_timing() override { offer_again(control_, clock_.now() + Cycles(1)); }
    std::string describe_waiting() const override;
    std::vector<WorkRecord> unfinished() const override;
    void settle() override { account(clock_.now()); }
    std::uint64_t progress() const override {
        return stats_.threads.value() + stats_.threads_retired.value();
    }
    const MediaStats& stats() const { return stats_; }

  private:
    void end_of_simulation() override { settle(); }

    /// Reads through mem_out, adding up the time it takes; writes to the URB the same way.
    class PortReader : public MemoryReader {
      public:
        explicit PortReader(Media& media) : media_(media) { payload_.set_extension(&attributes_); }
        ~PortReader() override { payload_.clear_extension(&attributes_); }
        bool read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) override;
        bool look(GpuAddr address, std::span<std::uint8_t> data) override;
        /// Moves bytes of the save area, as the data port does what a system routine asks for.
        /// Assumed: L3 keeps none of it.
        bool move_saved(tlm::tlm_command command, GpuAddr address, std::span<std::uint8_t> data);
        sc_core::sc_time delay;
        /// All accesses are for a command.
        void serve(TraceId cause) { attributes_.trace_id = cause; }
        TraceId cause() const { return attributes_.trace_id; }
        /// The front end loads into the URB, where threads may read it (URB-02).
        void put_in_urb(std::uint32_t address, std::span<std::uint8_t> data);
        /// Threads have left this there for a thread they call for; beyond its end it is zero.
        void get_from_urb(std::uint32_t address, std::span<std::uint8_t> data, TraceId cause);

      private:
        void set_up(tlm::tlm_command command, std::uint64_t address, std::span<std::uint8_t> data);
        sc_core::sc_time transport(tlm::tlm_command command, std::uint64_t address,
                                   std::span<std::uint8_t> data);
        Media& media_;
        MemoryAttributes attributes_;
        tlm::tlm_generic_payload payload_;
    };

    /// The command at hand has come so far.
    enum class Stage : std::uint8_t {
        Received,
        Loaded,
        Requested,  ///< its first threads are asked for
        Walking,
    };

    /// Work with threads running or still to be sent.
    struct Run {
        PipelineCommand* command = nullptr;
        WorkRecord record;
        std::uint64_t outstanding = 0;
        bool all_sent = false;
        std::optional<unsigned> urb_entry;  ///< it holds until its end
        /// The front end's, when it began: no other command is at hand until all is sent.
        std::array<std::uint64_t, kSendStates> activity{};
    };
    /// A request, and the work that its threads are of.
    struct Request : ThreadRequest {
        unsigned run = 0;
        bool child = false;
    };
    /// A thread has this while it runs.
    struct Running {
        unsigned run = 0;
        Cycles since;
        bool live = false;
        bool child = false;
        bool has_children = false;  ///< it holds its command's URB entry until it gives it back
        bool ended_here = false;    ///< its end came by a message to the spawner
        bool held = false;          ///< its end waits behind spawn messages
        const ThreadDispatch* dispatch = nullptr;
    };
    /// A thread that a message has called for.
    struct Spawn {
        SpawnerMessage message;
        Cycles due;
        std::uint16_t eu = 0;  ///< of the sender
        unsigned run = 0;      ///< of the sender
        PipelineStatePtr state;
        std::int64_t context_start = 0;
        std::string place;       ///< of the sender, for reports
        unsigned registers = 0;  ///< Walk::registers of a child thread
    };
    /// The persistent root thread (MED-03, MED-51): there is one at most.
    struct Prt {
        bool live = false;
        std::uint16_t fftid = 0;
        bool fence = false;
        bool fence_vfe = false;  ///< it holds VFE, not the root threads
        bool released = false;
        Cycles release;  ///< when
    };
    struct Arrival {
        Cycles arrival;
        PipelineCommand* command;
    };
    struct Answer {
        PipelineCommand* command;
        tlm::tlm_phase phase;
    };
    struct PendingMessage {
        Cycles due;
        std::uint16_t eu;
        Message* message;
    };

    // module.cpp: the process, and commands up to their first thread.
    void run();
    void step(Cycles now);
    void advance_commands(Cycles now);
    /// One step of the command at hand; false when it must wait.
    bool advance(Cycles now);
    bool start_command(Cycles now);
    bool start_flush();
    void schedule(Cycles now);
    void refuse(const Refusal& refusal);
    /// These put the answer down for answer_commands(), which the process calls.
    void accept_command();
    void finish_command(PipelineCommand& command);
    /// Says what commands are to be told, in the process: the streamer knows the kernel's time.
    void answer_commands();
    tlm::tlm_sync_enum on_command(PipelineCommand&, tlm::tlm_phase&, sc_core::sc_time&);
    /// Threads read behind what has been read for the last command (Assumed).
    PortReader& reader_for_threads();
    /// Counts and shows what is done by now.
    void update(Cycles now);
    void account(Cycles now);
    void show(Cycles now);
    /// So many more entries are free from a cycle on.
    void show_urb_entries(int more, Cycles at) { signals_.free_urb_entries.add(more, at); }
    std::int64_t picoseconds() const;

    // module_work.cpp: requests, and threads as the dispatcher asks for them.
    void make(ThreadRequest&, const ThreadGrant&, ThreadDispatch&) override;
    bool make_next(ThreadRequest& last, ThreadRequest& next, ThreadDispatch&, Cycles at) override;
    void foresee(const ThreadRequest& next, const ThreadDispatch&, unsigned most,
                 ThreadFollowers&) override;
    void make_foreseen(ThreadRequest& next, unsigned count, ThreadDispatch&, Cycles at) override;
    void deal(const ThreadRequest& next, const ThreadDispatch&, unsigned eu, unsigned most,
              ThreadFollowers&) override;
    void make_dealt(ThreadRequest& next, unsigned eu, unsigned count, ThreadDispatch&,
                    Cycles at) override;
    void take_back(unsigned eu) override;
    SendState may_begin(ThreadRequest&, Cycles now) override;
    SendState may_send(ThreadRequest&, Cycles now) override;
    void began(ThreadRequest&, Cycles now) override;
    void shows(ThreadRequest&, SendState, Cycles now) override;
    void ended(ThreadRequest&, const ThreadDispatch&) override;
    bool may_retire(const ThreadDispatch&, Cycles now) override;
    void retired(ThreadRequest&, const ThreadDispatch&, Cycles now) override;
    tlm::tlm_sync_enum on_request(ThreadRequest&, tlm::tlm_phase&, sc_core::sc_time&);
    /// Asks for the threads of the walk at hand, which may begin at a cycle.
    void request_walk(Cycles at);
    /// Asks for the walk's next group.
    void request_group();
    void send_request(Request& request, Cycles at);
    Request& new_request();
    void offer_again(Request& request, Cycles at);
    SendState start_walk(Cycles now);
    WorkRecord record_of(const Walk& walk) const;
    void make_root(Request&, const ThreadGrant&, ThreadDispatch&);
    void make_child_thread(Request&, const ThreadGrant&, ThreadDispatch&);
    /// Is the request for all groups of the walk, and not for one?
    bool spans_groups(const ThreadRequest& request) const;
    /// So many threads of the walker's group have been made, behind `sent` of their request.
    void pass_threads(ThreadRequest& request, unsigned sent, unsigned threads);
    /// May others be told of the walker's next threads before they are made?
    bool may_foresee(const ThreadDispatch& thread) const;
    /// The threads from a place on, of one group, are made in the slot of `thread`.
    void count_made(Run& run, const WalkerCursor& at, unsigned threads, ThreadDispatch& thread);
    /// Says so in the request if its last thread has been made.
    void look_for_end(ThreadRequest& request, unsigned sent) const;
    /// May threads of a walk follow one another in their slots?
    bool relays(const ThreadDispatch& thread, Cycles at) const;
    /// The thread is one of a run's from now on.
    void count_thread(unsigned run, ThreadDispatch& thread);
    void count_sent(Run& run, const ThreadDispatch& thread);
    static void count_ended(Run& run, const ThreadDispatch& thread);
    /// The thread of a slot has ended, and another follows it.
    void count_followed(Running& running, const ThreadDispatch& thread, Cycles at);
    /// The walk's last thread has been sent, or what was left of it is not.
    void finish_walk(Cycles now);
    /// The walk's last thread has been sent: its entry comes back when all have read it.
    void release_urb_entry(Cycles now);
    void end_run(unsigned index, Cycles now);
    /// The run's cycles up to now are counted by what the front end was at.
    void count_sending(const Run& run, WorkRecord& record) const;
    /// The walker at hand ends here, as the streamer has asked (kStopWalk).
    bool stop_walk(Cycles now, bool inside);

    // module_timing.cpp
    /// Must the walk, or its next group, wait for the machine to change its mode?
    bool walk_waits();
    bool group_waits();
    bool waits_for_timing();

    // module_media.cpp: media objects, child threads, scoreboard, messages.
    /// A media command, a flush or a state command must wait for this before anything else.
    SendState held_back(FrontEnd::Kind kind) const;
    std::optional<Refusal> prepare_media();
    void check_group(const Walk& walk);
    void media_thread_sent(unsigned fftid, const ScoreboardRequest& request);
    SendState media_thread_waits() const;
    void add_dependencies(ThreadDispatch& thread, const ScoreboardRequest& request);
    /// Spawns are carried out in the order of time and EU, in whatever order they are announced.
    void queue(std::deque<Spawn>& spawns, Spawn spawn) const;
    void take_spawn(const Message& message, const SpawnerMessage& spawn, Cycles due);
    void dereference(const SpawnerMessage& message, const std::string& place, Cycles now);
    std::vector<std::uint8_t> rows_from_urb(const SpawnerMessage& message, unsigned rows);
    /// Registers that a child thread is loaded with: its parent's rows, R0 among them, and its
    /// descriptor's.
    unsigned child_rows(const SpawnerMessage& message) const;
    unsigned child_registers(const SpawnerMessage& message, const PipelineState& state);
    void request_child();
    /// Do ends of threads wait behind spawn messages (MED-58: 003:18153-18159)?
    bool queue_full(Cycles now) const;
    void drop_media_state();
    void report_left_overs();
    std::string describe_media() const;
    void on_message(unsigned eu, Message& message, const sc_core::sc_time& delay);
    void execute_message(Message&, Cycles due);
    class EndSite;
    std::unique_ptr<DirectSite> site(const SendForm& form) override;
    /// Does what the message of an end would, if it names what its thread was given: R0. False:
    /// nothing was done.
    bool end_thread(unsigned fftid, const Grf& payload);
    void answer_messages(Cycles now);

    // module_save.cpp: walkers that are stopped inside their groups.
    bool can_save() const override;
    void saving(bool on, Cycles now) override;
    void save(ThreadRequest&, const ThreadDispatch&, const SavedThread&) override;
    void lost(ThreadRequest&, const char* where, const char* why) override;
    bool has_saved() const;
    void keep_threads_only(PipelineCommand& command);
    void fetch_saved(const PipelineCommand& command);
    void make_saved(const ThreadGrant&, ThreadDispatch&);

    Environment& env_;
    const Clock& clock_;
    const ThreadTopology topology_;
    MediaParams params_;
    MediaStats stats_;
    MediaSignals signals_;
    FrontEnd front_end_;
    PortReader reader_;
    PortReader thread_reader_;  ///< for threads that the dispatcher asks for
    Wakeup wakeup_;

    std::deque<Arrival> inbox_;
    PipelineCommand* command_ = nullptr;
    Stage stage_ = Stage::Received;
    Cycles ready_at_;
    std::vector<Answer> answers_;
    Cycles next_send_;  ///< the cycle threads left in is over

    // The walk at hand.
    Walk walk_;
    WalkCursor cursor_;
    unsigned run_ = 0;
    Cycles payload_read_;           ///< by its threads sent so far
    std::optional<Timing> timing_;  ///< of it or its group at hand, when it has been asked for
    bool timing_agreed_ = false;    ///< of the group that is to be opened
    std::uint64_t groups_sent_ = 0;
    std::vector<WalkerPart> dealt_;  ///< by EU of the machine: threads that it was given in advance
    unsigned dealt_threads_ = 0;     ///< in all of these
    LiveDescriptor live_descriptor_;
    HeldGroup held_;

    const PipelineCommand* to_stop_ = nullptr;
    Cycles stop_at_;
    bool saving_ = false;
    std::vector<PipelineCommand*> ended_;  ///< commands, answered when all is saved
    const ContextSaveLayout save_layout_;
    std::array<std::uint32_t, WalkerRest::kThreadDwords> saved_{};  ///< by FFTID
    std::vector<RestoredThread> restored_;  ///< fetched for the walk at hand

    std::deque<Request> requests_;
    std::vector<Request*> free_requests_;
    Request control_;                   ///< the payload of phases that are said of no request
    Request* child_request_ = nullptr;  ///< for the next child thread
    std::vector<Run> runs_;
    std::vector<unsigned> free_runs_;
    /// MEDIA_VFE_STATE's reset of the relative clock, and the context it was for.
    struct TimerReset {
        std::int64_t context_start = 0, at = 0;  ///< picoseconds
    } timer_reset_;
    std::vector<Running> running_;  ///< by FFTID
    unsigned live_ = 0;             ///< threads that run
    MessagePorts ports_{msg_in, env_, clock_};
    std::vector<PendingMessage> messages_;

    ThreadScoreboard scoreboard_;
    std::deque<Spawn> children_, spawned_roots_;
    std::vector<std::uint8_t> spawned_rows_;  ///< for the synchronized root thread being sent
    std::bitset<VfeState::kMaxEntries> entry_held_;  ///< by URB entry: until it is dereferenced
    Prt prt_;

    SendState state_ = SendState::Idle;           ///< of the command at hand
    SendState child_state_ = SendState::Sending;  ///< what the next child waits for
    SendState activity_ = SendState::Idle;
    Cycles since_;
};

}  // namespace gen9::media
