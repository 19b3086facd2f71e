// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

namespace gen9 {

/// The rest of a GPGPU_WALKER that was stopped (PRE-05).
struct WalkerRest {
    static constexpr unsigned kThreadDwords = 16;

    /// Dimensions of the walk: the registers that they may have come from can differ when it goes
    /// on.
    std::array<std::uint32_t, 3> dimensions{};
    std::array<std::uint32_t, 3> group{};  ///< with which it goes on
    std::uint8_t thread = 0;               ///< threads of that group that were sent before
    /// A bit for each thread, by its FFTID, that was saved and is to be restored.
    std::array<std::uint32_t, kThreadDwords> saved_threads{};

    bool operator==(const WalkerRest&) const = default;
};

/// A stopped walker as the context image keeps it: the modified GPGPU_WALKER of 003:17013, and the
/// saved threads behind it. Z has one field for start and resume. Assumed: X and Y use the DWords
/// that the command leaves out beside their starts, the thread the byte beside the descriptor, and
/// a bit that is reserved in the header says that the command was modified.
using StoppedWalker = std::array<std::uint32_t, 15 + WalkerRest::kThreadDwords>;

StoppedWalker pack(std::span<const std::uint32_t> walker, const WalkerRest& rest);
WalkerRest unpack(const StoppedWalker& stopped);
/// Its part that is a GPGPU_WALKER.
inline std::span<const std::uint32_t> command_of(const StoppedWalker& stopped) {
    return std::span(stopped).first(stopped.size() - WalkerRest::kThreadDwords);
}

}  // namespace gen9
