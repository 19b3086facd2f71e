// SPDX-License-Identifier: Apache-2.0
// Threads that are saved, and come back (docs/preemption.md).
#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>

#include "common/bits.h"
#include "common/check.h"
#include "dispatcher/module.h"
#include "interconnect/kernel/save_threads.h"

namespace gen9::dispatcher {
namespace {

/// Where a gateway is told to give barrier messages back (gateway/module.h).
constexpr unsigned kGiveBack = 0x100 / 4;
/// What the engine that moves SLM is told (slm/save_engine.h).
constexpr std::uint64_t kSaveSlm = 0, kRestoreSlm = 8;

}  // namespace

// --- Saving

// Not modelled: groups over several subslices. Assumed: threads of other clients run to their ends.
// A group that is left open keeps its places where there are other clients.
bool Dispatcher::can_save() const {
    if (std::ranges::any_of(ports_, [](const Port& port) { return !port.left_open.kept.empty(); }))
        return false;
    return core_.live(saver_client_) == core_.slots().live() && core_.can_save(saved_slm_) &&
           saver_->can_save();
}

// A group that holds a barrier has its slots, and is sent whole.
bool Dispatcher::sends_group() const {
    return std::ranges::any_of(ports_, [](const Port& port) {
        return port.request && port.begun && port.group.index != kNoGroup;
    });
}

void Dispatcher::save(Cycles now) {
    if (saving_ == Saving::Asked && now >= save_at_) {
        if (!can_save() || core_.live(saver_client_) == 0) return end_saving(now);
        if (sends_group()) return;
        begin_saving(now);
    }
    if (saving_ == Saving::Threads && core_.live(saver_client_) == 0) {
        give_barriers_back(false);
        saving_ = Saving::Slm;
        move_slm(slm_to_save_, save_base_, false);
    }
    if (saving_ == Saving::Slm && !slm_moving(now)) end_saving(now);
}

void Dispatcher::end_saving(Cycles now) {
    saving_ = Saving::No;
    saver_->saving(false, now);
}

void Dispatcher::begin_saving(Cycles now) {
    saving_ = Saving::Threads;
    slm_to_save_ = core_.slm_subslices();
    give_barriers_back(true);
    note_alignment();
    const std::uint64_t later =
        env_.timed() ? std::max<std::uint64_t>(params_.dispatch_cycles, env_.notice_cycles) : 0;
    for (unsigned eu = 0; eu < topology_.total_eus(); ++eu) {
        const unsigned first = eu * topology_.threads;
        unsigned slot = 0;
        while (slot < topology_.threads && !running_[first + slot].request)
            ++slot;
        if (slot == topology_.threads) continue;
        tlm::tlm_phase phase = kSaveThreads;
        sc_core::sc_time delay = env_.timed() ? clock_.time(Cycles(later)) : sc_core::SC_ZERO_TIME;
        (*thread_out[eu])->nb_transport_fw(*threads_[first + slot], phase, delay);
    }
    saver_->saving(true, now);
}

// PRE-21. Intel's driver 22.43 aligns it to 64 KB (Measured: traces/prefix_sum), so it fails
// nothing.
void Dispatcher::note_alignment() {
    const auto live =
        std::ranges::find_if(running_, [](const Running& r) { return r.request != nullptr; }) -
        running_.begin();
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
void Dispatcher::move_slm(std::uint32_t subslices, GpuAddr base, bool restore) {
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

void Dispatcher::give_barriers_back(bool all) {
    sc_core::sc_time delay;
    for (unsigned s = 0; s < topology_.total_subslices(); ++s)
        set_barrier(s, kGiveBack, all, 0, delay);
}

// Before its slot and its group are given up.
void Dispatcher::keep_thread(unsigned fftid) {
    const ThreadDispatch& thread = *threads_[fftid];
    SavedThread saved;
    saved.dispatch_mask = thread.dispatch_mask;
    saved.simd_width = thread.simd_width;
    saved.priority = thread.sideband.priority;
    saved.hidden = thread.hidden;
    core_.describe(fftid, saved);
    ThreadRequest& request = *running_[fftid].request;
    request.source->save(request, thread, saved);
}

// --- Restoring

void Dispatcher::restore_slm(const ThreadRequest& request) {
    std::uint32_t with_slm = 0;
    for (const RestoredThread& thread : request.restored)
        if (thread.saved.slm_kilobytes) with_slm |= 1u << topology_.slm_of(thread.place.subslice);
    move_slm(with_slm, request.save_base, true);
}

// Each to its old slot, for its registers lie there. What memory says is not trusted.
void Dispatcher::restore(Port& port, Cycles now) {
    ThreadRequest& request = *port.request;
    std::map<std::uint32_t, GroupIndex> groups;
    for (const RestoredThread& thread : request.restored) {
        const auto& [place, saved] = thread;
        if (!core_.slots().is_free(place)) {
            request.source->lost(request, "context image",
                                 "a saved thread whose slot is taken; it is lost");
            continue;
        }
        ThreadGrant grant{place, request.sent};
        grant.restored = &thread;
        GroupIndex group = kNoGroup;
        if (saved.group != kNoGroup) {
            const std::uint32_t key = std::uint32_t{place.subslice} << 16 | saved.group;
            const auto [at, is_new] = groups.try_emplace(key, kNoGroup);
            if (is_new) {
                at->second = core_.begin_restored(place.subslice, saved, request.work);
                sc_core::sc_time delay;
                if (at->second == kNoGroup)
                    request.source->lost(request, "context save area",
                                         "a group that cannot be: its barrier is not free");
                else if (saved.has_barrier)
                    set_barrier(place.subslice, saved.barrier, saved.group_threads,
                                request.trace_id, delay);
            }
            group = at->second;
        }
        core_.take_restored(request, port.client, place, group, saved.registers);
        if (group != kNoGroup) {
            const Group& held = core_.tracker()[group];
            grant.has_barrier = held.has_barrier;
            grant.barrier = held.barrier;
            grant.slm = held.slm;
            grant.slm_granule = held.slm_granule;
            grant.slm_kilobytes = held.slm_kilobytes;
        }
        ThreadDispatch& dispatch = *threads_[place.fftid(topology_)];
        dispatch.client = static_cast<std::uint8_t>(port.client);
        dispatch.work = request.work;
        dispatch.sideband.pixels = nullptr;
        dispatch.sideband.unanswered = nullptr;
        request.source->make(request, grant, dispatch);
        launch(request, index_of(port), place, now);
    }
}

}  // namespace gen9::dispatcher
