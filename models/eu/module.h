// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "eu/context.h"
#include "eu/crew.h"
#include "eu/dealt.h"
#include "eu/events.h"
#include "eu/execute/executor.h"
#include "eu/fetch/arrivals.h"
#include "eu/fetch/line_buffer.h"
#include "eu/fetch/program.h"
#include "eu/interface.h"
#include "eu/issue/issue.h"
#include "eu/issue/timing.h"
#include "eu/loaded_thread.h"
#include "eu/observer.h"
#include "eu/params.h"
#include "eu/profile.h"
#include "eu/signals.h"
#include "eu/stats.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/direct_answers.h"
#include "interconnect/payload/direct_message.h"
#include "interconnect/payload/object_pool.h"
#include "interconnect/payload/stays_inside.h"
#include "interconnect/payload/work.h"

namespace gen9::eu {

/// Eu: one execution unit (module half; what instructions do is in executor.h).
/// Role     takes threads from the spawner, runs their instructions, sends their messages, tells
///          their end.
/// Sockets  dispatch_in    target     ThreadDispatch  BEGIN_RESP: the thread has ended;
///                                                    THREAD_ENDED: another has, for its sendc
///          msg_out[port]  initiator  Message         one per MessagePort
///          fetch_out      initiator  memory          instruction lines; notice as for messages
///          reg_in         target     memory          TD_CTL2: the thread arbiter's policy, for
///                                                    threads dispatched from then on
/// Params   params.h        Order  threads by policy (policy_issue.h); same-cycle arrivals by port,
///          then in order of issue
/// Not here what instructions compute (executor.h); what raises exceptions (exceptions.h)
/// Spec     EU-001..EU-023, EU-173..EU-181, EU-195..EU-212, EU-306..EU-314; 003:19104-19112
class Eu : public sc_core::sc_module, public EuBlock, public Crew::Member, private DirectAnswers {
  private:
    EuParams params_;

  public:
    TargetSocket<DispatchProtocol> dispatch_in;
    std::array<std::unique_ptr<InitiatorSocket<MessageProtocol>>, kMessagePorts> msg_out;
    InitiatorSocket<MemoryProtocol> fetch_out;
    TargetSocket<MemoryProtocol> reg_in;

    /// `place`: where the EU is; its slot is ignored. `number`: its flat number in the GPU.
    /// `program` is shared by the EUs of the GPU.
    Eu(sc_core::sc_module_name name, Environment& environment, const Clock& clock,
       ThreadAddress place, unsigned number, Program& program);
    ~Eu() override;

    EuSockets sockets() override;
    const EuParams& params() const override { return params_; }
    const EuStats& stats() const { return stats_; }
    void observe(InstructionObserver* observer) override {
        observer_ = observer;
        look();
    }
    void count_events(EuEvents& events) override { events_ = &events; }
    void profile(Profile& profile) override {
        profile_ = &profile;
        if (events_ != nullptr) events_->read = true;
        look();
    }
    void observe_uses(UseObserver* observer) override {
        use_observer_ = observer;
        look();
    }
    std::uint64_t instructions() const override { return stats_.instructions.value(); }
    std::vector<LoadedThread> loaded_threads() const override;
    /// One line for each loaded thread.
    std::string describe_waiting() const override;
    void settle() override;
    /// In a machine whose mode may change, cycles of functional mode count as those of an EU
    /// without threads.
    void change_timing() override;
    void expect_changes() override { mixed_ = true; }
    std::uint64_t progress() const override { return instructions(); }
    std::uint64_t instructions_before_now() const override {
        return ran_at_ == clock_.now() ? ran_before_ : stats_.instructions.value();
    }
    /// Nothing is loaded, and every message and fetch has come back.
    bool idle() const override;
    /// In functional mode this crew runs its threads ahead.
    void join(Crew& crew);

  private:
    // Both modes (module.cpp).
    void run();
    /// It is to step in that cycle; who is of its crew waits for it.
    void step_at(Cycles at);
    tlm::tlm_sync_enum on_dispatch(ThreadDispatch& dispatch, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
    tlm::tlm_sync_enum on_message(Message& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum on_fetch(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay);
    void on_invalidate();
    /// A thread somewhere has ended, which threads here may wait for.
    void on_thread_ended(std::uint16_t fftid, Cycles at);
    /// A slot's dependencies, whether its thread has started or not; nullptr: it has none.
    std::uint16_t* dependencies_of(unsigned slot);
    void clear_dependencies(std::uint16_t fftid);

    // Saving and restoring threads (module_save.cpp).
    void on_save_threads();
    /// The thread is to be saved, and does not run its system routine yet.
    bool held(const Context& context) const;
    void save_when_settled(ThreadSlot slot);
    void settle_saving();
    static void keep_barrier(Context& context, const Message& message);
    EuMessage* make_barrier(Context& context);
    /// The system routine has brought the thread back.
    template <Timing kMode>
    void restored(Context& context, Cycles now);
    void on_register(tlm::tlm_generic_payload& payload);
    Context& start(ThreadDispatch& dispatch);
    /// The context for a slot's next thread.
    Context& renew(unsigned slot);
    void start_first(Context& context, ThreadDispatch& dispatch);
    static void begin_changes(Context& context, bool followed);
    const RegisterRuns& changed_by(const Context& context, const ThreadDispatch& next);
    void make_older(unsigned slot);
    /// The thread ends at `now`: tells the spawner and empties the slot.
    void end(ThreadSlot slot, Cycles now);
    /// The same, and the slot's next thread has begun in its context; false: there is none, and
    /// nothing has been done.
    bool take_next(Context& context, Cycles now);
    /// The thread of a context is over, and another has begun in its place: number `local` of a group.
    void follow(Context& context, const ThreadFollowers& followers,
                const ThreadFollowers::Group& group, unsigned local);
    void release(Context* context);
    Outcome execute_observed(Thread& thread, const DecodedInstruction& instruction, Cycles now);
    void set_timestamp(Thread& thread, Cycles now) const;
    /// After Outcome::Wait: is the thread to wait? Otherwise what held it up has been put aside.
    bool must_wait(Context& context, const DecodedInstruction& instruction);
    EuMessage* build(Context& context, const DecodedInstruction& instruction);
    /// Fills in what every message of a thread has in common.
    void launch(Context& context, EuMessage& message);
    /// Can the message be sent? If not, says why to the reporter.
    bool deliverable(const Context& context, const EuMessage& message,
                     const DecodedInstruction& instruction) const;
    /// Sends it by the non-blocking form.
    void forward(EuMessage& message, sc_core::sc_time delay);
    void release(EuMessage* message);
    MemoryTransaction* new_fetch(const Context& context, GpuAddr line);
    void drop_stale_code();
    void report(const Context& context, const DecodedInstruction& instruction, const char* kind,
                const std::string& text) const;
    /// Says which rules of the PRM a new instruction breaks; it is executed by the address formula.
    void report_broken_rules(const Context& context, const Program::Entry& entry) const;
    void report_fault(const Context& context, const Program::Entry& entry) const;
    std::string text_of(const DecodedInstruction& instruction) const;
    /// The text for a report. `next`: the thread's next instruction if it is known.
    std::string waits_for(const Context& context, const DecodedInstruction* next) const;
    sc_core::sc_time delay_to(Cycles when) const;

    // Outcomes of instructions, in both modes (module_outcome.cpp).
    /// The fate of a thread whose instruction did not simply go on to the next.
    enum class Then : std::uint8_t {
        GoesOn,
        Again,  ///< the same instruction is to be executed again
        Waits,  ///< for a notification
        Ends
    };
    /// Does what an executed instruction asks of the world outside its thread.
    template <Timing kMode>
    Then conclude(ThreadSlot slot, const Program::Entry& entry, Outcome outcome, Cycles now);
    /// Sends a message that a send (or end) has made.
    template <Timing kMode>
    Then deliver(Context& context, EuMessage& message, const DecodedInstruction& instruction,
                 Outcome outcome, Cycles now);
    bool send_directly(Context& context, const Program::Entry& entry);
    /// Writes a message's response and raises the notification counts it says.
    static void take_answer(EuMessage& message);
    static void take_notifications(Context& context, const Message& message);

    // Functional mode (module_functional.cpp).
    void run_functional();
    class Prologue;
    class ThreadMessages;
    /// Runs one thread until it waits, ends or has used its quantum; gives the instructions
    /// executed.
    std::uint64_t run_thread(ThreadSlot slot, Cycles now);
    /// Counts instructions of a stage's thread, and gives their number.
    std::uint64_t count_active(std::uint8_t client, std::uint64_t instructions) {
        if (mixed_ || events_ == nullptr) return instructions;
        events_->of_all().active_cycles += instructions;
        events_->of(events_->stage_of_client[client]).active_cycles += instructions;
        return instructions;
    }
    /// The direct messages are to be counted at the end of this turn of so many instructions.
    bool counts_now(std::uint64_t instructions);
    void find_page(Context& context, std::uint32_t ip);
    Program::Entry* entry_at(Context& context, std::uint32_t ip);
    Program::Entry* after_region(Context& context, Program::Entry& entry);
    static jit::Level jit_level(const EuParams& params);
    bool may_have_region(const Context& context, const Program::Entry& entry) const;
    void make_regions(Context& context, Program::Entry& entry);
    /// `control`: cr0.0, for whose modes it is compiled.
    void compile(Program::Page& page, Program::Entry& entry, std::uint32_t control);
    // Ahead of a step, by a crew (module_ahead.cpp).
    ThreadAddress place() const override { return place_; }
    bool waits() const override;
    void run_ahead() override;
    void prepare_ahead() override;
    class AheadEnd;
    bool may_follow_dealt(const Context& context);
    bool follow_dealt(Context& context, Cycles now);
    void count_dealt(Context& context, unsigned count, ThreadRetire ended, Cycles now);
    /// No thread has begun for long: those that are left are for other EUs as well.
    void give_back_idle();
    /// Threads run ahead of a step in the usual case only.
    bool may_run_ahead() const {
        return !saving_ && !mixed_ && !verifies_ && !looked_at_ && rest_ == 0;
    }
    /// A thread that ran ahead has come to a wait.
    void count_wait(const Context& context);
    void end_rest() {
        settle_functions(uncounted_for_);
        rest_ = 0;
    }
    /// Somebody has run the code that the thread is at.
    bool has_code(const Context& context) const;
    class AheadMessages;
    void run_thread_ahead(Context& context);
    void settle_ahead(TraceId cause);
    const CodeRegion* region_ahead(Context& context, Program::Entry& entry, std::uint64_t room);
    Program::Entry* entry_at_hand(Context& context, std::uint32_t ip);
    /// Counts what a thread has executed ahead of this step; gives the instructions.
    Context::Done count_ahead(Context& context, Cycles now);
    /// Carries out the message at which a thread stopped ahead.
    void send_left_over(Context& context, ThreadMessages& messages, Cycles now);
    /// Is the thread, which comes to this region in a step, to go on ahead of the next one?
    bool goes_on_ahead(Context& context, const CodeRegion& region, bool ran);
    /// A thread that ran ahead and does not run in this step after all.
    std::uint64_t pass_over(Context& context, Cycles now) {
        const Context::Done done = count_ahead(context, now);
        context.ahead.message = nullptr;
        context.instructions += done.instructions - done.of_others;
        stats_.instructions += done.instructions;
        return done.instructions;
    }
    CodeRegion::Run run_verified(const jit::CompiledRegion& region, Context& context,
                                 Messages& messages, Cycles begin, std::uint64_t most);
    Program::Entry* load(Context& context, std::uint32_t ip);
    void load_line(const Context& context, GpuAddr line);
    /// Fetches what timed mode would have at hand after these instructions, where the mode may
    /// change.
    void keep_lines(const Context& context, const Program::Entry& entry);
    /// Sends the message by the blocking form, to the gateway by the non-blocking one.
    void call(Context& context, EuMessage& message, Cycles now);
    void answer_functional(EuMessage& message);
    void expect(const ThreadSideband& thread) override { ++context_of(thread).messages_out; }
    void answer(const Message& message) override;
    void notify(const ThreadSideband& thread) override;
    /// A message that was a call has its answer.
    void answered(Context& context);
    /// The context of a thread that has started and has messages to come back.
    Context& context_of(const ThreadSideband& thread);
    /// A send instruction whose messages may go as calls of their target.
    struct SendSite {
        std::unique_ptr<DirectSite> direct;                ///< null: they do not
        std::uint8_t first = 0, second = 0, response = 0;  ///< registers
        bool known = false;
        bool ahead = false;  ///< may be run ahead of a step
        // Its mask: active channels from an offset on, or all; no others than its own.
        std::uint8_t channel_offset = 0;
        bool predicated = false;
        std::uint32_t no_mask = 0, channels = 0;
    };
    SendSite& send_site(unsigned number, const DecodedInstruction& instruction) {
        if (number < send_sites_.size() && send_sites_[number].known) [[likely]]
            return send_sites_[number];
        return find_send_site(number, instruction);
    }
    SendSite& find_send_site(unsigned number, const DecodedInstruction& instruction);
    /// Has all messages so far counted; those that come next are of this cause.
    void settle_functions(TraceId next) {
        for (DirectFunction* const function : direct_functions_)
            function->settle(uncounted_for_);
        uncounted_for_ = next;
    }
    void make_room_for_site(unsigned number) {
        if (direct_sites_.size() > number) return;
        direct_sites_.resize(number + std::size_t{1});
        plain_messages_.resize(number + std::size_t{1}, &no_plain_messages);
    }
    /// It holds what a port's target grants.
    struct Granted {
        DirectFunction* function = nullptr;
        // The same, where it is of these kinds.
        AnswersLater* answers_later = nullptr;
        StaysInside* stays_inside = nullptr;
        bool asked = false;
    };
    Granted& granted_by(MessagePort port);
    void add_direct_site(unsigned number, SendSite& site, const Granted& granted);
    void set_ahead_site(unsigned number, DirectSite& site);
    /// The lanes of a message.
    static std::uint32_t lanes_of(const SendSite& site, const Thread& thread,
                                  const DecodedInstruction& instruction) {
        // They are those that lanes_enabled and predicate_lanes find.
        std::uint32_t lanes = (thread.active >> site.channel_offset | site.no_mask) & site.channels;
        if (site.predicated) lanes &= predicate_lanes(thread, instruction);
        return lanes;
    }
    /// Compiled code that runs may hold the places of `direct_sites_` and `plain_messages_`.
    void forget_sites() {
        settle_functions(uncounted_for_);
        send_sites_.clear();
        function_of_port_.fill({});
        direct_functions_.clear();
        ahead_functions_.clear();
        std::fill(direct_sites_.begin(), direct_sites_.end(), nullptr);
        std::fill(plain_messages_.begin(), plain_messages_.end(), &no_plain_messages);
        std::fill(ahead_sites_.begin(), ahead_sites_.end(), nullptr);
    }

    // Timed mode (module_timed.cpp).
    void run_timed();
    void announce(const Arrival& arrival);
    void check_notice(Cycles at) const;
    void process(const Arrival& arrival);
    /// The observers. Usually there are none, which costs nothing. Told: an observer of
    /// instructions or uses. Each value includes the earlier ones.
    enum class Watch : std::uint8_t { Nobody, Told, Profile, All };
    void look() { looked_at_ = observer_ || profile_ || use_observer_; }
    template <Watch kWatch>
    void run_cycles(Cycles horizon);
    template <Watch kWatch>
    void issue_cycle();
    template <Watch kWatch>
    void issue(ThreadSlot slot);
    /// Carries out any outcome but going on to the next instruction.
    void issue_special(ThreadSlot slot, Outcome outcome);
    void issued(ThreadSlot slot, Context& context, const Program::Entry& entry,
                const IssueTiming& timing);
    void mark(Context& context, const DecodedInstruction& instruction, const EuMessage& message,
              const IssueTiming& timing);
    /// Sends the message, or holds it back until its port has a credit.
    void send_timed(EuMessage& message);
    void transmit(EuMessage& message);
    void respond(EuMessage& message);
    /// Works out when and on which unit the thread's next instruction can be issued.
    void prepare_offer(ThreadSlot slot);
    Offer next_offer(const Context& context) const;
    /// The same after an instruction that has been issued in this cycle.
    void offer_following(ThreadSlot slot, Context& context, const Program::Entry& entry);
    /// The port's credit is there from a cycle on.
    void announce_credit(MessagePort port, std::uint64_t number, Cycles at);
    /// Accounts for the cycles before `cycle_`, in which nothing has changed. Called before
    /// something does.
    void account();
    template <bool kTold>
    void account_told();
    /// Tells the signals of the last cycle simulated and those from then to before `end`.
    void show(Cycles end);
    /// The slot holds this thread from a cycle on; null: none.
    void show_thread(ThreadSlot slot, const ThreadDispatch* dispatch, Cycles at);
    void show_cycle(Cycles at, std::uint32_t issued, std::uint32_t issued_slots);

    // Counting by walker and instruction in timed mode (module_profile.cpp).
    void issue_profiled(ThreadSlot slot);
    /// Counts by stage what an instruction occupies, which `issue` issues or puts off.
    template <class Issue>
    void issue_counted(ThreadSlot slot, const Issue& issue);
    /// The cycles from `accounted_` to `cycle_`, by stage.
    void count_events_passed();
    static GpuAddr address_of(const Thread& thread);
    void profile_use(CycleUse use, Cycles from, Cycles to);

    // Instruction fetch in timed mode (module_fetch.cpp).
    /// The usual case of find_next: the instruction has come after the last before, and its line is
    /// at hand.
    bool next_at_hand(Context& context, const Program::Entry* last) const {
        if (last == nullptr) return false;
        const std::uint32_t ip = context.thread.ip;
        const Program::Entry* entry = last->timed.follower;
        if (entry == nullptr || entry->decoded.ip != ip) {
            entry = last->timed.target;
            if (entry == nullptr || entry->decoded.ip != ip) return false;
        }
        if (context.held_lines[0] != entry->timed.line) {
            if (!lines_.settled(entry->timed.line)) return false;
            context.held_lines[0] = entry->timed.line;
        }
        if (entry->timed.crosses_line) [[unlikely]] {
            const GpuAddr second = entry->timed.line + kLineBytes;
            if (context.held_lines[1] != second) {
                if (lines_.state(second) != LineBuffer::State::Present) return false;
                context.held_lines[1] = second;
            }
        }
        context.next = entry;
        return true;
    }
    static void found(Context& context, const Program::Entry* entry);
    bool find_next(Context& context);
    bool line_at_hand(Context& context, GpuAddr line, unsigned place);
    void ask_line(const Context& context, GpuAddr line);
    void send_fetch();
    void line_arrived(MemoryTransaction& fetch);
    void restart_fetch();

    Environment& environment_;
    const Clock& clock_;
    ThreadAddress place_;
    TraceIds trace_ids_;  ///< of messages and instruction fetches
    Program& program_;
    EuStats stats_;
    EuSignals signals_;
    std::deque<ThreadSignals> thread_signals_;
    const TimingTable& timing_;
    Wakeup wakeup_;
    InstructionObserver* observer_ = nullptr;
    Profile* profile_ = nullptr;
    WorkUse* busy_work_ = nullptr;  ///< of the last instruction issued, with a profile
    InstructionUse* busy_instruction_ = nullptr;
    UseObserver* use_observer_ = nullptr;
    bool looked_at_ = false;  ///< by any of these
    EuEvents* events_ = nullptr;
    StageActivity stage_activity_;
    bool counts_events() const { return events_ != nullptr && events_->read; }
    /// The client of the thread dispatcher whose thread it is, while it has not ended.
    static std::uint8_t client_of(const Context& context) { return context.dispatch->client; }
    ThreadStage stage_of(const Context& context) const {
        return events_->stage_of_client[client_of(context)];
    }

    std::array<Context*, kMaxThreads> slots_{};
    /// The context of each slot's last thread. The next thread takes it, if that one is done.
    std::array<Context*, kMaxThreads> last_of_slot_{};
    static constexpr unsigned kAges = 8;
    std::array<std::uint32_t, kAges> slots_of_age_{};
    unsigned contexts_in_use_ = 0;
    Dealt dealt_;
    std::unique_ptr<DirectSite> ahead_end_;
    FreshRegisters fresh_;                ///< of those that follow one another
    RegisterRuns written_;                ///< from r1 on, of such a thread
    RegisterRuns changed_;                ///< of the thread that started last
    Program::Page* last_page_ = nullptr;  ///< that a thread of functional mode began in
    std::array<ThreadDispatch*, kMaxThreads> coming_{};  ///< dispatched and not yet started
    /// Bits of each slot's dependencies: their threads have ended, which the EU hears a little later.
    std::array<std::uint8_t, kMaxThreads> ending_{};
    ObjectPool<Context> contexts_;
    ObjectPool<EuMessage> messages_;
    MemoryPool fetches_;
    std::uint64_t program_generation_ = 0, program_numbering_ = 0;
    std::vector<SendSite> send_sites_;                       ///< by the send's number
    std::array<Granted, kMessagePorts> function_of_port_{};  ///< what the ports' targets grant
    std::vector<DirectFunction*> direct_functions_;          ///< of these, which count later
    TraceId uncounted_for_ = 0;  ///< cause of what they have not counted
    /// Instructions since the last count, which are at least as many as messages.
    std::uint64_t uncounted_instructions_ = 0;
    static constexpr std::uint64_t kMostUncounted = std::uint64_t{1} << 24;
    bool thread_ended_ = false;              ///< since the last count
    std::vector<DirectSite*> direct_sites_;  ///< the same, of those known that are called directly
    std::vector<PlainMessages*> plain_messages_;  ///< of these
    PlainEpoch plain_epoch_;
    Crew* crew_ = nullptr;
    bool left_to_crew_ = false;  ///< in this step, what threads can run ahead of the next one
    /// Instructions that threads have run ahead, less what it has cost that they stopped.
    std::int64_t gain_of_stops_ = kMostGain;
    static constexpr std::int64_t kMostGain = 1 << 14, kCostOfStop = 100;
    /// So many steps are without the crew where it costs more than is won; then it is tried again,
    /// as with other work.
    static constexpr unsigned kRest = 1024;
    unsigned rest_ = 0;
    std::uint32_t rests_from_ = 0;  ///< this work
    /// Targets that some of its sites may be run ahead of.
    struct AheadFunction {
        DirectFunction* function;
        StaysInside* target;  ///< the same
    };
    std::vector<AheadFunction> ahead_functions_;
    std::vector<DirectSite*> ahead_sites_;  ///< as `direct_sites_`, of those that may be run ahead
    bool running_ = false;
    unsigned most_followers_ = 1;  ///< threads that are asked for at a time
    bool mixed_ = false;           ///< the mode may change
    Cycles ran_at_{~std::uint64_t{0}};
    std::uint64_t ran_before_ = 0;  ///< instructions
    bool saving_ = false;           ///< kSaveThreads has come, and not all threads are saved

    // Timed mode.
    Cycles cycle_;      ///< those before have been simulated
    Cycles accounted_;  ///< those before have been counted; outside `run`, as `cycle_`
    IssueArbiter arbiter_;
    bool software_chooses_;  ///< the policy, by the register
    std::uint32_t thread_control_2_ = 0;
    std::uint32_t round_robin_asked_ = 0;  ///< slots: by the register at their dispatch
    bool round_robin_ = false;             ///< in force by the register
    Arrivals arrivals_;
    std::array<std::deque<EuMessage*>, kMessagePorts>
        held_back_;  ///< by port: sent without a credit
    std::uint64_t message_number_ = 0;
    const jit::Level jit_;  ///< what code is compiled for
    const bool verifies_;   ///< compiled code is held against its instructions
    LineBuffer lines_;
    std::deque<MemoryTransaction*> fetch_queue_;
    MemoryTransaction* fetch_unaccepted_ = nullptr;
    bool fetch_accept_announced_ = false;  ///< of fetch_unaccepted_
    std::uint64_t fetch_number_ = 0;
    std::uint64_t fetch_stale_ =
        0;  ///< fetches up to this number were asked before an invalidation
    // These are of the last cycle simulated.
    std::uint32_t issued_ = 0;        ///< instructions
    std::uint32_t issued_slots_ = 0;  ///< slots, with a waveform only
    std::uint32_t shown_slots_ = 0;   ///< slots that showed a thread last, with a waveform only
    bool shown_ = true;               ///< the signals of it and of what follows have been told
};

// These run for every instruction of timed mode, and for every message.

[[gnu::always_inline]] inline void Eu::issued(ThreadSlot slot, Context& context,
                                              const Program::Entry& entry,
                                              const IssueTiming& timing) {
    ++context.instructions;
    ++stats_.instructions;
    ++issued_;
    context.front_end_free = cycle_ + Cycles(timing.front_end);
    context.front_end_reason = entry.timed.shadow;
    context.last = &entry;
    context.next = nullptr;
    arbiter_.issued(slot, timing.unit, cycle_);
    if (!entry.timed.steers_arbiter) return;
    if (entry.decoded.thread_switch) arbiter_.leave(slot);
    if (entry.decoded.instruction.thread_ctrl == isa::ThreadCtrl::Atomic)
        arbiter_.make_atomic(slot);
}

inline void Eu::release(EuMessage* message) {
    Context* const context = message->context;
    --context->messages_out;
    messages_.put(*message);
    if (context->done()) [[unlikely]]
        release(context);
}

inline void Eu::take_answer(EuMessage& message) {
    Context& context = *message.context;
    if (message.given_back) [[unlikely]]
        return keep_barrier(context, message);
    if (message.response_length != 0) write_back(context.thread, message);
    if (message.notifications != 0) [[unlikely]]
        take_notifications(context, message);
}

inline void Eu::take_notifications(Context& context, const Message& message) {
    if (context.over) return;  // the slot's next thread does not find it
    for (unsigned n = 0; n < context.thread.notification.size(); ++n)
        if (message.notifications >> n & 1) ++context.thread.notification[n];
    context.waiting = false;
}

}  // namespace gen9::eu
