// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "media/types.h"

namespace gen9::media {

/// A step or a place in the walker's units, which mean what software wants them to (MED-18).
struct WalkVector {
    int x = 0, y = 0;
    bool operator==(const WalkVector&) const = default;
};

/// Group ID Loop Select numbers the loops from the innermost: 1 colour, 2 inner local, 3 middle,
/// 4 outer local, 5 inner global (MED-23, MED-24).
inline constexpr unsigned kMaxLoopSelect = 5;

/// MEDIA_OBJECT_WALKER as the spawner uses it (MED-16; 003:17635-17656).
struct MediaWalkerParameters {
    /// Blocks in a row of the dispatch mask, 0: there is none (MED-28).
    std::uint16_t mask_pitch = 0;
    /// Loops up to this one count the threads of a group, the others make its id; 0: no groups.
    std::uint32_t group_loop_select = 0;
    unsigned colors = 1;
    unsigned middle_extra_steps = 0;
    unsigned local_executions = 1;   ///< of the outer local loop at most
    unsigned global_executions = 1;  ///< of the outer global loop at most
    WalkVector block, local_start, local_outer, local_middle, local_inner;
    WalkVector global, global_start, global_outer, global_inner;

    bool grouped() const { return group_loop_select != 0; }
};

/// The loop execution counts hold the number of executions minus one. Public: the media driver's
/// CM runtime gives N - 1 for a raster of N rows and 0 for a global loop of one block.
MediaWalkerParameters decode_media_walker(std::span<const std::uint32_t> dwords);

std::optional<Refusal> check(const MediaWalkerParameters& walker);

}  // namespace gen9::media
