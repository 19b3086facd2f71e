// SPDX-License-Identifier: Apache-2.0
#include "eu/module.h"

#include <algorithm>
#include <bit>

#include "common/bits.h"
#include "common/check.h"
#include "common/read_alone.h"
#include "eu/execute/end_of_thread.h"
#include "eu/thread/exceptions.h"
#include "interconnect/kernel/save_threads.h"

namespace gen9::eu {
namespace {
using Words = std::array<std::uint64_t, kGrfBytes / 8>;

/// The bits of `kept` from one register, those of `own` set as well.
Grf combined(const Grf& one, const Grf& kept, const Grf& own) {
    auto words = std::bit_cast<Words>(one);
    const auto mask = std::bit_cast<Words>(kept), more = std::bit_cast<Words>(own);
    for (unsigned i = 0; i < words.size(); ++i)
        words[i] = (words[i] & mask[i]) | more[i];
    return std::bit_cast<Grf>(words);
}

constexpr unsigned kDependencies = 8, kDependencyValid = 0x8000;  ///< of a thread (EU-108)

UnitCounts units_of(const EuParams& params) {
    const auto count = [](const Param& param) { return static_cast<unsigned>(param.get()); };
    return {count(params.fpus), count(params.em_units), count(params.branch_units),
            count(params.send_units)};
}

}  // namespace

jit::Level Eu::jit_level(const EuParams& params) {
    if (params.jit == "off") return jit::Level::None;
    return params.jit == "avx2" ? std::min(jit::host_level(), jit::Level::Avx2) : jit::host_level();
}

Eu::Eu(sc_core::sc_module_name module_name, Environment& environment, const Clock& clock,
       ThreadAddress place, unsigned number, Program& program)
    : sc_core::sc_module(module_name),
      EuBlock(environment),
      params_(environment.config, name()),
      dispatch_in("dispatch_in"),
      fetch_out("fetch_out"),
      reg_in("reg_in"),
      environment_(environment),
      clock_(clock),
      place_(place),
      trace_ids_(TraceSource::Eu, number),
      program_(program),
      stats_(name()),
      signals_(name()),
      timing_(program.share(TimingTable(params_))),
      wakeup_(clock),
      arbiter_(make_issue_policy(static_cast<Arbitration>(params_.policy.index())),
               static_cast<unsigned>(params_.message_credits.get()),
               static_cast<unsigned>(params_.issue_width.get()), units_of(params_)),
      software_chooses_(params_.policy == "register"),
      jit_(jit_level(params_)),
      verifies_(params_.jit == "verify"),
      lines_(params_.buffer_lines) {
    enlist(environment, params_, stats_, signals_);
    for (unsigned slot = 0; slot < params_.threads; ++slot) {
        thread_signals_.emplace_back(std::string(name()) + ".thread" + std::to_string(slot),
                                     signals_);
        enlist(environment, thread_signals_.back());
    }
    dispatch_in.on_forward = [this](ThreadDispatch& dispatch, tlm::tlm_phase& phase,
                                    sc_core::sc_time& delay) {
        return on_dispatch(dispatch, phase, delay);
    };
    for (unsigned port = 0; port < kMessagePorts; ++port) {
        const std::string socket_name = "msg_out" + std::to_string(port);
        msg_out[port] = std::make_unique<InitiatorSocket<MessageProtocol>>(socket_name.c_str());
        msg_out[port]->on_backward = [this](Message& message, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
            return on_message(message, phase, delay);
        };
        msg_out[port]->on_withdrawn = [this] { forget_sites(); };
    }
    fetch_out.on_backward = [this](tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) {
        return on_fetch(payload, phase, delay);
    };
    reg_in.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        on_register(payload);
    };
    fetch_out.on_invalidate = [this](std::uint64_t, std::uint64_t) { on_invalidate(); };

    wakeup_.runs<&Eu::run>(this);
}

Eu::~Eu() = default;

EuSockets Eu::sockets() {
    EuSockets all{dispatch_in, {}, fetch_out, reg_in};
    for (unsigned port = 0; port < kMessagePorts; ++port)
        all.msg_out[port] = msg_out[port].get();
    return all;
}

void Eu::step_at(Cycles at) {
    wakeup_.at(at);
    if (crew_ != nullptr) crew_->expect_step(at);
}

void Eu::run() {
    running_ = true;
    if (mixed_ && ran_at_ != clock_.now()) [[unlikely]] {
        ran_at_ = clock_.now();
        ran_before_ = stats_.instructions.value();
    }
    drop_stale_code();
    if (environment_.timed())
        run_timed();
    else
        run_functional();
    running_ = false;
}

sc_core::sc_time Eu::delay_to(Cycles when) const {
    return clock_.until(when);
}

// ---- threads

tlm::tlm_sync_enum Eu::on_dispatch(ThreadDispatch& dispatch, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) {
    if (phase == kThreadEnded) {
        on_thread_ended(dispatch.sideband.fftid, clock_.after(delay));
        return tlm::TLM_ACCEPTED;
    }
    if (phase == kSaveThreads) {
        if (environment_.timed())
            announce({clock_.after(delay), Arrival::Kind::Save, 0, 0, nullptr});
        else
            on_save_threads();
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a dispatch begins with a request");
    const unsigned slot = dispatch.sideband.place.slot.value;
    GEN9_CHECK(slot < params_.threads, "a dispatch to a slot that does not exist");
    GEN9_CHECK(slots_[slot] == nullptr, "a dispatch to a slot in use");
    ending_[slot] = 0;
    if (environment_.timed()) {
        // The register counts as it is now: the EU itself may be some cycles ahead.
        const bool round_robin = (thread_control_2_ & kThreadControl2RoundRobin) != 0;
        round_robin_asked_ = (round_robin_asked_ & ~(1u << slot)) |
                             std::uint32_t{software_chooses_ && round_robin} << slot;
        coming_[slot] = &dispatch;
        announce({clock_.after(delay), Arrival::Kind::Dispatch, static_cast<std::uint8_t>(slot), 0,
                  &dispatch});
    } else {
        start(dispatch);
        if (!running_) step_at(std::max(clock_.after(delay), cycle_));
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

std::uint16_t* Eu::dependencies_of(unsigned slot) {
    if (coming_[slot] != nullptr) return coming_[slot]->dependency.data();
    return slots_[slot] != nullptr ? slots_[slot]->thread.dependency.data() : nullptr;
}

// EU-108: 003:20161-20222. By the time that an EU hears of an end, another thread may have the same
// FFTID and threads that depend on it: the notice is of those that were there when the thread ended.
void Eu::on_thread_ended(std::uint16_t fftid, Cycles at) {
    for (unsigned slot = 0; slot < params_.threads; ++slot)
        if (const std::uint16_t* const dependency = dependencies_of(slot))
            for (unsigned i = 0; i < kDependencies; ++i)
                if (dependency[i] == (kDependencyValid | fftid)) ending_[slot] |= 1u << i;
    if (environment_.timed())
        announce({at, Arrival::Kind::ThreadEnded, 0, fftid, nullptr});
    else
        clear_dependencies(fftid);
}

void Eu::clear_dependencies(std::uint16_t fftid) {
    for (unsigned n = 0; n < params_.threads; ++n) {
        if (ending_[n] == 0) [[likely]]
            continue;
        std::uint16_t* const dependency = dependencies_of(n);
        bool found = false;
        for (unsigned i = 0; dependency != nullptr && i < kDependencies; ++i)
            if ((ending_[n] >> i & 1) && dependency[i] == (kDependencyValid | fftid)) {
                dependency[i] = fftid;
                ending_[n] &= static_cast<std::uint8_t>(~(1u << i));
                found = true;
            }
        // A thread that has not started yet must not wait for what was over before.
        Context* const context = slots_[n];
        if (!found || coming_[n] != nullptr || context == nullptr || !context->waiting) continue;
        // It looks again, whatever else it waits for.
        context->waiting = false;
        const ThreadSlot slot = context->thread.sideband.place.slot;
        if (!environment_.timed())
            step_at(std::max(clock_.now(), cycle_));
        else if (arbiter_.offer(slot).at == kNever)
            prepare_offer(slot);
    }
}

void Eu::on_register(tlm::tlm_generic_payload& payload) {
    if (payload.get_address() != kThreadControl2 || payload.get_data_length() != 4) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    if (payload.is_write()) thread_control_2_ = gen9::load<std::uint32_t>(payload.get_data_ptr());
    if (payload.is_read()) store<std::uint32_t>(payload.get_data_ptr(), thread_control_2_);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

Context& Eu::start(ThreadDispatch& dispatch) {
    const unsigned slot = dispatch.sideband.place.slot.value;
    const Context* const last = last_of_slot_[slot];
    // The EU knows what is written from now on where all instructions come by `entry_at`.
    const bool followed = !environment_.timed() && !mixed_ && !dispatch.restored;
    Context& context = renew(slot);
    context.dispatch = &dispatch;
    context.instructions = context.messages = 0;
    context.messages_out = 0;
    context.over = context.waiting = context.lost_message = false;
    context.profile = profile_ != nullptr ? &profile_->work(dispatch.work) : nullptr;
    context.awaited = nullptr;
    context.ahead.clear();
    context.hidden.barrier.sent = false;
    context.restoring = dispatch.restored;
    const bool again = dispatch.repeats && &context == last && followed;
    if (again)
        context.thread.start_again(dispatch, changed_by(context, dispatch));
    else
        start_first(context, dispatch);
    begin_changes(context, followed);
    make_older(slot);
    slots_[slot] = &context;
    ++stats_.threads;
    return context;
}

/// A thread that need not be like its slot's last.
void Eu::start_first(Context& context, ThreadDispatch& dispatch) {
    context.work = dispatch.work;
    if (rest_ != 0 && context.work != rests_from_) end_rest();
    context.cause = for_work(0, dispatch.work);
    context.next = context.last = nullptr;
    context.held_lines.fill(kNoLine);
    context.awaited_line = kNoLine;
    GEN9_CHECK(dispatch.sideband.state != nullptr, "a thread is dispatched without state");
    context.thread.start(dispatch, changed_by(context, dispatch));
    if (!dispatch.restored) return;
    context.hidden = dispatch.hidden;
    begin_restore(context.thread);
}

/// From here on the EU knows which registers a thread changes.
void Eu::begin_changes(Context& context, bool followed) {
    context.page = nullptr;
    context.changed = followed ? RegisterSet() : RegisterSet::all();
    context.written = {};
    context.changed.add(0, context.dispatch->payload_registers);
}

const RegisterRuns& Eu::changed_by(const Context& context, const ThreadDispatch& next) {
    const unsigned loaded = Thread::loaded_by(next);
    if (!changed_.are_of(context.changed, loaded)) changed_ = RegisterRuns(context.changed, loaded);
    return changed_;
}

Context& Eu::renew(unsigned slot) {
    Context*& last = last_of_slot_[slot];
    ++contexts_in_use_;
    if (last != nullptr && last->done()) [[likely]]
        return *last;
    Context* const context = &contexts_.get();
    // A thread may begin in functional mode and go on in timed mode.
    if (mixed_) [[unlikely]]
        context->scoreboard.reset(Cycles(0));
    static const Thread kFirst{};
    context->thread.follow(last != nullptr ? last->thread : kFirst);
    return *(last = context);
}

// A new thread has age 0. Whose age it has, grows older, and so on as long as two have the same;
// the others stay as they are (EU-010). On an EU with more threads than ages, the oldest share one.
void Eu::make_older(unsigned slot) {
    constexpr std::uint32_t kOne = 1u << 16;
    unsigned free = 0;
    while (free < kAges - 1 && slots_of_age_[free] != 0)
        ++free;
    for (unsigned age = free; age > 0; --age) {
        const std::uint32_t younger = slots_of_age_[age - 1];
        for (std::uint32_t left = younger; left != 0; left &= left - 1)
            slots_[std::countr_zero(left)]->thread.state[0] += kOne;
        slots_of_age_[age] |= younger;
        slots_of_age_[age - 1] = 0;
    }
    slots_of_age_[0] |= 1u << slot;
}

void Eu::end(ThreadSlot slot, Cycles now) {
    thread_ended_ = true;
    // Any thread may have the slot next.
    if (dealt_.left() != 0 && slots_[slot.value]->work == dealt_.work())
        dealt_.give_back(*slots_[slot.value]->dispatch);
    Context* const context = slots_[slot.value];
    ThreadDispatch* const dispatch = context->dispatch;
    const Thread& thread = context->thread;
    slots_of_age_[bits(thread.state[0], 18, 16)] &= ~(1u << slot.value);
    context->leave_page();
    const bool saved = thread.routine == Thread::Routine::Save;
    dispatch->retire = {context->instructions, context->messages, saved};
    if (saved) dispatch->hidden = context->hidden;
    context->over = true;
    context->dispatch = nullptr;
    slots_[slot.value] = nullptr;
    if (saving_) settle_saving();
    if (environment_.timed()) arbiter_.unload(slot);
    if (signals_.watched()) [[unlikely]]
        show_thread(slot, nullptr, now + Cycles(1));
    if (context->done()) release(context);
    // Last: the spawner may fill the slot again before it returns.
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = delay_to(now);
    const auto status = dispatch_in->nb_transport_bw(*dispatch, phase, delay);
    GEN9_CHECK(status == tlm::TLM_COMPLETED,
               "the spawner must complete a dispatch when its thread has ended");
}

bool Eu::take_next(Context& context, Cycles now) {
    ThreadDispatch& dispatch = *context.dispatch;
    Thread& thread = context.thread;
    if (dispatch.relay == nullptr || mixed_ || saving_ || context.messages_out != 0 ||
        signals_.watched())
        return false;
    dispatch.retire = {read_alone(context.instructions), read_alone(context.messages)};
    if (!dispatch.relay->next(dispatch, now)) return false;
    const unsigned slot = thread.sideband.place.slot.value;
    slots_of_age_[bits(thread.state[0], 18, 16)] &= ~(1u << slot);
    context.instructions = context.messages = 0;
    context.waiting = context.lost_message = false;
    context.awaited = nullptr;
    context.ahead.clear();
    context.hidden.barrier.sent = false;
    context.leave_page();
    const bool again = dispatch.repeats;
    if (again)
        thread.start_again(dispatch, changed_by(context, dispatch));
    else
        start_first(context, dispatch);
    // Behind its like it is in the same code, and may change the same, if that is known.
    if (!again || context.changed == RegisterSet::all()) begin_changes(context, true);
    make_older(slot);
    ++stats_.threads;
    return true;
}

void Eu::follow(Context& context, const ThreadFollowers& followers,
                const ThreadFollowers::Group& group, unsigned local) {
    ThreadDispatch& dispatch = *context.dispatch;
    Thread& thread = context.thread;
    context.hidden.barrier.sent = false;
    context.leave_page();
    if (!written_.are_of(context.written, 1)) written_ = RegisterRuns(context.written, 1);
    fresh_.refill(thread, written_);
    std::memcpy(thread.grf[followers.first_row].bytes,
                followers.rows + std::size_t{local} * followers.row_count * kGrfBytes,
                followers.row_count * kGrfBytes);
    const Grf header = combined(dispatch.payload[0], followers.header_kept, group.header);
    dispatch.payload[0] = thread.grf[0] = header;
    // The youngest stays the youngest.
    const unsigned slot = thread.sideband.place.slot.value;
    const unsigned age = bits(thread.state[0], 18, 16);
    if (age != 0) slots_of_age_[age] &= ~(1u << slot);
    thread.begin(followers.masks[local], dispatch.uses_vector_mask);
    if (age != 0) make_older(slot);
}

void Eu::release(Context* context) {
    --contexts_in_use_;
    const unsigned slot = context->thread.sideband.place.slot.value;
    if (last_of_slot_[slot] != context) contexts_.put(*context);
}

Outcome Eu::execute_observed(Thread& thread, const DecodedInstruction& instruction, Cycles now) {
    const std::uint32_t channels = enabled_channels(thread, instruction);
    const Outcome outcome = execute(thread, instruction);
    if (outcome != Outcome::Wait) observer_->executed(thread, instruction, now, channels);
    return outcome;
}

void Eu::set_timestamp(Thread& thread, Cycles now) const {
    // tm0.0 and tm0.1 are the counter (EU-109); tm0.2 and tm0.3 stay as they are.
    thread.timestamp[0] = static_cast<std::uint32_t>(now.value);
    thread.timestamp[1] = static_cast<std::uint32_t>(now.value >> 32);
}

// ---- messages

bool Eu::must_wait(Context& context, const DecodedInstruction& instruction) {
    if (hangs_at_end(instruction.instruction))
        report(context, instruction, "end of thread with a destination",
               "it is never issued: the thread hangs (EU-201)");
    return true;
}

EuMessage* Eu::build(Context& context, const DecodedInstruction& instruction) {
    EuMessage* const message = &messages_.get();
    build_message(context.thread, instruction, *message);
    launch(context, *message);
    return message;
}

void Eu::launch(Context& context, EuMessage& message) {
    message.sender = &context.thread.sideband;
    message.system_routine = (context.thread.control[0] & cr0::kMaster) != 0;
    message.context = &context;
    message.port = port_of(static_cast<std::uint8_t>(message.sfid));
    message.number = ++message_number_;
    message.trace_id = for_work(trace_ids_.next(), context.work);
    message.accepted = false;
    ++context.messages;
    ++context.messages_out;
    ++stats_.messages;
}

bool Eu::deliverable(const Context& context, const EuMessage& message,
                     const DecodedInstruction& instruction) const {
    if (message.port == MessagePort::None) {
        report(context, instruction, "message to no function",
               "function id " + std::to_string(static_cast<unsigned>(message.sfid)) +
                   " does not exist: " + to_text(message) + " is lost (EU-208)");
        return false;
    }
    // 003:19350-19361: only a function that tells the dispatcher may be given the end of a thread.
    // What a sampler does not answer goes to such a function (SMP-122).
    const bool ends = message.port == MessagePort::Spawner || message.port == MessagePort::Urb ||
                      message.port == MessagePort::RenderCache ||
                      (message.port == MessagePort::Sampler && message.response_length == 0);
    if (message.end_of_thread && !ends)
        report(context, instruction, "end of thread to a wrong function",
               std::string("the ") + to_text(message.sfid) +
                   " cannot end a thread (EU-203); it is ended all the same");
    return true;
}

tlm::tlm_sync_enum Eu::on_message(Message& payload, tlm::tlm_phase& phase,
                                  sc_core::sc_time& delay) {
    auto& message = static_cast<EuMessage&>(payload);
    const bool response = phase == tlm::BEGIN_RESP;
    GEN9_CHECK(response || phase == tlm::END_REQ,
               "a shared function answers with END_REQ or BEGIN_RESP");
    if (!environment_.timed()) {
        if (response) answer_functional(message);
        return response ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    }
    const Cycles at = clock_.after(delay);
    const auto port = static_cast<std::uint8_t>(message.port);
    // A response also says that the request was taken.
    if (!message.accepted) {
        announce_credit(message.port, message.number, at);
        if (WorkUse* const profile = message.context->profile) [[unlikely]]
            profile->ports[port].waiting += (at - message.issued).value;
    }
    message.accepted = true;
    if (!response) return tlm::TLM_ACCEPTED;
    announce({at, Arrival::Kind::Response, port, message.number, &message});
    return tlm::TLM_COMPLETED;
}

void Eu::forward(EuMessage& message, sc_core::sc_time delay) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    switch (
        (*msg_out[static_cast<unsigned>(message.port)])->nb_transport_fw(message, phase, delay)) {
        case tlm::TLM_ACCEPTED:
            return;
        case tlm::TLM_UPDATED:
            break;
        case tlm::TLM_COMPLETED:
            phase = tlm::BEGIN_RESP;
            break;
    }
    on_message(message, phase, delay);
}

bool Eu::idle() const {
    return contexts_in_use_ == 0 && messages_.out() == 0 && fetches_.in_flight() == 0 &&
           arrivals_.empty();
}

// ---- code

MemoryTransaction* Eu::new_fetch(const Context& context, GpuAddr line) {
    MemoryTransaction* const fetch = fetches_.get();
    fetch->access(tlm::TLM_READ_COMMAND, line.value, kLineBytes);
    fetch->attributes.requester = Requester::InstructionCache;
    fetch->attributes.thread = place_;
    fetch->attributes.trace_id = for_work(trace_ids_.next(), context.work);
    fetch->attributes.mocs = context.thread.sideband.state->instruction_mocs;
    ++stats_.fetches;
    return fetch;
}

void Eu::on_invalidate() {
    GEN9_CHECK(!running_, "instructions are invalidated while an EU executes them");
    program_.invalidate();
    // The next lines are asked for outside this call, when the cache has dropped them too.
    if (std::ranges::any_of(slots_, [](const Context* context) { return context != nullptr; }))
        step_at(std::max(clock_.now(), cycle_));
}

void Eu::drop_stale_code() {
    if (program_generation_ == program_.generation()) return;
    program_generation_ = program_.generation();
    if (program_numbering_ != program_.numbering()) {
        program_numbering_ = program_.numbering();
        forget_sites();
    }
    lines_.invalidate();
    last_page_ = nullptr;
    for (unsigned slot = 0; slot < kMaxThreads; ++slot) {
        Context* const context = slots_[slot];
        if (context == nullptr) continue;
        context->page = nullptr;
        context->ahead.stepped = 0;
        context->ahead.message = nullptr;
        context->changed = RegisterSet::all();  // its page may be gone
        context->next = context->last = nullptr;
        context->held_lines.fill(kNoLine);
        context->awaited_line = kNoLine;
    }
    if (environment_.timed()) restart_fetch();
}

}  // namespace gen9::eu
