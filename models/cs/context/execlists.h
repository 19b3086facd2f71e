// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::cs {

/// A context descriptor of a submission (CS-134).
struct Element {
    std::uint32_t low = 0, high = 0;
    bool valid() const { return low & 1; }
    bool force_restore() const { return low & 4; }
    bool wide_addresses() const { return (low >> 3 & 3) == 3; }  ///< 48-bit PPGTT
    bool snooped() const { return low >> 5 & 1; }                ///< L3 and LLC coherent
    std::uint32_t fault_mode() const { return low >> 6 & 3; }    ///< 0: fault and hang
    std::uint32_t page() const { return low & ~0xFFFu; }         ///< GGTT address of the context
    std::uint32_t context_id() const { return high; }
    bool same_context(const Element& other) const {
        return page() == other.page() && high == other.high;
    }
};
using List = std::array<Element, 2>;

/// Why a context left the engine; bits of a context status entry, and shifted by five of
/// EXECLIST_STATUS (cs-rs guide 3.4).
enum SwitchReason : std::uint32_t {
    kIdleToActive = 1u << 0,
    kPreempted = 1u << 1,
    kElementSwitch = 1u << 2,
    kActiveToIdle = 1u << 3,
    kContextComplete = 1u << 4,
    kSemaphoreWait = 1u << 7,
    kLiteRestore = 1u << 15,
};

/// The submission port: collects the four writes, holds the list that runs and the one that waits,
/// and knows what the status registers say (CS-133 to CS-140).
class Execlists {
  public:
    /// One write to the port: element 1 high, element 1 low, element 0 high, element 0 low. True:
    /// it was the fourth, a list is pending. A list that already waits is replaced.
    bool write_port(std::uint32_t value);
    /// The last submission found the queue full: software broke the rule.
    bool overflowed() const { return overflowed_; }

    bool pending() const { return waiting_valid_; }
    const List& pending_list() const { return waiting_; }
    bool active() const { return running_valid_; }
    const Element& running() const { return running_[element_]; }

    /// The waiting list becomes the running one, at its first valid element.
    void take_pending();
    bool has_next_element() const { return running_valid_ && element_ == 0 && running_[1].valid(); }
    /// Goes to the running list's second element. False: there is none.
    bool next_element();
    /// The running list is done with.
    void retire() { running_valid_ = false; }

    /// Notes an event for EXECLIST_STATUS.
    void note(std::uint32_t reason) { last_reason_ = reason; }
    std::uint32_t status_low(bool arbitration) const;
    std::uint32_t status_high() const { return running_valid_ ? running().context_id() : last_id_; }

  private:
    std::array<std::uint32_t, 3> port_{};
    unsigned writes_ = 0;
    List running_{}, waiting_{};
    bool running_valid_ = false, waiting_valid_ = false, overflowed_ = false;
    unsigned element_ = 0;
    unsigned slot_ = 1;  ///< which of the two hardware lists runs, or ran last
    std::uint32_t last_reason_ = 0, last_id_ = 0;
};

}  // namespace gen9::cs
