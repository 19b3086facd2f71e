// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9 {

inline constexpr unsigned kStreamBuffers = 4;
using WriteOffsets = std::array<std::uint32_t, kStreamBuffers>;

/// Write offsets of stream output's buffers (SO_WRITE_OFFSET), of which some have changed. The
/// command streamer hands on what its stream has written, and stream output what a draw has left.
struct StreamOffsets {
    WriteOffsets value{};      ///< bytes
    std::uint8_t changed = 0;  ///< a bit for each buffer
};

}  // namespace gen9
