// SPDX-License-Identifier: Apache-2.0
#include "gateway/module.h"

#include <algorithm>
#include <utility>

#include "common/bits.h"
#include "common/check.h"

namespace gen9::gateway {

Gateway::Gateway(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                 unsigned eus)
    : sc_module(module_name),
      GatewayBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      core_(params_.predicated_barriers != 0),
      wakeup_(clock),
      ports_(msg_in, env, clock),
      inbox_(params_.senders.arbiter(eus), eus) {
    enlist(env, params_, stats_, signals_);
    ports_.open(eus, [this](unsigned eu, Message& message, const sc_core::sc_time& delay) {
        receive(eu, message, delay);
    });
    for (unsigned eu = 0; eu < eus; ++eu) {
        direct_ports_.push_back(std::make_unique<DirectPort>(*this, eu));
        msg_in[eu].direct = direct_ports_.back().get();
    }
    reg_in.on_blocking = [this](auto& p, auto& delay) { on_register(p, delay); };
    reg_in.on_forward = [this](auto& p, auto& phase, auto& delay) {
        return on_share(p, phase, delay);
    };

    wakeup_.runs<&Gateway::run>(this);
}

Gateway::~Gateway() = default;

void Gateway::receive(unsigned port, Message& message, const sc_core::sc_time& delay) {
    const Cycles now = clock_.now();
    const Cycles arrival = env_.timed() ? now + clock_.cycles(delay) : now;
    queue(port, arrival, {&message});
}

void Gateway::queue(unsigned port, Cycles arrival, const Queued& queued) {
    if (inbox_.empty()) {
        arrived_at_ = arrival;
        arrived_together_ = true;
    }
    arrived_together_ &= arrival == arrived_at_;
    inbox_.push(arrival, port, queued);
    // The cycle after, so that all messages of a cycle are known when they are put in order.
    wakeup_.at(env_.timed() ? arrival + Cycles(1) : arrival);
}

// In functional mode messages do not wait for each other, so that the usual arrival at a barrier is
// counted at once. Its threads go on when the gateway runs, whichever EU runs first in a cycle.
bool Gateway::receive_direct(Waiting& call, std::uint32_t ip) {
    call.arrival = clock_.now();
    const bool at_once = !env_.timed() && !gives_back_ && inbox_.empty() && !signals_.watched();
    const auto done = at_once ? core_.arrive_plainly(call, told_later_) : GatewayCore::Plain::Other;
    if (done == GatewayCore::Plain::Other) [[unlikely]] {
        if (core_.request_of(call.payload).predicate_enable) return false;
        Message& message = message_of(call);
        message.ip = call.sender->state->instruction_base.value + ip;
        queue(call.port, call.arrival, {&message, call.answers});
        return true;
    }
    ++stats_.messages;
    ++stats_.barrier_arrivals;
    if (done == GatewayCore::Plain::Opens) {
        ++stats_.barrier_releases;
        wakeup_.at(call.arrival);
    }
    return true;
}

Message& Gateway::message_of(const Waiting& call) {
    Message& message = direct_messages_.get();
    message.sfid = Sfid::Gateway;
    message.descriptor = call.descriptor;
    message.extended_descriptor = call.extended_descriptor;
    message.length = message.first_length = 1;
    message.sender = call.sender;
    message.status = MessageStatus::Pending;
    message.notifications = 0;
    message.given_back = false;
    message.payload[0] = call.payload;
    return message;
}

void Gateway::tell_released(Cycles now) {
    for (const Waiting& waiting : told_later_) {
        stats_.barrier_wait_cycles += (now - waiting.arrival).value;
        tell(waiting, tlm::BEGIN_RESP, now, now);
    }
    told_later_.clear();
}

Intake<Queued>::Entry Gateway::next(Cycles handled) {
    if (!arrived_together_) return inbox_.pop(handled);
    const unsigned port = inbox_.arbiter().choose(inbox_.waiting(), handled);
    return inbox_.take({port, 0}, handled);
}

void Gateway::run() {
    const Cycles now = clock_.now();
    for (const Waiting& waiting : abandoned_)
        tell(waiting, tlm::BEGIN_RESP, now, now);
    abandoned_.clear();
    tell_released(now);
    while (!inbox_.empty()) {
        const Cycles handled =
            std::max(arrived_together_ ? arrived_at_ : inbox_.earliest(), free_at_);
        // In the cycle after, when all messages of that cycle are known.
        if (env_.timed() && handled >= now) {
            wakeup_.at(handled + Cycles(1));
            break;
        }
        take(next(handled), handled, now);
    }
    account_waiting(now);
    if (signals_.watched()) show(now);
}

void Gateway::take(const Intake<Queued>::Entry& queued, Cycles handled, Cycles now) {
    Message& message = *queued.item.message;
    if (env_.timed()) {
        free_at_ = handled + Cycles(1);
        account_.extend(Activity::Busy, now, now + Cycles(1));
    }
    ++stats_.messages;
    stats_.queue_cycles += (handled - queued.arrival).value;
    const Waiting sender{&message, message.sender, static_cast<std::uint16_t>(queued.port), handled,
                         queued.item.answers};
    if (sender.answers != nullptr) return arrive(sender, now);  // its site has checked it
    tell(sender, tlm::END_REQ, handled + Cycles(params_.accept_cycles), now);

    const auto problem = core_.check(message);
    if (problem) report(message, problem);
    if (problem.refused) {
        message.status = MessageStatus::GuestError;
        tell(sender, tlm::BEGIN_RESP, handled + Cycles(params_.accept_cycles), now);
        return;
    }
    switch (GatewayCore::function_of(message.descriptor, message.end_of_thread)) {
        case GatewayCore::Function::Barrier:
            arrive(sender, now);
            break;
        case GatewayCore::Function::TimeStamp:
            ++stats_.timestamps;
            GatewayCore::timestamp(
                message, absolute_time(picoseconds(handled), params_.timestamp_hz),
                relative_time(picoseconds(handled),
                              message.sender ? message.sender->context_start : 0));
            tell(sender, tlm::BEGIN_RESP, handled + Cycles(params_.timestamp_cycles), now);
            break;
        default:
            message.status = MessageStatus::Ok;
            tell(sender, tlm::BEGIN_RESP, handled + Cycles(params_.accept_cycles), now);
            break;
    }
}

void Gateway::give_back(bool all_that_come) {
    gives_back_ = all_that_come;
    if (!all_that_come) return;
    const std::size_t before = abandoned_.size();
    core_.give_back(abandoned_);
    for (std::size_t i = before; i < abandoned_.size(); ++i) {
        if (abandoned_[i].message == nullptr) abandoned_[i].message = &message_of(abandoned_[i]);
        abandoned_[i].message->given_back = true;
    }
    if (abandoned_.size() != before) wakeup_.at(clock_.now());
}

void Gateway::arrive(const Waiting& sender, Cycles now) {
    if (gives_back_ && !sender.message->end_of_thread) {
        sender.message->status = MessageStatus::Ok;
        sender.message->given_back = true;
        return tell(sender, tlm::BEGIN_RESP, sender.arrival + Cycles(params_.accept_cycles), now);
    }
    ++stats_.barrier_arrivals;
    released_.clear();
    const auto outcome = core_.arrive(sender, released_);
    if (outcome.problem) report(*sender.message, outcome.problem);
    if (outcome.opened) ++stats_.barrier_releases;
    if (outcome.met) answer_share(outcome.barrier, Cycles(params_.report_cycles));
    signals_.arrivals.pulse(now, now + Cycles(1));
    if (outcome.opened) signals_.releases.pulse(now, now + Cycles(1));
    signals_.barrier.mark(outcome.barrier, now);
    signals_.barrier_count.mark(outcome.count, now);
    const Cycles when = sender.arrival +
                        Cycles(std::max(params_.release_cycles.get(), params_.accept_cycles.get()));
    for (const Waiting& waiting : released_) {
        stats_.barrier_wait_cycles += (sender.arrival - waiting.arrival).value;
        tell(waiting, tlm::BEGIN_RESP, when, now);
    }
}

void Gateway::tell(const Waiting& to, tlm::tlm_phase phase, Cycles when, Cycles now) {
    if (to.message == nullptr) return to.answers->notify(*to.sender);
    if (to.answers != nullptr) {
        to.answers->answer(*to.message);
        return direct_messages_.put(*to.message);
    }
    if (env_.timed() && phase == tlm::BEGIN_RESP)
        account_.extend(Activity::Returning, now, ports_.noticed(when));
    ports_.tell(to.port, *to.message, phase, when);
}

void Gateway::report(const Message& message, const GatewayCore::Problem& problem) {
    env_.reporter.guest_error("gateway message", place_text(message), problem.text);
}

void Gateway::on_register(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t id = payload.get_address() / 4;
    if (payload.get_address() % 4 != 0 || (id >= kBarriers && id != kGiveBack / 4) ||
        payload.get_data_length() != 4) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (id == kGiveBack / 4 && payload.is_write())
        return give_back(load<std::uint32_t>(payload.get_data_ptr()) != 0);
    if (payload.is_read())
        store<std::uint32_t>(
            payload.get_data_ptr(),
            id < kBarriers ? core_.barrier(static_cast<unsigned>(id)).terminating : gives_back_);
    if (!payload.is_write()) return;
    const auto count = load<std::uint32_t>(payload.get_data_ptr());
    const std::size_t before = abandoned_.size();
    if (const auto problem = core_.set_up(static_cast<unsigned>(id), count, abandoned_))
        env_.reporter.guest_error("gateway barrier", name(), problem.text);
    for (std::size_t i = before; i < abandoned_.size(); ++i) {
        if (abandoned_[i].message == nullptr) abandoned_[i].message = &message_of(abandoned_[i]);
        abandoned_[i].message->status = MessageStatus::GuestError;
    }
    if (abandoned_.size() != before) wakeup_.at(clock_.now());
    if (shares_[id] != nullptr) answer_share(static_cast<unsigned>(id), Cycles(0));
    if (count == 0) return;
    ++stats_.setups;
    delay += clock_.time(Cycles(params_.setup_cycles));
}

// TD-52: 003:17388-17391.
tlm::tlm_sync_enum Gateway::on_share(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
    if (phase == tlm::END_RESP) return tlm::TLM_ACCEPTED;
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a share of a global barrier begins with its request");
    const std::uint64_t id = (payload.get_address() - kGlobalBarriers) / 4;
    if (payload.get_address() < kGlobalBarriers || payload.get_address() % 4 != 0 ||
        id >= kBarriers || payload.get_data_length() != 4 || !payload.is_write() ||
        shares_[id] != nullptr) {
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        phase = tlm::BEGIN_RESP;
        return tlm::TLM_COMPLETED;
    }
    const Cycles now = clock_.now();
    shares_[id] = &payload;
    released_.clear();
    core_.arm(static_cast<unsigned>(id), load<std::uint32_t>(payload.get_data_ptr()), released_);
    const Cycles heard = now + (env_.timed() ? clock_.cycles(delay) : Cycles(0));
    for (const Waiting& waiting : released_) {
        stats_.barrier_wait_cycles += (heard - waiting.arrival).value;
        tell(waiting, tlm::BEGIN_RESP, heard + Cycles(params_.release_cycles), now);
    }
    account_waiting(now);
    if (released_.empty())
        ++stats_.setups;
    else
        ++stats_.barrier_releases;
    if (!released_.empty()) signals_.releases.pulse(now, now + Cycles(1));
    delay += clock_.time(Cycles(params_.setup_cycles));
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void Gateway::answer_share(unsigned id, Cycles later) {
    tlm::tlm_generic_payload& payload = *std::exchange(shares_[id], nullptr);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    if (env_.timed()) delay = clock_.time(later);
    reg_in->nb_transport_bw(payload, phase, delay);
}

std::uint64_t Gateway::picoseconds(Cycles at) const {
    return static_cast<std::uint64_t>(clock_.time(at) / sc_core::sc_time(1, sc_core::SC_PS));
}

void Gateway::show(Cycles now) {
    std::uint32_t barriers = 0, threads = 0;
    for (unsigned id = 0; id < kBarriers; ++id) {
        const auto waiting = static_cast<std::uint32_t>(core_.barrier(id).waiting.size());
        threads += waiting;
        if (waiting) barriers |= 1u << id;
    }
    signals_.barriers_waiting.set(barriers, now);
    signals_.threads_waiting.set(threads, now);
    signals_.queued.set(inbox_.size(), now);
}

std::string Gateway::describe_waiting() const {
    std::string text;
    for (unsigned id = 0; id < kBarriers; ++id) {
        const Barrier& barrier = core_.barrier(id);
        if (barrier.waiting.empty()) continue;
        text += std::string(name()) + ": barrier " + std::to_string(id) + ": " +
                std::to_string(barrier.count) + " of " + std::to_string(barrier.terminating) +
                " threads have arrived:";
        for (const Waiting& waiting : barrier.waiting)
            text.append(" ").append(waiting.sender ? place_text(waiting.sender->place) : "?");
        text += "\n";
    }
    return text;
}

}  // namespace gen9::gateway
