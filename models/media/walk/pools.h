// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "interconnect/payload/thread_places.h"
#include "media/types.h"

namespace gen9::media {

/// MEDIA_POOL_STATE (POOL-01: 000:406-446).
EuPools decode_pools(std::span<const std::uint32_t> dwords);

/// Threads of the larger pool, of the subslices and first EUs of each that are in use.
unsigned most_threads(const EuPools& pools, const ThreadTopology& topology, std::uint32_t subslices,
                      unsigned eus);

/// The command's map has room for three subslices of six EUs, which share local memory (POOL-10).
std::optional<Refusal> check(const EuPools& pools, const ThreadTopology& topology);

}  // namespace gen9::media
