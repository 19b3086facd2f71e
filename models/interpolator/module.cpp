// SPDX-License-Identifier: Apache-2.0
#include "interpolator/module.h"

#include <algorithm>
#include <bit>
#include <string>

#include "interconnect/payload/draw_state.h"

namespace gen9::interpolator {

Interpolator::Interpolator(sc_core::sc_module_name module_name, Environment& env,
                           const Clock& clock, unsigned eus)
    : sc_module(module_name),
      InterpolatorBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      // A message that has started is answered at once, for a later cycle.
      server_(msg_in, env, clock, params_.senders.arbiter(eus), eus, {.messages = 1}, wakeup_) {
    enlist(env, params_, stats_, signals_);
    server_.open([this](Message& message) { execute(message); });
    wakeup_.runs<&Interpolator::run>(this);
}

Interpolator::~Interpolator() = default;

void Interpolator::refuse(Message& message, const char* why) const {
    message.status = MessageStatus::GuestError;
    const PixelRecord* const record = message.sender->pixels;
    const std::string where =
        record != nullptr ? place_of(*record->draw, "pixel shader", record->object->primitive_id)
                          : place_text(message);
    env_.reporter.guest_error("pixel interpolator message", where,
                              std::string(why) + " (" + to_text(message) + ")");
}

void Interpolator::execute(Message& message) {
    message.status = MessageStatus::Ok;
    std::fill_n(message.response_enable.begin(), message.response_length, 0u);
    const Descriptor descriptor = read_descriptor(message.descriptor);
    ++stats_.messages[static_cast<unsigned>(descriptor.place)];
    const PixelRecord* const record = message.sender->pixels;
    if (record == nullptr)
        return refuse(message, "it does not come from a pixel thread; nothing is returned (PI-02)");
    if (draw_ != record->draw->order) {
        draw_ = record->draw->order;
        facts_ = read_facts(*record->draw->state);
    }
    if (const char* const problem = problem_of(message, descriptor, facts_, record->width))
        refuse(message, problem);
    answer(*record, facts_, descriptor, message);
    const std::uint32_t slots = descriptor.wide ? 0xFFFF : 0xFF;
    stats_.slots += static_cast<unsigned>(std::popcount(message.execution_mask & slots));
}

void Interpolator::run() {
    const Cycles now = clock_.now();
    if (MessageFlight* const flight = server_.begin(now)) {
        Message& message = *flight->message;
        stats_.queue_cycles += (now - flight->arrival).value - 1;
        execute(message);
        const unsigned slots = read_descriptor(message.descriptor).slots();
        const Cycles next =
            now + Cycles((slots + params_.slots_per_clock - 1) / params_.slots_per_clock);
        const Cycles at_eu =
            now + Cycles(std::max<std::uint64_t>(params_.answer_cycles, env_.notice_cycles));
        server_.busy(next);
        account_.extend(Activity::Busy, now, next);
        account_.extend(Activity::Returning, now, at_eu);
        signals_.started.pulse(now, now + Cycles(1));
        server_.answer(*flight, at_eu);
    }
    server_.wake_for_next();
    signals_.queued.set(server_.queued(), now);
}

}  // namespace gen9::interpolator
