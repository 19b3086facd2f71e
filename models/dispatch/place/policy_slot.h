// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gen9::dispatch {

/// Which of several equal units gets the next thread or group; used once for the subslices and once
/// for the EUs of each. The seeds leave the choice open (guide 3.12).
class SlotPolicy {
  public:
    virtual ~SlotPolicy() = default;
    /// One of the units whose bit is set in `candidates` (never 0); `free` are their free slots.
    virtual unsigned pick(std::span<const std::uint16_t> free, std::uint32_t candidates) = 0;
};

/// The names that can be asked for, the default first.
std::vector<std::string> slot_policies();
/// `index` into slot_policies().
std::unique_ptr<SlotPolicy> make_slot_policy(std::size_t index);

}  // namespace gen9::dispatch
