// SPDX-License-Identifier: Apache-2.0
#include "eu/issue/policy_issue.h"

#include <bit>

#include "common/check.h"

namespace gen9::eu {

std::uint8_t OldestFirst::choose(std::uint32_t slots, std::span<const std::uint8_t> by_age,
                                 const IssueTurns&) const {
    for (const std::uint8_t slot : by_age)
        if (slots >> slot & 1) return slot;
    GEN9_CHECK(false, "an issue policy is asked about slots that are not loaded");
    return 0;
}

std::uint8_t RoundRobin::choose(std::uint32_t slots, std::span<const std::uint8_t>,
                                const IssueTurns& turns) const {
    static_assert(kMaxThreads == 16);
    const unsigned first = (turns.before() + 1u) % kMaxThreads;
    const auto turned = std::rotr(static_cast<std::uint16_t>(slots), static_cast<int>(first));
    return static_cast<std::uint8_t>((first + static_cast<unsigned>(std::countr_zero(turned))) %
                                     kMaxThreads);
}

std::unique_ptr<IssuePolicy> make_issue_policy(Arbitration choice) {
    if (choice == Arbitration::RoundRobin) return std::make_unique<RoundRobin>();
    return std::make_unique<OldestFirst>();
}

}  // namespace gen9::eu
