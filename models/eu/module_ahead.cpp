// SPDX-License-Identifier: Apache-2.0
// Threads ahead of their EU's step, in functional mode with a crew. Ahead, a thread runs code that
// is at hand and sends messages that stay within its subslice. At the first instruction that asks
// for more it stops, in the state in which the step then finds it: the step does what it does
// without a crew, from there on and with what is left of the quantum.
#include <utility>

#include "eu/execute/stepped_region.h"
#include "eu/module.h"
#include "eu/thread/exceptions.h"
#include "eu/thread_messages.h"

namespace gen9::eu {

/// The messages of a thread that runs ahead: those of sites that may be run so.
class Eu::AheadMessages final : public Messages {
  public:
    AheadMessages(Eu& eu, Context& context)
        : eu_(eu), context_(context), sender_{context.thread.sideband, context.cause} {}
    bool send(Thread& thread, const DecodedInstruction& instruction, unsigned number,
              Cycles) override {
        thread.places.forget();
        if (number < eu_.send_sites_.size() && eu_.send_sites_[number].ahead &&
            (thread.control[0] & cr0::kMaster) == 0) {
            look_at_mode();
            const SendSite& site = eu_.send_sites_[number];
            if (site.direct->run(sender_, lanes_of(site, thread, instruction),
                                 &thread.grf[site.first], &thread.grf[site.second],
                                 &thread.grf[site.response])) {
                ++direct_;
                advance(thread, instruction.next_ip);
                return true;
            }
        }
        context_.ahead.message = &instruction;
        context_.ahead.send = number;
        advance(thread, instruction.ip);
        return false;
    }
    void wait(Thread&, const DecodedInstruction&, Cycles) override {}  // the step finds it there
    Direct direct(unsigned most) override {
        look_at_mode();
        if (eu_.ahead_sites_.size() <= most) eu_.ahead_sites_.resize(most + 1u);
        eu_.make_room_for_site(most);
        return {eu_.ahead_sites_.data(), &sender_, &direct_, eu_.plain_messages_.data(),
                &eu_.plain_epoch_};
    }
    bool allows_code() const override { return false; }
    /// Counts the messages for the thread; the functions have counted them when the EU's turn ends.
    void count() {
        context_.ahead.messages += direct_;
        direct_ = 0;
    }

  private:
    Eu& eu_;
    Context& context_;
    void look_at_mode() {
        sender_.alternate_float = (context_.thread.control[0] & cr0::kAlternate) != 0;
    }
    DirectSender sender_;
    std::uint32_t direct_ = 0;  ///< messages that are not counted yet
};

bool Eu::has_code(const Context& context) const {
    const Thread& thread = context.thread;
    const bool known = context.page != nullptr && program_generation_ == program_.generation() &&
                       context.page->holds(thread.ip);
    const Program::Page* const page =
        known ? context.page
              : program_.page_at_hand(thread.sideband.state->instruction_base, thread.ip);
    const Program::Entry* const entry = page != nullptr ? page->find(thread.ip) : nullptr;
    return entry != nullptr && (entry->functional.visited || entry->functional.compiled != nullptr);
}

// Nobody is woken for threads whose code nobody has run yet.
bool Eu::waits() const {
    if (!may_run_ahead()) return false;
    for (const Context* const context : slots_)
        if (context != nullptr && !context->ahead.done && context->runnable() && has_code(*context))
            return true;
    return false;
}

void Eu::run_ahead() {
    drop_stale_code();
    for (const AheadFunction& function : ahead_functions_)
        function.target->stay_inside(true);
    // What the functions have not counted is of one cause.
    TraceId cause = 0;
    for (Context* const context : slots_) {
        if (context == nullptr || context->ahead.done || !context->runnable()) continue;
        if (context->cause != cause) settle_ahead(std::exchange(cause, context->cause));
        run_thread_ahead(*context);
    }
    settle_ahead(cause);
    for (const AheadFunction& function : ahead_functions_)
        function.target->stay_inside(false);
}

void Eu::settle_ahead(TraceId cause) {
    for (const AheadFunction& function : ahead_functions_)
        function.function->settle(cause);
}

Program::Entry* Eu::entry_at_hand(Context& context, std::uint32_t ip) {
    if (context.page == nullptr || !context.page->holds(ip)) [[unlikely]] {
        const GpuAddr base = context.thread.sideband.state->instruction_base;
        Program::Page* page = last_page_;
        if (page == nullptr || page->base != base || !page->holds(ip))
            page = program_.page_at_hand(base, ip);
        if (page == nullptr) return nullptr;
        context.leave_page();
        context.page = last_page_ = page;
    }
    return context.page->find(ip);
}

/// The region that the step would run here; null: none, or it cannot be counted any more.
const CodeRegion* Eu::region_ahead(Context& context, Program::Entry& entry, std::uint64_t room) {
    const FunctionalEntry& at = entry.functional;
    const auto runs_now = [&](const CodeRegion* region) {
        return region != nullptr && region->size() <= room && region->runs_now(context.thread);
    };
    if (runs_now(at.compiled)) return at.compiled;
    if (!runs_now(at.stepped)) return nullptr;
    if (jit_ == jit::Level::None || at.often == 0) return at.stepped;
    Context::Ahead& ahead = context.ahead;
    if (ahead.stepped == ahead.steps.size()) return nullptr;
    ahead.steps[ahead.stepped++] = {context.page, &entry, context.thread.control[0]};
    return at.stepped;
}

void Eu::run_thread_ahead(Context& context) {
    Thread& thread = context.thread;
    const std::uint64_t quantum = params_.quantum_instructions;
    AheadMessages messages(*this, context);
    Context::Ahead& ahead = context.ahead;
    ahead.done = true;
    while (ahead.instructions < quantum) {
        const std::uint64_t room = quantum - ahead.instructions;
        Program::Entry* const entry = entry_at_hand(context, thread.ip);
        if (entry == nullptr) return;
        const FunctionalEntry& at = entry->functional;
        if (const CodeRegion* const region = region_ahead(context, *entry, room)) {
            const CodeRegion::Run run = region->run(thread, messages, Cycles(0), room);
            messages.count();
            // A region has counted the message before which it was left.
            const std::uint64_t done = run.instructions - (ahead.message != nullptr ? 1u : 0u);
            ahead.instructions += done;
            if (region == at.compiled) ahead.compiled += done;
            ahead.message_in_code = region == at.compiled;
            if (run.left || run.instructions == 0) return;
        } else if (at.visited && sets_modes(entry->decoded.instruction) && may_set_modes(thread) &&
                   execute(thread, entry->decoded) == Outcome::Next) {
            ++ahead.instructions;
        } else {
            return;
        }
    }
}

std::uint64_t Eu::count_ahead(Context& context) {
    Context::Ahead& ahead = context.ahead;
    stats_.ahead_instructions += ahead.instructions;
    stats_.compiled_instructions += ahead.compiled;
    context.messages += ahead.messages;
    stats_.messages += ahead.messages;
    stats_.direct_messages += ahead.messages;
    message_number_ += ahead.messages;
    trace_ids_.skip(ahead.messages);
    for (std::uint32_t i = 0; i < ahead.stepped; ++i) {
        const auto& [page, entry, control] = ahead.steps[i];
        FunctionalEntry& at = entry->functional;
        if (++at.runs == at.often) [[unlikely]]
            compile(*page, *entry, control);
    }
    const std::uint64_t instructions = ahead.instructions;
    gain_of_stops_ = std::min(gain_of_stops_ + static_cast<std::int64_t>(instructions), kMostGain);
    ahead.count();
    return instructions;
}

void Eu::send_left_over(Context& context, ThreadMessages& messages, Cycles now) {
    const Context::Ahead& ahead = context.ahead;
    if (ahead.message_in_code) ++stats_.compiled_instructions;
    messages.send(context.thread, *ahead.message, ahead.send, now);
    messages.settle();
}

// It stops where it stands, if threads go far enough between two such stops. A form of code that
// it lacked has been made for another thread meanwhile.
bool Eu::goes_on_ahead(Context& context, const CodeRegion& region, bool ran) {
    const bool lacked = std::exchange(context.lacked_code, !ran);
    if (!ran && (lacked || !region.is_ready(context.thread))) return context.lacked_code = false;
    if (gain_of_stops_ <= 0) return false;
    gain_of_stops_ -= kCostOfStop;
    return true;
}

}  // namespace gen9::eu
