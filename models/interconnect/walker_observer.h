// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "common/units.h"

namespace gen9 {

/// One GPGPU_WALKER as it ran.
struct WalkerRecord {
    /// What the spawner can be at, in its own order (dispatch::Activity).
    static constexpr std::size_t kActivities = 14;
    std::uint32_t number = 0;  ///< counts up from 0 over the life of the engine
    GpuAddr kernel_start;      ///< absolute
    std::uint32_t simd_width = 0;
    std::array<std::uint32_t, 3> groups{};  ///< started, by dimension
    std::uint64_t threads = 0;
    Cycles begin, end;               ///< first thread sent, last thread retired
    std::uint64_t instructions = 0;  ///< EU instructions of its threads
    std::uint64_t messages = 0;
    std::uint64_t thread_cycles = 0;  ///< from each thread's dispatch to its retirement
    Cycles all_sent;                  ///< its last thread has been sent; until then it has not
    std::array<std::uint64_t, kActivities> sending{};  ///< cycles from begin to all_sent
};

/// Told by the spawner when a walker begins and when its last thread has retired.
class WalkerObserver {
  public:
    virtual ~WalkerObserver() = default;
    virtual void walker_began(const WalkerRecord& walker) = 0;
    virtual void walker_ended(const WalkerRecord& walker) = 0;
};

}  // namespace gen9
