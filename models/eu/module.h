// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "eu/context.h"
#include "eu/issue.h"
#include "eu/line_buffer.h"
#include "eu/observer.h"
#include "eu/params.h"
#include "eu/program.h"
#include "eu/signals.h"
#include "eu/stats.h"
#include "eu/timing.h"
#include "interconnect/clock.h"
#include "interconnect/memory_transaction.h"
#include "interconnect/sockets.h"

namespace gen9::eu {

/// Eu: one execution unit (module half; what instructions do is in executor.h).
/// Role     takes threads from the spawner, runs their instructions, sends their messages, tells
///          their end.
/// Sockets  dispatch_in    target     ThreadDispatch  BEGIN_RESP: the thread has ended
///          msg_out[port]  initiator  Message         one per MessagePort
///          fetch_out      initiator  memory          instruction lines; notice as for messages
/// Params   params.h        Order  threads by policy (policy_issue.h); same-cycle arrivals by port,
///          then in order of issue
/// Not here what instructions compute (executor.h); exceptions' system routine (EU-288..EU-296)
/// Spec     EU-001..EU-023, EU-173..EU-181, EU-195..EU-212, EU-306..EU-314; 003:19104-19112
class Eu : public sc_core::sc_module {
  private:
    EuParams params_;

  public:
    TargetSocket<DispatchProtocol> dispatch_in;
    std::array<std::unique_ptr<InitiatorSocket<MessageProtocol>>, kMessagePorts> msg_out;
    InitiatorSocket<MemoryProtocol> fetch_out;

    /// `place`: where the EU is; its slot is ignored. `program` is shared by the EUs of the GPU.
    Eu(sc_core::sc_module_name name, Environment& environment, const Clock& clock,
       ThreadAddress place, Program& program);
    ~Eu() override;

    const EuParams& params() const { return params_; }
    const EuStats& stats() const { return stats_; }
    /// Is told of every instruction from now on; null: nobody is.
    void observe(InstructionObserver* observer) { observer_ = observer; }
    /// One line per loaded thread: slot, ip, instruction, what it waits for. For the watchdog.
    std::string describe_waiting() const;
    /// Accounts for the cycles up to now, which an EU without events leaves open. To be called
    /// before the counters are read.
    void settle();
    /// Nothing is loaded, and every message and fetch has come back.
    bool idle() const;

  private:
    enum class ArrivalKind : std::uint8_t { Dispatch, Credit, Response, Line, FetchAccepted };
    /// Something announced for a cycle to come.
    struct Arrival {
        Cycles at;
        ArrivalKind kind;
        std::uint8_t port;  ///< orders arrivals of one kind in one cycle, before `number`
        std::uint64_t number;
        void* object;
        bool after(const Arrival& other) const {
            if (at != other.at) return at > other.at;
            if (kind != other.kind) return kind > other.kind;
            if (port != other.port) return port > other.port;
            return number > other.number;
        }
    };

    static bool later(const Arrival& a, const Arrival& b) { return a.after(b); }

    // Both modes (module.cpp).
    void run();
    tlm::tlm_sync_enum on_dispatch(ThreadDispatch& dispatch, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay);
    tlm::tlm_sync_enum on_message(Message& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
    tlm::tlm_sync_enum on_fetch(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay);
    void on_invalidate();
    /// What a slot's next thread finds where its dispatch loads nothing (EU-021).
    struct Leftovers {
        decltype(Thread::acc) acc{};
        decltype(Thread::special_acc) special_acc{};
        decltype(Thread::address) address{};
        decltype(Thread::flag) flag{};
        decltype(Thread::notification) notification{};
    };
    Context& start(ThreadDispatch& dispatch);
    /// The thread ends at `now`: tells the spawner and empties the slot.
    void end(ThreadSlot slot, Cycles now);
    void release(Context* context);
    Outcome execute_observed(Thread& thread, const DecodedInstruction& instruction, Cycles now);
    void set_timestamp(Thread& thread, Cycles now) const;
    /// After Outcome::Wait: is the thread to wait? Otherwise what held it up has been put aside.
    bool must_wait(Context& context, const DecodedInstruction& instruction);
    EuMessage* build(Context& context, const DecodedInstruction& instruction);
    /// Can the message be sent? If not, says why to the reporter.
    bool deliverable(const Context& context, const EuMessage& message,
                     const DecodedInstruction& instruction) const;
    /// Sends it by the non-blocking form.
    void forward(EuMessage& message, sc_core::sc_time delay);
    void release(EuMessage* message);
    static void raise(Thread& thread, std::uint8_t notifications);
    MemoryTransaction* new_fetch(GpuAddr line);
    void drop_stale_code();
    void report(const Context& context, const DecodedInstruction& instruction, const char* kind,
                const std::string& text) const;
    void report_fault(const Context& context, const Program::Entry& entry) const;
    std::string text_of(const DecodedInstruction& instruction) const;
    sc_core::sc_time delay_to(Cycles when) const;

    // Functional mode (module_functional.cpp).
    void run_functional();
    /// Runs one thread until it waits, ends or has used its quantum; gives the instructions
    /// executed.
    std::uint64_t run_thread(ThreadSlot slot, Cycles now);
    Program::Entry* entry_at(Context& context, std::uint32_t ip);
    Program::Entry* after_block(Context& context, Program::Entry& entry);
    Program::Entry* load(Context& context, std::uint32_t ip);
    bool send_functional(Context& context, const DecodedInstruction& instruction, Cycles now);
    void answer_functional(EuMessage& message);

    // Timed mode (module_timed.cpp).
    void run_timed();
    void announce(const Arrival& arrival);
    void process(const Arrival& arrival);
    void issue_cycle();
    void issue(ThreadSlot slot);
    /// Anything but going on to the next instruction.
    void issue_special(ThreadSlot slot, Outcome outcome);
    void issued(ThreadSlot slot, Context& context, const Program::Entry& entry,
                const IssueTiming& timing);
    void mark(Context& context, const DecodedInstruction& instruction, const EuMessage& message,
              const IssueTiming& timing);
    void send_timed(Context& context, const DecodedInstruction& instruction, EuMessage* message);
    void transmit(EuMessage& message);
    void respond(EuMessage& message);
    /// Works out when and on which unit the thread's next instruction can be issued.
    void prepare_offer(ThreadSlot slot);
    Cycles next_event(Cycles ready_at) const;
    Cycles next_change(Cycles ready_at) const;
    void take_arrivals();
    /// Accounts for the cycles before `cycle_`, in which nothing has changed. Called before
    /// something does.
    void account();
    void show();

    // Instruction fetch in timed mode (module_fetch.cpp).
    /// The usual case of find_next: the next instruction lies in the line of the last.
    static bool next_at_hand(Context& context) {
        const std::uint32_t ip = context.thread.ip;
        if (context.next != nullptr) return true;
        if (context.page == nullptr || !context.page->holds(ip)) return false;
        const GpuAddr line((context.page->base + ip).value & ~std::uint64_t{kLineBytes - 1});
        if (context.held_lines[0] != line) return false;
        const Program::Entry* const entry = context.page->find(ip);
        if (entry == nullptr || entry->crosses_line) return false;
        context.next = entry;
        return true;
    }
    bool find_next(Context& context);
    bool line_at_hand(Context& context, GpuAddr line, unsigned place);
    void ask_line(GpuAddr line);
    void send_fetch();
    void line_arrived(MemoryTransaction& fetch);
    void restart_fetch();

    Environment& environment_;
    const Clock& clock_;
    ThreadAddress place_;
    Program& program_;
    EuStats stats_;
    EuSignals signals_;
    std::deque<ThreadSignals> thread_signals_;
    const TimingTable& timing_;
    Wakeup wakeup_;
    InstructionObserver* observer_ = nullptr;

    std::array<Context*, kMaxThreads> slots_{};
    std::array<Leftovers, kMaxThreads> leftovers_{};
    Pool<Context> contexts_;
    Pool<EuMessage> messages_;
    MemoryPool fetches_;
    std::uint64_t program_generation_ = 0;
    bool running_ = false;

    // Timed mode.
    Cycles cycle_;      ///< those before have been simulated
    Cycles accounted_;  ///< those before have been counted; outside `run`, as `cycle_`
    IssueArbiter arbiter_;
    std::vector<Arrival> arrivals_;  ///< heap, earliest first
    std::array<std::deque<EuMessage*>, kMessagePorts>
        held_back_;  ///< by port: sent without a credit
    std::uint64_t message_number_ = 0;
    LineBuffer lines_;
    std::deque<MemoryTransaction*> fetch_queue_;
    MemoryTransaction* fetch_unaccepted_ = nullptr;
    bool fetch_accept_announced_ = false;  ///< of fetch_unaccepted_
    std::uint64_t fetch_number_ = 0;
    std::uint64_t fetch_stale_ =
        0;                      ///< fetches up to this number were asked before an invalidation
    std::uint32_t issued_ = 0;  ///< slots, in the last cycle simulated
};

}  // namespace gen9::eu
