// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>

namespace gen9::eu {

inline constexpr unsigned kMaxThreads = 8;

/// The choices of EuParams::policy, in their order. Register: software chooses between the others,
/// and until it has chosen the oldest go first.
enum class Arbitration : std::uint8_t { Register, Oldest, RoundRobin };

/// Decides in which order the threads of an EU are offered the units of one cycle.
/// Oldest: the running thread continues until it meets a dependency; then the oldest ready thread
/// runs (EU-005). The others fill the units left free, oldest to newest (EU-007).
/// RoundRobin: the threads take turns, beginning after the one that was placed last (EU-006;
/// details are not public, EU guide 3.9).
class IssuePolicy {
  public:
    static constexpr std::uint8_t kNone = 0xFF;

    explicit IssuePolicy(Arbitration choice) : round_robin_(choice == Arbitration::RoundRobin) {}

    /// Which of `slots`, a set of at least one, is next. `by_age`: loaded slots by priority class,
    /// then oldest first.
    std::uint8_t choose(std::uint32_t slots, std::span<const std::uint8_t> by_age) const {
        if (round_robin_) return next_in_turn(slots);
        return running_ != kNone && (slots >> running_ & 1) ? running_ : oldest(slots, by_age);
    }
    /// The slot that goes before all others until it is stalled or leaves, or kNone.
    std::uint8_t running() const { return running_; }
    /// A cycle begins. `stalled`: the running one waits for more than its own last instruction's
    /// time in the front end.
    void begin(bool stalled) {
        if (stalled) running_ = kNone;
        before_ = last_;
    }
    /// The first instruction placed in this cycle came from `slot`.
    void placed(std::uint8_t slot) {
        last_ = slot;
        if (!round_robin_) running_ = slot;
    }
    /// The thread gives up being the running one: {Switch}, or it ended.
    void leave(std::uint8_t slot) {
        if (running_ == slot) running_ = kNone;
    }

  private:
    static std::uint8_t oldest(std::uint32_t slots, std::span<const std::uint8_t> by_age);
    std::uint8_t next_in_turn(std::uint32_t slots) const {
        static_assert(kMaxThreads == 8);
        const unsigned first = before_ + 1u;
        const auto turned =
            std::rotr(static_cast<std::uint8_t>(slots), static_cast<int>(first % kMaxThreads));
        return static_cast<std::uint8_t>(
            (first + static_cast<unsigned>(std::countr_zero(std::uint32_t{turned}))) % kMaxThreads);
    }

    bool round_robin_;
    std::uint8_t running_ = kNone;
    std::uint8_t last_ = 0, before_ = 0;  ///< placed first in the last cycle, and in the one before
};

/// The register in which software chooses, one for all EUs (003:19112), and its bit for round
/// robin; 0 is oldest first.
inline constexpr std::uint32_t kThreadControl2 = 0xE404;
inline constexpr std::uint32_t kThreadControl2RoundRobin = 0x100;

}  // namespace gen9::eu
