// SPDX-License-Identifier: Apache-2.0
#include "eu/policy_issue.h"

#include "common/check.h"

namespace gen9::eu {

std::uint8_t IssuePolicy::oldest(std::uint32_t slots, std::span<const std::uint8_t> by_age) {
    for (const std::uint8_t slot : by_age)
        if (slots >> slot & 1) return slot;
    GEN9_CHECK(false, "an issue policy is asked about slots that are not loaded");
    return 0;
}

}  // namespace gen9::eu
