// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"
#include "interconnect/payload/message.h"
#include "sampler/stats.h"

namespace gen9::sampler {

struct SamplerSignals : SignalSet {
    using SignalSet::SignalSet;
    void started(const Message& started, unsigned eu, Cycles now) {
        message_type.set(started.descriptor >> 12 & 0x7F, now);
        message_id.set(started.trace_id, now);
        message_ip.set(started.ip, now);
        message_eu.set(eu, now);
        message_thread.set(started.sender->place.slot.value, now);
    }
    Signal state{*this, "state", kActivityWords, "What the cycle is spent on."};
    Signal message_type{*this, "message_type", 7, SignalForm::Hex,
                        "SIMD mode * 32 + type of the message started last."};
    Signal message_id{*this, "message_id", 64, SignalForm::Hex, "Its trace id."};
    Signal message_ip{*this, "message_ip", 64, SignalForm::Hex, "Address of its instruction."};
    Signal message_eu{*this, "message_eu", 8, SignalForm::Decimal, "EU it came from."};
    Signal message_thread{*this, "message_thread", 4, SignalForm::Decimal, "Thread slot of it."};
    Signal queued{*this, "queued", 8, SignalForm::Decimal, "Messages announced and not started."};
    Signal in_flight{*this, "in_flight", 16, SignalForm::Decimal,
                     "Messages started whose texels are not filtered."};
    Signal lookups{*this, "lookups", 8, SignalForm::Decimal,
                   "Lines looked up in the texture cache in the cycle."};
    Signal misses{*this, "misses", 1, SignalForm::Decimal, "Of those, requests to L3."};
    Signal lines{*this, "lines", 16, SignalForm::Decimal, "Requests to L3 not yet answered."};
};

}  // namespace gen9::sampler
