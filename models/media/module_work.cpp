// SPDX-License-Identifier: Apache-2.0
// Walkers and media commands as work: what the thread dispatcher is asked for, the threads as it
// makes room for them, and their ends.
#include <algorithm>
#include <bit>
#include <utility>

#include "common/check.h"
#include "media/module.h"
#include "media/walk/payload.h"

namespace gen9::media {

// --- Requests

Media::Request& Media::new_request() {
    if (free_requests_.empty()) free_requests_.push_back(&requests_.emplace_back());
    Request& request = *free_requests_.back();
    free_requests_.pop_back();
    request = {};
    request.source = this;
    request.asks = true;
    return request;
}

void Media::send_request(Request& request, Cycles at) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.until(at);
    auto& socket = request.child ? child_out : request_out;
    socket->nb_transport_fw(request, phase, delay);
}

// What its threads need is said when the walk begins.
void Media::request_walk(Cycles at) {
    Request& request = new_request();
    request.work = env_.works_begun;
    request.trace_id = command_->trace_id;
    if (command_->resumes) {
        request.restored = restored_;
        request.save_base = command_->state->context_save_base;
    }
    send_request(request, at);
}

void Media::request_group() {
    Request& request = new_request();
    request.run = run_;
    request.trace_id = command_->trace_id;
    describe_group(walk_, cursor_, topology_, held_, request);
    send_request(request, clock_.now());
}

void Media::offer_again(Request& request, Cycles at) {
    tlm::tlm_phase phase = kOfferAgain;
    sc_core::sc_time delay = clock_.until(at);
    (request.child ? child_out : request_out)->nb_transport_fw(request, phase, delay);
}

tlm::tlm_sync_enum Media::on_request(ThreadRequest& asked, tlm::tlm_phase& phase,
                                     sc_core::sc_time&) {
    Request& request = static_cast<Request&>(asked);
    if (phase == tlm::BEGIN_RESP) {
        free_requests_.push_back(&request);
        return tlm::TLM_COMPLETED;
    }
    GEN9_CHECK(phase == tlm::END_REQ, "the dispatcher uses a phase that requests do not have");
    const Cycles now = clock_.now();
    if (request.child) {
        child_request_ = nullptr;
        child_state_ = SendState::Sending;
        request_child();
        return tlm::TLM_ACCEPTED;
    }
    payload_read_ = std::max(payload_read_, request.payload_read);
    restored_.clear();
    if (request.withdrawn || cursor_.done())
        finish_walk(now);
    else
        request_group();
    return tlm::TLM_ACCEPTED;
}

// --- The beginning of a walk, and of each group

SendState Media::may_begin(ThreadRequest& asked, Cycles now) {
    Request& request = static_cast<Request&>(asked);
    if (request.child) {
        const Spawn& spawn = children_.front();
        if (spawn.due > now) return SendState::Idle;
        set_limits(front_end_.vfe(), topology_, spawn.registers, request);
        request.work = runs_[spawn.run].record.number;
        request.load_rows = static_cast<std::uint16_t>(child_rows(spawn.message));
        return SendState::Sending;
    }
    if (stage_ == Stage::Requested) {
        if (const SendState why = start_walk(now); why != SendState::Sending) return why;
        request.run = run_;
        if (!cursor_.done())
            describe_group(walk_, cursor_, topology_, held_, request);
        else if (request.restored.empty())
            request.withdrawn = true;
        else
            set_limits(walk_.vfe, topology_, walk_.registers, request);
    }
    if (!request.restored.empty() || request.withdrawn) return SendState::Sending;
    if (stop_walk(now, false)) {
        request.withdrawn = true;
        return SendState::Sending;
    }
    if (timing_choice && !walk_.media) {
        if (!timing_agreed_ && group_waits()) return SendState::WaitDrain;
        timing_agreed_ = true;
    }
    return SendState::Sending;
}

void Media::began(ThreadRequest& asked, Cycles now) {
    if (static_cast<Request&>(asked).child) return;
    ++stats_.groups;
    if (!timing_choice || walk_.media) return;
    timing_agreed_ = false;
    timing_choice->group_opened(groups_sent_++, now);
}

SendState Media::start_walk(Cycles now) {
    if (live_descriptor_.must_drain(walk_, live_) || walk_waits()) return SendState::WaitDrain;
    account(now);
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
    walk_.number = env_.works_begun++;
    walk_.context_start = command_->context_start == timer_reset_.context_start
                              ? timer_reset_.at
                              : command_->context_start;
    if (walk_.holds_entry)
        reader_.put_in_urb(std::uint32_t{walk_.urb_handle} * VfeState::kHandleBytes,
                           walk_.indirect ? walk_.data : walk_.urb_data);
    run.record.begin = run.record.all_sent = now;
    std::ranges::transform(stats_.cycles, run.activity.begin(), &Counter::value);
    payload_read_ = now;
    ++stats_.walkers;
    signals_.walker.set(walk_.number, clock_.now());
    if (observer) observer->work_began(run.record);

    live_descriptor_.begin(walk_);
    const unsigned segments =
        params_.media_lines == "segments"
            ? static_cast<unsigned>(std::popcount(walk_.vfe.subslice_mask(topology_)))
            : 1;
    cursor_ = WalkCursor(walk_, segments, held_.takes(walk_) ? held_.threads : std::uint16_t{0});
    groups_sent_ = 0;
    timing_agreed_ = false;
    stage_ = Stage::Walking;
    return SendState::Sending;
}

WorkRecord Media::record_of(const Walk& walk) const {
    WorkRecord record;
    record.number = env_.works_begun;
    record.kind = walk.media ? WorkKind::Media : WorkKind::Walker;
    record.name = command_->row->name;
    record.kernel_start = walk.state->instruction_base + walk.descriptor.kernel_start;
    record.simd_width = walk.media ? 32 : walk.walker.simd_width;
    if (!walk.media) record.groups = walk.walker.groups();
    return record;
}

// PRE-05. A group that has begun is sent whole, unless its threads are saved.
bool Media::stop_walk(Cycles now, bool inside) {
    if (to_stop_ == nullptr || to_stop_ != command_ || now < stop_at_) return false;
    if (inside && !has_saved()) return false;
    if (walk_.media) return false;  // PRE-10
    // It goes on at one place: those that were sent before their turn have it to themselves.
    if (dealt_threads_ != 0 || !cursor_.is_straight()) return false;
    command_->remaining = {walk_.walker.dimensions, cursor_.group(),
                           static_cast<std::uint8_t>(cursor_.local_thread()),
                           std::exchange(saved_, {})};
    return true;
}

// --- Threads

SendState Media::may_send(ThreadRequest& request, Cycles now) {
    if (static_cast<Request&>(request).child) return SendState::Sending;
    const bool stops = to_stop_ != nullptr && now >= stop_at_;
    if (dealt_threads_ != 0 && (cursor_.done() || (stops && cursor_.is_straight())))
        return SendState::WaitSlot;
    const bool inside = !spans_groups(request) || cursor_.local_thread() != 0;
    if (to_stop_ && request.group == ThreadRequest::Group::None && stop_walk(now, inside)) {
        request.withdrawn = true;
        return SendState::Sending;
    }
    if (!walk_.media) return SendState::Sending;
    if (const SendState why = media_thread_waits(); why != SendState::Sending) return why;
    if (request.group == ThreadRequest::Group::None && !walk_.media->force_destination &&
        cursor_.dealt_out())
        request.subslices = segment_subslice(walk_, cursor_, topology_);
    return SendState::Sending;
}

void Media::make(ThreadRequest& asked, const ThreadGrant& grant, ThreadDispatch& thread) {
    Request& request = static_cast<Request&>(asked);
    running_[grant.place.fftid(topology_)] = {};
    if (grant.restored)
        make_saved(grant, thread);
    else if (request.child)
        make_child_thread(request, grant, thread);
    else
        make_root(request, grant, thread);
    count_thread(request.run, thread);
}

void Media::make_root(Request& request, const ThreadGrant& grant, ThreadDispatch& thread) {
    const unsigned fftid = grant.place.fftid(topology_);
    const bool media = walk_.media.has_value();
    ThreadFacts facts;
    facts.place = grant.place;
    cursor_.describe(facts);
    facts.barrier = grant.barrier;
    facts.slm_granule = grant.slm_granule;
    facts.slm = grant.slm;
    const ScoreboardRequest place = cursor_.scoreboard();
    if (media && walk_.media->synchronized) {
        spawned_rows_ =
            rows_from_urb(spawned_roots_.front().message, spawned_roots_.front().message.rows);
        facts.spawned = spawned_rows_;
    }
    if (grant.same_work && !media && !thread.restored)
        make_next_thread(walk_, topology_, facts, thread);
    else
        make_thread(walk_, topology_, facts, thread);
    const bool last = cursor_.last_of_group();
    if (media && walk_.media->command == MediaCommand::ObjectGrpid) {
        held_.open = !last;
        if (held_.open)
            held_ = {true, walk_.media->group_id,
                     static_cast<std::uint16_t>(facts.local_thread + 1)};
    }
    if (!media) return pass_threads(request, request.sent, 1);
    if (last) request.threads = request.sent + 1;
    cursor_.next();
    add_dependencies(thread, place);
    media_thread_sent(fftid, place);
}

void Media::count_thread(unsigned index, ThreadDispatch& thread) {
    const Cycles now = clock_.now();
    Running& running = running_[thread.sideband.fftid];
    running.run = index;
    running.live = true;
    running.since = now;
    running.dispatch = &thread;
    ++live_;
    Run& run = runs_[index];
    if (!running.child) ++run.outstanding;  // a child was counted when it was called for
    count_sent(run, thread);
    if (!env_.timed() || next_send_ > now || thread.restored) return;
    next_send_ = now + Cycles(1);
    if (stage_ != Stage::Walking) wakeup_.at(next_send_);
    update(now);
}

void Media::count_sent(Run& run, const ThreadDispatch& thread) {
    ++run.record.threads;
    if (!thread.restored)
        run.command->channels += static_cast<unsigned>(std::popcount(thread.dispatch_mask));
    ++stats_.threads;
    stats_.payload_registers += thread.payload_registers;
}

// It does what `ended`, `retired` and `make` do, for two threads of a walk.
bool Media::make_next(ThreadRequest&, ThreadRequest& next, ThreadDispatch& thread, Cycles at) {
    if (cursor_.done() || !relays(thread, at)) return false;
    Running& running = running_[thread.sideband.fftid];
    count_followed(running, thread, at);
    ++stats_.threads_retired;

    ThreadFacts facts;  // without a place: the slot's, and there is no shared local memory
    cursor_.describe(facts);
    make_next_thread(walk_, topology_, facts, thread);
    pass_threads(next, next.sent, 1);
    count_sent(runs_[running.run], thread);
    return true;
}

// Threads that share nothing are asked for together, where nobody looks at each group of them.
bool Media::spans_groups(const ThreadRequest& request) const {
    return request.back_to_back && !env_.timed() && timing_choice == nullptr;
}

void Media::pass_threads(ThreadRequest& request, unsigned sent, unsigned threads) {
    if (sent != 0 && cursor_.local_thread() == 0) ++stats_.groups;
    const bool last = cursor_.walker().left_of_group() == threads;
    cursor_.next(threads);
    request.work_left = cursor_.groups_left() * walk_.walker.group_threads();
    if (last && !spans_groups(request)) request.threads = sent + threads;
    look_for_end(request, sent + threads);
}

void Media::look_for_end(ThreadRequest& request, unsigned sent) const {
    if (cursor_.done() && dealt_threads_ == 0) request.threads = sent;
}

bool Media::relays(const ThreadDispatch& thread, Cycles at) const {
    return to_stop_ == nullptr && !thread.restored && !queue_full(at) && !signals_.watched();
}

void Media::count_followed(Running& running, const ThreadDispatch& thread, Cycles at) {
    Run& run = runs_[running.run];
    count_ended(run, thread);
    run.record.thread_cycles += (at - running.since).value;
    running.since = at;
    running.ended_here = false;
}

// A choice of the mode is made anew for each group, and media threads are not back to back. The
// registers of all threads must lie where the first ones do.
bool Media::may_foresee(const ThreadDispatch& thread) const {
    const Descriptor& d = walk_.descriptor;
    const std::size_t rows =
        d.cross_thread_rows + std::size_t{d.per_thread_rows} * walk_.walker.group_threads();
    return timing_choice == nullptr && children_.empty() && relays(thread, clock_.now()) &&
           walk_.data.size() >= rows * kGrfBytes;
}

void Media::foresee(const ThreadRequest&, const ThreadDispatch& thread, unsigned most,
                    ThreadFollowers& followers) {
    followers.count = 0;
    if (cursor_.done() || !may_foresee(thread)) return;
    // Behind a part that was put back come others.
    if (!cursor_.is_straight()) most = std::min(most, cursor_.left_here());
    list_threads(walk_, {cursor_.walker(), most}, cursor_.masks(), followers);
}

void Media::count_made(Run& run, const WalkerCursor& at, unsigned threads, ThreadDispatch& thread) {
    const unsigned first = at.local_thread(), last = first + threads - 1;
    run.command->channels += cursor_.masks().channels(first, threads);
    thread.dispatch_mask = cursor_.masks().masks()[last];
    thread.gpgpu = {at.group(), static_cast<std::uint16_t>(last)};
    thread.repeats = true;
    run.record.threads += threads;
    stats_.threads += threads;
    stats_.threads_retired += threads;
    stats_.payload_registers += std::uint64_t{threads} * thread.payload_registers;
}

// They are of one request: what may be foreseen is asked for together.
void Media::make_foreseen(ThreadRequest& next, unsigned count, ThreadDispatch& thread, Cycles at) {
    Running& running = running_[thread.sideband.fftid];
    count_followed(running, thread, at);
    thread.retire = {};
    for (unsigned made = 0; made != count;) {
        const unsigned here = std::min(count - made, cursor_.left_here());
        count_made(runs_[running.run], cursor_.walker(), here, thread);
        pass_threads(next, next.sent + made, here);
        made += here;
    }
}

void Media::deal(const ThreadRequest& next, const ThreadDispatch& thread, unsigned eu,
                 unsigned most, ThreadFollowers& dealt) {
    dealt.count = 0;
    if (!spans_groups(next) || cursor_.done() || !may_foresee(thread)) return;
    const unsigned groups = ThreadFollowers::kMost - 1;  // and a part of one
    WalkerPart& part = dealt_[eu];
    GEN9_CHECK(part.left == 0, "an EU is given threads when it has none left");
    part = cursor_.cut_off(std::min(most, groups * walk_.walker.group_threads()));
    dealt_threads_ += part.left;
    list_threads(walk_, part, cursor_.masks(), dealt);
}

void Media::make_dealt(ThreadRequest& next, unsigned eu, unsigned count, ThreadDispatch& thread,
                       Cycles at) {
    Running& running = running_[thread.sideband.fftid];
    // They ended by messages, of which the first at most has come here.
    stats_.messages += count - (running.ended_here ? 1u : 0u);
    count_followed(running, thread, at);
    thread.retire = {};
    WalkerPart& part = dealt_[eu];
    for (unsigned made = 0; made != count;) {
        const unsigned here = std::min(count - made, part.at.left_of_group());
        if (part.at.local_thread() == 0) ++stats_.groups;
        count_made(runs_[running.run], part.at, here, thread);
        part.at.next(here);
        made += here;
    }
    part.left -= count;
    dealt_threads_ -= count;
    look_for_end(next, next.sent + count);
}

void Media::take_back(unsigned eu) {
    WalkerPart& part = dealt_[eu];
    dealt_threads_ -= part.left;
    cursor_.put_back(part);
    part.left = 0;
    offer_again(control_, clock_.now());
}

void Media::shows(ThreadRequest& asked, SendState state, Cycles now) {
    const Request& request = static_cast<const Request&>(asked);
    if (request.child)
        child_state_ = state == SendState::Idle ? SendState::Sending : state;
    else if (stage_ == Stage::Walking || state != SendState::Sending)
        state_ = state;
    update(now);
}

// --- Ends

void Media::ended(ThreadRequest&, const ThreadDispatch& thread) {
    count_ended(runs_[running_[thread.sideband.fftid].run], thread);
}

void Media::count_ended(Run& run, const ThreadDispatch& thread) {
    run.record.instructions += thread.retire.instructions;
    run.record.messages += thread.retire.messages;
}

bool Media::may_retire(const ThreadDispatch& thread, Cycles now) {
    Running& running = running_[thread.sideband.fftid];
    running.held = running.ended_here && queue_full(now);
    return !running.held;
}

void Media::retired(ThreadRequest&, const ThreadDispatch& thread, Cycles now) {
    const unsigned fftid = thread.sideband.fftid;
    Running& running = running_[fftid];
    ++stats_.threads_retired;
    scoreboard_.clear(fftid);
    if (prt_.live && prt_.fftid == fftid) prt_ = {};
    running.live = false;
    --live_;
    Run& run = runs_[running.run];
    run.record.thread_cycles += (now - running.since).value;
    if (--run.outstanding == 0 && run.all_sent) end_run(running.run, now);
    // A command may have waited for that.
    if (command_ && stage_ == Stage::Received) wakeup_.at(now);
    if (signals_.watched()) show(now);
}

void Media::finish_walk(Cycles now) {
    account(now);
    if (cursor_.given_up())
        env_.reporter.guest_error("MEDIA_OBJECT_WALKER", command_place(*command_),
                                  "too many places without a thread; the rest is not walked");
    const unsigned index = run_;
    runs_[index].all_sent = true;
    runs_[index].record.all_sent = now;
    count_sending(runs_[index], runs_[index].record);
    release_urb_entry(now);
    stage_ = Stage::Received;
    state_ = SendState::Idle;
    accept_command();
    wakeup_.at(clock_.now());
    if (runs_[index].outstanding == 0) end_run(index, now);
    wakeup_.at(std::max(now, next_send_));
    update(now);
}

void Media::release_urb_entry(Cycles now) {
    if (!walk_.holds_entry) return;
    if (walk_.media && walk_.media->children_present) return;  // until it is dereferenced
    if (params_.urb_entry_release == "walker_end") {
        runs_[run_].urb_entry = walk_.urb_entry;
        return;
    }
    const Cycles at = std::max(now, payload_read_);
    front_end_.urb_handles().release(FrontEnd::kUrbOwner, walk_.urb_entry, at);
    show_urb_entries(1, at);
}

void Media::count_sending(const Run& run, WorkRecord& record) const {
    for (unsigned i = 0; i < kSendStates; ++i)
        record.sending[i] = stats_.cycles[i].value() - run.activity[i];
}

void Media::end_run(unsigned index, Cycles now) {
    Run& run = runs_[index];
    run.record.end = now;
    if (observer) observer->work_ended(run.record);
    if (run.urb_entry) {
        front_end_.urb_handles().release(FrontEnd::kUrbOwner, *run.urb_entry, now);
        show_urb_entries(1, now);
    }
    PipelineCommand* const command = run.command;
    run.command = nullptr;
    free_runs_.push_back(index);
    finish_command(*command);
    wakeup_.at(clock_.now());
}

}  // namespace gen9::media
