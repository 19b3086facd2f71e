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
      wakeup_(clock),
      lines_(mem_out, clock, wakeup_),
      server_(msg_in, env, clock, params_.senders.arbiter(eus), eus,
              {.messages = params_.messages_in_flight}, wakeup_) {
    enlist(env, params_, stats_, signals_);
    server_.open([this](Message& message) { execute(message); });
    lines_.on_response([this](MemoryTransaction& line, Cycles at) { answered(line, at); });
    mem_out.on_invalidate = [this](std::uint64_t, std::uint64_t) { granted_.forget(); };
    for (auto& socket : msg_in)
        socket.direct = this;
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

/// SIMD8 messages of one send instruction.
class Urb::Simd8Site final : public DirectSite {
  public:
    Simd8Site(Urb& urb, const Simd8Form& form, unsigned first_length)
        : urb_(urb), form_(form), first_length_(first_length) {}
    bool run(const DirectSender& sender, std::uint32_t mask, const Grf* first, const Grf* second,
             Grf* response) override {
        if (form_.ends && !sender.thread.of_geometry) [[unlikely]]
            return false;  // URB-16
        const auto lines =
            run_simd8(form_, {first, second, first_length_}, mask, urb_.granted_.bytes(), response);
        if (!lines) return false;
        ++urb_.stats_.messages;
        ++(form_.write ? urb_.stats_.writes : urb_.stats_.reads);
        urb_.stats_.accesses += *lines;
        return true;
    }

  private:
    Urb& urb_;
    const Simd8Form form_;
    const unsigned first_length_;
};

std::unique_ptr<DirectSite> Urb::site(const SendForm& form) {
    const std::optional<Simd8Form> simd8 = simd8_form(form);
    if (!simd8) return nullptr;
    return std::make_unique<Simd8Site>(*this, *simd8, form.first_length);
}

// --- Timed mode

void Urb::run() {
    const Cycles now = clock_.now();
    if (Flight* const flight = server_.begin(now)) start(*flight, now);
    send(now);
    if (const Cycles next = lines_.next_send(account_.kOpen); next != account_.kOpen)
        wakeup_.at(next);
    server_.wake_for_next();
    signals_.queued.set(server_.queued(), now);
    signals_.in_flight.set(server_.in_flight(), now);
}

void Urb::start(Flight& flight, Cycles now) {
    const Cycles next = now + Cycles(1);
    server_.busy(next);
    account_.extend(Activity::Busy, now, next);
    account_.set(Activity::Waiting, now, account_.kOpen);
    stats_.queue_cycles += (now - flight.arrival).value - 1;
    flight.begin(now + Cycles(params_.front_end_cycles));
    prepare(*flight.message, flight.plan);
    flight.requests = static_cast<unsigned>(flight.plan.groups.size());
    if (flight.requests == 0)
        finish(flight, now);
    else
        lines_.push(flight);
}

void Urb::send(Cycles now) {
    const Flight* const flight = lines_.sender(now);
    if (!flight) return;
    MemoryTransaction& transaction = *pool_.get();
    fill(transaction, flight->plan, flight->plan.groups[flight->sent], *flight->message);
    account_.extend(Activity::Busy, now, now + Cycles(1));
    ++stats_.accesses;
    lines_.send(transaction, now);
}

void Urb::answered(MemoryTransaction& transaction, Cycles at) {
    Flight& flight = server_.flight(lines_.flight_of(transaction));
    take(transaction, flight.plan, flight.plan.groups[lines_.index_of(transaction)],
         *flight.message);
    transaction.release();
    if (flight.take(at)) finish(flight, clock_.now());
}

void Urb::finish(Flight& flight, Cycles now) {
    const Cycles complete = std::max(flight.complete, now);
    const Cycles at_eu = complete + Cycles(params_.return_cycles) + Cycles(env_.notice_cycles);
    completed_ = std::max(completed_, complete);
    if (server_.in_flight() == 1) account_.set(Activity::Waiting, now, completed_);
    account_.extend(Activity::Returning, now, at_eu);
    server_.answer(flight, at_eu);
    wakeup_.at(now + kArrival);  // there is room
}

}  // namespace gen9::urb
