// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9::drm {

/// A variable of programs with the library: the names of all variables that the run has given them,
/// its own among them, with colons between them.
inline constexpr const char* kGivenVariable = "GEN9SIM_GIVEN";

}  // namespace gen9::drm
