// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>

namespace gen9::eu {

inline constexpr unsigned kMaxThreads = 8;

/// Decides in which order the threads of an EU are offered the units of one cycle.
class IssuePolicy {
  public:
    static constexpr std::uint8_t kNone = 0xFF;

    virtual ~IssuePolicy() = default;
    /// The slot that goes before all others until it is stalled, or kNone.
    std::uint8_t running() const { return running_; }
    /// A cycle begins. `stalled`: the running one waits for more than its own last instruction's
    /// time in the front end.
    virtual void begin(bool stalled) = 0;
    /// Which of `slots`, a set of at least one, is next. `by_age`: loaded slots by priority class,
    /// then oldest first.
    virtual std::uint8_t choose(std::uint32_t slots,
                                std::span<const std::uint8_t> by_age) const = 0;
    /// The first instruction placed in this cycle came from `slot`.
    virtual void placed(std::uint8_t slot) = 0;
    /// The thread gives up being the running one: {Switch}, or it ended.
    void leave(std::uint8_t slot) {
        if (running_ == slot) running_ = kNone;
    }

  protected:
    std::uint8_t running_ = kNone;
};

/// The running thread continues until it meets a dependency; then the oldest ready thread runs
/// (EU-005). The others fill the units left free, oldest to newest (EU-007).
class OldestFirst : public IssuePolicy {
  public:
    void begin(bool stalled) override {
        if (stalled) running_ = kNone;
    }
    std::uint8_t choose(std::uint32_t slots, std::span<const std::uint8_t> by_age) const override;
    void placed(std::uint8_t slot) override { running_ = slot; }
};

/// The threads take turns, beginning after the one that was placed last (EU-006; details are not
/// public, EU guide 3.9).
class RoundRobin : public IssuePolicy {
  public:
    void begin(bool) override { first_ = last_ + 1; }
    std::uint8_t choose(std::uint32_t slots, std::span<const std::uint8_t> by_age) const override;
    void placed(std::uint8_t slot) override { last_ = slot; }

  private:
    unsigned last_ = 0;
    unsigned first_ = 1;  ///< of this cycle
};

/// The policy of that place in the choices of EuParams::policy.
std::unique_ptr<IssuePolicy> make_issue_policy(std::size_t index);

}  // namespace gen9::eu
