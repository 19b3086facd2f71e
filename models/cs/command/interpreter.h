// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/report.h"
#include "cs/bus.h"
#include "cs/command/alu.h"
#include "cs/command/barrier_use.h"
#include "cs/command/fetch.h"
#include "cs/command/performance.h"
#include "cs/command/pipe_control.h"
#include "cs/command/pipe_use.h"
#include "cs/command/stream_pointers.h"
#include "cs/context/base_address.h"
#include "cs/context/execlists.h"
#include "cs/context/state_store.h"
#include "cs/registers/mmio.h"
#include "cs/stats.h"
#include "packets/commands.h"
#include "packets/stopped_walker.h"

namespace gen9::cs {

struct InterpreterSettings {
    unsigned fetch_bytes = 256;
    unsigned slices = 1;
    bool strict = false;
    bool privilege = true;        ///< batches in the PPGTT write only the registers of their list
    bool flush_preempts = false;  ///< MEDIA_STATE_FLUSH is a preemption point (PRE-16)
    bool restore_hazard = false;  ///< loads that a restore replays may be lost (PRE-18)
    bool any_barrier_stalls = false;  ///< before MEDIA_VFE_STATE, not global ones only (MED-60)
};

/// A context gives this beside the state commands of its state store.
struct ContextCommands {
    std::uint32_t pipeline = 0;   ///< of PIPELINE_SELECT
    bool base_addresses = false;  ///< STATE_BASE_ADDRESS has been given
    /// A GPGPU_WALKER or 3DPRIMITIVE that was stopped, made to go on where it was (PRE-05, VF-26).
    StoppedWalker walker{};
};

/// Interpreter: executes the commands of one context, one at a time (the streamer's core).
/// Role     fetches at the stream pointers, decodes by packets/commands.h, executes MI and state
///          commands, gives media/GPGPU commands to the bus.
/// Order    a command's effects are complete before the next one is parsed; only work given to the
///          pipe goes on behind it, until a drain.
/// Not here submission and context switches (core.h); registers (mmio.h); time (module.h)
/// Spec     CS-01..CS-10, CS-22..CS-92, CS-122..CS-131, CS-142..CS-153; 003:1110-2444
class Interpreter {
  public:
    enum class Step : std::uint8_t {
        Continue,
        Preempted,  ///< at an arbitration point, before the command there
        Blocked,    ///< a semaphore is not satisfied and something else waits for the engine
        Stopped,    ///< the stream cannot go on: reported
    };

    Interpreter(Bus& bus, Reporter& reporter, RegisterFile& registers, Mmio& mmio,
                const Execlists& execlists, CsStats& stats, const InterpreterSettings& settings);

    Step step();

    StreamPointers pointers;
    ContextCommands commands;
    StateStore state;
    /// GGTT address of the running context's status page.
    GpuAddr status_page;

    /// Gives everything the values that a new context starts from.
    void reset_context();
    /// The stream has jumped, or another one runs: nothing that was fetched may be used.
    void drop_fetched() { fetch_.drop(); }
    /// A command of a context image, applied without draining. False: it does not belong there.
    bool restore(const packets::CommandRow& row, std::span<const std::uint32_t> dwords);
    /// Gives the pipe the media state of a context that ran before another one did.
    void replay_media_state();
    /// Reports loads for a walker that no stall of the context's own batches has waited for: they do
    /// not arrive (PRE-18).
    void lose_late_loads();
    /// Thread pools are part of a context (POOL-03): one that has set up none has none.
    void drop_thread_pools();
    /// Gives its pipe what is left of a walker or draw that was stopped.
    void resume_walker();
    /// A pipe has stopped a walker or a draw.
    void keep_walker(const PipelineCommand& command);
    /// Waits as Bus::drain does. False: another context is to run, and walkers can be stopped for
    /// it.
    bool drain_unless_preempted(packets::PipeSet pipes = packets::kEveryPipe);
    /// Ends what runs as soon as the preemption level allows.
    void stop_work();
    /// The MI_SET_CONTEXT that came since this was asked last.
    struct ContextRequest {
        GpuAddr address;
        bool restores = true;  ///< its state is loaded
        bool forced = false;   ///< also if it is the one that runs
    };
    std::optional<ContextRequest> take_context_request() {
        return std::exchange(context_request_, std::nullopt);
    }

    /// Stops the resource streamer where it is and keeps that for the context's return (RS-35).
    void halt_streamer();
    /// Its part of the running context's image (RS-13).
    void streamer_context(bool save);
    bool streamer_on() const { return streamer_on_; }
    const ResourcePool& table_pool() const { return tables_; }
    const ResourcePool& gather_pool() const { return gathers_; }

    /// A report for the buffer of OABUFFER, with its place there.
    struct BufferedReport {
        GpuAddr place;
        PerformanceReport report;
    };
    std::optional<BufferedReport> buffered_report(std::uint32_t reason);
    /// Registers may have chosen one context whose work is counted, or other events of EUs. `runs`:
    /// the context of the submission port does.
    void choose_counted(bool runs);
    static bool chooses_counted(std::uint32_t offset);
    /// Raises an interrupt that IMR lets pass.
    void raise(unsigned interrupt);
    /// The command in execution; null before it is known.
    const packets::CommandRow* row() const { return row_; }

    /// Grows with everything that brings a finite program nearer its end.
    std::uint64_t progress() const { return progress_; }
    /// It executes commands or polls a word: what it does next depends on memory.
    bool reads_memory() const { return waiting_ == Waiting::No || waiting_ == Waiting::Semaphore; }
    /// "first-level batch 0x1000 (PPGTT), PIPE_CONTROL: waits for 1 pipeline command"
    std::string describe() const;

  private:
    using Dwords = std::span<const std::uint32_t>;
    enum class Waiting : std::uint8_t { No, Drain, Accept, Semaphore, Register, Signal, Streamer };
    /// The place of the stream behind a draw, and the state that the draw has. The rest of a draw
    /// that is stopped needs that state.
    struct AfterDraw {
        StreamPointers pointers;
        StateStore state;
    };
    /// The place that MI_SEMAPHORE_WAIT polls, and the value it waits for.
    struct Semaphore {
        GpuAddr address;
        unsigned compare = 0;
        std::uint32_t data = 0;
    };

    bool fetch(std::uint32_t count, Dwords& dwords);
    Step execute(const packets::CommandRow& row, Dwords dwords);
    bool skipped(const packets::CommandRow& row);
    Step stop(const std::string& kind, const std::string& text);
    /// An error of the registers EIR, EMR and ESR.
    void latch_error(std::uint32_t error);
    void guest_error(const std::string& kind, const std::string& text);
    std::string place() const;
    bool wants_preemption() const;
    /// Does the context let a walker be stopped between groups (CS_CHICKEN1)?
    bool stops_walkers() const { return preemption_level() < kCommandLevel; }
    /// Can the last draw be stopped between objects? The context allows it, and what the stream
    /// has done since can be done again.
    bool stops_draws() const { return after_draw_.has_value(); }
    void mark_draw();
    void return_to_draw();
    unsigned preemption_level() const { return registers_.read(CS_CHICKEN1) >> 1 & 3; }
    void drain() { drain(packets::kEveryPipe); }
    void drain(packets::PipeSet pipes);

    // Memory as commands name it.
    AddressSpace space(bool global_gtt);
    std::uint32_t load_dword(AddressSpace space, GpuAddr address);
    std::uint64_t load_qword(AddressSpace space, GpuAddr address);
    void store_bytes(AddressSpace space, GpuAddr address, const void* bytes, std::size_t count);
    bool privileged() const { return origin_.space() == AddressSpace::Ggtt; }
    bool predicate_is_set() const { return (registers_.read(MI_PREDICATE_RESULT) & 1) != 0; }
    /// A command's write of a register.
    void write_register(std::uint32_t offset, std::uint32_t value, Writer writer,
                        unsigned byte_disables = 0);
    struct StorePlace {
        AddressSpace space;
        GpuAddr address;
    };
    /// A flush writes there. `indexed`: the address is an offset in a status page.
    StorePlace store_place(bool indexed, bool global, std::uint64_t address);

    // The table gives each command its function (interpreter_table.cpp). A function that returns
    // nothing lets the stream go on.
    struct Table;

    // interpreter_state.cpp: commands that need no more than a few lines
    void not_modelled(Dwords dwords);
    /// Work of the 3D pipe. Without a client of that pipe it is reported.
    Step draw_work(Dwords dwords);
    void nothing(Dwords) {}
    /// A state command that asks for nothing but to be latched.
    void latch(Dwords dwords);
    /// Waits for the work that must not see the state of a command that is not pipelined.
    void wait_for_users() {
        if (!row_->latch.waits.empty()) drain(row_->latch.waits);
    }
    void take_state(Dwords dwords);
    bool restore_state(Dwords dwords) { return state.take(*row_, dwords); }
    void filter_size(Dwords dwords);
    bool restore_filter_size(Dwords dwords);
    Step hz_op(Dwords dwords);
    void pool_alloc(Dwords dwords);
    void take_pool(Dwords dwords);
    Step draw(Dwords dwords);
    static bool repeats(const packets::CommandRow& row);
    bool is_filtered(Dwords dwords) const;
    bool has_stream_output() const;
    StreamOffsets stream_offsets();
    void stream_offsets_loaded();
    void noop(Dwords dwords);
    void user_interrupt(Dwords) { raise(kUserInterrupt); }
    Step preemption_point(Dwords) { return wants_preemption() ? Step::Preempted : Step::Continue; }
    Step arb_check(Dwords dwords);
    void set_context(Dwords dwords);
    void state_flush_of_ring();
    /// UHPTR names another place for the ring's head.
    bool head_waits() const {
        return mmio_.ring_mode() && mmio_.arbitration && (registers_.read(UHPTR) & 1);
    }
    void move_head();
    void flush(Dwords dwords);
    void report_head(Dwords dwords);
    void arbitration(Dwords dwords);
    void semaphore_signal(Dwords dwords);
    void pipeline_select(Dwords dwords);
    void restore_pipeline(Dwords dwords);
    void state_base_address(Dwords dwords);
    void set_bases(Dwords dwords);
    void state_sip(Dwords dwords);
    void csr_base_address(Dwords dwords);
    void set_csr_base(Dwords dwords);

    // interpreter_resource.cpp
    void resource_control(Dwords dwords);
    void restore_streamer(Dwords dwords);
    void resource_context(Dwords dwords);
    void resource_command(Dwords dwords);
    void meet_streamer(Dwords dwords);
    bool streamer_active() const;
    void start_streamer();
    void resume_streamer();
    void join_streamer();
    void take_product(ResourceProduct product);
    void table_pointers(Dwords dwords);
    ResourceState resource_state() const;

    // interpreter_mi.cpp
    void set_predicate(Dwords dwords);
    void predicate(Dwords dwords);
    void math(Dwords dwords);
    Step semaphore_wait(Dwords dwords);
    void store_data_imm(Dwords dwords);
    void store_data_index(Dwords dwords);
    void load_register_imm(Dwords dwords) { load_pairs(dwords, Writer::Stream); }
    void restore_registers(Dwords dwords) { load_pairs(dwords, Writer::Restore); }
    void load_pairs(Dwords dwords, Writer writer);
    void store_register_mem(Dwords dwords);
    void load_register_mem(Dwords dwords);
    void load_register_reg(Dwords dwords);
    void copy_mem_mem(Dwords dwords);
    void atomic(Dwords dwords);
    void flush_dw(Dwords dwords);
    void report_perf_count(Dwords dwords);
    PerformanceReport performance(std::uint32_t first) const;
    EuEventControls eu_events() const;
    void batch_buffer_start(Dwords dwords);
    void batch_buffer_end(Dwords dwords);
    void conditional_batch_buffer_end(Dwords dwords);

    // interpreter_pipe.cpp
    Step pipe_control(Dwords dwords);
    /// False: preempted before it has waited for the work.
    bool carry_out(const PipeControlActions& actions);
    Step media_state(Dwords dwords);
    Step walker(Dwords dwords);
    Step media_state_flush(Dwords dwords);
    void media_work(Dwords dwords) { send_work(dwords, PipeUse::Work::Media); }
    void take_media_state(Dwords dwords);
    void send_work(Dwords dwords, PipeUse::Work work);
    void check_media_order(Dwords dwords);
    void check_group_walker(Dwords dwords);
    // interpreter_barriers.cpp
    void read_descriptors(Dwords dwords);
    void check_barriers_of_state(Dwords dwords);
    void check_barriers_of_work(Dwords dwords, PipeUse::Work work);
    /// `rest`, `draw_rest`: of a walker or draw that was stopped.
    void send(const packets::CommandRow& row, Dwords dwords, const WalkerRest* rest = nullptr,
              const DrawRest* draw_rest = nullptr);
    /// False: the context has not given it.
    bool replay(packets::Command command);
    void replay_loads();
    /// False: preempted while a walker was still sending groups, or a draw objects.
    bool front_end_is_free(packets::Pipe pipe = packets::Pipe::Media);

    Bus& bus_;
    Reporter& reporter_;
    RegisterFile& registers_;
    Mmio& mmio_;
    const Execlists& execlists_;
    CsStats& stats_;
    const InterpreterSettings settings_;
    FetchBuffer fetch_;
    std::vector<std::uint32_t> gathered_;  ///< a command that does not lie in one block
    bool skipping_ = false;                ///< MI_SET_PREDICATE says so
    bool after_stall_ = false;             ///< the last command was a PIPE_CONTROL with CS stall
    bool thread_pools_ = false;            ///< the pipe has been told of some, or that they are off
    bool late_loads_ = false;              ///< of a restore, not replayed before a stall
    PipeUse use_;
    BarrierUse barriers_;
    // These may not be on while media or GPGPU work is given (RS-22).
    bool streamer_on_ = false;
    bool constants_pool_ = false;  ///< of DX9 constants, is on
    CounterGate counter_gate_;
    ResourcePool tables_, gathers_;
    enum class Tables : std::uint8_t { None, Software, Hardware };
    Tables last_tables_ = Tables::None;     ///< of the last pointer to a binding table
    bool state_cache_invalidated_ = false;  ///< since then
    bool streamer_runs_ = false;            ///< started, and its stop not taken note of
    bool new_batch_ = false;                ///< it has not been started in this batch
    StreamPointers origin_;                 ///< of the command in execution
    const packets::CommandRow* row_ = nullptr;
    std::optional<ContextRequest> context_request_;
    Waiting waiting_ = Waiting::No;
    Semaphore semaphore_;  ///< while it waits for one
    std::uint64_t progress_ = 0;
    /// Null: there is no draw, it cannot be stopped, or a command since has had an effect.
    std::optional<AfterDraw> after_draw_;
};

}  // namespace gen9::cs
