// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

/// A host may address so much over the bus. Everything that comes by a door is held against these.
namespace gen9::platform {

inline constexpr std::uint64_t kPhysicalBytes = std::uint64_t{1}
                                                << 40;   ///< TBX carries 40-bit addresses
inline constexpr std::uint32_t kGgttEntries = 1u << 20;  ///< 4 GB of global graphics addresses
inline constexpr std::uint32_t kRegisterBytes =
    2u << 20;  ///< MMIO registers of the device (half of its first BAR)

/// EXECLIST_SUBMITPORT of the render engine: four writes are a submission.
inline constexpr std::uint32_t kExeclistSubmitPort = 0x2230;
inline constexpr unsigned kWritesPerSubmission = 4;

}  // namespace gen9::platform
