// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "dispatch/types.h"

namespace gen9::dispatch {

/// MEDIA_POOL_STATE: two pools of EUs, to which groups are sent in place of subslices (POOL-01:
/// 000:406-446). Without it a group runs in one subslice (POOL-06: 000:456-470).
struct Pools {
    static constexpr unsigned kPools = 2, kSubslices = 3, kEus = 6;

    bool enabled = false;
    std::array<std::uint8_t, kSubslices> second{};  ///< EUs of the second pool, by subslice

    /// The EUs of a subslice that belong to a pool.
    std::uint32_t eus(unsigned pool, unsigned subslice) const {
        return pool == 0 ? ~second[subslice] & ((1u << kEus) - 1) : second[subslice];
    }
    /// The subslice whose SLM the groups of a pool use: each pool has one of its own, where there
    /// are as many (Assumed).
    static unsigned slm(unsigned pool, const Topology& topology) { return topology.slm_of(pool); }
    /// Threads of the larger pool, of the subslices and first EUs of each that are in use.
    unsigned most_threads(const Topology& topology, std::uint32_t subslices, unsigned eus) const;
};

Pools decode_pools(std::span<const std::uint32_t> dwords);

/// The command's map has room for three subslices of six EUs, which share local memory (POOL-10).
std::optional<Refusal> check(const Pools& pools, const Topology& topology);

}  // namespace gen9::dispatch
