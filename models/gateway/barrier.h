// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "interconnect/message.h"

namespace gen9::gateway {

/// One message waiting at a barrier.
struct Waiting {
    Message* message = nullptr;
    const ThreadSideband* sender = nullptr;
    std::uint16_t port = 0;  ///< it came in by
    Cycles arrival;          ///< kept for the module
};

/// One of the 32 barriers of a gateway: terminating count, count, requesters, predicate sum (GW-06,
/// GW-07, GW-21).
struct Barrier {
    std::uint16_t terminating = 0;  ///< 0: not set up
    std::uint16_t count = 0;        ///< threads that have arrived
    std::uint16_t predicate_sum = 0;
    bool predicated = false;
    std::vector<Waiting> waiting;  ///< in order of arrival, without those that ended by the message
};

inline constexpr unsigned kBarriers = 32;

/// The barrier message's payload (TD-55..58, GW-04, GW-05); everything else in it is ignored.
struct BarrierRequest {
    std::uint8_t id = 0;
    bool predicate_enable = false;
    std::uint32_t predicate_mask = 0;
    bool count_enable = false;
    std::uint8_t count = 0;
};
BarrierRequest decode_barrier(const Grf& payload);

}  // namespace gen9::gateway
