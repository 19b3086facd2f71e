// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace gen9::eu {

/// The parts have 6 or 7 (EU-003); more are for exploration.
inline constexpr unsigned kMaxThreads = 16;

/// Issue policies go by whose turn it was.
class IssueTurns {
  public:
    static constexpr std::uint8_t kNone = 0xFF;

    /// `keeps_running`: the thread placed is the running one from then on.
    explicit IssueTurns(bool keeps_running) : keeps_running_(keeps_running) {}

    /// The slot that goes before all others until it is stalled or leaves, or kNone.
    std::uint8_t running() const { return running_; }
    /// The slot placed first in the last cycle but this.
    std::uint8_t before() const { return before_; }
    /// A cycle begins. `stalled`: the running one waits for more than its own last instruction's
    /// time in the front end.
    void begin(bool stalled) {
        if (stalled) running_ = kNone;
        before_ = last_;
    }
    /// The first instruction placed in this cycle came from `slot`.
    void placed(std::uint8_t slot) {
        last_ = slot;
        if (keeps_running_) running_ = slot;
    }
    /// The thread gives up being the running one: {Switch}, or it ended.
    void leave(std::uint8_t slot) {
        if (running_ == slot) running_ = kNone;
    }

  private:
    bool keeps_running_;
    std::uint8_t running_ = kNone;
    std::uint8_t last_ = 0, before_ = 0;
};

/// Decides in which order the threads of an EU are offered the units of one cycle.
class IssuePolicy {
  public:
    virtual ~IssuePolicy() = default;
    /// Does the thread placed first go on before all others until it stalls?
    virtual bool keeps_running() const = 0;
    /// Chooses the next of `slots`, a set of at least one without the running one. `by_age`: loaded
    /// slots by priority class, then oldest first.
    virtual std::uint8_t choose(std::uint32_t slots, std::span<const std::uint8_t> by_age,
                                const IssueTurns& turns) const = 0;
};

/// The running thread continues until it meets a dependency; then the oldest ready thread runs
/// (EU-005). The others fill the units left free, oldest to newest (EU-007).
class OldestFirst : public IssuePolicy {
  public:
    bool keeps_running() const override { return true; }
    std::uint8_t choose(std::uint32_t slots, std::span<const std::uint8_t> by_age,
                        const IssueTurns& turns) const override;
};

/// The threads take turns, beginning after the one that was placed last (EU-006; details are not
/// public, EU guide 3.9).
class RoundRobin : public IssuePolicy {
  public:
    bool keeps_running() const override { return false; }
    std::uint8_t choose(std::uint32_t slots, std::span<const std::uint8_t> by_age,
                        const IssueTurns& turns) const override;
};

/// The choices of EuParams::policy, in their order. Register: software chooses between the others.
enum class Arbitration : std::uint8_t { Register, Oldest, RoundRobin };

/// The policy of a choice; of Register, the one in force until software has chosen.
std::unique_ptr<IssuePolicy> make_issue_policy(Arbitration choice);

/// The register in which software chooses, one for all EUs (003:19112), and its bit for round
/// robin; 0 is oldest first.
inline constexpr std::uint32_t kThreadControl2 = 0xE404;
inline constexpr std::uint32_t kThreadControl2RoundRobin = 0x100;

}  // namespace gen9::eu
