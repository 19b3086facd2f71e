// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>

namespace gen9::eu {

inline constexpr unsigned kMaxThreads = 8;

/// Decides in which order the threads of an EU are offered the units of one cycle.
class IssuePolicy {
  public:
    virtual ~IssuePolicy() = default;
    /// Reorders `slots`: those that can be issued from in this cycle, by priority class and then
    /// age, oldest first. `stalled` has the bits of the slots, of all, that wait for more than their
    /// own last instruction's time in the front end.
    virtual void arrange(std::span<std::uint8_t> slots, std::uint32_t stalled) = 0;
    /// The first instruction placed in this cycle came from `slot`.
    virtual void placed(std::uint8_t slot) = 0;
    /// The thread gives up being the running one: {Switch}, or it ended.
    virtual void leave(std::uint8_t slot) = 0;
};

/// The running thread continues until it meets a dependency; then the oldest ready thread runs
/// (EU-005). The others fill the units left free, oldest to newest (EU-007).
class OldestFirst : public IssuePolicy {
  public:
    void arrange(std::span<std::uint8_t> slots, std::uint32_t stalled) override;
    void placed(std::uint8_t slot) override;
    void leave(std::uint8_t slot) override;

  private:
    static constexpr std::uint8_t kNone = 0xFF;
    std::uint8_t running_ = kNone;
};

/// The threads take turns, beginning after the one that was placed last (EU-006; details are not
/// public, EU guide 3.9).
class RoundRobin : public IssuePolicy {
  public:
    void arrange(std::span<std::uint8_t> slots, std::uint32_t stalled) override;
    void placed(std::uint8_t slot) override { last_ = slot; }
    void leave(std::uint8_t) override {}

  private:
    std::uint8_t last_ = 0;
};

/// Puts a slot before the others, if it is among them.
void move_to_front(std::span<std::uint8_t> slots, std::uint8_t slot);

/// The policy of that place in the choices of EuParams::policy.
std::unique_ptr<IssuePolicy> make_issue_policy(std::size_t index);

}  // namespace gen9::eu
