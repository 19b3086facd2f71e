// SPDX-License-Identifier: Apache-2.0
#include "geometry/urb_partition.h"

#include <algorithm>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

/// Handles are of 64 bytes and 14 significant bits.
constexpr std::uint32_t kUrbRows = 1u << 15;
constexpr std::uint32_t kRowBytes = 32;
constexpr std::uint32_t kStartRows = 8192 / kRowBytes;

}  // namespace

std::optional<UrbPartition> urb_partition(const PipelineState& state,
                                          const packets::CommandRow& command) {
    namespace urb = packets::STATE_URB;
    const auto given = latched(state, command);
    if (given.size() < 2) return {};
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(given));
    };
    UrbPartition part;
    part.first_row = value(urb::VSURBStartingAddress) * kStartRows;
    part.entry_rows = 2 * (value(urb::VSURBEntryAllocationSize) + 1);
    const std::uint32_t room = part.first_row < kUrbRows ? kUrbRows - part.first_row : 0;
    part.entries = std::min(value(urb::VSNumberOfURBEntries), room / part.entry_rows);
    return part;
}

}  // namespace gen9::geometry
