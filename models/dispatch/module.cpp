// SPDX-License-Identifier: Apache-2.0
#include "dispatch/module.h"

#include <algorithm>
#include <cstdio>

#include "common/check.h"
#include "interconnect/stop_walk.h"

namespace gen9::dispatch {

std::string command_place(const PipelineCommand& command) {
    char text[48];
    std::snprintf(text, sizeof text, "command %08x at %llx", command.dwords[0],
                  static_cast<unsigned long long>(command.address.value));
    return text;
}

namespace {

Topology checked(Topology topology) {
    GEN9_CHECK(topology.total_threads() > 0, "a spawner needs threads to give out");
    if (topology.total_threads() > kMaxThreads || topology.total_subslices() > 32 ||
        topology.eus > 32)
        throw UserError("dispatch: " + std::to_string(topology.total_threads()) +
                        " hardware threads; thread ids reach to " + std::to_string(kMaxThreads));
    return topology;
}

Dispatcher::Settings settings(const SpawnerParams& params, unsigned slm_kb,
                              const RegisterFile& registers) {
    return {static_cast<unsigned>(params.groups_per_subslice.get()),
            params.slot_policy.get(),
            static_cast<DescriptorChange>(params.descriptor_change.index()),
            slm_kb,
            registers.registers,
            params.media_lines == "segments"};
}

}  // namespace

Spawner::Spawner(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                 const SpawnerSetup& setup)
    : sc_module(module_name),
      SpawnerBlock(env),
      env_(env),
      clock_(clock),
      topology_(checked(
          {setup.slices, setup.subslices, setup.eus, setup.threads_per_eu, setup.shared_slm})),
      params_(env.config, name()),
      stats_(name()),
      signals_(name(), topology_),
      front_end_(topology_, static_cast<std::uint32_t>(params_.urb_rows), setup.slm_kb,
                 params_.group_ids == "zero", setup.registers),
      dispatcher_(topology_, settings(params_, setup.slm_kb, setup.registers)),
      reader_(*this),
      wakeup_(clock),
      saved_slm_(setup.saved_slm),
      save_layout_{setup.l3_banks, topology_.total_subslices(), setup.eus, setup.threads_per_eu},
      load_end_(topology_.total_subslices()),
      running_(topology_.total_threads()),
      dependents_(std::size_t{topology_.total_threads()} * kEuWords) {
    enlist(env, params_, stats_, signals_);

    command_in.on_forward = [this](auto& p, auto& phase, auto& delay) {
        return on_command(p, phase, delay);
    };
    for (unsigned eu = 0; eu < topology_.total_eus(); ++eu) {
        const std::string index = std::to_string(eu);
        thread_out.push_back(
            std::make_unique<InitiatorSocket<DispatchProtocol>>(("thread_out" + index).c_str()));
        thread_out.back()->on_backward = [this](auto& p, auto& phase, auto& delay) {
            return on_thread(p, phase, delay);
        };
    }
    ports_.open(
        topology_.total_eus(),
        [this](unsigned eu, Message& message, const sc_core::sc_time& delay) {
            on_message(eu, message, delay);
        },
        [this](Message& message) { execute_message(message, clock_.now()); });
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        barrier_out.push_back(std::make_unique<InitiatorSocket<MemoryProtocol>>(
            ("barrier_out" + std::to_string(s)).c_str()));
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        barrier_out[s]->on_backward = [this, s](auto& p, auto& phase, auto& delay) {
            return on_share(s, p, phase, delay);
        };
    for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
        auto& socket = slm_out.emplace_back();
        if (!(saved_slm_ >> s & 1)) continue;
        socket = std::make_unique<InitiatorSocket<MemoryProtocol>>(
            ("slm_out" + std::to_string(s)).c_str());
        socket->on_backward = [this](auto& order, auto& phase, auto& delay) {
            if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
            order.release();
            --slm_moving_;
            slm_moved_at_ = std::max(slm_moved_at_, clock_.after(delay) + Cycles(1));
            wakeup_.at(slm_moved_at_);
            return tlm::TLM_COMPLETED;
        };
    }
    for (unsigned i = 0; i < topology_.total_threads(); ++i)
        threads_.push_back(std::make_unique<ThreadDispatch>());
    retirements_.reserve(topology_.total_threads());

    SC_HAS_PROCESS(Spawner);
    SC_THREAD(run);
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
}

Spawner::~Spawner() = default;

SpawnerSockets Spawner::sockets() {
    using Memory = AnyInitiator<MemoryProtocol>;
    return {command_in,
            mem_out,
            every<AnyInitiator<DispatchProtocol>>(thread_out),
            every<Memory>(barrier_out),
            every<Memory>(slm_out),
            every<AnyTarget<MessageProtocol>>(msg_in)};
}

// --- Process

void Spawner::run() {
    while (true) {
        wait(wakeup_.event);
        const Cycles now = clock_.now();
        step(now);
        // A memory that waits may have let a wakeup pass: whatever is due is found by schedule().
        schedule(clock_.now());
        if (signals_.watched()) show(clock_.now());
    }
}

void Spawner::step(Cycles now) {
    account(now);
    take_retirements(now);  // first: what they free can be given out in the same cycle
    answer_messages(now);
    take_shares(now);
    child_activity_ = send_children(now);
    if (slm_moving_ == 0 && slm_moved_at_ <= now) slm_moved_at_ = Cycles();  // seen
    if (saving_ != Saving::No) [[unlikely]]
        save_walk(now);
    advance_commands(now);
    // Children come first: what the next of them waits for is what the spawner waits for.
    if (child_activity_ != SendState::Sending && activity_ == SendState::Idle)
        activity_ = child_activity_;
}

void Spawner::schedule(Cycles now) {
    if (!retirements_.empty()) wakeup_.at(next_retirement());
    for (const PendingMessage& pending : messages_)
        wakeup_.at(pending.due);
    for (const Share& share : shares_)
        wakeup_.at(std::max(share.due, now));
    if (slm_moving_ == 0 && slm_moved_at_ != Cycles()) [[unlikely]]
        wakeup_.at(std::max(slm_moved_at_, now));
    for (const auto* spawns : {&children_, &spawned_roots_})
        for (const Spawn& spawn : *spawns)
            if (spawn.due > now) wakeup_.at(spawn.due);
    if (child_activity_ == SendState::WaitPayload) wakeup_.at(load_room(now));
    if (!children_.empty() && next_send_ > now) wakeup_.at(next_send_);
    if (!held_ends_.empty() && !queue_full(now)) wakeup_.at(now + Cycles(1));
    if (!command_) {
        if (activity_ == SendState::Sending) wakeup_.at(now + Cycles(1));
        if (!inbox_.empty()) wakeup_.at(std::max(now + Cycles(1), inbox_.front().arrival));
        return;
    }
    // What waits for slots, barriers, SLM or a drain is woken by the retirement that frees them.
    if (activity_ == SendState::FrontEnd) wakeup_.at(ready_at_);
    if (activity_ == SendState::WaitUrb && front_end_.urb_entries().returning())
        wakeup_.at(front_end_.urb_entries().next_return());
    if (activity_ == SendState::Sending) wakeup_.at(now + Cycles(1));
    if (activity_ == SendState::WaitHandshake) wakeup_.at(group_ready_);
    if (activity_ == SendState::WaitPayload) wakeup_.at(load_room(now));
}

void Spawner::account(Cycles now) {
    stats_.cycles[static_cast<unsigned>(activity_)] += (now - since_).value;
    since_ = now;
}

void Spawner::show(Cycles now) {
    signals_.activity.set(activity_, now);
    signals_.command.set(command_ ? command_->dwords[0] : 0, now);
    signals_.command_id.set(command_ ? command_->trace_id : 0, now);
    signals_.scoreboard.set(scoreboard_.marked(), now);
    signals_.children.set(children_.size(), now);
    signals_.walkers.set(runs_.size() - free_runs_.size(), now);
    for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
        signals_.threads[s].set(dispatcher_.slots().live(s), now);
        signals_.groups[s].set(dispatcher_.tracker().active(s), now);
        signals_.barriers[s].set(dispatcher_.barriers(s).used(), now);
        signals_.slm_kilobytes[s].set(dispatcher_.slm(s).used_kilobytes(), now);
    }
}

// --- Commands

tlm::tlm_sync_enum Spawner::on_command(PipelineCommand& command, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
    if (phase == kStopWalk || phase == kSaveWalk) {
        if (phase == kSaveWalk) saving_ = Saving::Asked;
        // In the next cycle, so that what is sent in this one does not depend on who comes first.
        to_stop_ = command_ ? command_ : inbox_.empty() ? nullptr : inbox_.front().command;
        stop_at_ = clock_.now() + Cycles(1);
        wakeup_.at(stop_at_);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a command begins with its request");
    const Cycles arrival = clock_.now() + clock_.cycles(delay);
    inbox_.push_back({arrival, &command});
    wakeup_.at(arrival);
    return tlm::TLM_ACCEPTED;
}

void Spawner::accept_command() {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time delay;
    PipelineCommand* const command = command_;
    command_ = nullptr;
    to_stop_ = nullptr;
    command_in->nb_transport_bw(*command, phase, delay);
}

void Spawner::finish_command(PipelineCommand& command) {
    if (saving_ == Saving::Threads || saving_ == Saving::Slm) return ended_.push_back(&command);
    // The last to answer says what is left; others have before.
    if (has_saved() && !command_ && dispatcher_.slots().live() == 0) keep_threads_only(command);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    command_in->nb_transport_bw(command, phase, delay);
}

void Spawner::refuse(const Refusal& refusal) {
    command_->failed = true;
    if (refusal.id.empty())
        env_.reporter.guest_error(refusal.kind, command_place(*command_), refusal.text);
    else
        env_.reporter.not_modelled(refusal.id, refusal.text);
}

void Spawner::advance_commands(Cycles now) {
    while (true) {
        if (saving_ == Saving::Threads || saving_ == Saving::Slm) {
            activity_ = SendState::WaitDrain;
            return;
        }
        if (now < next_send_) {
            activity_ = SendState::Sending;
            return;
        }
        if (!command_) {
            if (inbox_.empty() || inbox_.front().arrival > now) {
                activity_ = SendState::Idle;
                return;
            }
            command_ = inbox_.front().command;
            inbox_.pop_front();
            ++stats_.commands;
            // What a walker reads is its own, whose number is the next.
            reader_.serve(FrontEnd::kind_of(*command_) == FrontEnd::Kind::Walker
                              ? for_work(command_->trace_id, walkers_begun_)
                              : command_->trace_id);
            stage_ = Stage::Received;
            ready_at_ = env_.timed() ? now + Cycles(params_.command_cycles) : now;
        }
        if (now < ready_at_) {
            activity_ = SendState::FrontEnd;
            return;
        }
        if (!advance(now)) return;
    }
}

bool Spawner::advance(Cycles now) {
    switch (stage_) {
        case Stage::Received:
            return start_command(now);
        case Stage::Loaded: {
            PipelineCommand* const command = command_;
            accept_command();
            finish_command(*command);
            return true;
        }
        case Stage::Fetched:
            return start_walk(now);
        default:
            send_threads(now);
            return command_ == nullptr;
    }
}

bool Spawner::start_command(Cycles now) {
    const FrontEnd::Kind kind = FrontEnd::kind_of(*command_);
    const bool running = dispatcher_.slots().live() != 0 || !children_.empty();
    if (const SendState why = held_back(kind); why != SendState::Sending) {
        activity_ = why;
        return false;
    }
    std::optional<Refusal> refusal;
    // Threads of functional mode need none: what they compute does not depend on how many run.
    front_end_.count_registers(env_.timed() || timing_choice != nullptr);
    reader_.delay = sc_core::SC_ZERO_TIME;
    stage_ = Stage::Loaded;
    switch (kind) {
        case FrontEnd::Kind::State:
            // A state command that is not pipelined flushes first (PRE-15: 003:17089-17095).
            if (running) {
                stage_ = Stage::Received;
                activity_ = SendState::WaitDrain;
                return false;
            }
            if (!FrontEnd::makes_partition(*command_)) {
                refusal = front_end_.execute(*command_, reader_);
                break;
            }
            drop_media_state();
            show_urb_entries(-int(front_end_.urb_entries().total()), clock_.now());
            refusal = front_end_.execute(*command_, reader_);
            show_urb_entries(int(front_end_.urb_entries().total()), clock_.now());
            if (!refusal && front_end_.vfe().reset_gateway_timer)
                timer_reset_ = {command_->context_start, picoseconds()};
            break;
        case FrontEnd::Kind::Load:
            refusal = front_end_.execute(*command_, reader_);
            if (const auto curbe = front_end_.curbe_of(*command_); !refusal && !curbe.empty())
                reader_.put_in_urb(VfeState::kDescriptorRows * kGrfBytes, curbe);
            break;
        case FrontEnd::Kind::Flush: {
            // Everything before it has been dispatched by now, which is all a plain flush asks for.
            const auto flush = FrontEnd::flush_of(*command_);
            const Descriptor d = front_end_.descriptor(flush.descriptor);
            if (flush.flush_to_go && running)
                activity_ = SendState::WaitDrain;
            else if (flush.watermark && running)
                activity_ = dispatcher_.room_for(
                    d, d.group_threads, front_end_.vfe(), front_end_.pools(),
                    front_end_.registers_of(*command_->state, d,
                                            1u + d.cross_thread_rows + d.per_thread_rows, reader_));
            else
                break;
            if (activity_ == SendState::Sending) break;
            stage_ = Stage::Received;
            return false;
        }
        case FrontEnd::Kind::Walker: {
            if (front_end_.waits_for_entry(*command_, now)) {
                stage_ = Stage::Received;
                activity_ = SendState::WaitUrb;
                return false;
            }
            refusal = front_end_.prepare(*command_, reader_, walk_);
            command_->remaining.reset();
            if (!refusal) stage_ = Stage::Fetched;
            if (!refusal && command_->resumes) fetch_saved(*command_);
            if (!refusal && walk_.holds_entry) show_urb_entries(-1, clock_.now());
            break;
        }
        case FrontEnd::Kind::Media:
            if (front_end_.waits_for_entry(*command_, now)) {
                stage_ = Stage::Received;
                activity_ = SendState::WaitUrb;
                return false;
            }
            refusal = prepare_media();
            if (!refusal) stage_ = Stage::Fetched;
            if (!refusal && walk_.holds_entry) show_urb_entries(-1, clock_.now());
            break;
        case FrontEnd::Kind::Refused:
            refusal = FrontEnd::refuse();
            break;
    }
    if (refusal) refuse(*refusal);
    ready_at_ = now;
    if (env_.timed()) {
        ready_at_ = clock_.now() + clock_.cycles(reader_.delay);
        if (stage_ == Stage::Fetched) ready_at_ += Cycles(params_.walker_cycles);
    }
    return true;
}

bool Spawner::PortReader::read(GpuAddr address, std::span<std::uint8_t> data, std::uint8_t mocs) {
    if (data.empty()) return true;
    attributes_.requester = Requester::StateCache;
    attributes_.mocs = mocs;
    delay = transport(tlm::TLM_READ_COMMAND, address.value, data);
    spawner_.stats_.memory_bytes += data.size();
    if (payload_.is_response_ok()) return true;
    std::fill(data.begin(), data.end(), std::uint8_t{0});
    return false;
}

bool Spawner::PortReader::look(GpuAddr address, std::span<std::uint8_t> data) {
    attributes_.requester = Requester::StateCache;
    attributes_.mocs = 0;
    set_up(tlm::TLM_READ_COMMAND, address.value, data);
    return spawner_.mem_out->transport_dbg(payload_) == data.size();
}

std::int64_t Spawner::picoseconds() const {
    return static_cast<std::int64_t>(sc_core::sc_time_stamp() /
                                     sc_core::sc_time(1, sc_core::SC_PS));
}

bool Spawner::PortReader::move_saved(tlm::tlm_command command, GpuAddr address,
                                     std::span<std::uint8_t> data) {
    attributes_.requester = Requester::DataPort;
    attributes_.mocs = 0;
    delay = transport(command, address.value, data);
    return payload_.is_response_ok();
}

// The front end's own writes go by beside its reads and take no time of their own (Assumed).
void Spawner::PortReader::put_in_urb(std::uint32_t address, std::span<std::uint8_t> data) {
    attributes_.space = AddressSpace::Urb;
    attributes_.requester = Requester::Urb;
    transport(tlm::TLM_WRITE_COMMAND, address, data);
    attributes_.space = AddressSpace::Ppgtt;
    spawner_.stats_.urb_bytes += data.size();
}

void Spawner::PortReader::get_from_urb(std::uint32_t address, std::span<std::uint8_t> data,
                                       TraceId cause) {
    attributes_.space = AddressSpace::Urb;
    attributes_.requester = Requester::Urb;
    const TraceId command = attributes_.trace_id;
    attributes_.trace_id = cause;
    transport(tlm::TLM_READ_COMMAND, address, data);
    if (!payload_.is_response_ok()) std::fill(data.begin(), data.end(), std::uint8_t{0});
    attributes_.trace_id = command;
    attributes_.space = AddressSpace::Ppgtt;
}

void Spawner::PortReader::set_up(tlm::tlm_command command, std::uint64_t address,
                                 std::span<std::uint8_t> data) {
    payload_.set_command(command);
    payload_.set_address(address);
    payload_.set_data_ptr(data.data());
    payload_.set_data_length(static_cast<unsigned>(data.size()));
    payload_.set_streaming_width(static_cast<unsigned>(data.size()));
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

sc_core::sc_time Spawner::PortReader::transport(tlm::tlm_command command, std::uint64_t address,
                                                std::span<std::uint8_t> data) {
    set_up(command, address, data);
    sc_core::sc_time taken = delay;
    spawner_.mem_out->b_transport(payload_, taken);
    return taken;
}

// --- Walkers

bool Spawner::start_walk(Cycles now) {
    if (dispatcher_.must_drain(walk_) || slm_moving(now) || walk_waits()) {
        activity_ = SendState::WaitDrain;
        return false;
    }
    check_group(walk_);
    if (free_runs_.empty()) {
        free_runs_.push_back(static_cast<unsigned>(runs_.size()));
        runs_.emplace_back();
    }
    run_ = free_runs_.back();
    free_runs_.pop_back();
    Run& run = runs_[run_];
    run = {};
    run.command = command_;
    run.record = record_of(walk_);
    walk_.number = walkers_begun_++;
    walk_.context_start = command_->context_start == timer_reset_.context_start
                              ? timer_reset_.at
                              : command_->context_start;
    if (walk_.holds_entry)
        reader_.put_in_urb(std::uint32_t{walk_.urb_handle} * VfeState::kHandleBytes,
                           walk_.indirect ? walk_.data : walk_.urb_data);
    run.record.begin = run.record.all_sent = now;
    std::ranges::transform(stats_.cycles, run.activity.begin(), &Counter::value);
    payload_read_ = now;
    load_cycles_ = static_cast<std::uint32_t>(
        (walk_.payload_rows() + params_.load_rows_per_clock - 1) / params_.load_rows_per_clock);
    ++stats_.walkers;
    signals_.walker.set(walk_.number, clock_.now());
    if (observer) observer->work_began(run.record);
    dispatcher_.begin(walk_);
    groups_sent_ = 0;
    timing_agreed_ = false;
    stage_ = Stage::Walking;
    if (!restored_.empty()) restore_threads(now);
    return true;
}

// --- Reports

std::string Spawner::describe_waiting() const {
    std::string text;
    const auto line = [&](const std::string& sentence) {
        text += std::string(name()) + ": " + sentence + "\n";
    };
    const auto triple = [](const std::array<std::uint32_t, 3>& id) {
        return std::string("(") + std::to_string(id[0]) + ", " + std::to_string(id[1]) + ", " +
               std::to_string(id[2]) + ")";
    };
    if (command_) {
        std::string sentence = command_place(*command_) + " waits for " + to_text(activity_);
        if (stage_ == Stage::Walking && dispatcher_.walking())
            sentence += ", at group " + triple(dispatcher_.next_group());
        line(sentence);
    }
    for (const Run& run : runs_)
        if (run.command)
            line(std::string("walker ") + std::to_string(run.record.number) + ": " +
                 std::to_string(run.outstanding) + " of " + std::to_string(run.record.threads) +
                 " threads sent are still running" +
                 (run.urb_entry ? ", holds URB entry " + std::to_string(*run.urb_entry) : ""));
    for (const Group& group : dispatcher_.tracker().groups())
        if (group.live)
            line(std::string("group ") + triple(group.id) + " of walker " +
                 std::to_string(group.walker) + " on subslice " + std::to_string(group.subslice) +
                 (group.has_barrier ? std::string(" with barrier ") + std::to_string(group.barrier)
                                    : std::string()) +
                 ": " + std::to_string(group.outstanding) + " of " + std::to_string(group.threads) +
                 " threads running");
    return text + describe_media();
}

}  // namespace gen9::dispatch
