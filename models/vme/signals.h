// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"
#include "interconnect/payload/message.h"
#include "vme/stats.h"

namespace gen9::vme {

struct VmeSignals : SignalSet {
    using SignalSet::SignalSet;
    void started(const Message& started, unsigned eu, Cycles now) {
        message_type.set(started.descriptor >> 13 & 0xF, now);
        message_id.set(started.trace_id, now);
        message_ip.set(started.ip, now);
        message_eu.set(eu, now);
        message_thread.set(started.sender->place.slot.value, now);
    }
    Signal state{*this, "state", kActivityWords, "What the cycle is spent on."};
    Signal message_type{*this, "message_type", 4, SignalForm::Hex,
                        "Type of the message started last (0 IDM, 1 SIC, 2 IME, 3 FBR); + 4: it "
                        "streams out, + 8: in."};
    Signal message_id{*this, "message_id", 64, SignalForm::Hex, "Its trace id."};
    Signal message_ip{*this, "message_ip", 64, SignalForm::Hex, "Address of its instruction."};
    Signal message_eu{*this, "message_eu", 8, SignalForm::Decimal, "EU it came from."};
    Signal message_thread{*this, "message_thread", 4, SignalForm::Decimal, "Thread slot of it."};
    Signal queued{*this, "queued", 8, SignalForm::Decimal, "Messages announced and not started."};
    Signal in_flight{*this, "in_flight", 8, SignalForm::Decimal,
                     "Messages started and not answered."};
    Signal lines{*this, "lines", 16, SignalForm::Decimal, "Requests to L3 not yet answered."};
    Signal search_id{*this, "search_id", 64, SignalForm::Hex,
                     "Trace id of the message that the search engine works on; 0: none."};
    Signal check_id{*this, "check_id", 64, SignalForm::Hex,
                    "The same of the engine for checks and refinement."};
};

}  // namespace gen9::vme
