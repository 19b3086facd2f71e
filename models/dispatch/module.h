// SPDX-License-Identifier: Apache-2.0
/// Spawner: video front end, thread spawner and thread dispatcher (module half; the rules are in
/// front_end.h and dispatcher.h).
/// Role     takes media/GPGPU commands in order, reads descriptors and payload, sends threads to
///          EUs as groups find resources, takes their ends, answers commands and messages
/// Sockets  command_in      target     PipelineCommand  from the command streamer
///          mem_out         initiator  memory           descriptors, CURBE, indirect data; blocking
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
///          msg_in[n]       target     Message          function 7, one per EU
/// Params   params.h
/// Order    commands in order; groups in walker order; child threads before root threads;
///          retirements before dispatches of a cycle
/// Spec     TD-01..TD-62, MED-05..62; 003:17140-17396, 003:17494-18190
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/environment.h"
#include "dispatch/interface.h"
#include "dispatch/params.h"
#include "dispatch/place/dispatcher.h"
#include "dispatch/place/global_barriers.h"
#include "dispatch/place/register_file.h"
#include "dispatch/signals.h"
#include "dispatch/stats.h"
#include "dispatch/timing_choice.h"
#include "dispatch/walk/front_end.h"
#include "dispatch/walk/spawner_message.h"
#include "interconnect/clock.h"
#include "interconnect/memory_transaction.h"
#include "interconnect/message_server.h"
#include "interconnect/sockets.h"
#include "interconnect/work.h"

namespace gen9::dispatch {

/// Which command a report speaks of.
std::string command_place(const PipelineCommand& command);

class Spawner : public sc_core::sc_module, public SpawnerBlock {
  public:
    Spawner(sc_core::sc_module_name name, Environment& env, const Clock& clock,
            const SpawnerSetup& setup);
    ~Spawner() override;

    TargetSocket<CommandProtocol> command_in{"command_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    std::vector<std::unique_ptr<InitiatorSocket<DispatchProtocol>>> thread_out;
    std::vector<std::unique_ptr<InitiatorSocket<MemoryProtocol>>> barrier_out, slm_out;
    MessageSockets msg_in;

    SpawnerSockets sockets() override;
    std::optional<Timing> wanted_timing() const override;
    void change_timing() override { wakeup_.at(clock_.now() + Cycles(1)); }
    std::string describe_waiting() const override;
    std::vector<WorkRecord> unfinished() const override;
    void settle() override { account(clock_.now()); }
    std::uint64_t progress() const override {
        return stats_.threads.value() + stats_.threads_retired.value();
    }
    const SpawnerStats& stats() const { return stats_; }

  private:
    void end_of_simulation() override { settle(); }

    /// Reads through mem_out, adding up the time it takes; writes to the URB the same way.
    class PortReader : public MemoryReader {
      public:
        explicit PortReader(Spawner& spawner) : spawner_(spawner) {
            payload_.set_extension(&attributes_);
        }
        ~PortReader() override { payload_.clear_extension(&attributes_); }
        bool read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) override;
        bool look(GpuAddr address, std::span<std::uint8_t> data) override;
        /// The save area, as the data port does what a system routine asks for. Assumed: L3 keeps
        /// none of it.
        bool move_saved(tlm::tlm_command command, GpuAddr address, std::span<std::uint8_t> data);
        sc_core::sc_time delay;
        /// All accesses are for a command.
        void serve(TraceId cause) { attributes_.trace_id = cause; }
        /// What the front end loads lies in the URB, where threads may read it (URB-02).
        void put_in_urb(std::uint32_t address, std::span<std::uint8_t> data);
        /// What threads have left there for a thread they call for; zeroes beyond its end.
        void get_from_urb(std::uint32_t address, std::span<std::uint8_t> data, TraceId cause);

      private:
        void set_up(tlm::tlm_command command, std::uint64_t address, std::span<std::uint8_t> data);
        sc_core::sc_time transport(tlm::tlm_command command, std::uint64_t address,
                                   std::span<std::uint8_t> data);
        Spawner& spawner_;
        MemoryAttributes attributes_;
        tlm::tlm_generic_payload payload_;
    };

    /// How far the command at hand has come.
    enum class Stage : std::uint8_t { Received, Loaded, Fetched, Walking };

    /// A walker with threads running or still to be sent.
    struct Run {
        PipelineCommand* command = nullptr;
        WorkRecord record;
        std::uint64_t outstanding = 0;
        bool all_sent = false;
        std::optional<unsigned> urb_entry;  ///< it holds until its end
        /// Of the spawner when it began: no other command is at hand until all is sent.
        std::array<std::uint64_t, kSendStates> activity{};
    };
    /// What is remembered of a thread while it runs.
    static constexpr unsigned kEuWords = 4;  ///< words of 32 EUs
    struct Running {
        unsigned run = 0;
        Cycles since;
        bool live = false;
        bool child = false;
        bool has_children = false;    ///< it holds its command's URB entry until it gives it back
        bool has_dependents = false;  ///< `dependents_` says in which EUs
        bool ended_here = false;      ///< its end came by a message to the spawner
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
    /// A gateway has reported that its share of a global barrier has arrived.
    struct Share {
        Cycles due;
        std::uint8_t subslice, barrier;
        auto operator<=>(const Share&) const = default;
    };
    struct PendingMessage {
        Cycles due;
        std::uint16_t eu;
        Message* message;
    };

    void run();
    void step(Cycles now);
    void take_retirements(Cycles now);
    void retire(unsigned fftid, Cycles now);
    /// Do ends of threads wait behind spawn messages (MED-58: 003:18153-18159)?
    bool queue_full(Cycles now) const;
    void answer_messages(Cycles now);
    void advance_commands(Cycles now);
    /// The walk's last thread has been sent: its entry comes back when all have read it.
    void release_urb_entry(Cycles now);
    /// One step of the command at hand; false when it must wait.
    bool advance(Cycles now);
    bool start_command(Cycles now);
    bool start_walk(Cycles now);
    WorkRecord record_of(const Walk& walk) const;
    /// Must the walk, or its next group, wait for the machine to change its mode?
    bool walk_waits();
    bool group_waits();
    bool waits_for_timing();
    // Media objects, child threads, scoreboard (module_media.cpp).
    /// What a media command, a flush or a state command must wait for before anything else.
    SendState held_back(FrontEnd::Kind kind) const;
    std::optional<Refusal> prepare_media();
    void check_group(const Walk& walk);
    void media_thread_sent(unsigned fftid, const ScoreboardRequest& request);
    SendState media_thread_waits() const;
    void add_dependencies(ThreadDispatch& thread, const ScoreboardRequest& request);
    void media_thread_ended(unsigned fftid);
    /// Spawns are carried out in the order of time and EU, in whatever order they are announced.
    void queue(std::deque<Spawn>& spawns, Spawn spawn) const;
    void take_spawn(const Message& message, const SpawnerMessage& spawn, Cycles due);
    void dereference(const SpawnerMessage& message, const std::string& place, Cycles now);
    std::vector<std::uint8_t> rows_from_urb(const SpawnerMessage& message, unsigned rows);
    unsigned child_registers(const SpawnerMessage& message, const PipelineState& state);
    /// Sends child threads; what the next one waits for, Sending when none is left.
    SendState send_children(Cycles now);
    SendState send_child(Cycles now);
    void drop_media_state();
    void report_left_overs();
    std::string describe_media() const;
    std::int64_t picoseconds() const;
    void send_threads(Cycles now);
    /// The walker at hand ends here, as the streamer has asked (kStopWalk).
    bool stop_walk(Cycles now);
    // Saving and restoring threads (module_save.cpp).
    bool can_save() const;
    void save_walk(Cycles now);
    void begin_saving(Cycles now);
    void end_saving();
    void note_alignment();
    /// Tells the engines of some subslices to save or to restore shared local memory.
    void move_slm(std::uint32_t subslices, GpuAddr base, bool restore);
    bool slm_moving(Cycles now) const { return slm_moving_ != 0 || now < slm_moved_at_; }
    void give_barriers_back(bool all);
    void keep_thread(unsigned fftid);
    bool has_saved() const;
    void keep_threads_only(PipelineCommand& command);
    void fetch_saved(const PipelineCommand& command);
    void restore_threads(Cycles now);
    void arm_restored(unsigned subslice, const SavedThread& saved);
    /// Sends one thread; Sending when it left, else what it waits for.
    SendState send_thread(Cycles now);
    SendState next_group(Cycles now);
    SendState open_group(Cycles now);
    /// The subslices whose dispatchers can hold another thread.
    std::uint32_t ready_subslices(Cycles now) const;
    /// Gives a thread that has been made to its EU.
    void launch(const Place& place, ThreadDispatch& thread, unsigned run, Cycles now);
    /// `cause`: the walker that sets it up, or the thread whose end frees it.
    void set_barrier(unsigned subslice, unsigned barrier, unsigned count, TraceId cause,
                     sc_core::sc_time& delay);
    void free_barrier(const Dispatcher::Retirement& freed, TraceId cause);
    /// Tells a gateway its share of a global barrier, or to complete the round and begin the next.
    void arm_barrier(unsigned subslice, unsigned barrier, unsigned share, TraceId cause,
                     sc_core::sc_time& delay);
    tlm::tlm_sync_enum on_share(unsigned subslice, tlm::tlm_generic_payload&, tlm::tlm_phase&,
                                sc_core::sc_time&);
    void take_shares(Cycles now);
    void schedule(Cycles now);
    /// A subslice's dispatcher takes threads while it has less than this much loading before it.
    Cycles load_queue() const { return Cycles(params_.load_queue * load_cycles_); }
    /// The next cycle in which a dispatcher may have room for the open group.
    Cycles load_room(Cycles now) const;
    Cycles next_retirement() const;

    void refuse(const Refusal& refusal);
    void accept_command();
    void finish_command(PipelineCommand& command);
    void end_run(unsigned index, Cycles now);
    /// Its cycles up to now by what the spawner was at.
    void count_sending(const Run& run, WorkRecord& record) const;
    void account(Cycles now);
    void show(Cycles now);
    /// So many more are free from a cycle on.
    void show_urb_entries(int more, Cycles at) { signals_.free_urb_entries.add(more, at); }

    tlm::tlm_sync_enum on_command(PipelineCommand&, tlm::tlm_phase&, sc_core::sc_time&);
    tlm::tlm_sync_enum on_thread(ThreadDispatch&, tlm::tlm_phase&, sc_core::sc_time&);
    void on_message(unsigned eu, Message& message, const sc_core::sc_time& delay);
    void execute_message(Message&, Cycles due);

    Environment& env_;
    const Clock& clock_;
    const Topology topology_;
    SpawnerParams params_;
    SpawnerStats stats_;
    SpawnerSignals signals_;
    FrontEnd front_end_;
    Dispatcher dispatcher_;
    PortReader reader_;
    MemoryPool barrier_pool_;
    TraceIds trace_ids_{TraceSource::Spawner};
    Wakeup wakeup_;

    std::deque<Arrival> inbox_;
    PipelineCommand* command_ = nullptr;
    Stage stage_ = Stage::Received;
    Cycles ready_at_;
    Walk walk_;
    unsigned run_ = 0;               ///< of the walk being sent
    std::optional<Timing> timing_;   ///< of the walk or group at hand, when it has been asked for
    bool timing_agreed_ = false;     ///< of the group that is to be opened
    std::uint64_t groups_sent_ = 0;  ///< of the walk being sent
    const PipelineCommand* to_stop_ = nullptr;
    Cycles stop_at_;
    /// How far a save of the threads has come (kSaveWalk).
    enum class Saving : std::uint8_t { No, Asked, Threads, Slm } saving_ = Saving::No;
    const std::uint32_t saved_slm_;  ///< subslices with an engine that saves SLM
    std::uint32_t slm_to_save_ = 0;
    GpuAddr save_base_;
    bool alignment_noted_ = false;
    unsigned slm_moving_ = 0;  ///< engines at work
    Cycles slm_moved_at_;
    std::vector<PipelineCommand*> ended_;  ///< commands, answered when all is saved
    const ContextSaveLayout save_layout_;
    std::array<std::uint32_t, WalkerRest::kThreadDwords> saved_{};  ///< by FFTID
    struct Restored {
        Place place;
        SavedThread saved;
    };
    std::vector<Restored> restored_;  ///< fetched for the walk at hand
    Cycles next_send_;                ///< the cycle threads left in is over
    Cycles payload_read_;             ///< by the walk's threads sent so far
    Cycles group_ready_;              ///< the gateway has accepted the last barrier
    std::vector<Cycles> load_end_;    ///< per subslice: its dispatcher has loaded all it holds
    std::uint32_t load_cycles_ = 0;   ///< of one thread of the walk

    std::vector<Run> runs_;
    std::vector<unsigned> free_runs_;
    std::uint32_t walkers_begun_ = 0;
    /// MEDIA_VFE_STATE's reset of the relative clock, and the context it was for.
    struct TimerReset {
        std::int64_t context_start = 0, at = 0;  ///< picoseconds
    } timer_reset_;
    std::vector<std::unique_ptr<ThreadDispatch>> threads_;  ///< by FFTID; reused
    std::vector<Running> running_;                          ///< by FFTID
    std::vector<std::uint64_t> retirements_;  ///< heap of cycle << 9 | FFTID, earliest first
    MessagePorts ports_{msg_in, env_, clock_};
    std::vector<PendingMessage> messages_;

    ThreadScoreboard scoreboard_;
    std::vector<std::uint32_t> dependents_;  ///< by FFTID and 32 EUs: threads there depend on it
    std::deque<Spawn> children_, spawned_roots_;
    std::deque<std::uint16_t> held_ends_;     ///< of threads, which wait while the queue is full
    std::vector<std::uint8_t> spawned_rows_;  ///< for the synchronized root thread being sent
    std::vector<bool> entry_held_;            ///< by URB entry: until it is dereferenced
    Prt prt_;
    GlobalBarriers global_barriers_;
    std::vector<Share> shares_;                      ///< reported and not yet acted on
    SendState child_activity_ = SendState::Sending;  ///< what the next child waits for

    SendState activity_ = SendState::Idle;
    Cycles since_;
};

}  // namespace gen9::dispatch
