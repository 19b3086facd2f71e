// SPDX-License-Identifier: Apache-2.0
// Threads that save themselves for another context, and come back (003:22281-22290).
#include <algorithm>

#include "common/check.h"
#include "eu/module.h"
#include "eu/thread/exceptions.h"

namespace gen9::eu {

void Eu::on_save_threads() {
    saving_ = true;
    for (unsigned slot = 0; slot < params_.threads; ++slot)
        if (slots_[slot] != nullptr) save_when_settled(ThreadSlot(slot));
    settle_saving();
    if (!environment_.timed() && !running_) step_at(std::max(clock_.now(), cycle_));
}

bool Eu::held(const Context& context) const {
    return saving_ && (context.thread.control[0] & cr0::kMaster) == 0;
}

// The routine is invoked only when all in-flight registers have retired; one that handles something
// else is not interrupted (EU-290).
void Eu::save_when_settled(ThreadSlot slot) {
    Context& context = *slots_[slot.value];
    if (!held(context)) return;
    if (context.messages_out == 0) {
        context.waiting = false;
        context.hidden.accumulators = context.thread.acc;
        begin_save(context.thread);
        ++stats_.exceptions;
        context.next = context.last = nullptr;
        context.awaited_line = kNoLine;
        context.front_end_free =
            std::max(context.front_end_free, cycle_ + Cycles(params_.exception_front_end));
        context.front_end_reason = CycleUse::Switch;
    }
    if (environment_.timed()) prepare_offer(slot);
}

// Threads that are dispatched from now on belong to another context, or come back.
void Eu::settle_saving() {
    const auto none = [](const auto* object) { return object == nullptr; };
    if (std::ranges::all_of(slots_, none) && std::ranges::all_of(coming_, none)) saving_ = false;
}

void Eu::keep_barrier(Context& context, const Message& message) {
    HiddenThreadState::Barrier& barrier = context.hidden.barrier;
    barrier.sent = true;
    barrier.descriptor = message.descriptor;
    barrier.extended_descriptor = message.extended_descriptor;
    barrier.destination = message.destination;
    barrier.response_length = message.response_length;
    barrier.payload = message.payload[0];
}

// The barrier has forgotten it: the thread arrives again.
EuMessage* Eu::make_barrier(Context& context) {
    const HiddenThreadState::Barrier& barrier = context.hidden.barrier;
    EuMessage* const message = &messages_.get();
    message->reset();
    message->sfid = Sfid::Gateway;
    message->descriptor = barrier.descriptor;
    message->extended_descriptor = barrier.extended_descriptor;
    message->destination = barrier.destination;
    message->response_length = barrier.response_length;
    message->length = message->first_length = 1;
    message->payload[0] = barrier.payload;
    message->execution_mask = ~0u;
    message->ip = context.thread.sideband.state->instruction_base.value + context.thread.ip;
    launch(context, *message);
    context.hidden.barrier.sent = false;
    return message;
}

}  // namespace gen9::eu
