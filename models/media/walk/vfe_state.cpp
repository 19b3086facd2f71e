// SPDX-License-Identifier: Apache-2.0
#include "media/walk/vfe_state.h"

#include <algorithm>
#include <bit>

#include "packets/media.h"
#include "packets/power_request.h"

namespace gen9::media {

VfeState decode_vfe_state(std::span<const std::uint32_t> dwords) {
    namespace vfe = packets::MEDIA_VFE_STATE;
    const auto u16 = [&](const packets::Field& f) { return std::uint16_t(f.get(dwords)); };
    VfeState s;
    s.scratch_base = vfe::ScratchSpaceBasePointer.get(dwords);
    s.scratch_code = std::uint8_t(vfe::PerThreadScratchSpace.get(dwords));
    s.stack_code = std::uint8_t(vfe::StackSize.get(dwords));
    s.reset_gateway_timer = vfe::ResetGatewayTimer.get(dwords);
    const auto threads = vfe::MaximumNumberofThreads.get(dwords) + 1;
    s.max_threads = std::uint16_t(threads > 0xFFFF ? 0xFFFF : threads);
    s.slice_disable = std::uint8_t(vfe::SliceDisable.get(dwords));
    s.urb_entries = u16(vfe::NumberofURBEntries);
    s.urb_entry_rows = u16(vfe::URBEntryAllocationSize);
    s.curbe_rows = u16(vfe::CURBEAllocationSize);
    s.scoreboard = decode_scoreboard(dwords);
    return s;
}

std::optional<unsigned> VfeState::entry_of(std::uint16_t named) const {
    for (unsigned entry = 0; entry < urb_entries; ++entry)
        if (handle(entry) == named) return entry;
    return std::nullopt;
}

std::uint32_t VfeState::subslice_mask(const ThreadTopology& topology) const {
    const unsigned subslices = std::min(topology.subslices, requested_subslices(power_request));
    std::uint32_t all = 0;
    for (unsigned s = 0; s < std::min(topology.slices, requested_slices(power_request)); ++s)
        all |= ((1u << subslices) - 1) << s * topology.subslices;
    if (slice_disable == 1) return all & ((1u << topology.subslices) - 1);
    if (slice_disable == 3) return 1;
    return all;
}

unsigned VfeState::eus(const ThreadTopology& topology) const {
    return std::min(topology.eus, requested_eus(power_request));
}

unsigned VfeState::room(const ThreadTopology& topology) const {
    return static_cast<unsigned>(std::popcount(subslice_mask(topology))) * eus(topology) *
           topology.threads;
}

std::optional<Refusal> check(const VfeState& state, std::uint32_t urb_rows) {
    if (state.scratch_code > 11 || state.stack_code > 11)
        return Refusal{{}, "MEDIA_VFE_STATE", "scratch or stack size code above 11"};
    if (state.urb_entries > VfeState::kMaxEntries)
        return Refusal{{}, "MEDIA_VFE_STATE", "more than 128 URB entries"};
    if (state.slice_disable == 2)
        return Refusal{{}, "MEDIA_VFE_STATE", "reserved value 2 of SliceDisable"};
    if (state.rows_used() > urb_rows)
        return Refusal{{},
                       "MEDIA_VFE_STATE",
                       "descriptors, CURBE and " + std::to_string(state.urb_entries) +
                           " entries need " + std::to_string(state.rows_used()) +
                           " URB rows; there are " + std::to_string(urb_rows)};
    return std::nullopt;
}

}  // namespace gen9::media
