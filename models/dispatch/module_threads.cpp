// SPDX-License-Identifier: Apache-2.0
// The spawner's traffic with the EUs: threads out, ends of threads and messages in.
#include <algorithm>
#include <bit>

#include "common/bits.h"
#include "common/check.h"
#include "dispatch/module.h"
#include "dispatch/walk/spawner_message.h"

namespace gen9::dispatch {
namespace {

constexpr unsigned kFftidBits = 9;
static_assert(1u << kFftidBits == kMaxThreads);

}  // namespace

// --- Threads out

Cycles Spawner::load_room(Cycles now) const {
    const auto& group = dispatcher_.group();
    Cycles end = group.bound ? load_end_[group.subslice]
                             : *std::min_element(load_end_.begin(), load_end_.end());
    const Cycles queue = load_queue();
    return end < now + queue ? now + Cycles(1) : end - queue + Cycles(1);
}

void Spawner::send_threads(Cycles now) {
    const std::uint64_t most = env_.timed() ? params_.threads_per_clock.get() : ~std::uint64_t{0};
    SendState why = SendState::Sending;
    std::uint64_t sent = 0;
    while (dispatcher_.walking() && sent < most) {
        if (stop_walk(now)) break;
        why = dispatcher_.group_open() ? SendState::Sending : next_group(now);
        if (why == SendState::Sending) why = send_thread(now);
        if (why != SendState::Sending) break;
        ++sent;
    }
    activity_ = why;
    if (sent && env_.timed()) {
        activity_ = SendState::Sending;
        next_send_ = now + Cycles(1);
    }
    if (dispatcher_.walking()) return;
    if (dispatcher_.gave_up())
        env_.reporter.guest_error("MEDIA_OBJECT_WALKER", command_place(*command_),
                                  "too many places without a thread; the rest is not walked");
    const unsigned index = run_;
    runs_[index].all_sent = true;
    runs_[index].record.all_sent = now;
    count_sending(runs_[index], runs_[index].record);
    release_urb_entry(now);
    accept_command();
    if (runs_[index].outstanding == 0) end_run(index, now);
}

// PRE-05. A group that has begun is sent whole.
bool Spawner::stop_walk(Cycles now) {
    if (to_stop_ != command_ || now < stop_at_) return false;
    const bool whole = !dispatcher_.group_open() || dispatcher_.group().index == kNoGroup;
    if (saving_ == Saving::Asked) return whole;  // the threads come first
    const bool inside = has_saved() && dispatcher_.group().index == kNoGroup;
    if (dispatcher_.group_open() && !inside) return false;
    if (FrontEnd::kind_of(*command_) != FrontEnd::Kind::Walker) return false;  // PRE-10
    command_->remaining = {walk_.walker.dimensions, dispatcher_.next_group(),
                           static_cast<std::uint8_t>(dispatcher_.next_thread()),
                           std::exchange(saved_, {})};
    dispatcher_.stop();
    return true;
}

void Spawner::release_urb_entry(Cycles now) {
    if (!walk_.holds_entry) return;
    if (walk_.media && walk_.media->children_present) return;  // until it is dereferenced
    if (params_.urb_entry_release == "walker_end") {
        runs_[run_].urb_entry = walk_.urb_entry;
        return;
    }
    const Cycles at = std::max(now, payload_read_);
    front_end_.urb_entries().release(walk_.urb_entry, at);
    show_urb_entries(1, at);
}

SendState Spawner::open_group(Cycles now) {
    const SendState why = dispatcher_.open_group();
    if (why != SendState::Sending) return why;
    ++stats_.groups;
    const auto& group = dispatcher_.group();
    if (!walk_.has_barrier() || group.index == kNoGroup) return SendState::Sending;
    sc_core::sc_time longest;
    const auto announce = [&](unsigned subslice, unsigned count) {
        sc_core::sc_time delay;
        set_barrier(subslice, group.barrier, count, command_->trace_id, delay);
        longest = std::max(longest, delay);
    };
    if (group.global) {
        for (unsigned s = 0; s < topology_.total_subslices(); ++s)
            if (dispatcher_.shares()[s]) {
                sc_core::sc_time delay;
                arm_barrier(s, group.barrier, dispatcher_.shares()[s], command_->trace_id, delay);
                longest = std::max(longest, delay);
            }
        global_barriers_.begin(group.barrier, dispatcher_.shares());
    } else {
        announce(group.subslice, walk_.descriptor.group_threads);
    }
    if (env_.timed()) group_ready_ = std::max(now, clock_.now()) + clock_.cycles(longest);
    return SendState::Sending;
}

void Spawner::set_barrier(unsigned subslice, unsigned barrier, unsigned count, TraceId cause,
                          sc_core::sc_time& delay) {
    MemoryTransaction* const write = barrier_pool_.get();
    write->access(tlm::TLM_WRITE_COMMAND, 4 * barrier, 4);
    write->attributes.trace_id = cause;
    const std::uint32_t value = count;
    store(write->data, value);
    (*barrier_out[subslice])->b_transport(*write, delay);
    GEN9_CHECK(write->is_response_ok(), "the gateway refused a barrier's set-up");
    write->release();
}

std::uint32_t Spawner::ready_subslices(Cycles now) const {
    if (!env_.timed()) return ~0u;
    std::uint32_t ready = 0;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        if (load_end_[s] < now + load_queue()) ready |= 1u << s;
    return ready;
}

SendState Spawner::send_thread(Cycles now) {
    if (now < group_ready_) return SendState::WaitHandshake;
    if (walk_.media)
        if (const SendState why = media_thread_waits(); why != SendState::Sending) return why;
    Place place;
    const SendState why = dispatcher_.take_slot(ready_subslices(now), place);
    if (why != SendState::Sending) return why;

    const unsigned fftid = place.fftid(topology_);
    ThreadDispatch& thread = *threads_[fftid];
    const ScoreboardRequest request = dispatcher_.scoreboard();
    spawned_rows_.clear();
    if (walk_.media && walk_.media->synchronized)
        spawned_rows_ =
            rows_from_urb(spawned_roots_.front().message, spawned_roots_.front().message.rows);
    dispatcher_.make_next(place, thread, spawned_rows_);
    running_[fftid] = {};
    if (walk_.media) {
        add_dependencies(thread, request);
        media_thread_sent(fftid, request);
    }
    launch(place, thread, run_, now);
    return SendState::Sending;
}

void Spawner::launch(const Place& place, ThreadDispatch& thread, unsigned index, Cycles now) {
    thread.sideband.trace_id = trace_ids_.next();
    const GpuAddr base = thread.sideband.state->context_save_base;
    thread.sideband.save_area =
        base.value ? base + save_layout_.thread(place.subslice, place.eu, place.slot) : base;
    running_[thread.sideband.fftid].run = index;
    running_[thread.sideband.fftid].live = true;
    running_[thread.sideband.fftid].since = now;
    Run& run = runs_[index];
    ++run.outstanding;
    ++run.record.threads;
    if (!thread.restored)
        run.command->channels += static_cast<unsigned>(std::popcount(thread.dispatch_mask));
    ++stats_.threads;
    stats_.payload_registers += thread.payload_registers;

    sc_core::sc_time delay;
    if (env_.timed()) {
        const Cycles load((thread.payload_registers + params_.load_rows_per_clock - 1) /
                          params_.load_rows_per_clock);
        Cycles& end = load_end_[place.subslice];
        end = std::max(end, now) + load;
        payload_read_ = std::max(payload_read_, end);
        delay = clock_.time(
            end - now +
            Cycles(std::max<std::uint64_t>(params_.dispatch_cycles, env_.notice_cycles)));
    }
    if (signals_.watched()) [[unlikely]]
        signals_.sent.show(thread, clock_.now());
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    const auto answer =
        (*thread_out[place.flat_eu(topology_)])->nb_transport_fw(thread, phase, delay);
    GEN9_CHECK(answer == tlm::TLM_UPDATED && phase == tlm::END_REQ,
               "an EU takes a dispatch at once");
}

// --- Ends of threads

Cycles Spawner::next_retirement() const {
    return Cycles(retirements_.front() >> kFftidBits);
}

tlm::tlm_sync_enum Spawner::on_thread(ThreadDispatch& thread, tlm::tlm_phase& phase,
                                      sc_core::sc_time& delay) {
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "a thread answers when it has ended");
    // At least a cycle, so that all ends of a cycle are known when it is worked on.
    const Cycles when = clock_.now() + clock_.cycles(delay) + Cycles(params_.retire_cycles);
    Run& run = runs_[running_[thread.sideband.fftid].run];
    run.record.instructions += thread.retire.instructions;
    run.record.messages += thread.retire.messages;
    retirements_.push_back(when.value << kFftidBits | thread.sideband.fftid);
    std::push_heap(retirements_.begin(), retirements_.end(), std::greater<>());
    wakeup_.at(when);
    return tlm::TLM_COMPLETED;
}

bool Spawner::queue_full(Cycles now) const {
    const std::size_t places = params_.message_queue.get();
    return !children_.empty() && children_.size() >= places && children_[places - 1].due <= now;
}

void Spawner::take_retirements(Cycles now) {
    for (; !held_ends_.empty() && !queue_full(now); held_ends_.pop_front())
        retire(held_ends_.front(), now);
    while (!retirements_.empty() && retirements_.front() >> kFftidBits <= now.value) {
        const unsigned fftid = retirements_.front() & (kMaxThreads - 1);
        std::pop_heap(retirements_.begin(), retirements_.end(), std::greater<>());
        retirements_.pop_back();
        if (running_[fftid].ended_here && queue_full(now)) [[unlikely]]
            held_ends_.push_back(static_cast<std::uint16_t>(fftid));
        else
            retire(fftid, now);
    }
}

void Spawner::retire(unsigned fftid, Cycles now) {
    ++stats_.threads_retired;
    if (signals_.watched()) [[unlikely]]
        signals_.ended.show(*threads_[fftid], clock_.now());
    if (threads_[fftid]->retire.saved) [[unlikely]]
        keep_thread(fftid);
    const auto freed = dispatcher_.retire(fftid);
    free_barrier(freed, threads_[fftid]->sideband.trace_id);
    media_thread_ended(fftid);
    running_[fftid].live = false;
    const unsigned index = running_[fftid].run;
    Run& run = runs_[index];
    run.record.thread_cycles += (now - running_[fftid].since).value;
    if (--run.outstanding == 0 && run.all_sent) end_run(index, now);
}

void Spawner::free_barrier(const Dispatcher::Retirement& freed, TraceId cause) {
    if (!freed.barrier_freed) return;
    // Before the gateways are told, for they answer what was armed.
    global_barriers_.end(freed.barrier, static_cast<unsigned>(std::countr_zero(freed.subslices)));
    for (std::uint32_t left = freed.subslices; left; left &= left - 1) {
        sc_core::sc_time delay;
        set_barrier(static_cast<unsigned>(std::countr_zero(left)), freed.barrier, 0, cause, delay);
    }
}

std::vector<WorkRecord> Spawner::unfinished() const {
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

void Spawner::count_sending(const Run& run, WorkRecord& record) const {
    for (unsigned i = 0; i < kSendStates; ++i)
        record.sending[i] = stats_.cycles[i].value() - run.activity[i];
}

void Spawner::end_run(unsigned index, Cycles now) {
    Run& run = runs_[index];
    run.record.end = now;
    if (observer) observer->work_ended(run.record);
    if (run.urb_entry) {
        front_end_.urb_entries().release(*run.urb_entry, now);
        show_urb_entries(1, now);
    }
    PipelineCommand* const command = run.command;
    run.command = nullptr;
    free_runs_.push_back(index);
    finish_command(*command);
}

// --- Messages

void Spawner::execute_message(Message& message, Cycles due) {
    ++stats_.messages;
    message.status = MessageStatus::Ok;
    const bool known = message.sender && message.sender->fftid < threads_.size();
    const SpawnerMessage asked = decode_spawner_message(message);
    const bool own_header = known && !running_[message.sender->fftid].child;
    if (const auto refusal = check_message(
            message, own_header ? &threads_[message.sender->fftid]->payload[0] : nullptr)) {
        message.status = MessageStatus::GuestError;
        env_.reporter.guest_error(refusal->kind, place_text(message), refusal->text);
        if (!message.end_of_thread || asked.use != SpawnerMessage::Use::End) return;
    }
    if (!known || !running_[message.sender->fftid].live) return;
    running_[message.sender->fftid].ended_here = asked.use == SpawnerMessage::Use::End;
    take_spawn(message, asked, due);
}

void Spawner::on_message(unsigned eu, Message& message, const sc_core::sc_time& delay) {
    const Cycles due = clock_.now() + clock_.cycles(delay) + Cycles(1);
    // Read now: the sender may be gone when the answer is due.
    execute_message(message, due);
    messages_.push_back({due, static_cast<std::uint16_t>(eu), &message});
    wakeup_.at(due);
}

void Spawner::answer_messages(Cycles now) {
    if (messages_.empty()) return;
    const auto waiting = std::partition(messages_.begin(), messages_.end(),
                                        [now](const PendingMessage& m) { return m.due > now; });
    std::sort(waiting, messages_.end(), [](const PendingMessage& a, const PendingMessage& b) {
        return std::pair(a.due, a.eu) < std::pair(b.due, b.eu);
    });
    const auto cycles = std::max<std::uint64_t>(params_.message_cycles, env_.notice_cycles);
    for (auto m = waiting; m != messages_.end(); ++m) {
        for (const tlm::tlm_phase phase : {tlm::END_REQ, tlm::BEGIN_RESP})
            ports_.pass(m->eu, *m->message, phase, clock_.time(Cycles(cycles)));
    }
    messages_.erase(waiting, messages_.end());
}

}  // namespace gen9::dispatch
