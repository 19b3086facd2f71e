// SPDX-License-Identifier: Apache-2.0
#include "media/module.h"

#include <algorithm>
#include <cstdio>

#include "common/check.h"
#include "interconnect/kernel/stop_walk.h"

namespace gen9::media {

std::string command_place(const PipelineCommand& command) {
    char text[48];
    std::snprintf(text, sizeof text, "command %08x at %llx", command.dwords[0],
                  static_cast<unsigned long long>(command.address.value));
    return text;
}

namespace {

std::string unit_of(const MediaSetup& settings, const std::string& name) {
    return settings.unit.empty() ? name : settings.unit;
}

}  // namespace

Media::Media(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
             const MediaSetup& settings)
    : sc_module(module_name),
      MediaBlock(env),
      env_(env),
      clock_(clock),
      topology_(settings.topology),
      params_(env.config, unit_of(settings, name())),
      stats_(unit_of(settings, name())),
      signals_(unit_of(settings, name())),
      front_end_(topology_, static_cast<std::uint32_t>(params_.urb_rows), settings.slm_kb,
                 params_.group_ids == "zero", settings.registers),
      reader_(*this),
      thread_reader_(*this),
      wakeup_(clock),
      dealt_(topology_.total_eus()),
      live_descriptor_(static_cast<DescriptorChange>(params_.descriptor_change.index())),
      save_layout_{settings.l3_banks, topology_.total_subslices(), topology_.eus,
                   topology_.threads},
      running_(topology_.total_threads()) {
    enlist(env, params_, stats_, signals_);

    command_in.on_forward = [this](auto& command, auto& phase, auto& delay) {
        return on_command(command, phase, delay);
    };
    for (auto* socket : {&child_out, &request_out})
        socket->on_backward = [this](auto& request, auto& phase, auto& delay) {
            return on_request(request, phase, delay);
        };
    ports_.open(
        topology_.total_eus(),
        [this](unsigned eu, Message& message, const sc_core::sc_time& delay) {
            on_message(eu, message, delay);
        },
        [this](Message& message) { execute_message(message, clock_.now()); });
    for (auto& socket : msg_in)
        socket.direct = this;
    control_.source = this;

    SC_HAS_PROCESS(Media);
    SC_THREAD(run);
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
}

Media::~Media() = default;

MediaSockets Media::sockets() {
    return {command_in, mem_out, child_out, request_out, every<AnyTarget<MessageProtocol>>(msg_in)};
}

// --- Process

void Media::run() {
    while (true) {
        wait(wakeup_.event);
        step(clock_.now());
        // A memory that waits may have let a wakeup pass: whatever is due is found by schedule().
        schedule(clock_.now());
        update(clock_.now());
    }
}

void Media::step(Cycles now) {
    answer_commands();
    answer_messages(now);
    advance_commands(now);
}

void Media::schedule(Cycles now) {
    for (const PendingMessage& pending : messages_)
        wakeup_.at(pending.due);
    if (next_send_ > now && stage_ != Stage::Walking) wakeup_.at(next_send_);
    if (saving_) return;  // nothing is begun meanwhile, and the end of it wakes
    if (!command_) {
        if (!inbox_.empty()) wakeup_.at(std::max(now + Cycles(1), inbox_.front().arrival));
        return;
    }
    // What waits for slots, barriers, SLM or a drain is woken by the retirement that frees them.
    if (state_ == SendState::FrontEnd && stage_ != Stage::Requested) wakeup_.at(ready_at_);
    if (state_ == SendState::WaitUrb && front_end_.urb_handles().returning(FrontEnd::kUrbOwner))
        wakeup_.at(front_end_.urb_handles().next_return(FrontEnd::kUrbOwner));
}

// Children come first: what the next of them waits for is what an idle front end waits for.
void Media::update(Cycles now) {
    SendState activity = state_;
    if (saving_)
        activity = SendState::WaitDrain;
    else if (env_.timed() && now < next_send_)
        activity = SendState::Sending;
    if (activity == SendState::Idle && child_state_ != SendState::Sending) activity = child_state_;
    if (activity != activity_) {
        account(now);
        activity_ = activity;
    }
    if (signals_.watched()) show(now);
}

void Media::account(Cycles now) {
    stats_.cycles[static_cast<unsigned>(activity_)] += (now - since_).value;
    since_ = now;
}

void Media::show(Cycles now) {
    signals_.activity.set(activity_, now);
    signals_.command.set(command_ ? command_->dwords[0] : 0, now);
    signals_.command_id.set(command_ ? command_->trace_id : 0, now);
    signals_.scoreboard.set(scoreboard_.marked(), now);
    signals_.children.set(children_.size(), now);
    signals_.walkers.set(runs_.size() - free_runs_.size(), now);
}

std::int64_t Media::picoseconds() const {
    return static_cast<std::int64_t>(sc_core::sc_time_stamp() /
                                     sc_core::sc_time(1, sc_core::SC_PS));
}

// --- Commands

tlm::tlm_sync_enum Media::on_command(PipelineCommand& command, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == kStopWalk || phase == kSaveWalk) {
        to_stop_ = command_ ? command_ : inbox_.empty() ? nullptr : inbox_.front().command;
        // In the next cycle, so that what is sent in this one does not depend on who comes first.
        stop_at_ = clock_.now() + Cycles(1);
        tlm::tlm_phase ask = kOfferAgain;
        if (phase == kSaveWalk) ask = kSaveRequest;
        sc_core::sc_time later = clock_.until(stop_at_);
        request_out->nb_transport_fw(control_, ask, later);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a command begins with its request");
    const Cycles arrival = clock_.now() + clock_.cycles(delay);
    inbox_.push_back({arrival, &command});
    wakeup_.at(arrival);
    return tlm::TLM_ACCEPTED;
}

void Media::accept_command() {
    answers_.push_back({command_, tlm::END_REQ});
    command_ = nullptr;
    to_stop_ = nullptr;
}

void Media::answer_commands() {
    // A call may have another command answered.
    for (std::size_t i = 0; i < answers_.size(); ++i) {
        const Answer answer = answers_[i];
        tlm::tlm_phase phase = answer.phase;
        sc_core::sc_time delay;
        command_in->nb_transport_bw(*answer.command, phase, delay);
    }
    answers_.clear();
}

void Media::finish_command(PipelineCommand& command) {
    if (saving_) return ended_.push_back(&command);
    // The last to answer says what is left; others have before.
    if (has_saved() && !command_ && live_ == 0) keep_threads_only(command);
    answers_.push_back({&command, tlm::BEGIN_RESP});
}

void Media::refuse(const Refusal& refusal) {
    command_->failed = true;
    if (refusal.id.empty())
        env_.reporter.guest_error(refusal.kind, command_place(*command_), refusal.text);
    else
        env_.reporter.not_modelled(refusal.id, refusal.text);
}

void Media::advance_commands(Cycles now) {
    while (true) {
        if (saving_ || now < next_send_) return;
        if (!command_) {
            state_ = SendState::Idle;
            if (inbox_.empty() || inbox_.front().arrival > now) return;
            command_ = inbox_.front().command;
            inbox_.pop_front();
            ++stats_.commands;
            // What a walker reads is its own, whose number is the next.
            reader_.serve(FrontEnd::kind_of(*command_) == FrontEnd::Kind::Walker
                              ? for_work(command_->trace_id, env_.works_begun)
                              : command_->trace_id);
            stage_ = Stage::Received;
            ready_at_ = env_.timed() ? now + Cycles(params_.command_cycles) : now;
        }
        if (stage_ == Stage::Requested || stage_ == Stage::Walking) return;
        if (now < ready_at_) {
            state_ = SendState::FrontEnd;
            return;
        }
        if (!advance(now)) return;
    }
}

bool Media::advance(Cycles now) {
    if (stage_ == Stage::Received) return start_command(now);
    PipelineCommand* const command = command_;
    accept_command();
    finish_command(*command);
    answer_commands();
    return true;
}

bool Media::start_command(Cycles now) {
    const FrontEnd::Kind kind = FrontEnd::kind_of(*command_);
    const bool running = live_ != 0 || !children_.empty();
    if (const SendState why = held_back(kind); why != SendState::Sending) {
        state_ = why;
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
                state_ = SendState::WaitDrain;
                return false;
            }
            if (!FrontEnd::makes_partition(*command_)) {
                refusal = front_end_.execute(*command_, reader_);
                break;
            }
            drop_media_state();
            show_urb_entries(-int(front_end_.urb_handles().total(FrontEnd::kUrbOwner)),
                             clock_.now());
            refusal = front_end_.execute(*command_, reader_);
            show_urb_entries(int(front_end_.urb_handles().total(FrontEnd::kUrbOwner)),
                             clock_.now());
            if (!refusal && front_end_.vfe().reset_gateway_timer)
                timer_reset_ = {command_->context_start, picoseconds()};
            break;
        case FrontEnd::Kind::Load:
            refusal = front_end_.execute(*command_, reader_);
            if (const auto curbe = front_end_.curbe_of(*command_); !refusal && !curbe.empty())
                reader_.put_in_urb(VfeState::kDescriptorRows * kGrfBytes, curbe);
            break;
        case FrontEnd::Kind::Flush:
            if (start_flush()) break;
            stage_ = Stage::Received;
            return false;
        case FrontEnd::Kind::Walker: {
            if (front_end_.waits_for_entry(*command_, now)) {
                stage_ = Stage::Received;
                state_ = SendState::WaitUrb;
                return false;
            }
            refusal = front_end_.prepare(*command_, reader_, walk_);
            command_->remaining.reset();
            if (!refusal) stage_ = Stage::Requested;
            if (!refusal && command_->resumes) fetch_saved(*command_);
            if (!refusal && walk_.holds_entry) show_urb_entries(-1, clock_.now());
            break;
        }
        case FrontEnd::Kind::Media:
            if (front_end_.waits_for_entry(*command_, now)) {
                stage_ = Stage::Received;
                state_ = SendState::WaitUrb;
                return false;
            }
            refusal = prepare_media();
            if (!refusal) stage_ = Stage::Requested;
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
        if (stage_ == Stage::Requested) ready_at_ += Cycles(params_.walker_cycles);
    }
    if (stage_ == Stage::Requested) {
        state_ = SendState::FrontEnd;
        request_walk(ready_at_);
    }
    return true;
}

// Everything before it has been dispatched by now, which is all a plain flush asks for.
bool Media::start_flush() {
    const auto flush = FrontEnd::flush_of(*command_);
    const bool running = live_ != 0 || !children_.empty();
    state_ = SendState::Sending;
    if (flush.flush_to_go && running) {
        state_ = SendState::WaitDrain;
    } else if (flush.watermark && running) {
        // TD-10: a group of the descriptor finds room.
        const Descriptor d = front_end_.descriptor(flush.descriptor);
        set_limits(front_end_.vfe(), topology_,
                   front_end_.registers_of(*command_->state, d,
                                           1u + d.cross_thread_rows + d.per_thread_rows, reader_),
                   control_);
        control_.group = !d.bound_to_subslice()       ? ThreadRequest::Group::None
                         : front_end_.pools().enabled ? ThreadRequest::Group::Pool
                                                      : ThreadRequest::Group::Subslice;
        control_.pools = front_end_.pools();
        control_.group_threads = d.group_threads;
        control_.barrier = d.barrier;
        control_.slm_kilobytes = static_cast<std::uint16_t>(slm_kilobytes(d.slm_code));
        tlm::tlm_phase phase = kProbe;
        sc_core::sc_time delay;
        request_out->nb_transport_fw(control_, phase, delay);
        state_ = control_.state;
    }
    return state_ == SendState::Sending;
}

// --- Reports

std::string Media::describe_waiting() const {
    std::string text;
    const auto line = [&](const std::string& sentence) {
        text += stats_.path() + ": " + sentence + "\n";
    };
    if (command_) {
        std::string sentence = command_place(*command_) + " waits for " + to_text(activity_);
        if (stage_ == Stage::Walking && !cursor_.done()) {
            const auto group = cursor_.group();
            sentence += ", at group (" + std::to_string(group[0]) + ", " +
                        std::to_string(group[1]) + ", " + std::to_string(group[2]) + ")";
        }
        line(sentence);
    }
    for (const Run& run : runs_)
        if (run.command)
            line(std::string("walker ") + std::to_string(run.record.number) + ": " +
                 std::to_string(run.outstanding) + " of " + std::to_string(run.record.threads) +
                 " threads sent are still running" +
                 (run.urb_entry ? ", holds URB entry " + std::to_string(*run.urb_entry) : ""));
    return text + describe_media();
}

std::vector<WorkRecord> Media::unfinished() const {
    std::vector<WorkRecord> records;
    for (unsigned index = 0; index < runs_.size(); ++index) {
        const Run& run = runs_[index];
        if (!run.command) continue;
        WorkRecord& record = records.emplace_back(run.record);
        record.end = clock_.now();
        for (const Running& thread : running_)
            if (thread.live && thread.run == index && record.end > thread.since)
                record.thread_cycles += (record.end - thread.since).value;
        if (run.all_sent) continue;
        record.all_sent = record.end;
        count_sending(run, record);
    }
    std::ranges::sort(records, {}, &WorkRecord::number);
    return records;
}

}  // namespace gen9::media
