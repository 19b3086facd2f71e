// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "l3/bank/core.h"

namespace gen9::l3 {

/// The part of the array that is the URB: bytes without tags, spread line by line over the banks
/// (L3-01, L3-28). What lies beyond its size reads zero, and writes there are dropped (URB-15).
class UrbStore {
  public:
    /// Software never sees more, however many ways are given to it (L3-77, URB-42).
    static constexpr std::uint64_t kMostBytes = 1008 * 1024;

    /// Gives it so many ways of each bank; what was in the part that stays is kept.
    void set_size(std::uint64_t ways, std::uint64_t banks);
    std::uint64_t size() const { return bytes_.size(); }
    /// The bytes stay where they are until the size changes.
    std::span<std::uint8_t> bytes() { return bytes_; }

    /// `enables`: of each byte, repeated with their length; empty: all.
    void write(std::uint64_t address, std::span<const std::uint8_t> data,
               std::span<const std::uint8_t> enables);
    void read(std::uint64_t address, std::span<std::uint8_t> data) const;
    /// Lanes within the line of `address`.
    void perform(std::uint64_t address, LaneAccess& lanes);

  private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace gen9::l3
