// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "hdc/access/requests.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/usual.h"

namespace gen9::hdc {

/// A plan and the requests it is cut into.
struct PlannedAccess {
    Plan plan;
    RequestList requests;
};

/// One request as it goes out: bytes of a line, or lanes.
struct Outgoing {
    std::uint64_t address;
    unsigned bytes;
    bool reads;
    bool lanes;
    std::uint64_t written = ~0ull;  ///< bytes that a write enables, from the first on
};

/// What a message does to memory, as requests: a usual access, or a plan. This is the one place
/// that tells the two apart; who sends requests need not. functional.h carries out both at once.
class Access {
  public:
    UsualAccess usual;
    PlannedAccess* planned = nullptr;  ///< null: it is usual

    bool slm() const { return facts().slm; }
    unsigned requests() const { return planned ? planned->requests.size() : usual.requests(); }
    /// What the memory is told with every request.
    const MemoryFacts& facts() const {
        if (planned) return planned->plan;
        return usual;
    }
    /// Request `index`. The bytes of a write go to `data`, a line; lanes to `lanes`.
    Outgoing request(unsigned index, const Message& message, std::uint8_t* data,
                     LaneAccess& lanes) const;
    /// What came back of a request: its bytes or lanes, or nothing if the memory refused it.
    struct Answer {
        bool ok;
        std::uint64_t address;  ///< of the first byte
        const std::uint8_t* data;
        const LaneAccess& lanes;
    };
    /// Puts it into the message's registers.
    void take(unsigned index, const Answer& answer, Message& message) const;
    /// To be called when the last answer has been taken.
    void finish(Message& message) const {
        if (planned && planned->plan.converts) finish_plan(message, planned->plan);
    }
};

}  // namespace gen9::hdc
