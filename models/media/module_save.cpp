// SPDX-License-Identifier: Apache-2.0
// Walkers that are stopped inside their groups: what is kept of their threads
// (docs/preemption.md).
#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "common/bits.h"
#include "media/module.h"
#include "media/walk/payload.h"
#include "packets/gpgpu_payload.h"
#include "packets/media.h"

namespace gen9::media {
namespace {

/// The header that a thread got, as far as its end is held against it (check_message).
Grf resources_of(const ThreadGrant& group) {
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

static_assert(WalkerRest::kThreadDwords * 32 == kMaxFftids);

std::span<std::uint8_t> bytes_of(SavedThread::Words& words) {
    return {reinterpret_cast<std::uint8_t*>(words.data()), sizeof words};
}

}  // namespace

// --- Saving

// Media threads have no command to come back by (PRE-10).
bool Media::can_save() const {
    if (!inbox_.empty() || !children_.empty() || held_.open || dealt_threads_ != 0) return false;
    if (command_ && FrontEnd::kind_of(*command_) != FrontEnd::Kind::Walker) return false;
    for (const Running& running : running_) {
        if (!running.live) continue;
        const ThreadSideband& thread = running.dispatch->sideband;
        const PipelineCommand& command = *runs_[running.run].command;
        if (running.child || FrontEnd::kind_of(command) != FrontEnd::Kind::Walker ||
            thread.save_area.value == 0 || thread.state->system_instruction_pointer.value == 0)
            return false;
    }
    return true;
}

void Media::saving(bool on, Cycles now) {
    saving_ = on;
    if (!on) {
        for (PipelineCommand* const command : std::exchange(ended_, {}))
            finish_command(*command);
        // It may have named a command that is over.
        if (!command_ && inbox_.empty()) to_stop_ = nullptr;
        wakeup_.at(now);
    }
    update(now);
}

void Media::save(ThreadRequest&, const ThreadDispatch& thread, const SavedThread& from) {
    const ThreadSideband& side = thread.sideband;
    SavedThread saved = from;
    saved.local_thread = thread.gpgpu.local_thread;
    saved.group_id = thread.gpgpu.group_id;
    saved.kernel_start =
        static_cast<std::uint32_t>(side.kernel_start.value - side.state->instruction_base.value);
    saved.binding_table_offset = side.binding_table_offset;
    saved.sampler_state_offset = side.sampler_state_offset;
    SavedThread::Words words = saved.pack();
    PortReader& reader = reader_for_threads();
    const bool written = reader.move_saved(tlm::TLM_WRITE_COMMAND,
                                           side.save_area + SavedThread::kOffset, bytes_of(words));
    reader_.delay = reader.delay;
    if (!written)
        env_.reporter.guest_error("context save area", place_text(side.place),
                                  "it cannot be written; the thread is lost");
    saved_[side.fftid / 32] |= 1u << side.fftid % 32;
    ++stats_.threads_saved;
}

bool Media::has_saved() const {
    return std::ranges::any_of(saved_, [](std::uint32_t word) { return word != 0; });
}

// All groups had been sent: what is left of it is threads.
void Media::keep_threads_only(PipelineCommand& command) {
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

void Media::fetch_saved(const PipelineCommand& command) {
    restored_.clear();
    const auto& bits = command.resumes->saved_threads;
    const GpuAddr base = command.state->context_save_base;
    for (unsigned fftid = 0; fftid < kMaxFftids; ++fftid) {
        if (!(bits[fftid / 32] >> fftid % 32 & 1)) continue;
        if (fftid >= topology_.total_threads()) {
            env_.reporter.guest_error("context image", command_place(command),
                                      "a saved thread of a machine with more threads");
            break;
        }
        const ThreadPlace place = ThreadPlace::of_fftid(topology_, fftid);
        SavedThread::Words words{};
        const GpuAddr at = base + save_layout_.thread(place.subslice, place.eu, place.slot);
        if (!reader_.move_saved(tlm::TLM_READ_COMMAND, at + SavedThread::kOffset,
                                bytes_of(words))) {
            env_.reporter.guest_error("context save area", command_place(command),
                                      "it cannot be read; a thread is lost");
            continue;
        }
        restored_.push_back({place, SavedThread::unpack(words)});
    }
}

void Media::lost(ThreadRequest&, const char* where, const char* why) {
    env_.reporter.guest_error(where, command_place(*command_), why);
}

void Media::make_saved(const ThreadGrant& grant, ThreadDispatch& thread) {
    const SavedThread& saved = grant.restored->saved;
    make_restored(walk_, topology_, grant.place, thread);
    thread.dispatch_mask = saved.dispatch_mask;
    thread.simd_width = saved.simd_width;
    thread.gpgpu = {saved.group_id, saved.local_thread};
    thread.hidden = saved.hidden;
    ThreadSideband& side = thread.sideband;
    side.kernel_start = walk_.state->instruction_base + saved.kernel_start;
    side.binding_table_offset = saved.binding_table_offset;
    side.sampler_state_offset = saved.sampler_state_offset;
    if (grant.has_barrier || grant.slm_kilobytes) {
        thread.payload[0] = resources_of(grant);
        side.slm_size = std::uint32_t{grant.slm_kilobytes} * 1024;
        side.slm_base = side.slm_size
                            ? topology_.slm_base(grant.place.subslice, grant.slm, grant.slm_granule)
                            : 0;
    }
    side.priority = saved.priority & 1;
    ++stats_.threads_restored;
}

}  // namespace gen9::media
