// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Variables of a program with the library of the kernel interface.
namespace gen9::drm {

/// The folder of the machine's device files.
inline constexpr const char* kFolderVariable = "GEN9SIM_DRM";
/// The names of all variables that the run has given the program, this one among them, with colons
/// between them.
inline constexpr const char* kGivenVariable = "GEN9SIM_GIVEN";
/// A request that submits returns when the submission has ended, where this is set.
inline constexpr const char* kWaitVariable = "GEN9SIM_DRM_WAIT";

}  // namespace gen9::drm
