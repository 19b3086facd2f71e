// SPDX-License-Identifier: Apache-2.0
#include "platform/unmodelled.h"

#include <string>

namespace gen9::platform {

Unmodelled::Unmodelled(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                       unsigned eus, const char* ledger_id, const char* function)
    : sc_module(name), env_(env), clock_(clock), ledger_id_(ledger_id), function_(function) {
    for (unsigned eu = 0; eu < eus; ++eu) {
        auto& socket = msg_in.emplace_back(("msg_in" + std::to_string(eu)).c_str());
        socket.on_blocking = [this](Message& message, sc_core::sc_time&) { answer(message); };
        socket.on_forward = [this, &socket](Message& message, tlm::tlm_phase& phase,
                                            sc_core::sc_time& delay) {
            if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
            answer(message);
            const sc_core::sc_time later = delay + clock_.time(Cycles(env_.notice_cycles));
            tlm::tlm_phase back = tlm::END_REQ;
            sc_core::sc_time when = later;
            socket->nb_transport_bw(message, back, when);
            back = tlm::BEGIN_RESP;
            when = later;
            socket->nb_transport_bw(message, back, when);
            return tlm::TLM_ACCEPTED;
        };
    }
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
