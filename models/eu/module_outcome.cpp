// SPDX-License-Identifier: Apache-2.0
// These functions carry out what an instruction asks of the world outside its thread, in both
// modes. If the modes differ, this file says how.
#include <algorithm>

#include "eu/execute/end_of_thread.h"
#include "eu/module.h"
#include "eu/thread/exceptions.h"
#include "eu/thread_messages.h"

namespace gen9::eu {

inline void Eu::call(Context& context, EuMessage& message, Cycles now) {
    if (message.port == MessagePort::Gateway) {
        // The answer may come now, or when other threads have reached the barrier.
        if (message.response_length != 0) context.awaited = &message;
        return forward(message, delay_to(now));
    }
    // The data port answers at once: when it is asked makes no difference to it.
    sc_core::sc_time delay;
    if (message.port != MessagePort::DataPort) delay = delay_to(now);
    (*msg_out[static_cast<unsigned>(message.port)])->b_transport(message, delay);
    take_answer(message);
    release(&message);
}

// This is done for the routine, which could not fetch it.
template <Timing kMode>
void Eu::restored(Context& context, Cycles now) {
    context.restoring = false;
    context.thread.acc = context.hidden.accumulators;
    if (!context.hidden.barrier.sent) return;
    EuMessage* const message = make_barrier(context);
    if constexpr (kMode == Timing::Timed) {
        if (message->response_length != 0)
            context.scoreboard.send({message->destination, message->response_length}, {}, {},
                                    cycle_);
        send_timed(*message);
    } else {
        call(context, *message, now);
    }
}

template <Timing kMode>
inline Eu::Then Eu::deliver(Context& context, EuMessage& message,
                            const DecodedInstruction& instruction, Outcome outcome, Cycles now) {
    constexpr bool kTimed = kMode == Timing::Timed;
    const bool ordinary = message.port != MessagePort::None && !message.end_of_thread;
    if (!ordinary && !deliverable(context, message, instruction)) {
        // The registers of its response stay in flight for good (EU-208). Functional mode follows
        // no registers, and ends the thread that would wait for them.
        const bool hangs = !kTimed && message.response_length != 0;
        context.lost_message = true;
        release(&message);
        return hangs || outcome == Outcome::End ? Then::Ends : Then::GoesOn;
    }
    if constexpr (kTimed)
        send_timed(message);
    else
        call(context, message, now);
    return outcome == Outcome::End ? Then::Ends : Then::GoesOn;
}

template <Timing kMode>
Eu::Then Eu::conclude(ThreadSlot slot, const Program::Entry& entry, Outcome outcome, Cycles now) {
    constexpr bool kTimed = kMode == Timing::Timed;
    Context& context = *slots_[slot.value];
    const DecodedInstruction& instruction = entry.decoded;
    switch (outcome) {
        case Outcome::Next:
            return Then::GoesOn;
        case Outcome::Wait:
            if (!must_wait(context, instruction)) return Then::Again;
            // An end of thread with a destination hangs (EU-201). Functional mode ends the thread
            // instead, so that the run ends.
            if (!kTimed && hangs_at_end(instruction.instruction)) return Then::Ends;
            context.waiting = true;
            return Then::Waits;
        case Outcome::Exception:
            ++stats_.exceptions;
            if constexpr (kTimed) {
                // The queue of its instructions is dropped. What the instruction may have written
                // was cr0 or sp, which have been written long before the next can issue.
                IssueTiming timing = entry.timing(timing_);
                timing.front_end = std::max(
                    timing.front_end, static_cast<std::uint32_t>(params_.exception_front_end));
                issued(slot, context, entry, timing);
                context.front_end_reason = CycleUse::Switch;
            }
            if (context.restoring && context.thread.routine == Thread::Routine::Exception)
                restored<kMode>(context, now);
            return Then::GoesOn;
        case Outcome::Saved:
            if constexpr (kTimed) issued(slot, context, entry, entry.timing(timing_));
            return Then::Ends;
        case Outcome::Fault:
            if constexpr (kTimed) issued(slot, context, entry, entry.timing(timing_));
            report_fault(context, entry);
            return Then::Ends;
        case Outcome::End:
            context.thread.routine = Thread::Routine::Exception;  // it ends, whatever ran
            break;
        case Outcome::Send:
            break;
    }
    if constexpr (!kTimed)
        if ((outcome == Outcome::End || instruction.always_sends || instruction.sends_checked) &&
            send_directly(context, entry))
            return outcome == Outcome::End ? Then::Ends : Then::GoesOn;
    EuMessage* const message = build(context, instruction);
    if constexpr (kTimed) {
        const IssueTiming timing = timing_.with_payload(entry.timing(timing_), message->length);
        issued(slot, context, entry, timing);
        mark(context, instruction, *message, timing);
    }
    return deliver<kMode>(context, *message, instruction, outcome, now);
}
template Eu::Then Eu::conclude<Timing::Functional>(ThreadSlot, const Program::Entry&, Outcome,
                                                   Cycles);
template Eu::Then Eu::conclude<Timing::Timed>(ThreadSlot, const Program::Entry&, Outcome, Cycles);

Eu::SendSite& Eu::find_send_site(unsigned number, const DecodedInstruction& instruction) {
    if (send_sites_.size() <= number) send_sites_.resize(number + 1u);
    SendSite& site = send_sites_[number];
    site.known = true;
    const isa::Instruction& in = instruction.instruction;
    const MessageForm& form = instruction.message;
    const MessagePort port = port_of(form.sfid);
    // Caches are told, where the mode may change, what is accessed.
    if (mixed_ || params_.direct_messages != "on" || port == MessagePort::None ||
        in.descriptor_from_a0 || in.extended_from_a0 || in.align16)
        return site;
    const bool may_end = port == MessagePort::RenderCache || port == MessagePort::Spawner ||
                         port == MessagePort::Urb;
    if (in.end_of_thread && (!may_end || form.response_length != 0)) return site;
    const auto lies = [](const isa::Operand& operand, unsigned registers) {
        return registers == 0 || (!operand.indirect && operand.reg + registers <= kGrfCount);
    };
    if (!lies(in.src[0], form.first_length) || !lies(in.src[1], form.length - form.first_length) ||
        !lies(in.dst, form.response_length))
        return site;
    const Granted& granted = granted_by(port);
    if (granted.function == nullptr) return site;
    site.first = in.src[0].reg % kGrfCount;
    site.second = in.src[1].reg % kGrfCount;
    site.response = in.dst.reg % kGrfCount;
    site.channel_offset = in.channel_offset;
    site.predicated = instruction.fast.predicate != FastOperands::Predicate::None;
    site.no_mask = in.no_mask ? ~std::uint32_t{0} : 0;
    site.channels = low_mask(in.exec_size);
    const SendForm asked{form.descriptor,     form.extended_descriptor, form.sfid,
                         form.length,         form.first_length,        form.response_length,
                         form.header_present, form.eight_wide};
    site.direct = granted.answers_later != nullptr
                      ? granted.answers_later->site_at(asked, instruction.ip, *this)
                      : granted.function->site(asked);
    if (site.direct == nullptr) return site;
    add_direct_site(number, site, granted);
    if (in.end_of_thread && port == MessagePort::Spawner && ahead_end_ != nullptr)
        set_ahead_site(number, *ahead_end_);
    return site;
}

Eu::Granted& Eu::granted_by(MessagePort port) {
    Granted& granted = function_of_port_[static_cast<unsigned>(port)];
    if (granted.asked) [[likely]]
        return granted;
    // To ask costs much more than to make a site.
    granted.asked = true;
    DirectFunction* const function = msg_out[static_cast<unsigned>(port)]->direct_function();
    if (function == nullptr) return granted;
    granted.function = function;
    granted.answers_later = dynamic_cast<AnswersLater*>(function);
    if (function->counts_later()) direct_functions_.push_back(function);
    if (crew_ == nullptr) return granted;
    granted.stays_inside = dynamic_cast<StaysInside*>(function);
    if (granted.stays_inside != nullptr)
        ahead_functions_.push_back({function, granted.stays_inside});
    return granted;
}

void Eu::add_direct_site(unsigned number, SendSite& site, const Granted& granted) {
    make_room_for_site(number);
    direct_sites_[number] = site.direct.get();
    // Compiled code carries out plain messages ahead as well.
    if (crew_ == nullptr || granted.stays_inside != nullptr) {
        auto* const plain = dynamic_cast<PlainDirectSite*>(site.direct.get());
        if (plain != nullptr && plain->plain.form.slots != 0 && plain_epoch_.takes(plain->plain))
            plain_messages_[number] = &plain->plain;
    }
    if (crew_ == nullptr || granted.stays_inside == nullptr) return;
    site.ahead = true;
    set_ahead_site(number, *site.direct);
}

void Eu::set_ahead_site(unsigned number, DirectSite& site) {
    if (ahead_sites_.size() <= number) ahead_sites_.resize(number + 1u);
    ahead_sites_[number] = &site;
}

/// The message of a single instruction as a call. False: it is to be sent.
bool Eu::send_directly(Context& context, const Program::Entry& entry) {
    if (observer_ != nullptr) return false;
    Thread& thread = context.thread;
    thread.places.forget();
    const SendSite& site = send_site(entry.functional.send, entry.decoded);
    const bool alternate = (thread.control[0] & cr0::kAlternate) != 0;
    if (site.direct == nullptr || (thread.control[0] & cr0::kMaster) != 0 ||
        !site.direct->run({thread.sideband, context.cause, alternate}, thread.send_mask,
                          &thread.grf[site.first], &thread.grf[site.second],
                          &thread.grf[site.response]))
        return false;
    ++context.messages;
    ++stats_.messages;
    ++stats_.direct_messages;
    ++message_number_;
    trace_ids_.skip(1);
    return true;
}

bool Eu::ThreadMessages::send(Thread& thread, const DecodedInstruction& instruction,
                              unsigned number, Cycles now) {
    thread.places.forget();
    const SendSite& site = eu_.send_site(number, instruction);
    if (site.direct != nullptr && (thread.control[0] & cr0::kMaster) == 0) [[likely]] {
        look_at_mode();
        if (site.direct->run(sender_, lanes_of(site, thread, instruction), &thread.grf[site.first],
                             &thread.grf[site.second], &thread.grf[site.response])) [[likely]] {
            ++direct_;
            advance(thread, instruction.next_ip);
            if (!instruction.instruction.end_of_thread) [[likely]]
                return true;
            finish(thread);
            return false;
        }
    }
    settle();
    const Outcome outcome = instruction.execute(thread, instruction);
    if (outcome == Outcome::End) thread.routine = Thread::Routine::Exception;
    EuMessage* const message = eu_.build(context_, instruction);
    then_ = eu_.deliver<Timing::Functional>(context_, *message, instruction, outcome, now);
    return then_ == Then::GoesOn && context_.runnable() && !eu_.held(context_);
}

}  // namespace gen9::eu
