// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "interconnect/payload/direct_answers.h"
#include "interconnect/payload/message.h"
#include "interconnect/payload/thread_places.h"

namespace gen9::gateway {

/// One message waiting at a barrier.
struct Waiting {
    /// Null: a plain arrival by a call, which asks for a notification and nothing else.
    Message* message = nullptr;
    const ThreadSideband* sender = nullptr;
    std::uint16_t port;  ///< it came in by
    // The module keeps these.
    Cycles arrival;
    DirectAnswers* answers = nullptr;  ///< of a call
    // An arrival without a message would say this, if it is given back.
    std::uint32_t descriptor = 0, extended_descriptor = 0;
    Grf payload{};
};

/// One of the 32 barriers of a gateway: terminating count, count, requesters, predicate sum (GW-06,
/// GW-07, GW-21).
struct Barrier {
    std::uint16_t terminating = 0;  ///< 0: not set up
    std::uint16_t count = 0;        ///< threads that have arrived
    bool global = false;            ///< one of several subslices' barriers of the same id (TD-52)
    bool met = false;               ///< global: all of this subslice have arrived
    // The values of the round; its first arrival sets them.
    std::uint16_t predicate_sum;
    bool predicated;
    std::array<std::uint64_t, kMaxFftids / 64> arrived{};  ///< by FFTID: threads of the round
    std::vector<Waiting> waiting;  ///< in order of arrival, without those that ended by the message
};

inline constexpr unsigned kBarriers = 32;

/// The barrier message's payload (TD-55..58, GW-04, GW-05); everything else in it is ignored.
struct BarrierRequest {
    std::uint8_t id;
    bool predicate_enable;
    std::uint32_t predicate_mask;
    bool count_enable;
    std::uint8_t count;
};
BarrierRequest decode_barrier(const Grf& payload);

}  // namespace gen9::gateway
