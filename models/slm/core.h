// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "interconnect/payload/memory_request.h"

namespace gen9::slm {

/// SlmCore: the shared local memory of one subslice; 64 KB by nature, more for exploration.
/// Role     holds the bytes, performs lane accesses on them, and counts the cycles their bank
///          conflicts take.
/// Not here allocation to groups (dispatcher/); bounds of a group's part, use while disabled (hdc/)
/// Spec     SLM-01, SLM-09..SLM-11; 003:18925-18931
class SlmCore {
  public:
    static constexpr std::uint32_t kBytes = 64 * 1024;  ///< of the machine
    static constexpr unsigned kBanks = 16;              ///< of the machine
    static constexpr unsigned kMaxBanks = 64;
    static constexpr unsigned kWordBytes = 4;

    /// `bytes`: a power of two.
    explicit SlmCore(std::uint32_t bytes = kBytes);
    std::uint32_t size() const { return static_cast<std::uint32_t>(bytes_.size()); }

    /// Performs the lanes at `base + offset`, modulo the size.
    void perform(LaneAccess& lanes, std::uint32_t base);
    /// Reads or writes a run of bytes from `address`, modulo the size. Only bytes whose enable is
    /// not zero are written; enables repeat; empty means all.
    void read(std::uint32_t address, std::span<std::uint8_t> bytes) const;
    void write(std::uint32_t address, std::span<const std::uint8_t> bytes,
               std::span<const std::uint8_t> enables);
    std::uint8_t* bytes() { return bytes_.data(); }

    /// Cycles the banks are busy with a lane access: the largest number of different words of one
    /// bank it touches. Lanes that read or write the same word share it; atomics do not.
    /// `banks`: a power of two; `size`: of the memory, another.
    static unsigned conflict_cycles(const LaneAccess& lanes, std::uint32_t base,
                                    unsigned banks = kBanks, std::uint32_t size = kBytes);
    /// The same for a run of bytes.
    static unsigned conflict_cycles(std::uint32_t address, std::uint32_t length,
                                    unsigned banks = kBanks);

  private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace gen9::slm
