// SPDX-License-Identifier: Apache-2.0
#include "cs/module.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/bits.h"
#include "common/check.h"
#include "interconnect/kernel/stop_walk.h"

namespace gen9::cs {

using sc_core::sc_time;

namespace {

/// Addresses have 48 bits.
constexpr std::uint64_t kAddress = (1ull << 48) - 1;

}  // namespace

InterpreterSettings settings_of(const CsParams& params) {
    InterpreterSettings settings;
    settings.fetch_bytes = static_cast<unsigned>(std::bit_floor(params.fetch_bytes.get()));
    settings.slices = static_cast<unsigned>(params.slices.get());
    settings.strict = params.strict == "on";
    settings.privilege = params.privilege == "list";
    settings.flush_preempts = params.media_state_flush == "point";
    settings.restore_hazard = params.restore_hazard == "on";
    settings.any_barrier_stalls = params.stall_after_barrier == "any";
    return settings;
}

std::span<const char* const> command_words() {
    static const auto words = [] {
        std::vector<const char*> names;
        for (const packets::CommandRow& row : packets::command_rows())
            names.push_back(row.name);
        names.push_back("none");
        return names;
    }();
    return words;
}

CommandStreamer::CommandStreamer(sc_core::sc_module_name module_name, Environment& env,
                                 const Clock& clock, const CommandStreamerSetup& setup)
    : sc_core::sc_module(module_name),
      CommandStreamerBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      has_streamer_(setup.with_streamer && params.resource_streamer == "on"),
      core_(*this, env.reporter, stats, settings_of(params)),
      picoseconds_per_unit_(static_cast<std::uint64_t>(
          std::llround(sc_core::sc_get_time_resolution().to_seconds() * 1e12))) {
    GEN9_CHECK(picoseconds_per_unit_ >= 1, "time is kept in picoseconds or more");
    for (unsigned i = 0; i < setup.controls; ++i) {
        const std::string socket = "control_out" + std::to_string(i);
        control_out.push_back(std::make_unique<InitiatorSocket<MemoryProtocol>>(socket.c_str()));
    }
    enlist(env, params, stats, signals);
    attributes_.requester = Requester::CommandStreamer;
    told_.attributes.operation = MemoryAttributes::Operation::Control;
    told_.attributes.requester = Requester::CommandStreamer;
    told_.set_command(tlm::TLM_IGNORE_COMMAND);
    debugged_.attributes.requester = Requester::CommandStreamer;
    reg_in.on_blocking = [this](Payload& payload, sc_time&) { on_register(payload); };
    reg_in.on_debug = [this](Payload& payload) { return on_register_debug(payload); };
    connect(packets::Pipe::Media, command_out);
    if (setup.with_draws) {
        draw_out = std::make_unique<InitiatorSocket<CommandProtocol>>("draw_out");
        connect(packets::Pipe::Pipe3D, *draw_out);
    }
    if (setup.with_streamer) {
        streamer_out = std::make_unique<InitiatorSocket<ResourceProtocol>>("streamer_out");
        streamer_out->on_backward = [this](ResourceRequest& request, tlm::tlm_phase& phase,
                                           sc_time& delay) {
            return on_answer(request, phase, delay);
        };
    }
    if (setup.make_alu) {
        alu_out.bind(setup.make_alu("alu"));
    } else {
        own_alu_ = std::make_unique<AluModule>("alu", env, clock);
        alu_out.bind(own_alu_->op_in);
    }
    SC_HAS_PROCESS(CommandStreamer);
    SC_THREAD(run);
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
    SC_THREAD(run_sampling);
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
    SC_METHOD(watchdog);
    sensitive << alarm_event_;
    dont_initialize();
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
}

CommandStreamer::~CommandStreamer() = default;

CommandStreamerSockets CommandStreamer::sockets() {
    return {reg_in,
            reg_out,
            mem_out,
            every<AnyInitiator<MemoryProtocol>>(control_out),
            command_out,
            draw_out.get(),
            streamer_out.get()};
}

void CommandStreamer::connect(packets::Pipe pipe, InitiatorSocket<CommandProtocol>& socket) {
    GivenPipe& mine = given(pipe);
    mine.out = &socket;
    socket.on_backward = [this, &mine](PipelineCommand& command, tlm::tlm_phase& phase,
                                       sc_time& delay) {
        return on_command(mine, command, phase, delay);
    };
}

void CommandStreamer::run() {
    while (true) {
        while (core_.stopped() || !core_.pending())
            wait(submitted_);
        running_ = true;
        core_.run();
        synchronise();
        running_ = false;
        show(core_.stopped() ? Activity::Stopped : Activity::Idle);
    }
}

void CommandStreamer::synchronise() {
    if (ahead_ == sc_core::SC_ZERO_TIME) return;
    const sc_time passed = ahead_;
    ahead_ = sc_core::SC_ZERO_TIME;
    wait(passed);
}

void CommandStreamer::come_to(const sc_time& when) {
    if (when <= own_time()) return;
    ahead_ = when - sc_core::sc_time_stamp();
    if (env_.timed() || ahead_ >= clock_.time(Cycles(params.ahead_cycles))) synchronise();
}

void CommandStreamer::spend(std::uint64_t cycles) {
    show(Activity::Busy);
    stats.busy_cycles += cycles;
    ahead_ += clock_.time(Cycles(cycles));
    if (ahead_ >= clock_.time(Cycles(params.ahead_cycles))) synchronise();
}

void CommandStreamer::parsed(std::uint32_t dwords) {
    alu_.identify(trace_id());
    spend(params.parse_cycles + (dwords - 1) * params.dword_cycles);
}
void CommandStreamer::computed() {
    stats.busy_cycles += clock_.cycles(alu_.take_spent()).value;
    if (ahead_ >= clock_.time(Cycles(params.ahead_cycles))) synchronise();
}
void CommandStreamer::switched() {
    spend(params.context_switch_cycles);
}

void CommandStreamer::show_command() {
    const Cycles at = clock_.cycles(own_time());
    const StreamPointers& where = core_.interpreter().pointers;
    signals.context.set(core_.context_id(), at);
    signals.ring_head.set(where.ring_head(), at);
    if (where.level() != Level::Ring)
        signals.batch_address.set(where.address().value & kAddress, at);
    signals.level.set(where.level(), at);
    signals.command.set(core_.interpreter().row() - packets::command_rows().data(), at);
    signals.header.set(core_.peek_register(IPEHR), at);
    signals.command_id.set(trace_id(), at);
}

void CommandStreamer::show_registers() {
    const Cycles at = clock_.cycles(own_time());
    signals.predicate.set(core_.peek_register(MI_PREDICATE_RESULT) & 1, at);
}

void CommandStreamer::poll() {
    show(Activity::Poll);
    stats.poll_cycles += params.poll_cycles;
    ahead_ += clock_.time(Cycles(params.poll_cycles));
    synchronise();
}

// The host alone can change the word when nothing is pending: no thread, no access and no report of
// counters can write it then.
bool CommandStreamer::await_host(AddressSpace space, GpuAddr address, const PassesWord& passes) {
    synchronise();
    if (!host_writes || outstanding(packets::kEveryPipe) != 0 || stretch_.pending ||
        sc_core::sc_pending_activity())
        return false;
    show(Activity::Poll);
    Awaited awaited{space, address, passes};
    awaited_ = &awaited;
    wait(host_wrote_ | submitted_);
    awaited_ = nullptr;
    return awaited.passed;
}

bool CommandStreamer::look_at_host() {
    if (!awaited_ || awaited_->passed) return awaited_ != nullptr;
    std::uint8_t word[4]{};
    Payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(awaited_->address.value);
    payload.set_data_ptr(word);
    payload.set_data_length(sizeof word);
    payload.set_streaming_width(sizeof word);
    MemoryAttributes attributes;
    attributes.requester = Requester::CommandStreamer;
    attributes.space = awaited_->space;
    payload.set_extension(&attributes);
    mem_out->transport_dbg(payload);
    payload.clear_extension(&attributes);
    awaited_->passed = awaited_->passes(load<std::uint32_t>(word));
    if (awaited_->passed) host_wrote_.notify(sc_core::SC_ZERO_TIME);
    return awaited_->passed;
}

std::uint64_t CommandStreamer::timestamp() const {
    constexpr std::uint64_t kMillion = 1'000'000;
    const std::uint64_t picoseconds = own_time().value() * picoseconds_per_unit_;
    const std::uint64_t hz = params.timestamp_hz;
    const std::uint64_t seconds = picoseconds / (kMillion * kMillion);
    const std::uint64_t microseconds = picoseconds / kMillion % kMillion;
    return seconds * hz + (microseconds * hz + picoseconds % kMillion * hz / kMillion) / kMillion;
}

std::int64_t CommandStreamer::picoseconds(std::int64_t ticks) const {
    constexpr std::int64_t kMillion = 1'000'000;
    const auto hz = static_cast<std::int64_t>(params.timestamp_hz.get());
    const std::int64_t rest = ticks % hz * kMillion;
    return (ticks / hz * kMillion + rest / hz) * kMillion + rest % hz * kMillion / hz;
}

void CommandStreamer::alarm(std::optional<std::uint64_t> tick) {
    alarm_event_.cancel();
    if (!tick) return;
    const auto when = picoseconds(static_cast<std::int64_t>(*tick));
    const auto units = static_cast<std::uint64_t>(when) / picoseconds_per_unit_;
    clock_.notify(alarm_event_, clock_.cycles(sc_time::from_value(units)) + Cycles(1));
}

bool CommandStreamer::memory(tlm::tlm_command command, AddressSpace space, GpuAddr address,
                             std::uint8_t* bytes, std::size_t count) {
    show(Activity::Memory);
    payload_.set_command(command);
    payload_.set_address(address.value);
    payload_.set_data_ptr(bytes);
    payload_.set_data_length(static_cast<unsigned>(count));
    payload_.set_streaming_width(static_cast<unsigned>(count));
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    attributes_.operation = MemoryAttributes::Operation::Access;
    attributes_.space = space;
    attributes_.trace_id = trace_id();
    payload_.set_extension(&attributes_);
    mem_out->b_transport(payload_, ahead_);
    payload_.clear_extension(&attributes_);
    return payload_.is_response_ok();
}

void CommandStreamer::count_memory(const sc_time& since) {
    stats.memory_cycles += clock_.cycles(own_time() - since).value;
}

bool CommandStreamer::read(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) {
    const sc_time asked = own_time();
    const bool good = memory(tlm::TLM_READ_COMMAND, space, address, bytes.data(), bytes.size());
    count_memory(asked);
    if (!good) std::ranges::fill(bytes, std::uint8_t{0});
    return good;
}

bool CommandStreamer::debug(tlm::tlm_command command, AddressSpace space, GpuAddr address,
                            std::uint8_t* bytes, std::size_t count) {
    debugged_.set_command(command);
    debugged_.set_address(address.value);
    debugged_.set_data_ptr(bytes);
    debugged_.set_data_length(static_cast<unsigned>(count));
    debugged_.set_streaming_width(static_cast<unsigned>(count));
    debugged_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    debugged_.attributes.space = space;
    return mem_out->transport_dbg(debugged_) == count;
}

// While a block is executed the next one is on its way, so only what its latency exceeds that time
// by is waited for (Assumed: one block ahead).
bool CommandStreamer::fetch(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes,
                            bool sequential) {
    const sc_time asked = own_time();
    const bool good = memory(tlm::TLM_READ_COMMAND, space, address, bytes.data(), bytes.size());
    if (sequential) ahead_ -= std::min({asked - fetched_at_, own_time() - asked, ahead_});
    count_memory(asked);
    fetched_at_ = own_time();
    ++stats.fetches;
    return good;
}

bool CommandStreamer::write(AddressSpace space, GpuAddr address,
                            std::span<const std::uint8_t> bytes) {
    const sc_time asked = own_time();
    // TLM's payload has one pointer for both directions; a write does not change what it points to.
    const bool good = memory(tlm::TLM_WRITE_COMMAND, space, address,
                             const_cast<std::uint8_t*>(bytes.data()), bytes.size());
    count_memory(asked);
    return good;
}

bool CommandStreamer::forward_register(tlm::tlm_command command, std::uint32_t offset,
                                       std::uint32_t& value) {
    register_payload_.set_command(command);
    register_payload_.set_address(offset);
    register_payload_.set_data_ptr(reinterpret_cast<std::uint8_t*>(&value));
    register_payload_.set_data_length(sizeof value);
    register_payload_.set_streaming_width(sizeof value);
    register_payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    sc_time delay;
    reg_out->b_transport(register_payload_, delay);
    return register_payload_.is_response_ok();
}

bool CommandStreamer::read_register(std::uint32_t offset, std::uint32_t& value) {
    return forward_register(tlm::TLM_READ_COMMAND, offset, value);
}

bool CommandStreamer::write_register(std::uint32_t offset, std::uint32_t value) {
    return forward_register(tlm::TLM_WRITE_COMMAND, offset, value);
}

// All targets work at the same time; the streamer goes on when the last one is done.
void CommandStreamer::control(const CacheControl& control) {
    show(Activity::Control);
    const sc_time begin = own_time();
    const sc_time last = tell_all(control);
    ahead_ = std::max(last, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
    stats.control_cycles += clock_.cycles(last - begin).value;
}

sc_time CommandStreamer::tell_all(const CacheControl& control) {
    const sc_time begin = own_time();
    sc_time last = begin;
    told_.attributes.control = control;
    told_.attributes.trace_id = trace_id();
    const sc_time& now = sc_core::sc_time_stamp();  // the kernel's own: a target may let time pass
    const ControlBits asked = control.bits();
    if (!heeded_are_known_) find_heeded();
    for (std::size_t i = 0; i < heeded_.size(); ++i) {
        if (!(heeded_[i] & asked)) continue;
        told_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        sc_time delay = begin > now ? begin - now : sc_core::SC_ZERO_TIME;
        (*control_out[i])->b_transport(told_, delay);
        delay += now;
        if (delay > last) last = delay;
    }
    return last;
}

void CommandStreamer::find_heeded() {
    heeded_.clear();
    for (auto& socket : control_out) {
        socket->on_withdrawn = [this] { heeded_are_known_ = false; };
        heeded_.push_back(socket->heeded());
    }
    heeded_are_known_ = true;
}

PipelineCommand& CommandStreamer::new_command() {
    if (free_commands_.empty()) {
        commands_.push_back(std::make_unique<PipelineCommand>());
        free_commands_.push_back(commands_.back().get());
    }
    PipelineCommand& command = *free_commands_.back();
    free_commands_.pop_back();
    return command;
}

unsigned CommandStreamer::outstanding(packets::PipeSet pipes) const {
    unsigned count = 0;
    for (unsigned i = 0; i < packets::kPipes; ++i)
        if (pipes.contains(static_cast<packets::Pipe>(i))) count += pipes_[i].outstanding;
    return count;
}

bool CommandStreamer::await_front_end(packets::Pipe pipe, const std::function<bool()>& stop) {
    const GivenPipe& mine = given(pipe);
    if (mine.unaccepted || env_.timed()) synchronise();
    show(Activity::Accept);
    const sc_time begin = own_time();
    bool stopped = false;
    while (mine.unaccepted && !(stopped = stop()))
        wait(accepted_event_ | submitted_);
    if (!stopped) come_to(mine.accepted_at);
    stats.accept_cycles += clock_.cycles(own_time() - begin).value;
    return !stopped;
}

void CommandStreamer::send(packets::Pipe pipe, PipelineCommand& command) {
    GivenPipe& mine = given(pipe);
    GEN9_CHECK(mine.out, "nobody takes the work of this pipe");
    await_front_end(pipe, [] { return false; });
    synchronise();
    mine.unaccepted = &command;
    ++mine.outstanding;
    signals.outstanding.set(outstanding(packets::kEveryPipe), clock_.now());
    mine.settled = false;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    const tlm::tlm_sync_enum status = (*mine.out)->nb_transport_fw(command, phase, delay);
    if (status == tlm::TLM_COMPLETED)
        ended(mine, command, sc_core::sc_time_stamp() + delay);
    else if (status == tlm::TLM_UPDATED)
        on_command(mine, command, phase, delay);
}

tlm::tlm_sync_enum CommandStreamer::on_command(GivenPipe& pipe, PipelineCommand& command,
                                               tlm::tlm_phase& phase, sc_time& delay) {
    const sc_time when = sc_core::sc_time_stamp() + delay;
    if (phase == tlm::END_REQ) {
        GEN9_CHECK(pipe.unaccepted == &command, "the pipe accepts a command it was not given");
        accepted(pipe, when);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "the pipe uses a phase commands do not have");
    ended(pipe, command, when);
    return tlm::TLM_COMPLETED;
}

void CommandStreamer::accepted(GivenPipe& pipe, const sc_time& when) {
    pipe.unaccepted = nullptr;
    pipe.accepted_at = when;
    accepted_event_.notify(when - sc_core::sc_time_stamp());
}

void CommandStreamer::ended(GivenPipe& pipe, PipelineCommand& command, const sc_time& when) {
    if (pipe.unaccepted == &command) accepted(pipe, when);
    GEN9_CHECK(pipe.outstanding > 0, "the pipe ends a command it does not have");
    --pipe.outstanding;
    signals.outstanding.set(outstanding(packets::kEveryPipe), clock_.cycles(when));
    ++ended_commands_;
    core_.count_channels(command.channels);
    if (&pipe == &given(packets::Pipe::Pipe3D)) core_.count_draw(command.counts);
    if (command.remaining || command.remaining_draw) {
        core_.keep_walker(command);
        ++(command.remaining ? stats.walkers_stopped : stats.draws_stopped);
    }
    pipe.ended_at = std::max(pipe.ended_at, when);
    ended_event_.notify(when - sc_core::sc_time_stamp());
    free_commands_.push_back(&command);
}

void CommandStreamer::stop_walker(bool threads) {
    synchronise();
    const GivenPipe& media = given(packets::Pipe::Media);
    if (!media.unaccepted && (!threads || media.outstanding == 0)) return;
    tlm::tlm_phase phase = threads ? tlm::tlm_phase(kSaveWalk) : tlm::tlm_phase(kStopWalk);
    sc_time delay;
    command_out->nb_transport_fw(no_command_, phase, delay);
}

void CommandStreamer::stop_draw() {
    synchronise();
    if (!draw_out || !given(packets::Pipe::Pipe3D).unaccepted) return;
    tlm::tlm_phase phase = kStopWalk;
    sc_time delay;
    (*draw_out)->nb_transport_fw(no_command_, phase, delay);
}

void CommandStreamer::preempted() {
    if (!asked_at_) return;
    const std::uint64_t took = clock_.cycles(own_time() - *asked_at_).value;
    asked_at_.reset();
    stats.preemption_cycles += took;
    Counter* const by_length[] = {&stats.preemptions_1k, &stats.preemptions_10k,
                                  &stats.preemptions_100k, &stats.preemptions_1m};
    std::uint64_t limit = 1'000;
    for (Counter* const counter : by_length) {
        if (took <= limit) return ++*counter;
        limit *= 10;
    }
    ++stats.preemptions_more;
}

// Each pipe's work counts for itself: what waits for one pipe does not wait for the other.
bool CommandStreamer::wait_for_work(packets::PipeSet pipes, const std::function<bool()>& stop) {
    sc_time last_end;
    bool settled = true;
    for (unsigned i = 0; i < packets::kPipes; ++i) {
        if (!pipes.contains(static_cast<packets::Pipe>(i))) continue;
        last_end = std::max(last_end, pipes_[i].ended_at);
        settled &= pipes_[i].settled;
    }
    if (outstanding(pipes) == 0 && last_end <= own_time() && settled) return true;
    synchronise();
    show(Activity::Drain);
    const sc_time begin = sc_core::sc_time_stamp();
    while (outstanding(pipes) != 0) {
        if (stop && stop()) {
            stats.drain_cycles += clock_.cycles(sc_core::sc_time_stamp() - begin).value;
            return false;
        }
        wait(ended_event_ | submitted_);
    }
    for (unsigned i = 0; i < packets::kPipes; ++i)
        if (pipes.contains(static_cast<packets::Pipe>(i)))
            last_end = std::max(last_end, pipes_[i].ended_at);
    come_to(last_end);
    // No thread runs any more, but what they wrote may still wait in a data port (CS-53).
    CacheControl settle;
    settle.settle = true;
    const sc_time last = tell_all(settle);
    come_to(last);
    for (unsigned i = 0; i < packets::kPipes; ++i)
        if (pipes.contains(static_cast<packets::Pipe>(i))) pipes_[i].settled = true;
    stats.drain_cycles += clock_.cycles(own_time() - begin).value;
    return true;
}

void CommandStreamer::on_register(Payload& payload) {
    if (payload.get_data_length() != 4 || payload.get_address() % 4 != 0 ||
        payload.get_byte_enable_ptr()) {
        payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
        return;
    }
    if (payload.get_address() >= RegisterFile::kSpaceBytes) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    if (payload.is_read()) store(payload.get_data_ptr(), core_.read_register(offset));
    if (payload.is_write() &&
        core_.write_register(offset, load<std::uint32_t>(payload.get_data_ptr()))) {
        // A tail that moves asks for no switch.
        if (running_ && offset != RING_TAIL) asked_at_ = sc_core::sc_time_stamp();
        submitted_.notify(sc_core::SC_ZERO_TIME);
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

unsigned CommandStreamer::on_register_debug(Payload& payload) {
    if (!payload.is_read() || payload.get_data_length() != 4 || payload.get_address() % 4 != 0 ||
        payload.get_address() >= RegisterFile::kSpaceBytes)
        return 0;
    const auto offset = static_cast<std::uint32_t>(payload.get_address());
    store(payload.get_data_ptr(), core_.peek_register(offset));
    return 4;
}

}  // namespace gen9::cs
