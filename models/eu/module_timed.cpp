// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "common/check.h"
#include "eu/module.h"

namespace gen9::eu {
namespace {

constexpr Cycles kOne{1};

}  // namespace

// ---- what runs for every instruction

[[gnu::always_inline]] inline Offer Eu::next_offer(const Context& context) const {
    const Program::Entry& entry = *context.next;
    const Readiness ready = context.scoreboard.ready(entry.timed.uses, context.front_end_free);
    const bool front_end = context.front_end_free >= ready.at;
    return {front_end ? context.front_end_free : ready.at,
            front_end ? context.front_end_reason : ready.reason, entry.timed.pipe, entry.timed.port,
            front_end};
}

[[gnu::always_inline]] inline void Eu::offer_following(ThreadSlot slot, Context& context,
                                                       const Program::Entry& entry) {
    if (next_at_hand(context, &entry) || find_next(context)) [[likely]]
        arbiter_.offer_again(slot, next_offer(context));
    else
        arbiter_.offer_again(slot, {kNever, CycleUse::Fetch});
}

void Eu::prepare_offer(ThreadSlot slot) {
    Context& context = *slots_[slot.value];
    if (held(context)) [[unlikely]]
        return arbiter_.offer(slot, {kNever, CycleUse::Message});
    const bool at_hand = context.next != nullptr || next_at_hand(context, context.last);
    if (!at_hand && !find_next(context)) return arbiter_.offer(slot, {kNever, CycleUse::Fetch});
    arbiter_.offer(slot, next_offer(context));
}

template <Eu::Watch kWatch>
[[gnu::always_inline]] inline void Eu::issue(ThreadSlot slot) {
    Context& context = *slots_[slot.value];
    const Program::Entry& entry = *context.next;
    if (entry.timed.reads_timestamp) [[unlikely]]
        set_timestamp(context.thread, cycle_);
    const Outcome outcome = kWatch == Watch::Nobody || observer_ == nullptr
                                ? execute(context.thread, entry.decoded)
                                : execute_observed(context.thread, entry.decoded, cycle_);
    if (outcome != Outcome::Next) [[unlikely]]
        return issue_special(slot, outcome);
    const IssueTiming& timing = entry.timing(timing_);
    context.scoreboard.issue(entry.timed.uses, timing, cycle_);
    issued(slot, context, entry, timing);
    offer_following(slot, context, entry);
}

// The counting of issue_profiled needs facts of the thread that are there before it is issued from.
void Eu::issue_profiled(ThreadSlot slot) {
    const Context& context = *slots_[slot.value];
    const Program::Entry& entry = *context.next;
    WorkUse& work = *context.profile;
    const std::uint32_t number = context.work;
    const auto active =
        static_cast<unsigned>(std::popcount(enabled_channels(context.thread, entry.decoded)));
    const unsigned possible = entry.decoded.instruction.exec_size;
    if (entry.timed.use == nullptr)
        entry.timed.use = &profile_->executed(address_of(context.thread), entry.decoded, number);
    InstructionUse& use = *entry.timed.use;
    const std::uint32_t before = issued_, units = arbiter_.busy_units(cycle_);
    issue<Watch::Profile>(slot);
    if (issued_ == before) return;
    busy_work_ = &work;
    busy_instruction_ = &use;
    ++use.executions;
    use.lanes_active += active;
    use.lanes_possible += possible;
    work.lanes_active += active;
    work.lanes_possible += possible;
    ++work.classes[static_cast<std::size_t>(entry.decoded.latency)];
    // The unit it has taken is none of those that were occupied before.
    const std::uint32_t taken = arbiter_.busy_units(cycle_) & ~units;
    if (taken == 0) {
        ++work.issues[static_cast<std::size_t>(IssueUnit::None)];
        return;
    }
    const auto unit = static_cast<unsigned>(std::countr_zero(taken));
    const unsigned kind = unit / IssueArbiter::kMaxOfKind;
    ++work.issues[kind];
    work.unit_cycles[kind] += (arbiter_.unit_busy_until(unit) - cycle_).value;
}

template <class Issue>
void Eu::issue_counted(ThreadSlot slot, const Issue& issue) {
    const ThreadStage stage = stage_of(*slots_[slot.value]);
    const std::uint32_t before = issued_, units = arbiter_.busy_units(cycle_);
    const Cycles busy = arbiter_.busy_until();
    issue();
    if (issued_ == before) return;
    // The unit it has taken is none of those that were occupied before. Some take none, and a place
    // in the front end all the same.
    const std::uint32_t taken = arbiter_.busy_units(cycle_) & ~units;
    if (taken == 0)
        return stage_activity_.issued(
            *events_, stage, StageActivity::kNone, cycle_,
            arbiter_.busy_until() > busy ? arbiter_.busy_until() : cycle_);
    const auto unit = static_cast<unsigned>(std::countr_zero(taken));
    stage_activity_.issued(*events_, stage,
                           static_cast<StageActivity::Unit>(unit / IssueArbiter::kMaxOfKind),
                           cycle_, arbiter_.unit_busy_until(unit));
}

void Eu::count_events_passed() {
    if (accounted_ >= cycle_) return;
    std::array<unsigned, kThreadStages> loaded{};
    for (std::uint32_t slots = arbiter_.loaded_mask(); slots != 0; slots &= slots - 1)
        ++loaded[static_cast<unsigned>(stage_of(*slots_[std::countr_zero(slots)]))];
    stage_activity_.passed(*events_, loaded, accounted_, cycle_);
}

template <Eu::Watch kWatch>
[[gnu::always_inline]] inline void Eu::issue_cycle() {
    issued_ = issued_slots_ = 0;
    arbiter_.begin(cycle_);
    for (int slot = arbiter_.pick(); slot >= 0; slot = arbiter_.pick()) {
        const ThreadSlot place(static_cast<unsigned>(slot));
        [[maybe_unused]] const std::uint32_t before = issued_;
        const auto issue_it = [&] {
            if (kWatch >= Watch::Profile && profile_ != nullptr)
                issue_profiled(place);
            else
                issue<kWatch>(place);
        };
        if (kWatch != Watch::Nobody && counts_events())
            issue_counted(place, issue_it);
        else
            issue_it();
        if (kWatch == Watch::All && issued_ != before) issued_slots_ |= 1u << slot;
    }
    stats_.coissue_cycles += issued_ > 1;
}

/// `kTold`: somebody wants to be told of the uses. Without, it is part of what runs for every
/// cycle.
template <bool kTold>
[[gnu::always_inline]] inline void Eu::account_told() {
    if (kTold && counts_events()) count_events_passed();
    const auto use = [this](CycleUse what, Cycles to) {
        stats_.use(what, (to - accounted_).value);
        if constexpr (kTold) {
            if (profile_ != nullptr) profile_use(what, accounted_, to);
            if (use_observer_) use_observer_->used(what, accounted_.value, to.value);
        }
        accounted_ = to;
    };
    if (const Cycles busy = std::min(arbiter_.busy_until(), cycle_); busy > accounted_)
        use(CycleUse::Busy, busy);
    while (accounted_ < cycle_) {
        const Cycles change = std::min(arbiter_.use_changes(accounted_), cycle_);
        use(arbiter_.idle_use(accounted_), change);
    }
}

void Eu::account() {
    if (profile_ != nullptr || use_observer_ || counts_events()) [[unlikely]]
        account_told<true>();
    else
        account_told<false>();
}

// Simulates, cycle by cycle but only those in which something happens, as far ahead of the kernel
// as no announcement can still reach: whatever is announced from now on arrives at the horizon or
// later (docs/architecture.md, notice).
template <Eu::Watch kWatch>
void Eu::run_cycles(Cycles horizon) {
    for (;;) {
        const Cycles next = std::min(arbiter_.next(cycle_), arrivals_.next());
        if (kWatch == Watch::All && !shown_) show(next < horizon ? next : kNever);
        if (next >= horizon) {
            if (next != kNever) wakeup_.at(next);
            return;
        }
        // 1. The last cycle in which something happened, and those since. While a unit is occupied
        // there is nothing to say of them yet.
        cycle_ = std::max(next, cycle_);
        if (kWatch != Watch::Nobody || cycle_ > arbiter_.busy_until())
            account_told<kWatch != Watch::Nobody>();
        // 2. What arrives in this cycle can be used in it.
        while (arrivals_.next() <= cycle_) {
            const Arrival arrival = arrivals_.front();
            arrivals_.pop();
            process(arrival);
        }
        // 3. Up to `issue_width` instructions.
        issue_cycle<kWatch>();
        shown_ = kWatch != Watch::All;
        ++cycle_;
    }
}

void Eu::run_timed() {
    const Cycles horizon = clock_.now() + Cycles(environment_.notice_cycles);
    if (!looked_at_ && !counts_events() && !signals_.watched()) [[likely]]
        run_cycles<Watch::Nobody>(horizon);
    else if (signals_.watched())
        run_cycles<Watch::All>(horizon);
    else if (profile_ != nullptr)
        run_cycles<Watch::Profile>(horizon);
    else
        run_cycles<Watch::Told>(horizon);
}

void Eu::change_timing() {
    cycle_ = std::max(accounted_, clock_.now());
}

void Eu::settle() {
    settle_functions(uncounted_for_);
    if (!environment_.timed()) return;
    cycle_ = std::max(cycle_, clock_.now());
    account();
}

// ---- arrivals

void Eu::check_notice(Cycles at) const {
    GEN9_CHECK(
        at >= (running_ ? cycle_ + kOne : cycle_),
        std::string(name()) + " was given less notice of an event than Environment::notice_cycles");
}

void Eu::announce(const Arrival& arrival) {
    check_notice(arrival.at);
    arrivals_.push(arrival);
    // `run_timed` looks at the arrivals before it returns.
    if (!running_) wakeup_.at(arrival.at);
}

// A credit is an event only for those that wait for one.
void Eu::announce_credit(MessagePort port, std::uint64_t number, Cycles at) {
    const auto place = static_cast<std::uint8_t>(port);
    if (!held_back_[place].empty()) return announce({at, Arrival::Kind::Credit, place, number, {}});
    check_notice(at);
    arbiter_.give_credit(port, at);
    if (!running_ && arbiter_.starved()) wakeup_.at(at);
}

void Eu::process(const Arrival& arrival) {
    switch (arrival.kind()) {
        case Arrival::Kind::Dispatch: {
            Context& context = start(*static_cast<ThreadDispatch*>(arrival.object));
            const ThreadSlot slot = context.thread.sideband.place.slot;
            coming_[slot.value] = nullptr;
            context.scoreboard.reset(cycle_);
            context.front_end_free = cycle_;
            context.front_end_reason = CycleUse::Pipe;
            const bool round_robin = (round_robin_asked_ >> slot.value & 1) != 0;
            if (round_robin != round_robin_) {
                round_robin_ = round_robin;
                arbiter_.follow(
                    make_issue_policy(round_robin ? Arbitration::RoundRobin : Arbitration::Oldest));
            }
            arbiter_.load(slot, context.thread.sideband.priority != 0);
            if (signals_.watched()) [[unlikely]]
                show_thread(slot, context.dispatch, cycle_);
            if (saving_) [[unlikely]]
                return save_when_settled(slot);
            prepare_offer(slot);
            break;
        }
        case Arrival::Kind::Save:
            return on_save_threads();
        case Arrival::Kind::Credit: {
            arbiter_.give_credit(static_cast<MessagePort>(arrival.port()));
            auto& held_back = held_back_[arrival.port()];
            if (held_back.empty()) break;
            EuMessage* const message = held_back.front();
            held_back.pop_front();
            signals_.held_back.add(-1, cycle_);
            transmit(*message);
            break;
        }
        case Arrival::Kind::Response:
            respond(*static_cast<EuMessage*>(arrival.object));
            break;
        case Arrival::Kind::Line:
            line_arrived(*static_cast<MemoryTransaction*>(arrival.object));
            break;
        case Arrival::Kind::ThreadEnded:
            clear_dependencies(static_cast<std::uint16_t>(arrival.number()));
            break;
        case Arrival::Kind::FetchAccepted:
            fetch_unaccepted_ = nullptr;
            send_fetch();
            break;
    }
}

void Eu::respond(EuMessage& message) {
    Context& context = *message.context;
    if (context.profile != nullptr) [[unlikely]]
        context.profile->answered(message, message.port, cycle_ - message.issued);
    take_answer(message);
    if (message.response_length != 0)
        context.scoreboard.write_back(message.destination, message.response_length, cycle_,
                                      Cycles(params_.response_register));
    // A response changes nothing for a thread that waits for no event.
    const ThreadSlot slot = context.thread.sideband.place.slot;
    if (!context.over && !context.waiting && arbiter_.offer(slot).at == kNever) prepare_offer(slot);
    const bool over = context.over;
    release(&message);
    if (saving_ && !over) [[unlikely]]
        save_when_settled(slot);
}

// ---- anything but going on to the next instruction

void Eu::issue_special(ThreadSlot slot, Outcome outcome) {
    Context& context = *slots_[slot.value];
    const Program::Entry& entry = *context.next;
    switch (conclude<Timing::Timed>(slot, entry, outcome, cycle_)) {
        case Then::GoesOn:
            if (held(context)) [[unlikely]]
                return save_when_settled(slot);
            return offer_following(slot, context, entry);
        case Then::Again:
            return arbiter_.put_off(slot, cycle_ + kOne);
        case Then::Waits:
            arbiter_.offer(slot, {kNever, entry.decoded.instruction.opcode == isa::Opcode::Wait
                                              ? CycleUse::Barrier
                                              : CycleUse::Dependency});
            return arbiter_.leave(slot);
        case Then::Ends:
            return end(slot, cycle_);
    }
}

void Eu::mark(Context& context, const DecodedInstruction& instruction, const EuMessage& message,
              const IssueTiming& timing) {
    // The payload lies in this range; with an indirect operand, anywhere.
    const auto range = [](const isa::Operand& operand, unsigned count) {
        if (operand.indirect) return RegisterRange{0, kGrfCount};
        return RegisterRange{static_cast<std::uint8_t>(operand.reg % kGrfCount),
                             static_cast<std::uint8_t>(count)};
    };
    const isa::Instruction& in = instruction.instruction;
    const std::array<RegisterRange, 2> payload{
        range(in.src[0], message.first_length),
        range(in.src[1], message.length - message.first_length)};
    const unsigned ranges = in.no_src_dep_set ? 0 : message.length > message.first_length ? 2 : 1;
    context.scoreboard.send({message.destination, message.response_length},
                            {payload.data(), ranges}, timing.payload, cycle_);
}

void Eu::send_timed(EuMessage& message) {
    message.issued = cycle_;
    // The arbiter has seen to the credit, unless the function id came from a register.
    if (arbiter_.has_credit(message.port)) return transmit(message);
    // The port's credits are events from now on, until it goes.
    const auto port = static_cast<std::uint8_t>(message.port);
    held_back_[port].push_back(&message);
    signals_.held_back.add(1, cycle_);
    for (Cycles at = arbiter_.take_coming_credit(message.port); at != kNever;
         at = arbiter_.take_coming_credit(message.port))
        announce({std::max(at, cycle_ + kOne), Arrival::Kind::Credit, port, 0, nullptr});
}

void Eu::transmit(EuMessage& message) {
    arbiter_.take_credit(message.port);
    forward(message, delay_to(cycle_));
}

// ---- waveform

void Eu::show_thread(ThreadSlot slot, const ThreadDispatch* dispatch, Cycles at) {
    static const ThreadDispatch kNone{};
    const ThreadDispatch& shown = dispatch != nullptr ? *dispatch : kNone;
    ThreadSignals& signals = thread_signals_[slot.value];
    signals.group_x.set(shown.gpgpu.group_id[0], at);
    signals.group_y.set(shown.gpgpu.group_id[1], at);
    signals.group_z.set(shown.gpgpu.group_id[2], at);
    signals.local_thread.set(shown.gpgpu.local_thread, at);
    signals.trace_id.set(shown.sideband.trace_id, at);
}

// The cycle that has just been simulated, and what follows from it by the passing of time.
void Eu::show(Cycles end) {
    show_cycle(cycle_ - kOne, issued_, issued_slots_);
    for (Cycles at = cycle_; at < end; at = arbiter_.next_change(at))
        show_cycle(at, 0, 0);
    shown_ = true;
}

void Eu::show_cycle(Cycles at, std::uint32_t issued, std::uint32_t issued_slots) {
    const std::uint32_t units = arbiter_.busy_units(at);
    signals_.issued.set(issued, at);
    signals_.fpu0.set(IssueArbiter::busy_kind(units, 0), at);
    signals_.fpu1.set(IssueArbiter::busy_kind(units, 1), at);
    signals_.branch.set(IssueArbiter::busy_kind(units, 2), at);
    signals_.send.set(IssueArbiter::busy_kind(units, 3), at);
    signals_.loaded.set(arbiter_.loaded_mask(), at);
    signals_.use.set(arbiter_.busy_until() > at ? CycleUse::Busy : arbiter_.idle_use(at), at);
    // A slot that was empty and still is shows nothing new.
    std::uint32_t slots = shown_slots_;
    shown_slots_ = issued_slots;
    for (unsigned slot = 0; slot < slots_.size(); ++slot)
        shown_slots_ |= (slots_[slot] != nullptr) << slot;
    for (slots |= shown_slots_; slots != 0; slots &= slots - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(slots));
        ThreadSignals& shown = thread_signals_[slot];
        const Context* const context = slots_[slot];
        CycleUse state = CycleUse::NoThread;
        if (issued_slots >> slot & 1)
            state = CycleUse::Busy;
        else if (context != nullptr)
            state = arbiter_.waits_for(ThreadSlot(slot), at);
        shown.state.set(state, at);
        shown.ip.set(context != nullptr ? context->thread.ip : 0, at);
        const Program::Entry* const next = context != nullptr ? context->next : nullptr;
        shown.opcode.set(
            next != nullptr ? static_cast<unsigned>(next->decoded.instruction.opcode) + 1 : 0, at);
        const bool blocked = state == CycleUse::Scoreboard || state == CycleUse::Message;
        shown.waits_for.set(blocked && next != nullptr
                                ? context->scoreboard.waited_for(next->timed.uses, at)
                                : kNoRegister,
                            at);
        shown.active.set(context != nullptr ? context->thread.active : 0, at);
    }
}

}  // namespace gen9::eu
