// SPDX-License-Identifier: Apache-2.0
#include "vme/module.h"

#include <algorithm>

#include "vme/message/result.h"

namespace gen9::vme {

Vme::Vme(sc_core::sc_module_name module_name, Environment& env, const Clock& clock, unsigned eus)
    : sc_module(module_name),
      VmeBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      memory_(mem_out, stats.state_reads),
      core_(env.reporter, stats, memory_),
      wakeup_(clock),
      lines_(mem_out, clock, wakeup_),
      server_(msg_in, env, clock, params.senders.arbiter(eus), eus,
              {.messages = params.messages_in_flight}, wakeup_),
      responses_(params.writeback_registers) {
    enlist(env, params, stats, signals);
    server_.open([this](Message& message) { execute(message); });
    control_in.takes({.invalidate_state = true, .invalidate_tlb = true},
                     [this](const MemoryAttributes& asked, sc_core::sc_time&) {
                         const CacheControl& control = asked.control;
                         if (control.invalidate_state || control.invalidate_tlb)
                             core_.invalidate_states();
                         if (control.invalidate_tlb) memory_.forget_pages();
                     });
    mem_out.on_invalidate = [this](std::uint64_t, std::uint64_t) {
        memory_.forget_pages();
        core_.invalidate_states();
    };
    lines_.on_response([this](MemoryTransaction& line, Cycles at) { fetched(line, at); });
    wakeup_.runs<&Vme::step>(this);
}

Vme::~Vme() = default;

// --- Functional mode

void Vme::execute(Message& message) {
    memory_.works_for(message);
    Request& request = *functional_;
    if (!core_.begin(message, request)) return;
    Core::fill(request, memory_);
    const Effort effort = core_.finish(message, request);
    if (request.in.type != MessageType::Mesh) write_clocks(cycles_of(effort).value, 0, message);
}

// --- Timed mode

void Vme::step() {
    const Cycles now = clock_.now();
    if (Flight* const flight = server_.begin(now)) start(*flight, now);
    send(now);
    for (Engine& engine : engines_)
        work(engine, now);
    server_.wake_for_next();
    account_.hold(activity(now), now);
    if (signals.watched()) [[unlikely]]
        show(now);
}

void Vme::start(Flight& flight, Cycles now) {
    Message& message = *flight.message;
    const std::uint64_t width = params.payload_registers;
    const Cycles next =
        now + Cycles(std::max<std::uint64_t>((message.length + width - 1) / width, 1));
    server_.busy(next);
    stats.queue_cycles += (now - flight.arrival).value - 1;
    signals.started(message, flight.port, now);
    memory_.works_for(message);
    const bool legal = core_.begin(message, flight.request);
    const Cycles states = clock_.after(memory_.take_state_delay()) - now;
    flight.begin(next + Cycles(params.front_end_cycles) + states);
    wakeup_.at(flight.ready);
    if (!legal) {
        answer(flight, now);
        return;
    }
    Core::list_lines(flight.request);
    flight.requests = static_cast<unsigned>(flight.request.lines.size());
    lines_.push(flight);
}

void Vme::send(Cycles now) {
    if (Flight* const flight = lines_.sender(now)) {
        MemoryTransaction& line = *memory_.read_line(flight->request.lines.address(flight->sent),
                                                     *flight->message, flight->request.mocs);
        ++stats.lines;
        ++lines_due_;
        signals.lines.add(1, now);
        lines_.send(line, now);
        sent_ = now;
        wakeup_.at(now + Cycles(1));
    }
    constexpr Cycles kNever{~std::uint64_t{0}};
    if (const Cycles next = lines_.next_send(kNever); next != kNever) wakeup_.at(next);
}

void Vme::fetched(MemoryTransaction& transaction, Cycles at) {
    Flight& flight = server_.flight(lines_.flight_of(transaction));
    flight.request.lines.deliver(lines_.index_of(transaction), transaction.data);
    transaction.release();
    --lines_due_;
    signals.lines.add(-1, at);
    if (!flight.take(at)) return;
    Engine& engine = engines_[engine_of(*flight.message)];
    engine.waiting.push(flight);
    wakeup_.at(flight.complete + kArrival);
}

/// An engine that is done answers, and takes the next message whose pixels are all there.
void Vme::work(Engine& engine, Cycles now) {
    if (engine.flight != nullptr) {
        if (engine.end > now) return wakeup_.at(engine.end);
        answer(*std::exchange(engine.flight, nullptr), now);
    }
    if (engine.waiting.empty()) return;
    if (const Cycles there = engine.waiting.front().complete + kArrival; there > now)
        return wakeup_.at(there);
    Flight& flight = engine.waiting.pop();
    Core::fill_from_lines(flight.request);
    const Cycles cycles = cycles_of(core_.finish(*flight.message, flight.request));
    if (flight.request.in.type != MessageType::Mesh)
        write_clocks(cycles.value, (flight.complete - flight.ready).value, *flight.message);
    engine.flight = &flight;
    engine.end = now + cycles;
    account_.extend(Activity::Busy, now, engine.end);
    wakeup_.at(engine.end);
}

void Vme::answer(Flight& flight, Cycles now) {
    // A refused message comes here at once, and passes the front end all the same.
    const Cycles done = std::max(now, flight.ready);
    const Cycles at_eu = std::max(
        responses_.send(done + Cycles(params.return_cycles), flight.message->response_length),
        now + Cycles(env_.notice_cycles));
    returned_ = std::max(returned_, at_eu);
    account_.extend(Activity::Return, now, at_eu);
    server_.answer(flight, at_eu);
    wakeup_.at(now + kArrival);  // there is room
}

Cycles Vme::cycles_of(const Effort& effort) const {
    const auto sixteenths = (effort.blocks * params.prediction_cycles + 15) / 16;
    return Cycles(
        std::max<std::uint64_t>(effort.units * params.search_unit_cycles + sixteenths +
                                    effort.intra_sizes * params.intra_cycles +
                                    (effort.chroma ? std::uint64_t{params.chroma_cycles} : 0) +
                                    (effort.transform ? std::uint64_t{params.transform_cycles} : 0),
                                1));
}

// --- What cycles are spent on

Activity Vme::activity(Cycles now) const {
    if (sent_ == now && lines_due_ != 0) return Activity::Fetch;
    if (!lines_.empty() && !lines_.taken()) return Activity::StallMemory;
    if (!server_.room() && server_.arrived(now)) return Activity::StallFull;
    if (lines_due_ != 0) return Activity::Waiting;
    if (server_.in_flight() != 0 || server_.arrived(now)) return Activity::FrontEnd;
    return Activity::Idle;
}

void Vme::show(Cycles now) {
    Cycles busy = now;
    for (const Engine& engine : engines_)
        if (engine.flight != nullptr) busy = std::max(busy, engine.end);
    signals.state.set(Activity::Busy, now);
    signals.state.set(account_.held(), busy);
    if (account_.held() == Activity::Idle) {
        signals.state.set(Activity::Return, busy);
        signals.state.set(Activity::Idle, std::max(busy, returned_));
    }
    signals.queued.set(server_.queued(), now);
    signals.in_flight.set(server_.in_flight(), now);
    const auto id = [&](unsigned engine) {
        return engines_[engine].flight ? engines_[engine].flight->message->trace_id : TraceId{0};
    };
    signals.search_id.set(id(0), now);
    signals.check_id.set(id(1), now);
}

}  // namespace gen9::vme
