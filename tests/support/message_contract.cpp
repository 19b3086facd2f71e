// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/support/contract.h"

namespace gen9::test {

MessageContract::MessageContract(sc_core::sc_module_name name, const Clock& clock, unsigned eus,
                                 unsigned credits, unsigned notice_cycles, std::uint32_t seed)
    : sc_core::sc_module(name),
      clock_(clock),
      credits_(credits),
      notice_(notice_cycles),
      eus_(eus),
      wakeup_(clock),
      random_(seed) {
    for (unsigned i = 0; i < eus; ++i) {
        auto& socket = msg_out.emplace_back(("msg_out" + std::to_string(i)).c_str());
        socket.on_backward = [this, i](auto& message, auto& phase, auto& delay) {
            return backward(i, message, phase, delay);
        };
    }
    SC_HAS_PROCESS(MessageContract);
    SC_METHOD(process);
    sensitive << wakeup_.event;
    dont_initialize();
}

void MessageContract::add(unsigned eu, const Message& message) {
    eus_[eu].items.emplace_back().message = message;
}

void MessageContract::run_blocking() {
    for (unsigned i = 0; i < msg_out.size(); ++i)
        for (Item& item : eus_[i].items) {
            sc_core::sc_time delay;
            msg_out[i]->b_transport(item.message, delay);
            item.ends = item.answers = 1;
            findings.check(item.message.status != MessageStatus::Pending, rule::kStatus);
        }
}

void MessageContract::process() {
    bool more = false;
    for (unsigned i = 0; i < msg_out.size(); ++i) {
        Eu& eu = eus_[i];
        if (eu.sent < eu.items.size() && unended(eu) < credits_) send(i);
        more |= eu.sent < eu.items.size();
    }
    if (more) wakeup_.at(clock_.now() + Cycles(1));
}

unsigned MessageContract::unended(Eu& eu) const {
    const Cycles now = clock_.now();
    const auto is_unended = [&](const Item& item) { return item.ends == 0 || item.ended > now; };
    while (eu.settled < eu.sent && !is_unended(eu.items[eu.settled]))
        ++eu.settled;
    const auto first = eu.items.begin();
    return static_cast<unsigned>(std::count_if(first + static_cast<std::ptrdiff_t>(eu.settled),
                                               first + static_cast<std::ptrdiff_t>(eu.sent),
                                               is_unended));
}

void MessageContract::send(unsigned index) {
    Eu& eu = eus_[index];
    const Cycles now = clock_.now();
    if (eu.last > now) return;
    eu.last = now + Cycles(random_() % 4);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.until(eu.last);
    eu.last = eu.last + Cycles(1);
    Item& item = eu.items[eu.sent++];
    findings.check(msg_out[index]->nb_transport_fw(item.message, phase, delay) == tlm::TLM_ACCEPTED,
                   rule::kPhase);
}

tlm::tlm_sync_enum MessageContract::backward(unsigned index, Message& message,
                                             tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
    Eu& eu = eus_[index];
    const auto end = eu.items.begin() + static_cast<std::ptrdiff_t>(eu.sent);
    const auto item =
        std::find_if(eu.items.begin(), end, [&](const Item& i) { return &i.message == &message; });
    const auto answer = phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    findings.check(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, rule::kPhase);
    findings.check(item != end, rule::kKnown);
    if (item == end) return answer;
    findings.check(delay >= clock_.time(notice_), rule::kNotice);
    const Cycles when = clock_.cycles(sc_core::sc_time_stamp() + delay);
    if (phase == tlm::END_REQ) {
        findings.check(++item->ends == 1 && item->answers == 0, rule::kEndedOnce);
        item->ended = when;
        return answer;
    }
    findings.check(item->ends > 0 && item->ended <= when, rule::kEnded);
    findings.check(++item->answers == 1, rule::kAnsweredOnce);
    findings.check(message.status != MessageStatus::Pending, rule::kStatus);
    return answer;
}

bool MessageContract::finished() const {
    for (const Eu& eu : eus_)
        for (const Item& item : eu.items)
            if (item.ends == 0 || item.answers == 0) return false;
    return true;
}

std::size_t MessageContract::sent() const {
    std::size_t sent = 0;
    for (const Eu& eu : eus_)
        sent += eu.sent;
    return sent;
}

void MessageContract::end() {
    for (const Eu& eu : eus_)
        for (const Item& item : eu.items) {
            findings.check(item.answers > 0, rule::kNothingLost);
            findings.check(item.ends > 0, rule::kEnded);
        }
}

}  // namespace gen9::test
