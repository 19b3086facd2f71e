// SPDX-License-Identifier: Apache-2.0
#include "urb/module.h"

#include <algorithm>

#include "common/check.h"

namespace gen9::urb {

Urb::Urb(sc_core::sc_module_name module_name, Environment& env, const Clock& clock, unsigned eus)
    : sc_module(module_name),
      UrbBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      settings_{params_.atomic_mov == "operand"},
      port_(mem_out, clock),
      wakeup_(clock),
      inbox_(params_.senders.arbiter(eus), eus) {
    enlist(env, params_, stats_, signals_);
    for (unsigned eu = 0; eu < eus; ++eu) {
        auto& socket = msg_in.emplace_back(("msg_in" + std::to_string(eu)).c_str());
        socket.on_blocking = [this](Message& message, sc_core::sc_time&) { execute(message); };
        socket.on_forward = [this, eu](auto& m, auto& phase, auto& delay) {
            return on_message(eu, m, phase, delay);
        };
    }
    port_.on_response = [this](auto& payload, Cycles at) { answered(payload, at); };
    port_.on_room = [this] { wakeup_.at(std::max(next_send_, clock_.now() + kArrival)); };

    wakeup_.runs<&Urb::run>(this);
}

Urb::~Urb() = default;

void Urb::prepare(Message& message, Plan& plan) {
    make_plan(message, settings_, plan);
    ++stats_.messages;
    if (plan.kind == Plan::Kind::Read) ++stats_.reads;
    if (plan.kind == Plan::Kind::Write) ++stats_.writes;
    if (plan.kind == Plan::Kind::Atomic) ++stats_.atomics;
    message.status = plan.refused ? MessageStatus::GuestError : MessageStatus::Ok;
    for (unsigned i = 0; i < message.response_length; ++i)
        message.response_enable[i] = 0;
    if (!plan.problem.empty())
        env_.reporter.guest_error("URB message", place_text(message), plan.problem);
}

void Urb::fill(MemoryTransaction& transaction, const Plan& plan, const LineGroup& group,
               const Message& message) const {
    transaction.access(
        plan.kind == Plan::Kind::Read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, group.line,
        kLineBytes);
    MemoryAttributes& a = transaction.attributes;
    a.space = AddressSpace::Urb;
    a.requester = Requester::Urb;
    a.thread = message.sender->place;
    a.trace_id = message.trace_id;
    a.operation = MemoryAttributes::Operation::Access;
    if (plan.kind == Plan::Kind::Write) {
        gather(group, message, transaction.data);
        transaction.enable_bytes(group.bytes, kLineBytes);
    } else if (plan.kind == Plan::Kind::Atomic) {
        a.operation = MemoryAttributes::Operation::Lanes;
        a.lanes.kind = LaneAccess::Kind::Atomic;
        a.lanes.op = plan.op;
        a.lanes.width_bytes = 4;
        a.lanes.count = 1;
        a.lanes.offset[0] = group.elements[0].address - group.line;
        a.lanes.source0[0] = plan.operand;
    }
}

void Urb::take(const MemoryTransaction& transaction, const Plan& plan, const LineGroup& group,
               Message& message) {
    if (plan.kind == Plan::Kind::Read) scatter(group, transaction.data, message);
    if (plan.kind == Plan::Kind::Atomic)
        answer_atomic(transaction.attributes.lanes.result[0], message);
}

// --- Functional mode

void Urb::execute(Message& message) {
    prepare(message, functional_plan_);
    for (const LineGroup& group : functional_plan_.groups) {
        fill(functional_, functional_plan_, group, message);
        sc_core::sc_time delay;
        mem_out->b_transport(functional_, delay);
        take(functional_, functional_plan_, group, message);
        ++stats_.accesses;
    }
}

// --- Timed mode

tlm::tlm_sync_enum Urb::on_message(unsigned port, Message& message, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) {
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a message begins with its request");
    const Cycles arrival = clock_.after(delay);
    inbox_.push(arrival, port, &message);
    wakeup_.at(arrival + kArrival);
    return tlm::TLM_ACCEPTED;
}

void Urb::run() {
    const Cycles now = clock_.now();
    const bool room = in_flight_ < params_.messages_in_flight;
    if (!inbox_.empty() && inbox_.earliest() < now && next_start_ <= now && room)
        start(inbox_.pop(now - kArrival), now);
    send(now);
    if (!sending_.empty() && port_.can_send())
        wakeup_.at(std::max(next_send_, sending_.front()->ready));
    if (!inbox_.empty() && in_flight_ < params_.messages_in_flight)
        wakeup_.at(std::max(inbox_.earliest() + kArrival, next_start_));
    signals_.queued.set(inbox_.size(), now);
    signals_.in_flight.set(in_flight_, now);
}

void Urb::start(const Intake<Message*>::Entry& queued, Cycles now) {
    next_start_ = now + Cycles(1);
    account_.extend(Activity::Busy, now, next_start_);
    account_.set(Activity::Waiting, now, account_.kOpen);
    stats_.queue_cycles += (now - queued.arrival).value - 1;
    tell(queued.port, *queued.item, tlm::END_REQ, now);
    Flight& flight = new_flight();
    flight.message = queued.item;
    flight.port = queued.port;
    flight.sent = flight.answered = 0;
    prepare(*queued.item, flight.plan);
    flight.ready = flight.complete = now + Cycles(params_.front_end_cycles);
    if (flight.plan.groups.empty())
        finish(flight, now);
    else
        sending_.push_back(&flight);
}

void Urb::send(Cycles now) {
    if (sending_.empty() || !port_.can_send() || next_send_ > now) return;
    Flight& flight = *sending_.front();
    if (flight.ready > now) return;
    MemoryTransaction& transaction = *pool_.get();
    fill(transaction, flight.plan, flight.plan.groups[flight.sent], *flight.message);
    transaction.tag = std::uint64_t{flight.number} << 16 | flight.sent;
    if (++flight.sent == flight.plan.groups.size()) sending_.pop_front();
    next_send_ = now + Cycles(1);
    account_.extend(Activity::Busy, now, next_send_);
    ++stats_.accesses;
    port_.send(transaction, now);
}

void Urb::answered(tlm::tlm_generic_payload& payload, Cycles at) {
    auto& transaction = static_cast<MemoryTransaction&>(payload);
    Flight& flight = *flights_[transaction.tag >> 16];
    take(transaction, flight.plan, flight.plan.groups[transaction.tag & 0xFFFF], *flight.message);
    transaction.release();
    flight.complete = std::max(flight.complete, at);
    if (++flight.answered == flight.plan.groups.size()) finish(flight, clock_.now());
}

void Urb::finish(Flight& flight, Cycles now) {
    const Cycles complete = std::max(flight.complete, now);
    const Cycles done = complete + Cycles(params_.return_cycles);
    free_flights_.push_back(&flight);
    --in_flight_;
    completed_ = std::max(completed_, complete);
    if (in_flight_ == 0) account_.set(Activity::Waiting, now, completed_);
    account_.extend(Activity::Returning, now, done + Cycles(env_.notice_cycles));
    wakeup_.at(now + kArrival);
    tell(flight.port, *flight.message, tlm::BEGIN_RESP, done);
}

void Urb::tell(unsigned port, Message& message, tlm::tlm_phase phase, Cycles when) {
    sc_core::sc_time delay = clock_.until(when + Cycles(env_.notice_cycles));
    msg_in[port]->nb_transport_bw(message, phase, delay);
}

Urb::Flight& Urb::new_flight() {
    if (free_flights_.empty()) {
        flights_.push_back(std::make_unique<Flight>());
        flights_.back()->number = static_cast<unsigned>(flights_.size() - 1);
        free_flights_.push_back(flights_.back().get());
    }
    Flight& flight = *free_flights_.back();
    free_flights_.pop_back();
    ++in_flight_;
    return flight;
}

}  // namespace gen9::urb
