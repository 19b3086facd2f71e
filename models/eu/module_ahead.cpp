// SPDX-License-Identifier: Apache-2.0
// Threads ahead of their EU's step, in functional mode with a crew. Ahead, a thread runs code that
// is at hand and sends messages that stay within its subslice. At the first instruction that asks
// for more it stops, in the state in which the step then finds it: the step does what it does
// without a crew, from there on and with what is left of the quantum.
#include <algorithm>
#include <cstring>
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
    Next end(Thread& thread, std::uint64_t executed) override;
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
    Prologue prologue_;
};

/// The messages by which threads end ahead, which the spawner is told of later.
class Eu::AheadEnd final : public DirectSite {
  public:
    explicit AheadEnd(Eu& eu) : eu_(eu) {}
    bool run(const DirectSender& sender, std::uint32_t, const Grf* first, const Grf*,
             Grf*) override {
        Context& context = *eu_.slots_[sender.thread.place.slot.value];
        if (!eu_.may_follow_dealt(context)) return false;
        return std::memcmp(first, context.dispatch->payload.data(), sizeof *first) == 0;
    }

  private:
    Eu& eu_;
};

void Eu::join(Crew& crew) {
    crew_ = &crew;
    crew.add(*this);
    ahead_end_ = std::make_unique<AheadEnd>(*this);
}

// It has one if `AheadEnd` has taken its last message. The next thread goes on as in a step.
Messages::Next Eu::AheadMessages::end(Thread&, std::uint64_t executed) {
    count();
    Context::Ahead& ahead = context_.ahead;
    ahead.of_others = ahead.instructions + executed;
    ahead.messages_of_others = ahead.messages;
    ++ahead.followed;
    eu_.follow(context_, eu_.dealt_.threads(), eu_.dealt_.group(), eu_.dealt_.local());
    eu_.dealt_.pass();
    look_at_mode();
    const std::uint64_t most = eu_.params_.quantum_instructions,
                        before = prologue_.run(context_, most);
    ahead.instructions += before;
    return {true, most - before, before};
}

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
    if (dealt_.left() != 0) fresh_.expect(dealt_.payload(), dealt_.loaded());
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
    while (ahead.instructions - ahead.of_others < quantum) {
        const std::uint64_t room = quantum - (ahead.instructions - ahead.of_others);
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

Context::Done Eu::count_ahead(Context& context, Cycles now) {
    Context::Ahead& ahead = context.ahead;
    stats_.ahead_instructions += ahead.instructions;
    stats_.compiled_instructions += ahead.compiled;
    if (ahead.followed != 0) {
        stats_.threads_ahead += ahead.followed;
        count_dealt(
            context, ahead.followed,
            {context.instructions + ahead.of_others, context.messages + ahead.messages_of_others},
            now);
        context.instructions = context.messages = 0;
    }
    context.messages += ahead.messages - ahead.messages_of_others;
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
    const Context::Done done{ahead.instructions, ahead.of_others};
    gain_of_stops_ =
        std::min(gain_of_stops_ + static_cast<std::int64_t>(done.instructions), kMostGain);
    ahead.count();
    return done;
}

// Threads that meet at a barrier after few instructions stop without being asked.
void Eu::count_wait(const Context& context) {
    if ((gain_of_stops_ -= kCostOfStop) > 0) return;
    rest_ = kRest;
    rests_from_ = context.work;
    gain_of_stops_ = 4 * kCostOfStop;
}

// --- Threads that the EU is given in advance, so that slots need no step between two of them.

// More where all of them have begun since, and where threads could not go on without.
void Eu::prepare_ahead() {
    if (dealt_.left() != 0 || !std::exchange(dealt_.wanted, false)) return;
    for (const Context* const context : slots_) {
        if (context == nullptr || context->over || context->dispatch->relay == nullptr ||
            context->changed == RegisterSet::all())
            continue;
        return dealt_.ask(*context->dispatch, static_cast<unsigned>(params_.threads));
    }
}

void Dealt::ask(const ThreadDispatch& dispatch, unsigned least) {
    most_ = std::min(std::max(2 * most_, least), kMost);
    dispatch.relay->deal(dispatch, most_, threads_);
    begun_ = group_ = 0;
    local_ = threads_.first_thread;
    if (threads_.count == 0) return;
    work_ = dispatch.work;
    payload_.assign(dispatch.payload.begin(),
                    dispatch.payload.begin() + Thread::loaded_by(dispatch));
    const std::size_t bytes = std::size_t{threads_.group_threads} * threads_.row_count * kGrfBytes;
    rows_.assign(threads_.rows, threads_.rows + bytes);
    masks_.assign(threads_.masks, threads_.masks + threads_.group_threads);
    threads_.rows = rows_.data();
    threads_.masks = masks_.data();
}

void Dealt::give_back(const ThreadDispatch& dispatch) {
    threads_.count = begun_;
    most_ = 0;
    dispatch.relay->take_back(dispatch);
}

bool Eu::may_follow_dealt(const Context& context) {
    if (context.dispatch->relay == nullptr || context.messages_out != 0 || context.lost_message ||
        context.changed == RegisterSet::all())
        return false;
    if (dealt_.left() == 0) dealt_.wanted = true;
    return dealt_.left() != 0 && context.work == dealt_.work();
}

/// The thread is over: one of those that the EU was given begins in its slot, if there is one.
bool Eu::follow_dealt(Context& context, Cycles now) {
    if (crew_ == nullptr || !may_follow_dealt(context) || mixed_ || saving_) return false;
    const ThreadRetire ended{context.instructions, context.messages};
    context.instructions = context.messages = 0;
    fresh_.expect(dealt_.payload(), dealt_.loaded());
    follow(context, dealt_.threads(), dealt_.group(), dealt_.local());
    dealt_.pass();
    count_dealt(context, 1, ended, now);
    return true;
}

void Eu::count_dealt(Context& context, unsigned count, ThreadRetire ended, Cycles now) {
    ThreadDispatch& dispatch = *context.dispatch;
    dispatch.retire = ended;
    stats_.threads += count;
    thread_ended_ = true;
    dispatch.relay->followed_dealt(dispatch, count, now);
    context.thread.sideband.trace_id = dispatch.sideband.trace_id;
}

void Eu::give_back_idle() {
    for (const Context* const context : slots_)
        if (context != nullptr && context->work == dealt_.work())
            return dealt_.give_back(*context->dispatch);
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
