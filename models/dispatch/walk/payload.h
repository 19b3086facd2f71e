// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "dispatch/walk/walk.h"
#include "interconnect/dispatch.h"

namespace gen9::dispatch {

/// What differs from thread to thread of a walk.
struct ThreadFacts {
    Place place{};
    std::array<std::uint32_t, 3> group_id{};
    std::uint16_t local_thread = 0;
    std::uint32_t mask = 0;
    std::uint8_t barrier = 0;      ///< id, when the descriptor asks for one
    std::uint8_t slm_granule = 0;  ///< start of the group's SLM in KB
};

/// The header register R0 (TD-37..42).
Grf make_header(const Walk& walk, const Topology& topology, const ThreadFacts& thread);

/// Fills the whole request part of a dispatch: header, payload registers, initial state, sideband.
/// CURBE order is header, cross-thread, per-thread (TD-34); indirect order is header, per-thread,
/// cross-thread (TD-35). The per-thread part depends only on the number within the group (TD-21).
void make_thread(const Walk& walk, const Topology& topology, const ThreadFacts& thread,
                 ThreadDispatch& dispatch);

}  // namespace gen9::dispatch
