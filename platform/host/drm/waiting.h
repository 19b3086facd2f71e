// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gen9::drm {

/// A variable of programs with the library: where it is set, a request that submits returns when
/// the submission has ended.
inline constexpr const char* kWaitVariable = "GEN9SIM_DRM_WAIT";

}  // namespace gen9::drm
