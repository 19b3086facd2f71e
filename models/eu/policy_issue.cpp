// SPDX-License-Identifier: Apache-2.0
#include "eu/policy_issue.h"

#include <algorithm>

#include "common/check.h"

namespace gen9::eu {

void move_to_front(std::span<std::uint8_t> slots, std::uint8_t slot) {
    const auto found = std::find(slots.begin(), slots.end(), slot);
    if (found == slots.end()) return;
    std::copy_backward(slots.begin(), found, found + 1);
    slots.front() = slot;
}

void OldestFirst::arrange(std::span<std::uint8_t> slots, std::uint32_t stalled) {
    if (running_ == kNone) return;
    if (stalled >> running_ & 1) {
        running_ = kNone;
        return;
    }
    move_to_front(slots, running_);
}

void OldestFirst::placed(std::uint8_t slot) {
    running_ = slot;
}

void OldestFirst::leave(std::uint8_t slot) {
    if (running_ == slot) running_ = kNone;
}

void RoundRobin::arrange(std::span<std::uint8_t> slots, std::uint32_t) {
    std::sort(slots.begin(), slots.end(), [this](std::uint8_t a, std::uint8_t b) {
        return (a + kMaxThreads - last_ - 1) % kMaxThreads <
               (b + kMaxThreads - last_ - 1) % kMaxThreads;
    });
}

std::unique_ptr<IssuePolicy> make_issue_policy(std::size_t index) {
    if (index == 0) return std::make_unique<OldestFirst>();
    GEN9_CHECK(index == 1, "an issue policy without an implementation");
    return std::make_unique<RoundRobin>();
}

}  // namespace gen9::eu
