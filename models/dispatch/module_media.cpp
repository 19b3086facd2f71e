// SPDX-License-Identifier: Apache-2.0
// The spawner's way with the media pipe: what its commands and threads wait for, child threads,
// synchronized and persistent root threads, the thread scoreboard.
#include <algorithm>

#include "common/bits.h"
#include "common/check.h"
#include "dispatch/module.h"
#include "dispatch/walk/refuse.h"

namespace gen9::dispatch {
namespace {

constexpr const char* kMessage = "thread spawner message";
/// Where the gateways take shares of global barriers (docs/architecture.md).
constexpr std::uint64_t kGlobalBarriers = 0x80;
/// tdr0: an entry is valid (EU-108).
constexpr std::uint16_t kDependencyValid = 0x8000;

}  // namespace

// --- Commands

SendState Spawner::held_back(FrontEnd::Kind kind) const {
    using Kind = FrontEnd::Kind;
    if (!prt_.fence || (prt_.released && prt_.release <= clock_.now())) return SendState::Sending;
    const bool held = prt_.fence_vfe ? kind == Kind::State || kind == Kind::Flush
                                     : kind == Kind::Walker || kind == Kind::Media;
    return held ? SendState::WaitFence : SendState::Sending;
}

std::optional<Refusal> Spawner::prepare_media() {
    const MediaObject object =
        decode_media_object(*media_command_of(*command_), dwords_of(*command_));
    const char* const name = to_text(object.command);
    if (object.command == MediaCommand::ObjectPrt && prt_.live)
        return guest(name, "a persistent root thread is running; there can be one (MED-03)");
    unsigned in_group = 0;
    if (object.command == MediaCommand::ObjectGrpid && dispatcher_.group_held()) {
        // MED-61: 003:17292.
        if (object.group_id != dispatcher_.held_group())
            return guest(name, "group " + std::to_string(object.group_id) + " begins while group " +
                                   std::to_string(dispatcher_.held_group()) + " is open");
        in_group = dispatcher_.held_threads();
    }
    return front_end_.prepare_media(*command_, reader_, in_group, walk_);
}

void Spawner::check_group(const Walk& walk) {
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
        threads = WalkCursor(walk, 1, 0).group_threads(kMaxThreads);
    }
    if (d.group_threads == threads) return;
    env_.reporter.guest_error(walk.media ? "MEDIA_OBJECT_WALKER" : "GPGPU_WALKER",
                              command_place(*command_),
                              "the barrier expects " + std::to_string(d.group_threads) +
                                  " threads, a group has " + std::to_string(threads));
}

void Spawner::drop_media_state() {
    report_left_overs();
    spawned_roots_.clear();
    entry_held_.clear();
    free_barrier(dispatcher_.end_held_group(), command_->trace_id);
}

void Spawner::report_left_overs() {
    // MED-56: 003:18145.
    if (!spawned_roots_.empty())
        env_.reporter.guest_error(kMessage, command_place(*command_),
                                  std::to_string(spawned_roots_.size()) +
                                      " spawn root thread messages found no synchronized thread");
    if (dispatcher_.group_held())
        env_.reporter.guest_error("MEDIA_OBJECT_GRPID", command_place(*command_),
                                  "group " + std::to_string(dispatcher_.held_group()) +
                                      " has had no end of thread group");
}

// --- Global barriers (TD-52: 003:17388-17391)

void Spawner::arm_barrier(unsigned subslice, unsigned barrier, unsigned share, TraceId cause,
                          sc_core::sc_time& delay) {
    MemoryTransaction* const write = barrier_pool_.get();
    write->access(tlm::TLM_WRITE_COMMAND, kGlobalBarriers + 4 * barrier, 4);
    write->attributes.trace_id = cause;
    store(write->data, std::uint32_t{share});
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    const auto answer = (*barrier_out[subslice])->nb_transport_fw(*write, phase, delay);
    GEN9_CHECK(answer == tlm::TLM_UPDATED && phase == tlm::END_REQ,
               "the gateway refused a share of a global barrier");
}

tlm::tlm_sync_enum Spawner::on_share(unsigned subslice, tlm::tlm_generic_payload& write,
                                     tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    const auto barrier = static_cast<std::uint8_t>((write.get_address() - kGlobalBarriers) / 4);
    write.release();
    // The group has ended: the gateway gives up a round that nobody will come to.
    if (!global_barriers_.known(barrier, subslice)) return tlm::TLM_COMPLETED;
    shares_.push_back({clock_.now() + clock_.cycles(delay) + Cycles(env_.timed() ? 1 : 0),
                       static_cast<std::uint8_t>(subslice), barrier});
    wakeup_.at(shares_.back().due);
    return tlm::TLM_COMPLETED;
}

void Spawner::take_shares(Cycles now) {
    std::ranges::sort(shares_);
    while (!shares_.empty() && shares_.front().due <= now) {
        const Share share = shares_.front();
        shares_.erase(shares_.begin());
        const auto* complete = global_barriers_.report(share.barrier, share.subslice);
        if (complete == nullptr) continue;
        for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
            sc_core::sc_time delay;
            if (complete->shares[s]) arm_barrier(s, share.barrier, complete->shares[s], 0, delay);
        }
    }
}

// --- Root threads

SendState Spawner::media_thread_waits() const {
    if (scoreboard_.must_wait(walk_.vfe.scoreboard, dispatcher_.scoreboard()))
        return SendState::WaitScoreboard;
    if (walk_.media->synchronized &&
        (spawned_roots_.empty() || spawned_roots_.front().due > clock_.now()))
        return SendState::WaitSpawn;
    return SendState::Sending;
}

void Spawner::add_dependencies(ThreadDispatch& thread, const ScoreboardRequest& request) {
    const ScoreboardState& state = walk_.vfe.scoreboard;
    if (!state.enable || !state.non_stalling) return;
    const auto on = scoreboard_.depends_on(state, request);
    const unsigned eu = thread.sideband.fftid / topology_.threads;
    for (unsigned i = 0; i < on.size(); ++i) {
        // A thread does not wait for itself, whoever had the slot before.
        if (on[i] == ThreadScoreboard::kNone || on[i] == thread.sideband.fftid) continue;
        thread.dependency[i] = kDependencyValid | on[i];
        dependents_[on[i] * kEuWords + eu / 32] |= 1u << eu % 32;
        running_[on[i]].has_dependents = true;
        ++stats_.dependencies;
    }
}

void Spawner::media_thread_sent(unsigned fftid, const ScoreboardRequest& request) {
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
    entry_held_.resize(std::max<std::size_t>(entry_held_.size(), walk_.urb_entry + 1));
    entry_held_[walk_.urb_entry] = true;
}

void Spawner::media_thread_ended(unsigned fftid) {
    scoreboard_.clear(fftid);
    if (prt_.live && prt_.fftid == fftid) prt_ = {};
    if (!running_[fftid].has_dependents) return;
    // MED-33: threads that wait at a sendc are told.
    for (unsigned eu = 0; eu < topology_.total_eus(); ++eu) {
        std::uint32_t& word = dependents_[fftid * kEuWords + eu / 32];
        if (!(word >> eu % 32 & 1)) continue;
        word &= ~(1u << eu % 32);
        sc_core::sc_time delay;
        if (env_.timed()) delay = clock_.time(Cycles(env_.notice_cycles));
        tlm::tlm_phase phase = kThreadEnded;
        (*thread_out[eu])->nb_transport_fw(*threads_[fftid], phase, delay);
    }
}

// --- Messages

void Spawner::queue(std::deque<Spawn>& spawns, Spawn spawn) const {
    const auto key = [](const Spawn& s) { return std::pair(s.due, s.eu); };
    const auto place = std::ranges::upper_bound(spawns, key(spawn), {}, key);
    spawns.insert(place, std::move(spawn));
}

void Spawner::take_spawn(const Message& message, const SpawnerMessage& asked, Cycles due) {
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
            break;
    }
    wakeup_.at(due);
}

void Spawner::dereference(const SpawnerMessage& message, const std::string& place, Cycles at) {
    const auto entry = front_end_.vfe().entry_of(message.urb_handle);
    if (!entry || *entry >= entry_held_.size() || !entry_held_[*entry]) {
        env_.reporter.guest_error(kMessage, place,
                                  "URB handle " + std::to_string(message.urb_handle) +
                                      " is not held by a thread with children");
        return;
    }
    entry_held_[*entry] = false;
    front_end_.urb_entries().release(*entry, at);
    show_urb_entries(1, at);
    wakeup_.at(at);
}

// --- Child threads

unsigned Spawner::child_registers(const SpawnerMessage& message, const PipelineState& state) {
    const Descriptor d = front_end_.descriptor(message.descriptor_index);
    return front_end_.registers_of(state, d, std::max(1u, message.rows) + d.per_thread_rows,
                                   reader_);
}

std::vector<std::uint8_t> Spawner::rows_from_urb(const SpawnerMessage& message, unsigned rows) {
    std::vector<std::uint8_t> data(std::size_t{rows} * kGrfBytes);
    const std::uint64_t at = std::uint64_t{message.urb_handle} * VfeState::kHandleBytes +
                             std::uint64_t{message.row_offset} * kGrfBytes;
    const std::uint64_t size = params_.urb_rows.get() * kGrfBytes;
    if (data.empty()) return data;
    if (!within(at, data.size(), size))
        env_.reporter.guest_error(kMessage, name(),
                                  std::to_string(rows) + " rows at URB byte " + std::to_string(at) +
                                      " lie beyond its " + std::to_string(size));
    else
        reader_.get_from_urb(static_cast<std::uint32_t>(at), data, 0);
    return data;
}

SendState Spawner::send_children(Cycles now) {
    std::uint64_t most = env_.timed() ? params_.threads_per_clock.get() : ~std::uint64_t{0};
    bool sent = false;
    for (; !children_.empty() && children_.front().due <= now && most != 0; --most) {
        if (env_.timed() && now < next_send_) return SendState::Sending;
        const SendState why = send_child(now);
        if (why != SendState::Sending) return why;
        children_.pop_front();
        sent = true;
    }
    if (sent && env_.timed()) next_send_ = now + Cycles(1);
    return SendState::Sending;
}

SendState Spawner::send_child(Cycles now) {
    const Spawn& spawn = children_.front();
    Place place;
    const SendState why =
        dispatcher_.take_child_slot(ready_subslices(now), front_end_.vfe(), spawn.registers, place);
    if (why != SendState::Sending) return why;
    Run& run = runs_[spawn.run];
    Walk walk;
    walk.descriptor = front_end_.descriptor(spawn.message.descriptor_index);
    walk.vfe = front_end_.vfe();
    walk.state = spawn.state;
    walk.context_start = spawn.context_start;
    walk.number = run.record.number;
    // MED-59: R0 is among the rows; a length of 0 means R0 alone.
    const auto rows = rows_from_urb(spawn.message, std::max(1u, spawn.message.rows));
    const auto constants = front_end_.constants_of(walk.descriptor);
    if (!constants)
        env_.reporter.guest_error(kMessage, spawn.place,
                                  "the child's constant data lies outside the CURBE");
    const unsigned fftid = place.fftid(topology_);
    make_child(walk, topology_, {place, rows, constants.value_or(std::span<const std::uint8_t>{})},
               *threads_[fftid]);
    running_[fftid] = {};
    running_[fftid].child = true;
    ++stats_.child_threads;
    --run.outstanding;  // it was counted when it was called for
    launch(place, *threads_[fftid], spawn.run, now);
    return SendState::Sending;
}

// --- Reports

std::string Spawner::describe_media() const {
    std::string text;
    const auto line = [&](const std::string& sentence) {
        text += std::string(name()) + ": " + sentence + "\n";
    };
    if (!children_.empty())
        line(std::to_string(children_.size()) + " child threads wait for " +
             to_text(child_activity_));
    if (!held_ends_.empty())
        line(std::to_string(held_ends_.size()) +
             " ends of threads wait behind them in the spawner's queue (MED-58)");
    if (prt_.fence && !prt_.released)
        line("the persistent root thread, FFTID " + std::to_string(prt_.fftid) +
             ", holds its fence");
    if (command_ && activity_ == SendState::WaitScoreboard && dispatcher_.walking()) {
        const ScoreboardRequest request = dispatcher_.scoreboard();
        std::string on;
        for (const auto id : scoreboard_.depends_on(walk_.vfe.scoreboard, request))
            if (id != ThreadScoreboard::kNone) on.append(" ").append(std::to_string(id));
        line("the thread at (" + std::to_string(request.x) + ", " + std::to_string(request.y) +
             ") depends on the threads with FFTID" + on);
    }
    return text;
}

}  // namespace gen9::dispatch
