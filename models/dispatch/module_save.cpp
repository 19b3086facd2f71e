// SPDX-License-Identifier: Apache-2.0
// Walkers that are stopped inside their groups: threads are saved, and come back
// (docs/preemption.md).
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <map>
#include <span>
#include <utility>

#include "common/bits.h"
#include "common/check.h"
#include "dispatch/module.h"
#include "interconnect/save_threads.h"
#include "packets/gpgpu_payload.h"
#include "packets/media.h"

namespace gen9::dispatch {
namespace {

/// Where a gateway is told to give barrier messages back (gateway/module.h).
constexpr unsigned kGiveBack = 0x100 / 4;
/// The header that a thread got, as far as its end is held against it (check_message).
Grf resources_of(const Group& group) {
    namespace row = packets::GPGPU_PAYLOAD_HEADER;
    std::array<std::uint32_t, kGrfBytes / 4> r0{};
    row::SlmEnable.set(r0, group.slm_kilobytes != 0);
    row::SlmIndex.set(r0, group.slm_granule);
    row::BarrierEnable.set(r0, group.has_barrier);
    row::BarrierIdHigh.set(r0, group.barrier >> 4);
    row::BarrierIdLow.set(r0, group.barrier & 15u);
    Grf header;
    std::memcpy(header.bytes, r0.data(), sizeof header.bytes);
    return header;
}

/// What the engine that moves SLM is told (slm/save_engine.h).
constexpr std::uint64_t kSaveSlm = 0, kRestoreSlm = 8;

static_assert(WalkerRest::kThreadDwords * 32 == kMaxThreads);

std::span<std::uint8_t> bytes_of(SavedThread::Words& words) {
    return {reinterpret_cast<std::uint8_t*>(words.data()), sizeof words};
}

}  // namespace

// --- Saving

// Media threads have no command to come back by (PRE-10). Not modelled: groups over several
// subslices.
bool Spawner::can_save() const {
    if (!inbox_.empty() || !children_.empty() || prt_.live || !dispatcher_.can_save(saved_slm_))
        return false;
    if (command_ && FrontEnd::kind_of(*command_) != FrontEnd::Kind::Walker) return false;
    for (unsigned fftid = 0; fftid < running_.size(); ++fftid) {
        if (!running_[fftid].live) continue;
        const ThreadSideband& thread = threads_[fftid]->sideband;
        const PipelineCommand& command = *runs_[running_[fftid].run].command;
        if (running_[fftid].child || FrontEnd::kind_of(command) != FrontEnd::Kind::Walker ||
            thread.save_area.value == 0 || thread.state->system_instruction_pointer.value == 0)
            return false;
    }
    return true;
}

void Spawner::save_walk(Cycles now) {
    if (saving_ == Saving::Asked && now >= stop_at_) {
        if (!can_save() || dispatcher_.slots().live() == 0) return end_saving();
        // A group that holds a barrier has its slots, and is sent whole.
        if (dispatcher_.walking() && dispatcher_.group_open() &&
            dispatcher_.group().index != kNoGroup)
            return;
        begin_saving(now);
    }
    if (saving_ == Saving::Threads && dispatcher_.slots().live() == 0) {
        give_barriers_back(false);
        saving_ = Saving::Slm;
        move_slm(slm_to_save_, save_base_, false);
    }
    if (saving_ == Saving::Slm && !slm_moving(now)) end_saving();
}

void Spawner::end_saving() {
    saving_ = Saving::No;
    for (PipelineCommand* const command : std::exchange(ended_, {}))
        finish_command(*command);
    // It may have named a command that was over, and begins anew some day.
    if (!command_ && inbox_.empty()) to_stop_ = nullptr;
}

void Spawner::begin_saving(Cycles now) {
    saving_ = Saving::Threads;
    slm_to_save_ = dispatcher_.slm_subslices();
    give_barriers_back(true);
    note_alignment();
    const std::uint64_t later =
        env_.timed() ? std::max<std::uint64_t>(params_.dispatch_cycles, env_.notice_cycles) : 0;
    for (unsigned eu = 0; eu < topology_.total_eus(); ++eu) {
        const unsigned first = eu * topology_.threads;
        const auto live = [&](unsigned slot) { return running_[first + slot].live; };
        unsigned slot = 0;
        while (slot < topology_.threads && !live(slot))
            ++slot;
        if (slot == topology_.threads) continue;
        tlm::tlm_phase phase = kSaveThreads;
        sc_core::sc_time delay = env_.timed() ? clock_.time(Cycles(later)) : sc_core::SC_ZERO_TIME;
        (*thread_out[eu])->nb_transport_fw(*threads_[first + slot], phase, delay);
    }
    activity_ = SendState::WaitDrain;
    wakeup_.at(now + Cycles(1));
}

// PRE-21. Intel's driver 22.43 aligns it to 64 KB (Measured: traces/prefix_sum), so it fails
// nothing.
void Spawner::note_alignment() {
    const auto live = std::ranges::find_if(running_, &Running::live) - running_.begin();
    save_base_ = threads_[static_cast<std::size_t>(live)]->sideband.state->context_save_base;
    if (slm_to_save_ == 0 || alignment_noted_ ||
        save_base_.value % (params_.slm_save_alignment * 1024) == 0)
        return;
    alignment_noted_ = true;
    char base[24];
    std::snprintf(base, sizeof base, "%llx", static_cast<unsigned long long>(save_base_.value));
    env_.reporter.log(std::string("gen9sim: note: GPGPU_CSR_BASE_ADDRESS ") + base +
                      ": shared local memory is saved there, and it is not a multiple of " +
                      std::to_string(params_.slm_save_alignment) + " KB (PRE-21)");
}

// After the last thread has been saved no message to SLM is outstanding; before the first one is
// restored there is none (PRE-22).
void Spawner::move_slm(std::uint32_t subslices, GpuAddr base, bool restore) {
    for (std::uint32_t left = subslices & saved_slm_; left; left &= left - 1) {
        const auto subslice = static_cast<unsigned>(std::countr_zero(left));
        MemoryTransaction* const order = barrier_pool_.get();
        order->access(tlm::TLM_WRITE_COMMAND, restore ? kRestoreSlm : kSaveSlm, 8);
        store(order->data, base.value + save_layout_.slm(subslice));
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        ++slm_moving_;
        if ((*slm_out[subslice])->nb_transport_fw(*order, phase, delay) != tlm::TLM_COMPLETED)
            continue;
        GEN9_CHECK(order->is_response_ok(), "an engine refused to move shared local memory");
        order->release();
        --slm_moving_;
    }
}

void Spawner::give_barriers_back(bool all) {
    sc_core::sc_time delay;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        set_barrier(s, kGiveBack, all, 0, delay);
}

// Before its slot and its group are given up.
void Spawner::keep_thread(unsigned fftid) {
    const ThreadDispatch& thread = *threads_[fftid];
    const ThreadSideband& side = thread.sideband;
    SavedThread saved;
    saved.dispatch_mask = thread.dispatch_mask;
    saved.simd_width = thread.simd_width;
    saved.priority = side.priority;
    saved.local_thread = thread.local_thread;
    saved.group_id = thread.group_id;
    saved.kernel_start =
        static_cast<std::uint32_t>(side.kernel_start.value - side.state->instruction_base.value);
    saved.binding_table_offset = side.binding_table_offset;
    saved.sampler_state_offset = side.sampler_state_offset;
    saved.hidden = thread.hidden;
    saved.registers = dispatcher_.slots().registers_of(fftid);
    saved.group = dispatcher_.group_of(fftid);
    if (saved.group != kNoGroup) {
        const Group& group = dispatcher_.tracker()[saved.group];
        saved.has_barrier = group.has_barrier;
        saved.barrier = group.barrier;
        saved.slm_granule = group.slm_granule;
        saved.slm_kilobytes = group.slm_kilobytes;
        saved.group_threads = group.threads;
    }
    SavedThread::Words words = saved.pack();
    if (!reader_.move_saved(tlm::TLM_WRITE_COMMAND, side.save_area + SavedThread::kOffset,
                            bytes_of(words)))
        env_.reporter.guest_error("context save area", place_text(side.place),
                                  "it cannot be written; the thread is lost");
    saved_[fftid / 32] |= 1u << fftid % 32;
    ++stats_.threads_saved;
}

bool Spawner::has_saved() const {
    return std::ranges::any_of(saved_, [](std::uint32_t word) { return word != 0; });
}

// All groups had been sent: what is left of it is threads.
void Spawner::keep_threads_only(PipelineCommand& command) {
    namespace w = packets::GPGPU_WALKER;
    const auto field = [&](const packets::Field& f) {
        return static_cast<std::uint32_t>(f.get(command.dwords));
    };
    WalkerRest rest;
    rest.group[2] = field(w::ThreadGroupIDStartingResumeZ);
    if (command.resumes) rest = *command.resumes;
    rest.dimensions = {0, field(w::ThreadGroupIDYDimension), field(w::ThreadGroupIDZDimension)};
    rest.saved_threads = std::exchange(saved_, {});
    command.remaining = rest;
}

// --- Restoring

void Spawner::fetch_saved(const PipelineCommand& command) {
    restored_.clear();
    std::uint32_t with_slm = 0;
    const auto& bits = command.resumes->saved_threads;
    const GpuAddr base = command.state->context_save_base;
    for (unsigned fftid = 0; fftid < kMaxThreads; ++fftid) {
        if (!(bits[fftid / 32] >> fftid % 32 & 1)) continue;
        if (fftid >= topology_.total_threads()) {
            env_.reporter.guest_error("context image", command_place(command),
                                      "a saved thread of a machine with more threads");
            break;
        }
        const Place place = Place::of_fftid(topology_, fftid);
        SavedThread::Words words{};
        const GpuAddr at = base + save_layout_.thread(place.subslice, place.eu, place.slot);
        if (!reader_.move_saved(tlm::TLM_READ_COMMAND, at + SavedThread::kOffset,
                                bytes_of(words))) {
            env_.reporter.guest_error("context save area", command_place(command),
                                      "it cannot be read; a thread is lost");
            continue;
        }
        restored_.push_back({place, SavedThread::unpack(words)});
        if (restored_.back().saved.slm_kilobytes)
            with_slm |= 1u << topology_.slm_of(place.subslice);
    }
    move_slm(with_slm, base, true);
}

// Each to its old slot, for its registers lie there. What memory says is not trusted.
void Spawner::restore_threads(Cycles now) {
    std::map<std::uint32_t, GroupIndex> groups;
    for (const auto& [place, saved] : restored_) {
        if (!dispatcher_.slots().is_free(place)) {
            env_.reporter.guest_error("context image", command_place(*command_),
                                      "a saved thread whose slot is taken; it is lost");
            continue;
        }
        GroupIndex group = kNoGroup;
        if (saved.group != kNoGroup) {
            const std::uint32_t key = std::uint32_t{place.subslice} << 16 | saved.group;
            const auto [at, is_new] = groups.try_emplace(key, kNoGroup);
            if (is_new) {
                at->second = dispatcher_.begin_restored(place.subslice, saved, walk_.number);
                if (at->second == kNoGroup)
                    env_.reporter.guest_error("context save area", command_place(*command_),
                                              "a group that cannot be: its barrier is not free");
                else if (saved.has_barrier)
                    arm_restored(place.subslice, saved);
            }
            group = at->second;
        }
        dispatcher_.take_restored(walk_, place, group, saved.registers);
        const unsigned fftid = place.fftid(topology_);
        ThreadDispatch& thread = *threads_[fftid];
        make_restored(walk_, topology_, place, thread);
        thread.dispatch_mask = saved.dispatch_mask;
        thread.simd_width = saved.simd_width;
        thread.group_id = saved.group_id;
        thread.local_thread = saved.local_thread;
        thread.hidden = saved.hidden;
        ThreadSideband& side = thread.sideband;
        side.kernel_start = walk_.state->instruction_base + saved.kernel_start;
        side.binding_table_offset = saved.binding_table_offset;
        side.sampler_state_offset = saved.sampler_state_offset;
        if (group != kNoGroup) {
            const Group& held = dispatcher_.tracker()[group];
            thread.payload[0] = resources_of(held);
            side.slm_size = std::uint32_t{held.slm_kilobytes} * 1024;
            side.slm_base =
                side.slm_size ? topology_.slm_base(place.subslice, held.slm, held.slm_granule) : 0;
        }
        side.priority = saved.priority & 1;
        running_[fftid] = {};
        ++stats_.threads_restored;
        launch(place, thread, run_, now);
    }
    restored_.clear();
}

void Spawner::arm_restored(unsigned subslice, const SavedThread& saved) {
    sc_core::sc_time delay;
    set_barrier(subslice, saved.barrier, saved.group_threads, command_->trace_id, delay);
}

}  // namespace gen9::dispatch
