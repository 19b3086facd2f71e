// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/arbiter/arbiter_params.h"

namespace gen9::gateway {

struct GatewayParams : ParamSet {
    using ParamSet::ParamSet;

    ArbiterParams senders{*this, "Which EU's message is worked on first.", "oldest_first",
                          "Assumed: no document says"};
    Param accept_cycles{
        *this,
        {"accept_cycles", "cycles",
         "from a message's arrival to its queue place being free; at least the notice",
         "Assumed: no public figure"},
        16,
        1,
        10000};
    Param release_cycles{
        *this,
        {"release_cycles", "cycles",
         "from the last arrival at a barrier to the notifications; at least the notice",
         "hardware-measurements M-19: 90 clocks for a barrier in all (Mesa, marked as low "
         "quality), "
         "of which the EU and the message take 33; 30 on Gen12 (N-14)"},
        57,
        1,
        10000};
    Param timestamp_cycles{
        *this,
        {"timestamp_cycles", "cycles", "from GetTimeStamp to its answer; at least the notice",
         "hardware-measurements I-8: 200 for a gateway message (compiler's scheduling weight)"},
        200,
        1,
        10000};
    Param setup_cycles{*this,
                       {"setup_cycles", "cycles", "from the spawner's barrier set-up to its accept",
                        "Assumed: one message there and one back"},
                       8,
                       0,
                       10000};
    Param report_cycles{
        *this,
        {"report_cycles", "cycles",
         "from the last arrival of a global barrier's share to the spawner hearing of it",
         "Assumed: one message there; 003:17392 says only that it is slower than a local barrier"},
        16,
        0,
        10000};
    Param predicated_barriers{
        *this,
        {"predicated_barriers", "",
         "1: a barrier message may ask for the sum of predicates (M0.2[30])",
         "003:9102-9104 defines the bit for Skylake; 000:353-363 calls it ignored on Broxton"},
        1,
        0,
        1};
    Param timestamp_hz{*this,
                       {"timestamp_hz", "Hz", "rate of the absolute timestamp",
                        "urb-gateway-pi-vme guide 3.1: 12 MHz on Skylake, 19.2 MHz on Broxton"},
                       12'000'000,
                       1'000'000,
                       1'000'000'000};
};

}  // namespace gen9::gateway
