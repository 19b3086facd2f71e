// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::urb {

struct UrbParams : ParamSet {
    using ParamSet::ParamSet;
    ArbiterParams senders{*this, "Which EU's message starts first.", "oldest_first",
                          "Assumed: no document says"};
    Param messages_in_flight{
        *this,
        {"messages_in_flight", "messages", "Messages started and not yet answered.",
         "Assumed: as the data port's, which the messages pass through"},
        64,
        1,
        1024};
    Param front_end_cycles{
        *this,
        {"front_end_cycles", "cycles", "From the arrival of a message to its first access of L3.",
         "Assumed: as the data port's"},
        16,
        0,
        1000};
    Param return_cycles{
        *this,
        {"return_cycles", "cycles",
         "From the last data of a message to the response at the EU, beyond the notice.",
         "Assumed: as front_end_cycles"},
        0,
        0,
        1000};
    ChoiceParam atomic_mov{*this,
                           {"atomic_mov", "", "What URB_ATOMIC_MOV writes.",
                            "urb-gateway-pi-vme guide 3.2: the table (003:8819-8830) says 0, the "
                            "payload's text may mean M0.2"},
                           "zero",
                           {"zero", "operand"}};
};

}  // namespace gen9::urb
