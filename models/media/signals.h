// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/signals.h"
#include "interconnect/payload/work.h"

namespace gen9::media {

inline constexpr const char* kSendStateWords[] = {
    "idle",           "sending",         "front end",    "wait URB",       "wait slot",
    "wait registers", "wait SLM",        "wait barrier", "wait handshake", "wait payload",
    "wait drain",     "wait scoreboard", "wait spawn",   "wait fence"};
static_assert(std::size(kSendStateWords) == kSendStates);

struct MediaSignals : SignalSet {
    using SignalSet::SignalSet;

    Signal activity{*this, "activity", kSendStateWords, "Why the next thread is not sent."};
    Signal command{*this, "command", 32, SignalForm::Hex, "Header of the command at hand."};
    Signal command_id{*this, "command_id", 48, SignalForm::Hex, "Its transaction id."};
    Signal walkers{*this, "walkers", 8, SignalForm::Decimal,
                   "Walkers with threads running or still to be sent."};
    Signal walker{*this, "walker", 32, SignalForm::Decimal,
                  "Number of the walker whose threads are sent."};
    Signal free_urb_entries{*this, "free_urb_entries", 8, SignalForm::Decimal,
                            "URB entries that a walker's payload can go to."};
    Signal scoreboard{*this, "scoreboard", 10, SignalForm::Decimal,
                      "Entries of the thread scoreboard that are marked."};
    Signal children{*this, "children", 10, SignalForm::Decimal,
                    "Child threads called for and not yet sent."};
};

}  // namespace gen9::media
