// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "cs/alu_module.h"
#include "cs/core.h"
#include "cs/interface.h"
#include "cs/params.h"
#include "cs/signals.h"
#include "cs/stats.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::cs {

/// The interpreter asks for these of the parameters.
InterpreterSettings settings_of(const CsParams& params);

/// CommandStreamer: command streamer of the render engine (module half; the rules are in core.h and
/// interpreter.h).
/// Role     takes submissions by register writes, executes their streams in one thread, and counts
///          the time of each command.
/// Sockets  reg_in          target     memory (base)    host MMIO, 32-bit, b_transport and debug
///          reg_out         initiator  memory (base)    registers other blocks own, b_transport
///          mem_out         initiator  memory (base)    commands, contexts, stores; b_transport
///          control_out[i]  initiator  memory (Control) caches and TLBs, b_transport
///          command_out     initiator  PipelineCommand  to the media/GPGPU front end, non-blocking
///          alu_out         initiator  memory (base)    ALU instructions and registers, b_transport
///          draw_out        initiator  PipelineCommand  to the 3D pipe's front end, if there is one
///          streamer_out    initiator  ResourceRequest  to the resource streamer, if there is one
/// Params   params.h        Order  stream order; see interpreter.h
/// Not here the work of pipeline commands (media/); translation (memory/)
/// Spec     CS-01..CS-153; 003:1110-2444
class CommandStreamer : public sc_core::sc_module, public CommandStreamerBlock, private Bus {
  public:
    CommandStreamer(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                    const CommandStreamerSetup& setup);
    ~CommandStreamer() override;

    const CsParams params;
    TargetSocket<MemoryProtocol> reg_in{"reg_in"};
    InitiatorSocket<MemoryProtocol> reg_out{"reg_out"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    std::vector<std::unique_ptr<InitiatorSocket<MemoryProtocol>>> control_out;
    InitiatorSocket<CommandProtocol> command_out{"command_out"};
    std::unique_ptr<InitiatorSocket<CommandProtocol>> draw_out;  ///< or null
    InitiatorSocket<MemoryProtocol> alu_out{"alu_out"};
    std::unique_ptr<InitiatorSocket<ResourceProtocol>> streamer_out;  ///< or null
    CsStats stats;
    CsSignals signals;

    CommandStreamerSockets sockets() override;
    bool awaits_host() const override { return awaited_ != nullptr; }
    bool look_at_host() override;
    bool works_alone() const override {
        return running_ && outstanding(packets::kEveryPipe) == 0 && core_.reads_memory();
    }
    /// Ring commands, ends of batches, pipeline commands given and ended.
    std::uint64_t progress() const override { return core_.progress() + ended_commands_; }
    /// Nothing runs and nothing has been submitted.
    bool idle() const override {
        return !running_ && core_.idle() && outstanding(packets::kEveryPipe) == 0;
    }
    bool stopped() const override { return core_.stopped(); }
    std::string describe_waiting() const override { return core_.describe(); }

  private:
    using Payload = tlm::tlm_generic_payload;

    // The functions of Bus.
    bool read(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) override;
    bool peek(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) override {
        return debug(tlm::TLM_READ_COMMAND, space, address, bytes.data(), bytes.size());
    }
    bool poke(AddressSpace space, GpuAddr address, std::span<const std::uint8_t> bytes) override {
        // TLM's payload has one pointer for both directions.
        return debug(tlm::TLM_WRITE_COMMAND, space, address,
                     const_cast<std::uint8_t*>(bytes.data()), bytes.size());
    }
    bool debug(tlm::tlm_command command, AddressSpace space, GpuAddr address, std::uint8_t* bytes,
               std::size_t count);
    bool fetch(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes,
               bool sequential) override;
    bool write(AddressSpace space, GpuAddr address, std::span<const std::uint8_t> bytes) override;
    bool read_register(std::uint32_t offset, std::uint32_t& value) override;
    bool write_register(std::uint32_t offset, std::uint32_t value) override;
    void control(const CacheControl& control) override;
    bool has_pipe(packets::Pipe pipe) const override { return given(pipe).out != nullptr; }
    PipelineCommand& new_command() override;
    void send(packets::Pipe pipe, PipelineCommand& command) override;
    unsigned outstanding(packets::PipeSet pipes) const override;
    void drain(packets::PipeSet pipes) override { wait_for_work(pipes, {}); }
    bool drain_unless(packets::PipeSet pipes, const std::function<bool()>& stop) override {
        return wait_for_work(pipes, stop);
    }
    bool await_front_end(packets::Pipe pipe, const std::function<bool()>& stop) override;
    void stop_walker(bool threads) override;
    void stop_draw() override;
    void preempted() override;
    /// Cycles do not depend on whether the host wrote before or after the streamer looked.
    void passed_wait() override {
        if (host_writes) synchronise();
    }
    void parsed(std::uint32_t dwords) override;
    AluUnit& alu() override { return alu_; }
    bool has_streamer() const override { return has_streamer_; }
    void start_streamer(const ResourceRequest& request) override;
    ResourceRequest streamer_stopped() override;
    std::optional<GpuAddr> streamer_limit() override;
    void halt_streamer() override;
    void join_streamer() override;
    bool consume(ResourceProduct product) override;
    void streamer_context(const ResourceRequest& request) override;
    void computed() override;
    void switched() override;
    void poll() override;
    bool await_host(AddressSpace space, GpuAddr address, const PassesWord& passes) override;
    void interrupt(unsigned bit) override {
        if (on_interrupt) on_interrupt(bit, ahead_);
    }
    void performance(PerformanceCounters& counters, const EuEventControls& events) override;
    void wrote_time(AddressSpace space, GpuAddr address, std::size_t bytes) override {
        if (on_time_written) on_time_written(space, address, bytes);
    }
    void sample(std::uint64_t ticks) override;
    void alarm(std::optional<std::uint64_t> tick) override;
    std::uint64_t timestamp() const override;
    std::int64_t picoseconds(std::int64_t ticks) const override;
    bool watched() const override { return signals.watched(); }
    void show_command() override;
    void show_registers() override;

    void run();
    /// Writes reports of the performance counters when they are due.
    void run_sampling();
    void watchdog() { core_.watchdog_expired(); }
    void spend(std::uint64_t cycles);
    /// Tells all caches and ports that it concerns; returns when the last has done it.
    sc_core::sc_time tell_all(const CacheControl& control);
    void find_heeded();
    /// Lets kernel time come up with the streamer's own.
    void synchronise();
    /// The streamer goes on at this time at the earliest; nothing else is waited for.
    void come_to(const sc_core::sc_time& when);
    bool memory(tlm::tlm_command command, AddressSpace space, GpuAddr address, std::uint8_t* bytes,
                std::size_t count);
    void count_memory(const sc_core::sc_time& since);
    /// The kernel's time and what the thread is ahead of it.
    sc_core::sc_time own_time() const { return sc_core::sc_time_stamp() + ahead_; }
    bool forward_register(tlm::tlm_command command, std::uint32_t offset, std::uint32_t& value);
    void on_register(Payload& payload);
    unsigned on_register_debug(Payload& payload);
    /// A pipe, and the work that it has been given.
    struct GivenPipe {
        InitiatorSocket<CommandProtocol>* out = nullptr;  ///< null: nobody takes its work
        PipelineCommand* unaccepted = nullptr;
        sc_core::sc_time accepted_at, ended_at;
        unsigned outstanding = 0;
        bool settled = true;  ///< what the work that has ended wrote is where others see it
    };
    GivenPipe& given(packets::Pipe pipe) { return pipes_[static_cast<unsigned>(pipe)]; }
    const GivenPipe& given(packets::Pipe pipe) const { return pipes_[static_cast<unsigned>(pipe)]; }
    void connect(packets::Pipe pipe, InitiatorSocket<CommandProtocol>& socket);
    tlm::tlm_sync_enum on_command(GivenPipe& pipe, PipelineCommand& command, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay);
    void accepted(GivenPipe& pipe, const sc_core::sc_time& when);
    /// False: `stop` said so first.
    bool wait_for_work(packets::PipeSet pipes, const std::function<bool()>& stop);
    /// A request to the resource streamer, from its sending to its answer.
    struct Asked {
        ResourceRequest request;
        bool pending = false;
        sc_core::sc_time answered_at;
    };
    void ask(Asked& asked);
    void wait_for_answer(Asked& asked);
    tlm::tlm_sync_enum on_answer(ResourceRequest& request, tlm::tlm_phase& phase,
                                 sc_core::sc_time& delay);
    void ended(GivenPipe& pipe, PipelineCommand& command, const sc_core::sc_time& when);
    /// Begins at the streamer's own time.
    void show(Activity activity) { signals.activity.set(activity, clock_.cycles(own_time())); }

    Environment& env_;
    const Clock& clock_;
    const bool has_streamer_;
    sc_core::sc_time ahead_;  ///< how far the thread's own time is ahead of the kernel's
    AluClient alu_{alu_out, ahead_};
    std::unique_ptr<AluModule> own_alu_;
    CsCore core_;
    /// The word whose change by the host is waited for.
    struct Awaited {
        AddressSpace space;
        GpuAddr address;
        const PassesWord& passes;
        bool passed = false;
    };
    Awaited* awaited_ = nullptr;
    sc_core::sc_event host_wrote_;
    sc_core::sc_event submitted_, accepted_event_, ended_event_, alarm_event_, sample_event_;
    Asked stretch_, product_, halt_;  ///< Parse, Save or Restore; Consume; Halt, Join
    sc_core::sc_event answered_event_;
    Payload payload_;
    MemoryAttributes attributes_;
    /// A payload that keeps its attributes.
    struct OwnPayload : Payload {
        MemoryAttributes attributes;
        OwnPayload() { set_extension(&attributes); }
        ~OwnPayload() { clear_extension(&attributes); }
    };
    OwnPayload told_, debugged_;
    std::vector<ControlBits> heeded_;  ///< of each `control_out`, what its target heeds
    bool heeded_are_known_ = false;
    Payload register_payload_;
    std::uint64_t picoseconds_per_unit_;
    sc_core::sc_time fetched_at_;  ///< the last block of commands was there

    std::vector<std::unique_ptr<PipelineCommand>> commands_;
    std::vector<PipelineCommand*> free_commands_;
    std::array<GivenPipe, packets::kPipes> pipes_;
    PipelineCommand no_command_;  ///< the payload of phases that speak of no command
    bool running_ = false;        ///< the stream is executed, or the time this took is not over yet
    std::optional<sc_core::sc_time> asked_at_;  ///< a submission came while another one ran
    std::uint64_t sample_picoseconds_ = 0;      ///< between two such reports; 0: none
    std::uint64_t ended_commands_ = 0;
};

}  // namespace gen9::cs
