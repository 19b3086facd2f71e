// SPDX-License-Identifier: Apache-2.0
#include "pixel/render_target_module.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace gen9::pixel {

RenderTarget::RenderTarget(sc_core::sc_module_name module_name, Environment& env,
                           const Clock& clock, const RenderTargetSetup& setup)
    : sc_module(module_name),
      RenderTargetBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      dithering_(params_.dither == "on"),
      pages_(mem_out, pool_),
      wakeup_(clock),
      path_(mem_out, clock, wakeup_),
      server_(msg_in, env, clock, params_.senders.arbiter(setup.eus + setup.samplers),
              setup.eus + setup.samplers, {.messages = params_.messages_in_flight}, wakeup_) {
    enlist(env, params_, stats_, signals_);
    server_.open([this](Message& message) { execute(message); });
    for (auto& socket : msg_in)
        socket.direct = this;
    control_in.takes({.invalidate_state = true, .invalidate_tlb = true, .settle = true},
                     [this](const MemoryAttributes& asked, sc_core::sc_time&) {
                         control(asked.control);
                         if (asked.control.settle) wait_until_idle();
                     });
    mem_out.on_invalidate = [this](std::uint64_t, std::uint64_t) { pages_.forget(); };
    path_.on_response([this](MemoryTransaction& line, Cycles at) { answered(line, at); });
    wakeup_.runs<&RenderTarget::run>(this);
}

RenderTarget::~RenderTarget() = default;

void RenderTarget::control(const CacheControl& control) {
    if (control.invalidate_state || control.invalidate_tlb) {
        uses_.clear();
        next_use_ = 0;
        functional_.use.reset();
    }
    if (control.invalidate_tlb) pages_.forget();
}

void RenderTarget::wait_until_idle() {
    settling_ = true;
    while (!server_.idle())
        wait(settled_);
    settling_ = false;
}

// --- Functional mode

void RenderTarget::execute(Message& message) {
    if (write_plainly({*message.sender, message.trace_id, message.descriptor, message.length,
                       message.length, message.header_present, message.execution_mask,
                       message.payload.data(), nullptr})) {
        message.status = MessageStatus::Ok;
        std::fill_n(message.response_enable.begin(), message.response_length, 0u);
        return;
    }
    Access& access = functional_;
    understand(message, access);
    delay_ = sc_core::SC_ZERO_TIME;
    if (access.kind == Access::Kind::Nothing) return;
    if (access.kind == Access::Kind::Write) count_write(access);
    access_directly(access, message);
}

// --- Timed mode

void RenderTarget::run() {
    const Cycles now = clock_.now();
    if (Flight* const flight = server_.begin(now)) start(*flight, now);
    send(now);
    if (const Cycles next = path_.next_send(account_.kOpen); next != account_.kOpen)
        wakeup_.at(next);
    server_.wake_for_next();
    signals_.queued.set(server_.queued(), now);
    signals_.in_flight.set(server_.in_flight(), now);
    // What is said in a cycle is used in the next.
    if (settling_ && server_.idle()) clock_.notify(settled_, now + Cycles(1));
}

void RenderTarget::start(Flight& flight, Cycles now) {
    Message& message = *flight.message;
    Access& access = flight.access;
    understand(message, access);
    stats_.queue_cycles += (now - flight.arrival).value - 1;
    std::uint64_t cycles = 1;
    if (access.kind == Access::Kind::Write) {
        count_write(access);
        const std::uint64_t rate =
            access.use->reads ? params_.blend_pixels.get() : params_.fill_pixels.get();
        cycles = std::max<std::uint64_t>(1, (access.rows.size() * access.slots + rate - 1) / rate);
    }
    const Cycles next = now + Cycles(cycles);
    server_.busy(next);
    account_.extend(TargetActivity::Busy, now, next);
    account_.set(TargetActivity::Waiting, now, account_.kOpen);

    const Cycles states = clock_.cycles(delay_);
    delay_ = sc_core::SC_ZERO_TIME;
    flight.begin(next + states + Cycles(params_.front_end_cycles));
    flight.lines.clear();
    if (access.kind == Access::Kind::Nothing) {
        finish(flight, now);
        return;
    }
    for (const Row& row : access.rows)
        add_lines(row, flight.lines);
    flight.reading = access.kind == Access::Kind::Read || access.use->reads;
    if (!flight.reading)
        for (const Row& row : access.rows)
            apply(access, row, flight.lines, message);
    ask(flight, flight.reading);
}

/// All lines of the flight are to be read, or written.
void RenderTarget::ask(Flight& flight, bool reads) {
    flight.reading = reads;
    flight.requests = static_cast<unsigned>(flight.lines.lines().size());
    path_.push(flight);
    wakeup_.at(std::max(flight.ready, clock_.now() + Cycles(1)));
}

void RenderTarget::send(Cycles now) {
    const Flight* const flight = path_.sender(now);
    if (flight == nullptr) return;
    MemoryTransaction& transaction = *pool_.get();
    fill(transaction, flight->lines.lines()[flight->sent], flight->reading, *flight->message,
         *flight->access.use);
    ++(flight->reading ? stats_.lines_read : stats_.lines_written);
    account_.extend(TargetActivity::Busy, now, now + Cycles(1));
    path_.send(transaction, now);
}

void RenderTarget::answered(MemoryTransaction& transaction, Cycles at) {
    Flight& flight = server_.flight(path_.flight_of(transaction));
    LineSet::Line& line = flight.lines.lines()[path_.index_of(transaction)];
    if (!transaction.is_response_ok()) report_unmapped(*flight.message, line.address);
    if (flight.reading) std::memcpy(line.data, transaction.data, kLineBytes);
    transaction.release();
    if (flight.take(at)) turn(flight, clock_.now());
}

/// All that was asked for has come.
void RenderTarget::turn(Flight& flight, Cycles now) {
    if (!flight.reading) return finish(flight, now);
    for (const Row& row : flight.access.rows)
        apply(flight.access, row, flight.lines, *flight.message);
    if (flight.access.kind == Access::Kind::Read) return finish(flight, now);
    flight.begin(std::max(flight.complete, now) + Cycles(1));
    ask(flight, false);
}

void RenderTarget::finish(Flight& flight, Cycles now) {
    const Cycles complete = std::max(flight.complete, now);
    flight.access.use.reset();
    if (server_.in_flight() == 1) account_.set(TargetActivity::Waiting, now, complete);
    server_.answer(flight, complete + Cycles(params_.return_cycles) + Cycles(env_.notice_cycles));
    wakeup_.at(now + kArrival);  // there is room
}

std::string RenderTarget::describe_waiting() const {
    if (server_.idle()) return {};
    return std::string(name()) + ": " + std::to_string(server_.in_flight()) +
           " messages wait for memory, " + std::to_string(server_.queued()) + " have not started";
}

}  // namespace gen9::pixel
