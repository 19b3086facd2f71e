// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "media/objects/thread_scoreboard.h"
#include "media/types.h"

namespace gen9::media {

/// MEDIA_VFE_STATE and the partition of the URB it makes (TD-28): rows 0-63 hold the interface
/// descriptors, the CURBE follows, and the rest is cut into equal entries named by handles.
struct VfeState {
    static constexpr unsigned kDescriptorRows = 64;
    static constexpr unsigned kMaxEntries = 128;
    static constexpr std::uint32_t kHandleBytes = 64;

    std::uint64_t scratch_base = 0;  ///< from the general state base, bytes
    std::uint8_t scratch_code = 0;   ///< 1 KB << code per thread
    std::uint8_t stack_code = 0;
    bool reset_gateway_timer = false;
    std::uint16_t max_threads = 1;
    std::uint8_t slice_disable = 0;
    std::uint32_t power_request = 0;  ///< R_PWR_CLK_STATE when it was given
    std::uint16_t urb_entries = 0;
    std::uint16_t urb_entry_rows = 0;
    std::uint16_t curbe_rows = 0;
    ScoreboardState scoreboard;

    /// Handle of an entry: its place in the URB in units of 64 bytes, two rows (URB-06).
    std::uint16_t handle(unsigned entry) const {
        const unsigned row = kDescriptorRows + curbe_rows + entry * urb_entry_rows;
        return static_cast<std::uint16_t>((row + 1) / 2);
    }
    /// The entry a handle names, or nothing.
    std::optional<unsigned> entry_of(std::uint16_t handle) const;
    std::uint32_t rows_used() const {
        return kDescriptorRows + curbe_rows + std::uint32_t(urb_entries) * urb_entry_rows;
    }
    /// Scratch pointer of a thread, from the general state base (guide 3.7).
    std::uint64_t scratch_pointer(unsigned fftid) const {
        return scratch_base + (std::uint64_t(fftid) << (10 + scratch_code));
    }
    /// Subslices (flat) that threads may be sent to.
    std::uint32_t subslice_mask(const ThreadTopology& topology) const;
    /// EUs of each of these that threads may be sent to: the first ones (Assumed: which).
    unsigned eus(const ThreadTopology& topology) const;
    /// Threads that there is room for.
    unsigned room(const ThreadTopology& topology) const;
};

VfeState decode_vfe_state(std::span<const std::uint32_t> dwords);

/// Scratch and stack codes run to 11 (TD-39, TD-40); the partition must fit `urb_rows` (TD-29).
std::optional<Refusal> check(const VfeState& state, std::uint32_t urb_rows);

}  // namespace gen9::media
