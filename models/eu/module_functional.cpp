// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "eu/executor.h"
#include "eu/module.h"

namespace gen9::eu {

void Eu::run_functional() {
    const Cycles now = clock_.now();
    std::uint64_t used = 0;
    bool more = false;
    for (unsigned slot = 0; slot < params_.threads; ++slot)
        if (slots_[slot] != nullptr && slots_[slot]->runnable())
            used += run_thread(ThreadSlot(slot), now + Cycles(used));
    for (const Context* context : slots_)
        more |= context != nullptr && context->runnable();
    stats_.use(CycleUse::Busy, used);
    cycle_ = now + Cycles(std::max<std::uint64_t>(used, 1));
    if (more) wakeup_.at(cycle_);
}

std::uint64_t Eu::run_thread(ThreadSlot slot, Cycles now) {
    Context& context = *slots_[slot.value];
    Thread& thread = context.thread;
    const std::uint64_t quantum = params_.quantum_instructions;
    std::uint64_t done = 0;
    InstructionObserver* const observer = observer_;
    const Program::Page* page = context.page;
    bool over = false;
    while (done < quantum) {
        const std::uint32_t ip = thread.ip;
        if (page == nullptr || !page->holds(ip)) [[unlikely]]
            page = context.page = &program_.page(thread.sideband.state->instruction_base, ip);
        const Program::Entry* entry = page->find(ip);
        if (entry == nullptr) [[unlikely]]
            entry = load(context, ip);
        const DecodedInstruction& instruction = entry->decoded;
        if (entry->reads_timestamp) [[unlikely]]
            set_timestamp(thread, now + Cycles(done));
        const Outcome outcome = observer == nullptr
                                    ? execute(thread, instruction)
                                    : execute_observed(thread, instruction, now + Cycles(done));
        ++done;
        if (outcome == Outcome::Next) [[likely]]
            continue;
        if (outcome == Outcome::Exception) {
            ++stats_.exceptions;
            continue;
        }
        if (outcome == Outcome::Wait) {
            --done;  // it has not been executed yet
            if (!must_wait(context, instruction)) continue;
            // What would hang for good is ended instead, so that the run ends.
            over = instruction.instruction.end_of_thread;
            context.waiting = !over;
            break;
        }
        if (outcome == Outcome::Fault) report_fault(context, *entry);
        const bool sent =
            outcome != Outcome::Fault && send_functional(context, instruction, now + Cycles(done));
        over = outcome == Outcome::End || !sent;
        if (over || !context.runnable()) break;
    }
    context.instructions += done;
    stats_.instructions += done;
    if (over) end(slot, now + Cycles(done));
    return done;
}

const Program::Entry* Eu::load(Context& context, std::uint32_t ip) {
    for (;;) {
        GpuAddr missing;
        if (const Program::Entry* entry = program_.prepare(*context.page, ip, missing)) {
            report_broken_rules(context, *entry);
            return entry;
        }
        MemoryTransaction* const fetch = new_fetch(context, missing);
        sc_core::sc_time delay;
        fetch_out->b_transport(*fetch, delay);
        const bool fault = !fetch->is_response_ok();
        if (fault) std::memset(fetch->data, 0, sizeof fetch->data);
        program_.fill(missing, fetch->data, fault);
        fetch->release();
    }
}

bool Eu::send_functional(Context& context, const DecodedInstruction& instruction, Cycles now) {
    EuMessage* const message = build(context, instruction);
    if (!deliverable(context, *message, instruction)) {
        release(message);
        return false;
    }
    if (message->port == MessagePort::Gateway) {
        // The answer may come now, or when other threads have reached the barrier.
        if (message->response_length != 0) context.awaited = message;
        forward(*message, delay_to(now));
        return true;
    }
    sc_core::sc_time delay = delay_to(now);
    (*msg_out[static_cast<unsigned>(message->port)])->b_transport(*message, delay);
    if (message->response_length != 0) write_back(context.thread, *message);
    release(message);
    return true;
}

void Eu::answer_functional(EuMessage& message) {
    Context& context = *message.context;
    if (message.response_length != 0) write_back(context.thread, message);
    raise(context.thread, message.notifications);
    if (message.notifications != 0) context.waiting = false;
    if (context.awaited == &message) context.awaited = nullptr;
    if (!context.over && !running_) wakeup_.at(std::max(clock_.now(), cycle_));
    release(&message);
}

}  // namespace gen9::eu
