// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "hdc/access/requests.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/scattered.h"
#include "hdc/plan/usual.h"

namespace gen9::hdc {

/// A plan and the requests it is cut into.
struct PlannedAccess {
    Plan plan;
    RequestList requests;
};

/// Plans that are used again and again, as many as were in use at a time.
class PlanPool {
  public:
    struct GiveBack {
        PlanPool* pool;
        void operator()(PlannedAccess* plan) const { pool->free_.push_back(plan); }
    };
    /// The plan goes back to the pool by itself; the pool outlives it.
    using Handle = std::unique_ptr<PlannedAccess, GiveBack>;

    Handle get();

  private:
    std::vector<std::unique_ptr<PlannedAccess>> all_;
    std::vector<PlannedAccess*> free_;
};

/// The forms that whoever asks for an access can carry out, beside plans.
struct Forms {
    bool usual = false, scattered = false;
    bool requests = false;  ///< usual ones only if they go out in requests without a plan
};
inline constexpr Forms kDirectForms{.usual = true, .scattered = true};
inline constexpr Forms kRequestForms{.usual = true, .requests = true};
inline constexpr Forms kPlanOnly{};

/// A message does this to memory, in one of its forms: Core::find says which. functional.h carries
/// it out at once; as requests it goes out in time.
class Access {
  public:
    enum class Form : std::uint8_t {
        Nothing,    ///< nothing is left to be done: the response is complete
        Fence,      ///< it is answered when the thread's earlier messages are complete
        Usual,      ///< `usual`
        Scattered,  ///< `scattered`; it does not go out in requests
        Planned,    ///< `planned`, which is right for all messages
    };
    Form form = Form::Nothing;
    bool flushes = false;  ///< a fence: L3 writes its modified data to memory
    UsualAccess usual{};
    ScatteredAccess scattered{};
    PlanPool::Handle planned{};

    bool slm() const { return facts().slm; }
    /// Every request tells the memory this.
    const MemoryFacts& facts() const {
        if (form == Form::Planned) return planned->plan;
        if (form == Form::Scattered) return scattered;
        return usual;
    }
    /// Cuts a plan into requests; the other forms know theirs.
    void cut(RequestList::Channels write_channels, unsigned batch_bytes);
    unsigned requests() const {
        return form == Form::Planned ? planned->requests.size() : usual.requests();
    }
    /// A request as it goes out: bytes of a line, or lanes. It is no transaction, for this half of
    /// the data port knows no TLM.
    struct Request {
        std::uint64_t address;
        unsigned bytes;
        bool reads;
        bool lanes;
        std::uint64_t written = ~0ull;  ///< bytes that a write enables, from the first on
    };
    /// Makes request `index`. The bytes of a write go to `data`, a line; lanes to `lanes`.
    Request request(unsigned index, const Message& message, std::uint8_t* data,
                    LaneAccess& lanes) const;
    /// A request comes back with its bytes or lanes, or with nothing if the memory refused it.
    struct Answer {
        bool ok;
        std::uint64_t address;  ///< of the first byte
        const std::uint8_t* data;
        const LaneAccess& lanes;
    };
    /// Puts it into the message's registers.
    void take(unsigned index, const Answer& answer, Message& message) const;
    /// The caller has taken the last answer.
    void finish(Message& message) const {
        if (form == Form::Planned && planned->plan.converts) finish_plan(message, planned->plan);
    }
};

}  // namespace gen9::hdc
