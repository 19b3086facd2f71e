// SPDX-License-Identifier: Apache-2.0
#include "media/walk/pools.h"

#include <algorithm>
#include <bit>

#include "packets/media.h"

namespace gen9::media {

EuPools decode_pools(std::span<const std::uint32_t> dwords) {
    namespace p = packets::MEDIA_POOL_STATE;
    const auto eus = [&](const packets::Field& low, const packets::Field& high) {
        return static_cast<std::uint8_t>(low.get(dwords) | high.get(dwords) << 3);
    };
    return {p::PooledEUEnable.get(dwords) != 0,
            {eus(p::Subslice0EUs0to2, p::Subslice0EUs3to5),
             eus(p::Subslice1EUs0to2, p::Subslice1EUs3to5),
             eus(p::Subslice2EUs0to2, p::Subslice2EUs3to5)}};
}

unsigned most_threads(const EuPools& pools, const ThreadTopology& topology, std::uint32_t subslices,
                      unsigned eus_in_use) {
    unsigned most = 0;
    for (unsigned pool = 0; pool < EuPools::kPools; ++pool) {
        unsigned in_pool = 0;
        for (unsigned s = 0; s < topology.total_subslices(); ++s)
            if (subslices >> s & 1)
                in_pool += static_cast<unsigned>(
                    std::popcount(pools.eus(pool, s) & ((1u << eus_in_use) - 1)));
        most = std::max(most, in_pool * topology.threads);
    }
    return most;
}

std::optional<Refusal> check(const EuPools& pools, const ThreadTopology& topology) {
    if (!pools.enabled) return std::nullopt;
    if (topology.total_subslices() != EuPools::kSubslices || topology.eus != EuPools::kEus)
        return Refusal{{},
                       packets::MEDIA_POOL_STATE::kStructure.name,
                       "pools of EUs in a machine of " +
                           std::to_string(topology.total_subslices()) + " subslices with " +
                           std::to_string(topology.eus) + " EUs; it takes three of six"};
    if (topology.slm_banks == 0)
        return Refusal{{},
                       packets::MEDIA_POOL_STATE::kStructure.name,
                       "pools of EUs in a machine whose subslices share no local memory"};
    return std::nullopt;
}

}  // namespace gen9::media
