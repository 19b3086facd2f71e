// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/unmodelled.h"

namespace gen9::platform {

Unmodelled::Unmodelled(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                       unsigned eus, const char* ledger_id, const char* function)
    : sc_module(name), env_(env), clock_(clock), ledger_id_(ledger_id), function_(function) {
    ports_.open(
        eus,
        [this](unsigned eu, Message& message, const sc_core::sc_time& delay) {
            answer(message);
            const sc_core::sc_time later = delay + clock_.time(Cycles(env_.notice_cycles));
            for (const tlm::tlm_phase phase : {tlm::END_REQ, tlm::BEGIN_RESP})
                ports_.pass(eu, message, phase, later);
        },
        [this](Message& message) { answer(message); });
}

void Unmodelled::answer(Message& message) {
    env_.reporter.not_modelled(ledger_id_, std::string(function_) + " (first message from " +
                                               place_text(message) + ": " + to_text(message) + ")");
    for (unsigned i = 0; i < message.response_length; ++i) {
        message.response[i] = Grf{};
        message.response_enable[i] = ~0u;
    }
    message.status = MessageStatus::NotModelled;
}

}  // namespace gen9::platform
