// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace gen9::platform {

inline constexpr const char* kTallyExtension = ".options";
inline constexpr const char* kBuiltFromSource = "source";
inline constexpr const char* kBuiltFromBinary = "binary";
inline constexpr const char* kNotBuilt = "failed";

/// Says in a sentence what became of the options that were added to a program's builds
/// (added_options.h).
std::string build_tally(const std::string& folder, const std::string& options);

}  // namespace gen9::platform
