// SPDX-License-Identifier: Apache-2.0
// Media objects: what their commands and threads wait for, child threads,
// synchronized and persistent root threads, the thread scoreboard.
#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "common/check.h"
#include "media/module.h"
#include "media/walk/refuse.h"

namespace gen9::media {
namespace {

constexpr const char* kMessage = "thread spawner message";
/// tdr0: an entry is valid (EU-108).
constexpr std::uint16_t kDependencyValid = 0x8000;

}  // namespace

// --- Commands

SendState Media::held_back(FrontEnd::Kind kind) const {
    using Kind = FrontEnd::Kind;
    if (!prt_.fence || (prt_.released && prt_.release <= clock_.now())) return SendState::Sending;
    const bool held = prt_.fence_vfe ? kind == Kind::State || kind == Kind::Flush
                                     : kind == Kind::Walker || kind == Kind::Media;
    return held ? SendState::WaitFence : SendState::Sending;
}

std::optional<Refusal> Media::prepare_media() {
    const MediaObject object =
        decode_media_object(*media_command_of(*command_), dwords_of(*command_));
    const char* const name = to_text(object.command);
    if (object.command == MediaCommand::ObjectPrt && prt_.live)
        return guest(name, "a persistent root thread is running; there can be one (MED-03)");
    unsigned in_group = 0;
    if (object.command == MediaCommand::ObjectGrpid && held_.open) {
        // MED-61: 003:17292.
        if (object.group_id != held_.id)
            return guest(name, "group " + std::to_string(object.group_id) + " begins while group " +
                                   std::to_string(held_.id) + " is open");
        in_group = held_.threads;
    }
    return front_end_.prepare_media(*command_, reader_, in_group, walk_);
}

void Media::check_group(const Walk& walk) {
    const Descriptor& d = walk.descriptor;
    // PRE-19: 003:17316.
    if (!walk.media && d.stack_exception && walk.state->context_save_base.value &&
        walk.state->system_instruction_pointer.value)
        env_.reporter.guest_error("GPGPU_WALKER", command_place(*command_),
                                  "its threads have the stack overflow exception, which does not "
                                  "go with preemption inside threads (PRE-19)");
    if (!walk.has_barrier()) return;
    // TD-49: media only.
    if (!walk.media && d.global_barrier)
        env_.reporter.not_modelled("TD-49", "global barrier; it is treated as local");
    unsigned threads = walk.walker.group_threads();
    if (walk.media) {
        if (walk.media->command != MediaCommand::ObjectWalker) return;
        threads = WalkCursor(walk, 1, 0).group_threads(kMaxFftids);
    }
    if (d.group_threads == threads) return;
    env_.reporter.guest_error(walk.media ? "MEDIA_OBJECT_WALKER" : "GPGPU_WALKER",
                              command_place(*command_),
                              "the barrier expects " + std::to_string(d.group_threads) +
                                  " threads, a group has " + std::to_string(threads));
}

void Media::drop_media_state() {
    report_left_overs();
    spawned_roots_.clear();
    entry_held_.reset();
    held_ = {};
    control_.trace_id = command_->trace_id;
    tlm::tlm_phase phase = kEndGroup;
    sc_core::sc_time delay;
    request_out->nb_transport_fw(control_, phase, delay);
}

void Media::report_left_overs() {
    // MED-56: 003:18145.
    if (!spawned_roots_.empty())
        env_.reporter.guest_error(kMessage, command_place(*command_),
                                  std::to_string(spawned_roots_.size()) +
                                      " spawn root thread messages found no synchronized thread");
    if (held_.open)
        env_.reporter.guest_error(
            "MEDIA_OBJECT_GRPID", command_place(*command_),
            "group " + std::to_string(held_.id) + " has had no end of thread group");
}

// --- Root threads

SendState Media::media_thread_waits() const {
    if (scoreboard_.must_wait(walk_.vfe.scoreboard, cursor_.scoreboard()))
        return SendState::WaitScoreboard;
    if (walk_.media->synchronized &&
        (spawned_roots_.empty() || spawned_roots_.front().due > clock_.now()))
        return SendState::WaitSpawn;
    return SendState::Sending;
}

void Media::add_dependencies(ThreadDispatch& thread, const ScoreboardRequest& request) {
    const ScoreboardState& state = walk_.vfe.scoreboard;
    if (!state.enable || !state.non_stalling) return;
    const auto on = scoreboard_.depends_on(state, request);
    for (unsigned i = 0; i < on.size(); ++i) {
        // A thread does not wait for itself, whoever had the slot before.
        if (on[i] == ThreadScoreboard::kNone || on[i] == thread.sideband.fftid) continue;
        thread.dependency[i] = kDependencyValid | on[i];
        ++stats_.dependencies;
    }
}

void Media::media_thread_sent(unsigned fftid, const ScoreboardRequest& request) {
    const MediaObject& object = *walk_.media;
    ++stats_.media_threads;
    if (!scoreboard_.mark(walk_.vfe.scoreboard, request, fftid))
        env_.reporter.guest_error(to_text(object.command), command_place(*command_),
                                  "two threads in flight at scoreboard place (" +
                                      std::to_string(request.x & 511) + ", " +
                                      std::to_string(request.y & 511) + ")");
    if (object.synchronized) spawned_roots_.pop_front();
    if (object.command == MediaCommand::ObjectPrt)
        prt_ = {
            true, static_cast<std::uint16_t>(fftid), object.fence_needed, object.fence_vfe, false,
            {}};
    if (!object.children_present) return;
    running_[fftid].has_children = true;
    entry_held_[walk_.urb_entry] = true;
}

// --- Messages

void Media::queue(std::deque<Spawn>& spawns, Spawn spawn) const {
    const auto key = [](const Spawn& s) { return std::pair(s.due, s.eu); };
    const auto place = std::ranges::upper_bound(spawns, key(spawn), {}, key);
    spawns.insert(place, std::move(spawn));
}

void Media::take_spawn(const Message& message, const SpawnerMessage& asked, Cycles due) {
    using Use = SpawnerMessage::Use;
    const unsigned fftid = message.sender->fftid;
    // What most threads send, each at its end: nothing is made of it.
    if (asked.use == Use::End && !(asked.frees_handle && running_[fftid].has_children)) return;
    const auto refuse_it = [&](const std::string& text) {
        env_.reporter.guest_error(kMessage, place_text(message), text);
    };
    Spawn spawn{asked,
                due,
                static_cast<std::uint16_t>(fftid / topology_.threads),
                running_[fftid].run,
                message.sender->state,
                message.sender->context_start,
                place_text(message)};
    switch (asked.use) {
        case Use::End:
        case Use::Dereference:
            return dereference(asked, spawn.place, due);
        case Use::ReleaseFence:
            if (!prt_.live || prt_.fftid != fftid)
                return refuse_it("a fence is released by a thread that is not persistent");
            prt_.released = true;
            prt_.release = due;
            break;
        case Use::SpawnRoot:
            queue(spawned_roots_, spawn);
            offer_again(control_, due);
            break;
        case Use::SpawnChild:
            if (asked.descriptor_index >= front_end_.descriptors_loaded())
                return refuse_it("a child of interface descriptor " +
                                 std::to_string(asked.descriptor_index) + " of " +
                                 std::to_string(front_end_.descriptors_loaded()) + " loaded");
            spawn.registers = child_registers(asked, *spawn.state);
            if (const auto refusal = front_end_.check_registers(
                    kMessage, *spawn.state, front_end_.descriptor(asked.descriptor_index),
                    spawn.registers))
                return refuse_it(refusal->text);
            queue(children_, spawn);
            ++runs_[spawn.run].outstanding;  // the command has not ended before its children have
            request_child();
            offer_again(*child_request_, due);
            break;
    }
    wakeup_.at(due);
}

void Media::dereference(const SpawnerMessage& message, const std::string& place, Cycles at) {
    const auto entry = front_end_.vfe().entry_of(message.urb_handle);
    if (!entry || !entry_held_[*entry]) {
        env_.reporter.guest_error(kMessage, place,
                                  "URB handle " + std::to_string(message.urb_handle) +
                                      " is not held by a thread with children");
        return;
    }
    entry_held_[*entry] = false;
    front_end_.urb_handles().release(FrontEnd::kUrbOwner, *entry, at);
    show_urb_entries(1, at);
    wakeup_.at(at);
}

// --- Child threads

// MED-59: a length of 0 means R0 alone.
unsigned Media::child_rows(const SpawnerMessage& message) const {
    return std::max(1u, message.rows) +
           front_end_.descriptor(message.descriptor_index).per_thread_rows;
}

unsigned Media::child_registers(const SpawnerMessage& message, const PipelineState& state) {
    return front_end_.registers_of(state, front_end_.descriptor(message.descriptor_index),
                                   child_rows(message), thread_reader_);
}

std::vector<std::uint8_t> Media::rows_from_urb(const SpawnerMessage& message, unsigned rows) {
    if (rows == 0) return {};
    std::vector<std::uint8_t> data(std::size_t{rows} * kGrfBytes);
    const std::uint64_t at = std::uint64_t{message.urb_handle} * VfeState::kHandleBytes +
                             std::uint64_t{message.row_offset} * kGrfBytes;
    const std::uint64_t size = params_.urb_rows.get() * kGrfBytes;
    if (!within(at, data.size(), size))
        env_.reporter.guest_error(kMessage, stats_.path(),
                                  std::to_string(rows) + " rows at URB byte " + std::to_string(at) +
                                      " lie beyond its " + std::to_string(size));
    else
        reader_for_threads().get_from_urb(static_cast<std::uint32_t>(at), data, 0);
    return data;
}

bool Media::queue_full(Cycles now) const {
    const std::size_t places = params_.message_queue.get();
    return !children_.empty() && children_.size() >= places && children_[places - 1].due <= now;
}

void Media::request_child() {
    if (child_request_ || children_.empty()) return;
    Request& request = new_request();
    request.child = true;
    child_request_ = &request;
    send_request(request, std::max(clock_.now(), children_.front().due));
}

void Media::make_child_thread(Request& request, const ThreadGrant& grant, ThreadDispatch& thread) {
    const Spawn& spawn = children_.front();
    request.run = spawn.run;
    Walk walk;
    walk.descriptor = front_end_.descriptor(spawn.message.descriptor_index);
    walk.vfe = front_end_.vfe();
    walk.state = spawn.state;
    walk.context_start = spawn.context_start;
    walk.number = runs_[spawn.run].record.number;
    // MED-59: R0 is among the rows; a length of 0 means R0 alone.
    const auto rows = rows_from_urb(spawn.message, std::max(1u, spawn.message.rows));
    const auto constants = front_end_.constants_of(walk.descriptor);
    if (!constants)
        env_.reporter.guest_error(kMessage, spawn.place,
                                  "the child's constant data lies outside the CURBE");
    make_child(walk, topology_,
               {grant.place, rows, constants.value_or(std::span<const std::uint8_t>{})}, thread);
    running_[grant.place.fftid(topology_)].child = true;
    ++stats_.child_threads;
    children_.pop_front();
}

// --- Messages as they come

void Media::execute_message(Message& message, Cycles due) {
    ++stats_.messages;
    message.status = MessageStatus::Ok;
    const bool known = message.sender && message.sender->fftid < running_.size();
    const SpawnerMessage asked = decode_spawner_message(message);
    const bool own_header =
        known && running_[message.sender->fftid].dispatch && !running_[message.sender->fftid].child;
    if (const auto refusal = check_message(
            message,
            own_header ? &running_[message.sender->fftid].dispatch->payload[0] : nullptr)) {
        message.status = MessageStatus::GuestError;
        env_.reporter.guest_error(refusal->kind, place_text(message), refusal->text);
        if (!message.end_of_thread || asked.use != SpawnerMessage::Use::End) return;
    }
    if (!known || !running_[message.sender->fftid].live) return;
    running_[message.sender->fftid].ended_here = asked.use == SpawnerMessage::Use::End;
    take_spawn(message, asked, due);
}

/// The end of a thread, as nearly all threads send it.
class Media::EndSite : public DirectSite {
  public:
    explicit EndSite(Media& media) : media_(media) {}
    bool run(const DirectSender& sender, std::uint32_t, const Grf* first, const Grf*,
             Grf*) override {
        return media_.end_thread(sender.thread.fftid, *first);
    }

  private:
    Media& media_;
};

std::unique_ptr<DirectSite> Media::site(const SendForm& form) {
    Message message;
    message.descriptor = form.descriptor;
    message.end_of_thread = bits(form.extended_descriptor, 5, 5) != 0;
    const SpawnerMessage asked = decode_spawner_message(message);
    if (asked.use != SpawnerMessage::Use::End || asked.from_child || form.first_length != 1 ||
        form.length != 1)
        return nullptr;
    return std::make_unique<EndSite>(*this);
}

bool Media::end_thread(unsigned fftid, const Grf& payload) {
    if (fftid >= running_.size()) return false;
    Running& running = running_[fftid];
    if (!running.live || running.child || running.has_children || !running.dispatch ||
        running.dispatch->restored ||
        std::memcmp(&payload, running.dispatch->payload.data(), sizeof payload) != 0)
        return false;
    ++stats_.messages;
    running.ended_here = true;
    return true;
}

void Media::on_message(unsigned eu, Message& message, const sc_core::sc_time& delay) {
    const Cycles due = clock_.now() + clock_.cycles(delay) + Cycles(1);
    // Read now: the sender may be gone when the answer is due.
    execute_message(message, due);
    messages_.push_back({due, static_cast<std::uint16_t>(eu), &message});
    wakeup_.at(due);
}

void Media::answer_messages(Cycles now) {
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

// --- Reports

std::string Media::describe_media() const {
    std::string text;
    const auto line = [&](const std::string& sentence) {
        text += stats_.path() + ": " + sentence + "\n";
    };
    if (!children_.empty())
        line(std::to_string(children_.size()) + " child threads wait for " + to_text(child_state_));
    if (const auto held = std::ranges::count_if(running_, &Running::held))
        line(std::to_string(held) +
             " ends of threads wait behind them in the spawner's queue (MED-58)");
    if (prt_.fence && !prt_.released)
        line("the persistent root thread, FFTID " + std::to_string(prt_.fftid) +
             ", holds its fence");
    if (command_ && activity_ == SendState::WaitScoreboard && stage_ == Stage::Walking &&
        !cursor_.done()) {
        const ScoreboardRequest request = cursor_.scoreboard();
        std::string on;
        for (const auto id : scoreboard_.depends_on(walk_.vfe.scoreboard, request))
            if (id != ThreadScoreboard::kNone) on.append(" ").append(std::to_string(id));
        line("the thread at (" + std::to_string(request.x) + ", " + std::to_string(request.y) +
             ") depends on the threads with FFTID" + on);
    }
    return text;
}

}  // namespace gen9::media
