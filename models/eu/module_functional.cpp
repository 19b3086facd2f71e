// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <utility>

#include "common/check.h"
#include "eu/execute/stepped_region.h"
#include "eu/jit/verify.h"
#include "eu/module.h"
#include "eu/thread_messages.h"

namespace gen9::eu {

void Eu::run_functional() {
    const Cycles now = clock_.now();
    std::uint64_t used = 0;
    bool more = false;
    if (saving_) [[unlikely]]
        on_save_threads();
    if (crew_ != nullptr) {
        if (rest_ != 0 && --rest_ == 0) end_rest();
        if (!Crew::has_run_ahead(*this) && waits()) {
            if (!crew_->may_begin()) {
                wakeup_.at(std::max(crew_->latest_step(), now + Cycles(1)));
                return;
            }
            crew_->run_ahead();
        }
        left_to_crew_ = may_run_ahead() && crew_->pays();
        crew_->stepped(*this);
    }
    const auto runs = [this](const Context* context) {
        return context != nullptr && context->runnable() && !held(*context);
    };
    for (unsigned slot = 0; slot < params_.threads; ++slot) {
        Context* const context = slots_[slot];
        if (!runs(context)) {
            if (context != nullptr && context->ahead.done)
                used += count_active(client_of(*context), pass_over(*context, now));
            continue;
        }
        if (left_to_crew_ && !context->ahead.done && has_code(*context)) continue;
        const std::uint8_t client = client_of(*context);
        const bool ahead = context->ahead.done;
        used += count_active(client, run_thread(ThreadSlot(slot), now + Cycles(used)));
        if (ahead && slots_[slot] == context && context->waiting) count_wait(*context);
    }
    if (counts_now(used)) settle_functions(uncounted_for_);
    for (const Context* context : slots_)
        more |= runs(context) || (saving_ && context != nullptr && context->messages_out == 0);
    if (dealt_.left() != 0 && !std::exchange(dealt_.used, false)) give_back_idle();
    if (!mixed_) stats_.use(CycleUse::Busy, used);
    cycle_ = now + Cycles(std::max<std::uint64_t>(used, 1));
    if (!more) return;
    step_at(cycle_);
}

// Software looks at counters when threads have ended. Those that only wait for each other, or follow
// each other in a slot, run many short turns. A crew counts what it runs ahead by itself.
bool Eu::counts_now(std::uint64_t instructions) {
    const bool later = !thread_ended_ && (crew_ == nullptr || rest_ != 0);
    uncounted_instructions_ += instructions;
    if (later && uncounted_instructions_ < kMostUncounted) return false;
    thread_ended_ = false;
    uncounted_instructions_ = 0;
    return true;
}

void Eu::find_page(Context& context, std::uint32_t ip) {
    const GpuAddr base = context.thread.sideband.state->instruction_base;
    context.leave_page();
    if (last_page_ == nullptr || last_page_->base != base || !last_page_->holds(ip))
        last_page_ = &program_.page(base, ip);
    context.page = last_page_;
}

inline Program::Entry* Eu::entry_at(Context& context, std::uint32_t ip) {
    if (context.page == nullptr || !context.page->holds(ip)) [[unlikely]]
        find_page(context, ip);
    Program::Entry* const entry = context.page->find(ip);
    return entry != nullptr ? entry : load(context, ip);
}

/// The instruction the thread has come to behind a stepped region, as far as that is known.
inline Program::Entry* Eu::after_region(Context& context, Program::Entry& entry) {
    FunctionalEntry& at = entry.functional;
    const std::uint32_t ip = context.thread.ip;
    if (ip == at.stepped->end_ip()) return at.follows;
    if (at.jumped_to != nullptr && at.jumped_to->decoded.ip == ip) return at.jumped_to;
    // An entry is kept only if it lies in the page at hand.
    if (!context.page->holds(ip)) return nullptr;
    return at.jumped_to = entry_at(context, ip);
}

inline bool Eu::may_have_region(const Context& context, const Program::Entry& entry) const {
    const FunctionalEntry& at = entry.functional;
    return (at.compiled == nullptr && at.outside_of != context.page->compilations) ||
           (at.stepped == nullptr && SteppedRegion::begins_with(entry.decoded));
}

/// An instruction that is run again: there may be code for it, and for what follows.
void Eu::make_regions(Context& context, Program::Entry& entry) {
    FunctionalEntry& at = entry.functional;
    if (jit_ != jit::Level::None && !mixed_ && at.compiled == nullptr)
        program_.take_up_compiled(*context.page, entry);
    if (at.stepped != nullptr || !SteppedRegion::begins_with(entry.decoded)) return;
    program_.make_region(*context.page, entry, !mixed_);
    if (at.often == 0) at.often = static_cast<std::uint32_t>(params_.jit_after);
}

/// What runs often is compiled. If that was in vain, it is tried again much later: the thread may
/// have other modes then, or more instructions may be ready.
void Eu::compile(Program::Page& page, Program::Entry& entry, std::uint32_t control) {
    FunctionalEntry& at = entry.functional;
    at.often = at.often < (1u << 24) ? at.often * 16 : 0;
    if (jit_ != jit::Level::None && !mixed_) program_.compile(page, entry, control, jit_);
}

CodeRegion::Run Eu::run_verified(const jit::CompiledRegion& region, Context& context,
                                 Messages& messages, Cycles begin, std::uint64_t most) {
    std::string differs;
    const CodeRegion::Run run =
        jit::run_verified(region, context.thread, messages, begin, most, differs);
    GEN9_CHECK(differs.empty(), "compiled code does not do what its instructions do, " + differs);
    return run;
}

/// The thread is over. Has its slot's next one begun in its place, and goes on in this step?
bool Eu::ThreadMessages::begin_next() {
    if (follow()) return true;
    settle();
    context_.instructions += of_thread();
    begun_ = done_;
    if (eu_.follow_dealt(context_, now())) {
        then_ = Then::GoesOn;
        return !eu_.left_to_crew_;
    }
    if (!eu_.take_next(context_, now())) {
        eu_.end(context_.thread.sideband.place.slot, now());
        return false;
    }
    then_ = Then::GoesOn;
    if (eu_.left_to_crew_) return false;
    if (eu_.observer_ == nullptr) ask_followers();
    return true;
}

/// Asks for those that may follow without anybody's being told, as long as nothing else happens than
/// what compiled code does by itself.
void Eu::ThreadMessages::ask_followers() {
    if (eu_.jit_ == jit::Level::None || context_.changed == RegisterSet::all()) return;
    const ThreadDispatch& dispatch = *context_.dispatch;
    const ThreadFollowers& followers = dispatch.relay->followers(dispatch, eu_.most_followers_);
    if (followers.count == 0) return;
    followers_ = &followers;
    next_of_group_ = followers.first_thread;
    group_ = followers.groups.data();
    asked_ = done_;
    eu_.fresh_.expect(dispatch.payload.data(), Thread::loaded_by(dispatch));
}

/// Begins the next of those; false: there are no more of them.
inline bool Eu::ThreadMessages::follow() {
    if (followers_ == nullptr || followed_ == followers_->count || context_.messages_out != 0)
        return false;
    begun_ = done_;
    before_thread_ = direct_;
    eu_.follow(context_, *followers_, *group_, next_of_group_);
    ++followed_;
    if (++next_of_group_ == followers_->group_threads) {
        next_of_group_ = 0;
        ++group_;
    }
    then_ = Then::GoesOn;
    return true;
}

/// Tells of those that have begun. The others are asked for again, and more or fewer at a time.
void Eu::ThreadMessages::leave_followers() {
    const bool all = followed_ == std::exchange(followers_, nullptr)->count;
    eu_.most_followers_ =
        all ? std::min(2 * eu_.most_followers_, ThreadFollowers::kMost) : std::max(followed_, 1u);
    if (followed_ == 0) return;
    ThreadDispatch& dispatch = *context_.dispatch;
    dispatch.retire = {begun_ - asked_, before_thread_};
    eu_.stats_.threads += followed_;
    dispatch.relay->followed(dispatch, std::exchange(followed_, 0), now_ + Cycles(begun_));
    context_.thread.sideband.trace_id = dispatch.sideband.trace_id;
}

// The next thread runs on in the same code, behind the instructions that set its modes.
Messages::Next Eu::ThreadMessages::end(Thread& thread, std::uint64_t executed) {
    finish(thread);
    if (followers_ == nullptr && (eu_.observer_ != nullptr || eu_.left_to_crew_)) return {};
    count(executed - in_region_);
    in_region_ = executed;
    if (!begin_next()) {
        stopped_ = true;
        return {};
    }
    look_at_mode();
    const std::uint64_t most = eu_.params_.quantum_instructions,
                        before = prologue_.run(context_, most);
    count(before);
    return {true, most - before, before};
}

std::uint64_t Eu::run_thread(ThreadSlot slot, Cycles now) {
    Context& context = *slots_[slot.value];
    Thread& thread = context.thread;
    const std::uint64_t quantum = params_.quantum_instructions;
    bool may_stop = left_to_crew_ && context.ahead.done;
    InstructionObserver* const observer = observer_;
    // A thread that is watched runs one instruction at a time.
    const std::uint64_t quantum_of_regions = observer == nullptr ? quantum : 0;
    ThreadMessages messages(*this, context, now);
    if (context.ahead.done) {
        const Context::Done ahead = count_ahead(context, now);
        messages.count_ahead(ahead.instructions, ahead.of_others);
    }
    if (context.ahead.message != nullptr && observer == nullptr) {
        send_left_over(context, messages, messages.now());
        messages.count(1);
    }
    context.ahead.message = nullptr;
    bool over = messages.over();
    Program::Entry* entry = nullptr;  // null: to be looked up
    for (;;) {
        if (over) {
            if (messages.stopped() || !messages.begin_next()) break;
            over = false;
            entry = nullptr;
        }
        if (messages.of_thread() >= quantum || !context.runnable() || held(context)) break;
        if (entry == nullptr) entry = entry_at(context, thread.ip);
        if (mixed_) [[unlikely]]
            keep_lines(context, *entry);
        FunctionalEntry& at = entry->functional;
        const auto runs_now = [&](const CodeRegion* region) {
            return region != nullptr &&
                   messages.of_thread() + region->size() <= quantum_of_regions &&
                   region->runs_now(thread);
        };
        const CodeRegion* const region = runs_now(at.compiled)  ? at.compiled
                                         : runs_now(at.stepped) ? at.stepped
                                                                : nullptr;
        const bool waits_next = may_stop && entry->decoded.instruction.opcode == isa::Opcode::Wait;
        if (may_stop && region != nullptr && !waits_next) {
            if (goes_on_ahead(context, *region, messages.of_thread() != 0)) break;
            may_stop = false;
        }
        if (region != nullptr && !waits_next) [[likely]] {
            if (region == at.stepped && ++at.runs == at.often) [[unlikely]]
                compile(*context.page, *entry, thread.control[0]);
            const std::uint64_t most = quantum - messages.of_thread();
            const CodeRegion::Run run =
                verifies_ && region == at.compiled
                    ? run_verified(*at.compiled, context, messages, messages.now(), most)
                    : region->run(thread, messages, messages.now(), most);
            messages.settle();
            messages.count_region(run.instructions);
            if (region == at.compiled) {
                stats_.compiled_instructions += run.instructions;
                if (run.instructions == 0 && !run.left) [[unlikely]]
                    at.compiled = nullptr;
            }
            if (!run.left) [[likely]] {
                entry = region == at.stepped ? after_region(context, *entry) : nullptr;
                continue;
            }
            over = messages.over();
            entry = nullptr;
            continue;
        }
        // A machine whose mode may change looks at lines between messages.
        if (!at.visited) {
            at.visited = true;
        } else if (observer == nullptr && may_have_region(context, *entry)) {
            make_regions(context, *entry);
        }
        const DecodedInstruction& instruction = entry->decoded;
        if (at.reads_timestamp) [[unlikely]]
            set_timestamp(thread, messages.now());
        const Outcome outcome = observer == nullptr
                                    ? execute(thread, instruction)
                                    : execute_observed(thread, instruction, messages.now());
        messages.count(1);
        messages.settle();
        const Program::Entry& executed = *std::exchange(entry, nullptr);
        if (outcome == Outcome::Next) [[likely]]
            continue;
        if (outcome == Outcome::Wait) messages.take_back(1);  // it has not been executed yet
        over = conclude<Timing::Functional>(slot, executed, outcome, messages.now()) == Then::Ends;
    }
    messages.settle();
    stats_.instructions += messages.done();
    context.instructions += messages.of_thread();
    return messages.done();
}

Program::Entry* Eu::load(Context& context, std::uint32_t ip) {
    for (;;) {
        GpuAddr missing;
        if (Program::Entry* entry = program_.prepare(*context.page, ip, missing)) {
            report_broken_rules(context, *entry);
            return entry;
        }
        load_line(context, missing);
    }
}

void Eu::load_line(const Context& context, GpuAddr line) {
    if (lines_.state(line) == LineBuffer::State::Absent) lines_.ask(line);
    MemoryTransaction* const fetch = new_fetch(context, line);
    sc_core::sc_time delay;
    fetch_out->b_transport(*fetch, delay);
    const bool fault = !fetch->is_response_ok();
    if (fault) std::memset(fetch->data, 0, sizeof fetch->data);
    program_.fill(line, fetch->data, fault);
    lines_.fill(line);
    fetch->release();
}

// Does the same as line_at_hand, without its time.
void Eu::keep_lines(const Context& context, const Program::Entry& entry) {
    const CodeRegion* const region = entry.functional.stepped;
    const std::uint32_t end = region != nullptr ? region->end_ip() : entry.decoded.next_ip;
    const GpuAddr behind = context.page->base + end;
    for (GpuAddr line = entry.timed.line; line < behind; line = line + kLineBytes) {
        if (lines_.settled(line)) continue;
        for (unsigned i = 0; i <= params_.prefetch_lines; ++i) {
            const GpuAddr ahead = line + i * kLineBytes;
            if (i != 0 && ahead.value % kPageBytes == 0) break;
            if (lines_.state(ahead) == LineBuffer::State::Absent) load_line(context, ahead);
        }
        lines_.settle(line);
    }
}

void Eu::answer_functional(EuMessage& message) {
    Context& context = *message.context;
    take_answer(message);
    if (context.awaited == &message) context.awaited = nullptr;
    if (!context.over && !running_) step_at(std::max(clock_.now(), cycle_));
    release(&message);
}

Context& Eu::context_of(const ThreadSideband& thread) {
    const unsigned slot = thread.place.slot.value;
    for (Context* const context : {slots_[slot], last_of_slot_[slot]})
        if (context != nullptr && &context->thread.sideband == &thread) [[likely]]
            return *context;
    // Its slot has had other threads since.
    Context* const found =
        contexts_.find([&](const Context& each) { return &each.thread.sideband == &thread; });
    GEN9_CHECK(found != nullptr, "an answer is for no thread of this EU");
    return *found;
}

inline void Eu::answered(Context& context) {
    if (!context.over && !running_) step_at(std::max(clock_.now(), cycle_));
    --context.messages_out;
    if (context.done()) [[unlikely]]
        release(&context);
}

void Eu::answer(const Message& message) {
    Context& context = context_of(*message.sender);
    if (message.given_back) [[unlikely]]
        keep_barrier(context, message);
    else
        take_notifications(context, message);
    answered(context);
}

void Eu::notify(const ThreadSideband& thread) {
    Context& context = context_of(thread);
    if (!context.over) {
        ++context.thread.notification[0];
        context.waiting = false;
    }
    answered(context);
}

}  // namespace gen9::eu
