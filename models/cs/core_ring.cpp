// SPDX-License-Identifier: Apache-2.0
// Rings that are submitted by their tail register, without execlists.
#include "cs/core.h"

namespace gen9::cs {

// CS-141, PRE-02. The ring goes on with the state the engine has: at first what the host wrote into
// the registers, then that of the context which MI_SET_CONTEXT brought in.
void CsCore::run_ring() {
    if (!ring_state_) {
        live_ = false;
        ring_state_ = true;
        resident_ = {};
        registers_.reset_context();
        sum_slices();
        interpreter_.reset_context();
    }
    StreamPointers& pointers = interpreter_.pointers;
    pointers.load(registers_);
    interpreter_.drop_fetched();
    ++stats_.submissions;
    ring_runs_ = true;
    mmio_.arbitration = true;
    mmio_.start_context_clock();
    while (!stopped_ && !execlists_.pending()) {
        if (registers_.read(MI_MODE) & kStopRing) {
            bus_.poll();
            continue;
        }
        mmio_.ring_asked = false;
        if (pointers.level() == Level::Ring && pointers.ring_empty()) {
            interpreter_.resume_walker();
            bus_.drain(packets::kEveryPipe);
            if (pointers.ring_empty()) break;
            continue;
        }
        const Interpreter::Step step = interpreter_.step();
        stopped_ = step == Interpreter::Step::Stopped;
        if (step != Interpreter::Step::Continue) break;
        if (const auto request = interpreter_.take_context_request()) switch_context(*request);
    }
    bus_.drain(packets::kEveryPipe);
    mmio_.stop_context_clock();
    pointers.store(registers_);
    ring_runs_ = false;
}

// The context that runs is saved where it came from, and CCID names the next one. Assumed: its
// image is that of an execlist context, whose own section is neither loaded nor saved.
void CsCore::switch_context(const Interpreter::ContextRequest& request) {
    const Element next{static_cast<std::uint32_t>(request.address.value) | 1, 0};
    const bool runs = resident_.valid() && resident_.same_context(next);
    if (runs && !request.forced) return;
    ++stats_.contexts;
    bus_.begin();
    bus_.switched();
    CacheControl control;
    control.flush_data = control.invalidate_data = true;
    control.invalidate_instruction = control.invalidate_state = control.invalidate_constant = true;
    control.invalidate_texture = true;
    control.empty_draw_caches();
    bus_.control(control);
    mmio_.stop_context_clock();
    interpreter_.pointers.store(registers_);
    if (resident_.valid()) {
        build_image();
        save_engine(resident_);
    }
    registers_.set(CCID, next.low);
    if (!runs) {
        registers_.reset_context();
        interpreter_.reset_context();
        interpreter_.pointers.store(registers_);
        interpreter_.drop_thread_pools();
    }
    if (request.restores) load_engine(next);
    resident_ = next;
    mmio_.start_context_clock();
    if (request.restores) resume_walker(next);
}

}  // namespace gen9::cs
